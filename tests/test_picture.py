"""The picture: blank where nothing is known, the same bytes every time, readable at every size."""

import tomllib
from dataclasses import replace
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from flows.game import read_rules
from flows.shipped import map_style, shipped
from tests.mapworld import ALT, AT, NEU, view, world
from transforms.atlas import MapView
from transforms.errors import InputError
from transforms.picture import draw_map, make_style, png_bytes
from transforms.picture.layout import frame_of, nearest_to_middle
from transforms.picture.pen import font
from transforms.picture.plates import arrange
from transforms.picture.tiles import Plate, Tiles

RULES = read_rules(None, "promy2026", {}, where="test")
STYLE = map_style()


def picture(of: MapView) -> Image.Image:
    return draw_map(of, RULES, style=STYLE, title="Erkenfara", date="Nissan 414 n.P.")


def block(count: int) -> MapView:
    """A view of `count` hexes in a square, without units."""
    side = round(count**0.5)
    rows = pl.DataFrame({"i": range(count)}).with_columns(
        q=pl.col("i") % side, r=pl.col("i") // side
    )
    fields = rows.select(
        hex_id=pl.col("i") + 101,
        gf=(pl.col("q") // 7 * 100 + pl.col("r") // 7 + 1),
        kf=pl.col("i") % 48 + 1,
        q=(pl.col("q") - pl.col("r") // 2).cast(pl.Int32),
        r=pl.col("r").cast(pl.Int32),
        terrain=pl.when(pl.col("i") % 3 == 0).then(pl.lit("Wald")).otherwise(pl.lit("Flur")),
        height=pl.lit("Tiefland"),
        level=pl.lit(1, pl.Int32),
    )
    like = view(RULES)
    extra = {c: pl.lit(0, pl.UInt8).alias(c) for c in ("coasts", "rivers", "gf_edges", "borders")}
    owner = like.fields.clear().select("owner_id", "owner_code").schema
    fields = fields.with_columns(
        *extra.values(),
        *(pl.lit(None, dtype).alias(name) for name, dtype in owner.items()),
        seen=pl.lit(True),
    )
    return replace(like, fields=fields, units=like.units.clear(), buildings=like.buildings.clear())


def test_same_view_same_bytes():
    assert png_bytes(picture(view(RULES))) == png_bytes(picture(view(RULES)))


def test_no_metadata_in_the_file():
    data = png_bytes(picture(view(RULES)))
    assert b"tIME" not in data
    assert b"tEXt" not in data


@settings(max_examples=8)
@given(
    hidden=st.tuples(st.sampled_from(["Wald", "Vulkan"]), st.sampled_from([None, ALT, NEU])),
    far_owner=st.sampled_from([None, ALT, NEU]),
    number=st.integers(100, 999),
    foreign_on_far=st.booleans(),
)
def test_what_a_realm_may_not_see_never_changes_its_picture(
    hidden: tuple[str, int | None], far_owner: int | None, number: int, foreign_on_far: bool
):
    tables = world()
    off_map, out_of_sight = pl.col("hex_id") == AT["hidden"], pl.col("hex_id") == AT["far"]
    foreign = (pl.col("realm_id") != ALT) & (off_map | out_of_sight)
    changed = {
        "hexes": tables["hexes"].with_columns(
            terrain=pl.when(off_map).then(pl.lit(hidden[0])).otherwise("terrain"),
            realm_id=pl.when(off_map)
            .then(pl.lit(hidden[1], pl.UInt16))
            .when(out_of_sight)
            .then(pl.lit(far_owner, pl.UInt16))
            .otherwise("realm_id"),
        ),
        "units": tables["units"].with_columns(
            number=pl.when(foreign).then(number).otherwise("number").cast(pl.UInt16),
            hex_id=pl.when(foreign)
            .then(AT["far"] if foreign_on_far else AT["hidden"])
            .otherwise("hex_id")
            .cast(pl.UInt32),
        ),
        "buildings": tables["buildings"].filter(~foreign),
    }
    assert picture(view(RULES, **changed)).tobytes() == picture(view(RULES)).tobytes()


def test_what_it_sees_does_change_its_picture():
    moved = world()["units"].with_columns(
        hex_id=pl.when(pl.col("number") == 201).then(AT["hill"]).otherwise("hex_id").cast(pl.UInt32)
    )
    assert picture(view(RULES, units=moved)).tobytes() != picture(view(RULES)).tobytes()


def test_unknown_hexes_stay_blank():
    known = block(49)
    hole = known.fields.filter((pl.col("q") == 1) & (pl.col("r") == 4))
    pierced = replace(known, fields=known.fields.join(hole, on="hex_id", how="anti"))
    frame = frame_of(pierced.fields)
    x, y = frame.at(hole["q"][0], hole["r"][0])
    reach = int(frame.hex_width * 0.32)
    image = picture(pierced)
    left, top = _origin(pierced)
    area = image.crop((left + x - reach, top + y - reach, left + x + reach, top + y + reach))
    assert area.getcolors() == [(area.width * area.height, STYLE.paper)]


@pytest.mark.parametrize(("name", "both"), [("STR", True), ("KN", True), ("WL", False)])
def test_a_road_leads_on_into_the_next_hex_if_that_is_known(name: str, both: bool):
    """Roads and canals go from middle to middle, a wall stays on its own side."""
    known = block(49)
    here, there = (known.fields.filter(q=q, r=2)["hex_id"].item() for q in (1, 2))
    row = {"hex_id": here, "building_type": name, "direction": 2, "own": True}
    building = pl.DataFrame([row], schema=known.buildings.schema)
    assert _drawn_in(known, building, 1) > 0
    assert (_drawn_in(known, building, 2) > 0) == both
    pierced = replace(known, fields=known.fields.filter(pl.col("hex_id") != there))
    assert _drawn_in(pierced, building, 2) == 0


def _drawn_in(of: MapView, buildings: pl.DataFrame, q: int) -> int:
    """How many pixels of the hex q, 2 are different with the buildings, its rim left out."""
    frame, x_y = frame_of(of.fields), frame_of(of.fields).at(q, 2)
    before, after = picture(of), picture(replace(of, buildings=buildings))
    left, top = _origin(of)
    reach = frame.hex_width * 0.38
    x, y = left + x_y[0], top + x_y[1]
    box = tuple(round(v) for v in (x - reach, y - reach, x + reach, y + reach))
    pixels = (image.convert("RGB").crop(box).get_flattened_data() for image in (before, after))
    return sum(a != b for a, b in zip(*pixels, strict=True))


def _origin(of: MapView) -> tuple[int, int]:
    """Where the map lies on its page: margins as in the legend."""
    scale = frame_of(of.fields).scale
    return round(24 * scale), round(104 * scale)


def test_a_realm_that_knows_nothing_gets_a_page_that_says_so():
    image = picture(view(RULES, realm_id=3))
    assert image.width > 300
    assert len(image.getcolors(image.width * image.height)) > 1


@pytest.mark.parametrize(
    ("count", "hex_from", "hex_to"), [(50, 110, 120), (500, 70, 100), (5000, 38, 60)]
)
def test_size_of_a_hex_follows_from_the_extent(count: int, hex_from: int, hex_to: int):
    of = block(count)
    frame = frame_of(of.fields)
    assert hex_from <= frame.hex_width <= hex_to
    assert frame.hex_width % 2 == 0
    image = picture(of)
    assert image.width <= 4000
    assert image.height <= 4000


def test_neighbours_lie_one_hex_width_apart():
    frame = frame_of(block(50).fields)
    x, y = frame.at(2, 2)
    assert frame.at(3, 2) == (x + frame.hex_width, y)
    assert frame.at(2, 3) == (x + frame.hex_width // 2, y + frame.pitch)


def test_middle_of_a_group():
    fields = pl.DataFrame(
        {"hex_id": [1, 2, 3, 4], "gf": [7, 7, 7, 8], "q": [0, 1, 2, 9], "r": [0, 0, 0, 5]}
    )
    assert nearest_to_middle(fields, "gf").rows() == [(7, 2, 1, 0), (8, 4, 9, 5)]


def plates(*numbers: int, own: bool = True) -> list[Plate]:
    return [Plate(str(n), str(n) if own else "NEU", "block", own, (0, 0, 0)) for n in numbers]


@pytest.mark.parametrize(
    ("own", "foreign", "room", "texts"),
    [
        ([101], [], (60, 40), ["101"]),
        ([101, 102, 103, 104], [], (60, 40), ["101", "102", "103", "104"]),
        ([101, 102, 103, 104, 105], [], (60, 40), ["101", "102", "103", "+2"]),
        ([101, 102, 103], [201, 202, 203], (60, 40), ["101", "+2", "201", "+2"]),
        ([101], [201], (30, 40), ["101", "201"]),
        ([101, 102], [201], (30, 40), ["2×", "201"]),
        ([101, 102], [201], (30, 20), ["2×", "NEU"]),
    ],
)
def test_plates_show_numbers_as_far_as_there_is_room(
    own: list[int], foreign: list[int], room: tuple[int, int], texts: list[str]
):
    spots = arrange(plates(*own), plates(*foreign, own=False), lambda p: (24, 15), room)
    assert [plate.text for plate, _, _ in spots] == texts


@given(own=st.integers(0, 2000), foreign=st.integers(0, 2000))
@settings(max_examples=30)
def test_no_unit_is_lost_in_a_stack(own: int, foreign: int):
    mine, others = plates(*range(own)), plates(*range(foreign), own=False)
    spots = arrange(mine, others, lambda p: (24, 15), (60, 40))
    for side, count in ((True, own), (False, foreign)):
        texts = [p.text for p, _, _ in spots if p.own == side]
        rest = [int(t.strip("+×")) for t in texts if not t.isdecimal() and t != "NEU"]
        assert len(texts) - len(rest) + sum(rest) == count


@pytest.mark.parametrize("data", [STYLE.regular, STYLE.bold])
def test_fonts_have_the_letters_of_german_names(data: bytes):
    face = font(data, 24)
    missing = bytes(face.getmask("\uffff"))
    for letter in "ÄÖÜäöüßéñøčłő–·×„“":
        assert bytes(face.getmask(letter)) != missing, letter


def test_every_name_of_the_rule_set_has_a_look():
    assert set(RULES.terrains["name"]) <= {*STYLE.terrains}
    assert set(RULES.building_types["code"]) <= {*STYLE.buildings}


def test_terrains_differ_without_colour():
    """Two terrains never share their symbol, unless they differ clearly in lightness."""
    tiles = Tiles(STYLE, 60, 52)
    pictures = {
        name: tiles.swatch(name, 1).convert("L").tobytes() for name in RULES.terrains["name"]
    }
    assert len(set(pictures.values())) == len(pictures)
    by_symbol: dict[str, list[int]] = {}
    for name in RULES.terrains["name"]:
        look = STYLE.look(name, 1)
        lightness = Image.new("RGB", (1, 1), look.colour).convert("L").getpixel((0, 0))
        by_symbol.setdefault(look.symbol, []).append(lightness)
    for lights in by_symbol.values():
        lights.sort()
        assert all(b - a > 25 for a, b in pairwise(lights))


def test_unknown_names_are_drawn_neutrally():
    strange = view(RULES)
    fields = strange.fields.with_columns(terrain=pl.lit("Pilzwald"), level=pl.lit(None, pl.Int32))
    units = strange.units.with_columns(unit_type=pl.lit("Elefant"))
    buildings = strange.buildings.with_columns(building_type=pl.lit("XYZ"))
    image = picture(replace(strange, fields=fields, units=units, buildings=buildings))
    assert image.width > 300


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("terrains", "Wald", "symbol"), "trees", "unknown symbol 'trees'"),
        (("page", "ink"), "black", "is no colour"),
        (("units", "Reiter"), "horse", "unknown symbol 'horse'"),
        (("farben",), {}, "unknown section 'farben'"),
    ],
)
def test_faults_in_the_style_are_named(path: tuple[str, ...], value: object, message: str):
    given_style = tomllib.loads(shipped("data", "map_style.toml").read_text(encoding="utf-8"))
    place = given_style
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(InputError, match=message):
        make_style(given_style, regular=b"", bold=b"")
