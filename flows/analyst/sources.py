"""The games that an analyst asks: in a folder, or at the URL of an object store."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from fsspec import AbstractFileSystem

from flows import store
from flows.commits import complete, last_turn
from flows.game import Game, read_game
from flows.objects import answering
from flows.place import is_url, told_as
from flows.remote import Remote, connect, size_in
from transforms import schema
from transforms.errors import InputError

TURN_TABLES = (*schema.STATE, *schema.TURN)


@dataclass(frozen=True)
class Source:
    """A game as analysts see it: `name` is that of its folder, which no other game there has.

    `place`: its folder as an absolute path with /, or its URL. `tables`: those that have a file.
    """

    name: str
    game: Game
    place: str
    tables: frozenset[str]
    last_turn: int


def pattern(table: str) -> str:
    """Which files of a game are a table; `*` is the number of a turn."""
    by_turn = table in TURN_TABLES
    return f"history/turn=*/{table}.parquet" if by_turn else f"map/{table}.parquet"


def sources(place: str | Path) -> tuple[list[Source], "StoredObjects | None"]:
    """The game at a place, or every game that lies directly in it, by name.

    For a URL also the file system that its tables are read through. Errors: no game.
    """
    if is_url(place):
        return _at_url(connect(str(place), "look"))
    root = Path(place).resolve()
    found = [root] if (root / "game.toml").is_file() else _folders(root)
    if not found:
        raise InputError(f"{place}: neither a game nor a folder of games (no game.toml)")
    if os.sep == "/" and "\\" in "".join(map(str, found)):
        raise InputError(f"{place}: SQL cannot read from a folder with \\ in its path")
    return [_local(path) for path in found], None


def _folders(root: Path) -> list[Path]:
    return [path.parent for path in sorted(root.glob("*/game.toml"))]


def _local(root: Path) -> Source:
    tables = {t for t in (*TURN_TABLES, *store.MAP_TABLES) if any(root.glob(pattern(t)))}
    last = max(store.turns(root), default=0)
    return Source(root.name, read_game(root), root.as_posix(), frozenset(tables), last)


# ── object stores ───────────────────────────────────────────────────────────────────────────


class StoredObjects(AbstractFileSystem):
    """The tables of evaluated turns at an object store, as they were when the list was made.

    DuckDB finds nothing else through it and cannot write; a half stored turn is not in the list.
    """

    cachable = False

    def __init__(self, fs: AbstractFileSystem, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self.protocol = fs.protocol
        self._fs, self._sizes = fs, sizes

    def glob(self, path: str, **_: Any) -> list[str]:
        """Names of the objects that a pattern means."""
        wanted = self._fs._strip_protocol(path)
        return [name for name in self._sizes if fnmatchcase(name, wanted)]

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Name, size and kind of an object."""
        name = self._fs._strip_protocol(path)
        if name not in self._sizes:
            raise FileNotFoundError(path)
        return {"name": name, "size": self._sizes[name], "type": "file"}

    def modified(self, path: str) -> datetime:
        """When an object was changed: never, a turn of the history does not change."""
        return datetime.fromtimestamp(0, UTC)

    def open(self, path: str, mode: str = "rb", **_: Any) -> Any:
        """An object to read. Errors: anything else than reading, an object not in the list."""
        if mode != "rb":
            raise PermissionError(f"{path}: the history is only read")
        return self._fs.open(self.info(path)["name"], "rb")


def _at_url(remote: Remote) -> tuple[list[Source], StoredObjects]:
    with answering(remote.url):
        if remote.has_game():
            games = [remote]
        else:
            found = sorted(remote.fs.glob(f"{remote.base}/*/game.toml"))
            names = [PurePosixPath(name).parent.name for name in found]
            games = [connect(f"{remote.url.rstrip('/')}/{name}", "look") for name in names]
        if not games:
            raise InputError(f"{remote.url}: neither a game nor a folder of games (no game.toml)")
        # a turn that has lost its manifest is told from half a turn by its reports
        folders = ("history", "map", "reports")
        listed = [
            complete({p: t for f in folders for p, t in g.below(f).items()})[0] for g in games
        ]
        sizes = {
            f"{game.base}/{path}": size_in(tag)
            for game, tags in zip(games, listed, strict=True)
            for path, tag in tags.items()
            if PurePosixPath(path).match(pattern(PurePosixPath(path).stem))  # none of its steps/
        }
        stored = [_stored(g, tags) for g, tags in zip(games, listed, strict=True)]
    return stored, StoredObjects(remote.fs, sizes)


def _stored(remote: Remote, listed: Mapping[str, str]) -> Source:
    tables = {PurePosixPath(path).stem for path in listed if path.endswith(".parquet")}
    name = PurePosixPath(remote.base).name
    return Source(
        name, _settings(remote), remote.url.rstrip("/"), frozenset(tables), last_turn(listed)
    )


def _settings(remote: Remote) -> Game:
    """The game's settings, from game.toml and the files of rules/ alone."""
    with TemporaryDirectory() as folder, told_as(remote.url, Path(folder)):
        for path in ("game.toml", *remote.below("rules")):
            (Path(folder) / path).parent.mkdir(exist_ok=True)
            remote.fs.get_file(f"{remote.base}/{path}", str(Path(folder) / path))
        return read_game(Path(folder))
