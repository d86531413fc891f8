"""What a plan would do, as text for the player who made it on the own sheet."""

from collections.abc import Mapping

import polars as pl

from transforms.diplomacy.german import Names, listed
from transforms.diplomacy.texts import GAMEMASTER, NATIONAL, NONE, OUTCOMES, SANDBOX
from transforms.sentences import fill


def plan_text(tables: Mapping[str, pl.DataFrame], *, names: Names, battles: str) -> str:
    """Every unit with its order and what came of it, the battles, retreats, the new position."""
    blocks = [
        _results(tables["orders"], tables["results"], names),
        _rejected(tables["orders"]),
        battles.rstrip("\n").split("\n"),
        _retreats(tables["dislodged"], names),
        [SANDBOX["position"], *_position(tables["units"], names)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _results(orders: pl.DataFrame, results: pl.DataFrame, names: Names) -> list[str]:
    counted = orders.filter(status="counted", step="movement").select(
        "nation", "province", "understood"
    )
    driven = pl.when("dislodged").then(pl.lit(GAMEMASTER["driven_out"])).otherwise(pl.lit(""))
    outcome = pl.col("outcome").cast(pl.String).replace(OUTCOMES)
    order = pl.coalesce("understood", fill(NATIONAL["hold"], unit=names.unit()))
    told = (
        results.filter(step="movement")
        .join(counted, on=["nation", "province"], how="left")
        .sort(names.rank(), names.abbr())
        .select(text=names.code() + pl.lit(" ") + order + pl.lit(": ") + outcome + driven)
    )
    return told["text"].to_list()


def _rejected(orders: pl.DataFrame) -> list[str]:
    rows = orders.filter(status="rejected").sort("line")
    sentence = fill(
        NATIONAL["rejected"],
        line=pl.col("line"),
        text=pl.col("text").str.strip_chars(),
        reason=pl.col("reason"),
    )
    return rows.select(text=sentence)["text"].to_list()


def _retreats(dislodged: pl.DataFrame, names: Names) -> list[str]:
    """Where the units that are driven out could go, on this sheet."""
    places = (
        dislodged.explode("options", empty_as_null=True)
        .drop_nulls("options")
        .select("province", place=names.place_of_key("options"))
        .group_by("province")
        .agg(list=listed("place", "place"))
    )
    told = dislodged.join(places, on="province", how="left").sort(names.rank(), names.abbr())
    sentence = fill(
        SANDBOX["retreat"],
        nation=names.code(),
        unit=names.unit(),
        list=pl.col("list").fill_null(NONE),
    )
    return told.select(text=sentence)["text"].to_list()


def _position(units: pl.DataFrame, names: Names) -> list[str]:
    lists = (
        units.with_columns(text=names.unit(), abbr=names.abbr())
        .group_by("nation")
        .agg(units=listed("text", "abbr"))
        .sort(names.rank())
    )
    sentence = fill(SANDBOX["nation"], nation=names.code(), units=pl.col("units"))
    return lists.select(text=sentence)["text"].to_list()
