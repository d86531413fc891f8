"""SQL over the history of a Ghost-Diplomacy game: the views of sql/ghost/*.sql in DuckDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from flows.shipped import shipped
from transforms.errors import InputError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def view_files() -> dict[str, Path]:
    """View → its file; phases comes first, since the others read it."""
    files = {path.stem: path for path in sorted(shipped("sql", "ghost").glob("*.sql"))}
    return {"phases": files.pop("phases"), **files}


@contextmanager
def ghost_views(root: Path) -> Iterator["DuckDBPyConnection"]:
    """A connection in which the views of the game in folder `root` can be read, nothing else."""
    import duckdb

    with duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"}) as connection:
        folder = str(root.resolve()).replace("'", "''")
        connection.execute(f"set file_search_path = '{folder}'").fetchall()
        for path in view_files().values():
            connection.execute(path.read_text(encoding="utf-8")).fetchall()
        yield connection


def query(root: Path, statement: str) -> pl.DataFrame:
    """The rows of a statement over the views. Errors: what DuckDB says about it, on one line."""
    import duckdb

    with ghost_views(root) as connection:
        try:
            return connection.sql(statement).pl()
        except duckdb.Error as error:
            raise InputError(f"sql: {error}") from error
