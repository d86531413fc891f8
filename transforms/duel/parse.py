"""From parsed TOML to a registry: folders are layered, entries checked, warnings collected.

A later folder replaces whole entries by id; only `[balance]` and `[limits]`, whose keys the
engine knows, merge key by key (source 2, `[balance]`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from transforms.duel import fields
from transforms.duel.model import (
    ATTRIBUTES,
    BUILT_IN,
    EVENTS,
    MOST,
    RESISTANCE,
    Ability,
    Action,
    Balance,
    Check,
    Condition,
    Creature,
    Entry,
    Limits,
    Modifier,
    Policy,
    Registry,
    Trigger,
)
from transforms.duel.references import check_references, warnings
from transforms.errors import InputError

File = tuple[str, Mapping[str, Any]]
"""The name of a file and its parsed content."""

KINDS = ("creatures", "policies", "abilities", "triggers")
TARGETS = ("first", "last", "weakest", "strongest", "fastest")
FIGHTER_ROLES = ("self", "target")
TRIGGER_ROLES = ("self", "subject", "source")


def parse_registry(folders: Sequence[Sequence[File]]) -> Registry:
    """The registry of the core folder and, on top of it, every mod in order.

    Errors: anything that is not exactly as docs/duel.md says, with file, key, found, allowed.
    """
    entries: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    files: dict[tuple[str, str], str] = {}
    balance, limits = Balance(), Limits()
    for folder in folders:
        seen: dict[tuple[str, str], str] = {}
        for file, content in folder:
            fields.table(file, content, ("balance", "limits", *KINDS))
            balance = parse_balance(f"{file}: [balance]", content.get("balance", {}), balance)
            limits = _limits(f"{file}: [limits]", content.get("limits", {}), limits)
            for kind in KINDS:
                for given in fields.items(f"{file}: {kind}", content.get(kind, [])):
                    name = _id_of(f"{file}: {kind}", given)
                    if (kind, name) in seen:
                        raise InputError(
                            f"{file}: {kind} {name!r}: the id is there twice (also in "
                            f"{seen[kind, name]}); allowed: each id once in a folder"
                        )
                    seen[kind, name] = files[kind, name] = file
                    entries[kind][name] = _ENTRY[kind](f"{file}: {kind} {name!r}", given)
    registry = Registry(
        creatures=entries["creatures"],
        policies=entries["policies"],
        abilities=entries["abilities"] | BUILT_IN,
        triggers=entries["triggers"],
        balance=balance,
        limits=limits,
        files=files,
    )
    check_references(registry)
    return replace(registry, warnings=warnings(registry))


def _id_of(where: str, given: Any) -> str:
    if not isinstance(given, dict) or "id" not in given:
        raise InputError(
            f"{where}: an entry without 'id', found {given!r}; allowed: id = 'ns:name'"
        )
    return fields.identifier(f"{where}, id", given["id"])


# ── [balance] and [limits] ──────────────────────────────────────────────────────────────────


def parse_balance(where: str, given: Any, below: Balance) -> Balance:
    found = fields.table(
        where, given, ("dodge", "flee", "stamina_regen", "resistance_cap", "hit_clamp")
    )
    turned: dict[str, Any] = {}
    for key, value in found.items():
        place = f"{where}, {key}"
        if key == "stamina_regen":
            turned[key] = fields.whole(place, value)
        elif key == "resistance_cap":
            turned[key] = fields.number(place, value, -1.0, 0.99)
        elif key == "hit_clamp":
            turned[key] = _clamp(place, value)
        else:
            turned[key] = fields.number(place, value)
    return replace(below, **turned)


def _clamp(where: str, value: Any) -> tuple[float, float]:
    ends = [fields.number(where, end, 0.0, 1.0) for end in fields.items(where, value)]
    if len(ends) != 2 or ends[0] > ends[1]:
        raise fields.refuse(where, value, "[low, high] with 0 <= low <= high <= 1")
    return ends[0], ends[1]


def _limits(where: str, given: Any, below: Limits) -> Limits:
    found = fields.table(where, given, ("turns", "queue"))
    return replace(below, **{k: fields.whole(f"{where}, {k}", v, 1) for k, v in found.items()})


# ── entries ─────────────────────────────────────────────────────────────────────────────────


def _creature(where: str, given: Any) -> Creature:
    allowed = ("id", "name", "tags", "base", "abilities", "triggers", "ai")
    found = fields.table(where, given, allowed, ("base",))
    return Creature(
        id=found["id"],
        name=fields.text(f"{where}, name", found.get("name", found["id"])),
        tags=fields.identifiers(f"{where}, tags", found.get("tags", [])),
        base=parse_base(f"{where}, base", found["base"]),
        abilities=fields.identifiers(f"{where}, abilities", found.get("abilities", []), MOST),
        triggers=fields.identifiers(f"{where}, triggers", found.get("triggers", []), MOST),
        ai=_ai(f"{where}, ai", found.get("ai", [])),
    )


def parse_base(where: str, given: Any) -> dict[str, float]:
    found = fields.table(where, given, (*ATTRIBUTES, "resistance"), ("max_health",))
    base = {key: value for key, value in ATTRIBUTES.items() if value is not None}
    for key, value in found.items():
        place = f"{where}, {key}"
        if key in ("max_health", "max_stamina"):
            base[key] = float(fields.whole(place, value, 1 if key == "max_health" else 0))
        elif key != "resistance":
            base[key] = fields.number(place, value)
    resistances = found.get("resistance", {})
    if not isinstance(resistances, dict):
        raise fields.refuse(f"{where}, resistance", resistances, "a table of damage types")
    for kind, value in resistances.items():
        place = f"{where}, resistance, {kind}"
        base[RESISTANCE + fields.identifier(place, kind)] = fields.number(place, value)
    return base


def _policy(where: str, given: Any) -> Policy:
    found = fields.table(where, given, ("id", "ai"), ("ai",))
    return Policy(found["id"], _ai(f"{where}, ai", found["ai"]))


def _ai(where: str, given: Any) -> tuple[Entry, ...]:
    entries = []
    for number, line in enumerate(fields.items(where, given, MOST), start=1):
        place = f"{where} {number}"
        found = fields.table(place, line, ("condition", "ability", "target"), ("ability",))
        entries.append(
            Entry(
                fields.identifier(f"{place}, ability", found["ability"]),
                fields.one_of(f"{place}, target", found.get("target", "first"), TARGETS, "target"),
                _condition(place, found.get("condition", []), FIGHTER_ROLES),
            )
        )
    return tuple(entries)


def _ability(where: str, given: Any) -> Ability:
    allowed = ("id", "name", "cost", "cooldown", "condition", "actions")
    found = fields.table(where, given, allowed, ("actions",))
    if found["id"] in BUILT_IN:
        raise InputError(f"{where}: built in and not replaceable; allowed: any other id")
    return Ability(
        id=found["id"],
        name=fields.text(f"{where}, name", found.get("name", found["id"])),
        cost=fields.whole(f"{where}, cost", found.get("cost", 0)),
        cooldown=fields.whole(f"{where}, cooldown", found.get("cooldown", 0)),
        condition=_condition(where, found.get("condition", []), FIGHTER_ROLES),
        actions=_actions(where, found["actions"], ("damage", "heal", "modifier", "flee", "wait")),
    )


def _trigger(where: str, given: Any) -> Trigger:
    allowed = ("id", "event", "on", "condition", "actions")
    found = fields.table(where, given, allowed, ("event", "on", "actions"))
    return Trigger(
        id=found["id"],
        event=fields.one_of(f"{where}, event", found["event"], EVENTS, "event"),
        on=fields.one_of(f"{where}, on", found["on"], ("subject", "source", "any")),
        condition=_condition(where, found.get("condition", []), TRIGGER_ROLES),
        actions=_actions(where, found["actions"], ("damage", "heal", "modifier")),
    )


_ENTRY = {"creatures": _creature, "policies": _policy, "abilities": _ability, "triggers": _trigger}


# ── actions and conditions ──────────────────────────────────────────────────────────────────


def _actions(where: str, given: Any, kinds: Sequence[str]) -> tuple[Action, ...]:
    """Actions of an ability (it knows flee and wait, each alone) or of a trigger."""
    lines = fields.items(f"{where}, actions", given)
    actions = tuple(_action(f"{where}, actions {n}", a, kinds) for n, a in enumerate(lines, 1))
    if len(actions) != 1 and any(action.do in ("flee", "wait") for action in actions):
        raise InputError(f"{where}, actions: flee and wait stand alone, found {len(actions)}")
    if not actions:
        raise fields.refuse(f"{where}, actions", given, "at least one action")
    return actions


def _action(where: str, given: Any, kinds: Sequence[str]) -> Action:
    if not isinstance(given, dict) or "do" not in given:
        raise fields.refuse(where, given, f"a table with do = {' | '.join(kinds)}")
    do = fields.one_of(f"{where}, do", given["do"], kinds, "action")
    of_ability = "flee" in kinds
    roles = FIGHTER_ROLES if of_ability else TRIGGER_ROLES
    usual = "target" if of_ability and do in ("damage", "modifier") else "self"
    who = () if of_ability and do == "damage" else ("who",)
    if do in ("flee", "wait"):
        fields.table(where, given, ("do",))
        return Action(do, who="self")
    keys = {
        "damage": ("amount", "scale", "type"),
        "heal": ("amount",),
        "modifier": ("id", "turns", "versus", "attribute", "add", "mul", "tick"),
    }[do]
    needed = {"damage": ("type",), "heal": ("amount",), "modifier": ("id", "turns")}[do]
    found = fields.table(where, given, ("do", *keys, *who), needed)
    aim = fields.one_of(f"{where}, who", found.get("who", usual), roles, "role")
    if do == "modifier":
        turns = fields.whole(f"{where}, turns", found["turns"], 1)
        return Action(do, aim, modifier=_modifier(where, found), turns=turns)
    if do == "heal":
        return Action(do, aim, amount=fields.number(f"{where}, amount", found["amount"], 0.0))
    if "amount" not in found and "scale" not in found:
        raise fields.refuse(where, sorted(found), "amount, scale or both beside type")
    return Action(
        do,
        aim,
        amount=fields.number(f"{where}, amount", found.get("amount", 0.0)),
        scale=fields.number(f"{where}, scale", found.get("scale", 0.0)),
        type=fields.identifier(f"{where}, type", found["type"]),
    )


def _modifier(where: str, found: Mapping[str, Any]) -> Modifier:
    effect = {key for key in ("attribute", "add", "mul", "tick") if key in found}
    if effect not in ({"attribute", "add"}, {"attribute", "mul"}, {"tick"}):
        raise fields.refuse(where, sorted(effect), "attribute + add, attribute + mul, or tick")
    name = fields.identifier(f"{where}, id", found["id"])
    versus = found.get("versus")
    versus = None if versus is None else fields.identifier(f"{where}, versus", versus)
    if "tick" in found:
        place = f"{where}, tick"
        tick = fields.table(place, found["tick"], ("amount", "type"), ("amount", "type"))
        return Modifier(
            name,
            versus,
            tick_amount=fields.number(f"{place}, amount", tick["amount"], 0.0),
            tick_type=fields.identifier(f"{place}, type", tick["type"]),
        )
    attribute = _attribute(f"{where}, attribute", found["attribute"], tuple(ATTRIBUTES))
    how = "add" if "add" in found else "mul"
    number = fields.number(f"{where}, {how}", found[how])
    changed = Modifier(name, versus, attribute)
    return replace(changed, add=number) if how == "add" else replace(changed, mul=number)


def _attribute(where: str, value: Any, allowed: Sequence[str]) -> str:
    if isinstance(value, str) and value.startswith(RESISTANCE):
        fields.identifier(where, value.removeprefix(RESISTANCE))
        return value
    return fields.one_of(where, value, (*allowed, "resistance.<type>"), "attribute")


def _condition(where: str, given: Any, roles: Sequence[str]) -> Condition:
    checks = fields.items(f"{where}, condition", given)
    return tuple(_check(f"{where}, condition {n}", c, roles) for n, c in enumerate(checks, 1))


_CHECK_KEYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "attribute": (("who", "attribute", "below", "above"), ("who", "attribute")),
    "tag": (("who", "tag", "is"), ("who", "tag")),
    "modifier": (("who", "id", "is"), ("who", "id")),
    "turn": (("every", "from"), ()),
    "enemies": (("below", "above"), ()),
}


def _check(where: str, given: Any, roles: Sequence[str]) -> Check:
    if not isinstance(given, dict) or "check" not in given:
        raise fields.refuse(where, given, f"a table with check = {' | '.join(_CHECK_KEYS)}")
    kind = fields.one_of(f"{where}, check", given["check"], _CHECK_KEYS, "check")
    keys, needed = _CHECK_KEYS[kind]
    found = fields.table(where, given, ("check", *keys), needed)
    if "below" in keys and "below" not in found and "above" not in found:
        raise fields.refuse(where, sorted(found), "below, above or both")
    below, above = (
        fields.number(f"{where}, {end}", found[end]) if end in found else None
        for end in ("below", "above")
    )
    who = fields.one_of(f"{where}, who", found.get("who", "self"), roles, "role")
    if kind == "attribute":
        known = ("health", "stamina", *ATTRIBUTES)
        attribute = _attribute(f"{where}, attribute", found["attribute"], known)
        return Check(kind, who, attribute=attribute, below=below, above=above)
    if kind == "enemies":
        return Check(kind, below=below, above=above)
    if kind == "turn":
        every, start = (
            fields.whole(f"{where}, {k}", found.get(k, 1), 1) for k in ("every", "from")
        )
        return Check(kind, every=every, start=start)
    expected = fields.boolean(f"{where}, is", found.get("is", True))
    if kind == "tag":
        return Check(
            kind, who, tag=fields.identifier(f"{where}, tag", found["tag"]), expected=expected
        )
    name = fields.identifier(f"{where}, id", found["id"])
    return Check(kind, who, modifier=name, expected=expected)
