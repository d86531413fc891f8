"""The stored Parquet tables of games as SQL views: history.* with the turn, map.* without.

This is the only place where SQL is composed: of the registry's names, and of paths as literals.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import dataframely as dy
import polars as pl

from flows.analyst.comments import literal
from flows.analyst.sources import TURN_TABLES, Source, pattern
from flows.place import is_url
from transforms import schema

# The turn of a row, from its folder turn=0007. DuckDB 1.5 cannot read it as a hive partition
# together with a given schema; a filter on it selects files all the same.
_TURN = "parse_path(f.filename)[-2][6:]::INTEGER"

# Unsigned columns become signed: `realm_id - 1` is no error for an analyst.
_TYPES = {
    pl.Boolean: "BOOLEAN",
    pl.UInt8: "SMALLINT",
    pl.UInt16: "INTEGER",
    pl.UInt32: "BIGINT",
    pl.UInt64: "UBIGINT",
    pl.Int32: "INTEGER",
    pl.Int64: "BIGINT",
    pl.Float64: "DOUBLE",
    pl.String: "VARCHAR",
    pl.Enum: "VARCHAR",
}


@dataclass(frozen=True)
class Shelf:
    """Where the tables of some games lie.

    `base`: the folder that relative paths start from; None = absolute paths.
    """

    found: list[Source]
    base: Path | None = None

    def view(self, table: str) -> str:
        """CREATE VIEW of a stored table, whatever columns each of its files has.

        The schema is given, so no file is opened before a query, a column that an older file
        lacks has its default or is null, and one that only a newer file has is left out.
        """
        columns = {c: s for c, s in schema.TABLES[table].columns().items() if c != "turn"}
        by_turn = table in TURN_TABLES
        name = f"{'history' if by_turn else 'map'}.{table}"
        files = [self._files(s, table) for s in self.found if table in s.tables]
        if not files:
            nulls = ["NULL::VARCHAR AS game", *(["NULL::INTEGER AS turn"] if by_turn else [])]
            nulls += [f'NULL::{_sql_type(spec)} AS "{column}"' for column, spec in columns.items()]
            return f"CREATE VIEW {name} AS SELECT {', '.join(nulls)} WHERE false"
        selected = [f"{self._game(by_turn)} AS game", *([f"{_TURN} AS turn"] if by_turn else [])]
        selected += [f'f."{column}"' for column in columns]
        fields = ", ".join(_field(column, spec) for column, spec in columns.items())
        return (
            f"CREATE VIEW {name} AS SELECT {', '.join(selected)} "
            f"FROM read_parquet([{', '.join(files)}], filename = true, "
            f"schema = MAP {{{fields}}}) AS f"
        )

    def _game(self, by_turn: bool) -> str:
        if len(self.found) == 1:
            return literal(self.found[0].name)
        return f"parse_path(f.filename)[{-4 if by_turn else -3}]"

    def _files(self, source: Source, table: str) -> str:
        """A path for read_parquet, as a literal: of its characters only `turn=*` is a pattern."""
        start = source.place
        if self.base is not None and not is_url(start):
            start = Path(os.path.relpath(start, self.base)).as_posix()
            if start == "." and len(self.found) > 1:  # the path must name the game
                start = f"../{source.name}"
        escaped = "".join(f"[{c}]" if c in "*?[" else c for c in start)
        return literal(f"{escaped}/{pattern(table)}")


def _field(column: str, spec: dy.Column) -> str:
    """One entry of read_parquet's schema: type, and what stands for it in files without it."""
    default = (spec.metadata or {}).get("default")
    value = "NULL" if default is None else literal(str(default).lower())
    name = literal(column)
    return f"{name}: {{name: {name}, type: {literal(_sql_type(spec))}, default_value: {value}}}"


def _sql_type(spec: dy.Column) -> str:
    return _TYPES[type(spec.dtype)]
