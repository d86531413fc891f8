"""Which SQL a query may be: it reads the history, and may build tables of its own in memory.

DuckDB has no switch that allows reading files and forbids writing them, so what could write one
(COPY, EXPORT, ATTACH, …) is refused by its first word before it runs. Its own kinds of statement
do not serve: a COPY around a PIVOT is only called MULTI.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from transforms.errors import InputError

_READING = "select from with values table describe desc show summarize pivot unpivot set"
_IN_MEMORY = "create insert update delete drop alter"
ALLOWED = frozenset(f"{_READING} {_IN_MEMORY}".split())
_QUOTED_OR_COMMENT = re.compile(
    r"(?P<quoted>'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$\$.*?\$\$)|--[^\n]*|/\*.*?\*/", re.DOTALL
)
_FIRST_WORD = re.compile(
    r"[\s(]*(?:explain\b(?:\s+analyze\b)?(?:\s*\([^)]*\))?[\s(]*)?(\w+)", re.IGNORECASE
)


@contextmanager
def refusals() -> Iterator[None]:
    """Whatever DuckDB refuses meanwhile is an InputError: a statement, or its rows when fetched."""
    try:
        yield
    except duckdb.Error as error:
        raise InputError(str(error)) from error


def run(connection: duckdb.DuckDBPyConnection, text: str) -> Iterator[duckdb.DuckDBPyRelation]:
    """Run the statements of `text` one by one; yields the result of each that has one.

    Errors: InputError for SQL that is wrong or that could write to a disk; nothing runs then.
    """
    with refusals():
        statements = connection.extract_statements(text)
    for statement in statements:
        _must_only_read(statement.query)
    for statement in statements:
        with refusals():
            result = connection.sql(statement)
        if result is not None:
            yield result


def is_complete(text: str) -> bool:
    """Does `text` end with a `;` that is part of no string, name or comment?"""
    bare = _QUOTED_OR_COMMENT.sub(" ", text).rstrip()
    return bare.endswith(";") and not any(mark in bare for mark in ("'", '"', "$$", "/*"))


def _must_only_read(statement: str) -> None:
    bare = _QUOTED_OR_COMMENT.sub(lambda match: match["quoted"] or " ", statement)
    found = _FIRST_WORD.match(bare)
    word = found[1] if found else bare.strip()
    if word.lower() not in ALLOWED:
        raise InputError(
            f"{word.upper()} is not allowed here: a query only reads the history; save its "
            "result with -o FILE, or work in the file that `zugwerk catalog` writes"
        )
