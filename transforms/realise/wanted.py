"""The orders that are to be carried out, and what speaks against one whatever the others do."""

import polars as pl

from transforms.catalogue import ORDERS, REALISE
from transforms.hexgrid import edge_ends
from transforms.rules import Rules
from transforms.sentences import fill

LINE = ["realm_id", "line"]
SITE = ["hex_a", "hex_b", "edge_type"]  # what a building occupies
_RESERVED = pl.col("outcome") == "reserved"


def wanted(
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    realms: pl.DataFrame,
    hexes: pl.DataFrame,
    neighbours: pl.DataFrame,
    rules: Rules,
) -> pl.DataFrame:
    """One row per reserved order whose kind is realised, sorted by (realm_id, line).

    Columns: LINE, hex_id, cost; of a unit unit_type, number (wished); of a building SITE, `opens`
    (units can be trained there at once); `reason` (German) if it is refused in any case.
    """
    switches = rules.switches
    orders = [
        frame.filter(_RESERVED, switch == "realise")
        for frame, switch in (
            (trainings, switches.training),
            (constructions, switches.construction),
        )
    ]
    recruits = _recruits(orders[0], realms, rules)
    sites = _sites(orders[1], hexes, neighbours, rules)
    return pl.concat([recruits, sites], how="diagonal").sort(LINE)


def with_site(frame: pl.LazyFrame, neighbours: pl.DataFrame) -> pl.LazyFrame:
    """`frame` (hex_id, direction, building_type) plus SITE: a hex, or an edge for each type.

    Null where there is no hex on the other side of the edge.
    """
    edge = ["hex_id", "direction"]
    ends = edge_ends(frame.select(edge).unique(), neighbours)
    central = pl.col("direction").is_null()
    return frame.join(ends, on=edge, how="left").with_columns(
        *(pl.when(central).then("hex_id").otherwise(end).alias(end) for end in SITE[:2]),
        edge_type=pl.when(~central).then("building_type").otherwise(pl.lit("")),
    )


def _recruits(orders: pl.DataFrame, realms: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Without a place it is the capital; a wished number must lie in a range of the type."""
    capitals = realms.select("realm_id", "capital_hex_id")
    ranges = rules.number_ranges.select("unit_type", "first", "last")
    fitting = (
        orders.join(ranges, on="unit_type")
        .filter(pl.col("number").is_between("first", "last"))
        .select(*LINE, fits=True)
        .unique()
    )
    misfit = pl.col("number").is_not_null() & pl.col("fits").is_null()
    words = {name: pl.col(name) for name in ("number", "unit_type")}
    return (
        orders.join(capitals, on="realm_id", how="left")
        .join(fitting, on=LINE, how="left")
        .with_columns(hex_id=pl.coalesce("hex_id", "capital_hex_id"))
        .select(
            *LINE,
            "hex_id",
            "cost",
            "unit_type",
            "number",
            reason=pl.when(pl.col("hex_id").is_null())
            .then(pl.lit(REALISE["no_place"]))
            .when(misfit)
            .then(fill(ORDERS["number_range"], **words)),
        )
    )


def _sites(
    orders: pl.DataFrame, hexes: pl.DataFrame, neighbours: pl.DataFrame, rules: Rules
) -> pl.DataFrame:
    """Only on a hex of its own; at an edge only towards another hex."""
    types = rules.building_types.lazy().select("trains", building_type="code")
    owners = hexes.lazy().select("hex_id", owner_id="realm_id")
    own = (pl.col("owner_id") == pl.col("realm_id")).fill_null(False)
    return (
        with_site(orders.lazy(), neighbours)
        .join(types, on="building_type", how="left")
        .join(owners, on="hex_id", how="left")
        .select(
            *LINE,
            "hex_id",
            "cost",
            *SITE,
            opens=pl.col("trains") & (pl.col("months") == 0),
            reason=pl.when(~own)
            .then(pl.lit(REALISE["foreign_hex"]))
            .when(pl.col("hex_a").is_null())
            .then(pl.lit(REALISE["no_edge"])),
        )
        .collect()
    )
