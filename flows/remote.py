"""A game at an object-store URL: the files of a game folder, evaluated in a working copy.

Below the URL lies what lies in a game folder, under the same names, so any tool may put order
files there, read the history or copy it all. Only how a turn becomes visible is different, since
object stores cannot rename: a turn folder is there when its manifest is (flows/commits.py).
"""

import json
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from fsspec import AbstractFileSystem

from flows.commits import complete, last_turn, number_in, phases
from flows.lease import Lease
from flows.lock import GameLockedError
from flows.manifest import MANIFEST
from flows.objects import answering, created, reached
from flows.prefect_settings import cache_folder
from transforms.errors import InputError

Scope = Literal["all", "next turn"]

_THREADS = 16
_TAGS = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")


@dataclass(frozen=True)
class Remote:
    """The game at `url`, which `fs` calls `base`; `folder` is this machine's place for it."""

    url: str
    fs: AbstractFileSystem
    base: str
    folder: Path

    @property
    def copy(self) -> Path:
        """The working copy, a game folder."""
        return self.folder / (PurePosixPath(self.base).name or "game")

    def has_game(self) -> bool:
        """Is there a game at the URL?"""
        with answering(self.url):
            return bool(self.fs.exists(f"{self.base}/game.toml"))

    def fetch(self, scope: Scope, *, clean: bool = False) -> None:
        """Make the working copy what lies at the URL: all of it, or what the next turn reads.

        What is here already is not fetched again. Whoever holds the lease may `clean`: remove
        what a killed process left of turns that never became visible.
        """
        with answering(self.url):
            there, rest = complete(self.below() if scope == "all" else self._for_next_turn())
            if clean:
                self._each(self._delete, rest)
            for path in files_in(self.copy).keys() - there.keys():
                (self.copy / path).unlink()
            known, here = self._fetched(), files_in(self.copy)
            same = {path for path in here if known.get(path) == [there[path], *here[path]]}
            self._each(self._get, there.keys() - same)
        _remove_empty(self.copy)
        here = files_in(self.copy)
        self._note({path: [tag, *here[path]] for path, tag in there.items()})

    def begin(self) -> None:
        """Forget the working copy. Errors: there is a game at the URL already."""
        if self.has_game():
            raise InputError(f"{self.url}: there is a game already")
        shutil.rmtree(self.copy, ignore_errors=True)
        self._note({})

    def store(self, lease: Lease) -> None:
        """Bring what has changed in the working copy to the URL.

        Errors: GameLockedError when another process has taken the game over.
        """
        known, here = self._fetched(), files_in(self.copy)
        changed = {path for path in here if known.get(path, [])[1:] != here[path]}
        gone = known.keys() - here.keys()
        with answering(self.url):
            for phase in phases(changed, gone, known):
                lease.check()
                work = {"put": self._put, "create": self._create, "delete": self._delete}
                self._each(work[phase.what], phase.paths, threads=1 if phase.in_turn else _THREADS)
            tags = self._tags(changed)
        self._note({path: [tags.get(path, known.get(path, [""])[0]), *here[path]] for path in here})

    def below(self, folder: str = "") -> dict[str, str]:
        """Path → tag of every object of the game, or below one of its folders."""
        found = self.fs.find(f"{self.base}/{folder}".rstrip("/"), detail=True)
        return self._counted(found.values())

    # ── single objects ──────────────────────────────────────────────────────────────────────

    def _each(
        self, do: Callable[[str], None], paths: Iterable[str], threads: int = _THREADS
    ) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(do, paths))

    def _get(self, path: str) -> None:
        target = self.copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.fs.get_file(f"{self.base}/{path}", str(target))

    def _put(self, path: str) -> None:
        self.fs.pipe_file(f"{self.base}/{path}", self._content(path))

    def _create(self, path: str) -> None:
        if not created(self.fs, f"{self.base}/{path}", self._content(path)):
            raise GameLockedError(f"{self.url}: another process has written {path}")

    def _delete(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self.fs.rm_file(f"{self.base}/{path}")

    def _content(self, path: str) -> bytes:
        """A file of the working copy; a mark that stands only at the URL is empty."""
        file = self.copy / path
        return file.read_bytes() if file.exists() else b""

    # ── what lies there ─────────────────────────────────────────────────────────────────────

    def _for_next_turn(self) -> dict[str, str]:
        """The last two turns, the reports of the last one, and everything that is of no turn."""
        top = self._children("")
        found = self._counted(top)
        read, turns = 0, self._folders(self._children("history"))
        for turn in sorted(turns, key=number_in, reverse=True):
            found |= self.below(turn)
            read += f"{turn}/{MANIFEST}" in found
            if read == 2:
                break
        told = self._folders(self._children("reports"))
        others = set(self._folders(top)) - {"history", "reports", "outbox"}
        for folder in (*others, *(f for f in told if number_in(f) >= last_turn(found))):
            found |= self.below(folder)
        return found

    def _children(self, folder: str) -> list[dict[str, Any]]:
        try:
            return list(self.fs.ls(f"{self.base}/{folder}".rstrip("/"), detail=True))
        except FileNotFoundError:
            return []

    def _folders(self, infos: Iterable[Mapping[str, Any]]) -> list[str]:
        return [self._relative(info) for info in infos if info["type"] == "directory"]

    def _tags(self, paths: Collection[str]) -> dict[str, str]:
        """The tags of these objects, with one listing per folder."""
        found: dict[str, str] = {}
        for folder in {path.rpartition("/")[0] for path in paths}:
            found |= self._counted(self._children(folder))
        return {path: found[path] for path in found.keys() & set(paths)}

    def _counted(self, infos: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        """Path → tag of the files among these objects, hidden ones left out."""
        files = {self._relative(info): info for info in infos if info["type"] == "file"}
        return {path: _tag(info) for path, info in files.items() if _counts(path)}

    def _relative(self, info: Mapping[str, Any]) -> str:
        return str(info["name"]).removeprefix(self.base).strip("/")

    # ── what was fetched ────────────────────────────────────────────────────────────────────

    def _fetched(self) -> dict[str, list[Any]]:
        """Path → tag of the object, size and time of the file, when the two were the same."""
        try:
            return dict(json.loads((self.folder / "fetched.json").read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError):
            return {}

    def _note(self, known: Mapping[str, list[Any]]) -> None:
        beside = self.folder / "fetched.json.new"
        beside.write_text(json.dumps(known), encoding="utf-8")
        beside.replace(self.folder / "fetched.json")


def connect(url: str, purpose: Literal["look", "work"]) -> Remote:
    """The game at a URL. Errors: no such kind of store, its driver is not installed.

    Each purpose has a working copy of its own: a run that waits for an answer hinders nobody who
    looks.
    """
    fs, base = reached(url)
    digest = sha256(url.rstrip("/").encode()).hexdigest()[:12]
    folder = cache_folder() / "games" / f"{PurePosixPath(base).name}-{digest}-{purpose}"
    folder.mkdir(parents=True, exist_ok=True)
    return Remote(url, fs, base, folder)


def files_in(folder: Path) -> dict[str, list[int]]:
    """Path → size and time of every file below a folder, hidden ones left out."""
    found = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    stats = {path: file.stat() for path, file in found.items() if _counts(path)}
    return {path: [stat.st_size, stat.st_mtime_ns] for path, stat in stats.items()}


def _counts(path: str) -> bool:
    return bool(path) and not any(part.startswith(".") for part in path.split("/"))


def _tag(info: Mapping[str, Any]) -> str:
    """What is different as soon as an object is another one."""
    return f"{info['size']} {next((info[key] for key in _TAGS if info.get(key)), '')}"


def size_in(tag: str) -> int:
    """The size of the object with this tag, in bytes."""
    return int(tag.partition(" ")[0])


def _remove_empty(folder: Path) -> None:
    """Object stores have no empty folders; here one would count as a turn."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
