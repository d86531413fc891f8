"""Dates: an i32 count of months, `year · months_per_year + month`, month from 0."""

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules


def date_text(date: int, rules: Rules) -> str:
    """`<month name> <year> n.P.` of a date."""
    year, month = divmod(date, rules.months_per_year)
    return f"{rules.calendar['name'][month]} {year} n.P."


def date_texts(date: pl.Expr, rules: Rules) -> pl.Expr:
    """The same for a column of dates (String)."""
    month = pl.lit(rules.calendar["name"]).gather(date % rules.months_per_year)
    year = (date // rules.months_per_year).cast(pl.String)
    return pl.concat_str(month, pl.lit(" "), year, pl.lit(" n.P."))


def finished(turn: Turn) -> pl.Expr:
    """Does a building of this `completed_on` stand today (source 1, 5.4)? Without a date, ever."""
    return pl.col("completed_on").is_null() | (pl.col("completed_on") < turn.today + 1)


def in_training(rules: Rules, turn: Turn) -> pl.Expr:
    """Is a unit of this `ready_on` still trained? Only a rule set that trains asks."""
    if rules.switches.training == "reserve":
        return pl.lit(False)
    return (pl.col("ready_on") > turn.today).fill_null(False)
