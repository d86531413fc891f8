"""How fast Treffer und Verluste is: Parquet in and out, without the start of the process.

    python -m tests.benches.hits

Half of the combatants of each army are ranged, KK lie between 1 and 5. Told are the median of
five runs and the processor's time, which other programs on the machine disturb less. Battle
reports are written too, a file per battle; from the second run on they are overwritten.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from flows.battles import run
from tests.battlefield import allied, hexes, table
from tests.test_combat_hits import RULES
from transforms.combat import fight
from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.hits.results import Wish
from transforms.schema import shaped

RUNS = 5


def write_battles(folder: Path, battles: int, combatants: int) -> Path:
    """`battles` battles of two armies with this many combatants each, as Parquet."""
    folder.mkdir()
    armies = np.arange(2 * battles)
    luck = np.random.default_rng(1)
    count = armies.size * combatants
    tables = {
        "armies": {"battle_id": armies // 2, "army_id": armies},
        "combatants": {
            "army_id": np.repeat(armies, combatants),
            "combatant_id": np.tile(np.arange(combatants), armies.size),
            "kk": luck.integers(10, 51, count) / 10,
            "ranged": luck.random(count) < 0.5,
        },
        "enmities": {"army_id": armies, "enemy_id": armies ^ 1},
    }
    for name, columns in tables.items():
        shaped(f"hits.{name}", pl.DataFrame(columns)).write_parquet(folder / f"{name}.parquet")
    (folder / "battles.toml").write_text(f'[battles]\nid = "bench"\nseed = "{"42" * 32}"\n')
    return folder


def crowded_turn(units: int) -> Callable[[], object]:
    """The combat of a turn of the hex game: a hundred units of two realms on every hex."""
    ids = pl.select(unit_id=pl.int_range(units))
    frame = ids.with_columns(
        realm_id=pl.col("unit_id") % 2 + 1,
        number=pl.col("unit_id") // 2,
        unit_type=pl.lit("Krieger"),
        troops=pl.lit(2500),
        merit=pl.lit(0),
        hex_id=pl.col("unit_id") // 100 * 100 + 101,
        last_ashore=pl.lit(0),
    )
    world = {"units": shaped("units", frame), "hexes": hexes(), "alliances": allied()}
    turn = Turn("bench", 1, 0, turn_dice(bytes(32), "bench", 1))
    return lambda: fight(
        **world,
        buildings=table("buildings", []),
        movements=table("movements", []),
        rules=RULES,
        turn=turn,
    )


def measure(title: str, allowed: str, work: Callable[[], object]) -> None:
    seconds, processor = [], []
    for _ in range(RUNS):
        clock, busy = time.perf_counter(), time.process_time()
        work()
        seconds.append(time.perf_counter() - clock)
        processor.append(time.process_time() - busy)
    print(
        f"{title:<46} {median(seconds):6.2f} s (allowed {allowed}), "
        f"processor {median(processor):6.2f} s"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        many = write_battles(root / "many", 10_000, 100)
        large = write_battles(root / "large", 1, 100_000)
        one = write_battles(root / "one", 1, 100)
        measure("10,000 battles of 2 × 100 combatants", "3 s", lambda: run(many))
        measure("one battle of 2 × 100,000 combatants", "5 s", lambda: run(large))
        repeated = Wish(repeat=10_000)
        measure("--repeat 10000 of 2 × 100", "3 s", lambda: run(one, wish=repeated))
    measure("a turn with 100,000 units, 300,000 combatants", "–", crowded_turn(100_000))


if __name__ == "__main__":
    main()
