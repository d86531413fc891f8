"""The turns of a game in one table: what `zugwerk history` shows."""

from pathlib import Path

import polars as pl

from flows import store
from flows.game import Game
from transforms.calendar import date_text


def history(game: Game) -> pl.DataFrame:
    """One row per evaluated turn: turn, date, units, realms, orders, battles, losses, reports.

    Losses are heads, by the environment and in battle together.
    """
    return pl.DataFrame([_row(game, number) for number in store.turns(game.root)])


def _row(game: Game, number: int) -> dict[str, object]:
    names = ("units", "order_lines", "losses", "battle_units")
    tables = store.read_turn(game.root, number, names)
    realms = tables["units"]["realm_id"].n_unique()
    losses = sum(int(tables[name]["losses"].sum()) for name in ("losses", "battle_units"))
    return {
        "turn": number,
        "date": date_text(game.turn(number).today, game.rules),
        "units": tables["units"].height,
        "realms": realms,
        "orders": tables["order_lines"].filter(status="accepted").height,
        "battles": tables["battle_units"]["hex_id"].n_unique(),
        "losses": losses,
        "reports": _reports(store.reports_dir(game.root, number)),
    }


def _reports(folder: Path) -> int:
    return sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0
