"""What is on a realm's map and, more important, what is not."""

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from flows.game import read_rules
from tests.mapworld import ALT, AT, NEU, ROT, view, world
from transforms.atlas import map_views
from transforms.schema import shaped

RULES = read_rules(None, "promy2026", {}, where="test")


def ids(frame: pl.DataFrame) -> list[int]:
    return frame["hex_id"].unique().sort().to_list()


def field(name: str, **changes: object) -> dict[str, object]:
    return view(RULES, **changes).fields.row(by_predicate=pl.col("hex_id") == AT[name], named=True)


def test_only_hexes_of_the_atlas():
    assert ids(view(RULES).fields) == sorted(AT[n] for n in ("sea", "home", "hill", "far"))


def test_owners_only_where_it_sees_today():
    assert (field("home")["owner_id"], field("home")["owner_code"]) == (ALT, "ALT")
    assert (field("hill")["owner_id"], field("hill")["owner_code"]) == (NEU, "NEU")
    assert field("far")["owner_id"] is None
    assert not field("far")["seen"]


def test_own_units_and_buildings_everywhere_on_the_atlas_foreign_ones_in_sight():
    seen = view(RULES)
    assert seen.units.select("hex_id", "own", "code", "number").rows() == [
        (AT["home"], True, "ALT", 101),
        (AT["home"], False, "NEU", 201),
        (AT["far"], True, "ALT", 102),
    ]
    assert seen.buildings.select("hex_id", "own", "building_type", "direction").rows() == [
        (AT["home"], True, "BRG", None),
        (AT["hill"], False, "WL", 2),
        (AT["far"], True, "GAR", None),
    ]


def test_units_aboard_captive_or_without_troops_are_not_shown():
    units = world()["units"].with_columns(
        hex_id=pl.when(pl.col("number") == 101).then(None).otherwise("hex_id"),
        carrier_id=pl.when(pl.col("number") == 101).then(2).cast(pl.UInt32),
        troops=pl.when(pl.col("number") == 102).then(0).otherwise("troops"),
    )
    assert view(RULES, units=units).units["number"].to_list() == [201]


def test_edges_need_both_their_hexes():
    west, east = 1 << 5, 1 << 2
    assert field("home")["coasts"] == west
    assert field("sea")["coasts"] == east
    assert field("home")["borders"] == west | east  # ALT ends at the sea and at NEU
    assert field("hill")["borders"] == west  # and not towards `far`, which is out of sight
    assert field("home")["rivers"] == east
    assert field("far")["rivers"] == 0  # runs towards a hex that is not on the map


def test_switch_atlas_shows_today_on_the_whole_map():
    rules = replace(RULES, switches=replace(RULES.switches, map_shows="atlas"))
    shown = view(rules)
    assert shown.fields["seen"].all()
    assert 301 in shown.units["number"].to_list()
    assert shown.fields.filter(pl.col("hex_id") == AT["far"])["owner_id"].to_list() == [ROT]


def test_nothing_but_the_view_changes_with_what_is_hidden():
    """Whatever happens off the map, or out of sight of it, leaves every table as it was."""
    tables, before = world(), view(RULES)
    hidden, far = pl.col("hex_id") == AT["hidden"], pl.col("hex_id") == AT["far"]
    foreign = pl.col("realm_id") != ALT
    changed = {
        "hexes": tables["hexes"].with_columns(
            terrain=pl.when(hidden).then(pl.lit("Vulkan")).otherwise("terrain"),
            height=pl.when(hidden).then(pl.lit("Gebirge")).otherwise("height"),
            realm_id=pl.when(hidden | far).then(NEU).otherwise("realm_id").cast(pl.UInt16),
        ),
        "units": tables["units"].filter(~((hidden | far) & foreign)),
        "buildings": tables["buildings"].filter(~((hidden | far) & foreign)),
        "rivers": tables["rivers"].filter(pl.col("hex_b") != AT["hidden"]),
        "sight": tables["sight"].filter(pl.col("realm_id") == ALT),
    }
    after = view(RULES, **changed)
    for name in ("fields", "units", "buildings"):
        assert_frame_equal(getattr(after, name), getattr(before, name))


def test_rows_in_any_order_give_the_same_view():
    shuffled = {n: t.sample(fraction=1, shuffle=True, seed=3) for n, t in world().items()}
    after, before = view(RULES, **shuffled), view(RULES)
    for name in ("fields", "units", "buildings"):
        assert_frame_equal(getattr(after, name), getattr(before, name))


def test_every_realm_has_a_view_also_one_that_knows_nothing():
    views = list(map_views(**world(), rules=RULES, turn_number=3))
    assert [v.realm_id for v in views] == [ALT, NEU, ROT]
    assert [v.fields.height for v in views] == [4, 2, 0]
    assert views[2].fields.columns == views[0].fields.columns


def test_all_at_once_is_each_alone():
    for together in map_views(**world(), rules=RULES, turn_number=3):
        alone = view(RULES, realm_id=together.realm_id)
        assert_frame_equal(alone.fields, together.fields)
        assert_frame_equal(alone.units, together.units)


def test_unknown_realm():
    with pytest.raises(ValueError, match="no realm 9"):
        view(RULES, realm_id=9)


def test_hexes_of_an_empty_world():
    empty = {name: table.clear() for name, table in world().items() if name != "realms"}
    assert view(RULES, **empty).fields.is_empty()
    assert shaped("atlas", empty["atlas"]).is_empty()
