"""Sight: rings around units and buildings along the neighbour table (source 1, 7)."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.worlds import AXIAL, TODAY, archipelago, frames, small_rules, small_turn
from transforms import sight
from transforms.rules import Rules
from transforms.schema import conform, empty, shaped

SPOTS = {(q, r): 101 + n for n, (q, r) in enumerate((q, r) for q in range(6) for r in range(6))}


def neighbours() -> pl.DataFrame:
    """A rhombus of 6 × 6 hexes."""
    rows = [
        {"hex_id": a, "direction": d, "neighbour_id": SPOTS[q + dq, r + dr]}
        for (q, r), a in SPOTS.items()
        for d, (dq, dr) in enumerate(AXIAL)
        if (q + dq, r + dr) in SPOTS
    ]
    return shaped("neighbours", pl.DataFrame(rows))


def around(q: int, r: int, radius: int) -> set[int]:
    """Hexes of the rhombus within `radius` by the formula of axial distance."""
    return {
        hex_id
        for (x, y), hex_id in SPOTS.items()
        if max(abs(x - q), abs(y - r), abs(x - q + y - r)) <= radius
    }


def unit(unit_id: int, **more: Any) -> dict[str, Any]:
    row = {"realm_id": 1, "number": unit_id, "unit_type": "Krieger", "troops": 9}
    return {"unit_id": unit_id, "last_ashore": TODAY} | row | more


def building(building_id: int, code: str, spot: tuple[int, int], **more: Any) -> dict[str, Any]:
    row = {"building_id": building_id, "realm_id": 1, "building_type": code}
    return row | {"hex_id": SPOTS[spot]} | more


def seen(
    units: list[dict[str, Any]], buildings: list[dict[str, Any]], rules: Rules | None = None
) -> dict[int, set[int]]:
    """realm_id → the hexes it sees."""
    rows = {"units": units, "buildings": buildings}
    tables = {
        name: shaped(name, pl.from_dicts(given, infer_schema_length=None)) if given else empty(name)
        for name, given in rows.items()
    }
    found = rebuild(tables | {"neighbours": neighbours(), "atlas": empty("atlas")}, rules)["sight"]
    assert_frame_equal(found, conform("sight", found))
    return {
        realm_id: set(hexes)
        for realm_id, hexes in found.group_by("realm_id").agg("hex_id").iter_rows()
    }


def rebuild(tables: dict[str, pl.DataFrame], rules: Rules | None = None) -> dict[str, pl.DataFrame]:
    wanted = {name: tables[name] for name in ("units", "buildings", "neighbours", "atlas")}
    return sight.rebuild(**wanted, rules=rules or small_rules(), turn=small_turn())


def test_a_unit_sees_its_hex_and_the_six_around() -> None:
    assert seen([unit(1, hex_id=SPOTS[2, 2])], []) == {1: around(2, 2, 1)}
    assert len(around(2, 2, 1)) == 7


def test_only_living_units_ashore_see() -> None:
    units = [
        unit(1, hex_id=SPOTS[2, 2], troops=0),
        unit(2, carrier_id=4),
        unit(3, realm_id=2, captor_id=4),
        unit(4, realm_id=3, hex_id=SPOTS[0, 0], unit_type="Schiff"),
    ]
    assert seen(units, []) == {3: around(0, 0, 1)}


@pytest.mark.parametrize(("code", "radius"), [("LAG", 0), ("FST", 1), ("BRG", 2), ("TRM", 3)])
@pytest.mark.parametrize("completed_on", [None, TODAY - 1, TODAY + 9])
def test_a_central_building_sees_its_rings_finished_or_not(
    code: str, radius: int, completed_on: int | None
) -> None:
    tower = building(1, code, (3, 2), completed_on=completed_on)
    assert seen([], [tower]) == {1: around(3, 2, radius)}


def test_an_edge_building_sees_nothing() -> None:
    assert seen([], [building(1, "WAL", (3, 2), direction=2)]) == {}


def test_realms_see_for_themselves_and_circles_overlap() -> None:
    units = [unit(1, hex_id=SPOTS[1, 1]), unit(2, hex_id=SPOTS[1, 1], realm_id=2)]
    towers = [building(1, "TRM", (1, 1)), building(2, "BRG", (4, 4)), building(3, "LAG", (0, 5))]
    assert seen(units, towers) == {
        1: around(1, 1, 3) | around(4, 4, 2) | {SPOTS[0, 5]},
        2: around(1, 1, 1),
    }


def test_radius_of_units_is_a_constant_of_the_rules() -> None:
    rules = small_rules()
    for radius in (0, 2):
        farther = replace(rules, constants=replace(rules.constants, unit_sight_radius=radius))
        assert seen([unit(1, hex_id=SPOTS[2, 2])], [], farther) == {1: around(2, 2, radius)}


def test_rings_follow_the_neighbour_table() -> None:
    """Round a corner of the globe: 102 has one way out, which leads to 999."""
    seam = pl.DataFrame({"hex_id": [102, 999], "direction": [0, 3], "neighbour_id": [999, 102]})
    units = shaped("units", pl.DataFrame([unit(1, hex_id=102)]))
    tables = {"units": units, "buildings": empty("buildings"), "atlas": empty("atlas")}
    found = rebuild(tables | {"neighbours": shaped("neighbours", seam)})["sight"]
    assert found.rows() == [(1, 102), (1, 999)]


def test_nobody_sees_nothing_and_the_frozen_atlas_stays() -> None:
    atlas = shaped(
        "atlas", pl.DataFrame({"realm_id": 1, "hex_id": 101, "first_seen": 0, "last_seen": 0})
    )
    tables = {name: empty(name) for name in ("units", "buildings", "neighbours")}
    after = rebuild(tables | {"atlas": atlas})
    assert after["sight"].equals(empty("sight"))
    assert after["atlas"].equals(atlas)


def test_the_order_of_the_rows_does_not_matter() -> None:
    world = frames(archipelago(seed=3, worlds=60))
    shuffled = {n: frame.sample(fraction=1, shuffle=True, seed=7) for n, frame in world.items()}
    found = rebuild(world)["sight"]
    assert not found.is_empty()
    assert_frame_equal(found, rebuild(shuffled)["sight"])


def test_the_first_atlas_is_what_is_seen_at_the_start() -> None:
    seen_now = shaped("sight", pl.DataFrame({"realm_id": [2, 1], "hex_id": [101, 105]}))
    assert sight.first_atlas(seen_now, 0).rows() == [(1, 105, 0, 0), (2, 101, 0, 0)]
    assert sight.first_atlas(empty("sight"), 0).equals(empty("atlas"))
