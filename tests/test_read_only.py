"""A game folder, or a part of it, that may not be written to: one clear line, nothing half done."""

import shutil
from pathlib import Path

import pytest

from flows import store
from flows.game import read_game
from flows.turn import TurnRunner
from tests.conftest import FileSystem, digests
from tests.ghost_world import hand_in, new_game

ASKED = "Permission denied; is it read-only, or open in another program?"


def tree(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


@pytest.mark.parametrize(
    "command",
    [
        ("turn", "--direct"),
        ("turn",),  # seen before Prefect starts
        ("load", "--direct"),
        ("publish", "--direct"),
        ("rollback", "--to", 0, "--why", "x"),
        ("replay", "--from", 1, "--why", "x"),
        ("pack",),
    ],
)
def test_a_read_only_game(
    zugwerk, game: Path, file_system: FileSystem, command: tuple[object, ...]
) -> None:
    TurnRunner(read_game(game)).turn()
    files, before = tree(game), digests(game)
    name, *options = command
    file_system.read_only = game
    code, out, err = zugwerk(name, game, *options)
    assert (code, out) == (1, "")
    assert err == f"zugwerk: {game / '.lock'}: {ASKED}\n"
    assert digests(game) == before
    assert [name for name in tree(game) if name != ".lock"] == files


@pytest.mark.parametrize("command", ["turn --direct", "publish", "pack", "end", "rollback --to 0"])
def test_a_read_only_ghost_game(zugwerk, tmp_path: Path, file_system, command: str) -> None:
    root = new_game(tmp_path / "partie").root
    before = digests(root)
    name, *options = command.split()
    why = ["--why", "x"] if name == "rollback" else []
    file_system.read_only = root
    code, out, err = zugwerk("ghost", name, root, *options, *why)
    assert (code, out, err) == (1, "", f"zugwerk: {root / '.lock'}: {ASKED}\n")
    assert digests(root) == before


@pytest.mark.parametrize("part", [".staging", "history", "work", "reports"])
def test_a_part_of_a_game(
    zugwerk, game: Path, tmp_path: Path, file_system: FileSystem, part: str
) -> None:
    """What stood before stands, and the next run ends as if nothing had been in its way."""
    shutil.copytree(game, tmp_path / "free")
    TurnRunner(read_game(tmp_path / "free")).turn()
    before = digests(game / "history")
    file_system.read_only = game / part
    code, _, err = zugwerk("turn", game, "--direct", "-q")
    assert (code, err.count("\n")) == (1, 1)
    assert f"{game / part}" in err
    assert ASKED in err
    if part != "reports":
        assert store.turns(game) == [0]
        assert digests(game / "history") == before
    file_system.read_only = None
    assert zugwerk("turn", game, "--direct", "-q") == (0, "", "")
    for folder in ("history", "reports"):
        assert digests(game / folder) == digests(tmp_path / "free" / folder)


def test_read_only_orders_do_not_stop_a_turn(
    zugwerk, tmp_path: Path, game: Path, file_system: FileSystem
) -> None:
    file_system.read_only = game / "orders"
    code, out, _ = zugwerk("turn", game, "--direct")
    assert (code, store.turns(game)) == (0, [0, 1])
    folder = game / "orders" / "2"
    last = f"{folder}: the folder of turn 2 cannot be made: Permission denied"
    assert out.splitlines()[-1] == last


def test_a_read_only_part_of_a_ghost_game(zugwerk, tmp_path: Path, file_system: FileSystem) -> None:
    root = new_game(tmp_path / "partie").root
    hand_in(new_game(tmp_path / "frei" / "partie"), 1, {"GB": "F Lon-Nth"})
    (root / "orders" / "1" / "GB.txt").write_text("F Lon-Nth\n", encoding="utf-8")
    for part in (".staging", "history", "work", "reports"):
        file_system.read_only = root / part
        code, _, err = zugwerk("ghost", "turn", root, "--direct")
        assert (code, err.count("\n"), ASKED in err) == (1, 1, True)
    file_system.read_only = None
    assert zugwerk("ghost", "turn", root, "--direct")[0] == 0
    other = tmp_path / "frei" / "partie"
    assert zugwerk("ghost", "turn", other, "--direct")[0] == 0
    for folder in ("history", "reports"):
        assert digests(root / folder) == digests(other / folder)
