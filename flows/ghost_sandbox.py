"""Plans on the position of one's own Excel file, as it was sent or as somebody has changed it.

Nothing of a game is read: what the sheet says is the whole world.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from flows.ghost_map import read_board
from transforms import schema
from transforms.diplomacy import steps
from transforms.diplomacy.board import Board
from transforms.diplomacy.general import general_text
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.plans import plan_text
from transforms.diplomacy.position import check_units
from transforms.diplomacy.rules import GhostRules
from transforms.diplomacy.rulings import Rulings
from transforms.diplomacy.texts import SHEET_COLUMNS, SHEETS
from transforms.diplomacy.words import nation_of, province_of
from transforms.errors import InputError

_NATION_PREFIX = re.compile(r"^\s*([^\s:]+)\s*:\s*(.*)$")


@dataclass(frozen=True)
class Sheet:
    """The position on a sheet: units and centres of everybody it names, provinces in view."""

    units: pl.DataFrame
    centres: pl.DataFrame
    view: frozenset[str]


@dataclass(frozen=True)
class Plan:
    """What became of a plan: its text, the position before, the tables after."""

    name: str
    text: str
    before: Sheet
    tables: Mapping[str, pl.DataFrame]
    rules: GhostRules


def read_sheet(path: Path, board: Board) -> Sheet:
    """The two sheets of an .xlsx. Errors: file, sheet and row, what was found, what is allowed."""
    rows = _rows(path)
    units: dict[str, dict[str, Any]] = {}
    view = set()
    for where, row in rows[SHEETS["provinces"]]:
        view.add(province_of(board, row["Gebiet"], where))
        if row["Typ"]:
            _place(units, where, row, nation_of(board, row["Nation"], where), board)
    owners = {u["nation"] for u in units.values() if u["own"]}
    own = owners.pop() if len(owners) == 1 else None
    centres = []
    for where, row in rows[SHEETS["own"]]:
        if own is None:
            raise InputError(f"{where}: no or several own nations in {SHEETS['provinces']}")
        if row["Art"] == SHEETS["centre"]:
            centres.append({"province": province_of(board, row["Gebiet"], where), "nation": own})
        elif row["Typ"]:
            _place(units, where, row, own, board)
    frame = pl.DataFrame(
        [{"unit_id": i, **u} for i, u in enumerate(units.values(), start=1)],
        schema={"unit_id": pl.UInt32, **_UNIT},
    )
    units_table = schema.shaped("ghost.units", frame.drop("own"), str(path))
    check_units(units_table, board, str(path))
    held = pl.DataFrame(centres, schema={"province": pl.String, "nation": pl.String}).unique()
    return Sheet(units_table, schema.shaped("ghost.centres", held), frozenset(view))


_UNIT = {
    "nation": pl.String,
    "unit_type": pl.String,
    "province": pl.String,
    "coast": pl.String,
    "own": pl.Boolean,
}


def _place(
    units: dict[str, dict[str, Any]], where: str, row: Mapping[str, str], nation: str, board: Board
) -> None:
    province = province_of(board, row["Gebiet"], where)
    unit = {
        "nation": nation,
        "unit_type": row["Typ"].upper(),
        "province": province,
        "coast": row["Küste"].upper() or None,
        "own": row.get("Status") == "eigene Einheit",
    }
    before = units.setdefault(province, unit)
    if {**before, "own": None} != {**unit, "own": None}:
        raise InputError(f"{where}: another unit stands in {row['Gebiet']} already")


def _rows(path: Path) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """Sheet → its rows with their place; cells as stripped text, empty where there is none."""
    from openpyxl import load_workbook  # here, since only this command needs it

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:
        raise InputError(f"{path}: not a readable Excel file: {error}") from error
    found = {}
    for key, columns in SHEET_COLUMNS.items():
        name = SHEETS[key]
        if name not in book.sheetnames:
            raise InputError(f"{path}: sheet {name} is missing; there are: {book.sheetnames}")
        found[name] = list(_sheet_rows(f"{path}, {name}", book[name].values, columns))
    book.close()
    return found


def _sheet_rows(
    where: str, values: Iterator[tuple[Any, ...]], columns: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, str]]]:
    texts = [["" if cell is None else str(cell).strip() for cell in row] for row in values]
    header = texts[0] if texts else []
    if missing := [column for column in columns if column not in header]:
        raise InputError(f"{where}: row 1: column {missing[0]!r} is missing")
    for number, row in enumerate(texts[1:], start=2):
        if any(row):
            yield f"{where}: row {number}", dict(zip(header, row, strict=False))


def plan(path: Path, orders: str, *, map_name: str, season: str, rulings: Rulings) -> Plan:
    """What a list of orders would do on the position of a sheet.

    Every line is given by the nation whose unit it orders; `GB: …` says whose it is.
    """
    board = read_board(map_name)
    rules = GhostRules(board, rulings)
    sheet = read_sheet(path, board)
    phase = Phase(1, 1, season, "movement")  # type: ignore[arg-type]
    read = _read_plan(orders, sheet, rules, phase)
    empty = {n: schema.empty(f"ghost.{n}") for n in ("dislodged", "contested", "waiting")}
    every = board.provinces.filter("centre").select("province")
    centres = schema.shaped("ghost.centres", every.join(sheet.centres, on="province", how="left"))
    tables = steps.adjudication(
        orders=read, units=sheet.units, centres=centres, **empty, rules=rules, turn=phase
    )
    battles = general_text(
        battles=tables["battles"],
        battle_nations=tables["battle_nations"],
        names=rules.names,
        game=path.name,
        phase=phase,
    )
    text = plan_text(tables, names=rules.names, battles=battles.partition("\n\n")[2])
    return Plan(path.name, text, sheet, tables, rules)


def _read_plan(text: str, sheet: Sheet, rules: GhostRules, phase: Phase) -> pl.DataFrame:
    """The orders table: each line as the nation reads it that it makes sense for."""
    nations = sheet.units["nation"].unique().sort().to_list()
    files = []
    for nation in nations:
        lines = [_line_for(nation, line, rules.board) for line in text.splitlines()]
        files.append({"nation": nation, "file": "plan", "state": "used", "text": "\n".join(lines)})
    table = schema.shaped(
        "ghost.order_files", pl.DataFrame(files, schema=schema.schema_of("ghost.order_files"))
    )
    seen = pl.concat(
        [
            sheet.units.select(
                viewer=pl.lit(nation),
                province="province",
                status=pl.lit("foreign"),
                nation="nation",
                unit_type="unit_type",
                coast="coast",
                rule=pl.lit(1),
            )
            for nation in nations
        ]
    )
    read = steps.orders(
        order_files=table,
        units=sheet.units,
        centres=sheet.centres,
        dislodged=schema.empty("ghost.dislodged"),
        knowledge=schema.shaped("ghost.knowledge", seen),
        rules=rules,
        turn=phase,
    )["orders"]
    understood = pl.col("status") != "rejected"
    standing = sheet.units.select("nation", "province", mine=pl.lit(True))
    best = (understood.cast(pl.UInt8) * 2 + pl.col("mine").fill_null(False)).alias("best")
    kept = (
        read.join(standing, on=["nation", "province"], how="left")
        .with_columns(best)
        .sort("line", "best", "nation", descending=[False, True, False])
        .unique("line", keep="first", maintain_order=True)
    )
    return schema.shaped("ghost.orders", kept.drop("mine", "best"))


def _line_for(nation: str, line: str, board: Board) -> str:
    """The line without `GB:`, or a comment where it is another nation's."""
    match = _NATION_PREFIX.match(line)
    if match is None:
        return line
    whose = nation_of(board, match[1], f"plan: {line.strip()}")
    return match[2] if whose == nation else "#"
