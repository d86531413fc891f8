"""The rule book: the rule tables and constants as plain dicts, and the two ways to say a number."""

from dataclasses import dataclass
from typing import Any

from transforms.rules import Constants, Rules, Switches

Row = dict[str, Any]


@dataclass(frozen=True)
class Book:
    """What the reference knows of a rule set."""

    unit_types: dict[str, Row]
    terrains: dict[str, Row]
    heights: dict[str, Row]
    building_types: dict[str, Row]
    immune: set[tuple[str, str, str]]  # unit type, kind, name
    ranges: list[Row]
    months: list[str]
    levy: list[bool]  # of each month
    constants: Constants
    switches: Switches

    def immune_to(self, unit_type: str, kind: str, name: str) -> bool:
        return (unit_type, kind, name) in self.immune

    def in_range(self, unit_type: str, number: int, kind: str) -> bool:
        """Is the number one of this kind for the unit type?"""
        return any(
            row["first"] <= number <= row["last"]
            for row in self.ranges
            if (row["unit_type"], row["kind"]) == (unit_type, kind)
        )

    def of(self, count: int, unit_type: str) -> str:
        """A unit type in the singular for 1, else in the plural."""
        return self.unit_types[unit_type]["name" if count == 1 else "name_plural"]

    def date(self, months: int) -> str:
        year, month = divmod(months, len(self.months))
        return f"{self.months[month]} {year} n.P."


def verb(count: int, singular: str, plural: str) -> str:
    return singular if count == 1 else plural


def open_book(rules: Rules) -> Book:
    """The rule book of a rule set."""
    return Book(
        unit_types={row["name"]: row for row in rules.unit_types.to_dicts()},
        terrains={row["name"]: row for row in rules.terrains.to_dicts()},
        heights={row["name"]: row for row in rules.heights.to_dicts()},
        building_types={row["code"]: row for row in rules.building_types.to_dicts()},
        immune={(r["unit_type"], r["kind"], r["name"]) for r in rules.immunities.to_dicts()},
        ranges=rules.number_ranges.to_dicts(),
        months=[row["name"] for row in rules.calendar.to_dicts()],
        levy=[row["levy"] for row in rules.calendar.to_dicts()],
        constants=rules.constants,
        switches=rules.switches,
    )
