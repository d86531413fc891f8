"""Writes results and events while they are fought: one row group a chunk, nothing kept."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from transforms import schema
from transforms.duel.run import Played

_ALL_DIFFERENT = ("fight_id", "seed", "seq", "roll", "state")


def write_played(chunks: Iterable[Played], folder: Path, *, events: bool) -> pl.DataFrame:
    """Stream chunks into `results.parquet` and, with `events`, `events.parquet` of `folder`.

    Returns the counts by outcome (outcome, n). The files appear when the last chunk is written;
    a run that fails leaves nothing. One chunk is written while the next one is fought.
    """
    names = ["results", "events"] if events else ["results"]
    counts = schema.empty("duel.results").group_by("outcome").len(name="n")
    with _writers(folder, names) as writers, ThreadPoolExecutor(1) as pen:
        written: Future[None] | None = None
        for played in chunks:
            if written is not None:
                written.result()
            written = pen.submit(_write, writers, played)
            counted = played.results.group_by("outcome").len(name="n")
            counts = pl.concat([counts, counted]).group_by("outcome").agg(pl.col("n").sum())
        if written is not None:
            written.result()
    return counts.sort("outcome")


@contextmanager
def _writers(folder: Path, names: Iterable[str]) -> Iterator[Mapping[str, pq.ParquetWriter]]:
    """A writer for each table; the files get their names only if nothing goes wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = {name: folder / f"{name}.parquet.part" for name in names}
    try:
        with ExitStack() as opened:
            yield {name: opened.enter_context(_writer(parts[name], name)) for name in parts}
        for name, part in parts.items():
            part.replace(folder / f"{name}.parquet")
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _writer(path: Path, name: str) -> pq.ParquetWriter:
    columns = schema.empty(f"duel.{name}").to_arrow().schema
    repeated = [column for column in columns.names if column not in _ALL_DIFFERENT]
    return pq.ParquetWriter(path, columns, compression="zstd", use_dictionary=repeated)


def _write(writers: Mapping[str, pq.ParquetWriter], played: Played) -> None:
    for name, writer in writers.items():
        frame: pl.DataFrame = getattr(played, name)
        writer.write_table(frame.to_arrow())
