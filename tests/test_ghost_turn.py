"""A game by files alone: turns, late, doubled, wrong and missing orders, the game master's desk."""

import shutil
from pathlib import Path
from zipfile import ZipFile

import polars as pl
import pytest

from flows import store
from flows.ghost_desk import (
    check,
    current_players,
    end,
    hand_over,
    history,
    pack,
    replay,
    status,
)
from flows.ghost_game import read_ghost_game
from flows.ghost_publish import evaluation, gamemaster, national, workbooks
from flows.ghost_sql import query
from flows.ghost_turn import GhostRunner, read_tables
from tests.ghost_world import hand_in, new_game, play
from transforms.errors import InputError

OPENING = {
    "GB": "F Lon-Nth; F Edi-Nrg; A Lpl-Yor",
    "F": "F Bre-Eng; A Par-Bur; A Mar-Spa",
    "D": "F Kie-Den",
    "OR": "F Ank-Bla; A Con-Bul",
    "R": "F Sev-Bla; A Mos-Ukr",
}


class TestTurn:
    def test_the_example_of_the_source(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        play(game, OPENING)
        texts = national(evaluation(game, 1))
        assert (
            "Eigene Einheiten: F Nrg, F Nth, A Yor\n"
            "Eigene VZ: Edi, Lon, Lpl\n"
            "Fremde Einheiten: D-F in Den, F-F in Eng\n"
            "Frei sind: Bar, Bel, Cly, Edi, Hel, Hol, Iri, Lon, Lpl, Nat, Nwy, Ska, Wal\n"
        ) in texts["ENGLAND"]
        assert "Pie" in texts["FRANCE"].partition("Frei sind:")[2].partition("\n")[0]

    def test_reports_are_all_there(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, OPENING)
        assert GhostRunner(game).turn() == 1
        names = {path.name for path in store.reports_dir(tmp_path, 1).iterdir()}
        codes = ("D", "F", "GB", "I", "OEU", "OR", "R")
        expected = {f"{c}.{e}" for c in codes for e in ("txt", "xlsx", "png")}
        assert names == expected | {"allgemein.txt", "spielleitung.txt", "spielleitung.png"}
        assert not store.unpublished_mark(tmp_path, 1).exists()
        assert (tmp_path / "reports/0001/allgemein.txt").read_text() == (
            "Probe – Allgemeine Auswertung Frühjahr 1901\n\n"
            "Kämpfe in Bla, beteiligte Nationen: OR und R\nBla bleibt unbesetzt.\n"
        )

    def test_a_killed_publication_is_made_up_for(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        play(game, OPENING)  # executed, not published
        assert GhostRunner(game).turn() == 1
        assert GhostRunner(game).turn() == 2

    def test_only_the_next_turn(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        with pytest.raises(InputError, match="the next turn is 1, not 2"):
            GhostRunner(game).turn(2)

    def test_units_keep_their_ids(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        before = read_tables(game, 0)["units"]
        play(game, OPENING)
        after = read_tables(game, 1)["units"]
        assert sorted(before["unit_id"]) == sorted(after["unit_id"])
        fleet = before.filter(province="LON")["unit_id"].item()
        assert after.filter(province="NTH")["unit_id"].item() == fleet

    @pytest.mark.parametrize("retreats", ["in_advance", "separate"])
    def test_victor_and_vanquished_keep_their_ids(self, tmp_path: Path, retreats: str) -> None:
        """Until the retreat both are known by one province: the victor's and the loser's id."""
        game = new_game(tmp_path, f'retreats = "{retreats}"')
        ids = dict(read_tables(game, 0)["units"].select("province", "unit_id").iter_rows())
        play(game, {"F": "A Par-Bur", "OEU": "A Vie-Tyr"})
        if retreats == "separate":
            play(game)
        attack = {"F": "A Bur-Mun", "OEU": "A Tyr S A Bur-Mun"}
        if retreats == "separate":
            play(game, attack)
            last = play(game, {"D": "A Mun R Sil"})
        else:
            last = play(game, {**attack, "D": "A Mun H; A Mun R Sil"})
        units = read_tables(game, last)["units"]
        assert units.height == 22
        now = dict(units.select("province", "unit_id").iter_rows())
        assert (now["MUN"], now["SIL"]) == (ids["PAR"], ids["MUN"])

    def test_equal_input_gives_equal_files(self, tmp_path: Path) -> None:
        for name in ("one", "other"):
            (tmp_path / name).mkdir()
            shutil.rmtree(tmp_path / name)
            game = new_game(tmp_path / name / "spiel")
            hand_in(game, 1, OPENING)
            GhostRunner(game).turn()
        one, other = (sorted((tmp_path / n).rglob("*")) for n in ("one", "other"))
        files = [(a, b) for a, b in zip(one, other, strict=True) if a.is_file()]
        assert all(a.read_bytes() == b.read_bytes() for a, b in files)

    def test_replay_gives_the_same_tables(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        for files in (OPENING, {"F": "A Spa-Por"}, {"F": "B A Par"}):
            play(game, files)
        assert list(replay(game)) == [(1, []), (2, []), (3, [])]


class TestWhatWasHandedIn:
    def test_missing_doubled_late_and_unreadable(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, {"GB": "F Lon-Nth", "gb": "F Lon-Eng", "OEU": "A Vie-Gal"})
        (tmp_path / "orders/1/F.txt").write_bytes(b"\xff\xfeF\0")
        (tmp_path / "orders/1/I.txt").write_text("\n# nichts\n")
        play(game)
        page = gamemaster(evaluation(game, 1))
        assert "GB: mehrere Dateien (GB.txt, gb.txt), keine gilt, alle Einheiten halten" in page
        assert "F: F.txt ist nicht lesbar" in page
        assert "D: nichts eingegangen" in page
        assert "Ohne gültige Datei: D, F, GB, I, OR, R\n" in page
        english = national(evaluation(game, 1))["ENGLAND"]
        assert english.endswith("Züge:\nKeine Züge eingegangen, alle Einheiten halten.\n")

        hand_in(game, 1, {"R": "A Mos-Ukr", "OEU": "A Vie-Tyr"})  # too late, and changed
        play(game)
        page = gamemaster(evaluation(game, 2))
        assert "R: R.txt kam zu spät" in page
        assert "ÖU: OEU.txt kam zu spät oder wurde nach der Auswertung von Zug 1 geändert" in page
        assert read_tables(game, 2)["units"].filter(province="GAL").height == 1
        play(game)
        assert "zu spät" not in gamemaster(evaluation(game, 3))  # told once

    @pytest.mark.parametrize("name", ["ÖU", "OEU", "oeu", "ou"])
    def test_file_names(self, tmp_path: Path, name: str) -> None:
        game = new_game(tmp_path)
        play(game, {name: "A Vie-Gal"})
        assert read_tables(game, 1)["units"].filter(province="GAL").height == 1

    def test_a_strange_file_stops_the_turn_and_nothing_is_written(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, {"Narnia": "A Vie-Gal"})
        with pytest.raises(InputError, match="unknown nation 'Narnia'"):
            GhostRunner(game).execute(1)
        assert store.turns(tmp_path) == [0]

    def test_who_has_handed_in(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, {"GB": "F Lon-Nth"})
        table = status(game)
        assert table["nation"].to_list() == ["D", "F", "GB", "I", "OR", "ÖU", "R"]
        assert table.filter(nation="GB")["files"].item() == "GB.txt"
        assert table.filter(nation="F")["files"].item() == "–"
        assert set(table["phase"]) == {"Frühjahr 1901"}


class TestCheck:
    def test_every_line_gets_an_answer(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        path = tmp_path / "GB.txt"
        path.write_text("F Lon-Nth\n\nF Lon - Eng\nBlub\nA Lpl-Mun\n", encoding="cp1252")
        lines = check(game, path).splitlines()
        assert lines[0] == "Zeile 1: verstanden als F Lon-Nth – ersetzt durch Zeile 3"
        assert lines[1] == "Zeile 3: verstanden als F Lon-Eng"
        assert lines[2].startswith("Zeile 4: Fehler: ")
        assert lines[3].startswith("Zeile 5: Fehler: ")
        assert lines[4] == "Ohne Befehl: F Edi, A Lpl"
        assert store.turns(tmp_path) == [0]

    def test_winter(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        play(game, {"F": "A Mar-Spa; A Par-Bur"})
        play(game, {"F": "A Bur-Bel"})
        path = tmp_path / "F.txt"
        path.write_text("B A Par\n")
        assert check(game, path) == ("Zeile 1: verstanden als B A Par\nOhne Befehl: 1 Aufbau\n")
        path.write_text("B A Par\n/\n")
        assert check(game, path).endswith("Ohne Befehl: keine\n")

    def test_it_does_not_depend_on_what_is_hidden(self, tmp_path: Path) -> None:
        """A support for a place out of view gets the same answer whether a unit is there or not."""
        answers = set()
        for name, orders in (("a", {"R": "A Mos-StP"}), ("b", {"R": "A Mos-Ukr"})):
            game = new_game(tmp_path / name)
            play(game, orders)
            path = tmp_path / "GB.txt"
            path.write_text("F Edi S F Nrg-Nwy\nF Lon S A Mos-Ukr\nF Edi S Russland Mos-StP\n")
            answers.add(check(game, path))
        assert len(answers) == 1


class TestGameMaster:
    def test_corrections_are_made_and_logged(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        gm = tmp_path / "orders/1/gm"
        gm.mkdir(parents=True)
        (gm / "units.csv").write_text(
            "province;nation;unit_type;coast;delete;reason\n"
            "Lon;;;;WAHR;falsch gebaut\n"
            "Spa;F;F;nc;;vergessen\n",
            encoding="cp1252",
        )
        (gm / "centres.csv").write_text("province,nation,reason\nBel,GB,Absprache\n")
        play(game)
        tables = read_tables(game, 1)
        assert tables["units"].filter(province="LON").is_empty()
        spain = tables["units"].filter(province="SPA").row(0, named=True)
        assert (spain["nation"], spain["coast"], spain["unit_id"]) == ("FRANCE", "NC", 1001)
        assert tables["centres"].filter(province="BEL")["nation"].item() == "ENGLAND"
        page = gamemaster(evaluation(game, 1))
        assert "units Lon: nation ENGLAND → – (falsch gebaut)" in page
        assert "centres Bel: nation – → ENGLAND (Absprache)" in page

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            ("province,nation,unit_type\nMun,F,F\n", "cannot stand there"),
            (
                "province,nation,unit_type\nXyz,F,A\n",
                "row 2, column province: unknown province 'Xyz'",
            ),
            ("province,nation,unit_type\nMun,Narnia,A\n", "column nation: unknown nation 'Narnia'"),
            ("province,nation,unit_type\nMun,F,X\n", "row 2, column unit_type: .* allowed: A, F"),
            ("province,nation,unit_type,delete\nMun,F,A,weg\n", "column delete: 'weg'; allowed"),
            ("province,nation,unit_type,coast\nSpa,F,F,xc\n", "column coast: .*allowed: NC, SC"),
            ("province,nation,unit_type\n,F,A\n", "row 2, column province: is empty"),
            ("province,nation,unit_type\nMun,F,A\nMun,D,A\n", "stands there twice"),
            ("province,nation\nMun,F\n", "nation and unit_type are needed"),
            ("province,troops\nMun,3\n", "unknown column 'troops'"),
        ],
    )
    def test_wrong_corrections_stop_the_turn(self, tmp_path: Path, text: str, error: str) -> None:
        game = new_game(tmp_path)
        gm = tmp_path / "orders/1/gm"
        gm.mkdir(parents=True)
        (gm / "units.csv").write_text(text)
        with pytest.raises(InputError, match=error) as refused:
            play(game)
        assert "orders/1/gm/units.csv" in str(refused.value)
        assert store.turns(tmp_path) == [0]

    def test_a_substitute_gets_everything_his_nation_was_told(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, OPENING)
        GhostRunner(game).turn()
        parcel = hand_over(game, "England", "Erika")
        names = ZipFile(parcel.path).namelist()
        assert {n[:4] for n in names} == {"0000", "0001"}
        assert {n.partition("_")[2] for n in names} == {
            "allgemein.txt", "GB.txt", "GB.xlsx", "GB.png",
        }  # fmt: skip
        assert current_players(game) == {"ENGLAND": "Erika"}
        hand_over(game, "GB", "Jo")
        assert current_players(game) == {"ENGLAND": "Jo"}

    def test_nothing_goes_out_twice(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        first = pack(game)
        assert [p.new for p in first] == [True] * 7
        assert ZipFile(first[0].path).testzip() is None
        assert [p.new for p in pack(game)] == [False] * 7
        report = tmp_path / "reports/0000/GB.txt"
        report.write_text("anders")
        again = {p.code: p for p in pack(game)}
        assert again["GB"].path.name == "GB-2.zip"
        assert [c for c, p in again.items() if p.new] == ["GB"]

    def test_the_next_orders_are_answered(self, tmp_path: Path) -> None:
        """Whoever has handed in gets their check and nobody else's, in a parcel of its own."""
        game = new_game(tmp_path)
        pack(game)
        hand_in(game, 1, {"GB": "F Lon-Nth; Blub", "F": "A Par-Bur"})
        again = {p.code: p for p in pack(game)}
        assert {code: p.path.name for code, p in again.items() if p.new} == {
            "GB": "GB-2.zip",
            "F": "F-2.zip",
        }
        with ZipFile(again["GB"].path) as archive:
            assert [n for n in archive.namelist() if "pruefung" in n] == ["GB_pruefung_zug1.txt"]
            told = archive.read("GB_pruefung_zug1.txt").decode()
        assert told == check(game, tmp_path / "orders/1/GB.txt")
        shutil.copy(tmp_path / "orders/1/GB.txt", tmp_path / "orders/1/England.txt")
        with ZipFile({p.code: p for p in pack(game)}["GB"].path) as archive:
            assert archive.read("GB_pruefung_zug1.txt").decode() == (
                "Es liegen mehrere Dateien vor (England.txt, GB.txt), keine gilt; bitte nur eine.\n"
            )
        GhostRunner(game).turn()
        assert not any("pruefung" in n for n in ZipFile(pack(game, 0)[0].path).namelist())

    def test_history_and_sql(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        play(game, OPENING)
        play(game, {"F": "A Spa-Por; A Bur-Bel"})
        table = history(game)
        assert table["phase"].to_list() == ["Winter 1900", "Frühjahr 1901", "Herbst 1901"]
        assert table["F"].to_list() == [3, 3, 5]
        for view in ("phases", "units", "centres", "orders", "battles", "knowledge"):
            assert query(tmp_path, f"select * from {view}").height
        moved = query(tmp_path, "select outcome from orders where understood = 'A Bur-Bel'")
        assert moved["outcome"].to_list() == ["succeeds"]
        fought = query(tmp_path, "select province, nations from battles where turn = 1")
        assert fought.rows() == [("BLA", ["RUSSIA", "TURKEY"])]
        with pytest.raises(InputError, match="sql: "):
            query(tmp_path, "select * from nowhere")

    def test_the_end(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        hand_in(game, 1, OPENING)
        GhostRunner(game).turn()
        archive = ZipFile(end(game, "Unentschieden"))
        names = set(archive.namelist())
        assert {"game.toml", "ende.txt", "verlauf.csv", "orders/1/GB.txt"} <= names
        assert {"reports/0001/spielleitung.txt", "history/turn=0001/orders.parquet"} <= names
        with pytest.raises(InputError, match="the game has ended"):
            GhostRunner(game).turn()


class TestStart:
    def test_a_start_position_of_another_tool(self, tmp_path: Path) -> None:
        new_game(tmp_path / "a")
        root = tmp_path / "b"
        (root / "history/turn=0000").mkdir(parents=True)
        shutil.copy(tmp_path / "a/game.toml", root / "game.toml")
        folder = root / "history/turn=0000"
        unit = {"nation": ["FRANCE"], "unit_type": ["A"], "province": ["PAR"], "coast": [None]}
        pl.DataFrame(unit).write_parquet(folder / "units.parquet")
        centre = {"province": ["PAR"], "nation": ["FRANCE"]}
        pl.DataFrame(centre).write_parquet(folder / "centres.parquet")
        game = read_ghost_game(root)
        assert read_tables(game, 0)["centres"].height == 34
        play(game, {"F": "A Par-Bur"})
        told = evaluation(game, 1)
        assert set(national(told)) == {"FRANCE"}
        assert read_tables(game, 1)["phase"].row(0) == (1, 1901, "spring", "movement")

    def test_a_wrong_start_position_is_refused(self, tmp_path: Path) -> None:
        new_game(tmp_path / "a")
        root = tmp_path / "b"
        folder = root / "history/turn=0000"
        folder.mkdir(parents=True)
        shutil.copy(tmp_path / "a/game.toml", root / "game.toml")
        pl.DataFrame({"nation": ["FRANCE"], "unit_type": ["F"], "province": ["PAR"]}).write_parquet(
            folder / "units.parquet"
        )
        pl.DataFrame({"province": ["PAR"], "nation": ["FRANCE"]}).write_parquet(
            folder / "centres.parquet"
        )
        with pytest.raises(InputError, match="FRANCE F PAR cannot stand there"):
            read_tables(read_ghost_game(root), 0)

    @pytest.mark.parametrize(
        ("old", "new", "error"),
        [
            ('system = "ghost"', 'system = "hex"', "unknown value 'hex'"),
            ('map = "standard"', 'map = "mond"', "unknown map 'mond'"),
            ("year = 1901", "month = 1", "must be"),
            ('retreats = "in_advance"', 'retreats = "nie"', "unknown value 'nie'"),
            ("victory_centres", "victory", "unknown ruling 'victory'"),
        ],
    )
    def test_wrong_settings(self, tmp_path: Path, old: str, new: str, error: str) -> None:
        new_game(tmp_path)
        path = tmp_path / "game.toml"
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        with pytest.raises(InputError, match=error):
            read_ghost_game(tmp_path)


class TestElimination:
    def test_one_last_evaluation(self, tmp_path: Path) -> None:
        game = new_game(tmp_path)
        gm = tmp_path / "orders/1/gm"
        gm.mkdir(parents=True)
        rows = "".join(f"{p},,,ja\n" for p in ("Nap", "Rom", "Ven"))
        (gm / "units.csv").write_text(f"province,nation,unit_type,delete\n{rows}")
        (gm / "centres.csv").write_text("province,nation\nNap,F\nRom,F\nVen,F\n")
        play(game)
        told = evaluation(game, 1)
        assert "\nEure Nation ist ausgeschieden.\n" in national(told)["ITALY"]
        assert "ITALY" in workbooks(told)
        play(game)
        assert "ITALY" not in national(evaluation(game, 2))
        assert "I" not in status(game)["nation"].to_list()
