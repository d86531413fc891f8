"""Step k of all paths at once, whatever the order of realms and rows (switch `movement`)."""

import polars as pl

from transforms.dice import DRAW_COLUMNS, Dice, Stream, with_rolls
from transforms.movement.friends import friendly
from transforms.movement.muster import March, Outcome
from transforms.schema import empty

_PAIR = ["low", "high"]  # two hexes between which units cross
_FLOW = [*_PAIR, "upward", "realm_id"]


def march_together(
    march: March, units: pl.DataFrame, alliances: pl.DataFrame, dice: Dice
) -> Outcome:
    """Where each mover stops when all take their first step, then all their second, and so on.

    In a step, first: units that cross two hexes against a hostile one stop on the lower or the
    higher of them, as one roll for this pair and turn says (stream 7). Then all others enter their
    hex, and whoever took this step and has a hostile unit on its hex stops there. Who has no
    further step stands; it stops those who come later, and is not stopped by them. A part takes
    its first step after the one that led its parent to the place where they part.
    """
    hostile = ~friendly(alliances, "realm_id", "foe")
    place = march.movers["hex_id"].clone()
    exists = pl.repeat(True, len(place), dtype=pl.Boolean, eager=True)
    exists.scatter(march.births["ord"], False)
    walking = exists.clone()
    contact = pl.repeat(False, len(place), dtype=pl.Boolean, eager=True)
    stop = _first_legs(march)
    still, draws = [_standing(units, march)], [empty("draws")]
    for legs in _waypoints(march).partition_by("at", maintain_order=True):
        going = legs.filter(walking.gather(legs["ord"]))
        if going.is_empty():
            break
        going, rolls = _crossing(
            going.with_columns(origin=place.gather(going["ord"])), hostile, dice
        )
        going = going.with_columns(met=_met(going, pl.concat(still), hostile))
        entered = going.filter(pl.col("halt") == pl.col("hex_id"))
        born = march.births.join(
            entered, left_on=["parent", "after"], right_on=["ord", "leg"], how="semi"
        )
        resting = going.filter(pl.col("met") | pl.col("ends"))
        place.scatter(going["ord"], going["halt"])
        stop.scatter(entered["ord"], entered["leg"])
        contact.scatter(going["ord"], going["met"])
        walking.scatter(resting["ord"], False).scatter(born["ord"], True)
        exists.scatter(born["ord"], True)
        still += [
            resting.select("realm_id", hex_id="halt"),
            _idle(march, born["ord"]),
        ]
        draws.append(rolls)
    return Outcome(stop, contact, exists, pl.concat(draws).unique())


def _first_legs(march: March) -> pl.Series:
    """By ord: the leg that a mover has reached before its first step; only parts have one."""
    first = march.legs.filter(pl.col("step") == 0)
    nowhere = pl.repeat(None, march.movers.height, dtype=pl.UInt32, eager=True)
    return nowhere.scatter(first["ord"], first["leg"])


def _waypoints(march: March) -> pl.DataFrame:
    """leg, ord, realm_id, hex_id, the step of the turn `at`, and whether the path `ends` there."""
    waypoints = march.legs.lazy().filter(pl.col("step") > 0)
    at = pl.col("step")
    if march.parted:
        waypoints = waypoints.join(
            march.births.lazy().select("ord", "after_step"), on="ord", how="left"
        )
        at = at + pl.col("after_step").fill_null(0)
    legs = waypoints.select("leg", "ord", "realm_id", "hex_id", at=at).sort("at", "leg").collect()
    return legs.with_columns(ends=legs["leg"] == march.last.gather(legs["ord"]))


def _standing(units: pl.DataFrame, march: March) -> pl.DataFrame:
    """Realms and hexes of all who stand there from the start: no path, or a part without one."""
    waiting = (
        units.lazy()
        .filter(pl.col("troops") > 0, pl.col("hex_id").is_not_null())
        .join(march.movers.lazy(), on="unit_id", how="anti")
        .select("realm_id", "hex_id")
    )
    parts = march.movers.with_row_index("ord").filter(pl.col("row").is_null())
    at_the_start = parts.join(march.births, on="ord", how="anti")["ord"]
    return pl.concat([waiting.unique().collect(), _idle(march, at_the_start)])


def _idle(march: March, parts: pl.Series) -> pl.DataFrame:
    """Realms and hexes of those of the parts that stay where they left their parent."""
    there = march.movers.select("realm_id", "hex_id", "marches")[parts]
    return there.filter(~pl.col("marches")).drop_nulls("hex_id").drop("marches")


def _crossing(
    going: pl.DataFrame, hostile: pl.Expr, dice: Dice
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """`going` with the hex each comes to a `halt` on in this step, and the rolls of the crossings.

    That is its waypoint, for units that cross against a hostile one where the roll stops them.
    Whoever comes from a ship crosses nothing.
    """
    upward = pl.col("hex_id") > pl.col("origin")
    moving = (
        going.lazy()
        .filter(pl.col("origin") != pl.col("hex_id"))
        .with_columns(
            low=pl.min_horizontal("origin", "hex_id"),
            high=pl.max_horizontal("origin", "hex_id"),
            upward=upward,
        )
    )
    both_ways = moving.group_by(_PAIR).agg(pl.col("upward").n_unique())
    flows = (
        moving.join(both_ways.filter(pl.col("upward") == 2), on=_PAIR, how="semi")
        .select("ord", *_FLOW)
        .collect()
        .lazy()
    )
    against = flows.select(*_PAIR, ~pl.col("upward"), foe="realm_id").unique()
    opposed = (
        flows.select(_FLOW)
        .unique()
        .join(against, on=[*_PAIR, "upward"])
        .filter(hostile)
        .select(_FLOW)
        .unique()
    )
    pairs = with_rolls(
        opposed.select(_PAIR).unique(),
        Stream.CROSSING,
        entity=pl.col("low"),
        index=pl.col("high"),
        lo=0,
        hi=1,
        dice=dice,
    ).collect()
    stopped = flows.join(opposed, on=_FLOW, how="semi").join(pairs.lazy(), on=_PAIR)
    halts = stopped.select(
        "ord", halt=pl.when(pl.col("value") == 0).then("low").otherwise("high")
    ).collect()
    going = going.join(halts, on="ord", how="left", maintain_order="left").with_columns(
        pl.coalesce("halt", "hex_id").alias("halt")
    )
    return going, pairs.select(DRAW_COLUMNS)


def _met(going: pl.DataFrame, still: pl.DataFrame, hostile: pl.Expr) -> pl.Series:
    """Of each of those going: is a hostile unit on the hex where this step leads it?"""
    arriving = going.lazy().select("realm_id", hex_id="halt").unique()
    here = pl.concat([still.lazy().join(arriving, on="hex_id", how="semi"), arriving])
    realm = pl.col("realm_id")
    shared = here.group_by("hex_id").agg(one=realm.min(), another=realm.max())
    crowds = here.join(shared.filter(pl.col("one") != pl.col("another")), on="hex_id", how="semi")
    crowds = crowds.unique().collect().lazy()
    stopped = (
        crowds.join(crowds.rename({"realm_id": "foe"}), on="hex_id")
        .filter(hostile)
        .select("realm_id", halt="hex_id", met=True)
        .unique()
    )
    told = (
        going.lazy()
        .select("realm_id", "halt")
        .join(stopped, on=["realm_id", "halt"], how="left", maintain_order="left")
    )
    return told.collect()["met"].fill_null(False)
