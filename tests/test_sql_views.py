"""The views over a history: same rows as the stored tables, names, comments, pruning, paths."""

import os
import re
import shutil
from pathlib import Path

import duckdb
import polars as pl
import pytest

from flows import store
from flows.analyst.warehouse import open_history, write_catalog
from tests.conftest import SEED
from transforms import schema
from transforms.errors import InputError

VIEWS = (
    *("units", "hexes", "buildings", "realms", "battles", "battle_units", "losses", "moves"),
    *("sight", "atlas", "messages", "draws"),
)
BASE = {"orders": "order_lines"} | {name: name for name in VIEWS}
# A macro's sample call, and whether one turn is enough to answer it.
MACROS = {
    "units_at(2)": True,
    "who_saw(10142, 2)": True,
    "frontline(2)": True,
    "strength_by_realm(2)": True,
    "hexes_within(10142, 2)": True,
    "unit_life(1)": False,
    "treasury_flow('NOR')": False,
}
Connection = duckdb.DuckDBPyConnection


def _stored(root: Path, name: str) -> pl.DataFrame:
    turns = [t for t in store.turns(root) if name in schema.STATE or t > 0]
    return pl.concat(
        store.read_turn(root, t, [name])[name].with_columns(turn=pl.lit(t)) for t in turns
    )


@pytest.mark.parametrize(("view", "table"), BASE.items())
def test_a_view_holds_every_row_and_column_of_its_table(
    analyst: Connection, played_demo: Path, view: str, table: str
) -> None:
    stored = _stored(played_demo, table)
    columns = [column for column in stored.columns if column in schema.TABLES[table].columns()]
    found = analyst.sql(f"from {view}").pl()
    assert set(columns) <= set(found.columns)
    keys = ["turn", *schema.key_of(table)]
    stored = stored.select("turn", *columns).cast({pl.Enum: pl.String})
    found = found.select("turn", *columns).cast(dict(stored.schema))  # type: ignore[arg-type]
    assert found.sort(keys).equals(stored.sort(keys))


def test_every_view_column_and_macro_is_described(played_demo: Path) -> None:
    queries = (
        "select view_name from duckdb_views() where not internal and comment is null",
        "select table_name from duckdb_tables() where comment is null",
        "select table_name, column_name from duckdb_columns() where not internal "
        "and coalesce(comment, '') = ''",
        "select function_name from duckdb_functions() where not internal and comment is null",
    )
    with open_history(played_demo) as fresh:  # others make tables of their own in the shared one
        for query in queries:
            assert fresh.execute(query).fetchall() == []


def test_words_of_the_registry_and_of_the_file_stand_in_the_comments(analyst: Connection) -> None:
    query = "select comment from duckdb_columns() where table_name = ? and column_name = ?"

    def said(view: str, column: str) -> list[tuple[str]]:
        return analyst.execute(query + " and schema_name = 'main'", [view, column]).fetchall()

    assert said("losses", "percent") == [("percent lost",)]
    assert said("units", "captor") == [("the unit that holds it captive",)]
    assert said("orders", "text") == [("the line, white space at its ends removed",)]
    assert said("units", "ready_on_date") == [("date its training ends, as text",)]
    assert said("turns", "turn") == [("number of the turn",)]


def test_names_are_joined_in(analyst: Connection) -> None:
    query = "select date, realm, unit, hex, state from units where unit_id = 1 and turn = 3"
    assert analyst.execute(query).fetchall() == [
        ("Tammus 414 n.P.", "NOR", "101@NOR", "101/42", "ashore")
    ]
    for view in ("units", "battle_units", "losses", "moves"):
        assert analyst.execute(f"from {view} where unit is null or realm is null").fetchall() == []
    aboard, captive = analyst.execute(
        "select count(*) filter (where carrier is not null), "
        "count(*) filter (where captor is not null) from units where turn = 3"
    ).fetchall()[0]
    assert aboard > 0
    assert captive > 0


def test_a_loss_happened_where_the_unit_stood_before_its_move(analyst: Connection) -> None:
    steppe = analyst.sql("select distinct terrain from losses where cause = 'standing'").pl()
    assert "Steppe" not in steppe["terrain"].to_list()
    terrains = analyst.sql("select name as terrain, hazard from rules.terrains").pl()
    heights = analyst.sql("select name as height, hazard as high from rules.heights").pl()
    standing = (
        analyst.sql("from losses where cause = 'standing'")
        .pl()
        .join(terrains.rename({"hazard": "ground"}), on="terrain", how="left")
        .join(heights, on="height", how="left")
    )
    assert (standing["ground"].fill_null(0) + standing["high"].fill_null(0) > 0).all()


# ── files ───────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def long_history(played_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Connection:
    """The demo's third turn four hundred times."""
    root = tmp_path_factory.mktemp("long") / "lang"
    shutil.copytree(played_demo / "map", root / "map")
    shutil.copy(played_demo / "game.toml", root)
    for turn in range(400):
        folder = store.history_dir(root, turn)
        folder.mkdir(parents=True)
        for path in store.history_dir(played_demo, 3).glob("*.parquet"):
            os.link(path, folder / path.name)
    return open_history(root)


def _files_read(connection: Connection, query: str) -> list[int]:
    """How many files each scan of the query opened."""
    ((_, plan),) = connection.execute(f"explain analyze {query}").fetchall()
    return [int(count) for count in re.findall(r"Total Files Read: (\d+)", plan)]


@pytest.mark.parametrize("view", [*BASE, "turns", "everyone"])
def test_a_view_reads_only_the_turns_asked_for(long_history: Connection, view: str) -> None:
    for condition, most in (
        ("turn = 7", 1),
        ("turn = last_turn()", 1),
        ("turn between 7 and 9", 3),
    ):
        counts = _files_read(long_history, f"select * from {view} where {condition}")
        assert counts
        assert max(counts) <= most, condition


@pytest.mark.parametrize("call", [call for call, one_turn in MACROS.items() if one_turn])
def test_a_macro_of_one_turn_reads_one_turn(long_history: Connection, call: str) -> None:
    assert max(_files_read(long_history, f"select * from {call}")) == 1


def test_all_turns_at_once(long_history: Connection) -> None:
    assert long_history.execute("select count(*) from units").fetchall() == [(56 * 400,)]


def test_older_snapshots_lack_columns_and_newer_ones_have_more(
    played_demo: Path, tmp_path: Path
) -> None:
    root = tmp_path / "spiel"
    shutil.copytree(played_demo, root)
    for turn, change in (
        (1, lambda frame: frame.drop("merit", "captor_id")),
        (2, lambda frame: frame.with_columns(mood=pl.lit("gut"), troops=pl.col("troops") * 2)),
        (3, lambda frame: frame.with_columns(pl.col("unit_id").cast(pl.UInt16))),
    ):
        path = store.history_dir(root, turn) / "units.parquet"
        change(pl.read_parquet(path)).write_parquet(path)
    (store.history_dir(root, 1) / "draws.parquet").unlink()
    with open_history(root) as connection:
        query = "select turn, count(*), max(merit), count(captor_id), max(troops) from units "
        found = connection.execute(query + "group by turn order by turn").fetchall()
        assert [row[:2] for row in found] == [(0, 60), (1, 56), (2, 56), (3, 56)]
        assert found[1][2:4] == (0, 0)  # the default of merit, and null
        assert found[2][4] == 2 * store.read_turn(played_demo, 2)["units"]["troops"].max()
        assert connection.execute("select distinct turn from draws").fetchall() != []


def test_a_start_position_alone(game: Path) -> None:
    with open_history(game) as connection:
        for view in [*BASE, "turns", "everyone", *MACROS]:
            connection.execute(f"from {view}").fetchall()
        assert connection.execute("select turn, date from turns").fetchall() == [
            (0, "Nisan 414 n.P.")
        ]
        assert connection.execute("from battles").fetchall() == []


# ── several games, odd names ────────────────────────────────────────────────────────────────


@pytest.fixture
def shelf(played_demo: Path, game: Path, tmp_path: Path) -> Path:
    """A folder of two games, whose names are a trap for SQL, patterns and terminals."""
    if os.name == "nt":
        pytest.skip("Windows allows none of these names")
    folder = tmp_path / "Robert'); drop view units;-- [a]* {b} \"x\" 'ß"
    shutil.copytree(played_demo, folder / "de'mo [1]")
    shutil.copytree(game, folder / "klein*")
    (folder / "no game").mkdir()
    return folder


def test_a_folder_of_games(shelf: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with open_history(Path(shelf.name)) as connection:
        monkeypatch.chdir("/")  # relative paths are resolved when the history is opened
        query = "select game, turn, count(*) from units group by all order by all"
        assert connection.execute(query).fetchall() == [
            *(("de'mo [1]", turn, 60 if turn == 0 else 56) for turn in range(4)),
            ("klein*", 0, 4),
        ]
        assert connection.execute("select distinct game from draws").fetchall() == [("de'mo [1]",)]
        assert connection.execute("select game, steps from hexes_within(20714, 0)").fetchall() == [
            ("klein*", 0)
        ]
        ids = connection.execute("select game, game_id from games order by game").fetchall()
        assert ids == [("de'mo [1]", "beispiel"), ("klein*", "klein")]


def test_a_game_among_others_is_pruned_too(shelf: Path) -> None:
    with open_history(shelf) as connection:
        query = "select * from units where game = 'de''mo [1]' and turn = 2"
        assert max(_files_read(connection, query)) == 1


def test_names_of_players_are_values(played_demo: Path, tmp_path: Path) -> None:
    name = "x'); drop view units; --"
    root = tmp_path / "spiel"
    shutil.copytree(played_demo, root)
    toml = (root / "game.toml").read_text(encoding="utf-8")
    (root / "game.toml").write_text(toml.replace("Rund um die Möwensee", name), encoding="utf-8")
    path = store.history_dir(root, 3) / "realms.parquet"
    realms = pl.read_parquet(path).with_columns(name=pl.lit(name), code=pl.lit("O'N"))
    realms.write_parquet(path)
    with open_history(root) as connection:
        assert connection.execute("select distinct name from games").fetchall() == [(name,)]
        found = connection.execute("select name, realm from realms where turn = 3").fetchall()
        assert set(found) == {(name, "O'N")}
        assert connection.execute("select count(*) from treasury_flow('O''N')").fetchall() == [(5,)]


@pytest.mark.parametrize("folder", ["nothing", "empty"])
def test_no_game_here(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="neither a game nor a folder of games"):
        open_history(tmp_path / folder)


# ── catalog ─────────────────────────────────────────────────────────────────────────────────


def test_a_catalog_opens_from_any_folder(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = write_catalog(shelf)
    assert target == (shelf / "catalog.duckdb").resolve()
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(target, read_only=True) as other:
        for view in [*BASE, "turns", "everyone", *MACROS]:
            other.execute(f"from {view}").fetchall()
        assert other.execute("select last_turn()").fetchall() == [(3,)]
        assert other.execute("select count(*) from draws where value = replayed").fetchall()[0][0]
        assert SEED not in target.read_bytes().decode("latin-1")
    assert write_catalog(shelf) == target  # again: replaced


def test_a_relative_catalog_moves_with_its_games(
    shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_catalog(shelf, relative=True)
    inside = write_catalog(shelf / "de'mo [1]", relative=True)
    moved = tmp_path / "moved"
    shelf.rename(moved)
    count = "select count(*) from units where game = 'de''mo [1]' and turn = 3"
    for folder in (moved, moved / inside.parent.name):
        monkeypatch.chdir(folder)
        with duckdb.connect("catalog.duckdb", read_only=True) as other:
            assert other.execute(count).fetchall() == [(56,)]


def test_the_storage_is_that_of_older_tools(game: Path) -> None:
    header = write_catalog(game).read_bytes()[:4096]
    assert b"DUCK" in header
    assert header[12] <= 67, "64 + n: what DuckDB 1.4 reads"


def test_a_failed_catalog_leaves_the_old_one(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = write_catalog(game).read_bytes()
    monkeypatch.setattr("flows.analyst.warehouse.comment", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_catalog(game)
    assert (game / "catalog.duckdb").read_bytes() == before
    assert not (game / "catalog.duckdb.new").exists()
