"""The interactive prompt of `zugwerk sql`: SQL until a `;`, and a few commands with a dot."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import duckdb

from flows.analyst.output import write_result
from flows.analyst.statements import is_complete, run
from flows.analyst.warehouse import shipped_sql
from transforms.errors import InputError, unknown

HELP = """\
SQL until a semicolon, over as many lines as you like; Ctrl-C drops what you typed.
.tables            views, macros and what their rows are
.columns NAME      the columns of a view
.cookbook [NAME]   questions that are ready to run; with a name, run it
.help              this
.quit              leave (also Ctrl-D)
A macro is called like a view: from units_at(3); from unit_life(17);"""
COMMANDS = (".tables", ".columns", ".cookbook", ".help", ".quit")
PROMPT, CONTINUED, INTERRUPTED = "sql> ", "...> ", "\x03"

_TABLES = """
    select table_name as name, comment as rows from duckdb_tables()
    where not internal and schema_name = 'main'
    union all
    select view_name, comment from duckdb_views() where not internal and schema_name = 'main'
    union all
    select distinct function_name || '(' || array_to_string(parameters, ', ') || ')', comment
    from duckdb_functions() where not internal and schema_name = 'main'
    order by 1
"""
_COLUMNS = """
    select column_name, data_type, comment from duckdb_columns()
    where not internal and schema_name = ? and table_name = ?
    order by column_index
"""


def cookbook() -> dict[str, str]:
    """Name and SQL of every shipped question, in order."""
    return dict(shipped_sql("cookbook"))


def question(text: str) -> str:
    """The question that a cookbook file answers: the first sentence of its head."""
    return text.partition("\n")[0].removeprefix("-- ")


def talk(connection: duckdb.DuckDBPyConnection, read: Callable[[str], str] = input) -> None:
    """Answer queries until the end of the input; an error is shown, and the talk goes on."""
    count = len(connection.execute("select game from games").fetchall())
    print(f"{count} game{'s' * (count > 1)} open. .help shows what there is, .quit leaves.")
    typed = ""
    with _remembered():
        while (line := _line(read, CONTINUED if typed else PROMPT)) is not None:
            if line == INTERRUPTED:
                typed = ""
            elif not typed and line.strip().startswith("."):
                word, *rest = line.split()
                if word in (".quit", ".exit"):
                    return
                _answer(partial(_command, connection, word, " ".join(rest)))
            elif typed or line.strip():
                typed += line + "\n"
                if is_complete(typed):
                    _answer(partial(_query, connection, typed))
                    typed = ""


def _line(read: Callable[[str], str], prompt: str) -> str | None:
    try:
        return read(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        return INTERRUPTED


def _answer(action: Callable[[], None]) -> None:
    try:
        action()
    except InputError as error:
        print(error)
    except KeyboardInterrupt:
        print("interrupted")


def _query(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    for result in run(connection, text):
        write_result(result, "table", None)


def _command(connection: duckdb.DuckDBPyConnection, word: str, name: str = "") -> None:
    if word == ".tables":
        write_result(connection.sql(_TABLES), "table", None)
    elif word == ".columns":
        space, _, table = name.rpartition(".")
        found = connection.sql(_COLUMNS, params=[space or "main", table])
        write_result(found, "table", None)
    elif word == ".cookbook" and not name:
        for key, text in cookbook().items():
            print(f"{key:<24}{question(text)}")
    elif word == ".cookbook":
        if name not in cookbook():
            raise unknown(".cookbook", "question", name, cookbook())
        print(cookbook()[name])
        _query(connection, cookbook()[name])
    elif word == ".help":
        print(HELP)
    else:
        raise unknown("prompt", "command", word, COMMANDS)


@contextmanager
def _remembered() -> Iterator[None]:
    """Line editing and a history file where the system has them."""
    if not sys.stdin.isatty():
        yield
        return
    try:
        import readline
    except ImportError:  # Windows: its console edits and remembers by itself
        yield
        return
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(state) / "zugwerk" / "sql_history"
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(1000)
    try:
        yield
    finally:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(path)
