"""Who has a game at an object store: numbered leases, each an object that is created only once.

An object store has no lock that ends with its process. The lease with the highest number counts.
Its holder changes it every few seconds; one that stays the same for PATIENCE_SECONDS, by the clock
of whoever waits, is dead, and the next number takes its place. No two clocks are compared.
"""

import json
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from threading import Event, Thread
from time import monotonic, sleep
from uuid import uuid4

from fsspec import AbstractFileSystem

from flows.lock import GameLockedError
from flows.objects import answering, created
from transforms.errors import InputError

_FOLDER = ".lease"  # hidden, so no file of the game
_NAME = re.compile(r"(\d{8,})\.json")
_RELEASED = b"{}"
BEAT_SECONDS = 10.0
PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 2.0


@contextmanager
def leased(fs: AbstractFileSystem, base: str, url: str) -> Iterator["Lease"]:
    """Hold the game at `base` for the duration of the block.

    Errors: GameLockedError, another process holds it (found out within two beats); the store
    cannot create an object only once.
    """
    with answering(url):
        _must_create_once(fs, f"{base}/{_FOLDER}/once", url)
        lease = _acquired(fs, f"{base}/{_FOLDER}", url)
    done = Event()
    beating = Thread(target=lease.keep, args=(done,), daemon=True)
    beating.start()
    try:
        yield lease
    finally:
        done.set()
        beating.join()
        with suppress(Exception):  # without it the next holder waits, no more
            lease.release()


@dataclass
class Lease:
    """One numbered lease: `token` is nobody else's, `beats` says that its holder lives."""

    fs: AbstractFileSystem
    folder: str
    url: str
    number: int
    token: str = field(default_factory=lambda: uuid4().hex)
    beats: int = 0

    @property
    def content(self) -> bytes:
        """What stands in the lease now."""
        holder = f"{socket.gethostname()}, process {os.getpid()}"
        return json.dumps({"holder": holder, "token": self.token, "beats": self.beats}).encode()

    def keep(self, done: Event) -> None:
        """Beat until `done`; an outage is tried again, a lost lease is left alone."""
        while not done.wait(BEAT_SECONDS):
            with suppress(Exception):
                if _newest(self.fs, self.folder) != self.number:
                    return
                self.beats += 1
                self.fs.pipe_file(_path(self.folder, self.number), self.content)

    def check(self) -> None:
        """Errors: GameLockedError, another process has taken the game over."""
        if _newest(self.fs, self.folder) != self.number:
            raise GameLockedError(f"{self.url}: another process has taken this game over")

    def release(self) -> None:
        """Let the next one begin at once."""
        self.check()
        self.fs.pipe_file(_path(self.folder, self.number), _RELEASED)


def _must_create_once(fs: AbstractFileSystem, path: str, url: str) -> None:
    """Errors: of two that create an object the second one overwrites it."""
    created(fs, path, b"once")  # or it is there, whatever a worse driver has left in it
    if created(fs, path, uuid4().hex.encode()):
        raise InputError(f"{url}: this store cannot create an object only once; it is not usable")


def _acquired(fs: AbstractFileSystem, folder: str, url: str) -> Lease:
    newest = _newest(fs, folder)
    if newest and (holder := _living_holder(fs, _path(folder, newest))):
        raise GameLockedError(f"{url}: another process is evaluating this game ({holder})")
    lease = Lease(fs, folder, url, newest + 1)
    path = _path(folder, lease.number)
    mine = created(fs, path, lease.content)
    if not mine or _newest(fs, folder) != lease.number:
        raise GameLockedError(f"{url}: another process has just begun to evaluate this game")
    for older in range(max(newest - 1, 1), newest):  # the last one stays: numbers must not restart
        with suppress(FileNotFoundError):
            fs.rm_file(_path(folder, older))
    return lease


def _living_holder(fs: AbstractFileSystem, path: str) -> str:
    """Who holds the lease; empty if it is released, or nothing happens to it for too long."""
    first = now = _read(fs, path)
    deadline = monotonic() + PATIENCE_SECONDS
    while now == first and now != _RELEASED and monotonic() < deadline:
        sleep(LOOK_SECONDS)
        now = _read(fs, path)
    if now in (first, _RELEASED):
        return ""
    try:
        return str(json.loads(now)["holder"])
    except (ValueError, KeyError, TypeError):
        return "unknown"


def _read(fs: AbstractFileSystem, path: str) -> bytes:
    try:
        return bytes(fs.cat_file(path))
    except FileNotFoundError:  # its holder has released it, and others went on since
        return _RELEASED


def _newest(fs: AbstractFileSystem, folder: str) -> int:
    """The highest number of a lease; 0 if there is none."""
    try:
        names = fs.ls(folder, detail=False)
    except FileNotFoundError:
        return 0
    found = (_NAME.fullmatch(PurePosixPath(name).name) for name in names)
    return max((int(name[1]) for name in found if name), default=0)


def _path(folder: str, number: int) -> str:
    return f"{folder}/{number:08d}.json"
