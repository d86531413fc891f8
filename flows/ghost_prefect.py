"""The turn of Ghost-Diplomacy as a Prefect flow: a task per step, as in flows/prefect_turn.py.

The command calls `prefect_settings.set_up` before it imports this module.
"""

from pathlib import Path

from prefect import Flow, flow

from flows.ghost_game import read_ghost_game
from flows.ghost_turn import GhostRunner
from flows.lock import locked
from flows.prefect_turn import as_task, tried_again
from flows.progress import Progress


def ghost_flow(progress: Progress) -> Flow[..., int]:
    """The flow that tells `progress`; its own parameters are plain values."""

    @flow(name="zugwerk-ghost", flow_run_name="{game}")
    def turn(game: str, number: int | None = None) -> int:
        """One turn of the game in folder `game`."""
        root = Path(game)
        with locked(root):
            runner = GhostRunner(read_ghost_game(root), as_task, progress)
            return tried_again(lambda: runner.turn(number))

    return turn


turn = ghost_flow(Progress())  # what prefect.yaml deploys
