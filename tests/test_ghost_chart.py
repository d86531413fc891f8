"""The schematic map: it tells the borders truly, can be read, and shows what its scene holds."""

from io import BytesIO

import polars as pl
import pytest
from PIL import Image

from flows.csvs import read_table
from flows.ghost_publish import paper_of
from flows.shipped import shipped
from tests.ghost_world import board, centres, knowledge, rules, units
from transforms.diplomacy.cells import partition
from transforms.diplomacy.chart import draw, full_scene, make_ground, png_bytes, scenes
from transforms.diplomacy.chart.drawing import Paper
from transforms.diplomacy.chart.scene import Arrow, Scene
from transforms.diplomacy.chart.style import KINDS, NOBODY, READABLE, TITLE_HEIGHT, contrast, flag

WIDTH = 1600
SHAPES = read_table(shipped("data", "diplomacy", "standard", "shapes.csv"), "ghost.shapes")
GROUND = make_ground(board().provinces, board().borders, SHAPES, width=WIDTH)


@pytest.fixture(scope="module")
def paper() -> Paper:
    return paper_of(board())


class TestGround:
    def test_cells_touch_exactly_where_provinces_border(self) -> None:
        assert not GROUND.closed
        assert not GROUND.links

    def test_every_common_border_is_long_enough_to_be_seen(self) -> None:
        seeds = [
            ("" if p == "-" else p, (x, y))
            for p, part, coast, x, y in SHAPES.iter_rows()
            if p == "-" or (part > 0 and not coast)
        ]
        scale = WIDTH / (make_width(seeds))
        assert min(partition(seeds).touching().values()) * scale > 8  # pixels

    def test_coasts_meet_exactly_where_fleets_sail_along(self) -> None:
        kinds = dict(board().provinces.select("province", "kind").iter_rows())
        corners: dict[tuple[int, int], set[str]] = {}
        for a, b, start, end in GROUND.borders:
            for x, y in (start, end):
                corners.setdefault((round(x * 10), round(y * 10)), set()).update((a, b))
        meeting = {
            (one, other)
            for here in corners.values()
            if any(kinds.get(p) == "sea" for p in here)
            for one in here
            for other in here
            if one < other and kinds.get(one) == kinds.get(other) == "coast"
        }
        fleets = board().borders.filter("fleet").select("province_a", "province_b").unique()
        sailing = {
            (a, b) for a, b in fleets.iter_rows() if a < b and kinds[a] == kinds[b] == "coast"
        }
        assert meeting == sailing

    def test_every_place_lies_on_its_own_ground(self) -> None:
        image = Image.new("L", (GROUND.width, GROUND.height))
        from PIL import ImageDraw

        order = sorted(GROUND.places)
        for province, cell in GROUND.cells:
            if province:
                ImageDraw.Draw(image).polygon(cell, order.index(province) + 1)
        for province, place in GROUND.places.items():
            for at in (place.at, *place.coasts.values()):
                assert image.getpixel((round(at[0]), round(at[1]))) == order.index(province) + 1

    def test_a_map_without_shapes_says_where_the_picture_would_lie(self) -> None:
        rows = {
            "province": ["A", "B", "C"],
            "abbr": ["Aa", "Bb", "Cc"],
            "kind": ["coast"] * 3,
            "centre": [False] * 3,
            "lon": [0.0, 5.0, 10.0],
            "lat": [0.0, 0.0, 0.0],
        }
        pairs = [("A", "C"), ("C", "A"), ("A", "B"), ("B", "A")]
        borders = pl.DataFrame(pairs, schema=["province_a", "province_b"], orient="row")
        ground = make_ground(pl.DataFrame(rows), borders, None, width=300)
        assert ground.closed == {("B", "C")}  # they touch, but nobody can cross
        assert ground.links == (("A", "C"),)  # they do not touch, but border


def make_width(seeds: list[tuple[str, tuple[float, float]]]) -> float:
    frame = partition(seeds).frame
    return frame[2] - frame[0]


class TestColours:
    @pytest.mark.parametrize("row", board().nations.to_dicts(), ids=lambda r: r["code"])
    def test_the_ink_on_a_nation_can_be_read(self, row: dict[str, str]) -> None:
        plate = flag(row["code"], row["de_name"], row["colour"])
        assert contrast(plate.ink, plate.fill) >= READABLE

    def test_any_colour_gets_a_readable_ink(self) -> None:
        for value in range(0, 256, 5):
            grey = flag("X", "X", f"#{value:02x}{value:02x}{value:02x}")
            assert contrast(grey.ink, grey.fill) >= READABLE

    def test_names_can_be_read_on_every_ground(self) -> None:
        assert min(contrast((24, 28, 36), ground) for ground in KINDS.values()) >= READABLE

    def test_sea_land_and_nobodys_ground_differ_in_grey(self) -> None:
        grey = [Image.new("RGB", (1, 1), c).convert("L").getpixel((0, 0)) for c in KINDS.values()]
        sea, coast, inland, nobody = grey
        assert min(coast, inland) - sea > 8
        assert sea - nobody > 40
        assert KINDS[""] == NOBODY


def scene(**changes: object) -> Scene:
    known = knowledge(units(GB="F Nth", F="F Eng"), centres(GB="Lon"))
    readers = pl.DataFrame({"viewer": ["ENGLAND"]})
    made = scenes(readers, known, centres(GB="Lon", F="Par"), rules().names, "Probe")["ENGLAND"]
    return Scene(**{**made.__dict__, **changes})


class TestPicture:
    def test_a_scene_holds_own_centres_and_known_units_only(self) -> None:
        made = scene()
        assert made.centres == {"LON": "ENGLAND"}
        assert {mark.province for mark in made.units} == {"NTH", "ENG"}
        assert "PAR" not in made.view
        assert made.view["DEN"] == "full"

    def test_equal_scenes_give_equal_bytes(self, paper: Paper) -> None:
        one, other = (png_bytes(draw(paper, scene())) for _ in range(2))
        assert one == other
        again = png_bytes(draw(paper_of(board()), scene()))
        assert one == again  # also from a ground drawn once more

    def test_there_is_nothing_in_the_file_but_the_picture(self, paper: Paper) -> None:
        image = Image.open(BytesIO(png_bytes(draw(paper, scene()))))
        assert image.info == {}
        assert image.mode == "P"

    def test_unknown_is_hatched_and_known_is_not(self, paper: Paper) -> None:
        image = draw(paper, scene()).convert("RGB")

        def colours(province: str) -> int:
            x, y = (round(v) for v in paper.ground.places[province].at)
            box = (x - 14, y - 34, x + 14, y - 20)
            crop = image.crop(tuple(v + (i % 2) * TITLE_HEIGHT for i, v in enumerate(box)))
            return len(crop.getcolors() or [])

        assert colours("NWG") == 1  # free and known: plain water
        assert colours("UKR") > 1
        assert colours("MOS") > 1

    def test_unknown_provinces_are_all_alike_whatever_stands_there(self, paper: Paper) -> None:
        known = knowledge(
            units(GB="F Nth", F="F Eng", R="A Mos, A Ukr"), centres(GB="Lon", R="Mos")
        )
        readers = pl.DataFrame({"viewer": ["ENGLAND"]})
        held = centres(GB="Lon", R="Mos, War")
        other = scenes(readers, known, held, rules().names, "Probe")["ENGLAND"]
        assert png_bytes(draw(paper, other)) == png_bytes(draw(paper, scene()))

    def test_own_orders_are_a_layer_of_their_own(self, paper: Paper) -> None:
        move = Arrow("move", ("NTH", None), ("HOL", None), None, failed=True)
        support = Arrow("support", ("ENG", None), ("HOL", None), ("NTH", None), failed=False)
        with_layer = png_bytes(draw(paper, scene(arrows=(move, support))))
        assert with_layer != png_bytes(draw(paper, scene()))

    def test_the_whole_position_on_every_coast(self, paper: Paper) -> None:
        position = units(R="F StP(nc)", F="F Spa(sc)", OR="F Bul(ec)")
        whole = full_scene(position, centres(R="StP"), board().provinces, "Probe")
        assert set(whole.view) == set(board().provinces["province"])
        draw(paper, whole)
