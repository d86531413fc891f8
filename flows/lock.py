"""One process per game: an exclusive lock of the operating system, gone when its process ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK_NAME = ".lock"


class GameLockedError(Exception):
    """Another process works on this game right now."""


@contextmanager
def locked(root: Path, *, name: str = "", wait: bool = False) -> Iterator[None]:
    """Hold the game in folder `root` for the duration of the block.

    Errors: GameLockedError, which calls the game by its `name`, unless this process may `wait`.
    flock (msvcrt on Windows) dies with its process, also by kill -9; a lock file that merely
    exists would stay behind. A game at an object store has a lease instead (flows/lease.py).
    """
    handle = os.open(root / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _acquire(handle, wait)
        except OSError as error:
            text = f"{name or root}: another process is evaluating this game"
            raise GameLockedError(text) from error
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _acquire(handle: int, wait: bool) -> None:
        msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _acquire(handle: int, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
