"""Movement in columns is the sequential process of source 1, 5.1, to the last unit."""

from random import Random
from time import perf_counter
from typing import Any, cast

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.small_rules import small_rules
from transforms import movement
from transforms.movement import sequential
from transforms.schema import empty, shaped

RULES = small_rules(river_losses="on")  # so that `walks` is filled
Row = dict[str, Any]
Paths = dict[int, list[int]]
Pairs = set[tuple[int, int]]
Tables = dict[str, pl.DataFrame]


def move(given: Tables) -> Tables:
    return movement.move(**given, rules=RULES, turn=cast(Any, None))


def unit(unit_id: int, realm_id: int, hex_id: int | None = None, **more: Any) -> Row:
    """An army of 100 whose number is its unit_id."""
    usual = {"number": unit_id, "unit_type": "Krieger", "troops": 100, "last_ashore": 0}
    state = {"hex_id": hex_id, "carrier_id": None, "captor_id": None}
    return {"unit_id": unit_id, "realm_id": realm_id} | usual | state | more


def tables(units: list[Row], paths: Paths, allies: Pairs = frozenset()) -> Tables:
    """The tables that `move` reads; alliances go both ways."""
    steps = [
        {"unit_id": unit_id, "step": step, "hex_id": hex_id}
        for unit_id, path in paths.items()
        for step, hex_id in enumerate(path, 1)
    ]
    both = [{"realm_id": a, "ally_id": b} for a, b in allies | {(b, a) for a, b in allies}]
    rows = {"units": units, "paths": steps, "splits": [], "alliances": both}
    return {
        name: shaped(name, pl.DataFrame(some, infer_schema_length=None)) if some else empty(name)
        for name, some in rows.items()
    }


def walk(units: list[Row], paths: Paths, allies: Pairs = frozenset()) -> dict[int, tuple]:
    """What became of each unit that moved: unit_id → (from_hex, to_hex, contact)."""
    return {row[0]: row[1:] for row in move(tables(units, paths, allies))["moves"].rows()}


def one_by_one(units: list[Row], paths: Paths, allies: Pairs) -> list[tuple]:
    """The rows of `moves`, unit by unit as the source tells it."""
    able = [u for u in units if u["troops"] > 0 and u["captor_id"] is None]
    place = {u["unit_id"]: u["hex_id"] for u in able}
    friends = {(u["realm_id"], u["realm_id"]) for u in able} | allies | {(b, a) for a, b in allies}
    moves = []
    for mover in sorted(able, key=lambda u: (u["realm_id"], u["number"])):
        contact = False
        for hex_id in paths.get(mover["unit_id"], []):
            contact = any(
                place[u["unit_id"]] == hex_id and (mover["realm_id"], u["realm_id"]) not in friends
                for u in able
            )
            if contact:
                break
        if paths.get(mover["unit_id"]):
            moves.append((mover["unit_id"], mover["hex_id"], hex_id, contact))
            place[mover["unit_id"]] = hex_id
    return sorted(moves)


# ── one rule each ───────────────────────────────────────────────────────────────────────────


def test_without_contact_a_unit_reaches_its_last_waypoint() -> None:
    assert walk([unit(1, 1, 10)], {1: [11, 12, 13]}) == {1: (10, 13, False)}


def test_it_stops_at_the_first_waypoint_with_foreign_troops() -> None:
    units = [unit(1, 1, 10), unit(2, 2, 12), unit(3, 2, 11, troops=0)]
    assert walk(units, {1: [11, 12, 13]}) == {1: (10, 12, True)}


def test_contact_on_the_last_waypoint_is_a_contact() -> None:
    assert walk([unit(1, 1, 10), unit(2, 2, 11)], {1: [11]}) == {1: (10, 11, True)}


def test_own_and_directly_allied_troops_do_not_stop_it_the_allies_of_allies_do() -> None:
    units = [unit(1, 1, 10), unit(2, 1, 11), unit(3, 2, 12), unit(4, 3, 13)]
    assert walk(units, {1: [11, 12, 13, 14]}, {(1, 2), (2, 3)}) == {1: (10, 13, True)}


def test_the_start_is_not_checked_unless_the_path_returns_to_it() -> None:
    units = [unit(1, 1, 10), unit(2, 2, 10), unit(3, 1, 10)]
    moved = walk(units, {1: [11], 3: [11, 10, 12]})
    assert moved == {1: (10, 11, False), 3: (10, 10, True)}


def test_earlier_units_are_met_at_their_new_hex_later_ones_at_their_old_one() -> None:
    units = [unit(1, 1, 10), unit(2, 2, 20), unit(3, 3, 30)]
    moved = walk(units, {1: [31, 20, 21], 2: [10, 19], 3: [20, 29]})
    assert moved == {1: (10, 20, True), 2: (20, 19, False), 3: (30, 20, True)}


def test_the_order_is_realm_then_number_whatever_the_unit_id() -> None:
    units = [unit(1, 2, 10, number=1), unit(2, 1, 20, number=9), unit(3, 1, 21, number=8)]
    moved = walk(units, {1: [15, 16], 2: [15], 3: [10]})
    assert moved == {1: (10, 15, True), 2: (20, 15, False), 3: (21, 10, True)}


@pytest.mark.parametrize("state", [{"troops": 0}, {"hex_id": None, "captor_id": 3}])
def test_the_dead_and_the_captive_neither_move_nor_stop_anyone(state: Row) -> None:
    units = [unit(1, 1, 10), unit(2, 2, 11) | state, unit(3, 1, 30)]
    assert walk(units, {1: [11, 12], 2: [12]}) == {1: (10, 12, False)}


def test_a_passenger_lands_and_counts_from_its_turn_on() -> None:
    ship, passenger = unit(1, 2, 11, troops=0), unit(2, 2, carrier_id=1)
    units = [unit(10, 1, 10), ship, passenger, unit(30, 3, 30)]
    result = move(tables(units, {10: [11, 12], 2: [11], 30: [11]}))
    assert result["moves"].rows() == [(2, None, 11, False), (10, 10, 12, False), (30, 30, 11, True)]
    landed = result["units"].row(by_predicate=pl.col("unit_id") == 2, named=True)
    assert (landed["hex_id"], landed["carrier_id"], landed["last_ashore"]) == (11, None, 0)


def test_the_walk_is_the_start_ashore_and_every_hex_up_to_the_contact() -> None:
    ship, passenger = unit(1, 2, 11, troops=0), unit(2, 2, carrier_id=1)
    units = [unit(10, 1, 10), ship, passenger, unit(30, 3, 30), unit(40, 1, 40)]
    given = tables(units, {10: [15, 11, 12], 2: [13, 13], 30: [13, 11]})
    walks = [(2, 1, 13), (2, 2, 13), (10, 0, 10), (10, 1, 15), (10, 2, 11), (10, 3, 12)]
    assert move(given)["walks"].rows() == [*walks, (30, 0, 30), (30, 1, 13)]
    unasked = movement.move(**given, rules=small_rules(), turn=cast(Any, None))
    assert unasked["walks"].equals(empty("walks"))


def test_a_passenger_without_path_stays_aboard_and_stands_nowhere() -> None:
    units = [unit(1, 1, 10), unit(2, 2, carrier_id=3), unit(3, 2, 12)]
    result = move(tables(units, {1: [11]}))
    assert result["units"]["carrier_id"].to_list() == [None, 3, None]
    assert result["units"]["hex_id"].to_list() == [11, None, 12]


def test_a_stop_far_up_the_order_frees_a_hex_for_a_later_unit() -> None:
    """1 stops 2, so 2 stops 3 (an ally of 1), so 3 never comes to hex 5 and 4 may pass it."""
    units = [unit(1, 1, 10), unit(2, 2, 20), unit(3, 3, 30), unit(4, 4, 40)]
    moved = walk(units, {1: [2], 2: [2, 3], 3: [2, 5], 4: [5, 6]}, {(1, 3)})
    assert [to_hex for _, to_hex, _ in moved.values()] == [2, 2, 2, 6]


def test_paths_of_nobody_and_empty_tables_do_nothing() -> None:
    assert walk([unit(1, 1, 10)], {7: [11]}) == {}
    assert move(tables([], {}))["units"].is_empty()


def test_nothing_else_about_a_unit_changes_and_the_input_stays_as_it_was() -> None:
    before = tables([unit(1, 1, 10, merit=7), unit(2, 1, 10)], {1: [11]})
    kept = before["units"].clone()
    after = move(before)["units"]
    assert_frame_equal(before["units"], kept)
    assert_frame_equal(after.drop("hex_id"), kept.drop("hex_id"))


# ── properties ──────────────────────────────────────────────────────────────────────────────

HEXES = st.integers(1, 7)
STATES = st.one_of(
    HEXES.map(lambda hex_id: {"hex_id": hex_id}),
    HEXES.map(lambda hex_id: {"hex_id": hex_id}),
    HEXES.map(lambda hex_id: {"hex_id": hex_id, "troops": 0}),
    st.just({"carrier_id": 1}),
    st.just({"captor_id": 1}),
)
CROWDS = st.lists(
    st.tuples(st.integers(1, 9), STATES, st.lists(HEXES, max_size=4)), min_size=1, max_size=40
)
ALLIES = st.sets(st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda p: p[0] < p[1]))


def crowd(people: list[tuple[int, Row, list[int]]]) -> tuple[list[Row], Paths]:
    units = [unit(i, realm, **state) for i, (realm, state, _) in enumerate(people, 1)]
    return units, {i: path for i, (_, _, path) in enumerate(people, 1) if path}


@pytest.mark.parametrize("rounds", [sequential.ROUNDS, 2, 1])
def test_it_equals_the_sequential_process(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequential, "ROUNDS", rounds)  # also where the plain loop takes over

    @given(CROWDS, ALLIES)
    def check(people: list[tuple[int, Row, list[int]]], allies: Pairs) -> None:
        units, paths = crowd(people)
        assert move(tables(units, paths, allies))["moves"].rows() == one_by_one(
            units, paths, allies
        )

    check()


@given(CROWDS, ALLIES, st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(people: list, allies: Pairs, seed: int) -> None:
    given = tables(*crowd(people), allies)
    shuffled = {name: t.sample(fraction=1, shuffle=True, seed=seed) for name, t in given.items()}
    for name, table in move(given).items():
        assert_frame_equal(move(shuffled)[name], table)


@pytest.mark.parametrize("seed", range(20))
def test_crowded_worlds_of_many_realms(seed: int) -> None:
    random = Random(seed)
    hexes, realms = random.randint(3, 60), random.randint(2, 80)
    states: list[Row] = [{}] * 7 + [{"carrier_id": 1, "hex_id": None}, {"troops": 0}]
    units, paths = [], {}
    for i in range(1, 301):
        place = {"hex_id": random.randint(1, hexes)}
        units.append(unit(i, random.randint(1, realms), **place | random.choice(states)))
        paths[i] = random.choices(range(1, hexes + 1), k=random.randint(0, 6))
    pairs = {(random.randint(1, realms), random.randint(1, realms)) for _ in range(realms)}
    allies = {(a, b) for a, b in pairs if a != b}
    given = tables(units, paths, allies)
    moved = move(given)
    assert moved["moves"].rows() == one_by_one(units, paths, allies)
    for name, table in move(given).items():
        assert_frame_equal(table, moved[name])


def test_the_longest_chain_there_can_be_is_exact_and_takes_seconds() -> None:
    """50,000 realms, each stopped by the one before it exactly if that one was not; twice."""
    chains, count = 2, 100_000
    units = pl.select(unit_id=pl.int_range(count)).select(
        "unit_id",
        realm_id=pl.col("unit_id") // chains + 1,
        number=pl.col("unit_id") % chains,
        hex_id=pl.col("unit_id") + 2 * count,
        unit_type=pl.lit("Krieger"),
        troops=pl.lit(100),
        last_ashore=pl.lit(0),
    )
    paths = pl.concat(
        units.select("unit_id", step=pl.lit(step), hex_id=pl.col("unit_id") + chains * (step - 1))
        for step in (1, 2)
    )
    given = {"units": shaped("units", units), "paths": shaped("paths", paths)}
    start = perf_counter()
    moves = move({**given, "alliances": empty("alliances"), "splits": empty("splits")})["moves"]
    assert perf_counter() - start < 30
    stopped = pl.col("unit_id") // chains % 2 == 1
    goes_to = pl.col("unit_id") + pl.when(stopped).then(0).otherwise(chains)
    assert moves.select((pl.col("contact") == stopped).all()).item()
    assert moves.select((pl.col("to_hex") == goes_to).all()).item()
