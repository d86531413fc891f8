"""What a realm sees, rebuilt from nothing after everything else (source 1, 7)."""

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped

_HEX_IDS = 2**32
_PAIR = pl.col("realm_id").cast(pl.UInt64) * _HEX_IDS + pl.col("hex_id")


def rebuild(
    *,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    neighbours: pl.DataFrame,
    atlas: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Every living unit ashore and every central building sees its hex and rings around it.

    A unit sees `unit_sight_radius` rings, a building, finished or not, the `sight_radius` of its
    type. Rings follow `neighbours`, not the drawing: the globe has corners. Out: `sight` as it
    is now; `atlas` unchanged (switch `atlas = frozen`). Source 1, 7 and 8.
    """
    seen = _widened(_lookouts(units, buildings, rules), neighbours)
    return {"sight": shaped("sight", _split(seen)), "atlas": atlas}


def first_atlas(sight: pl.DataFrame, turn_number: int) -> pl.DataFrame:
    """The table `atlas` of a game that starts with `sight`, everything seen in `turn_number`."""
    now = pl.lit(turn_number, pl.Int32)
    return shaped("atlas", sight.with_columns(first_seen=now, last_seen=now))


def _lookouts(units: pl.DataFrame, buildings: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """(pair of realm and hex, radius in rings) of everything that sees."""
    radius = pl.lit(rules.constants.unit_sight_radius, pl.Int64)
    soldiers = units.lazy().filter((pl.col("troops") > 0) & pl.col("hex_id").is_not_null())
    reach = rules.building_types.lazy().select(building_type="code", radius="sight_radius")
    towers = buildings.lazy().filter(pl.col("direction").is_null()).join(reach, on="building_type")
    return pl.concat(
        [
            soldiers.select(_PAIR.alias("pair"), radius=radius),
            towers.select(_PAIR.alias("pair"), radius=pl.col("radius").cast(pl.Int64)),
        ]
    ).collect()


def _widened(lookouts: pl.DataFrame, neighbours: pl.DataFrame) -> pl.Series:
    """All pairs seen. `seen` grows by one ring a round; who looks n rings far joins it when n
    rounds are left, so every pair is held once, however many look at it."""
    adjacent = neighbours.lazy().select("hex_id", "neighbour_id")
    farthest = lookouts.select(pl.col("radius").max()).item() or 0
    seen = pl.Series("pair", [], pl.UInt64)
    for rounds_left in range(farthest, -1, -1):
        ring = _split(seen).lazy().join(adjacent, on="hex_id").drop("hex_id")
        around = ring.rename({"neighbour_id": "hex_id"}).select(pair=_PAIR)
        joining = lookouts.lazy().filter(pl.col("radius") == rounds_left).select("pair")
        seen = pl.concat([seen.to_frame(), *pl.collect_all([around, joining])])["pair"].unique()
    return seen


def _split(pairs: pl.Series) -> pl.DataFrame:
    """The table `sight` of pairs: one ascending integer sorts seven times faster than two."""
    pair = pl.col("pair")
    return (
        pairs.sort()
        .to_frame("pair")
        .lazy()
        .select(
            realm_id=(pair // _HEX_IDS).cast(pl.UInt16), hex_id=(pair % _HEX_IDS).cast(pl.UInt32)
        )
        .collect()
    )
