"""Every sentence of source 2 and docs/duel.md with numbers worked by hand.

`fight` plays engine and reference alike, so each example holds both of them to the rules. Rolls
are made certain with `hit_clamp = [1, 1]` (always) or `[0, 0]` (never), or a seed is looked for.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from tests.duels import assert_same, engine_run, fights_of, registry_of
from tests.reference.duel import Rng
from transforms.duel import rng
from transforms.duel.model import Registry
from transforms.errors import InputError

Entry = dict[str, Any]
SURE = {"hit_clamp": [1.0, 1.0]}
NEVER = {"hit_clamp": [0.0, 0.0]}


def hit(amount: float = 0.0, scale: float = 0.0, kind: str = "d:cut") -> Entry:
    return {"do": "damage", "amount": amount, "scale": scale, "type": kind}


def ability(name: str, *actions: Entry, **more: Any) -> Entry:
    return {"id": name, "actions": list(actions)} | more


def trigger(name: str, event: str, on: str, *actions: Entry, **more: Any) -> Entry:
    return {"id": name, "event": event, "on": on, "actions": list(actions)} | more


def modifier(name: str, turns: int = 2, who: str = "self", **effect: Any) -> Entry:
    return {"do": "modifier", "id": name, "turns": turns, "who": who} | effect


def creature(name: str, *ai: str | Entry, health: int = 10, **more: Any) -> Entry:
    """A creature whose abilities are those of its list, unless given."""
    lines = [{"ability": line} if isinstance(line, str) else line for line in ai]
    own = [n for n in dict.fromkeys(line["ability"] for line in lines) if n[:5] != "core:"]
    base = {"max_health": health} | more.pop("base", {})
    return {"id": name, "base": base, "abilities": own, "ai": lines} | more


def rules(*entries: Entry, balance: Entry | None = None, limits: Entry | None = None) -> Registry:
    """A registry of entries whose kind is seen from their keys."""
    core: Entry = {"creatures": [], "abilities": [], "triggers": [], "policies": []}
    for entry in entries:
        kinds = (("base", "creatures"), ("event", "triggers"), ("actions", "abilities"))
        core[next((kind for key, kind in kinds if key in entry), "policies")].append(entry)
    if balance:
        core["balance"] = balance
    if limits:
        core["limits"] = limits
    return registry_of(core)


class Played:
    """One fight: its result, and its events to ask for."""

    def __init__(self, registry: Registry, **fight: Any) -> None:
        fights = fights_of([{"seed": 1} | fight])
        self.events = assert_same(fights, registry).to_dicts()
        self.result = engine_run(fights, registry)[0].to_dicts()[0]

    def of(self, *kinds: str, turn: int | None = None) -> list[Entry]:
        return [e for e in self.events if e["kind"] in kinds and turn in (None, e["turn"])]

    def kinds(self, turn: int) -> list[str]:
        return [event["kind"] for event in self.events if event["turn"] == turn]

    def column(self, name: str, *kinds: str, turn: int | None = None) -> list[Any]:
        return [event[name] for event in self.of(*kinds, turn=turn)]


def fight(registry: Registry, enemies: int | list[str] = 1, **more: Any) -> Played:
    """The creature `c:hero` against so many `c:foe`."""
    names = ["c:foe"] * enemies if isinstance(enemies, int) else enemies
    return Played(registry, **{"hero": "c:hero", "enemies": names} | more)


def seed_where(fits: Callable[[list[float]], bool], draws: int = 6) -> int:
    """The lowest seed whose first reals fit."""
    for seed in count(1):
        generator = Rng(seed)
        if fits([generator.real() for _ in range(draws)]):
            return seed
    raise AssertionError


HERO_FIRST = seed_where(lambda r: r[0] > 0.95 and max(r[1:4]) < 0.5)
"""Initiative: the hero 10, up to three enemies at most 5."""
FOE_FIRST = seed_where(lambda r: r[0] < 0.05 and r[1] > 0.5)
STRIKE = ability("a:strike", hit(3))
IDLE = creature("c:foe", "core:wait")


# ── one turn ────────────────────────────────────────────────────────────────────────────────


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


# ── formulas ────────────────────────────────────────────────────────────────────────────────


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


# ── abilities ───────────────────────────────────────────────────────────────────────────────


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


# ── modifiers ───────────────────────────────────────────────────────────────────────────────


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


# ── flight ──────────────────────────────────────────────────────────────────────────────────

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


# ── choosing ────────────────────────────────────────────────────────────────────────────────


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


# ── scripts ─────────────────────────────────────────────────────────────────────────────────


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


# ── queue and triggers ──────────────────────────────────────────────────────────────────────


def mend(who: str = "self") -> Entry:
    return {"do": "heal", "amount": 1, "who": who}


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


# ── randomness ──────────────────────────────────────────────────────────────────────────────


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
