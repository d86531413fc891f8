"""Abilities, modifiers, flight (source 2): every sentence with numbers worked by hand."""

import pytest

from tests.duel_world import (
    FOE_FIRST,
    HERO_FIRST,
    IDLE,
    NEVER,
    STRIKE,
    SURE,
    ability,
    creature,
    fight,
    hit,
    mend,
    modifier,
    rules,
    seed_where,
    trigger,
)
from tests.reference.duel import Rng

# ── abilities ───────────────────────────────────────────────────────────────────────────────────


def test_cost_is_paid_in_stamina_and_returns_a_fixed_amount_each_turn():
    registry = rules(
        ability("a:dear", hit(1), cost=3),
        creature("c:hero", "a:dear", "core:wait", base={"max_stamina": 4}),
        creature("c:foe", "core:wait", health=99),
        balance=SURE | {"stamina_regen": 1},
        limits={"turns": 7},
    )
    uses = [e for e in fight(registry).of("ability_used") if e["actor"] == 0]
    assert [e["ref"][2:] for e in uses] == [
        "dear",
        "re:wait",
        "dear",
        "re:wait",
        "re:wait",
        "dear",
        "re:wait",
    ]
    assert [e["stamina"] for e in uses] == [1, 2, 0, 1, 2, 0, 1]


def test_stamina_never_rises_above_its_maximum():
    registry = rules(
        creature("c:hero", "core:wait", base={"max_stamina": 4}),
        IDLE,
        balance={"stamina_regen": 9},
        limits={"turns": 2},
    )
    assert fight(registry).result["hero_stamina"] == 4


@pytest.mark.parametrize(
    ("cooldown", "turns"), [(0, [1, 2, 3, 4, 5, 6, 7]), (1, [1, 2, 3, 4, 5, 6, 7]), (3, [1, 4, 7])]
)
def test_a_cooldown_of_n_is_free_again_n_turns_later(cooldown, turns):
    registry = rules(
        ability("a:rare", hit(1), cooldown=cooldown),
        creature("c:hero", "a:rare"),
        creature("c:foe", "core:wait", health=99),
        balance=SURE,
        limits={"turns": 7},
    )
    played = fight(registry)
    assert [e["turn"] for e in played.of("ability_used") if e["actor"] == 0] == turns
    assert len(played.of("passed")) == 7 - len(turns)


def test_the_same_creature_twice_counts_its_own_cooldowns():
    registry = rules(
        ability("a:rare", hit(1), cooldown=9),
        creature("c:hero", "core:wait", health=99),
        creature("c:foe", "a:rare"),
        balance=SURE,
        limits={"turns": 2},
    )
    assert sorted(fight(registry, enemies=2).column("actor", "hit")) == [1, 2]


def test_a_miss_skips_later_actions_on_the_target_but_not_on_oneself():
    registry = rules(
        ability(
            "a:combo",
            hit(1),
            {"do": "heal", "amount": 1, "who": "target"},
            modifier("m:weak", 2, "target", attribute="damage", add=-1.0),
            hit(1),
            {"do": "heal", "amount": 2},
        ),
        creature("c:hero", "a:combo"),
        IDLE,
        balance=NEVER,
        limits={"turns": 1},
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.kinds(1)[2:5] == ["ability_used", "missed", "healed"]
    assert played.column("target", "healed") == [0]


def test_actions_on_the_dead_are_skipped_and_draw_nothing():
    registry = rules(
        ability("a:twice", hit(99), hit(99), {"do": "heal", "amount": 5, "who": "target"}),
        creature("c:hero", "a:twice"),
        IDLE,
        balance=SURE,
    )
    played, generator = fight(registry, seed=HERO_FIRST), Rng(HERO_FIRST)
    for _ in range(4):  # two initiatives, one hit, one crit
        generator.bits()
    assert played.kinds(1)[2:] == [
        "ability_used",
        "hit",
        "damaged",
        "creature_died",
        "combat_ended",
    ]
    assert played.result["state"] == generator.state


def test_healing_stops_at_the_maximum_and_logs_what_it_would_have_been():
    registry = rules(
        ability("a:mend", {"do": "heal", "amount": 6.5}),
        STRIKE,
        creature("c:hero", "a:mend"),
        creature("c:foe", "a:strike"),
        balance=SURE,
        limits={"turns": 1},
    )
    event = fight(registry, seed=FOE_FIRST).of("healed")[0]
    assert (event["amount"], event["health"]) == (7, 10)
    event = fight(registry, seed=HERO_FIRST).of("healed")[0]  # also when nothing is gained
    assert (event["amount"], event["health"]) == (7, 10)


def test_a_lowered_maximum_takes_nothing_away():
    registry = rules(
        ability(
            "a:shrink",
            modifier("m:small", 9, attribute="max_health", add=-20.0),
            modifier("m:tired", 9, attribute="max_stamina", add=-3.4),
            {"do": "heal", "amount": 5},
        ),
        creature(
            "c:hero",
            {
                "ability": "core:wait",
                "condition": [
                    {"check": "attribute", "who": "self", "attribute": "health", "above": 9}
                ],
            },
            {"ability": "a:shrink", "condition": [{"check": "turn", "every": 99}]},
            "core:flee",
            base={"max_stamina": 4},
        ),
        IDLE,
        limits={"turns": 2},
    )
    played = fight(registry, script=["a:shrink"])
    assert played.of("healed")[0]["health"] == 10  # the maximum is now 1, never 0
    assert (played.result["hero_health"], played.result["hero_stamina"]) == (10, 4)
    assert [e["ref"] for e in played.of("ability_used", turn=2) if e["actor"] == 0] == ["core:wait"]


# ── modifiers ───────────────────────────────────────────────────────────────────────────────────


def test_a_modifier_of_turn_t_ticks_in_the_turns_after_it():
    registry = rules(
        ability(
            "a:venom", modifier("m:poison", 3, "target", tick={"amount": 2.5, "type": "d:venom"})
        ),
        creature("c:hero", {"ability": "a:venom", "condition": [{"check": "turn", "every": 99}]}),
        creature("c:foe", "core:wait", base={"resistance": {"d:venom": -1.0}}, health=50),
        limits={"turns": 6},
    )
    played, generator = fight(registry), Rng(1)
    assert played.column("turn", "tick") == [2, 3, 4]
    assert played.column("amount", "damaged") == [5, 5, 5]  # no hit, no crit, no draw
    assert played.column("crit", "damaged") == [None] * 3
    assert played.column("turn", "modifier_expired") == [4]
    assert played.column("actor", "modifier_expired") == [0]
    generator.bits(), generator.bits()
    assert played.result["state"] == generator.state


def test_the_same_modifier_replaces_the_old_one_in_its_place():
    poison = modifier("m:poison", 2, "target", tick={"amount": 1, "type": "d:x"})
    burn = modifier("m:burn", 9, "target", tick={"amount": 1, "type": "d:x"})
    registry = rules(
        ability("a:venom", poison),
        ability("a:burn", burn),
        creature("c:hero", "a:venom", "a:burn"),
        creature("c:foe", "core:wait", health=50),
        limits={"turns": 5},
    )
    played = fight(registry, script=["a:venom", "a:burn", "a:venom", "core:wait", "core:wait"])
    refs = [played.column("ref", "tick", turn=turn) for turn in (2, 3, 4, 5)]
    # put on again in turn 3, where it had run out: a new one, behind the other
    assert refs == [
        ["m:poison"],
        ["m:poison", "m:burn"],
        ["m:burn", "m:poison"],
        ["m:burn", "m:poison"],
    ]
    played = fight(registry, script=["a:venom", "a:venom", "core:wait", "core:wait", "core:wait"])
    assert played.column("turn", "tick") == [2, 3, 4]
    assert played.column("turn", "modifier_expired") == [4]


def test_a_replaced_modifier_keeps_its_place_and_takes_turns_and_source():
    poison = modifier("m:poison", 3, "target", tick={"amount": 1, "type": "d:x"})
    burn = modifier("m:burn", 9, "target", tick={"amount": 1, "type": "d:x"})
    registry = rules(
        ability("a:both", poison, burn),
        ability("a:venom", poison),
        creature("c:hero", "core:wait", health=50),
        creature("c:foe", {"ability": "a:both", "condition": [{"check": "turn", "every": 99}]}),
        creature(
            "c:late",
            {"ability": "a:venom", "condition": [{"check": "turn", "every": 99, "from": 2}]},
        ),
        limits={"turns": 5},
    )
    played = fight(registry, enemies=["c:foe", "c:late"])
    ticks = [(e["turn"], e["ref"], e["actor"]) for e in played.of("tick") if e["ref"] == "m:poison"]
    assert ticks == [(2, "m:poison", 1), (3, "m:poison", 2), (4, "m:poison", 2), (5, "m:poison", 2)]
    assert played.column("ref", "tick", turn=3) == ["m:poison", "m:burn"]
    assert played.column("turn", "modifier_expired") == [5]


def test_who_dies_of_a_tick_does_nothing_more():
    registry = rules(
        ability(
            "a:doom",
            modifier("m:first", 1, "target", tick={"amount": 99, "type": "d:x"}),
            modifier("m:second", 1, "target", tick={"amount": 99, "type": "d:x"}),
        ),
        creature("c:hero", "a:doom"),
        creature("c:foe", "core:wait", base={"max_stamina": 5}),
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.kinds(2) == ["turn_started", "tick", "damaged", "creature_died", "combat_ended"]
    assert played.column("ref", "creature_died") == ["m:first"]
    assert played.column("actor", "creature_died") == [0]


def test_a_removed_source_stays_the_killer():
    registry = rules(
        ability("a:venom", modifier("m:poison", 9, "target", tick={"amount": 4, "type": "d:x"})),
        ability("a:kill", hit(99)),
        creature("c:hero", "a:kill", "core:wait"),
        creature("c:foe", "a:venom"),
        IDLE | {"id": "c:rock"},
        balance=SURE,
    )
    played = fight(
        registry, enemies=["c:foe", "c:rock"], seed=FOE_FIRST, script=["a:kill"] + ["core:wait"] * 5
    )
    assert played.column("target", "creature_died") == [1, 0]
    assert (played.result["killer"], played.result["cause"]) == (1, "m:poison")


# ── flight ──────────────────────────────────────────────────────────────────────────────────────


ESCAPE = seed_where(lambda r: r[0] > 0.95 and r[1] < 0.5 and r[2] < 0.5)
CAUGHT = seed_where(lambda r: r[0] > 0.95 and r[1] < 0.5 and r[2] > 0.5 and r[3] > 0.5)


def test_the_heros_flight_ends_the_turn_at_once_and_is_no_victory():
    registry = rules(creature("c:hero", "core:flee"), IDLE)
    played = fight(registry, seed=ESCAPE)
    assert played.kinds(1)[2:] == ["ability_used", "fled", "combat_ended"]
    assert played.column("reason", "combat_ended") == ["fled"]
    assert played.result["outcome"] == "fled"
    assert played.result["enemies_left"] == 1


def test_a_failed_flight_costs_the_action():
    registry = rules(creature("c:hero", "core:flee"), IDLE, limits={"turns": 1})
    played = fight(registry, seed=CAUGHT)
    assert played.kinds(1)[2:5] == ["ability_used", "flee_failed", "ability_used"]


def test_a_fled_enemy_is_gone_without_having_died():
    seed = seed_where(lambda r: r[0] < 0.05 and r[1] > 0.5 and r[2] < 0.5)
    registry = rules(creature("c:hero", "core:wait"), creature("c:foe", "core:flee"))
    played = fight(registry, seed=seed)
    assert played.of("creature_died") == []
    assert played.column("actor", "ability_used") == [1]
    assert played.result["outcome"] == "victory"
    assert (played.result["enemies_fled"], played.result["enemies_dead"]) == (1, 0)


def test_a_fled_enemy_answers_until_it_is_removed_and_not_to_the_end_of_the_fight():
    seed = seed_where(lambda r: r[0] < 0.05 and r[1] > 0.5 and r[2] < 0.5)
    registry = rules(
        trigger("t:gone", "fled", "subject", mend()),
        trigger("t:end", "combat_ended", "any", mend()),
        creature("c:hero", "core:wait", triggers=["t:gone", "t:end"]),
        creature("c:foe", "core:flee", triggers=["t:gone", "t:end"]),
    )
    healed = fight(registry, seed=seed).of("healed")
    assert [(e["actor"], e["ref"]) for e in healed] == [(1, "t:gone"), (0, "t:end")]


def test_a_fled_hero_hears_the_end_of_the_fight():
    end = trigger("t:end", "combat_ended", "any", mend())
    registry = rules(end, creature("c:hero", "core:flee", triggers=["t:end"]), IDLE)
    assert fight(registry, seed=ESCAPE).column("target", "healed") == [0]


def test_who_fled_and_then_died_is_dead():
    curse = trigger("t:curse", "fled", "subject", {"do": "damage", "amount": 99, "type": "d:x"})
    registry = rules(curse, creature("c:hero", "core:flee", triggers=["t:curse"]), IDLE)
    played = fight(registry, seed=ESCAPE)
    assert played.kinds(1)[3:] == ["fled", "damaged", "creature_died", "game_over"]
    assert played.result["outcome"] == "defeat"
