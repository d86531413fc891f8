"""One turn, its order and its dice (source 2): every sentence with numbers worked by hand."""

import numpy as np
import pytest

from tests.duel_world import (
    HERO_FIRST,
    IDLE,
    NEVER,
    STRIKE,
    SURE,
    ability,
    creature,
    fight,
    hit,
    modifier,
    rules,
    seed_where,
    trigger,
)
from tests.duels import engine_run, fights_of
from tests.reference.duel import Rng
from transforms.duel import rng
from transforms.errors import InputError

# ── one turn ────────────────────────────────────────────────────────────────────────────────────


def test_a_turn_is_the_hero_and_all_reactions_one_action_each():
    registry = rules(
        STRIKE, creature("c:hero", "a:strike"), IDLE, balance=NEVER, limits={"turns": 2}
    )
    played = fight(registry, enemies=3)
    for turn in (1, 2):
        assert sorted(played.column("actor", "ability_used", turn=turn)) == [0, 1, 2, 3]
    assert played.result["turns"] == 2
    assert played.result["actions"] == 8


def test_poison_ticks_once_a_turn_whatever_the_number_of_enemies():
    poison = modifier("m:poison", 3, "target", tick={"amount": 1, "type": "d:venom"})
    registry = rules(
        ability("a:bite", poison),
        creature("c:hero", "core:wait"),
        creature("c:foe", {"ability": "a:bite", "condition": [{"check": "turn", "every": 99}]}),
        limits={"turns": 5},
    )
    ticks = fight(registry, enemies=3).column("turn", "tick")
    assert ticks == [2, 3, 4]


def test_the_six_steps_in_their_order():
    registry = rules(
        STRIKE,
        ability("a:curse", modifier("m:poison", 1, "target", tick={"amount": 1, "type": "d:x"})),
        creature("c:hero", "a:strike", health=20),
        creature("c:foe", "a:curse", health=5),
        balance=SURE,
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.kinds(0) == ["initiative"] * 2
    first = ["turn_started", "combat_started", "ability_used", "hit", "damaged"]
    assert played.kinds(1) == [*first, "ability_used", "modifier_set"]
    assert played.kinds(2) == [
        *("turn_started", "tick", "damaged", "modifier_expired"),
        *("ability_used", "hit", "damaged", "creature_died", "combat_ended"),
    ]


@pytest.mark.parametrize("seed", range(1, 20))
def test_initiative_is_dexterity_and_a_roll_once(seed):
    registry = rules(
        creature("c:hero", "core:wait", base={"dexterity": 2.9}),
        creature("c:foe", "core:wait", base={"dexterity": -0.5}),
        limits={"turns": 2},
    )
    played, generator = fight(registry, seed=seed), Rng(seed)
    rolls = [generator.real(), generator.real()]
    assert played.column("roll", "initiative") == rolls
    expected = [2 + 1 + int(rolls[0] * 10), -1 + 1 + int(rolls[1] * 10)]
    assert played.column("amount", "initiative") == expected
    order = [0, 1] if expected[0] >= expected[1] else [1, 0]
    assert played.column("actor", "ability_used") == order * 2


def test_a_tie_goes_to_the_hero_then_to_the_lower_position():
    seed = seed_where(lambda r: len({int(x * 10) for x in r[:4]}) == 1)
    registry = rules(creature("c:hero", "core:wait"), IDLE, limits={"turns": 1})
    assert fight(registry, enemies=3, seed=seed).column("actor", "ability_used") == [0, 1, 2, 3]


def test_the_queue_is_emptied_after_each_action():
    """Thorns that answer to the hero's blow kill the next enemy before it acts."""
    brittle = trigger("t:brittle", "damaged", "any", {"do": "damage", "amount": 99, "type": "d:x"})
    registry = rules(
        STRIKE,
        brittle,
        creature("c:hero", "a:strike"),
        creature("c:foe", "a:strike"),
        creature("c:glass", "a:strike", triggers=["t:brittle"]),
        balance=SURE,
        limits={"turns": 1},
    )
    played = fight(registry, enemies=["c:foe", "c:glass"], seed=HERO_FIRST)
    assert played.column("actor", "ability_used") == [0, 1]
    assert played.column("target", "creature_died") == [2]
    assert played.column("ref", "creature_died") == ["t:brittle"]


def test_thorns_kill_the_attacker_and_nobody_acts_after_a_dead_hero():
    thorns = trigger(
        "t:thorns",
        "damaged",
        "subject",
        {"do": "damage", "amount": 99, "type": "d:x", "who": "source"},
    )
    registry = rules(
        STRIKE,
        thorns,
        creature("c:hero", "a:strike"),
        creature("c:foe", "a:strike", triggers=["t:thorns"]),
        balance=SURE,
    )
    played = fight(registry, enemies=2, seed=HERO_FIRST)
    assert played.column("actor", "ability_used") == [0]
    assert played.of("combat_ended") == []
    over = played.of("game_over")[0]
    assert (over["turn"], over["actor"], over["target"], over["ref"]) == (1, 1, 0, "t:thorns")
    result = played.result
    assert (result["outcome"], result["turns"], result["killer"]) == ("defeat", 1, 1)
    assert result["cause"] == "t:thorns"
    assert result["hero_health"] == 0


def test_the_dead_are_removed_only_after_the_queue_is_empty():
    """creature_died still finds the dead one (its tags, its position); later turns do not."""
    avenge = trigger(
        *("t:avenge", "creature_died", "any"),
        {"do": "damage", "amount": 1, "type": "d:x", "who": "source"},
        condition=[{"check": "tag", "who": "subject", "tag": "k:kin"}],
    )
    registry = rules(
        ability("a:kill", hit(99)),
        avenge,
        creature("c:hero", "a:kill"),
        creature("c:foe", "core:wait", tags=["k:kin"], triggers=["t:avenge"]),
        balance=SURE,
    )
    played = fight(registry, enemies=2, seed=HERO_FIRST)
    # turn 1: both kin answer to the death of 1, itself included; turn 2: only 2 is left to answer
    assert played.column("actor", "damaged", turn=1) == [0, 1, 2]
    assert played.column("actor", "damaged", turn=2) == [0, 2]
    assert played.column("target", "creature_died") == [1, 2]


def test_the_dead_answer_only_to_their_own_death():
    echo = trigger(
        "t:echo", "damaged", "any", {"do": "damage", "amount": 1, "type": "d:x", "who": "source"}
    )
    registry = rules(
        ability("a:kill", hit(99)),
        echo,
        creature("c:hero", "a:kill"),
        creature("c:foe", "core:wait", triggers=["t:echo"]),
        balance=SURE,
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.column("actor", "damaged") == [0]
    assert played.result["outcome"] == "victory"


def test_combat_ended_is_heard_after_the_removal():
    last_word = trigger("t:word", "combat_ended", "any", {"do": "heal", "amount": 1})
    registry = rules(
        ability("a:kill", hit(99)),
        last_word,
        creature("c:hero", "a:kill", triggers=["t:word"]),
        creature("c:foe", "core:wait", triggers=["t:word"]),
        balance=SURE,
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.kinds(1)[-2:] == ["combat_ended", "healed"]
    assert played.column("actor", "healed") == [0]


def test_a_hero_killed_by_the_end_of_the_fight_is_defeated():
    doom = trigger("t:doom", "combat_ended", "any", {"do": "damage", "amount": 99, "type": "d:x"})
    registry = rules(
        ability("a:kill", hit(99)),
        doom,
        creature("c:hero", "a:kill", triggers=["t:doom"]),
        IDLE,
        balance=SURE,
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.column("reason", "combat_ended") == ["victory"]
    assert played.result["outcome"] == "defeat"
    assert played.column("ref", "game_over") == ["t:doom"]


def test_a_dead_hero_goes_before_a_dead_enemy():
    grudge = trigger(
        "t:grudge",
        "creature_died",
        "subject",
        {"do": "damage", "amount": 99, "type": "d:x", "who": "source"},
    )
    registry = rules(
        ability("a:kill", hit(99)),
        grudge,
        creature("c:hero", "a:kill"),
        creature("c:foe", "core:wait", triggers=["t:grudge"]),
        balance=SURE,
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.result["outcome"] == "defeat"
    assert played.result["enemies_dead"] == 1
    assert played.of("combat_ended") == []


def test_after_the_last_turn_it_is_a_draw():
    registry = rules(creature("c:hero", "core:wait"), IDLE, limits={"turns": 3})
    played = fight(registry)
    assert played.column("turn", "turn_limit") == [3]
    assert played.result["outcome"] == "draw"
    assert played.result["turns"] == 3
    assert fight(rules(creature("c:hero", "core:wait"), IDLE)).result["turns"] == 200


# ── randomness ──────────────────────────────────────────────────────────────────────────────────


def test_xorshift64_star_known_answers():
    state, outputs = np.array([1], dtype=np.uint64), []
    for _ in range(3):
        state = rng.advance(state)
        outputs.append(int(rng.outputs(state)[0]))
    assert outputs == [0x47E4CE4B896CDD1D, 0xABCFA6A8E079651D, 0xB9D10D8FEB731F57]
    generator = Rng(1)
    assert [generator.bits() for _ in range(3)] == outputs


def test_reals_are_the_upper_53_bits():
    state = rng.advance(np.array([1, 2**64 - 1], dtype=np.uint64))
    assert rng.reals(state)[0] == (0x47E4CE4B896CDD1D >> 11) / 2**53
    assert (rng.reals(state) < 1).all()


def test_draws_two_on_a_hit_one_on_a_miss_also_when_certain():
    for balance, draws in ((SURE, 2), (NEVER, 1)):
        registry = rules(
            STRIKE, creature("c:hero", "a:strike"), IDLE, balance=balance, limits={"turns": 1}
        )
        generator = Rng(7)
        for _ in range(2 + draws):
            generator.bits()
        assert fight(registry, seed=7).result["state"] == generator.state


def test_a_seed_of_0_is_an_error():
    registry = rules(creature("c:hero", "core:wait"), IDLE)
    with pytest.raises(InputError, match=r"fight 0, seed: found 0"):
        engine_run(fights_of([{"seed": 0, "hero": "c:hero", "enemies": ["c:foe"]}]), registry)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ({"hero": "c:nobody"}, r"hero: unknown creature 'c:nobody'.*c:hero"),
        ({"enemies": ["c:foe", "c:fo"]}, r"enemies: unknown creature 'c:fo'.*c:foe"),
        ({"hero": None}, r"hero: unknown creature 'None'"),
        ({"enemies": ["c:foe", None]}, r"enemies: unknown creature 'None'"),
        ({"enemies": []}, r"enemies: found 0; allowed: 1\.\.15"),
        ({"enemies": ["c:foe"] * 16}, r"enemies: found 16"),
        ({"policy": "p:x"}, r"policy: unknown policy 'p:x'"),
        ({"policy": "p:strike"}, r"hero 'c:hero', policy 'p:strike'.*'a:strike'.*core:flee"),
        ({"script": ["core:wait", "a:strike"]}, r"script: unknown ability of 'c:hero' 'a:strike'"),
        ({"script": ["a:nothing"]}, r"script: unknown ability 'a:nothing'"),
    ],
)
def test_fights_that_cannot_be_fought(broken, message):
    registry = rules(
        STRIKE,
        creature("c:hero", "core:wait"),
        creature("c:foe", "a:strike"),
        {"id": "p:strike", "ai": [{"ability": "a:strike"}]},
    )
    fights = fights_of([{"seed": 1, "hero": "c:hero", "enemies": ["c:foe"]} | broken])
    with pytest.raises(InputError, match=message):
        engine_run(fights, registry)


def test_the_balance_knobs_turn():
    registry = rules(
        STRIKE,
        creature("c:hero", "a:strike", base={"hit_chance": 0.5, "max_stamina": 9}),
        creature("c:foe", "core:flee", base={"dexterity": 2, "resistance": {"d:cut": 2.0}}),
        balance={"dodge": 0.1, "flee": 0.2, "resistance_cap": 0.5, "hit_clamp": [0.0, 1.0]},
        limits={"turns": 9},
    )
    played = fight(registry, seed=HERO_FIRST)
    assert played.of("hit", "missed")[0]["p"] == 0.5 - 2 * 0.1
    assert played.of("fled", "flee_failed")[0]["p"] == 0.5 + 2 * 0.2
    assert set(played.column("amount", "damaged")) <= {2}  # 3 · 0.5 = 1.5
