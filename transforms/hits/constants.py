"""The numbers of the combat model: section [hits] of a rules.toml or battles.toml."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from transforms.errors import InputError, unknown

MICRO = 10**6
"""Millionths: 1 KK, 1 VP and the chance 1 are a million of them."""
FORTIFICATIONS = ("none", "pal", "mau", "burg")
OUTCOMES = ("reselected", "parried", "dies")
_HIGHEST = {"hit_pct": 100, "protect_pct": 99}  # with 100 a selection might never end
_HIGHEST_OTHER = 10**6


@dataclass(frozen=True)
class HitsRules:
    """Chances in percent or ppm, places and bonuses of the fortifications (source 3)."""

    hit_pct: int
    base_ppm: int
    pal_ppm: int
    mau_ppm: int
    burg_ppm: int
    diff_ppm_per_kk: int
    protect_pct: int
    protect_slope: int
    pal_places: int
    mau_places: int
    burg_places: int
    pal_bonus_pct: int
    mau_bonus_pct: int
    burg_bonus_pct: int

    @property
    def hit_ppm(self) -> int:
        """Chance that a strike hits."""
        return self.hit_pct * 10_000

    @property
    def cover_ppm(self) -> int:
        """Chance of a covered combatant that somebody else is selected."""
        return self.protect_pct * 10_000

    @property
    def slope_ppm(self) -> int:
        """What that chance falls by when Fern/Nah is 1 higher."""
        return self.protect_slope * 10_000

    @property
    def bases_ppm(self) -> tuple[int, ...]:
        """β by kind of fortification, in the order of FORTIFICATIONS."""
        return tuple(
            self.base_ppm + more for more in (0, self.pal_ppm, self.mau_ppm, self.burg_ppm)
        )

    @property
    def places(self) -> tuple[int, ...]:
        """Combatants that find room, by kind of fortification."""
        return 0, self.pal_places, self.mau_places, self.burg_places

    @property
    def bonuses_pct(self) -> tuple[int, ...]:
        """Additional KK of those inside, by kind of fortification."""
        return 0, self.pal_bonus_pct, self.mau_bonus_pct, self.burg_bonus_pct


NAMES = tuple(field.name for field in fields(HitsRules))


def make_hits_rules(where: str, given: Mapping[str, Any]) -> HitsRules:
    """The rules from a section of a TOML file. Errors: a key missing or unknown, a bad value."""
    for key in given:
        if key not in NAMES:
            raise unknown(where, "key", key, NAMES)
    for key in NAMES:
        if key not in given:
            raise InputError(f"{where}: key {key!r} is missing")
        highest, value = _HIGHEST.get(key, _HIGHEST_OTHER), given[key]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
            raise InputError(f"{where}: {key} = {value!r}; a whole number from 0 to {highest}")
    return HitsRules(**given)
