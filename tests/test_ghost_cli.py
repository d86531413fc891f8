"""The command `zugwerk ghost`, and plans on the position of an Excel file."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from openpyxl import load_workbook

from flows import prefect_settings
from flows.ghost_sandbox import plan, read_sheet
from tests.conftest import typed, write_game
from tests.ghost_world import board, hand_in, new_game
from transforms.diplomacy.rulings import Rulings
from transforms.errors import InputError

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def zugwerk(zugwerk: Run) -> Run:
    """Run `zugwerk ghost`: exit code, standard output, standard error."""
    return partial(zugwerk, "ghost")


def test_from_the_first_command_to_the_last(zugwerk: Run, tmp_path: Path) -> None:
    game = tmp_path / "partie"
    code, out, _ = zugwerk("new", game, "--name", "Partie 7")
    assert (code, "24 files" in out) == (0, True)
    orders = game / "orders" / "1" / "GB.txt"
    orders.write_text("F Lon-Nth\nF Edi-Nrg\n")
    assert zugwerk("check", game, orders) == (
        0,
        "Zeile 1: verstanden als F Lon-Nth\nZeile 2: verstanden als F Edi-Nrg\n"
        "Ohne Befehl: A Lpl\n",
        "",
    )
    code, out, _ = zugwerk("turn", game, "--preview", "--out", tmp_path / "vorschau")
    assert "Befehle von GB:\nF Edi-Nrg: gelungen" in out
    assert (tmp_path / "vorschau" / "GB.png").exists()
    assert not (game / "history" / "turn=0001").exists()
    assert zugwerk("turn", game, "--direct")[0] == 0
    assert (game / "reports/0001/GB.txt").read_bytes() == (
        tmp_path / "vorschau" / "GB.txt"
    ).read_bytes()
    assert zugwerk("show", game)[1].startswith("Partie 7 – Allgemeine Auswertung Frühjahr 1901")
    assert zugwerk("show", game, "England")[1].startswith("Partie 7 – Nationale Auswertung")
    assert zugwerk("show", game, "--gm")[1].startswith("Partie 7 – Spielleitung")
    picture = tmp_path / "gb.png"
    assert zugwerk("show", game, "GB", "--picture", picture, "--orders")[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "Herbst 1901" in zugwerk("status", game)[1]
    assert "Frühjahr 1901" in zugwerk("history", game)[1]
    counting = "select count(*) + 1 as n from units where turn = 1"
    assert '"n": 23' in zugwerk("sql", game, counting, "--json")[1]
    assert zugwerk("replay", game) == (0, "   1 same\n", "")
    assert "packed before" not in zugwerk("pack", game)[1]
    assert zugwerk("pack", game)[1].count(".zip (packed before)\n") == 7
    assert "GB_uebergabe.zip" in zugwerk("handover", game, "GB", "Erika")[1]
    assert zugwerk("publish", game, "--turn", 0)[0] == 0
    assert zugwerk("end", game, "--reason", "Schluss")[0] == 0
    code, out, err = zugwerk("turn", game, "--direct")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_two_kinds_of_game_send_each_other_to_the_right_commands(tmp_path: Path) -> None:
    from flows.game import read_game
    from flows.ghost_game import read_ghost_game

    (tmp_path / "game.toml").write_text('[game]\nsystem = "ghost"\n[rulings]\n')
    with pytest.raises(InputError, match="zugwerk ghost --help"):
        read_game(tmp_path)
    (tmp_path / "game.toml").write_text('[game]\nruleset = "promy2026"\n')
    with pytest.raises(InputError, match="is a hex game"):
        read_ghost_game(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("turn", "{game}", "--direct", "--turn", "3"), "the next turn is 1, not 3"),
        (("show", "{game}", "Narnia"), "unknown nation 'Narnia'"),
        (("show", "{game}", "--turn", "9"), "there is no such report"),
        (("check", "{game}", "{game}/GB.txt"), "there is no such file"),
        (("check", "{game}", "{game}/game.toml"), "unknown nation 'game'"),
        (("turn", "{game}/nowhere", "--direct"), "no game here"),
        (("pack", "{game}", "--turn", "5"), "turn 5 is not published"),
    ],
)
def test_bad_input_is_one_line(
    zugwerk: Run, tmp_path: Path, arguments: tuple[str, ...], error: str
) -> None:
    new_game(tmp_path)
    code, out, err = zugwerk(*(text.format(game=tmp_path) for text in arguments))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert error in err


def test_a_turn_of_the_other_kind_is_refused_before_prefect_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never() -> None:
        raise AssertionError("Prefect starts")

    monkeypatch.setattr(prefect_settings, "set_up", never)
    hexes, ghost = write_game(tmp_path / "hexes"), tmp_path / "ghost"
    new_game(ghost)
    assert typed("turn", ghost) == 2
    assert typed("ghost", "turn", hexes) == 2


@pytest.mark.prefect
def test_the_flow_gives_the_same_tables(tmp_path: Path, prefect_harness: None) -> None:
    from flows.ghost_prefect import ghost_flow
    from flows.ghost_turn import GhostRunner, read_tables
    from flows.progress import Progress

    games = [new_game(tmp_path / name) for name in ("direct", "flow")]
    for game in games:
        hand_in(game, 1, {"GB": "F Lon-Nth"})
    GhostRunner(games[0]).turn()
    assert ghost_flow(Progress())(str(games[1].root)) == 1
    one, other = (read_tables(game, 1) for game in games)
    assert all(one[name].equals(other[name]) for name in one)


class TestSandbox:
    @pytest.fixture
    def sheet(self, tmp_path: Path) -> Path:
        new_game(tmp_path)
        return tmp_path / "reports" / "0000" / "OEU.xlsx"

    def played(self, sheet: Path, orders: str) -> str:
        return plan(sheet, orders, map_name="standard", season="spring", rulings=Rulings()).text

    def test_the_position_is_the_sheet(self, sheet: Path) -> None:
        read = read_sheet(sheet, board())
        assert read.units.height == 4  # three own, and Italy's in Ven
        assert read.centres["province"].to_list() == ["BUD", "TRI", "VIE"]

    def test_orders_for_units_of_anybody(self, sheet: Path) -> None:
        text = self.played(sheet, "A Vie-Tyr\nA Ven-Tyr\nA Bud-Ser\nBlub\nI: F Tri H\n")
        assert text == (
            "I A Ven-Tyr: misslungen\n"
            "ÖU A Bud-Ser: gelungen\n"
            "ÖU F Tri H: hält\n"
            "ÖU A Vie-Tyr: misslungen\n"
            "\n" + "".join(line + "\n" for line in text.splitlines()[5:7]) + "\n"
            "Kämpfe in Tyr, beteiligte Nationen: I und ÖU\n"
            "Tyr bleibt unbesetzt.\n"
            "\n"
            "Stellung danach:\n"
            "I: A Ven\n"
            "ÖU: A Ser, F Tri, A Vie\n"
        )
        assert text.splitlines()[5].startswith("Zeile 4: Blub – nicht verstanden: ")
        assert text.splitlines()[6].startswith("Zeile 5: F Tri H – nicht verstanden: ")

    def test_a_forged_sheet_is_as_good_as_a_true_one(self, sheet: Path, tmp_path: Path) -> None:
        book = load_workbook(sheet)
        for row in book["Gebiete"].iter_rows(min_row=2):
            if row[0].value == "Gal":
                row[2].value, row[3].value, row[4].value = "fremde Einheit", "R", "A"
        forged = tmp_path / "gefaelscht.xlsx"
        book.save(forged)
        text = self.played(forged, "A Gal-Vie; x\nA Gal S A Ven\nA Vie-Gal\nA Bud S A Vie-Gal\n")
        assert "R A Gal" in text
        assert "R A Gal, Angreifer" not in text
        assert "R A Gal: vertrieben, Rückzug möglich nach: " in text
        assert "Kämpfe in Gal, beteiligte Nationen: ÖU\nA von ÖU besetzt Gal." in text

    @pytest.mark.parametrize(
        ("cell", "value", "error"),
        [
            ("A2", "Xyz", "Gebiete: row 2: unknown province 'Xyz'"),
            ("A1", "Feld", "Gebiete: row 1: column 'Gebiet' is missing"),
        ],
    )
    def test_what_is_wrong_is_named(
        self, sheet: Path, tmp_path: Path, cell: str, value: str, error: str
    ) -> None:
        book = load_workbook(sheet)
        book["Gebiete"][cell] = value
        book.save(tmp_path / "falsch.xlsx")
        with pytest.raises(InputError, match=error):
            read_sheet(tmp_path / "falsch.xlsx", board())

    def test_no_excel_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.xlsx").write_text("nichts")
        with pytest.raises(InputError, match="not a readable Excel file"):
            read_sheet(tmp_path / "a.xlsx", board())
