"""Who falls: one step per selection number, in which every army with VP selects once.

The next selection of an army depends on the last one, so a loop it must be; but armies do not
depend on one another, so that each step is a handful of gathers over all of them.
"""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from transforms.dice import Stream
from transforms.dice_arrays import Ints, words
from transforms.hits.chances import diff_ppm, parry_ppm, reselection_ppm
from transforms.hits.constants import MICRO, OUTCOMES, HitsRules
from transforms.hits.forces import Flags, Forces
from transforms.hits.strength import Muster

_STREAMS = (Stream.HITS_SELECTION, Stream.HITS_RESELECTION, Stream.HITS_PARRY)
_WORDS_AHEAD, _MOST_AHEAD = 2**17, 2**12


@dataclass(frozen=True)
class Selections:
    """Selections per army, who is `alive` afterwards; `log` has a row per selection.

    log: army, selection, combatant, living, cover_ppm, base_ppm, delta_ppm, aw_ppm, vp_before,
    outcome, vp_after.
    """

    count: Ints
    alive: Flags
    log: pl.DataFrame | None


@dataclass
class Log:
    """The steps so far, column by column."""

    steps: list[dict[str, NDArray]] = field(default_factory=list)

    def add(self, **step: NDArray) -> None:
        """The next step: a value per army that selects."""
        self.steps.append(step)

    def frame(self) -> pl.DataFrame | None:
        """All selections, sorted by army and number; None without any."""
        if not self.steps:
            return None
        sizes = [step["army"].size for step in self.steps]
        columns = {
            name: np.concatenate([step[name] for step in self.steps]) for name in self.steps[0]
        }
        reselected, parried, dies = (pl.lit(o, pl.Enum(OUTCOMES)) for o in OUTCOMES)
        outcome = pl.when("dies").then(dies).when("parried").then(parried).otherwise(reselected)
        return (
            pl.DataFrame(columns)
            .with_columns(selection=np.repeat(np.arange(len(sizes)), sizes), outcome=outcome)
            .drop("parried", "dies")
            .sort("army", "selection")
        )


@dataclass
class _Words:
    """Words of the armies still selecting, drawn a block of selection numbers ahead."""

    entity: Ints
    key: tuple[int, int]
    drawn: NDArray | None = None
    begin: int = 0
    column: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def at(self, number: int) -> NDArray:
        """The three words of each army for selection `number`."""
        if self.drawn is None or number == self.begin + self.drawn.shape[1]:
            ahead = min(max(_WORDS_AHEAD // self.entity.size, 4), _MOST_AHEAD)
            numbers = np.arange(number, number + ahead)[:, np.newaxis]
            self.drawn = np.stack([words(s, self.entity, numbers, self.key) for s in _STREAMS])
            self.begin, self.column = number, np.arange(self.entity.size)
        return self.drawn[:, number - self.begin].take(self.column, axis=1)

    def keep(self, goes_on: Flags) -> None:
        """Forget the armies that are through."""
        self.entity, self.column = self.entity[goes_on], self.column[goes_on]


def select(
    forces: Forces,
    muster: Muster,
    received: Ints,
    rules: HitsRules,
    *,
    key: tuple[int, int],
    round_number: int = 0,
    record: bool = False,
) -> Selections:
    """Work off the VP that each army `received` until none are left or nobody lives (source 3)."""
    cover = reselection_ppm(forces, rules)
    base = np.array(rules.bases_ppm)[forces.fortification]
    roster = np.arange(forces.kk.size)  # per army: those alive in order, then remnants
    left = forces.living.copy()
    count = np.zeros_like(left)
    log = Log()

    army = np.flatnonzero((received > 0) & (left > 0))
    vp, living, begin = received[army] * MICRO, left[army], forces.first[army]
    dice = _Words(forces.entity(round_number)[army], key)
    number = 0
    while army.size:
        pick, again, ward = dice.at(number)
        rank = (pick * living) >> 32
        chosen = roster[begin + rank]
        kk, chance = muster.kk[chosen], cover[chosen]
        aw = parry_ppm(kk, vp, base[chosen], rules)
        stays = again * MICRO >= chance << 32
        parries = ward * MICRO < aw << 32
        parried, dies = stays & parries, stays & ~parries
        after = np.maximum(vp - np.where(dies, kk, np.where(parried, MICRO, 0)), 0)
        if record:
            log.add(
                army=army, combatant=chosen, living=living, cover_ppm=chance,
                base_ppm=base[chosen], delta_ppm=diff_ppm(kk, vp, rules), aw_ppm=aw,
                vp_before=vp, parried=parried, dies=dies, vp_after=after,
            )  # fmt: skip
        _strike_off(roster, begin[dies] + rank[dies], begin[dies] + living[dies])
        vp, living = after, living - dies
        number += 1
        goes_on = (vp > 0) & (living > 0)
        if not goes_on.all():
            through = army[~goes_on]
            count[through], left[through] = number, living[~goes_on]
            army, vp, living, begin = (x[goes_on] for x in (army, vp, living, begin))
            dice.keep(goes_on)
    return Selections(count, _alive(forces, roster, left), log.frame())


def _strike_off(roster: Ints, place: Ints, end: Ints) -> None:
    """Close the gap that a dead one leaves, so that a rank is a position among the living."""
    for gap, stop in zip(place.tolist(), end.tolist(), strict=True):
        roster[gap : stop - 1] = roster[gap + 1 : stop]


def _alive(forces: Forces, roster: Ints, left: Ints) -> Flags:
    in_front = np.arange(roster.size) - np.repeat(forces.first[:-1], forces.living)
    alive = np.zeros(roster.size, np.bool_)
    alive[roster[in_front < np.repeat(left, forces.living)]] = True
    return alive
