"""The heart of a movement: Kruijswijk's fixpoint over partial information, in columns.

Every decision is a Boolean that may be null, which means: open. Polars' three-valued logic then
says by itself what is certain already (`true or null` is true), and strengths have a lower and
an upper bound. One round computes everything from the last one; what is decided stays decided.

| decision | of | meaning |
| --- | --- | --- |
| `path` | a move | it can be made at all: by land, or a route of fleets still holds |
| `given` | a support | not cut |
| `arrives` | a move | it succeeds |
| `dislodged` | every unit | another unit moves in and it does not get away |
"""

import polars as pl

from transforms.diplomacy.cycles import broken
from transforms.diplomacy.relations import Relations

DECISIONS = ["path", "given", "arrives", "dislodged"]


def decide(units: pl.DataFrame, relations: Relations) -> pl.DataFrame:
    """All decisions of a field, none of them open, and `jammed`: fleets of broken convoys.

    What no round can settle is a cycle: a convoy in it is broken (Szykman, DATC 4.A.2), a ring
    of moves without one goes round.
    """
    now = _nothing_known(units)
    while True:
        now = _fixpoint(units, relations, now)
        if not now.select(pl.any_horizontal(pl.col(DECISIONS).is_null().any())).item():
            return now
        now = broken(units, relations, now)


def _nothing_known(units: pl.DataFrame) -> pl.DataFrame:
    """Only what needs no decision: who does not move stays, who goes by land finds the way."""
    unknown = pl.lit(None, pl.Boolean)
    moves, convoyed = pl.col("moves"), pl.col("convoyed")
    return units.select(
        path=pl.when(~moves).then(False).when(~convoyed).then(True).otherwise(unknown),
        given=pl.when(~pl.col("supports")).then(False).otherwise(unknown),
        arrives=pl.when(~moves).then(False).otherwise(unknown),
        dislodged=unknown,
        jammed=pl.lit(False),
    )


def _fixpoint(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.DataFrame:
    open_before = None
    while (still_open := sum(now[name].null_count() for name in DECISIONS)) != open_before:
        open_before = still_open
        for name, rule in (
            ("path", _path),
            ("given", _given),
            ("arrives", _arrives),
            ("dislodged", _dislodged),
        ):
            now = now.with_columns(pl.coalesce(now[name], rule(units, relations, now)).alias(name))
    return now


# ── the rules ───────────────────────────────────────────────────────────────────────────────


def _path(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.Series:
    """A convoy holds while one route has no dislodged fleet."""
    legs = relations.legs.with_columns(fleet_lost=_of(now, "dislodged", relations.legs["fleet"]))
    route = legs.group_by("row", "route").agg(holds=~pl.col("fleet_lost").any(ignore_nulls=False))
    return _for_rows(units, route, pl.col("holds").any(ignore_nulls=False), otherwise=False)


def _given(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.Series:
    """A support is cut by any attack but the one it is directed against, and by dislodgement."""
    attacks = relations.cutters.select("row", hit=_of(now, "path", relations.cutters["attacker"]))
    hit = _for_rows(units, attacks, pl.col("hit").any(ignore_nulls=False), otherwise=False)
    return ~(hit | now["dislodged"])


def _dislodged(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.Series:
    """A unit is driven out when another one arrives and it does not leave."""
    entries = relations.attacks.select(
        "row", entered=_of(now, "arrives", relations.attacks["attacker"])
    )
    entered = _for_rows(units, entries, pl.col("entered").any(ignore_nulls=False), otherwise=False)
    return entered & ~now["arrives"]


def _arrives(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.Series:
    """A move succeeds against the unit that stays or comes towards it, and against every rival."""
    field = units.hstack(now).hstack(_support(units, relations, now))
    low, high = field.select(**_strengths("low")), field.select(**_strengths("high"))
    rivals = relations.rivals.select(
        "row",
        low=_of(low, "prevent", relations.rivals["rival"]),
        high=_of(high, "prevent", relations.rivals["rival"]),
    )
    rival_low = _for_rows(units, rivals, pl.col("low").max(), otherwise=0)
    rival_high = _for_rows(units, rivals, pl.col("high").max(), otherwise=0)
    against = pl.DataFrame(
        {
            "attack_low": low["attack"],
            "attack_high": high["attack"],
            "low": low.select(pl.max_horizontal("resist", rival_low)).to_series(),
            "high": high.select(pl.max_horizontal("resist", rival_high)).to_series(),
        }
    )
    return against.select(
        pl.when(pl.col("attack_low") > pl.col("high"))
        .then(True)
        .when(pl.col("attack_high") <= pl.col("low"))
        .then(False)
    ).to_series()


def _support(units: pl.DataFrame, relations: Relations, now: pl.DataFrame) -> pl.DataFrame:
    """Supports of every unit's order: certain (low) and thinkable (high), all and the foreign."""
    given = _of(now, "given", relations.backing["supporter"])
    backing = relations.backing.with_columns(low=given.fill_null(False), high=given.fill_null(True))
    foreign = pl.col("foreign")
    counted = backing.group_by("other").agg(
        support_low=pl.col("low").sum(),
        support_high=pl.col("high").sum(),
        foreign_low=(pl.col("low") & foreign).sum(),
        foreign_high=(pl.col("high") & foreign).sum(),
    )
    return (
        units.select("row")
        .join(counted, left_on="row", right_on="other", how="left", maintain_order="left")
        .select(pl.exclude("row").fill_null(0).cast(pl.Int32))
    )


def _strengths(bound: str) -> dict[str, pl.Expr]:
    """The lower or the upper bound of a move's attack and prevent strength and of what resists it.

    An attack on a province whose own unit stays has no strength, and a support by the nation that
    is attacked does not count; who loses a head-to-head prevents nobody.
    """
    optimist = bound == "high"
    occupant, facing = pl.col("occupant"), pl.col("facing")
    support = pl.col(f"support_{bound}")
    path = pl.col("path").fill_null(optimist)
    leaves = pl.when(facing).then(False).otherwise(pl.col("arrives").gather(occupant))
    left = ~pl.col("occupied") | leaves.fill_null(optimist)
    against_unit = pl.when(pl.col("own_target")).then(0).otherwise(1 + pl.col(f"foreign_{bound}"))
    attack = pl.when(left).then(1 + support).otherwise(against_unit)
    stays = pl.when(leaves.fill_null(not optimist)).then(0).otherwise(1)
    stands_firm = facing | ~pl.col("occupant_moves")
    resist = pl.when(stands_firm).then(1 + support.gather(occupant)).otherwise(stays)
    beaten = facing & pl.col("arrives").gather(occupant).fill_null(not optimist)
    return {
        "attack": pl.when(path).then(attack).otherwise(0),
        "resist": pl.when(pl.col("occupied")).then(resist).otherwise(0),
        "prevent": pl.when(path & ~beaten).then(1 + support).otherwise(0),
    }


# ── from pairs to rows ──────────────────────────────────────────────────────────────────────


def _of(frame: pl.DataFrame, name: str, rows: pl.Series) -> pl.Series:
    """The values of column `name` in the given rows."""
    return frame[name].gather(rows)


def _for_rows(
    units: pl.DataFrame, pairs: pl.DataFrame, value: pl.Expr, otherwise: bool | int
) -> pl.Series:
    """`value` over the pairs of every row of the field; `otherwise` for rows without a pair."""
    found = pairs.group_by("row").agg(value=value, found=pl.lit(True))
    joined = units.select("row").join(found, on="row", how="left", maintain_order="left")
    return joined.select(
        pl.when(pl.col("found").is_null()).then(pl.lit(otherwise)).otherwise("value")
    ).to_series()
