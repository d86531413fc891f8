"""The command as a game master types it: output, exit codes, one line per error."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest

from flows import store
from flows.lock import locked
from tests.conftest import WRONG_COST, digests, write_orders

COMMANDS = ["turn", "load", "execute", "publish", "demo", "new", "check", "map", "history", "rerun"]


@pytest.mark.parametrize("command", [*COMMANDS, "import erkenfara"])
def test_every_help_has_an_example(zugwerk, command: str) -> None:
    code, out, _ = zugwerk(*command.split(), "--help")
    assert code == 0
    assert f"Example: zugwerk {command} " in " ".join(out.split())


def test_help_tells_the_exit_codes(zugwerk) -> None:
    _, out, _ = zugwerk("--help")
    assert "3 open questions" in " ".join(out.split())


def test_turn(zugwerk, game: Path) -> None:
    code, out, err = zugwerk("turn", game, "--direct")
    assert (code, err) == (0, "")
    assert all(len(line) <= 80 for line in out.splitlines() if str(game) not in line)
    assert "execute movement        units 4, moves 3" in out
    assert (game / "reports" / "0001" / "ALT.txt").is_file()
    assert (game / "reports" / "0001" / "ALT.png").is_file()


def test_until(zugwerk, game: Path) -> None:
    assert zugwerk("turn", game, "--direct", "--quiet", "--until", 3) == (0, "", "")
    assert store.last_turn(game) == 3


def test_json(zugwerk, game: Path) -> None:
    _, out, _ = zugwerk("turn", game, "--direct", "--json")
    result = json.loads(out)
    assert {"part", "name", "rows", "seconds", "turn"} == set(result["steps"][0])
    assert all(Path(path).is_file() for path in result["files"])


def test_open_questions_say_how_to_answer_them(zugwerk, game: Path) -> None:
    text = (game / "game.toml").read_text(encoding="utf-8")
    asking = text.replace('"skip"', '"ask"').replace('"reject"', '"ask"')
    (game / "game.toml").write_text(asking, encoding="utf-8")
    (game / "orders" / "1" / "NEU_SPZ.txt").unlink()
    write_orders(game, 1, {"ALT": WRONG_COST})
    code, out, err = zugwerk("turn", game, "--direct", "-q")
    *questions, where, header, wrong_cost, missing = err.splitlines()
    decisions = game / "orders" / "1" / "decisions.csv"
    assert (code, out, len(questions)) == (3, "", 2)
    assert "NEU: no order file was handed in: skip | abort?" in err
    assert f"answer in {decisions}" in where
    assert wrong_cost == f"ALT;1;{WRONG_COST.strip()};approve"
    assert missing == "NEU;;;skip"
    decisions.write_text("\n".join([header, wrong_cost, missing]), encoding="utf-8")
    assert zugwerk("turn", game, "--direct", "-q")[0] == 0


def test_parts_and_reports_again(zugwerk, game: Path) -> None:
    for part in ("load", "load", "execute", "publish"):
        assert zugwerk(part, game, "--direct", "-q") == (0, "", "")
    before = digests(game)
    assert zugwerk("publish", game, "--direct", "-q", "--turn", 1)[0] == 0
    assert digests(game) == before


def test_check(zugwerk, game: Path, tmp_path: Path) -> None:
    file = tmp_path / "entwurf.txt"
    file.write_text("112,1800,1,207,14,20,a\nunsinn\nruesten,Krieger,1000,0,-,7,207,14,140\n")
    before = digests(game)
    code, out, _ = zugwerk("check", game, "alt", file)
    assert code == 0
    assert "Heer 112" in out
    code, out, _ = zugwerk("check", game, "ALT", file, "--json")
    result = json.loads(out)
    assert result["rejected"] >= 1
    assert digests(game) == before


def test_history(zugwerk, game: Path) -> None:
    zugwerk("turn", game, "--direct", "-q")
    code, out, _ = zugwerk("history", game)
    assert code == 0
    assert out.split()[:3] == ["turn", "date", "units"]
    rows = json.loads(zugwerk("history", game, "--json")[1])
    assert [row["turn"] for row in rows] == [0, 1]
    assert rows[1]["battles"] == 1


def test_map(zugwerk, game: Path, tmp_path: Path) -> None:
    zugwerk("turn", game, "--direct", "-q")
    code, out, _ = zugwerk("map", game, "neu", "-o", tmp_path / "karten")
    assert (code, out.split()) == (0, [str(tmp_path / "karten" / "NEU.png")])
    assert zugwerk("map", game, "NEO", "-o", tmp_path)[2].startswith(
        f"zugwerk: {game}: unknown realm"
    )


def test_rerun(zugwerk, game: Path) -> None:
    zugwerk("turn", game, "--direct", "-q")
    code, out, _ = zugwerk("rerun", game, "--turn", 1, "--step", "movement", "--diff")
    assert code == 0
    assert {line.split()[0] for line in out.splitlines()} >= {"units", "moves"}
    assert all(line.split()[-2:] == ["0", "differences"] for line in out.splitlines())


class TestErrors:
    def one_line(self, result: tuple[int, str, str], code: int, *words: str) -> None:
        """A single line on standard error with these words."""
        assert result[0] == code
        assert result[1] == ""
        assert result[2].startswith("zugwerk: ")
        assert result[2].count("\n") == 1
        assert all(word in result[2] for word in words), result[2]

    def test_no_game(self, zugwerk, tmp_path: Path) -> None:
        for command in ("turn", "load", "history"):
            self.one_line(zugwerk(command, tmp_path), 2, "no game here")

    def test_usage(self, zugwerk) -> None:
        assert zugwerk("turn")[0] == 2
        assert zugwerk("trun")[0] == 2

    def test_locked(self, zugwerk, game: Path) -> None:
        with locked(game):
            self.one_line(zugwerk("turn", game), 4, "another process")
            self.one_line(zugwerk("load", game, "--direct"), 4, "another process")
            assert zugwerk("history", game)[0] == 0

    def test_a_copy_into_the_game_itself(self, zugwerk, game: Path) -> None:
        before = digests(game)
        self.one_line(zugwerk("copy", game, game / "orders" / "copy"), 2, "choose another place")
        assert digests(game) == before

    def test_missing_table(self, zugwerk, game: Path) -> None:
        (store.history_dir(game, 0) / "units.parquet").unlink()
        self.one_line(
            zugwerk("turn", game, "--direct", "-q"), 2, "units.parquet: the table is missing"
        )

    def test_truncated_table(self, zugwerk, game: Path) -> None:
        path = store.map_path(game, "neighbours")
        path.write_bytes(path.read_bytes()[:-30])
        result = zugwerk("turn", game, "--direct", "-q")
        self.one_line(result, 2, "neighbours.parquet: not a readable Parquet file")

    def test_missing_order_file_of_check(self, zugwerk, game: Path) -> None:
        self.one_line(
            zugwerk("check", game, "ALT", game / "nix.txt"), 2, "nix.txt: there is no such"
        )

    @pytest.mark.parametrize("code", ["../ALT", "C:ALT", "NUL", ""])
    def test_path_in_a_code(self, zugwerk, game: Path, code: str) -> None:
        self.one_line(zugwerk("check", game, code, game / "game.toml"), 2, "unknown realm")

    def test_full_disk(self, zugwerk, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(path: Path, frame: object) -> None:
            raise OSError(28, "No space left on device", str(path))

        before = digests(game)
        monkeypatch.setattr(store, "write_table", full)
        self.one_line(zugwerk("turn", game, "--direct", "-q"), 1, "No space left on device")
        assert digests(game) == before

    def test_internal_error(self, zugwerk, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store, "turns", lambda root: 1 / 0)
        self.one_line(zugwerk("turn", game, "--direct", "-q"), 1, "internal error", "ZUGWERK_DEBUG")


KILLER = """
import os, signal, sys
seen = 0
def hook(event, arguments):
    global seen
    if event in ("open", "os.rename", "os.link", "os.mkdir") and sys.argv[2] in str(arguments[0]):
        seen += 1
        if seen == int(os.environ["KILL_AT"]):
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
from flows.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_kill_nine_then_again(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, tmp_path / "whole")
    outcome = []
    for root, moments in ((tmp_path / "whole", ()), (game, (90, 200, 150))):
        for moment in (*moments, 10**9):
            with (tmp_path / "output.txt").open("wb") as output:
                done = subprocess.run(
                    [sys.executable, "-c", KILLER, "turn", str(root), "--turn", "1", "--direct"],
                    env={**os.environ, "KILL_AT": str(moment)},
                    stdout=output,
                    stderr=output,
                    timeout=60,
                )
            assert done.returncode in (-signal.SIGKILL, 0)
            if done.returncode == 0:
                break
        outcome.append(digests(root))
    assert outcome[0] == outcome[1]


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_harness")
class TestPrefect:
    def test_same_tables_as_without(self, zugwerk, game: Path, tmp_path: Path) -> None:
        shutil.copytree(game, tmp_path / "direct")
        code, _, err = zugwerk("turn", game)
        assert (code, err) == (0, "")
        zugwerk("turn", tmp_path / "direct", "--direct", "-q")
        assert digests(game) == digests(tmp_path / "direct")

    def test_errors_keep_their_exit_code(self, zugwerk, game: Path) -> None:
        write_orders(game, 1, {"XYZ": ""})
        code, out, err = zugwerk("turn", game, "-q")
        assert (code, out) == (2, "")
        assert err.count("\n") == 1

    def test_questions_pause_the_run_until_they_are_answered(self, zugwerk, game: Path) -> None:
        """A wrong cost and a missing file, in one form; the same run goes on."""
        text = (game / "game.toml").read_text()
        (game / "game.toml").write_text(
            text.replace('"skip"', '"ask"').replace('"reject"', '"ask"')
        )
        (game / "orders" / "1" / "NEU_SPZ.txt").unlink()
        write_orders(game, 1, {"ALT": "; Zug 1\n" + WRONG_COST})
        with ThreadPoolExecutor(1) as somebody:
            answered = somebody.submit(answer_paused_run, {"ALT_2": "approve", "NEU_0": "skip"})
            code, _, err = zugwerk("turn", game, "-q")
        assert answered.result()
        assert (code, err) == (0, "")
        tables = store.read_turn(game, 1, ["answers", "trainings"])
        assert tables["answers"].rows() == [(1, 2, "approve"), (2, 0, "skip")]
        assert tables["trainings"]["decision"].to_list() == ["approve"]


def answer_paused_run(answers: dict[str, str]) -> bool:
    """Wait for a paused flow run and resume it with `answers`, as the user interface does."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter

    paused = FlowRunFilter.model_validate({"state": {"type": {"any_": ["PAUSED"]}}})
    with get_client(sync_client=True) as client:
        for _ in range(300):
            for found in client.read_flow_runs(flow_run_filter=paused):
                client.resume_flow_run(found.id, run_input=answers)
                return True
            sleep(0.1)
    return False
