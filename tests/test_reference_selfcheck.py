"""Hand-worked numbers for the reference itself: who guards the guard?"""

from typing import Any

import pytest

from tests.reference import combat, economy, losses, movement, sight, status
from tests.reference.book import open_book
from tests.reference.dice import Dice, philox
from tests.reference.records import World, read_world
from tests.small_rules import small_rules

BOOK = open_book(small_rules())
TODAY = 25
HERE, THERE, FAR = 101, 102, 103
REASONS = {"full": "voll", "elsewhere": "woanders", "contact": "Feind"}


class Loaded(Dice):
    """Dice that show what the test says."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)
        self.asked: list[tuple[int, ...]] = []

    def roll(self, stream: int, entity: int, lo: int, hi: int, index: int = 0) -> int:
        self.asked.append((stream, lo, hi, index))
        return self.values.pop(0)


def spot(hex_id: int, **changes: Any) -> dict[str, Any]:
    return {
        "hex_id": hex_id,
        "gf": 1,
        "kf": hex_id - 100,
        "q": 0,
        "r": 0,
        "height": "Ebene",
        "terrain": "Flur",
        "realm_id": None,
        "province_id": None,
        "income": 0,
        "credit": 0,
        "ravaged_until": None,
        **changes,
    }


def unit(unit_id: int, realm_id: int, troops: int, **changes: Any) -> dict[str, Any]:
    away = "carrier_id" in changes or "captor_id" in changes
    return {
        "unit_id": unit_id,
        "realm_id": realm_id,
        "number": unit_id,
        "unit_type": "Krieger",
        "troops": troops,
        "leaders": 0,
        "merit": 0,
        "elite_combat": 0,
        "elite_movement": 0,
        "hex_id": None if away else HERE,
        "carrier_id": None,
        "home_province_id": None,
        "captor_id": None,
        "last_ashore": TODAY,
        "ready_on": None,
        "home_since": None,
        **changes,
    }


def building(building_id: int, realm_id: int, **changes: Any) -> dict[str, Any]:
    return {
        "building_id": building_id,
        "realm_id": realm_id,
        "building_type": "BRG",
        "name": None,
        "hex_id": HERE,
        "direction": None,
        "completed_on": None,
        "damage": 0.0,
        **changes,
    }


def world(
    *units: dict[str, Any],
    hexes: list[dict[str, Any]] | None = None,
    buildings: list[dict[str, Any]] | None = None,
    allies: list[tuple[int, int]] | None = None,
    paths: dict[int, list[int]] | None = None,
    wishes: dict[int, int] | None = None,
) -> World:
    """HERE – THERE – FAR in a row from west to east."""
    links = [(HERE, 2, THERE), (THERE, 5, HERE), (THERE, 2, FAR), (FAR, 5, THERE)]
    others = {h["hex_id"]: h for h in hexes or []}
    made = read_world(
        {
            "hexes": [others.get(h, spot(h)) for h in (HERE, THERE, FAR)],
            "neighbours": [{"hex_id": a, "direction": d, "neighbour_id": b} for a, d, b in links],
            "units": list(units),
            "buildings": buildings or [],
            "realms": [{"realm_id": u["realm_id"], "name": None, "code": None} for u in units],
            "alliances": [{"realm_id": a, "ally_id": b} for a, b in allies or []]
            + [{"realm_id": b, "ally_id": a} for a, b in allies or []],
            "paths": [],
            "movements": [],
            "sight": [],
            "atlas": [],
        }
    )
    made.paths, made.wishes = paths or {}, wishes or {}
    return made


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_philox_known_answers(counter: Any, key: Any, words: str) -> None:
    assert " ".join(f"{word:08x}" for word in philox(counter, key)) == words


def test_a_roll_is_the_upper_part_of_word_times_span() -> None:
    draws: list[dict[str, Any]] = []
    dice = Dice(bytes(32), draws)  # key 0, 0; counter 0: word 0x6627e8d5 is 0.399 of 2^32
    assert dice.roll(0, 0, 1, 10) == 1 + 3
    assert dice.roll(0, 0, 5, 5) == 5
    assert draws[0] == {"stream": 0, "entity": 0, "index": 0, "lo": 1, "hi": 10, "value": 4}


def test_standing_loss_adds_height_and_terrain() -> None:
    w = world(
        unit(1, 1, 1000, unit_type="Reiter"),  # 70 + 60
        unit(2, 1, 1000),  # warriors don't mind mountains: 60
        hexes=[spot(HERE, height="Gebirge", terrain="Vulkan")],
    )
    dice = Loaded(130, 7)
    losses.standing_losses(w, BOOK, dice)
    assert dice.asked == [(1, 1, 130, 0), (1, 1, 60, 0)]
    assert [u.troops for u in w.units.values()] == [0, 930]
    assert [row["percent"] for row in w.losses] == [100, 7]
    assert w.messages[1]["text"] == "70 Krieger sterben durch den Aufenthalt auf Gebirge-Vulkan."


def test_volcanoes_add_up_to_a_joint_probability() -> None:
    w = world(
        unit(1, 1, 1000, hex_id=THERE),
        hexes=[spot(HERE, terrain="Vulkan"), spot(FAR, terrain="Vulkan")],
    )
    dice = Loaded(9, 19)  # p = (10·100+50)÷100 = 10, then 10 + (20·90+50)÷100 = 28
    losses.volcano_losses(w, BOOK, dice)
    assert dice.asked == [(2, 0, 49, 2), (2, 0, 49, 5)]
    assert w.units[1].troops == 720
    assert w.messages[0]["text"] == "280 Krieger werden von Lava verschüttet."


@pytest.mark.parametrize(
    ("way", "hazard", "terrain"),
    [([], 40, "Steppe"), ([THERE], 40, "Steppe"), ([THERE, FAR], 30, "Salzsteppe")],
)
def test_steppe_counts_the_whole_way(way: list[int], hazard: int, terrain: str) -> None:
    w = world(
        unit(1, 1, 100),
        hexes=[spot(HERE, terrain="Steppe"), spot(THERE, terrain="Salzsteppe")],
        paths={1: way},
    )
    dice = Loaded(1)
    losses.steppe_losses(w, BOOK, dice)
    assert dice.asked == [(3, 1, hazard, 0)]
    expected = f"1 Krieger stirbt wegen der Lebensbedingungen in der {terrain}."
    assert w.messages[0]["text"] == expected


def test_landing_after_a_month_and_flyers_fall() -> None:
    w = world(
        unit(1, 1, 5, unit_type="Schiff", last_ashore=3),
        unit(2, 1, 200, carrier_id=1, last_ashore=TODAY - 1),
        unit(3, 1, 200, carrier_id=1, last_ashore=TODAY),
        unit(4, 1, 30, carrier_id=1, last_ashore=TODAY - 1, unit_type="Greif"),
    )
    dice = Loaded(10)
    losses.landing_losses(w, BOOK, dice, TODAY)
    assert dice.asked == [(4, 1, 10, 0)]
    assert [u.troops for u in w.units.values()] == [5, 180, 200, 0]
    assert w.units[1].last_ashore == TODAY
    assert [m["text"] for m in w.messages] == [
        "20 Krieger sterben an Mangelerscheinungen.",
        "Greifen stürzen erschöpft in den Tod.",
    ]


def test_movement_sees_earlier_units_where_they_are_now() -> None:
    """1 leaves THERE before 2 comes through; 3 is still HERE when 1 arrives."""
    w = world(
        unit(1, 1, 10, hex_id=THERE),
        unit(2, 2, 10, hex_id=FAR),
        unit(3, 3, 10),
        paths={1: [HERE, FAR], 2: [THERE, THERE], 3: [FAR]},
    )
    movement.move(w)
    assert [(m["unit_id"], m["to_hex"], m["contact"]) for m in w.moves] == [
        (1, HERE, True),
        (2, THERE, False),
        (3, FAR, False),
    ]
    assert [m["text"] for m in w.messages][:2] == [
        "Heer 1 zieht von 1/2 nach 1/1.",
        "Heer 1 trifft auf 1/1 auf fremde Truppen.",
    ]


def test_boarding_fills_the_ship_in_order() -> None:
    w = world(
        unit(1, 1, 2, unit_type="Schiff"),  # 40 places
        unit(2, 1, 30),
        unit(3, 1, 6, unit_type="Reiter"),  # 12 places, 10 are left
        unit(4, 1, 10),
        wishes={2: 1, 3: 1, 4: 1},
    )
    movement.board(w, BOOK, {**REASONS, "full": "kein Platz"})
    assert [(row["unit_id"], row["boarded"]) for row in w.boardings] == [
        (2, True),
        (3, False),
        (4, True),
    ]
    assert w.messages[1]["text"] == "Heer 3 kann sich nicht auf Schiff 1 einschiffen: kein Platz."


def test_two_parties_with_home_and_foreign_ground() -> None:
    """(3+5) · (11·2·1.25) = 220 against (0+5) · (4·0.75) = 15; shares 6.38… and 93.61… percent."""
    w = world(
        unit(1, 1, 1001, merit=3, elite_combat=1, home_province_id=7),
        unit(2, 2, 400),
        hexes=[spot(HERE, realm_id=1, province_id=7)],
    )
    combat.fight(w, BOOK, TODAY)
    assert [row["strength"] for row in w.battles] == [220.0, 15.0]
    assert [row["share"] for row in w.battles] == [100.0 * 1500 / 23500, 100.0 * 22000 / 23500]
    assert [row["region_pct"] for row in w.battle_units] == [125, 75]
    assert [row["losses"] for row in w.battle_units] == [63, 374]  # ⌊1001·0.0638⌋, ⌊400·0.936⌋


def test_a_castle_absorbs_up_to_its_defence() -> None:
    """30 − 4 − 1 = 25 of the 50 percent; the tower behind it does not help."""
    w = world(
        unit(1, 1, 100),
        unit(2, 2, 100),
        buildings=[
            building(5, 1, building_type="TRM"),
            building(4, 1, damage=4.0),
            building(3, 1, completed_on=TODAY + 1),
            building(2, 3),
        ],
    )
    combat.fight(w, BOOK, TODAY)
    assert w.battles[0]["absorbed"] == 25.0
    assert w.battles[0]["building_id"] == 4
    assert w.buildings[4].damage == 29.0
    assert [row["losses"] for row in w.battle_units] == [25, 50]


def test_overrun_and_captives_with_all_aboard() -> None:
    """1 and 2 are overrun; 2 is weaker and falls captive with its passenger, 4 goes free."""
    w = world(
        unit(1, 1, 100, unit_type="Schiff"),
        unit(2, 1, 90, unit_type="Schiff"),
        unit(3, 1, 10, carrier_id=2),
        unit(4, 2, 10, carrier_id=2),
        unit(5, 1, 10, carrier_id=1),
        unit(6, 2, 7, captor_id=1),
        unit(7, 2, 1_000_000),
        unit(8, 2, 999_999),
    )
    combat.fight(w, BOOK, TODAY)
    status.settle(w)
    assert {u.unit_id: u.captor_id for u in w.units.values() if u.captive} == {2: 7, 3: 7}
    assert w.units[2].troops == 90
    assert w.fates == {
        1: "dead",
        2: "captured",
        3: "captured",
        4: "freed",
        5: "drowned",
        6: "freed",
    }
    assert {u.unit_id: u.hex_id for u in w.units.values()}[6] == HERE
    assert [m["text"] for m in w.messages if m["realm_id"] == 1] == [
        "100 Schiffe gehen während einer Schlacht (siehe Überblick) verloren."
    ]


def test_two_hundred_equal_parties_wipe_one_another_out() -> None:
    """Each has a share of 99.5 percent; nobody is left to take captives."""
    w = world(*(unit(n, n, 10) for n in range(1, 201)))
    combat.fight(w, BOOK, TODAY)
    assert all(row["overrun"] for row in w.battles)
    assert not any(row["captured"] for row in w.battle_units)
    assert all(u.troops == 0 for u in w.units.values())


def test_allies_of_allies_fight_together() -> None:
    w = world(*(unit(n, n, 10) for n in (1, 2, 3, 4)), allies=[(1, 3), (3, 2)])
    combat.fight(w, BOOK, TODAY)
    assert [row["party"] for row in w.battles] == [1, 4]


@pytest.mark.parametrize(
    ("income", "credit", "after"), [(1000, 1999, 2332), (1000, 2000, 2000), (2, 0, 0), (3, 5, 6)]
)
def test_income(income: int, credit: int, after: int) -> None:
    w = world(hexes=[spot(HERE, income=income, credit=credit)])
    economy.accrue_income(w, BOOK, TODAY)
    assert w.hexes[HERE].credit == after
    assert sum(row["amount"] for row in w.ledger) == after - credit


def test_buildings_are_new_while_a_month_from_now_is_not_past_them() -> None:
    w = world(
        buildings=[
            building(1, 1, completed_on=TODAY + 1, name="Adlerhorst"),
            building(2, 1, completed_on=TODAY),
            building(3, 1),
            building(4, 1, completed_on=TODAY, building_type="WAL", direction=1),
        ]
    )
    economy.report_buildings(w, BOOK, TODAY)
    assert [m["text"] for m in w.messages] == [
        "Burg Adlerhorst wird vorraussichtlich am Siwan 5 n.P. auf 1/1 fertiggestellt.",
        "Burg erbaut am Nisan 5 n.P. auf 1/1.",
    ]


def test_sight() -> None:
    w = world(
        unit(1, 1, 10),
        unit(2, 2, 10, unit_type="Schiff", hex_id=FAR),
        unit(3, 3, 10, carrier_id=2),
        buildings=[building(1, 4, completed_on=TODAY + 9), building(2, 5, direction=1)],
    )
    sight.rebuild_sight(w, BOOK)
    seen = {realm: {h for r, h in w.sight if r == realm} for realm in range(1, 6)}
    assert seen == {1: {HERE, THERE}, 2: {THERE, FAR}, 3: set(), 4: {HERE, THERE, FAR}, 5: set()}
