"""Training lines (Rüsten) → the table trainings (source 1, 2.2)."""

import polars as pl

from transforms import costs
from transforms.orders.fields import (
    MAX_NUMBER,
    MAX_UNIT_NUMBER,
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
from transforms.orders.resolve import taken_numbers, unknown_places
from transforms.rules import Rules

_LENGTHS = (6, 8, 9)  # without place, with place, with place and number
_ELITE = r"^(?:-|(?:k([0-9]))?(?:b([0-9]))?)$"


def read_trainings(
    lines: pl.DataFrame, *, units: pl.DataFrame, known: pl.DataFrame, rules: Rules
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rows of `trainings` (with `row`; wrong ones may hold nulls) and the problems of the lines."""
    split = lines.select("row", "realm_id", "line", fields=pl.col("text").str.split(","))
    whole = split.filter(pl.col("fields").list.len().is_in(_LENGTHS))
    types = rules.unit_types
    spellings = pl.concat(
        [types.select("name", word=folded(pl.col(c))) for c in ("name", "name_plural")]
    ).unique("word", keep="first", maintain_order=True)
    elite = field(4).str.to_lowercase().str
    read = (
        whole.with_columns(
            word=folded(field(1)),
            troops=number(field(2)),
            leaders=number(field(3)),
            elite_combat=number(elite.extract(_ELITE, 1)).fill_null(0),
            elite_movement=number(elite.extract(_ELITE, 2)).fill_null(0),
            cost_submitted=number(field(5)),
            gf=number(field(6)),
            kf=number(field(7)),
            number=number(field(8)),
        )
        .join(spellings, on="word", how="left", maintain_order="left")
        .rename({"name": "unit_type"})
        .join(
            types.select(unit_type="name", unit_cost="cost", unit_months="months"),
            on="unit_type",
            how="left",
            maintain_order="left",
        )
        .with_columns(
            hex_id=hex_of("gf", "kf"),
            cost=costs.training_cost(rules.constants),
            months=costs.training_months(rules.constants),
        )
    )
    problems = [
        problem(split.join(whole, on="row", how="anti"), "training_fields"),
        *_problems(read, dict(spellings.select("word", "name").iter_rows()), rules),
        unknown_places(read.with_columns(pos=pl.lit(6)), known),
        *_number_warnings(read, units, rules),
        check_cost(read.with_columns(pos=pl.lit(5))),
    ]
    return read.drop("fields", "word", "unit_cost", "unit_months"), pl.concat(problems)


def _problems(read: pl.DataFrame, allowed: dict[str, str], rules: Rules) -> list[pl.DataFrame]:
    highest = rules.constants.max_elite
    placed = read.filter(pl.col("fields").list.len() > 6)
    numbered = read.filter(pl.col("fields").list.len() > 8)
    no_type = with_suggestion(
        read.filter(pl.col("unit_type").is_null()).with_columns(field=field(1), pos=pl.lit(1)),
        pl.col("field"),
        allowed,
    )
    elite = read.with_columns(field=field(4).str.to_lowercase(), pos=pl.lit(4))
    matches = pl.col("field").str.contains(_ELITE)
    too_high = pl.max_horizontal("elite_combat", "elite_movement") > highest
    return [
        problem(no_type, "no_unit_type", field=quoted(), suggestion=pl.col("suggestion")),
        check_number(read, "troops", 2, "troops", 1, MAX_NUMBER),
        check_number(read, "leaders", 3, "leaders", 0, MAX_NUMBER),
        problem(elite.filter(~matches), "no_elite", field=quoted()),
        problem(elite.filter(too_high), "elite_too_high", max=pl.lit(highest)),
        check_number(read, "cost_submitted", 5, "cost", 0, MAX_NUMBER),
        check_place(placed, 6),
        check_number(numbered, "number", 8, "number", 1, MAX_UNIT_NUMBER),
    ]


def _number_warnings(read: pl.DataFrame, units: pl.DataFrame, rules: Rules) -> list[pl.DataFrame]:
    """A wished number that the realm already uses or that does not belong to the type."""
    wishes = read.filter(pl.col("number").is_not_null(), pl.col("unit_type").is_not_null())
    wishes = wishes.select("row", "realm_id", "number", "unit_type", pos=pl.lit(8))
    inside = (
        wishes.join(rules.number_ranges, on="unit_type")
        .filter(pl.col("number").is_between("first", "last"))
        .select("row")
    )
    return [
        taken_numbers(wishes, units),
        problem(wishes.join(inside, on="row", how="anti"), "number_range", severity="warning"),
    ]
