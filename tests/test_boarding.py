"""Boarding after movement: who may, who fits, and what the others are told."""

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from transforms import boarding
from transforms.catalogue import BOARDING
from transforms.schema import empty, shaped

Row = dict[str, Any]
Pairs = set[tuple[int, int]]
Tables = dict[str, pl.DataFrame]

KINDS = {  # name: (ship, capacity, troop_space)
    "Krieger": (False, 0, 1),
    "Reiter": (False, 0, 2),
    "Geist": (False, 0, 0),
    "Schiff": (True, 100, 1),
}
UNIT_TYPES = shaped(
    "unit_types",
    pl.DataFrame(
        {
            "name": name,
            "name_plural": name,
            "min_strength": 1,
            "cost": 1,
            "months": 1,
            "flyer": False,
            "ship": ship,
            "capacity": capacity,
            "troop_space": space,
        }
        for name, (ship, capacity, space) in KINDS.items()
    ),
)


def board(given: Tables) -> Tables:
    rules = SimpleNamespace(unit_types=UNIT_TYPES)
    return boarding.board(**given, **cast(Any, {"rules": rules, "turn": None}))


def unit(unit_id: int, unit_type: str = "Krieger", troops: int = 100, **more: Any) -> Row:
    """A unit of realm 1 on hex 7 whose number is its unit_id."""
    where = {"hex_id": 7, "carrier_id": None, "captor_id": None}
    if {"carrier_id", "captor_id"} & more.keys():
        where["hex_id"] = None
    what = {"unit_id": unit_id, "number": unit_id, "unit_type": unit_type, "troops": troops}
    return what | {"realm_id": 1, "last_ashore": 0} | where | more


def ship(unit_id: int, troops: int = 1, **more: Any) -> Row:
    """A ship with 100 troop places for each of its troops."""
    return unit(unit_id, "Schiff", troops, **more)


def tables(
    units: list[Row],
    wishes: dict[int, int | None],
    contacts: set[int] = frozenset(),
    allies: Pairs = frozenset(),
) -> Tables:
    """The tables that `board` reads; `wishes` is unit → ship, `contacts` who met somebody."""
    rows = {
        "units": units,
        "movements": [
            {"unit_id": who, "embark_on": where, "realm_id": 1, "line": who}
            for who, where in wishes.items()
        ],
        "moves": [
            {"unit_id": u["unit_id"], "to_hex": 7, "contact": True}
            for u in units
            if u["unit_id"] in contacts
        ],
        "alliances": [
            {"realm_id": a, "ally_id": b} for a, b in allies | {(b, a) for a, b in allies}
        ],
    }
    return {
        name: shaped(name, pl.DataFrame(some, infer_schema_length=None)) if some else empty(name)
        for name, some in rows.items()
    }


def reasons(result: Tables) -> dict[int, str | None]:
    """unit_id → key of the reason, None for who went aboard."""
    keys = {text: key for key, text in BOARDING.items()}
    rows = result["boardings"].select("unit_id", "reason", "boarded").rows()
    assert all(boarded == (reason is None) for _, reason, boarded in rows)
    return {unit_id: keys.get(cast(str, reason)) for unit_id, reason, _ in rows}


def one_by_one(units: list[Row], wishes: dict, contacts: set[int], allies: Pairs) -> dict:
    """The rule, unit by unit: unit_id → key of the reason or None."""
    units = [dict(u) for u in units]
    by_id = {u["unit_id"]: u for u in units}
    place = {u["unit_id"]: u["hex_id"] for u in units}  # after movement, before anyone boards
    friends = allies | {(b, a) for a, b in allies} | {(u["realm_id"], u["realm_id"]) for u in units}

    def places(u: Row) -> int:
        return u["troops"] * KINDS[u["unit_type"]][2]

    def obstacle(u: Row, to: Row | None) -> str | None:
        if u["carrier_id"] is not None:
            return "aboard"
        if KINDS[u["unit_type"]][0]:
            return "is_ship"
        if u["unit_id"] in contacts:
            return "contact"
        if to and (u["realm_id"], to["realm_id"]) not in friends:
            return "foreign_ship"
        if to is None or place[to["unit_id"]] != u["hex_id"]:
            return "elsewhere"
        if not KINDS[to["unit_type"]][0]:
            return "no_ship"
        if to["troops"] == 0:
            return "dead_ship"
        filled = sum(places(other) for other in units if other["carrier_id"] == to["unit_id"])
        if filled + places(u) > to["troops"] * KINDS[to["unit_type"]][1]:
            return "full"
        return None

    told = {}
    for u in sorted(units, key=lambda u: (u["realm_id"], u["number"])):
        wish = wishes.get(u["unit_id"])
        if wish is None or u["troops"] == 0 or u["captor_id"] is not None:
            continue
        told[u["unit_id"]] = obstacle(u, by_id.get(wish))
        if told[u["unit_id"]] is None:
            u["hex_id"], u["carrier_id"] = None, wish
    return told


# ── one rule each ───────────────────────────────────────────────────────────────────────────


def test_who_boards_leaves_the_hex_and_nothing_else_changes() -> None:
    given = tables([unit(1, merit=3), unit(2), ship(9)], {1: 9, 2: None})
    kept = given["units"].clone()
    result = board(given)
    assert result["boardings"].rows() == [(1, 9, True, None)]
    assert result["units"].select("hex_id", "carrier_id").rows() == [
        (None, 9),
        (7, None),
        (7, None),
    ]
    assert_frame_equal(given["units"], kept)
    unmoved = pl.exclude("hex_id", "carrier_id")
    assert_frame_equal(result["units"].select(unmoved), kept.select(unmoved))


@pytest.mark.parametrize(
    ("why", "who", "where"),
    [
        ("aboard", {"carrier_id": 5}, {}),
        ("aboard", {"carrier_id": 5, "unit_type": "Schiff"}, {"hex_id": 8}),
        ("is_ship", {"unit_type": "Schiff"}, {}),
        ("foreign_ship", {}, {"realm_id": 3}),
        ("foreign_ship", {}, {"realm_id": 4, "troops": 0, "hex_id": 8}),
        ("elsewhere", {"hex_id": 8}, {}),
        ("elsewhere", {}, {"hex_id": None, "captor_id": 5}),
        ("elsewhere", {}, {"hex_id": None, "carrier_id": 5}),
        ("elsewhere", {}, {"unit_id": 10}),
        ("no_ship", {}, {"unit_type": "Reiter"}),
        ("dead_ship", {}, {"troops": 0}),
        ("full", {"troops": 101}, {}),
        ("full", {"troops": 51, "unit_type": "Reiter"}, {}),
        (None, {"troops": 50, "unit_type": "Reiter"}, {}),
        (None, {}, {"realm_id": 2}),
    ],
)
def test_reasons(why: str | None, who: Row, where: Row) -> None:
    """Realm 1 is allied with 2, and 2 with 3."""
    units = [unit(1) | who, ship(9) | where, ship(5)]
    units[0]["hex_id"] = None if "carrier_id" in who else units[0]["hex_id"]
    given = tables(units, {1: 9}, allies={(1, 2), (2, 3)})
    result = board(given)
    assert reasons(result) == {1: why}
    if why:
        assert_frame_equal(result["units"], given["units"])


def test_contact_keeps_a_unit_ashore_and_a_move_without_contact_does_not() -> None:
    given = tables([unit(1), unit(2), ship(9, 2)], {1: 9, 2: 9}, contacts={1, 2})
    met = given["moves"].with_columns(contact=pl.col("unit_id") == 1)
    assert reasons(board({**given, "moves": met})) == {1: "contact", 2: None}


@pytest.mark.parametrize("state", [{"troops": 0}, {"hex_id": None, "captor_id": 5}])
def test_the_dead_and_the_captive_make_no_attempt(state: Row) -> None:
    assert reasons(board(tables([unit(1) | state, ship(9)], {1: 9}))) == {}


def test_a_smaller_unit_may_still_fit_after_one_that_does_not() -> None:
    units = [unit(1, troops=60), unit(2, troops=41), unit(3, troops=40), unit(4, "Geist"), ship(9)]
    told = reasons(board(tables(units, {1: 9, 2: 9, 3: 9, 4: 9})))
    assert told == {1: None, 2: "full", 3: None, 4: None}


def test_the_order_is_realm_then_number_whatever_the_unit_id() -> None:
    units = [
        unit(1, troops=60, realm_id=2, number=1),
        unit(2, troops=60, number=8),
        unit(3, troops=60, number=7),
        ship(9),
    ]
    told = reasons(board(tables(units, {1: 9, 2: 9, 3: 9}, allies={(1, 2)})))
    assert told == {1: "full", 2: "full", 3: None}


def test_passengers_fill_the_ship_and_an_overloaded_one_takes_not_even_a_ghost() -> None:
    passengers = [unit(1, troops=70, carrier_id=8), unit(2, "Reiter", 51, carrier_id=9)]
    waiting = [unit(3, troops=31), unit(4, troops=30), unit(5, "Geist")]
    units = [*passengers, *waiting, ship(8), ship(9)]
    assert reasons(board(tables(units, {3: 8, 4: 8, 5: 9}))) == {3: "full", 4: None, 5: "full"}


def test_products_of_a_million_ships_do_not_overflow() -> None:
    crowd = 2**32
    units = [unit(1, "Reiter", crowd), ship(9, crowd // 50)]
    assert reasons(board(tables(units, {1: 9}))) == {1: "full"}
    units = [unit(1, "Reiter", crowd), ship(9, crowd // 50 + 1)]
    assert reasons(board(tables(units, {1: 9}))) == {1: None}


def test_a_unit_that_is_named_instead_of_a_ship_is_no_ship_even_if_it_boards_first() -> None:
    told = reasons(board(tables([unit(1), unit(2), ship(9, 2)], {1: 9, 2: 1})))
    assert told == {1: None, 2: "no_ship"}


def test_empty_tables() -> None:
    assert all(table.is_empty() for table in board(tables([], {})).values())


# ── properties ──────────────────────────────────────────────────────────────────────────────


def harbour(seed: int) -> tuple[list[Row], dict[int, int | None], set[int], Pairs]:
    """A few hexes full of ships, crews and waiting units of four realms, partly allied."""
    random = Random(seed)
    count, ships = random.randint(2, 60), random.randint(1, 4)
    units = []
    for i in range(1, count + 1):
        kind = (
            "Schiff"
            if i <= ships
            else random.choice(["Krieger"] * 6 + ["Reiter", "Geist", "Schiff"])
        )
        troops = random.randint(0, 3) if kind == "Schiff" else random.choice([0, 1, 9, 30, 31, 99])
        some = random.random()
        state: Row = {"hex_id": random.choice([7, 7, 7, 8])}
        if some < 0.2 and i > ships:
            state = {"carrier_id": random.randint(1, ships)}
        elif some < 0.25:
            state = {"captor_id": 99}
        units.append(unit(i, kind, troops, realm_id=random.randint(1, 4), **state))
    wishes = {u["unit_id"]: random.choice([None, *range(1, ships + 2)]) for u in units}
    allies = {pair for pair in ((1, 2), (2, 3), (1, 4), (3, 4)) if random.random() < 0.7}
    return units, wishes, {i for i in wishes if random.random() < 0.1}, allies


@given(st.integers(0, 2**32))
def test_it_equals_the_plain_loop(seed: int) -> None:
    units, wishes, contacts, allies = harbour(seed)
    result = board(tables(units, wishes, contacts, allies))
    expected = one_by_one(units, wishes, contacts, allies)
    assert reasons(result) == expected
    aboard = {u["unit_id"]: u["carrier_id"] for u in units}
    aboard |= {who: wishes[who] for who, why in expected.items() if why is None}
    assert dict(result["units"].select("unit_id", "carrier_id").rows()) == aboard


@given(st.integers(0, 2**32))
def test_the_order_of_rows_does_not_matter(seed: int) -> None:
    given = tables(*harbour(seed))
    shuffled = {name: t.sample(fraction=1, shuffle=True, seed=seed) for name, t in given.items()}
    for name, table in board(given).items():
        assert_frame_equal(board(shuffled)[name], table)


def test_the_worst_queue_there_can_be_is_exact() -> None:
    """One that just does not fit any more behind every one that does: a round each."""
    sizes = [size for step in range(1, 500) for size in (1, 1000 - step + 1)]
    units = [*(unit(i, troops=size) for i, size in enumerate(sizes, 1)), ship(9999, 10)]
    wishes: dict[int, int | None] = dict.fromkeys(range(1, len(sizes) + 1), 9999)
    assert reasons(board(tables(units, wishes))) == one_by_one(units, wishes, set(), set())
