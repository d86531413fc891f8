"""In which order a working copy goes to an object store, so that a kill at any point is harmless.

Pure functions over paths of a game folder; flows/remote.py does what they say.
"""

import re
from collections.abc import Collection, Iterable, Mapping
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

    Turns that are taken back lie in revisions/ before their manifests go, the last turn first. A
    turn appears with its manifest, after all that it holds and before the turn that follows; a
    mark stands until its reports are there. A new game appears with its game.toml.
    """
    if "game.toml" in changed.difference(known):
        return [Phase("create", _sorted(changed - {"game.toml"})), Phase("put", ("game.toml",))]
    history = {path for path in changed | gone if path.startswith("history/")}
    manifests = sorted(filter(_commits, history), key=number_in)
    new = [path for path in manifests if path in changed]
    told = {path for path in changed if path.startswith("reports/")}
    late = {path for path in told if number_in(path) in map(number_in, new)}
    apart = changed - history - late
    replaced = history.intersection(known)
    found = [
        Phase("put", _sorted(path for path in apart if not _is_manifest(path))),
        Phase("put", _sorted(filter(_is_manifest, apart))),
        Phase("delete", tuple(p for p in reversed(manifests) if p in replaced), in_turn=True),
        Phase("delete", _sorted(replaced.difference(manifests))),
        Phase("create", _sorted((history & changed).difference(manifests))),
    ]
    for manifest in new:
        number = number_in(manifest)
        mark = {store.unpublished_mark(Path(), number).as_posix()} - changed
        found += [
            Phase("put", _sorted(mark)),
            Phase("create", (manifest,)),
            Phase("put", _sorted(path for path in late if number_in(path) == number)),
            Phase("delete", _sorted(mark)),
        ]
    found.append(Phase("delete", _sorted(gone - history)))
    return [phase for phase in found if phase.paths]


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths))


def _is_manifest(path: str) -> bool:
    return path.endswith(f"/{MANIFEST}")


def _commits(path: str) -> bool:
    """Is this the manifest of an evaluated turn?"""
    return path.startswith("history/") and _is_manifest(path)


def number_in(path: str) -> int:
    """The first number of a path in the game folder, which is that of its turn; 0 without one."""
    number = re.search(r"\d+", path)
    return int(number[0]) if number else 0
