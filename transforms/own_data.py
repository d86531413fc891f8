"""What a realm may have of its own rows as tables: no internal ids, no place of its captives."""

from collections.abc import Mapping

import polars as pl

from transforms.calendar import date_texts
from transforms.rules import Rules

OWN = ("units", "buildings", "hexes", "realms", "order_lines", "rejections")
_NO = ("realm_id", "building_id")
_DATES = ("completed_on", "home_since", "last_ashore", "ravaged_until", "ready_on")


def own_data(
    tables: Mapping[str, pl.DataFrame], realm_id: int, rules: Rules
) -> dict[str, pl.DataFrame]:
    """The realm's own rows of the tables `OWN`, as it may read them.

    Ids are given out across all realms and would tell what others do. A ship is named
    `<number>@<CODE>`, a date as in reports; where a captive is, only its captor knows.
    """
    own = {name: tables[name].filter(realm_id=realm_id) for name in OWN}
    ships = (
        tables["units"]
        .join(tables["realms"], on="realm_id")
        .select(
            carrier_id="unit_id",
            aboard_of=pl.format("{}@{}", "number", pl.col("code").fill_null("?")),
        )
    )
    units = own["units"].join(ships, on="carrier_id", how="left", maintain_order="left")
    captive = pl.col("captor_id").is_not_null().alias("captive")
    own["units"] = units.with_columns(captive).drop("unit_id", "carrier_id", "captor_id")
    return {name: _readable(frame, rules) for name, frame in own.items()}


def _readable(frame: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    dates = [date_texts(pl.col(name), rules).alias(name) for name in _DATES if name in frame]
    return frame.drop(_NO, strict=False).with_columns(dates)
