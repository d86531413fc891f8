"""Ids for what comes into being this turn, and its rows."""

from dataclasses import dataclass

import polars as pl

from transforms.context import Turn
from transforms.realise.wanted import LINE
from transforms.rules import Rules
from transforms.schema import shaped

_ORDER = [*LINE, "after_step", "number"]


@dataclass(frozen=True)
class Births:
    """Orders that are realised, with their ids, and what else the ids concern.

    recruits: rows of the queue plus unit_id. sites: rows of the queue plus building_id. splits
    and counters: the whole tables.
    """

    recruits: pl.DataFrame
    sites: pl.DataFrame
    splits: pl.DataFrame
    counters: pl.DataFrame


def give_ids(
    granted: pl.DataFrame,
    splits: pl.DataFrame,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    counters: pl.DataFrame,
    rules: Rules,
) -> Births:
    """The next free ids to units in (realm_id, line, after_step, number), to buildings by line.

    Units that will split off are reserved theirs; if the split does not happen, a gap stays.
    """
    unit_id = _next_id(counters, "unit", units["unit_id"])
    building_id = _next_id(counters, "building", buildings["building_id"])
    is_unit = pl.col("unit_type").is_not_null()
    recruits = granted.filter(is_unit).with_columns(after_step=pl.lit(0, pl.UInt16))
    parts = splits if rules.switches.decisions == "evaluate" else splits.clear()
    born = pl.concat(frame.select(_ORDER) for frame in (recruits, parts)).sort(_ORDER)
    born = born.with_row_index("unit_id", offset=unit_id)
    sites = granted.filter(~is_unit).sort(LINE).with_row_index("building_id", offset=building_id)
    named = splits.drop("new_unit_id").join(
        born.rename({"unit_id": "new_unit_id"}), on=_ORDER, how="left"
    )
    following = {"unit": unit_id + born.height, "building": building_id + sites.height}
    return Births(
        recruits=recruits.join(born, on=_ORDER),
        sites=sites,
        splits=shaped("splits", named),
        counters=shaped(
            "counters", pl.DataFrame({"name": list(following), "next": list(following.values())})
        ),
    )


def new_units(
    births: Births, trainings: pl.DataFrame, hexes: pl.DataFrame, turn: Turn
) -> pl.DataFrame:
    """Rows of `units`: at home where they are trained, ready after their months of training."""
    ordered = trainings.select(
        *LINE, "troops", "leaders", "elite_combat", "elite_movement", "months"
    )
    provinces = hexes.select("hex_id", home_province_id="province_id")
    recruits = births.recruits.select("unit_id", *LINE, "number", "unit_type", "hex_id")
    born = recruits.join(ordered, on=LINE).join(provinces, on="hex_id", how="left")
    return shaped(
        "units",
        born.with_columns(
            last_ashore=turn.today, home_since=turn.today, ready_on=turn.today + pl.col("months")
        ).drop("line", "months"),
    )


def new_buildings(births: Births, constructions: pl.DataFrame, turn: Turn) -> pl.DataFrame:
    """Rows of `buildings`, completed after their months of building."""
    columns = ("building_type", "name", "hex_id", "direction")
    ordered = constructions.select(*LINE, *columns, completed_on=turn.today + pl.col("months"))
    sites = births.sites.select("building_id", *LINE).join(ordered, on=LINE)
    return shaped("buildings", sites.drop("line"))


def spendings(births: Births) -> pl.DataFrame:
    """Rows of `ledger`: what each new unit and building cost its realm's treasury."""
    kinds = {"training": births.recruits, "construction": births.sites}
    paid = [
        frame.filter(pl.col("cost") > 0).with_columns(kind=pl.lit(kind))
        for kind, frame in kinds.items()
    ]
    columns = ("realm_id", "kind", "hex_id", "unit_id", "building_id")
    entries = pl.concat(paid, how="diagonal")
    return shaped(
        "ledger",
        entries.select(*columns, account=pl.lit("treasury"), amount=-pl.col("cost")),
    )


def _next_id(counters: pl.DataFrame, name: str, used: pl.Series) -> int:
    """The counter, unless something came with a higher id, as from the game master's hand."""
    following = counters.filter(pl.col("name") == name)["next"].to_list()
    highest = pl.select(pl.lit(used).max().fill_null(0)).item()
    return max([*following, highest + 1])
