"""Results of queries as a table for people, or as CSV, JSON or Parquet for programs."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import IO, get_args

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from flows.analyst import Format
from flows.analyst.statements import refusals
from flows.terminal import MAX_ROWS, print_table
from transforms.errors import InputError

_BATCH = 100_000  # rows in memory at a time, however large a result is
_WIDE = 10_000  # characters: no terminal, no line breaks
_OF_THE_GAME = {"game.toml", *("history", "work", "map", "orders", "rules", "revisions", "start")}


def checked_target(target: Path) -> Path:
    """`target` as an absolute path.

    Errors: a game keeps its own files there, something else than a file is there, no such folder.
    """
    target = target.resolve()
    for folder in target.parents:
        part = target.relative_to(folder).parts[0]
        if part in _OF_THE_GAME and (folder / "game.toml").is_file():
            raise InputError(f"{target}: {part} belongs to the game; choose another place")
    if target.exists() and not target.is_file():
        what = "a folder" if target.is_dir() else "no file"
        raise InputError(f"{target}: is {what}; a file name is needed")
    if not target.parent.is_dir():
        raise InputError(f"{target.parent}: there is no such folder")
    return target


@refusals()
def write_result(result: duckdb.DuckDBPyRelation, form: Format | None, target: Path | None) -> None:
    """Print a result, or write it to the file `target`, whose ending then tells the format.

    A table shows at most MAX_ROWS rows; the other formats are complete, streamed in batches.
    Errors: what DuckDB refuses while the rows are fetched, an unknown ending, Parquet without a
    file, a file of the game; a file that was there before is left as it was.
    """
    form = form or _by_ending(target)
    target = target and checked_target(target)
    if form == "table":
        _print(result, target)
        return
    if form == "parquet" and target is None:
        raise InputError("--format parquet needs a file: -o FILE.parquet")
    reader = result.to_arrow_reader(_BATCH)
    with _opened(target) as file:
        if form == "parquet":
            with pq.ParquetWriter(file, reader.schema, compression="zstd") as writer:
                for batch in _batches(reader):
                    writer.write_batch(batch)
        elif form == "csv":
            for part in _csv(reader):
                file.write(part.encode())
        else:
            for part in _json(reader):
                file.write(part.encode())


def _by_ending(target: Path | None) -> Format:
    if target is None:
        return "table"
    ending = target.suffix.removeprefix(".").lower()
    for form in get_args(Format):
        if ending == form:
            return form
    if ending == "txt":
        return "table"
    raise InputError(f"{target}: which format? Name it with --format: {'|'.join(get_args(Format))}")


def _print(result: duckdb.DuckDBPyRelation, target: Path | None) -> None:
    frame = _frame(result.limit(MAX_ROWS + 1).to_arrow_table())
    if target is None:
        print_table(frame, width=None if sys.stdout.isatty() else _WIDE)
    else:
        with target.open("w", encoding="utf-8") as file:
            print_table(frame, width=_WIDE, file=file)


def _batches(reader: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    """The batches; what DuckDB refuses in a later one reaches us as an OSError of Arrow."""
    try:
        yield from reader
    except OSError as error:
        raise InputError(str(error)) from error


def _frame(rows: pa.Table | pa.RecordBatch) -> pl.DataFrame:
    """The rows. Errors: a type that Polars does not know."""
    try:
        frame = pl.from_arrow(rows)
    except pl.exceptions.PolarsError as error:
        types = ", ".join(f"{field.name} {field.type}" for field in rows.schema)
        raise InputError(f"a column cannot be shown, cast it (x::varchar): {types}") from error
    assert isinstance(frame, pl.DataFrame)
    return frame


def _csv(reader: pa.RecordBatchReader) -> Iterator[str]:
    yield ",".join(_quoted(name) for name in reader.schema.names) + "\n"
    for batch in _batches(reader):
        frame = _frame(batch)
        nested = [c for c, t in frame.schema.items() if t.is_nested()]
        texts = [pl.Series(c, [_to_json(v) for v in frame[c].to_list()], pl.String) for c in nested]
        yield frame.with_columns(texts).write_csv(include_header=False)


def _json(reader: pa.RecordBatchReader) -> Iterator[str]:
    yield "["
    separator = "\n"
    for batch in _batches(reader):
        for row in batch.to_pylist():
            yield separator + _to_json(row)
            separator = ",\n"
    yield "\n]\n"


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    """A number or text for a value that JSON has no type for: sums are decimals in DuckDB."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return str(value)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if set(name) & set(',"\n\r') else name


@contextmanager
def _opened(target: Path | None) -> Iterator[IO[bytes]]:
    if target is None:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        new = target.with_name(target.name + ".new")
        try:
            with new.open("wb") as file:
                yield file
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
