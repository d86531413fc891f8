"""The game master's log of a turn (spielleiter.txt) and the page about its dice (wuerfel.txt)."""

from collections.abc import Mapping

import polars as pl

from transforms.calendar import date_text
from transforms.catalogue import DICE, GAME_MASTER, OVERVIEW
from transforms.dice import Stream
from transforms.rules import Rules
from transforms.sentences import fill, names_of, place


def log_text(tables: Mapping[str, pl.DataFrame], told_battles: pl.DataFrame, rules: Rules) -> str:
    """Everything the game master answers for, from the tables of one turn and its `battle_texts`.

    Order files with their counts, decisions on wrong costs, corrections by hand, all battles and
    fates. For the game master only: it names what no single realm may know.
    """
    info = tables["turn_info"].row(0, named=True)
    head = [
        GAME_MASTER["title"].format(**info, date=date_text(info["today"], rules)),
        GAME_MASTER["ruleset"].format(**info),
    ]
    sections = {
        "files": _files(tables),
        "decisions": _decisions(tables),
        "corrections": _corrections(tables),
        "battles": told_battles["text"].to_list(),
        "fates": _fates(tables),
    }
    body = [
        "\n".join(["", GAME_MASTER[title], *(lines or [GAME_MASTER["none"]])])
        for title, lines in sections.items()
    ]
    return "\n".join([*head, *body]) + "\n"


def dice_text(tables: Mapping[str, pl.DataFrame]) -> str:
    """The page about the dice, equal for all realms: the digest and the next commitment."""
    info = tables["turn_info"].row(0, named=True)
    words = {
        "message": info["dice_message"],
        "digest": info["dice_digest"],
        "commitment": info["next_commitment"],
    }
    return "".join(template.format(**info, **words) + "\n" for template in DICE.values())


def realm_draws(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """The draws of units with their owner: realm_id, number and the columns of `draws`.

    Sorted by realm and number; those of one unit stay in the order of the table.
    A unit is realm_id · 65536 + number in the low half of the entity; an army of the combat model
    hits bears the entity of its lowest unit. A crossing belongs to nobody.
    """
    unit = pl.col("entity") % 2**32
    return (
        tables["draws"]
        .filter(pl.col("stream") != int(Stream.CROSSING))
        .sort(unit, maintain_order=True)
        .select(
            (unit // 65536).cast(pl.UInt16).alias("realm_id"),
            (unit % 65536).cast(pl.UInt16).alias("number"),
            pl.all(),
        )
    )


def _files(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    codes = names_of(tables["realms"], OVERVIEW["nameless"], ["code"])
    told = []
    for row in tables["order_files"].iter_rows(named=True):
        missing = row["file"] is None and row["error"] is None
        kind = "file_missing" if missing else "file_error" if row["error"] else "file"
        told.append(GAME_MASTER[kind].format(code=codes[row["realm_id"]], **row))
    return told


def _decisions(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    codes = names_of(tables["realms"], OVERVIEW["nameless"], ["code"])
    columns = ["realm_id", "line", "cost_submitted", "cost", "decision"]
    judged = (
        pl.concat([tables["trainings"].select(columns), tables["constructions"].select(columns)])
        .filter(pl.col("decision") != "none")
        .join(tables["order_lines"].select("realm_id", "line", "text"), on=["realm_id", "line"])
        .sort("realm_id", "line")
    )
    return [
        GAME_MASTER["decision"].format(
            code=codes[row["realm_id"]], verdict=GAME_MASTER[row["decision"]], **row
        )
        for row in judged.iter_rows(named=True)
    ]


def _corrections(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    """Units by their names of today (one that was deleted by its key), hexes as on the map."""
    in_words = [
        pl.when(pl.col("column").str.ends_with("hex_id"))
        .then(place(pl.col(cell).cast(pl.UInt32, strict=False)))
        .otherwise(cell)
        .fill_null(GAME_MASTER["nothing"])
        .alias(cell)
        for cell in ("old", "new")
    ]
    unit = _units(tables).select(pl.col("unit_id").cast(pl.String), "unit", table=pl.lit("units"))
    key = pl.when(table="hexes").then(place(pl.col("key").cast(pl.UInt32, strict=False)))
    row = fill(GAME_MASTER["row"], table=pl.col("table"), key=pl.coalesce(key, "key"))
    told = (
        tables["corrections"]
        .join(
            unit,
            left_on=["table", "key"],
            right_on=["table", "unit_id"],
            how="left",
            maintain_order="left",
        )
        .select("column", "reason", *in_words, row=pl.coalesce("unit", row))
    )
    return [GAME_MASTER["correction"].format(**line) for line in told.iter_rows(named=True)]


def _fates(tables: Mapping[str, pl.DataFrame]) -> list[str]:
    fates = tables["fates"].join(_units(tables), on="unit_id").sort("realm_id", "number")
    return [
        GAME_MASTER["fate"].format(unit=unit, fate=GAME_MASTER[str(fate)])
        for unit, fate in fates.select("unit", "fate").iter_rows()
    ]


def _units(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """unit_id, realm_id, number of the living and the fallen, and `unit` as the log names them."""
    names = names_of(tables["realms"], OVERVIEW["nameless"])
    realm = pl.col("realm_id").replace_strict(names, return_dtype=pl.String)
    unit = fill(GAME_MASTER["unit"], number=pl.col("number"), realm=realm)
    return pl.concat([tables["units"], tables["fallen"]]).select(
        "unit_id", "realm_id", "number", unit=unit
    )
