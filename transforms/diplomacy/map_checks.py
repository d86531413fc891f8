"""What the map, own units and the step say about an order: `fault`, a key of reasons.REASONS."""

import polars as pl

from transforms.diplomacy.board import Board
from transforms.diplomacy.columns import matching
from transforms.diplomacy.rulings import Rulings

UNREADABLE = [
    "unreadable",
    "not_in_movement",
    "not_in_retreat",
    "not_in_winter",
    "unknown_place",
    "ambiguous",
    "which_unit",
    "no_other",
]
"""Faults of lines that name no order; all other faults belong to orders that are impossible."""


def checked(board: Board, orders: pl.DataFrame, rulings: Rulings) -> pl.DataFrame:
    """The orders with `fault`: the first thing that makes one impossible for all to see, or null.

    Reads the columns of names.resolve and orders._told_coasts.
    """
    kind, step = pl.col("kind"), pl.col("step")
    unit_missing = pl.col("own_type").is_null() & ~kind.is_in(["build", "waive"])
    faults = [
        ("unreadable", kind.is_null()),
        ("unknown_place", pl.col("place").is_not_null() & pl.col("province").is_null()),
        ("unknown_place", pl.col("of_place").is_not_null() & pl.col("of_province").is_null()),
        ("unknown_place", pl.col("to_place").is_not_null() & pl.col("target").is_null()),
        ("not_in_movement", (step == "movement") & kind.is_in(["retreat", "build", "disband"])),
        ("not_in_retreat", (step == "retreat") & ~kind.is_in(["retreat", "disband"])),
        ("not_in_winter", (step == "adjustment") & ~kind.is_in(["build", "disband", "waive"])),
        ("ambiguous", pl.col("choice").is_not_null()),
        ("no_retreat", unit_missing & (pl.col("phase_step") == "retreat")),
        ("no_unit", unit_missing),
        *_move_faults(board, orders, rulings),
        *_support_faults(board, orders),
        *_convoy_faults(board, orders),
    ]
    return orders.with_columns(
        fault=pl.coalesce(pl.when(holds).then(pl.lit(code)) for code, holds in faults)
    )


def _move_faults(board: Board, orders: pl.DataFrame, rulings: Rulings) -> list[tuple[str, pl.Expr]]:
    moves = pl.col("kind").is_in(["move", "retreat"])
    step = matching(
        orders,
        board.steps,
        unit_type="unit_type",
        province="province",
        coast="unit_coast",
        target="target",
        target_coast="target_coast",
    )
    by_sea = (
        (pl.col("kind") == "move")
        & (pl.col("unit_type") == "A")
        & matching(orders, board.passages, province="province", target="target")
    )
    by_land = step & ((pl.col("kind") != "move") | ~pl.col("via") | rulings.land_fallback)
    return [
        ("same_place", moves & (pl.col("target") == pl.col("province"))),
        ("which_coast", moves & pl.col("lacks_coast")),
        ("unreachable", moves & ~step & ~by_sea),
        ("no_passage", moves & ~by_land & ~by_sea),
    ]


def _support_faults(board: Board, orders: pl.DataFrame) -> list[tuple[str, pl.Expr]]:
    """What is supported may be hidden, so a foreign unit may be of either type."""
    supports = pl.col("kind") == "support"
    helps = matching(
        orders,
        board.reach,
        unit_type="unit_type",
        province="province",
        coast="unit_coast",
        target="aim",
    )
    anybody = board.reach.select("province", "target").unique()
    foreign = pl.col("of_own_type").is_null() & matching(
        orders, anybody, province="of_province", target="target"
    )
    own = matching(
        orders,
        board.reach,
        unit_type="of_own_type",
        province="of_province",
        coast="of_own_coast",
        target="target",
    )
    sails = (pl.col("of_own_type") == "A").fill_null(True) & matching(
        orders, board.passages, province="of_province", target="target"
    )
    nameless = supports & pl.col("of_province").is_null()
    return [
        ("which_unit", nameless & pl.col("of_nation").is_not_null()),
        ("no_other", nameless),
        ("itself", supports & (pl.col("of_province") == pl.col("province"))),
        ("no_support", supports & ~helps),
        ("not_supported", supports & pl.col("target").is_not_null() & ~foreign & ~own & ~sails),
    ]


def _convoy_faults(board: Board, orders: pl.DataFrame) -> list[tuple[str, pl.Expr]]:
    convoys = pl.col("kind") == "convoy"
    seas = board.provinces.filter(pl.col("kind") == "sea").select("province")
    coasts = board.provinces.filter(pl.col("kind") == "coast").select("province")
    at_sea = (pl.col("unit_type") == "F") & matching(orders, seas, province="province")
    of_coast = matching(orders, coasts, province="of_province")
    ashore = of_coast & matching(orders, coasts, province="target")
    route = (
        matching(orders, board.ports, sea="province", land="of_province")
        & matching(orders, board.ports, sea="province", land="target")
        & (pl.col("of_province") != pl.col("target"))
    )
    return [
        ("no_other", convoys & pl.col("of_province").is_null()),
        ("no_fleet", convoys & ~at_sea),
        ("no_army", convoys & (~ashore | (pl.col("of_own_type") == "F").fill_null(False))),
        ("no_sea_route", convoys & ~route),
    ]
