"""Combat: the numbers of source 1, section 6, worked by hand, and the same as a plain loop."""

import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.battlefield import (
    HEX,
    RULES,
    TODAY,
    TURN,
    allied,
    as_world,
    castle,
    hexes,
    rules,
    table,
    unit,
    units,
)
from tests.reference import combat as reference
from tests.reference.book import open_book
from tests.reference.records import write_world
from transforms.combat import engage, fight, rounds
from transforms.rules import Rules
from transforms.schema import conform

Tables = dict[str, pl.DataFrame]


def battle(*rows: dict[str, Any], **more: Any) -> Tables:
    world: dict[str, Any] = {
        "units": units(*rows),
        "hexes": hexes(),
        "buildings": table("buildings", []),
        "alliances": allied(),
        "movements": table("movements", []),
        "rules": RULES,
        "turn": TURN,
    }
    return fight(**world | more)


def column(frame: pl.DataFrame, name: str) -> list[Any]:
    return frame[name].to_list()


# ── 6, 6.1: who fights ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [unit(1, 1, 1000), unit(2, 1, 500)],
        [unit(1, 1, 1000), unit(2, 2, 0)],
        [unit(1, 1, 1000), unit(2, 2, 1000, hex_id=HEX + 1)],
        [unit(1, 1, 1000), unit(2, 2, 1000, carrier_id=1)],
        [unit(1, 1, 1000), unit(2, 2, 1000, captor_id=1)],
    ],
    ids=["nobody", "one realm", "a dead enemy", "elsewhere", "aboard", "captive"],
)
def test_no_battle_without_two_realms_alive_and_ashore(rows: list[dict[str, Any]]) -> None:
    after = battle(*rows)
    assert_frame_equal(after["units"], units(*rows))
    assert after["battles"].is_empty()
    assert after["battle_units"].is_empty()


def test_alliances_reach_over_a_third_realm_that_is_present() -> None:
    chain = allied((1, 2), (2, 3))
    rows = [unit(1, 1, 1000), unit(2, 2, 1000), unit(3, 3, 1000), unit(4, 4, 1000)]
    after = battle(*rows, alliances=chain)
    assert column(after["battles"], "party") == [1, 4]
    assert column(after["battles"], "strength") == [15.0, 5.0]
    assert column(after["battle_units"], "party") == [1, 1, 1, 4]
    assert battle(*rows[:3], alliances=chain)["battles"].is_empty()


def test_alliances_do_not_reach_over_a_realm_that_is_absent() -> None:
    rows = [unit(1, 1, 1000), unit(2, 2, 1000, hex_id=HEX + 1), unit(3, 3, 1000)]
    after = battle(*rows, alliances=allied((1, 2), (2, 3)))
    assert column(after["battles"], "party") == [1, 3]


def test_the_same_realms_fight_on_every_hex_where_they_meet() -> None:
    rows = [unit(10 * h + r, r, 1000, hex_id=HEX + h) for h in range(4) for r in (1, 2)]
    after = battle(*rows)
    assert column(after["battles"].unique("hex_id"), "share") == [50.0] * 4
    assert after["battle_units"].height == 8


# ── 6.2, 6.3, 6.6: strengths, shares, losses ───────────────────────────────────────────────


def test_two_parties() -> None:
    # 2500 troops count as 3: (0 + 5) × 3 = 15; with 5 merit points (5 + 5) × 1 = 10
    after = battle(unit(1, 1, 2500), unit(2, 2, 1000, merit=5))
    expected = {
        "hex_id": [HEX, HEX],
        "party": [1, 2],
        "strength": [15.0, 10.0],
        "share": [40.0, 60.0],
        "absorbed": [0.0, 0.0],
        "final_share": [40.0, 60.0],
        "overrun": [False, False],
    }
    rows = [dict(zip(expected, row, strict=True)) for row in zip(*expected.values(), strict=True)]
    assert_frame_equal(after["battles"], table("battles", rows))
    assert column(after["battle_units"], "losses") == [1000, 600]
    assert column(after["units"], "troops") == [1500, 400]


def test_three_parties_share_in_one_go() -> None:
    # 15 + 10 + 25 = 50; elite level 4 counts five times
    after = battle(unit(1, 1, 2500), unit(2, 2, 1000, merit=5), unit(3, 3, 999, elite_combat=4))
    assert column(after["battles"], "strength") == [15.0, 10.0, 25.0]
    assert column(after["battles"], "share") == [70.0, 80.0, 50.0]
    assert column(after["battle_units"], "losses") == [1750, 800, 499]


def test_merit_of_a_party_is_summed_before_it_multiplies() -> None:
    # (1 + 2 + 5) × (1 + 2) = 24, not 6 × 1 + 7 × 2
    after = battle(unit(1, 1, 1000, merit=1), unit(2, 1, 2000, merit=2), unit(3, 2, 1000))
    assert column(after["battles"], "strength") == [24.0, 5.0]


def test_home_is_an_advantage_and_foreign_ground_a_drawback() -> None:
    # 5 × 1.25 = 6.25 against 5 × 0.75 = 3.75
    rows = [unit(1, 1, 1000, home_province_id=7), unit(2, 2, 1000, home_province_id=7)]
    after = battle(*rows, hexes=hexes(realm_id=1, province_id=7))
    assert column(after["battle_units"], "region_pct") == [125, 75]
    assert column(after["battles"], "strength") == [6.25, 3.75]
    assert column(after["battle_units"], "losses") == [375, 625]


@pytest.mark.parametrize(
    ("owner", "province", "home", "pct"),
    [
        (None, None, None, 100),
        (None, 7, None, 100),
        (None, None, 7, 100),
        (None, 7, 7, 125),
        (1, 7, 8, 100),
        (3, 7, 7, 75),
    ],
    ids=["null is no home", "no home", "no province", "nobody's", "own", "an ally's"],
)
def test_region_factor(owner: int | None, province: int | None, home: int | None, pct: int) -> None:
    rows = [unit(1, 1, 1000, home_province_id=home), unit(2, 2, 1000)]
    after = battle(*rows, hexes=hexes(owner, province), alliances=allied((1, 3)))
    assert column(after["battle_units"], "region_pct")[0] == pct


def test_the_highest_elite_level_a_table_holds_still_counts() -> None:
    after = battle(unit(1, 1, 1000, elite_combat=255), unit(2, 2, 1000))
    assert column(after["battles"], "strength") == [1280.0, 5.0]


def test_strengths_far_beyond_64_bits_are_exact() -> None:
    after = battle(unit(1, 1, 4 * 10**18, merit=2**31 - 1), unit(2, 2, 4 * 10**18, merit=2**31 - 1))
    assert column(after["battles"], "share") == [50.0, 50.0]
    assert column(after["units"], "troops") == [2 * 10**18] * 2


def test_a_clash_without_any_strength_hurts_nobody() -> None:
    after = battle(unit(1, 1, 1000), unit(2, 2, 1000), rules=rules(merit_base=0))
    assert column(after["battles"], "share") == [0.0, 0.0]
    assert column(after["units"], "troops") == [1000, 1000]


# ── 6.4: buildings ─────────────────────────────────────────────────────────────────────────

TWO = [unit(1, 1, 2500), unit(2, 2, 1000, merit=5)]  # shares 40 and 60


@pytest.mark.parametrize(
    ("kind", "damage", "absorbed", "after"),
    [
        ("BRG", 0.0, 29.0, 29.0),
        ("BRG", 4.5, 24.5, 29.0),
        ("FST", 10.0, 40.0, 50.0),
        ("BRG", 28.5, 0.5, 29.0),
        ("BRG", 29.0, 0.0, 29.0),
        ("BRG", 30.0, 0.0, 30.0),
    ],
    ids=["part", "part, damaged", "whole", "last half point", "used up", "in ruins"],
)
def test_a_building_absorbs_up_to_its_capacity(
    kind: str, damage: float, absorbed: float, after: float
) -> None:
    walls = table("buildings", [castle(9, 1, building_type=kind, damage=damage)])
    result = battle(*TWO, buildings=walls)
    assert column(result["battles"], "share") == [40.0, 60.0]
    assert column(result["battles"], "absorbed") == [absorbed, 0.0]
    assert column(result["battles"], "final_share") == [40.0 - absorbed, 60.0]
    assert column(result["battles"], "building_id") == [9 if absorbed else None, None]
    assert column(result["buildings"], "damage") == [after]
    assert column(result["units"], "troops")[0] == 2500 - int(25 * (40.0 - absorbed))


def test_a_used_up_building_is_not_replaced_by_the_next() -> None:
    walls = table("buildings", [castle(8, 1, damage=29.0), castle(9, 1)])
    assert column(battle(*TWO, buildings=walls)["battles"], "absorbed") == [0.0, 0.0]


def test_only_the_first_building_defends_whosever_it_is() -> None:
    walls = table("buildings", [castle(8, 2), castle(9, 1)])
    assert column(battle(*TWO, buildings=walls)["battles"], "building_id") == [None, 8]


@pytest.mark.parametrize(
    "no_defender",
    [
        castle(1, 3),
        castle(1, 1, hex_id=HEX + 1),
        castle(1, 1, completed_on=TODAY + 1),
        castle(1, 1, direction=2),
        castle(1, 1, building_type="WL"),
    ],
    ids=["of an absent realm", "elsewhere", "unfinished", "on an edge", "no central type"],
)
def test_a_building_that_cannot_defend_is_passed_over(no_defender: dict[str, Any]) -> None:
    walls = table("buildings", [no_defender, castle(9, 2, completed_on=TODAY)])
    result = battle(*TWO, buildings=walls)
    assert column(result["battles"], "building_id") == [None, 9]
    assert column(result["buildings"], "damage") == [0.0, 29.0]


def test_a_building_defends_the_whole_coalition_of_its_realm() -> None:
    walls = table("buildings", [castle(9, 2)])
    result = battle(*TWO, unit(3, 3, 1000), buildings=walls, alliances=allied((1, 2)))
    # (5 + 5) × (3 + 1) = 40 against 5: share 100 × 5 / 45
    assert column(result["battles"], "building_id") == [9, None]
    assert column(result["battle_units"], "losses")[:2] == [0, 0]


# ── 6.5, 6.7: overrun and capture ──────────────────────────────────────────────────────────


@pytest.mark.parametrize(("troops", "losses"), [(198_001, 100), (198_000, 99)])
def test_overrun_from_exactly_99_5(troops: int, losses: int) -> None:
    # 5 × 199 against 5 × 1: 100 × 199 / 200 = 99.5; against 198 it is 99.497…
    after = battle(unit(1, 1, 100), unit(2, 1, 0), unit(3, 2, troops))
    assert column(after["battles"], "overrun") == [losses == 100, False]
    assert 100 - column(after["battle_units"], "losses")[0] == (100 if losses == 100 else 1)
    assert column(after["units"], "hex_id")[0] == (None if losses == 100 else HEX)


def test_a_building_averts_the_overrun() -> None:
    walls = table("buildings", [castle(9, 1, damage=28.9)])
    after = battle(unit(1, 1, 100), unit(2, 2, 199_000), buildings=walls)
    assert column(after["battles"], "overrun") == [False, False]
    assert column(after["battle_units"], "losses")[0] == 99


def test_the_weakest_of_a_wiped_out_party_is_captured_by_the_strongest() -> None:
    # 5 × 2 of party 1, 5 × 10 of party 3, 5 × (1000 + 2000) of party 2
    rows = [
        unit(1, 1, 600),
        unit(2, 1, 400),
        unit(3, 2, 1_000_000),
        unit(4, 2, 2_000_000),
        unit(5, 3, 10_000),
    ]
    after = battle(*rows)
    fought = after["battle_units"]
    assert column(after["battles"], "overrun") == [True, False, True]
    assert column(fought, "captured") == [False, True, False, False, True]
    assert column(fought, "captor_id") == [None, 4, None, None, 4]
    assert column(fought, "losses")[:2] == [600, 0]
    captive = after["units"].row(1, named=True)
    assert (captive["troops"], captive["hex_id"], captive["captor_id"]) == (400, None, 4)
    conform("units", after["units"])


def test_captives_and_captors_tie_by_realm_then_number() -> None:
    rows = [
        unit(1, 6, 500, number=4),
        unit(2, 6, 500, number=3),
        unit(3, 5, 500, number=9),
        unit(4, 8, 500_000, number=2),
        unit(5, 8, 500_000, number=1),
        unit(6, 7, 500_000, number=9),
    ]
    after = battle(*rows, alliances=allied((5, 6), (7, 8)))
    taken = after["battle_units"].filter("captured")
    assert taken.select("unit_id", "captor_id").rows() == [(3, 6)]


def test_strongest_parties_tie_by_the_lowest_party() -> None:
    rows = [unit(1, 3, 500_000), unit(2, 2, 500_000), unit(3, 1, 1)]
    taken = battle(*rows)["battle_units"].filter("captured")
    assert taken.select("unit_id", "captor_id").rows() == [(3, 2)]


def test_nobody_is_captured_when_nobody_survives() -> None:
    after = battle(unit(1, 1, 1000), unit(2, 2, 1000), rules=rules(overrun_pct=50))
    assert column(after["units"], "troops") == [0, 0]
    assert column(after["battle_units"], "captured") == [False, False]


# ── the switches of complete ───────────────────────────────────────────────────────────────


def test_pairs_count_on_from_the_round_that_a_battle_has_reached() -> None:
    pairwise = rules(multi_party="pairwise")
    rows = units(unit(1, 1, 4000), unit(2, 2, 4000), unit(3, 3, 4000))
    engaged = engage(rows, hexes(), allied(), pairwise, TURN)
    fought = rounds.battle(
        engaged.with_columns(pl.lit(7, pl.UInt16).alias("round")),
        table("buildings", []),
        pairwise,
        TURN,
    )
    parties = fought.sides.sort("round", "party").group_by("round", maintain_order=True)
    assert parties.agg("party").rows() == [(7, [1, 2]), (8, [1, 3]), (9, [2, 3])]


def test_an_empty_castle_absorbs_nothing() -> None:
    assigned = rules(building_defence="assigned")
    walls = table("buildings", [castle(9, 1)])  # 2000 places
    after = battle(*TWO, buildings=walls, rules=assigned)
    assert column(after["battles"], "absorbed") == [0.0, 0.0]
    assert column(after["buildings"], "damage") == [0.0]
    after = battle(unit(6, 1, 2000, number=0), *TWO, buildings=walls, rules=assigned)
    assert column(after["battles"], "absorbed")[0] == 100.0 * 10 / 35
    assert column(after["battle_units"], "losses")[::2] == [714, 0]


def test_used_up_walls_shelter_but_do_not_absorb() -> None:
    assigned = rules(building_defence="assigned")
    walls = table("buildings", [castle(8, 1, damage=40.0), castle(9, 1, building_type="FST")])
    after = battle(*TWO, buildings=walls, rules=assigned)  # 2500 places, FST holds 59 points
    assert column(after["battles"], "building_id") == [9, None]
    assert column(after["buildings"], "damage") == [40.0, 40.0]


# ── for any battlefield ────────────────────────────────────────────────────────────────────

CLOSED = rules(
    multi_party="pairwise",
    building_defence="assigned",
    annihilation="share_or_odds",
    region="by_army_kind",
)


@st.composite
def battlefields(draw: st.DrawFn) -> Tables:
    realm, spot = st.integers(1, 5), st.integers(HEX, HEX + 3)
    crowd = draw(
        st.lists(
            st.tuples(
                realm,
                spot,
                st.sampled_from([0, 1, 7, 999, 1000, 1001, 5000, 400_000, 10**9]),
                st.sampled_from([0, 0, 3, 1000]),
                st.integers(0, 4),
                st.sampled_from([None, 7, 8]),
            ),
            max_size=14,
        )
    )
    rows = [
        unit(i, r, t, hex_id=h, number=len(crowd) - i, merit=m, elite_combat=e, home_province_id=p)
        for i, (r, h, t, m, e, p) in enumerate(crowd)
    ]
    walls = draw(
        st.lists(
            st.tuples(realm, spot, st.floats(0, 70), st.sampled_from([None, TODAY, TODAY + 1])),
            max_size=4,
        )
    )
    pairs = draw(st.sets(st.tuples(realm, realm).filter(lambda p: p[0] < p[1]), max_size=5))
    return {
        "units": units(*rows),
        "hexes": hexes(draw(st.sampled_from([None, 1, 2])), draw(st.sampled_from([None, 7]))),
        "buildings": table(
            "buildings",
            [
                castle(i, r, hex_id=h, damage=d, completed_on=c)
                for i, (r, h, d, c) in enumerate(walls)
            ],
        ),
        "alliances": allied(*pairs),
        "movements": table("movements", []),
    }


@settings(max_examples=40)
@given(battlefields(), st.sampled_from([RULES, CLOSED]))
def test_combat_equals_the_plain_loop(world: Tables, book: Rules) -> None:
    result = fight(**world, rules=book, turn=TURN)
    loop = as_world(world)
    reference.fight(loop, open_book(book), TODAY)
    expected = write_world(loop)
    for name, frame in result.items():
        assert_frame_equal(frame, table(name, expected.get(name, [])), check_exact=True)


@settings(max_examples=40)
@given(battlefields(), st.sampled_from([RULES, CLOSED]), st.integers())
def test_combat_does_not_depend_on_row_order_and_loses_no_troops(
    world: Tables, book: Rules, seed: int
) -> None:
    result = fight(**world, rules=book, turn=TURN)
    mixed = {name: shuffled(frame, seed) for name, frame in world.items()}
    again = fight(**mixed, rules=book, turn=TURN)
    for name, frame in result.items():
        assert_frame_equal(frame, again[name], check_exact=True)
        conform(name, frame)
    before, after = column(world["units"], "troops"), column(result["units"], "troops")
    assert sum(before) - sum(after) == sum(column(result["battle_units"], "losses"))
    assert (result["battle_units"]["losses"] <= result["battle_units"]["troops_before"]).all()


@settings(max_examples=40)
@given(battlefields())
def test_allies_never_fight(world: Tables) -> None:
    friends = allied(*((1, other) for other in range(2, 6)), (2, 3), (4, 5))
    everywhere = world["units"].filter(pl.col("hex_id").is_in(_hexes_of_realm_1(world["units"])))
    result = fight(**world | {"units": everywhere, "alliances": friends}, rules=RULES, turn=TURN)
    assert result["battles"].is_empty()
    assert_frame_equal(result["units"], everywhere)


def _hexes_of_realm_1(rows: pl.DataFrame) -> list[int]:
    return rows.filter(pl.col("realm_id") == 1, pl.col("troops") > 0)["hex_id"].unique().to_list()


def shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    order = list(range(frame.height))
    random.Random(seed).shuffle(order)
    return frame[order]
