"""Sentences as column expressions."""

import polars as pl
import pytest

from transforms.report import two_decimals
from transforms.sentences import fill, place, place_in_run, sentence

TROOPS = ([0], [2, 1], [0], [1], [1, 0, 3])


def test_a_sentence_survives_any_chunking() -> None:
    """Frames come out of the engine in chunks, and a filter may empty one of them."""
    chunks = [pl.DataFrame({"n": troops, "hex_id": [20714] * len(troops)}) for troops in TROOPS]
    whole = pl.concat(chunks).rechunk()
    texts = {
        "sentence": sentence("combat", n=pl.col("n"), type=pl.lit("Reiter")),
        "place": place(pl.col("hex_id")),
        "decimals": two_decimals(pl.col("n") / 8),
    }
    for first in range(len(chunks)):
        turned = pl.concat(chunks[first:] + chunks[:first], rechunk=False)
        got = turned.lazy().filter(pl.col("n") > 0).select("n", **texts).collect()
        assert got.sort("n").equals(whole.filter(pl.col("n") > 0).select("n", **texts).sort("n"))


def test_a_number_beyond_64_bits_has_its_decimals_too() -> None:
    text = pl.select(two_decimals(pl.lit(2.0**100)))
    assert text.item() == "1267650600228229401496703205376,00"


def test_text_around_and_between_columns() -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", None]})
    got = frame.select(text=fill("<{a}{b}>", a=pl.col("a"), b=pl.col("b")), all=fill("none"))
    assert got["text"].to_list() == ["<1x>", None]
    assert got["all"].unique().to_list() == ["none"]


def test_singular_and_plural_differ_in_their_words_only() -> None:
    frame = pl.DataFrame({"n": [1, 2, None], "unit_type": ["Reiter"] * 3})
    got = frame.select(sentence("volcano", n=pl.col("n"), type=pl.col("unit_type")))
    assert got.to_series().to_list() == [
        "1 Reiter wird von Lava verschüttet.",
        "2 Reiter werden von Lava verschüttet.",
        None,
    ]


@pytest.mark.parametrize("height", [1, 7, 200_000])
def test_a_run_counts_from_zero_and_the_next_one_again(height: int) -> None:
    rows = pl.LazyFrame({"value": [1] * height + [2] * height + [1]})
    got = rows.with_columns(at=place_in_run(pl.col("value"))).collect()
    assert got["at"].to_list() == [*range(height), *range(height), 0]
