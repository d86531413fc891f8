"""Short ways to write down a fight: entries of a registry, and seeds that roll as wanted.

`fight` plays engine and reference alike, so each example holds both of them to the rules. Rolls
are made certain with `hit_clamp = [1, 1]` (always) or `[0, 0]` (never), or a seed is looked for.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from tests.duels import assert_same, engine_run, fights_of, registry_of
from tests.reference.duel import Rng
from transforms.duel.model import Registry

Entry = dict[str, Any]
SURE = {"hit_clamp": [1.0, 1.0]}
NEVER = {"hit_clamp": [0.0, 0.0]}


def hit(amount: float = 0.0, scale: float = 0.0, kind: str = "d:cut") -> Entry:
    return {"do": "damage", "amount": amount, "scale": scale, "type": kind}


def mend(who: str = "self") -> Entry:
    return {"do": "heal", "amount": 1, "who": who}


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
