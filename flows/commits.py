"""In which order a working copy goes to an object store, so that a kill at any point is harmless.

Pure functions over paths of a game folder; flows/remote.py does what they say.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flows import store
from flows.manifest import MANIFEST

_TURN = re.compile(r"((?:history|work|revisions)/turn=\d[^/]*)/")
_START = "history/turn=0000"  # another tool may have written it, without a manifest


@dataclass(frozen=True)
class Phase:
    """Paths that are put, created (an error if one is there already) or deleted, in any order.

    Unless they go `in_turn`: one after the other, in the order given.
    """

    what: Literal["put", "create", "delete"]
    paths: tuple[str, ...]
    in_turn: bool = False


def complete(listed: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """What counts of the objects listed, and the rest: turn folders that have no manifest."""

    def counts(path: str) -> bool:
        turn = _TURN.match(path)
        return not turn or turn[1] == _START or f"{turn[1]}/{MANIFEST}" in listed

    there = {path: tag for path, tag in listed.items() if counts(path)}
    return there, sorted(listed.keys() - there.keys())


def last_turn(listed: Collection[str]) -> int:
    """The last turn of the history that has a manifest; 0 if none has."""
    return max(map(number_in, filter(_commits, listed)), default=0)


def phases(changed: set[str], gone: set[str], known: Collection[str]) -> list[Phase]:
    """How to bring changed and gone files to the store, where `known` is what lies there.

    A turn appears with its manifest, after everything that it holds; turns that are taken back
    have gone to revisions/ before their manifests go, the last turn first. The mark of a turn
    without reports stands from before its manifest until the reports are there.
    """
    history = {path for path in changed | gone if path.startswith("history/")}
    manifests = sorted(filter(_commits, history), key=number_in)
    replaced = history & set(known)
    told = {path for path in changed if path.startswith("reports/")} | (changed & {"game.toml"})
    apart = changed - history - told
    new = [path for path in manifests if path in changed]
    marks = {_mark(path) for path in new[-1:]} - changed
    found = [
        Phase("put", (*sorted(path for path in apart if not _is_manifest(path)), *marks)),
        Phase("put", tuple(sorted(filter(_is_manifest, apart)))),
        Phase("delete", tuple(p for p in reversed(manifests) if p in replaced), in_turn=True),
        Phase("delete", tuple(sorted(replaced.difference(manifests)))),
        Phase("create", tuple(sorted((history & changed).difference(manifests)))),
        Phase("create", tuple(new), in_turn=True),
        Phase("put", tuple(sorted(told))),
        Phase("delete", tuple(sorted((gone - history) | marks))),
    ]
    return [phase for phase in found if phase.paths]


def _is_manifest(path: str) -> bool:
    return path.endswith(f"/{MANIFEST}")


def _commits(path: str) -> bool:
    """Is this the manifest of an evaluated turn?"""
    return path.startswith("history/") and _is_manifest(path)


def number_in(path: str) -> int:
    """The first number of a path in the game folder, which is that of its turn; 0 without one."""
    number = re.search(r"\d+", path)
    return int(number[0]) if number else 0


def _mark(manifest: str) -> str:
    return store.unpublished_mark(Path(), number_in(manifest)).as_posix()
