"""A Ghost-Diplomacy game as a frozen object: game.toml with system = "ghost", and its map."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from flows.game import read_toml
from flows.ghost_map import read_board
from transforms.diplomacy.phases import Phase, first_phase
from transforms.diplomacy.rules import GhostRules
from transforms.diplomacy.rulings import make_rulings
from transforms.errors import InputError, unknown

SYSTEM = "ghost"
KEYS = ("id", "name", "system", "map", "start")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

TEMPLATE = """\
[game]
id = "{id}"             # letters, digits, - and _
name = "{name}"
system = "ghost"
map = "{map}"
start = {{ year = {year} }}

[rulings]
retreats = "in_advance"        # in_advance | separate
retreat_options = false        # separate only: tell an owner where its unit may retreat
adjacent_convoy = "via_or_own" # via_or_own | via_only
land_fallback = false          # an army whose convoy is missing goes by land
centre_sees_itself = true
victory_centres = 18
"""


@dataclass(frozen=True)
class GhostGame:
    """One game folder's settings: who it is, its map, its first year and its rulings."""

    root: Path
    id: str
    name: str
    start_year: int
    rules: GhostRules

    @property
    def first_phase(self) -> Phase:
        """Turn 0 of this game, where its start position does not say otherwise."""
        return first_phase(self.start_year)

    @property
    def digest(self) -> str:
        """SHA-256 over what decides turns: id, start, rulings and every table of the map."""
        board = self.rules.board
        tables = [
            getattr(board, name).write_csv()
            for name in ("provinces", "borders", "aliases", "ambiguous", "nations", "start")
        ]
        content = [self.id, self.start_year, asdict(self.rules.rulings), board.name, tables]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def is_ghost(root: Path) -> bool:
    """Is there a game of this system in the folder?"""
    path = root / "game.toml"
    return path.is_file() and read_toml(path).get("game", {}).get("system") == SYSTEM


def read_ghost_game(root: Path) -> GhostGame:
    """The game in folder `root`. Errors: one line with the file, the key and what is allowed."""
    path = root / "game.toml"
    if not path.is_file():
        raise InputError(f"{root}: no game here (there is no game.toml)")
    settings = read_toml(path)
    if "ruleset" in settings.get("game", {}):
        raise InputError(f"{root}: is a hex game; its commands are those without `ghost`")
    _known(path, settings, ("game", "rulings"), "section")
    for section, content in settings.items():
        if not isinstance(content, dict):
            raise InputError(f"{path}: {section} must be a section: [{section}]")
    game = settings.get("game", {})
    where = f"{path}, [game]"
    _known(where, game, KEYS, "key")
    for key in KEYS:
        if key not in game:
            raise InputError(f"{where}: key {key!r} is missing")
    if game["system"] != SYSTEM:
        raise unknown(f"{where}, system", "value", str(game["system"]), [SYSTEM])
    if not isinstance(game["id"], str) or not _ID.fullmatch(game["id"]):
        raise InputError(
            f"{where}, id: {game['id']!r} is not allowed; allowed: letters, digits, - and _"
        )
    if not isinstance(game["name"], str) or not game["name"].strip():
        raise InputError(f"{where}, name: {game['name']!r}; a text is needed")
    board = read_board(str(game["map"]), f"{where}, map")
    rulings = make_rulings(settings.get("rulings", {}), f"{path}, [rulings]")
    return GhostGame(
        root, game["id"], game["name"], _year(where, game["start"]), GhostRules(board, rulings)
    )


def write_settings(root: Path, name: str | None, map_name: str, year: int) -> None:
    """game.toml of a new game, named after its folder unless `name` is given."""
    title = re.sub(r'[\\"\x00-\x1f\x7f]', "", name or root.resolve().name) or "Partie"
    game_id = re.sub(r"[^A-Za-z0-9_-]+", "-", root.resolve().name).strip("-")[:64] or "partie"
    text = TEMPLATE.format(id=game_id, name=title, map=map_name, year=year)
    root.mkdir(parents=True, exist_ok=True)
    (root / "game.toml").write_text(text, encoding="utf-8", newline="\n")


def _year(where: str, start: Any) -> int:
    year = start.get("year") if isinstance(start, dict) and set(start) == {"year"} else None
    if isinstance(year, bool) or not isinstance(year, int) or not 1 <= year <= 9999:
        raise InputError(f"{where}, start: must be {{ year = 1 … 9999 }}, found {start!r}")
    return year


def _known(where: Path | str, given: Mapping[str, Any], allowed: Iterable[str], what: str) -> None:
    for key in given:
        if key not in allowed:
            raise unknown(str(where), what, key, allowed)
