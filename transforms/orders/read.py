"""Order texts → order tables: every line read, checked and accounted for (source 1, 2 and 3)."""

import polars as pl

from transforms import costs
from transforms.context import Turn
from transforms.orders.construction import read_constructions
from transforms.orders.lines import file_problems, line_problems, split_lines
from transforms.orders.moves import Moves, read_moves
from transforms.orders.problems import located
from transforms.orders.resolve import known_hexes, own_units
from transforms.orders.settle import Settled, settle
from transforms.orders.training import read_trainings
from transforms.orders.understood import construction_texts, move_texts, training_texts
from transforms.rules import Rules
from transforms.schema import schema_of, shaped


def read_orders(
    *,
    order_texts: pl.DataFrame,
    units: pl.DataFrame,
    realms: pl.DataFrame,
    alliances: pl.DataFrame,
    hexes: pl.DataFrame,
    sight: pl.DataFrame,
    atlas: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """The order tables of all realms. Format, limits and reasons: docs/orders.md.

    Bad lines are dropped one by one and never stop the file or another realm (source 1, 3): for
    every file accepted + rejected + comments + blank = lines.
    """
    lines = split_lines(order_texts)
    good = lines.filter("readable")
    known = known_hexes(hexes, sight, atlas)
    own = own_units(units, rules, turn)

    moves = read_moves(good.filter(pl.col("kind") == "move"))
    settled = settle(
        moves, own, known, realms=realms, alliances=alliances, sight=sight, rules=rules
    )
    trainings, training_problems = read_trainings(
        good.filter(pl.col("kind") == "train"), units=units, known=known, rules=rules
    )
    constructions, construction_problems = read_constructions(
        good.filter(pl.col("kind") == "build"), known=known, rules=rules
    )
    problems = pl.concat(
        [
            line_problems(lines),
            moves.problems,
            settled.problems,
            training_problems,
            construction_problems,
        ]
    )
    rejected = problems.filter(pl.col("severity") == "error").select("row").unique()
    trainings = trainings.join(rejected, on="row", how="anti")
    constructions = constructions.join(rejected, on="row", how="anti")
    understood = pl.concat(
        [
            move_texts(settled.accepted, moves),
            training_texts(trainings),
            construction_texts(constructions, rules),
        ]
    )
    order_lines = shaped("order_lines", _order_lines(lines, rejected, understood))
    found = located(problems, lines)
    rejections = shaped(
        "rejections", pl.concat([file_problems(order_texts), found], how="diagonal")
    )
    return {
        "order_files": costs.counted(order_texts.drop("text"), order_lines, rejections),
        "order_lines": order_lines,
        "rejections": rejections,
        **_movement_tables(settled, moves),
        "trainings": shaped("trainings", _reserved(trainings, "trainings")),
        "constructions": shaped("constructions", _reserved(constructions, "constructions")),
    }


def _order_lines(
    lines: pl.DataFrame, rejected: pl.DataFrame, understood: pl.DataFrame
) -> pl.DataFrame:
    no_order = pl.col("kind").is_in(["comment", "blank"])
    return (
        lines.join(rejected.with_columns(bad=True), on="row", how="left")
        .join(understood, on="row", how="left")
        .select(
            "realm_id",
            "line",
            "text",
            "kind",
            "understood",
            status=pl.when(no_order)
            .then("kind")
            .when("bad")
            .then(pl.lit("rejected"))
            .otherwise(pl.lit("accepted")),
        )
    )


def _movement_tables(settled: Settled, moves: Moves) -> dict[str, pl.DataFrame]:
    """movements, paths and splits of the lines that count."""
    counting = settled.counting.drop_nulls("unit_id")
    who = counting.select("row", "realm_id", "line", "unit_id")
    tables = {
        "movements": counting.select("realm_id", "line", "unit_id", "decision", "embark_on"),
        "paths": moves.waypoints.join(who, on="row").select("unit_id", "step", "hex_id"),
        "splits": settled.splits.drop("row", "pos", "ship"),
    }
    return {name: shaped(name, frame) for name, frame in tables.items()}


def _reserved(orders: pl.DataFrame, table: str) -> pl.DataFrame:
    """Checked orders, before the game master decides about wrong costs (turn rules, load)."""
    columns = [column for column in schema_of(table) if column in orders.columns]
    return orders.select(*columns, decision=pl.lit("none"), outcome=pl.lit("reserved"))
