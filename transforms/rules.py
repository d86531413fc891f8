"""A rule set as one frozen object: switches, constants and the rule tables.

A transform reads its switch here and nowhere else; no code asks for a rule set's name. The
files behind it lie in data/rulesets/<name> and are read by flows/game.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

import polars as pl

from transforms.errors import InputError, unknown
from transforms.hits.constants import HitsRules, make_hits_rules
from transforms.schema import RULES

HIGHEST_CONSTANT = 1_000_000


@dataclass(frozen=True)
class Switches:
    """The gaps that source 1, section 10 lists, one switch each (docs/rules.md)."""

    training: Literal["reserve", "realise"]
    construction: Literal["reserve", "realise"]
    decisions: Literal["ignore", "evaluate"]
    atlas: Literal["frozen", "remember"]
    river_losses: Literal["off", "on"]
    edge_sight: Literal["off", "on"]
    region: Literal["flat", "by_army_kind"]
    annihilation: Literal["share", "share_or_odds"]
    multi_party: Literal["joint", "pairwise"]
    building_defence: Literal["first", "assigned"]
    landing_modifiers: Literal["off", "on"]
    sightings: Literal["off", "on"]
    movement: Literal["sequential", "simultaneous"]
    treasury: Literal["untouched", "collect"]
    ring2_sight: Literal["off", "on"]
    combat_model: Literal["share", "hits"]
    map_shows: Literal["sight", "atlas"]


@dataclass(frozen=True)
class Constants:
    """The numbers of the rules that stand in no table."""

    leader_cost: int
    max_elite: int
    elite_first_factor: int
    elite_further_factor: int
    elite_first_months: int
    elite_further_months: int
    landing_months: int
    landing_loss_max_pct: int
    merit_base: int
    foreign_pct: int
    home_pct: int
    province_year_pct: int
    province_abroad_pct: int
    overrun_pct: float
    overrun_odds: int
    income_parts: int
    income_cap: int
    upkeep_parts: int
    river_loss_max_pct: int
    unit_sight_radius: int
    withdrawal_tries: int
    plunder_incomes: int
    ravaged_months: int


_SECTIONS: Mapping[str, type] = {"switches": Switches, "constants": Constants, "hits": HitsRules}


@dataclass(frozen=True)
class Rules:
    """Switches, constants and the eight rule tables of one game, checked against each other."""

    name: str
    switches: Switches
    constants: Constants
    hits: HitsRules
    unit_types: pl.DataFrame
    number_ranges: pl.DataFrame
    terrains: pl.DataFrame
    heights: pl.DataFrame
    incomes: pl.DataFrame
    immunities: pl.DataFrame
    building_types: pl.DataFrame
    calendar: pl.DataFrame

    @property
    def months_per_year(self) -> int:
        """Number of months of a year = rows of the calendar."""
        return self.calendar.height


def make_rules(
    name: str,
    settings: Mapping[str, Mapping[str, Any]],
    overrides: Mapping[str, Any],
    tables: Mapping[str, pl.DataFrame],
) -> Rules:
    """Rules from a parsed rules.toml, a game's overrides and the tables.

    `settings` are the sections `switches`, `constants` and `hits`, each key in one of them alone.
    `tables` holds every table of `schema.RULES`, already conformed. Errors: a missing or unknown
    key, a value that is not allowed, a rule table that names something that does not exist.
    """
    where = f"rule set {name}"
    for section in settings:
        if section not in _SECTIONS:
            raise unknown(f"{where}, rules.toml", "section", section, _SECTIONS)
    given = {section: dict(settings.get(section, {})) for section in _SECTIONS}
    section_of = {f.name: section for section, kind in _SECTIONS.items() for f in fields(kind)}
    for key, value in overrides.items():
        if key not in section_of:
            raise unknown("game.toml, [rules]", "rule", key, section_of)
        given[section_of[key]][key] = value
    switches, constants = given["switches"], given["constants"]
    rules = Rules(
        name=name,
        switches=Switches(**_checked(f"{where}, [switches]", Switches, switches)),
        constants=Constants(**_checked(f"{where}, [constants]", Constants, constants)),
        hits=make_hits_rules(f"{where}, [hits]", given["hits"]),
        **{table: tables[table] for table in RULES},
    )
    _check_references(where, rules)
    return rules


def _checked(where: str, kind: type, given: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    for key in given:
        if key not in hints:
            raise unknown(where, "key", key, hints)
    for key, hint in hints.items():
        if key not in given:
            raise InputError(f"{where}: key {key!r} is missing")
        value, allowed = given[key], get_args(hint)
        if allowed and value not in allowed:
            raise unknown(f"{where}, {key}", "value", str(value), map(str, allowed))
        if not allowed and (
            isinstance(value, bool)
            or not isinstance(value, (int, float) if hint is float else int)
            or not 0 <= value <= HIGHEST_CONSTANT  # not a number either
        ):
            raise InputError(
                f"{where}: {key} = {value!r}; a {'' if hint is float else 'whole '}number of at "
                f"least 0 and at most {HIGHEST_CONSTANT} is needed"
            )
    return dict(given)


def _check_references(where: str, rules: Rules) -> None:
    units, terrains = rules.unit_types["name"], rules.terrains["name"]
    heights = rules.heights["name"]
    _known(f"{where}, number_ranges.csv", rules.number_ranges["unit_type"], units)
    _known(f"{where}, immunities.csv", rules.immunities["unit_type"], units)
    _known(f"{where}, incomes.csv", rules.incomes["height"], heights)
    _known(f"{where}, incomes.csv", rules.incomes["terrain"], terrains)
    named = rules.immunities.filter(pl.col("kind") != "river")
    of_height = pl.col("kind") == "height"
    _known(f"{where}, immunities.csv", named.filter(of_height)["name"], heights)
    _known(f"{where}, immunities.csv", named.filter(~of_height)["name"], terrains)
    if rules.calendar.height == 0:
        raise InputError(f"{where}, calendar.csv: no months")
    if rules.calendar["month"].to_list() != list(range(rules.calendar.height)):
        raise InputError(f"{where}, calendar.csv: months must be numbered 0, 1, 2, … without gaps")


def _known(where: str, names: pl.Series, allowed: pl.Series) -> None:
    strange = names.filter(~names.is_in(allowed.to_list()))
    if len(strange):
        raise unknown(where, "name", strange[0], allowed)
