"""Real games, replayed phase by phase: every position of the record follows from the one before."""

import json

import polars as pl
import pytest

from flows.ghost_batch import play, read_texts
from flows.ghost_map import read_board
from tests.conftest import SHARED
from tests.diplomacy import dippy_atari
from tests.diplomacy.datc import Tables, full, places
from tests.diplomacy.games import Recorded, recorded, tables_of, with_aftermath
from transforms.diplomacy.names import EXACT, name_table
from transforms.diplomacy.notation import parse
from transforms.diplomacy.rulings import Rulings

BESIDE = SHARED / "cases" / "diplomacy_games"
RECORDED = recorded(BESIDE.glob("cicero_*.json"))
ATARI = BESIDE / "de_dippy_atari_raw.json"
BOARD = read_board("standard")
OLDER_RULE = {("cicero_448105", "W1908A")}  # removals there count to home centres

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not BESIDE.is_dir(), reason="the games do not lie beside the project"),
]


@pytest.fixture(scope="module")
def replay() -> Tables:
    rulings = Rulings(adjacent_convoy="via_only")
    tables = tables_of(BOARD, RECORDED)
    return play(BOARD, rulings, with_aftermath(tables, play(BOARD, rulings, tables)))


@pytest.mark.parametrize(
    "number", range(len(RECORDED)), ids=[f"{r.game}-{r.name}" for r in RECORDED]
)
def test_phase_of_a_game(replay: Tables, number: int) -> None:
    record = RECORDED[number]
    if (record.game, record.name) in OLDER_RULE:
        pytest.skip("the record follows an older rule of civil disorder")
    following = record.following
    expected = {n: sorted(units) for n, units in following["units"].items() if units}
    assert places(replay, number) == expected
    assert replay["rejected"].filter(phase_id=number).is_empty()
    if not following["name"].endswith("R") and "centers" in following:
        owned = replay["centres"].filter(phase_id=number).drop_nulls()
        owners = {n: sorted(p) for n, p in owned.group_by("nation").agg("province").iter_rows()}
        assert owners == {n: sorted(p) for n, p in following["centers"].items() if p}
    if record.name.endswith("M"):
        assert options(replay, number) == waiting(record)


def options(replay: Tables, number: int) -> dict[tuple[str, str], list[str]]:
    """(nation, province) → where the unit may go."""
    rows = replay["dislodged"].filter(phase_id=number)
    return {
        (nation, province): sorted(places)
        for nation, province, places in rows.select("nation", "province", "options").iter_rows()
    }


def waiting(record: Recorded) -> dict[tuple[str, str], list[str]]:
    """The same as the record has it; it skips retreats when nobody has anywhere to go."""
    return {
        (nation, unit.split()[1].partition("/")[0]): sorted(places)
        for nation, units in record.following.get("dislodged", {}).items()
        for unit, places in units.items()
    }


def test_german_cells_are_read() -> None:
    """Of the 543 order cells of a game that was refereed by hand, at least 500 are orders."""
    lines = dippy_atari.lines_of(json.loads(ATARI.read_text(encoding="utf-8")))
    cells = sum(len(line.cells) for line in lines)
    assert cells == 543
    orders = read(lines)
    understood = orders.filter(pl.col("kind").is_not_null())
    assert understood["cells"].sum() >= 500
    impossible = orders.filter((pl.col("status") == "rejected") & (pl.col("step") != "adjustment"))
    assert impossible["text"].to_list() == [  # docs/ghost.md
        "A Lon-ENG",
        "F Lvp-Edi",
        "F SpN S A Pie-Mar",
        "F MAO-Spa",
        "F LYO-SpN",
    ]


def read(lines: list[dippy_atari.Line]) -> pl.DataFrame:
    """The lines as orders of the units that they name, wherever these came from."""
    numbers = {name: n for n, name in enumerate(dict.fromkeys(line.phase for line in lines))}
    table = pl.DataFrame(
        [
            {
                "phase_id": numbers[line.phase],
                "line": n,
                "step": line.step,
                "nation": line.nation,
                "text": line.text,
                "cells": len(line.cells),
            }
            for n, line in enumerate(lines, start=1)
        ]
    )
    parts = pl.concat([table, parse(BOARD, table["text"])], how="horizontal")
    meant = parts.join(name_table(BOARD), left_on="place", right_on="word", suffix="_named")
    exact = meant.sort("line", pl.col("rank") != EXACT).unique("line", maintain_order=True)
    fleet = (pl.col("letter") == "f") | (pl.col("place_kind") == "sea")
    units = exact.filter(pl.col("kind") != "build").select(
        "phase_id",
        "nation",
        "province",
        unit_type=pl.when(fleet).then(pl.lit("F")).otherwise(pl.lit("A")),
        coast=pl.when(fleet).then("coast_named"),
    )
    units = units.unique(["phase_id", "province"], maintain_order=True)
    phases = pl.DataFrame(
        {
            "phase_id": list(numbers.values()),
            "step": ["adjustment" if n.startswith("Winter") else "movement" for n in numbers],
            "season": "spring",
        }
    )
    tables = full({"phases": phases, "units": units, "orders": table.drop("cells")})
    orders = read_texts(BOARD, Rulings(), tables)
    return orders.join(
        tables["orders"].select("line").with_columns(cells=table["cells"]), on="line"
    )
