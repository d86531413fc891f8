"""Every random draw: Philox4x32-10 at a counter, reproducible and auditable.

A draw depends on the secret seed of the game, the turn, what is rolled for, and nothing else;
so it is the same for any row order, thread count or library version, and a player can check it
with the digest that is published after the turn. Keys, streams and known answers: docs/dice.md.
"""

import hmac
from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

import polars as pl

from transforms.schema import schema_of


class Stream(IntEnum):
    """What is rolled for. A new kind gets a new number; a number is never used again."""

    STANDING = 1
    VOLCANO = 2
    STEPPE = 3
    LANDING = 4
    RIVER = 5
    WITHDRAWAL = 6
    CROSSING = 7
    HITS_STRIKE = 10
    HITS_TARGET = 11
    HITS_SELECTION = 12
    HITS_RESELECTION = 13
    HITS_PARRY = 14


DRAW_COLUMNS = tuple(schema_of("draws"))
_WORD = 2**32
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
_C = ("__c0", "__c1", "__c2", "__c3")


@dataclass(frozen=True)
class Dice:
    """The dice of one turn: the message that was signed and its digest (32 bytes)."""

    message: str
    digest: bytes

    @property
    def key(self) -> tuple[int, int]:
        """The Philox key: bytes 0..3 and 4..7 of the digest, little-endian."""
        return int.from_bytes(self.digest[:4], "little"), int.from_bytes(self.digest[4:8], "little")

    @property
    def commitment(self) -> str:
        """What is published one turn ahead, so that nobody can choose the dice afterwards."""
        return sha256(self.digest).hexdigest()


def turn_dice(seed: bytes, game_id: str, turn: int, revision: int = 1) -> Dice:
    """The dice of a turn; a replay with other orders after publication has revision 2, 3, …"""
    message = f"{game_id}/{turn}" + (f"/r{revision}" if revision > 1 else "")
    return Dice(message, hmac.digest(seed, message.encode(), "sha256"))


def unit_entity(realm_id: str = "realm_id", number: str = "number") -> pl.Expr:
    """The entity of a unit, `realm_id · 65536 + number` (u64): its owner knows it."""
    return pl.col(realm_id).cast(pl.UInt64) * 65536 + pl.col(number).cast(pl.UInt64)


def philox(frame: pl.LazyFrame, counter: tuple[pl.Expr, ...], key: tuple[int, int]) -> pl.LazyFrame:
    """Append the four output words of Philox4x32-10 as columns `__c0`..`__c3` (u64 below 2^32).

    `counter` are four u64 expressions below 2^32. One lazy stage a round: the engine streams it
    in cache-sized pieces, where one eager expression would build every intermediate column.
    """
    frame = frame.with_columns(c.alias(n) for c, n in zip(counter, _C, strict=True))
    c0, c1, c2, c3 = (pl.col(n) for n in _C)
    k0, k1 = key
    for _ in range(ROUNDS):
        p0, p1 = c0 * _lit(MULTIPLIERS[0]), c2 * _lit(MULTIPLIERS[1])
        frame = frame.with_columns(
            (p1 // _WORD).xor(c1).xor(_lit(k0)).alias(_C[0]),
            (p1 % _WORD).alias(_C[1]),
            (p0 // _WORD).xor(c3).xor(_lit(k1)).alias(_C[2]),
            (p0 % _WORD).alias(_C[3]),
        )
        k0, k1 = (k0 + WEYL[0]) % _WORD, (k1 + WEYL[1]) % _WORD
    return frame


def with_words(
    frame: pl.LazyFrame, stream: Stream, entity: pl.Expr, index: pl.Expr | int, key: tuple[int, int]
) -> pl.LazyFrame:
    """Append `stream` (u8), `entity` (u64), `index` (u32) and the raw `word` (u64 below 2^32)."""
    frame = frame.with_columns(
        stream=pl.lit(int(stream), dtype=pl.UInt8),
        entity=entity.cast(pl.UInt64),
        index=_expr(index).cast(pl.UInt32),
    )
    counter = (
        pl.col("entity") % _WORD,
        pl.col("entity") // _WORD,
        pl.col("index").cast(pl.UInt64),
        pl.lit(int(stream), dtype=pl.UInt64),
    )
    return philox(frame, counter, key).rename({_C[0]: "word"}).drop(_C[1:])


def with_rolls(
    frame: pl.LazyFrame,
    stream: Stream,
    *,
    entity: pl.Expr,
    index: pl.Expr | int = 0,
    lo: pl.Expr | int,
    hi: pl.Expr | int,
    dice: Dice,
) -> pl.LazyFrame:
    """Append one roll a row: the columns of the table `draws`, `value` an integer in lo..hi (i64).

    `hi - lo + 1` must lie in 1..2^31; the bias of the multiply-shift is below 2^-32.
    """
    rolled = with_words(frame, stream, entity, index, dice.key).with_columns(
        lo=_expr(lo).cast(pl.Int64), hi=_expr(hi).cast(pl.Int64)
    )
    span = (pl.col("hi") - pl.col("lo") + 1).cast(pl.UInt64)
    offset = (pl.col("word") * span // _WORD).cast(pl.Int64)
    return rolled.with_columns(value=pl.col("lo") + offset).drop("word")


def _lit(value: int) -> pl.Expr:
    return pl.lit(value, dtype=pl.UInt64)


def _expr(value: pl.Expr | int) -> pl.Expr:
    return value if isinstance(value, pl.Expr) else pl.lit(value)
