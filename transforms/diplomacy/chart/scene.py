"""What one picture shows: made from the knowledge of one nation, or from the whole position."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from transforms.diplomacy.german import Names
from transforms.diplomacy.texts import CHART

_DRAWN = ("move", "support", "convoy")


@dataclass(frozen=True)
class Mark:
    """A unit on the map."""

    province: str
    coast: str | None
    unit_type: str
    nation: str


@dataclass(frozen=True)
class Arrow:
    """An order on the map, from province to province (a coast may be named)."""

    kind: str
    start: tuple[str, str | None]
    end: tuple[str, str | None]
    through: tuple[str, str | None] | None
    failed: bool


@dataclass(frozen=True)
class Scene:
    """Everything on one picture but the ground. `view`: province → full | partly; else hidden."""

    title: str
    reader: str | None
    units: tuple[Mark, ...]
    view: Mapping[str, str]
    centres: Mapping[str, str]
    arrows: tuple[Arrow, ...] = field(default=())


def scenes(
    readers: pl.DataFrame,
    knowledge: pl.DataFrame,
    centres: pl.DataFrame,
    names: Names,
    title: str,
) -> dict[str, Scene]:
    """One scene per reader: what it knows, and of the centres its own ones only."""
    codes = dict(names.nations.select("nation", "code").iter_rows())
    found = {}
    for viewer in readers["viewer"]:
        known = knowledge.filter(viewer=viewer)
        seen = known.select(
            "province",
            view=pl.when(status="no_foreign").then(pl.lit("partly")).otherwise(pl.lit("full")),
        )
        held = centres.filter(nation=viewer).select("province", "nation")
        found[viewer] = Scene(
            title=f"{title}: {codes[viewer]}",
            reader=viewer,
            units=_marks(known.drop_nulls("nation")),
            view=dict(seen.iter_rows()),
            centres=dict(held.iter_rows()),
        )
    return found


def full_scene(
    units: pl.DataFrame, centres: pl.DataFrame, provinces: pl.DataFrame, title: str
) -> Scene:
    """The whole position, for the game master and for a plan on one's own sheet."""
    held = centres.drop_nulls("nation").select("province", "nation")
    return Scene(
        title=f"{title}: {CHART['all']}",
        reader=None,
        units=_marks(units),
        view=dict.fromkeys(provinces["province"], "full"),
        centres=dict(held.iter_rows()),
    )


def arrows_of(orders: pl.DataFrame, results: pl.DataFrame) -> tuple[Arrow, ...]:
    """The counted orders of `orders` as arrows; of moves it is shown whether they were made.

    Give it one nation's rows for that nation's picture.
    """
    done = results.filter(step="movement").select("nation", "province", "outcome")
    rows = (
        orders.filter(pl.col("kind").is_in(_DRAWN), status="counted", step="movement")
        .join(done, on=["nation", "province"], how="left")
        .sort("province")
    )
    return tuple(_arrow(row) for row in rows.iter_rows(named=True))


def _arrow(row: Mapping[str, object]) -> Arrow:
    own, coast = str(row["province"]), row["coast"]
    start = (own, str(coast) if coast else None)
    other = (str(row["of_province"]), None) if row["of_province"] else None
    end_coast = str(row["target_coast"]) if row["target_coast"] else None
    end = (str(row["target"]), end_coast) if row["target"] else other or start
    failed = row["kind"] == "move" and row["outcome"] not in (None, "succeeds")
    through = other if row["target"] else None
    return Arrow(str(row["kind"]), start, end, through, failed)


def _marks(units: pl.DataFrame) -> tuple[Mark, ...]:
    rows = units.sort("province").select("province", "coast", "unit_type", "nation")
    return tuple(Mark(*row) for row in rows.iter_rows())
