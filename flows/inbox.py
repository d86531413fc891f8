"""The folder orders/<turn> as every game finds it: which files count, and the corrections."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import polars as pl

from flows import store
from flows.csvs import read_cells
from transforms import schema
from transforms.errors import InputError, unknown

_IGNORED = ("thumbs.db", "desktop.ini")


def ready_for_orders(root: Path, turn: int) -> str:
    """Make the folder of a turn's order files, unless there is one; where they belong, in words.

    An empty folder means the same as none. Never an error, since the turn before it is done: what
    is in the way stands in the words.
    """
    folder = root / "orders" / str(turn)
    try:
        folder = store.orders_dir(root, turn) or folder
        folder.mkdir(parents=True, exist_ok=True)
    except InputError as error:
        return str(error)
    except OSError as error:
        return f"{folder}: the folder of turn {turn} cannot be made: {error.strerror}"
    return f"Order files of turn {turn} belong into {folder}"


def visible(folder: Path) -> Iterator[Path]:
    """Everything in a folder, sorted, but hidden files, backups and what Windows leaves there."""
    for path in sorted(folder.iterdir()):
        name = path.name.lower()
        if not name.startswith(".") and not name.endswith("~") and name not in _IGNORED:
            yield path


def corrections_in(folder: Path) -> list[Path]:
    """The files of gm/, sorted; hidden ones left out."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


def read_edits(
    name: str,
    paths: Iterable[Path],
    columns: Mapping[str, Iterable[str] | None],
    needed: Collection[str] = (),
) -> pl.DataFrame:
    """Table `name`: every cell of the files gm/<table>.csv as `table, row, column, value`.

    `columns`: the tables that may be corrected, each with the columns that are allowed (None: the
    step that applies them decides). Errors: another file, a column not allowed, one missing that
    is needed.
    """
    edits = [schema.empty(name)]
    allowed = [f"{table}.csv" for table in columns]
    for path in paths:
        if path.name.lower() not in allowed:
            raise unknown(str(path.parent), "correction file", path.name, allowed)
        table = path.stem.lower()
        cells = read_cells(path, columns[table])
        for column in needed:
            if column not in cells.columns:
                raise InputError(f"{path}: column {column!r} is missing")
        long = cells.unpivot(index="row", variable_name="column", value_name="value")
        edits.append(long.select(pl.lit(table).alias("table"), pl.all()))
    return schema.shaped(name, pl.concat(edits))
