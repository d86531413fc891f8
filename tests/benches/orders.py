"""How long a million order lines take: `python -m tests.benches.orders [files] [lines]`.

Every realm has half as many units as lines; nine lines in ten move a unit over about three
waypoints, the others train and build. Printed: seconds of each step and the peak of memory.
"""

import resource
import sys
import time
from random import Random

import polars as pl

from tests.small_rules import small_rules
from tests.worlds import small_turn
from transforms import costs
from transforms.orders import decode, read_orders
from transforms.schema import conform, empty

CODES = ("r", "v", "a", "n", "p1", "p2")


def main(files: int = 1_000, lines: int = 1_000) -> None:
    """Write, decode and read `files` order files of `lines` lines and print the seconds."""
    random = Random(1)
    tables = world(files, lines)
    handed_in = [order_file(random, lines).encode("cp1252") for _ in range(files)]
    rules, turn = small_rules(), small_turn()

    start = time.perf_counter()
    texts = [decode(data) for data in handed_in]
    clock("decode", start)
    order_texts = conform(
        "order_texts",
        pl.DataFrame(
            {
                "realm_id": range(1, files + 1),
                "file": [f"R{n}_SPZ.txt" for n in range(files)],
                "size_bytes": [len(data) for data in handed_in],
                "text": [text for text, _, _ in texts],
            }
        ),
    )
    start = time.perf_counter()
    read = read_orders(order_texts=order_texts, **tables, rules=rules, turn=turn)
    clock("read_orders", start)

    start = time.perf_counter()
    costs.check_reports(
        order_files=read["order_files"],
        order_lines=read["order_lines"],
        rejections=read["rejections"],
        movements=read["movements"],
        trainings=read["trainings"],
        constructions=read["constructions"],
        units=tables["units"],
        realms=tables["realms"],
        rules=rules,
        turn=turn,
    )
    clock("check_reports", start)
    print(read["order_files"].select("lines", "accepted", "rejected", "warned").sum())
    print({name: frame.height for name, frame in read.items()})
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def clock(what: str, start: float) -> None:
    print(f"{what:15} {time.perf_counter() - start:6.2f} s")


def world(realms: int, lines: int) -> dict[str, pl.DataFrame]:
    """Realms with `lines` // 2 units each, each realm knowing ten Großfelder."""
    ids, numbers = range(1, realms + 1), range(1, lines // 2 + 1)
    everyone = pl.DataFrame({"realm_id": ids}).join(pl.DataFrame({"number": numbers}), how="cross")
    units = everyone.with_row_index("unit_id", 1).with_columns(
        unit_type=pl.lit("Krieger"), troops=1000, hex_id=20714, last_ashore=0
    )
    hexes = pl.DataFrame({"gf": range(201, 211)}).join(
        pl.DataFrame({"kf": range(1, 49)}), how="cross"
    )
    hexes = hexes.with_columns(
        hex_id=pl.col("gf") * 100 + pl.col("kf"),
        q=0,
        r=0,
        height=pl.lit("Ebene"),
        terrain=pl.lit("Flur"),
    )
    sight = pl.DataFrame({"realm_id": ids}).join(hexes.select("hex_id"), how="cross")
    return {
        "units": conform("units", units),
        "realms": conform(
            "realms",
            pl.DataFrame({"realm_id": ids, "code": [f"R{n}" for n in ids], "name": "Reich"}),
        ),
        "alliances": empty("alliances"),
        "hexes": conform("hexes", hexes),
        "sight": conform("sight", sight),
        "atlas": empty("atlas"),
    }


def order_file(random: Random, lines: int) -> str:
    """One realm's orders; a few lines have a typing error."""
    return "".join(order_line(random, n, lines) + "\r\n" for n in range(lines))


def order_line(random: Random, n: int, lines: int) -> str:
    kind = random.random()
    if kind > 0.95:
        return "Rüsten,Krieger,1000,1,k1,16000"
    if kind > 0.90:
        return f"bauen,Burg,207,{random.randint(1, 48)},50000,Adlerhorst"
    way = [str(random.randint(1, 48)) for _ in range(random.randint(1, 5))]
    if kind < 0.1:
        way[-1] = f"208,{way[-1]}"
    number = n // 2 + 1 if kind > 0.01 else lines + n
    return f"{number},1000,0,207,14,{','.join(way)},{random.choice(CODES)}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
