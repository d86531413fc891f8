"""Order files → the orders table: every line understood, or rejected with a reason.

A line is judged by the map and by what its nation has itself: own units, own centres, own lines.
What only the board shows (fleets of others, for instance) is decided in field.py and is told to
nobody.
"""

import polars as pl

from transforms.diplomacy import map_checks, winter
from transforms.diplomacy.board import UNIT_TYPE, Board
from transforms.diplomacy.columns import looked_up
from transforms.diplomacy.names import COAST, resolve
from transforms.diplomacy.notation import nation_names, parse
from transforms.diplomacy.rulings import Rulings
from transforms.diplomacy.understood import with_texts
from transforms.schema.ghost_tables import ORDER_KINDS, STATUSES, STEPS, Orders

KIND, STEP, STATUS = pl.Enum(ORDER_KINDS), pl.Enum(STEPS), pl.Enum(STATUSES)
_UNIT = ["phase_id", "nation", "step", "province"]


def read_orders(
    board: Board,
    *,
    phases: pl.DataFrame,
    lines: pl.DataFrame,
    units: pl.DataFrame,
    dislodged: pl.DataFrame,
    centres: pl.DataFrame,
    seen: pl.DataFrame,
    rulings: Rulings = Rulings(),
) -> pl.DataFrame:
    """Every line as an order: phase_id and the columns of `ghost.orders`, sorted by line.

    phases: `ghost.batch.phases`; lines: phase_id · nation · line · text · step? (null: told by
    the notation); units, dislodged, centres: the position, all nations with phase_id; seen:
    phase_id · viewer · province · nation · unit_type, the foreign units that a nation sees (for
    `S RuA` without a place).
    """
    orders = _read(board, phases, lines)
    orders = resolve(board, orders, _standing(phases, units, dislodged))
    orders = _found_others(board, orders, units, seen)
    orders = map_checks.checked(board, _told_coasts(board, orders), rulings)
    orders = winter.checked(board, orders, units=units, centres=centres)
    orders = with_texts(board, _settled(_without_unreadable(orders)))
    columns = ["phase_id", *Orders.columns()]
    return orders.select(columns).sort("phase_id", "nation", "line")


def _read(board: Board, phases: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """The lines with their parts; equal texts are read once."""
    texts = lines.select("text").unique(maintain_order=True)
    parts = pl.concat([texts, parse(board, texts["text"])], how="horizontal")
    read = (
        lines.join(parts, on="text", how="left", maintain_order="left")
        .join(phases.select("phase_id", phase_step=pl.col("step").cast(STEP)), on="phase_id")
        .with_columns(
            pl.col("kind").cast(KIND),
            pl.col("letter", "of_letter").str.to_uppercase().cast(UNIT_TYPE),
            pl.col("coast", "of_coast", "to_coast").str.to_uppercase().cast(COAST, strict=False),
        )
        .sort("phase_id", "nation", "line")
        .with_row_index("row")
    )
    in_advance = (pl.col("phase_step") == "movement") & pl.col("kind").is_in(["retreat", "disband"])
    read = read.with_columns(
        step=pl.when(in_advance)
        .then(pl.lit("retreat", STEP))
        .otherwise(pl.coalesce(pl.col("step").cast(STEP), "phase_step"))
    )
    retreats = (pl.col("step") == "retreat") & (pl.col("kind") == "move")
    return read.with_columns(
        kind=pl.when(retreats).then(pl.lit("retreat", KIND)).otherwise("kind"),
        via=(pl.col("kind") == "move") & pl.col("via") & ~retreats,
    )


def _standing(phases: pl.DataFrame, units: pl.DataFrame, dislodged: pl.DataFrame) -> pl.DataFrame:
    """The units that a nation may order: in a retreat step of its own those that wait."""
    columns = ["phase_id", "nation", "province", "unit_type", "coast"]
    waiting = phases.filter(pl.col("step") == "retreat")
    return pl.concat(
        [
            units.join(waiting, on="phase_id", how="anti").select(columns),
            dislodged.join(waiting, on="phase_id", how="semi").select(columns),
        ]
    )


def _found_others(
    board: Board, orders: pl.DataFrame, units: pl.DataFrame, seen: pl.DataFrame
) -> pl.DataFrame:
    """`S RuA`: the only such unit in sight that the supporter, or its order, can mean."""
    own = units.with_columns(viewer="nation").select(seen.columns)
    visible = pl.concat([seen, own], how="vertical_relaxed").select(
        "phase_id", nation="viewer", seen="province", meant="nation", of_letter="unit_type"
    )
    nameless = orders.filter(pl.col("of_place").is_null() & pl.col("of_nation").is_not_null())
    candidates = (
        nameless.join(nation_names(board), left_on="of_nation", right_on="word")
        .join(visible, on=["phase_id", "nation", "meant", "of_letter"])
        .join(board.neighbours, left_on="seen", right_on="province")
        .filter(pl.col("neighbour") == pl.coalesce("target", "province"))
    )
    found = candidates.group_by("row").agg(found=pl.col("seen").unique())
    only = found.filter(pl.col("found").list.len() == 1).explode("found")
    return looked_up(orders, only, row="row").with_columns(
        of_province=pl.coalesce("of_province", "found")
    )


def _told_coasts(board: Board, orders: pl.DataFrame) -> pl.DataFrame:
    """The coast of the unit itself, and of its target: the only possible one if none is named."""
    moves = pl.col("kind").is_in(["move", "retreat"]) & (pl.col("unit_type") == "F")
    possible = (
        board.steps.filter(pl.col("target_coast").is_not_null())
        .group_by("unit_type", "province", "coast", "target")
        .agg(coasts=pl.len(), only=pl.col("target_coast").first())
    )
    split = board.coasts["province"].unique().to_list()
    has_coasts = pl.col("target").is_in(split) & (pl.col("unit_type") != "A").fill_null(True)
    own_coast = (pl.col("unit_type") == "F") & pl.col("province").is_in(split)
    own = {"unit_type": "unit_type", "province": "province", "coast": "unit_coast"}
    return looked_up(orders, possible, **own, target="target").with_columns(
        coast=pl.when(own_coast).then("unit_coast"),
        aim=pl.coalesce("target", "of_province"),
        via=pl.col("via") & (pl.col("unit_type") == "A").fill_null(True),
        of_type="of_letter",
        target_coast=pl.when(pl.col("kind") == "support")
        .then(pl.when(pl.col("target").is_in(split)).then("target_coast"))
        .when(moves & has_coasts)
        .then(pl.coalesce("target_coast", pl.when(pl.col("coasts") == 1).then("only"))),
        lacks_coast=moves & has_coasts & pl.col("target_coast").is_null() & (pl.col("coasts") > 1),
    )


def _without_unreadable(orders: pl.DataFrame) -> pl.DataFrame:
    """A line that names no order has no kind."""
    unreadable = pl.col("fault").is_in(map_checks.UNREADABLE).fill_null(False)
    return orders.with_columns(kind=pl.when(~unreadable).then("kind"))


def _settled(orders: pl.DataFrame) -> pl.DataFrame:
    """`status` and `preference`: the last possible line of a unit counts; retreats are ranked."""
    possible = pl.col("fault").is_null() & pl.col("kind").is_not_null()
    moves = (pl.col("step") == "movement") & (pl.col("kind") != "waive")
    last = pl.col("line") == pl.col("line").max().over(*_UNIT)
    good = orders.filter(possible).with_columns(
        status=pl.when(moves & ~last)
        .then(pl.lit("replaced", STATUS))
        .otherwise(pl.lit("counted", STATUS)),
        preference=pl.when(pl.col("step") == "retreat").then(
            pl.col("line").rank("ordinal").over(*_UNIT).clip(upper_bound=255)
        ),
    )
    settled = looked_up(orders, good.select("row", "status", "preference"), row="row")
    return settled.with_columns(
        pl.col("status").fill_null("rejected"), pl.col("preference").cast(pl.UInt8)
    )
