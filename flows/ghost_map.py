"""Reads a Diplomacy map, data/diplomacy/<map>/*.csv, with strict checks."""

from pathlib import Path

from flows.csvs import read_table
from flows.shipped import shipped
from transforms.diplomacy.board import Board, make_board
from transforms.errors import InputError, unknown
from transforms.schema.ghost_tables import MAP


def read_board(name: str, where: str = "--map") -> Board:
    """The shipped map `name`; `where` says who asked for it, in case there is none."""
    maps = {path.name: path for path in shipped("data", "diplomacy").iterdir() if path.is_dir()}
    if name not in maps:
        raise unknown(where, "map", name, sorted(maps))
    return read_board_from(maps[name])


def read_board_from(folder: Path) -> Board:
    """The map in `folder`. Errors: a file that is missing, a table that is broken."""
    files = {f"{table.removeprefix('ghost.')}.csv": table for table in MAP}
    tables = {}
    for file, table in files.items():
        if not (folder / file).is_file():
            raise InputError(f"{folder}: {file} is missing")
        tables[table] = read_table(folder / file, table)
    return make_board(folder.name, tables, where=str(folder))
