"""What a running turn tells about itself: one line a step on a terminal, or one JSON object."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class StepDone:
    """One step that ran: its turn, its part, its name, the rows it left behind and its seconds."""

    turn: int
    part: str
    name: str
    rows: Mapping[str, int]
    seconds: float


class Progress:
    """Keeps what happened and says nothing; the base of the two that talk."""

    def __init__(self) -> None:
        self.steps: list[StepDone] = []
        self.notes: list[str] = []
        self.files: list[str] = []

    def step(self, done: StepDone) -> None:
        """A step ended."""
        self.steps.append(done)

    def note(self, text: str) -> None:
        """Something that the game master should know, one line."""
        self.notes.append(text)

    def published(self, paths: list[Path]) -> None:
        """Reports were written."""
        self.files += [str(path) for path in paths]

    def close(self) -> None:
        """The command ended well."""


class TerminalProgress(Progress):
    """A line per step: part, step, row counts, seconds; at most 80 columns."""

    def step(self, done: StepDone) -> None:
        super().step(done)
        counts = ", ".join(f"{name} {rows:,}" for name, rows in done.rows.items() if rows)
        room = 80 - 40
        counts = counts if len(counts) <= room else counts[: room - 1] + "…"
        print(f"{done.turn:>4} {done.part:<8}{done.name:<16}{counts:<{room}}{done.seconds:>8.2f} s")

    def note(self, text: str) -> None:
        super().note(text)
        print(text)

    def published(self, paths: list[Path]) -> None:
        super().published(paths)
        if paths:
            print(f"{len(paths)} files in {paths[0].parent}")


@dataclass
class JsonProgress(Progress):
    """Everything at the end, as one JSON object on standard output."""

    facts: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def close(self) -> None:
        result = {
            "steps": [asdict(s) for s in self.steps],
            "notes": self.notes,
            "files": self.files,
        }
        json.dump(result | self.facts, sys.stdout, ensure_ascii=False, indent=1)
        print()


def progress_for(quiet: bool, as_json: bool) -> Progress:
    """How a command tells what it does, by its options --quiet and --json."""
    return JsonProgress() if as_json else Progress() if quiet else TerminalProgress()
