"""The gate for saved fights: a save is a file that people may edit."""

import re
from collections.abc import Mapping
from typing import Any

from transforms.duel import fields
from transforms.duel.model import MOST, Registry, modifiers
from transforms.errors import InputError

FORMAT = 1
_KEYS = (
    "format",
    "registry_sha256",
    "fight_id",
    "seed",
    "turn",
    "state",
    "actions",
    "seq",
    "script_left",
    "policy",
    "creatures",
    "outcome",
)
_CREATURE_KEYS = (
    "position",
    "id",
    "health",
    "stamina",
    "initiative",
    "gone",
    "cooldowns",
    "modifiers",
)
_STATE = re.compile(r"[0-9a-f]{16}")
_MOST_HEALTH = 2**52


def check_save(save: Any, registry: Registry, *, force: bool = False, where: str = "save") -> None:
    """Refuse a save that is not complete and consistent with the registry.

    Errors: one line with key, found, allowed; another registry's digest unless `force`.
    """
    found = fields.table(where, save, _KEYS, _KEYS)
    if found["format"] != FORMAT:
        raise fields.refuse(f"{where}, format", found["format"], str(FORMAT))
    if found["registry_sha256"] != registry.sha256 and not force:
        raise InputError(
            f"{where}, registry_sha256: the fight was saved with another registry "
            f"({found['registry_sha256']!s:.12}…, this one is {registry.sha256:.12}…); "
            "allowed: the same core and mods, or --force"
        )
    if found["outcome"] is not None:
        raise fields.refuse(f"{where}, outcome", found["outcome"], "null, an undecided fight")
    for key, low, high in (
        ("fight_id", 0, 2**64 - 1),
        ("seed", 1, 2**64 - 1),
        ("turn", 1, registry.limits.turns),
        ("actions", 0, 2**32 - 1),
        ("seq", 0, 2**32 - 1),
    ):
        fields.whole(f"{where}, {key}", found[key], low, high)
    state = found["state"]
    if not isinstance(state, str) or not _STATE.fullmatch(state) or int(state, 16) == 0:
        raise fields.refuse(f"{where}, state", state, "16 hex digits, not all 0")
    if found["policy"] is not None:
        fields.one_of(f"{where}, policy", found["policy"], registry.policies, "policy")
    for ability in fields.items(f"{where}, script_left", found["script_left"]):
        fields.one_of(f"{where}, script_left", ability, registry.abilities, "ability")
    creatures = fields.items(f"{where}, creatures", found["creatures"], MOST)
    if len(creatures) < 2:
        raise fields.refuse(f"{where}, creatures", f"{len(creatures)} entries", "at least 2")
    for position, creature in enumerate(creatures):
        place = f"{where}, creatures {position}"
        _check_creature(place, creature, position, len(creatures), registry)
    if all(creature["gone"] for creature in creatures[1:]):
        raise fields.refuse(f"{where}, creatures", "no enemy left", "an undecided fight")


def _check_creature(
    where: str, creature: Any, position: int, count: int, registry: Registry
) -> None:
    found: Mapping[str, Any] = fields.table(where, creature, _CREATURE_KEYS, _CREATURE_KEYS)
    if found["position"] != position:
        raise fields.refuse(f"{where}, position", found["position"], str(position))
    fields.one_of(f"{where}, id", found["id"], registry.creatures, "creature")
    alive = found["gone"] != "dead"
    if found["gone"] not in (None, "dead", "fled") or (position == 0 and found["gone"]):
        allowed = "null" if position == 0 else "null, 'dead' or 'fled'"
        raise fields.refuse(f"{where}, gone", found["gone"], allowed)
    lowest, highest = (1, _MOST_HEALTH) if alive else (0, 0)
    fields.whole(f"{where}, health", found["health"], lowest, highest)
    fields.whole(f"{where}, stamina", found["stamina"], 0, _MOST_HEALTH)
    fields.whole(f"{where}, initiative", found["initiative"], -(2**31), 2**31 - 1)
    own = registry.creatures[found["id"]].abilities
    for ability, turns in fields.table(f"{where}, cooldowns", found["cooldowns"], own).items():
        fields.whole(f"{where}, cooldowns, {ability}", turns, 1)
    known, seen = modifiers(registry), set()
    for number, modifier in enumerate(fields.items(f"{where}, modifiers", found["modifiers"]), 1):
        place, keys = f"{where}, modifiers {number}", ("id", "source", "turns")
        fields.table(place, modifier, keys, keys)
        name = fields.one_of(f"{place}, id", modifier["id"], known, "modifier")
        if name in seen:
            raise fields.refuse(f"{place}, id", name, "each modifier once on a creature")
        seen.add(name)
        fields.whole(f"{place}, source", modifier["source"], 0, count - 1)
        fields.whole(f"{place}, turns", modifier["turns"], 1)
