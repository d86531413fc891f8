"""The game master's page: the whole position, every order with its result, files, corrections."""

from collections.abc import Mapping

import polars as pl

from transforms.diplomacy.german import Names
from transforms.diplomacy.orders_told import with_replacement
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.texts import (
    ADJUSTED,
    FILES,
    GAMEMASTER,
    NATIONAL,
    NONE,
    OUTCOMES,
    TITLES,
)
from transforms.sentences import fill


def gamemaster_text(
    tables: Mapping[str, pl.DataFrame],
    *,
    names: Names,
    game: str,
    phase: Phase,
    victory_centres: int,
) -> str:
    """Everything about a turn on one page; nothing of it is for the players."""
    title = TITLES["gamemaster"].format(name=game, phase=phase.title)
    blocks = [
        [title],
        _files(tables["order_files"], names) + _missing(tables["missing"], names),
        _corrections(tables["corrections"], names),
        [GAMEMASTER["position"], *_position(tables["units"], tables["centres"], names)],
        _victory(tables["centres"], names, victory_centres),
        *_orders(tables["orders"], tables["results"], names),
        _not_counted(tables["orders"], names),
        _dislodged(tables["dislodged"], tables["contested"], names),
        _adjustments(tables["adjustments"], names),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _files(order_files: pl.DataFrame, names: Names) -> list[str]:
    """What came in, nation by nation; late files at the end."""
    told = [
        (state == "late", rank, FILES[state].format(nation=code, file=file, detail=detail))
        for state, rank, code, file, detail in order_files.select(
            pl.col("state").cast(pl.String),
            names.rank(),
            names.code().alias("code"),
            "file",
            "detail",
        ).iter_rows()
    ]
    return [GAMEMASTER["files"], *(text for *_, text in sorted(told))] if told else []


def _missing(missing: pl.DataFrame, names: Names) -> list[str]:
    if missing.is_empty():
        return []
    codes = missing.sort(names.rank()).select(names.code())["nation"]
    return [GAMEMASTER["missing"].format(list=", ".join(codes))]


def _corrections(corrections: pl.DataFrame, names: Names) -> list[str]:
    rows = corrections.with_columns(names.abbr())
    lines = [
        GAMEMASTER["correction"].format(
            **{name: value if value is not None else "–" for name, value in row.items()}
        )
        for row in rows.iter_rows(named=True)
    ]
    return [GAMEMASTER["corrections"], *lines] if lines else []


def _position(units: pl.DataFrame, centres: pl.DataFrame, names: Names) -> list[str]:
    """One line per nation with its units and centres, then the centres of nobody."""
    standing = dict(_lists(units.with_columns(text=names.unit(), abbr=names.abbr())))
    named = centres.with_columns(text=names.abbr(), abbr=names.abbr())
    held = dict(_lists(named))
    counts = dict(centres.group_by("nation").len().iter_rows())
    lines = [
        GAMEMASTER["nation"].format(
            nation=code,
            units=standing.get(nation, NONE),
            n=counts.get(nation, 0),
            centres=held.get(nation, NONE),
        )
        for nation, code in names.ranked.select("nation", "code").iter_rows()
    ]
    free = held.get(None, NONE)
    return [*lines, GAMEMASTER["nobody"].format(centres=free)]


def _lists(rows: pl.DataFrame) -> list[tuple[str | None, str]]:
    """nation → its texts in the order of their abbreviations."""
    lists = rows.sort("abbr").group_by("nation", maintain_order=True).agg(pl.col("text"))
    return [(nation, ", ".join(texts)) for nation, texts in lists.iter_rows()]


def _victory(centres: pl.DataFrame, names: Names, victory_centres: int) -> list[str]:
    """Who has reached the number of centres that wins; only told here."""
    counts = centres.drop_nulls("nation").group_by("nation").len()
    winners = counts.filter(pl.col("len") >= victory_centres).sort(names.rank())
    return [
        GAMEMASTER["victory"].format(nation=code, n=n)
        for code, n in winners.select(names.code(), "len").iter_rows()
    ]


def _orders(orders: pl.DataFrame, results: pl.DataFrame, names: Names) -> list[list[str]]:
    """Every unit of a movement or retreat with its order and what came of it, by nation."""
    counted = orders.filter(status="counted").select("nation", "province", "step", "understood")
    # several preferences of one retreat count at once: the results name the unit only
    first = counted.unique(["nation", "province", "step"], keep="first", maintain_order=True)
    key = ["nation", "province", "step"]
    driven = pl.when("dislodged").then(pl.lit(GAMEMASTER["driven_out"])).otherwise(pl.lit(""))
    outcome = pl.col("outcome").cast(pl.String).replace(OUTCOMES)
    told = (
        results.filter(step="movement")
        .with_columns(pl.col("step").cast(pl.String))
        .join(first.with_columns(pl.col("step").cast(pl.String)), on=key, how="left")
        .with_columns(unit=names.unit(), abbr=names.abbr())
        .with_columns(
            text=pl.coalesce("understood", fill(NATIONAL["hold"], unit=pl.col("unit")))
            + pl.lit(": ")
            + outcome
            + driven
        )
        .sort("abbr")
    )
    blocks = []
    for nation, code in names.ranked.select("nation", "code").iter_rows():
        lines = told.filter(nation=nation)["text"].to_list()
        if lines:
            blocks.append([GAMEMASTER["orders"].format(nation=code), *lines])
    return blocks


def _not_counted(orders: pl.DataFrame, names: Names) -> list[str]:
    rows = with_replacement(orders).filter(pl.col("status") != "counted")
    lines = [
        GAMEMASTER["line"].format(
            nation=row["code"],
            text=NATIONAL[row["status"]].format(
                line=row["line"], text=row["text"].strip(), reason=row["reason"], by=row["by"]
            ),
        )
        for row in rows.sort(names.rank(), "line")
        .with_columns(names.code().alias("code"), pl.col("status").cast(pl.String))
        .iter_rows(named=True)
    ]
    return [GAMEMASTER["rejected_lines"], *lines] if lines else []


def _dislodged(dislodged: pl.DataFrame, contested: pl.DataFrame, names: Names) -> list[str]:
    rows = dislodged.select(
        names.code().alias("nation"),
        unit=names.unit(),
        source=names.abbr("attacker_from"),
        place=names.place_of_key("retreated_to"),
        abbr=names.abbr(),
    )
    lines = [
        GAMEMASTER["dislodged_unit"].format(
            nation=row["nation"],
            unit=row["unit"],
            source=row["source"] or GAMEMASTER["by_convoy"],
            place=row["place"] or GAMEMASTER["nowhere"],
        )
        for row in rows.sort("abbr").iter_rows(named=True)
    ]
    closed = contested.select(names.abbr())["province"].sort()
    shut = [GAMEMASTER["contested"].format(list=", ".join(closed))] if len(closed) else []
    return [*([GAMEMASTER["dislodged"], *lines] if lines else []), *shut]


def _adjustments(adjustments: pl.DataFrame, names: Names) -> list[str]:
    rows = adjustments.select(
        pl.col("kind").cast(pl.String),
        code=names.code(),
        rank=names.rank(),
        unit=names.unit(),
        distance="distance",
    ).sort("rank", "kind", "unit")
    lines = []
    for row in rows.iter_rows(named=True):
        unit = row["unit"]
        if row["distance"] is not None:
            unit = NATIONAL["distance"].format(unit=unit, distance=row["distance"])
        lines.append(ADJUSTED[row["kind"]].format(nation=row["code"], unit=unit))
    return [GAMEMASTER["adjustments"], *lines] if lines else []
