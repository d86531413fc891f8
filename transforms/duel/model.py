"""What a duel registry holds, and the defaults that the engine brings along.

Everything is frozen: a variant for a sweep is made with `dataclasses.replace`.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from hashlib import sha256

FLEE, WAIT = "core:flee", "core:wait"
"""Abilities that every creature has; they cost nothing and cannot be replaced."""


class Kind(IntEnum):
    """Everything that is logged. The first eleven are the events that a trigger may listen to."""

    COMBAT_STARTED = 0
    TURN_STARTED = 1
    ABILITY_USED = 2
    HIT = 3
    MISSED = 4
    DAMAGED = 5
    HEALED = 6
    MODIFIER_EXPIRED = 7
    CREATURE_DIED = 8
    FLED = 9
    COMBAT_ENDED = 10
    INITIATIVE = 11
    TICK = 12
    MODIFIER_SET = 13
    PASSED = 14
    FLEE_FAILED = 15
    REJECTED = 16
    QUEUE_LIMIT = 17
    TURN_LIMIT = 18
    GAME_OVER = 19


class Reason(IntEnum):
    """Why a command was rejected, or how a fight ended."""

    STAMINA = 0
    COOLDOWN = 1
    CONDITION = 2
    VICTORY = 3
    FLED = 4


class Outcome(IntEnum):
    """How a fight ended, seen from the hero; a flight is no victory."""

    VICTORY = 0
    FLED = 1
    DEFEAT = 2
    DRAW = 3


KINDS, REASONS, OUTCOMES = (
    tuple(code.name.lower() for code in codes) for codes in (Kind, Reason, Outcome)
)
"""The same as tables and TOML files spell them."""
EVENTS = KINDS[: Kind.COMBAT_ENDED + 1]

ATTRIBUTES: Mapping[str, float | None] = {
    "max_health": None,
    "max_stamina": 0.0,
    "damage": 0.0,
    "hit_chance": 0.75,
    "dexterity": 0.0,
    "critical_chance": 0.0,
    "critical_factor": 1.5,
}
"""Attributes with their defaults (None: required). A resistance is `resistance.<type>`, 0."""

RESISTANCE = "resistance."
MOST = 16
"""Most creatures of a fight; most abilities, triggers and ai entries of a creature."""


@dataclass(frozen=True)
class Balance:
    """The five knobs. A folder may turn a single one (source 2, `[balance]`)."""

    dodge: float = 0.02
    flee: float = 0.05
    stamina_regen: int = 1
    resistance_cap: float = 0.8
    hit_clamp: tuple[float, float] = (0.05, 0.95)


@dataclass(frozen=True)
class Limits:
    """Turns until a draw, and events that one emptying of the queue works off."""

    turns: int = 200
    queue: int = 256


@dataclass(frozen=True)
class Check:
    """One comparison of a condition; all checks of a condition must hold."""

    check: str
    who: str = "self"
    attribute: str = ""
    tag: str = ""
    modifier: str = ""
    expected: bool = True
    below: float | None = None
    above: float | None = None
    every: int = 1
    start: int = 1


Condition = tuple[Check, ...]


@dataclass(frozen=True)
class Modifier:
    """What a modifier does while it lasts: add to or multiply an attribute, or tick."""

    id: str
    versus: str | None = None
    attribute: str | None = None
    add: float | None = None
    mul: float | None = None
    tick_amount: float | None = None
    tick_type: str | None = None


@dataclass(frozen=True)
class Action:
    """One thing that an ability or a trigger does."""

    do: str
    who: str = "target"
    amount: float = 0.0
    scale: float = 0.0
    type: str = ""
    modifier: Modifier | None = None
    turns: int = 0


@dataclass(frozen=True)
class Ability:
    """What a creature can do in its turn; `cost` in stamina, `cooldown` in turns."""

    id: str
    name: str
    cost: int = 0
    cooldown: int = 0
    condition: Condition = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Trigger:
    """Actions that follow an event in which the owner is subject, source or just present."""

    id: str
    event: str
    on: str
    condition: Condition = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One line of an ai list: the first that fits and is available is chosen."""

    ability: str
    target: str = "first"
    condition: Condition = ()


@dataclass(frozen=True)
class Policy:
    """Another ai list for the hero."""

    id: str
    ai: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Creature:
    """A kind of hero or enemy; `base` holds every attribute, defaults filled in."""

    id: str
    name: str
    tags: tuple[str, ...] = ()
    base: Mapping[str, float] = field(default_factory=dict)
    abilities: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    ai: tuple[Entry, ...] = ()


BUILT_IN = {
    FLEE: Ability(FLEE, "Flucht", actions=(Action("flee", who="self"),)),
    WAIT: Ability(WAIT, "Warten", actions=(Action("wait", who="self"),)),
}


@dataclass(frozen=True)
class Registry:
    """All entries after layering the folders; see `parse.parse_registry`."""

    creatures: Mapping[str, Creature]
    policies: Mapping[str, Policy]
    abilities: Mapping[str, Ability]
    triggers: Mapping[str, Trigger]
    balance: Balance = Balance()
    limits: Limits = Limits()
    files: Mapping[tuple[str, str], str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """Digest of everything that decides a fight; a save remembers it."""
        content = {key: value for key, value in asdict(self).items() if key not in _OUTSIDE}
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


_OUTSIDE = ("files", "warnings")


def makers(registry: Registry) -> list[Ability | Trigger]:
    """Whatever has a condition and actions."""
    return [*registry.abilities.values(), *registry.triggers.values()]


def conditions(registry: Registry) -> list[Condition]:
    """Every condition: of abilities, of triggers, and of ai entries."""
    lists = [c.ai for c in registry.creatures.values()]
    lists += [p.ai for p in registry.policies.values()]
    return [m.condition for m in makers(registry)] + [e.condition for ai in lists for e in ai]


def modifiers(registry: Registry) -> dict[str, Modifier]:
    """Every modifier that an ability or a trigger puts on somebody, by id."""
    made = (action.modifier for maker in makers(registry) for action in maker.actions)
    return {modifier.id: modifier for modifier in made if modifier is not None}
