"""Random registries and fights for the duel tests, and the comparison with the reference.

Everything is drawn from a `random.Random`, so the same maker serves thousands of seeded fights
and hypothesis (`st.randoms()`), which shrinks them. Numbers are small and chosen to collide: low
health, ties, caps that are reached, queues that overflow.
"""

from random import Random
from typing import Any

import polars as pl

from tests.reference.duel import Fight
from transforms.duel.model import EVENTS, Registry
from transforms.duel.parse import parse_registry
from transforms.duel.run import run_fights
from transforms.schema import schema_of

Entry = dict[str, Any]
TAGS = ["t:undead", "t:beast", "t:giant"]
TYPES = ["d:physical", "d:fire"]
ATTRIBUTES = [
    "max_health",
    "max_stamina",
    "damage",
    "hit_chance",
    "dexterity",
    "critical_chance",
    "critical_factor",
    *(f"resistance.{name}" for name in TYPES),
]


def registry_of(*contents: Entry) -> Registry:
    """A registry of folders with one file each: the core first, then mods."""
    return parse_registry([[(f"folder{n}/a.toml", c)] for n, c in enumerate(contents)])


def fights_of(rows: list[Entry]) -> pl.DataFrame:
    """Rows of duel.fights; ids count from 0 unless given."""
    usual = {"policy": None, "script": None}
    filled = [{"fight_id": n} | usual | row for n, row in enumerate(rows)]
    return pl.DataFrame(filled, schema=schema_of("duel.fights"))


def maybe(r: Random, share: float) -> bool:
    return r.random() < share


def number(r: Random, low: float, high: float) -> float:
    """A number of two digits, a quarter (halves are rounded), or one whose last bits matter."""
    x = r.uniform(low, high)
    return r.choice([round(x, 2), round(x * 4) / 4, x])


def random_registry(r: Random) -> Registry:
    """A core of a few creatures with everything the format knows."""
    return registry_of(random_core(r))


def random_core(r: Random) -> Entry:
    effects = [random_effect(r, f"m:{n}") for n in range(r.randint(0, 8))]
    names = [effect["id"] for effect in effects]
    abilities = [random_ability(r, f"a:{n}", effects) for n in range(r.randint(1, 6))]
    triggers = [random_trigger(r, f"t:{n}", effects) for n in range(r.randint(0, 6))]
    if effects:  # so that every condition names a modifier that somebody could put on
        lasting = [{"do": "modifier", **e, "turns": r.randint(1, 3)} for e in effects]
        abilities.append({"id": "a:all", "actions": lasting})
    known = [ability["id"] for ability in abilities]
    creatures = [
        random_creature(r, f"c:{n}", known, [t["id"] for t in triggers], names)
        for n in range(r.randint(1, 5))
    ]
    usable = ["core:flee", "core:wait"]
    policies = [{"id": "p:any", "ai": random_ai(r, usable, names)}]
    core: Entry = {
        "abilities": abilities,
        "triggers": triggers,
        "creatures": creatures,
        "policies": policies,
        "limits": {"turns": r.choice([1, 3, 12, 40]), "queue": r.choice([1, 2, 5, 40])},
    }
    if maybe(r, 0.5):
        low = r.uniform(0, 0.5)
        core["balance"] = {
            "dodge": number(r, -0.1, 0.1),
            "flee": number(r, -0.1, 0.1),
            "stamina_regen": r.randint(0, 3),
            "resistance_cap": min(number(r, -1.0, 1.0), 0.99),
            "hit_clamp": [low, r.uniform(low, 1)],
        }
    return core


def random_effect(r: Random, name: str) -> Entry:
    """What a modifier of this id does; its turns belong to the action."""
    effect: Entry = {"id": name}
    if maybe(r, 0.3):
        effect["versus"] = r.choice(TAGS)
    kind = r.choice(["add", "mul", "tick"])
    if kind == "tick":
        return effect | {"tick": {"amount": number(r, 0, 6), "type": r.choice(TYPES)}}
    attribute = r.choice([*ATTRIBUTES, "hit_chance", "hit_chance", "dexterity", "dexterity"])
    span = 0.5 if "chance" in attribute or "resistance" in attribute else 5.0
    value = number(r, -span, span) if kind == "add" else number(r, -0.5, 2.5)
    return effect | {"attribute": attribute, kind: value}


def random_action(r: Random, effects: list[Entry], roles: list[str]) -> Entry:
    do = r.choice(["damage", "damage", "heal", "modifier"])
    if do == "modifier" and effects:
        turns = r.randint(1, 4)
        return {"do": do, **r.choice(effects), "who": r.choice(roles), "turns": turns}
    if do == "heal":
        return {"do": do, "amount": number(r, 0, 8), "who": r.choice(roles)}
    action: Entry = {"do": "damage", "type": r.choice(TYPES)}
    if "target" not in roles:
        action["who"] = r.choice(roles)
    if maybe(r, 0.6):
        action["scale"] = number(r, 0, 2)
    if "scale" not in action or maybe(r, 0.3):
        action["amount"] = number(r, -2, 6)
    return action


def random_ability(r: Random, name: str, effects: list[Entry]) -> Entry:
    if maybe(r, 0.15):
        actions = [{"do": r.choice(["flee", "wait"])}]
    else:
        roles = ["self", "target"]
        actions = [random_action(r, effects, roles) for _ in range(r.randint(1, 3))]
    names = [effect["id"] for effect in effects]
    return {
        "id": name,
        "cost": r.choice([0, 0, 1, 3]),
        "cooldown": r.choice([0, 0, 1, 2, 3]),
        "condition": random_condition(r, ["self", "target"], names, 0.3),
        "actions": actions,
    }


def random_trigger(r: Random, name: str, effects: list[Entry]) -> Entry:
    roles = ["self", "subject", "source"]
    names = [effect["id"] for effect in effects]
    return {
        "id": name,
        "event": r.choice([*EVENTS, "damaged", "creature_died", "creature_died"]),
        "on": r.choice(["subject", "source", "any"]),
        "condition": random_condition(r, roles, names, 0.4),
        "actions": [random_action(r, effects, roles) for _ in range(r.randint(1, 2))],
    }


def random_condition(r: Random, roles: list[str], names: list[str], share: float) -> list[Entry]:
    checks = []
    while maybe(r, share):
        checks.append(random_check(r, roles, names))
    return checks


def random_check(r: Random, roles: list[str], names: list[str]) -> Entry:
    kind = r.choice(["attribute", "tag", "modifier", "turn", "enemies"])
    who = r.choice(roles)
    if kind == "attribute":
        attribute = r.choice(["health", "health", "stamina", *ATTRIBUTES])
        edge = r.choice([0.0, 0.5, 1.0, number(r, 0, 10)])
        return {"check": kind, "who": who, "attribute": attribute, **random_ends(r, edge)}
    if kind == "tag":
        return {"check": kind, "who": who, "tag": r.choice(TAGS), "is": maybe(r, 0.6)}
    if kind == "modifier" and names:
        return {"check": kind, "who": who, "id": r.choice(names), "is": maybe(r, 0.6)}
    if kind == "enemies":
        return {"check": kind, **random_ends(r, r.randint(0, 4))}
    return {"check": "turn", "every": r.randint(1, 3), "from": r.randint(1, 4)}


def random_ends(r: Random, edge: float) -> Entry:
    return r.choice([{"below": edge}, {"above": edge}, {"below": edge + 1, "above": edge - 1}])


def random_creature(
    r: Random, name: str, abilities: list[str], triggers: list[str], names: list[str]
) -> Entry:
    own = r.sample(abilities, r.randint(1, len(abilities)))
    base: Entry = {"max_health": r.choice([r.randint(1, 20), r.randint(20, 80)])}
    for attribute, low, high in (
        ("damage", 0, 9),
        ("hit_chance", 0.3, 1.2),
        ("dexterity", -2, 9),
        ("critical_chance", -0.2, 1.1),
        ("critical_factor", 0.5, 3),
    ):
        if maybe(r, 0.7):
            base[attribute] = number(r, low, high)
    if maybe(r, 0.7):
        base["max_stamina"] = r.randint(0, 8)
    if maybe(r, 0.5):
        base["resistance"] = {kind: number(r, -1.5, 1.2) for kind in TYPES if maybe(r, 0.6)}
    return {
        "id": name,
        "tags": [tag for tag in TAGS if maybe(r, 0.4)],
        "base": base,
        "abilities": own,
        "triggers": r.sample(triggers, r.randint(0, len(triggers))),
        "ai": random_ai(r, [*own, *own, "core:flee", "core:wait"], names),
    }


def random_ai(r: Random, usable: list[str], names: list[str]) -> list[Entry]:
    return [
        {
            "ability": r.choice(usable),
            "target": r.choice(["first", "last", "weakest", "strongest", "fastest"]),
            "condition": random_condition(r, ["self", "target"], names, 0.5),
        }
        for _ in range(r.randint(0, 5))
    ]


def random_fights(r: Random, registry: Registry, count: int) -> pl.DataFrame:
    """Fights of every size, some with a policy, some with a script."""
    names = list(registry.creatures)
    rows = []
    for _ in range(count):
        hero = r.choice(names)
        usable = [*registry.creatures[hero].abilities, "core:flee", "core:wait"]
        rows.append(
            {
                "seed": r.randint(1, 2**64 - 1),
                "hero": hero,
                "enemies": r.choices(names, k=r.choice([1, 1, 2, 3, 5, 15])),
                "policy": "p:any" if maybe(r, 0.2) else None,
                "script": r.choices(usable, k=r.randint(0, 8)) if maybe(r, 0.4) else None,
            }
        )
    return fights_of(rows)


def reference_run(fights: pl.DataFrame, registry: Registry) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Results and events of the plain reference."""
    results, events = [], []
    for row in fights.iter_rows(named=True):
        fight_id = {"fight_id": row.pop("fight_id")}
        fight = Fight(registry, **row)
        results.append(fight_id | fight.run())
        events += [fight_id | event for event in fight.events]
    return (
        pl.DataFrame(results, schema=schema_of("duel.results")),
        pl.DataFrame(events, schema=schema_of("duel.events")),
    )


def engine_run(fights: pl.DataFrame, registry: Registry) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Results and events of the engine."""
    played = list(run_fights(fights, registry, events=True))
    return (
        pl.concat([p.results for p in played]),
        pl.concat([p.events for p in played if p.events is not None]),
    )


def assert_same(fights: pl.DataFrame, registry: Registry) -> pl.DataFrame:
    """Engine and reference agree to the last bit; returns the events."""
    expected_results, expected = reference_run(fights, registry)
    results, events = engine_run(fights, registry)
    if not events.equals(expected):
        for ours, theirs in zip(
            events.iter_rows(named=True), expected.iter_rows(named=True), strict=False
        ):
            assert ours == theirs
        assert events.height == expected.height
        assert events.equals(expected)
    assert results.equals(expected_results), (results, expected_results)
    return events
