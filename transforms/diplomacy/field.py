"""The field of a movement: one row per unit with its order, and what of it is possible.

A unit's row number is its name here (`row` = 0, 1, 2, … over the whole batch), so that another
unit's values are one `gather` away: `other` is the row of the unit that is supported or
convoyed, `occupant` the row of the unit that stands where a move goes.
"""

from dataclasses import dataclass

import polars as pl

from transforms.diplomacy.board import Board
from transforms.diplomacy.columns import looked_up, matching
from transforms.diplomacy.convoys import PASSAGE, routes
from transforms.diplomacy.rulings import Rulings

_ORDER = ["kind", "of_province", "target", "target_coast", "via", "line", "text"]


@dataclass(frozen=True)
class Field:
    """units: the field; legs: row (of an army) · route · fleet (row), complete ordered routes."""

    units: pl.DataFrame
    legs: pl.DataFrame


def make_field(
    board: Board, rulings: Rulings, *, units: pl.DataFrame, orders: pl.DataFrame
) -> Field:
    """Every unit with the order that counts, judged on the board: fleets of all, orders of none.

    Adds legal · by_land · convoyed · fits (the partner's order goes with it; for a convoyed move:
    a complete route is ordered).
    """
    field = _reached(board, _with_orders(units, orders))
    found = routes(board, _fleets(board, field), _wanted(field))
    field = _legal(board, rulings, field, found)
    legs = _ordered_routes(field, found)
    return Field(_convoyed(rulings, field, legs), legs)


def _with_orders(units: pl.DataFrame, orders: pl.DataFrame) -> pl.DataFrame:
    """Each unit with its order, `possible` false for a line that was rejected; no order: hold."""
    moving = orders.filter(
        (pl.col("step") == "movement")
        & pl.col("kind").is_in(["hold", "move", "support", "convoy"])
        & (pl.col("status") != "replaced")
    ).with_columns(possible=pl.col("status") == "counted")
    best = moving.sort("possible", "line").unique(
        ["phase_id", "nation", "province"], keep="last", maintain_order=True
    )
    return (
        units.sort("phase_id", "province")
        .join(
            best.select("phase_id", "nation", "province", "possible", *_ORDER),
            on=["phase_id", "nation", "province"],
            how="left",
            maintain_order="left",
        )
        .with_columns(
            pl.col("kind").fill_null("hold"),
            pl.col("possible").fill_null(True),
            pl.col("via").fill_null(False),
            aim=pl.coalesce("target", "of_province"),
        )
        .with_row_index("row")
    )


def _reached(board: Board, field: pl.DataFrame) -> pl.DataFrame:
    """Adds other · occupant (rows), by_land (one step to the target), helps (one step to the aim),
    other_by_land (one step for the other unit to the target).
    """
    at = field.select("phase_id", "province", "row")
    occupants, others = at.rename({"row": "occupant"}), at.rename({"row": "other"})
    field = looked_up(field, occupants, phase_id="phase_id", province="target")
    field = looked_up(field, others, phase_id="phase_id", province="of_province")
    other = pl.col("other")
    field = field.with_columns(
        other_type=pl.col("unit_type").gather(other), other_coast=pl.col("coast").gather(other)
    )
    own = {"unit_type": "unit_type", "province": "province", "coast": "coast"}
    others_own = {"unit_type": "other_type", "province": "of_province", "coast": "other_coast"}
    return field.with_columns(
        by_land=matching(field, board.steps, **own, target="target", target_coast="target_coast"),
        helps=matching(field, board.reach, **own, target="aim"),
        other_by_land=matching(field, board.reach, **others_own, target="target"),
    )


def _fleets(board: Board, field: pl.DataFrame) -> pl.DataFrame:
    seas = board.provinces.filter(pl.col("kind") == "sea").select(sea="province")
    fleets = field.filter(pl.col("unit_type") == "F").select("phase_id", sea="province")
    return fleets.join(seas, on="sea", how="semi")


def _wanted(field: pl.DataFrame) -> pl.DataFrame:
    """phase_id · origin · goal: every passage by sea that some order is about."""
    kind, army = pl.col("kind"), pl.col("unit_type") == "A"
    moves = field.filter((kind == "move") & army & (~pl.col("by_land") | pl.col("via")))
    carried = field.filter(
        ((kind == "convoy") | ((kind == "support") & ~pl.col("other_by_land")))
        & pl.col("target").is_not_null()
        & (pl.col("other_type") == "A").fill_null(True)
    )
    wanted = pl.concat(
        [
            moves.select("phase_id", origin="province", goal="target"),
            carried.select("phase_id", origin="of_province", goal="target"),
        ]
    )
    return wanted.filter(pl.col("origin") != pl.col("goal")).unique()


def _legal(
    board: Board, rulings: Rulings, field: pl.DataFrame, found: pl.DataFrame
) -> pl.DataFrame:
    """Adds legal and fits; an illegal order is none: the unit holds and can be supported."""
    field = field.with_columns(sails=pl.col("row").is_in(_sailing(field, found).implode()))
    kind, by_land, sails = pl.col("kind"), pl.col("by_land"), pl.col("sails")
    overland = by_land & (~pl.col("via") | rulings.land_fallback | (pl.col("unit_type") == "F"))
    goes = pl.col("target").is_null() | pl.col("other").is_null() | pl.col("other_by_land") | sails
    carries = sails & (pl.col("other_type") == "A").fill_null(True)
    legal = (
        pl.when(kind == "move")
        .then(overland | (sails & (pl.col("unit_type") == "A")))
        .when(kind == "support")
        .then(pl.col("helps") & goes)
        .when(kind == "convoy")
        .then(carries)
        .otherwise(True)
    )
    field = field.with_columns(legal=pl.col("possible") & legal)
    return field.with_columns(fits=pl.col("legal") & _partner())


def _partner() -> pl.Expr:
    """Does the other unit's order go with this support or convoy?"""
    other = pl.col("other")
    moves = ((pl.col("kind") == "move") & pl.col("legal")).gather(other)
    same_goal = pl.col("target") == pl.col("target").gather(other)
    coast = pl.col("target_coast")
    same_coast = coast.is_null() | (coast == coast.gather(other)) | (pl.col("other_type") == "A")
    goes_along = moves & same_goal & same_coast
    return (
        pl.when(pl.col("kind") == "convoy")
        .then(moves & same_goal)
        .when(pl.col("kind") == "support")
        .then(pl.when(pl.col("target").is_null()).then(~moves).otherwise(goes_along))
        .otherwise(True)
    ).fill_null(False)


def _sailing(field: pl.DataFrame, found: pl.DataFrame) -> pl.Series:
    """Rows of moves with a route on the board, of convoys that lie on one, and of supports of a
    move that has one without the supporter itself.
    """
    per_route = found.group_by("route", *PASSAGE).agg(seas="sea")
    about = field.select(
        "row",
        "phase_id",
        "kind",
        "province",
        origin=pl.when(pl.col("kind") == "move").then("province").otherwise("of_province"),
        goal="target",
    )
    on_route = pl.col("seas").list.contains(pl.col("province"))
    fits = pl.when(pl.col("kind") == "convoy").then(on_route).otherwise(~on_route)
    return about.join(per_route, on=PASSAGE).filter(fits)["row"].unique()


def _ordered_routes(field: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """row · route · fleet: the routes whose every fleet is ordered to carry the army."""
    carriers = field.filter((pl.col("kind") == "convoy") & pl.col("fits")).select(
        "phase_id", origin="of_province", goal="target", sea="province", fleet="row", row="other"
    )
    legs = found.join(carriers, on=[*PASSAGE, "sea"], how="left").with_columns(
        complete=pl.col("fleet").is_not_null().all().over("route")
    )
    return legs.filter(pl.col("complete")).select("row", "route", "fleet")


def _convoyed(rulings: Rulings, field: pl.DataFrame, legs: pl.DataFrame) -> pl.DataFrame:
    """Adds convoyed: which armies go by sea; to a neighbour only if that is wanted."""
    ordered = pl.col("row").is_in(legs["row"].implode())
    own = (
        (pl.col("kind") == "convoy")
        & pl.col("fits")
        & (pl.col("nation") == pl.col("nation").gather(pl.col("other")))
    )
    invited = field.filter(own)["other"].implode()
    wanted = pl.col("via")
    if rulings.adjacent_convoy == "via_or_own":
        wanted |= ordered & pl.col("row").is_in(invited)
    if rulings.land_fallback:
        wanted &= ordered
    moves = (pl.col("kind") == "move") & pl.col("legal") & (pl.col("unit_type") == "A")
    return field.with_columns(convoyed=moves & (~pl.col("by_land") | wanted)).with_columns(
        fits=pl.when(pl.col("convoyed")).then(ordered).otherwise("fits")
    )
