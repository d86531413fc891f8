"""What no round can settle: decisions that wait for each other in a circle."""

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from transforms.diplomacy.decisions import Relations

_KINDS = {"path": 0, "given": 1, "arrives": 2, "dislodged": 3}
_NODE = pl.Int64


def broken(units: pl.DataFrame, relations: "Relations", now: pl.DataFrame) -> pl.DataFrame:
    """The decisions with every circle broken that waits for nothing but itself.

    With a convoy in it, the convoy fails, and the fleets whose fate hung on it are `jammed`
    (Szykman: as if the army had not been ordered to be convoyed); without one, the moves succeed.
    """
    waits = _open_edges(units, relations, now)
    closure = _closure(waits)
    back = closure.select(node="on", on="node")
    circling = closure.join(back, on=["node", "on"], how="semi")
    final = closure.group_by("node").len().join(circling.group_by("node").len(), on="node")
    stuck = final.filter(pl.col("len") == pl.col("len_right")).select("node")
    members = (
        circling.join(stuck, on="node", how="semi")
        .group_by("node")
        .agg(circle=pl.col("on").min(), convoy=(pl.col("on") % 4 == _KINDS["path"]).any())
        .with_columns(kind=pl.col("node") % 4, row=(pl.col("node") // 4).cast(pl.UInt32))
    )
    return now.with_columns(
        path=_set(members, now["path"], (pl.col("kind") == _KINDS["path"]), False),
        arrives=_set(
            members, now["arrives"], (pl.col("kind") == _KINDS["arrives"]) & ~pl.col("convoy"), True
        ),
        jammed=_set(
            members,
            now["jammed"],
            (pl.col("kind") == _KINDS["dislodged"]) & pl.col("convoy"),
            True,
        ),
    )


def _set(members: pl.DataFrame, column: pl.Series, which: pl.Expr, value: bool) -> pl.Series:
    rows = members.filter(which)["row"]
    return column.scatter(rows, value) if len(rows) else column


def _open_edges(units: pl.DataFrame, relations: "Relations", now: pl.DataFrame) -> pl.DataFrame:
    """node · on: every open decision and the open decisions that its rule looks at."""
    rows = units.select("row", "occupant", "facing", "occupant_moves", "moves")
    movers = rows.filter(pl.col("moves"))
    supports = relations.backing.select("supporter", row="other")
    firm = movers.filter(pl.col("facing") | ~pl.col("occupant_moves"))
    rivals = relations.rivals
    facing = movers.filter(pl.col("facing")).select(rival="row", on="occupant")
    pairs = [
        ("path", "dislodged", relations.legs.select("row", on="fleet")),
        ("given", "dislodged", rows.select("row", on="row")),
        ("given", "path", relations.cutters.select("row", on="attacker")),
        ("dislodged", "arrives", relations.attacks.select("row", on="attacker")),
        ("dislodged", "arrives", rows.select("row", on="row")),
        ("arrives", "path", movers.select("row", on="row")),
        ("arrives", "given", supports.select("row", on="supporter")),
        ("arrives", "arrives", movers.filter(~pl.col("facing")).select("row", on="occupant")),
        (
            "arrives",
            "given",
            firm.join(supports, left_on="occupant", right_on="row").select("row", on="supporter"),
        ),
        ("arrives", "path", rivals.select("row", on="rival")),
        (
            "arrives",
            "given",
            rivals.join(supports, left_on="rival", right_on="row").select("row", on="supporter"),
        ),
        ("arrives", "arrives", rivals.join(facing, on="rival").select("row", "on")),
    ]
    edges = [
        frame.drop_nulls()
        .filter(now[of].is_null().gather(frame.drop_nulls()["row"]))
        .pipe(lambda kept, on=on: kept.filter(now[on].is_null().gather(kept["on"])))
        .select(
            node=pl.col("row").cast(_NODE) * 4 + _KINDS[of],
            on=pl.col("on").cast(_NODE) * 4 + _KINDS[on],
        )
        for of, on, frame in pairs
    ]
    return pl.concat(edges).unique()


def _closure(edges: pl.DataFrame) -> pl.DataFrame:
    """node · on: what every node waits for, directly or through others."""
    found = edges
    while True:
        further = found.join(found, left_on="on", right_on="node").select("node", on="on_right")
        grown = pl.concat([found, further]).unique()
        if grown.height == found.height:
            return found
        found = grown
