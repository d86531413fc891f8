"""The tables of a turn in the making: references to files, and the frames that are still hot."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import polars as pl

from flows import store
from flows.manifest import StoredTable
from flows.steps import Step
from flows.store import Ref
from transforms import schema
from transforms.context import Turn
from transforms.rules import Rules

Refs = Mapping[str, Ref]


class Frames:
    """Reads references; the newest frame of each table stays in memory, known by its digest."""

    def __init__(self) -> None:
        self._hot: dict[str, tuple[str, pl.DataFrame]] = {}

    def read(self, name: str, ref: Ref | None) -> pl.DataFrame:
        """The frame behind a reference; without one, nobody has written the table: it is empty."""
        if ref is None:
            return schema.empty(name)
        digest, frame = self._hot.get(name, ("", None))
        if frame is None or digest != ref.stored.sha256:
            frame = store.read_table(ref, name)
            self.keep(name, ref, frame)
        return frame

    def write(self, name: str, frame: pl.DataFrame, folder: Path) -> Ref:
        """Store a frame in `folder` and keep it hot. Errors: columns that are not the schema's."""
        if dict(frame.schema) != schema.schema_of(name):
            raise TypeError(f"{name}: a step returned {frame.schema}")
        ref = store.write_table(folder / f"{name}.parquet", frame)
        self.keep(name, ref, frame)
        return ref

    def keep(self, name: str, ref: Ref, frame: pl.DataFrame) -> None:
        """Remember what lies behind a reference."""
        self._hot[name] = (ref.stored.sha256, frame)


def run_step(
    step: Step, refs: Refs, folder: Path, frames: Frames, rules: Rules, turn: Turn
) -> dict[str, Ref]:
    """Run one step and leave its checkpoint in `folder`: references in, references out.

    A table that comes back as it went in is not written a second time.
    """
    given = {name: frames.read(name, refs.get(name)) for name in step.reads}
    result = call(step, given, rules, turn)
    written: dict[str, Ref] = {}
    for name, frame in result.items():
        if name in step.appends:
            frame = appended(name, frames.read(name, refs.get(name)), frame)
        if name in refs and frame is given.get(name):
            written[name] = store.place(refs[name], folder / f"{name}.parquet")
        else:
            written[name] = frames.write(name, frame, folder)
    return written


def call(
    step: Step, given: Mapping[str, pl.DataFrame], rules: Rules, turn: Turn
) -> dict[str, pl.DataFrame]:
    """The step's pure function. Errors: it returns other tables than it declares."""
    result = step.function(**given, rules=rules, turn=turn)
    if set(result) != {*step.writes, *step.appends}:
        raise TypeError(f"step {step.name} returned {sorted(result)}")
    return result


def appended(name: str, before: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """`before` and the new rows, sorted by key; messages go on counting in their section."""
    if before.is_empty():
        return new
    if name == "messages" and not new.is_empty():
        section = ["realm_id", "section"]
        counted = before.group_by(section).agg(last=pl.col("seq").max())
        new = (
            new.join(counted, on=section, how="left", maintain_order="left")
            .with_columns(pl.col("seq") + pl.col("last").fill_null(0))
            .drop("last")
        )
    return pl.concat([before, new]).sort(schema.key_of(name), maintain_order=True)


def finish(refs: Refs, stage: Path, frames: Frames, names: Iterable[str]) -> dict[str, StoredTable]:
    """Put the last version of each of the tables `names` into the folder of the turn itself."""
    finished: dict[str, StoredTable] = {}
    for name in names:
        path = stage / f"{name}.parquet"
        ref = (
            store.place(refs[name], path)
            if name in refs
            else frames.write(name, schema.empty(name), stage)
        )
        finished[name] = ref.stored
    return finished
