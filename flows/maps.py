"""Player maps of an evaluated turn, drawn apart from its reports."""

from pathlib import Path

from flows import store
from flows.game import read_game
from flows.publish import map_pictures
from flows.turn import turn_info
from transforms.errors import unknown


def write_maps(root: Path, turn: int | None, code: str | None, folder: Path) -> list[Path]:
    """Write <CODE>.png of each realm, or of the one with `code`, into `folder`; their paths.

    Errors: no such realm, no such turn.
    """
    game = read_game(root)
    number = store.last_turn(root) if turn is None else turn
    tables = {**store.read_turn(root, number), **store.read_map(root)}
    tables["turn_info"] = turn_info(game, game.turn(number))
    codes = sorted(tables["realms"]["code"].drop_nulls())
    wanted = code.strip().upper() if code else None
    if wanted is not None and wanted not in codes:
        raise unknown(str(root), "realm", str(code), codes)
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, content in map_pictures(tables, game.rules, game.name, wanted):
        (folder / name).write_bytes(content)
        paths.append(folder / name)
    return paths
