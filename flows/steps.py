"""The turn on one page: which step reads and writes which tables, in order.

A step's function gets the tables of `reads` by name, plus `rules` and `turn`, and returns the
tables of `writes` (replaced whole) and `appends` (only the new rows; the runner adds them).
Order and rules: source 1, appendix D.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

Part = Literal["load", "execute"]
Tables = Mapping[str, pl.DataFrame]


@dataclass(frozen=True)
class Step:
    """One step of a turn: a pure function and the tables it reads, replaces and appends to."""

    name: str
    part: Part
    function: Callable[..., dict[str, pl.DataFrame]]
    reads: tuple[str, ...]
    writes: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()


STEPS: tuple[Step, ...] = ()
