"""A folder of tables → many Diplomacy phases at once → a folder of tables (docs/ghost.md)."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from flows import csvs, store
from transforms import schema
from transforms.diplomacy.adjudicate import Tables, adjudicate
from transforms.diplomacy.board import Board, place_key
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.rulings import Rulings, make_rulings
from transforms.errors import InputError, unknown

INPUTS = ["phases", "units", "centres", "dislodged", "contested", "orders"]
_NOT_READ = {"dislodged": ["retreated_to", "options"]}


def run_batch(folder: Path, out: Path, board: Board, rulings: Rulings) -> Tables:
    """Adjudicate the batch in `folder` and write every table of it to `out`."""
    results = play(board, rulings, read_batch(folder, board))
    for name, table in results.items():
        path = out / f"{name}.parquet"
        path.unlink(missing_ok=True)
        store.write_table(path, table)
    return results


def play(board: Board, rulings: Rulings, tables: Tables) -> Tables:
    """Read the order texts of a batch and adjudicate it."""
    position = {name: tables[name] for name in INPUTS if name != "orders"}
    orders = read_texts(board, rulings, tables)
    return adjudicate(board, rulings, orders=orders, **position)


def read_texts(board: Board, rulings: Rulings, tables: Tables) -> pl.DataFrame:
    """The order texts of a batch as orders; whoever plays a batch sees all units."""
    seen = tables["units"].join(board.nations.select(viewer="nation"), how="cross")
    position = {name: tables[name] for name in ("phases", "units", "dislodged", "centres")}
    return read_orders(board, lines=tables["orders"], seen=seen, rulings=rulings, **position)


def read_batch(folder: Path, board: Board) -> Tables:
    """The tables `INPUTS` of a folder, CSV or Parquet; one that is missing has no rows.

    Errors: no phases, a file that is no table of a batch, a table in both forms, a broken row, a
    phase, a province or a nation that does not exist, a unit where it cannot stand.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    for path in sorted(folder.iterdir()):
        if path.suffix in (".csv", ".parquet") and path.stem not in INPUTS:
            raise unknown(str(folder), "table", path.stem, INPUTS)
    tables = {name: _read(folder, name) for name in INPUTS}
    if tables["phases"].is_empty():
        raise InputError(f"{folder}: the table phases is missing or empty")
    _check(folder, tables, board)
    return tables


def _read(folder: Path, name: str) -> pl.DataFrame:
    table = f"ghost.batch.{'waiting' if name == 'dislodged' else name}"
    path, ignore = csvs.either_form(folder, name), _NOT_READ.get(name, [])
    if path is None:
        return schema.empty(table)
    read = csvs.read_table if path.suffix == ".csv" else store.read_foreign
    return read(path, table, ignore)


def _check(folder: Path, tables: Tables, board: Board) -> None:
    known = {
        "phase_id": tables["phases"]["phase_id"],
        "province": board.provinces["province"],
        "attacker_from": board.provinces["province"],
        "nation": board.nations["nation"],
    }
    for name, table in tables.items():
        for column in known.keys() & set(table.columns):
            values = table[column].drop_nulls()
            strange = values.filter(~values.is_in(known[column].implode()))
            if len(strange):
                allowed = map(str, known[column].head(80))
                raise unknown(f"{folder}, {name}", column, str(strange[0]), allowed)
    standing = board.steps.select("unit_type", "province", "coast").unique()
    for name in ("units", "dislodged"):
        lost = tables[name].join(standing, on=standing.columns, how="anti", nulls_equal=True)
        if lost.height:
            row = lost.row(0, named=True)
            place = place_key(row["province"], row["coast"])
            raise InputError(
                f"{folder}, {name}: phase {row['phase_id']}: {row['unit_type']} {place}: "
                "no unit of this type can stand there (fleets need a coast where there are two)"
            )


def rulings_of(settings: Iterable[str]) -> Rulings:
    """Rulings from `rulings.key=value`, as the option --set gives them."""
    given: dict[str, Any] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip().startswith("rulings."):
            raise InputError(f"--set {setting}: the form is rulings.key=value")
        given[key.strip().removeprefix("rulings.")] = _value(value.strip())
    return make_rulings(given, "--set rulings")


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
