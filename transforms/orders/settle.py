"""Which movement lines count: the units they name, their cross-checks, lines that replace others.

The tables movements, paths and splits come out here (source 1, 2.1 and 3).
"""

from dataclasses import dataclass

import polars as pl

from transforms.calendar import date_texts
from transforms.dice import unit_entity
from transforms.orders.moves import Moves
from transforms.orders.parts import settle_splits, told_parts
from transforms.orders.problems import problem
from transforms.orders.resolve import find_ships, nearest_numbers, unknown_places
from transforms.rules import Rules
from transforms.sentences import place

_UNIT = ["realm_id", "number"]


@dataclass(frozen=True)
class Settled:
    """The lines that can be carried out, one `row` each, and every problem found on the way.

    accepted: heads with unit_id (null = a part that splits off), embark_on and what the state says;
    counting: those of `accepted` that a later line does not replace;
    splits: those that they order, with the new_unit_id by which lines name the part for now.
    """

    accepted: pl.DataFrame
    counting: pl.DataFrame
    splits: pl.DataFrame
    problems: pl.DataFrame


def settle(
    moves: Moves,
    own: pl.DataFrame,
    known: pl.DataFrame,
    *,
    realms: pl.DataFrame,
    alliances: pl.DataFrame,
    sight: pl.DataFrame,
    rules: Rules,
) -> Settled:
    """Decide about every movement line whose grammar is right.

    A line for a number that a counting line splits off is accepted: it belongs to no unit yet, and
    with `decisions = evaluate` to the part.
    """
    wrong = moves.problems.select("row").unique()
    heads = (
        moves.heads.join(wrong, on="row", how="anti")
        .with_columns(entity=unit_entity())
        .join(own.with_columns(entity=unit_entity()).drop(_UNIT), on="entity", how="left")
        .sort("row")
    )
    waypoints = moves.waypoints.join(heads.select("row", "realm_id"), on="row")
    lost = unknown_places(waypoints, known)
    idle = pl.col("captor_id").is_not_null() | pl.col("in_training_until").is_not_null()
    able = heads.filter(~idle).join(lost, on="row", how="anti")

    units = able.drop_nulls("unit_id")
    counting = _last(units)
    parents = counting.select("row", "realm_id", "line", "unit_id", "ship")
    splits, split_problems = settle_splits(moves.splits.join(parents, on="row"), own, rules)
    parts = splits.select(*_UNIT, "new_unit_id", "ship").unique(_UNIT)
    orphans = heads.filter(pl.col("unit_id").is_null())
    strange = nearest_numbers(
        orphans.join(parts, on=_UNIT, how="anti"), own.filter(pl.col("captor_id").is_null())
    )
    split_off = able.filter(pl.col("unit_id").is_null()).join(parts, on=_UNIT, how="semi")
    embarks, ship_problems = find_ships(
        heads, own, parts, realms=realms, alliances=alliances, sight=sight
    )
    accepted = pl.concat([units, split_off]).join(embarks, on="row", how="left").sort("row")
    counting = accepted.join(pl.concat([counting, _last(split_off)]), on="row", how="semi")
    counting = counting.join(parts.drop("ship"), on=_UNIT, how="left").sort("row")
    return Settled(
        accepted=accepted,
        counting=counting.with_columns(unit_id=pl.coalesce("unit_id", "new_unit_id")),
        splits=splits,
        problems=pl.concat(
            [
                lost,
                ship_problems,
                *_cross_checks(heads),
                problem(_at(strange, 0), "unknown_unit", suggestion=pl.col("meant")),
                problem(_at(heads.drop_nulls("captor_id"), 0), "captive_unit"),
                problem(
                    _at(heads.drop_nulls("in_training_until"), 0),
                    "unit_in_training",
                    date=date_texts(pl.col("in_training_until"), rules),
                ),
                told_parts(_at(split_off, 0), moves.splits, rules),
                split_problems,
                _replaced(accepted, counting),
            ]
        ),
    )


def _last(lines: pl.DataFrame) -> pl.DataFrame:
    """The last line of each unit."""
    return lines.sort("row").filter(pl.col("entity").is_last_distinct())


def _at(frame: pl.DataFrame, pos: int) -> pl.DataFrame:
    return frame.with_columns(pos=pl.lit(pos))


def _replaced(accepted: pl.DataFrame, counting: pl.DataFrame) -> pl.DataFrame:
    by = counting.select(*_UNIT, by="line")
    earlier = accepted.join(counting, on="row", how="anti").join(by, on=_UNIT)
    return problem(earlier, "replaced", severity="warning", line=pl.col("by"))


def _cross_checks(heads: pl.DataFrame) -> list[pl.DataFrame]:
    """Warnings where troops, leaders or position differ from the state, which counts."""
    units = heads.filter(pl.col("unit_id").is_not_null(), pl.col("captor_id").is_null())
    written = pl.col("gf") * 100 + pl.col("kf")
    there = units.drop_nulls("place").filter(written != pl.col("place"))
    return [
        problem(
            _at(units.filter(pl.col(column) != pl.col(f"state_{column}")), pos),
            f"other_{column}",
            severity="warning",
        )
        for pos, column in ((1, "troops"), (2, "leaders"))
    ] + [
        problem(_at(there, 3), "other_place", severity="warning", place=place(pl.col("place"))),
    ]
