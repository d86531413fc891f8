"""Diplomacy: many phases at once, from parsed tables in memory to result tables.

python -m tests.benches.diplomacy [phases ...]      (default 1 1000 10000)
"""

import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

import polars as pl

from flows.ghost_map import read_board
from tests.diplomacy.positions import full_board, tables_of
from transforms import schema
from transforms.diplomacy.adjudicate import adjudicate
from transforms.diplomacy.board import Board
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.rulings import Rulings

DIFFERENT = 500  # positions; a larger batch repeats them


def batch(board: Board, phases: int) -> dict[str, pl.DataFrame]:
    """So many movements of whole boards, 22 to 34 units each, with convoys."""
    rnd = Random(1901)
    tables = tables_of([full_board(board, rnd) for _ in range(min(phases, DIFFERENT))])
    copies = range(0, phases, DIFFERENT)
    return {
        name: pl.concat(
            table.with_columns(pl.col("phase_id") + pl.lit(first, pl.UInt32)) for first in copies
        )
        for name, table in tables.items()
    }


def seconds(run: Callable[[], Any], times: int = 5) -> float:
    """Median of several runs, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return median(found)


def main() -> None:
    """Print one line per size: reading the order texts, and the adjudication itself."""
    board = read_board("standard")
    none = {
        name: schema.empty(f"ghost.batch.{name}") for name in ("centres", "dislodged", "contested")
    }
    for phases in [int(word) for word in sys.argv[1:]] or [1, 1_000, 10_000]:
        tables = batch(board, phases)
        seen = tables["units"].head(0).with_columns(viewer="nation")
        lines = tables["orders"].select("phase_id", "nation", "line", "text", "step")
        position = {"phases": tables["phases"], "units": tables["units"], **none}
        read = seconds(
            lambda lines=lines, position=position, seen=seen: read_orders(
                board,
                lines=lines,
                seen=seen,
                **{k: position[k] for k in ("phases", "units", "dislodged", "centres")},
            ),
            times=1,
        )
        done = seconds(
            lambda tables=tables, position=position: adjudicate(
                board, Rulings(), orders=tables["orders"], **position
            )
        )
        print(
            f"{phases:>7,} phases  {tables['units'].height:>9,} units  "
            f"{tables['orders'].height:>9,} orders  read {read:7.3f} s  adjudicate {done:7.3f} s"
        )


if __name__ == "__main__":
    main()
