"""Combat, the second phase of execute (source 1, section 6): who fights, how hard, who is left.

A step of it is a small function from tables to tables. All clashes of a turn run at once; a
clash is one row group with the same `hex_id` and `round`, a side of it has the same `party` too.

    engage    units that meet hostile units      → engaged      one row per clash and unit
    battle    the combat model of the rule set   → all clashes of these battles, round by round
    clash     strengths → walls → losses → captures of one set of clashes
    clash_by_hits   the same with the combat model hits: strikes → selections → captures
    book_*    what the clashes changed           → units, buildings
"""

import polars as pl

from transforms.combat.booking import book_damage, book_losses
from transforms.combat.clashes import CLASH_TABLES, Clash, clash
from transforms.combat.ground import count_home
from transforms.combat.parties import coalitions, engage
from transforms.combat.rounds import battle
from transforms.context import Turn
from transforms.letters import attacked
from transforms.rules import Rules
from transforms.schema import shaped

__all__ = [
    "CLASH_TABLES",
    "Clash",
    "battle",
    "book_damage",
    "book_losses",
    "clash",
    "coalitions",
    "count_home",
    "engage",
    "fight",
]


def fight(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    buildings: pl.DataFrame,
    alliances: pl.DataFrame,
    movements: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Fight a battle on every hex where hostile units stand (source 1, section 6).

    With `decisions = evaluate` only where one of them attacks.
    Returns `units` (troops after the losses, captives off the map), `buildings` (damage),
    `battles` (a row per side) and `battle_units` (a row per unit that fought), with several
    rounds a row per round; with the combat model hits also `battle_armies`, `battle_selections`
    and new rows of `draws`.
    """
    ignored = rules.switches.decisions == "ignore"
    fighters = units if ignored else attacked(units, movements)
    engaged = engage(fighters, hexes, alliances, rules, turn)
    fought = battle(engaged, buildings, rules, turn)
    return {
        "units": shaped("units", book_losses(units, fought.units)),
        "buildings": shaped("buildings", book_damage(buildings, fought.damage)),
        **fought.tables(),
    }
