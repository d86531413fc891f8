"""Refused orders, told to their realm: units in section D, buildings in section E."""

import polars as pl

from transforms.realise.wanted import LINE
from transforms.rules import Rules
from transforms.sentences import lines, numbered, place, sentence, type_text


def refusals(
    refused: pl.DataFrame, trainings: pl.DataFrame, constructions: pl.DataFrame, rules: Rules
) -> pl.DataFrame:
    """Rows of `messages`, by line."""
    why = refused.lazy().select(*LINE, reason="reason")
    names = rules.building_types.lazy().select(building_type="code", type_name="name")
    recruits = (
        trainings.lazy().drop("reason", "unit_id").join(why, on=LINE).with_columns(amount="troops")
    )
    sites = (
        constructions.lazy()
        .drop("reason", "building_id")
        .join(why, on=LINE)
        .join(names, on="building_type")
        .with_columns(building=pl.concat_str("type_name", "name", separator=" ", ignore_nulls=True))
    )
    n, reason, line = pl.col("troops"), pl.col("reason"), pl.col("line")
    not_trained = sentence("not_trained", n=n, type=type_text(n, rules), line=line, reason=reason)
    not_built = sentence(
        "not_built",
        building=pl.col("building"),
        place=place(pl.col("hex_id")),
        line=line,
        reason=reason,
    )
    return numbered(
        lines(recruits, "D", "not_trained", not_trained, order="line"),
        lines(sites, "E", "not_built", not_built, order="line"),
    )
