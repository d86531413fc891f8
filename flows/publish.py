"""Publish: everything in reports/<turn> made from the history of that turn alone.

May be repeated at any time; the folder is built beside its place and then swapped in, so that a
reader never meets half of it.
"""

import shutil
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl

from flows import store
from flows.game import read_game
from flows.shipped import map_style
from flows.tables import Frames
from transforms import schema
from transforms.atlas import map_view, map_views
from transforms.calendar import date_text
from transforms.gamemaster import dice_text, log_text, realm_draws
from transforms.picture import draw_map, png_bytes
from transforms.report import battle_texts, report_texts
from transforms.rules import Rules

_BATTLE_TABLES = ("realms", "battles", "battle_units", "units", "fallen")
_REPORT_TABLES = ("realms", "messages", "battle_units", "units", "fallen")
_LOG_TABLES = (
    *("turn_info", "order_files", "order_lines", "trainings", "constructions"),
    *("corrections", "fates", "checks", "draws"),
)
_VIEW_TABLES = ("atlas", "sight", "hexes", "units", "buildings", "realms", "rivers", "neighbours")


def publish(
    game_dir: Path, turn: int, frames: Frames | None = None, *, pictures: bool = True
) -> list[Path]:
    """Write the reports of an evaluated turn and return their paths, sorted.

    `frames`: tables still in memory, used where the manifest of the turn names their digest.
    Errors: the turn is not in the history, is the start position, or its files are damaged.
    """
    game = read_game(game_dir)
    store.must_be_evaluated(game_dir, turn)
    in_memory = frames or Frames()
    names = {*_BATTLE_TABLES, *_REPORT_TABLES, *_LOG_TABLES, *(_VIEW_TABLES if pictures else ())}
    tables = store.read_turn(
        game_dir, turn, names - set(schema.MAP), lambda ref, name: in_memory.read(name, (ref,))
    )
    if pictures:
        tables |= store.read_map(game_dir)
    target = store.reports_dir(game_dir, turn)
    staging = target.with_name(target.name + ".neu")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    files = report_files(tables, game.rules, game.name, pictures=pictures)
    with ThreadPoolExecutor() as pool:  # while one report is written, the next one is made
        list(pool.map(lambda file: (staging / file[0]).write_bytes(file[1]), files))
    store.swap_in(staging, target)
    return sorted(target.iterdir())


def report_files(
    tables: Mapping[str, pl.DataFrame], rules: Rules, game_name: str, *, pictures: bool
) -> Iterator[tuple[str, bytes]]:
    """File name and content of every report of a turn, one after the other."""
    readers = tables["realms"].filter(pl.col("code").is_not_null()).select("realm_id", "code")
    battles = battle_texts(**{name: tables[name] for name in _BATTLE_TABLES}, rules=rules)
    reports = report_texts(**{name: tables[name] for name in _REPORT_TABLES}, told_battles=battles)
    yield from _texts(reports, "{}.txt")
    yield from _texts(_joined(tables["checks"], readers), "{}_pruefung.txt")
    yield from _texts(_draw_sheets(tables, readers), "{}_wuerfel.csv")
    yield "wuerfel.txt", dice_text(tables).encode()
    yield "spielleiter.txt", log_text(tables, battles, rules).encode()
    if pictures:
        yield from map_pictures(tables, rules, game_name)


def map_pictures(
    tables: Mapping[str, pl.DataFrame], rules: Rules, game_name: str, code: str | None = None
) -> Iterator[tuple[str, bytes]]:
    """The player maps as PNG, of every realm with a code or of the one with `code`."""
    info = tables["turn_info"].row(0, named=True)
    given = {name: tables[name] for name in _VIEW_TABLES}
    if code is None:
        views = map_views(**given, rules=rules, turn_number=info["turn"])
    else:  # the views of all the others would be made for nothing
        realm_id = tables["realms"].row(by_predicate=pl.col("code") == code, named=True)["realm_id"]
        views = iter([map_view(realm_id, **given, rules=rules, turn_number=info["turn"])])
    for view in views:
        if view.code is not None:
            image = draw_map(
                view,
                rules,
                style=map_style(),
                title=game_name,
                date=date_text(info["today"], rules),
            )
            yield f"{view.code}.png", png_bytes(image)


def _texts(texts: pl.DataFrame, name: str) -> Iterator[tuple[str, bytes]]:
    for code, content in texts.select("code", pl.col("text").cast(pl.Binary)).iter_rows():
        yield name.format(code), content


def _joined(lines: pl.DataFrame, readers: pl.DataFrame) -> pl.DataFrame:
    """One text per reader of rows `realm_id, text`, in the order in which they come."""
    return (
        lines.group_by("realm_id", maintain_order=True)
        .agg(text=pl.col("text").str.join("\n") + "\n")
        .join(readers, on="realm_id", maintain_order="left")
    )


def _draw_sheets(tables: Mapping[str, pl.DataFrame], readers: pl.DataFrame) -> pl.DataFrame:
    """The draws of a realm's own units as CSV text; a realm without draws gets the header."""
    columns = ["number", "stream", "entity", "index", "lo", "hi", "value"]
    rows = realm_draws(tables).select("realm_id", text=pl.concat_str(columns, separator=","))
    drawn = rows.group_by("realm_id", maintain_order=True).agg(pl.col("text").str.join("\n"))
    sheet = pl.concat_str(
        pl.lit(",".join(columns)), "text", pl.lit(""), separator="\n", ignore_nulls=True
    )
    return readers.join(drawn, on="realm_id", how="left").select("code", text=sheet)
