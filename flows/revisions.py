"""Turns that were replaced: where they lie now, and which dice the turn in their place gets.

`revisions/turn=0007.r1` is a whole turn folder with its reports. Other orders than in any of the
replaced versions get new dice, because the old ones were published; equal orders get the same.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from flows import store
from flows.game import Game
from flows.manifest import read_manifest
from transforms.context import Turn

_VERSION = re.compile(r"turn=(\d{4,})\.r(\d+)")
_REVISION = re.compile(r"/r(\d+)$")
_ORDERS = "orders/"  # inputs of a turn that its players and its game master chose


def replaced(root: Path) -> list[tuple[int, int, Path]]:
    """Turn, version and folder of every turn that was replaced, sorted."""
    folder = root / "revisions"
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    found = [match for name in names if (match := _VERSION.fullmatch(name))]
    return sorted((int(m[1]), int(m[2]), folder / m[0]) for m in found)


def versions(root: Path, number: int) -> list[Path]:
    """The folders of turn `number` that were replaced, the oldest first."""
    return [path for turn, _, path in replaced(root) if turn == number]


def next_version(root: Path, number: int) -> Path:
    """Where turn `number` goes when it is replaced."""
    taken = [version for turn, version, _ in replaced(root) if turn == number]
    return root / "revisions" / f"turn={number:04d}.r{max(taken, default=0) + 1}"


def dice_revision(root: Path, number: int, inputs: Mapping[str, str]) -> int:
    """Revision of the dice of a turn with these inputs: that of equal orders, else a new one."""
    used: dict[int, dict[str, str]] = {}
    for folder in versions(root, number):
        used.setdefault(revision_in(folder), _orders(read_manifest(folder).inputs))
    orders = _orders(inputs)
    return next((k for k, then in used.items() if then == orders), max(used, default=0) + 1)


def revision_in(folder: Path) -> int:
    """Revision of the dice that the turn in `folder` was made with."""
    tables = read_manifest(folder).tables
    ref = store.stored_refs(folder, {"turn_info": tables["turn_info"]})["turn_info"]
    match = _REVISION.search(store.read_table(ref, "turn_info")["dice_message"].item())
    return int(match[1]) if match else 1


def turn_to_come(game: Game, number: int, inputs: Mapping[str, str]) -> Turn:
    """Turn `number` as it would be made from `inputs`, with its dice."""
    return game.turn(number, dice_revision(game.root, number, inputs))


def stored_turn(game: Game, number: int) -> Turn:
    """Turn `number` of the history, with the dice that it was made with."""
    return game.turn(number, revision_in(store.history_dir(game.root, number)))


def _orders(inputs: Mapping[str, str]) -> dict[str, str]:
    return {name: digest for name, digest in inputs.items() if name.startswith(_ORDERS)}
