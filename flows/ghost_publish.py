"""Publish: everything in reports/<turn> of a Ghost-Diplomacy game, made from its history.

Text, Excel file and picture of a nation are made of its rows of `knowledge`, its own centres and
orders, and the battles that everybody reads; only the game master's pages see the position.
"""

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from flows import store
from flows.csvs import read_table
from flows.ghost_game import GhostGame
from flows.ghost_turn import phase_of, read_tables
from flows.shipped import font_files, shipped
from transforms.diplomacy.board import Board
from transforms.diplomacy.gamemaster import gamemaster_text
from transforms.diplomacy.general import general_text
from transforms.diplomacy.knowledge import living
from transforms.diplomacy.national import national_texts
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.sheet import own_rows, province_rows, workbook
from transforms.diplomacy.steps import waiting_units
from transforms.diplomacy.words import nation_of
from transforms.errors import InputError

if TYPE_CHECKING:
    from flows.ghost_sandbox import Plan
    from transforms.diplomacy.chart import Paper, Scene

GENERAL, GM_TEXT, GM_PICTURE = "allgemein.txt", "spielleitung.txt", "spielleitung.png"
_BEFORE = ("phase", "units", "centres", "dislodged")
_FILTERED = ("orders", "results", "dislodged", "adjustments", "missing", "centres")


@dataclass(frozen=True)
class Evaluation:
    """The tables of one turn of a game, who reads about it, and how the phase is called."""

    game: GhostGame
    tables: Mapping[str, pl.DataFrame]
    readers: pl.DataFrame
    phase: Phase

    @property
    def title(self) -> str:
        """Name of the game and of the phase, over every picture."""
        return f"{self.game.name} – {self.phase.title}"


def evaluation(game: GhostGame, turn: int) -> Evaluation:
    """An evaluated turn from the history, ready to be told."""
    tables = read_tables(game, turn)
    before = read_tables(game, turn - 1, _BEFORE) if turn else tables
    return evaluation_of(game, tables, before)


def evaluation_of(
    game: GhostGame, tables: Mapping[str, pl.DataFrame], before: Mapping[str, pl.DataFrame]
) -> Evaluation:
    """A turn ready to be told; a nation that fell out this turn reads for the last time."""
    phase = phase_of(tables)
    alive = _living(game, tables, phase)
    readers = pl.concat([alive, _living(game, before, phase_of(before))]).unique().sort("viewer")
    out = ~pl.col("viewer").is_in(alive["viewer"].to_list())
    return Evaluation(game, tables, readers.with_columns(out=out), phase)


def publish(game: GhostGame, turn: int) -> list[Path]:
    """Write the reports of an evaluated turn and return their paths, sorted."""
    told = evaluation(game, turn)
    target = store.reports_dir(game.root, turn)
    staging = target.with_name(target.name + ".neu")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    for name, content in report_files(told):
        (staging / name).write_bytes(content)
    store.swap_in(staging, target)
    return sorted(target.iterdir())


def report_files(told: Evaluation, *, pictures: bool = True) -> Iterator[tuple[str, bytes]]:
    """File name and content of every report of a turn."""
    codes = file_codes(told.game)
    yield GENERAL, general(told).encode()
    yield GM_TEXT, gamemaster(told).encode()
    for viewer, text in national(told).items():
        yield f"{codes[viewer]}.txt", text.encode()
    for viewer, content in workbooks(told).items():
        yield f"{codes[viewer]}.xlsx", content
    if pictures:
        yield from _pictures(told, codes)


def file_codes(game: GhostGame) -> dict[str, str]:
    """nation → the name of its files."""
    return dict(game.rules.board.nations.select("nation", "file_code").iter_rows())


# ── texts and sheets ────────────────────────────────────────────────────────────────────────


def general(told: Evaluation) -> str:
    """The general evaluation."""
    return general_text(
        battles=told.tables["battles"],
        battle_nations=told.tables["battle_nations"],
        names=told.game.rules.names,
        game=told.game.name,
        phase=told.phase,
    )


def national(told: Evaluation) -> dict[str, str]:
    """nation → its national evaluation."""
    rules = told.game.rules
    texts = national_texts(
        readers=told.readers,
        knowledge=told.tables["knowledge"],
        **{name: told.tables[name] for name in _FILTERED},
        names=rules.names,
        game=told.game.name,
        phase=told.phase,
        waiting=rules.separate and told.phase.step == "movement",
        retreat_options=rules.rulings.retreat_options,
    )
    return dict(texts.select("viewer", "text").iter_rows())


def gamemaster(told: Evaluation) -> str:
    """The game master's page."""
    return gamemaster_text(
        told.tables,
        names=told.game.rules.names,
        game=told.game.name,
        phase=told.phase,
        victory_centres=told.game.rules.rulings.victory_centres,
    )


def workbooks(told: Evaluation) -> dict[str, bytes]:
    """nation → its Excel file."""
    names = told.game.rules.names
    provinces = province_rows(told.tables["knowledge"], names)
    own = own_rows(told.tables["knowledge"], told.tables["centres"], names)
    return {
        viewer: workbook(
            provinces.filter(viewer=viewer).drop("viewer"), own.filter(viewer=viewer).drop("viewer")
        )
        for viewer in told.readers["viewer"]
    }


def _living(game: GhostGame, tables: Mapping[str, pl.DataFrame], phase: Phase) -> pl.DataFrame:
    waiting = waiting_units(tables["dislodged"], game.rules, phase)
    return living(tables["units"], tables["centres"], waiting)


# ── pictures ────────────────────────────────────────────────────────────────────────────────


def paper_of(board: Board) -> "Paper":
    """The ground of a map, drawn once for all its pictures."""
    from transforms.diplomacy.chart import Paper, make_ground
    from transforms.diplomacy.chart.style import WIDTH, flag
    from transforms.diplomacy.german import Names

    shapes = shipped("data", "diplomacy") / board.name / "shapes.csv"
    table = read_table(shapes, "ghost.shapes") if shapes.is_file() else None
    ground = make_ground(board.provinces, board.borders, table, width=WIDTH)
    ranked = Names(board.provinces, board.nations).ranked
    flags = {
        row["nation"]: flag(row["code"], row["de_name"], row["colour"])
        for row in ranked.iter_rows(named=True)
    }
    regular, bold = font_files()
    return Paper.of(ground, flags, regular, bold)


def nation_scenes(told: Evaluation) -> dict[str, "Scene"]:
    """nation → what its picture shows."""
    from transforms.diplomacy.chart import scenes

    return scenes(
        told.readers,
        told.tables["knowledge"],
        told.tables["centres"],
        told.game.rules.names,
        told.title,
    )


def with_orders(scene: "Scene", told: Evaluation) -> "Scene":
    """The scene with its reader's own orders as arrows."""
    from transforms.diplomacy.chart import arrows_of

    own = {name: told.tables[name].filter(nation=scene.reader) for name in ("orders", "results")}
    return replace(scene, arrows=arrows_of(**own))


def full_picture(told: Evaluation) -> "Scene":
    """What the game master's picture shows."""
    from transforms.diplomacy.chart import full_scene

    provinces = told.game.rules.board.provinces
    return full_scene(told.tables["units"], told.tables["centres"], provinces, told.title)


def one_picture(
    game: GhostGame, turn: int, nation: str | None, gamemaster: bool, orders: bool
) -> bytes:
    """The map of a turn as PNG: a nation's, with its own orders on it if wanted, or the whole.

    Errors: neither a nation nor the game master, a nation that does not read any more.
    """
    from transforms.diplomacy.chart import draw, png_bytes

    told = evaluation(game, turn)
    if gamemaster:
        scene = full_picture(told)
    elif nation is None:
        raise InputError("a picture needs a nation, or --gm")
    else:
        found = nation_scenes(told)
        key = nation_of(game.rules.board, nation, "nation")
        if key not in found:
            raise InputError(f"{nation} is out of the game in turn {turn}")
        scene = with_orders(found[key], told) if orders else found[key]
    return png_bytes(draw(paper_of(game.rules.board), scene))


def plan_picture(plan: "Plan") -> bytes:
    """A plan as PNG: the position of the sheet with every order on it."""
    from transforms.diplomacy.chart import arrows_of, draw, full_scene, png_bytes

    board = plan.rules.board
    sheet = plan.before
    scene = full_scene(sheet.units, sheet.centres, board.provinces, plan.name)
    arrows = arrows_of(plan.tables["orders"], plan.tables["results"])
    view = dict.fromkeys(sheet.view, "full")
    scene = replace(scene, title=plan.name, view=view, arrows=arrows)
    return png_bytes(draw(paper_of(board), scene))


def _pictures(told: Evaluation, codes: Mapping[str, str]) -> list[tuple[str, bytes]]:
    from transforms.diplomacy.chart import draw, png_bytes

    paper = paper_of(told.game.rules.board)
    wanted = {f"{codes[viewer]}.png": scene for viewer, scene in nation_scenes(told).items()}
    wanted[GM_PICTURE] = full_picture(told)
    with ThreadPoolExecutor(2) as pool:  # Pillow packs a picture without holding Python up
        contents = pool.map(lambda scene: png_bytes(draw(paper, scene)), wanted.values())
        return list(zip(wanted, contents, strict=True))
