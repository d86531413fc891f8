"""The general evaluation: what everybody reads about battles (source 4)."""

import polars as pl

from transforms.diplomacy.german import Names, enumerated
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.texts import GENERAL, TITLES
from transforms.sentences import fill


def general_text(
    *, battles: pl.DataFrame, battle_nations: pl.DataFrame, names: Names, game: str, phase: Phase
) -> str:
    """The general evaluation of one turn; battles by the abbreviation of their province."""
    title = TITLES["general"].format(name=game, phase=phase.title)
    blocks = _battle_texts(battles, battle_nations, names) or [GENERAL["no_battles"]]
    return "\n\n".join([title, *blocks]) + "\n"


def _battle_texts(battles: pl.DataFrame, battle_nations: pl.DataFrame, names: Names) -> list[str]:
    """Two lines per battle: who wanted in, and what came of it."""
    wanting = (
        battle_nations.with_columns(code=names.code(), rank=names.rank())
        .group_by("province")
        .agg(nations=enumerated("code", "rank"))
    )
    place = pl.col("place")
    result = (
        pl.when(pl.col("nation").is_null())
        .then(fill(GENERAL["empty"], place=place))
        .otherwise(
            fill(
                GENERAL["held"],
                unit_type=pl.col("unit_type"),
                nation=names.code(),
                place=place,
            )
        )
    )
    opening = fill(GENERAL["battle"], place=place, nations=pl.col("nations"))
    return (
        battles.join(wanting, on="province", how="left")
        .with_columns(place=names.abbr())
        .sort("place")
        .select(text=opening + "\n" + result)["text"]
        .to_list()
    )
