"""The orders as they were understood, one German sentence a line."""

import polars as pl

from transforms.catalogue import ORDERS
from transforms.orders.construction import DIRECTIONS
from transforms.orders.moves import DECISIONS, Moves
from transforms.rules import Rules
from transforms.sentences import fill, place


def move_texts(accepted: pl.DataFrame, moves: Moves) -> pl.DataFrame:
    """row, understood of the accepted movement lines: path, split, ship and decision."""
    here = pl.when("aboard").then(pl.lit(ORDERS["aboard"])).otherwise(place(pl.col("start")))
    path = moves.waypoints.select("row", way=place(pl.col("hex_id")))
    split = moves.splits.select(
        "row",
        split=fill(
            ORDERS["understood_split"],
            number=pl.col("number"),
            troops=pl.col("troops"),
            leaders=pl.col("leaders"),
        ),
    )
    return (
        accepted.with_columns(start=pl.coalesce("place", pl.col("gf") * 100 + pl.col("kf")))
        .with_columns(aboard=pl.col("aboard").fill_null(False))
        .with_columns(here=here)
        .join(_joined(path, "way", " → "), on="row", how="left")
        .join(_joined(split, "split", ""), on="row", how="left")
        .select(
            "row",
            understood=pl.concat_str(
                fill(ORDERS["understood_unit"], number=pl.col("number")),
                pl.coalesce(
                    fill(ORDERS["understood_path"], here=pl.col("here"), way=pl.col("way")),
                    fill(ORDERS["understood_stay"], here=pl.col("here")),
                ),
                pl.col("split").fill_null(""),
                fill(ORDERS["understood_ship"], ship=pl.col("ship_number")).fill_null(""),
                pl.lit(", ")
                + pl.col("decision").replace_strict(
                    DECISIONS, default=None, return_dtype=pl.String
                ),
                ignore_nulls=True,
            ),
        )
    )


def _joined(texts: pl.DataFrame, column: str, separator: str) -> pl.DataFrame:
    lists = texts.group_by("row", maintain_order=True).agg(column)
    return lists.with_columns(pl.col(column).list.join(separator))


def training_texts(trainings: pl.DataFrame) -> pl.DataFrame:
    """row, understood of training lines."""
    where = fill(ORDERS["understood_where"], place=place(pl.col("hex_id"))).fill_null("")
    who = fill(ORDERS["understood_number"], number=pl.col("number")).fill_null("")
    names = ("troops", "unit_type", "leaders", "elite_combat", "elite_movement", "cost", "months")
    text = fill(ORDERS["understood_training"], **{name: pl.col(name) for name in names})
    return trainings.select("row", understood=text + where + who)


def construction_texts(constructions: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """row, understood of building lines."""
    types = rules.building_types
    german = pl.col("building_type").replace_strict(
        types["code"], types["name"], default=None, return_dtype=pl.String
    )
    edge = pl.col("direction").replace_strict(
        dict(enumerate(DIRECTIONS)), default=None, return_dtype=pl.String
    )
    text = fill(
        ORDERS["understood_construction"],
        building=german + (pl.lit(" ") + pl.col("name")).fill_null(""),
        place=place(pl.col("hex_id")),
        edge=fill(ORDERS["understood_edge"], edge=edge).fill_null(""),
        cost=pl.col("cost"),
        months=pl.col("months"),
    )
    return constructions.select("row", understood=text)
