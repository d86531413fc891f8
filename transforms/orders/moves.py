"""Movement lines → heads, waypoints and splits: the grammar, without knowledge of the world."""

from dataclasses import dataclass

import polars as pl

from transforms.orders.fields import (
    KFS,
    MAX_GF,
    MAX_NUMBER,
    MAX_UNIT_NUMBER,
    check_number,
    check_place,
    field,
    hex_of,
    number,
    number_problems,
    with_suggestion,
)
from transforms.orders.problems import problem, quoted

DECISIONS = {
    "r": "Rückzug",
    "v": "Verteidigen",
    "a": "Angriff",
    "n": "Nachsetzen",
    "p1": "Plündern",
    "p2": "Plündern extrem",
}
MAX_WAYPOINTS = 200
HEAD = 5  # number, troops, leaders, gf, kf
_BOARD = r"^e([0-9]{1,18})(?:@(.+))?$"
_SPLIT = r"^s[0-9]"
_ROLE = pl.Enum(["split", "troops", "leaders", "word", "gf", "kf"])
_MEANT = {
    **{code: code for code in DECISIONS},
    "rueckzug": "r",
    "verteidigen": "v",
    "angriff": "a",
    "nachsetzen": "n",
    "pluendern": "p1",
}


@dataclass(frozen=True)
class Moves:
    """Movement lines taken apart; every frame has `row`, in which all are sorted.

    heads: realm_id, line, number, troops, leaders, gf, kf, decision, ship_number, ship_code,
    ship_pos. waypoints: pos, step, hex_id. splits: pos, after_step, number, troops, leaders.
    Lines with an error in `problems` may stand in them with nonsense or null.
    """

    heads: pl.DataFrame
    waypoints: pl.DataFrame
    splits: pl.DataFrame
    problems: pl.DataFrame


def read_moves(lines: pl.DataFrame) -> Moves:
    """The parts of the lines of kind `move` (source 1, 2.1; grammar: docs/orders.md)."""
    moves = _heads(lines)
    items = _items(moves)
    splits = items.filter(pl.col("role") == "split").with_columns(value=_split_number())
    return Moves(
        heads=moves.drop("fields", "items", "length"),
        waypoints=items.filter(pl.col("role") == "kf").select(
            "row", "pos", "step", hex_id=hex_of("gf", "value")
        ),
        splits=splits.select(
            "row",
            "pos",
            number="value",
            troops="second",
            leaders="third",
            after_step="step",
        ),
        problems=pl.concat([_head_problems(moves), _item_problems(items, splits)]),
    )


def _heads(lines: pl.DataFrame) -> pl.DataFrame:
    """One row a line: the five head fields, the tail (board, decision), the `items` between."""
    last = pl.when(pl.col("decision").is_null()).then(field(-1)).otherwise(field(-2))
    tail = pl.col("length") - 1 - pl.col("decision").is_not_null().cast(pl.Int64)
    has_ship = (tail >= HEAD) & pl.col("last").str.contains(_BOARD)
    ship = pl.when(pl.col("ship_pos").is_not_null()).then("last")
    items_end = pl.coalesce("ship_pos", tail + 1)
    return (
        lines.lazy()
        .select("row", "realm_id", "line", fields=pl.col("lower").str.split(","))
        .with_columns(
            length=pl.col("fields").list.len().cast(pl.Int64),
            number=number(field(0)),
            troops=number(field(1)),
            leaders=number(field(2)),
            gf=number(field(3)),
            kf=number(field(4)),
        )
        .with_columns(
            decision=pl.when(pl.col("length") > HEAD, field(-1).is_in(list(DECISIONS))).then(
                field(-1)
            )
        )
        .with_columns(last=last)
        .with_columns(ship_pos=pl.when(has_ship).then(tail))
        .with_columns(
            ship_number=ship.str.extract(_BOARD, 1).cast(pl.Int64),
            ship_code=ship.str.extract(_BOARD, 2),
            items=pl.col("fields").list.slice(HEAD, (items_end - HEAD).clip(0)),
        )
        .drop("last")
        .collect()
        .sort("row")
    )


def _items(moves: pl.DataFrame) -> pl.DataFrame:
    """One row a field between head and tail: row, pos, field, value, role, and what it stands in.

    A role follows from the field and the two before it: a split takes two more fields; a number
    is a Großfeld when it is above 48 or has three digits. `gf` is the Großfeld that counts here,
    `step` the number of waypoints so far, `kf_follows` and `complete` say whether what a Großfeld
    and a split need stands behind them, `second` and `third` are the values of the next fields.
    """
    items = (
        moves.select("row", "items", head_gf=pl.col("gf").fill_null(0))
        .with_columns(pos=pl.int_ranges(HEAD, HEAD + pl.col("items").list.len()))
        .explode("items", "pos")
        .select("row", "pos", "head_gf", field=pl.col("items").str.strip_chars())
        .with_columns(value=number(pl.col("field")), split=pl.col("field").str.contains(_SPLIT))
    )
    first = pl.col("pos") == HEAD
    after_split = [pl.col("split").shift(n) & (pl.col("pos") >= HEAD + n) for n in (1, 2)]
    large = (pl.col("value") > KFS) | (pl.col("field").str.len_bytes() >= 3)
    items = items.with_columns(
        role=pl.when("split").then(pl.lit("split", _ROLE))
        .when(after_split[0]).then(pl.lit("troops", _ROLE))
        .when(after_split[1]).then(pl.lit("leaders", _ROLE))
        .when(pl.col("value").is_null()).then(pl.lit("word", _ROLE))
        .when(large).then(pl.lit("gf", _ROLE))
        .otherwise(pl.lit("kf", _ROLE))
    ).with_columns(walked=(pl.col("role") == "kf").cast(pl.Int64).cum_sum())  # fmt: skip
    here = pl.when(pl.col("role") == "gf").then("value").when(first).then("head_gf")
    walked_before = pl.when(first).then(pl.col("walked") - (pl.col("role") == "kf")).forward_fill()
    role, value = pl.col("role"), pl.col("value")
    return items.select(
        "row",
        "pos",
        "field",
        "value",
        "role",
        gf=here.forward_fill(),
        step=pl.col("walked") - walked_before,
        kf_follows=(role.shift(-1) == "kf") & (pl.col("row").shift(-1) == pl.col("row")),
        complete=(role.shift(-1) == "troops") & (role.shift(-2) == "leaders"),
        second=value.shift(-1),
        third=value.shift(-2),
    )


def _split_number() -> pl.Expr:
    return number(pl.col("field").str.slice(1))


def _head_problems(moves: pl.DataFrame) -> pl.DataFrame:
    short = pl.col("length") < HEAD
    whole = moves.filter(~short)
    return pl.concat(
        [
            problem(moves.filter(short), "move_too_short"),
            check_number(whole, "number", 0, "number", 1, MAX_UNIT_NUMBER),
            check_number(whole, "troops", 1, "troops", 0, MAX_NUMBER),
            check_number(whole, "leaders", 2, "leaders", 0, MAX_NUMBER),
            check_place(whole, 3),
        ]
    )


def _item_problems(items: pl.DataFrame, splits: pl.DataFrame) -> pl.DataFrame:
    by_role = {
        role: items.filter(pl.col("role") == role)
        for role in ("word", "gf", "kf", "troops", "leaders")
    }
    alone = by_role["gf"].filter(~pl.col("kf_follows").fill_null(False))
    incomplete = splits.filter(~pl.col("complete").fill_null(False))
    return pl.concat(
        [
            _word_problems(by_role["word"]),
            number_problems(by_role["gf"], "gf", 1, MAX_GF),
            number_problems(by_role["kf"], "kf", 1, KFS),
            number_problems(by_role["troops"], "troops", 0, MAX_NUMBER),
            number_problems(by_role["leaders"], "leaders", 0, MAX_NUMBER),
            number_problems(
                splits.with_columns(pl.col("field").str.slice(1)), "number", 1, MAX_UNIT_NUMBER
            ),
            problem(alone, "gf_without_kf", field=quoted()),
            problem(incomplete, "split_incomplete", field=quoted()),
            problem(
                splits.drop_nulls("value").filter(pl.struct("row", "value").is_duplicated()),
                "split_twice",
                number=pl.col("value"),
            ),
            problem(
                by_role["kf"].filter(pl.col("step") == MAX_WAYPOINTS + 1),
                "too_many_waypoints",
                max=pl.lit(MAX_WAYPOINTS),
            ),
        ]
    )


def _word_problems(words: pl.DataFrame) -> pl.DataFrame:
    """Fields that are neither number nor split: a tail in the wrong place or nothing known."""
    ship = pl.col("field").str.contains(_BOARD)
    code = pl.col("field").is_in(list(DECISIONS))
    empty = pl.col("field") == ""
    strange = with_suggestion(words.filter(~ship & ~code & ~empty), pl.col("field"), _MEANT)
    return pl.concat(
        [
            problem(words.filter(empty), "field_empty"),
            problem(words.filter(ship), "ship_not_last", field=quoted()),
            problem(words.filter(code), "decision_not_last", field=quoted()),
            problem(strange, "no_item", field=quoted(), suggestion=pl.col("suggestion")),
        ]
    )
