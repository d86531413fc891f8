"""Status: who drowns, who is captured along, who goes free; one fate each (source 1, 5.3)."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.battlefield import HEX, RULES, TODAY, TURN, allied, as_world, hexes, table, unit, units
from tests.reference import combat as reference_combat
from tests.reference import status as reference_status
from tests.reference.book import open_book
from tests.reference.records import write_world
from transforms.combat import fight
from transforms.schema import conform, empty
from transforms.status import dissolve, settle

Tables = dict[str, pl.DataFrame]
SEA = HEX + 1


def settled(*rows: dict[str, Any], captured: dict[int, int] | None = None) -> Tables:
    """The state after the phase; `captured` maps units captured on HEX this turn to captors."""
    fought = [
        {"hex_id": HEX, "unit_id": who, "party": 1, "region_pct": 100, "troops_before": 1}
        | {"losses": 0, "captured": True, "captor_id": captor}
        for who, captor in (captured or {}).items()
    ]
    return settle(
        units=units(*rows), battle_units=table("battle_units", fought), rules=RULES, turn=TURN
    )


def ship(unit_id: int, realm_id: int, troops: int, **more: Any) -> dict[str, Any]:
    return unit(unit_id, realm_id, troops, unit_type="Schiff", **{"hex_id": SEA} | more)


def fates(after: Tables) -> dict[int, str]:
    return dict(after["fates"].rows())


def place(after: Tables, unit_id: int) -> dict[str, int]:
    """The one of hex_id, carrier_id and captor_id that is set."""
    row = after["units"].row(by_predicate=pl.col("unit_id") == unit_id, named=True)
    return {k: row[k] for k in ("hex_id", "carrier_id", "captor_id") if row[k] is not None}


def test_nothing_happens_to_the_living() -> None:
    rows = [unit(1, 1, 500), ship(2, 1, 5), unit(3, 1, 9, carrier_id=2), unit(4, 2, 9, captor_id=1)]
    after = settled(*rows)
    assert_frame_equal(after["units"], units(*rows))
    assert after["fates"].is_empty()
    assert after["losses"].is_empty()


def test_empty_tables() -> None:
    after = settled()
    assert [frame.height for frame in after.values()] == [0, 0, 0]
    assert dissolve(units=empty("units"), rules=RULES, turn=TURN)["fallen"].is_empty()


def test_the_dead_have_a_fate() -> None:
    assert fates(settled(unit(1, 1, 0), unit(2, 1, 3))) == {1: "dead"}


def test_passengers_drown_with_their_ship() -> None:
    rows = [ship(1, 1, 0), unit(2, 1, 700, carrier_id=1), unit(3, 2, 300, carrier_id=1)]
    after = settled(*rows, unit(4, 1, 0, carrier_id=1))
    assert fates(after) == {1: "dead", 2: "drowned", 3: "drowned", 4: "dead"}
    assert after["units"]["troops"].to_list() == [0, 0, 0, 0]
    assert after["losses"].rows() == [
        (2, "drowned", 0, 700, 100, 700),
        (3, "drowned", 0, 300, 100, 300),
    ]


def test_drowning_reaches_a_ship_in_a_ship() -> None:
    rows = [ship(1, 1, 0), ship(2, 1, 5, carrier_id=1, hex_id=None), unit(3, 1, 9, carrier_id=2)]
    assert fates(settled(*rows)) == {1: "dead", 2: "drowned", 3: "drowned"}


def test_passengers_of_a_captured_ship_share_its_captor_and_the_captors_own_go_free() -> None:
    # realm 2 captures a ship of realm 1 that carries people of realms 1, 3 and 2
    rows = [
        ship(1, 1, 8, captor_id=9, hex_id=None),
        unit(2, 1, 700, carrier_id=1),
        unit(3, 3, 300, carrier_id=1),
        unit(4, 2, 200, carrier_id=1),
        unit(5, 1, 0, carrier_id=1),
        ship(9, 2, 900, hex_id=HEX),
    ]
    after = settled(*rows, captured={1: 9})
    assert fates(after) == {1: "captured", 2: "captured", 3: "captured", 4: "freed", 5: "dead"}
    assert [place(after, n) for n in (2, 3)] == [{"captor_id": 9}] * 2
    assert place(after, 4) == {"hex_id": HEX}
    assert after["units"]["troops"].to_list() == [8, 700, 300, 200, 0, 900]
    assert after["losses"].is_empty()
    conform("units", after["units"])


@pytest.mark.parametrize(
    "captor",
    [
        [unit(1, 1, 0, hex_id=SEA)],
        [unit(1, 1, 0, carrier_id=2), ship(2, 1, 5)],
        [unit(1, 1, 800, carrier_id=2), ship(2, 1, 0)],
        [unit(1, 1, 800, carrier_id=2), ship(2, 1, 5, carrier_id=3, hex_id=None), ship(3, 1, 0)],
    ],
    ids=["ashore", "aboard", "drowned", "drowned in a ship in a ship"],
)
def test_captives_of_a_captor_that_died_go_free_where_it_was(captor: list[dict[str, Any]]) -> None:
    after = settled(*captor, unit(8, 2, 50, captor_id=1, last_ashore=7))
    assert fates(after)[8] == "freed"
    assert place(after, 8) == {"hex_id": SEA}
    assert after["units"].filter(pl.col("unit_id") == 8)["last_ashore"].item() == 7


def test_captives_of_a_captor_that_was_captured_go_free_on_the_battle_hex() -> None:
    rows = [unit(1, 1, 10, captor_id=2), unit(2, 2, 900), unit(8, 2, 50, captor_id=1)]
    after = settled(*rows, captured={1: 2})
    assert fates(after) == {1: "captured", 8: "freed"}
    assert place(after, 8) == {"hex_id": HEX}
    assert place(after, 1) == {"captor_id": 2}


def test_captives_of_a_passenger_that_is_captured_with_its_ship_go_free() -> None:
    rows = [
        ship(1, 1, 8, captor_id=9, hex_id=None),
        unit(2, 1, 700, carrier_id=1),
        unit(3, 4, 50, captor_id=2),
        unit(9, 2, 900),
    ]
    after = settled(*rows, captured={1: 9})
    assert fates(after) == {1: "captured", 2: "captured", 3: "freed"}
    assert place(after, 3) == {"hex_id": HEX}


def test_a_passenger_set_free_keeps_its_own_captives() -> None:
    rows = [
        ship(1, 1, 8, captor_id=9, hex_id=None),
        unit(2, 2, 700, carrier_id=1),
        unit(3, 4, 50, captor_id=2),
        unit(9, 2, 900),
    ]
    after = settled(*rows, captured={1: 9})
    assert fates(after) == {1: "captured", 2: "freed"}
    assert place(after, 3) == {"captor_id": 2}


def test_freed_replaces_captured_and_passes_on() -> None:
    # 1 held 8; 2 captured 1 and died later in the turn: both are free where their captor was
    rows = [unit(1, 1, 10, captor_id=2), unit(2, 2, 0, hex_id=SEA), unit(8, 3, 50, captor_id=1)]
    after = settled(*rows, captured={1: 2})
    assert fates(after) == {1: "freed", 2: "dead", 8: "freed"}
    assert [place(after, n) for n in (1, 8)] == [{"hex_id": SEA}, {"hex_id": HEX}]


def test_shuffled_rows_settle_the_same() -> None:
    rows = [
        ship(1, 1, 8, captor_id=9, hex_id=None),
        ship(4, 1, 0),
        *(unit(i, i % 3 + 1, 100, carrier_id=(1, 4)[i % 2]) for i in range(10, 40)),
        *(unit(i, 4, 5, captor_id=i - 30) for i in range(40, 70)),
        unit(9, 2, 900),
    ]
    expected = settled(*rows, captured={1: 9})
    for name, frame in settled(*reversed(rows), captured={1: 9}).items():
        assert_frame_equal(frame, expected[name])
        conform(name, frame)


def test_dissolve_moves_the_units_without_troops() -> None:
    rows = [unit(1, 1, 0), unit(2, 1, 3), unit(3, 2, 0, carrier_id=2)]
    after = dissolve(units=units(*rows), rules=RULES, turn=TURN)
    assert_frame_equal(after["units"], units(rows[1]))
    assert_frame_equal(after["fallen"], units(rows[0], rows[2]))


@st.composite
def fleets(draw: st.DrawFn) -> Tables:
    """Ships that meet, with passengers of all realms, some of whom hold captives."""
    realm, troops = st.integers(1, 4), st.sampled_from([0, 1, 40, 3000, 10**6])
    rows = [
        ship(i, draw(realm), draw(troops), hex_id=HEX + draw(st.integers(0, 1))) for i in range(5)
    ]
    rows += [
        unit(i, draw(realm), draw(troops), carrier_id=draw(st.integers(0, 4)))
        for i in range(5, 5 + draw(st.integers(0, 8)))
    ]
    for i in range(len(rows), len(rows) + draw(st.integers(0, 5))):
        captor = draw(st.sampled_from([row for row in rows if "captor_id" not in row]))
        captive_realm = captor["realm_id"] % 4 + 1
        rows.append(unit(i, captive_realm, 50, captor_id=captor["unit_id"]))
    return {
        "units": units(*rows),
        "hexes": hexes(),
        "buildings": table("buildings", []),
        "alliances": allied(*draw(st.sets(st.sampled_from([(1, 2), (2, 3)])))),
        "movements": table("movements", []),
    }


@settings(max_examples=60)
@given(fleets())
def test_combat_and_status_equal_the_plain_loop(world: Tables) -> None:
    fought = fight(**world, rules=RULES, turn=TURN)
    state = {name: fought[name] for name in ("units", "battle_units")}
    result = settle(**state, rules=RULES, turn=TURN)
    result |= dissolve(units=result["units"], rules=RULES, turn=TURN)
    loop = as_world(world)
    reference_combat.fight(loop, open_book(RULES), TODAY)
    reference_status.settle(loop)
    reference_status.dissolve(loop)
    expected = write_world(loop)
    for name, frame in result.items():
        assert_frame_equal(frame, table(name, expected[name]))
        conform(name, frame)
