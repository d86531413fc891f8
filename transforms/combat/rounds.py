"""Which sides of a battle meet, and in which round: all at once, or pair by pair."""

import polars as pl

from transforms.combat.booking import book_damage
from transforms.combat.by_hits import clash_by_hits
from transforms.combat.clashes import Clash, clash, strengths
from transforms.context import Turn
from transforms.rules import Rules

_PARTY = ["hex_id", "party"]
_PAIR = [*_PARTY, "opponent"]


def battle(
    engaged: pl.DataFrame,
    buildings: pl.DataFrame,
    rules: Rules,
    turn: Turn,
    fought: pl.DataFrame | None = None,
) -> Clash:
    """Fight out the battles of `engaged` by the combat model of the rule set.

    `engaged` is as from `engage`; its `round` is the first round of each battle. In the result a
    unit has one row per round that it fought in, a building its damage after the last one.
    `fought` are the rows of `battle_armies` of this turn so far (combat model hits).
    """
    if rules.switches.combat_model == "hits":
        return clash_by_hits(engaged, buildings, rules, turn, fought)
    if rules.switches.multi_party == "pairwise":
        return pairwise(engaged, buildings, rules, turn)
    return clash(engaged, buildings, rules, turn)


def pairwise(engaged: pl.DataFrame, buildings: pl.DataFrame, rules: Rules, turn: Turn) -> Clash:
    """One pair of parties per hex and round, the strongest first, until all pairs have met.

    Each round is a whole clash of two sides with the strengths, walls and units that the earlier
    rounds left. Every hex where a pair is left fights in every round, so they count together.
    """
    buildings = buildings.join(engaged, on="hex_id", how="semi")
    strength = strengths(engaged, rules).select(*_PARTY, "own")
    pairs = _all_pairs(strength)
    rounds = [clash(engaged.clear(), buildings, rules, turn)]
    while not (meeting := _strongest(pairs, strength)).is_empty():
        sides = _sides(meeting)
        fighting = engaged.join(sides, on=_PARTY, how="semi")
        rounds.append(clash(_numbered(fighting, len(rounds)), buildings, rules, turn))
        buildings = book_damage(buildings, rounds[-1].damage)
        left = _survivors(fighting, rounds[-1].units)
        strength = pl.concat(
            [
                strength.join(sides, on=_PARTY, how="anti"),
                strengths(left, rules).select(*_PARTY, "own"),
            ]
        )
        pairs = pairs.join(meeting, on=_PAIR, how="anti")
        waiting = engaged.join(sides, on=_PARTY, how="anti")
        engaged = pl.concat([waiting, left]).join(pairs, on="hex_id", how="semi")
    damage = pl.concat([one.damage for one in rounds])
    return Clash(
        sides=pl.concat([one.sides for one in rounds]),
        units=pl.concat([one.units for one in rounds]),
        damage=damage.unique("building_id", keep="last", maintain_order=True),
    )


def _all_pairs(parties: pl.DataFrame) -> pl.DataFrame:
    """Every two parties of a hex, the lower one first: hex_id, party, opponent."""
    others = parties.select("hex_id", opponent="party")
    return (
        parties.select(_PARTY)
        .join(others, on="hex_id")
        .filter(pl.col("party") < pl.col("opponent"))
    )


def _strongest(pairs: pl.DataFrame, strength: pl.DataFrame) -> pl.DataFrame:
    """The pair of each hex that meets now: both alive, the highest sum of strengths, lowest ids."""
    others = strength.select("hex_id", opponent="party", others="own")
    together = pl.col("own") + pl.col("others")
    return (
        pairs.join(strength, on=_PARTY)
        .join(others, on=["hex_id", "opponent"])
        .filter(together == together.max().over("hex_id"))
        .sort(_PAIR)
        .unique("hex_id", keep="first", maintain_order=True)
        .select(_PAIR)
    )


def _sides(pairs: pl.DataFrame) -> pl.DataFrame:
    """Both parties of each pair, a row each."""
    return pl.concat([pairs.select(_PARTY), pairs.select("hex_id", party="opponent")])


def _numbered(engaged: pl.DataFrame, count: int) -> pl.DataFrame:
    """The units of the `count`-th round, which bears the number that their battle has reached."""
    return engaged.with_columns((pl.col("round") + count - 1).cast(pl.UInt16))


def _survivors(fighting: pl.DataFrame, fought: pl.DataFrame) -> pl.DataFrame:
    """The units still alive and free after a round, with the troops they have left."""
    return (
        fighting.join(fought.select("unit_id", "losses", "captured"), on="unit_id")
        .with_columns(pl.col("troops") - pl.col("losses"))
        .filter((pl.col("troops") > 0) & ~pl.col("captured"))
        .select(fighting.columns)
    )
