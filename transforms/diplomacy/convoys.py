"""Convoy routes: the chains of fleets by which an army could go from coast to coast.

Only routes of which no smaller part is a route: no fleet of them can be left out. Every other
chain contains one of these, so they decide both what is possible and what still holds.
"""

import polars as pl

from transforms.diplomacy.board import Board

PASSAGE = ["phase_id", "origin", "goal"]


def routes(board: Board, fleets: pl.DataFrame, wanted: pl.DataFrame) -> pl.DataFrame:
    """route · phase_id · origin · goal · sea: one row per fleet of every route over the board.

    fleets: phase_id · sea, whoever they belong to; wanted: phase_id · origin · goal.
    """
    lanes = fleets.join(board.sea_lanes, on="sea").join(
        fleets.rename({"sea": "next"}), on=["phase_id", "next"]
    )
    around = lanes.group_by("phase_id", "sea").agg(near="next")
    shores = fleets.join(board.sea_shores, on="sea")
    first = wanted.join(
        shores, left_on=["phase_id", "origin"], right_on=["phase_id", "land"], how="inner"
    )
    beginnings = first.group_by(PASSAGE).agg(
        closed="sea"
    )  # two fleets off the origin: one too many
    growing = first.join(beginnings, on=PASSAGE).with_columns(seas=pl.concat_list("sea"))
    ends = shores.rename({"land": "goal"})
    done = []
    while growing.height:
        arrived = ["phase_id", "goal", "sea"]
        done.append(growing.join(ends, on=arrived, how="semi").select(*PASSAGE, "seas"))
        growing = (
            growing.join(ends, on=arrived, how="anti")
            .join(lanes, on=["phase_id", "sea"])
            .filter(~pl.col("closed").list.contains(pl.col("next")))
            .join(around, on=["phase_id", "sea"])
            .select(
                *PASSAGE,
                sea="next",
                seas=pl.concat_list("seas", "next"),
                closed=pl.concat_list("closed", "near"),  # a short cut would leave fleets out
            )
        )
    found = pl.concat(done) if done else first.select(*PASSAGE, seas=pl.concat_list("sea"))
    return found.with_row_index("route").explode("seas").rename({"seas": "sea"})
