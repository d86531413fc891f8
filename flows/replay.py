"""Turns of the hex game taken back and played again, and what becomes of their dice."""

from collections.abc import Iterator

from flows import store
from flows.game import Game
from flows.progress import Progress
from flows.questions import Ask
from flows.revisions import revision_in, stored_turn, versions
from flows.rollback import Dice, Entry, note, take_back
from flows.turn import TurnRunner
from transforms.errors import InputError


def roll_back(game: Game, to: int, why: str, who: str | None = None) -> Iterator[Entry]:
    """`take_back`, telling the dice of every turn and the promise for those that come instead.

    Errors: as for `take_back`.
    """

    def dice(number: int) -> Dice:
        folders = [*versions(game.root, number), store.history_dir(game.root, number)]
        used = max(revision_in(folder) for folder in folders)
        new = game.turn(number, used + 1).dice.commitment
        return Dice(stored_turn(game, number).dice.message, new)

    return take_back(game.root, to, why, who, dice)


def replay(
    game: Game, first: int, why: str, who: str | None, ask: Ask, progress: Progress
) -> Iterator[str]:
    """Roll back to before `first` and evaluate again up to the turn that was the last one.

    Yields a line per turn. If a turn fails, those before it stand, the replaced ones lie in
    revisions/, and `zugwerk turn` goes on. Errors: turn `first` was not evaluated; those of
    `take_back` and of a turn.
    """
    last = store.last_turn(game.root)
    if not 1 <= first <= last:
        raise InputError(f"{game.root}: turn {first} is not in the history, the last is {last}")
    for entry in list(roll_back(game, first - 1, why, who)):
        yield entry.words()
    for number in range(first, last + 1):
        TurnRunner(game, ask=ask, progress=progress).turn(number)
        folder = store.history_dir(game.root, number)
        entry = Entry("played", number, folder, Dice(stored_turn(game, number).dice.message))
        note(game.root, entry, why, who)
        yield entry.words()
