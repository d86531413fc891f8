"""How fast combat and status are: up to a million units on crowded hexes.

    python tests/benches/combat.py [units]

`crowded` puts a hundred units of twelve realms on every hex, `melee` ten of sixty; `fleet` loads
nine of ten units on ships that fight, `peace` scatters the units so that few meet.
"""

import sys
import time

import polars as pl

from tests.battlefield import RULES, TURN, allied
from transforms.combat import fight
from transforms.schema import empty, shaped
from transforms.status import dissolve, settle

SCENES = {"crowded": (100, 12), "melee": (10, 60), "fleet": (100, 60), "peace": (0.05, 60)}
Tables = dict[str, pl.DataFrame]


def chance(stream: int, sides: int) -> pl.Expr:
    """A number in 0..sides-1 that looks random and depends on unit_id alone."""
    return (pl.col("unit_id").hash(stream) % sides).cast(pl.Int64)


def scene(kind: str, count: int) -> Tables:
    """The tables that `fight` reads, with `count` units."""
    crowd, realms = SCENES[kind]
    places = max(1, int(count / crowd))
    passenger = (kind == "fleet") & (pl.col("unit_id") % 10 > 0)
    units = pl.select(unit_id=pl.int_range(count)).with_columns(
        realm_id=chance(1, realms) + 1,
        number=pl.int_range(count) % 65536,
        unit_type=pl.when(pl.col("unit_id") % 10 > 0)
        .then(pl.lit("Krieger"))
        .otherwise(pl.lit("Schiff")),
        troops=chance(2, 5000) * chance(3, 40) + 1,
        merit=chance(4, 30),
        hex_id=pl.when(~passenger).then(chance(5, places) * 100 + 1),
        carrier_id=pl.when(passenger).then(pl.col("unit_id") // 10 * 10),
        last_ashore=0,
    )
    land = (
        units.select("hex_id")
        .drop_nulls()
        .unique()
        .with_columns(
            gf=pl.col("hex_id") // 100,
            kf=1,
            q=0,
            r=0,
            height=pl.lit(""),
            terrain=pl.lit(""),
            realm_id=pl.col("hex_id") % realms + 1,
            province_id=pl.col("hex_id") % 500,
        )
    )
    walls = (
        land.sort("hex_id")
        .select("hex_id", "realm_id", building_type=pl.lit("BRG"))
        .with_row_index("building_id")
    )
    return {
        "units": shaped("units", units),
        "hexes": shaped("hexes", land),
        "buildings": shaped("buildings", walls),
        "alliances": allied(*((a, a + 1) for a in range(1, realms, 3))),
        "movements": empty("movements"),
    }


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for kind in SCENES:
        world = scene(kind, count)
        for _ in range(2):
            clock = time.perf_counter()
            fought = fight(**world, rules=RULES, turn=TURN)
            seconds = [time.perf_counter() - clock]
            settled = settle(
                units=fought["units"], battle_units=fought["battle_units"], rules=RULES, turn=TURN
            )
            seconds.append(time.perf_counter() - clock - sum(seconds))
            dissolve(units=settled["units"], rules=RULES, turn=TURN)
            seconds.append(time.perf_counter() - clock - sum(seconds))
        fighters, battles = fought["battle_units"].height, fought["battles"]["hex_id"].n_unique()
        print(
            f"{kind:8} {count:>10,} units: {fighters:>9,} fight on {battles:>7,} hexes, "
            f"{settled['fates'].height:>8,} fates; "
            "fight {:.2f} s, settle {:.2f} s, dissolve {:.2f} s".format(*seconds)
        )


if __name__ == "__main__":
    main()
