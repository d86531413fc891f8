"""Writes results and events while they are fought: one row group a chunk, nothing kept."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from transforms import schema
from transforms.duel.run import Played

_ALL_DIFFERENT = ("fight_id", "seed", "seq", "roll", "state")


def write_played(chunks: Iterable[Played], folder: Path, *, events: bool) -> pl.DataFrame:
    """Stream chunks into `results.parquet` and, with `events`, `events.parquet` of `folder`.

    Returns the counts by outcome (outcome, n). The files appear under their names only when the
    last chunk is written; what a failed run leaves behind is called `.part`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = ["results", "events"] if events else ["results"]
    parts = {name: folder / f"{name}.parquet.part" for name in names}
    outcomes = schema.schema_of("duel.results")["outcome"]
    counts = pl.DataFrame(schema={"outcome": outcomes, "n": pl.UInt32})
    with ExitStack() as open_files:
        writers = {
            name: open_files.enter_context(_writer(part, name)) for name, part in parts.items()
        }
        for played in chunks:
            for name, writer in writers.items():
                frame: pl.DataFrame = getattr(played, name)
                writer.write_table(frame.to_arrow())
            counted = played.results.group_by("outcome").len(name="n")
            counts = pl.concat([counts, counted]).group_by("outcome").agg(pl.col("n").sum())
    for name, part in parts.items():
        part.replace(folder / f"{name}.parquet")
    return counts.sort("outcome")


def _writer(path: Path, name: str) -> pq.ParquetWriter:
    columns = schema.empty(f"duel.{name}").to_arrow().schema
    repeated = [column for column in columns.names if column not in _ALL_DIFFERENT]
    return pq.ParquetWriter(path, columns, compression="zstd", use_dictionary=repeated)
