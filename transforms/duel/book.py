"""A registry as dense arrays: every id an ordinal, every list a range of rows.

What the engine asks for a million fights at once must be one gather, so nothing in here is a
dict. Row 0 of creatures, modifiers, tags and conditions stands for "none".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from transforms.duel.model import (
    ATTRIBUTES,
    BUILT_IN,
    EVENTS,
    RESISTANCE,
    Action,
    Check,
    Condition,
    Entry,
    Registry,
    conditions,
    makers,
    modifiers,
)

Ints = np.ndarray[Any, np.dtype[np.intp]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

ME, OTHER, SOURCE = range(3)
"""Roles: who acts (or owns the trigger), the target or an event's subject, an event's source."""
ROLES = {"self": ME, "target": OTHER, "subject": OTHER, "source": SOURCE}
Do = IntEnum("Do", ["damage", "heal", "modifier", "flee", "wait"], start=0)
Ask = IntEnum("Ask", ["attribute", "tag", "modifier", "turn", "enemies"], start=0)
Aim = IntEnum("Aim", ["first", "last", "weakest", "strongest", "fastest"], start=0)
On = IntEnum("On", ["subject", "source", "any"], start=0)

MAX_HEALTH, MAX_STAMINA, DAMAGE, HIT_CHANCE, DEXTERITY, CRITICAL_CHANCE, CRITICAL_FACTOR = range(7)
"""Ordinals of the attributes; the resistances follow."""
HEALTH, STAMINA = -1, -2
"""What only a condition can ask for: a fraction of the maximum."""
NO_ADD = -0.0
"""The number that changes no double when it is added, not even a zero's sign."""


class Ranges(NamedTuple):
    """Lists one after the other: list i has `size[i]` rows from `start[i]` on."""

    start: Ints
    size: Ints


class Actions(NamedTuple):
    """All actions of abilities and triggers."""

    do: Ints
    who: Ints
    amount: Floats
    scale: Floats
    resistance: Ints
    modifier: Ints
    turns: Ints


class Checks(NamedTuple):
    """All checks of all conditions."""

    ask: Ints
    who: Ints
    attribute: Ints
    tag: Ints
    modifier: Ints
    expected: Bools
    below: Floats
    above: Floats
    every: Ints
    start: Ints


class Entries(NamedTuple):
    """All lines of all ai lists."""

    ability: Ints
    aim: Ints
    condition: Ints


@dataclass(frozen=True)
class Book:
    """The compiled registry. Lists of names turn ordinals back into ids."""

    registry: Registry
    creatures: list[str]
    abilities: list[str]
    modifiers: list[str]
    refs: list[str]
    policies: dict[str, int]

    base: Floats
    tagged: Bools
    usable: Bools
    slot: Ints
    slots: int
    hears: Ints
    heard: Ints

    ai_lines: Ranges
    entries: Entries
    conditions: Ranges
    checks: Checks
    ability_actions: Ranges
    trigger_actions: Ranges
    actions: Actions

    cost: Ints
    cooldown: Ints
    ability_condition: Ints
    trigger_on: Ints
    trigger_condition: Ints
    trigger_ref: Ints

    modifier_ref: Ints
    add: Floats
    mul: Floats
    versus: Ints
    tick_amount: Floats
    tick_resistance: Ints
    modified: Bools

    def abilities_of(self, creature: int) -> list[str]:
        """What a creature may use, flee and wait included."""
        return [
            name for name, own in zip(self.abilities, self.usable[creature], strict=True) if own
        ]


def compile_book(registry: Registry) -> Book:
    """The arrays of a registry; the meaning of each axis stands in `Book`'s builders below."""
    return _Compiler(registry).book()


def ints(values: Iterable[int]) -> Ints:
    """Ordinals as an array that NumPy gathers with as it is."""
    return np.array(list(values), dtype=np.intp)


def present_kinds(codes: Ints) -> Ints:
    """Which codes occur, ascending; much cheaper than `np.unique` for a handful of codes."""
    return np.flatnonzero(np.bincount(codes))


class _Compiler:
    """Collects shared rows (conditions, actions, ai lines) while the entries are walked."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.creatures = ["", *registry.creatures]
        self.abilities = list(registry.abilities)
        self.effects = modifiers(registry)
        self.modifier_of = {name: i for i, name in enumerate(["", *self.effects])}
        self.attribute_of = {name: i for i, name in enumerate(_attributes(registry))}
        self.attribute_of |= {"health": HEALTH, "stamina": STAMINA}
        self.tag_of = {name: i for i, name in enumerate(_tags(registry))}
        self.condition_of: dict[Condition, int] = {(): 0}

    def book(self) -> Book:
        registry = self.registry
        abilities, triggers = registry.abilities.values(), registry.triggers.values()
        beings = registry.creatures.values()
        lists = [(), *(c.ai for c in beings), *(p.ai for p in registry.policies.values())]
        ai_lines, lines = _ranges(lists)
        ability_actions, actions = _ranges(a.actions for a in abilities)
        trigger_actions, more = _ranges((t.actions for t in triggers), after=len(actions))
        entries = self._entries(lines)
        ability_condition = ints(self._condition(a.condition) for a in abilities)
        trigger_condition = ints(self._condition(t.condition) for t in triggers)
        asked, checks = _ranges(self.condition_of)
        slot, slots = self._slots()
        hears, heard = self._hearing()
        return Book(
            registry=registry,
            creatures=self.creatures,
            abilities=self.abilities,
            modifiers=list(self.modifier_of),
            refs=[*self.abilities, *registry.triggers, *self.effects],
            policies={p: len(self.creatures) + i for i, p in enumerate(registry.policies)},
            base=self._base(),
            tagged=self._tagged(),
            usable=self._usable(),
            slot=slot,
            slots=slots,
            hears=hears,
            heard=heard,
            ai_lines=ai_lines,
            entries=entries,
            conditions=asked,
            checks=self._checks(checks),
            ability_actions=ability_actions,
            trigger_actions=trigger_actions,
            actions=self._actions([*actions, *more]),
            cost=ints(a.cost for a in abilities),
            cooldown=ints(a.cooldown for a in abilities),
            ability_condition=ability_condition,
            trigger_on=ints(On[t.on] for t in triggers),
            trigger_condition=trigger_condition,
            trigger_ref=ints(range(len(self.abilities), len(self.abilities) + len(triggers))),
            **self._modifiers(),
        )

    def _condition(self, condition: Condition) -> int:
        return self.condition_of.setdefault(condition, len(self.condition_of))

    def _entries(self, lines: Sequence[Entry]) -> Entries:
        return Entries(
            ability=ints(self.abilities.index(line.ability) for line in lines),
            aim=ints(Aim[line.target] for line in lines),
            condition=ints(self._condition(line.condition) for line in lines),
        )

    def _checks(self, checks: Sequence[Check]) -> Checks:
        return Checks(
            ask=ints(Ask[c.check] for c in checks),
            who=ints(ROLES[c.who] for c in checks),
            attribute=ints(self.attribute_of.get(c.attribute, 0) for c in checks),
            tag=ints(self.tag_of.get(c.tag, 0) for c in checks),
            modifier=ints(self.modifier_of.get(c.modifier, 0) for c in checks),
            expected=np.array([c.expected for c in checks], dtype=bool),
            below=np.array([np.inf if c.below is None else c.below for c in checks], dtype=float),
            above=np.array([-np.inf if c.above is None else c.above for c in checks], dtype=float),
            every=ints(c.every for c in checks),
            start=ints(c.start for c in checks),
        )

    def _actions(self, actions: Sequence[Action]) -> Actions:
        made = [action.modifier.id if action.modifier else "" for action in actions]
        return Actions(
            do=ints(Do[a.do] for a in actions),
            who=ints(ROLES[a.who] for a in actions),
            amount=np.array([a.amount for a in actions], dtype=float),
            scale=np.array([a.scale for a in actions], dtype=float),
            resistance=ints(self.attribute_of.get(RESISTANCE + a.type, 0) for a in actions),
            modifier=ints(self.modifier_of[name] for name in made),
            turns=ints(a.turns for a in actions),
        )

    def _base(self) -> Floats:
        """creature × attribute"""
        base = np.zeros((len(self.creatures), len(self.attribute_of) - 2))
        for row, creature in enumerate(self.registry.creatures.values(), start=1):
            for name, value in creature.base.items():
                base[row, self.attribute_of[name]] = value
        return base

    def _tagged(self) -> Bools:
        """creature × tag; everybody, also nobody, counts for tag 0 = no tag asked for"""
        tagged = np.zeros((len(self.creatures), len(self.tag_of)), dtype=bool)
        tagged[:, 0] = True
        for row, creature in enumerate(self.registry.creatures.values(), start=1):
            tagged[row, [self.tag_of[tag] for tag in creature.tags]] = True
        return tagged

    def _usable(self) -> Bools:
        """creature × ability"""
        usable = np.zeros((len(self.creatures), len(self.abilities)), dtype=bool)
        for row, creature in enumerate(self.registry.creatures.values(), start=1):
            own = (*creature.abilities, *BUILT_IN)
            usable[row, [self.abilities.index(ability) for ability in own]] = True
        return usable

    def _slots(self) -> tuple[Ints, int]:
        """creature × ability → its cooldown counter; 0 is a counter that always stands at 0"""
        slot = np.zeros((len(self.creatures), len(self.abilities)), dtype=np.intp)
        for row, creature in enumerate(self.registry.creatures.values(), start=1):
            own = dict.fromkeys(creature.abilities)
            waiting = [a for a in own if self.registry.abilities[a].cooldown]
            for place, ability in enumerate(waiting, start=1):
                slot[row, self.abilities.index(ability)] = place
        return slot, int(slot.max(initial=0)) + 1

    def _hearing(self) -> tuple[Ints, Ints]:
        """creature × event → how many triggers; creature × event × n → which, in list order"""
        names = list(self.registry.triggers)
        lists: dict[tuple[int, int], list[int]] = {}
        for row, creature in enumerate(self.registry.creatures.values(), start=1):
            for name in creature.triggers:
                event = EVENTS.index(self.registry.triggers[name].event)
                lists.setdefault((row, event), []).append(names.index(name))
        hears = np.zeros((len(self.creatures), len(EVENTS)), dtype=np.intp)
        most = max(map(len, lists.values()), default=0)
        heard = np.zeros((*hears.shape, most), dtype=np.intp)
        for place, triggers in lists.items():
            hears[place] = len(triggers)
            heard[(*place, slice(len(triggers)))] = triggers
        return hears, heard

    def _modifiers(self) -> Mapping[str, Any]:
        """attribute × modifier for `add` and `mul`, neutral numbers where it does nothing"""
        count, attributes = len(self.effects) + 1, len(self.attribute_of) - 2
        add, mul = np.full((attributes, count), NO_ADD), np.ones((attributes, count))
        tick_amount, tick_resistance = np.full(count, np.nan), np.zeros(count, dtype=np.intp)
        versus = np.zeros(count, dtype=np.intp)
        for m, effect in enumerate(self.effects.values(), start=1):
            versus[m] = self.tag_of[effect.versus] if effect.versus else 0
            if effect.tick_amount is not None:
                tick_amount[m] = effect.tick_amount
                tick_resistance[m] = self.attribute_of[f"{RESISTANCE}{effect.tick_type}"]
            elif effect.add is not None:
                add[self.attribute_of[str(effect.attribute)], m] = effect.add
            elif effect.mul is not None:
                mul[self.attribute_of[str(effect.attribute)], m] = effect.mul
        return {
            "modifier_ref": np.arange(count)
            + len(self.abilities)
            + len(self.registry.triggers)
            - 1,
            "add": add,
            "mul": mul,
            "versus": versus,
            "tick_amount": tick_amount,
            "tick_resistance": tick_resistance,
            "modified": np.isin(
                np.arange(attributes),
                [self.attribute_of[e.attribute] for e in self.effects.values() if e.attribute],
            ),
        }


def _ranges(lists: Iterable[Sequence[Any]], after: int = 0) -> tuple[Ranges, list[Any]]:
    lists = [tuple(rows) for rows in lists]
    sizes = ints(len(rows) for rows in lists)
    return Ranges(np.cumsum(sizes) - sizes + after, sizes), [row for rows in lists for row in rows]


def _attributes(registry: Registry) -> list[str]:
    """The attributes in their fixed order, then every resistance that is named anywhere."""
    effects = modifiers(registry).values()
    types = [action.type for maker in makers(registry) for action in maker.actions]
    types += [effect.tick_type for effect in effects if effect.tick_type]
    named = [
        *(name for creature in registry.creatures.values() for name in creature.base),
        *(RESISTANCE + name for name in types if name),
        *(effect.attribute for effect in effects if effect.attribute),
        *(check.attribute for condition in conditions(registry) for check in condition),
    ]
    return list(dict.fromkeys([*ATTRIBUTES, *(n for n in named if n.startswith(RESISTANCE))]))


def _tags(registry: Registry) -> list[str]:
    """Tag 0 is no tag; then every tag that a creature has, a modifier or a check asks for."""
    named = [
        *(tag for creature in registry.creatures.values() for tag in creature.tags),
        *(effect.versus for effect in modifiers(registry).values() if effect.versus),
        *(check.tag for condition in conditions(registry) for check in condition),
    ]
    return list(dict.fromkeys(["", *named]))
