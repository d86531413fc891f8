"""Positions, order files and whole games of Ghost-Diplomacy for the tests."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import polars as pl

from flows import store
from flows.ghost_game import GhostGame, read_ghost_game, write_settings
from flows.ghost_map import read_board
from flows.ghost_turn import GhostRunner
from transforms import schema
from transforms.diplomacy.board import Board
from transforms.diplomacy.knowledge import know
from transforms.diplomacy.rules import GhostRules
from transforms.diplomacy.rulings import Rulings, make_rulings


@cache
def board() -> Board:
    """The standard map."""
    return read_board("standard")


def rules(**rulings: object) -> GhostRules:
    """The standard map under these rulings."""
    return GhostRules(board(), make_rulings(rulings, "test") if rulings else Rulings())


def key(abbr: str) -> str:
    """Nth → NTH."""
    return str(board().provinces.filter(abbr=abbr)["province"].item())


def nation(code: str) -> str:
    """GB → ENGLAND."""
    return str(board().nations.filter(code=code)["nation"].item())


def units(**by_code: str) -> pl.DataFrame:
    """units(GB="F Nth, A Yor", R="F StP(sc)") → the table `units`; ÖU is OEU."""
    rows = []
    for code, texts in by_code.items():
        for text in texts.split(", "):
            letter, _, place = text.partition(" ")
            abbr, _, coast = place.rstrip(")").partition("(")
            unit = (len(rows) + 1, nation_of(code), letter, key(abbr), coast.upper() or None)
            rows.append(unit)
    columns = schema.schema_of("ghost.units")
    return schema.shaped("ghost.units", pl.DataFrame(rows, schema=columns, orient="row"))


def centres(**by_code: str) -> pl.DataFrame:
    """centres(GB="Edi, Lon") → the table `centres`, all others nobody's."""
    held = {
        key(abbr): nation_of(code) for code, text in by_code.items() for abbr in text.split(", ")
    }
    every = board().provinces.filter("centre").select("province")
    owner = pl.col("province").replace_strict(held, default=None, return_dtype=pl.String)
    return schema.shaped("ghost.centres", every.with_columns(nation=owner))


def nation_of(file_code: str) -> str:
    """OEU → AUSTRIA."""
    return str(board().nations.filter(file_code=file_code)["nation"].item())


def knowledge(
    units: pl.DataFrame, centres: pl.DataFrame, *, centre_sees_itself: bool = True
) -> pl.DataFrame:
    """What everybody knows of a position."""
    return know(
        units=units,
        centres=centres,
        waiting=schema.empty("ghost.dislodged"),
        provinces=board().provinces,
        borders=board().borders,
        centre_sees_itself=centre_sees_itself,
    )


def views(known: pl.DataFrame, file_code: str) -> dict[str, str]:
    """Abbreviation → what a nation reads there: own, free, no_foreign, or D-F."""
    named = known.filter(viewer=nation_of(file_code)).with_columns(
        abbr=rules().names.abbr(), code=rules().names.code()
    )
    return {
        row["abbr"]: f"{row['code']}-{row['unit_type']}"
        if row["status"] == "foreign"
        else row["status"]
        for row in named.iter_rows(named=True)
    }


def new_game(root: Path, settings: str = "") -> GhostGame:
    """A game on disk at turn 0, named Probe; `settings` are lines for [rulings]."""
    write_settings(root, "Probe", "standard", 1901)
    if settings:
        path = root / "game.toml"
        text = path.read_text(encoding="utf-8").partition("[rulings]")[0]
        path.write_text(f"{text}[rulings]\n{settings}\n", encoding="utf-8")
    game = read_ghost_game(root)
    GhostRunner(game).begin()
    return game


def hand_in(game: GhostGame, turn: int, files: Mapping[str, str]) -> None:
    """Write order files; `{"GB": "F Lon-Nth; F Edi-Nrg"}`, a line per `;`."""
    folder = game.root / "orders" / str(turn)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        lines = "\n".join(line.strip() for line in text.split(";"))
        (folder / f"{name}.txt").write_text(lines + "\n", encoding="utf-8")


def play(game: GhostGame, files: Mapping[str, str] | None = None) -> int:
    """Evaluate the next turn with these order files, without pictures; its number."""
    number = store.last_turn(game.root) + 1
    hand_in(game, number, files or {})
    runner = GhostRunner(game)
    runner.execute(number)
    return number
