"""What leaves the desk: differences to read, parcels that go out once, a turn that waits."""

import io
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

from flows import store
from flows.check import check_file
from flows.csvs import table_for_excel
from flows.game import read_game
from flows.parcels import pack_turn
from flows.turn import TurnRunner
from tests.conftest import digests, write_orders
from transforms.calendar import date_text
from transforms.errors import InputError
from transforms.own_data import OWN, own_data
from transforms.schema import STATE, TABLES, empty
from transforms.schema.state_tables import MONTH
from transforms.state_diff import state_diff


@pytest.fixture
def played(game: Path) -> Path:
    """The small game after one turn."""
    TurnRunner(read_game(game)).turn()
    return game


class TestDiff:
    def test_cells_in_words(self, played: Path) -> None:
        found = state_diff(*(store.read_turn(played, turn, STATE) for turn in (0, 1)))
        units = found.filter(table="units", row="112@ALT").select("column", "before", "after")
        assert units.rows() == [
            ("troops", "1800", "764"),
            ("hex_id", "207/14", "207/20"),
            ("last_ashore", "4968", "4969"),
        ]
        assert ("sight", "ALT", "rows", "0", "10") in found.rows()

    def test_backwards_is_the_same_the_other_way_round(self, played: Path) -> None:
        then, now = (store.read_turn(played, turn, STATE) for turn in (0, 1))
        forth, back = state_diff(then, now), state_diff(now, then)
        assert (
            forth.rename({"before": "after", "after": "before"}).select(back.columns).equals(back)
        )
        assert state_diff(now, now).is_empty()

    def test_rows_that_come_and_go(self, played: Path) -> None:
        now = store.read_turn(played, 1, STATE)
        less = now | {"units": now["units"].filter(pl.col("unit_id") != 2)}
        assert state_diff(now, less).rows() == [("units", "113@ALT", "*", "gone", None)]
        assert state_diff(less, now).rows() == [("units", "113@ALT", "*", None, "new")]

    def test_nothing_at_all(self) -> None:
        nothing = {name: empty(name) for name in STATE}
        assert state_diff(nothing, nothing).is_empty()


class TestPack:
    def test_one_zip_per_realm_and_none_twice(self, played: Path) -> None:
        parcels = pack_turn(read_game(played))
        assert [(p.path.name, p.new) for p in parcels] == [("ALT.zip", True), ("NEU.zip", True)]
        before = digests(played)
        assert [p.new for p in pack_turn(read_game(played), 1)] == [False, False]
        assert digests(played) == before

    def test_what_is_inside(self, played: Path) -> None:
        path = pack_turn(read_game(played))[1].path
        with ZipFile(path) as archive:
            names = archive.namelist()
            tables = {n: archive.read(n) for n in names if n.endswith(".csv")}
        units = pl.read_csv(io.BytesIO(tables["NEU_units.csv"]), separator=";")
        assert {"NEU.txt", "NEU.png", "NEU_pruefung.txt", "NEU_wuerfel.csv"} < set(names)
        assert not [name for name in names if "ALT" in name or "spielleiter" in name]
        assert units["number"].to_list() == [101, 102]
        for data in tables.values():  # a German Excel opens it with a double click
            assert data.startswith(b"\xef\xbb\xbf")
            header = data.decode("utf-8-sig").splitlines()[0]
            assert ";" in header
            assert "," not in header

    def test_a_cell_stays_what_it_is(self) -> None:
        table = pl.DataFrame({"damage": [12.5, None], "name": ["Burg; alt", 'zu "Ä", neu']})
        assert table_for_excel(table).decode("utf-8-sig").splitlines() == [
            "damage;name",
            '12,5;"Burg; alt"',
            ';"zu ""Ä"", neu"',
        ]

    def test_other_reports_go_out_as_a_second_parcel(self, played: Path) -> None:
        pack_turn(read_game(played))
        with (store.reports_dir(played, 1) / "ALT.txt").open("a") as file:
            file.write("Nachtrag\n")
        again = pack_turn(read_game(played))
        assert [(p.path.name, p.new) for p in again] == [("ALT-2.zip", True), ("NEU.zip", False)]

    def test_the_next_orders_are_answered(self, played: Path) -> None:
        """Whoever has handed in for turn 2 gets their check, in a parcel of its own."""
        pack_turn(read_game(played))
        write_orders(played, 2, {"ALT": "112,1800,1,207,20,27,a\n999,1,1,207,14,20\n"})
        alt, neu = pack_turn(read_game(played))
        assert [(p.path.name, p.new) for p in (alt, neu)] == [
            ("ALT-2.zip", True),
            ("NEU.zip", False),
        ]
        with ZipFile(alt.path) as archive:
            text = archive.read("ALT_pruefung_zug2.txt").decode()
        assert (
            text
            == check_file(read_game(played), "ALT", played / "orders/2/ALT_SPZ.txt").text + "\n"
        )
        (played / "orders/2/alt_spz.txt").write_text("112,1800,1,207,20,27,a\n")
        with ZipFile(pack_turn(read_game(played))[0].path) as archive:
            assert "alt_spz.txt" in archive.read("ALT_pruefung_zug2.txt").decode()

    def test_not_before_the_reports_are_whole(self, played: Path) -> None:
        store.unpublished_mark(played, 1).touch()
        with pytest.raises(InputError, match="turn 1 is not published"):
            pack_turn(read_game(played))

    def test_no_internal_ids_no_place_of_a_captive_and_dates_in_words(self, played: Path) -> None:
        tables = store.read_turn(played, 1)
        tables["units"] = tables["units"].with_columns(
            hex_id=pl.when(pl.col("unit_id") > 2).then("hex_id"),
            captor_id=pl.when(unit_id=1).then(pl.lit(3, pl.UInt32)),
            carrier_id=pl.when(unit_id=2).then(pl.lit(4, pl.UInt32)),
        )
        own = own_data(tables, 1, read_game(played).rules)
        assert own["units"].select("number", "captive", "aboard_of").rows() == [
            (112, True, None),
            (113, False, "102@NEU"),
        ]
        assert own["units"]["last_ashore"][0] == date_text(4969, read_game(played).rules)
        dates = {
            (name, column)
            for name in OWN
            for column, spec in TABLES[name].columns().items()
            if MONTH in (spec.description or "")
        }
        assert dates
        assert all(own[name][column].dtype == pl.String for name, column in dates)
        columns = {column for frame in own.values() for column in frame.columns}
        assert not columns & {"unit_id", "carrier_id", "captor_id", "building_id", "realm_id"}


class TestMaxMissing:
    def allow(self, game: Path, value: str) -> None:
        path = game / "game.toml"
        path.write_text(path.read_text("utf-8") + f"max_missing = {value}\n", "utf-8")

    @pytest.mark.parametrize(("limit", "gone"), [(0, ["NEU"]), (1, ["ALT", "NEU"])])
    def test_too_many_stop_the_turn(self, game: Path, limit: int, gone: list[str]) -> None:
        self.allow(game, str(limit))
        for code in gone:
            (game / "orders" / "1" / f"{code}_SPZ.txt").unlink()
        before = digests(game)
        with pytest.raises(InputError, match=rf"{len(gone)} realms .*\({', '.join(gone)}\)"):
            TurnRunner(read_game(game)).turn()
        assert digests(game) == before

    def test_as_many_as_allowed_do_not(self, game: Path) -> None:
        self.allow(game, "1")
        (game / "orders" / "1" / "NEU_SPZ.txt").unlink()
        assert TurnRunner(read_game(game)).turn() == 1

    def test_whom_the_game_master_skips_is_not_counted(self, game: Path) -> None:
        self.allow(game, "0")
        folder = game / "orders" / "1"
        (folder / "NEU_SPZ.txt").unlink()
        (folder / "decisions.csv").write_text("code,line,text,decision\nNEU,,,skip\n", "utf-8")
        assert TurnRunner(read_game(game)).turn() == 1

    @pytest.mark.parametrize("value", ["-1", '"2"', "true", "1.5"])
    def test_values_that_are_refused(self, game: Path, value: str) -> None:
        self.allow(game, value)
        with pytest.raises(InputError, match="max_missing"):
            read_game(game)
