"""What a grid of fights says: win rates with their uncertainty, turns and health left."""

from collections.abc import Iterable

import polars as pl

from transforms.duel.grid import Grid, cells
from transforms.duel.model import OUTCOMES
from transforms.schema import schema_of, shaped
from transforms.schema.duel_tables import MEASURES
from transforms.statistics import wilson

CELL = ["hero", "group", "policy"]


def tally(grid: Grid, results: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Counts (cell, outcome, turns, hero_health, n) over chunks of duel.results of a grid."""
    keys = ["cell", "outcome", *MEASURES]
    counts = pl.DataFrame(
        schema={
            "cell": pl.UInt64,
            **{key: schema_of("duel.results")[key] for key in keys[1:]},
            "n": pl.UInt32,
        }
    )
    for chunk in results:
        counted = (
            chunk.with_columns(cell=pl.col("fight_id") // grid.seeds)
            .group_by(keys)
            .agg(n=pl.len().cast(pl.UInt32))
        )
        counts = pl.concat([counts, counted]).group_by(keys).agg(pl.col("n").sum())
    return counts.sort(keys)


def matrix(grid: Grid, counts: pl.DataFrame) -> pl.DataFrame:
    """Table duel.matrix from `tally`: outcomes, win rate with Wilson's 95 %, means."""
    n = pl.col("n").sum()
    sums = counts.group_by("cell").agg(
        n,
        *(
            pl.col("n").filter(pl.col("outcome") == outcome).sum().alias(outcome)
            for outcome in OUTCOMES
        ),
        *(
            ((pl.col(measure).cast(pl.Int64) * pl.col("n")).sum() / n).alias(f"mean_{measure}")
            for measure in MEASURES
        ),
    )
    rows = _named(grid, sums)
    victory, fights = (rows[c].cast(pl.Int64).to_numpy() for c in ("victory", "n"))
    low, high = wilson(victory, fights)
    rates = {"win_rate": victory / fights, "low": low, "high": high}
    return shaped("duel.matrix", rows.with_columns(**{k: pl.Series(v) for k, v in rates.items()}))


def distribution(grid: Grid, counts: pl.DataFrame) -> pl.DataFrame:
    """Table duel.distribution from `tally`: how often each number of turns, each health left."""
    parts = [
        counts.group_by("cell", value=pl.col(measure).cast(pl.Int64))
        .agg(pl.col("n").sum())
        .with_columns(measure=pl.lit(measure))
        for measure in MEASURES
    ]
    return shaped("duel.distribution", _named(grid, pl.concat(parts)))


def quantiles(distribution: pl.DataFrame) -> pl.DataFrame:
    """5 %, 50 % and 95 % (nearest rank) of each cell and measure of duel.distribution."""
    keys = [*CELL, "measure"]
    passed = distribution.sort(*keys, "value").with_columns(
        reached=pl.col("n").cum_sum().over(keys), all=pl.col("n").sum().over(keys)
    )
    enough = {
        name: pl.col("reached").cast(pl.Int64) * 100 >= pl.col("all").cast(pl.Int64) * percent
        for name, percent in (("q05", 5), ("median", 50), ("q95", 95))
    }
    return (
        passed.group_by(keys)
        .agg(pl.col("value").filter(reached).min().alias(name) for name, reached in enough.items())
        .sort(keys)
    )


def in_grid_order(grid: Grid, table: pl.DataFrame) -> pl.DataFrame:
    """Rows of duel.matrix or duel.distribution in the order of the grid, for drawing."""
    order = cells(grid).select("hero", "group", pl.col("policy").fill_null(""))
    return order.join(table, on=CELL, how="left", maintain_order="left_right")


def _named(grid: Grid, by_cell: pl.DataFrame) -> pl.DataFrame:
    """The number of a cell becomes hero, group and policy (empty: the hero's own list)."""
    names = cells(grid).select("hero", "group", pl.col("policy").fill_null(""))
    numbered = names.with_row_index("cell").with_columns(pl.col("cell").cast(pl.UInt64))
    return by_cell.join(numbered, on="cell", how="left").drop("cell")
