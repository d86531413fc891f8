"""Where a game lies: a folder, or a URL of an object store (s3://…, gs://…, az://…)."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flows.lock import locked
from transforms.errors import InputError


def is_url(place: str | Path) -> bool:
    """Is this a URL, and not a path?"""
    return "://" in str(place)


@contextmanager
def opened(place: str | Path, *, writes: bool = False, next_turn: bool = False) -> Iterator[Path]:
    """The game folder of a place: itself, or for a URL a working copy of the game.

    Of a URL all is fetched, or only what the `next_turn` reads. A block that `writes` holds the
    game's lease, and what it has changed is stored when it ends without an error.
    Errors: no game there; GameLockedError.
    """
    if not is_url(place):
        if not (Path(place) / "game.toml").is_file():
            raise InputError(f"{place}: no game here (there is no game.toml)")
        yield Path(place)
        return
    from flows.lease import leased
    from flows.remote import connect

    remote = connect(str(place))
    with locked(remote.folder):
        if not writes:
            remote.fetch("next turn" if next_turn else "all")
            yield remote.copy
            return
        with leased(remote.fs, remote.base, remote.url) as lease:
            remote.fetch("next turn" if next_turn else "all", clean=True)
            yield remote.copy
            remote.store(lease)


def copy_game(source: str, target: str) -> None:
    """Copy a whole game from one place to another, where there is none yet.

    Errors: no game at `source`; something at `target`.
    """
    if is_url(target):
        _upload(source, target)
        return
    if Path(target).exists():
        raise InputError(f"{target}: is there already")
    part = Path(f"{target}.part")
    shutil.rmtree(part, ignore_errors=True)
    with opened(source) as root, locked(root):
        _copy(root, part)
    part.rename(target)


def _upload(source: str, url: str) -> None:
    from flows.lease import leased
    from flows.remote import connect

    remote = connect(url)
    with locked(remote.folder), leased(remote.fs, remote.base, remote.url) as lease:
        remote.begin()
        with opened(source) as root, locked(root):
            _copy(root, remote.copy)
        remote.store(lease)


def _copy(root: Path, target: Path) -> None:
    shutil.copytree(root, target, ignore=shutil.ignore_patterns(".*"))
