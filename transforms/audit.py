"""Draws rolled again: what a turn noted down against what its dice really say."""

import polars as pl

from transforms.dice import DRAW_COLUMNS, Dice, Stream, with_rolls


def wrong_draws(draws: pl.DataFrame, dice: Dice) -> pl.DataFrame:
    """The rows of `draws` whose value is not that of `dice`, with `rolled`, the right one."""
    again = [
        with_rolls(
            noted.lazy().rename({"value": "noted"}),
            Stream(stream),
            entity=pl.col("entity"),
            index=pl.col("index"),
            lo=pl.col("lo"),
            hi=pl.col("hi"),
            dice=dice,
        )
        for (stream,), noted in draws.partition_by("stream", as_dict=True).items()
    ]
    if not again:
        return draws.with_columns(rolled="value")
    return (
        pl.concat(again)
        .filter(pl.col("noted") != pl.col("value"))
        .rename({"value": "rolled", "noted": "value"})
        .select(*DRAW_COLUMNS, "rolled")
        .sort("stream", "entity", "index")
        .collect()
    )
