"""Splits, withdrawals, pursuits and conquests, told to whoever did or suffered them."""

import polars as pl

from transforms.rules import Rules
from transforms.sentences import lines, place, sentence, type_text

_GROUPS = {
    "split": 2,
    "kept_together": 2,
    "withdrew": 4,
    "cornered": 4,
    "pursued": 6,
    "conquered": 7,
    "plundered": 7,
    "ravaged": 7,
}
_LOST = {"conquered": "hex_lost", "plundered": "hex_plundered", "ravaged": "hex_plundered"}


def deed_lines(deeds: pl.DataFrame, who: pl.LazyFrame, rules: Rules) -> list[pl.LazyFrame]:
    """Section A lines of `deeds`; `who` has realm_id, number and unit_type of every unit.

    Who loses a hex learns that it did, not to whom.
    """
    done = deeds.lazy().rename({"number": "part"}).join(who, on="unit_id")
    n, start = pl.col("amount"), pl.col("hex_id")
    words = {
        "number": pl.col("number"),
        "part": pl.col("part"),
        "type": type_text(n, rules),
        "reason": pl.col("reason"),
        "start": place(start),
        "target": place(pl.col("to_hex")),
        "place": place(start),
    }
    own = [
        lines(
            done.filter(pl.col("deed") == deed),
            "A",
            deed,
            sentence(deed, n=n, **words),
            order="part" if group == 2 else "number",
            group=group,
            part=int(deed in ("plundered", "ravaged")),
        )
        for deed, group in _GROUPS.items()
    ]
    suffered = deeds.lazy().select("deed", "hex_id", realm_id="loser_id")
    return own + [
        lines(
            suffered.filter(pl.col("deed") == deed),
            "A",
            kind,
            sentence(kind, place=place(start)),
            order="hex_id",
            group=8,
            part=int(kind == "hex_plundered"),
        )
        for deed, kind in _LOST.items()
    ]
