"""A draw replayed in SQL: Philox4x32-10 against known answers and against transforms/dice.py."""

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.dice import Dice, Stream, turn_dice, with_rolls

_ALL = 2**32 - 1


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ([0] * 4, [0] * 2, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        ([_ALL] * 4, [_ALL] * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            "d16cfe09 94fdcceb 5001e420 24126ea1",
        ),
    ],
)
def test_the_published_answers(
    analyst: duckdb.DuckDBPyConnection, counter: list[int], key: list[int], words: str
) -> None:
    query = "select philox($1, $2, $3, $4, $5, $6)"
    ((found,),) = analyst.execute(query, [*counter, *key]).fetchall()
    assert " ".join(f"{word:08x}" for word in found) == words


@given(
    seed=st.binary(min_size=32, max_size=32),
    stream=st.sampled_from(Stream),
    entity=st.integers(0, 2**64 - 1),
    index=st.integers(0, _ALL),
    lo=st.integers(-(2**31), 2**31),
    span=st.integers(1, 2**31),
)
def test_a_roll_is_that_of_the_game(
    analyst: duckdb.DuckDBPyConnection,
    seed: bytes, stream: Stream, entity: int, index: int, lo: int, span: int,
) -> None:  # fmt: skip
    dice = turn_dice(seed, "spiel", 7)
    query = "select roll($1, $2::ubigint, $3, $4::bigint, $5::bigint, $6)"
    values = [int(stream), entity, index, lo, lo + span - 1, dice.digest.hex()]
    assert analyst.execute(query, values).fetchall() == [(_rolled(dice, *values[:5]),)]


def _rolled(dice: Dice, stream: int, entity: int, index: int, lo: int, hi: int) -> int:
    frame = pl.LazyFrame({"entity_in": [entity]}, schema={"entity_in": pl.UInt64})
    entity_expr = pl.col("entity_in")
    rolled = with_rolls(
        frame, Stream(stream), entity=entity_expr, index=index, lo=lo, hi=hi, dice=dice
    )
    return int(rolled.collect()["value"][0])


def test_every_draw_of_the_demo_is_replayed(analyst: duckdb.DuckDBPyConnection) -> None:
    draws = analyst.sql("select value, replayed from draws").pl()
    assert draws.height > 30
    assert draws["value"].equals(draws["replayed"])
