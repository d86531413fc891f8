"""What a realm may see on its map: the tables that the picture is drawn from, and nothing else.

The picture knows no other tables, so what is not in a `MapView` cannot leak (source 1, 8).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from transforms.rules import Rules

EDGES = ("coasts", "rivers", "gf_edges", "borders")


@dataclass(frozen=True, eq=False)
class MapView:
    """The map of one realm, ready to be drawn.

    `fields`: one row per known hex: hex_id, gf, kf, q, r, height, level (null = height unknown to
    the rules), terrain, seen (shown as of today), owner_id and owner_code (null where not seen) and
    the columns `EDGES`, each a set of edges as a bit mask: bit d is the edge in direction d.
    `units`: hex_id, own, owner_id, code, number, unit_type.
    `buildings`: hex_id, own, building_type, direction.
    """

    realm_id: int
    code: str | None
    name: str | None
    turn_number: int
    fields: pl.DataFrame
    units: pl.DataFrame
    buildings: pl.DataFrame


def map_views(
    *,
    atlas: pl.DataFrame,
    sight: pl.DataFrame,
    hexes: pl.DataFrame,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    realms: pl.DataFrame,
    rivers: pl.DataFrame,
    neighbours: pl.DataFrame,
    rules: Rules,
    turn_number: int,
) -> Iterator[MapView]:
    """The map of every realm, by realm_id (source 1, 8).

    On it are the hexes of the realm's atlas. Terrain and height are shown on all of them; owners,
    borders, foreign units and foreign buildings only where it sees today (switch `map_shows`:
    `atlas` = everywhere on it); own units and buildings everywhere on it. An edge is shown only
    when both its hexes are: a river or coast on both known, a border between both seen. A
    building on an edge belongs to the hex it stands on. Aboard and captive units are not shown.
    """
    known = _known(atlas, sight, rules).lazy()
    codes = realms.lazy().select(owner_id="realm_id", code="code")
    edges = _edges(hexes, rivers, neighbours, rules).lazy()
    fields = (
        known.join(hexes.lazy().rename({"realm_id": "owner_id"}), on="hex_id")
        .with_columns(pl.when("seen").then("owner_id").alias("owner_id"))
        .join(codes.rename({"code": "owner_code"}), on="owner_id", how="left")
        .join(_levels(rules).lazy(), on="height", how="left")
        .join(_edge_sets(known, edges), on=["viewer_id", "hex_id"], how="left")
        .with_columns(pl.col(EDGES).fill_null(0))
        .select(
            *("viewer_id", "hex_id", "gf", "kf", "q", "r", "height", "level", "terrain"),
            *("seen", "owner_id", "owner_code", *EDGES),
        )
        .sort("viewer_id", "hex_id")
    )
    shown_units = (
        _shown(known, units.lazy().filter(pl.col("troops") > 0), codes)
        .select("viewer_id", "hex_id", "own", "owner_id", "code", "number", "unit_type")
        .sort(
            *("viewer_id", "hex_id", "own", "code", "number"),
            descending=[False, False, True, False, False],
        )
    )
    shown_buildings = (
        _shown(known, buildings.lazy(), codes)
        .sort("viewer_id", "hex_id", "building_id")
        .select("viewer_id", "hex_id", "own", "building_type", "direction")
    )
    tables = [_parts(frame) for frame in pl.collect_all([fields, shown_units, shown_buildings])]
    for realm_id, code, name in realms.select("realm_id", "code", "name").iter_rows():
        parts = (part.get(realm_id, empty) for part, empty in tables)
        yield MapView(realm_id, code, name, turn_number, *parts)


def map_view(
    realm_id: int, *, atlas: pl.DataFrame, sight: pl.DataFrame, realms: pl.DataFrame, **rest: Any
) -> MapView:
    """The map of one realm; keyword arguments as for `map_views`. Errors: no such realm."""
    mine = pl.col("realm_id") == realm_id
    for view in map_views(
        atlas=atlas.filter(mine), sight=sight.filter(mine), realms=realms, **rest
    ):
        if view.realm_id == realm_id:
            return view
    raise ValueError(f"no realm {realm_id}")


def _known(atlas: pl.DataFrame, sight: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """viewer_id, hex_id and `seen` for every hex on a realm's map."""
    key = ["realm_id", "hex_id"]
    everywhere = rules.switches.map_shows == "atlas"
    return (
        atlas.select(key)
        .join(sight.select(*key, seen=True), on=key, how="left")
        .select(
            viewer_id="realm_id",
            hex_id="hex_id",
            seen=pl.lit(True) if everywhere else pl.col("seen").fill_null(False),
        )
    )


def _levels(rules: Rules) -> pl.DataFrame:
    return rules.heights.select(height="name", level="level")


def _edges(
    hexes: pl.DataFrame, rivers: pl.DataFrame, neighbours: pl.DataFrame, rules: Rules
) -> pl.DataFrame:
    """Every edge that has anything to draw, once from each side, with what there is.

    A coast divides water (level 0) from land. A border belongs to the hex whose owner ends there.
    """
    side = (
        hexes.lazy()
        .join(_levels(rules).lazy(), on="height", how="left")
        .select("hex_id", "gf", owner="realm_id", water=pl.col("level").fill_null(1) == 0)
    )
    beyond = side.select(pl.all().name.suffix("_beyond"))
    banks = rivers.lazy().select("hex_a", "hex_b")
    both_banks = pl.concat([banks, banks.select(hex_a="hex_b", hex_b="hex_a")])
    return (
        neighbours.lazy()
        .join(side, on="hex_id")
        .join(beyond, left_on="neighbour_id", right_on="hex_id_beyond")
        .join(
            both_banks.unique().with_columns(rivers=True),
            left_on=["hex_id", "neighbour_id"],
            right_on=["hex_a", "hex_b"],
            how="left",
        )
        .select(
            "hex_id",
            "neighbour_id",
            bit=pl.lit(2, pl.Int64).pow(pl.col("direction")),
            coasts=pl.col("water") != pl.col("water_beyond"),
            rivers=pl.col("rivers").fill_null(False),
            gf_edges=pl.col("gf") != pl.col("gf_beyond"),
            borders=pl.col("owner").is_not_null()
            & pl.col("owner").ne_missing(pl.col("owner_beyond")),
        )
        .filter(pl.any_horizontal(EDGES))
        .collect()
    )


def _edge_sets(known: pl.LazyFrame, edges: pl.LazyFrame) -> pl.LazyFrame:
    """The edges of every hex on a map as bit masks; only those between two hexes on it."""
    beyond = known.select("viewer_id", neighbour_id="hex_id", seen_beyond="seen")
    both_seen = pl.col("seen") & pl.col("seen_beyond")
    return (
        known.join(edges, on="hex_id")
        .join(beyond, on=["viewer_id", "neighbour_id"])
        .with_columns(borders=pl.col("borders") & both_seen)
        .group_by("viewer_id", "hex_id")
        .agg(pl.col("bit").filter(pl.col(kind)).sum().cast(pl.UInt8).alias(kind) for kind in EDGES)
    )


def _shown(known: pl.LazyFrame, things: pl.LazyFrame, codes: pl.LazyFrame) -> pl.LazyFrame:
    """Units or buildings on the map: the viewer's own ones, foreign ones where it sees."""
    own = pl.col("owner_id") == pl.col("viewer_id")
    return (
        known.join(things.rename({"realm_id": "owner_id"}), on="hex_id")
        .filter(own | pl.col("seen"))
        .join(codes, on="owner_id", how="left")
        .with_columns(own=own)
    )


def _parts(frame: pl.DataFrame) -> tuple[dict[int, pl.DataFrame], pl.DataFrame]:
    """A table cut by viewer at once, and the empty table for those without rows."""
    parts = frame.partition_by("viewer_id", as_dict=True, include_key=False)
    return {key[0]: part for key, part in parts.items()}, frame.drop("viewer_id").clear()
