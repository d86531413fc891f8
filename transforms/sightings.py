"""What of others a realm sees at the end of the turn: sections B and C of its report."""

import polars as pl

from transforms.catalogue import OVERVIEW
from transforms.dice import unit_entity
from transforms.rules import Rules
from transforms.sentences import lines, names_of, place, sentence, type_text

_EXACT_BELOW = 100


def sighting_lines(
    *,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    sight: pl.DataFrame,
    realms: pl.DataFrame,
    rules: Rules,
) -> list[pl.LazyFrame]:
    """Message lines for the foreign units ashore and the foreign buildings that a realm sees.

    Allies are foreign. Numbers are as good as the eye: two leading digits. A building on an edge
    is seen on the hex that it belongs to. Nothing with the switch `sightings = off`.
    """
    if rules.switches.sightings == "off":
        return []
    troops = pl.col("troops")
    armies = _in_sight(units.filter((troops > 0) & pl.col("hex_id").is_not_null()), sight, realms)
    armies = armies.with_columns(amount=rounded(troops), entity=unit_entity("owner_id"))
    types = rules.building_types.lazy().select(building_type="code", building="name")
    works = _in_sight(buildings, sight, realms).join(types, on="building_type")
    n = pl.col("amount")
    words = {"realm": pl.col("realm"), "place": place(pl.col("hex_id"))}
    who = words | {"number": pl.col("number"), "type": type_text(n, rules)}
    exact = n < _EXACT_BELOW
    told = [
        lines(armies.filter(case), "B", kind, sentence(kind, n=n, **who), order="entity")
        for kind, case in {"sighted": exact, "sighted_about": ~exact}.items()
    ]
    what = sentence("sighted_building", building=pl.col("building"), **words)
    return [*told, lines(works, "C", "sighted_building", what, order="building_id")]


def rounded(troops: pl.Expr) -> pl.Expr:
    """Half up to two leading digits; exact below 100."""
    digits = troops.cast(pl.String).str.len_chars().cast(pl.Int64)
    unit = pl.lit(10, pl.Int64).pow((digits - 2).clip(lower_bound=0))
    return (troops // unit + ((troops % unit) * 2 >= unit)) * unit


def _in_sight(things: pl.DataFrame, sight: pl.DataFrame, realms: pl.DataFrame) -> pl.LazyFrame:
    """A row per foreign thing and realm that sees it: `realm_id` sees, `realm` is whose it is."""
    names = names_of(realms, OVERVIEW["nameless"])
    owner = pl.col("owner_id").replace_strict(names, return_dtype=pl.String)
    return (
        things.lazy()
        .rename({"realm_id": "owner_id"})
        .join(sight.lazy(), on="hex_id")
        .filter(pl.col("owner_id") != pl.col("realm_id"))
        .with_columns(realm=owner)
    )
