"""What the fields of all three kinds of lines have in common: numbers, places, German words."""

from collections.abc import Mapping

import polars as pl

from transforms.catalogue import ORDERS
from transforms.errors import nearest
from transforms.orders.problems import none, problem, quoted

MAX_NUMBER = 2**31 - 1
MAX_UNIT_NUMBER = 65_535
MAX_GF = 42_949_672  # the highest whose hex_id fits into 32 bit
KFS = 48  # Kleinfelder of a Großfeld
_LONGEST_WORD = 30  # a longer one is no misspelt word
_DIGITS = r"^[0-9]+$"
_SPELT_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}


def field(position: int) -> pl.Expr:
    """Field `position` of the list column `fields`; null where the line is shorter."""
    return pl.col("fields").list.get(position, null_on_oob=True).str.strip_chars()


def number(text: pl.Expr) -> pl.Expr:
    """Int64 of a field of ASCII digits, else null."""
    unsigned = text >= "0"  # + and - stand before the digits
    return pl.when(unsigned).then(text.cast(pl.Int64, strict=False))


def folded(text: pl.Expr) -> pl.Expr:
    """Small letters with umlauts spelt out: what two spellings of a word have in common."""
    return text.str.to_lowercase().str.replace_many(_SPELT_OUT)


def hex_of(gf: str, kf: str) -> pl.Expr:
    """hex_id of a Großfeld and a Kleinfeld, null where one of them is none."""
    fits = pl.col(gf).is_between(1, MAX_GF) & pl.col(kf).is_between(1, KFS)
    return pl.when(fits).then(pl.col(gf) * 100 + pl.col(kf)).cast(pl.UInt32)


def check_number(
    frame: pl.DataFrame, column: str, pos: int, what: str, low: int, high: int
) -> pl.DataFrame:
    """Problems of the number `column`, read from field `pos`, that must lie in low..high."""
    wrong = frame.filter(~pl.col(column).is_between(low, high).fill_null(False))
    return number_problems(
        wrong.select("row", pos=pl.lit(pos), field=field(pos), value=column), what, low, high
    )


def number_problems(frame: pl.DataFrame, what: str, low: int, high: int) -> pl.DataFrame:
    """Why fields are no number in low..high: empty, other characters, too small or too large.

    In: row, pos, field, value (Int64, null = no number); `what` names the thing in the catalogue.
    """
    wrong = frame.filter(~pl.col("value").is_between(low, high).fill_null(False))
    if wrong.is_empty():
        return none()
    missing = pl.col("field").fill_null("") == ""
    digits = pl.col("field").str.contains(_DIGITS)
    small = (pl.col("value") < low).fill_null(False)
    wrong = wrong.with_columns(what=pl.lit(ORDERS[what]), low=pl.lit(low), high=pl.lit(high))
    cases = {
        "field_missing": missing,
        "not_a_number": ~missing & ~digits,
        "too_small": digits & small,
        "too_large": digits & ~small,
    }
    return pl.concat(
        problem(wrong.filter(case), reason, field=quoted()) for reason, case in cases.items()
    )


def check_place(frame: pl.DataFrame, pos: int) -> pl.DataFrame:
    """Problems of the numbers `gf` and `kf`, read from the fields `pos` and `pos` + 1."""
    return pl.concat(
        [
            check_number(frame, "gf", pos, "gf", 1, MAX_GF),
            check_number(frame, "kf", pos + 1, "kf", 1, KFS),
        ]
    )


def check_cost(frame: pl.DataFrame) -> pl.DataFrame:
    """Warnings where cost_submitted (field `pos`) is not the cost by the rules."""
    wrong = frame.filter(pl.col("cost_submitted") != pl.col("cost"))
    return problem(
        wrong, "cost_differs", severity="warning", suggestion=pl.col("cost").cast(pl.String)
    )


def with_suggestion(frame: pl.DataFrame, word: pl.Expr, allowed: Mapping[str, str]) -> pl.DataFrame:
    """`frame` (only erroneous fields) plus `suggestion`: what `word` was probably meant to be.

    `allowed`: folded spelling → what to suggest. One Python call per distinct short word.
    """
    frame = frame.with_columns(word=folded(word))
    words = frame["word"].drop_nulls().unique().sort()
    words = words.filter(words.str.len_chars() <= _LONGEST_WORD)
    meant = [allowed.get(nearest(w, allowed) or "") for w in words]
    table = pl.DataFrame({"word": words, "suggestion": pl.Series(meant, dtype=pl.String)})
    return frame.join(table, on="word", how="left")
