"""What a step of a turn is, in every system: a pure function and the tables it works on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

Part = Literal["load", "execute"]


@dataclass(frozen=True)
class Step:
    """One step of a turn: a pure function and the tables it reads, replaces and appends to."""

    name: str
    part: Part
    function: Callable[..., dict[str, pl.DataFrame]]
    reads: tuple[str, ...]
    writes: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()
