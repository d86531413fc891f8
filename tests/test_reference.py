"""The product's steps equal the plain reference on random crowded worlds, table by table.

`ZUGWERK_WORLDS` multiplies the number of worlds (default 1, about a minute on one core), e.g.
`ZUGWERK_WORLDS=20 pytest tests/test_reference.py` before a release.
"""

import os
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from flows.steps import STEPS
from tests.reference import promy
from tests.reference.book import open_book
from tests.runner import run_steps
from tests.worlds import World, archipelago, frames, small_rules, small_turn, worlds
from transforms.catalogue import BOARDING
from transforms.schema import TABLES, key_of

EFFORT = int(os.environ.get("ZUGWERK_WORLDS", "1"))
RULES = small_rules()
BOOK = open_book(RULES)
PLAYED = [step for step in STEPS if step.name not in ("corrections", "orders", "costs", "checks")]
COMPARED = (
    "units",
    "buildings",
    "hexes",
    "sight",
    "atlas",
    "losses",
    "moves",
    "boardings",
    "battles",
    "battle_units",
    "fates",
    "fallen",
    "ledger",
    "messages",
    "draws",
)
UNPROMISED = {"messages": ("hex_id", "amount")}  # columns that the rules leave to the product


@pytest.mark.parametrize("seed", range(6 * EFFORT))
def test_many_worlds_at_once(seed: int) -> None:
    assert_same_turn(archipelago(seed, worlds=40), turn_number=seed + 1)


@settings(
    max_examples=40 * EFFORT,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
@given(world=worlds())
def test_one_world(world: World) -> None:
    assert_same_turn(world)


def assert_same_turn(world: World, turn_number: int = 1) -> None:
    turn = small_turn(turn_number)
    product = run_steps(frames(world), PLAYED, RULES, turn)
    reference = promy.play_turn(world, BOOK, turn, BOARDING)
    different = [
        difference
        for name in COMPARED
        if (difference := first_difference(name, product[name], reference[name]))
    ]
    assert not different, "\n".join(different)


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
