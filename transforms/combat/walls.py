"""What buildings keep off their side, whom they shelter, and what that costs them."""

import polars as pl

from transforms.calendar import finished
from transforms.combat.parties import CLASH, SIDE
from transforms.context import Turn
from transforms.rules import Rules


def standing_walls(
    engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """The buildings that defend: finished central ones whose realm fights on their hex.

    Switch `building_defence`: `first` = only the lowest building_id of each clash, whatever is
    left of it (source 1, 6.4); `assigned` = all. One row per building: SIDE, building_id, damage,
    places, capacity (percentage points that it can still absorb, at least 0) and `before`, the
    capacity of the lower ones of its side, which absorb first.
    """
    standing = standing_buildings(engaged, buildings, rules, turn)
    if rules.switches.building_defence == "first":
        standing = lowest(standing)
    kinds = rules.building_types.select("defence", building_type="code", places="capacity")
    left = pl.col("defence") - pl.col("damage") - 1
    walls = (
        standing.lazy()
        .join(kinds.lazy(), on="building_type")
        .select(*SIDE, "building_id", "damage", "places", capacity=left.clip(lower_bound=0.0))
        .sort("building_id")
        .collect()
    )
    before = pl.col("capacity").cum_sum().shift(1, fill_value=0.0).over(SIDE)
    return walls.with_columns(before=before)


def standing_buildings(
    engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """The finished central buildings whose realm fights on their hex, each with its SIDE."""
    kinds = rules.building_types.lazy().filter("central").select(building_type="code")
    fighting = engaged.lazy().select(*SIDE, "realm_id").unique()
    return (
        buildings.lazy()
        .filter(pl.col("direction").is_null() & finished(turn))
        .join(kinds, on="building_type", how="semi")
        .join(fighting, on=["hex_id", "realm_id"])
        .collect()
    )


def lowest(standing: pl.DataFrame) -> pl.DataFrame:
    """Of each clash the building with the lowest building_id."""
    return standing.filter(pl.col("building_id") == pl.col("building_id").min().over(CLASH))


def shelter(engaged: pl.DataFrame, walls: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Add `sheltered`: does the unit profit from the walls of its side?

    Switch `building_defence`: `first` = everybody; `assigned` = by (realm_id, number) as many
    whole units as find places; the first that doesn't fit ends it.
    """
    if rules.switches.building_defence == "first":
        return engaged.with_columns(sheltered=pl.lit(True))
    places = walls.group_by(SIDE).agg(pl.col("places").sum())
    space = rules.unit_types.select("troop_space", unit_type="name")
    taken = (pl.col("troops").cast(pl.Int128) * pl.col("troop_space")).cum_sum().over(SIDE)
    inside = (
        engaged.join(places, on=SIDE)
        .join(space, on="unit_type")
        .sort("realm_id", "number")
        .filter(taken <= pl.col("places"))
    )
    return engaged.with_columns(sheltered=pl.col("unit_id").is_in(inside["unit_id"].implode()))


def manned(walls: pl.DataFrame, fighters: pl.DataFrame) -> pl.DataFrame:
    """The walls of those sides that shelter anybody; empty ones absorb nothing."""
    return walls.join(fighters.filter("sheltered"), on=SIDE, how="semi")


def absorb(sides: pl.DataFrame, walls: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Add what the walls absorbed of the share, what is left of it, and who is overrun.

    New columns: `outnumbered` (annihilated by odds: nothing averts that), `absorbed` and
    `final_share` in percentage points, `building_id` (the lowest that absorbed), `overrun`
    (source 1, 6.4 and 6.5).
    """
    strong = pl.col("capacity") > 0
    together = walls.group_by(SIDE).agg(
        capacity=(pl.col("before") + pl.col("capacity")).max(),
        building_id=pl.col("building_id").filter(strong).min(),
    )
    absorbed = pl.min_horizontal(pl.col("capacity").fill_null(0.0), "share")
    return (
        sides.lazy()
        .join(together.lazy(), on=SIDE, how="left")
        .with_columns(outnumbered=_outnumbered(rules))
        .with_columns(absorbed=pl.when("outnumbered").then(0.0).otherwise(absorbed))
        .with_columns(
            final_share=pl.col("share") - pl.col("absorbed"),
            building_id=pl.when(pl.col("absorbed") > 0).then("building_id"),
        )
        .with_columns(overrun=overrun(pl.col("final_share"), rules))
        .drop("capacity")
        .collect()
    )


def overrun(share: pl.Expr, rules: Rules) -> pl.Expr:
    """Is everything lost at this damage share (source 1, 6.5)? Needs the column `outnumbered`."""
    return pl.col("outnumbered") | (share >= rules.constants.overrun_pct)


def wear(walls: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """The new damage of every building that absorbed: building_id, damage (source 1, 6.4)."""
    rest = (pl.col("absorbed") - pl.col("before")).clip(lower_bound=0.0)
    return (
        walls.lazy()
        .join(sides.lazy().select(*SIDE, "absorbed"), on=SIDE)
        .with_columns(taken=pl.min_horizontal("capacity", rest))
        .filter(pl.col("taken") > 0)
        .select("building_id", damage=pl.col("damage") + pl.col("taken"))
        .collect()
    )


def _outnumbered(rules: Rules) -> pl.Expr:
    """Switch `annihilation`: `share_or_odds` = the others are more than so many times as strong."""
    if rules.switches.annihilation == "share":
        return pl.lit(False)
    others = pl.col("total") - pl.col("own")
    return others > pl.col("own") * rules.constants.overrun_odds
