"""The letter of a unit: what it does when hostile units meet. No letter and no order is a v."""

import polars as pl

ATTACKING = ("a", "n", "p1", "p2")


def ashore(units: pl.DataFrame) -> pl.LazyFrame:
    """The units that stand on the map: living, neither aboard nor captive."""
    return units.lazy().filter(pl.col("troops") > 0, pl.col("hex_id").is_not_null())


def lettered(units: pl.DataFrame, movements: pl.DataFrame, *letters: str) -> pl.LazyFrame:
    """The units that stand on the map with one of the letters, plus the column `decision`."""
    orders = movements.lazy().select("unit_id", "decision")
    return ashore(units).join(orders.filter(pl.col("decision").is_in(letters)), on="unit_id")


def attacked(units: pl.DataFrame, movements: pl.DataFrame) -> pl.DataFrame:
    """Those of `units` that stand where an attack is ordered: where there are two parties, a
    battle is due.

    Withdrawals don't change where that is. They bring no attacker, and whoever withdraws goes to
    units that are all friendly to it: that may unite parties, never make a second one.
    """
    places = lettered(units, movements, *ATTACKING).select("hex_id").unique()
    return units.lazy().join(places, on="hex_id", how="semi", maintain_order="left").collect()
