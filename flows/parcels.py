"""What a realm gets of a turn: its report, map, check, draws, and its own data as CSV."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from flows import outbox, store
from flows.game import Game
from transforms.errors import InputError
from transforms.own_data import OWN, own_data

_REPORTS = ("{code}.txt", "{code}.png", "{code}_pruefung.txt", "{code}_wuerfel.csv", "wuerfel.txt")


def pack_turn(game: Game, turn: int | None = None) -> list[outbox.Parcel]:
    """One zip per realm with reports of turn `turn` (default: the last) into the outbox.

    Errors: the reports of the turn are not written.
    """
    number = store.last_turn(game.root) if turn is None else turn
    store.turn_manifest(game.root, number)
    folder = store.reports_dir(game.root, number)
    if not folder.is_dir() or store.unpublished_mark(game.root, number).exists():
        raise InputError(f"{folder}: turn {number} is not published; run `zugwerk publish` first")
    tables = store.read_turn(game.root, number, OWN)
    realms = tables["realms"].filter(pl.col("code").is_not_null())
    parcels = {
        code: _contents(folder, tables, realm_id, code)
        for realm_id, code in realms.select("realm_id", "code").iter_rows()
        if (folder / f"{code}.txt").exists()
    }
    return outbox.pack(game.root, number, parcels)


def _contents(
    folder: Path, tables: Mapping[str, pl.DataFrame], realm_id: int, code: str
) -> dict[str, Path | bytes]:
    names = [name.format(code=code) for name in _REPORTS]
    reports = {name: folder / name for name in names if (folder / name).exists()}
    own = {
        f"{code}_{name}.csv": frame.write_csv().encode()
        for name, frame in own_data(tables, realm_id).items()
    }
    return {**reports, **own}
