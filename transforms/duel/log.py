"""The event log of a chunk: one record for everything that happens, in the order it happens."""

from typing import Any

import numpy as np
import polars as pl

from transforms.duel.book import Book
from transforms.duel.model import KINDS, REASONS

Record = np.ndarray[Any, np.dtype[np.void]]
_NULL = {
    "actor": 255,
    "target": 255,
    "ref": -1,
    "amount": np.iinfo(np.int64).min,
    "crit": 255,
    "p": np.nan,
    "roll": np.nan,
    "health": np.iinfo(np.int64).min,
    "stamina": np.iinfo(np.int64).min,
    "reason": 255,
}
"""What stands for null while a record is a record."""
_RECORD = np.dtype(
    [
        ("row", np.uint32),
        ("seq", np.uint32),
        ("turn", np.uint32),
        ("kind", np.uint8),
        ("actor", np.uint8),
        ("target", np.uint8),
        ("crit", np.uint8),
        ("reason", np.uint8),
        ("ref", np.int32),
        ("amount", np.int64),
        ("p", np.float64),
        ("roll", np.float64),
        ("health", np.int64),
        ("stamina", np.int64),
    ]
)
_ENUMS = {
    "kind": pl.Series(KINDS, dtype=pl.Enum(KINDS)),
    "reason": pl.Series(REASONS, dtype=pl.Enum(REASONS)),
}


class Log:
    """Records of a chunk, appended in blocks: at most one per fight in each block."""

    def __init__(self) -> None:
        self._records: Record = np.empty(2**14, _RECORD)
        self._count = 0

    def add(self, size: int, **columns: Any) -> None:
        """Append `size` records; a column that is None or not given is null."""
        first, self._count = self._count, self._count + size
        if self._count > len(self._records):
            grown = np.empty(2 * self._count, _RECORD)
            grown[:first] = self._records[:first]
            self._records = grown
        block = self._records[first : self._count]
        for name in ("row", "seq", "turn", "kind"):
            block[name] = columns[name]
        for name, null in _NULL.items():
            value = columns.get(name)
            block[name] = null if value is None else value

    def frame(self, fight_ids: pl.Series, book: Book) -> pl.DataFrame:
        """Table duel.events, sorted by fight_id and seq when `fight_ids` ascend.

        A fight's records are numbered without gaps, so every record knows its place: no sort.
        """
        records = self._records[: self._count]
        counts = np.bincount(records["row"], minlength=len(fight_ids))
        first_seq = np.full(len(fight_ids), np.iinfo(np.int64).max)
        np.minimum.at(first_seq, records["row"], records["seq"])
        start = np.cumsum(counts) - counts - first_seq
        ordered = np.empty_like(records)
        ordered[start[records["row"]] + records["seq"]] = records
        columns = [fight_ids.gather(ordered["row"]).alias("fight_id")]
        columns += [self._column(name, ordered, book) for name in _OUTPUT]
        return pl.DataFrame(columns)

    @staticmethod
    def _column(name: str, records: Record, book: Book) -> pl.Series:
        values = pl.Series(name, np.ascontiguousarray(records[name]))
        if name in _NULL:
            value, null = pl.col(name), _NULL[name]
            given = value.is_not_nan() if isinstance(null, float) else value != null
            values = values.to_frame().select(pl.when(given).then(value)).to_series()
        if name == "ref":
            return _texts(pl.Series(book.refs, dtype=pl.String), values)
        if name in _ENUMS:
            return _texts(_ENUMS[name], values)
        if name == "crit":
            return values.cast(pl.Boolean)
        return values


_OUTPUT = (
    "seq",
    "turn",
    "kind",
    "actor",
    "target",
    "ref",
    "amount",
    "crit",
    "p",
    "roll",
    "health",
    "stamina",
    "reason",
)


def _texts(texts: pl.Series, ordinals: pl.Series) -> pl.Series:
    return texts.gather(ordinals.cast(pl.UInt32)).alias(ordinals.name)
