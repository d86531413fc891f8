"""What a realm sees, rebuilt from nothing after everything else (source 1, 7 and 8)."""

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped

_HEX_IDS = 2**32
_PAIR = pl.col("realm_id").cast(pl.UInt64) * _HEX_IDS + pl.col("hex_id")
_REALM_AND_HEX = (
    (pl.col("pair") // _HEX_IDS).cast(pl.UInt16).alias("realm_id"),
    (pl.col("pair") % _HEX_IDS).cast(pl.UInt32).alias("hex_id"),
)


def rebuild(
    *,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    hexes: pl.DataFrame,
    neighbours: pl.DataFrame,
    atlas: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Every living unit ashore and every central building sees its hex and rings around it.

    A unit sees `unit_sight_radius` rings, a building, finished or not, the `sight_radius` of its
    type; with `edge_sight` one on an edge sees from both sides of it. Rings follow `neighbours`,
    not the drawing: the globe has corners. Out: `sight` as it is now; `atlas` unchanged, or with
    `atlas = remember` grown by it and, with `ring2_sight`, by what units make out beyond it.
    """
    lookouts = _lookouts(units, buildings, neighbours, rules)
    seen = _widened(lookouts, neighbours)
    sight = shaped("sight", _split(seen))
    if rules.switches.atlas == "frozen":
        return {"sight": sight, "atlas": atlas}
    if rules.switches.ring2_sight == "on":
        seen = pl.concat([seen, _made_out(units, seen, hexes, neighbours, rules)])
    return {"sight": sight, "atlas": shaped("atlas", _remembered(atlas, seen, turn))}


def first_atlas(sight: pl.DataFrame, turn_number: int) -> pl.DataFrame:
    """The table `atlas` of a game that starts with `sight`, everything seen in `turn_number`."""
    now = pl.lit(turn_number, pl.Int32)
    return shaped("atlas", sight.with_columns(first_seen=now, last_seen=now))


def _lookouts(
    units: pl.DataFrame, buildings: pl.DataFrame, neighbours: pl.DataFrame, rules: Rules
) -> pl.DataFrame:
    """(pair of realm and hex, radius in rings) of everything that sees."""
    reach = rules.building_types.lazy().select(
        building_type="code", radius=pl.col("sight_radius").cast(pl.Int64)
    )
    towers = buildings.lazy().join(reach, on="building_type")
    on_edge = pl.col("direction").is_not_null()
    looking = [
        _scouts(units).with_columns(radius=pl.lit(rules.constants.unit_sight_radius, pl.Int64)),
        towers.filter(~on_edge),
    ]
    if rules.switches.edge_sight == "on":
        edges = towers.filter(on_edge)
        across = neighbours.lazy().rename({"neighbour_id": "across_id"})
        looking += [
            edges,
            edges.join(across, on=["hex_id", "direction"]).with_columns(hex_id="across_id"),
        ]
    return pl.concat([who.select(_PAIR.alias("pair"), "radius") for who in looking]).collect()


def _scouts(units: pl.DataFrame) -> pl.LazyFrame:
    return units.lazy().filter((pl.col("troops") > 0) & pl.col("hex_id").is_not_null())


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
    return pairs.sort().to_frame("pair").lazy().select(_REALM_AND_HEX).collect()


def _made_out(
    units: pl.DataFrame,
    seen: pl.Series,
    hexes: pl.DataFrame,
    neighbours: pl.DataFrame,
    rules: Rules,
) -> pl.Series:
    """Pairs that are not `seen`, but two steps from a unit and not hidden from it.

    A hex between the two that is higher than both hides the far one; two hexes have one or two
    between them.
    """
    scouts = _scouts(units).select("realm_id", "hex_id").unique().collect().lazy()
    step = neighbours.lazy().select("hex_id", "neighbour_id")
    onward = step.rename({"hex_id": "between_id", "neighbour_id": "far_id"})
    back = step.rename({"hex_id": "between_id", "neighbour_id": "hex_id"})
    ways = (
        scouts.join(step, on="hex_id")
        .select("realm_id", between_id="neighbour_id")
        .unique()
        .join(onward, on="between_id")
        .with_columns(pair=pl.col("realm_id").cast(pl.UInt64) * _HEX_IDS + pl.col("far_id"))
        .join(seen.to_frame("pair").lazy(), on="pair", how="anti")
        .join(back, on="between_id")
        .join(scouts, on=["realm_id", "hex_id"], how="semi")
    )
    levels = hexes.lazy().join(rules.heights.lazy(), left_on="height", right_on="name")
    for end in ("hex", "between", "far"):
        known = levels.select(pl.col("hex_id").alias(f"{end}_id"), pl.col("level").alias(end))
        ways = ways.join(known, on=f"{end}_id")
    return (
        ways.group_by("pair", "hex_id")
        .agg(hidden=(pl.col("between") > pl.max_horizontal("hex", "far")).any())
        .filter(~pl.col("hidden"))
        .select(pl.col("pair").unique())
        .collect()
        .to_series()
    )


def _remembered(atlas: pl.DataFrame, seen: pl.Series, turn: Turn) -> pl.DataFrame:
    """`atlas` and all pairs of `seen`, these seen last in this turn."""
    now = pl.lit(turn.number, pl.Int32)
    known = atlas.lazy().select("first_seen", "last_seen", pair=_PAIR)
    fresh = seen.to_frame("pair").lazy().select(first_seen=now, last_seen=now, pair="pair")
    return (
        pl.concat([known, fresh])
        .group_by("pair")
        .agg(pl.col("first_seen").min(), pl.col("last_seen").max())
        .sort("pair")
        .select(*_REALM_AND_HEX, "first_seen", "last_seen")
        .collect()
    )
