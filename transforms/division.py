"""Division as IEEE doubles divide: by a constant, Polars multiplies with its reciprocal."""

import polars as pl


def divided(value: pl.Expr, by: int) -> pl.Expr:
    """`value / by` (f64) by one exact division: 3,600,000 / 10^6 is 3.6, not 3.5999999999999996.

    The divisor is made a column, because Polars takes the reciprocal of constants only. The value
    must be finite.
    """
    value = value.cast(pl.Float64)
    return value / (value * 0.0 + float(by))
