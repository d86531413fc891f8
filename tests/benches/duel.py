"""How fast duels are, how much faster than one after the other, and that memory stays flat.

    python -m tests.benches.duel [fights, default 1000000]

Two one-to-one scenes: `plain` has one attack each, `rich` costs, cooldowns, conditions, poison,
a blessing and thorns. Times include reading nothing and writing Parquet; memory is the peak of a
process of its own, for a million fights and for ten times as many.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any

import polars as pl

from flows.duel_store import write_played
from tests.reference.duel import Fight
from transforms.duel.model import Registry
from transforms.duel.parse import parse_registry
from transforms.duel.run import run_fights

FRAME = 2**16
REFERENCE = 4000
ATTACK = {
    "id": "b:attack",
    "actions": [{"do": "damage", "scale": 1.0, "type": "b:physical"}],
}
POWER = {
    "id": "b:power",
    "cost": 3,
    "cooldown": 3,
    "actions": [{"do": "damage", "scale": 1.5, "type": "b:physical"}],
}
MEND = {"id": "b:mend", "cost": 4, "actions": [{"do": "heal", "amount": 8}]}
BLESS = {
    "id": "b:bless",
    "cost": 2,
    "cooldown": 6,
    "actions": [
        {
            "do": "modifier",
            "id": "b:keen",
            "who": "self",
            "turns": 4,
            "attribute": "damage",
            "add": 2.0,
        }
    ],
}
VENOM = {
    "id": "b:venom",
    "cooldown": 4,
    "actions": [
        {"do": "damage", "scale": 0.5, "type": "b:physical"},
        {"do": "modifier", "id": "b:poison", "turns": 3, "tick": {"amount": 1, "type": "b:poison"}},
    ],
}
THORNS = {
    "id": "b:thorns",
    "event": "damaged",
    "on": "subject",
    "actions": [{"do": "damage", "amount": 1.0, "type": "b:physical", "who": "source"}],
}
HURT = {"check": "attribute", "who": "self", "attribute": "health", "below": 0.4}


def scene(name: str) -> Registry:
    """The registry of a scene: `b:hero` and `b:foe`."""
    hero: dict[str, Any] = {
        "id": "b:hero",
        "base": {"max_health": 40, "damage": 5, "dexterity": 4, "critical_chance": 0.1},
        "abilities": ["b:attack"],
        "ai": [{"ability": "b:attack"}],
    }
    foe: dict[str, Any] = {
        "id": "b:foe",
        "base": {"max_health": 30, "damage": 5, "dexterity": 3, "hit_chance": 0.7},
        "abilities": ["b:attack"],
        "ai": [{"ability": "b:attack"}],
    }
    if name == "plain":
        return _parsed({"creatures": [hero, foe], "abilities": [ATTACK]})
    hero["base"] |= {"max_stamina": 10}
    hero["abilities"] = ["b:attack", "b:power", "b:mend", "b:bless"]
    hero["ai"] = [
        {"ability": "b:mend", "condition": [HURT]},
        {"ability": "b:bless"},
        {"ability": "b:power"},
        {"ability": "b:attack"},
    ]
    foe |= {"abilities": ["b:attack", "b:venom"], "triggers": ["b:thorns"]}
    foe["ai"] = [{"ability": "b:venom"}, {"ability": "b:attack"}]
    abilities = [ATTACK, POWER, MEND, BLESS, VENOM]
    return _parsed({"creatures": [hero, foe], "abilities": abilities, "triggers": [THORNS]})


def _parsed(core: dict[str, Any]) -> Registry:
    return parse_registry([[("bench.toml", core)]])


def fights(count: int) -> Iterator[pl.DataFrame]:
    """Frames of duel.fights, made when they are needed."""
    for first in range(0, count, FRAME):
        ids = pl.int_range(first, min(count, first + FRAME), dtype=pl.UInt64, eager=True)
        yield pl.DataFrame({"fight_id": ids, "seed": ids + 1}).with_columns(
            hero=pl.lit("b:hero"), enemies=pl.concat_list(pl.lit("b:foe"))
        )


def measure(name: str, count: int, events: bool) -> None:
    """Run once in this process; print seconds, CPU seconds and peak MB."""
    registry = scene(name)
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        write_played(
            run_fights(fights(count), registry, events=events), Path(folder), events=events
        )
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        actions = pl.scan_parquet(f"{folder}/results.parquet").select(pl.col("actions").mean())
        mean = actions.collect().item()
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / 2**20
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:6} {count:>10,} fights {'with' if events else 'without'} events: {wall:6.1f} s "
        f"(CPU {cpu:.1f} s), {mean:.1f} actions a fight, peak {peak:.0f} MB, {size:.0f} MB written",
        flush=True,
    )


def reference_seconds(name: str) -> float:
    """CPU seconds of the plain reference for a million of the same fights, from a sample."""
    registry = scene(name)
    sample = next(fights(REFERENCE))
    start = time.process_time()
    for row in sample.iter_rows(named=True):
        Fight(registry, row["seed"], row["hero"], row["enemies"]).run()
    return (time.process_time() - start) / REFERENCE * 1e6


def engine_seconds(name: str, events: bool) -> float:
    """CPU seconds of the engine alone for a million fights, from 2^18 of them."""
    registry, count = scene(name), 2**18
    start = time.process_time()
    for _ in run_fights(fights(count), registry, events=events):
        pass
    return (time.process_time() - start) / count * 1e6


def main() -> None:
    """All scenes, each in a process of its own, so that peaks do not mix."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name in ("plain", "rich"):
        for size, events in ((count, False), (count, True), (10 * count, False)):
            command = [
                sys.executable,
                "-m",
                "tests.benches.duel",
                name,
                str(size),
                str(int(events)),
            ]
            subprocess.run(command, check=True)
        slow, fast, logged = (
            reference_seconds(name),
            engine_seconds(name, False),
            engine_seconds(name, True),
        )
        print(
            f"{name:6} CPU seconds a million fights: reference (with events) {slow:.0f}, engine "
            f"{fast:.1f} = {slow / fast:.0f} x as fast, with events {logged:.1f} = "
            f"{slow / logged:.0f} x as fast",
            flush=True,
        )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measure(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "1")
    else:
        main()
