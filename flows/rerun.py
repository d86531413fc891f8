"""One step of an evaluated turn again, from its stored inputs, and what came out differently."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from flows import store
from flows.game import Game
from flows.manifest import Manifest
from flows.revisions import stored_turn
from flows.steps import STEPS, Step
from flows.tables import Frames, Parts, call, continued, merged
from flows.turn import step_folder
from transforms import schema
from transforms.errors import InputError, unknown


@dataclass(frozen=True)
class Rerun:
    """What a step returned now and what it left behind then, table by table."""

    step: Step
    now: Mapping[str, pl.DataFrame]
    then: Mapping[str, pl.DataFrame]

    def differences(self) -> dict[str, pl.DataFrame]:
        """Per table that differs its rows on one side only, `side` in front: `then` or `now`."""
        found = {name: difference(name, self.then[name], self.now[name]) for name in self.now}
        return {name: rows for name, rows in found.items() if rows.height}


Edit = Callable[[pl.DataFrame], pl.DataFrame]


def rerun(game: Game, number: int, name: str, edits: Mapping[str, Edit] | None = None) -> Rerun:
    """Run step `name` of turn `number` again; `edits` change input tables. Writes nothing.

    Errors: no such step or turn, a checkpoint or the turn before it is missing, an edit of a
    table that the step does not read.
    """
    by_name = {step.name: step for step in STEPS}
    if name not in by_name:
        raise unknown("rerun", "step", name, by_name)
    step = by_name[name]
    manifest = store.turn_manifest(game.root, number)
    if manifest is None:
        raise InputError(f"{game.root}: turn 0 is the start position, it has no steps")
    frames = Frames()
    refs = refs_before(game.root, manifest, step)
    wanted = {*step.reads, *step.appends}
    tables = {table: frames.read(table, refs.get(table, ())) for table in wanted}
    for table, edit in (edits or {}).items():
        if table not in step.reads:
            raise unknown(f"step {name}", "input table", table, step.reads)
        tables[table] = edit(tables[table])
    given = {table: tables[table] for table in step.reads}
    result = call(step, given, game.rules, stored_turn(game, number))
    now = {
        table: merged(table, [tables[table], continued(table, tables[table], frame)])
        if table in step.appends
        else frame
        for table, frame in result.items()
    }
    folder = store.history_dir(game.root, number) / "steps" / step_folder(step)
    store.apply_checkpoint(refs, folder, manifest.steps.get(step_folder(step), {}))
    then = {table: frames.read(table, refs.get(table, ())) for table in now}
    return Rerun(step, now, then)


def refs_before(root: Path, manifest: Manifest, step: Step) -> dict[str, Parts]:
    """References to all tables as they were when `step` began: each as it was written last.

    At the beginning of a turn these are the state of the turn before, the map and what was
    handed in.
    """
    history = store.history_dir(root, manifest.turn)
    refs = store.map_refs(root, manifest.inputs)
    handed_in = ("turn_info", "order_texts", "gm_edits", "answers")
    store.apply_checkpoint(refs, history, {name: manifest.tables[name] for name in handed_in})
    parent = store.turn_manifest(root, manifest.turn - 1)
    if parent is not None:
        if store.turn_digest(root, manifest.turn - 1) != manifest.inputs["parent"]:
            raise InputError(f"{root}: turn {manifest.turn} was made from another turn before it")
        before = store.history_dir(root, manifest.turn - 1)
        state = {name: parent.tables[name] for name in schema.STATE}
        store.apply_checkpoint(refs, before, state)
    for folder, tables in manifest.steps.items():
        if folder >= step_folder(step):
            break
        store.apply_checkpoint(refs, history / "steps" / folder, tables)
    return refs


def difference(name: str, then: pl.DataFrame, now: pl.DataFrame) -> pl.DataFrame:
    """Rows that only one of two versions of a table has, by key, `side` in front."""
    columns = then.columns
    gone = then.join(now, on=columns, how="anti", nulls_equal=True)
    come = now.join(then, on=columns, how="anti", nulls_equal=True)
    sides = [
        gone.select(pl.lit("then").alias("side"), *columns),
        come.select(pl.lit("now").alias("side"), *columns),
    ]
    key = schema.key_of(name)
    return pl.concat(sides).sort([*key, "side"], descending=[False] * len(key) + [True])
