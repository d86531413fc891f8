"""A position: where a game starts, and what no position may contradict."""

import polars as pl

from transforms import schema
from transforms.diplomacy.board import Board
from transforms.diplomacy.phases import Phase
from transforms.errors import InputError, unknown

_PER_TURN = 1000  # unit_id = turn · 1000 + 1, 2 …, so that no id ever comes back


def start_position(board: Board) -> dict[str, pl.DataFrame]:
    """The tables `units` and `centres` of a new game: home centres belong to their nation."""
    units = board.start.with_columns(unit_id=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32))
    centres = board.provinces.filter("centre").select("province", nation="home_of")
    return {
        "units": schema.shaped("ghost.units", units),
        "centres": schema.shaped("ghost.centres", centres),
    }


def completed(
    units: pl.DataFrame, centres: pl.DataFrame, board: Board, where: str
) -> dict[str, pl.DataFrame]:
    """A start position of unknown origin: checked, missing unit_ids and centres filled in.

    Errors: names that do not exist, a unit where it cannot stand, two units in one province.
    """
    if "unit_id" not in units.columns:
        units = units.sort("province").with_row_index("unit_id", offset=1)
    units = schema.conform("ghost.units", units, f"{where}/units")
    check_units(units, board, f"{where}/units")
    if units["unit_id"].is_duplicated().any():
        raise InputError(f"{where}/units: a unit_id stands there twice")
    centres = schema.conform("ghost.centres", centres, f"{where}/centres")
    _check_names(centres, "nation", board.nations["nation"], f"{where}/centres")
    every = board.provinces.filter("centre").select("province")
    _check_names(centres, "province", every["province"], f"{where}/centres")
    centres = every.join(centres, on="province", how="left")
    return {"units": units, "centres": schema.shaped("ghost.centres", centres)}


def check_units(units: pl.DataFrame, board: Board, where: str) -> None:
    """Errors: a nation that does not exist, a unit where it cannot stand, two in one province."""
    _check_names(units, "nation", board.nations["nation"], where)
    _check_names(units, "province", board.provinces["province"], where)
    place = ["unit_type", "province", "coast"]
    standing = board.steps.select(place).unique()
    lost = units.join(standing, on=place, how="anti", nulls_equal=True, maintain_order="left")
    crowded = units.filter(pl.col("province").is_duplicated())
    for rows, what in ((lost, "cannot stand there"), (crowded, "does not stand there alone")):
        if rows.height:
            unit = rows.row(0, named=True)
            place_text = "/".join(filter(None, (unit["province"], unit["coast"])))
            raise InputError(f"{where}: {unit['nation']} {unit['unit_type']} {place_text} {what}")


def with_new_ids(units: pl.DataFrame, before: pl.DataFrame, phase: Phase) -> pl.DataFrame:
    """The table `units`: rows without a unit_id get new ones, in the order of their provinces."""
    given = [*before["unit_id"], *units["unit_id"].drop_nulls(), phase.turn * _PER_TURN]
    first = max(given) + 1
    new = pl.col("unit_id").is_null()
    ids = first + new.cum_sum() - 1
    numbered = units.sort("province").with_columns(
        unit_id=pl.when(new).then(ids.cast(pl.UInt32)).otherwise("unit_id")
    )
    return schema.shaped("ghost.units", numbered)


def _check_names(frame: pl.DataFrame, column: str, allowed: pl.Series, where: str) -> None:
    named = frame[column].drop_nulls()
    strange = named.filter(~named.is_in(allowed.to_list()))
    if len(strange):
        raise unknown(where, column, strange[0], allowed)
