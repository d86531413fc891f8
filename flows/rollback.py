"""Turns taken back and played again: nothing is overwritten, and the log says who, when and why.

A replaced turn moves by one rename to revisions/ with its reports inside. The log has a row
before each move, so that a kill leaves a row too many and never one too few.
"""

import csv
import getpass
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from flows import store
from flows.game import Game
from flows.progress import Progress
from flows.questions import Ask
from flows.revisions import next_version, revision_in, stored_turn, versions
from flows.turn import TurnRunner
from transforms.errors import InputError

LOG = "log.csv"
_COLUMNS = ("when", "who", "why", "action", "turn", "folder", "dice", "new_commitment")
_REPORTS = "reports"


@dataclass(frozen=True)
class Entry:
    """One row of the log: a turn that is `replaced`, or `played` again in its place.

    `dice` is the message that was signed. `new_commitment` of a replaced turn promises the dice
    that it gets if it is played with other orders: tell it to the players before they hand in.
    """

    action: str
    turn: int
    folder: Path
    dice: str
    new_commitment: str = ""

    def line(self) -> str:
        """The entry in words."""
        if self.action == "played":
            return f"turn {self.turn} was played with the dice {self.dice}"
        return (
            f"turn {self.turn} lies in {self.folder} now (dice {self.dice}); with other orders "
            f"it gets new dice, their commitment: {self.new_commitment}"
        )


def roll_back(game: Game, to: int, why: str, who: str | None = None) -> Iterator[Entry]:
    """Move all turns after `to` to revisions/, the last one first; the caller holds the lock.

    May be repeated after a kill. Errors: no such turn, no reason.
    """
    if to not in (turns := store.turns(game.root)):
        raise InputError(f"{game.root}: turn {to} is not in the history, the last is {turns[-1]}")
    if not why.strip():
        raise InputError("why: the log needs a reason")
    return _moves(game, [turn for turn in reversed(turns) if turn > to], why, who)


def replay(
    game: Game, first: int, why: str, who: str | None, ask: Ask, progress: Progress
) -> Iterator[str]:
    """Roll back to before `first` and evaluate again up to the turn that was the last one.

    Yields a line per turn. If a turn fails, those before it stand, the replaced ones lie in
    revisions/, and `zugwerk turn` goes on.
    """
    last = store.last_turn(game.root)
    if not 1 <= first <= last:
        raise InputError(f"{game.root}: turn {first} is not in the history, the last is {last}")
    for entry in list(roll_back(game, first - 1, why, who)):
        yield entry.line()
    for number in range(first, last + 1):
        TurnRunner(game, ask=ask, progress=progress).turn(number)
        folder = store.history_dir(game.root, number)
        entry = Entry("played", number, folder, stored_turn(game, number).dice.message)
        _note(game.root, entry, why, who)
        yield entry.line()


def _moves(game: Game, turns: list[int], why: str, who: str | None) -> Iterator[Entry]:
    root = game.root
    for number in turns:
        folder, target = store.history_dir(root, number), next_version(root, number)
        used = [revision_in(path) for path in [*versions(root, number), folder]]
        entry = Entry(
            "replaced",
            number,
            target,
            stored_turn(game, number).dice.message,
            game.turn(number, max(used) + 1).dice.commitment,
        )
        _note(root, entry, why, who)
        store.remove(root, store.work_dir(root, number + 1))
        store.remove(root, store.work_dir(root, number))
        reports = store.reports_dir(root, number)
        if reports.is_dir():  # first into the folder of the turn, so that one rename takes both
            reports.rename(_free(folder / _REPORTS))
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


def _note(root: Path, entry: Entry, why: str, who: str | None) -> None:
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
        "dice": entry.dice,
        "new_commitment": entry.new_commitment,
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
