"""What the entries of a registry say about each other: errors, and the load warnings."""

from collections.abc import Iterator

from transforms.duel.model import BUILT_IN, Condition, Entry, Modifier, Registry
from transforms.errors import InputError, unknown


def check_references(registry: Registry) -> None:
    """Refuse an entry that names an ability, trigger or modifier that is not there for it.

    Errors: also one modifier id with two definitions.
    """
    known_modifiers = _one_definition_each(registry)
    for name, creature in registry.creatures.items():
        where = f"{registry.files['creatures', name]}: creatures {name!r}"
        for ability in creature.abilities:
            if ability not in registry.abilities:
                raise unknown(f"{where}, abilities", "ability", ability, registry.abilities)
        for trigger in creature.triggers:
            if trigger not in registry.triggers:
                raise unknown(f"{where}, triggers", "trigger", trigger, registry.triggers)
        own = [*creature.abilities, *(built_in for built_in in BUILT_IN)]
        _check_ai(where, creature.ai, own)
    for name, policy in registry.policies.items():
        where = f"{registry.files['policies', name]}: policies {name!r}"
        _check_ai(where, policy.ai, list(registry.abilities))
    for where, condition in _conditions(registry):
        for check in condition:
            if check.modifier and check.modifier not in known_modifiers:
                raise unknown(where, "modifier", check.modifier, known_modifiers)


def warnings(registry: Registry) -> tuple[str, ...]:
    """One line for each ai list that may leave its creature idle, and for each unused entry."""
    lines = []
    for kind, lists in (("creatures", registry.creatures), ("policies", registry.policies)):
        for name, entry in lists.items():
            if not entry.ai or entry.ai[-1].condition:
                lines.append(
                    f"{registry.files[kind, name]}: {kind} {name!r}, ai: the last entry is not "
                    "unconditional; when nothing fits, the creature passes"
                )
    creatures = registry.creatures.values()
    used = {
        "abilities": {a for creature in creatures for a in creature.abilities} | set(BUILT_IN),
        "triggers": {t for creature in creatures for t in creature.triggers},
    }
    for kind, entries in (("abilities", registry.abilities), ("triggers", registry.triggers)):
        lines += [
            f"{registry.files[kind, name]}: {kind} {name!r}: unused, no creature has it"
            for name in entries
            if name not in used[kind]
        ]
    return tuple(lines)


def _check_ai(where: str, ai: tuple[Entry, ...], allowed: list[str]) -> None:
    for number, entry in enumerate(ai, start=1):
        if entry.ability not in allowed:
            raise unknown(f"{where}, ai {number}, ability", "ability", entry.ability, allowed)


def _one_definition_each(registry: Registry) -> dict[str, Modifier]:
    known: dict[str, Modifier] = {}
    first: dict[str, str] = {}
    for kind, entries in (("abilities", registry.abilities), ("triggers", registry.triggers)):
        for name, entry in entries.items():
            for modifier in (a.modifier for a in entry.actions if a.modifier):
                where = f"{registry.files[kind, name]}: {kind} {name!r}"
                if known.setdefault(modifier.id, modifier) != modifier:
                    raise InputError(
                        f"{where}: modifier {modifier.id!r} found with another effect than in "
                        f"{first[modifier.id]}; allowed: one definition of a modifier"
                    )
                first.setdefault(modifier.id, where)
    return known


def _conditions(registry: Registry) -> Iterator[tuple[str, Condition]]:
    """Every condition of the registry with the place where it stands."""
    for kind in ("abilities", "triggers", "creatures", "policies"):
        for name, entry in getattr(registry, kind).items():
            where = f"{registry.files.get((kind, name), 'built in')}: {kind} {name!r}"
            if kind in ("abilities", "triggers"):
                yield where, entry.condition
            else:
                for number, line in enumerate(entry.ai, start=1):
                    yield f"{where}, ai {number}", line.condition
