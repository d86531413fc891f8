"""What a registry holds without need: ai entries that never come, abilities nobody chooses."""

from collections.abc import Iterator

from transforms.duel.model import BUILT_IN, Creature, Entry, Registry, modifiers


def findings(registry: Registry) -> list[str]:
    """One line for each dead ai entry and each ability that no list of its creature chooses.

    What the loader warns of already (`registry.warnings`) is not said again.
    """
    return [*_dead_entries(registry), *_unused_abilities(registry)]


def _dead_entries(registry: Registry) -> Iterator[str]:
    lists = {("creatures", name): c.ai for name, c in registry.creatures.items()}
    lists |= {("policies", name): p.ai for name, p in registry.policies.items()}
    for (kind, name), ai in lists.items():
        owner = registry.creatures.get(name) if kind == "creatures" else None
        for number in range(len(ai)):
            if reason := _why_dead(registry, ai, number, owner):
                yield (
                    f"{registry.files[kind, name]}: {kind} {name!r}, ai {number + 1} "
                    f"({ai[number].ability}): never chosen, {reason}"
                )


def _why_dead(
    registry: Registry, ai: tuple[Entry, ...], number: int, owner: Creature | None
) -> str | None:
    entry = ai[number]
    cost = registry.abilities[entry.ability].cost
    if owner and cost > owner.base["max_stamina"] and not _stamina_grows(registry):
        return f"it costs {cost} stamina, the creature has {owner.base['max_stamina']:g}"
    for earlier, before in enumerate(ai[:number], start=1):
        if _always_comes(registry, before):
            return f"entry {earlier} ({before.ability}) has no condition and is always available"
        same = (before.ability, before.target) == (entry.ability, entry.target)
        if same and set(before.condition) <= set(entry.condition):
            return f"entry {earlier} is the same and asks for no more"
    return None


def _always_comes(registry: Registry, entry: Entry) -> bool:
    """No condition, no cost, and free again in the next turn."""
    ability = registry.abilities[entry.ability]
    free = ability.cost == 0 and ability.cooldown <= 1
    return free and not entry.condition and not ability.condition


def _stamina_grows(registry: Registry) -> bool:
    return any(m.attribute == "max_stamina" for m in modifiers(registry).values())


def _unused_abilities(registry: Registry) -> Iterator[str]:
    """A creature's ability that neither its own list nor a policy chooses."""
    by_policy = {entry.ability for policy in registry.policies.values() for entry in policy.ai}
    for name, creature in registry.creatures.items():
        chosen = by_policy | {entry.ability for entry in creature.ai} | set(BUILT_IN)
        for ability in creature.abilities:
            if ability not in chosen:
                yield (
                    f"{registry.files['creatures', name]}: creatures {name!r}: ability "
                    f"{ability!r} unused, no ai list chooses it"
                )
