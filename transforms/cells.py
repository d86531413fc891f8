"""Cells of a table that people wrote: text with its row, made numbers, names and dates.

An error names file, row and column, what was found and what is allowed; the header is row 1.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import polars as pl

from transforms import hexgrid
from transforms.errors import InputError, unknown
from transforms.rules import Rules

BOOLEANS = {"true": True, "false": False, "1": True, "0": False, "ja": True, "nein": False}
BOOLEANS |= {"wahr": True, "falsch": False}  # what a German Excel makes of TRUE and FALSE
UNPRINTABLE = r"[\p{Cc}\p{Cf}]"  # control characters, the invisible ones too
UNPRINTABLE_BUT_TAB = r"[\p{Cc}\p{Cf}&&[^\t]]"
PRINTABLE = "text without control characters"


class CellFile:
    """A file that people wrote; errors about it call it by its `str`."""

    def at(self, row: int, column: str | None = None) -> str:
        """Where a cell, or a whole row, stands."""
        return f"{self}: row {row}" + (f", column {column}" if column else "")

    def refused(self, row: int, what: str, column: str | None = None) -> InputError:
        """The error for a cell, or for a whole row."""
        return InputError(f"{self.at(row, column)}: {what}")


@dataclass(frozen=True)
class CorrectionFile(CellFile):
    """orders/<turn>/gm/<table>.csv."""

    table: str
    turn: int

    def __str__(self) -> str:
        return f"orders/{self.turn}/gm/{self.table}.csv"


@dataclass(frozen=True)
class EditFile(CellFile):
    """A file that may lie anywhere."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


def numbers(name: str, cells: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """The columns as whole numbers from 0 (i64)."""
    typed = cells.with_columns(pl.col(columns).cast(pl.Int64, strict=False))
    for column in columns:
        lost = (typed[column].is_null() & cells[column].is_not_null()) | (typed[column] < 0)
        refuse_where(name, cells, lost.fill_null(False), column, "a whole number is needed")
    return typed


def with_direction(name: str, cells: pl.DataFrame) -> pl.DataFrame:
    """The column `direction`, NW … W, as its number (u8)."""
    upper = cells.with_columns(pl.col("direction").str.to_uppercase())
    known_in(name, upper, "direction", pl.Series(hexgrid.DIRECTIONS))
    numbers = {direction: d for d, direction in enumerate(hexgrid.DIRECTIONS)}
    return upper.with_columns(
        pl.col("direction").replace_strict(numbers, default=None, return_dtype=pl.UInt8)
    )


def with_date(name: str, cells: pl.DataFrame, column: str, rules: Rules) -> pl.DataFrame:
    """The column, `<month name> <year>`, as a count of months (i64)."""
    month, year = (
        pl.col(column).str.extract(r"^(\S+)\s+(\d+)$", group).alias(part)
        for group, part in ((1, "month"), (2, "year"))
    )
    numbers = dict(rules.calendar.select("name", "month").iter_rows())
    date = year.cast(pl.Int64) * rules.months_per_year + month.replace_strict(
        numbers, default=None, return_dtype=pl.Int64
    )
    dated = cells.with_columns(date=date)
    lost = pl.col("date").is_null() & pl.col(column).is_not_null()
    allowed = f"a date like {rules.calendar['name'][0]} 414; months: {', '.join(numbers)}"
    refuse_where(name, dated, lost, column, allowed)
    return dated.drop(column).rename({"date": column})


def known_in(
    name: str, cells: pl.DataFrame, column: str, allowed: pl.Series, what: str | None = None
) -> None:
    """Refuse the first value of `column` that is not null and none of `allowed`.

    `what` describes the allowed values when there are too many to list.
    """
    strange = cells.filter(pl.col(column).is_not_null() & ~pl.col(column).is_in(allowed.implode()))
    if strange.height and what:
        refuse(name, strange, column, f"allowed: {what}")
    if strange.height:
        where = f"{name}.csv: row {strange['row'][0]}"
        raise unknown(where, column, strange[column][0], allowed.to_list())


def refuse_where(
    name: str, cells: pl.DataFrame, bad: pl.Expr | pl.Series, column: str, why: str
) -> None:
    """Refuse the first row that is `bad`, for what stands in `column`."""
    wrong = cells.filter(bad)
    if wrong.height:
        refuse(name, wrong, column, why)


def refuse(name: str, wrong: pl.DataFrame, column: str, why: str) -> NoReturn:
    """The error for the first of the `wrong` rows."""
    value = wrong[column][0]
    found = "is empty" if value is None else repr(value)
    raise InputError(f"{name}.csv: row {wrong['row'][0]}, column {column}: {found}; {why}")
