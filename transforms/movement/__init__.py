"""Movement, the first phase of execute (source 1, 5.1): who walks how far, and who splits off.

muster        units, paths, splits  → movers and legs, the same for both ways to move
sequential    one unit after the other, as the source tells it
simultaneous  step k of all paths at once
splits        which parts a unit can spare, and what became of them
"""

import polars as pl

from transforms.context import Turn
from transforms.movement.friends import friendly
from transforms.movement.muster import March, Outcome, muster
from transforms.movement.sequential import march_in_order
from transforms.movement.simultaneous import march_together
from transforms.movement.splits import deeds, divided, parts_of
from transforms.rules import Rules
from transforms.schema import empty, shaped

__all__ = ["friendly", "move"]


def move(
    *,
    units: pl.DataFrame,
    paths: pl.DataFrame,
    splits: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Walk all paths: `units` at their new hexes and one row of `moves` per unit that had a path.

    Living, non-captive units with a waypoint move, those aboard land on theirs; each stops at the
    first waypoint with a living unit of a realm neither its own nor directly allied. When such a
    unit counts as there is the switch `movement`: sequential (source 1, 5.1) or simultaneous. With
    `decisions = evaluate` parts of units split off on the way: they join `units`, and `deeds` says
    which did and which could not. `walks` has the hexes really walked when a later step needs
    them, `draws` the rolls of units that crossed.
    """
    switches = rules.switches
    parts = parts_of(units, paths, splits if switches.decisions == "evaluate" else splits.clear())
    march = muster(units, paths, parts.filter("spared"))
    if switches.movement == "sequential":
        outcome = march_in_order(march, units, alliances)
    else:
        outcome = march_together(march, units, alliances, turn.dice)
    ends = _ends(march, outcome)
    needed = switches.river_losses == "on" or switches.decisions == "evaluate"
    return {
        "units": shaped("units", _placed(units, ends, parts)),
        "moves": shaped("moves", _moves(ends)),
        "walks": _walked(march, outcome) if needed else empty("walks"),
        "deeds": shaped("deeds", deeds(parts, ends)),
        "draws": shaped("draws", outcome.draws),
    }


def _ends(march: March, outcome: Outcome) -> pl.DataFrame:
    """The movers that exist, with `to_hex` (null = still aboard), `contact` and `walked`."""
    reached = march.legs["hex_id"].gather(outcome.stop)
    return march.movers.with_columns(
        to_hex=pl.select(pl.coalesce(reached, march.movers["hex_id"])).to_series(),
        contact=outcome.contact,
    ).filter(outcome.exists)


def _moves(ends: pl.DataFrame) -> pl.DataFrame:
    return ends.filter("marches").select("unit_id", "to_hex", "contact", from_hex="hex_id")


def _placed(units: pl.DataFrame, ends: pl.DataFrame, parts: pl.DataFrame) -> pl.DataFrame:
    """`units` where their way ended; whoever landed is aboard no longer. Then the parts join."""
    moved = ends.drop_nulls("row")
    placed = units.with_columns(
        units["hex_id"].clone().scatter(moved["row"], moved["to_hex"]),
        units["carrier_id"].clone().scatter(moved["row"], None),
    )
    return placed if parts.is_empty() else divided(placed, units, ends, parts)


def _walked(march: March, outcome: Outcome) -> pl.DataFrame:
    """The table `walks`: where each mover ashore starts, and its legs up to where it stopped."""
    movers, legs = march.movers.filter(outcome.exists), march.legs
    starts = movers.drop_nulls("hex_id").select("unit_id", "hex_id", step=pl.lit(0, pl.UInt16))
    mine = outcome.exists.gather(legs["ord"]) & (legs["leg"] <= outcome.stop.gather(legs["ord"]))
    walked = legs.filter(mine & (legs["step"] > 0))
    steps = walked.select(march.movers["unit_id"].gather(walked["ord"]), "hex_id", "step")
    return shaped("walks", pl.concat([starts, steps]))
