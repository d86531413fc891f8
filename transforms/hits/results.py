"""What `zugwerk battles` tells of a set of battles: its result tables."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from transforms.dice_arrays import Ints
from transforms.hits.battle import Fought, fight
from transforms.hits.constants import HitsRules
from transforms.hits.draws import draws_of
from transforms.hits.forces import Forces, sums
from transforms.hits.lineup import Lineup
from transforms.hits.micro import from_micro
from transforms.hits.statistics import distribution, win_rates
from transforms.hits.strength import Options
from transforms.schema import empty, shaped

_AT_ONCE = 2**21
"""Combatants of all repetitions that fight side by side."""

Tables = dict[str, pl.DataFrame]


@dataclass(frozen=True)
class Wish:
    """How often and how long to fight, and whether to tell everything."""

    repeat: int = 1
    rounds: int = 1
    audit: bool = False

    @property
    def in_detail(self) -> bool:
        """Are selections and survivors wanted?"""
        return self.audit or self.repeat == 1


def play(
    lineup: Lineup, rules: HitsRules, options: Options, *, key: tuple[int, int], wish: Wish
) -> Tables:
    """Fight all battles of a line-up; the result tables by the names of docs/hits.md."""
    at_once = max(1, _AT_ONCE // max(1, lineup.forces.kk.size))
    tallies, details = [], []
    for first in range(0, wish.repeat, at_once):
        repeats = range(first, min(first + at_once, wish.repeat))
        forces = lineup.forces.repeated(repeats)
        fought = fight(
            forces, rules, options, key=key, rounds=wish.rounds,
            keep_strikes=wish.audit, keep_selections=wish.in_detail,
        )  # fmt: skip
        tallies.append(_tally(lineup, forces, fought, first))
        if wish.in_detail:
            details.append(_details(lineup, forces, fought, first, wish.audit, key))
    tally = pl.concat(tallies)
    tables = {"army_results": _army_results(tally)}
    for name in details[0] if details else ():
        tables[name] = shaped(f"hits.{name}", pl.concat([part[name] for part in details]))
    if wish.repeat > 1:
        tables["distribution"] = distribution(tally, wish.repeat)
        tables["win_rates"] = win_rates(tally, wish.repeat)
    return tables


def _tally(lineup: Lineup, forces: Forces, fought: Fought, first: int) -> pl.DataFrame:
    """The rows of army_results with KK in millionths, sorted by key."""
    armies = lineup.armies
    copies = forces.army_id.size // max(1, armies.height)
    survivors = sums(fought.alive.astype(np.int64), forces.first)
    theirs_before, theirs_after, theirs_left = (
        sums(values[forces.enemy], forces.enemy_first)
        for values in (fought.kk_before, fought.kk_after, survivors)
    )
    own, left = (pl.col(f"kk_{when}").cast(pl.Int128) for when in ("before", "after"))
    theirs = pl.Series(theirs_before).cast(pl.Int128)
    theirs_lost = pl.Series(theirs_before - theirs_after).cast(pl.Int128)
    comparable = (own > 0) & pl.Series(theirs_before > 0)
    has_enemies = pl.Series(np.diff(forces.enemy_first) > 0)
    return pl.DataFrame(
        {
            "repeat": np.repeat(np.arange(first, first + copies), armies.height),
            "battle_id": np.tile(armies["battle_id"].to_numpy(), copies),
            "army_id": forces.army_id,
            "rounds": fought.rounds,
            "flees": fought.flees,
            "strength": fought.strength,
            "strikes": fought.strikes,
            "hits": fought.hits,
            "vp_received": fought.received,
            "combatants_before": forces.living,
            "dead": forces.living - survivors,
            "survivors": survivors,
            "kk_before": fought.kk_before,
            "kk_after": fought.kk_after,
            "selections": fought.selections,
        }
    ).with_columns(
        better=comparable & ((own - left) * theirs < theirs_lost * own),
        victor=has_enemies & (pl.col("survivors") > 0) & pl.Series(theirs_left == 0),
    )


def _army_results(tally: pl.DataFrame) -> pl.DataFrame:
    return shaped(
        "hits.army_results",
        tally.with_columns(from_micro(name) for name in ("strength", "kk_before", "kk_after")),
    )


def _details(
    lineup: Lineup, forces: Forces, fought: Fought, first: int, audit: bool, key: tuple[int, int]
) -> Tables:
    """selections and survivors; with `audit` strikes and draws, too."""
    tables = {
        "selections": _selections(lineup, forces, fought, first),
        "survivors": _survivors(lineup, forces, fought, first),
    }
    if audit:
        tables["strikes"] = _strikes(lineup, forces, fought, first)
        tables["draws"] = draws_of(fought, key)
    return tables


def _placed(lineup: Lineup, forces: Forces, army: Ints, first: int) -> dict[str, Ints]:
    """The key columns of rows about these armies."""
    return {
        "repeat": army // max(1, lineup.armies.height) + first,
        "army_id": forces.army_id[army],
    }


def _selections(lineup: Lineup, forces: Forces, fought: Fought, first: int) -> pl.DataFrame:
    log = fought.selection_log
    if log is None:
        return empty("hits.selections")
    ids = lineup.combatants["combatant_id"]
    who = log["combatant"].to_numpy() % max(1, ids.len())
    return log.select(
        "round", "selection", from_micro("vp_before"), "outcome", from_micro("vp_after")
    ).with_columns(
        combatant_id=ids.gather(who),
        **_columns(_placed(lineup, forces, log["army"].to_numpy(), first)),
    )


def _survivors(lineup: Lineup, forces: Forces, fought: Fought, first: int) -> pl.DataFrame:
    alive = np.flatnonzero(fought.alive)
    ids = lineup.combatants["combatant_id"]
    return pl.DataFrame(
        {
            **_placed(lineup, forces, forces.owner[alive], first),
            "combatant_id": ids.gather(alive % max(1, ids.len())),
            "kk": fought.kk[alive],
        }
    ).with_columns(from_micro("kk"))


def _strikes(lineup: Lineup, forces: Forces, fought: Fought, first: int) -> pl.DataFrame:
    log = fought.strike_log
    if log is None:
        return empty("hits.strikes")
    return log.select("round", "strike", "hit").with_columns(
        target_id=pl.Series(forces.army_id).gather(log["target"]),
        **_columns(_placed(lineup, forces, log["army"].to_numpy(), first)),
    )


def _columns(values: dict[str, Ints]) -> dict[str, pl.Series]:
    return {name: pl.Series(column) for name, column in values.items()}
