"""The folder of the next turn's order files: there after every turn, and it changes nothing."""

import json
import shutil
from pathlib import Path

import pytest

from flows import newgame, store
from flows.game import read_game
from flows.ghost_turn import GhostRunner
from flows.inbox import ready_for_orders
from flows.intake import read_intake
from flows.turn import TurnRunner
from tests.conftest import digests
from tests.ghost_world import new_game
from transforms.errors import InputError


def test_it_is_there_when_the_turn_is_done(zugwerk, game: Path) -> None:
    out = zugwerk("turn", game, "--direct")[1]
    folder = game / "orders" / "2"
    assert out.splitlines()[-1] == f"Order files of turn 2 belong into {folder}"
    assert list(folder.iterdir()) == []
    notes = json.loads(zugwerk("turn", game, "--direct", "--json")[1])["notes"]
    assert notes == [f"Order files of turn 3 belong into {game / 'orders' / '3'}"]
    assert zugwerk("publish", game, "--direct", "--turn", 1)[1].count("belong") == 0
    assert "belong into" in zugwerk("rollback", game, "--to", 0, "--why", "x")[1]


def test_it_is_there_in_a_ghost_game(zugwerk, tmp_path: Path) -> None:
    root = tmp_path / "partie"
    out = zugwerk("ghost", "new", root)[1]
    assert out.splitlines()[-1] == f"Order files of turn 1 belong into {root / 'orders' / '1'}"
    out = zugwerk("ghost", "turn", root, "--direct")[1]
    assert out.splitlines()[-1] == f"Order files of turn 2 belong into {root / 'orders' / '2'}"


@pytest.mark.parametrize("name", ["2", "0002"])
def test_what_is_there_stays(game: Path, name: str) -> None:
    folder = game / "orders" / name
    folder.mkdir()
    (folder / "ALT_SPZ.txt").write_text("112,1,1,207,20,14\n", encoding="utf-8")
    before = digests(folder)
    assert ready_for_orders(game, 2) == f"Order files of turn 2 belong into {folder}"
    assert digests(folder) == before
    assert sorted(p.name for p in (game / "orders").iterdir()) == sorted(["1", name])


def test_what_is_in_the_way_stops_no_turn_and_is_said(game: Path) -> None:
    (game / "orders" / "2").mkdir()
    (game / "orders" / "0002").mkdir()
    runner = TurnRunner(read_game(game))
    assert runner.turn() == 1
    assert "turn 2 is there twice" in runner.progress.notes[-1]
    assert not store.unpublished_mark(game, 1).exists()
    (game / "orders" / "3").write_text("a file", encoding="utf-8")
    assert "cannot be made: File exists" in ready_for_orders(game, 3)


def test_an_empty_folder_means_the_same_as_none(game: Path, tmp_path: Path) -> None:
    """Intake, inputs, a turn, its repetition and its replay: equal to the last byte."""
    shutil.rmtree(game / "orders")
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write("max_missing = 2\n")
    other = tmp_path / "other"
    shutil.copytree(game, other)
    ready_for_orders(other, 1)
    realms = store.read_turn(game, 0, ["realms"])["realms"]
    none, empty = (read_intake(root, 1, realms) for root in (game, other))
    assert none.order_texts.equals(empty.order_texts)
    assert none.digests == empty.digests == {}
    runners = [TurnRunner(read_game(root)) for root in (game, other)]
    assert runners[0].inputs(1) == runners[1].inputs(1)
    for runner in runners:
        runner.turn()
    for part in ("history", "reports"):
        assert digests(game / part) == digests(other / part)
    loaded = TurnRunner(read_game(game))
    loaded.load(2)
    (game / "orders" / "2").rmdir()  # between load and execute: nothing has changed
    loaded.execute(2)


def test_nobody_in_an_empty_folder_counts_as_missing(game: Path) -> None:
    with (game / "game.toml").open("a", encoding="utf-8") as file:
        file.write("max_missing = 1\n")
    TurnRunner(read_game(game)).turn()
    with pytest.raises(InputError, match=r"2 realms .*\(ALT, NEU\)"):
        TurnRunner(read_game(game)).turn()


def test_an_empty_folder_means_the_same_as_none_to_a_ghost_game(tmp_path: Path) -> None:
    games = [new_game(tmp_path / name / "partie") for name in ("none", "empty")]
    shutil.rmtree(games[0].root / "orders")
    for game in games:
        GhostRunner(game).execute(1)
    none, empty = (digests(game.root / "history") for game in games)
    assert none == empty


def test_the_demo_ends_after_the_turns_that_it_has_orders_for(zugwerk, tmp_path: Path) -> None:
    root = tmp_path / "demo"
    assert zugwerk("demo", root, "--direct", "-q")[0] == 0
    assert store.last_turn(root) == newgame.demo_turns() == 3
    assert (root / "orders" / "4").is_dir()
    assert zugwerk("demo", root, "--direct", "-q")[0] == 0
    assert store.last_turn(root) == 3
