"""Geometry of the map, against the published border pairs of the 48-field layout."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms import hexgrid, schema
from transforms.hexgrid import DIRECTIONS, GF_DIRECTIONS

BORDERS = {
    "N": {1: (44, 45), 2: (45, 46), 3: (46, 47), 4: (47, 48)},
    "NO": {4: (23,), 9: (23, 31), 15: (31, 38), 22: (38, 44), 30: (44,)},
    "SO": {30: (1, 5), 37: (5, 10), 43: (10, 16), 48: (16, 23)},
    "S": {44: (1,), 45: (1, 2), 46: (2, 3), 47: (3, 4), 48: (4,)},
    "SW": {23: (4, 9), 31: (9, 15), 38: (15, 22), 44: (22, 30)},
    "NW": {1: (30,), 5: (30, 37), 10: (37, 43), 16: (43, 48), 23: (48,)},
}
AROUND = {  # the self-check values of the layout
    1: ("N/44", "N/45", "2", "6", "5", "NW/30"),  # the first two are NW and NO
    48: ("42", "43", "SO/16", "SO/23", "S/4", "47"),
    23: ("NW/48", "16", "24", "31", "SW/9", "SW/4"),
}


def flower() -> tuple[pl.DataFrame, pl.DataFrame]:
    """Großfeld 100 with all six neighbours 101..106, each knowing only the one in the middle."""
    hexes = pl.DataFrame({"gf": range(100, 107)}).join(hexgrid.LAYOUT.select("kf"), how="cross")
    out = schema.shaped(
        "gf_neighbours",
        pl.DataFrame({"gf": [100] * 6, "direction": range(6), "neighbour_gf": range(101, 107)}),
    )
    back = out.select(
        gf="neighbour_gf", direction=hexgrid.opposite(pl.col("direction")), neighbour_gf="gf"
    )
    return hexes.cast({"gf": pl.UInt32}), pl.concat([out, back])


def test_layout_has_48_fields_numbered_row_by_row() -> None:
    rows = hexgrid.LAYOUT.group_by("kf_r").agg(pl.col("kf").min()).sort("kf_r")["kf"]
    assert rows.to_list() == [1, 5, 10, 16, 23, 31, 38, 44]
    assert hexgrid.LAYOUT["kf"].to_list() == list(range(1, 49))


@pytest.mark.parametrize("gf_direction", GF_DIRECTIONS)
def test_border_pairs(gf_direction: str) -> None:
    rule = hexgrid.BORDER_RULE.filter(gf_direction=GF_DIRECTIONS.index(gf_direction))
    pairs = rule.group_by("kf").agg(pl.col("neighbour_kf").sort()).sort("kf")
    assert {kf: tuple(others) for kf, others in pairs.iter_rows()} == BORDERS[gf_direction]


@pytest.mark.parametrize("kf", AROUND)
def test_self_check_values(kf: int) -> None:
    rule = hexgrid.BORDER_RULE.filter(kf=kf).sort("direction")
    found = tuple(
        str(other) if side is None else f"{GF_DIRECTIONS[side]}/{other}"
        for side, other in rule.select("gf_direction", "neighbour_kf").iter_rows()
    )
    assert found == AROUND[kf]
    assert rule["direction"].to_list() == list(range(len(DIRECTIONS)))


def test_neighbours_are_symmetric_and_the_edge_is_open() -> None:
    hexes, links = flower()
    table = hexgrid.neighbour_table(hexes=hexes, gf_neighbours=links)
    back = table.select(
        hex_id="neighbour_id",
        direction=hexgrid.opposite(pl.col("direction")),
        neighbour_id="hex_id",
    )
    assert table.equals(back.sort("hex_id", "direction"))
    of_the_middle = table.filter(pl.col("hex_id") // 100 == 100)
    assert of_the_middle.height == 48 * 6
    assert table.filter(hex_id=10101)["direction"].to_list() == [2, 3, 4]  # its west is unknown


def test_a_hole_in_the_map_is_no_neighbour() -> None:
    hexes, links = flower()
    table = hexgrid.neighbour_table(
        hexes=hexes.filter(~((pl.col("gf") == 100) & (pl.col("kf") == 26))), gf_neighbours=links
    )
    assert not (table["neighbour_id"] == 10026).any()
    assert table.filter(hex_id=10025)["direction"].to_list() == [0, 1, 3, 4, 5]


def test_row_order_does_not_matter() -> None:
    hexes, links = flower()
    expected = hexgrid.neighbour_table(hexes=hexes, gf_neighbours=links)
    shuffled = hexgrid.neighbour_table(
        hexes=hexes.sample(fraction=1, shuffle=True, seed=3),
        gf_neighbours=links.sample(fraction=1, shuffle=True, seed=4),
    )
    assert shuffled.equals(expected)


def test_an_empty_map_has_no_neighbours() -> None:
    hexes, links = flower()
    assert hexgrid.neighbour_table(hexes=hexes.clear(), gf_neighbours=links).is_empty()
    assert hexgrid.positions(hexes=hexes.clear(), gf_neighbours=links.clear()).is_empty()


@given(st.sets(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), min_size=1, max_size=60))
def test_a_plane_map_keeps_its_neighbours_in_cells(points: set[tuple[int, int]]) -> None:
    plane = pl.DataFrame(sorted(points), schema={"q": pl.Int32, "r": pl.Int32}, orient="row")
    hexes = hexgrid.in_cells(plane).with_columns(hex_id=hexgrid.hex_id())
    assert hexes["hex_id"].is_unique().all()
    table = hexgrid.neighbour_table(
        hexes=hexes, gf_neighbours=hexgrid.gf_neighbours_on_plane(hexes)
    )
    number = {(q, r): h for q, r, h in hexes.select("q", "r", "hex_id").iter_rows()}
    expected = {
        (h, d, number[q + dq, r + dr])
        for (q, r), h in number.items()
        for d, (dq, dr) in enumerate(hexgrid.STEPS)
        if (q + dq, r + dr) in number
    }
    assert set(table.iter_rows()) == expected


def test_numbers_of_a_plane_map_count_columns_and_rows() -> None:
    plane = pl.DataFrame(
        {"q": [0, 4, 8, -4], "r": [0, -8, -4, 8]}, schema_overrides={"q": pl.Int32}
    )
    assert hexgrid.in_cells(plane.cast(pl.Int32))["gf"].to_list() == [102, 101, 201, 103]


def test_unrolling_gives_back_the_plane() -> None:
    plane = pl.DataFrame(
        [(q, r) for q in range(-20, 20) for r in range(-15, 15)],
        schema={"q": pl.Int32, "r": pl.Int32},
        orient="row",
    )
    hexes = hexgrid.in_cells(plane)
    links = hexgrid.gf_neighbours_on_plane(hexes)
    again = hexgrid.positions(hexes=hexes.select("gf", "kf"), gf_neighbours=links)
    shift = (again["q"] - hexes["q"]).unique(), (again["r"] - hexes["r"]).unique()
    assert [len(s) for s in shift] == [1, 1]


def test_separate_parts_do_not_overlap() -> None:
    hexes, links = flower()
    alone = hexgrid.positions(hexes=hexes, gf_neighbours=links.clear())
    assert alone.select("q", "r").is_unique().all()
