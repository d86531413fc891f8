"""Write what the clashes did into the state."""

import polars as pl


def book_losses(units: pl.DataFrame, fought: pl.DataFrame) -> pl.DataFrame:
    """`units` after the clashes of `fought` (rows of `battle_units`, one per unit and round).

    Losses leave the troops; a captive leaves the map and bears its captor (source 1, 6.6, 6.7).
    """
    results = (
        fought.lazy()
        .group_by("unit_id")
        .agg(pl.col("losses").sum(), pl.col("captured").any(), taken_by=pl.col("captor_id").max())
    )
    captured = pl.col("captured").fill_null(False)
    return (
        units.lazy()
        .join(results, on="unit_id", how="left")
        .with_columns(
            troops=pl.col("troops") - pl.col("losses").fill_null(0),
            hex_id=pl.when(~captured).then("hex_id"),
            captor_id=pl.coalesce("taken_by", "captor_id"),
        )
        .select(units.columns)
        .collect()
    )


def book_damage(buildings: pl.DataFrame, damage: pl.DataFrame) -> pl.DataFrame:
    """`buildings` with the new values of `damage` (building_id, damage; source 1, 6.4)."""
    return (
        buildings.lazy()
        .join(damage.lazy().rename({"damage": "now"}), on="building_id", how="left")
        .with_columns(damage=pl.coalesce("now", "damage"))
        .select(buildings.columns)
        .collect()
    )
