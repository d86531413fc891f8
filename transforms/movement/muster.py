"""Who marches and along which waypoints: the two tables that both ways to move work on.

A mover is its position in the order (`ord`), a waypoint its row in the table of all waypoints
(`leg`); a look-up is then a gather, and joins remain for hexes only.
"""

from dataclasses import dataclass

import polars as pl

NEVER = 2**32 - 1  # a leg that nobody walks: the first contact of a unit that meets nobody


@dataclass(frozen=True)
class March:
    """Movers and legs of a turn.

    movers: row = ord; `row` in units (null = a part that splits off), unit_id, realm_id, hex_id
    where it starts (null = aboard), `marches` = has a waypoint. Order: realm_id, number; a part
    stands behind its parent, by waypoint and number.
    legs: leg, ord, realm_id, step, hex_id, sorted by ord and step. The first leg of a part is the
    place where it leaves its parent, step 0 (hex_id null = aboard).
    births: parts that leave on the way, not at the start: ord, parent (its ord), after (the leg
    that the parent must reach), after_step.
    last: by ord, the last leg.
    """

    movers: pl.DataFrame
    legs: pl.DataFrame
    births: pl.DataFrame
    last: pl.Series

    @property
    def parted(self) -> bool:
        """Are there parts at all?"""
        return self.movers["row"].null_count() > 0


@dataclass(frozen=True)
class Outcome:
    """What became of each mover, all by ord: `stop` = the last leg it reached (null = none),
    `contact` = foreign troops stopped it, `exists` = false for parts that never split off.
    """

    stop: pl.Series
    contact: pl.Series
    exists: pl.Series
    draws: pl.DataFrame


def muster(units: pl.DataFrame, paths: pl.DataFrame, parts: pl.DataFrame) -> March:
    """Movers and legs of the living, non-captive units with a path, and of the `parts`.

    `parts`: those of `splits.parts_of` that can be spared.
    """
    marching = (
        units.lazy()
        .with_row_index("row")
        .filter(pl.col("troops") > 0, pl.col("captor_id").is_null())
        .join(paths.lazy(), on="unit_id", how="semi")
        .select("row", "unit_id", "realm_id", "hex_id", marches=True, key=_key("number"))
    )
    split_off = parts.lazy().select(
        pl.lit(None, pl.UInt32).alias("row"),
        pl.col("new_unit_id").alias("unit_id"),
        "realm_id",
        "hex_id",
        marches=pl.col("new_unit_id").is_in(paths["unit_id"].unique().implode()),
        key=_key("lead") + (pl.col("after_step").cast(pl.UInt64) + 1) * 2**16 + pl.col("number"),
    )
    everyone = marching if parts.is_empty() else pl.concat([marching, split_off])
    movers = everyone.sort("key").drop("key").collect()
    order = movers.lazy().with_row_index("ord").select("unit_id", "ord", "realm_id")
    waypoints = paths.lazy()
    if not parts.is_empty():
        leaving = parts.lazy().select(
            unit_id="new_unit_id", step=pl.lit(0, pl.UInt16), hex_id="hex_id"
        )
        waypoints = pl.concat([waypoints, leaving])
    legs = (
        waypoints.join(order, on="unit_id")
        .sort(pl.col("ord").cast(pl.UInt64) * 65536 + pl.col("step"))  # one key sorts faster
        .with_row_index("leg")
        .select("leg", "ord", "realm_id", "step", "hex_id")
        .collect()
    )
    ends = legs.select(pl.arg_where(pl.col("ord") != pl.col("ord").shift(-1, fill_value=NEVER)))
    last = ends.to_series().cast(pl.UInt32)
    return March(movers, legs, _births(parts, movers, legs), last)


def _births(parts: pl.DataFrame, movers: pl.DataFrame, legs: pl.DataFrame) -> pl.DataFrame:
    if parts.is_empty():
        return pl.DataFrame(schema=dict.fromkeys(("ord", "parent", "after"), pl.UInt32))
    order = movers.select("unit_id", ord=dense(movers.height))
    return (
        parts.filter(pl.col("after_step") > 0)
        .join(order.rename({"ord": "parent"}), on="unit_id")
        .join(order, left_on="new_unit_id", right_on="unit_id")
        .join(
            legs.select(parent="ord", after_step="step", after="leg"), on=["parent", "after_step"]
        )
        .select("ord", "parent", "after", "after_step")
        .sort("ord")
    )


def _key(number: str) -> pl.Expr:
    """Realm and number of whoever leads, with room for the parts behind it, as one sort key."""
    return pl.col("realm_id").cast(pl.UInt64) * 2**48 + pl.col(number).cast(pl.UInt64) * 2**32


def dense(count: int) -> pl.Series:
    """0, 1, 2, … as ords."""
    return pl.int_range(count, dtype=pl.UInt32, eager=True)
