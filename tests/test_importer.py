"""The Erkenfara import: words, coordinates and numbers translated, bad rows reported by row."""

from pathlib import Path

import polars as pl
import pytest

from flows import store
from flows.game import read_game
from flows.importer import import_erkenfara
from flows.lock import locked
from flows.turn import TurnRunner
from tests.conftest import SHARED
from transforms.errors import InputError

REAL = SHARED / "real" / "erkenfara"
FILES = {
    "fields": "x,y,terrain\n0,0,Tiefland\n1,0,Wald\n0,1,Wasser\n1,1,Hochland\n5,5,Gebirge\n",
    "realms": 'realm,name,colour\nrot,Rot,"255,0,0"\nblu,Blau,"0,0,255"\n',
    "territory": "realm,x,y\nrot,0,0\nblu,5,5\n",
    "buildings": "realm,type,name,x,y\nrot,Hauptstadt,Rotburg,0,0\nblu,Stadt,Blau am See,5,5\n",
    "units": "realm,number,count,leaders,mounts,x,y\nrot,101,500,2,0,0,0\nblu,201,90,1,0,5,5\n"
    "rot,301,20,1,0,0,1\n",
    "rivers": "x1,y1,x2,y2\n0,0,1,0\n",
}


def written(folder: Path, **changed: str) -> Path:
    folder.mkdir()
    for name, text in (FILES | changed).items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder


def imported(tmp_path: Path, **changed: str) -> tuple[dict[str, pl.DataFrame], list[str]]:
    root = tmp_path / "game"
    _, defects = import_erkenfara(written(tmp_path / "files", **changed), root)
    return store.read_turn(root, 0) | store.read_map(root), defects


def test_fields_become_hexes_with_height_terrain_and_income(tmp_path: Path) -> None:
    tables, defects = imported(tmp_path)
    assert defects == []
    at = {
        (q, r): rest
        for q, r, *rest in tables["hexes"]
        .select("q", "r", "height", "terrain", "income", "realm_id")
        .iter_rows()
    }
    assert at == {  # odd rows are shifted to the left: (0, 1) is q −1, (5, 5) is q 2
        (0, 0): ["Tiefland", "Flur", 3000, 1],
        (1, 0): ["Tiefland", "Wald", 1500, None],
        (-1, 1): ["Wasser", "Flachsee", 0, None],
        (0, 1): ["Hochland", "Flur", 1500, None],
        (2, 5): ["Gebirge", "Fels", 250, 2],
    }
    assert tables["neighbours"].height == 2 * 5  # five edges between the four fields at the origin
    assert tables["rivers"].height == 1


def test_realms_units_and_places(tmp_path: Path) -> None:
    tables, _ = imported(tmp_path)
    assert tables["realms"].select("code", "name", "capital").rows() == [
        ("ROT", "Rot", "Rotburg"),
        ("BLU", "Blau", None),
    ]
    assert tables["buildings"].select("building_type", "name").rows() == [
        ("MET", "Rotburg"),
        ("STA", "Blau am See"),
    ]
    assert tables["units"].select(
        "realm_id", "number", "unit_type", "troops", "leaders"
    ).rows() == [
        (1, 101, "Krieger", 500, 2),
        (1, 301, "Schiff", 20, 1),
        (2, 201, "Reiter", 90, 1),
    ]


def test_the_atlas_is_the_sight_of_the_start(tmp_path: Path) -> None:
    tables, _ = imported(tmp_path)
    assert tables["atlas"].select("realm_id", "hex_id").equals(tables["sight"])
    assert tables["sight"].filter(realm_id=2).height == 1  # an island


BAD = [
    ("fields", "9,9,Lava\n", "fields.csv: row 7: terrain unknown; known: Wasser, Tiefsee"),
    ("fields", "0,0,Wald\n", "fields.csv: row 7: this field is there already"),
    ("fields", "links,0,Wald\n", "fields.csv: row 7: the coordinates are no whole numbers"),
    ("territory", "gelb,0,0\n", "territory.csv: row 4: there is no such realm"),
    ("territory", "rot,8,8\n", "territory.csv: row 4: no field is there"),
    ("buildings", "rot,Zelt,Lager,0,0\n", "buildings.csv: row 4: known types: Burg, Stadt"),
    ("units", "rot,950,5,1,0,0,0\n", "units.csv: row 5: the number belongs to no unit type"),
    ("units", "rot,101,5,1,0,0,0\n", "units.csv: row 5: the realm has this number already"),
    ("units", "rot,102,viele,1,0,0,0\n", "units.csv: row 5: count and leaders must be whole"),
    ("rivers", "0,0,5,5\n", "rivers.csv: row 3: the two fields are not neighbours"),
    ("rivers", "2,0,1,0\n", "rivers.csv: row 3: no field is on one of its sides"),
]


@pytest.mark.parametrize(("file", "line", "defect"), BAD)
def test_a_bad_row_is_reported_and_left_out(
    tmp_path: Path, file: str, line: str, defect: str
) -> None:
    tables, defects = imported(tmp_path, **{file: FILES[file] + line})
    assert len(defects) == 1
    assert defects[0].startswith(defect)
    counts = {name: tables[name].height for name in ("hexes", "units", "buildings", "rivers")}
    assert counts == {"hexes": 5, "units": 3, "buildings": 2, "rivers": 1}


def test_a_missing_file_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = written(tmp_path / "files")
    (folder / "units.csv").unlink()
    with pytest.raises(InputError, match=r"units\.csv: the file is missing; it needs the columns"):
        import_erkenfara(folder, tmp_path / "game")
    assert not (tmp_path / "game").exists()


def test_a_game_is_not_overwritten(tmp_path: Path) -> None:
    import_erkenfara(written(tmp_path / "files"), tmp_path / "game")
    with pytest.raises(InputError, match="holds a game already"):
        import_erkenfara(tmp_path / "files", tmp_path / "game")


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="the real Erkenfara files are not beside the project")
def test_the_real_world_plays_ten_turns(tmp_path: Path) -> None:
    root = tmp_path / "game"
    founded, defects = import_erkenfara(REAL, root)
    assert defects == ["rivers.csv: row 158: the two fields are not neighbours"]
    assert {n: founded.rows[n] for n in ("hexes", "units", "buildings", "rivers")} == {
        "hexes": 6530,
        "units": 24,
        "buildings": 12,
        "rivers": 276,
    }
    with locked(root):
        runner = TurnRunner(read_game(root))
        for number in range(1, 11):
            _write_orders(root, number)
            runner.load(number)
            runner.execute(number)
            turn = store.read_turn(root, number, ["moves", "order_files", "units"])
            assert turn["moves"].height > 0
            assert turn["order_files"]["rejected"].sum() == 0
    assert store.last_turn(root) == 10


def _write_orders(root: Path, number: int) -> None:
    """Every unit goes to a neighbouring hex that its realm knows, another direction each turn."""
    tables = store.read_turn(root, number - 1) | store.read_map(root)
    known = tables["atlas"].select("realm_id", neighbour_id="hex_id")
    targets = (
        tables["units"]
        .filter(pl.col("hex_id").is_not_null())
        .join(tables["neighbours"], on="hex_id")
        .join(known, on=["realm_id", "neighbour_id"], how="semi")
        .sort("unit_id", "direction")
        .group_by("unit_id", maintain_order=True)
        .agg(pl.all().gather(pl.lit(number) % pl.len()).first())
        .join(tables["realms"].select("realm_id", "code"), on="realm_id")
        .with_columns(
            line=pl.format(
                "{},{},{},{},{},{},{},a",
                *("number", "troops", "leaders"),
                pl.col("hex_id") // 100,
                pl.col("hex_id") % 100,
                pl.col("neighbour_id") // 100,
                pl.col("neighbour_id") % 100,
            )
        )
        .sort("unit_id")
    )
    folder = root / "orders" / str(number)
    folder.mkdir(exist_ok=True)
    for (code,), lines in targets.group_by("code"):
        text = "\n".join(lines["line"])
        (folder / f"{code}_SPZ.txt").write_text(text, encoding="utf-8")
