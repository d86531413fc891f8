"""The dice pass the published known answers and depend on nothing but their key."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.dice import Stream, philox, turn_dice, unit_entity, with_rolls

SEED = bytes(range(32))
OPENSSL_DIGEST = "074fddf476207c90d5df8a5f73fddba93ad1bf36df4bea573bf53acc2aa18be3"
DICE = turn_dice(SEED, "beispiel", 7)

KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
]


@pytest.mark.parametrize(("counter", "key", "output"), KNOWN_ANSWERS)
def test_philox_known_answers(counter, key, output):
    columns = tuple(pl.lit(word, dtype=pl.UInt64) for word in counter)
    words = philox(pl.LazyFrame({"row": [1]}), columns, key).collect().row(0)[1:]
    assert " ".join(f"{word:08x}" for word in words) == output


def test_the_turn_digest_signs_game_and_turn():
    assert turn_dice(SEED, "beispiel", 7).message == "beispiel/7"
    assert turn_dice(SEED, "beispiel", 7, revision=2).message == "beispiel/7/r2"
    # HMAC-SHA256 computed with another tool: printf 'beispiel/7' | openssl dgst -sha256 -mac HMAC
    # -macopt hexkey:000102…1f
    assert DICE.digest.hex() == OPENSSL_DIGEST
    assert DICE.key == (
        int.from_bytes(DICE.digest[:4], "little"),
        int.from_bytes(DICE.digest[4:8], "little"),
    )


def rolls(frame: pl.DataFrame, lo: int = 1, hi: int = 100, dice=DICE) -> pl.DataFrame:
    rolled = with_rolls(
        frame.lazy(), Stream.STANDING, entity=unit_entity(), lo=lo, hi=hi, dice=dice
    )
    return rolled.sort("entity").collect()


def units(n: int) -> pl.DataFrame:
    return pl.DataFrame(
        {"realm_id": [i % 7 + 1 for i in range(n)], "number": list(range(1, n + 1))}
    )


def test_a_roll_is_keyed_by_unit_not_by_row():
    alone, shuffled = rolls(units(500)), rolls(units(500).sample(fraction=1, shuffle=True, seed=3))
    assert alone.equals(shuffled)
    fewer = rolls(units(100))
    assert alone.join(fewer, on="entity")["value"].to_list() == fewer["value"].to_list()


def test_another_turn_stream_or_seed_rolls_differently():
    here = rolls(units(200))["value"]
    assert not here.equals(rolls(units(200), dice=turn_dice(SEED, "beispiel", 8))["value"])
    assert not here.equals(rolls(units(200), dice=turn_dice(bytes(32), "beispiel", 7))["value"])


@given(lo=st.integers(-1000, 1000), span=st.integers(1, 2**31))
def test_a_roll_lies_in_its_range(lo, span):
    values = rolls(units(50), lo=lo, hi=lo + span - 1)["value"]
    assert values.min() >= lo
    assert values.max() <= lo + span - 1


def test_d10_is_fair():
    """60,000 rolls: every face within 5 standard errors (√(n·p·q) = 74) of 6,000."""
    faces = rolls(units(60_000), hi=10)["value"].value_counts()
    assert faces.height == 10
    assert (faces["count"].cast(pl.Int64) - 6_000).abs().max() < 5 * 74
