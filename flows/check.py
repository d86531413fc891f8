"""What the game would do with one order file: the report that a player can have beforehand."""

from dataclasses import dataclass
from pathlib import Path

from flows import store
from flows.game import Game
from flows.intake import order_text_of_files, realm_of_code
from flows.steps import STEPS
from flows.tables import call
from transforms import schema

CHECK_STEPS = ("orders", "checks")  # a wrong cost is not decided here, only told


@dataclass(frozen=True)
class Checked:
    """The German report and how many lines count, are dropped, or count with a warning."""

    text: str
    accepted: int
    rejected: int
    warned: int


def check_file(game: Game, code: str, *paths: Path) -> Checked:
    """Read a file as the next orders of the realm `code`, against the last published state.

    Two files are one too many, and the report says so. Writes nothing. Errors: no such file, no
    such realm.
    """
    last = store.last_turn(game.root)
    tables = {**store.read_turn(game.root, last, schema.STATE), **store.read_map(game.root)}
    realm_id = realm_of_code(code, tables["realms"], str(game.root))
    for path in paths:
        path.stat()
    tables["order_texts"] = order_text_of_files(realm_id, paths)
    turn = game.turn(last + 1)
    for step in STEPS:
        if step.name in CHECK_STEPS:
            given = {n: tables[n] if n in tables else schema.empty(n) for n in step.reads}
            tables |= call(step, given, game.rules, turn)
    file = tables["order_files"].filter(realm_id=realm_id).row(0, named=True)
    text = "\n".join(tables["checks"].filter(realm_id=realm_id)["text"])
    return Checked(text, file["accepted"], file["rejected"], file["warned"])
