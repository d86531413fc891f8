"""The tables of a turn in the making: references to files, and the frames that are still hot."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from flows import store
from flows.manifest import StoredTable
from flows.step import Step
from flows.store import Ref
from transforms import schema

Parts = tuple[Ref, ...]  # one file that replaced the table, then files that added rows to it
Refs = Mapping[str, Parts]

# how one step is run: its name, a function from references to references, the references
Run = Callable[[str, Callable[[Refs], dict[str, Parts]], Refs], dict[str, Parts]]


def directly(
    name: str, function: Callable[[Refs], dict[str, Parts]], refs: Refs
) -> dict[str, Parts]:
    """Run a step as the plain function it is."""
    return function(refs)


class Frames:
    """Reads references; the newest frame of each table stays in memory, known by its digests.

    `registry` goes before a table's name where its schema is looked up: `ghost.` for `ghost.units`.
    """

    def __init__(self, registry: str = "") -> None:
        self.registry = registry
        self._hot: dict[str, tuple[list[str], pl.DataFrame]] = {}

    def read(self, name: str, parts: Parts) -> pl.DataFrame:
        """The table behind references; without any, nobody has written it yet: it is empty."""
        digests, frame = self._hot.get(name, ([], None))
        if frame is None or digests != _digests(parts):
            key = self.registry + name
            frame = merged(key, [store.read_table(part, key) for part in parts])
            self.keep(name, parts, frame)
        return frame

    def write(self, name: str, frame: pl.DataFrame, folder: Path) -> Parts:
        """Store a whole table in `folder` and keep it hot. Errors: not the schema's columns."""
        if dict(frame.schema) != schema.schema_of(self.registry + name):
            raise TypeError(f"{name}: a step returned {frame.schema}")
        parts = (store.write_table(folder / f"{name}.parquet", frame),)
        self.keep(name, parts, frame)
        return parts

    def add(
        self, name: str, before: Parts, new: pl.DataFrame, folder: Path, *, whole: bool
    ) -> Parts:
        """Store the new rows of a table that grows, or with `whole` all it has by now."""
        frame = merged(self.registry + name, [self.read(name, before), new])
        if whole:
            return self.write(name, frame, folder)
        added = self.write(name, new, folder)[0]
        parts = (*before, store.Ref(added.path, replace(added.stored, added=bool(before))))
        self.keep(name, parts, frame)
        return parts

    def keep(self, name: str, parts: Parts, frame: pl.DataFrame) -> None:
        """Remember what lies behind references."""
        self._hot[name] = (_digests(parts), frame)


def _digests(parts: Parts) -> list[str]:
    return [part.stored.sha256 for part in parts]


def run_step(
    step: Step,
    refs: Refs,
    folder: Path,
    frames: Frames,
    rules: Any,
    turn: Any,
    later: Collection[str] = (),
) -> dict[str, Parts]:
    """Run one step and leave its checkpoint in `folder`: references in, references out.

    Of a table that this and a later step append to (one of `later`), the checkpoint has the new
    rows only; a table that comes back as it went in is not written a second time.
    """
    given = {name: frames.read(name, refs.get(name, ())) for name in step.reads}
    result = call(step, given, rules, turn)
    written: dict[str, Parts] = {}
    for name, frame in result.items():
        before = refs.get(name, ())
        if name in step.appends:
            new = continued(name, frames.read(name, before), frame)
            written[name] = frames.add(name, before, new, folder, whole=name not in later)
        elif len(before) == 1 and name in given and frame.equals(given[name]):
            written[name] = (store.place(before[0], folder / f"{name}.parquet"),)
        else:
            written[name] = frames.write(name, frame, folder)
    return written


def call(
    step: Step, given: Mapping[str, pl.DataFrame], rules: Any, turn: Any
) -> dict[str, pl.DataFrame]:
    """The step's pure function; `rules` and `turn` are its system's own. Errors: other tables."""
    result = step.function(**given, rules=rules, turn=turn)
    if set(result) != {*step.writes, *step.appends}:
        raise TypeError(f"step {step.name} returned {sorted(result)}")
    return result


def continued(name: str, before: pl.DataFrame, new: pl.DataFrame) -> pl.DataFrame:
    """New rows as they are added: messages go on counting in their section."""
    if name != "messages" or before.is_empty() or new.is_empty():
        return new
    section = ["realm_id", "section"]
    counted = before.group_by(section).agg(last=pl.col("seq").max())
    return (
        new.join(counted, on=section, how="left", maintain_order="left")
        .with_columns(pl.col("seq") + pl.col("last").fill_null(0))
        .drop("last")
    )


def merged(name: str, frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """One table from its parts, sorted by key."""
    filled = [frame for frame in frames if frame.height]
    if len(filled) < 2:
        return filled[0] if filled else schema.empty(name)
    return pl.concat(filled).sort(schema.key_of(name), maintain_order=True)


def finish(refs: Refs, stage: Path, frames: Frames, names: Iterable[str]) -> dict[str, StoredTable]:
    """Put the last version of each of the tables `names` into the folder of the turn itself."""
    finished: dict[str, StoredTable] = {}
    for name in names:
        parts = refs.get(name, ())
        if len(parts) == 1:
            ref = store.place(parts[0], stage / f"{name}.parquet")
        else:
            ref = frames.write(name, frames.read(name, parts), stage)[0]
        finished[name] = ref.stored
    return finished
