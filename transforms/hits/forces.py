"""Armies, their combatants and their enemies as arrays: all battles of a call side by side."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from transforms.dice_arrays import Ints

Flags = NDArray[np.bool_]
STANDS, FLEES, BY_PERCENT = 0, 1, 2
"""How an army decides on flight: not at all, always, or when the enemy is too strong."""


@dataclass(frozen=True)
class Forces:
    """One entry per army, sorted by battle and army_id, or per combatant, sorted by army and id.

    The combatants of army `a` are `first[a] : first[a + 1]`, its enemies (positions of armies,
    ascending) `enemy[enemy_first[a] : enemy_first[a + 1]]`.
    """

    army_id: Ints
    battle: Ints  # 0, 1, 2, …
    engagement: Ints  # the upper half of the entity that the dice roll for
    strength: Ints  # given gesKK in millionths; 0: the sum of the KK counts
    flight: Ints  # STANDS, FLEES or BY_PERCENT
    flee_pct: Ints
    first: Ints
    enemy_first: Ints
    enemy: Ints
    kk: Ints  # base KK in millionths
    ranged: Flags
    fortification: Ints  # position in FORTIFICATIONS
    army: Ints  # which army of the original forces an army is
    combatant: Ints  # which combatant of the original forces a combatant is

    @property
    def living(self) -> Ints:
        """Number of combatants per army."""
        return np.diff(self.first)

    @property
    def owner(self) -> Ints:
        """The army of each combatant."""
        return np.repeat(np.arange(self.army_id.size), self.living)

    @property
    def striker(self) -> Ints:
        """The army that each entry of `enemy` belongs to."""
        return np.repeat(np.arange(self.army_id.size), np.diff(self.enemy_first))

    def entity(self, round_number: int = 0) -> Ints:
        """Whom the dice roll for in a round: army_id + 2^32 · engagement (docs/dice.md)."""
        high = (self.engagement + round_number).astype(np.uint64) << np.uint64(32)
        return (high | self.army_id.astype(np.uint64)).view(np.int64)

    def repeated(self, repeats: range) -> "Forces":
        """These forces once for every number in `repeats`, one after the other."""
        times, armies, combatants = len(repeats), self.army_id.size, self.kk.size
        battles = int(self.battle[-1]) + 1 if armies else 0
        copy_of_army = np.repeat(np.arange(times), armies)
        copy_of_enemy = np.repeat(np.arange(times), self.enemy.size)

        def tiled(values: NDArray) -> NDArray:
            return np.tile(values, times)

        return Forces(
            army_id=tiled(self.army_id),
            battle=tiled(self.battle) + battles * copy_of_army,
            engagement=tiled(self.engagement) + np.repeat(np.array(repeats), armies) * 256,
            strength=tiled(self.strength),
            flight=tiled(self.flight),
            flee_pct=tiled(self.flee_pct),
            first=offsets(tiled(self.living)),
            enemy_first=offsets(tiled(np.diff(self.enemy_first))),
            enemy=tiled(self.enemy) + armies * copy_of_enemy,
            kk=tiled(self.kk),
            ranged=tiled(self.ranged),
            fortification=tiled(self.fortification),
            army=np.arange(times * armies),
            combatant=np.arange(times * combatants),
        )

    def remaining(self, alive: Flags, goes_on: Flags) -> "Forces":
        """Only the combatants that are `alive` in armies that go on; battles go on as a whole."""
        stays = alive & goes_on[self.owner]
        living = np.bincount(self.owner[stays], minlength=self.army_id.size)[goes_on]
        position = np.cumsum(goes_on) - 1
        of_striker = goes_on[self.striker]
        per_army = {
            name: getattr(self, name)[goes_on]
            for name in (
                "army_id",
                "battle",
                "engagement",
                "strength",
                "flight",
                "flee_pct",
                "army",
            )
        }
        per_combatant = {
            name: getattr(self, name)[stays]
            for name in ("kk", "ranged", "fortification", "combatant")
        }
        return replace(
            self,
            **per_army,
            **per_combatant,
            first=offsets(living),
            enemy_first=offsets(np.diff(self.enemy_first)[goes_on]),
            enemy=position[self.enemy[of_striker]],
        )


def make_forces(armies: pl.DataFrame, combatants: pl.DataFrame, enmities: pl.DataFrame) -> Forces:
    """Forces from three frames without nulls; an army is known by its position in the first.

    armies      army_id, battle, engagement, strength (millionths, 0 = none), flight, flee_pct;
                sorted by battle and army_id
    combatants  army, kk (millionths), ranged, fortification (position in FORTIFICATIONS);
                sorted by army
    enmities    army, enemy
    """
    pairs = enmities.sort("army", "enemy")
    count = armies.height
    return Forces(
        **{name: _ints(armies[name]) for name in ("army_id", "battle", "engagement")},
        **{name: _ints(armies[name]) for name in ("strength", "flight", "flee_pct")},
        first=offsets(np.bincount(_ints(combatants["army"]), minlength=count)),
        enemy_first=offsets(np.bincount(_ints(pairs["army"]), minlength=count)),
        enemy=_ints(pairs["enemy"]),
        kk=_ints(combatants["kk"]),
        ranged=combatants["ranged"].to_numpy().astype(np.bool_),
        fortification=_ints(combatants["fortification"]),
        army=np.arange(count),
        combatant=np.arange(combatants.height),
    )


def offsets(counts: Ints) -> Ints:
    """Where each of several segments of these lengths begins, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def sums(values: Ints, first: Ints) -> Ints:
    """The sum of each segment; exact while each sum is, even where the running total wraps."""
    total = offsets(values)
    return total[first[1:]] - total[first[:-1]]


def _ints(column: pl.Series) -> Ints:
    return column.cast(pl.Int64).to_numpy().astype(np.int64)
