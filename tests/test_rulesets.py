"""The shipped rule set: complete, consistent, and every value of ours is marked."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from transforms import schema
from transforms.calendar import date_text
from transforms.rules import Rules, make_rules

FOLDER = Path(__file__).parents[1] / "data" / "rulesets" / "promy2026"


@pytest.fixture(scope="module")
def rules() -> Rules:
    settings = tomllib.loads((FOLDER / "rules.toml").read_text(encoding="utf-8"))
    tables = {
        name: schema.conform(name, pl.read_csv(FOLDER / f"{name}.csv"), f"{name}.csv")
        for name in schema.RULES
    }
    return make_rules("promy2026", settings, {}, tables)


@pytest.mark.parametrize("table", schema.RULES)
def test_every_row_says_where_its_values_come_from(rules: Rules, table: str) -> None:
    source = getattr(rules, table)["source"]
    assert source.null_count() == 0
    assert source.str.contains(r"^(own|Myra: )").all()


@pytest.mark.parametrize(
    ("name", "cost", "min_strength"),
    [("Krieger", 5, 1000), ("Reiter", 10, 500), ("Schiff", 500, 10)],
)
def test_costs_and_minimum_strengths_of_myra(
    rules: Rules, name: str, cost: int, min_strength: int
) -> None:
    row = rules.unit_types.row(by_predicate=pl.col("name") == name, named=True)
    assert (row["cost"], row["min_strength"]) == (cost, min_strength)


def test_number_ranges_do_not_overlap(rules: Rules) -> None:
    ranges = rules.number_ranges.sort("first")
    assert (ranges["first"] <= ranges["last"]).all()
    assert (ranges["first"][1:] > ranges["last"][:-1]).all()


def test_every_unit_type_has_numbers_and_every_pair_on_a_map_an_income(rules: Rules) -> None:
    assert set(rules.unit_types["name"]) == set(rules.number_ranges["unit_type"])
    assert set(rules.incomes["terrain"]) == set(rules.terrains["name"])
    assert set(rules.incomes["height"]) == set(rules.heights["name"])


def test_a_hundred_warriors_or_fifty_riders_fill_a_ship(rules: Rules) -> None:
    space = dict(rules.unit_types.select("name", "troop_space").iter_rows())
    capacity = dict(rules.unit_types.select("name", "capacity").iter_rows())
    assert 100 * space["Krieger"] == 50 * space["Reiter"] == capacity["Schiff"]
    assert capacity["Handelsschiff"] == 2 * capacity["Schiff"]


def test_the_year_runs_from_nisan_to_adar(rules: Rules) -> None:
    assert date_text(414 * 12, rules) == "Nisan 414 n.P."
    assert date_text(414 * 12 + 11, rules) == "Adar 414 n.P."
    assert rules.calendar["levy"].sum() == 2
