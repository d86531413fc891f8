"""Splits, decisions and simultaneous movement: what must hold in every world."""

from random import Random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.runner import run_steps
from tests.small_rules import small_rules
from tests.test_reference import PLAYED, compare
from tests.worlds import archipelago, frames, small_turn
from transforms.movement import move, sequential
from transforms.rules import Rules
from transforms.schema import conform, empty, shaped

EVALUATE = small_rules(decisions="evaluate")
TOGETHER = small_rules(decisions="evaluate", movement="simultaneous")
BOTH_WAYS = pytest.mark.parametrize("rules", [EVALUATE, TOGETHER], ids=["in order", "together"])
UPSIDE_DOWN = 1000  # turns the order of up to 320 realms over
Tables = dict[str, pl.DataFrame]


def moved(given: Tables, rules: Rules) -> Tables:
    names = ("units", "paths", "splits", "alliances")
    return move(**{name: given[name] for name in names}, rules=rules, turn=small_turn())


@pytest.mark.parametrize("rounds", [1, 2])
def test_parts_move_the_same_where_the_plain_loop_takes_over(
    rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sequential, "ROUNDS", rounds)
    differences = compare(archipelago(7, 40, EVALUATE), EVALUATE)
    assert not differences, "\n".join(differences)


@BOTH_WAYS
@pytest.mark.parametrize("seed", range(3))
def test_splits_conserve_troops_and_leaders(rules: Rules, seed: int) -> None:
    given = frames(archipelago(seed, 40, rules))
    after = moved(given, rules)
    for what in ("troops", "leaders"):
        assert after["units"][what].sum() == given["units"][what].sum()
        assert (after["units"][what] >= 0).all()
    conform("units", after["units"])
    made = after["deeds"].filter(pl.col("deed") == "split")
    assert after["units"].height == given["units"].height + made.height
    assert after["deeds"].height == given["splits"].height


@BOTH_WAYS
@pytest.mark.parametrize("seed", range(3))
def test_gold_that_moves_is_in_the_ledger(rules: Rules, seed: int) -> None:
    given = frames(archipelago(seed, 40, rules))
    after = run_steps(given, PLAYED, rules, small_turn())
    for account, table, gold in (
        ("treasury", "realms", "treasury"),
        ("credit", "hexes", "credit"),
    ):
        booked = after["ledger"].filter(pl.col("account") == account)["amount"].to_list()
        change = sum(after[table][gold].to_list()) - sum(given[table][gold].to_list())
        assert change == sum(booked)
    assert (after["ledger"]["amount"] != 0).all()


@BOTH_WAYS
def test_the_order_of_rows_does_not_matter(rules: Rules) -> None:
    given = frames(archipelago(3, 40, rules))
    shuffled = {name: t.sample(fraction=1, shuffle=True, seed=5) for name, t in given.items()}
    expected = run_steps(given, PLAYED, rules, small_turn())
    for name, table in run_steps(shuffled, PLAYED, rules, small_turn()).items():
        table = shaped(name, table)  # what no step touched is still in disorder
        assert_frame_equal(table, shaped(name, expected[name]), check_exact=True)


@pytest.mark.parametrize("seed", range(3))
def test_moving_together_does_not_depend_on_the_order_of_realms(seed: int) -> None:
    given = frames(archipelago(seed, 40, TOGETHER))
    realm = (UPSIDE_DOWN - pl.col("realm_id")).cast(pl.UInt16)
    ally = (UPSIDE_DOWN - pl.col("ally_id")).cast(pl.UInt16)
    other = {
        **given,
        "units": given["units"].with_columns(realm_id=realm),
        "splits": given["splits"].with_columns(realm_id=realm),
        "alliances": given["alliances"].with_columns(realm_id=realm, ally_id=ally),
    }
    one, two = moved(given, TOGETHER), moved(other, TOGETHER)
    for name in ("moves", "walks", "deeds", "draws"):
        assert_frame_equal(one[name], two[name])


def test_decisions_that_are_ignored_cost_nothing() -> None:
    """Nothing of them is touched: tables come back as they went in, without a copy."""
    rules = small_rules()
    given = frames(archipelago(1, 5, rules))
    steps = {step.name: step for step in PLAYED}
    for name in ("withdrawal", "pursuit", "conquest"):
        step = steps[name]
        tables: dict[str, Any] = {n: given.get(n, empty(n)) for n in step.reads}
        out = step.function(**tables, rules=rules, turn=small_turn())
        assert all(out[n] is tables[n] for n in step.writes)
        assert all(out[n].is_empty() for n in step.appends)


def test_the_longest_way_there_can_be_is_walked_step_by_step() -> None:
    random = Random(1)
    path = [random.randint(1, 48) for _ in range(200)]
    units = pl.DataFrame(
        {"unit_id": [1], "realm_id": 1, "number": 1, "unit_type": "Krieger", "troops": 1,
         "hex_id": 1, "last_ashore": 0}
    )  # fmt: skip
    paths = pl.DataFrame({"unit_id": 1, "step": range(1, 201), "hex_id": path})
    given = {
        "units": conform("units", units),
        "paths": conform("paths", paths),
        **{name: empty(name) for name in ("splits", "alliances")},
    }
    after = moved(given, TOGETHER)
    assert after["moves"].rows() == [(1, 1, path[-1], False)]
    assert after["walks"]["hex_id"].to_list() == [1, *path]
