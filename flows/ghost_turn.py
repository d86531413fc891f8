"""The turn of Ghost-Diplomacy: a plain list of steps between two renames, like the hex game's.

Everything here also runs without Prefect; flows/ghost_prefect.py puts a task around each step.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from flows import store
from flows.ghost_game import GhostGame, read_ghost_game
from flows.ghost_intake import GhostIntake, read_ghost_intake
from flows.place import Attempt, once
from flows.progress import Progress
from flows.runner import Runner, alone, newest
from flows.step import Step
from flows.tables import Frames, Parts, Run, call, directly
from transforms import schema
from transforms.diplomacy import corrections, steps
from transforms.diplomacy.phases import Phase, next_phase
from transforms.diplomacy.position import completed, start_position
from transforms.errors import InputError
from transforms.schema import ghost_game_tables, ghost_tables

REGISTRY = "ghost."
ENDED = "ende.txt"  # in the game folder: the game is over
STATE = ("units", "centres", "dislodged", "contested", "waiting", "knowledge")
TABLES = tuple(
    name.removeprefix(REGISTRY) for name in (*ghost_tables.TURN, *ghost_game_tables.TURN)
)

STEPS: tuple[Step, ...] = (
    Step(
        "corrections",
        "load",
        corrections.apply,
        reads=("edits", "units", "centres"),
        writes=("units", "centres", "corrections"),
    ),
    Step(
        "orders",
        "load",
        steps.orders,
        reads=("order_files", "units", "centres", "dislodged", "knowledge"),
        writes=("orders", "missing"),
    ),
    Step(
        "adjudication",
        "execute",
        steps.adjudication,
        reads=("orders", "units", "centres", "dislodged", "contested", "waiting"),
        writes=(
            "units",
            "centres",
            "orders",
            "results",
            "dislodged",
            "contested",
            "waiting",
            "battles",
            "battle_nations",
            "adjustments",
        ),
    ),
    Step(
        "knowledge",
        "execute",
        steps.knowledge,
        reads=("units", "centres", "dislodged"),
        writes=("knowledge",),
    ),
)


# ── positions ───────────────────────────────────────────────────────────────────────────────


def read_tables(
    game: GhostGame, turn: int, names: Iterable[str] = TABLES
) -> dict[str, pl.DataFrame]:
    """Tables of an evaluated turn; what a foreign start position lacks is filled in."""
    manifest = store.turn_manifest(game.root, turn)
    if manifest is None:
        return _foreign_start(game)
    refs = store.stored_refs(store.history_dir(game.root, turn), manifest.tables)
    return {
        name: store.read_table(refs[name], REGISTRY + name)
        if name in refs
        else schema.empty(REGISTRY + name)
        for name in names
    }


def phase_of(tables: Mapping[str, pl.DataFrame]) -> Phase:
    """The phase of a turn's tables."""
    row = tables["phase"].row(0, named=True)
    return Phase(row["turn"], row["year"], row["season"], row["step"])


def upcoming(game: GhostGame, tables: Mapping[str, pl.DataFrame]) -> Phase:
    """The phase that comes after a turn's tables."""
    return next_phase(phase_of(tables), game.rules.rulings.retreats)


def start_tables(
    game: GhostGame, given: Mapping[str, pl.DataFrame] | None = None
) -> dict[str, pl.DataFrame]:
    """All tables of turn 0, from the map's start position or from `given` units and centres."""
    position = given or start_position(game.rules.board)
    tables = {name: schema.empty(REGISTRY + name) for name in TABLES} | dict(position)
    if tables["phase"].is_empty():
        tables["phase"] = _phase_table(game.first_phase)
    phase = phase_of(tables)
    known = steps.knowledge(
        **{name: tables[name] for name in ("units", "centres", "dislodged")},
        rules=game.rules,
        turn=phase,
    )
    return tables | known


def _foreign_start(game: GhostGame) -> dict[str, pl.DataFrame]:
    folder = store.history_dir(game.root, 0)
    files = {path.stem: store.read_parquet(path) for path in sorted(folder.glob("*.parquet"))}
    for name in ("units", "centres"):
        if name not in files:
            raise InputError(f"{folder / name}.parquet: the table is missing")
    given = completed(files["units"], files["centres"], game.rules.board, str(folder))
    if "phase" in files:
        given["phase"] = schema.conform("ghost.phase", files["phase"], f"{folder}/phase.parquet")
    return start_tables(game, given)


def _phase_table(phase: Phase) -> pl.DataFrame:
    row = {"turn": phase.turn, "year": phase.year, "season": phase.season, "step": phase.step}
    return schema.shaped("ghost.phase", pl.DataFrame([row]))


# ── a turn ──────────────────────────────────────────────────────────────────────────────────


def play(
    game: GhostGame, before: Mapping[str, pl.DataFrame], intake: GhostIntake
) -> dict[str, pl.DataFrame]:
    """The tables of the turn after `before`, in memory only: preview and replay."""
    phase = upcoming(game, before)
    tables = _begun(before, intake, phase)
    for step in STEPS:
        given = {name: tables[name] for name in step.reads}
        tables |= call(step, given, game.rules, phase)
    return {name: tables.get(name, schema.empty(REGISTRY + name)) for name in TABLES}


def run_turn(
    place: str,
    number: int | None,
    progress: Progress,
    run: Run = directly,
    attempt: Attempt = once,
) -> tuple[GhostGame, int]:
    """One turn of the game at a place, which this process alone has meanwhile.

    Returns the game and the number of the turn. Errors: no game there; GameLockedError; those of
    the turn.
    """
    with alone(place, progress, attempt=attempt) as root:
        runner = GhostRunner(read_ghost_game(root), run, progress)
        return runner.game, attempt(lambda: runner.turn(number))


def _begun(
    before: Mapping[str, pl.DataFrame], intake: GhostIntake, phase: Phase
) -> dict[str, pl.DataFrame]:
    """What the first step finds: the state of the turn before and what was handed in."""
    state = {name: before[name] for name in STATE}
    handed_in = {"order_files": intake.order_files, "edits": intake.edits}
    return {**state, **handed_in, "phase": _phase_table(phase)}


@dataclass
class GhostRunner(Runner):
    """Evaluates and publishes the turns of one game."""

    stored = TABLES

    game: GhostGame
    frames: Frames = field(default_factory=lambda: Frames(REGISTRY))

    def turn(self, number: int | None = None) -> int:
        """Do what is left of turn `number` (default: the open one, else the next); its number.

        Errors: the game has ended, the turn is done or not the next one.
        """
        due = self.open_turn()
        number = due if number is None else number
        if number != due:
            raise InputError(f"{self.root}: the next turn is {due}, not {number}")
        if number > store.last_turn(self.root):
            if (self.root / ENDED).exists():
                raise InputError(f"{self.root}: the game has ended ({ENDED}); no more turns")
            self.execute(number)
        self.publish(number)
        return number

    def execute(self, number: int) -> None:
        """Turn N−1 and what was handed in → history/turn=N by one rename."""
        before = read_tables(self.game, number - 1, ("phase", *STATE))
        phase = upcoming(self.game, before)
        intake = read_ghost_intake(self.root, number, self.game.rules.board)
        inputs = {
            "game": self.game.digest,
            "parent": store.turn_digest(self.root, number - 1),
            **intake.digests,
        }
        with store.staged(self.root, store.history_dir(self.root, number)) as stage:
            given = stage / "steps" / "00-given"
            refs: dict[str, Parts] = {
                name: self.frames.write(name, frame, given)
                for name, frame in _begun(before, intake, phase).items()
            }
            done = {"00-given": newest(refs)}
            for position, step in enumerate(STEPS, start=1):
                folder = f"{position:02d}-{step.name}"
                written = self.run_step(step, stage / "steps" / folder, refs, phase, number)
                refs |= written
                done[folder] = newest(written)
            self.write_manifest(stage, number, refs, inputs, done)
            self.mark_unpublished(number)

    def publish(self, number: int) -> list[Path]:
        """history/turn=N → reports/N; may be repeated."""
        from flows.ghost_publish import publish

        return self.told(number, lambda: publish(self.game, number))

    def begin(self) -> list[Path]:
        """Write turn 0, if it is not there yet, and publish it."""
        if not store.turns(self.root):
            with store.staged(self.root, store.history_dir(self.root, 0)) as stage:
                refs: dict[str, Parts] = {
                    name: self.frames.write(name, frame, stage)
                    for name, frame in start_tables(self.game).items()
                }
                self.write_manifest(stage, 0, refs, {"game": self.game.digest}, {})
        return self.publish(0)
