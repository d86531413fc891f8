"""Two ways to ask another table about every row of a frame; rows stay where they are."""

import polars as pl


def looked_up(frame: pl.DataFrame, table: pl.DataFrame, **columns: str) -> pl.DataFrame:
    """The frame with the other columns of the row of `table` that fits, null where none does.

    columns: column of the table = column of the frame; two nulls are equal. A row of the frame
    must not fit more than one row of the table.
    """
    return frame.join(
        table,
        left_on=list(columns.values()),
        right_on=list(columns),
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )


def matching(frame: pl.DataFrame, table: pl.DataFrame, **columns: str) -> pl.Expr:
    """Whether `table` has a row that fits; columns as in looked_up, the frame needs `row`."""
    found = frame.join(
        table,
        left_on=list(columns.values()),
        right_on=list(columns),
        how="semi",
        nulls_equal=True,
    )
    return pl.col("row").is_in(found["row"].implode())
