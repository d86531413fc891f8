"""A game as frozen objects: game.toml, the rule set it names and the files that replace parts."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

import polars as pl

from flows.csvs import read_table
from flows.shipped import ruleset_folder
from transforms import schema
from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.errors import InputError, unknown
from transforms.rules import Rules, make_rules

GAME_KEYS = ("id", "name", "ruleset", "seed", "start")
_GAME_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SEED = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Policy:
    """What load does without asking when orders are missing or a cost is wrong.

    Without a word of the game master load stops when more than `max_missing` realms have handed
    in nothing.
    """

    on_missing_orders: Literal["skip", "abort", "ask"] = "skip"
    on_cost_mismatch: Literal["approve", "reject", "abort", "ask"] = "reject"
    max_missing: int | None = None


@dataclass(frozen=True)
class Game:
    """One game folder's settings: who it is, its secret seed, its calendar start and its rules."""

    root: Path
    id: str
    name: str
    seed: bytes
    start_year: int
    start_month: int
    policy: Policy
    rules: Rules

    def turn(self, number: int, revision: int = 1) -> Turn:
        """Turn `number` with its date (start + number months) and its dice."""
        start = self.start_year * self.rules.months_per_year + self.start_month
        dice = turn_dice(self.seed, self.id, number, revision)
        return Turn(game_id=self.id, number=number, today=start + number, dice=dice)

    @property
    def identity_digest(self) -> str:
        """SHA-256 over what decides dates and dice: id, seed and start."""
        return _digest([self.id, self.seed.hex(), self.start_year, self.start_month])

    @property
    def rules_digest(self) -> str:
        """SHA-256 over every switch, constant and rule table as they count, comments left out."""
        rules = self.rules
        tables = {t: getattr(rules, t).drop("source").write_csv() for t in schema.RULES}
        numbers = [asdict(part) for part in (rules.switches, rules.constants, rules.hits)]
        return _digest([rules.name, *numbers, tables])


def read_game(root: Path) -> Game:
    """The game in folder `root`. Errors: one line with the file, the key and what is allowed."""
    path = root / "game.toml"
    if not path.is_file():
        raise InputError(f"{root}: no game here (there is no game.toml)")
    settings = read_toml(path)
    if "rulings" in settings:
        raise InputError(f"{root}: a game of Ghost-Diplomacy; see zugwerk ghost --help")
    _known(path, settings, ("game", "policy", "rules"), "section")
    for section, content in settings.items():
        if not isinstance(content, dict):
            raise InputError(f"{path}: {section} must be a section: [{section}]")
    game = settings.get("game", {})
    _known(f"{path}, [game]", game, GAME_KEYS, "key")
    for key in GAME_KEYS:
        if key not in game:
            raise InputError(f"{path}, [game]: key {key!r} is missing")
    ruleset = _text(path, game, "ruleset")
    rules = read_rules(root, ruleset, settings.get("rules", {}), where=f"{path}, [game]")
    year, month = _start(path, game["start"], rules)
    return Game(
        root=root,
        id=_matching(path, game, "id", _GAME_ID, "letters, digits, - and _, at most 64"),
        name=_text(path, game, "name"),
        seed=bytes.fromhex(_matching(path, game, "seed", _SEED, "64 hexadecimal digits")),
        start_year=year,
        start_month=month,
        policy=_policy(f"{path}, [policy]", settings.get("policy", {})),
        rules=rules,
    )


def read_rules(root: Path | None, ruleset: str, overrides: Mapping[str, Any], where: str) -> Rules:
    """Rule set `ruleset` with the files of `root`/rules in place of those of the same name.

    A rules.toml that names another rule set as `base` holds only what differs from that one.
    """
    files = _ruleset_files(ruleset, where)
    if root is not None and (root / "rules").exists():
        files |= _rule_files(root / "rules")
    tables: dict[str, pl.DataFrame] = {}
    for table in schema.RULES:
        if f"{table}.csv" not in files:
            raise InputError(f"rule set {ruleset}: {table}.csv is missing")
        tables[table] = read_table(files[f"{table}.csv"], table)
    return make_rules(ruleset, _settings(files["rules.toml"]), overrides, tables)


def read_toml(path: Path) -> dict[str, Any]:
    """A parsed TOML file. Errors: not UTF-8, not TOML."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a TOML file: {error}") from error


def _ruleset_files(ruleset: str, where: str) -> dict[str, Path]:
    """The files of a shipped rule set, those of its base where it has none of its own."""
    files = _rule_files(ruleset_folder(ruleset, where))
    if "rules.toml" not in files:
        raise InputError(f"rule set {ruleset}: rules.toml is missing")
    base = _read_rules_toml(files["rules.toml"]).get("base")
    return files if base is None else _ruleset_files(base, f"{files['rules.toml']}, base") | files


def _settings(path: Path) -> dict[str, Any]:
    """The sections of a rules.toml, laid key by key over those of its base."""
    settings = _read_rules_toml(path)
    base = settings.pop("base", None)
    if base is None:
        return settings
    under = _settings(ruleset_folder(base, f"{path}, base") / "rules.toml")
    return under | {section: under.get(section, {}) | keys for section, keys in settings.items()}


def _read_rules_toml(path: Path) -> dict[str, Any]:
    settings = read_toml(path)
    for key, value in settings.items():
        if not isinstance(value, str if key == "base" else dict):
            wanted = "the name of a rule set" if key == "base" else f"a section: [{key}]"
            raise InputError(f"{path}: {key} must be {wanted}")
    return settings


def _rule_files(folder: Path) -> dict[str, Path]:
    allowed = ["rules.toml", *(f"{table}.csv" for table in schema.RULES)]
    files: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        name = path.name.lower()
        if name.startswith(".") or name.endswith(".md"):
            continue
        if name not in allowed:
            raise unknown(str(folder), "rule file", path.name, allowed)
        if name in files:
            raise InputError(f"{folder}: {files[name].name} and {path.name} are the same file")
        files[name] = path
    return files


def _policy(where: str, given: Mapping[str, Any]) -> Policy:
    hints = get_type_hints(Policy)
    _known(where, given, hints, "key")
    for key, value in given.items():
        if key == "max_missing":
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"{where}, {key}: {value!r} is not allowed; allowed: 0, 1, 2, …")
        elif value not in get_args(hints[key]):
            raise unknown(f"{where}, {key}", "value", str(value), get_args(hints[key]))
    return Policy(**given)


def _start(path: Path, start: Any, rules: Rules) -> tuple[int, int]:
    where = f"{path}, [game], start"
    if not isinstance(start, dict) or set(start) != {"year", "month"}:
        raise InputError(f"{where}: must be {{ year = …, month = … }}, found {start!r}")
    limits = {"year": 100_000, "month": rules.months_per_year - 1}
    for key, highest in limits.items():
        value = start[key]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
            raise InputError(f"{where}: {key} = {value!r}; a whole number from 0 to {highest}")
    return start["year"], start["month"]


def _known(where: Path | str, given: Mapping[str, Any], allowed: Any, what: str) -> None:
    for key in given:
        if key not in allowed:
            raise unknown(str(where), what, key, allowed)


def _text(path: Path, game: Mapping[str, Any], key: str) -> str:
    if not isinstance(game[key], str) or not game[key].strip():
        shown = "" if key == "seed" else f" {game[key]!r};"  # the seed is secret, also in a log
        raise InputError(f"{path}, [game], {key}:{shown} a text is needed")
    return str(game[key])


def _matching(
    path: Path, game: Mapping[str, Any], key: str, pattern: re.Pattern[str], allowed: str
) -> str:
    value = _text(path, game, key)
    if not pattern.fullmatch(value):
        shown = "" if key == "seed" else f" {value!r}"  # the seed is secret, also in a log
        raise InputError(f"{path}, [game], {key}:{shown} is not allowed; allowed: {allowed}")
    return value


def _digest(content: Any) -> str:
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
