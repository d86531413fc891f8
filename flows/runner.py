"""What evaluating a turn is like in every game: steps with checkpoints, a manifest, reports."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Protocol

from flows import store
from flows.inbox import ready_for_orders
from flows.lock import locked
from flows.manifest import Manifest, StoredTable
from flows.place import Attempt, is_url, once, opened, stored_line
from flows.progress import Progress, StepDone
from flows.step import Step
from flows.tables import Frames, Parts, Refs, Run, directly, finish, run_step


class AnyGame(Protocol):
    """What the games of all systems have in common."""

    @property
    def root(self) -> Path:
        """The game folder."""

    @property
    def id(self) -> str:
        """The name that stands in every manifest."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def rules(self) -> Any:
        """What the steps are given as `rules`."""


@dataclass
class Runner:
    """The base of the two that evaluate turns of one game. The caller holds the game's lock.

    `run` decides how a step is run, `progress` who hears of it.
    """

    stored: ClassVar[tuple[str, ...]]  # what the folder of a turn holds

    game: AnyGame
    run: Run = directly
    progress: Progress = field(default_factory=Progress)
    frames: Frames = field(default_factory=Frames)

    @property
    def root(self) -> Path:
        """The game folder."""
        return self.game.root

    def open_turn(self) -> int:
        """The turn that comes next: the last one if its reports are still to be written."""
        last = store.last_turn(self.root)
        return last if store.unpublished_mark(self.root, last).exists() else last + 1

    def run_step(
        self,
        step: Step,
        folder: Path,
        refs: Refs,
        turn: Any,
        number: int,
        later: Collection[str] = (),
    ) -> dict[str, Parts]:
        """Run one step, leave its checkpoint in `folder`, tell it; references to what it wrote."""
        started = perf_counter()
        function = partial(
            run_step,
            step,
            folder=folder,
            frames=self.frames,
            rules=self.game.rules,
            turn=turn,
            later=later,
        )
        needed = {*step.reads, *step.appends} & set(refs)
        written = self.run(step.name, function, {name: refs[name] for name in sorted(needed)})
        rows = {name: stored.rows for name, stored in newest(written).items()}
        seconds = perf_counter() - started
        self.progress.step(StepDone(number, step.part, step.name, rows, seconds))
        return written

    def write_manifest(
        self,
        stage: Path,
        number: int,
        refs: Refs,
        inputs: Mapping[str, str],
        steps: Mapping[str, Mapping[str, StoredTable]],
    ) -> None:
        """Put the tables of the turn into `stage`, and the manifest that names them."""
        Manifest(
            game=self.game.id,
            turn=number,
            version=version("zugwerk"),
            inputs=inputs,
            tables=finish(refs, stage, self.frames, self.stored),
            steps=steps,
        ).write(stage, self.frames.registry)

    def mark_unpublished(self, number: int) -> None:
        """Note that a turn will have no reports yet; stands before the turn itself does."""
        mark = store.unpublished_mark(self.root, number)
        mark.parent.mkdir(exist_ok=True)
        mark.touch()

    def told(self, number: int, reports: Callable[[], list[Path]]) -> list[Path]:
        """Write the reports of a turn and take its mark away; their paths.

        After the last turn the folder of the next one's order files is there.
        """
        started = perf_counter()
        paths = reports()
        is_last = number == store.last_turn(self.root)
        belong = ready_for_orders(self.root, number + 1) if is_last else ""
        store.unpublished_mark(self.root, number).unlink(missing_ok=True)
        seconds = perf_counter() - started
        self.progress.step(StepDone(number, "publish", "", {"files": len(paths)}, seconds))
        self.progress.published(paths)
        if belong:
            self.progress.note(belong)
        return paths


@contextmanager
def alone(
    place: str, progress: Progress, *, next_turn: bool = True, attempt: Attempt = once
) -> Iterator[Path]:
    """The folder of a game that this process alone has meanwhile, to evaluate a turn in it.

    Errors: no game there; GameLockedError.
    """
    with opened(place, writes=True, next_turn=next_turn, attempt=attempt) as root, locked(root):
        yield root
    if is_url(place):
        progress.note(stored_line(place, root))


def newest(written: Refs) -> dict[str, StoredTable]:
    """What a checkpoint holds: the last part of each table."""
    return {name: parts[-1].stored for name, parts in written.items()}
