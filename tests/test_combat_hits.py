"""The combat model hits inside the hex game: by hand, and unit by unit against the reference."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.battlefield import (
    HEX,
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
from tests.reference import hits_clash as reference
from tests.reference.book import open_book
from tests.reference.records import write_world
from transforms.combat import engage, fight
from transforms.combat.by_hits import clash_by_hits
from transforms.errors import InputError
from transforms.rules import Rules
from transforms.schema import conform

Tables = dict[str, pl.DataFrame]


def hits_rules(**overrides: Any) -> Rules:
    """Krieger of 1000, ships of 10 that shoot; Burg, a Festung that is only a palisade."""
    made = rules(combat_model="hits", **overrides)
    ranged = pl.col("name") == "Schiff"
    walls = pl.col("code").replace_strict({"BRG": "burg", "FST": "pal"}, default="none")
    return replace(
        made,
        unit_types=made.unit_types.with_columns(ranged=ranged),
        building_types=made.building_types.with_columns(
            fortification=walls.cast(made.building_types["fortification"].dtype)
        ),
    )


RULES = hits_rules()


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


def test_combatants_strength_and_strikes() -> None:
    # 2500 Krieger are three combatants of KK 2 (elite 1); 30 abroad count 75 %
    after = battle(unit(1, 1, 2500, elite_combat=1), unit(2, 2, 30_000), hexes=hexes(realm_id=1))
    armies = after["battle_armies"]
    assert armies["army_id"].to_list() == [65536 + 1, 2 * 65536 + 2]
    assert armies["strength"].to_list() == [6.0, 22.5]
    assert armies["strikes"].to_list() == [6, 23]  # 22.5 is rounded half up
    assert after["battles"]["strength"].to_list() == [6.0, 22.5]
    strikes = after["draws"].filter(stream=10).group_by("entity").len().sort("entity")
    assert strikes.rows() == [(65537, 6), (131074, 23)]


def test_a_death_costs_the_troops_it_stands_for() -> None:
    # everything hits and nobody parries for long: 2500 troops fall as 1000, 1000 and 500
    after = battle(unit(1, 1, 2500), unit(2, 2, 400_000), rules=hits_rules(hit_pct=100, base_ppm=0))
    killed = after["battle_selections"].filter(outcome="dies", unit_id=1)
    assert sorted(killed["combatant_id"]) == [1, 2, 3]
    row = after["battles"].filter(party=1).row(0, named=True)
    assert (row["share"], row["final_share"], row["overrun"]) == (100.0, 100.0, True)
    captive = after["battle_units"].filter(unit_id=1).row(0, named=True)
    assert (captive["captured"], captive["captor_id"], captive["losses"]) == (True, 2, 0)
    assert after["units"]["troops"][0] == 2500


def test_allies_do_not_strike_each_other() -> None:
    rows = [unit(i, i, 50_000) for i in (1, 2, 3)]
    after = battle(*rows, alliances=allied((1, 2)))
    armies = after["battle_armies"]
    assert armies["vp_received"].sum() == armies["hits"].sum()
    # only realm 3 has two possible targets
    assert set(after["draws"].filter(stream=11)["entity"]) == {3 * 65536 + 3}


def test_the_castle_takes_in_the_twelve_strongest_of_its_party() -> None:
    rows = [
        unit(1, 1, 10_000),
        unit(2, 1, 5_000, elite_combat=2),
        unit(3, 2, 40, unit_type="Schiff"),
        unit(4, 3, 90_000),
    ]
    world = {"alliances": allied((1, 2)), "buildings": table("buildings", [castle(1, 1)])}
    hit_all = hits_rules(hit_pct=100, protect_pct=99)
    after = battle(*rows, **world, rules=hit_all)
    covered = after["draws"].filter(stream=13)
    # 5 of KK 3, then 4 ranged of KK 1, then 3 of the other ten: all of army 2 are covered
    selected = after["battle_selections"].filter(pl.col("army_id") == 2 * 65536 + 3)
    assert covered.filter(entity=2 * 65536 + 3).height == selected.height
    inside = after["battle_selections"].filter(army_id=65537, outcome="reselected")
    assert set(inside["combatant_id"]) <= {1, 2, 3, 11, 12, 13, 14, 15}
    assert inside["combatant_id"].n_unique() > 3


def test_an_army_that_fights_again_in_the_turn_rolls_other_dice() -> None:
    field = engage(units(unit(1, 1, 9000), unit(2, 2, 9000)), hexes(), allied(), RULES, TURN)
    nothing = table("buildings", [])
    first = clash_by_hits(field, nothing, RULES, TURN)
    again = clash_by_hits(field, nothing, RULES, TURN, fought=first.armies)
    assert again.armies["battle_no"].to_list() == [1, 1]
    assert set(again.draws["entity"] // 2**32) == {1}
    assert not set(first.draws["value"]) & set(again.draws.filter(stream=10)["value"])


def test_no_battle_leaves_empty_tables() -> None:
    after = battle(unit(1, 1, 1000))
    for name in ("battles", "battle_units", "battle_armies", "battle_selections", "draws"):
        assert after[name].is_empty()


def test_the_share_model_leaves_the_tables_of_hits_empty() -> None:
    after = battle(unit(1, 1, 1000), unit(2, 2, 1000), rules=rules())
    assert after["battles"].height == 2
    for name in ("battle_armies", "battle_selections", "draws"):
        assert after[name].is_empty()


def test_a_crowd_that_no_machine_holds_is_refused() -> None:
    with pytest.raises(InputError, match=r"5,000,000,001 combatants .* larger min_strength"):
        battle(unit(1, 1, 5 * 10**12), unit(2, 2, 1000))


# ── for any battlefield ────────────────────────────────────────────────────────────────────


@st.composite
def battlefields(draw: st.DrawFn) -> Tables:
    realm, spot = st.integers(1, 5), st.integers(HEX, HEX + 2)
    crowd = draw(
        st.lists(
            st.tuples(
                realm,
                spot,
                st.sampled_from(["Krieger", "Krieger", "Schiff"]),
                st.sampled_from([0, 1, 9, 95, 1000, 1001, 5000, 20_000]),
                st.integers(0, 4),
                st.sampled_from([None, 7, 8]),
            ),
            max_size=12,
        )
    )
    rows = [
        unit(
            *(i, r, t if kind == "Krieger" else min(t, 95)),
            unit_type=kind,
            hex_id=h,
            number=len(crowd) - i,
            elite_combat=e,
            home_province_id=p,
        )
        for i, (r, h, kind, t, e, p) in enumerate(crowd)
    ]
    walls = draw(
        st.lists(
            st.tuples(
                realm,
                spot,
                st.sampled_from(["BRG", "FST", "WL"]),
                st.sampled_from([None, TODAY, TODAY + 1]),
            ),
            max_size=4,
        )
    )
    pairs = draw(st.sets(st.tuples(realm, realm).filter(lambda p: p[0] < p[1]), max_size=4))
    return {
        "units": units(*rows),
        "hexes": hexes(draw(st.sampled_from([None, 1, 2])), draw(st.sampled_from([None, 7]))),
        "buildings": table(
            "buildings",
            [
                castle(
                    *(i, r),
                    hex_id=h,
                    building_type=kind,
                    direction=0 if kind == "WL" else None,
                    completed_on=c,
                )
                for i, (r, h, kind, c) in enumerate(walls)
            ],
        ),
        "alliances": allied(*pairs),
        "movements": table("movements", []),
    }


@settings(max_examples=60)
@given(battlefields())
def test_combat_equals_the_plain_reference(world: Tables) -> None:
    result = fight(**world, rules=RULES, turn=TURN)
    loop = as_world(world)
    told = reference.fight_all(loop, open_book(RULES), TODAY, TURN.dice.key)
    expected = write_world(loop)
    for name in ("units", "battles", "battle_units", "buildings"):
        assert_frame_equal(result[name], table(name, expected[name]), check_exact=True)
    assert result["battle_armies"].rows() == sorted(told["armies"])
    assert result["battle_selections"].rows() == sorted(told["selections"])
    assert result["draws"].rows() == sorted(told["draws"])


@settings(max_examples=30)
@given(battlefields(), st.integers())
def test_row_order_does_not_matter_and_no_troops_are_lost(world: Tables, seed: int) -> None:
    result = fight(**world, rules=RULES, turn=TURN)
    mixed = {
        name: frame.sample(fraction=1, shuffle=True, seed=seed % 2**32)
        for name, frame in world.items()
    }
    again = fight(**mixed, rules=RULES, turn=TURN)
    for name, frame in result.items():
        assert_frame_equal(frame, again[name], check_exact=True)
        conform(name, frame)
    before, after = world["units"]["troops"].sum(), result["units"]["troops"].sum()
    assert before - after == result["battle_units"]["losses"].sum()
