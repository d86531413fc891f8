"""The product's steps equal the plain reference on random crowded worlds, table by table.

`ZUGWERK_WORLDS` multiplies the number of worlds (default 1: about 300 worlds in some 15 seconds),
e.g. `ZUGWERK_WORLDS=50 pytest tests/test_reference.py` before a release.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from flows.game import read_rules
from flows.steps import STEPS
from tests.reference import promy
from tests.reference.book import open_book
from tests.runner import run_steps
from tests.small_rules import small_rules
from tests.worlds import World, archipelago, frames, small_turn, worlds
from transforms.catalogue import BOARDING
from transforms.rules import Rules
from transforms.schema import TABLES, key_of
from transforms.schema.turn_tables import LOSS_CAUSES

EFFORT = int(os.environ.get("ZUGWERK_WORLDS", "1"))
SMALL = small_rules()
SHIPPED = read_rules(None, "promy2026", {}, where="test")
READ = ("corrections", "orders", "costs", "checks", "realise", "parts")  # the worlds have orders
PLAYED = [step for step in STEPS if step.name not in READ]
BATTLE = {
    "multi_party": "pairwise",
    "building_defence": "assigned",
    "annihilation": "share_or_odds",
    "region": "by_army_kind",
}
EYES = {"edge_sight": "on", "atlas": "remember", "ring2_sight": "on", "sightings": "on"}
LOSSES_AND_GOLD = {
    "river_losses": "on",
    "landing_modifiers": "on",
    "treasury": "collect",
    "training": "realise",
}
VARIANTS = {
    "decisions": {"decisions": "evaluate"},
    "together": {"movement": "simultaneous"},
    "both": {"decisions": "evaluate", "movement": "simultaneous"},
    "pairwise": {"multi_party": "pairwise"},
    "assigned": {"building_defence": "assigned"},
    "odds": {"annihilation": "share_or_odds"},
    "army kinds": {"region": "by_army_kind"},
    "battle": BATTLE,
    "battle and decisions": {**BATTLE, "decisions": "evaluate"},
    "edges see": {"edge_sight": "on", "sightings": "on"},
    "atlas": {"atlas": "remember"},
    "eyes": EYES,
    "losses and gold": LOSSES_AND_GOLD,
    "all": {**LOSSES_AND_GOLD, **BATTLE, **EYES}
    | {"decisions": "evaluate", "movement": "simultaneous"},
}
SWITCHES = sorted(VARIANTS["all"])
COMPARED = (
    "units",
    "buildings",
    "hexes",
    "sight",
    "atlas",
    "losses",
    "moves",
    "walks",
    "deeds",
    "realms",
    "boardings",
    "battles",
    "battle_units",
    "fates",
    "fallen",
    "ledger",
    "messages",
    "draws",
)
UNPROMISED = {"messages": ("hex_id", "amount")}  # the rules do not say what stands there
KINDS = {
    *("standing", "volcano", "steppe", "landing", "flyer", "combat"),
    *("moved", "landed", "stayed", "contact", "boarded", "not_boarded"),
    *("captive", "dead", "position", "position_aboard", "position_aboard_ally"),
    *("building_new", "building_old"),
}
WRONG_CONSTANTS = {
    "merit_base": 6,
    "foreign_pct": 76,
    "home_pct": 124,
    "overrun_pct": 90.0,
    "landing_months": 2,
    "landing_loss_max_pct": 11,
    "income_parts": 4,
    "income_cap": 3,
    "unit_sight_radius": 2,
    "province_year_pct": 11,
    "province_abroad_pct": 51,
    "overrun_odds": 5,
}
CONSTANTS_OF_BATTLE = ("province_year_pct", "province_abroad_pct", "overrun_odds")


@pytest.mark.parametrize("seed", range(6 * EFFORT))
def test_many_worlds_at_once(seed: int) -> None:
    rules = (SMALL, SHIPPED)[seed % 2]
    differences = compare(archipelago(seed, 40, rules), rules, turn_number=seed + 1)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(2 * EFFORT))
def test_many_worlds_with_a_switch_turned(seed: int, variant: str) -> None:
    rules = small_rules(**VARIANTS[variant])
    differences = compare(archipelago(seed, 40, rules), rules, turn_number=seed + 1)
    assert not differences, "\n".join(differences)


@settings(
    max_examples=40 * EFFORT,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(world=worlds())
def test_one_world(world: World) -> None:
    differences = compare(world, SMALL)
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_switch_that_does_nothing_is_noticed(switch: str) -> None:
    """The worlds are sharp enough: every switch matters somewhere."""
    given = min((v for v in VARIANTS.values() if switch in v), key=len)
    turned = small_rules(**given)
    off: dict[str, Any] = {switch: getattr(SMALL.switches, switch)}
    wrong = replace(turned, switches=replace(turned.switches, **off))
    assert compare(archipelago(1, 20), turned, product_rules=wrong)


@pytest.mark.parametrize("constant", WRONG_CONSTANTS)
def test_a_wrong_constant_is_noticed(constant: str) -> None:
    """The worlds are sharp enough: every constant of the rules matters somewhere."""
    changed: dict[str, Any] = {constant: WRONG_CONSTANTS[constant]}
    rules = small_rules(**BATTLE) if constant in CONSTANTS_OF_BATTLE else SMALL
    wrong = replace(rules, constants=replace(rules.constants, **changed))
    assert compare(archipelago(0, 40), rules, product_rules=wrong)


def test_everything_happens_in_the_worlds() -> None:
    tables: dict[str, list[dict[str, Any]]] = {name: [] for name in COMPARED}
    for seed in range(3):
        played = promy.play_turn(archipelago(seed, 40), open_book(SMALL), small_turn(), BOARDING)
        for name, rows in tables.items():
            rows += played[name]
    assert {row["kind"] for row in tables["messages"]} == KINDS
    assert {row["cause"] for row in tables["losses"]} == set(LOSS_CAUSES) - {"river"}
    assert {row["fate"] for row in tables["fates"]} == {"dead", "drowned", "captured", "freed"}
    assert {row["reason"] for row in tables["boardings"]} == {None, *BOARDING.values()}
    assert {row["overrun"] for row in tables["battles"]} == {True, False}
    assert any(row["absorbed"] > 0 for row in tables["battles"])


def compare(
    world: World, rules: Rules, turn_number: int = 1, product_rules: Rules | None = None
) -> list[str]:
    """The tables in which product and reference differ, each with its first such row."""
    turn = small_turn(turn_number)
    product = run_steps(frames(world), PLAYED, product_rules or rules, turn)
    reference = promy.play_turn(world, open_book(rules), turn, BOARDING)
    return [
        difference
        for name in COMPARED
        if (difference := first_difference(name, product[name], reference[name]))
    ]


def first_difference(
    name: str, product: pl.DataFrame, reference: list[dict[str, Any]]
) -> str | None:
    """The first row that only one side has, or None."""
    columns = [c for c in TABLES[name].columns() if c not in UNPROMISED.get(name, ())]
    found, expected = (
        sorted(({c: row[c] for c in columns} for row in rows), key=_by_key(name))
        for rows in (product.to_dicts(), reference)
    )
    if found == expected:
        return None
    missing = next((row for row in expected if row not in found), None)
    strange = next((row for row in found if row not in expected), None)
    return f"{name}: reference {missing}\n{' ' * len(name)}  product   {strange}"


def _by_key(name: str) -> Callable[[dict[str, Any]], list[tuple[bool, Any]]]:
    """Rows by primary key, nulls first."""
    key = key_of(name)
    return lambda row: [(row[c] is not None, row[c] or 0) for c in key]
