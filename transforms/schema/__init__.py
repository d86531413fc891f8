"""The registry of tables: every table, column, type, key and description, declared once.

`conform` is the gate that every table passes when it enters or leaves the program; the data
dictionary and the comments of the SQL views are generated from the same declarations.
"""

from collections.abc import Mapping, Sequence

import dataframely as dy
import polars as pl

from transforms.errors import InputError, unknown
from transforms.schema import (
    duel_tables,
    ghost_game_tables,
    ghost_tables,
    hits_tables,
    map_tables,
    orders_tables,
    rules_tables,
    state_tables,
    turn_tables,
)

STATE: Mapping[str, type[dy.Schema]] = state_tables.TABLES
MAP: Mapping[str, type[dy.Schema]] = map_tables.TABLES
RULES: Mapping[str, type[dy.Schema]] = rules_tables.TABLES
TURN: Mapping[str, type[dy.Schema]] = {**orders_tables.TABLES, **turn_tables.TABLES}
DUEL: Mapping[str, type[dy.Schema]] = duel_tables.TABLES
GHOST: Mapping[str, type[dy.Schema]] = {**ghost_tables.TABLES, **ghost_game_tables.TABLES}
HITS: Mapping[str, type[dy.Schema]] = hits_tables.TABLES
TABLES: Mapping[str, type[dy.Schema]] = {**STATE, **MAP, **RULES, **TURN, **HITS, **DUEL, **GHOST}


_PLAIN = (pl.String, pl.Enum, pl.Categorical, pl.Null)

SECTION_ORDER = pl.Enum(turn_tables.SECTIONS)
"""Sections of a report in the order in which they are printed."""


def schema_of(name: str) -> dict[str, pl.DataType]:
    """Column name → Polars type of table `name`, in the order in which it is written."""
    return {column: spec.dtype for column, spec in TABLES[name].columns().items()}


def key_of(name: str) -> list[str]:
    """The primary key of table `name`; the columns it is sorted by when there is no key."""
    return TABLES[name].primary_key() or list(TABLES[name].columns())


def empty(name: str) -> pl.DataFrame:
    """Table `name` without rows."""
    return pl.DataFrame(schema=schema_of(name))


def shaped(name: str, frame: pl.DataFrame, where: str | None = None) -> pl.DataFrame:
    """`frame` with exactly the columns of table `name`: defaults filled in, types cast, sorted.

    Errors: as for `filled`.
    """
    table, key = filled(name, frame, where), key_of(name)
    if _in_order(table, key):  # far cheaper to see than to sort once more
        return table.with_columns(pl.col(key[0]).set_sorted())
    return table.sort(key, nulls_last=False, maintain_order=True)


def filled(name: str, frame: pl.DataFrame, where: str | None = None) -> pl.DataFrame:
    """As `shaped`, but the rows stay in their order, so that an error can name the row.

    Missing columns are allowed where the registry has a default or the column may be null.
    Errors: an unknown or a missing column, a value that does not fit its type.
    """
    where = where or name
    columns = TABLES[name].columns()
    for column in frame.columns:
        if column not in columns:
            raise unknown(where, "column", column, columns)
    expressions = []
    for column, spec in columns.items():
        metadata = spec.metadata or {}
        if column in frame.columns:
            expressions.append(pl.col(column).cast(spec.dtype, strict=False))
        elif "default" in metadata:
            expressions.append(pl.lit(metadata["default"], spec.dtype).alias(column))
        elif spec.nullable:
            expressions.append(pl.lit(None, spec.dtype).alias(column))
        else:
            raise InputError(f"{where}: column {column!r} is missing; needed: {', '.join(columns)}")
    cast = frame.select(expressions)
    _refuse_lost_values(where, frame, cast)
    return cast


def _in_order(table: pl.DataFrame, key: Sequence[str]) -> bool:
    """Do the rows of `table` stand by `key`? A null among them counts as no."""
    in_order = pl.lit(True)  # row by row with the one above, from the last column to the first
    for column in reversed(key):
        here, above = pl.col(column), pl.col(column).shift()
        in_order = (above < here) | (above == here) & in_order
    return bool(table.select(in_order.slice(1).fill_null(False).all()).item())


def conform(name: str, frame: pl.DataFrame, where: str | None = None) -> pl.DataFrame:
    """`shaped`, then every rule of the schema: keys, ranges, nulls. The gate for outside data.

    Errors: one line that names the table or file, the rule and the first offending row.
    """
    _refuse_other_kinds(name, where or name, frame)
    table = shaped(name, frame, where)
    _valid, failure = TABLES[name].filter(table)
    if len(failure):
        rule, count = max(failure.counts().items(), key=lambda item: item[1])
        row = ", ".join(f"{k}={v}" for k, v in failure.invalid().row(0, named=True).items())
        raise InputError(f"{where or name}: rule {rule!r} broken by {count} row(s), first: {row}")
    return table


def _refuse_other_kinds(name: str, where: str, frame: pl.DataFrame) -> None:
    """A text for a number may be cast; a list, a date or 5.5 heads are an error, never a guess."""
    for column, wanted in schema_of(name).items():
        found = frame.schema.get(column, wanted)
        allowed = (wanted.is_numeric() and found.is_numeric()) or isinstance(found, _PLAIN)
        if not allowed and found != wanted:
            raise InputError(f"{where}: column {column!r} has type {found}; allowed: {wanted}")
        if wanted.is_integer() and (found.is_float() or found.is_decimal()):
            broken = frame.filter(pl.col(column) != pl.col(column).round())
            if not broken.is_empty():
                raise InputError(
                    f"{where}: column {column!r}: {broken[column][0]} is not allowed; "
                    f"allowed: {wanted}"
                )


def _refuse_lost_values(where: str, before: pl.DataFrame, after: pl.DataFrame) -> None:
    """A value that did not survive its cast is an error with its row, never a silent null."""
    shared = [c for c in after.columns if c in before.columns and before[c].dtype != after[c].dtype]
    for column in shared:
        lost = after[column].is_null() & before[column].is_not_null()
        if lost.any():
            row = lost.arg_max() or 0
            allowed = _allowed(after[column].dtype)
            raise InputError(
                f"{where}: row {row + 1}, column {column!r}: {before[column][row]!r} "
                f"is not allowed; allowed: {allowed}"
            )


def _allowed(dtype: pl.DataType) -> str:
    return ", ".join(dtype.categories) if isinstance(dtype, pl.Enum) else str(dtype)
