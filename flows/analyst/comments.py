"""COMMENT ON for every view, column and macro, from the registry and the heads of the SQL files.

The head of a file in sql/ says what a row is; lines `-- name: text` describe columns that the
registry does not know, or means differently there. Columns that many views share stand below.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from inspect import cleandoc

import duckdb

from flows.store import MAP_TABLES
from transforms import schema

SHARED = {
    "game": "folder of the game",
    "turn": "number of the turn",
    "date": "date of the turn",
    "realm": "code of the realm",
    "unit": "the unit: its number and the code of its realm, 112@ABC",
    "hex": "the hex, GF/KF",
}
GAMES = SHARED | {
    "game_id": "id of the game, signed into its dice",
    "name": "name of the game",
    "ruleset": "name of its rule set",
    "start_date": "date of turn 0, a count of months",
    "months": "names of the months of a year",
}
SETTINGS = SHARED | {"name": "switch or constant of the rule set", "value": "its value, as text"}


_CREATED = re.compile(r"^create (view|macro) (\w+)", re.MULTILINE)
_COLUMN = re.compile(r"-- (\w+): (.+)")
_BASE = re.compile(r"^(?:select \* )?from (\S+)", re.MULTILINE)
_ANY_SOURCE = re.compile(r"\b(?:from|join) (\S+)")


def literal(text: str) -> str:
    """A text as an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class Head:
    """What an SQL file says about itself: kind and name of its object, its row, its columns."""

    kind: str
    name: str
    text: str
    columns: Mapping[str, str]
    sources: tuple[str, ...] = ()


def read_comment(sql: str) -> tuple[str, dict[str, str]]:
    """The comment at the head of a file of sql/: its text, and the columns that it describes."""
    lines = [line for line in sql.splitlines() if line.startswith("--")]
    columns = {m[1]: m[2] for line in lines if (m := _COLUMN.fullmatch(line))}
    return " ".join(line[3:] for line in lines if not _COLUMN.fullmatch(line)), columns


def read_head(sql: str) -> Head:
    """The head of a file of sql/: comment lines, then one CREATE statement."""
    text, columns = read_comment(sql)
    created = _CREATED.search(sql)
    if created is None:
        raise ValueError(f"no CREATE statement: {sql}")
    kind = created[1].upper() + (" TABLE" if re.search(r"\) as table$", sql, re.MULTILINE) else "")
    sources = (*_BASE.findall(sql), *_ANY_SOURCE.findall(sql))
    return Head(kind, created[2], text, columns, tuple(s.strip("();") for s in sources))


def comment(connection: duckdb.DuckDBPyConnection, files: Iterable[str]) -> None:
    """Comment on everything in the connection's database: the history, the rules and `files`."""
    described = _described(files)
    for head in described:
        connection.execute(f"COMMENT ON {head.kind} {head.name} IS {literal(head.text)}")
    texts = {head.name: head.columns for head in described}
    columns = connection.execute(
        "SELECT if(schema_name = 'main', '', schema_name || '.') || table_name, column_name "
        "FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()"
    ).fetchall()
    for table, column in columns:
        if text := _text(texts[table], column):
            connection.execute(f'COMMENT ON COLUMN {table}."{column}" IS {literal(text)}')


def _text(texts: Mapping[str, str], column: str) -> str | None:
    """What is said about a column; a date as text is described by its number."""
    if column not in texts and (number := texts.get(column.removesuffix("_date"))):
        return number.partition(";")[0] + ", as text"
    return texts.get(column)


def _described(files: Iterable[str]) -> list[Head]:
    """What is said about each object; `columns` holds all that may occur in it."""
    found = [
        *(_registered("VIEW", f"history.{t}", " In every turn.") for t in schema.STATE),
        *(_registered("VIEW", f"history.{t}", " In every turn.") for t in schema.TURN),
        *(_registered("VIEW", f"map.{t}") for t in MAP_TABLES),
        *(_registered("TABLE", f"rules.{t}") for t in schema.RULES),
        Head("TABLE", "rules.settings", "One row per switch or constant of a game.", SETTINGS),
        Head("TABLE", "games", "One row per game that is open here.", GAMES),
    ]
    known = {head.name: head.columns for head in found}
    for text in files:
        head = read_head(text)
        columns: dict[str, str] = {}
        for source in reversed(head.sources):
            columns |= known.get(source, {})
        known[head.name] = columns | SHARED | dict(head.columns)
        found.append(replace(head, columns=known[head.name]))
    return found


def _registered(kind: str, name: str, more: str = "") -> Head:
    table = schema.TABLES[name.partition(".")[2]]
    columns = {column: spec.description or "" for column, spec in table.columns().items()}
    return Head(kind, name, cleandoc(table.__doc__ or "") + more, SHARED | columns)
