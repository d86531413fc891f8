"""What happened in the turn, told to each realm: fact tables in, message rows out.

The losses of load write their own rows in losses.py; here are those of the execution: sections
A (moves, boarding, combat), F (status) and E (buildings). Source 1, 5.3, 5.4 and 9.
Groups of section A: 1 moves, 2 splits, 3 boarding, 4 withdrawal, 5 combat, 6 pursuit, 7 conquest.
"""

import polars as pl

from transforms.calendar import date_texts, in_training
from transforms.catalogue import OVERVIEW
from transforms.context import Turn
from transforms.deed_lines import deed_lines
from transforms.rules import Rules
from transforms.sentences import lines, names_of, numbered, place, place_in_run, sentence, type_text
from transforms.sightings import sighting_lines

_NUMBER = pl.col("number")


def write(
    *,
    units: pl.DataFrame,
    fallen: pl.DataFrame,
    realms: pl.DataFrame,
    buildings: pl.DataFrame,
    moves: pl.DataFrame,
    deeds: pl.DataFrame,
    boardings: pl.DataFrame,
    battle_units: pl.DataFrame,
    sight: pl.DataFrame,
    trainings: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Rows of `messages` for the execution, in the order of the report.

    `units` are the survivors, `fallen` those removed this turn; together every unit of the turn.
    """
    everyone = pl.concat([units, fallen]).lazy()
    who = everyone.select("unit_id", "realm_id", "number", "unit_type")
    return {
        "messages": numbered(
            *_movement(moves, who),
            *deed_lines(deeds, who, rules),
            *_boarding(boardings, who),
            *_combat(battle_units, who, rules),
            *_training(units, trainings, rules, turn),
            *_status(everyone, realms, rules),
            *_buildings(buildings, rules, turn),
            *sighting_lines(
                units=units, buildings=buildings, sight=sight, realms=realms, rules=rules
            ),
        )
    }


def _movement(moves: pl.DataFrame, who: pl.LazyFrame) -> list[pl.LazyFrame]:
    """Turn rules: a move, a landing or a stay; on contact a second line."""
    moved = moves.lazy().join(who, on="unit_id").with_columns(hex_id="to_hex")
    start, target = pl.col("from_hex"), pl.col("to_hex")
    cases = {
        "landed": start.is_null(),
        "stayed": start == target,
        "moved": start != target,
    }
    told = [
        lines(
            moved.filter(case),
            "A",
            kind,
            sentence(kind, number=_NUMBER, start=place(start), target=place(target)),
            group=1,
        )
        for kind, case in cases.items()
    ]
    contact = sentence("contact", number=_NUMBER, target=place(target))
    return [*told, lines(moved.filter("contact"), "A", "contact", contact, group=1, part=1)]


def _boarding(boardings: pl.DataFrame, who: pl.LazyFrame) -> list[pl.LazyFrame]:
    ships = who.select(ship_id="unit_id", ship="number")
    wishes = boardings.lazy().join(who, on="unit_id").join(ships, on="ship_id")
    return [
        lines(wishes.filter(case), "A", kind, _boarding_text(kind), group=3)
        for kind, case in {
            "boarded": pl.col("boarded"),
            "not_boarded": ~pl.col("boarded"),
        }.items()
    ]


def _boarding_text(kind: str) -> pl.Expr:
    return sentence(kind, number=_NUMBER, ship=pl.col("ship"), reason=pl.col("reason"))


def _combat(battle_units: pl.DataFrame, who: pl.LazyFrame, rules: Rules) -> list[pl.LazyFrame]:
    """Source 1, 6.6: one line per unit and battle that cost it troops."""
    lost = (
        battle_units.lazy()
        .filter((pl.col("losses") > 0) & ~pl.col("captured"))
        .join(who, on="unit_id")
        .sort("unit_id", "round", "hex_id")
        .with_columns(
            amount="losses",
            turn_to_tell=_NUMBER.cast(pl.Int64) * 65536 + place_in_run(pl.col("unit_id")),
        )
    )
    n = pl.col("losses")
    text = sentence("combat", n=n, type=type_text(n, rules))
    return [lines(lost, "A", "combat", text, order="turn_to_tell", group=5)]


def _training(
    units: pl.DataFrame, trainings: pl.DataFrame, rules: Rules, turn: Turn
) -> list[pl.LazyFrame]:
    """Who is still trained, and until when; who came from this turn's orders and is ready."""
    new = pl.col("unit_id").is_in(trainings["unit_id"].implode())
    busy = in_training(rules, turn)
    standing = units.lazy().filter(pl.col("hex_id").is_not_null()).with_columns(amount="troops")
    n = pl.col("troops")
    words = {
        "number": _NUMBER,
        "type": type_text(n, rules),
        "place": place(pl.col("hex_id")),
        "date": date_texts(pl.col("ready_on"), rules),
    }
    return [
        lines(standing.filter(case), "D", kind, sentence(kind, n=n, **words))
        for kind, case in {"in_training": busy, "trained": new & ~busy}.items()
    ]


def _status(everyone: pl.LazyFrame, realms: pl.DataFrame, rules: Rules) -> list[pl.LazyFrame]:
    """Source 1, 5.3: every unit is captive, dead or somewhere: exactly one line."""
    names = names_of(realms, OVERVIEW["nameless"])
    ships = everyone.select(carrier_id="unit_id", ship="number", ship_realm_id="realm_id")
    told = everyone.join(ships, on="carrier_id", how="left").with_columns(
        amount="troops",
        ally=pl.col("ship_realm_id").replace_strict(names, default="", return_dtype=pl.String),
    )
    captive, dead = pl.col("captor_id").is_not_null(), pl.col("troops") == 0
    aboard = pl.col("carrier_id").is_not_null()
    abroad = pl.col("ship_realm_id") != pl.col("realm_id")
    alive = ~captive & ~dead
    n = pl.col("troops")
    words = {
        "number": _NUMBER,
        "type": type_text(n, rules),
        "place": place(pl.col("hex_id")),
        "ship": pl.col("ship"),
        "ally": pl.col("ally"),
    }
    cases = {
        "captive": captive,
        "dead": dead & ~captive,
        "position": alive & ~aboard,
        "position_aboard": alive & aboard & ~abroad,
        "position_aboard_ally": alive & aboard & abroad,
    }
    return [
        lines(told.filter(case), "F", kind, sentence(kind, n=n, **words))
        for kind, case in cases.items()
    ]


def _buildings(buildings: pl.DataFrame, rules: Rules, turn: Turn) -> list[pl.LazyFrame]:
    """Source 1, 5.4: central buildings with a date; under way or done by the next month."""
    types = rules.building_types.lazy().select(
        building_type="code", type_name="name", central="central"
    )
    dated = (
        buildings.lazy()
        .filter(pl.col("completed_on").is_not_null())
        .join(types, on="building_type")
        .filter("central")
        .with_columns(building=pl.concat_str("type_name", "name", separator=" ", ignore_nulls=True))
    )
    under_way = turn.today + 1 <= pl.col("completed_on")
    words = {
        "building": pl.col("building"),
        "date": date_texts(pl.col("completed_on"), rules),
        "place": place(pl.col("hex_id")),
    }
    return [
        lines(dated.filter(case), "E", kind, sentence(kind, **words), order="building_id")
        for kind, case in {"building_new": under_way, "building_old": ~under_way}.items()
    ]
