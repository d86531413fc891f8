"""A clash by Treffer und Verluste: what the combat model `hits` puts in the place of the shares.

An army is all units of one realm in a clash, its enemies are the armies of the other parties. A
combatant stands for up to `min_strength` troops of a unit, which its death costs (docs/hits.md).
"""

import numpy as np
import polars as pl

from transforms.combat.captures import captures
from transforms.combat.clashes import Clash, with_captives
from transforms.combat.ground import strength_parts
from transforms.combat.parties import CLASH, SIDE
from transforms.combat.walls import lowest, standing_buildings
from transforms.context import Turn
from transforms.dice import unit_entity
from transforms.errors import InputError
from transforms.hits import battle
from transforms.hits.constants import FORTIFICATIONS, MICRO, HitsRules
from transforms.hits.draws import draws_of
from transforms.hits.forces import STANDS, make_forces
from transforms.hits.micro import from_micro
from transforms.hits.strength import Options
from transforms.rules import Rules
from transforms.schema import empty

ARMY = [*CLASH, "realm_id"]
_MOST_COMBATANTS = 2**26


def clash_by_hits(
    engaged: pl.DataFrame,
    buildings: pl.DataFrame,
    rules: Rules,
    turn: Turn,
    fought: pl.DataFrame | None = None,
) -> Clash:
    """Let all armies of each clash fight one round (source 3); `engaged` as from `engage`.

    `fought` are the rows of `battle_armies` of this turn so far: an army that fights again rolls
    other dice. Merit, absorption by buildings and overrunning play no part. Errors: too many
    combatants.
    """
    units = _units(engaged, rules)
    armies = _armies(units, fought)
    walls = fortified(engaged, buildings, rules, turn)
    combatants = _combatants(units, armies, walls, rules.hits)
    forces = make_forces(armies, combatants, _enmities(armies))
    key = turn.dice.key
    result = battle.fight(
        forces, rules.hits, Options(), key=key, keep_strikes=True, keep_selections=True
    )
    suffered = _suffered(units, combatants.with_columns(alive=pl.Series(result.alive)))
    sides = _sides(suffered)
    counted = armies.with_columns(
        strength=result.strength / MICRO,
        strikes=result.strikes,
        hits=result.hits,
        vp_received=result.received,
    )
    return Clash(
        sides=sides.drop("own"),
        units=with_captives(suffered, captures(suffered, sides)),
        damage=engaged.clear().select(building_id="unit_id", damage=pl.lit(0.0)),
        armies=counted.select(list(empty("battle_armies").columns)),
        selections=_selections(armies, combatants, result.selection_log),
        draws=draws_of(result, key),
    )


def fortified(
    engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """The walls of each clash: SIDE and fortification (its position in FORTIFICATIONS).

    They are those of the lowest building_id among the finished central ones on the hex whose
    realm fights there; its party stands behind them.
    """
    position = {name: i for i, name in enumerate(FORTIFICATIONS)}
    kinds = rules.building_types.select("fortification", building_type="code")
    return (
        lowest(standing_buildings(engaged, buildings, rules, turn))
        .lazy()
        .join(kinds.lazy(), on="building_type")
        .select(
            *SIDE,
            pl.col("fortification").cast(pl.String).replace_strict(position, return_dtype=pl.Int64),
        )
        .collect()
    )


def _units(engaged: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """The engaged units in the order of their combatants, with the `kk` of one combatant."""
    kinds = rules.unit_types.lazy().select("min_strength", "ranged", unit_type="name")
    elite = pl.col("elite_combat").cast(pl.Int64) + 1
    least = pl.col("min_strength")
    return (
        engaged.lazy()
        .join(kinds, on="unit_type")
        .with_columns(
            entity=unit_entity().cast(pl.Int64),
            kk=elite * pl.col("factor") * (MICRO // strength_parts(rules)),
            combatants=(pl.col("troops") + least - 1) // least,
        )
        .sort(*CLASH, "entity")
        .collect()
    )


def _armies(units: pl.DataFrame, fought: pl.DataFrame | None) -> pl.DataFrame:
    """One row per army, known by its lowest unit: as `make_forces` takes it, and its number."""
    before = empty("battle_armies") if fought is None else fought
    number = before.group_by("army_id").agg(battle_no=pl.len().cast(pl.Int64))
    return (
        units.group_by(*ARMY, "party")
        .agg(army_id=pl.col("entity").min())
        .sort(*CLASH, "army_id")
        .join(
            number.with_columns(pl.col("army_id").cast(pl.Int64)),
            on="army_id",
            how="left",
            maintain_order="left",
        )
        .with_columns(
            pl.col("battle_no").fill_null(0),
            battle=pl.struct(CLASH).rank("dense").cast(pl.Int64) - 1,
            strength=pl.lit(0, pl.Int64),
            flight=pl.lit(STANDS, pl.Int64),
            flee_pct=pl.lit(0, pl.Int64),
        )
        .with_columns(engagement="battle_no", army=pl.int_range(pl.len(), dtype=pl.Int64))
    )


def _enmities(armies: pl.DataFrame) -> pl.DataFrame:
    """Every pair of armies of different parties in the same clash."""
    foes = armies.select(*CLASH, enemy="army", enemy_party="party")
    return (
        armies.join(foes, on=CLASH)
        .filter(pl.col("party") != pl.col("enemy_party"))
        .select("army", "enemy")
    )


def _combatants(
    units: pl.DataFrame, armies: pl.DataFrame, walls: pl.DataFrame, hits: HitsRules
) -> pl.DataFrame:
    """One row per combatant in the order of (clash, unit, k), numbered from 1 in its army.

    `stands_for` are the troops that its death costs. Whoever has the most KK finds a place
    behind the walls first; ties: ranged ones, then the lowest unit and k.
    """
    _refuse_a_crowd(units)
    counts = units["combatants"].to_numpy()
    of_unit = np.repeat(np.arange(units.height), counts)
    k = np.arange(of_unit.size) - np.repeat(np.cumsum(counts) - counts, counts)
    least = pl.col("min_strength")
    crowd = units.select(*ARMY, "party", "unit_id", "troops", "min_strength", "kk", "ranged")[
        of_unit
    ]
    crowd = crowd.select(
        *ARMY,
        "party",
        "unit_id",
        "kk",
        "ranged",
        stands_for=pl.min_horizontal(least, pl.col("troops") - pl.Series(k) * least),
        row=pl.int_range(pl.len(), dtype=pl.Int64),
        combatant_id=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over(ARMY),
    )
    strongest = [pl.col("kk"), pl.col("ranged"), -pl.col("row")]
    inside = (
        crowd.join(walls, on=SIDE)
        .sort(strongest, descending=True)
        .filter(
            pl.int_range(pl.len()).over(SIDE)
            < pl.col("fortification").replace_strict(
                dict(enumerate(hits.places)), return_dtype=pl.Int64
            )
        )
        .select("row", "fortification")
    )
    return (
        crowd.join(inside, on="row", how="left")
        .join(armies.select(*ARMY, "army"), on=ARMY)
        .with_columns(pl.col("fortification").fill_null(0))
        .sort("row")
    )


def _refuse_a_crowd(units: pl.DataFrame) -> None:
    total = units["combatants"].cast(pl.Float64).sum()
    if total > _MOST_COMBATANTS:
        raise InputError(
            f"combat_model hits: {total:,.0f} combatants fight in this turn; allowed: "
            f"{_MOST_COMBATANTS:,}; a larger min_strength makes them fewer"
        )


def _suffered(units: pl.DataFrame, combatants: pl.DataFrame) -> pl.DataFrame:
    """The units with their `losses`, the troops `left` and their `unit_kk` before the clash."""
    fallen = pl.when("alive").then(0).otherwise("stands_for").sum()
    lost = combatants.group_by("unit_id").agg(losses=fallen)
    return units.join(lost, on="unit_id").with_columns(
        left=pl.col("troops") - pl.col("losses"),
        unit_kk=pl.col("kk") * pl.col("combatants"),
    )


def _sides(units: pl.DataFrame) -> pl.DataFrame:
    """Rows of `battles`: Σ KK as the strength, the share of the troops that is lost."""
    sides = units.group_by(SIDE).agg(
        pl.col("losses", "troops").sum(), own=pl.col("unit_kk").sum(), left=pl.col("left").sum()
    )
    share = 100 * pl.col("losses") / pl.col("troops")
    return sides.select(
        *SIDE,
        "own",
        strength=from_micro("own"),
        share=share,
        final_share=share,
        absorbed=pl.lit(0.0),
        overrun=pl.col("left") == 0,
        building_id=pl.lit(None, pl.UInt32),
    )


def _selections(
    armies: pl.DataFrame, combatants: pl.DataFrame, log: pl.DataFrame | None
) -> pl.DataFrame:
    """Rows of `battle_selections`."""
    if log is None:
        return empty("battle_selections")
    of_army = armies.select("hex_id", "army_id", "battle_no")[log["army"]]
    of_combatant = combatants[log["combatant"]].select(
        "unit_id",
        "combatant_id",
        from_micro("kk"),
        pl.col("fortification").replace_strict(dict(enumerate(FORTIFICATIONS))),
        troops="stands_for",
    )
    chances = ("cover_ppm", "base_ppm", "delta_ppm", "aw_ppm")
    facts = log.select(
        "selection", from_micro("vp_before"), *chances, "outcome", from_micro("vp_after")
    )
    return pl.concat([of_army, of_combatant, facts], how="horizontal").select(
        list(empty("battle_selections").columns)
    )
