"""What was handed in for a turn of Ghost-Diplomacy: order files and the game master's corrections.

orders/<turn>/<FILE_CODE>.txt and orders/<turn>/gm/<table>.csv are only read. A bad file of a
player is noted with its nation and stops nobody; a bad file of the game master stops the turn.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from flows import store
from flows.inbox import corrections_in, read_edits, visible
from transforms import schema
from transforms.diplomacy.board import Board
from transforms.diplomacy.corrections import COLUMNS
from transforms.diplomacy.texts import INTAKE
from transforms.diplomacy.words import nation_of
from transforms.errors import unknown
from transforms.orders.decode import decode

MAX_LINES = 1000
LATE = "late/"  # prefix of the digests of files that came too late, so that each is told once


@dataclass(frozen=True)
class GhostIntake:
    """The tables `order_files` and `edits`, and the digest of every file they come from."""

    order_files: pl.DataFrame
    edits: pl.DataFrame
    digests: Mapping[str, str]


def read_ghost_intake(root: Path, turn: int, board: Board) -> GhostIntake:
    """Everything in orders/<turn>, and files that came since for turns that are evaluated.

    Errors: a file name that means nothing here, a bad gm/*.csv; never an order file itself.
    """
    files, gm_files = _files(root, turn, board)
    late, late_digests = _late(root, turn, board)
    rows = [_row(nation, files.get(nation, [])) for nation in board.nations["nation"].sort()]
    read = [path for paths in files.values() for path in paths] + gm_files
    folder = store.orders_dir(root, turn)
    digests = {
        f"orders/{path.relative_to(folder).as_posix()}": store.file_digest(path)
        for path in sorted(read)
        if folder
    }
    wanted = schema.schema_of("ghost.order_files")
    return GhostIntake(
        order_files=schema.shaped("ghost.order_files", pl.DataFrame([*rows, *late], schema=wanted)),
        edits=read_edits("ghost.edits", gm_files, COLUMNS, needed=["province"]),
        digests=digests | late_digests,
    )


def order_file(nation: str, *paths: Path) -> pl.DataFrame:
    """The table `order_files` of one nation, wherever its files lie (`zugwerk ghost check`)."""
    row = _row(nation, list(paths))
    return pl.DataFrame([row], schema=schema.schema_of("ghost.order_files"))


def handed_in(root: Path, turn: int, board: Board) -> dict[str, list[Path]]:
    """nation → its files for a turn."""
    return _files(root, turn, board)[0]


def _row(nation: str, paths: list[Path]) -> dict[str, str | None]:
    """What became of the files of one nation."""
    row: dict[str, str | None] = {"nation": nation, "file": "", "state": "missing"}
    if not paths:
        return row
    row["file"] = ", ".join(sorted(path.name for path in paths))
    if len(paths) > 1:
        return row | {"state": "double"}
    text, _, error = decode(paths[0].read_bytes())
    if text is not None and error is None and text.count("\n") + text.count("\r") > MAX_LINES:
        error = INTAKE["too_long"].format(max=MAX_LINES)
    if text is None or error is not None:
        return row | {"state": "unreadable", "detail": error}
    return row | {"state": "used", "text": text}


def _files(root: Path, turn: int, board: Board) -> tuple[dict[str, list[Path]], list[Path]]:
    """nation → its order files, and the game master's files; hidden and backup files left out."""
    folder = store.orders_dir(root, turn)
    files: dict[str, list[Path]] = defaultdict(list)
    gm_files: list[Path] = []
    for path in visible(folder) if folder else []:
        name = path.name.lower()
        if name == "gm" and path.is_dir():
            gm_files += corrections_in(path)
        elif name.endswith(".txt"):
            files[nation_of(board, path.name[:-4], str(path))].append(path)
        else:
            raise unknown(
                str(path.parent), "file", path.name, ["<FILE_CODE>.txt", "gm/<table>.csv"]
            )
    return files, gm_files


def _late(
    root: Path, turn: int, board: Board
) -> tuple[list[dict[str, str | None]], dict[str, str]]:
    """Rows of order files of evaluated turns that are not what was evaluated, each told once.

    The digests of all of them so far go along from manifest to manifest.
    """
    manifest = store.turn_manifest(root, turn - 1)
    told = {n: d for n, d in (manifest.inputs if manifest else {}).items() if n.startswith(LATE)}
    rows: list[dict[str, str | None]] = []
    found: dict[str, str] = {}
    for number, nation, path, digest in _changed_since(root, turn, board):
        name = f"{LATE}{number}/{path.name}"
        found[name] = digest
        if told.get(name) != digest:
            row = {"nation": nation, "file": path.name, "state": "late"}
            rows.append({**row, "detail": str(number)})
    return rows, told | found


def _changed_since(root: Path, turn: int, board: Board) -> Iterator[tuple[int, str, Path, str]]:
    for number in range(1, turn):
        manifest = store.turn_manifest(root, number)
        evaluated = manifest.inputs if manifest else {}
        files, _ = _files(root, number, board)
        for nation, paths in files.items():
            for path in paths:
                digest = sha256(path.read_bytes()).hexdigest()
                if evaluated.get(f"orders/{path.name}") != digest:
                    yield number, nation, path, digest
