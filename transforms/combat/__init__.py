"""Combat, the second phase of execute (source 1, section 6): who fights, how hard, who is left.

A step of it is a small function from tables to tables. All clashes of a turn run at once; a
clash is one row group with the same `hex_id` and `round`, a side of it has the same `party` too.

    engage    units that meet hostile units      → engaged      one row per clash and unit
    clash     strengths → defence → losses → captures of one set of clashes
    clash_by_hits   the same with the combat model hits: strikes → selections → captures
    book_*    what a clash changed               → units, buildings
"""

import polars as pl

from transforms.combat.booking import book_damage, book_losses
from transforms.combat.by_hits import clash_by_hits
from transforms.combat.clashes import Clash, clash
from transforms.combat.parties import coalitions, engage
from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped

__all__ = [
    "Clash",
    "book_damage",
    "book_losses",
    "clash",
    "clash_by_hits",
    "coalitions",
    "engage",
    "fight",
]
_MODELS = {"share": clash, "hits": clash_by_hits}


def fight(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    buildings: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Fight one clash on every hex where hostile units stand (source 1, section 6).

    Returns `units` (troops after the losses, captives off the map), `buildings` (damage),
    `battles` (a row per side) and `battle_units` (a row per unit that fought); with the combat
    model hits also `battle_armies`, `battle_selections` and new rows of `draws`.
    """
    engaged = engage(units, hexes, alliances, rules)
    fought = _MODELS[rules.switches.combat_model](engaged, buildings, rules, turn)
    return {
        "units": shaped("units", book_losses(units, fought.units)),
        "buildings": shaped("buildings", book_damage(buildings, fought.damage)),
        "battles": shaped("battles", fought.sides),
        "battle_units": shaped("battle_units", fought.units),
        "battle_armies": shaped("battle_armies", fought.armies),
        "battle_selections": shaped("battle_selections", fought.selections),
        "draws": shaped("draws", fought.draws),
    }
