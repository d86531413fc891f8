"""The turn: load → execute → publish, a loop over STEPS between two renames.

Everything here also runs without Prefect; flows/prefect_turn.py puts a task around each step.
"""

from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import polars as pl

from flows import store
from flows.game import Game, read_game
from flows.intake import Intake, intake_digests, note_decisions, read_intake
from flows.manifest import Manifest, StoredTable, read_manifest
from flows.place import Attempt, once
from flows.progress import Progress
from flows.questions import Ask, answers, nobody
from flows.revisions import turn_to_come
from flows.runner import Runner, alone, newest
from flows.steps import STEPS, Part, Step
from flows.tables import Parts, Refs, Run, directly
from transforms import schema
from transforms.context import Turn
from transforms.errors import InputError
from transforms.state_checks import check_state

START = "00-start"  # checkpoints of a start position that had no manifest

Whole = Part | Literal["turn", "publish"]


def step_folder(step: Step) -> str:
    """`<nn>-<name>`, the name of a step's checkpoints below steps/."""
    return f"{STEPS.index(step) + 1:02d}-{step.name}"


class _AnswersNotedError(Exception):
    """Questions were answered just now; nothing of the turn is there yet."""


@dataclass
class TurnRunner(Runner):
    """The three parts of a turn; `ask` says whom to ask."""

    stored = (*schema.STATE, *schema.TURN)

    game: Game
    ask: Ask = nobody

    def run_part(self, part: Whole, number: int | None = None) -> int:
        """One part, or all that is left of turn `number` (default: the one that is due)."""
        if part == "turn":
            return self.turn(number)
        if number is None:
            last = store.last_turn(self.root)
            number = last if part == "publish" else last + 1
        {"load": self.load, "execute": self.execute, "publish": self.publish}[part](number)
        return number

    def turn(self, number: int | None = None) -> int:
        """Do what is left of turn `number` (default: the open one, else the next); its number."""
        number = self.open_turn() if number is None else number
        if number not in store.turns(self.root):
            if not self._is_loaded(number):
                self.load(number)
            self.execute(number)
        elif not store.unpublished_mark(self.root, number).exists():
            raise InputError(
                f"{self.root}: turn {number} is done; `zugwerk publish` writes its reports again"
            )
        self.publish(number)
        return number

    def load(self, number: int) -> None:
        """Turn N−1 and what was handed in → work/turn=N: state after the losses, order tables.

        May be repeated: it starts from N−1 each time. Errors: bad input, open questions, abort;
        then nothing has changed.
        """
        self._must_be_next(number)
        try:
            self._load(number)
        except _AnswersNotedError:  # the dice hang on them too, so all begins once more
            self._load(number)

    def _load(self, number: int) -> None:
        inputs = self.inputs(number)
        turn = turn_to_come(self.game, number, inputs)
        with store.staged(self.root, store.work_dir(self.root, number), replace=True) as stage:
            foreign = store.turn_manifest(self.root, number - 1) is None
            refs = self._state_before(number, stage) | self._map(number)
            realms = self.frames.read("realms", refs["realms"])
            intake = read_intake(self.root, number, realms)
            for name in ("order_texts", "gm_edits"):
                refs[name] = self.frames.write(name, getattr(intake, name), stage)
            refs["turn_info"] = self.frames.write("turn_info", turn_info(self.game, turn), stage)
            begun = {START: {n: refs[n][0].stored for n in schema.STATE}} if foreign else {}
            steps = begun | self._run_part("load", refs, stage, turn, intake)
            self.write_manifest(stage, number, refs, inputs, steps)

    def execute(self, number: int) -> None:
        """work/turn=N → history/turn=N by one rename; reads nothing else but the map.

        Errors: not loaded; something that the turn was loaded from is different now.
        """
        self._must_be_next(number)
        work = store.work_dir(self.root, number)
        if not work.is_dir():
            raise InputError(f"{self.root}: turn {number} is not loaded; run `zugwerk load` first")
        loaded = read_manifest(work)
        if changed := self._changed(loaded, number):
            raise InputError(
                f"{self.root}: {changed} since turn {number} was loaded; run `zugwerk load` again"
            )
        with store.staged(self.root, store.history_dir(self.root, number)) as stage:
            refs = store.map_refs(self.root, loaded.inputs)
            store.apply_checkpoint(refs, work, loaded.tables)
            for name, tables in loaded.steps.items():
                for ref in store.stored_refs(work / "steps" / name, tables).values():
                    store.checked_content(ref)
                    store.place(ref, stage / "steps" / name / ref.path.name)
            turn = turn_to_come(self.game, number, loaded.inputs)
            done = self._run_part("execute", refs, stage, turn)
            self.write_manifest(stage, number, refs, loaded.inputs, {**loaded.steps, **done})
            self.mark_unpublished(number)
        store.remove(self.root, work)

    def publish(self, number: int) -> list[Path]:
        """history/turn=N → reports/N; may be repeated."""
        from flows.publish import publish

        store.turn_manifest(self.root, number)  # it must be there
        store.remove(self.root, store.work_dir(self.root, number))
        return self.told(number, lambda: publish(self.root, number, self.frames))

    def inputs(self, number: int) -> dict[str, str]:
        """Name → digest of everything that turn `number` depends on, as it is now."""
        return {
            "game": self.game.identity_digest,
            "policy": sha256(repr(self.game.policy).encode()).hexdigest(),
            "rules": self.game.rules_digest,
            "parent": store.turn_digest(self.root, number - 1),
            **{
                f"map/{n}.parquet": store.file_digest(store.map_path(self.root, n))
                for n in store.MAP_TABLES
            },
            **intake_digests(self.root, number),
        }

    # ── inside ──────────────────────────────────────────────────────────────────────────────

    def _run_part(
        self,
        part: Part,
        refs: dict[str, Parts],
        stage: Path,
        turn: Turn,
        intake: Intake | None = None,
    ) -> dict[str, dict[str, StoredTable]]:
        """Run the steps of `part` on `refs`, which then points to the newest tables."""
        done: dict[str, dict[str, StoredTable]] = {}
        steps = [step for step in STEPS if step.part == part]
        for position, step in enumerate(steps, start=1):
            if "answers" in step.reads and intake is not None:
                answered = self._answers(refs, intake)
                refs["answers"] = self.frames.write("answers", answered, stage)
            name = step_folder(step)
            later = {table for after in steps[position:] for table in after.appends}
            written = self.run_step(step, stage / "steps" / name, refs, turn, turn.number, later)
            refs |= written
            done[name] = newest(written)
        return done

    def _answers(self, refs: Refs, intake: Intake) -> pl.DataFrame:
        def read(name: str) -> pl.DataFrame:
            return self.frames.read(name, refs.get(name, ()))

        def note(answered: pl.DataFrame) -> None:
            note_decisions(path, intake.decisions, answered)
            self.progress.note(f"The answers are in {path}; the turn is loaded with them")
            raise _AnswersNotedError

        path = intake.decisions_file
        return answers(read, intake.decisions, self.game.policy, self.ask, str(path), note)

    def _state_before(self, number: int, stage: Path) -> dict[str, Parts]:
        """References to the state of turn N−1; a foreign start is checked and copied first."""
        manifest = store.turn_manifest(self.root, number - 1)
        if manifest is None:
            state = self._foreign_start()
            folder = stage / "steps" / START
            return {name: self.frames.write(name, table, folder) for name, table in state.items()}
        if missing := sorted(set(schema.STATE) - set(manifest.tables)):
            raise InputError(f"{self.root}: turn {number - 1} has no table {missing[0]}")
        refs = store.stored_refs(store.history_dir(self.root, number - 1), manifest.tables)
        return {name: (refs[name],) for name in schema.STATE}

    def _foreign_start(self) -> dict[str, pl.DataFrame]:
        state = store.read_start(self.root)
        for warning in check_state({**state, **store.read_map(self.root)}, self.game.rules):
            self.progress.note(warning)
        self.progress.note(f"commitment of turn 1: {self.game.turn(1).dice.commitment}")
        return state

    def _map(self, number: int) -> dict[str, Parts]:
        """References to the map; it is checked in full when the last turn had another one."""
        manifest = store.turn_manifest(self.root, number - 1)
        refs: dict[str, Parts] = {}
        for name in store.MAP_TABLES:
            known = manifest.inputs if manifest else {}
            frame, digest = store.read_map_table(self.root, name, known)
            stored = StoredTable(frame.height, digest)
            refs[name] = (store.Ref(store.map_path(self.root, name), stored),)
            self.frames.keep(name, refs[name], frame)
        return refs

    def _is_loaded(self, number: int) -> bool:
        """Is the work folder there, and made from what is there now?"""
        work = store.work_dir(self.root, number)
        return work.is_dir() and not self._changed(read_manifest(work), number)

    def _changed(self, loaded: Manifest, number: int) -> str:
        """What is different from when the turn was loaded; empty if nothing is."""
        if loaded.version != version("zugwerk"):
            return "zugwerk changed its version"
        now, then = self.inputs(number), loaded.inputs
        names = [name for name in {**then, **now} if then.get(name) != now.get(name)]
        return f"{', '.join(names)} changed" if names else ""

    def _must_be_next(self, number: int) -> None:
        last = store.last_turn(self.root)
        if number != last + 1:
            raise InputError(f"{self.root}: the next turn is {last + 1}, not {number}")


def run_part(
    place: str,
    part: Whole,
    number: int | None,
    ask: Ask,
    progress: Progress,
    run: Run = directly,
    attempt: Attempt = once,
) -> tuple[Game, int]:
    """One part of a turn of the game at a place, which this process alone has meanwhile.

    Returns the game and the number of the turn. Errors: no game there; GameLockedError; those of
    the part.
    """
    earlier = part == "publish" and number is not None
    with alone(place, progress, next_turn=not earlier, attempt=attempt) as root:
        runner = TurnRunner(read_game(root), run, progress, ask=ask)
        return runner.game, attempt(lambda: runner.run_part(part, number))


def turn_info(game: Game, turn: Turn) -> pl.DataFrame:
    """The table `turn_info` of a turn: its date and its dice, and the promise for the next one."""
    row = {
        "turn": turn.number,
        "today": turn.today,
        "game_id": turn.game_id,
        "ruleset": game.rules.name,
        "dice_message": turn.dice.message,
        "dice_digest": turn.dice.digest.hex(),
        "next_commitment": game.turn(turn.number + 1).dice.commitment,
    }
    return schema.shaped("turn_info", pl.DataFrame([row]))
