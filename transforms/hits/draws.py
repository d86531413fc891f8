"""The table `draws` of a set of battles: every word that was looked at, and for what."""

import polars as pl

from transforms.dice import Stream
from transforms.dice_arrays import words
from transforms.hits.battle import Fought
from transforms.schema import empty, shaped

_ANY_WORD = 2**32 - 1


def draws_of(fought: Fought, key: tuple[int, int]) -> pl.DataFrame:
    """Rows of `draws` for battles whose logs were kept (docs/dice.md, streams 10 to 14).

    The raw word is the value; a selection has the rank among the living, from 0.
    """
    parts = [empty("draws")]
    if (strikes := fought.strike_log) is not None:
        strikes = strikes.rename({"strike": "index"})
        aimed = strikes.filter(pl.col("target_word").is_not_null())
        parts += [
            _rows(Stream.HITS_STRIKE, strikes, pl.col("word")),
            _rows(Stream.HITS_TARGET, aimed, pl.col("target_word")),
        ]
    if (selections := fought.selection_log) is not None:
        selections = selections.rename({"selection": "index"})
        covered = selections.filter(pl.col("cover_ppm") > 0)
        staying = selections.filter(pl.col("outcome") != "reselected")
        rank = pl.col("word") * pl.col("living") // 2**32
        picks = with_word(Stream.HITS_SELECTION, selections, key)
        parts += [
            _rows(Stream.HITS_SELECTION, picks, rank, pl.col("living") - 1),
            *(
                _rows(stream, with_word(stream, log, key), pl.col("word"))
                for stream, log in (
                    (Stream.HITS_RESELECTION, covered),
                    (Stream.HITS_PARRY, staying),
                )
            ),
        ]
    return shaped("draws", pl.concat(parts))


def with_word(stream: Stream, log: pl.DataFrame, key: tuple[int, int]) -> pl.DataFrame:
    """`log` with the `word` that its `entity` drew for its `index`."""
    entity, index = log["entity"].to_numpy().view("int64"), log["index"].to_numpy()
    return log.with_columns(word=words(stream, entity, index, key))


def _rows(
    stream: Stream, log: pl.DataFrame, value: pl.Expr, hi: pl.Expr | None = None
) -> pl.DataFrame:
    highest = pl.lit(_ANY_WORD) if hi is None else hi
    return log.select(
        stream=pl.lit(int(stream), pl.UInt8),
        entity="entity",
        index=pl.col("index").cast(pl.UInt32),
        lo=pl.lit(0, pl.Int64),
        hi=highest.cast(pl.Int64),
        value=value.cast(pl.Int64),
    )
