"""Turns taken back: whole, logged, never overwritten; equal orders give equal bytes again."""

import csv
import shutil
from pathlib import Path

import pytest

from flows import store
from flows.audit import audit
from flows.game import read_game
from flows.progress import Progress
from flows.questions import nobody
from flows.replay import replay, roll_back
from flows.rerun import rerun
from flows.revisions import versions
from flows.turn import TurnRunner
from tests.conftest import KilledError, digests
from transforms.errors import InputError


@pytest.fixture
def played(game: Path) -> Path:
    """The small game after two turns."""
    for _ in range(2):
        TurnRunner(read_game(game)).turn()
    return game


def again(game: Path, first: int) -> list[str]:
    return list(replay(read_game(game), first, "late file", "Ulla", nobody, Progress()))


def log(game: Path) -> list[dict[str, str]]:
    with (game / "revisions" / "log.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def dice(game: Path, turn: int) -> str:
    return store.read_turn(game, turn, ["turn_info"])["turn_info"]["dice_message"].item()


def test_turns_move_whole_with_their_reports(played: Path) -> None:
    history = digests(store.history_dir(played, 1))
    reports = digests(store.reports_dir(played, 1))
    entries = list(roll_back(read_game(played), 0, "wrong map", "Ulla"))
    assert [(e.turn, e.folder.name) for e in entries] == [(2, "turn=0002.r1"), (1, "turn=0001.r1")]
    assert store.turns(played) == [0]
    assert not list((played / "reports").iterdir())
    moved = digests(played / "revisions" / "turn=0001.r1")
    assert moved == history | {f"reports/{name}": digest for name, digest in reports.items()}
    rows = log(played)
    assert [(r["who"], r["why"], r["turn"], r["dice"]) for r in rows] == [
        ("Ulla", "wrong map", "2", "klein/2"),
        ("Ulla", "wrong map", "1", "klein/1"),
    ]
    assert rows[1]["new_commitment"] == read_game(played).turn(1, 2).dice.commitment


def test_equal_orders_give_equal_bytes(played: Path) -> None:
    before = {n: digests(played / n) for n in ("history", "reports")}
    again(played, 1)
    again(played, 1)
    assert {n: digests(played / n) for n in ("history", "reports")} == before
    assert [path.name for path in versions(played, 1)] == ["turn=0001.r1", "turn=0001.r2"]
    assert [(r["action"], r["turn"]) for r in log(played)[:4]] == [
        ("replaced", "2"),
        ("replaced", "1"),
        ("played", "1"),
        ("played", "2"),
    ]


def test_other_orders_give_new_dice_and_the_old_orders_the_old_ones(played: Path) -> None:
    first = digests(store.history_dir(played, 1))
    path = played / "orders" / "1" / "NEU_SPZ.txt"
    old = path.read_text("utf-8")
    path.write_text(old + "; later\n", "utf-8")
    lines = again(played, 1)
    assert (dice(played, 1), dice(played, 2)) == ("klein/1/r2", "klein/2")
    assert lines[-2] == "turn 1 was played with the dice klein/1/r2"
    for turn in (1, 2):
        audit(read_game(played), turn)
    assert rerun(read_game(played), 1, "standing_losses").differences() == {}
    path.write_text(old + "; still later\n", "utf-8")
    again(played, 1)
    assert dice(played, 1) == "klein/1/r3"
    path.write_text(old, "utf-8")
    again(played, 1)
    assert digests(store.history_dir(played, 1)) == first
    assert len(versions(played, 1)) == 3


def test_a_correction_by_hand_counts_as_other_orders(played: Path) -> None:
    folder = played / "orders" / "2" / "gm"
    folder.mkdir(parents=True)
    (folder / "realms.csv").write_text("realm_id,treasury,reason\n2,7,gift\n", "utf-8")
    again(played, 2)
    assert (dice(played, 1), dice(played, 2)) == ("klein/1", "klein/2/r2")


def test_a_loaded_turn_goes_with_the_turn_before_it(played: Path) -> None:
    TurnRunner(read_game(played)).load(3)
    list(roll_back(read_game(played), 1, "why not"))
    assert not store.work_dir(played, 3).exists()


def test_what_is_refused(played: Path) -> None:
    before = digests(played)
    for turn, why, words in ((3, "x", "not in the history"), (1, " ", "needs a reason")):
        with pytest.raises(InputError, match=words):
            list(roll_back(read_game(played), turn, why))
    with pytest.raises(InputError, match="not in the history"):
        again(played, 3)
    assert digests(played) == before


def test_killed_at_any_moment_and_done_again(played: Path, tmp_path: Path, file_system) -> None:
    whole = {d for name in ("history", "reports") for d in digests(played / name).values()}
    shutil.copytree(played, tmp_path / "copy")
    moment, done = 0, False
    while not done:
        moment += 1
        shutil.rmtree(played)
        shutil.copytree(tmp_path / "copy", played)
        start = file_system.count
        file_system.failing = lambda n, at=start + moment: KilledError() if n == at else None
        try:
            list(roll_back(read_game(played), 0, "x"))
            done = True
        except KilledError:
            pass
        file_system.failing = lambda count: None
        list(roll_back(read_game(played), 0, "x"))
        assert store.turns(played) == [0]
        assert whole <= set(digests(played).values())
        assert len(versions(played, 1)) == len(versions(played, 2)) == 1
    assert moment > 10
