"""Write what a clash did into the state."""

import polars as pl


def book_losses(units: pl.DataFrame, fought: pl.DataFrame) -> pl.DataFrame:
    """`units` after the clashes of `fought` (rows of `battle_units`, a unit at most once).

    Losses leave the troops; a captive leaves the map and bears its captor (source 1, 6.6, 6.7).
    """
    results = fought.lazy().select("unit_id", "losses", "captured", taken_by="captor_id")
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
    """`buildings` with the points of `damage` (building_id, damage) added (source 1, 6.4)."""
    return (
        buildings.lazy()
        .join(damage.lazy().rename({"damage": "added"}), on="building_id", how="left")
        .with_columns(damage=pl.col("damage") + pl.col("added").fill_null(0.0))
        .select(buildings.columns)
        .collect()
    )
