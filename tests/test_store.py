"""The game folder: places, damage, one rename, one lock."""

import shutil
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from flows import store
from flows.lock import GameLockedError, locked
from flows.manifest import MANIFEST
from tests.conftest import FileSystem, KilledError, digests
from transforms import schema
from transforms.errors import InputError


def alliances(*pairs: tuple[int, int]) -> pl.DataFrame:
    """A small table."""
    rows = {"realm_id": [a for a, _ in pairs], "ally_id": [b for _, b in pairs]}
    return schema.shaped("alliances", pl.DataFrame(rows))


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are of POSIX")
def test_a_disk_without_room_is_told_with_the_file(tmp_path: Path) -> None:
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match=r"too large: .*x\.parquet"):
            store.write_table(tmp_path / "x.parquet", pl.DataFrame({"n": range(9999)}))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


class TestPlaces:
    @pytest.mark.parametrize("name", ["7", "07", "0007"])
    def test_orders_folder_with_and_without_zeros(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "orders" / name).mkdir(parents=True)
        (tmp_path / "orders" / "17").mkdir()
        assert store.orders_dir(tmp_path, 7) == tmp_path / "orders" / name

    def test_orders_folder_twice(self, tmp_path: Path) -> None:
        for name in ("7", "0007"):
            (tmp_path / "orders" / name).mkdir(parents=True)
        with pytest.raises(InputError, match="turn 7 is there twice: 0007 and 7"):
            store.orders_dir(tmp_path, 7)

    def test_no_orders_folder(self, tmp_path: Path) -> None:
        assert store.orders_dir(tmp_path, 7) is None

    def test_turns_are_sorted_by_number(self, tmp_path: Path) -> None:
        for name in ("turn=0002", "turn=10000", "turn=0010", "turn=x", "other"):
            (tmp_path / "history" / name).mkdir(parents=True)
        assert store.turns(tmp_path) == [2, 10, 10000]

    def test_turn_that_is_not_there(self, game: Path) -> None:
        with pytest.raises(InputError, match="turn 5 is not in the history; evaluated turns: 0"):
            store.read_turn(game, 5)


class TestTables:
    def test_equal_rows_give_equal_bytes(self, tmp_path: Path) -> None:
        frame = alliances((1, 2), (2, 1))
        pieces = pl.concat([frame[:1], frame[1:]], rechunk=False)
        first = store.write_table(tmp_path / "a.parquet", frame)
        second = store.write_table(tmp_path / "b.parquet", pieces)
        assert first.stored == second.stored
        assert store.read_table(first, "alliances").equals(frame)

    def test_truncated_file(self, tmp_path: Path) -> None:
        ref = store.write_table(tmp_path / "a.parquet", alliances((1, 2), (2, 1)))
        ref.path.write_bytes(ref.path.read_bytes()[:-20])
        with pytest.raises(InputError, match=r"a.parquet: the file was changed or damaged"):
            store.read_table(ref, "alliances")
        with pytest.raises(InputError, match=r"a.parquet: not a readable Parquet file"):
            store.read_foreign(ref.path, "alliances")

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"a.parquet: the table is missing"):
            store.read_foreign(tmp_path / "a.parquet", "alliances")

    def test_foreign_file_breaks_a_rule(self, tmp_path: Path) -> None:
        ref = store.write_table(tmp_path / "a.parquet", alliances((1, 1)))
        with pytest.raises(InputError, match="not_with_itself"):
            store.read_foreign(ref.path, "alliances")

    def test_place_copies_where_the_disk_has_no_links(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_links(source: Path, target: Path) -> None:
            raise OSError(1, "Operation not permitted")

        monkeypatch.setattr(store.os, "link", no_links)
        ref = store.write_table(tmp_path / "x" / "y" / "a.parquet", alliances((1, 2)))
        placed = store.place(ref, tmp_path / "z" / "a.parquet")
        assert placed.path.read_bytes() == ref.path.read_bytes()

    def test_turns_share_no_file(self, tmp_path: Path) -> None:
        ref = store.write_table(tmp_path / "history" / "turn=0001" / "a.parquet", alliances((1, 2)))
        placed = store.place(ref, tmp_path / "work" / "a.parquet")
        assert placed.path.stat().st_ino != ref.path.stat().st_ino


class TestStart:
    def test_table_that_an_older_version_did_not_know_is_empty(self, game: Path) -> None:
        assert store.read_turn(game, 0, ["battles"])["battles"].equals(schema.empty("battles"))

    def test_counters_may_be_missing_in_a_foreign_start(self, game: Path) -> None:
        folder = store.history_dir(game, 0)
        (folder / MANIFEST).unlink()
        (folder / "counters.parquet").unlink()
        assert store.read_start(game)["counters"].rows() == [("unit", 5), ("building", 1)]

    def test_missing_table_in_a_foreign_start(self, game: Path) -> None:
        folder = store.history_dir(game, 0)
        (folder / MANIFEST).unlink()
        (folder / "realms.parquet").unlink()
        with pytest.raises(InputError, match=r"realms.parquet: the table is missing"):
            store.read_turn(game, 0)

    def test_damaged_manifest(self, game: Path) -> None:
        (store.history_dir(game, 0) / MANIFEST).write_text("{")
        with pytest.raises(InputError, match=r"manifest.json: damaged manifest"):
            store.read_turn(game, 0)


class TestCommit:
    def test_nothing_appears_when_the_block_fails(self, tmp_path: Path) -> None:
        target = tmp_path / "history" / "turn=0001"

        def fail() -> None:
            with store.staged(tmp_path, target) as stage:
                store.write_table(stage / "a.parquet", alliances((1, 2)))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert digests(tmp_path) == {}

    def test_history_is_never_overwritten(self, tmp_path: Path) -> None:
        target = tmp_path / "history" / "turn=0001"
        target.mkdir(parents=True)
        with pytest.raises(InputError, match="is there already"), store.staged(tmp_path, target):
            pass

    def test_replacing_is_old_or_new_or_gone_at_every_moment(
        self, tmp_path: Path, file_system: FileSystem
    ) -> None:
        for moment in range(1, 60):
            root = tmp_path / str(moment)
            target = root / "work" / "turn=0001"
            store.write_table(target / "a.parquet", alliances((1, 2)))
            old = digests(target)
            file_system.count = 0
            file_system.failing = lambda count, k=moment: KilledError() if count >= k else None
            try:
                with store.staged(root, target, replace=True) as stage:
                    store.write_table(stage / "a.parquet", alliances((3, 4)))
            except KilledError:
                file_system.failing = lambda count: None
                assert digests(target) in (old, {}, {"a.parquet": NEW})
            else:
                file_system.failing = lambda count: None
                assert digests(target) == {"a.parquet": NEW}
                return
        pytest.fail("the commit never came to its end")


@pytest.fixture(autouse=True, scope="module")
def _new_digest(tmp_path_factory: pytest.TempPathFactory) -> None:
    global NEW
    path = tmp_path_factory.mktemp("new") / "a.parquet"
    NEW = store.write_table(path, alliances((3, 4))).stored.sha256


NEW = ""


class TestLock:
    def test_second_holder_is_refused(self, tmp_path: Path) -> None:
        with (
            locked(tmp_path),
            pytest.raises(GameLockedError, match="another process"),
            locked(tmp_path),
        ):
            pass
        with locked(tmp_path):
            pass

    @pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
    def test_lock_dies_with_its_process(self, tmp_path: Path) -> None:
        code = (
            "import sys, time; from pathlib import Path; from flows.lock import locked\n"
            "with locked(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
        )
        holder = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(GameLockedError), locked(tmp_path):
            pass
        holder.kill()
        holder.wait()
        with locked(tmp_path):
            pass


def test_copied_game_reads_the_same(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, tmp_path / "other")
    for name, table in store.read_turn(game, 0).items():
        assert table.equals(store.read_turn(tmp_path / "other", 0)[name])
