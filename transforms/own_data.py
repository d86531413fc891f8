"""What a realm may have of its own rows as tables: no internal ids, no place of its captives."""

from collections.abc import Mapping

import polars as pl

OWN = ("units", "buildings", "hexes", "realms", "order_lines", "rejections")
_NO = ("realm_id", "building_id")


def own_data(tables: Mapping[str, pl.DataFrame], realm_id: int) -> dict[str, pl.DataFrame]:
    """The realm's own rows of the tables `OWN`, as it may read them.

    Ids are given out across all realms and would tell what others do. A ship is named
    `<number>@<CODE>`; where a captive is, only its captor knows.
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
    return {name: frame.drop(_NO, strict=False) for name, frame in own.items()}
