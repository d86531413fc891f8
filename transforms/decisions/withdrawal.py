"""Withdrawal: r units leave the hexes on which a battle is due, before it begins."""

import polars as pl

from transforms.combat import coalitions
from transforms.context import Turn
from transforms.decisions.crowd import Crowd
from transforms.dice import DRAW_COLUMNS, Stream, unit_entity, with_rolls
from transforms.letters import ashore, attacked, lettered
from transforms.rules import Rules
from transforms.schema import empty, shaped

Tables = dict[str, pl.DataFrame]


def withdraw(
    *,
    units: pl.DataFrame,
    movements: pl.DataFrame,
    walks: pl.DataFrame,
    neighbours: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Let the r units of all hexes on which a battle is due withdraw, by (realm_id, number).

    A battle is due where two parties stand and a unit has a, n, p1 or p2. Each goes back to the
    last other hex of its walk; if there is none, or it is not free, up to six rolls name one of
    the neighbours each (stream 6), and the first free one takes it in. Free is a hex without a
    living hostile unit at that moment. Who finds none stays and fights; nobody fights because of
    a withdrawal.

    Out: `units` at their new hexes, new rows of `deeds` (withdrew, cornered) and of `draws`: only
    the rolls that were looked at.
    """
    if rules.switches.decisions == "ignore":
        return {"units": units, "deeds": empty("deeds"), "draws": empty("draws")}
    leaving = _leaving(units, movements, alliances)
    ways = _ways(leaving, walks, neighbours, rules, turn)
    hexes = pl.concat([leaving["hex_id"], ways["hex_id"].drop_nulls()])
    leaving = leaving.with_columns(_one_by_one(leaving, ways, Crowd(units, hexes, alliances)))
    went = leaving.drop_nulls("to_hex")
    stays = pl.col("to_hex").is_null()
    looked_at = ways.join(leaving, on="unit_id").filter(pl.col("way") <= pl.col("last_way"))
    return {
        "units": shaped(
            "units",
            units.with_columns(units["hex_id"].clone().scatter(went["row"], went["to_hex"])),
        ),
        "deeds": shaped(
            "deeds",
            leaving.select(
                "unit_id",
                "hex_id",
                "to_hex",
                deed=pl.when(stays).then(pl.lit("cornered")).otherwise(pl.lit("withdrew")),
            ),
        ),
        "draws": shaped("draws", looked_at.drop_nulls("stream").select(DRAW_COLUMNS)),
    }


def _leaving(units: pl.DataFrame, movements: pl.DataFrame, alliances: pl.DataFrame) -> pl.DataFrame:
    """The r units of the hexes on which a battle is due, in order; `row` is that in `units`."""
    there = ashore(attacked(units, movements)).select("hex_id", "realm_id").unique().collect()
    due = coalitions(there, alliances).lazy()
    return (
        lettered(units.with_row_index("row"), movements, "r")
        .join(due, on="hex_id", how="semi")
        .sort("realm_id", "number")
        .select("row", "unit_id", "realm_id", "number", "hex_id")
        .collect()
    )


def _ways(
    leaving: pl.DataFrame, walks: pl.DataFrame, neighbours: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """Where each may go, first choice first: unit_id, way, hex_id (null = no such hex), the draw.

    Way 0 is the way back; who has none begins with way 1. The others have a roll each.
    """
    who = leaving.lazy().select("unit_id", "realm_id", "number", here="hex_id")
    back = (
        walks.lazy()
        .join(who, on="unit_id")
        .filter(pl.col("hex_id") != pl.col("here"))
        .sort("unit_id", "step")
        .unique("unit_id", keep="last", maintain_order=True)
        .select("unit_id", "realm_id", "number", "hex_id", way=pl.lit(0, pl.Int64))
    )
    tries = pl.LazyFrame({"way": range(1, rules.constants.withdrawal_tries + 1)})
    rolled = with_rolls(
        who.join(tries, how="cross"),
        Stream.WITHDRAWAL,
        entity=unit_entity(),
        index=pl.col("way") - 1,
        lo=0,
        hi=5,
        dice=turn.dice,
    )
    around = neighbours.lazy().select(
        here="hex_id", value=pl.col("direction").cast(pl.Int64), hex_id="neighbour_id"
    )
    ways = pl.concat(
        [back, rolled.join(around, on=["here", "value"], how="left").drop("here")], how="diagonal"
    )
    return ways.sort("realm_id", "number", "way").drop("realm_id", "number").collect()


def _one_by_one(leaving: pl.DataFrame, ways: pl.DataFrame, crowd: Crowd) -> pl.DataFrame:
    """Beside each row of `leaving`: `to_hex` (null = nothing was free) and the `last_way` tried.

    A plain loop, since each sees where the earlier ones went and the ways of one cross those of
    all others. It looks at r units of due hexes only, some microseconds each.
    """
    choices = ways.group_by("unit_id", maintain_order=True).agg("way", "hex_id")
    taken: list[tuple[int | None, int]] = []
    for (start, realm), (_, numbers, hexes) in zip(
        leaving.select("hex_id", "realm_id").iter_rows(), choices.iter_rows(), strict=True
    ):
        for way, target in zip(numbers, hexes, strict=True):
            if target is not None and not crowd.hostile(target, realm):
                crowd.move(realm, start, target)
                taken.append((target, way))
                break
        else:
            taken.append((None, numbers[-1]))
    columns = {"to_hex": pl.UInt32, "last_way": pl.Int64}
    return pl.DataFrame(taken, schema=columns, orient="row")
