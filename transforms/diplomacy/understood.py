"""Orders in the project's own notation, and the reasons why some are not possible, in German."""

import polars as pl

from transforms.diplomacy.board import Board
from transforms.diplomacy.german import Names, coast_text
from transforms.diplomacy.reasons import REASONS
from transforms.sentences import fill

FORMS = {
    "hold": "{unit} H",
    "move": "{unit}-{target}",
    "support": "{unit} S {other}",
    "convoy": "{unit} C {other}-{target}",
    "retreat": "{unit} R {target}",
    "build": "B {unit}",
    "disband": "D {unit}",
    "waive": "/",
}


def with_texts(board: Board, orders: pl.DataFrame) -> pl.DataFrame:
    """Adds `understood` ("" where nothing was) and `reason` (null where the order is possible).

    Of a foreign unit only the letter and the coast that the player wrote are repeated.
    """
    words = _words(board)
    forms = pl.coalesce(
        pl.when(pl.col("kind") == kind).then(fill(form, **words)) for kind, form in FORMS.items()
    )
    goes_on = (pl.col("kind") == "support") & pl.col("target").is_not_null()
    understood = forms + pl.when(goes_on).then("-" + words["target"]).otherwise(pl.lit(""))
    understood += pl.when(pl.col("via")).then(pl.lit(" VIA")).otherwise(pl.lit(""))
    reason = pl.coalesce(
        pl.when(pl.col("fault") == code).then(fill(text, **words)) for code, text in REASONS.items()
    )
    return orders.with_columns(understood=understood.fill_null(""), reason=reason)


def _words(board: Board) -> dict[str, pl.Expr]:
    names = Names(board.provinces, board.nations)
    letter = pl.coalesce(pl.col("of_letter").cast(pl.String) + " ", pl.lit(""))
    unknown = pl.coalesce(
        pl.when(pl.col(meant).is_null()).then(word)
        for meant, word in (
            ("province", "place"),
            ("of_province", "of_place"),
            ("target", "to_place"),
        )
    )
    return {
        "unit": pl.coalesce(pl.col("unit_type").cast(pl.String) + " ", pl.lit(""))
        + names.place("province", "coast"),
        "place": names.abbr("province"),
        "other": letter + names.abbr("of_province") + coast_text(pl.col("other_coast")),
        "target": names.place("target", "target_coast"),
        "aim": names.abbr(pl.col("aim")),
        "word": unknown,
        "choice": pl.col("choice"),
        "number": pl.col("number"),
    }
