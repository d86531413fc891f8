"""Who stands where, for the rules that move units one by one."""

from collections import Counter, defaultdict

import polars as pl

from transforms.letters import ashore
from transforms.movement.friends import circles


class Crowd:
    """How many units of each realm stand on each of some hexes, as units come and go."""

    def __init__(self, units: pl.DataFrame, hexes: pl.Series, alliances: pl.DataFrame) -> None:
        here = ashore(units).filter(pl.col("hex_id").is_in(hexes.unique().implode()))
        counts = here.group_by("hex_id", "realm_id").len().collect()
        self._friends = circles(units["realm_id"], alliances)
        self._there: dict[int, Counter[int]] = defaultdict(Counter)
        for hex_id, realm, count in counts.iter_rows():
            self._there[hex_id][realm] = count

    def hostile(self, hex_id: int, realm: int) -> bool:
        """Does a unit stand there whose realm is neither this one nor its direct ally?"""
        there = self._there.get(hex_id)
        return there is not None and not there.keys() <= self._friends[realm]

    def move(self, realm: int, start: int, target: int) -> None:
        """Let a unit of this realm go from one hex to another."""
        there = self._there[start]
        there[realm] -= 1
        if there[realm] == 0:
            del there[realm]
        self._there[target][realm] += 1
