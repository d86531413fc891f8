"""The game folder: where things lie, how tables are read, and how a turn becomes visible at once.

Nothing is ever half there: a folder is built in .staging, flushed to the disk and renamed into
its place. Every stored table has its digest in a manifest and is checked when it is read.
"""

import io
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from flows.manifest import MANIFEST, Manifest, StoredTable, read_manifest
from transforms import schema
from transforms.errors import InputError

MAP_TABLES = ("neighbours", "rivers")
ROW_GROUP = 2**18  # explicit, or the bytes would depend on the number of threads
_TURN_FOLDER = re.compile(r"turn=(\d{4,})")


@dataclass(frozen=True)
class Ref:
    """One stored table: its file, its rows and the SHA-256 of the file."""

    path: Path
    stored: StoredTable


# ── places ──────────────────────────────────────────────────────────────────────────────────


def history_dir(root: Path, turn: int) -> Path:
    """Folder of an evaluated turn; turn 0 is the start position."""
    return root / "history" / f"turn={turn:04d}"


def work_dir(root: Path, turn: int) -> Path:
    """Folder of a turn that is loaded and not executed yet."""
    return root / "work" / f"turn={turn:04d}"


def reports_dir(root: Path, turn: int) -> Path:
    """Folder of what players and the game master read."""
    return root / "reports" / f"{turn:04d}"


def unpublished_mark(root: Path, turn: int) -> Path:
    """Empty file that stands from before the commit of a turn until its reports are written."""
    return root / "work" / f"turn={turn:04d}.unpublished"


def orders_dir(root: Path, turn: int) -> Path | None:
    """The folder of order files of a turn, named 7 or 0007; None if there is none."""
    parent = root / "orders"
    names = sorted(p.name for p in parent.iterdir()) if parent.exists() else []
    found = [n for n in names if n.isascii() and n.isdigit() and int(n) == turn]
    if len(found) > 1:
        raise InputError(f"{parent}: turn {turn} is there twice: {' and '.join(found)}; keep one")
    return parent / found[0] if found else None


def turns(root: Path) -> list[int]:
    """The numbers of all evaluated turns in the history, the start position included, sorted."""
    folder = root / "history"
    names = [p.name for p in folder.iterdir()] if folder.is_dir() else []
    return sorted(int(match[1]) for name in names if (match := _TURN_FOLDER.fullmatch(name)))


def last_turn(root: Path) -> int:
    """The last turn of the history. Errors: a game without a start position."""
    if not (found := turns(root)):
        raise InputError(f"{root}: no start position (history/turn=0000 is missing)")
    return found[-1]


# ── tables ──────────────────────────────────────────────────────────────────────────────────


def write_table(path: Path, frame: pl.DataFrame) -> Ref:
    """Write a table as a new Parquet file; equal rows give equal bytes."""
    buffer = io.BytesIO()
    frame.rechunk().write_parquet(
        buffer, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
    )
    content = buffer.getbuffer()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError as error:  # a full disk does not say by itself which file it was
        raise OSError(error.errno, error.strerror, str(path)) from error
    return Ref(path, StoredTable(rows=frame.height, sha256=sha256(content).hexdigest()))


def read_table(ref: Ref, name: str) -> pl.DataFrame:
    """Table `name` as it was stored. Errors: missing, damaged or changed since it was written."""
    frame = _parsed(ref.path, checked_content(ref))
    return schema.shaped(name, frame, where=str(ref.path))


def read_foreign(path: Path, name: str, ignore: Iterable[str] = ()) -> pl.DataFrame:
    """Table `name` from a file of unknown origin: every rule of its schema is checked.

    Columns to `ignore` may stand in the file and are not read.
    """
    frame = read_parquet(path).drop(ignore, strict=False)
    return schema.conform(name, frame, where=str(path))


def read_parquet(path: Path) -> pl.DataFrame:
    """A file as it is, whatever its columns. Errors: missing, no Parquet file."""
    return _parsed(path, _content(path))


def place(ref: Ref, path: Path) -> Ref:
    """The same table once more at `path`: a second name of the file, or a copy where that fails.

    Evaluated turns share no file with one another, so that damage to one stays in that one.
    """
    if ref.path == path:
        return ref
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        if ref.path.parents[1].name == "history":
            return copy(ref, path)
        os.link(ref.path, path)
    except (FileExistsError, FileNotFoundError):
        raise
    except OSError:  # no second names here: FAT, some network drives
        return copy(ref, path)
    return Ref(path, ref.stored)


def copy(ref: Ref, path: Path) -> Ref:
    """A checked copy of a stored table."""
    path.write_bytes(checked_content(ref))
    return Ref(path, ref.stored)


def checked_content(ref: Ref) -> bytes:
    """The bytes of a stored table. Errors: missing, damaged or changed since it was written."""
    content = _content(ref.path)
    if sha256(content).hexdigest() != ref.stored.sha256:
        raise InputError(f"{ref.path}: the file was changed or damaged after it was written")
    return content


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"{path}: the table is missing") from error


def _parsed(path: Path, content: bytes) -> pl.DataFrame:
    try:
        return pl.read_parquet(content)
    except (pl.exceptions.PolarsError, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path}: not a readable Parquet file: {reason}") from error


# ── an evaluated turn ───────────────────────────────────────────────────────────────────────


def turn_manifest(root: Path, turn: int) -> Manifest | None:
    """The manifest of an evaluated turn; None for a start position that another tool wrote."""
    folder = history_dir(root, turn)
    if not folder.is_dir():
        have = ", ".join(map(str, turns(root))) or "none"
        raise InputError(f"{root}: turn {turn} is not in the history; evaluated turns: {have}")
    if not (folder / MANIFEST).exists() and turn == 0:
        return None
    return read_manifest(folder)


def must_be_evaluated(root: Path, turn: int) -> None:
    """Errors: turn 0, the start position, of which there is nothing to tell."""
    if turn == 0:
        raise InputError(f"{root}: no turn has been evaluated yet; run `zugwerk turn` first")


def stored_refs(folder: Path, tables: Mapping[str, StoredTable]) -> dict[str, Ref]:
    """References to tables that lie directly in `folder`."""
    return {name: Ref(folder / f"{name}.parquet", stored) for name, stored in tables.items()}


def apply_checkpoint(
    refs: dict[str, tuple[Ref, ...]], folder: Path, tables: Mapping[str, StoredTable]
) -> None:
    """Let `refs` point to what a step wrote: in place of a table, or behind its other parts."""
    for name, ref in stored_refs(folder, tables).items():
        refs[name] = (*refs.get(name, ()), ref) if ref.stored.added else (ref,)


def read_turn(
    root: Path,
    turn: int,
    names: Iterable[str] | None = None,
    read: Callable[[Ref, str], pl.DataFrame] = read_table,
) -> dict[str, pl.DataFrame]:
    """State and turn tables of an evaluated turn, all or only `names`.

    A table that the version of that turn did not know is empty.
    """
    wanted = list(names) if names is not None else [*schema.STATE, *schema.TURN]
    manifest = turn_manifest(root, turn)
    if manifest is None:
        start = read_start(root)
        return {name: start.get(name, schema.empty(name)) for name in wanted}
    refs = stored_refs(history_dir(root, turn), manifest.tables)
    return {name: read(refs[name], name) if name in refs else schema.empty(name) for name in wanted}


def read_start(root: Path) -> dict[str, pl.DataFrame]:
    """The state tables of a start position without manifest, conformed one by one.

    Without a table `counters` the next free id is the highest one in use + 1.
    """
    folder = history_dir(root, 0)
    state = {
        name: read_foreign(folder / f"{name}.parquet", name)
        for name in schema.STATE
        if name != "counters" or (folder / f"{name}.parquet").exists()
    }
    if "counters" not in state:
        used = {"unit": state["units"]["unit_id"], "building": state["buildings"]["building_id"]}
        rows = [{"name": n, "next": max(ids, default=0) + 1} for n, ids in used.items()]
        state["counters"] = schema.shaped("counters", pl.DataFrame(rows))
    return state


def map_path(root: Path, name: str) -> Path:
    """The file of a map table; the map is fixed for a game."""
    return root / "map" / f"{name}.parquet"


def map_refs(root: Path, inputs: Mapping[str, str]) -> dict[str, tuple[Ref, ...]]:
    """References to the map as a turn with these inputs saw it (their rows are not noted)."""
    paths = {name: map_path(root, name) for name in MAP_TABLES}
    return {n: (Ref(p, StoredTable(0, inputs[f"map/{p.name}"])),) for n, p in paths.items()}


def read_map(root: Path, known: Mapping[str, str] | None = None) -> dict[str, pl.DataFrame]:
    """The tables `neighbours` and `rivers`; one whose digest is in `known` was checked before."""
    return {name: read_map_table(root, name, known)[0] for name in MAP_TABLES}


def read_map_table(
    root: Path, name: str, known: Mapping[str, str] | None = None
) -> tuple[pl.DataFrame, str]:
    """One map table and the SHA-256 of its file; a digest in `known` saves the full check."""
    path = map_path(root, name)
    if known is None:
        known = checked_map(root)
    content = _content(path)
    digest = sha256(content).hexdigest()
    gate = schema.shaped if known.get(f"map/{path.name}") == digest else schema.conform
    return gate(name, _parsed(path, content), str(path)), digest


def checked_map(root: Path) -> Mapping[str, str]:
    """Digests of the map files that the last evaluated turn was made from."""
    found = turns(root)
    manifest = turn_manifest(root, found[-1]) if found else None
    return manifest.inputs if manifest else {}


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    return sha256(_content(path)).hexdigest()


def turn_digest(root: Path, turn: int) -> str:
    """One digest over an evaluated turn: of its manifest, or of its files if it has none."""
    folder = history_dir(root, turn)
    if turn_manifest(root, turn) is not None:
        return file_digest(folder / MANIFEST)
    lines = [f"{p.name} {file_digest(p)}" for p in sorted(folder.glob("*.parquet"))]
    return sha256("\n".join(lines).encode()).hexdigest()


def write_start(root: Path, state: Mapping[str, pl.DataFrame], version: str, game_id: str) -> None:
    """Commit the start position history/turn=0000 of a new game, whose map is already written."""
    tables = {name: state.get(name, schema.empty(name)) for name in schema.STATE}
    with staged(root, history_dir(root, 0)) as stage:
        refs = {
            n: write_table(stage / f"{n}.parquet", schema.conform(n, tables[n])) for n in tables
        }
        inputs = {f"map/{n}.parquet": read_map_table(root, n, {})[1] for n in MAP_TABLES}
        Manifest(
            game=game_id,
            turn=0,
            version=version,
            inputs=inputs,
            tables={name: ref.stored for name, ref in refs.items()},
            steps={},
        ).write(stage)


# ── commit ──────────────────────────────────────────────────────────────────────────────────


def write_whole(path: Path, content: bytes) -> None:
    """Write one file, whole or not at all: beside its place, to the disk, then renamed."""
    beside = path.with_name(f".{path.name}.new")  # what a kill leaves is hidden
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


@contextmanager
def staged(root: Path, target: Path, *, replace: bool = False) -> Iterator[Path]:
    """An empty folder that becomes `target` by one rename when the block ends without an error.

    Errors: `target` exists and `replace` is not set. Whatever an earlier, killed run left in
    .staging is removed first; the caller holds the lock of the game.
    """
    if target.exists() and not replace:
        raise InputError(f"{target}: is there already; the history is never overwritten")
    stage = _staging(root) / target.name
    clear_staging(root)
    stage.mkdir(parents=True)
    try:
        yield stage
        flush(stage)
        target.parent.mkdir(parents=True, exist_ok=True)
        swap_in(stage, target)
    finally:
        clear_staging(root)


def remove(root: Path, folder: Path) -> None:
    """Take a folder away, if it is there; a kill leaves it whole, or its rest in .staging."""
    clear_staging(root)
    if not folder.exists():
        return
    gone = _staging(root) / folder.name
    gone.parent.mkdir()
    folder.rename(gone)
    clear_staging(root)


def clear_staging(root: Path) -> None:
    """Remove what an earlier, killed run left behind."""
    shutil.rmtree(_staging(root), ignore_errors=True)


def _staging(root: Path) -> Path:
    return root / ".staging"


def swap_in(staging: Path, target: Path) -> None:
    """Put `staging` in the place of `target`; a kill in between leaves no `target`, never a mix."""
    if target.exists():
        old = staging.with_name(staging.name + ".old")
        shutil.rmtree(old, ignore_errors=True)
        target.rename(old)
        staging.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    else:
        staging.rename(target)
    _flush_folder(target.parent)


def flush(folder: Path) -> None:
    """Force everything below `folder` to the disk; in parallel, since the disk batches it."""
    files = {p.stat().st_ino or p: p for p in folder.rglob("*") if p.is_file()}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(_flush_file, files.values()))
    for path in [*(p for p in folder.rglob("*") if p.is_dir()), folder]:
        _flush_folder(path)


def _flush_file(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(path: Path) -> None:
    if os.name == "nt":  # Windows has no handle for that; NTFS journals its folders
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
