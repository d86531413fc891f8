"""Texts of order files → numbered lines, each with its kind; the limits of a file."""

import polars as pl

from transforms.catalogue import ORDERS
from transforms.cells import UNPRINTABLE_BUT_TAB
from transforms.orders.fields import with_suggestion
from transforms.orders.problems import problem, quoted
from transforms.sentences import fill

MAX_LINES = 5_000
MAX_CHARACTERS = 2_000
_KINDS = {  # how a line begins, in small letters → its kind
    "blank": r"^$",
    "comment": r"^[;#]",
    "move": r"^[0-9]",
    "train": r"^r(ü|ue)sten\s*(,|$)",
    "build": r"^bauen\s*(,|$)",
}
_KEYWORDS = {"ruesten": "ruesten", "bauen": "bauen"}


def split_lines(order_texts: pl.DataFrame) -> pl.DataFrame:
    """One row per line of every file that could be read, at most `MAX_LINES` of each.

    Out: row (dense ordinal), realm_id, line, written (white space at its end removed), text (at
    both ends), lower (small letters), kind, fits (not too long), readable (worth parsing).
    """
    kind = pl.lit("unknown")
    for name, start in reversed(_KINDS.items()):
        kind = pl.when(pl.col("lower").str.contains(start)).then(pl.lit(name)).otherwise(kind)
    clean = ~pl.col("text").str.contains(UNPRINTABLE_BUT_TAB)
    return (
        order_texts.sort("realm_id")
        .select("realm_id", written=_pieces().list.head(MAX_LINES))
        .drop_nulls()
        .with_columns(line=pl.int_ranges(1, pl.col("written").list.len() + 1, dtype=pl.UInt32))
        .explode("written", "line")
        .with_columns(pl.col("written").str.strip_chars_end())
        .with_columns(fits=pl.col("written").str.len_chars() <= MAX_CHARACTERS)
        .with_columns(
            pl.when("fits")
            .then("written")
            .otherwise(pl.col("written").str.head(MAX_CHARACTERS) + "…")
            .alias("written")
        )
        .with_columns(text=pl.col("written").str.strip_chars())
        .with_columns(lower=pl.col("text").str.to_lowercase())
        .with_columns(kind=kind, readable=pl.col("fits") & clean)
        .with_row_index("row")
    )


def line_problems(lines: pl.DataFrame) -> pl.DataFrame:
    """Problems of lines as a whole: too long, forbidden characters, an unknown beginning."""
    orders = lines.filter(~pl.col("kind").is_in(["blank", "comment"]))
    unknown = with_suggestion(
        orders.filter("readable", pl.col("kind") == "unknown").select(
            "row", field=pl.col("lower").str.extract(r"^([^,]*)").str.strip_chars()
        ),
        pl.col("field").str.extract(r"^(\S*)"),
        _KEYWORDS,
    )
    return pl.concat(
        [
            problem(orders.filter(~pl.col("fits")), "line_too_long", max=pl.lit(MAX_CHARACTERS)),
            problem(orders.filter("fits", ~pl.col("readable")), "forbidden_character"),
            problem(unknown, "no_order", field=quoted(), suggestion=pl.col("suggestion")),
        ]
    )


def file_problems(order_texts: pl.DataFrame) -> pl.DataFrame:
    """Rows of `rejections` for files as a whole (line 0): not read, or longer than allowed."""
    count = order_texts.select("realm_id", lines=_pieces().list.len())
    too_long = fill(ORDERS["too_many_lines"], lines=pl.col("lines"), max=pl.lit(MAX_LINES))
    reasons = [
        order_texts.drop_nulls("error").select("realm_id", reason="error"),
        count.filter(pl.col("lines") > MAX_LINES).select("realm_id", reason=too_long),
    ]
    return pl.concat(reasons).select(
        "realm_id",
        "reason",
        line=pl.lit(0, pl.UInt32),
        column=pl.lit(1, pl.UInt32),
        severity=pl.lit("error"),
        text=pl.lit(""),
    )


def _pieces() -> pl.Expr:
    """The lines of `text` as a list: CRLF, LF and a lone CR end a line; an empty text has none."""
    text = pl.col("text").str.replace_all("\r\n", "\n", literal=True)
    text = text.str.replace_all("\r", "\n", literal=True).str.strip_suffix("\n")
    return pl.when(pl.col("text") != "").then(text.str.split("\n"))
