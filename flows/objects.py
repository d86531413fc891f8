"""Object stores through fsspec: how one is reached, its errors, objects that are created once."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import fsspec
from fsspec import AbstractFileSystem
from fsspec.implementations.local import LocalFileSystem

from flows.lock import GameLockedError
from transforms.errors import InputError


def reached(url: str) -> tuple[AbstractFileSystem, str]:
    """The store of a URL, and what it calls the place there.

    Errors: no such kind of store, its driver is not installed, a folder as URL.
    """
    kind, _, place = url.rstrip("/").partition("://")
    if "::" in kind or not all(part.strip(".") for part in place.strip("/").split("/")):
        raise InputError(f"{url}: no URL of a game; as s3://bucket/game")
    try:
        fs, base = fsspec.url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        raise InputError(f"{url}: {error} (s3: pip install 'zugwerk[s3]')") from error
    except ValueError as error:
        raise InputError(f"{url}: {error}") from error
    except OSError as error:  # some drivers connect at once
        raise OSError(error.errno, error.strerror or str(error), url) from error
    if isinstance(fs, LocalFileSystem):
        raise InputError(f"{url}: a folder is named by its path, without {kind}://")
    return fs, base.rstrip("/")


@contextmanager
def answering(url: str) -> Iterator[None]:
    """Errors of a store and its network, whatever their kind, as those of a disk.

    An error that names a file is one of this machine and stays what it is.
    """
    try:
        yield
    except (InputError, GameLockedError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        if isinstance(error, PermissionError):
            raise InputError(f"{url}: the store refuses: {error}") from error
        if isinstance(error, FileNotFoundError):
            raise InputError(f"{url}: there is no such place, or it changed just now") from error
        raise OSError(errno.EIO, f"{type(error).__name__}: {error}", url) from error


def created(fs: AbstractFileSystem, path: str, content: bytes) -> bool:
    """Create an object; False if it is there with other content.

    One with the same content is our own: a client that heard no answer has asked twice.
    """
    try:
        fs.pipe_file(path, content, mode="create")
    except FileExistsError:
        return bool(fs.cat_file(path) == content)
    return True
