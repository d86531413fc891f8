"""What happened to one unit in a turn: finds the unit and reads the tables of its story."""

import re

from flows import store
from flows.game import Game
from flows.intake import realm_of_code
from transforms.errors import InputError
from transforms.explain import TABLES, Event, explain

_UNIT = re.compile(r"(\d{1,5})@(.+)")


def explain_unit(game: Game, number: int, name: str) -> list[Event]:
    """The story of the unit `<number>@<CODE>` in turn `number`, sentence by sentence.

    Errors: no such turn, realm or unit.
    """
    tables = store.read_turn(game.root, number, TABLES)
    before = store.read_turn(game.root, number - 1, ["units"])["units"]
    if not (match := _UNIT.fullmatch(name)):
        raise InputError(f"{name}: a unit is written <number>@<CODE>, as 112@ABC")
    realm_id = realm_of_code(match[2], tables["realms"], name)
    for units in (before, tables["units"], tables["fallen"]):
        found = units.filter(realm_id=realm_id, number=int(match[1]))["unit_id"]
        if found.len():
            return explain(before, tables, found.item())
    raise InputError(f"{name}: no such unit in turn {number} or before it")
