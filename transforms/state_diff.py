"""Two states of a game compared cell by cell, in words that a reader recognises."""

from collections.abc import Mapping
from typing import Protocol

import polars as pl

from transforms.schema import STATE, key_of

Tables = Mapping[str, pl.DataFrame]

COLUMNS = ("table", "row", "column", "before", "after")
WHOLE_ROW = "*"
_FIRST = ("units", "buildings", "realms", "alliances")  # what a reader looks for
_COUNTED = ("sight", "atlas")  # millions of rows that say little one by one


class Words(Protocol):
    """How readers know the values of a game."""

    def text(self, column: str, source: str | None = None) -> pl.Expr:
        """The values of a column, held in `source`, as readers know them (String)."""


def state_diff(before: Tables, after: Tables) -> pl.DataFrame:
    """One row per cell that differs: table, row, column, before, after (all text).

    A row that only one state has is one line with the column `*`. Units are named
    `<number>@<CODE>`, hexes `<gf>/<kf>`. Of `sight` and `atlas` only the number of rows per realm.
    """
    words = _HexWords(before, after)
    parts = [
        differing_counts(table, "realm_id", before[table], after[table], words)
        if table in _COUNTED
        else differing_cells(table, key_of(table), before[table], after[table], words)
        for table in (*_FIRST, *(name for name in STATE if name not in _FIRST))
    ]
    return pl.concat(parts)


class _HexWords:
    """What readers call the realms and units of two states."""

    def __init__(self, before: Tables, after: Tables) -> None:
        realms = pl.concat([before["realms"], after["realms"]]).unique(
            "realm_id", keep="last", maintain_order=True
        )
        realm = pl.col("realm_id").cast(pl.String)
        codes = realms.select("realm_id", name=pl.coalesce("code", realm))
        units = pl.concat([before["units"], after["units"]]).unique(
            "unit_id", keep="last", maintain_order=True
        )
        named = units.join(codes, on="realm_id", how="left", maintain_order="left").select(
            "unit_id", name=pl.format("{}@{}", "number", pl.coalesce("name", realm))
        )
        self.realms = (codes["realm_id"], codes["name"])
        self.units = (named["unit_id"], named["name"])

    def text(self, column: str, source: str | None = None) -> pl.Expr:
        value = pl.col(source or column)
        plain = value.cast(pl.String)
        if column in ("realm_id", "ally_id"):
            return value.replace_strict(*self.realms, default=plain, return_dtype=pl.String)
        if column in ("unit_id", "carrier_id", "captor_id"):
            return value.replace_strict(*self.units, default=plain, return_dtype=pl.String)
        if column.endswith("hex_id"):
            return (value // 100).cast(pl.String) + "/" + (value % 100).cast(pl.String)
        return plain


def differing_cells(
    table: str, key: list[str], before: pl.DataFrame, after: pl.DataFrame, words: Words
) -> pl.DataFrame:
    """`COLUMNS` of one table, sorted by its key: rows that came or went, cells that changed."""
    one_sided = [
        mine.join(other, on=key, how="anti", nulls_equal=True).select(
            *key,
            column=pl.lit(WHOLE_ROW),
            before=pl.lit(text if side == 0 else None, pl.String),
            after=pl.lit(text if side == 1 else None, pl.String),
        )
        for side, (mine, other, text) in enumerate(
            ((before, after, "gone"), (after, before, "new"))
        )
    ]
    both = before.join(after, on=key, suffix=":after", nulls_equal=True)
    changed = [
        both.filter(pl.col(column).ne_missing(pl.col(f"{column}:after"))).select(
            *key,
            column=pl.lit(column),
            before=words.text(column),
            after=words.text(column, f"{column}:after"),
        )
        for column in before.columns
        if column not in key
    ]
    row = pl.concat_str([words.text(column).fill_null("–") for column in key], separator=" ")
    order = {name: n for n, name in enumerate([WHOLE_ROW, *before.columns])}
    return (
        pl.concat([*one_sided, *changed])
        .sort(*key, pl.col("column").replace_strict(order, return_dtype=pl.Int64))
        .select(pl.lit(table).alias("table"), row.alias("row"), "column", "before", "after")
    )


def differing_counts(
    table: str, owner: str, before: pl.DataFrame, after: pl.DataFrame, words: Words
) -> pl.DataFrame:
    """`COLUMNS` of one table of which only the number of rows per `owner` is told."""
    sizes = [frame.group_by(owner).agg(rows=pl.len()) for frame in (before, after)]
    return (
        sizes[0]
        .join(sizes[1], on=owner, how="full", coalesce=True, suffix=":after")
        .with_columns(pl.col("rows", "rows:after").fill_null(0))
        .filter(pl.col("rows") != pl.col("rows:after"))
        .sort(owner)
        .select(
            pl.lit(table).alias("table"),
            words.text(owner).alias("row"),
            pl.lit("rows").alias("column"),
            pl.col("rows").cast(pl.String).alias("before"),
            pl.col("rows:after").cast(pl.String).alias("after"),
        )
    )
