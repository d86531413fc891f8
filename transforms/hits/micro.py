"""Between the numbers of files and the integers that the rules count with."""

import numpy as np
import polars as pl

from transforms.hits.constants import MICRO


def to_micro(values: pl.Series) -> pl.Series:
    """Millionths (i64) of non-negative numbers, rounded half up."""
    return pl.Series(values.name, np.floor(values.to_numpy() * MICRO + 0.5).astype(np.int64))


def from_micro(name: str) -> pl.Expr:
    """A column of millionths as f64, by one division.

    NumPy divides; Polars would multiply by the reciprocal, and 3,600,000 millionths become
    3.5999999999999996.
    """
    return pl.col(name).map_batches(_divided, return_dtype=pl.Float64)


def _divided(micro: pl.Series) -> pl.Series:
    return pl.Series(micro.name, micro.to_numpy() / MICRO)
