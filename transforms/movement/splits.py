"""Parts that split off a unit on its way: which ones it can spare, and what became of them.

Source 1, 2.1 knows the order and no rule; this one is ours, see docs/rules.md (`decisions`).
"""

import polars as pl

from transforms.catalogue import SPLIT


def parts_of(units: pl.DataFrame, paths: pl.DataFrame, splits: pl.DataFrame) -> pl.DataFrame:
    """One row per split ordered: `splits` with its parent and the place where it leaves it.

    Added: row (of the parent in units), lead (its number), hex_id (null = aboard), carrier_id,
    spared. A parent keeps at least one of its troops and gives no leaders that it has not; its
    parts take in the order of (after_step, number), and one that it cannot spare takes nothing.
    """
    parents = (
        units.lazy()
        .with_row_index("row")
        .select("unit_id", "row", "hex_id", "carrier_id", "captor_id", lead="number",
                has_troops="troops", has_leaders="leaders")
    )  # fmt: skip
    waypoints = paths.lazy().select("unit_id", after_step="step", waypoint="hex_id")
    parts = (
        splits.lazy()
        .drop("line")
        .join(parents, on="unit_id")
        .join(waypoints, on=["unit_id", "after_step"], how="left")
        .with_columns(
            hex_id=pl.coalesce("waypoint", "hex_id"),
            carrier_id=pl.when(pl.col("waypoint").is_null()).then("carrier_id"),
        )
        .sort("unit_id", "after_step", "number")
        .collect()
    )
    able = parts.filter(pl.col("troops") > 0, pl.col("captor_id").is_null())
    spared = pl.col("new_unit_id").is_in(_spared(able).implode())
    return parts.with_columns(spared=spared).drop(
        "waypoint", "captor_id", "has_troops", "has_leaders"
    )


def _spared(queue: pl.DataFrame) -> pl.Series:
    """The new_unit_ids of the parts that find enough: a queue per parent, in its order.

    A part that takes too much stays, and a smaller one behind it may still go. So each round lets
    go the head of every queue, up to the first part that takes too much; as what is left only
    shrinks, it always will, and the next round starts behind it.
    """
    going = [queue["new_unit_id"].clear()]
    while not queue.is_empty():
        queue = queue.filter(
            pl.col("troops") < pl.col("has_troops"), pl.col("leaders") <= pl.col("has_leaders")
        ).with_columns(
            goes=(pl.col("troops").cum_sum().over("unit_id") < pl.col("has_troops"))
            & (pl.col("leaders").cum_sum().over("unit_id") <= pl.col("has_leaders"))
        )
        going.append(queue.filter("goes")["new_unit_id"])
        queue = queue.with_columns(
            pl.col(f"has_{what}") - pl.col(what).filter("goes").sum().over("unit_id")
            for what in ("troops", "leaders")
        ).filter(~pl.col("goes"))
    return pl.concat(going)


def divided(
    placed: pl.DataFrame, units: pl.DataFrame, ends: pl.DataFrame, parts: pl.DataFrame
) -> pl.DataFrame:
    """`placed` with the parts that exist as units of their own, their troops and leaders taken off.

    `units` are the units before the movement, `ends` the movers that exist with their `to_hex`. A
    part is what its parent is and has its home, its elite and its last day ashore, but no merit.
    """
    made = parts.join(
        ends.filter(pl.col("row").is_null()).select("to_hex", new_unit_id="unit_id"),
        on="new_unit_id",
    )
    given = made.group_by("unit_id").agg(pl.col("troops", "leaders").sum())
    left = placed.join(given, on="unit_id", how="left", suffix="_given").with_columns(
        pl.col(what) - pl.col(f"{what}_given").fill_null(0) for what in ("troops", "leaders")
    )
    inherited = units.drop("realm_id", "number", "troops", "leaders", "hex_id", "carrier_id")
    parted = made.join(inherited, on="unit_id").with_columns(
        unit_id="new_unit_id",
        hex_id="to_hex",
        carrier_id=pl.when(pl.col("to_hex").is_null()).then("carrier_id"),
        merit=pl.lit(0, pl.Int32),
        ready_on=pl.lit(None, pl.Int32),
    )
    return pl.concat([left.select(units.columns), parted.select(units.columns)])


def deeds(parts: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Rows of `deeds`: every part that split off, and every one that could not, with the reason."""
    exists = pl.col("new_unit_id").is_in(ends["unit_id"].implode())
    reason = pl.when("spared").then(pl.lit(SPLIT["stopped"])).otherwise(pl.lit(SPLIT["too_few"]))
    return parts.select(
        "unit_id",
        "number",
        "hex_id",
        deed=pl.when(exists).then(pl.lit("split")).otherwise(pl.lit("kept_together")),
        amount="troops",
        reason=pl.when(~exists).then(reason),
    )
