"""Reads what is to be fought: a table of fights (CSV or Parquet) or a grid (TOML)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from flows.csvs import either_form, read_cells
from flows.game import read_toml
from transforms import schema
from transforms.duel import grid as grids
from transforms.duel.grid import Grid, parse_grid
from transforms.errors import InputError

_FORMS = (".csv", ".parquet", ".toml")
_FIGHTS = "duel.fights"


class Source(NamedTuple):
    """Where fights come from. Every call reads anew, so memory stays flat."""

    where: str
    frames: Callable[[], Iterator[pl.DataFrame]]
    """All fights (duel.fights), in ascending order, a frame at a time."""
    samples: Callable[[], Iterator[pl.DataFrame]]
    """Enough of them to know that all can be fought."""
    find: Callable[[int], pl.DataFrame]
    """The fight with this number, as a frame of one row or none."""


def read_fights(path: Path) -> Source:
    """The fights of a file, or of `fights.csv` or `fights.parquet` in a folder.

    Errors: no such file, both forms in a folder, another form; whatever breaks a rule of
    duel.fights or of a grid.
    """
    if path.is_dir():
        path = _in_folder(path)
    if path.suffix.lower() not in _FORMS:
        raise InputError(f"{path}: allowed: a file that ends with {', '.join(_FORMS)}")
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    if path.suffix.lower() == ".toml":
        return grid_source(str(path), read_grid(path))
    if path.suffix.lower() == ".parquet" and (reader := _streamed(path)):
        return _source(str(path), reader)
    table = _from_csv(path) if path.suffix.lower() == ".csv" else _from_parquet(path)
    return _source(str(path), lambda: table.iter_slices(grids.CHUNK))


def read_grid(path: Path) -> Grid:
    """The grid of a TOML file. Errors: no such file; see `parse_grid`."""
    if path.suffix.lower() != ".toml" or not path.is_file():
        raise InputError(f"{path}: no grid here; allowed: a .toml file with [grid]")
    return parse_grid(str(path), read_toml(path))


def grid_source(where: str, grid: Grid) -> Source:
    """The fights of a grid; one of each cell tells whether all can be fought."""
    return Source(
        where,
        frames=lambda: grids.frames(grid),
        samples=lambda: iter([grids.probe(grid)]),
        find=lambda fight_id: grids.fight(grid, fight_id),
    )


def _source(where: str, frames: Callable[[], Iterator[pl.DataFrame]]) -> Source:
    def find(fight_id: int) -> pl.DataFrame:
        found = (frame.filter(pl.col("fight_id") == fight_id) for frame in frames())
        return pl.concat([schema.empty(_FIGHTS), *found])

    return Source(where, frames, frames, find)


def _in_folder(folder: Path) -> Path:
    path = either_form(folder, "fights")
    if path is None:
        raise InputError(f"{folder}: found neither fights.csv nor fights.parquet")
    return path


def _from_csv(path: Path) -> pl.DataFrame:
    """A table of fights; the cells of `enemies` and `script` are lists joined by `|`."""
    cells = read_cells(path, schema.schema_of(_FIGHTS)).drop("row")
    lists = [column for column in ("enemies", "script") if column in cells.columns]
    split = cells.with_columns(
        pl.col(column).str.split("|").list.eval(pl.element().str.strip_chars()) for column in lists
    )
    return schema.conform(_FIGHTS, split, where=str(path))


def _from_parquet(path: Path) -> pl.DataFrame:
    with _parquet(path) as file:
        return schema.conform(_FIGHTS, _framed(file.read()), where=str(path))


def _streamed(path: Path) -> Callable[[], Iterator[pl.DataFrame]] | None:
    """A reader of frames of a Parquet file; None when its fights are not in ascending order."""
    last = -1
    with _parquet(path) as file:
        if "fight_id" not in file.schema_arrow.names:
            raise InputError(f"{path}: column 'fight_id' is missing")
        for batch in file.iter_batches(grids.CHUNK, columns=["fight_id"]):
            ids = _framed(pa.Table.from_batches([batch]))["fight_id"].cast(pl.Int128)
            if ids.null_count() or ids[0] <= last or not (ids.diff().drop_nulls() > 0).all():
                return None
            last = ids[-1]

    def frames() -> Iterator[pl.DataFrame]:
        with _parquet(path) as file:
            for batch in file.iter_batches(grids.CHUNK):
                frame = _framed(pa.Table.from_batches([batch]))
                yield schema.conform(_FIGHTS, frame, where=str(path))

    return frames


def _parquet(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise InputError(f"{path}: not a Parquet file: {error}") from error


def _framed(table: pa.Table) -> pl.DataFrame:
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame
