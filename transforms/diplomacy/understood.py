"""Orders in the project's own notation, and the reasons why some are not possible, in German."""

import polars as pl

from transforms.diplomacy.board import Board
from transforms.diplomacy.columns import looked_up
from transforms.diplomacy.german import Names, coast_text
from transforms.diplomacy.names import nearest_places
from transforms.diplomacy.notation import folded
from transforms.diplomacy.reasons import MEANT, REASONS
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
_MARKS = r"/@+>()=\-–—−‐‑→⇒➔➜"  # what no name has in it
_WRITTEN = rf"[^\s{_MARKS}]+"  # what may be a name in a line of text
_SEVERAL_WORDS = rf"[^{_MARKS}]+"


def with_texts(board: Board, orders: pl.DataFrame) -> pl.DataFrame:
    """Adds `understood` ("" where nothing was) and `reason` (null where the order is possible).

    Of a foreign unit only the letter and the coast that the player wrote are repeated.
    """
    names = Names(board.provinces, board.nations)
    orders = _with_strange(board, names, orders)
    words = _words(names)
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


def _with_strange(board: Board, names: Names, orders: pl.DataFrame) -> pl.DataFrame:
    """Adds `strange`, a name that no place has, as written, and `meant`, the nearest one or ""."""
    word = pl.coalesce(
        pl.when(pl.col(key).is_null()).then(written)
        for key, written in (
            ("province", "place"),
            ("of_province", "of_place"),
            ("target", "to_place"),
        )
    )
    strange = orders.filter(fault="unknown_place").select("row", "text", word=word)
    written = (
        strange.with_columns(written=pl.col("text").str.extract_all(_WRITTEN))
        .explode("written", empty_as_null=True)
        .with_columns(pl.col("written").str.strip_chars(".,;:!"))
        .filter(folded(pl.col("written")) == folded(pl.col("word")))
        .unique("row", keep="first", maintain_order=True)
    )
    told = looked_up(strange, written.select("row", "written"), row="row")
    told = looked_up(told, nearest_places(board, strange["word"]), word="word")
    told = told.select("row", "province", strange=pl.coalesce("written", "word"))
    told = pl.concat([told, _long_names(board, orders)], how="diagonal")
    meant = fill(MEANT, abbr=names.abbr(), name=names.name())
    told = told.select("row", "strange", meant=meant)
    return looked_up(orders, told, row="row").with_columns(pl.col("meant").fill_null(""))


def _long_names(board: Board, orders: pl.DataFrame) -> pl.DataFrame:
    """row · province of the first name of several words that is misspelt in an unreadable line."""
    parts = (
        orders.filter(fault="unreadable")
        .select("row", word=folded(pl.col("text")).str.extract_all(_SEVERAL_WORDS))
        .explode("word", empty_as_null=True)
        .with_columns(
            pl.col("word").str.strip_chars().str.strip_prefix("a ").str.strip_prefix("f ")
        )
        .filter(pl.col("word").str.contains(" "))
    )
    near = looked_up(parts, nearest_places(board, parts["word"]), word="word")
    found = near.drop_nulls("province").unique("row", keep="first", maintain_order=True)
    return found.select("row", "province")


def _words(names: Names) -> dict[str, pl.Expr]:
    letter = pl.coalesce(pl.col("of_letter").cast(pl.String) + " ", pl.lit(""))
    return {
        "unit": pl.coalesce(pl.col("unit_type").cast(pl.String) + " ", pl.lit(""))
        + names.place("province", "coast"),
        "place": names.abbr("province"),
        "other": letter + names.abbr("of_province") + coast_text(pl.col("other_coast")),
        "target": names.place("target", "target_coast"),
        "aim": names.abbr(pl.col("aim")),
        "word": pl.col("strange"),
        "meant": pl.col("meant"),
        "choice": pl.col("choice"),
        "number": pl.col("number"),
    }
