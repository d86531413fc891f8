"""New games: from start tables that a game master writes, from a template, or the shipped demo.

A start folder holds CSV files (gf, hexes, rivers, realms, alliances, buildings, units; columns in
transforms/start.py). Everything is read and checked before the first table is written.
"""

import re
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex

import polars as pl

from flows import store
from flows.csvs import for_excel, read_cells
from flows.game import Game, read_game
from flows.inbox import ready_for_orders
from flows.lock import locked
from flows.shipped import shipped
from transforms import sight, state_checks
from transforms.errors import InputError, unknown
from transforms.start import COLUMNS, World, columns_of, make_world

_GAME_TOML = """\
[game]
id = "{id}"
name = "{name}"
ruleset = "promy2026"
start = {{ year = 414, month = 0 }}   # date of turn 0; month 0 is the first of the year
# secret: whoever knows it knows every roll
seed = "{seed}"

[policy]
on_missing_orders = "skip"    # skip | abort | ask
on_cost_mismatch = "reject"   # approve | reject | abort | ask
# max_missing = 3             # no turn while more realms than that have handed in nothing

[rules]                       # switches and constants that differ from the rule set's
"""


@dataclass(frozen=True)
class Founded:
    """A new game: rows per table, warnings, and the promise that binds the dice of turn 1."""

    game: Game
    rows: dict[str, int]
    warnings: tuple[str, ...]
    commitment: str


def write_template(root: Path) -> list[Path]:
    """A folder to begin with: game.toml with a fresh seed and the demo's start tables to edit.

    Errors: `root` holds a game or start tables already.
    """
    for taken in (root / "game.toml", root / "start"):
        if taken.exists():
            raise InputError(f"{taken}: is there already; choose an empty folder")
    shutil.copytree(_demo_folder() / "start", root / "start")
    for path in (root / "start").glob("*.csv"):
        path.write_bytes(for_excel(path.read_bytes()))
    write_settings(root)
    return [root / "game.toml", *sorted((root / "start").iterdir())]


def new_game(root: Path, start: Path) -> Founded:
    """The game in folder `root`, made from the start tables in folder `start`.

    A game.toml in `root` counts; without one, one is written with a fresh seed. Errors:
    the game has begun already; anything wrong in the tables, with file and row.
    """
    root.mkdir(parents=True, exist_ok=True)
    fresh = not (root / "game.toml").exists()
    if fresh:
        write_settings(root)
    try:
        with locked(root):
            return _found(root, read_game(root), read_start_tables(start))
    except InputError:
        if fresh:
            (root / "game.toml").unlink()
        raise


def demo(root: Path) -> Founded | None:
    """The shipped game `beispiel` in folder `root`, at turn 0; None if it is there already.

    Errors: `root` is another game.
    """
    source = _demo_folder()
    settings = root / "game.toml"
    if settings.exists() and settings.read_bytes() != (source / "game.toml").read_bytes():
        raise InputError(f"{root}: holds another game; choose an empty folder")
    _copy_missing(source, root)
    if store.turns(root):
        return None
    return new_game(root, root / "start")


def demo_turns() -> int:
    """For how many turns the shipped game has order files."""
    return max(int(path.name) for path in (_demo_folder() / "orders").iterdir())


def write_settings(root: Path) -> None:
    """game.toml of a new game, named after its folder, with a fresh secret seed."""
    name = root.resolve().name
    game_id = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:64] or "spiel"
    title = re.sub(r'[\\"\x00-\x1f\x7f]', "", name) or game_id
    text = _GAME_TOML.format(id=game_id, name=title, seed=token_hex(32))
    root.mkdir(parents=True, exist_ok=True)
    (root / "game.toml").write_text(text, encoding="utf-8", newline="\n")


def read_start_tables(folder: Path) -> dict[str, pl.DataFrame]:
    """The CSV files of a start folder as text cells. Errors: an unknown file or column."""
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    tables = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.suffix.lower() in (".md", ".txt"):
            continue
        name = path.stem.lower()
        if name not in COLUMNS or path.suffix.lower() != ".csv":
            raise unknown(str(folder), "start table", path.name, [f"{n}.csv" for n in COLUMNS])
        tables[name] = read_cells(path, columns_of(name))
    return tables


def _found(root: Path, game: Game, start: dict[str, pl.DataFrame]) -> Founded:
    if store.turns(root):
        raise InputError(f"{root}: the game has begun already; its history is never overwritten")
    turn = game.turn(0)
    world = make_world(start, game.rules, turn.today)
    warnings = state_checks.check_state(world.state | world.map, game.rules)
    state = world.state | _first_sight(world, game)
    for name, frame in world.map.items():
        store.map_path(root, name).unlink(missing_ok=True)  # of a try that was interrupted
        store.write_table(store.map_path(root, name), frame)
    store.write_start(root, state, version("zugwerk"), game.id)
    ready_for_orders(root, 1)
    return Founded(
        game=game,
        rows={name: frame.height for name, frame in (state | world.map).items()},
        warnings=tuple(warnings),
        commitment=game.turn(1).dice.commitment,
    )


def _first_sight(world: World, game: Game) -> dict[str, pl.DataFrame]:
    """Sight of the start position, and an atlas of that and of what was known of old."""
    known = world.state["atlas"]
    seen = sight.rebuild(
        units=world.state["units"],
        buildings=world.state["buildings"],
        hexes=world.state["hexes"],
        neighbours=world.map["neighbours"],
        atlas=known,
        rules=game.rules,
        turn=game.turn(0),
    )["sight"]
    pairs = pl.concat([seen, known.select("realm_id", "hex_id")]).unique()
    return {"sight": seen, "atlas": sight.first_atlas(pairs, 0)}


def _demo_folder() -> Path:
    return shipped("data", "games", "beispiel")


def _copy_missing(source: Path, target: Path) -> None:
    """Copy what is not there yet; nothing that somebody changed is overwritten."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif not place.exists():
            shutil.copyfile(path, place.with_name(f".{place.name}"))
            place.with_name(f".{place.name}").replace(place)
