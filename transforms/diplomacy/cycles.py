"""What no round can settle: decisions that wait for each other in a circle."""

import polars as pl

from transforms.diplomacy.relations import Relations

_KINDS = ["path", "given", "arrives", "dislodged"]
"""A decision is a number here, its node: row · 4 + place in this list."""


def broken(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.DataFrame:
    """The decisions with every circle broken that waits for nothing but itself.

    With a convoy in it, the convoy fails, and the fleets whose fate hung on it are `jammed`
    (Szykman: as if the army had not been ordered to be convoyed); without one, the moves succeed.
    """
    waits = _closure(_waiting(units, relations, now))
    mutual = waits.join(waits.select(node="on", on="node"), on=["node", "on"], how="semi")
    outward = waits.join(mutual, on=["node", "on"], how="anti")
    circles = (
        mutual.join(outward, on="node", how="anti")
        .group_by("node")
        .agg(convoy=_is("path", "on").any())
    )
    convoys, rings = circles.filter("convoy"), circles.filter(~pl.col("convoy"))
    return now.with_columns(
        path=_settled("path", _rows(convoys, "path"), False),
        jammed=_settled("jammed", _rows(convoys, "dislodged"), True),
        arrives=_settled("arrives", _rows(rings, "arrives"), True),
    )


def _is(decision: str, node: str) -> pl.Expr:
    return pl.col(node) % len(_KINDS) == _KINDS.index(decision)


def _rows(circles: pl.DataFrame, decision: str) -> pl.Series:
    """The units whose decision of this kind is in a circle."""
    return circles.filter(_is(decision, "node"))["node"] // len(_KINDS)


def _settled(decision: str, rows: pl.Series, value: bool) -> pl.Expr:
    here = pl.int_range(pl.len()).is_in(rows.implode())
    return pl.when(here).then(value).otherwise(decision).alias(decision)


def _closure(edges: pl.DataFrame) -> pl.DataFrame:
    """node · on: what every node waits for, directly or through others."""
    found = edges
    while True:
        further = found.join(found, left_on="on", right_on="node").select("node", on="on_right")
        grown = pl.concat([found, further]).unique()
        if grown.height == found.height:
            return found
        found = grown


def _waiting(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.DataFrame:
    """node · on: every open decision and the open decisions that its rule looks at."""
    edges = []
    for decision, others, pairs in _looks_at(units, relations):
        known = pairs.drop_nulls()
        both_open = now[decision].is_null().gather(known["row"]) & (
            now[others].is_null().gather(known["on"])
        )
        edges.append(
            known.filter(both_open).select(
                node=_node("row", decision),
                on=_node("on", others),
            )
        )
    return pl.concat(edges).unique()


def _node(row: str, decision: str) -> pl.Expr:
    return pl.col(row).cast(pl.Int64) * len(_KINDS) + _KINDS.index(decision)


def _looks_at(units: pl.DataFrame, relations: Relations) -> list[tuple[str, str, pl.DataFrame]]:
    """Per rule of decisions.py: a decision of `row` looks at another decision of `on`."""
    every = units.select("row", on="row")
    moves = units.filter("moves").select("row", "occupant", "facing", "occupant_moves")
    firm = moves.filter(pl.col("facing") | ~pl.col("occupant_moves"))  # they resist with support
    facing = moves.filter("facing").select("row", on="occupant")
    supports = relations.backing.select(row="other", on="supporter")
    attackers = relations.attacks.select("row", on="attacker")
    rivals = relations.rivals.select("row", on="rival")
    return [
        ("path", "dislodged", relations.legs.select("row", on="fleet")),
        ("given", "dislodged", every),
        ("given", "path", relations.cutters.select("row", on="attacker")),
        ("dislodged", "arrives", attackers),
        ("dislodged", "arrives", every),
        ("arrives", "path", every),
        ("arrives", "given", supports),
        ("arrives", "given", _through(firm.select("row", on="occupant"), supports)),
        ("arrives", "arrives", moves.filter(~pl.col("facing")).select("row", on="occupant")),
        ("arrives", "path", rivals),
        ("arrives", "given", _through(rivals, supports)),
        ("arrives", "arrives", _through(rivals, facing)),
    ]


def _through(first: pl.DataFrame, second: pl.DataFrame) -> pl.DataFrame:
    """row · on: who is related to whom over a third."""
    return first.join(second.rename({"row": "on", "on": "end"}), on="on").select("row", on="end")
