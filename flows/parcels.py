"""What a realm gets of a turn: its report, map, checks, draws, and its own data as CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from flows import outbox, store
from flows.check import check_file
from flows.csvs import for_excel, table_for_excel
from flows.game import Game
from flows.intake import order_files
from transforms.errors import InputError
from transforms.own_data import OWN, own_data
from transforms.rules import Rules

_REPORTS = ("{code}.txt", "{code}.png", "{code}_pruefung.txt", "{code}_wuerfel.csv", "wuerfel.txt")


def pack_turn(game: Game, turn: int | None = None) -> list[outbox.Parcel]:
    """One zip per realm with reports of turn `turn` (default: the last) into the outbox.

    In those of the last turn also the check of the orders for the next one, of realms that have
    handed them in already. Errors: the reports of the turn are not written; a file in the folder
    of the next orders that means nothing there.
    """
    number = store.last_turn(game.root) if turn is None else turn
    store.must_be_evaluated(game.root, number)
    store.turn_manifest(game.root, number)
    folder = store.reports_dir(game.root, number)
    if not folder.is_dir() or store.unpublished_mark(game.root, number).exists():
        raise InputError(f"{folder}: turn {number} is not published; run `zugwerk publish` first")
    tables = store.read_turn(game.root, number, OWN)
    realms = tables["realms"].filter(pl.col("code").is_not_null())
    is_last = number == store.last_turn(game.root)
    handed_in = order_files(game.root, number + 1, realms) if is_last else {}
    parcels = {
        code: _contents(folder, tables, realm_id, code, game.rules)
        | _next_check(game, number + 1, code, handed_in.get(realm_id, ()))
        for realm_id, code in realms.select("realm_id", "code").iter_rows()
        if (folder / f"{code}.txt").exists()
    }
    return outbox.pack(game.root, number, parcels)


def _next_check(game: Game, turn: int, code: str, files: Sequence[Path]) -> dict[str, Path | bytes]:
    if not files:
        return {}
    text = check_file(game, code, *files).text + "\n"
    return {outbox.NEXT_CHECK.format(code=code, turn=turn): text.encode()}


def _contents(
    folder: Path, tables: Mapping[str, pl.DataFrame], realm_id: int, code: str, rules: Rules
) -> dict[str, Path | bytes]:
    names = [name.format(code=code) for name in _REPORTS]
    reports: dict[str, Path | bytes] = {
        path.name: for_excel(path.read_bytes()) if path.suffix == ".csv" else path
        for path in (folder / name for name in names)
        if path.exists()
    }
    own = {
        f"{code}_{name}.csv": table_for_excel(frame)
        for name, frame in own_data(tables, realm_id, rules).items()
    }
    return reports | own
