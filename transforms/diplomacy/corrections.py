"""The game master's hand: rows of gm/units.csv and gm/centres.csv change the position, logged."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from transforms import schema
from transforms.cells import BOOLEANS, CorrectionFile
from transforms.diplomacy.board import Board
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.position import check_units, with_new_ids
from transforms.diplomacy.rules import GhostRules
from transforms.diplomacy.words import nation_of, province_of
from transforms.errors import InputError, unknown
from transforms.schema.ghost_tables import COASTS, UNIT_TYPES

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "units": ("province", "nation", "unit_type", "coast", "delete", "reason"),
    "centres": ("province", "nation", "reason"),
}


def apply(
    *,
    edits: pl.DataFrame,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    rules: GhostRules,
    turn: Phase,
) -> dict[str, pl.DataFrame]:
    """units, centres → the same after the corrections, and the table `corrections`.

    A row of units says who stands in a province from now on (`delete`: nobody); a row of centres
    says who controls it (no nation: nobody). Names as players write them. Errors: a name that
    does not exist, a unit where it cannot stand, two rows for one province.
    """
    board = rules.board
    units_file, centres_file = (CorrectionFile(name, turn.turn) for name in COLUMNS)
    units_wanted = _rows(edits, units_file, board)
    centres_wanted = _rows(edits, centres_file, board)
    new_units = _corrected_units(units, units_wanted, board, turn, units_file)
    new_centres = _corrected_centres(centres, centres_wanted, centres_file)
    log = [
        _changes("units", units, new_units, units_wanted),
        _changes("centres", centres, new_centres, centres_wanted),
    ]
    return {
        "units": new_units,
        "centres": new_centres,
        "corrections": schema.shaped("ghost.corrections", pl.concat(log)),
    }


def _rows(edits: pl.DataFrame, file: CorrectionFile, board: Board) -> pl.DataFrame:
    """The rows of one file: row and its columns as text, with the keys of province and nation."""
    cells: dict[int, dict[str, Any]] = {}
    for _, row, column, value in edits.filter(table=file.table).iter_rows():
        if column not in COLUMNS[file.table]:
            raise unknown(file.at(1), "column", column, COLUMNS[file.table])
        cells.setdefault(row, {"row": row})[column] = value
    rows = [_named(file, row, given, board) for row, given in cells.items()]
    text = dict.fromkeys(COLUMNS[file.table], pl.String)
    frame = pl.DataFrame(rows, schema={"row": pl.UInt32, **text})
    if (twice := frame.filter(pl.col("province").is_duplicated())).height:
        raise InputError(f"{file}: {twice['province'][0]} stands there twice")
    return frame


def _named(file: CorrectionFile, number: int, row: dict[str, Any], board: Board) -> dict[str, Any]:
    if not row.get("province"):
        raise file.refused(number, "is empty; allowed: a province", "province")
    row["province"] = province_of(board, row["province"], file.at(number, "province"))
    if row.get("nation"):
        row["nation"] = nation_of(board, row["nation"], file.at(number, "nation"))
    for column, allowed in (("unit_type", UNIT_TYPES), ("coast", COASTS)):
        if row.get(column):
            row[column] = row[column].upper()
            if row[column] not in allowed:
                raise unknown(file.at(number, column), "value", row[column], allowed)
    if (delete := row.get("delete")) and delete.lower() not in BOOLEANS:
        raise file.refused(number, f"{delete!r}; allowed: true, false or nothing", "delete")
    return row


def _corrected_units(
    units: pl.DataFrame, wanted: pl.DataFrame, board: Board, turn: Phase, file: CorrectionFile
) -> pl.DataFrame:
    """Rows replace the unit of their province, which keeps its id while its nation stays."""
    if wanted.is_empty():
        return units
    delete = pl.col("delete").str.to_lowercase()
    gone = delete.replace_strict(BOOLEANS, return_dtype=pl.Boolean).fill_null(False)
    placed = wanted.filter(~gone)
    if (bare := placed.filter(pl.any_horizontal(pl.col("nation", "unit_type").is_null()))).height:
        raise file.refused(bare["row"][0], "nation and unit_type are needed")
    known = units.select("province", "nation", "unit_id")
    new = placed.join(known, on=["province", "nation"], how="left").select(units.columns)
    kept = units.join(wanted, on="province", how="anti")
    typed = schema.shaped(
        "ghost.units", new.with_columns(pl.col("unit_id").fill_null(0)), str(file)
    )
    typed = typed.with_columns(pl.col("unit_id").replace(0, None))
    changed = with_new_ids(pl.concat([kept, typed]), units, turn)
    check_units(changed, board, str(file))
    return changed


def _corrected_centres(
    centres: pl.DataFrame, wanted: pl.DataFrame, file: CorrectionFile
) -> pl.DataFrame:
    if wanted.is_empty():
        return centres
    if (none := wanted.join(centres, on="province", how="anti")).height:
        what = f"{none['province'][0]} is no supply centre"
        raise file.refused(none["row"][0], what, "province")
    kept = centres.join(wanted, on="province", how="anti")
    both = pl.concat([kept, wanted.select(kept.columns)])
    return schema.shaped("ghost.centres", both)


def _changes(
    table: str, before: pl.DataFrame, after: pl.DataFrame, wanted: pl.DataFrame
) -> pl.DataFrame:
    """One row per value that is different now, with the reason of its row."""
    columns = [c for c in ("nation", "unit_type", "coast") if c in before.columns]

    def long(frame: pl.DataFrame, value: str) -> pl.DataFrame:
        texts = frame.select("province", pl.col(columns).cast(pl.String))
        return texts.unpivot(index="province", variable_name="column", value_name=value)

    return (
        long(before, "old")
        .join(long(after, "new"), on=["province", "column"], how="full", coalesce=True)
        .filter(pl.col("old").ne_missing(pl.col("new")))
        .join(wanted.select("province", "reason"), on="province", how="left")
        .select(pl.lit(table).alias("table"), "province", "column", "old", "new", "reason")
    )
