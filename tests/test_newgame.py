"""New games: template, start tables, demo; nothing is left behind when something is wrong."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from flows import newgame, store
from flows.game import read_game
from transforms.errors import InputError


@pytest.fixture
def template(tmp_path: Path) -> Path:
    root = tmp_path / "mein Spiel"
    newgame.write_template(root)
    return root


def everything(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != ".lock"
    }


def test_a_template_becomes_a_game_in_two_steps(template: Path) -> None:
    founded = newgame.new_game(template, template / "start")
    assert founded.game.id == "mein-Spiel"
    assert founded.game.name == "mein Spiel"
    assert founded.rows["hexes"] == 432
    assert store.turns(template) == [0]
    assert (template / "orders" / "1").is_dir()
    assert founded.commitment == read_game(template).turn(1).dice.commitment


def test_the_first_atlas_is_the_first_sight_and_what_was_known(template: Path) -> None:
    newgame.new_game(template, template / "start")
    tables = store.read_turn(template, 0)
    pairs = ["realm_id", "hex_id"]
    assert tables["sight"].join(tables["atlas"], on=pairs, how="anti").is_empty()
    known = pl.read_csv(template / "start" / "atlas.csv").height
    assert known <= tables["atlas"].height <= known + tables["sight"].height
    assert set(tables["atlas"]["first_seen"]) == {0}


def test_without_an_atlas_it_is_exactly_the_sight(template: Path) -> None:
    (template / "start" / "atlas.csv").unlink()
    newgame.new_game(template, template / "start")
    tables = store.read_turn(template, 0)
    assert tables["atlas"].select("realm_id", "hex_id").equals(tables["sight"])


def test_each_new_game_has_its_own_seed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        newgame.write_template(tmp_path / name)
    assert read_game(tmp_path / "a").seed != read_game(tmp_path / "b").seed


def test_a_template_overwrites_nothing(template: Path) -> None:
    before = everything(template)
    with pytest.raises(InputError, match=r"game\.toml: is there already"):
        newgame.write_template(template)
    assert everything(template) == before


def test_a_game_that_has_begun_is_not_founded_again(template: Path) -> None:
    newgame.new_game(template, template / "start")
    before = everything(template)
    with pytest.raises(InputError, match="the game has begun already"):
        newgame.new_game(template, template / "start")
    assert everything(template) == before


def test_a_mistake_leaves_the_folder_as_it_was(template: Path) -> None:
    units = template / "start" / "units.csv"
    units.write_text(units.read_text(encoding="utf-8").replace("Krieger", "Kriger", 1), "utf-8")
    before = everything(template)
    with pytest.raises(InputError, match=r"units\.csv: row 2: unknown unit_type 'Kriger'"):
        newgame.new_game(template, template / "start")
    assert everything(template) == before


def test_a_mistake_leaves_no_settings_behind(tmp_path: Path, template: Path) -> None:
    (template / "start" / "realms.csv").unlink()
    with pytest.raises(InputError, match=r"realms\.csv is missing"):
        newgame.new_game(tmp_path / "neu", template / "start")
    assert everything(tmp_path / "neu") == {}


def test_an_unknown_start_table_is_named(template: Path) -> None:
    shutil.copy(template / "start" / "units.csv", template / "start" / "unit.csv")
    with pytest.raises(InputError, match=r"'unit\.csv' \(did you mean 'units\.csv'\?\)"):
        newgame.new_game(template, template / "start")


def test_tables_saved_by_a_german_excel_are_read(template: Path) -> None:
    for path in (template / "start").iterdir():
        text = path.read_text(encoding="utf-8-sig").replace("\n", "\r\n")
        path.write_bytes(text.encode("cp1252"))
    assert newgame.new_game(template, template / "start").rows["units"] == 60


def test_equal_start_tables_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        newgame.demo(tmp_path / name)
    assert everything(tmp_path / "a") == everything(tmp_path / "b")


def test_the_demo_leaves_alone_what_is_there(tmp_path: Path) -> None:
    assert newgame.demo(tmp_path) is not None
    orders = tmp_path / "orders" / "1" / "NOR_SPZ.txt"
    orders.write_text("# nichts\n", encoding="utf-8")
    assert newgame.demo(tmp_path) is None
    assert orders.read_text(encoding="utf-8") == "# nichts\n"


def test_the_demo_does_not_go_into_another_game(template: Path) -> None:
    with pytest.raises(InputError, match="holds another game"):
        newgame.demo(template)


def test_a_german_excel_opens_the_template_and_nothing_changes(template: Path) -> None:
    shipped = newgame.read_start_tables(newgame._demo_folder() / "start")
    written = newgame.read_start_tables(template / "start")
    assert written.keys() == shipped.keys()
    for name, cells in shipped.items():
        path = template / "start" / f"{name}.csv"
        assert path.read_bytes().startswith(b"\xef\xbb\xbf"), name
        assert "," not in path.read_text(encoding="utf-8-sig").partition("\n")[0], name
        assert written[name].equals(cells), name
