"""The audit of an evaluated turn: every digest, every commitment and every draw once more.

Each check ends with the first difference, an InputError that names it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from flows import store
from flows.game import Game
from flows.intake import intake_digests
from flows.manifest import Manifest
from flows.revisions import dice_revision, stored_turn
from transforms.audit import wrong_draws
from transforms.dice import Stream
from transforms.errors import InputError
from transforms.gamemaster import dice_text

Check = Callable[[Game, int, Manifest], int]


def audit(game: Game, number: int) -> dict[str, int]:
    """Check → how many things it compared. Errors: the first difference, in one line."""
    manifest = store.turn_manifest(game.root, number)
    if manifest is None:
        raise InputError(
            f"{game.root}: the start position was written by another tool: no manifest"
        )
    return {name: check(game, number, manifest) for name, check in CHECKS.items()}


def _files(game: Game, number: int, manifest: Manifest) -> int:
    """Every table and checkpoint has the digest of the manifest, and none is there besides."""
    folder = store.history_dir(game.root, number)
    refs = list(store.stored_refs(folder, manifest.tables).values())
    for step, tables in manifest.steps.items():
        refs += store.stored_refs(folder / "steps" / step, tables).values()
    for ref in refs:
        store.checked_content(ref)
    strangers = set(folder.rglob("*.parquet")) - {ref.path for ref in refs}
    if strangers:
        raise InputError(f"{min(strangers)}: the manifest does not know this file")
    return len(refs)


def _origins(game: Game, number: int, manifest: Manifest) -> int:
    """Game, map, parent turn and what was handed in are what the turn was made from.

    Order files that are no longer there are not missed; settings and rules may change later.
    """
    now = {
        f"map/{name}.parquet": store.file_digest(store.map_path(game.root, name))
        for name in store.MAP_TABLES
    }
    if number > 0:
        now["game"] = game.identity_digest
        now["parent"] = store.turn_digest(game.root, number - 1)
        now |= intake_digests(game.root, number)
    for name, digest in now.items():
        _same(manifest.inputs.get(name), digest, f"{game.root}: turn {number}: {name}")
    return len(now)


def _commitments(game: Game, number: int, manifest: Manifest) -> int:
    """The dice are those that were promised: message, digest and the promises before and after."""
    if number == 0:
        return 0
    where = f"{game.root}: turn {number}: "
    info = store.read_turn(game.root, number, ["turn_info"])["turn_info"].row(0, named=True)
    turn = stored_turn(game, number)
    right = game.turn(number, dice_revision(game.root, number, manifest.inputs))
    _same(info["dice_message"], right.dice.message, where + "dice_message")
    _same(info["dice_digest"], turn.dice.digest.hex(), where + "dice_digest")
    following = game.turn(number + 1).dice.commitment
    _same(info["next_commitment"], following, where + "next_commitment")
    before = store.read_turn(game.root, number - 1, ["turn_info"])["turn_info"]
    if before.height:
        promised = before["next_commitment"].item()
        _same(promised, game.turn(number).dice.commitment, where + "commitment of the turn before")
    return 3 + before.height


def _draws(game: Game, number: int, manifest: Manifest) -> int:
    """Every draw has the value that the dice give."""
    if number == 0:
        return 0
    draws = store.read_turn(game.root, number, ["draws"])["draws"]
    for row in wrong_draws(draws, stored_turn(game, number).dice).head(1).iter_rows(named=True):
        where = "stream {stream} ({name}), entity {entity}, index {index}".format(
            name=Stream(row["stream"]).name.lower(), **row
        )
        _same(row["value"], row["rolled"], f"{game.root}: turn {number}: draw {where}")
    return draws.height


def _published(game: Game, number: int, manifest: Manifest) -> int:
    """The page about the dice that went out to the players says the same; if it is there."""
    path = store.reports_dir(game.root, number) / "wuerfel.txt"
    if number == 0 or not path.exists():
        return 0
    tables = store.read_turn(game.root, number, ["turn_info"])
    _same(path.read_text(encoding="utf-8"), dice_text(tables), str(path))
    return 1


CHECKS: Mapping[str, Check] = {
    "files": _files,
    "origins": _origins,
    "commitments": _commitments,
    "draws": _draws,
    "published": _published,
}


def _same(noted: object, found: object, where: str) -> None:
    if noted != found:
        raise InputError(f"{where}: noted {noted!r}, found {found!r}")


def audited_turns(root: Path, number: int | None) -> list[int]:
    """The turn `number`, or all of the history that have a manifest."""
    if number is not None:
        return [number]
    return [turn for turn in store.turns(root) if store.turn_manifest(root, turn) is not None]
