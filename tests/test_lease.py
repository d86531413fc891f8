"""Who has a game at an object store: one at a time, whoever dies is passed over."""

from collections.abc import Iterator
from threading import Event

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from flows import lease
from flows.lease import Lease, leased
from flows.lock import GameLockedError
from flows.objects import created
from transforms.errors import InputError

BASE, URL = "/spiele/klein", "memory://spiele/klein"


class Forgetful(MemoryFileSystem):
    """A store that overwrites whatever it is asked to create."""

    def pipe_file(self, path: str, value: bytes, **_: object) -> None:
        super().pipe_file(path, value)


@pytest.fixture
def fs(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryFileSystem]:
    monkeypatch.setattr(lease, "BEAT_SECONDS", 0.02)
    monkeypatch.setattr(lease, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(lease, "PATIENCE_SECONDS", 0.5)
    fs = MemoryFileSystem(skip_instance_cache=True)
    fs.store.clear()
    yield fs
    fs.store.clear()


def numbers(fs: MemoryFileSystem) -> list[str]:
    names = [path.rpartition("/")[2] for path in sorted(fs.find(f"{BASE}/.lease"))]
    return [name for name in names if name != "once"]


def test_one_after_the_other(fs: MemoryFileSystem) -> None:
    for _ in range(3):
        with leased(fs, BASE, URL) as mine:
            mine.check()
    assert numbers(fs) == ["00000002.json", "00000003.json"]


def test_a_living_holder_is_left_alone(fs: MemoryFileSystem) -> None:
    """It is found out by its beats, long before patience ends."""
    with leased(fs, BASE, URL) as first:
        for _ in range(2):
            with (
                pytest.raises(GameLockedError, match="another process is evaluating"),
                leased(fs, BASE, URL),
            ):
                raise AssertionError
        first.check()


def test_a_dead_holder_is_passed_over_and_knows_it(
    fs: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lease, "keep", lambda self, done: done.wait(5))  # it beats no more
    with leased(fs, BASE, URL) as dead:
        with leased(fs, BASE, URL) as heir:
            heir.check()
            with pytest.raises(GameLockedError, match="has taken this game over"):
                dead.check()
        assert numbers(fs)[-1] == "00000002.json"
    with leased(fs, BASE, URL):  # the dead one's end has not released the heir's lease twice
        assert numbers(fs)[-1] == "00000003.json"


def test_a_holder_that_was_cut_off_goes_on_if_nobody_took_over(
    fs: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    with leased(fs, BASE, URL) as mine:
        with monkeypatch.context() as network:
            network.setattr(fs, "ls", lambda *_, **__: 1 / 0)  # it is down
            Event().wait(1)
            with pytest.raises(ZeroDivisionError):
                mine.check()
        mine.check()


@pytest.mark.parametrize("content", [b"", b"again", b"[]", b'{"holder": 7}', b"\xff"])
def test_a_lease_that_nobody_can_read_is_passed_over_too(
    fs: MemoryFileSystem, content: bytes
) -> None:
    fs.pipe_file(f"{BASE}/.lease/00000007.json", content)
    fs.pipe_file(f"{BASE}/.lease/notes.txt", b"")
    with leased(fs, BASE, URL):
        assert numbers(fs)[-2:] == ["00000008.json", "notes.txt"]


def test_of_two_that_begin_at_once_one_wins(
    fs: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen no lease; the other one creates the first number."""
    seen = lease._newest

    def newest(store: MemoryFileSystem, folder: str) -> int:
        found = seen(store, folder)
        created(store, f"{folder}/00000001.json", b'{"holder": "the other"}')
        return found

    monkeypatch.setattr(lease, "_newest", newest)
    with pytest.raises(GameLockedError, match="has just begun"), leased(fs, BASE, URL):
        raise AssertionError


def test_creating_twice_because_no_answer_came_is_no_conflict(fs: MemoryFileSystem) -> None:
    assert created(fs, "/a", b"mine")
    assert created(fs, "/a", b"mine")
    assert not created(fs, "/a", b"theirs")
    assert fs.cat_file("/a") == b"mine"


def test_a_store_that_cannot_create_only_once_is_refused(fs: MemoryFileSystem) -> None:
    """Not for ever: a better driver of the same store is taken."""
    forgetful = Forgetful(skip_instance_cache=True)
    for _ in range(2):
        with pytest.raises(InputError, match="only once"), leased(forgetful, BASE, URL):
            raise AssertionError
    assert numbers(fs) == []
    with leased(fs, BASE, URL):
        assert numbers(fs) == ["00000001.json"]
