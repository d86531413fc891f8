"""Dates: an i32 count of months, `year · months_per_year + month`, month from 0."""

import polars as pl

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
