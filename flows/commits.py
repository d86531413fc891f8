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
from transforms.errors import InputError

_TURN = re.compile(r"((?:history|work)/turn=\d{4,}|revisions/turn=\d{4,}\.r\d+)/")
_START = "history/turn=0000"  # another tool may have written it, without a manifest


@dataclass(frozen=True)
class Phase:
    """Paths that are put, created or deleted, in any order.

    An object is created where none is; one that is there all the same came late from a process
    that is dead, and is replaced. Unless the paths go `in_turn`: one after the other, in the order
    given. What is not `needed` may fail: the next turn makes up for it.
    """

    what: Literal["put", "create", "delete"]
    paths: tuple[str, ...]
    in_turn: bool = False
    needed: bool = True


def complete(listed: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """What counts of the objects listed, and what a killed process has left of a turn to come.

    A turn folder without its manifest does not count. Errors: one that has lost it, which is so
    if later turns or its reports are there.
    """
    folders = {path: _folder_without_manifest(path, listed) for path in listed}
    for folder in sorted(set(folders.values()) - {""}):
        number = number_in(folder)
        told = any(p.startswith("reports/") and number_in(p) == number for p in listed)
        if folder.startswith("history/") and (number <= last_turn(listed) or told):
            raise InputError(f"{folder}: its {MANIFEST} is missing; restore it from a backup")
    there = {path: tag for path, tag in listed.items() if not folders[path]}
    left = listed.keys() - there.keys()
    return there, sorted(path for path in left if not path.startswith("revisions/"))


def _folder_without_manifest(path: str, listed: Collection[str]) -> str:
    """The turn folder that a path is in, if that is incomplete; else an empty text."""
    turn = _TURN.match(path)
    if turn is None or turn[1] == _START or f"{turn[1]}/{MANIFEST}" in listed:
        return ""
    return turn[1]


def last_turn(listed: Collection[str]) -> int:
    """The last turn of the history that has a manifest; 0 if none has."""
    return max(map(number_in, filter(is_turn_manifest, listed)), default=0)


def for_next_turn(there: Mapping[str, str]) -> dict[str, str]:
    """What the next turn reads: the last two turns, the manifests of all, no old reports.

    Those of the last turn may have to be written once more, in place of what is there.
    """
    last = last_turn(there)
    two = sorted({number_in(path) for path in there if is_turn_manifest(path)})[-2:]

    def is_read(path: str) -> bool:
        folder, number = path.partition("/")[0], number_in(path)
        if folder == "history":
            return number >= min(two, default=0) or is_turn_manifest(path)
        return folder != "outbox" and (folder != "reports" or number >= last)

    return {path: tag for path, tag in there.items() if is_read(path)}


def phases(changed: set[str], gone: set[str], known: Collection[str]) -> list[Phase]:
    """How to bring changed and gone files to the store, where `known` is what lies there.

    First what belongs to no evaluated turn, revisions/ too; then turns are taken back, then turns
    appear, then what is gone is deleted. A new game appears with its game.toml.
    """
    if "game.toml" in changed.difference(known):
        return [Phase("create", _sorted(changed - {"game.toml"})), Phase("put", ("game.toml",))]
    history = {path for path in changed | gone if path.startswith("history/")}
    replaced, new = history.intersection(known), history & changed
    numbers = set(map(number_in, filter(is_turn_manifest, new)))
    reports = {p for p in changed if p.startswith("reports/") and number_in(p) in numbers}
    marks = {path for path in gone if path == _mark(number_in(path))}
    taken_back = _taken_back(replaced, known)
    deleted = {path for phase in taken_back for path in phase.paths}
    found = [
        *_apart(changed - history - reports, known),
        *taken_back,
        *_appearing(new, reports, changed),
        Phase("delete", _sorted(gone - deleted - marks)),
        Phase("delete", _sorted(marks), needed=False),
    ]
    return [phase for phase in found if phase.paths]


def _apart(changed: set[str], known: Collection[str]) -> list[Phase]:
    """A loaded turn that is replaced is not there meanwhile."""
    manifests = set(filter(_is_manifest, changed))
    return [
        Phase("delete", _sorted(manifests.intersection(known))),
        Phase("put", _sorted(changed - manifests)),
        Phase("put", _sorted(manifests)),
    ]


def _taken_back(replaced: set[str], known: Collection[str]) -> list[Phase]:
    """Reports go first, since a turn that has them has lost its manifest; the last turn first."""
    manifests = sorted(filter(is_turn_manifest, replaced), key=number_in, reverse=True)
    numbers = set(map(number_in, manifests))
    reports = (p for p in known if p.startswith("reports/") and number_in(p) in numbers)
    return [
        Phase("delete", _sorted(reports)),
        Phase("delete", tuple(manifests), in_turn=True),
        Phase("delete", _sorted(replaced.difference(manifests))),
    ]


def _appearing(new: set[str], reports: set[str], changed: set[str]) -> list[Phase]:
    """A turn appears after all that it holds and before the next; a mark says: no reports yet."""
    manifests = sorted(filter(is_turn_manifest, new), key=number_in)
    found = [Phase("create", _sorted(new.difference(manifests)))]
    for manifest in manifests:
        mark = {_mark(number_in(manifest))} - changed
        own = (path for path in reports if number_in(path) == number_in(manifest))
        found += [
            Phase("put", _sorted(mark)),
            Phase("create", (manifest,), in_turn=True),
            Phase("put", _sorted(own)),
            Phase("delete", _sorted(mark), needed=False),
        ]
    return found


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths))


def _mark(number: int) -> str:
    return store.unpublished_mark(Path(), number).as_posix()


def _is_manifest(path: str) -> bool:
    return path.endswith(f"/{MANIFEST}")


def is_turn_manifest(path: str) -> bool:
    """Is this the manifest of an evaluated turn?"""
    return path.startswith("history/") and _is_manifest(path) and bool(_TURN.match(path))


def number_in(path: str) -> int:
    """The first number of a path in the game folder, which is that of its turn; 0 without one."""
    number = re.search(r"\d+", path)
    return int(number[0]) if number else 0
