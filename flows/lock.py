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
def locked(root: Path) -> Iterator[None]:
    """Hold the game in folder `root` for the duration of the block. Errors: GameLockedError.

    flock (msvcrt on Windows) dies with its process, also by kill -9; a lock file that merely
    exists would stay behind. A game at an object store has a lease instead (flows/lease.py).
    """
    handle = os.open(root / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _acquire(handle)
        except OSError as error:
            raise GameLockedError(f"{root}: another process is evaluating this game") from error
        yield
    finally:
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _acquire(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _acquire(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
