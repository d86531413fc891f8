"""Rows of one table changed by a CSV file, to try something out: nothing is written."""

from pathlib import Path

import polars as pl

from flows.csvs import read_cells, read_table, typed_column
from transforms import schema
from transforms.cells import EditFile
from transforms.errors import InputError, unknown
from transforms.unit_names import UNIT_NAMES, with_unit_ids

_DELETE = "delete"


def table_of(path: Path) -> str:
    """The table that a file is about, by its name. Errors: no such table of a turn."""
    tables = {**schema.STATE, **schema.MAP, **schema.TURN}
    if path.stem not in tables:
        raise unknown(str(path), "table", path.stem, tables)
    return path.stem


def replaced_by(path: Path, table: pl.DataFrame) -> pl.DataFrame:
    """The whole table in `path`, CSV or Parquet, in place of `table`."""
    name = table_of(path)
    if path.suffix == ".csv":
        return read_table(path, name)
    try:
        return schema.conform(name, pl.read_parquet(path.read_bytes()), where=str(path))
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: neither .csv nor a readable Parquet file") from error


def edited_by(path: Path, table: pl.DataFrame, realms: pl.DataFrame) -> pl.DataFrame:
    """`table` with the rows of the CSV file `path` changed, added or, with `delete`, removed.

    A row is about the row with its primary key. Only its named columns change; an empty cell is
    null where the column may be null and leaves the value as it is where not. Errors: no key, a
    key twice, a row to delete that is not there, values that the schema refuses.
    """
    name = table_of(path)
    key, rows = schema.key_of(name), _rows(path, name, table, realms)
    if rows.select(key).is_duplicated().any() or sum(rows.select(key).null_count().row(0)):
        raise InputError(f"{path}: every row needs its own key: {', '.join(key)}")
    gone = rows.filter(_DELETE)
    if (strangers := gone.join(table, on=key, how="anti")).height:
        raise InputError(f"{path}: no row to delete: {strangers.select(key).row(0, named=True)}")
    kept = table.join(gone, on=key, how="anti")
    rows = rows.filter(~pl.col(_DELETE)).drop(_DELETE)
    after = _changed(name, kept, rows, key)
    if (new := rows.join(table, on=key, how="anti")).height:
        after = pl.concat([after, schema.shaped(name, new, where=str(path))])
    return schema.conform(name, after, where=str(path))


def _rows(path: Path, name: str, table: pl.DataFrame, realms: pl.DataFrame) -> pl.DataFrame:
    specs = schema.schema_of(name)
    names = UNIT_NAMES if name == "units" else ()
    cells = read_cells(path, [*specs, *names, _DELETE])
    if names:
        cells = with_unit_ids(cells, table, realms, EditFile(path))
    for column in schema.key_of(name):
        if column not in cells.columns:
            raise InputError(f"{path}: column {column!r} is missing; it is the key of {name}")
    types = specs | {_DELETE: pl.Boolean()}
    rows = cells.select(
        typed_column(path, cells, column, types[column])
        for column in cells.columns
        if column != "row"
    )
    deleted = pl.col(_DELETE).fill_null(False) if _DELETE in rows.columns else pl.lit(False)
    return rows.with_columns(deleted.alias(_DELETE))


def _changed(name: str, table: pl.DataFrame, rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    columns = [c for c in rows.columns if c not in key]
    specs = schema.TABLES[name].columns()
    joined = table.join(
        rows.rename({c: f"new:{c}" for c in columns}).with_columns(hit=pl.lit(True)),
        on=key,
        how="left",
        maintain_order="left",
    )
    wanted = (
        pl.when(
            pl.col("hit").fill_null(False)
            & (pl.lit(specs[c].nullable) | pl.col(f"new:{c}").is_not_null())
        )
        .then(f"new:{c}")
        .otherwise(c)
        .alias(c)
        for c in columns
    )
    return joined.with_columns(wanted).select(table.columns)
