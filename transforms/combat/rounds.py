"""Which sides of a battle meet, and in which round: all at once, or pair by pair."""

import polars as pl

from transforms.combat.booking import book_damage
from transforms.combat.clashes import Clash, clash, strengths
from transforms.context import Turn
from transforms.rules import Rules

_PAIR = ["hex_id", "party", "opponent"]


def battle(engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn) -> Clash:
    """Fight out the battles of `engaged` by the combat model of the rule set.

    `engaged` is as from `engage`; its `round` is the first round of each battle. In the result a
    unit has one row per round that it fought in, a building its damage after the last one.
    """
    if rules.switches.multi_party == "pairwise":
        return pairwise(engaged, buildings, rules, turn)
    return clash(engaged, buildings, rules, turn)


def pairwise(engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn) -> Clash:
    """One pair of parties per hex and round, the strongest first, until all pairs have met.

    Each round is a whole clash of two sides with the strengths, walls and units that the earlier
    rounds left; a hex drops out when nobody is left there who has not met.
    """
    buildings = buildings.join(engaged, on="hex_id", how="semi")
    open_pairs = _pairs(engaged)
    fought = [clash(engaged.clear(), buildings, rules, turn)]
    while not (pairs := _strongest(open_pairs, strengths(engaged, rules))).is_empty():
        fought.append(clash(_members(engaged, pairs), buildings, rules, turn))
        buildings = book_damage(buildings, fought[-1].damage)
        open_pairs = open_pairs.join(pairs, on=_PAIR, how="anti")
        engaged = _survivors(engaged, fought[-1].units).join(open_pairs, on="hex_id", how="semi")
    damage = pl.concat([one.damage for one in fought])
    return Clash(
        sides=pl.concat([one.sides for one in fought]),
        units=pl.concat([one.units for one in fought]),
        damage=damage.unique("building_id", keep="last", maintain_order=True),
    )


def _pairs(engaged: pl.DataFrame) -> pl.DataFrame:
    """Every two parties of a hex, the lower one first: hex_id, party, opponent."""
    parties = engaged.lazy().select("hex_id", "party").unique()
    return (
        parties.join(parties.rename({"party": "opponent"}), on="hex_id")
        .filter(pl.col("party") < pl.col("opponent"))
        .collect()
    )


def _strongest(pairs: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """The pair of each hex that meets now: both alive, the highest sum of strengths, lowest ids."""
    own = sides.select("hex_id", "party", "own")
    return (
        pairs.join(own, on=["hex_id", "party"])
        .join(own.rename({"party": "opponent", "own": "others"}), on=["hex_id", "opponent"])
        .with_columns(together=pl.col("own") + pl.col("others"))
        .filter(pl.col("together") == pl.col("together").max().over("hex_id"))
        .sort(_PAIR)
        .unique("hex_id", keep="first", maintain_order=True)
        .select(_PAIR)
    )


def _members(engaged: pl.DataFrame, pairs: pl.DataFrame) -> pl.DataFrame:
    """The units of both parties of each pair."""
    return (
        engaged.join(pairs.rename({"party": "one"}), on="hex_id")
        .filter((pl.col("party") == pl.col("one")) | (pl.col("party") == pl.col("opponent")))
        .select(engaged.columns)
    )


def _survivors(engaged: pl.DataFrame, fought: pl.DataFrame) -> pl.DataFrame:
    """The units still alive and free, with the troops they have left, ready for the next round."""
    rows = fought.select("unit_id", "losses", "captured")
    return (
        engaged.join(rows, on="unit_id", how="left")
        .with_columns(pl.col("round") + 1, troops=pl.col("troops") - pl.col("losses").fill_null(0))
        .filter((pl.col("troops") > 0) & ~pl.col("captured").fill_null(False))
        .select(engaged.columns)
    )
