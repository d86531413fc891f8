"""The turn as a Prefect flow: a task per step, references in and out, never a frame.

The command calls `prefect_settings.set_up` before it imports this module.
"""

import errno
import re
from collections.abc import Callable
from time import sleep
from typing import Any, Literal, TypeVar

import polars as pl
from prefect import Flow, flow, get_run_logger, pause_flow_run, task
from prefect.artifacts import create_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.input import RunInput
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    temporary_settings,
)
from pydantic import create_model

from flows.progress import Progress
from flows.questions import Ask, allowed_answers, nobody, sentence
from flows.runner import AnyGame
from flows.summary import turn_summary
from flows.tables import Parts, Refs
from flows.turn import Whole, run_part

T = TypeVar("T")

ANSWER_WITHIN_SECONDS = 7 * 24 * 3600
RETRY_AFTER_SECONDS = (2, 20)
PASSING = {errno.EIO, errno.EAGAIN, errno.EBUSY, errno.ESTALE, errno.ETIMEDOUT, errno.EINTR}


def as_task(
    name: str, function: Callable[[Refs], dict[str, Parts]], refs: Refs
) -> dict[str, Parts]:
    """Run a step as a task of the running flow. A rule is deterministic: no retries, no cache."""

    @task(name=name, cache_policy=NO_CACHE)
    def run(refs: Refs) -> dict[str, Parts]:
        return function(refs)

    return run(refs)


def tried_again(work: Callable[[], T]) -> T:
    """What `work` returns, after an error of reading or writing that may have passed.

    A turn may be begun again at any time: it goes on where it stopped. A full disk does not pass.
    """
    for seconds in RETRY_AFTER_SECONDS:
        try:
            return work()
        except OSError as error:
            if error.errno not in PASSING:
                raise
            get_run_logger().warning("again in %s seconds: %s", seconds, error)
            sleep(seconds)
    return work()


def turn_flow(ask: Ask, progress: Progress) -> Flow[..., int]:
    """The flow that asks `ask` and tells `progress`; its own parameters are plain values."""

    @flow(name="zugwerk-turn", flow_run_name="{part}")
    def turn(
        game: str,
        number: int | None = None,
        part: Whole = "turn",
    ) -> int:
        """One turn, or one part of it, of the game in folder, or at URL, `game`.

        Where a Prefect server runs, an open question pauses the run until somebody answers in
        its user interface; the run keeps the lock of the game meanwhile.
        """
        before = len(progress.steps)
        asking = or_paused(ask)
        settings, done = run_part(game, part, number, asking, progress, as_task, tried_again)
        if part in ("turn", "publish") and PREFECT_API_URL.value():
            leave_summary(settings, lambda: turn_summary(settings, done, progress.steps[before:]))
        return done

    return turn


turn = turn_flow(nobody, Progress())  # what prefect.yaml deploys


def leave_summary(game: AnyGame, page: Callable[[], str]) -> None:
    """The page about the turn in the server's user interface; the turn is done without it too."""
    key = re.sub(r"[^a-z0-9]+", "-", f"zugwerk-{game.id}".lower()).strip("-")
    try:
        create_markdown_artifact(page(), key, description=game.name)
    except Exception as error:
        get_run_logger().warning("no summary of the turn: %s", error)


def unwatched(flow: Flow[..., int], *arguments: object) -> int:
    """Run a flow in this process, as the command does; nobody watches for its heartbeat."""
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        return flow(*arguments)


def or_paused(ask: Ask) -> Ask:
    """`ask`, and when nobody is there, the paused run; only a real server can be answered."""

    def asking(questions: pl.DataFrame) -> list[str] | None:
        said = ask(questions)
        return said if said is not None or not PREFECT_API_URL.value() else _paused(questions)

    return asking


def _paused(questions: pl.DataFrame) -> list[str]:
    rows = list(questions.iter_rows(named=True))
    fields: dict[str, Any] = {
        f"{row['code']}_{row['line']}": (Literal[allowed_answers(row)], ...) for row in rows
    }
    form = create_model("Answers", __base__=RunInput, **fields)
    text = "\n".join(f"* {sentence(row)}" for row in rows)
    given = pause_flow_run(
        wait_for_input=form.with_initial_data(description=text), timeout=ANSWER_WITHIN_SECONDS
    )
    return [getattr(given, name) for name in fields]
