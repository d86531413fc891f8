"""A game at an object store: the same bytes as in a folder, whoever works on it and is killed."""

import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from flows import lease, remote
from flows.commits import Phase
from flows.place import opened
from flows.progress import Progress
from flows.questions import nobody
from flows.turn import run_part
from tests.conftest import KilledError, digests, typed, write_game

URL = "memory://spiele/klein"
LOOKING = (
    ["history"],
    ["audit"],
    ["diff", "0", "1"],
    ["explain", "--turn", "1", "--unit", "112@ALT"],
    ["rerun", "--turn", "1", "--step", "combat", "--diff"],
    ["sql", "from strength_by_realm(1)", "--format", "csv"],
    ["sql", "select * exclude game from units order by all", "--format", "csv"],
    ["sql", "-f", "front", "--format", "json"],
)
MAP_FILES = ("neighbours.parquet", "rivers.parquet")
Zugwerk = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryFileSystem]:
    """An empty object store in memory, and a cache folder of this test alone."""
    monkeypatch.setattr(remote, "cache_folder", lambda: tmp_path / "cache")
    fs = MemoryFileSystem()
    fs.store.clear()
    yield fs
    fs.store.clear()


@pytest.fixture
def there(store: MemoryFileSystem, game: Path) -> MemoryFileSystem:
    """The store with the small game at URL, ready for turn 1."""
    assert typed("copy", game, URL) == 0
    return store


def objects(fs: MemoryFileSystem, url: str = URL) -> dict[str, str]:
    """Path → SHA-256 of every object of the game, leases left out."""
    base = fs._strip_protocol(url)
    found = {path.removeprefix(f"{base}/"): path for path in fs.find(base)}
    return {
        name: sha256(fs.cat_file(path)).hexdigest()
        for name, path in found.items()
        if not name.startswith(".")
    }


def on_another_machine(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on there is no working copy."""
    monkeypatch.setattr(remote, "cache_folder", lambda: folder)


class TestSameAsAFolder:
    def test_a_turn(self, there: MemoryFileSystem, game: Path) -> None:
        for place in (game, URL):
            assert typed("turn", place, "--direct", "-q") == 0
        assert objects(there) == digests(game)
        assert "reports/0001/ALT.txt" in objects(there)

    def test_a_turn_in_three_parts_on_three_machines(
        self,
        there: MemoryFileSystem,
        game: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        for part in ("load", "execute", "publish"):
            on_another_machine(monkeypatch, tmp_path / part)
            for place in (game, URL):
                assert typed(part, place, "--direct", "-q") == 0
            assert objects(there) == digests(game)

    def test_turns_taken_back_and_played_again(
        self, there: MemoryFileSystem, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All but the times in the log."""
        for number, words in enumerate(
            (["turn", "--direct", "-q", "--until", "3"], ["rollback", "--to", "2", "--why", "x"])
        ):
            on_another_machine(monkeypatch, tmp_path / str(number))
            for place in (game, URL):
                assert typed(words[0], place, *words[1:]) == 0
        (game / "orders" / "2").mkdir(exist_ok=True)
        (game / "orders" / "2" / "ALT_SPZ.txt").write_text("112,1800,1,207,14,20,a\n")
        there.pipe_file("/spiele/klein/orders/2/ALT_SPZ.txt", b"112,1800,1,207,14,20,a\n")
        for place in (game, URL):
            assert typed("replay", place, "--from", "1", "--why", "late orders") == 0
        here, at_url = digests(game), objects(there)
        for files in (here, at_url):
            del files["revisions/log.csv"]
        assert at_url == here
        assert "revisions/turn=0001.r1/manifest.json" in here

    def test_what_only_looks(self, there: MemoryFileSystem, game: Path, zugwerk: Zugwerk) -> None:
        for place in (game, URL):
            zugwerk("turn", place, "--direct", "-q")
        before = objects(there)
        for words in LOOKING:
            here = zugwerk(words[0], game, *words[1:])
            at_url = zugwerk(words[0], URL, *words[1:])
            assert (at_url[0], at_url[1]) == (here[0], here[1].replace(game.name, "klein")), words
        assert objects(there) == before

    def test_parcels_go_out_once(self, there: MemoryFileSystem, zugwerk: Zugwerk) -> None:
        typed("turn", URL, "--direct", "-q")
        assert "packed before" not in zugwerk("pack", URL)[1]
        assert zugwerk("pack", URL)[1].count("packed before") == 2
        assert "outbox/0001/ALT.zip" in objects(there)

    def test_a_map_a_check_and_a_chart(
        self, there: MemoryFileSystem, game: Path, tmp_path: Path
    ) -> None:
        orders = game / "orders" / "1" / "ALT_SPZ.txt"
        assert typed("map", URL, "ALT", "-o", tmp_path / "maps") == 0
        assert typed("check", URL, "ALT", orders) == 0
        assert typed("turn", URL, "--direct", "-q") == 0
        assert typed("chart", URL, "gold", "-o", tmp_path / "gold.png") == 0
        assert (tmp_path / "gold.png").stat().st_size > 1000

    def test_ghost_diplomacy(self, store: MemoryFileSystem, tmp_path: Path) -> None:
        game, url = tmp_path / "partie", "memory://spiele/partie"
        assert typed("ghost", "new", game) == 0
        (game / "orders" / "1" / "GB.txt").write_text("A Lvp - Yor\nF Edi - Nwg\n")
        assert typed("copy", game, url) == 0
        for _ in range(4):
            for place in (game, url):
                assert typed("ghost", "turn", place, "--direct", "-q") == 0
        assert objects(store, url) == digests(game)
        for words in (["status"], ["history"], ["show", "GB"], ["replay"], ["sql", "from units"]):
            assert typed("ghost", words[0], url, *words[1:]) == 0
        assert typed("ghost", "pack", url) == 0
        assert typed("ghost", "end", url) == 0
        assert len(objects(store, url)) > len(digests(game))

    def test_there_and_back(self, there: MemoryFileSystem, tmp_path: Path, game: Path) -> None:
        typed("turn", URL, "--direct", "-q")
        assert typed("copy", URL, tmp_path / "back") == 0
        assert digests(tmp_path / "back") == objects(there)
        assert typed("audit", tmp_path / "back") == 0


class TestOtherTools:
    """People put files there with whatever they have; what they wrote last counts."""

    def test_an_order_file_that_came_later(self, there: MemoryFileSystem, zugwerk: Zugwerk) -> None:
        assert typed("load", URL, "--direct", "-q") == 0
        there.pipe_file("/spiele/klein/orders/1/NEU_SPZ.txt", b"101,1000,0,207,20,21,v\n")
        code, _, err = zugwerk("execute", URL, "--direct")
        assert (code, "NEU_SPZ.txt changed since turn 1 was loaded" in err) == (2, True)
        assert typed("turn", URL, "--direct", "-q") == 0
        with opened(URL) as root:
            assert (root / "orders/1/NEU_SPZ.txt").read_bytes() == b"101,1000,0,207,20,21,v\n"

    def test_hidden_files(self, there: MemoryFileSystem) -> None:
        """Hidden ones are left alone; test_remote_s3.py has empty objects named like folders."""
        there.pipe_file("/spiele/klein/orders/1/.DS_Store", b"x")
        assert typed("turn", URL, "--direct", "-q") == 0
        assert "orders/1/.DS_Store" in objects(there)

    @pytest.mark.parametrize("name", ["orders//1/ALT_SPZ.txt", "orders/1", "map/rivers.parquet/x"])
    def test_objects_that_cannot_be_files(
        self, there: MemoryFileSystem, zugwerk: Zugwerk, name: str
    ) -> None:
        there.store[f"/spiele/klein/{name}"] = there.store["/spiele/klein/game.toml"]
        before = set(there.store)
        code, _, err = zugwerk("turn", URL, "--direct")
        assert (code, err.count("\n"), "cannot be a file here" in err) == (2, 1, True)
        assert before <= set(there.store)

    @pytest.mark.parametrize("turn", [1, 3])
    def test_a_lost_manifest(self, there: MemoryFileSystem, zugwerk: Zugwerk, turn: int) -> None:
        """Of the last turn, too: nothing is deleted, nothing is evaluated in its place."""
        zugwerk("turn", URL, "--direct", "--until", "3")
        there.rm_file(f"/spiele/klein/history/turn={turn:04d}/manifest.json")
        before = objects(there)
        for words in (["turn", URL, "--direct"], ["history", URL], ["sql", URL, "from units"]):
            code, _, err = zugwerk(*words)
            assert (code, f"turn={turn:04d}: its manifest.json is missing" in err) == (2, True)
        assert objects(there) == before

    @pytest.mark.parametrize("command", ["turn", "audit"])
    def test_an_order_file_that_goes_while_it_is_fetched(
        self,
        there: MemoryFileSystem,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        command: str,
    ) -> None:
        on_another_machine(monkeypatch, tmp_path / "other")
        get, name = remote.Remote._get, "orders/1/NEU_SPZ.txt"

        def too_late(self: remote.Remote, path: str) -> None:
            if path == name:
                there.rm_file(f"/spiele/klein/{name}")
            get(self, path)

        monkeypatch.setattr(remote.Remote, "_get", too_late)
        assert typed(command, URL, *["--direct"] * (command == "turn")) == 0
        assert name not in objects(there)

    def test_a_change_while_it_is_copied(
        self, there: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Another machine plays a turn again meanwhile; the copy is of one state, the later one."""
        typed("turn", URL, "--direct", "-q")
        get, codes = remote.Remote._get, []

        def slow(self: remote.Remote, path: str) -> None:
            get(self, path)
            reader = self.folder.parts[-3] == "reader"
            if reader and not codes and path == "history/turn=0001/units.parquet":
                there.pipe_file("/spiele/klein/orders/1/NEU_SPZ.txt", b"101,1000,0,207,20,21,v\n")
                with monkeypatch.context() as other:
                    on_another_machine(other, tmp_path / "other")
                    codes.append(typed("replay", URL, "--from", "1", "--why", "x"))

        monkeypatch.setattr(remote.Remote, "_get", slow)
        monkeypatch.setattr(remote, "_THREADS", 1)
        on_another_machine(monkeypatch, tmp_path / "reader")
        assert (typed("copy", URL, tmp_path / "back"), codes) == (0, [0])
        assert digests(tmp_path / "back") == objects(there)
        assert typed("audit", tmp_path / "back") == 0

    def test_a_damaged_table(self, there: MemoryFileSystem, zugwerk: Zugwerk) -> None:
        there.pipe_file("/spiele/klein/history/turn=0000/units.parquet", b"PAR1")
        code, _, err = zugwerk("turn", URL, "--direct")
        assert code == 2
        assert "changed or damaged" in err

    def test_a_file_of_the_working_copy_is_not_trusted(
        self, there: MemoryFileSystem, tmp_path: Path
    ) -> None:
        """What somebody changed in the copy on this machine is gone with the next command."""
        with opened(URL) as root:
            (root / "orders/1/ALT_SPZ.txt").write_text("nonsense")
            (root / "orders/1/ZZZ.txt").write_text("nonsense")
            (root / "history/turn=0007").mkdir()
        with opened(URL) as root:
            assert "nonsense" not in (root / "orders/1/ALT_SPZ.txt").read_text()
            assert not (root / "orders/1/ZZZ.txt").exists()
            assert not (root / "history/turn=0007").exists()


class TestKilled:
    @pytest.mark.parametrize("share", [0.0, 0.5, 0.9, 0.95, 0.99])
    def test_a_kill_between_two_requests(
        self,
        there: MemoryFileSystem,
        game: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        share: float,
    ) -> None:
        """Another machine evaluates the turn, and it is the turn that it would have been."""
        calm = dict(there.store)
        requests = count_requests(monkeypatch)
        assert typed("turn", URL, "--direct", "-q") == 0
        expected, total = objects(there), len(requests)
        there.store.clear()
        there.store.update(calm)
        on_another_machine(monkeypatch, tmp_path / "second")
        count_requests(monkeypatch, stop=int(total * share))
        with pytest.raises(KilledError):
            typed("turn", URL, "--direct", "-q")
        monkeypatch.undo()
        there.rm("/spiele/klein/.lease", recursive=True)  # what patience does, see test_lease.py
        on_another_machine(monkeypatch, tmp_path / "third")
        for number in seen_turns():
            assert typed("audit", URL, "--turn", number) == 0
        if typed("turn", URL, "--direct", "-q", "--turn", "1") == 2:
            assert objects(there) == expected  # it was done but for the release of the lease
        assert objects(there) == expected

    @pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize("share", [0.4, 0.97, 1.0])
    def test_an_error_of_the_network_is_made_up_for(
        self,
        there: MemoryFileSystem,
        game: Path,
        monkeypatch: pytest.MonkeyPatch,
        share: float,
        late: bool,
    ) -> None:
        """A request fails, before or after it had its effect; the turn is evaluated once."""
        before = len(digests(game))
        typed("turn", game, "--direct", "-q")
        new = len(digests(game)) - before
        request, requests = remote.Remote._request, []

        def flaky(self: remote.Remote, phase: Phase, mine: lease.Lease, path: str) -> None:
            requests.append(path)
            fails = len(requests) == max(1, round(share * (new + 2)))  # 2: a mark put and removed
            if fails and not late:
                raise ConnectionResetError("by peer")
            request(self, phase, mine, path)
            if fails:
                raise ConnectionResetError("by peer")

        monkeypatch.setattr(remote, "_THREADS", 1)
        monkeypatch.setattr(remote.Remote, "_request", flaky)
        monkeypatch.setattr(remote.Remote, "_tags", lambda *_: 1 / 0)
        _, done = run_part(URL, "turn", None, nobody, Progress(), attempt=twice)
        assert done == 1
        assert len(requests) >= new + 2
        expected = digests(game)
        if share == 1.0 and not late:  # the mark could not be removed: the reports come again
            assert objects(there).pop("work/turn=0001.unpublished", None) is not None
            typed("turn", URL, "--direct", "-q")
        assert objects(there) == expected

    def test_who_lost_the_game_stores_nothing(
        self, there: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, zugwerk: Zugwerk
    ) -> None:
        """A process that slept too long finds another one's lease."""
        before = objects(there)
        store = remote.Remote.store

        def late(self: remote.Remote, mine: lease.Lease) -> None:
            there.pipe_file(f"{mine.folder}/{mine.number + 1:08d}.json", b"{}")
            store(self, mine)

        monkeypatch.setattr(remote.Remote, "store", late)
        code, _, err = zugwerk("turn", URL, "--direct")
        assert (code, "another process has taken this game over" in err) == (4, True)
        assert objects(there) == before

    def test_who_lost_the_game_in_the_middle_takes_nothing_more_away(
        self,
        there: MemoryFileSystem,
        monkeypatch: pytest.MonkeyPatch,
        zugwerk: Zugwerk,
    ) -> None:
        """A rollback that slept before its first deletion; and it has told nothing."""
        zugwerk("turn", URL, "--direct", "--until", "3")
        before = objects(there)
        request = remote.Remote._request

        def asleep(self: remote.Remote, phase: Phase, mine: lease.Lease, path: str) -> None:
            if phase.what == "delete":
                there.pipe_file(f"{mine.folder}/{mine.number + 1:08d}.json", b"{}")
            request(self, phase, mine, path)

        monkeypatch.setattr(remote.Remote, "_request", asleep)
        code, out, err = zugwerk("rollback", URL, "--to", "1", "--why", "x")
        assert (code, out) == (4, "")
        assert "another process has taken this game over" in err
        assert before.items() <= objects(there).items()

    def test_what_a_dead_process_sent_comes_late(
        self, there: MemoryFileSystem, game: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its objects appear where the next process puts its own: that one's count."""
        typed("turn", game, "--direct", "-q")
        request = remote.Remote._request

        def after_the_dead(self: remote.Remote, phase: Phase, mine: lease.Lease, path: str) -> None:
            if phase.what == "create":
                self.fs.pipe_file(f"{self.base}/{path}", b"late")
            request(self, phase, mine, path)

        monkeypatch.setattr(remote.Remote, "_request", after_the_dead)
        assert typed("turn", URL, "--direct", "-q") == 0
        assert objects(there) == digests(game)

    def test_an_error_in_the_turn_stores_nothing(
        self, there: MemoryFileSystem, zugwerk: Zugwerk
    ) -> None:
        there.pipe_file("/spiele/klein/orders/1/gm/units.csv", b"unit_id,color\n1,red\n")
        before = objects(there)
        code, _, err = zugwerk("turn", URL, "--direct")
        assert code == 2
        assert err.startswith(f"zugwerk: {URL}/orders/1/gm/units.csv: ")
        assert objects(there) == before


class TestTold:
    @pytest.mark.parametrize(
        "words",
        [
            ["turn", "--direct"],
            ["turn", "--direct", "--until", "3"],
            ["rollback", "--to", "0", "--why", "x"],
            ["pack"],
            ["replay", "--from", "1", "--why", "x"],
        ],
        ids=" ".join,
    )
    def test_paths_are_those_of_the_url(
        self, there: MemoryFileSystem, tmp_path: Path, zugwerk: Zugwerk, words: list[str]
    ) -> None:
        """But for the last line, which says where the files of this machine are."""
        zugwerk("turn", URL, "--direct")
        code, out, _ = zugwerk(words[0], URL, *words[1:])
        *lines, last = out.splitlines()
        assert code == 0
        assert f"{URL}/" in "".join(lines)
        assert last.startswith(f"Stored at {URL}; this machine has a copy in {tmp_path}")
        assert all(str(tmp_path) not in line or line == last for line in lines)


class TestSideBySide:
    def test_who_looks_does_not_wait_for_who_evaluates(
        self, there: MemoryFileSystem, zugwerk: Zugwerk
    ) -> None:
        """A run that waits a week for an answer, on this machine and on this game."""
        expected = zugwerk("history", URL)
        with opened(URL, writes=True):
            assert zugwerk("history", URL) == expected
            assert zugwerk("turn", URL, "--direct") == (
                4,
                "",
                f"zugwerk: {URL}: another process is evaluating this game\n",
            )

    def test_on_two_machines_the_lease_decides(
        self,
        there: MemoryFileSystem,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        zugwerk: Zugwerk,
    ) -> None:
        monkeypatch.setattr(lease, "BEAT_SECONDS", 0.02)
        monkeypatch.setattr(lease, "LOOK_SECONDS", 0.2)
        with opened(URL, writes=True):
            on_another_machine(monkeypatch, tmp_path / "other")
            code, _, err = zugwerk("turn", URL, "--direct")
            assert (code, "is evaluating this game (" in err) == (4, True)


class TestRefused:
    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (["history", "memory://spiele/nix"], 2, "no game here"),
            (["history", "file:///spiele/klein"], 2, "named by its path"),
            (["history", "wasser://spiele/klein"], 2, "Protocol not known: wasser"),
            (["turn", "memory://spiele/nix", "--direct"], 2, "no game here"),
            (["rollback", "memory://spiele/nix", "--to", "0", "--why", "x"], 2, "no game here"),
            (["sql", "memory://spiele/nix", "from units"], 2, "neither a game nor"),
            (["new", "memory://spiele/neu"], 2, "zugwerk copy FOLDER memory://spiele/neu"),
            (["demo", "memory://spiele/neu"], 2, "make the game in a folder"),
            (["ghost", "new", "memory://spiele/neu"], 2, "make the game in a folder"),
            (["copy", URL, URL], 2, "there is a game already"),
            (["copy", URL, f"{URL}/sub"], 2, "there is a game already (/spiele/klein)"),
            (["copy", URL, "memory://spiele"], 2, "is not empty, there is klein/game.toml"),
            (["copy", URL, "memory://spiele/x/.."], 2, "no URL of a game"),
            (["history", "memory://"], 2, "no URL of a game"),
            (["history", "memory://spiele//klein"], 2, "no URL of a game"),
            (["history", "simplecache::memory://spiele/klein"], 2, "no URL of a game"),
            (["history", "local:///spiele/klein"], 2, "named by its path"),
            (
                ["history", "s3://key:secret@spiele/klein"],
                2,
                "a URL with a password in it",
            ),
            (["copy", "memory://spiele/nix", "memory://spiele/neu"], 2, "no game here"),
            (["copy", URL, "s3:/spiele/neu"], 2, "did you mean s3://spiele/neu?"),
            (["turn", "memory:spiele/klein"], 2, "did you mean memory://spiele/klein?"),
            (["catalog", URL], 2, "choose its name with -o"),
            (["sql", URL, "copy (select 1) to 'memory://spiele/klein/x.csv'"], 2, "not allowed"),
        ],
    )
    def test_with_one_line(
        self,
        there: MemoryFileSystem,
        zugwerk: Zugwerk,
        words: list[str],
        code: int,
        message: str,
    ) -> None:
        before = objects(there, "memory://spiele")
        found, _, err = zugwerk(*words)
        assert (found, err.count("\n")) == (code, 1)
        assert message in err
        assert "secret" not in err
        assert without_leases(objects(there, "memory://spiele")) == without_leases(before)

    @pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
    def test_an_interrupted_copy_leaves_nothing_in_the_next(
        self,
        store: MemoryFileSystem,
        game: Path,
        monkeypatch: pytest.MonkeyPatch,
        share: float,
    ) -> None:
        """Turns were taken back and an order file was changed in between."""
        typed("turn", game, "--direct", "-q", "--until", "2")
        with monkeypatch.context() as killed:
            count_requests(killed, stop=int((len(digests(game)) - 1) * share))
            with pytest.raises(KilledError):
                typed("copy", game, URL)
        assert typed("history", URL) == 2
        store.rm("/spiele/klein/.lease", recursive=True)
        assert typed("rollback", game, "--to", "1", "--why", "x") == 0
        (game / "orders/1/ALT_SPZ.txt").write_text("")
        assert typed("copy", game, URL) == 0
        assert objects(store) == digests(game)
        assert not store.exists("/spiele/klein/.copying")

    def test_of_two_copies_at_once_one_is_there(
        self, store: MemoryFileSystem, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other one looked while the place was free still, and got the lease afterwards."""
        leased, other = lease.leased, write_game(tmp_path / "other")
        (other / "orders/1/ALT_SPZ.txt").unlink()

        def late(*where: Any) -> Any:
            monkeypatch.setattr(lease, "leased", leased)
            on_another_machine(monkeypatch, tmp_path / "faster")
            assert typed("copy", game, URL) == 0
            return leased(*where)

        monkeypatch.setattr(lease, "leased", late)
        assert typed("copy", other, URL) == 2
        assert objects(store) == digests(game)

    def test_a_copy_onto_something(
        self, there: MemoryFileSystem, tmp_path: Path, zugwerk: Zugwerk
    ) -> None:
        code, _, err = zugwerk("copy", URL, tmp_path)
        assert (code, "is there already" in err) == (2, True)

    def test_a_store_that_does_not_answer(
        self, there: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, zugwerk: Zugwerk
    ) -> None:
        def silent(*_: object, **__: object) -> None:
            raise RuntimeError("no route to host")

        monkeypatch.setattr(MemoryFileSystem, "find", silent)
        code, _, err = zugwerk("history", URL)
        assert (code, err) == (1, f"zugwerk: {URL}: RuntimeError: no route to host\n")


class TestWhatIsFetched:
    def test_a_turn_fetches_the_last_two_and_only_what_is_new(
        self, there: MemoryFileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        typed("turn", URL, "--direct", "-q", "--until", "4")
        on_another_machine(monkeypatch, tmp_path / "other")
        fetched = []
        get = remote.Remote._get
        monkeypatch.setattr(
            remote.Remote, "_get", lambda self, path: [fetched.append(path), get(self, path)]
        )
        typed("turn", URL, "--direct", "-q")
        tables = {path.split("/")[1] for path in fetched if path.endswith(".parquet")}
        assert tables == {"turn=0003", "turn=0004", *MAP_FILES}
        assert {f"history/turn={n:04d}/manifest.json" for n in range(5)} < set(fetched)
        assert {path.split("/")[1] for path in fetched if path.startswith("reports/")} == {"0004"}
        fetched.clear()
        typed("turn", URL, "--direct", "-q")
        assert fetched == []
        typed("history", URL)
        assert {path.split("/")[1] for path in fetched if path.startswith("history/")} == {
            f"turn={number:04d}" for number in range(7)
        }

    def test_several_games_and_a_half_stored_turn(
        self, there: MemoryFileSystem, tmp_path: Path, zugwerk: Zugwerk
    ) -> None:
        """An analyst sees the turns that have a manifest, of every game below the URL."""
        second = write_game(tmp_path / "zweites")
        zugwerk("copy", second, "memory://spiele/zweites")
        zugwerk("turn", URL, "--direct", "-q")
        base = "/spiele/klein/history"
        content = there.cat_file(f"{base}/turn=0001/units.parquet")
        there.pipe_file(f"{base}/turn=0002/units.parquet", content)
        query = "select game, turn, count(*) as n from units group by all order by all"
        found = json.loads(zugwerk("sql", "memory://spiele", query, "--format", "json")[1])
        assert [(row["game"], row["turn"]) for row in found] == [
            ("klein", 0),
            ("klein", 1),
            ("zweites", 0),
        ]
        assert json.loads(zugwerk("history", URL, "--json")[1])[-1]["turn"] == 1


def count_requests(monkeypatch: pytest.MonkeyPatch, stop: int | None = None) -> list[str]:
    """The paths that are written or deleted at the store from now on; killed at number `stop`."""
    paths: list[str] = []
    request = remote.Remote._request

    def counted(self: remote.Remote, phase: Phase, mine: lease.Lease, path: str) -> None:
        if len(paths) == stop:
            monkeypatch.setattr(lease.Lease, "release", lambda self: None)
            raise KilledError
        paths.append(path)
        request(self, phase, mine, path)

    monkeypatch.setattr(remote, "_THREADS", 1)
    monkeypatch.setattr(remote.Remote, "_request", counted)
    return paths


def twice(work: Callable[[], object]) -> object:
    """One more attempt after an error of the network."""
    try:
        return work()
    except OSError:
        return work()


def without_leases(found: dict[str, str]) -> dict[str, str]:
    """Of several games; those of one are left out by `objects`."""
    return {name: digest for name, digest in found.items() if "/.lease/" not in name}


def seen_turns() -> list[int]:
    """The turns that a fresh working copy has."""
    with opened(URL) as root:
        return [int(path.name[5:]) for path in (root / "history").iterdir()]
