"""Where a game lies: a folder, or a URL of an object store (s3://…, gs://…, az://…)."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO, TypeAlias, TypeVar

from flows.lock import locked
from transforms.errors import InputError

_ALMOST = re.compile(r"(s3|gs|gcs|az|abfs|memory):/?(?!/)", re.IGNORECASE)

T = TypeVar("T")
Attempt: TypeAlias = Callable[[Callable[[], Any]], Any]


def once(work: Callable[[], T]) -> T:
    """The attempt that is not tried again."""
    return work()


def is_url(place: str | Path) -> bool:
    """Is this a URL, and not a path?

    Errors: a URL that tells a password, which logs would keep; something that is almost a URL.
    """
    if almost := _ALMOST.match(text := str(place)):
        meant = f"{almost[1]}://{text[almost.end() :]}"
        raise InputError(f"{text}: neither a folder nor a URL; did you mean {meant}?")
    kind, separator, rest = text.partition("://")
    if separator and ":" in rest.partition("/")[0].rpartition("@")[0]:
        raise InputError(f"{kind}://…: a URL with a password in it; put that into the environment")
    return bool(separator)


@contextmanager
def opened(
    place: str | Path, *, writes: bool = False, next_turn: bool = False, attempt: Attempt = once
) -> Iterator[Path]:
    """The game folder of a place: itself, or for a URL a working copy of the game.

    Of a URL all is fetched, or only what the `next_turn` reads. A block that `writes` holds the
    game's lease, and what it has changed is stored when it ends without an error. Meanwhile paths
    are told as those of the URL. What may be tried again after an error of the network is given
    to `attempt`. Errors: no game there; GameLockedError.
    """
    if is_url(place):
        with _working_copy(str(place), writes, next_turn, attempt) as root:
            yield root
    else:
        if not (Path(place) / "game.toml").is_file():
            raise _no_game(place)
        yield Path(place)


@contextmanager
def _working_copy(url: str, writes: bool, next_turn: bool, attempt: Attempt) -> Iterator[Path]:
    from flows.lease import leased
    from flows.remote import connect

    remote = connect(url, "work" if writes else "look")
    if not attempt(remote.has_game):
        raise _no_game(url)
    with locked(remote.folder, name=url, wait=not writes), told_as(url, remote.working_copy):
        if writes:
            with leased(remote.fs, remote.base, url) as lease:
                attempt(lambda: remote.fetch(lease, next_turn=next_turn))
                yield remote.working_copy
                attempt(lambda: remote.store(lease))
        else:
            remote.fetch(next_turn=next_turn)
            yield remote.working_copy


@contextmanager
def told_as(url: str, root: Path) -> Iterator[None]:
    """Whatever is printed meanwhile, or said by an error, has the URL in place of `root`."""
    try:
        with redirect_stdout(_Renaming(sys.stdout, str(root), url.rstrip("/"))):  # type: ignore[type-var]
            yield
    except Exception as error:
        error.args = tuple(
            arg.replace(str(root), url.rstrip("/")) if isinstance(arg, str) else arg
            for arg in error.args
        )
        raise


class _Renaming:
    """An output that writes another word in place of one."""

    def __init__(self, output: TextIO, word: str, instead: str) -> None:
        self._output, self._word, self._instead = output, word, instead

    def write(self, text: str) -> int:
        return self._output.write(text.replace(self._word, self._instead))

    def __getattr__(self, name: str) -> object:
        return getattr(self._output, name)


def stored_line(url: str, root: Path) -> str:
    """Where the game at a URL is now, and its working copy; the last line of what a run tells."""
    return f"Stored at {url}; this machine has a copy in {root}"


def copy_game(source: str, target: str) -> None:
    """Copy a whole game from one place to another, where there is none yet.

    A URL is copied as it was at one time, also while a run has it. Errors: no game at `source`;
    something at `target`; GameLockedError, a process works on the folder `source` or on the
    URL `target`; a folder `target` inside of the folder `source`.
    """
    if not is_url(target) and Path(target).exists():
        raise InputError(f"{target}: is there already")
    if not is_url(target) and Path(source).resolve() in Path(target).resolve().parents:
        raise InputError(f"{target}: lies in the game {source}; choose another place")
    with opened(source) as root, locked(root):
        if is_url(target):
            _upload(root, target)
        else:
            folder = Path(target).resolve().parent
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(prefix=".zugwerk-", dir=folder) as beside:
                _copy(root, Path(beside) / "game").rename(target)


def _upload(root: Path, url: str) -> None:
    from flows.lease import leased
    from flows.remote import connect

    remote = connect(url, "work")
    remote.must_be_free()
    with locked(remote.folder, name=url), leased(remote.fs, remote.base, url) as lease:
        remote.must_be_free()  # another copy may have ended since
        remote.begin_copy()
        _copy(root, remote.working_copy)
        remote.store(lease)
        remote.end_copy()


def _copy(root: Path, target: Path) -> Path:
    return Path(shutil.copytree(root, target, ignore=shutil.ignore_patterns(".*")))


def _no_game(place: str | Path) -> InputError:
    return InputError(f"{place}: no game here (there is no game.toml)")
