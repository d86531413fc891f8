"""What a nation is told of its own orders: as understood, and of moves whether they were made.

Supports, convoys and holds get no result: that a support was void would tell what a hidden unit
did. Nothing here looks at another nation's rows.
"""

import polars as pl

from transforms.diplomacy.german import Names, listed, or_none
from transforms.diplomacy.texts import NATIONAL, NONE
from transforms.sentences import fill

_HEADER, _NO_FILE, _UNITS, _REFUSED = 30, 31, 32, 40  # blocks of the text, see national.py


def movement_lines(
    *,
    readers: pl.DataFrame,
    orders: pl.DataFrame,
    results: pl.DataFrame,
    dislodged: pl.DataFrame,
    missing: pl.DataFrame,
    names: Names,
    waiting: bool,
    retreat_options: bool,
) -> pl.DataFrame:
    """The lines viewer, block, order, text after `Züge:`, one per own unit by its abbreviation.

    Without a usable file only units that were driven out have a line.
    """
    absent = missing.select(viewer="nation")
    silent = readers.join(absent, on="viewer", how="semi")
    counted = orders.filter(status="counted", step="movement").select(
        "nation", "province", "understood", ordered="kind"
    )
    driven_out = _driven_out(dislodged, names, waiting, retreat_options)
    units = (
        results.filter(step="movement")
        .join(counted, on=["nation", "province"], how="left")
        .join(driven_out, on="province", how="left")
        .with_columns(unit=names.unit(), abbr=names.abbr(), viewer="nation")
        .join(readers, on="viewer", how="semi")
        .join(absent.with_columns(silent=True), on="viewer", how="left")
    )
    order = pl.coalesce("understood", fill(NATIONAL["hold"], unit=pl.col("unit")))
    done = pl.when(outcome="succeeds").then(
        fill(NATIONAL["done"], order=order),
    )
    moved = done.otherwise(fill(NATIONAL["failed"], order=order))
    plain = pl.when(pl.col("ordered") == "move").then(moved).otherwise(order)
    told = units.filter(pl.col("silent").is_null() | pl.col("driven_out").is_not_null())
    lines = _ordered(told, pl.coalesce("driven_out", plain))
    no_file = _single(silent, _NO_FILE, NATIONAL["no_orders"])
    return _under_header(readers, pl.concat([no_file, lines]))


def retreat_lines(readers: pl.DataFrame, dislodged: pl.DataFrame, names: Names) -> pl.DataFrame:
    """The same for a retreat step of its own: one line per own dislodged unit."""
    driven_out = _driven_out(dislodged, names, waiting=False, retreat_options=False)
    own = dislodged.join(driven_out, on="province").with_columns(viewer="nation", abbr=names.abbr())
    lines = _ordered(own.join(readers, on="viewer", how="semi"), pl.col("driven_out"))
    return _under_header(readers, lines)


def refused_lines(readers: pl.DataFrame, orders: pl.DataFrame) -> pl.DataFrame:
    """Lines that were not understood, and lines that a later one replaced, by number."""
    refused = (
        with_replacement(orders)
        .filter(pl.col("status") != "counted")
        .with_columns(viewer="nation")
        .join(readers, on="viewer", how="semi")
    )
    line, text = pl.col("line"), pl.col("text").str.strip_chars()
    rejected = fill(NATIONAL["rejected"], line=line, text=text, reason=pl.col("reason"))
    replaced = fill(NATIONAL["replaced"], line=line, text=text, by=pl.col("by"))
    return refused.select(
        "viewer",
        block=pl.lit(_REFUSED, pl.UInt8),
        order=pl.col("line").cast(pl.UInt32),
        text=pl.when(status="rejected").then(rejected).otherwise(replaced),
    )


def with_replacement(orders: pl.DataFrame) -> pl.DataFrame:
    """`orders` with `by`: the line that counts for the unit of a replaced line."""
    unit = ["nation", "step", "province"]
    counting = (
        orders.filter(pl.col("status") == "counted").group_by(unit).agg(by=pl.col("line").max())
    )
    return orders.join(counting, on=unit, how="left", maintain_order="left")


def _driven_out(
    dislodged: pl.DataFrame, names: Names, waiting: bool, retreat_options: bool
) -> pl.DataFrame:
    """province, driven_out: the sentence about every dislodged unit."""
    unit = names.unit()
    retreated = fill(NATIONAL["retreated"], unit=unit, place=names.place_of_key("retreated_to"))
    if waiting and retreat_options:
        possible = dislodged.explode("options", empty_as_null=True).select(
            "province", abbr=names.place_of_key("options")
        )
        lists = possible.drop_nulls().group_by("province").agg(list=listed("abbr", "abbr"))
        dislodged = dislodged.join(lists, on="province", how="left")
        gone = fill(NATIONAL["options"], unit=unit, list=or_none("list"))
    else:
        gone = fill(NATIONAL["waiting" if waiting else "disbanded"], unit=unit)
    where = pl.col("retreated_to")
    return dislodged.select(
        "province", driven_out=pl.when(where.is_null()).then(gone).otherwise(retreated)
    )


def _ordered(units: pl.DataFrame, text: pl.Expr) -> pl.DataFrame:
    return units.sort("viewer", "abbr").select(
        "viewer",
        block=pl.lit(_UNITS, pl.UInt8),
        order=pl.int_range(pl.len(), dtype=pl.UInt32),
        text=text,
    )


def _single(readers: pl.DataFrame, block: int, text: str) -> pl.DataFrame:
    return readers.select(
        "viewer",
        block=pl.lit(block, pl.UInt8),
        order=pl.lit(0, pl.UInt32),
        text=pl.lit(text),
    )


def _under_header(readers: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """The lines below `Züge:`; a nation without any gets `Züge: keine`."""
    some = readers.join(lines, on="viewer", how="semi")
    none = readers.join(lines, on="viewer", how="anti")
    header = NATIONAL["orders"]
    return pl.concat(
        [_single(some, _HEADER, header), _single(none, _HEADER, f"{header} {NONE}"), lines]
    )
