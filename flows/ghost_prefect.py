"""The turn of Ghost-Diplomacy as a Prefect flow: a task per step, as in flows/prefect_turn.py.

The command calls `prefect_settings.set_up` before it imports this module.
"""

from prefect import Flow, flow
from prefect.settings import PREFECT_API_URL

from flows.ghost_turn import run_turn
from flows.prefect_turn import as_task, leave_summary, tried_again
from flows.progress import Progress
from flows.summary import ghost_summary


def ghost_flow(progress: Progress) -> Flow[..., int]:
    """The flow that tells `progress`; its own parameters are plain values."""

    @flow(name="zugwerk-ghost", flow_run_name="{game}")
    def turn(game: str, number: int | None = None) -> int:
        """One turn of the game in folder, or at URL, `game`."""
        before = len(progress.steps)
        settings, done = run_turn(game, number, progress, as_task, tried_again)
        if PREFECT_API_URL.value():
            leave_summary(settings, lambda: ghost_summary(settings, done, progress.steps[before:]))
        return done

    return turn


turn = ghost_flow(Progress())  # what prefect.yaml deploys
