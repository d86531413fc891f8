"""The national evaluation: one text per nation, made of its knowledge and its own rows only."""

import polars as pl

from transforms.diplomacy.german import Names, listed, or_none
from transforms.diplomacy.orders_told import movement_lines, refused_lines, retreat_lines
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.texts import NATIONAL, TITLES
from transforms.sentences import fill

LINE = ["viewer", "block", "order", "text"]  # of every frame of lines below


def national_texts(
    *,
    readers: pl.DataFrame,
    knowledge: pl.DataFrame,
    centres: pl.DataFrame,
    orders: pl.DataFrame,
    results: pl.DataFrame,
    dislodged: pl.DataFrame,
    adjustments: pl.DataFrame,
    missing: pl.DataFrame,
    names: Names,
    game: str,
    phase: Phase,
    waiting: bool,
    retreat_options: bool,
) -> pl.DataFrame:
    """viewer, text: the national evaluation of every one of `readers` (viewer, out).

    `out`: the nation has lost its last unit and centre. `waiting`: dislodged units still wait for
    retreat orders (rulings retreats = "separate"); with `retreat_options` their owner is told
    where they may go.
    """
    if phase.step == "adjustment":
        told = _winter(readers, knowledge, centres, adjustments, names)
    elif phase.step == "retreat":
        told = retreat_lines(readers, dislodged, names)
    else:
        told = movement_lines(
            readers=readers,
            orders=orders,
            results=results,
            dislodged=dislodged,
            missing=missing,
            names=names,
            waiting=waiting,
            retreat_options=retreat_options,
        )
    lines = [
        *_headings(readers, names, game, phase),
        *_in_view(readers, knowledge, centres, names),
        told,
        refused_lines(readers, orders),
    ]
    return (
        pl.concat([frame.select(LINE) for frame in lines])
        .sort("viewer", "block", "order")
        .group_by("viewer", maintain_order=True)
        .agg(text=pl.col("text").str.join("\n") + "\n")
    )


def _headings(readers: pl.DataFrame, names: Names, game: str, phase: Phase) -> list[pl.DataFrame]:
    """Title, an empty line, who is out; and the empty line before what became of the orders."""
    title = fill(
        TITLES["national"],
        name=pl.lit(game),
        phase=pl.lit(phase.title),
        nation=names.code("viewer"),
    )
    return [
        _line(readers, 0, title),
        _line(readers, 1, pl.lit("")),
        _line(readers.filter("out"), 2, pl.lit(NATIONAL["out"])),
        _line(readers, 20, pl.lit("")),
    ]


def _line(readers: pl.DataFrame, block: int, text: pl.Expr) -> pl.DataFrame:
    return readers.select(
        "viewer", block=pl.lit(block, pl.UInt8), order=pl.lit(0, pl.UInt32), text=text
    )


def _in_view(
    readers: pl.DataFrame, knowledge: pl.DataFrame, centres: pl.DataFrame, names: Names
) -> list[pl.DataFrame]:
    """The five lists: own units, own centres, foreign units, free, without a foreign unit."""
    known = knowledge.with_columns(
        abbr=names.abbr(),
        unit=names.unit(),
        foreign=fill(
            NATIONAL["foreign_unit"],
            nation=names.code(),
            unit_type=pl.col("unit_type"),
            place=names.place(),
        ),
    )
    held = centres.drop_nulls("nation").select(viewer="nation", abbr=names.abbr())
    contents = [
        ("own_units", known.filter(status="own"), "unit"),
        ("own_centres", held, "abbr"),
        ("foreign", known.filter(status="foreign"), "foreign"),
        ("free", known.filter(status="free"), "abbr"),
        ("no_foreign", known.filter(status="no_foreign"), "abbr"),
    ]
    return [
        _list_line(readers, 10 + i, NATIONAL[sentence], frame, text)
        for i, (sentence, frame, text) in enumerate(contents)
    ]


def _list_line(
    readers: pl.DataFrame, block: int, sentence: str, frame: pl.DataFrame, text: str
) -> pl.DataFrame:
    """One line per reader with the list of its rows of `frame` (viewer, abbr, text)."""
    lists = frame.group_by("viewer").agg(list=listed(text, "abbr"))
    joined = readers.join(lists, on="viewer", how="left")
    return _line(joined, block, fill(sentence, list=or_none("list")))


def _winter(
    readers: pl.DataFrame,
    knowledge: pl.DataFrame,
    centres: pl.DataFrame,
    adjustments: pl.DataFrame,
    names: Names,
) -> pl.DataFrame:
    """Balance (units before the winter), what was built, removed, and removed without orders."""
    gained = pl.when(kind="built").then(1).otherwise(-1)
    change = adjustments.group_by(viewer="nation").agg(change=gained.sum())
    standing = knowledge.filter(status="own").group_by("viewer").agg(now=pl.len())
    held = centres.drop_nulls("nation").group_by(viewer="nation").agg(held=pl.len())
    counted = readers
    for frame in (change, standing, held):
        counted = counted.join(frame, on="viewer", how="left")
    before = pl.col("now").fill_null(0).cast(pl.Int64) - pl.col("change").fill_null(0)
    balance = fill(NATIONAL["balance"], centres=pl.col("held").fill_null(0), units=before)
    unit = names.unit()
    far = fill(NATIONAL["distance"], unit=unit, distance=pl.col("distance"))
    rows = adjustments.with_columns(
        viewer="nation",
        abbr=names.abbr(),
        unit=pl.when(pl.col("distance").is_not_null()).then(far).otherwise(unit),
    )
    kinds = {"built": "built", "removed": "disbanded", "disorder": "disorder"}
    lists = [
        _list_line(readers, 22 + i, NATIONAL[sentence], rows.filter(kind=kind), "unit")
        for i, (sentence, kind) in enumerate(kinds.items())
    ]
    return pl.concat([_line(counted, 21, balance), *lists])
