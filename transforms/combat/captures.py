"""Who is taken captive when a side is wiped out, and by whom."""

import polars as pl

from transforms.combat.parties import CLASH, SIDE


def captures(units: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """One captive per wiped-out side: hex_id, round, unit_id, captor_id (source 1, 6.7).

    `units` has the troops before and `left` after, `sides` the exact strength `own`. The captive
    is the unit with the fewest troops before; its captor has the most troops left in the
    strongest side that has any (ties: lowest party). Units tie by realm_id, then number.
    Nobody left, nobody captured.
    """
    left = units.lazy().group_by(SIDE).agg(pl.col("left").sum())
    after = sides.lazy().join(left, on=SIDE).collect().lazy()
    lost, alive = after.filter(pl.col("left") == 0), after.filter(pl.col("left") > 0)
    victors = _first(alive.join(lost, on=CLASH, how="semi"), CLASH, pl.col("own").max(), ["party"])
    beaten, winners = (units.lazy().join(side, on=SIDE, how="semi") for side in (lost, victors))
    captives = _first(beaten, SIDE, pl.col("troops").min(), ["realm_id", "number"])
    captors = _first(winners, CLASH, pl.col("left").max(), ["realm_id", "number"])
    return (
        captives.select(*CLASH, "unit_id")
        .join(captors.select(*CLASH, captor_id="unit_id"), on=CLASH)
        .collect()
    )


def _first(rows: pl.LazyFrame, group: list[str], best: pl.Expr, ties: list[str]) -> pl.LazyFrame:
    """The row of each group with the `best` value of its column, then the lowest `ties`."""
    value = rows.group_by(group).agg(best)
    ahead = rows.join(value, on=[*group, best.meta.output_name()])
    return ahead.sort(ties).unique(group, keep="first", maintain_order=True)
