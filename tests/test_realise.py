"""Orders come true line by line: single rules by hand, and the plain process on random queues."""

from dataclasses import replace
from random import Random
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.small_rules import small_rules
from tests.worlds import TODAY, small_turn
from transforms.catalogue import ORDERS, REALISE
from transforms.realise import realise
from transforms.schema import conform, empty, shaped

Row = dict[str, Any]
Tables = dict[str, pl.DataFrame]
TURN = small_turn()
HOME, SIDE, ABROAD, COAST = 101, 102, 103, 104  # from west to east; ABROAD is of realm 2


def small(**switches: str) -> Any:
    """The small rules with two unit types whose numbers are few, and two more building types."""
    rules = small_rules(**{"training": "realise", "construction": "realise"} | switches)
    ranges = [("Krieger", "reich", 101, 103), ("Krieger", "provinz", 151, 152)]
    ranges += [("Reiter", "reich", 201, 299), ("Schiff", "reich", 300, 300)]
    numbers = pl.DataFrame(ranges, ["unit_type", "kind", "first", "last"], orient="row")
    opens = {"SOF": (0, True, True), "HOF": (3, True, True), "WAL": (0, False, False)}
    types = rules.building_types.filter(~pl.col("code").is_in(list(opens)))
    more = [
        {"code": c, "name": c.title(), "cost": 10, "months": m, "central": central}
        | {"trains": trains, "defence": 0, "sight_radius": 0}
        for c, (m, central, trains) in opens.items()
    ]
    return replace(
        rules,
        number_ranges=shaped("number_ranges", numbers),
        building_types=shaped("building_types", pl.concat([types, frame("building_types", *more)])),
    )


def frame(name: str, *rows: Row) -> pl.DataFrame:
    return shaped(name, pl.DataFrame(rows, infer_schema_length=None)) if rows else empty(name)


RULES = small()


def training(line: int, cost: int, realm_id: int = 1, **more: Any) -> Row:
    usual = {"unit_type": "Krieger", "troops": 100, "leaders": 1, "elite_combat": 0}
    usual |= {"elite_movement": 0, "cost_submitted": cost, "cost": cost, "months": 0}
    given = {"hex_id": HOME, "number": None, "decision": "none", "outcome": "reserved"}
    return {"realm_id": realm_id, "line": line} | usual | given | more


def construction(line: int, code: str, hex_id: int, realm_id: int = 1, **more: Any) -> Row:
    usual: Row = {"direction": None, "name": None, "cost_submitted": 10, "cost": 10}
    usual |= {"months": 0, "decision": "none", "outcome": "reserved"}
    return (
        {"realm_id": realm_id, "line": line, "building_type": code, "hex_id": hex_id} | usual | more
    )


def building(building_id: int, code: str, hex_id: int, **more: Any) -> Row:
    row = {"building_id": building_id, "realm_id": 1, "building_type": code, "hex_id": hex_id}
    return row | {"direction": None, "completed_on": None} | more


def unit(unit_id: int, number: int, realm_id: int = 1, **more: Any) -> Row:
    row = {"unit_id": unit_id, "realm_id": realm_id, "number": number, "unit_type": "Krieger"}
    return row | {"troops": 1, "hex_id": HOME, "last_ashore": 0, "captor_id": None} | more


def world(
    *orders: Row,
    gold: int = 100,
    units: tuple[Row, ...] = (),
    buildings: tuple[Row, ...] = (building(7, "HOF", HOME),),
    splits: tuple[Row, ...] = (),
    capital: int | None = HOME,
) -> Tables:
    """Realm 1 has `gold` and HOME, SIDE and COAST, realm 2 has 50 and ABROAD."""
    hexes = [
        {"hex_id": h, "gf": 1, "kf": h - 100, "q": h, "r": 0, "height": "Ebene"}
        | {"terrain": "Flur", "realm_id": 2 if h == ABROAD else 1, "province_id": 40 + h}
        for h in (HOME, SIDE, ABROAD, COAST)
    ]
    edges = [
        {"hex_id": a, "direction": d, "neighbour_id": b}
        for west in (HOME, SIDE, ABROAD)
        for a, d, b in ((west, 2, west + 1), (west + 1, 5, west))
    ]
    realms = [{"realm_id": 1, "treasury": gold, "capital_hex_id": capital}]
    realms += [{"realm_id": 2, "treasury": 50, "capital_hex_id": None}]
    rows = {
        "trainings": [row for row in orders if "unit_type" in row],
        "constructions": [row for row in orders if "building_type" in row],
        "splits": splits,
        "units": units,
        "buildings": buildings,
        "realms": realms,
        "hexes": hexes,
        "neighbours": edges,
        "counters": (),
    }
    return {name: conform(name, frame(name, *content)) for name, content in rows.items()}


def done(given: Tables, rules: Any = RULES) -> Tables:
    return realise(**given, rules=rules, turn=TURN)


def outcomes(after: Tables) -> dict[int, str | int]:
    """line → reason, or the number of the new unit, or the id of the new building."""
    trained = after["trainings"].select("line", "reason", pl.col("number").cast(pl.Int64))
    built = after["constructions"].select("line", "reason", "building_id")
    rows = [*trained.rows(), *built.rows()]
    return {line: reason if reason else new for line, reason, new in rows}


NO_SCHOOL = "Auf {} steht kein eigenes fertiges Bauwerk, in dem gerüstet wird"


def test_gold_is_spent_line_by_line_and_a_refused_line_stops_no_later_one() -> None:
    costs = {1: 40, 3: 50, 5: 61, 7: 11, 9: 10, 11: 1}
    after = done(world(*(training(n, c, unit_type="Reiter") for n, c in costs.items())))
    lack = "Im Reichsschatz fehlen {} Goldstück"
    assert outcomes(after) == {
        1: 201,
        3: 202,
        5: lack.format(51),
        7: lack.format(1),
        9: 203,
        11: lack.format(1),
    }
    assert after["realms"]["treasury"].to_list() == [0, 50]
    assert after["trainings"]["outcome"].to_list() == [
        *("realised", "realised", "refused", "refused", "realised", "refused")
    ]


def test_a_new_unit_is_at_home_where_it_is_trained() -> None:
    levels = {"elite_combat": 2, "elite_movement": 1, "leaders": 3, "months": 12}
    after = done(world(training(4, 60, **levels), units=(unit(9, 101),)))
    assert after["units"].row(-1, named=True) == {
        "unit_id": 10,
        "realm_id": 1,
        "number": 102,
        "unit_type": "Krieger",
        "troops": 100,
        "leaders": 3,
        "merit": 0,
        "elite_combat": 2,
        "elite_movement": 1,
        "hex_id": HOME,
        "carrier_id": None,
        "home_province_id": 40 + HOME,
        "captor_id": None,
        "last_ashore": TODAY,
        "ready_on": TODAY + 12,
        "home_since": TODAY,
    }
    entry = {"account": "treasury", "realm_id": 1, "kind": "training", "amount": -60}
    assert after["ledger"].row(0, named=True) == entry | {
        "hex_id": HOME,
        "unit_id": 10,
        "building_id": None,
    }


def test_a_new_building_is_completed_after_its_months() -> None:
    order = construction(2, "TRM", SIDE, months=5, name="Wacht", cost=90)
    after = done(world(order))
    row = after["buildings"].row(-1, named=True)
    assert row == building(8, "TRM", SIDE, name="Wacht", completed_on=TODAY + 5, damage=0.0)
    assert after["ledger"].select("kind", "amount", "building_id").rows() == [
        ("construction", -90, 8)
    ]


@pytest.mark.parametrize(
    ("buildings", "wish", "reason"),
    [
        ([building(7, "HOF", SIDE)], {"hex_id": SIDE}, None),
        ([building(7, "HOF", HOME)], {"hex_id": None}, None),  # the capital
        ([building(7, "HOF", ABROAD)], {"hex_id": ABROAD}, None),
        ([building(7, "HOF", SIDE)], {"hex_id": None}, NO_SCHOOL.format("1/1")),
        ([building(7, "BRG", HOME)], {}, NO_SCHOOL.format("1/1")),
        ([building(7, "HOF", HOME, realm_id=2)], {}, NO_SCHOOL.format("1/1")),
        ([building(7, "HOF", HOME, completed_on=TODAY)], {}, None),
        ([building(7, "HOF", HOME, completed_on=TODAY + 1)], {}, NO_SCHOOL.format("1/1")),
    ],
)
def test_the_place(buildings: list[Row], wish: Row, reason: str | None) -> None:
    after = done(world(training(1, 10, **wish), buildings=tuple(buildings)))
    assert outcomes(after) == {1: reason or 101}


def test_no_place_and_no_capital() -> None:
    after = done(world(training(1, 10, hex_id=None), capital=None))
    assert outcomes(after) == {1: REALISE["no_place"]}


def test_numbers_are_the_wished_one_or_the_lowest_free_one_of_the_kind_reich() -> None:
    wishes: dict[int, Row] = {
        1: {"number": 101},
        2: {},  # 102 is taken by a captive
        3: {"number": 151},  # of another kind, but of the type
        4: {"number": 201},
        5: {"number": 103},
        6: {},
        7: {"unit_type": "Reiter"},
    }
    captive = unit(3, 102, hex_id=None, captor_id=1)
    after = done(world(*(training(n, 1, **w) for n, w in wishes.items()), units=(captive,)))
    assert outcomes(after) == {
        1: 101,
        2: 103,
        3: 151,
        4: "Die Nummer 201 ist nicht für Krieger vorgesehen",
        5: "Die Nummer 103 ist schon vergeben",
        6: "Für Krieger ist keine Nummer mehr frei",
        7: 201,
    }


def test_a_refused_line_takes_no_number() -> None:
    after = done(world(training(1, 101, number=101), training(2, 10), training(3, 101, number=102)))
    assert outcomes(after)[2] == 101


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (construction(1, "TRM", SIDE), None),
        (construction(1, "TRM", ABROAD), REALISE["foreign_hex"]),
        (construction(1, "TRM", HOME), REALISE["site_taken"]),
        (construction(1, "WAL", HOME, direction=2), None),
        (construction(1, "WAL", HOME, direction=0), REALISE["no_edge"]),
        (construction(1, "WAL", SIDE, direction=2), REALISE["site_taken"]),
        (construction(1, "GRA", SIDE, direction=2), None),  # another type on that edge
        (construction(1, "WAL", COAST, direction=5), None),
        (construction(1, "TRM", COAST), REALISE["site_taken"]),  # of the other realm, unfinished
    ],
)
def test_the_site(order: Row, reason: str | None) -> None:
    ditch = RULES.building_types.filter(code="WAL").with_columns(code=pl.lit("GRA"))
    rules = replace(RULES, building_types=pl.concat([RULES.building_types, ditch]))
    standing = (
        building(7, "HOF", HOME),
        building(8, "WAL", ABROAD, direction=5, realm_id=2),  # the edge between SIDE and ABROAD
        building(9, "TRM", COAST, realm_id=2, completed_on=TODAY + 9),
    )
    assert outcomes(done(world(order, buildings=standing), rules)) == {1: reason or 10}


def test_an_edge_goes_to_the_first_realm_whichever_side_it_names() -> None:
    orders = [
        construction(5, "WAL", SIDE, direction=2),
        construction(1, "WAL", ABROAD, realm_id=2, direction=5),
        construction(2, "WAL", ABROAD, realm_id=2, direction=2),
        construction(6, "WAL", COAST, direction=5),
    ]
    after = done(world(*orders))["constructions"]
    assert after.select("realm_id", "line", "building_id").rows() == [
        (1, 5, 8),
        (1, 6, 9),
        (2, 1, None),
        (2, 2, None),
    ]


def test_what_is_finished_at_once_trains_in_the_lines_behind_it() -> None:
    orders = [training(n, 10, hex_id=SIDE, unit_type="Reiter") for n in (1, 3)]
    after = outcomes(done(world(*orders, construction(2, "SOF", SIDE))))
    assert after == {1: NO_SCHOOL.format("1/2"), 2: 8, 3: 201}
    after = outcomes(done(world(*orders, construction(2, "SOF", SIDE, cost=101))))
    assert after[3] == NO_SCHOOL.format("1/2")


def test_ids_go_by_realm_line_step_and_number_together_with_splits() -> None:
    parts = [(3, 2, 7), (3, 0, 9), (3, 0, 8), (1, 1, 6)]
    splits = tuple(
        {"realm_id": 1, "line": line, "unit_id": 4, "after_step": step, "number": number}
        | {"troops": 1, "leaders": 0}
        for line, step, number in parts
    )
    given = world(training(2, 10), training(4, 10), splits=splits, units=(unit(4, 1),))
    counters = frame("counters", {"name": "unit", "next": 50}, {"name": "building", "next": 3})
    after = done(given | {"counters": counters}, small(decisions="evaluate"))
    assert after["splits"].select("line", "after_step", "number", "new_unit_id").rows() == [
        (1, 1, 6, 50),
        (3, 0, 8, 52),
        (3, 0, 9, 53),
        (3, 2, 7, 54),
    ]
    assert after["trainings"]["unit_id"].to_list() == [51, 55]
    assert dict(after["counters"].rows()) == {"unit": 56, "building": 8}  # 7 is in use
    unsplit = done(given | {"counters": counters})
    assert unsplit["splits"].equals(given["splits"])
    assert unsplit["trainings"]["unit_id"].to_list() == [50, 51]


def test_the_number_of_a_split_off_unit_is_taken() -> None:
    part = {"realm_id": 1, "line": 9, "unit_id": 4, "after_step": 1, "number": 101}
    given = world(training(2, 10), splits=(part | {"troops": 1, "leaders": 0},))
    assert outcomes(done(given, small(decisions="evaluate"))) == {2: 102}
    assert outcomes(done(given)) == {2: 101}


def test_a_line_that_the_game_master_rejected_stays_rejected() -> None:
    after = done(world(training(1, 10, outcome="rejected", decision="reject"), training(2, 10)))
    assert after["trainings"]["outcome"].to_list() == ["rejected", "realised"]
    assert after["realms"]["treasury"][0] == 90


def test_refusals_are_told_by_line_units_in_d_buildings_in_e() -> None:
    orders = [training(1, 999), training(2, 999, troops=1), training(3, 5)]
    orders += [
        construction(4, "TRM", HOME, name="Wacht"),
        construction(5, "WAL", HOME, direction=0),
    ]
    told = done(world(*orders))["messages"]
    assert told.select("section", "text").rows() == [
        ("D", "Zeile 1: 100 Krieger werden nicht gerüstet: Im Reichsschatz fehlen 899 Goldstück."),
        ("D", "Zeile 2: 1 Krieger wird nicht gerüstet: Im Reichsschatz fehlen 899 Goldstück."),
        ("E", "Zeile 4: Turm Wacht auf 1/1 wird nicht gebaut: Dieser Platz ist schon bebaut."),
        ("E", "Zeile 5: Wal auf 1/1 wird nicht gebaut: In dieser Richtung liegt kein Feld."),
    ]


@pytest.mark.parametrize(
    ("training_", "construction_"), [("reserve", "realise"), ("realise", "reserve")]
)
def test_each_kind_has_its_switch(training_: str, construction_: str) -> None:
    given = world(training(1, 10), construction(2, "TRM", SIDE))
    after = done(given, small(training=training_, construction=construction_))
    assert (after["units"].height, after["buildings"].height) == (
        int(training_ == "realise"),
        1 + int(construction_ == "realise"),
    )
    assert after["realms"]["treasury"][0] == 90


def test_off() -> None:
    given = world(training(1, 10), construction(2, "TRM", SIDE))
    after = done(given, small_rules())
    assert all(after[name] is given[name] for name in after if name in given)
    assert after["ledger"].is_empty()
    assert after["messages"].is_empty()


# ── the plain process ───────────────────────────────────────────────────────────────────────────


def crowd(random: Random) -> Tables:
    """Two realms whose lines get into each other's way all the time."""
    orders: list[Row] = []
    for realm_id in (1, 2):
        for line in range(1, random.randint(2, 14)):
            cost = random.choice([0, 1, 2, 5, 9, 20, 40, 101])
            kind: Row = {"realm_id": realm_id, "cost": cost, "months": random.choice([0, 0, 2])}
            if random.random() < 0.6:
                number = random.choice([None, None, None, 101, 102, 103, 151, 300])
                place = random.choice([None, HOME, HOME, SIDE, ABROAD])
                who = random.choice(["Krieger", "Krieger", "Schiff"])
                wish = {"hex_id": place, "number": number, "unit_type": who}
                orders.append(training(line, **{**kind, **wish}))
            else:
                code = random.choice(["SOF", "SOF", "HOF", "WAL", "WAL"])
                edge = random.choice([0, 2, 5, 5]) if code == "WAL" else None
                where = random.choice([HOME, SIDE, ABROAD, COAST])
                orders.append(construction(line, code, where, **{**kind, "direction": edge}))
    standing = [building(7, "HOF", random.choice([HOME, ABROAD]), completed_on=TODAY)]
    standing += [building(8, "WAL", ABROAD, realm_id=2, direction=5)][: random.randint(0, 1)]
    given = world(
        *orders,
        gold=random.choice([10, 40, 100]),
        units=(unit(5, 101),)[: random.randint(0, 1)],
        buildings=tuple(standing),
        capital=random.choice([None, HOME, SIDE]),
    )
    given["realms"] = given["realms"].with_columns(
        capital_hex_id=pl.coalesce("capital_hex_id", pl.lit(ABROAD, pl.UInt32))
    )
    return given


def key(row: Row) -> tuple[int, int]:
    return row["realm_id"], row["line"]


def one_by_one(given: Tables) -> dict[tuple[int, int], str]:
    """(realm, line) → what it got, or why it got nothing, as the rule is told."""
    gold = dict(given["realms"].select("realm_id", "treasury").iter_rows())
    capital = dict(given["realms"].select("realm_id", "capital_hex_id").iter_rows())
    owner = dict(given["hexes"].select("hex_id", "realm_id").iter_rows())
    beside = {(h, d): n for h, d, n in given["neighbours"].iter_rows()}
    taken = set(given["units"].select("realm_id", "number").iter_rows())
    ranges = list(RULES.number_ranges.select("unit_type", "kind", "first", "last").iter_rows())
    trains = set(RULES.building_types.filter("trains")["code"])
    sites, schools = set(), set()

    def site(row: Row) -> tuple[Any, ...]:
        if row["direction"] is None:
            return (row["hex_id"],)
        other = beside.get((row["hex_id"], row["direction"]))
        return (*sorted([row["hex_id"], other or 0]), row["building_type"])

    def build(row: Row) -> None:
        sites.add(site(row))
        if row["building_type"] in trains and (row["completed_on"] or 0) <= TODAY:
            schools.add((row["realm_id"], row["hex_id"]))

    def poor(row: Row) -> str | None:
        lack = row["cost"] - gold[row["realm_id"]]
        return REALISE["no_gold"].format(lack=lack) if lack > 0 else None

    def train(row: Row) -> str:
        realm, where = row["realm_id"], row["hex_id"] or capital[row["realm_id"]]
        mine = [r for r in ranges if r[0] == row["unit_type"]]
        number = row["number"]
        if number is not None and not any(r[2] <= number <= r[3] for r in mine):
            return ORDERS["number_range"].format(**row)
        if (realm, where) not in schools:
            return REALISE["no_school"].format(place=f"{where // 100}/{where % 100}")
        if (realm, number) in taken:
            return ORDERS["number_taken"].format(**row)
        if number is None:
            free = (n for r in mine if r[1] == "reich" for n in range(r[2], r[3] + 1))
            number = next((n for n in free if (realm, n) not in taken), None)
        if number is None:
            return REALISE["no_number"].format(**row)
        if too_poor := poor(row):
            return too_poor
        taken.add((realm, number))
        return f"realised {number} {where}"

    def construct(row: Row) -> str:
        if owner[row["hex_id"]] != row["realm_id"]:
            return REALISE["foreign_hex"]
        if row["direction"] is not None and (row["hex_id"], row["direction"]) not in beside:
            return REALISE["no_edge"]
        if site(row) in sites:
            return REALISE["site_taken"]
        if too_poor := poor(row):
            return too_poor
        build({**row, "completed_on": TODAY + row["months"]})
        return "realised"

    for row in given["buildings"].to_dicts():
        build(row)
    verdicts = {}
    lines = [*given["trainings"].to_dicts(), *given["constructions"].to_dicts()]
    for row in sorted(lines, key=key):
        verdict = (train if "unit_type" in row else construct)(row)
        gold[row["realm_id"]] -= row["cost"] if verdict.startswith("realised") else 0
        verdicts[key(row)] = verdict
    return verdicts


@pytest.mark.parametrize("seed", range(24))
def test_columns_equal_the_plain_process(seed: int) -> None:
    given = crowd(Random(seed))
    after = done(given)
    built = {key(row): row["reason"] or row["outcome"] for row in after["constructions"].to_dicts()}
    trained = {
        key(row): row["reason"] or f"realised {row['number']} {row['hex_id']}"
        for row in after["trainings"].to_dicts()
    }
    assert trained | built == one_by_one(given)
    gold = [sum(tables["realms"]["treasury"].to_list()) for tables in (given, after)]
    assert sum(after["ledger"]["amount"].to_list()) == gold[1] - gold[0]
    assert (after["ledger"]["amount"] < 0).all()
    for name, table in after.items():
        assert_frame_equal(table, conform(name, table))
    shuffled = {n: t.sample(fraction=1, shuffle=True, seed=seed) for n, t in given.items()}
    again = done(shuffled)
    for name in ("trainings", "constructions", "counters", "ledger", "messages"):
        assert_frame_equal(again[name], after[name])


def test_every_reason_occurs_in_the_crowds() -> None:
    reasons = set()
    for seed in range(24):
        after = done(crowd(Random(seed)))
        for name in ("trainings", "constructions"):
            reasons |= set(after[name].drop_nulls("reason")["reason"].str.slice(0, 10))
    expected = {**REALISE, **{k: ORDERS[k] for k in ("number_taken", "number_range")}}
    starts = {text[:10] for name, text in expected.items() if name != "no_place"}
    assert {r[:3] for r in reasons} == {s[:3] for s in starts}
