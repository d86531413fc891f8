"""Building lines (Bauen) → the table constructions (source 1, 2.3)."""

import polars as pl

from transforms.orders.fields import (
    MAX_NUMBER,
    check_cost,
    check_number,
    check_place,
    field,
    folded,
    hex_of,
    number,
    with_suggestion,
)
from transforms.orders.problems import problem, quoted
from transforms.orders.resolve import unknown_places
from transforms.rules import Rules

DIRECTIONS = ("NW", "NO", "O", "SO", "SW", "W")


def read_constructions(
    lines: pl.DataFrame, *, known: pl.DataFrame, rules: Rules
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of `constructions` (with `row`; wrong ones may hold nulls) and the lines' problems."""
    types = rules.building_types
    spellings = pl.concat(
        [types.select("code", "name", word=folded(pl.col(c))) for c in ("code", "name")]
    ).unique("word", keep="first", maintain_order=True)
    split = lines.select("row", "realm_id", "line", fields=pl.col("text").str.split(","))
    edge = field(4).str.to_uppercase()
    has_edge = edge.is_in(list(DIRECTIONS)).fill_null(False)
    split = split.with_columns(cost_pos=4 + has_edge.cast(pl.Int64))
    after_cost = pl.col("fields").list.len().cast(pl.Int64) - pl.col("cost_pos")
    whole = split.filter(after_cost.is_between(1, 2))
    at_edge = pl.col("cost_pos") == 5
    name = pl.when(at_edge).then(field(6)).otherwise(field(5))
    direction = edge.replace_strict(DIRECTIONS, range(6), default=None, return_dtype=pl.UInt8)
    read = (
        whole.with_columns(
            word=folded(field(1)),
            gf=number(field(2)),
            kf=number(field(3)),
            direction=direction,
            name=pl.when(name != "").then(name),
            cost_submitted=number(pl.when(at_edge).then(field(5)).otherwise(field(4))),
        )
        .join(
            spellings.select("word", building_type="code"),
            on="word",
            how="left",
            maintain_order="left",
        )
        .join(
            types.select("central", "cost", "months", building_type="code"),
            on="building_type",
            how="left",
            maintain_order="left",
        )
        .with_columns(hex_id=hex_of("gf", "kf"))
    )
    problems = [
        problem(split.join(whole, on="row", how="anti"), "construction_fields"),
        *_problems(read, dict(spellings.select("word", "name").iter_rows())),
        unknown_places(read.with_columns(pos=pl.lit(2)), known),
        check_cost(read.with_columns(pos="cost_pos")),
    ]
    return read.drop("fields", "word", "cost_pos", "central"), pl.concat(problems)


def _problems(read: pl.DataFrame, allowed: dict[str, str]) -> list[pl.DataFrame]:
    no_type = with_suggestion(
        read.filter(pl.col("building_type").is_null()).with_columns(field=field(1), pos=pl.lit(1)),
        pl.col("field"),
        allowed,
    )
    at_edge = pl.col("direction").is_not_null()
    typed = read.with_columns(field=field(1), pos=pl.lit(4))
    plain = read.filter(~at_edge)
    return [
        problem(no_type, "no_building_type", field=quoted(), suggestion=pl.col("suggestion")),
        problem(typed.filter("central", at_edge), "needs_no_direction", field=quoted()),
        problem(typed.filter(~pl.col("central"), ~at_edge), "needs_direction", field=quoted()),
        check_place(read, 2),
        check_number(plain, "cost_submitted", 4, "cost", 0, MAX_NUMBER),
        check_number(read.filter(at_edge), "cost_submitted", 5, "cost", 0, MAX_NUMBER),
    ]
