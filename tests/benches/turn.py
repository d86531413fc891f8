"""Seconds and peak memory of every step of a whole turn, reports written, no pictures.

`python -m tests.benches.turn [--sizes 10k,100k,1M]`; never asserted by the clock.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from flows.game import read_game
from flows.progress import Progress, StepDone
from flows.publish import publish
from flows.turn import TurnRunner
from tests.benches.world import make_game

SIZES = {  # units, hexes, realms
    "1k": (1_000, 1_000, 10),
    "10k": (10_000, 10_000, 100),
    "50k": (50_000, 22_500, 200),
    "100k": (100_000, 100_000, 300),
    "1M": (1_000_000, 1_000_000, 1_000),
}


@dataclass
class Meter(Progress):
    """Prints every step with its seconds and the highest memory of the process meanwhile."""

    def step(self, done: StepDone) -> None:
        _line(f"{done.part}  {done.name}", done.seconds)


def _line(name: str, seconds: float) -> None:
    print(f"  {name:28} {seconds:8.2f} s {peak_mb():8.0f} MB", flush=True)
    reset_peak()


def peak_mb() -> float:
    """Highest resident memory since the last reset, in MB (Linux; elsewhere 0)."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), 0.0)


def reset_peak() -> None:
    """Start measuring anew, where the system allows it."""
    clear = Path("/proc/self/clear_refs")
    if clear.exists():
        clear.write_text("5")


@contextmanager
def game_of(size: str) -> Iterator[Path]:
    """A game of that size in a scratch folder."""
    units, hexes, realms = SIZES[size]
    scratch = Path(tempfile.mkdtemp(prefix="zugwerk-bench-"))
    try:
        make_game(scratch / "game", units=units, hexes=hexes, realms=realms)
        yield scratch / "game"
    finally:
        shutil.rmtree(scratch)


def main() -> None:
    """Play turn 1 of a game of every size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10k,50k,100k,1M", help=", ".join(SIZES))
    for size in parser.parse_args().sizes.split(","):
        if size not in SIZES:
            sys.exit(f"unknown size {size!r}; allowed: {', '.join(SIZES)}")
        with game_of(size) as root:
            units, hexes, realms = SIZES[size]
            print(f"{units:,} units, {hexes:,} hexes, {realms:,} realms", flush=True)
            reset_peak()
            started = perf_counter()
            runner = TurnRunner(read_game(root), progress=Meter())
            runner.load(1)
            _line("load  (all)", perf_counter() - started)
            runner.execute(1)
            _line("execute  (all)", perf_counter() - started)
            begun = perf_counter()
            publish(root, 1, runner.frames, pictures=False)
            _line("publish", perf_counter() - begun)
            _line("turn", perf_counter() - started)


if __name__ == "__main__":
    main()
