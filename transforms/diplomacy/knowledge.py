"""What each nation may know: the five rules of the national evaluation as joins (source 4)."""

import polars as pl

_KEY = ["viewer", "province"]
OWN, NEIGHBOUR, CENTRE, HOME, RIM = 1, 2, 3, 4, 5


def know(
    *,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    waiting: pl.DataFrame,
    provinces: pl.DataFrame,
    borders: pl.DataFrame,
    centre_sees_itself: bool = True,
) -> pl.DataFrame:
    """The table `knowledge`: one row per viewer and province in view; no row = not in view.

    1 own units · 2 what borders on them · 3 what borders on a controlled centre, and that centre
    itself (`centre_sees_itself`) · 4 the own home land · 5 what borders on it; but there a unit in
    the home land of its own nation is not shown, so that such a province is never called free.
    Rules 4 and 5 need a unit (also a dislodged one, `waiting`) or a centre.
    """
    seen = _in_view(units, centres, waiting, provinces, borders, centre_sees_itself)
    standing = units.lazy().select("province", "nation", "unit_type", "coast")
    home = provinces.lazy().select("province", "home_of")
    owner, foreign_home = pl.col("nation"), pl.col("home_of").is_not_null()
    half_seen = (pl.col("rule") == RIM) & foreign_home
    hidden = half_seen & (owner.is_null() | (owner == pl.col("home_of")))
    status = (
        pl.when(pl.col("rule") == OWN)
        .then(pl.lit("own"))
        .when(hidden)
        .then(pl.lit("no_foreign"))
        .when(owner.is_null())
        .then(pl.lit("free"))
        .otherwise(pl.lit("foreign"))
    )
    return (
        seen.join(standing, on="province", how="left")
        .join(home, on="province", how="left")
        .with_columns(status=status)
        .with_columns(
            pl.when(pl.col("status") != "no_foreign").then(c).alias(c)
            for c in ("nation", "unit_type", "coast")
        )
        .select(*_KEY, "status", "nation", "unit_type", "coast", "rule")
        .sort(_KEY)
        .collect()
    )


def living(units: pl.DataFrame, centres: pl.DataFrame, waiting: pl.DataFrame) -> pl.DataFrame:
    """The nations (column `viewer`) that have a unit, also a dislodged one, or a centre."""
    owners = [frame.lazy().select(viewer="nation") for frame in (units, centres, waiting)]
    return pl.concat(owners).drop_nulls().unique().sort("viewer").collect()


def _in_view(
    units: pl.DataFrame,
    centres: pl.DataFrame,
    waiting: pl.DataFrame,
    provinces: pl.DataFrame,
    borders: pl.DataFrame,
    centre_sees_itself: bool,
) -> pl.LazyFrame:
    """viewer, province and the lowest rule that looks there."""
    beside = borders.lazy().select(province="province_a", beyond="province_b").unique()
    alive = living(units, centres, waiting).lazy()
    own = units.lazy().select("province", viewer="nation")
    held = centres.lazy().drop_nulls("nation").select("province", viewer="nation")
    home = (
        provinces.lazy()
        .drop_nulls("home_of")
        .select("province", viewer="home_of")
        .join(alive, on="viewer", how="semi")
    )
    views = [
        _ruled(own, OWN),
        _ruled(_around(own, beside), NEIGHBOUR),
        _ruled(_around(held, beside), CENTRE),
        _ruled(home, HOME),
        _ruled(_around(home, beside), RIM),
    ]
    if centre_sees_itself:
        views.append(_ruled(held, CENTRE))
    return pl.concat(views).group_by(_KEY).agg(pl.col("rule").min())


def _around(places: pl.LazyFrame, beside: pl.LazyFrame) -> pl.LazyFrame:
    return places.join(beside, on="province").select("viewer", province="beyond")


def _ruled(places: pl.LazyFrame, rule: int) -> pl.LazyFrame:
    return places.select(*_KEY, rule=pl.lit(rule, pl.UInt8))
