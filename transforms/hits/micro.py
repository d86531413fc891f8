"""Between the numbers of files and the integers that the rules count with."""

import numpy as np
import polars as pl

from transforms.division import divided
from transforms.hits.constants import MICRO


def to_micro(values: pl.Series) -> pl.Series:
    """Millionths (i64) of non-negative numbers, rounded half up."""
    return pl.Series(values.name, np.floor(values.to_numpy() * MICRO + 0.5).astype(np.int64))


def from_micro(name: str) -> pl.Expr:
    """A column of millionths as f64."""
    return divided(pl.col(name), MICRO)
