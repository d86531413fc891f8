"""CSV files that people write by hand: text cells with their row, or a conformed table.

Excel in German saves semicolons and Windows-1252; both are accepted as they are.
"""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import polars as pl

from transforms import schema
from transforms.cells import BOOLEANS
from transforms.errors import InputError, unknown


def decode_csv(data: bytes) -> str:
    """Text of a CSV file: UTF-8 with or without BOM, else Windows-1252."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def either_form(folder: Path, name: str) -> Path | None:
    """`<name>.csv` or `<name>.parquet` of a folder; None without either. Errors: both."""
    there = [path for form in ("csv", "parquet") if (path := folder / f"{name}.{form}").is_file()]
    if len(there) > 1:
        raise InputError(f"{folder}: {there[0].name} and {there[1].name} are both there; keep one")
    return there[0] if there else None


def for_excel(data: bytes) -> bytes:
    """A CSV file as a double click opens it in a German Excel: semicolons, a BOM."""
    rows = csv.reader(io.StringIO(decode_csv(data), newline=""), strict=True)
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8-sig")


def table_for_excel(table: pl.DataFrame) -> bytes:
    """A table as such a file; with a decimal comma, since Excel takes 12.5 for a day in May."""
    return for_excel(table.write_csv(decimal_comma=True).encode())


def read_cells(path: Path, columns: Iterable[str] | None = None) -> pl.DataFrame:
    """All cells as stripped text, empty ones null, plus `row` (u32): the header is row 1.

    Errors: a row that is too long or too short, a column twice, one that `columns` does not name.
    """
    return _cells(path, columns)[0]


def _cells(path: Path, columns: Iterable[str] | None) -> tuple[pl.DataFrame, bool]:
    """The cells, and whether a number may have a decimal comma: only between semicolons."""
    try:
        text = decode_csv(path.read_bytes())
        header_line = text.partition("\n")[0]
        delimiter = ";" if ";" in header_line and "," not in header_line else ","
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise InputError(f"{path}: not a CSV file: {error}") from error
    if not rows:
        raise InputError(f"{path}: the file is empty; its first row must name the columns")
    header = [name.strip().lower() for name in rows[0]]
    if len(set(header)) < len(header):
        raise InputError(f"{path}: row 1: a column stands there twice: {', '.join(header)}")
    for name in header:
        if columns is not None and name not in (allowed := list(columns)):
            raise unknown(f"{path}: row 1", "column", name, allowed)
    numbered = [(n, row) for n, row in enumerate(rows[1:], start=2) if any(map(str.strip, row))]
    for number, row in numbered:
        if len(row) != len(header):
            raise InputError(
                f"{path}: row {number} has {len(row)} cells, the header has {len(header)}"
            )
    cells = {c: [row[i].strip() or None for _, row in numbered] for i, c in enumerate(header)}
    frame = pl.DataFrame(cells, schema=dict.fromkeys(header, pl.String))
    numbers = pl.Series([n for n, _ in numbered], dtype=pl.UInt32)
    return frame.with_columns(row=numbers), delimiter == ";"


def read_table(path: Path, name: str, ignore: Iterable[str] = ()) -> pl.DataFrame:
    """The conformed table `name` from a CSV file. Errors name file, row, value and what is allowed.

    An empty cell stands for the column's default where the registry has one, else for null.
    Columns to `ignore` may stand in the file and are not read.
    """
    typed = read_typed(path, name, ignore)
    return schema.conform(name, typed.drop("row"), where=str(path))


def read_typed(path: Path, name: str, ignore: Iterable[str] = ()) -> pl.DataFrame:
    """The columns of table `name` that a CSV file has, typed, with `row`; no rule is checked yet.

    Errors: a value that does not fit its type, with file and row.
    """
    specs = schema.TABLES[name].columns()
    cells, decimal_comma = _cells(path, [*specs, *ignore])
    cells = cells.drop(ignore, strict=False)
    typed = cells.select("row")
    for column in cells.columns[:-1]:
        spec = specs[column]
        values = typed_column(path, cells, column, spec.dtype, decimal_comma)
        default = (spec.metadata or {}).get("default")
        typed = typed.with_columns(values if default is None else values.fill_null(default))
    return typed


def typed_column(
    path: Path,
    cells: pl.DataFrame,
    column: str,
    dtype: pl.DataType,
    decimal_comma: bool = False,
) -> pl.Series:
    """A column of text cells as `dtype`. Errors: a value that does not fit, with its row."""
    values = _typed(cells[column], dtype, decimal_comma)
    lost = values.is_null() & cells[column].is_not_null()
    if lost.any():
        _refuse(path, cells.filter(lost), column, dtype)
    return values


def _typed(cells: pl.Series, dtype: pl.DataType, decimal_comma: bool) -> pl.Series:
    if dtype == pl.Boolean:
        return cells.str.to_lowercase().replace_strict(BOOLEANS, default=None, return_dtype=dtype)
    if dtype.is_float() and decimal_comma:
        cells = cells.str.replace(",", ".", literal=True)
    return cells.cast(dtype, strict=False)


def _refuse(path: Path, bad: pl.DataFrame, column: str, dtype: pl.DataType) -> NoReturn:
    where = f"{path}: row {bad['row'][0]}, column {column!r}"
    if isinstance(dtype, pl.Enum):
        raise unknown(where, "value", bad[column][0], dtype.categories)
    wanted = "true or false" if dtype == pl.Boolean else f"a number of type {dtype}"
    raise InputError(f"{where}: {bad[column][0]!r} is not allowed; allowed: {wanted}")
