"""How fast movement is: crowded worlds of up to a million units on a million hexes.

    python tests/benches/movement.py [units]

`mixed` scatters the realms over the map, `fronts` gives each its own country and lets its columns
march on the others, `chain` is the worst case: every unit's stop turns the next realm's over.
"""

import sys
import time
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import polars as pl

from tests.small_rules import small_rules
from transforms import movement
from transforms.movement import sequential
from transforms.schema import empty, shaped

RULES = small_rules()
SIDE, STEPS, REALMS = 1000, 6, 20
Tables = dict[str, pl.DataFrame]


def chance(stream: int, sides: int, *of: str) -> pl.Expr:
    """A number in 0..sides-1 that looks random and depends on the columns `of` alone."""
    return (pl.struct(of or ("unit_id",)).hash(stream) % sides).cast(pl.Int64)


def scattered(kind: str, count: int) -> Tables:
    """`count` units that walk up to STEPS hexes, mostly straight on, from random places."""
    x, y, realm = chance(1, SIDE), chance(2, SIDE), chance(3, REALMS)
    if kind == "fronts":
        x, y = x // 4 * 4, y // 4 * 4
        realm = x * 5 // SIDE * 4 + y * 4 // SIDE
    units = (
        pl.select(unit_id=pl.int_range(count))
        .with_columns(x=x, y=y, realm_id=realm + 1, steps=chance(4, STEPS + 1))
        .with_columns(number=pl.int_range(pl.len()).over("realm_id"))
    )
    swerve = chance(7, 10, "unit_id", "step") == 0
    paths = (
        units.join(pl.select(step=pl.int_range(1, STEPS + 1)), how="cross")
        .filter(pl.col("step") <= pl.col("steps"))
        .sort("unit_id", "step")
        .with_columns(
            x=pl.col("x") + (chance(5, 3) - 1 + swerve).cum_sum().over("unit_id"),
            y=pl.col("y") + (chance(6, 3) - 1 + swerve).cum_sum().over("unit_id"),
        )
    )
    realms = pl.select(realm_id=pl.int_range(1, REALMS + 1))
    allies = realms.join(realms.rename({"realm_id": "ally_id"}), how="cross").filter(
        pl.sum_horizontal(pl.all()) % 5 == 0, pl.col("realm_id") != pl.col("ally_id")
    )
    place = (pl.col("x") % SIDE * SIDE + pl.col("y") % SIDE + 1).alias("hex_id")
    return tables(units.with_columns(place), paths.with_columns(place), allies)


def chain(count: int, chains: int = 2) -> Tables:
    """A unit stops on its first hex if the one before it went on to it, else it goes on itself."""
    units = pl.select(unit_id=pl.int_range(count)).select(
        "unit_id",
        realm_id=pl.col("unit_id") // chains + 1,
        number=pl.col("unit_id") % chains + 1,
        hex_id=pl.col("unit_id") + 2 * count,
    )
    paths = pl.concat(
        units.select("unit_id", step=step, hex_id=pl.col("unit_id") + 1 + chains * (step - 1))
        for step in (1, 2)
    )
    return tables(units, paths, pl.DataFrame(schema=["realm_id", "ally_id"]))


def tables(units: pl.DataFrame, paths: pl.DataFrame, alliances: pl.DataFrame) -> Tables:
    """The tables that `move` reads, conformed."""
    units = units.select(
        "unit_id",
        "realm_id",
        "number",
        "hex_id",
        unit_type=pl.lit("Krieger"),
        troops=pl.lit(1000),
        last_ashore=pl.lit(0),
    )
    paths = paths.select("unit_id", "step", "hex_id")
    return {
        "units": shaped("units", units),
        "paths": shaped("paths", paths),
        "alliances": shaped("alliances", alliances),
    }


def main(most: int) -> None:
    """Best of three runs for each kind of world."""
    cases = [(kind, count) for count in (100_000, most) for kind in ("mixed", "fronts")]
    for kind, count in [("chain", 100_000), *cases]:
        given = chain(count) if kind == "chain" else scattered(kind, count)
        before, best = peak_mb(reset=True), float("inf")
        for _ in range(3):
            with patch.object(sequential, "_contacts", wraps=sequential._contacts) as joins:
                start = time.perf_counter()
                moves = movement.move(
                    **given, splits=empty("splits"), rules=RULES, turn=cast(Any, None)
                )["moves"]
                best = min(best, time.perf_counter() - start)
        print(
            f"{kind:7}{count:10,} units{given['paths'].height:11,} waypoints{best:8.3f} s"
            f"{joins.call_count - 1:4} rounds  +{peak_mb() - before:4.0f} MB"
            f"{moves['contact'].mean():6.0%} stopped"
        )


def peak_mb(reset: bool = False) -> int:
    """Highest memory of this process since the last reset (Linux)."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000_000)
