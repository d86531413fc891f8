"""Combat, the second phase of execute (source 1, section 6): who fights, how hard, who is left.

A step of it is a small function from tables to tables. All clashes of a turn run at once; a
clash is one row group with the same `hex_id` and `round`, a side of it has the same `party` too.

    engage    units that meet hostile units      → engaged      one row per clash and unit
    clash     strengths → defence → losses → captures of one set of clashes
    book_*    what a clash changed               → units, buildings
"""

import polars as pl

from transforms.combat.booking import book_damage, book_losses
from transforms.combat.clashes import Clash, clash
from transforms.combat.parties import coalitions, engage
from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped

__all__ = ["Clash", "book_damage", "book_losses", "clash", "coalitions", "engage", "fight"]


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
    `battles` (a row per side) and `battle_units` (a row per unit that fought).
    """
    engaged = engage(units, hexes, alliances, rules)
    fought = clash(engaged, buildings, rules, turn)
    return {
        "units": shaped("units", book_losses(units, fought.units)),
        "buildings": shaped("buildings", book_damage(buildings, fought.damage)),
        "battles": shaped("battles", fought.sides),
        "battle_units": shaped("battle_units", fought.units),
    }
