"""What many repetitions say: distributions, and rates with their uncertainty."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from transforms.hits.constants import MICRO
from transforms.schema import schema_of, shaped
from transforms.schema.hits_tables import MEASURES
from transforms.statistics import wilson

_QUANTILES = {"q05": 5, "q25": 25, "median": 50, "q75": 75, "q95": 95}
_EVENTS = ("better", "victor", "wiped_out")


def distribution(tally: pl.DataFrame, repeat: int) -> pl.DataFrame:
    """Table `distribution`; `tally` has `repeat` blocks of the same armies, KK in millionths."""
    armies = tally.head(tally.height // repeat).select("battle_id", "army_id")
    unit = {"kk_after": MICRO}
    parts = [
        armies.with_columns(
            pl.lit(measure).alias("measure"),
            **_described(_by_repeat(tally, measure, repeat), unit.get(measure, 1)),
        )
        for measure in MEASURES
    ]
    return shaped("hits.distribution", pl.concat(parts))


def _described(values: NDArray[np.int64], unit: int) -> dict[str, pl.Series]:
    """Mean, deviation and quantiles (nearest rank) per column; one division by the unit."""
    ordered = np.sort(values, axis=0)
    n = ordered.shape[0]
    total = ordered.sum(axis=0)
    spread = np.sqrt(((ordered - total / n) ** 2).sum(axis=0) / (n - 1))
    ranks = {name: -(-n * percent // 100) for name, percent in _QUANTILES.items()}
    at = {"min": 1, **ranks, "max": n}
    return {
        "mean": pl.Series(total / (n * unit)),
        "sd": pl.Series(spread / unit),
        **{name: pl.Series(ordered[rank - 1] / unit) for name, rank in at.items()},
    }


def win_rates(tally: pl.DataFrame, repeat: int) -> pl.DataFrame:
    """Table `win_rates`: how often each army was better, victor, wiped out."""
    wiped_out = (pl.col("survivors") == 0) & (pl.col("combatants_before") > 0)
    tally = tally.with_columns(wiped_out=wiped_out)
    armies = tally.head(tally.height // repeat).select("battle_id", "army_id")
    counts = {event: _by_repeat(tally, event, repeat).sum(axis=0) for event in _EVENTS}
    columns = {"n": np.full(armies.height, repeat), **counts}
    for event, count in counts.items():
        low, high = wilson(count, repeat)
        columns |= {f"{event}_rate": count / repeat, f"{event}_low": low, f"{event}_high": high}
    given = {name: pl.Series(column) for name, column in columns.items()}
    ordered = [name for name in schema_of("hits.win_rates") if name in given]
    return shaped("hits.win_rates", armies.with_columns(**{n: given[n] for n in ordered}))


def _by_repeat(tally: pl.DataFrame, column: str, repeat: int) -> NDArray[np.int64]:
    """A column as a matrix: a row per repetition, a column per army."""
    return tally[column].cast(pl.Int64).to_numpy().reshape(repeat, -1)
