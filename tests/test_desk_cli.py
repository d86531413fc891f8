"""The desk as a game master types it: every command once, on one game."""

import json
from pathlib import Path

import pytest

from flows import store
from flows.lock import locked

DESK = ["rerun", "explain", "audit", "diff", "rollback", "replay", "pack", "serve"]


@pytest.mark.parametrize("command", DESK)
def test_every_help_has_an_example(zugwerk, command: str) -> None:
    code, out, _ = zugwerk(command, "--help")
    assert code == 0
    assert f"Example: zugwerk {command} " in " ".join(out.split())


def test_a_day_at_the_desk(zugwerk, game: Path, tmp_path: Path) -> None:
    zugwerk("turn", game, "--direct", "-q")
    (tmp_path / "units.csv").write_text("unit_id,troops\n3,1\n", "utf-8")
    step = ("rerun", game, "--turn", 1, "--step", "combat")
    tried = json.loads(zugwerk(*step, "--edit", tmp_path / "units.csv", "--json")[1])
    assert tried["tables"]["battle_units"]["differences"] == 2
    assert len({len(line) for line in zugwerk(*step)[1].splitlines()}) == 1
    twice = zugwerk(*step, "--edit", tmp_path / "units.csv", "--replace", tmp_path / "units.csv")
    assert (twice[0], "a second file for the table units" in twice[2]) == (2, True)

    out = zugwerk("explain", game, "--turn", 1, "--unit", "112@ALT")[1]
    assert out.startswith("Vor dem Zug\n  1800 Krieger")
    assert "  Standverlust (Strom 1, Nummer 0): 1 aus 1 bis 5 [4.1]\n" in out
    assert zugwerk("audit", game)[1].splitlines()[1].startswith("turn 1: files ")
    assert "112@ALT  troops" in zugwerk("diff", game, 0, 1, "--table", "units")[1]
    assert zugwerk("diff", game, 1, 1)[1] == "no differences\n"
    assert "packed before" in (zugwerk("pack", game), zugwerk("pack", game))[1][1]

    code, out, _ = zugwerk("replay", game, "--from", 1, "--why", "late file")
    assert (code, out.splitlines()[-1]) == (0, "turn 1 was played with the dice klein/1")
    code, out, _ = zugwerk("rollback", game, "--to", 0, "--why", "all over")
    assert out.startswith(f"turn 1 lies in {game / 'revisions' / 'turn=0001.r2'} now")
    assert store.turns(game) == [0]


@pytest.mark.parametrize("command", [("publish", "--direct"), ("pack",)])
def test_there_is_nothing_to_send_out_before_turn_1(
    zugwerk, game: Path, command: tuple[str, ...]
) -> None:
    code, out, err = zugwerk(command[0], game, *command[1:])
    assert (code, out) == (2, "")
    assert "no turn has been evaluated yet" in err


def test_errors_are_one_line(zugwerk, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zugwerk("turn", game, "--direct", "-q")
    (store.history_dir(game, 1) / "units.parquet").write_bytes(b"PAR1")
    for arguments, words in (
        (("audit", game, "--turn", 1), "changed or damaged"),
        (("rollback", game, "--to", 5, "--why", "x"), "turn 5 is not in the history"),
        (("explain", game, "--turn", 9, "--unit", "1@ALT"), "turn 9 is not in the history"),
        (("diff", game, 0, 1, "--table", "unit"), "did you mean 'units'"),
        (("serve", game, "--cron", "nie"), "--cron"),
    ):
        code, out, err = zugwerk(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
    with locked(game):
        assert zugwerk("rollback", game, "--to", 0, "--why", "x")[0] == 4
