"""All strikes of a round: which of them hit, and whom."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from transforms.dice import Stream
from transforms.dice_arrays import Ints, words
from transforms.hits.constants import MICRO, HitsRules
from transforms.hits.forces import Flags, Forces, offsets
from transforms.hits.strength import Muster, strikes_of

_AT_ONCE = 2**20
_WORD = 2.0**32


@dataclass(frozen=True)
class Strikes:
    """Per army: strikes, hits it scored, VP it received. `log` has a row per strike at somebody.

    log: army, strike, word, hit, target (army; null = no hit), target_word (null = not drawn).
    """

    count: Ints
    hits: Ints
    received: Ints
    log: pl.DataFrame | None


@dataclass(frozen=True)
class Targets:
    """The possible targets of each army: its enemies that live, ascending by army_id."""

    first: Ints
    army: Ints
    reach: Ints  # running sum of the weights within the army's targets

    @property
    def count(self) -> Ints:
        """Number of possible targets per army."""
        return np.diff(self.first)

    def drawn(self, striker: Ints, word: Ints) -> Ints:
        """The target of each hit: the first whose running sum exceeds word / 2^32 · W."""
        low, last = self.first[striker], self.first[striker + 1] - 1
        t = (word / _WORD) * self.reach[last]
        high = last.copy()
        while (low < high).any():
            middle = (low + high) // 2
            beyond = self.reach[middle] > t
            high = np.where(beyond, middle, high)
            low = np.where(beyond, low, np.minimum(middle + 1, high))
        return self.army[low]


def possible_targets(forces: Forces, muster: Muster) -> Targets:
    """Whom each army may hit, weighted by gesKK; fleeing armies are targets, too."""
    lives = forces.living[forces.enemy] > 0
    striker, army = forces.striker[lives], forces.enemy[lives]
    first = offsets(np.bincount(striker, minlength=forces.army_id.size))
    running = offsets(muster.strength[army])
    return Targets(first, army, running[1:] - running[first[striker]])


def strike(
    forces: Forces,
    muster: Muster,
    targets: Targets,
    rules: HitsRules,
    *,
    key: tuple[int, int],
    round_number: int = 0,
    record: bool = False,
) -> Strikes:
    """Let every army strike; all strikes fall before anybody falls (source 3)."""
    count = strikes_of(muster)
    entity = forces.entity(round_number)
    hits, received = np.zeros_like(count), np.zeros_like(count)
    logs = []
    for army, number in _numbered(np.where(targets.count > 0, count, 0)):
        word = words(Stream.HITS_STRIKE, entity[army], number, key)
        hit = word * MICRO < rules.hit_ppm << 32
        striker = army[hit]
        several = targets.count[striker] > 1
        target = targets.army[targets.first[striker]]
        target_word = np.zeros_like(target)
        target_word[several] = words(
            Stream.HITS_TARGET, entity[striker[several]], number[hit][several], key
        )
        target[several] = targets.drawn(striker[several], target_word[several])
        hits += np.bincount(striker, minlength=count.size)
        received += np.bincount(target, minlength=count.size)
        if record:
            logs.append(_log(army, number, word, hit, target, target_word, several))
    return Strikes(count, hits, received, pl.concat(logs) if logs else None)


def _numbered(count: Ints) -> Iterator[tuple[Ints, Ints]]:
    """(army, strike number) of all strikes in order, a bounded number of them at a time."""
    end = np.cumsum(count)
    begin = end - count
    for start in range(0, int(end[-1]) if end.size else 0, _AT_ONCE):
        stop = min(start + _AT_ONCE, int(end[-1]))
        armies = np.arange(
            np.searchsorted(end, start, side="right"), np.searchsorted(begin, stop, side="left")
        )
        inside = np.minimum(end[armies], stop) - np.maximum(begin[armies], start)
        army = np.repeat(armies, inside)
        yield army, np.arange(start, stop) - begin[army]


def _log(
    army: Ints,
    number: Ints,
    word: Ints,
    hit: Flags,
    target: Ints,
    target_word: Ints,
    several: Flags,
) -> pl.DataFrame:
    hitting = pl.DataFrame(
        {"row": np.flatnonzero(hit), "target": target, "target_word": target_word, "drawn": several}
    ).select("row", "target", pl.when("drawn").then("target_word").alias("target_word"))
    frame = pl.DataFrame({"army": army, "strike": number, "word": word, "hit": hit})
    return (
        frame.with_columns(row=pl.int_range(pl.len(), dtype=pl.Int64))
        .join(hitting, on="row", how="left", maintain_order="left")
        .drop("row")
    )
