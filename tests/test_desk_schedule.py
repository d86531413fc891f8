"""Scheduled turns: what is deployed, what is tried again, and real workers on a real server."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import polars as pl
import pytest

from flows import serving, store
from flows.game import read_game
from flows.place import copy_game, opened
from flows.turn import TurnRunner
from tests.conftest import digests, typed, write_game
from transforms.errors import InputError

GAMES = 20


def named_game(root: Path, name: str) -> Path:
    """The small game with an id of its own."""
    path = write_game(root) / "game.toml"
    path.write_text(path.read_text("utf-8").replace('id = "klein"', f'id = "{name}"'), "utf-8")
    return root


def fail_once(monkeypatch: pytest.MonkeyPatch, place: str, number: int) -> list[Path]:
    """Let one write go wrong with this error number; the path that was hit, once it was."""
    hit: list[Path] = []
    write, swap = store.write_table, store.swap_in

    def broken(path: Path) -> None:
        if not hit:
            hit.append(path)
            raise OSError(number, "broken", str(path))

    def write_table(path: Path, frame: pl.DataFrame) -> store.Ref:
        if ("steps" in path.parts) == (place == "steps") and place != "reports":
            broken(path)
        return write(path, frame)

    def swap_in(staging: Path, target: Path) -> None:
        if place == "reports" and target.parent.name == "reports":
            broken(target)
        swap(staging, target)

    monkeypatch.setattr(store, "write_table", write_table)
    monkeypatch.setattr(store, "swap_in", swap_in)
    return hit


class TestDeployments:
    def test_one_per_game_and_one_run_at_a_time(self, game: Path) -> None:
        (made,) = serving.deployments([str(game)], "0 3 * * 1", "Europe/Berlin")
        assert (made.name, made.flow_name) == ("klein", "zugwerk-turn")
        assert made.parameters == {"game": str(game)}
        assert made.entrypoint == "flows.prefect_turn.turn"
        assert (made.concurrency_limit, made.concurrency_options.collision_strategy) == (
            1,
            "CANCEL_NEW",
        )
        assert made.schedules[0].schedule.timezone == "Europe/Berlin"

    def test_without_times_it_is_started_by_hand(self, game: Path) -> None:
        assert serving.deployments([str(game)], None, "UTC", "spiele")[0].work_pool_name == "spiele"
        assert not serving.deployments([str(game)], None, "UTC")[0].schedules

    @pytest.mark.parametrize(
        ("cron", "timezone", "words"),
        [
            ("montags", "UTC", "--cron: 'montags'"),
            ("0 3 * * 9", "UTC", "--cron"),
            ("0 3 * * 1", "Europa/Berlin", "--timezone: 'Europa/Berlin'"),
            ("0 3 * * 1", "../UTC", "--timezone"),
        ],
    )
    def test_what_is_refused(self, game: Path, cron: str, timezone: str, words: str) -> None:
        with pytest.raises(InputError, match=words):
            serving.deployments([str(game)], cron, timezone)

    def test_two_games_of_one_id(self, game: Path) -> None:
        with pytest.raises(InputError, match="a second game with the id 'klein'"):
            serving.deployments([str(game), str(game)], None, "UTC")

    def test_without_a_server(self, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from prefect.settings import PREFECT_API_URL, temporary_settings

        with (
            temporary_settings(restore_defaults={PREFECT_API_URL}),
            pytest.raises(InputError, match="prefect server start"),
        ):
            serving.serve([str(game)], None, "UTC", 1)


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_harness")
class TestServer:
    def test_the_turn_leaves_its_summary(self, game: Path) -> None:
        from prefect.artifacts import Artifact

        from flows.prefect_turn import turn

        turn(str(game))
        found = Artifact.get("zugwerk-klein")
        assert "| orders read | 4 |" in found.data
        assert "| orders rejected | 1 |" in found.data
        assert "| battles | 1 |" in found.data
        assert "| execute combat |" in found.data

    def test_so_does_a_turn_of_ghost_diplomacy(self, tmp_path: Path) -> None:
        from prefect.artifacts import Artifact

        from flows.ghost_prefect import turn

        typed("ghost", "new", tmp_path / "partie")
        (tmp_path / "partie" / "orders" / "1" / "GB.txt").write_text("A Lvp - Yor\nA Lon - Wal\n")
        assert turn(str(tmp_path / "partie")) == 1
        found = Artifact.get("zugwerk-partie")
        assert found.data.startswith("# partie: turn 1, Frühjahr 1901\n")
        assert "| orders read | 2 |" in found.data
        assert "| nations without a file | 6 |" in found.data
        assert "| execute knowledge |" in found.data

    @pytest.mark.parametrize("place", ["work", "steps", "reports"])
    def test_a_passing_error_of_the_disk_costs_nothing(
        self, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
    ) -> None:
        """In the folder of load, in that of a step and in that of the reports."""
        from flows import prefect_turn

        shutil.copytree(game, tmp_path / "calm")
        TurnRunner(read_game(tmp_path / "calm")).turn()
        broken = fail_once(monkeypatch, place, errno.EIO)
        monkeypatch.setattr(prefect_turn, "RETRY_AFTER_SECONDS", (0, 0))
        assert prefect_turn.turn(str(game)) == 1
        assert broken
        assert digests(game) == digests(tmp_path / "calm")

    def test_a_full_disk_is_not_tried_again(
        self, game: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from flows import prefect_turn

        broken = fail_once(monkeypatch, "steps", errno.ENOSPC)
        with pytest.raises(OSError, match="broken"):
            prefect_turn.turn(str(game))
        assert len(broken) == 1
        assert store.turns(game) == [0]

    def test_two_workers_and_twenty_games(self, tmp_path: Path, s3: str) -> None:
        """Half of the games in a folder, half at an object store; the workers share nothing else.

        Every game once, none twice, and both workers had their share.
        """
        from prefect.client.orchestration import get_client
        from prefect.deployments import run_deployment

        games = [str(named_game(tmp_path / f"g{n}", f"g{n}")) for n in range(GAMES)]
        for n in range(GAMES // 2):
            copy_game(games[n], f"{s3}/g{n}")
            games[n] = f"{s3}/g{n}"
        command("work-pool", "create", "spiele", "--type", "process").wait(60)
        names = serving.register(games, None, "UTC", "spiele")
        runs = [run_deployment(name, timeout=0).id for name in names]
        logs = [tmp_path / "eins.log", tmp_path / "zwei.log"]
        workers = [a_worker(log) for log in logs]
        try:
            with get_client(sync_client=True) as client:
                deadline = monotonic() + 540
                while monotonic() < deadline:
                    states = [client.read_flow_run(run).state for run in runs]
                    if all(state.is_final() for state in states):
                        break
                    sleep(2)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait(60)
        assert [state.name for state in states] == ["Completed"] * GAMES
        for place in games:
            with opened(place) as root:
                assert store.turns(root) == [0, 1]
        shares = [log.read_text().count("submitting") for log in logs]
        assert min(shares) > 0, shares


def command(*words: str, log: Path | None = None) -> subprocess.Popen[bytes]:
    """A `prefect` of its own that talks to the server of these tests."""
    from prefect.settings import PREFECT_API_URL

    environment = os.environ | {
        "PREFECT_API_URL": PREFECT_API_URL.value(),
        "PYTHONPATH": str(Path(serving.__file__).parents[1]),
        "PREFECT_LOGGING_LEVEL": "INFO",
    }
    if log is not None:
        environment["XDG_CACHE_HOME"] = str(log.with_suffix(""))
    with (log or Path(os.devnull)).open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", "prefect", *words], env=environment, stdout=output, stderr=output
        )


def a_worker(log: Path) -> subprocess.Popen[bytes]:
    """A worker of the pool as on a machine of its own: with its own cache folder."""
    words = ("worker", "start", "--pool", "spiele", "--name", log.stem, "--limit", "2")
    return command(*words, log=log)
