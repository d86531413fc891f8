"""Turns of Ghost-Diplomacy taken back: whole, logged, never overwritten; the game plays on."""

import csv
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from flows import store
from flows.ghost_desk import diff, end, hand_over, pack, replay, roll_back
from flows.ghost_game import GhostGame
from flows.ghost_turn import ENDED, GhostRunner, read_tables
from flows.revisions import versions
from tests.conftest import KilledError, digests
from tests.ghost_world import hand_in, new_game, play
from transforms.diplomacy.state_diff import DIFFED, position_diff
from transforms.errors import InputError

FIRST = {"GB": "F Lon-Nth; F Edi-Nrg", "F": "A Par-Bur; A Mar-Spa", "R": "F Sev-Bla"}
FIRST |= {"OR": "F Ank-Bla"}
SECOND = {"GB": "F Nth-Nwy", "F": "A Spa-Por"}


@pytest.fixture
def played(tmp_path: Path) -> GhostGame:
    """A game after two turns, the first one with reports that look like reports."""
    game = new_game(tmp_path / "partie")
    play(game, FIRST)
    folder = store.reports_dir(game.root, 1)
    folder.mkdir(parents=True)
    for name in ("GB.txt", "allgemein.txt"):
        (folder / name).write_text(f"1 {name}\n", encoding="utf-8")
    play(game, SECOND)
    for turn in (1, 2):
        store.unpublished_mark(game.root, turn).unlink()
    return game


def log(game: GhostGame) -> list[dict[str, str]]:
    with (game.root / "revisions/log.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_turns_move_whole_with_their_reports_and_the_log_says_why(played: GhostGame) -> None:
    history = digests(store.history_dir(played.root, 1))
    reports = digests(store.reports_dir(played.root, 1))
    lines = [entry.words() for entry in roll_back(played, 0, "wrong file", "Ulla")]
    assert lines == [
        f"turn {n} lies in {played.root / 'revisions' / f'turn=000{n}.r1'} now" for n in (2, 1)
    ]
    assert store.turns(played.root) == [0]
    moved = digests(played.root / "revisions/turn=0001.r1")
    assert moved == history | {f"reports/{name}": digest for name, digest in reports.items()}
    assert [(r["who"], r["why"], r["action"], r["turn"], r["dice"]) for r in log(played)] == [
        ("Ulla", "wrong file", "replaced", "2", ""),
        ("Ulla", "wrong file", "replaced", "1", ""),
    ]


def test_the_game_plays_on_and_equal_orders_give_equal_bytes(played: GhostGame) -> None:
    before = digests(played.root / "history")
    list(roll_back(played, 0, "try again"))
    play(played)
    play(played)
    assert digests(played.root / "history") == before
    list(roll_back(played, 1, "late file"))
    play(played, {"GB": "F Nth-Bel"})
    moved = diff(played, 1, 2).filter(row="GB F Nth", column="province")
    assert moved.select("before", "after").rows() == [("Nth", "Bel")]
    assert [path.name for path in versions(played.root, 2)] == ["turn=0002.r1", "turn=0002.r2"]
    assert all(not differing for _, differing in replay(played))


def test_a_file_that_came_too_late_counts_when_its_turn_is_played_again(played: GhostGame) -> None:
    hand_in(played, 1, {"D": "A Mun-Ruh"})
    play(played)
    assert read_tables(played, 3)["order_files"].filter(state="late")["nation"].to_list() == [
        "GERMANY"
    ]
    list(roll_back(played, 0, "the file of D was there in time"))
    for _ in range(3):
        play(played)
    assert read_tables(played, 3)["order_files"].filter(state="late").is_empty()
    assert "RUH" in read_tables(played, 1)["units"]["province"]


def test_a_turn_without_reports_can_go_too(played: GhostGame) -> None:
    play(played)  # killed before its reports were written
    list(roll_back(played, 2, "why not"))
    assert GhostRunner(played).open_turn() == 3
    assert not store.unpublished_mark(played.root, 3).exists()


def test_a_substitute_reads_what_was_taken_back_as_well(played: GhostGame) -> None:
    hand_over(played, "GB", "Erika")
    list(roll_back(played, 0, "x"))
    names = ZipFile(hand_over(played, "GB", "Jo").path).namelist()
    assert {"0001-ersetzt-1_GB.txt", "0001-ersetzt-1_allgemein.txt", "0000_GB.txt"} <= set(names)
    assert (played.root / "spieler.csv").read_text().splitlines()[1:] == ["3,GB,Erika", "1,GB,Jo"]


def test_parcels_that_went_out_are_told_and_the_right_ones_go_out_again(played: GhostGame) -> None:
    folder = store.reports_dir(played.root, 1)
    first = pack(played, 1)
    assert [p.path.name for p in first] == ["GB.zip"]
    lines = [entry.words() for entry in roll_back(played, 0, "x")]
    assert [line.splitlines()[1:] for line in lines] == [
        [],
        ["turn 1: parcels packed of it: 1; `pack` will say which go out again"],
    ]
    for text, name in (("other", "GB-2.zip"), ("1 GB.txt\n", "GB-3.zip")):
        folder.mkdir(exist_ok=True)
        (folder / "GB.txt").write_text(text, encoding="utf-8")
        (folder / "allgemein.txt").write_text("1 allgemein.txt\n", encoding="utf-8")
        parcel = pack(played, 1)[0]
        assert (parcel.path.name, parcel.new) == (name, True)
        assert not pack(played, 1)[0].new
    assert first[0].path.read_bytes() == parcel.path.read_bytes()


def test_an_ended_game_stays_ended_and_the_archive_tells_everything(played: GhostGame) -> None:
    list(roll_back(played, 1, "a mistake"))
    archive = ZipFile(end(played, "draw"))
    names = set(archive.namelist())
    assert {"revisions/log.csv", "revisions/turn=0002.r1/orders.parquet"} <= names
    assert not [name for name in names if "/steps/" in name]
    before = digests(played.root)
    with pytest.raises(InputError, match=f"has ended .* remove {ENDED} first"):
        roll_back(played, 0, "x")
    assert digests(played.root) == before
    (played.root / ENDED).unlink()
    assert [entry.turn for entry in roll_back(played, 0, "x")] == [1]


def test_what_is_refused(played: GhostGame) -> None:
    before = digests(played.root)
    for turn, why, words in ((3, "x", "not in the history"), (1, " ", "needs a reason")):
        with pytest.raises(InputError, match=words):
            list(roll_back(played, turn, why))
    assert digests(played.root) == before


def test_killed_at_any_moment_and_done_again(
    played: GhostGame, tmp_path: Path, file_system
) -> None:
    root = played.root
    whole = {d for name in ("history", "reports") for d in digests(root / name).values()}
    shutil.copytree(root, tmp_path / "copy")
    moment, done = 0, False
    while not done:
        moment += 1
        shutil.rmtree(root)
        shutil.copytree(tmp_path / "copy", root)
        start = file_system.count
        file_system.failing = lambda n, at=start + moment: KilledError() if n == at else None
        try:
            list(roll_back(played, 0, "x"))
            done = True
        except KilledError:
            pass
        file_system.failing = lambda count: None
        list(roll_back(played, 0, "x"))
        assert store.turns(root) == [0]
        assert whole <= set(digests(root).values())
        assert len(versions(root, 1)) == len(versions(root, 2)) == 1
    assert moment > 5


class TestDiff:
    def test_cells_in_the_words_of_the_reports(self, played: GhostGame) -> None:
        found = diff(played, 0, 2)
        assert found.filter(table="units", row="GB F Lon").rows() == [
            ("units", "GB F Lon", "province", "Lon", "Nwy"),
        ]
        assert ("centres", "Nwy", "nation", None, "GB") in found.rows()
        seen = found.filter(table="knowledge", row="GB").select("column", "before", "after")
        then, now = (read_tables(played, n)["knowledge"].filter(viewer="ENGLAND") for n in (0, 2))
        assert seen.rows() == [("rows", str(then.height), str(now.height))]
        assert ("contested", "Bla", "*", None, "new") in diff(played, 0, 1).rows()
        assert ("contested", "Bla", "*", "gone", None) in diff(played, 1, 2).rows()

    def test_a_unit_that_was_driven_out(self, tmp_path: Path) -> None:
        game = new_game(tmp_path, 'retreats = "separate"')
        play(game, {"F": "A Par-Bur", "OEU": "A Vie-Tyr"})
        play(game)
        play(game, {"F": "A Bur-Mun", "OEU": "A Tyr S A Bur-Mun"})
        found = diff(game, 1, 3)
        assert found.filter(table="units", row="D A Mun").rows() == [
            ("units", "D A Mun", "*", "gone", None)
        ]
        assert found.filter(table="dislodged").rows() == [("dislodged", "Mun", "*", None, "new")]
        play(game, {"D": "A Mun R Sil"})
        retreated = diff(game, 3, 4).filter(table="units")
        assert retreated.rows() == [("units", "D A Sil", "*", None, "new")]
        assert diff(game, 1, 4).filter(table="units", row="D A Mun").rows() == [
            ("units", "D A Mun", "province", "Mun", "Sil")
        ]

    @pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (0, 2)])
    def test_it_tells_exactly_what_changed(
        self, played: GhostGame, before: int, after: int
    ) -> None:
        """Every differing cell of the tables is one line, counted in another way."""
        then, now = (read_tables(played, turn, DIFFED) for turn in (before, after))
        found = diff(played, before, after)
        for table, key in (("units", "unit_id"), ("centres", "province")):
            old, new = (
                {row.pop(key): row for row in tables[table].to_dicts()} for tables in (then, now)
            )
            lines = sum(
                sum(old[k][c] != new[k][c] for c in old[k]) if k in old and k in new else 1
                for k in old | new
            )
            assert (table, found.filter(table=table).height) == (table, lines)
        assert position_diff(now, now, played.rules.names).is_empty()


def test_as_the_game_master_types_it(zugwerk, played: GhostGame) -> None:
    root = played.root
    code, out, _ = zugwerk("ghost", "diff", root, 0, 1, "--table", "units")
    assert (code, "GB F Lon  province  Lon     Nth" in out) == (0, True)
    assert max(map(len, out.splitlines())) <= 80
    assert zugwerk("ghost", "diff", root, 1, 1) == (0, "no differences\n", "")
    assert "did you mean 'units'" in zugwerk("ghost", "diff", root, 0, 1, "--table", "unit")[2]
    code, out, _ = zugwerk("ghost", "rollback", root, "--to", 1, "--why", "wrong file")
    assert (code, out.startswith("turn 2 lies in ")) == (0, True)
    code, out, err = zugwerk("ghost", "rollback", root, "--to", 5, "--why", "x")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert zugwerk("rollback", root, "--to", 0, "--why", "x")[0] == 2
