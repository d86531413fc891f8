"""One round of combat on any number of hexes: from the engaged units to losses and captures.

Rows come in no particular order; whoever stores a table sorts it (`schema.shaped`).
"""

from dataclasses import dataclass, field
from functools import partial

import polars as pl

from transforms.combat.captures import captures
from transforms.combat.ground import strength_parts
from transforms.combat.parties import CLASH, SIDE
from transforms.combat.walls import absorb, manned, overrun, shelter, standing_walls, wear
from transforms.context import Turn
from transforms.division import divided
from transforms.rules import Rules
from transforms.schema import empty, shaped

CLASH_TABLES = ("battles", "battle_units", "battle_armies", "battle_selections", "draws")


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

    def tables(self) -> dict[str, pl.DataFrame]:
        """The rows of the turn tables, as they are stored."""
        rows = (self.sides, self.units, self.armies, self.selections, self.draws)
        return {name: shaped(name, frame) for name, frame in zip(CLASH_TABLES, rows, strict=True)}


def clash(engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn) -> Clash:
    """Let all sides of each clash fight once; `engaged` as from `engage`, buildings as they are.

    `damage` has one row per building that absorbed: building_id, damage (its new value).
    """
    walls = standing_walls(engaged, buildings, rules, turn)
    fighters = shelter(engaged, walls, rules)
    walls = manned(walls, fighters)
    sides = absorb(shares(strengths(engaged, rules)), walls, rules)
    units = suffer(fighters, sides, rules)
    taken = captures(units, sides)
    return Clash(
        sides=sides.drop("own", "total", "outnumbered"),
        units=with_captives(units, taken),
        damage=wear(walls, sides),
    )


def strengths(engaged: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """One row per side: `own` (exact, in `strength_parts`) and `strength` (source 1, 6.2).

    own = (Σ merit + base) × Σ ceil(troops / min_strength) × (elite_combat + 1) × factor.
    Int128 holds it exactly: a side would need 10^18 troops and 10^13 merit points to exceed it.
    """
    least = rules.unit_types.lazy().select("min_strength", unit_type="name")
    troops, per_strength = pl.col("troops").cast(pl.Int128), pl.col("min_strength")
    rounded_up = (troops + per_strength - 1) // per_strength
    elite = pl.col("elite_combat").cast(pl.Int64) + 1
    weight = rounded_up * elite * pl.col("factor")
    merit = pl.col("merit").cast(pl.Int128).sum() + rules.constants.merit_base
    return (
        engaged.lazy()
        .join(least, on="unit_type")
        .group_by(SIDE)
        .agg(own=merit * weight.sum())
        .with_columns(strength=divided(pl.col("own"), strength_parts(rules)))
        .collect()
    )


def shares(sides: pl.DataFrame) -> pl.DataFrame:
    """Add `total` (exact, of all sides of the clash) and `share` in percent (source 1, 6.3)."""
    others = (pl.col("total") - pl.col("own")).cast(pl.Float64)
    total = pl.col("total").cast(pl.Float64)
    return sides.with_columns(total=pl.col("own").sum().over(CLASH)).with_columns(
        share=pl.when(total > 0).then(100.0 * others / total).otherwise(0.0)
    )


def suffer(fighters: pl.DataFrame, sides: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Add the `losses` of every unit and the troops `left` (source 1, 6.6).

    Whoever is sheltered carries the share that the walls left over, the others the full one.
    """
    troops = pl.col("troops")
    carried = pl.when("sheltered").then("final_share").otherwise("share")
    losses = divided(troops.cast(pl.Float64) * pl.col("carried"), 100).floor().cast(pl.Int64)
    fates = sides.lazy().select(*SIDE, "share", "final_share", "outnumbered")
    return (
        fighters.lazy()
        .join(fates, on=SIDE)
        .with_columns(carried=carried)
        .with_columns(
            losses=pl.when(overrun(pl.col("carried"), rules)).then(troops).otherwise(losses)
        )
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
