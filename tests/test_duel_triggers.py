"""The queue and its triggers (source 2): every sentence with numbers worked by hand."""

import pytest

from tests.duel_world import (
    HERO_FIRST,
    IDLE,
    NEVER,
    STRIKE,
    SURE,
    creature,
    fight,
    mend,
    modifier,
    rules,
    trigger,
)
from tests.reference.duel import Rng
from transforms.errors import InputError


def test_triggers_answer_in_position_order_then_list_order():
    registry = rules(
        trigger("t:b", "turn_started", "any", mend()),
        trigger("t:a", "turn_started", "any", mend()),
        creature("c:hero", "core:wait", triggers=["t:b", "t:a"]),
        creature("c:foe", "core:wait", triggers=["t:a", "t:b"]),
        limits={"turns": 1},
    )
    healed = [(e["actor"], e["ref"]) for e in fight(registry).of("healed")]
    assert healed == [(0, "t:b"), (0, "t:a"), (1, "t:a"), (1, "t:b")]


def test_follow_up_events_go_to_the_end():
    """turn_started and combat_started wait together; answers to the first come after the second."""
    registry = rules(
        trigger("t:one", "turn_started", "any", mend()),
        trigger("t:two", "combat_started", "any", {"do": "damage", "amount": 1, "type": "d:x"}),
        trigger("t:three", "healed", "subject", {"do": "damage", "amount": 2, "type": "d:x"}),
        creature("c:hero", "core:wait", triggers=["t:one", "t:two", "t:three"]),
        IDLE,
        limits={"turns": 1},
    )
    answers = fight(registry).of("healed", "damaged")
    assert [e["ref"] for e in answers] == ["t:one", "t:two", "t:three"]


ROLES = [
    # event, on, who answers when 0 strikes 1 (owners: both)
    ("hit", "subject", [1]),
    ("hit", "source", [0]),
    ("hit", "any", [0, 1]),
    ("damaged", "subject", [1]),
    ("damaged", "source", [0]),
    ("ability_used", "subject", [0]),
    ("ability_used", "source", []),
    ("creature_died", "subject", []),
    ("turn_started", "subject", []),
    ("turn_started", "source", []),
    ("turn_started", "any", [0, 1]),
    ("combat_started", "any", [0, 1]),
]


@pytest.mark.parametrize(("event", "on", "owners"), ROLES)
def test_subject_and_source(event, on, owners):
    note = modifier("m:note", 9, attribute="damage", add=0.0)
    registry = rules(
        STRIKE,
        trigger("t:it", event, on, note),
        creature("c:hero", "a:strike", triggers=["t:it"]),
        creature(
            "c:foe",
            {"ability": "core:wait", "condition": [{"check": "turn", "from": 9}]},
            triggers=["t:it"],
        ),
        balance=SURE,
        limits={"turns": 1},
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.column("target", "modifier_set") == owners


def test_without_a_source_its_conditions_are_false_and_its_actions_skipped():
    registry = rules(
        trigger("t:act", "ability_used", "any", mend("source"), mend()),
        trigger(
            *("t:ask", "ability_used", "any"),
            {"do": "damage", "amount": 1, "type": "d:x"},
            condition=[{"check": "tag", "who": "source", "tag": "k:x", "is": False}],
        ),
        creature("c:hero", "core:wait", triggers=["t:act", "t:ask"]),
        creature("c:foe", {"ability": "core:wait", "condition": [{"check": "turn", "from": 9}]}),
        limits={"turns": 1},
    )
    played = fight(registry)
    assert played.column("target", "healed") == [0]
    assert played.of("damaged") == []


def test_a_trigger_neither_misses_nor_crits_nor_draws():
    registry = rules(
        trigger("t:thorn", "turn_started", "any", {"do": "damage", "scale": 1.0, "type": "d:x"}),
        creature(
            "c:hero",
            "core:wait",
            triggers=["t:thorn"],
            base={"damage": 2.0, "critical_chance": 1.0},
        ),
        IDLE,
        balance=NEVER,
        limits={"turns": 2},
    )
    played, generator = fight(registry), Rng(1)
    assert [(e["amount"], e["crit"], e["roll"]) for e in played.of("damaged")] == [
        (2, None, None)
    ] * 2
    generator.bits(), generator.bits()
    assert played.result["state"] == generator.state


def test_the_queue_has_a_limit():
    """Two that heal whenever somebody is healed: 2 events, then 2 · 2 …; after 5 the rest goes."""
    registry = rules(
        trigger("t:start", "turn_started", "any", mend()),
        trigger("t:echo", "healed", "any", mend()),
        creature("c:hero", "core:wait", triggers=["t:start", "t:echo"]),
        creature("c:foe", "core:wait", triggers=["t:echo"]),
        limits={"turns": 1, "queue": 5},
    )
    limit = fight(registry).of("queue_limit")[0]
    # worked off: turn_started, combat_started, and 3 heals; made: 1 + 3 · 2 heals; left: 7 − 3
    assert limit["amount"] == 4
    assert limit["actor"] is None


def test_a_trigger_knows_eleven_events_and_no_more():
    with pytest.raises(InputError, match=r"t:x.*event.*'tick'.*combat_started, turn_started"):
        rules(trigger("t:x", "tick", "any", mend()))
