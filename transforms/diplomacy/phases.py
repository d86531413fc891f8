"""The steps of a game year: F, H, W, or F, FR, H, HR, W with retreats of their own."""

from dataclasses import dataclass
from typing import Literal

from transforms.diplomacy.texts import SEASONS, TITLES

Season = Literal["spring", "autumn", "winter"]
Step = Literal["movement", "retreat", "adjustment"]

_YEAR: dict[str, tuple[tuple[Season, Step], ...]] = {
    "in_advance": (
        ("spring", "movement"),
        ("autumn", "movement"),
        ("winter", "adjustment"),
    ),
    "separate": (
        ("spring", "movement"),
        ("spring", "retreat"),
        ("autumn", "movement"),
        ("autumn", "retreat"),
        ("winter", "adjustment"),
    ),
}


@dataclass(frozen=True)
class Phase:
    """One step of one year; `turn` counts them from 0, the start position."""

    turn: int
    year: int
    season: Season
    step: Step

    @property
    def title(self) -> str:
        """German: Frühjahr 1901, Rückzüge Herbst 1903."""
        season = TITLES["season"].format(season=SEASONS[self.season], year=self.year)
        return TITLES["retreats"].format(season=season) if self.step == "retreat" else season


def first_phase(start_year: int) -> Phase:
    """Turn 0: the winter before the first year."""
    return Phase(0, start_year - 1, "winter", "adjustment")


def next_phase(phase: Phase, retreats: str) -> Phase:
    """The step after `phase`; no step is ever left out, since that would tell something."""
    steps = _YEAR[retreats]
    here = (phase.season, phase.step)
    if here not in steps:  # the game was switched from `separate` after a retreat step
        here = (phase.season, "movement")
    after = steps.index(here) + 1
    year = phase.year + after // len(steps)
    season, step = steps[after % len(steps)]
    return Phase(phase.turn + 1, year, season, step)
