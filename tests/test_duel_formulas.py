"""Hits, damage, resistance, healing (source 2): every sentence with numbers worked by hand."""

import numpy as np
import pytest

from tests.duel_world import (
    IDLE,
    STRIKE,
    SURE,
    ability,
    creature,
    fight,
    hit,
    modifier,
    rules,
)


@pytest.mark.parametrize(
    ("chance", "dexterity", "expected"),
    [
        (None, 5, 0.75 - 5 * 0.02),
        (0.7, 3, 0.7 - 3 * 0.02),
        (0.1, 9, 0.05),
        (0.9, -9, 0.95),
        (9.0, 0, 0.95),
    ],
)
def test_chance_to_hit(chance, dexterity, expected):
    base = {} if chance is None else {"hit_chance": chance}
    registry = rules(
        STRIKE,
        creature("c:hero", "a:strike", base=base),
        creature("c:foe", "core:wait", base={"dexterity": dexterity}),
        limits={"turns": 1},
    )
    event = fight(registry).of("hit", "missed")[0]
    assert event["p"] == expected
    assert (event["kind"] == "hit") == (event["roll"] < expected)


@pytest.mark.parametrize(
    ("action", "base", "resistance", "expected"),
    [
        (hit(scale=1.0), {"damage": 6.0}, 0.0, 6),
        (hit(amount=20.0), {"damage": 6.0}, 0.0, 20),
        (hit(scale=1.5), {"damage": 5.0}, 0.0, 8),  # 7.5: half is rounded up
        (hit(amount=6.5), {}, 0.0, 7),  # and not to the even neighbour
        (hit(amount=2.0, scale=1.5), {"damage": 5.0}, 0.0, 10),  # 9.5
        (hit(amount=10.0), {}, 0.25, 8),  # 7.5
        (hit(amount=10.0), {}, 0.95, 2),  # capped at 0.8
        (hit(amount=10.0), {}, -3.0, 20),  # no lower than -1.0
        (hit(amount=10.0), {"critical_chance": 1.0}, 0.0, 15),
        (hit(amount=10.0), {"critical_chance": 7.0, "critical_factor": 3.0}, 0.5, 15),
        (hit(amount=10.0), {"critical_chance": -1.0}, 0.0, 10),
        (hit(amount=0.2), {}, 0.0, 1),  # at least 1
        (hit(amount=-7.0), {}, 0.0, 1),
        (
            hit(scale=1e6),
            {"damage": 1e6, "critical_chance": 1.0, "critical_factor": 9},
            0.0,
            10**12,
        ),
    ],
)
def test_damage(action, base, resistance, expected):
    registry = rules(
        ability("a:blow", action),
        creature("c:hero", "a:blow", base=base),
        creature("c:foe", "core:wait", base={"resistance": {"d:cut": resistance}}),
        balance=SURE,
        limits={"turns": 1},
    )
    event = fight(registry).of("damaged")[0]
    assert event["amount"] == expected  # untruncated
    assert event["health"] == max(0, 10 - expected)
    assert event["crit"] == (base.get("critical_chance", 0) >= 1)


def test_a_resistance_counts_only_against_its_type():
    registry = rules(
        ability("a:fire", hit(10, kind="d:fire")),
        creature("c:hero", "a:fire"),
        creature("c:foe", "core:wait", health=99, base={"resistance": {"d:cut": 0.5}}),
        balance=SURE,
        limits={"turns": 1},
    )
    assert fight(registry).column("amount", "damaged") == [10]


@pytest.mark.parametrize(
    ("hero", "foes", "expected"),
    [
        (4, [7, 2], 0.5 + (4 - 7) * 0.05),
        (7, [4], 0.5 + (7 - 4) * 0.05),
        (0, [30], 0.1),
        (30, [0], 0.9),
    ],
)
def test_chance_to_flee(hero, foes, expected):
    beings = [creature(f"c:foe{d}", "core:wait", base={"dexterity": d}) for d in foes]
    registry = rules(
        creature("c:hero", "core:flee", base={"dexterity": hero}), *beings, limits={"turns": 1}
    )
    event = fight(registry, enemies=[b["id"] for b in beings]).of("fled", "flee_failed")[0]
    assert event["p"] == expected
    assert (event["actor"], event["target"], event["ref"]) == (0, None, "core:flee")


def test_the_fastest_is_the_fastest_of_those_present():
    registry = rules(
        ability("a:kill", hit(99)),
        creature(
            "c:hero",
            {
                "ability": "a:kill",
                "condition": [{"check": "turn", "every": 99}],
                "target": "fastest",
            },
            "core:flee",
        ),
        creature("c:foe", "core:wait", base={"dexterity": 2}),
        creature("c:fast", "core:wait", base={"dexterity": 5}),
        balance=SURE,
        limits={"turns": 2},
    )
    event = fight(registry, enemies=["c:foe", "c:fast"]).of("fled", "flee_failed")[0]
    assert event["p"] == 0.5 + (0.0 - 2.0) * 0.05


def test_values_add_first_then_multiply_in_order_of_creation():
    """((0.1 + 0.1) + 0.6) · 0.1 · 0.3, not any other order of the same numbers."""
    boosts = [
        modifier("m:a", 9, attribute="damage", add=0.1),
        modifier("m:b", 9, attribute="damage", mul=0.1),
        modifier("m:c", 9, attribute="damage", add=0.6),
        modifier("m:d", 9, attribute="damage", mul=0.3),
    ]
    expected = ((0.1 + 0.1) + 0.6) * 0.1 * 0.3
    assert expected not in (
        (0.1 + (0.1 + 0.6)) * 0.1 * 0.3,
        ((0.1 + 0.1) + 0.6) * (0.1 * 0.3),
        ((0.1 + 0.6) + 0.1) * 0.1 * 0.3,
        ((0.1 + 0.1) + 0.6) * 0.3 * 0.1,
    )
    edge = {"check": "attribute", "who": "self", "attribute": "damage"}
    registry = rules(
        ability("a:boost", *boosts),
        ability("a:exact", hit(1)),
        creature(
            "c:hero",
            {"ability": "a:boost", "condition": [{"check": "turn", "every": 99}]},
            {
                "ability": "a:exact",
                "condition": [
                    edge | {"below": float(np.nextafter(expected, 99))},
                    edge | {"above": float(np.nextafter(expected, 0))},
                ],
            },
            base={"damage": 0.1},
        ),
        IDLE,
        limits={"turns": 2},
    )
    assert fight(registry).column("ref", "ability_used", turn=2).count("a:exact") == 1


def test_versus_counts_only_against_that_tag():
    bane = modifier("m:bane", 9, versus="k:undead", attribute="damage", add=10.0)
    aim = modifier("m:aim", 9, versus="k:undead", attribute="hit_chance", add=0.1)
    registry = rules(
        ability("a:bless", bane, aim),
        ability("a:blow", hit(scale=1.0)),
        creature(
            "c:hero",
            {"ability": "a:bless", "condition": [{"check": "turn", "every": 99}]},
            {
                "ability": "core:flee",  # without an opponent the modifier does not count
                "condition": [
                    {"check": "attribute", "who": "self", "attribute": "damage", "above": 5}
                ],
            },
            {"ability": "a:blow", "condition": [{"check": "turn", "every": 2}], "target": "last"},
            "a:blow",
            base={"damage": 1.0, "hit_chance": 0.5},
        ),
        creature("c:foe", "core:wait", health=99, tags=["k:undead"]),
        creature("c:rat", "core:wait", health=99),
        balance={"hit_clamp": [0.0, 1.0]},
        limits={"turns": 40},
    )
    played = fight(registry, enemies=["c:foe", "c:rat"])
    strikes = {e["target"]: e["p"] for e in played.of("hit", "missed") if e["turn"] < 10}
    assert strikes == {1: 0.5 + 0.1, 2: 0.5}
    assert {e["amount"] for e in played.of("damaged") if e["target"] == 1 and e["turn"] < 10} == {
        11
    }


def test_defaults_of_attributes():
    base = rules(creature("c:x", "core:wait")).creatures["c:x"].base
    assert base == {
        "max_health": 10.0,
        "max_stamina": 0.0,
        "damage": 0.0,
        "hit_chance": 0.75,
        "dexterity": 0.0,
        "critical_chance": 0.0,
        "critical_factor": 1.5,
    }
