"""A step tried with other input: rows by key, or a whole table; the game stays as it is."""

from functools import partial
from pathlib import Path

import polars as pl
import pytest

from flows.edits import edited_by, replaced_by
from flows.game import read_game
from flows.rerun import rerun
from flows.store import read_turn
from flows.turn import TurnRunner
from tests.conftest import digests
from transforms.errors import InputError


def units(game: Path) -> pl.DataFrame:
    return read_turn(game, 0, ["units"])["units"]


def edited(game: Path, path: Path) -> pl.DataFrame:
    tables = read_turn(game, 0, ["units", "realms"])
    return edited_by(path, tables["units"], tables["realms"])


def csv(folder: Path, text: str) -> Path:
    path = folder / "units.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_changes_only_in_its_named_columns(game: Path, tmp_path: Path) -> None:
    before = units(game)
    after = edited(game, csv(tmp_path, "unit_id,troops\n1,77\n"))
    assert after.filter(unit_id=1)["troops"].item() == 77
    assert after.drop("troops").equals(before.drop("troops"))
    assert after.filter(pl.col("unit_id") != 1).equals(before.filter(pl.col("unit_id") != 1))


def test_a_unit_is_named_as_in_corrections(game: Path, tmp_path: Path) -> None:
    by_id = edited(game, csv(tmp_path, "unit_id,troops\n1,77\n"))
    for text in ("unit,troops\n112@ALT,77\n", "realm;number;troops\nalt;112;77\n"):
        assert edited(game, csv(tmp_path, text)).equals(by_id)


def test_empty_cells_are_null_only_where_null_is_allowed(game: Path, tmp_path: Path) -> None:
    path = csv(tmp_path, "unit_id;troops;hex_id;captor_id\n1;;;2\n")
    row = edited(game, path).filter(unit_id=1).row(0, named=True)
    assert (row["troops"], row["hex_id"], row["captor_id"]) == (1800, None, 2)


def test_rows_come_and_go(game: Path, tmp_path: Path) -> None:
    text = "unit_id,delete,realm_id,number,unit_type,troops,hex_id,last_ashore\n"
    path = csv(tmp_path, text + "1,ja,,,,,,\n9,,1,7,Krieger,5,20714,1\n")
    assert edited(game, path)["unit_id"].to_list() == [2, 3, 4, 9]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("troops\n1\n", "column 'unit_id' is missing"),
        ("unit_id,troops\n1,viele\n", "row 2, column 'troops': 'viele'"),
        ("unit_id,troop\n1,2\n", "did you mean 'troops'"),
        ("unit_id,troops\n1,2\n1,3\n", "its own key"),
        ("unit,troops\n119@ALT,2\n", "units.csv: row 2, column unit: there is no unit 119@ALT"),
        ("unit_id,delete\n8,true\n", "no row to delete"),
        ("unit_id,troops\n8,2\n", "column 'realm_id' is missing"),
        ("unit_id,troops\n1,-2\n", "broken by 1 row"),
    ],
)
def test_what_is_refused(game: Path, tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        edited(game, csv(tmp_path, text))


def test_a_whole_table(game: Path, tmp_path: Path) -> None:
    table = units(game).head(2)
    table.write_csv(tmp_path / "units.csv")
    table.write_parquet(tmp_path / "units.parquet")
    for name in ("units.csv", "units.parquet"):
        assert replaced_by(tmp_path / name, units(game)).equals(table)


def test_a_step_with_other_input_leaves_the_game_alone(game: Path, tmp_path: Path) -> None:
    TurnRunner(read_game(game)).turn()
    before = digests(game)
    path = csv(tmp_path, "unit_id,troops\n3,1\n")
    edit = partial(edited_by, path, realms=read_turn(game, 1, ["realms"])["realms"])
    again = rerun(read_game(game), 1, "combat", {"units": edit})
    lost = again.differences()["battle_units"].filter(unit_id=3)
    assert lost["troops_before"].to_list() == [1000, 1]
    assert digests(game) == before


def test_a_table_that_the_step_does_not_read(game: Path, tmp_path: Path) -> None:
    TurnRunner(read_game(game)).turn()
    with pytest.raises(InputError, match="unknown input table 'draws'"):
        rerun(read_game(game), 1, "combat", {"draws": lambda table: table})
