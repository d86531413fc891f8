"""What several test modules share: a small game on disk, and the one Prefect harness."""

import errno
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from urllib.request import Request, urlopen

import duckdb
import fsspec
import polars as pl
import pytest
from hypothesis import settings

from flows import cli, newgame, prefect_settings, store
from flows.analyst.warehouse import open_history
from flows.game import read_game, read_rules
from flows.lock import locked
from flows.turn import TurnRunner
from tests.scenarios.world import world_of

settings.register_profile("any machine", deadline=None)  # a busy one is slow, not wrong
settings.load_profile("any machine")

SHARED = Path(__file__).resolve().parents[2] / "shared"  # reference material, may be missing
SEED = "11" * 32
GAME_TOML = f"""[game]
id = "klein"
name = "Kleinreich"
ruleset = "promy2026"
seed = "{SEED}"
start = {{ year = 414, month = 0 }}

[policy]
on_missing_orders = "skip"
on_cost_mismatch = "reject"
"""
# 207/14, 207/20 and 207/27 lie apart; NEU waits where ALT marches, and ALT starts in the heat
SCENARIO = {
    "realms": {"ALT": {"treasury": 90000}, "NEU": {"treasury": 500}},
    "map": {
        "207/14": {"terrain": "Wüste", "realm": "ALT"},
        "207/20": {"realm": "NEU"},
        "207/27": {"realm": "NEU"},
    },
    "units": [
        {"id": "ALT 112", "unit_type": "Krieger", "troops": 1800, "at": "207/14"},
        {"id": "ALT 113", "unit_type": "Krieger", "troops": 900, "at": "207/14"},
        {"id": "NEU 101", "unit_type": "Krieger", "troops": 1000, "at": "207/20"},
        {"id": "NEU 102", "unit_type": "Krieger", "troops": 400, "at": "207/27"},
    ],
    "buildings": [],
}
ORDERS = {
    "ALT": "; Zug 1\n112,1800,1,207,14,20,a\n113,900,1,207,14,27\n999,1,1,207,14,20\n",
    "NEU": "102,400,1,207,27,20,v\n",
}

WRONG_COST = "ruesten,Krieger,1000,0,-,7,207,14,140\n"  # of ALT: it costs more than 7 gold


def typed(*arguments: object) -> int:
    """Run the command `zugwerk` in this process; its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["zugwerk", *map(str, arguments)])
        try:
            cli.main()
        except SystemExit as end:
            return int(end.code or 0)
    return 0


@pytest.fixture
def zugwerk(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process: exit code, standard output, standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = typed(*arguments)
        output = capsys.readouterr()
        return code, output.out, output.err

    return run


def write_game(root: Path) -> Path:
    """The small game in folder `root`, at turn 0, with the order files of turn 1."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "game.toml").write_text(GAME_TOML, encoding="utf-8")
    tables = world_of(SCENARIO, read_rules(None, "promy2026", {}, where="test"))
    for name in ("neighbours", "rivers"):
        store.write_table(store.map_path(root, name), tables[name])
    state = {name: tables[name] for name in store.schema.STATE}
    state["hexes"] = state["hexes"].with_columns(income=pl.lit(300, pl.Int64))
    state["counters"] = pl.DataFrame({"name": ["unit", "building"], "next": [5, 1]})
    store.write_start(root, state, "0.1.0", "klein")
    write_orders(root, 1, ORDERS)
    return root


def write_orders(root: Path, turn: int, texts: Mapping[str, str]) -> None:
    """The order files of a turn, by code of the realm."""
    folder = root / "orders" / str(turn)
    folder.mkdir(parents=True, exist_ok=True)
    for code, text in texts.items():
        (folder / f"{code}_SPZ.txt").write_text(text, encoding="utf-8")


def digests(folder: Path) -> dict[str, str]:
    """Path → SHA-256 of every file below `folder`, the lock left out."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests that start Prefect run in one worker, so that they share its harness."""
    for item in items:
        if item.get_closest_marker("prefect"):
            item.add_marker(pytest.mark.xdist_group("prefect"))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A small game that is ready for turn 1."""
    return write_game(tmp_path / "spiel")


@pytest.fixture(scope="session")
def played_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped game after its three turns, without reports: to read, not to change."""
    root = tmp_path_factory.mktemp("played") / "demo"
    newgame.demo(root)
    with locked(root):
        runner = TurnRunner(read_game(root))
        for number in (1, 2, 3):
            runner.load(number)
            runner.execute(number)
    return root


@pytest.fixture(scope="session")
def analyst(played_demo: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """The played demo as SQL views."""
    with open_history(played_demo) as connection:
        yield connection


class KilledError(BaseException):
    """What `FileSystem` raises in place of a real kill: no `except OSError` stops it."""


class FileSystem:
    """Counts what the process does to the files below a folder, and fails from one point on."""

    WRITES = ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.truncate")

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.count = 0
        self.failing: Callable[[int], BaseException | None] = lambda count: None
        self.read_only: Path | None = None  # what lies there can be read, and nothing else
        self.active = True

    def hook(self, event: str, arguments: tuple[object, ...]) -> None:
        """An audit hook of the interpreter."""
        if not self.active or event not in self.WRITES or self.root not in str(arguments[0]):
            return
        if self.read_only:
            self._refuse_to_write(event, arguments)
        self.count += 1
        if error := self.failing(self.count):
            raise error

    def _refuse_to_write(self, event: str, arguments: tuple[object, ...]) -> None:
        """As the operating system does it; of two places it names both."""
        places = [str(a) for a in arguments[: 2 if event in ("os.rename", "os.link") else 1]]
        flags = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
        reads = event == "open" and not int(str(arguments[2])) & flags
        if not reads and any(str(self.read_only) in place for place in places):
            refused = (errno.EACCES, "Permission denied", places[0], None, *places[1:])
            raise PermissionError(*refused)


@pytest.fixture
def file_system(tmp_path: Path) -> Iterator[FileSystem]:
    """Every file operation below tmp_path, countable and breakable."""
    watched = FileSystem(tmp_path)
    sys.addaudithook(watched.hook)
    yield watched
    watched.active = False


@pytest.fixture
def s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty bucket on an S3 server of this machine; drivers find it by themselves."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    settings = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    reset = Request(f"http://{host}:{port}/moto-api/reset", method="POST")  # of earlier tests
    urlopen(reset).close()
    fsspec.filesystem("s3", skip_instance_cache=True).mkdir("spiele")
    yield "s3://spiele"
    server.stop()
    fsspec.get_filesystem_class("s3").clear_instance_cache()


@pytest.fixture(scope="session")
def prefect_harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A Prefect server of its own for all tests that are marked `prefect`."""
    os.environ["PREFECT_HOME"] = str(tmp_path_factory.mktemp("prefect"))
    prefect_settings.set_up()
    from prefect.testing.utilities import prefect_test_harness

    with prefect_test_harness():
        yield
