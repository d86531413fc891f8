"""Exact division: the same doubles as Python's, whatever the engine."""

from typing import Literal

import polars as pl
import pytest

from transforms.division import divided


@pytest.mark.parametrize("by", [3, 100, 10**6])
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_divided_not_multiplied_with_a_reciprocal(
    by: int, engine: Literal["in-memory", "streaming"]
) -> None:
    """22720 / 100 is 227.2, but 22720 · 0.01 is not."""
    numbers = [*range(30_000), 3_600_000, 10**15]
    frame = pl.LazyFrame({"n": numbers}, schema={"n": pl.Int64})
    quotients = frame.select(divided(pl.col("n"), by)).collect(engine=engine)["n"]
    assert sorted(quotients) == sorted(n / by for n in numbers)


def test_nothing_stays_nothing() -> None:
    frame = pl.DataFrame({"n": [None, 5]}, schema={"n": pl.Int64})
    assert frame.select(divided(pl.col("n"), 10))["n"].to_list() == [None, 0.5]
