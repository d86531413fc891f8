"""Boarding: after all movement, units ashore go aboard the ship they named (source 1, 2.1).

The source knows the order (`e<Nummer>`) but no rule for it; this one is ours, see docs/rules.md.
"""

import polars as pl

from transforms.catalogue import BOARDING
from transforms.context import Turn
from transforms.movement import friendly
from transforms.rules import Rules
from transforms.schema import shaped


def board(
    *,
    units: pl.DataFrame,
    movements: pl.DataFrame,
    moves: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Take units aboard: `units` with their new carrier and one row of `boardings` per attempt.

    Every living, non-captive unit whose movement line names a ship (`embark_on`) makes an
    attempt, in the order (realm_id, number). It fails for the first of these reasons that holds,
    the keys of `catalogue.BOARDING`:

    - `aboard`, `is_ship`, `contact`: the unit is aboard a ship (and was not told to land), is a
      ship itself, or met foreign troops on its way,
    - `foreign_ship`: the ship belongs neither to its own realm nor to a direct ally,
    - `elsewhere`: the ship is not on its hex after all movement, be it captive or no more,
    - `no_ship`, `dead_ship`: what it named is no ship, or a ship without troops,
    - `full`: the troop places of all aboard and its own exceed the ship's troops × capacity.

    So no reason tells of a ship what cannot be seen from the unit's own hex.
    """
    attempts = _attempts(units, movements, moves, alliances, rules)
    aboard = _fill(attempts.filter(pl.col("reason").is_null()))
    boarded = pl.col("unit_id").is_in(aboard.implode())
    attempts = attempts.with_columns(
        boarded=boarded,
        reason=pl.when(~boarded).then(pl.col("reason").fill_null(BOARDING["full"])),
    )
    embarked = attempts.filter("boarded")
    after = units.with_columns(
        units["hex_id"].clone().scatter(embarked["row"], None),
        units["carrier_id"].clone().scatter(embarked["row"], embarked["ship_id"]),
    )
    boardings = attempts.select("unit_id", "ship_id", "boarded", "reason")
    return {"units": shaped("units", after), "boardings": shaped("boardings", boardings)}


def _attempts(
    units: pl.DataFrame,
    movements: pl.DataFrame,
    moves: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
) -> pl.DataFrame:
    """One row per attempt: row in `units`, unit_id, ship_id, reason, `need` and `room` in places.

    `reason` is null when only the room decides. Sorted by (realm_id, number).
    """
    kinds = rules.unit_types.lazy().select("ship", "capacity", "troop_space", unit_type="name")
    everyone = (
        units.lazy()
        .with_row_index("row")
        .join(kinds, on="unit_type")
        .with_columns(need=pl.col("troops") * pl.col("troop_space"))
    )
    filled = everyone.group_by(ship_id="carrier_id").agg(filled=pl.col("need").sum())
    ships = everyone.join(filled, left_on="unit_id", right_on="ship_id", how="left").select(
        ship_id="unit_id",
        ship_realm="realm_id",
        ship_hex="hex_id",
        ship_troops="troops",
        carries="ship",
        room=pl.col("troops") * pl.col("capacity") - pl.col("filled").fill_null(0),
    )
    obstacles = {
        "aboard": pl.col("carrier_id").is_not_null(),
        "is_ship": pl.col("ship"),
        "contact": pl.col("contact"),
        "foreign_ship": ~friendly(alliances, "realm_id", "ship_realm"),
        "elsewhere": pl.col("ship_hex").ne_missing(pl.col("hex_id")),
        "no_ship": ~pl.col("carries"),
        "dead_ship": pl.col("ship_troops") == 0,
    }
    reasons = [pl.when(holds).then(pl.lit(BOARDING[why])) for why, holds in obstacles.items()]
    return (
        movements.lazy()
        .select("unit_id", ship_id="embark_on")
        .filter(pl.col("ship_id").is_not_null())
        .join(everyone, on="unit_id")
        .filter(pl.col("troops") > 0, pl.col("captor_id").is_null())
        .join(moves.lazy().select("unit_id", "contact"), on="unit_id", how="left")
        .join(ships, on="ship_id", how="left")
        .sort("realm_id", "number")
        .select("row", "unit_id", "ship_id", "need", "room", reason=pl.coalesce(reasons))
        .collect()
    )


def _fill(queue: pl.DataFrame) -> pl.Series:
    """The unit_ids of those that find room: ship_id, unit_id, need, room in boarding order.

    A unit that does not fit stays ashore, and a smaller one behind it may still go. So each round
    takes aboard the head of every queue, up to the first unit that does not fit; as room only
    shrinks, it never will, and the next round starts behind it.
    """
    aboard = [queue["unit_id"].clear()]
    while not queue.is_empty():
        queue = queue.filter(pl.col("need") <= pl.col("room")).with_columns(
            fits=pl.col("need").cum_sum().over("ship_id") <= pl.col("room")
        )
        aboard.append(queue.filter("fits")["unit_id"])
        taken = pl.col("need").filter("fits").sum().over("ship_id")
        queue = queue.with_columns(room=pl.col("room") - taken).filter(~pl.col("fits"))
    return pl.concat(aboard)
