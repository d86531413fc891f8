"""A game at an object-store URL: the files of a game folder, evaluated in a working copy.

Below the URL lies what lies in a game folder, under the same names, so any tool may put order
files there, read the history or copy it all. Only how a turn becomes visible is different, since
object stores cannot rename: a turn folder is there when its manifest is (flows/commits.py).
"""

import errno
import json
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from fsspec import AbstractFileSystem

from flows.commits import Phase, complete, for_next_turn, phases
from flows.lease import Lease
from flows.objects import answering, created, reached
from flows.prefect_settings import cache_folder
from flows.store import write_whole
from transforms.errors import InputError

_BEGUN = ".copying"  # stands where a copy has begun and not ended
_THREADS = 16
_TRIES = 3
_TAGS = ("ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "created")


@dataclass(frozen=True)
class Remote:
    """The game at `url`, which `fs` calls `base`; `folder` is this machine's place for it."""

    url: str
    fs: AbstractFileSystem
    base: str
    folder: Path

    @property
    def working_copy(self) -> Path:
        """The working copy, a game folder."""
        return self.folder / "game" / PurePosixPath(self.base).name

    def has_game(self) -> bool:
        """Is there a game at the URL?"""
        with answering(self.url):
            return bool(self.fs.exists(f"{self.base}/game.toml"))

    def fetch(self, lease: Lease | None = None, *, next_turn: bool = False) -> None:
        """Make the working copy what lies at the URL: all of it, or what the `next_turn` reads.

        What is here already is not fetched again. With the `lease` what a killed process left of
        a turn to come is removed; without it all is fetched once more if it changed meanwhile.
        Errors: a turn that has lost its manifest, an object that cannot be a file.
        """
        with answering(self.url):
            listed = self._listed()
            for _ in range(_TRIES):
                there, rest = complete(listed)
                done = self._matches(for_next_turn(there) if next_turn else there)
                if done and lease is not None:
                    self._each(self._delete, rest)
                    return
                before, listed = listed, self._listed()
                if done and before == listed:
                    return
        raise OSError(errno.EBUSY, "the game changes again and again", self.url)

    def _matches(self, there: Mapping[str, str]) -> bool:
        """Make the working copy the objects `there`; False if one of them is gone by now."""
        for path in files_in(self.working_copy).keys() - there.keys():
            (self.working_copy / path).unlink()
        _remove_empty(self.working_copy)
        known, here = self._fetched(), files_in(self.working_copy)
        same = {path for path in here if known.get(path) == [there[path], *here[path]]}
        try:
            self._each(self._get, there.keys() - same)
        except FileNotFoundError:
            return False
        here = files_in(self.working_copy)
        self._note({path: [tag, *here[path]] for path, tag in there.items()})
        return True

    def must_be_free(self) -> None:
        """Errors: a game is there, or around it; something else that a copy would mix with."""
        with answering(self.url):
            around = [parent for parent in PurePosixPath(self.base).parents if parent.name]
            for place in (PurePosixPath(self.base), *around):
                if self.fs.exists(f"{place}/game.toml"):
                    raise InputError(f"{self.url}: there is a game already ({place})")
            if not self._copy_begun() and (found := self.below()):
                raise InputError(f"{self.url}: is not empty, there is {sorted(found)[0]}")

    def begin_copy(self) -> None:
        """Make room for a new game: forget the working copy, and a copy that was interrupted."""
        with answering(self.url):
            if self._copy_begun():
                self._each(self._delete, self.below())
            self.fs.pipe_file(f"{self.base}/{_BEGUN}", b"copying")
        shutil.rmtree(self.working_copy, ignore_errors=True)
        self._note({})

    def end_copy(self) -> None:
        """The new game is there."""
        with answering(self.url):
            self._delete(_BEGUN)

    def store(self, lease: Lease) -> None:
        """Bring what has changed in the working copy to the URL; may be tried again.

        Errors: GameLockedError when another process has taken the game over.
        """
        known, here = self._fetched(), files_in(self.working_copy)
        changed = {path for path in here if known.get(path, [])[1:] != here[path]}
        gone = known.keys() - here.keys()
        with answering(self.url):
            for phase in phases(changed, gone, known):
                with nullcontext() if phase.needed else suppress(Exception):
                    self._do(phase, lease)
        tags: dict[str, str] = {}
        with suppress(Exception):  # without them it is fetched again, no more
            tags = self._tags(changed)
        stored = {path: [tags.get(path), *here[path]] for path in changed}
        self._note({path: stored[path] if path in stored else known[path] for path in here})

    def _do(self, phase: Phase, lease: Lease) -> None:
        lease.check()
        request = partial(self._request, phase, lease)
        self._each(request, phase.paths, in_turn=phase.in_turn)

    def _request(self, phase: Phase, lease: Lease, path: str) -> None:
        """One request; whoever slept too long finds out before taking anything away."""
        if phase.in_turn or phase.what == "delete":
            lease.check()
        if phase.what == "delete":
            self._delete(path)
            return
        content = self._content(path)
        if phase.what == "put":
            self.fs.pipe_file(f"{self.base}/{path}", content)
            return
        while not created(self.fs, f"{self.base}/{path}", content):
            lease.check()  # so what is there came late, from a process that is dead
            self._delete(path)

    # ── single objects ──────────────────────────────────────────────────────────────────────

    def _each(
        self, do: Callable[[str], None], paths: Iterable[str], *, in_turn: bool = False
    ) -> None:
        with ThreadPoolExecutor(1 if in_turn else _THREADS) as pool:
            list(pool.map(do, paths))

    def _get(self, path: str) -> None:
        target = self.working_copy / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self.fs.get_file(f"{self.base}/{path}", str(target))

    def _delete(self, path: str) -> None:
        with suppress(FileNotFoundError):
            self.fs.rm_file(f"{self.base}/{path}")

    def _content(self, path: str) -> bytes:
        """A file of the working copy; a mark that stands only at the URL is empty."""
        file = self.working_copy / path
        return file.read_bytes() if file.exists() else b""

    # ── what lies there ─────────────────────────────────────────────────────────────────────

    def below(self, folder: str = "") -> dict[str, str]:
        """Path → tag of every object of the game, or below one of its folders."""
        found = self.fs.find(f"{self.base}/{folder}".rstrip("/"), detail=True)
        return self._counted(found.values())

    def _listed(self) -> dict[str, str]:
        listed = self.below()
        parents = {str(folder) for path in listed for folder in PurePosixPath(path).parents}
        if unfit := [path for path in listed if path in parents or "//" in path]:
            raise InputError(f"{self.url}/{unfit[0]}: an object that cannot be a file here")
        return listed

    def _tags(self, paths: Collection[str]) -> dict[str, str]:
        """The tags of these objects, with one listing per folder."""
        found: dict[str, str] = {}
        for folder in {path.rpartition("/")[0] for path in paths}:
            found |= self._counted(self.fs.ls(f"{self.base}/{folder}".rstrip("/"), detail=True))
        return {path: found[path] for path in found.keys() & set(paths)}

    def _counted(self, infos: Iterable[Mapping[str, Any]]) -> dict[str, str]:
        """Path → tag of the files among these objects, hidden ones left out."""
        named = {self._relative(info): info for info in infos if info["type"] == "file"}
        return {path: _tag(info) for path, info in named.items() if _counts(path)}

    def _copy_begun(self) -> bool:
        return bool(self.fs.exists(f"{self.base}/{_BEGUN}"))

    def _relative(self, info: Mapping[str, Any]) -> str:
        """The path in the game; that of a folder that a console made ends with a slash."""
        return str(info["name"]).removeprefix(self.base).removeprefix("/")

    # ── what was fetched ────────────────────────────────────────────────────────────────────

    def _fetched(self) -> dict[str, list[Any]]:
        """Path → tag of the object, size and time of the file, when the two were the same."""
        try:
            return dict(json.loads((self.folder / "fetched.json").read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError):
            return {}

    def _note(self, known: Mapping[str, list[Any]]) -> None:
        write_whole(self.folder / "fetched.json", json.dumps(known).encode())


def connect(url: str, purpose: Literal["look", "work"]) -> Remote:
    """The game at a URL. Errors: no such kind of store, its driver is not installed.

    Each purpose has a working copy of its own: a run that waits for an answer hinders nobody who
    looks.
    """
    kind, separator, rest = url.partition("://")
    url = kind.lower() + separator + rest
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
    """Is this a file of a game? Hidden ones are not, nor the folders that a console makes."""
    hidden = any(part.startswith(".") for part in path.split("/"))
    return bool(path) and not path.endswith("/") and not hidden


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
