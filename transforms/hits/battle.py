"""Battles from the muster to the survivors, over one or several rounds."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from transforms.dice_arrays import Ints
from transforms.hits.constants import HitsRules
from transforms.hits.forces import Flags, Forces, sums
from transforms.hits.selections import select
from transforms.hits.strength import Muster, Options, muster
from transforms.hits.strikes import Targets, possible_targets, strike


@dataclass(frozen=True)
class Fought:
    """What became of the forces: per army sums over its rounds, per combatant the end.

    strength, flees, kk_before: in round 0. kk: of the last round fought. The logs have the
    columns of `strikes` and `selections` with `round` and `entity` in front.
    """

    rounds: Ints
    flees: Flags
    strength: Ints
    strikes: Ints
    hits: Ints
    received: Ints
    selections: Ints
    kk_before: Ints
    kk_after: Ints
    kk: Ints
    alive: Flags
    strike_log: pl.DataFrame | None
    selection_log: pl.DataFrame | None


def fight(
    forces: Forces,
    rules: HitsRules,
    options: Options,
    *,
    key: tuple[int, int],
    rounds: int = 1,
    keep_strikes: bool = False,
    keep_selections: bool = False,
) -> Fought:
    """Fight up to `rounds` rounds (source 3).

    The first round always happens, another one only in battles where somebody who lives and
    does not flee has a possible target. A log that is not kept is None, as is one without rows.
    """
    field, called = forces, muster(forces, rules, options)
    first = called
    tally = {name: np.zeros_like(forces.army_id) for name in _TALLIED}
    kk, alive = called.kk.copy(), np.ones(forces.kk.size, np.bool_)
    strike_logs, selection_logs = [], []
    for number in range(rounds):
        targets = possible_targets(field, called)
        if number > 0:
            goes_on = _battles_that_go_on(field, called, targets)
            if not goes_on.any():
                break
            field = field.remaining(np.ones(field.kk.size, np.bool_), goes_on)
            called = muster(field, rules, options)
            targets = possible_targets(field, called)
        struck = strike(
            field, called, targets, rules, key=key, round_number=number, record=keep_strikes
        )
        chosen = select(
            field, called, struck.received, rules, key=key, round_number=number,
            record=keep_selections,
        )  # fmt: skip
        kk[field.combatant] = called.kk
        alive[field.combatant[~chosen.alive]] = False
        counted = {
            "rounds": np.ones_like(struck.count),
            "strikes": struck.count,
            "hits": struck.hits,
            "received": struck.received,
            "selections": chosen.count,
        }
        for name, values in counted.items():
            tally[name][field.army] += values
        strike_logs.append(_placed(struck.log, field, number))
        selection_logs.append(_placed(chosen.log, field, number))
        if number + 1 < rounds:
            field = field.remaining(chosen.alive, np.ones(field.army_id.size, np.bool_))
            called = muster(field, rules, options)
    return Fought(
        **tally,
        flees=first.flees,
        strength=first.strength,
        kk_before=sums(first.kk, forces.first),
        kk_after=sums(np.where(alive, kk, 0), forces.first),
        kk=kk,
        alive=alive,
        strike_log=_joined(strike_logs),
        selection_log=_joined(selection_logs),
    )


_TALLIED = ("rounds", "strikes", "hits", "received", "selections")


def _battles_that_go_on(field: Forces, called: Muster, targets: Targets) -> Flags:
    """Per army: is there somebody in its battle who can still strike at somebody?"""
    ready = (field.living > 0) & ~called.flees & (targets.count > 0)
    return np.isin(field.battle, field.battle[ready])


def _placed(log: pl.DataFrame | None, field: Forces, number: int) -> pl.DataFrame | None:
    """A log with round, entity and the positions in the original forces."""
    if log is None:
        return None
    entity = field.entity(number).view(np.uint64)
    places = {"army": field.army, "target": field.army, "combatant": field.combatant}
    renamed = {name: pl.Series(place) for name, place in places.items() if name in log.columns}
    return log.select(
        pl.lit(number, pl.UInt32).alias("round"),
        pl.Series(entity).gather(log["army"]).alias("entity"),
        pl.all().exclude(*renamed),
        *(where.gather(log[name]).alias(name) for name, where in renamed.items()),
    )


def _joined(logs: list[pl.DataFrame | None]) -> pl.DataFrame | None:
    kept = [log for log in logs if log is not None]
    return pl.concat(kept) if kept else None
