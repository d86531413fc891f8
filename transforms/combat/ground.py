"""What the ground under a unit is worth to it, and since when it has been at home."""

import polars as pl

from transforms.calendar import in_training
from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped

_AT_HOME = (pl.col("province_id") == pl.col("home_province_id")).fill_null(False)


def region_pct(rules: Rules, turn: Turn) -> pl.Expr:
    """Factor of the ground in percent, of a unit beside `owner_id` and `province_id` of its hex.

    Switch `region`: `flat` = a foreign realm's ground, allies' too; the home province; other
    (source 1, 6.2). `by_army_kind` = the same, but armies of a province gain with every year
    that they spend in it, and lose outside their realm.
    """
    constants = rules.constants
    flat = (
        pl.when(pl.col("owner_id") != pl.col("realm_id"))
        .then(constants.foreign_pct)
        .when(_AT_HOME)
        .then(constants.home_pct)
        .otherwise(100)
    )
    if rules.switches.region == "flat":
        return flat.cast(pl.Int32)
    months = turn.today - pl.col("home_since").fill_null(turn.today)
    years = (months // rules.months_per_year).clip(lower_bound=0)
    provincial = (
        pl.when(_AT_HOME)
        .then(100 + constants.province_year_pct * years)
        .when(pl.col("owner_id") == pl.col("realm_id"))
        .then(100)
        .otherwise(constants.province_abroad_pct)
    )
    return pl.when(_in_range("provinz", rules)).then(provincial).otherwise(flat).cast(pl.Int32)


def strength_parts(rules: Rules) -> int:
    """In what parts of 1 strengths are counted: percent, per mille where halves occur."""
    return 100 if rules.switches.training == "reserve" else 1000


def unit_factor(region: pl.Expr, rules: Rules, turn: Turn) -> pl.Expr:
    """`region`, given in percent, in `strength_parts`; half of it for a unit in training."""
    whole = region.cast(pl.Int64) * (strength_parts(rules) // 100)
    return pl.when(in_training(rules, turn)).then(whole // 2).otherwise(whole)


def count_home(
    *, units: pl.DataFrame, hexes: pl.DataFrame, rules: Rules, turn: Turn
) -> dict[str, pl.DataFrame]:
    """Let `home_since` of every unit begin today unless it ends the turn in its home province.

    Aboard and captive is not at home. Nothing to do with the switch `region = flat`.
    """
    if rules.switches.region == "flat":
        return {"units": units}
    provinces = hexes.lazy().select("hex_id", "province_id")
    since = pl.when(_AT_HOME).then("home_since").fill_null(turn.today)
    counted = units.lazy().join(provinces, on="hex_id", how="left").with_columns(home_since=since)
    return {"units": shaped("units", counted.select(units.columns).collect())}


def _in_range(kind: str, rules: Rules) -> pl.Expr:
    """Does the number of a unit lie in a range of this kind for its type?"""
    ranges = rules.number_ranges.filter(pl.col("kind") == kind)
    fits = [
        (pl.col("unit_type") == name) & pl.col("number").is_between(first, last)
        for name, first, last in ranges.select("unit_type", "first", "last").iter_rows()
    ]
    return pl.any_horizontal(pl.lit(False), *fits)
