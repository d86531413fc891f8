"""One round of combat on any number of hexes: from the engaged units to losses and captures.

Rows come in no particular order; whoever stores a table sorts it (`schema.shaped`).
"""

from dataclasses import dataclass, field
from functools import partial

import polars as pl

from transforms.combat.captures import captures
from transforms.combat.parties import CLASH, SIDE
from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import empty


@dataclass(frozen=True)
class Clash:
    """What a set of clashes did: rows of `battles` and `battle_units`, and the damage to walls.

    The model `hits` adds rows of `battle_armies`, `battle_selections` and `draws`.
    """

    sides: pl.DataFrame
    units: pl.DataFrame
    damage: pl.DataFrame
    armies: pl.DataFrame = field(default_factory=partial(empty, "battle_armies"))
    selections: pl.DataFrame = field(default_factory=partial(empty, "battle_selections"))
    draws: pl.DataFrame = field(default_factory=partial(empty, "draws"))


def clash(engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn) -> Clash:
    """Let all sides of each clash fight once; `engaged` as from `engage`, buildings as they are.

    `damage` has one row per building that absorbed: building_id, damage (points to add).
    """
    sides = shares(strengths(engaged, rules))
    sides = absorb(sides, defenders(engaged, buildings, rules, turn), rules)
    units = suffer(engaged, sides)
    taken = captures(units, sides)
    return Clash(
        sides=sides.drop("own", "total"),
        units=with_captives(units, taken),
        damage=sides.filter(pl.col("building_id").is_not_null()).select(
            "building_id", damage="absorbed"
        ),
    )


def strengths(engaged: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """One row per side: `own` (exact, in hundredths) and `strength` (source 1, 6.2).

    own = (Σ merit + base) × Σ ceil(troops / min_strength) × (elite_combat + 1) × region_pct.
    Int128 holds it exactly: a side would need 10^18 troops and 10^13 merit points to exceed it.
    """
    least = rules.unit_types.lazy().select("min_strength", unit_type="name")
    troops, per_strength = pl.col("troops").cast(pl.Int128), pl.col("min_strength")
    rounded_up = (troops + per_strength - 1) // per_strength
    elite = pl.col("elite_combat").cast(pl.Int64) + 1
    weight = rounded_up * elite * pl.col("region_pct")
    merit = pl.col("merit").cast(pl.Int128).sum() + rules.constants.merit_base
    return (
        engaged.lazy()
        .join(least, on="unit_type")
        .group_by(SIDE)
        .agg(own=merit * weight.sum())
        .with_columns(strength=pl.col("own").cast(pl.Float64) / 100.0)
        .collect()
    )


def shares(sides: pl.DataFrame) -> pl.DataFrame:
    """Add `total` (exact, of all sides of the clash) and `share` in percent (source 1, 6.3)."""
    others = (pl.col("total") - pl.col("own")).cast(pl.Float64)
    total = pl.col("total").cast(pl.Float64)
    return sides.with_columns(total=pl.col("own").sum().over(CLASH)).with_columns(
        share=pl.when(total > 0).then(100.0 * others / total).otherwise(0.0)
    )


def defenders(
    engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """The building that defends in each clash: SIDE, building_id, capacity (source 1, 6.4).

    It is the lowest building_id among the finished central ones on the hex whose realm fights
    there; a used-up one (capacity ≤ 0) is not replaced by the next.
    """
    kinds = rules.building_types.lazy().select("defence", building_type="code")
    return (
        standing_buildings(engaged, buildings, rules, turn)
        .lazy()
        .join(kinds, on="building_type")
        .select(*SIDE, "building_id", capacity=pl.col("defence") - pl.col("damage") - 1)
        .collect()
    )


def standing_buildings(
    engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """The lowest finished central building of each clash whose realm fights there, with SIDE."""
    kinds = rules.building_types.lazy().filter("central").select(building_type="code")
    fighting = engaged.lazy().select(*SIDE, "realm_id").unique()
    finished = pl.col("completed_on").is_null() | (pl.col("completed_on") < turn.today + 1)
    return (
        buildings.lazy()
        .filter(pl.col("direction").is_null() & finished)
        .join(kinds, on="building_type", how="semi")
        .join(fighting, on=["hex_id", "realm_id"])
        .filter(pl.col("building_id") == pl.col("building_id").min().over(CLASH))
        .collect()
    )


def absorb(sides: pl.DataFrame, defending: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Add what a building absorbed of the share, what is left of it, and whether that overruns.

    New columns: absorbed, final_share (percentage points), building_id (only if it absorbed),
    overrun (source 1, 6.4 and 6.5).
    """
    absorbed = pl.min_horizontal("capacity", "share").clip(lower_bound=0.0)
    overrun = pl.col("final_share") >= rules.constants.overrun_pct
    return (
        sides.lazy()
        .join(defending.lazy(), on=SIDE, how="left")
        .with_columns(
            absorbed=pl.when(pl.col("capacity").is_null()).then(0.0).otherwise(absorbed),
        )
        .with_columns(
            final_share=pl.col("share") - pl.col("absorbed"),
            building_id=pl.when(pl.col("absorbed") > 0).then("building_id"),
        )
        .with_columns(overrun=overrun)
        .drop("capacity")
        .collect()
    )


def suffer(engaged: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """Add the `losses` of every engaged unit and the troops `left` (source 1, 6.6)."""
    troops = pl.col("troops")
    losses = (troops.cast(pl.Float64) * pl.col("final_share") / 100.0).floor().cast(pl.Int64)
    return (
        engaged.lazy()
        .join(sides.lazy().select(*SIDE, "final_share", "overrun"), on=SIDE)
        .with_columns(losses=pl.when("overrun").then(troops).otherwise(losses))
        .with_columns(left=troops - pl.col("losses"))
        .collect()
    )


def with_captives(units: pl.DataFrame, taken: pl.DataFrame) -> pl.DataFrame:
    """Rows of `battle_units`; a captive keeps its troops from before the clash."""
    captured = pl.col("captor_id").is_not_null()
    return (
        units.lazy()
        .join(taken.lazy(), on=[*CLASH, "unit_id"], how="left")
        .select(
            *CLASH,
            "unit_id",
            "party",
            "region_pct",
            troops_before="troops",
            losses=pl.when(captured).then(0).otherwise("losses"),
            captured=captured,
            captor_id="captor_id",
        )
        .collect()
    )
