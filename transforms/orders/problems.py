"""Problems of order lines: built next to the check that finds them, located once at the end."""

from string import Formatter

import polars as pl

from transforms.catalogue import ORDERS
from transforms.sentences import fill

MAX_PER_LINE = 5  # a line of rubbish shall not fill the report
_SHOWN = 40  # characters of a wrong field that a reason quotes
_SCHEMA = {
    "row": pl.UInt32,
    "pos": pl.Int64,
    "severity": pl.String,
    "reason": pl.String,
    "suggestion": pl.String,
}


def problem(
    frame: pl.DataFrame,
    reason: str,
    *,
    severity: str = "error",
    suggestion: pl.Expr | None = None,
    **columns: pl.Expr,
) -> pl.DataFrame:
    """A problem for every row of `frame`: row, pos (field, null = the line), reason, suggestion.

    `reason` names a sentence of the catalogue; its placeholders are the frame's columns of that
    name, or what `columns` says.
    """
    if frame.is_empty():
        return none()
    template = ORDERS[reason]
    names = {name for _, name, _, _ in Formatter().parse(template) if name}
    pos = pl.col("pos") if "pos" in frame.columns else pl.lit(None)
    return frame.select(
        pl.col("row").cast(pl.UInt32),
        pos=pos.cast(pl.Int64),
        severity=pl.lit(severity),
        reason=fill(template, **{name: pl.col(name) for name in names} | columns),
        suggestion=(pl.lit(None) if suggestion is None else suggestion).cast(pl.String),
    )


def none() -> pl.DataFrame:
    """No problem."""
    return pl.DataFrame(schema=_SCHEMA)


def quoted(field: str = "field") -> pl.Expr:
    """A wrong field as a reason quotes it: short, however long it is."""
    text = pl.col(field)
    return pl.when(text.str.len_chars() > _SHOWN).then(text.str.head(_SHOWN) + "…").otherwise(text)


def located(problems: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Rows of `rejections` without file problems: realm, line, column, the line as written.

    The leftmost problems of a line are kept, errors before warnings, at most `MAX_PER_LINE`.
    """
    kept = problems.sort("row", "severity", "pos", "reason").filter(
        pl.int_range(pl.len()).over("row") < MAX_PER_LINE
    )
    pos = pl.col("pos").fill_null(0)
    fields = pl.col("written").str.split(",")
    before = fields.list.head(pos).list.join(",").str.len_chars() + (pos > 0).cast(pl.UInt32)
    field = fields.list.get(pos, null_on_oob=True).fill_null("")
    blank = field.str.len_chars() - field.str.strip_chars_start().str.len_chars()
    column = pl.min_horizontal(before + blank, pl.col("written").str.len_chars()) + 1
    return kept.join(lines.select("row", "realm_id", "line", "written"), on="row").select(
        "realm_id", "line", "severity", "reason", "suggestion", column=column, text="written"
    )
