"""What is chosen, and scripts (source 2): every sentence with numbers worked by hand."""

from typing import Any

import pytest

from tests.duel_world import (
    HERO_FIRST,
    IDLE,
    STRIKE,
    SURE,
    Played,
    ability,
    creature,
    fight,
    hit,
    modifier,
    rules,
)

# ── choosing ────────────────────────────────────────────────────────────────────────────────────


def test_the_first_entry_that_fits_and_is_available_wins():
    registry = rules(
        ability("a:dear", hit(1), cost=5),
        ability("a:later", hit(1), condition=[{"check": "turn", "from": 3}]),
        STRIKE,
        creature(
            "c:hero",
            "a:dear",
            "a:later",
            {"ability": "a:strike", "condition": [{"check": "turn", "from": 2}]},
            base={"max_stamina": 4},
        ),
        creature("c:foe", "core:wait", health=99),
        limits={"turns": 3},
    )
    played = fight(registry)
    assert [e["turn"] for e in played.of("passed")] == [1]
    uses = [(e["turn"], e["ref"]) for e in played.of("ability_used") if e["actor"] == 0]
    assert uses == [(2, "a:strike"), (3, "a:later")]


@pytest.mark.parametrize(
    ("aim", "expected"),
    [("first", 1), ("last", 4), ("weakest", 2), ("strongest", 1), ("fastest", 3), (None, 1)],
)
def test_targets_and_their_ties(aim, expected):
    """Health 9 3 3 9, dexterity 1 1 5 5."""
    foes = [(9, 1), (3, 1), (3, 5), (9, 5)]
    beings = [
        creature(f"c:foe{n}", "core:wait", health=health, base={"dexterity": dexterity})
        for n, (health, dexterity) in enumerate(foes)
    ]
    line = {"ability": "a:strike"} | ({} if aim is None else {"target": aim})
    registry = rules(STRIKE, creature("c:hero", line), *beings, limits={"turns": 1})
    played = fight(registry, enemies=[b["id"] for b in beings])
    assert [e["target"] for e in played.of("ability_used") if e["actor"] == 0] == [expected]


def test_enemies_always_target_the_hero():
    registry = rules(
        STRIKE,
        creature("c:hero", "core:wait", health=99),
        creature("c:foe", {"ability": "a:strike", "target": "weakest"}),
        limits={"turns": 1},
    )
    played = fight(registry, enemies=3)
    assert {e["target"] for e in played.of("ability_used") if e["actor"]} == {0}


def test_a_policy_replaces_the_heros_list():
    registry = rules(
        STRIKE,
        creature("c:hero", "a:strike"),
        IDLE,
        {"id": "p:coward", "ai": [{"ability": "core:wait"}]},
        limits={"turns": 1},
    )
    uses = fight(registry, policy="p:coward").of("ability_used")
    assert [e["ref"] for e in uses if e["actor"] == 0] == ["core:wait"]


CHECKS = [
    ({"check": "attribute", "who": "self", "attribute": "health", "below": 1.0}, False),  # strict
    ({"check": "attribute", "who": "self", "attribute": "health", "above": 0.99}, True),
    (
        {"check": "attribute", "who": "target", "attribute": "health", "below": 1.01, "above": 1.0},
        False,
    ),
    ({"check": "attribute", "who": "self", "attribute": "stamina", "above": 0.0}, False),  # 0 of 0
    ({"check": "attribute", "who": "self", "attribute": "stamina", "below": 0.1}, True),
    ({"check": "attribute", "who": "target", "attribute": "stamina", "above": 0.9}, True),
    ({"check": "attribute", "who": "self", "attribute": "max_health", "above": 9.5}, True),
    ({"check": "attribute", "who": "self", "attribute": "hit_chance", "above": 0.75}, False),
    ({"check": "attribute", "who": "target", "attribute": "resistance.d:cut", "below": -0.4}, True),
    ({"check": "attribute", "who": "self", "attribute": "resistance.d:cut", "below": 0}, False),
    ({"check": "tag", "who": "target", "tag": "k:undead"}, True),
    ({"check": "tag", "who": "self", "tag": "k:undead"}, False),
    ({"check": "tag", "who": "self", "tag": "k:undead", "is": False}, True),
    ({"check": "modifier", "who": "self", "id": "m:any"}, False),
    ({"check": "modifier", "who": "self", "id": "m:any", "is": False}, True),
    ({"check": "turn"}, True),
    ({"check": "turn", "from": 2}, False),
    ({"check": "turn", "every": 5}, True),  # true at 1, 6, 11
    ({"check": "enemies", "below": 2}, False),
    ({"check": "enemies", "above": 1, "below": 3}, True),
]


@pytest.mark.parametrize(("check", "expected"), CHECKS)
def test_conditions(check, expected):
    registry = rules(
        ability("a:any", modifier("m:any", 1, attribute="damage", add=1.0)),
        ability("a:if", hit(1), condition=[check]),
        STRIKE,
        creature("c:hero", "a:if", "core:wait"),
        creature("c:spare", "a:any"),
        creature(
            "c:foe",
            "core:wait",
            tags=["k:undead"],
            base={"max_stamina": 1, "resistance": {"d:cut": -0.5}},
        ),
        limits={"turns": 1},
    )
    uses = fight(registry, enemies=2, seed=HERO_FIRST).of("ability_used")
    assert uses[0]["ref"] == ("a:if" if expected else "core:wait")


def test_all_checks_of_a_condition_must_hold():
    registry = rules(
        ability("a:if", hit(1), condition=[{"check": "turn"}, {"check": "turn", "from": 2}]),
        creature("c:hero", "a:if", "core:wait"),
        IDLE,
        limits={"turns": 1},
    )
    assert fight(registry, seed=HERO_FIRST).of("ability_used")[0]["ref"] == "core:wait"


# ── scripts ─────────────────────────────────────────────────────────────────────────────────────


def scripted(script: list[str], turns: int = 3, **more: Any) -> Played:
    registry = rules(
        ability("a:dear", hit(1), cost=4),
        ability("a:rare", hit(1), cooldown=3),
        ability("a:late", hit(1), condition=[{"check": "turn", "from": 3}]),
        creature(
            "c:hero", "core:wait", base={"max_stamina": 5}, abilities=["a:dear", "a:rare", "a:late"]
        ),
        creature("c:foe", "core:wait", health=99),
        balance=SURE,
        limits={"turns": turns},
    )
    return fight(registry, script=script, **more)


def test_a_blocked_command_is_rejected_without_turn_or_draw():
    played = scripted(["a:late", "a:rare", "a:rare", "a:dear", "a:dear", "a:late"])
    rejected = [(e["turn"], e["ref"], e["reason"]) for e in played.of("rejected")]
    assert rejected == [
        (1, "a:late", "condition"),
        (2, "a:rare", "cooldown"),
        (3, "a:dear", "stamina"),
    ]
    uses = [(e["turn"], e["ref"]) for e in played.of("ability_used") if e["actor"] == 0]
    assert uses == [(1, "a:rare"), (2, "a:dear"), (3, "a:late")]
    plain = scripted(["a:rare", "a:dear", "a:late"])
    assert played.result == plain.result
    assert played.kinds(1)[0] == "rejected"  # before step 1
    first = played.of("rejected")[0]
    assert (first["actor"], first["target"], first["stamina"]) == (0, None, 5)


def test_a_command_is_tested_with_the_values_that_step_2_will_give():
    played = scripted(["a:rare", "core:wait", "core:wait", "a:rare"], turns=4)
    assert played.of("rejected") == []
    assert "a:rare" in played.column("ref", "ability_used", turn=4)
    played = scripted(["a:dear", "core:wait", "a:dear"])  # 5 − 4 = 1, then 2, then 3
    assert [(e["turn"], e["reason"]) for e in played.of("rejected")] == [(3, "stamina")]


def test_the_test_of_a_command_knows_what_step_2_will_take_off():
    """Stamina 5 of 5, of 8 while the draught lasts; it runs out in step 2, so 6 is not reached."""
    registry = rules(
        ability("a:draught", modifier("m:draught", 1, attribute="max_stamina", add=3.0)),
        ability("a:dear", hit(1), cost=6),
        creature(
            *("c:hero", "core:wait"),
            base={"max_stamina": 5},
            abilities=["a:draught", "a:dear"],
        ),
        creature("c:foe", "core:wait", health=99),
        limits={"turns": 2},
    )
    played = fight(registry, script=["a:draught", "a:dear"])
    assert [(e["turn"], e["reason"]) for e in played.of("rejected")] == [(2, "stamina")]
    assert played.of("passed") == []


def test_after_the_script_comes_the_list():
    uses = scripted(["a:rare"]).of("ability_used")
    assert [e["ref"] for e in uses if e["actor"] == 0] == ["a:rare", "core:wait", "core:wait"]
