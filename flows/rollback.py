"""Turns of any game taken back: nothing is overwritten, and the log says who, when and why.

A replaced turn moves by one rename to revisions/ with its reports inside. The log has a row
before each move, so that a kill leaves a row too many and never one too few.
"""

import csv
import getpass
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flows import outbox, store
from flows.revisions import next_version
from transforms.errors import InputError

LOG = "log.csv"
_COLUMNS = ("when", "who", "why", "action", "turn", "folder", "dice", "new_commitment")
REPORTS = "reports"  # in the folder of a replaced turn


@dataclass(frozen=True)
class Dice:
    """The message that a turn's dice were signed with, and the promise if others take its place.

    Empty in a game without dice. Tell the players the promise before they hand in again.
    """

    message: str = ""
    new_commitment: str = ""


@dataclass(frozen=True)
class Entry:
    """One row of the log: a turn that is `replaced`, or `played` again in its place."""

    action: str
    turn: int
    folder: Path
    dice: Dice = Dice()
    parcels: int = 0  # how many were packed of it

    def words(self) -> str:
        """What the game master is told of it: a line, or two with `parcels`."""
        if self.action == "played":
            return f"turn {self.turn} was played with the dice {self.dice.message}"
        text = f"turn {self.turn} lies in {self.folder} now"
        if self.dice.message:
            text += (
                f" (dice {self.dice.message}); with other orders it gets new dice, "
                f"their commitment: {self.dice.new_commitment}"
            )
        if self.parcels:
            counts = f"parcels packed of it: {self.parcels}"
            text += f"\nturn {self.turn}: {counts}; `pack` will say which go out again"
        return text


def take_back(
    root: Path, to: int, why: str, who: str | None = None, dice: Callable[[int], Dice] | None = None
) -> Iterator[Entry]:
    """Move all turns after `to` to revisions/, the last one first; the caller holds the lock.

    `dice` tells those of a turn. May be repeated after a kill. Errors: no such turn, no reason.
    """
    if to not in (turns := store.turns(root)):
        raise InputError(f"{root}: turn {to} is not in the history, the last is {turns[-1]}")
    if not why.strip():
        raise InputError("why: the log needs a reason")
    # apart, so that errors come with the call and not with the first entry that is asked for
    return _moves(root, [turn for turn in reversed(turns) if turn > to], why, who, dice)


def _moves(
    root: Path,
    turns: list[int],
    why: str,
    who: str | None,
    dice: Callable[[int], Dice] | None,
) -> Iterator[Entry]:
    for number in turns:
        folder, target = store.history_dir(root, number), next_version(root, number)
        thrown = dice(number) if dice else Dice()
        entry = Entry("replaced", number, target, thrown, len(outbox.packed(root, number)))
        note(root, entry, why, who)
        store.remove(root, store.work_dir(root, number + 1))
        store.remove(root, store.work_dir(root, number))
        reports = store.reports_dir(root, number)
        if reports.is_dir():  # first into the folder of the turn, so that one rename takes both
            reports.rename(_free(folder / REPORTS))
        target.parent.mkdir(exist_ok=True)
        folder.rename(target)
        store.unpublished_mark(root, number).unlink(missing_ok=True)
        yield entry


def _free(path: Path) -> Path:
    """`path`, or with a number where a killed run has left one: nothing is overwritten."""
    number = 1
    while (found := path if number == 1 else path.with_name(f"{path.name}.{number}")).exists():
        number += 1
    return found


def note(root: Path, entry: Entry, why: str, who: str | None) -> None:
    """Append a row to revisions/log.csv and force it to the disk."""
    path = root / "revisions" / LOG
    path.parent.mkdir(exist_ok=True)
    row = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "who": who or _user(),
        "why": " ".join(why.split()),
        "action": entry.action,
        "turn": entry.turn,
        "folder": entry.folder.relative_to(root).as_posix(),
        "dice": entry.dice.message,
        "new_commitment": entry.dice.new_commitment,
    }
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow(row)
        file.flush()
        os.fsync(file.fileno())


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without an entry for its user
        return "unknown"
