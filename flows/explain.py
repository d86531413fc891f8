"""What happened to one unit in a turn: finds the unit and reads the tables of its story."""

import re
from dataclasses import dataclass
from pathlib import Path

from flows import store
from flows.game import Game
from flows.intake import realm_of_code
from transforms.errors import InputError
from transforms.explain import TABLES, Event, explain

_UNIT = re.compile(r"(\d{1,5})@(.+)")


def explain_unit(game: Game, turn: int | None, name: str) -> list[Event]:
    """The story of the unit `<number>@<CODE>` in a turn, by default its last, sentence by sentence.

    Errors: no such turn, realm or unit.
    """
    if not (match := _UNIT.fullmatch(name)):
        raise InputError(f"{name}: a unit is written <number>@<CODE>, as 112@ABC")
    last = store.last_turn(game.root) if turn is None else turn
    store.must_be_evaluated(game.root, last)
    realms = store.read_turn(game.root, last, ["realms"])["realms"]
    unit = _Unit(game.root, realm_of_code(match[2], realms, name), int(match[1]))
    at = unit.last_turn() if turn is None else turn
    if at is None or (unit_id := unit.id_in(at)) is None:
        raise InputError(f"{name}: {unit.missing(turn)}")
    before = store.read_turn(game.root, at - 1, ["units"])["units"]
    return explain(before, store.read_turn(game.root, at, TABLES), unit_id)


@dataclass(frozen=True)
class _Unit:
    """A unit as players name it, looked up in the turns of a game."""

    root: Path
    realm_id: int
    number: int

    def id_in(self, turn: int) -> int | None:
        """Its id where it was there before the turn or after it, or fell in it."""
        places = ((turn - 1, "units"), (turn, "units"), (turn, "fallen"))
        ids = (self._id(at, table) for at, table in places)
        return next((unit_id for unit_id in ids if unit_id is not None), None)

    def last_turn(self) -> int | None:
        """The last turn that it was in; None without one."""
        turns = reversed(store.turns(self.root))
        return next((turn for turn in turns if turn and self.id_in(turn)), None)

    def missing(self, turn: int | None) -> str:
        """Why a turn, or every turn, has nothing to tell about it."""
        last = self.last_turn()
        if last is None:
            return "no such unit in any turn"
        end = "it fell in" if self._id(last, "fallen") is not None else "it was last there in"
        return f"no such unit in turn {turn} or before it; {end} turn {last}"

    def _id(self, turn: int, table: str) -> int | None:
        rows = store.read_turn(self.root, turn, [table])[table]
        found = rows.filter(realm_id=self.realm_id, number=self.number)["unit_id"]
        return found.item() if found.len() else None
