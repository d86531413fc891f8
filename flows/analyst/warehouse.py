"""The history of one game, or of a folder of games, as a DuckDB database of views and macros.

Layers, each only on top of those before it:

    history, map    one view per stored table, generated from the registry: Parquet, no copy
    games, rules    small tables: settings and rule tables, with a column for the game
    sql/            macros, views with readable names, table macros

Everything from outside enters as a value, never as SQL; see stored.py for the paths.
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import duckdb
import polars as pl

from flows import store
from flows.analyst.comments import comment, literal
from flows.analyst.output import checked_target
from flows.analyst.sources import TURN_TABLES, Source, StoredObjects, sources
from flows.analyst.stored import Shelf
from flows.place import is_url
from flows.shipped import shipped
from transforms import schema
from transforms.errors import InputError

CATALOG = "catalog.duckdb"
STORAGE_VERSION = "v1.4.0"  # what the command line of DuckDB 1.5 still opens
SQL_LAYERS = ("macros/plain", "base", "views", "macros/history")
_Config = dict[str, str | bool | int | float | list[str]]
_OFFLINE: _Config = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
_CLOSED: _Config = {"python_enable_replacements": "false", "allow_persistent_secrets": "false"}


def open_history(place: str | Path) -> duckdb.DuckDBPyConnection:
    """A connection in memory with every view and macro over the games at a place.

    Its configuration is locked: no query reaches an extension or a variable of Python.
    """
    found, objects = sources(place)
    connection = _connected(_OFFLINE | _CLOSED, objects)
    _build(connection, Shelf(found), max(source.last_turn for source in found))
    connection.execute("SET lock_configuration = true")
    return connection


def write_catalog(place: str | Path, target: Path | None = None, *, relative: bool = False) -> Path:
    """A database file with every view and macro, for other tools; the history is not copied.

    With `relative` the views hold paths that start at the folder of the file, so that both may
    move together; a tool must then run in that folder, or set `file_search_path`. Those of an
    object store hold its URL; a tool reads them with an extension of its own.
    """
    found, objects = sources(place)
    if target is None and is_url(place):
        raise InputError(f"{place}: a catalog is a file here, choose its name with -o")
    target = checked_target(target or Path(place) / CATALOG)
    new = target.with_name(target.name + ".new")
    new.unlink(missing_ok=True)
    connection = _connected(_OFFLINE, objects)
    try:
        connection.execute(
            f"ATTACH {literal(str(new))} AS catalog (STORAGE_VERSION {literal(STORAGE_VERSION)})"
        )
        connection.execute("USE catalog")
        if relative:
            connection.execute("SET file_search_path = ?", [str(target.parent)])
        _build(connection, Shelf(found, target.parent if relative else None))
        connection.execute("USE memory")
        connection.execute("DETACH catalog")
        new.replace(target)
    except duckdb.Error as error:  # of its own limits with paths: ? anywhere, a comma if relative
        raise InputError(f"{target}: {error}") from error
    finally:
        connection.close()
        new.unlink(missing_ok=True)
    return target


def _connected(config: _Config, objects: StoredObjects | None) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config=config)
    if objects is not None:
        connection.register_filesystem(objects)
    return connection


def shipped_sql(folder: str) -> Iterator[tuple[str, str]]:
    """Name and text of every SQL file in a folder of sql/, sorted by name."""
    for path in sorted(shipped("sql", *folder.split("/")).glob("*.sql")):
        yield path.stem, path.read_text(encoding="utf-8")


def _build(
    connection: duckdb.DuckDBPyConnection, shelf: Shelf, last_turn: int | None = None
) -> None:
    """Create everything; with `last_turn` the macro of that name is a constant."""
    files = [text for layer in SQL_LAYERS for _, text in shipped_sql(layer)]
    connection.execute("BEGIN")
    for name in ("history", "map", "rules"):
        connection.execute(f"CREATE SCHEMA {name}")
    for table in (*TURN_TABLES, *store.MAP_TABLES):
        connection.execute(shelf.view(table))
    _write_games(connection, shelf.found)
    _write_rules(connection, shelf.found)
    for text in files:
        connection.execute(text)
    if last_turn is not None:
        connection.execute(f"CREATE OR REPLACE MACRO last_turn() AS {last_turn}")
    comment(connection, files)
    connection.execute("COMMIT")


def _write_games(connection: duckdb.DuckDBPyConnection, found: list[Source]) -> None:
    """The table games; the secret seed stays where it is."""
    connection.execute(
        "CREATE TABLE games (game VARCHAR PRIMARY KEY, game_id VARCHAR, name VARCHAR, "
        "ruleset VARCHAR, start_date INTEGER, months VARCHAR[])"
    )
    for source in found:
        game, rules = source.game, source.game.rules
        months = rules.calendar["name"].to_list()
        row = [source.name, game.id, game.name, rules.name, game.turn(0).today, months]
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)", row)


def _write_rules(connection: duckdb.DuckDBPyConnection, found: list[Source]) -> None:
    """The rule tables of all games, and their switches and constants as rules.settings."""
    tables = {name: [getattr(s.game.rules, name) for s in found] for name in schema.RULES}
    tables["settings"] = [_settings(source) for source in found]
    for name, frames in tables.items():
        labelled = [
            frame.select(pl.lit(source.name).alias("game"), pl.all())
            for source, frame in zip(found, frames, strict=True)
        ]
        connection.register("incoming", pl.concat(labelled).to_arrow())
        connection.execute(f"CREATE TABLE rules.{name} AS SELECT * FROM incoming")
        connection.unregister("incoming")


def _settings(source: Source) -> pl.DataFrame:
    values = asdict(source.game.rules.switches) | asdict(source.game.rules.constants)
    return pl.DataFrame({"name": list(values), "value": [str(v) for v in values.values()]})
