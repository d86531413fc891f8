"""The event log of a chunk: everything that happens, in the order in which it happens."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from transforms.duel.book import Book, Ints
from transforms.duel.model import KINDS, REASONS


class _Column(NamedTuple):
    """Type of a column of the log and the number that stands for null until the end."""

    type: type[np.generic]
    null: Any = 0


_COLUMNS: Mapping[str, _Column] = {
    "seq": _Column(np.uint32),
    "turn": _Column(np.uint32),
    "kind": _Column(np.uint8),
    "actor": _Column(np.uint8, 255),
    "target": _Column(np.uint8, 255),
    "ref": _Column(np.int32, -1),
    "amount": _Column(np.int64, -(2**63)),
    "crit": _Column(np.uint8, 255),
    "p": _Column(np.float64, np.nan),
    "roll": _Column(np.float64, np.nan),
    "health": _Column(np.int64, -1),
    "stamina": _Column(np.int64, -1),
    "reason": _Column(np.uint8, 255),
}
_NEVER_NULL = ("seq", "turn", "kind")


class Log:
    """Blocks of records, at most one per fight in each; `first_seq` numbers a fight's first."""

    def __init__(self, first_seq: Ints) -> None:
        self.count = 0
        self._first_seq = first_seq
        self._blocks: list[dict[str, Any]] = []

    def add(self, rows: Ints, **columns: Any) -> None:
        """Append a record for each fight in `rows`; a column that is None is null."""
        self.count += len(rows)
        self._blocks.append({"row": rows} | {k: v for k, v in columns.items() if v is not None})

    def frame(self, fight_ids: pl.Series, book: Book) -> pl.DataFrame:
        """Table duel.events, sorted by fight_id and seq when `fight_ids` ascend.

        A fight's records are numbered without gaps, so every record knows its place: no sort.
        """
        counts = np.zeros(len(fight_ids), dtype=np.intp)
        for block in self._blocks:
            counts[block["row"]] += 1
        start = np.cumsum(counts) - counts - self._first_seq
        places = [start[block["row"]] + block["seq"] for block in self._blocks]
        columns = {}
        for name, (dtype, null) in _COLUMNS.items():
            columns[name] = np.full(self.count, null, dtype)
            for block, place in zip(self._blocks, places, strict=True):
                if name in block:
                    columns[name][place] = block[name]
        fight_id = fight_ids.gather(np.repeat(np.arange(len(counts)), counts)).alias("fight_id")
        return pl.DataFrame([fight_id, *map(pl.Series, columns, columns.values())]).select(
            "fight_id", *(_finished(name, book) for name in _COLUMNS)
        )


def _finished(name: str, book: Book) -> pl.Expr:
    """The column with nulls and texts instead of numbers."""
    value, null = pl.col(name), _COLUMNS[name].null
    if name in ("p", "roll"):
        return value.fill_nan(None)
    if name not in _NEVER_NULL:
        value = pl.when(value != null).then(value)
    texts = {"kind": KINDS, "reason": REASONS, "ref": book.refs}.get(name)
    if texts is not None:
        dtype = pl.String() if name == "ref" else pl.Enum(texts)
        value = pl.lit(pl.Series(texts, dtype=dtype)).gather(value.cast(pl.UInt32))
    return (value.cast(pl.Boolean) if name == "crit" else value).alias(name)
