"""Whoever wades through a river loses troops: crossings, bridges, and who is spared."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.worlds import TODAY, small_rules, small_turn
from transforms.rivers import cross
from transforms.rules import Rules
from transforms.schema import empty, shaped

RULES, TURN = small_rules(river_losses="on"), small_turn()
ODD = ("Furter", "Immun")
Row = dict[str, Any]
Tables = dict[str, pl.DataFrame]


def unit(unit_id: int, troops: int = 1000, unit_type: str = "Krieger") -> Row:
    where = {"realm_id": 1, "number": unit_id, "hex_id": 101, "last_ashore": TODAY}
    return {"unit_id": unit_id, "troops": troops, "unit_type": unit_type} | where


def bridge(completed_on: int | None, hex_id: int = 102, direction: int = 2) -> Row:
    kind = {"building_id": 1, "realm_id": 2, "building_type": "BRK", "hex_id": hex_id}
    return kind | {"direction": direction, "completed_on": completed_on}


def row_of_hexes() -> pl.DataFrame:
    """101, 102, 103, 104 from west to east."""
    east = [{"hex_id": h, "direction": 2, "neighbour_id": h + 1} for h in (101, 102, 103)]
    west = [{"hex_id": h + 1, "direction": 5, "neighbour_id": h} for h in (101, 102, 103)]
    return shaped("neighbours", pl.DataFrame([*east, *west]))


def given(
    units: list[Row], walks: dict[int, list[int]], buildings: tuple[Row, ...] = (), start: int = 0
) -> Tables:
    """Rivers between 101 and 102 and between 102 and 103."""
    steps = [
        {"unit_id": u, "step": n, "hex_id": h}
        for u, way in walks.items()
        for n, h in enumerate(way, start)
    ]
    rows: dict[str, list[Row]] = {
        "units": units,
        "walks": steps,
        "rivers": [{"hex_a": 101, "hex_b": 102}, {"hex_a": 102, "hex_b": 103}],
        "buildings": list(buildings),
        "splits": [],
    }
    tables = {n: shaped(n, pl.DataFrame(r)) if r else empty(n) for n, r in rows.items()}
    return tables | {"neighbours": row_of_hexes()}


def crossed(tables: Tables, rules: Rules = RULES) -> Tables:
    return cross(**tables, rules=rules, turn=TURN)


def test_each_crossing_takes_its_part_of_what_the_one_before_left() -> None:
    after = crossed(given([unit(1)], {1: [101, 102, 103, 104, 103, 102]}))
    first, second, third = after["draws"]["value"]
    assert after["draws"].select("stream", "entity", "index", "lo", "hi").rows() == [
        (5, 65537, n, 1, 10) for n in range(3)
    ]
    left = 1000
    lost = []
    for value in (first, second, third):
        lost.append((value, left, left * value // 100))
        left -= left * value // 100
    assert after["losses"].select("percent", "troops_before", "losses").rows() == lost
    assert after["losses"]["crossing"].to_list() == [0, 1, 2]
    assert after["units"]["troops"].to_list() == [left]
    assert after["messages"]["text"].to_list() == [
        f"{n} Krieger ertrinken beim Überqueren des Flusses." for _, _, n in lost
    ]


def test_no_crossing_no_roll() -> None:
    """Along a river, from a ship onto its bank, and a jump over it that no edge lies between."""
    ways = {1: [103, 104], 2: [101, 103], 4: [102, 102]}
    landed = given([unit(3)], {3: [102]}, start=1)["walks"]
    tables = given([unit(n) for n in range(1, 5)], ways)
    tables["walks"] = pl.concat([tables["walks"], landed]).sort("unit_id", "step")
    after = crossed(tables)
    assert after["losses"].is_empty()
    assert after["units"].equals(tables["units"])


@pytest.mark.parametrize("kind", ["Greif", "Schiff", "Luftschiff", "Furter", "Immun"])
def test_flyers_ships_fording_and_immune_units_do_not_roll(kind: str) -> None:
    plain = RULES.unit_types.filter(name="Krieger")
    odd = pl.concat([plain.with_columns(name=pl.lit(n), fords=n == "Furter") for n in ODD])
    immune = shaped(
        "immunities", pl.DataFrame([{"unit_type": "Immun", "kind": "river", "name": ""}])
    )
    rules = replace(
        RULES,
        unit_types=pl.concat([RULES.unit_types, odd]),
        immunities=pl.concat([RULES.immunities, immune]),
    )
    after = crossed(given([unit(1, unit_type=kind)], {1: [101, 102]}), rules)
    assert after["draws"].is_empty()
    assert crossed(given([unit(1)], {1: [101, 102]}), rules)["draws"].height == 1


@pytest.mark.parametrize(
    ("built", "rolls"),
    [
        (bridge(None), 1),
        (bridge(TODAY), 1),
        (bridge(TODAY + 1), 2),  # not finished yet
        (bridge(None, 103, 5), 1),  # the same edge, stored on its other side
        (bridge(None, 102, 5), 1),  # the first river
        (bridge(None, 103, 2), 2),  # no river there
        (bridge(None) | {"building_type": "WAL"}, 2),
        (bridge(None) | {"direction": None}, 2),
    ],
)
def test_a_finished_bridge_of_any_realm_on_either_side(built: Row, rolls: int) -> None:
    after = crossed(given([unit(1)], {1: [101, 102, 103]}, (built,)))
    assert after["draws"]["index"].to_list() == list(range(rolls))


def test_a_loss_of_nothing_is_rolled_and_not_told() -> None:
    after = crossed(given([unit(1, troops=9)], {1: [101, 102]}))
    assert after["losses"]["losses"].to_list() == [0]
    assert after["messages"].is_empty()


def test_lines_stand_by_unit_and_crossing() -> None:
    units = [unit(2, 10_000), unit(1, 300_000)]
    after = crossed(given(units, {1: [101, 102, 103], 2: [103, 102, 101]}))
    assert after["messages"]["unit_id"].to_list() == [1, 1, 2, 2]
    assert after["messages"]["amount"].to_list() == after["losses"]["losses"].to_list()


def test_a_unit_split_off_this_turn_crosses_without_loss() -> None:
    tables = given([unit(1), unit(2)], {1: [101, 102], 2: [101, 102]})
    part = {"realm_id": 1, "line": 1, "unit_id": 1, "after_step": 0, "number": 2}
    part |= {"troops": 1000, "leaders": 0, "new_unit_id": 2}
    after = crossed(tables | {"splits": shaped("splits", pl.DataFrame([part]))})
    assert after["losses"]["unit_id"].to_list() == [1]


def test_the_order_of_rows_does_not_matter() -> None:
    ways = {n: [101, 102, 103, 102][: 1 + n % 4] for n in range(1, 60)}
    tables = given([unit(n, 100 * n) for n in ways], ways, (bridge(None),))
    shuffled = {n: t.sample(fraction=1, shuffle=True, seed=1) for n, t in tables.items()}
    one, other = crossed(tables), crossed(shuffled)
    for name, frame in one.items():
        assert_frame_equal(frame, other[name])


def test_off() -> None:
    tables = given([unit(1)], {1: [101, 102]})
    after = crossed(tables, small_rules())
    assert after.pop("units") is tables["units"]
    assert all(frame.is_empty() for frame in after.values())
