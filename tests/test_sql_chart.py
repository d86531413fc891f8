"""The line chart: ticks, labels that keep their distance, what is drawn where."""

from io import BytesIO
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from flows.shipped import map_style
from transforms.picture import chart
from transforms.picture.chart import Line, Text, draw_chart
from transforms.picture.page import whole_ticks

STYLE = map_style()
TEXT = Text("Title", "subtitle", "axis", STYLE.regular, STYLE.bold)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 149, [0, 50, 100, 150]),
        (0, 1, [0, 1]),
        (0, 12039, [0, 2000, 4000, 6000, 8000, 10000, 12000, 14000]),
        (-40, 100, [-50, 0, 50, 100]),
    ],
)
def test_ticks_are_round(low: int, high: int, expected: list[int]) -> None:
    found = whole_ticks(low, high, 6)
    assert found == expected or (found[0] <= low and found[-1] >= high and len(found) <= 8)


@given(st.integers(-(10**12), 10**12), st.integers(0, 10**12), st.integers(2, 12))
def test_ticks_cover_any_range(low: int, span: int, most: int) -> None:
    found = whole_ticks(low, low + span, most)
    assert found[0] <= low
    assert found[-1] >= low + span
    assert len(found) <= most + 3
    assert len({b - a for a, b in pairwise(found)}) <= 1


@given(st.lists(st.integers(92, 565), min_size=1, max_size=18).map(sorted))
def test_labels_keep_their_distance_and_order(places: list[int]) -> None:
    moved = chart._apart(places, 16, 573)
    assert moved[-1] <= 573
    assert all(b - a >= 16 - 1e-9 for a, b in pairwise(moved))


def _colours(picture: bytes) -> set[tuple[int, ...]]:
    image = Image.open(BytesIO(picture)).convert("RGB")
    return {colour for _, colour in image.getcolors(2**24) or []}  # type: ignore[misc]


def test_every_line_has_its_colour() -> None:
    lines = [Line(f"R{i}", f"Reich {i}", [(0, i * 10), (1, i * 10)]) for i in range(7)]
    assert set(chart._COLOURS) <= _colours(draw_chart(lines, TEXT))


def test_no_two_shown_lines_look_alike() -> None:
    looks = {(rank % 7, rank % 5) for rank in range(chart._LEGEND_MOST)}
    assert len(looks) == chart._LEGEND_MOST
    assert (len(chart._COLOURS), len(chart._MARKERS)) == (7, 5)


@pytest.mark.parametrize("turns", [1, 2, 400])
@pytest.mark.parametrize("realms", [1, 30])
def test_any_size_is_drawn(turns: int, realms: int) -> None:
    lines = [
        Line(f"LANGER{i:02d}", "Königreich der sehr langen Namen und der vielen Titel " * 2,
             [(t, (i * 7919 + t * 104729) % 10**9) for t in range(turns)])
        for i in range(realms)
    ]  # fmt: skip
    assert Image.open(BytesIO(draw_chart(lines, TEXT))).size == chart.SIZE


def test_nothing_but_zeroes() -> None:
    assert draw_chart([Line("A", "", [(0, 0), (1, 0)])], TEXT)
