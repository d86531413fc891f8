"""Layering of mods, load errors that name file, key, found and allowed, load warnings; saves."""

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from flows.duel_registry import load_registry
from tests.duels import fights_of, registry_of
from transforms.duel.model import Balance, Limits
from transforms.duel.parse import parse_registry
from transforms.duel.save import play_until, resume_fight
from transforms.errors import InputError

CORE: dict[str, Any] = {
    "creatures": [
        {
            "id": "core:skeleton",
            "name": "Skelett",
            "tags": ["core:undead"],
            "base": {"max_health": 30, "damage": 6, "resistance": {"core:fire": -0.5}},
            "abilities": ["core:attack", "core:venom"],
            "triggers": ["core:thorns"],
            "ai": [
                {
                    "condition": [
                        {"check": "attribute", "who": "self", "attribute": "health", "below": 0.3}
                    ],
                    "ability": "core:flee",
                },
                {"ability": "core:attack"},
            ],
        }
    ],
    "policies": [{"id": "core:cautious", "ai": [{"ability": "core:wait"}]}],
    "abilities": [
        {
            "id": "core:attack",
            "actions": [{"do": "damage", "scale": 1.0, "type": "core:physical"}],
        },
        {
            "id": "core:venom",
            "cost": 2,
            "cooldown": 3,
            "actions": [
                {
                    "do": "modifier",
                    "id": "core:poison",
                    "turns": 3,
                    "tick": {"amount": 2, "type": "core:poison"},
                }
            ],
        },
    ],
    "triggers": [
        {
            "id": "core:thorns",
            "event": "damaged",
            "on": "subject",
            "condition": [{"check": "modifier", "who": "source", "id": "core:poison", "is": False}],
            "actions": [{"do": "damage", "amount": 1.0, "type": "core:physical", "who": "source"}],
        }
    ],
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """The core with one place changed: `creatures.0.base.damage`; `...` removes it."""
    core = copy.deepcopy(CORE)
    *way, last = path.split(".")
    place: Any = core
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
    if value is ...:
        del place[last]
    elif isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return core


def test_the_core_loads_without_a_warning():
    registry = registry_of(CORE)
    assert registry.warnings == ()
    skeleton = registry.creatures["core:skeleton"]
    assert skeleton.base["damage"] == 6.0
    assert skeleton.base["hit_chance"] == 0.75
    assert skeleton.base["resistance.core:fire"] == -0.5
    assert registry.abilities["core:attack"].name == "core:attack"
    assert registry.balance == Balance(0.02, 0.05, 1, 0.8, (0.05, 0.95))
    assert registry.limits == Limits(turns=200, queue=256)


def test_a_later_folder_replaces_whole_entries():
    mod = {"creatures": [{"id": "core:skeleton", "base": {"max_health": 5}}]}
    registry = registry_of(CORE, mod)
    skeleton = registry.creatures["core:skeleton"]
    assert (skeleton.base["max_health"], skeleton.base["damage"]) == (5.0, 0.0)
    assert (skeleton.name, skeleton.abilities, skeleton.ai) == ("core:skeleton", (), ())


def test_balance_and_limits_merge_key_by_key():
    registry = registry_of(
        {"balance": {"dodge": 0.5, "flee": 0.1}, "limits": {"turns": 9}},
        {"balance": {"flee": 0.2, "hit_clamp": [0, 1]}},
        {"limits": {"queue": 3}},
    )
    assert registry.balance == Balance(0.5, 0.2, 1, 0.8, (0.0, 1.0))
    assert registry.limits == Limits(turns=9, queue=3)


def test_files_of_a_folder_in_ascending_name_and_not_recursive(tmp_path):
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "c.toml").write_text("[limits]\nturns = 3\n")
    (tmp_path / "b.toml").write_text("[limits]\nturns = 2\n")
    (tmp_path / "a.toml").write_text("[limits]\nturns = 1\n")
    (tmp_path / "notes.txt").write_text("no TOML")
    assert load_registry([tmp_path]).limits.turns == 2
    with pytest.raises(InputError, match=r"found no \*\.toml"):
        load_registry([tmp_path, _empty(tmp_path)])
    with pytest.raises(InputError, match="not a folder"):
        load_registry([tmp_path / "nowhere"])


def _empty(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def test_an_id_twice_in_one_folder_is_an_error_and_names_both_files():
    with pytest.raises(InputError, match=r"b\.toml: policies 'core:cautious'.*twice.*a\.toml"):
        parse_registry([[("a.toml", CORE), ("b.toml", {"policies": CORE["policies"]})]])


ERRORS = [
    ("creature", [], r"a\.toml: unknown key 'creature' \(did you mean 'creatures'\?\); allowed: "),
    ("creatures.0.id", "skeleton", r"creatures, id: found 'skeleton'; allowed: an id 'namespace"),
    ("creatures.0.id", ..., r"without 'id'"),
    ("creatures.0.hp", 3, r"creatures 'core:skeleton': unknown key 'hp'; allowed: id, name"),
    ("creatures.0.base", ..., r"key 'base' is missing"),
    ("creatures.0.base.max_health", ..., r"base: key 'max_health' is missing"),
    (
        "creatures.0.base.max_health",
        0,
        r"base, max_health: found 0; allowed: a whole number from 1",
    ),
    ("creatures.0.base.max_health", 2.5, r"max_health: found 2\.5; allowed: a whole number"),
    ("creatures.0.base.max_stamina", -1, r"max_stamina: found -1; allowed: a whole number from 0"),
    ("creatures.0.base.damage", 1e7, r"damage: found 10000000\.0; allowed: a number from -1e\+06"),
    ("creatures.0.base.damage", float("nan"), r"damage: found nan"),
    ("creatures.0.base.damage", float("inf"), r"damage: found inf"),
    ("creatures.0.base.damage", True, r"damage: found True; allowed: a number"),
    ("creatures.0.base.damage", 10**400, r"damage: found 1000"),
    ("creatures.0.base.strength", 1, r"base: unknown key 'strength'"),
    ("creatures.0.base.resistance", 0.5, r"resistance: found 0\.5; allowed: a table"),
    ("creatures.0.base.resistance.fire", 0.5, r"resistance, fire: found 'fire'; allowed: an id"),
    (
        "creatures.0.abilities",
        ["core:atack"],
        r"unknown ability 'core:atack' \(did you mean 'core:attack'",
    ),
    (
        "creatures.0.abilities",
        ["core:attack"] * 17,
        r"abilities: found '17 entries'; allowed: at most 16",
    ),
    ("creatures.0.triggers", ["core:thorn"], r"triggers: unknown trigger 'core:thorn'"),
    ("creatures.0.triggers", ["core:thorns"] * 17, r"triggers: found '17 entries'"),
    ("creatures.0.ai", [{"ability": "core:attack"}] * 17, r"ai: found '17 entries'"),
    (
        "creatures.0.ai.1.ability",
        "core:bite",
        r"ai 2, ability: unknown ability 'core:bite'.*; allowed: core:attack",
    ),
    (
        "creatures.0.ai.1.target",
        "nearest",
        r"ai 2, target: unknown target 'nearest'.*; allowed: first",
    ),
    ("creatures.0.abilities", ["core:venom"], r"ai 2, ability: unknown ability 'core:attack'"),
    ("creatures.0.ai.0.condition.0.check", "hp", r"ai 1, condition 1, check: unknown check 'hp'"),
    (
        "creatures.0.ai.0.condition.0.who",
        "source",
        r"who: unknown role 'source'; allowed: self, target",
    ),
    ("creatures.0.ai.0.condition.0.who", ..., r"key 'who' is missing"),
    ("creatures.0.ai.0.condition.0.below", ..., r"allowed: below, above or both"),
    ("creatures.0.ai.0.condition.0.attribute", "mana", r"attribute: unknown attribute 'mana'"),
    (
        "policies.0.ai.0.ability",
        "core:x",
        r"policies 'core:cautious', ai 1, ability: unknown ability",
    ),
    ("abilities.0.id", "core:flee", r"abilities 'core:flee': built in and not replaceable"),
    ("abilities.1.cost", -1, r"cost: found -1; allowed: a whole number from 0"),
    ("abilities.1.cooldown", 1.5, r"cooldown: found 1\.5"),
    ("abilities.0.actions", [], r"actions: found \[\]; allowed: at least one action"),
    ("abilities.0.actions", [{"do": "flee"}, {"do": "wait"}], r"flee and wait stand alone"),
    ("abilities.0.actions.0.do", "hit", r"actions 1, do: unknown action 'hit'"),
    ("abilities.0.actions.0.scale", ..., r"allowed: amount, scale or both"),
    ("abilities.0.actions.0.type", ..., r"key 'type' is missing"),
    ("abilities.0.actions.0.who", "self", r"unknown key 'who'"),
    ("abilities.1.actions.0.turns", 0, r"turns: found 0; allowed: a whole number from 1"),
    ("abilities.1.actions.0.tick.amount", -1, r"tick, amount: found -1"),
    ("abilities.1.actions.0.add", 1.0, r"allowed: attribute \+ add, attribute \+ mul, or tick"),
    ("abilities.1.actions.0.tick", ..., r"allowed: attribute \+ add"),
    ("triggers.0.event", "hurt", r"triggers 'core:thorns', event: unknown event 'hurt'"),
    ("triggers.0.on", ..., r"key 'on' is missing"),
    ("triggers.0.on", "owner", r"on: unknown value 'owner'; allowed: subject, source, any"),
    ("triggers.0.actions.0.do", "flee", r"unknown action 'flee'; allowed: damage, heal, modifier"),
    ("triggers.0.actions.0.who", "target", r"who: unknown role 'target'; allowed: self, subject"),
    ("triggers.0.condition.0.id", "core:poisn", r"unknown modifier 'core:poisn' \(did you mean"),
    ("triggers.0.condition.0.is", 1, r"is: found 1; allowed: true or false"),
    ("balance.luck", 1, r"\[balance\]: unknown key 'luck'; allowed: dodge, flee, stamina_regen"),
    ("balance.stamina_regen", 1.5, r"stamina_regen: found 1\.5"),
    (
        "balance.resistance_cap",
        1.0,
        r"resistance_cap: found 1\.0; allowed: a number from -1 to 0\.99",
    ),
    ("balance.hit_clamp", [0.9, 0.1], r"hit_clamp: found \[0\.9, 0\.1\]; allowed: \[low, high\]"),
    ("balance.hit_clamp", [0.1], r"hit_clamp: found \[0\.1\]"),
    ("limits.turns", 0, r"\[limits\], turns: found 0; allowed: a whole number from 1"),
]


@pytest.mark.parametrize(("path", "value", "message"), ERRORS)
def test_load_errors_name_file_key_found_and_allowed(path, value, message):
    with pytest.raises(InputError, match=message) as error:
        parse_registry([[("a.toml", changed(path, value))]])
    assert str(error.value).startswith("a.toml")
    assert "\n" not in str(error.value)


def test_a_modifier_has_one_definition():
    other = changed("abilities.1.actions.0.tick.amount", 3)["abilities"][1] | {"id": "core:gas"}
    with pytest.raises(InputError, match=r"b\.toml: abilities 'core:gas': modifier 'core:poison'"):
        parse_registry([[("a.toml", CORE)], [("b.toml", {"abilities": [other]})]])


def test_load_warnings():
    lonely = {
        "creatures": [
            {"id": "mod:idle", "base": {"max_health": 1}},
            {
                "id": "mod:half",
                "base": {"max_health": 1},
                "ai": [{"ability": "core:wait", "condition": [{"check": "turn"}]}],
            },
        ],
        "abilities": [{"id": "mod:spare", "actions": [{"do": "wait"}]}],
        "triggers": [CORE["triggers"][0] | {"id": "mod:spare", "condition": []}],
    }
    warnings = registry_of(CORE, lonely).warnings
    assert [w.partition(": ")[2].partition(":")[0] for w in warnings] == [
        "creatures 'mod",
        "creatures 'mod",
        "abilities 'mod",
        "triggers 'mod",
    ]
    assert "'mod:idle', ai: the last entry is not unconditional" in warnings[0]
    assert "'mod:spare': unused" in warnings[2]
    assert all("folder1/a.toml" in warning for warning in warnings)


def test_the_digest_follows_the_content():
    registry = registry_of(CORE)
    assert registry.sha256 == registry_of(CORE).sha256
    assert registry.sha256 == replace(registry, files={}, warnings=("x",)).sha256
    assert registry.sha256 != registry_of(CORE, {"balance": {"flee": 0.06}}).sha256


# ── saves ───────────────────────────────────────────────────────────────────────────────────

FIGHT = {"seed": 5, "hero": "core:skeleton", "enemies": ["core:skeleton"]}


def saved() -> dict[str, Any]:
    fight = FIGHT | {"script": ["core:venom", "core:wait", "core:wait", "core:attack"]}
    save = play_until(fights_of([fight]), registry_of(TOUGH), 2).save
    return json.loads(json.dumps(save))


TOUGH = changed("creatures.0.base.max_stamina", 4)
TOUGH["creatures"][0]["triggers"] = []


def test_a_save_holds_the_complete_state():
    save = saved()
    assert list(save) == [
        *("format", "registry_sha256", "fight_id", "seed", "turn", "state"),
        *("actions", "seq", "script_left", "policy", "creatures", "outcome"),
    ]
    assert (save["format"], save["turn"], save["seed"], save["outcome"]) == (1, 3, 5, None)
    assert save["script_left"] == ["core:wait", "core:attack"]
    assert len(save["state"]) == 16
    hero, enemy = save["creatures"]
    assert (hero["position"], enemy["position"]) == (0, 1)
    assert (hero["stamina"], hero["cooldowns"]) == (3, {"core:venom": 2})
    assert enemy["modifiers"] == [{"id": "core:poison", "source": 0, "turns": 2}]
    assert enemy["gone"] is None


def test_loading_again_rolls_nothing_anew():
    first, second = (resume_fight(saved(), registry_of(TOUGH)) for _ in range(2))
    assert first.events.equals(second.events)
    assert first.result is not None
    assert first.result.equals(second.result)


def test_a_save_of_another_registry_is_refused_unless_forced():
    other = registry_of(TOUGH, {"balance": {"dodge": 0.0}})
    with pytest.raises(InputError, match=r"saved with another registry.*--force"):
        resume_fight(saved(), other)
    assert resume_fight(saved(), other, force=True).result is not None


DAMAGED = [
    ("format", 2, r"format: found 2; allowed: 1"),
    ("state", "0" * 16, r"state: found '0+'; allowed: 16 hex digits"),
    ("state", "xyz", r"state: found 'xyz'"),
    ("seed", 0, r"seed: found 0"),
    ("turn", 201, r"turn: found 201; allowed: a whole number from 1 to 200"),
    ("outcome", "victory", r"outcome: found 'victory'; allowed: null"),
    ("policy", "core:x", r"policy: unknown policy 'core:x'"),
    ("script_left", ["core:x"], r"script_left: unknown ability 'core:x'"),
    ("seq", ..., r"key 'seq' is missing"),
    ("creatures.1", ..., r"creatures: found '1 entries'; allowed: at least 2"),
    ("creatures.1.id", "core:x", r"creatures 1, id: unknown creature 'core:x'"),
    ("creatures.1.position", 0, r"creatures 1, position: found 0; allowed: 1"),
    ("creatures.1.health", 0, r"creatures 1, health: found 0"),
    ("creatures.0.gone", "dead", r"creatures 0, gone: found 'dead'; allowed: null"),
    ("creatures.1.gone", "fled", r"creatures: found 'no enemy left'"),
    ("creatures.0.cooldowns", {"core:x": 1}, r"cooldowns: unknown key 'core:x'"),
    ("creatures.1.modifiers.0.id", "core:x", r"modifiers 1, id: unknown modifier 'core:x'"),
    ("creatures.1.modifiers.0.source", 2, r"source: found 2; allowed: a whole number from 0 to 1"),
    ("creatures.1.modifiers.0.turns", 0, r"turns: found 0"),
]


@pytest.mark.parametrize(("path", "value", "message"), DAMAGED)
def test_a_damaged_save_is_refused(path, value, message):
    save: Any = saved()
    *way, last = path.split(".")
    place = save
    for step in way:
        place = place[int(step)] if isinstance(place, list) else place[step]
    if value is ...:
        del place[int(last) if isinstance(place, list) else last]
    else:
        place[last] = value
    with pytest.raises(InputError, match=message):
        resume_fight(save, registry_of(TOUGH))
