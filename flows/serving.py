"""Scheduled turns: a deployment per game, served by this process or by the workers of a pool.

One deployment per game, because its limit of one run at a time must not hold up other games.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from flows.game import read_game
from flows.ghost_game import is_ghost, read_ghost_game
from flows.place import is_url, opened
from transforms.errors import InputError

_SETTINGS = {"DO_NOT_TRACK": "1", "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}


def deployments(
    games: Sequence[str], cron: str | None, timezone: str, pool: str | None = None
) -> list[Any]:
    """A Prefect deployment per game: at most one run, a second one is cancelled.

    Errors: no game, two games of one id, not a cron expression, no such time zone.
    """
    for key, value in _SETTINGS.items():
        os.environ.setdefault(key, value)
    schedule = _schedule(cron, timezone)
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments.runner import EntrypointType

    one_at_a_time = ConcurrencyLimitConfig(
        limit=1, collision_strategy=ConcurrencyLimitStrategy.CANCEL_NEW
    )
    made: dict[str, Any] = {}
    for place in games:
        name, flow = _game_and_flow(place)
        if name in made:
            raise InputError(f"{place}: a second game with the id {name!r}")
        made[name] = flow.to_deployment(
            name=name,
            parameters={"game": place if is_url(place) else str(Path(place).resolve())},
            schedule=schedule,
            paused=False,  # the end of the last `serve` paused it
            concurrency_limit=one_at_a_time,
            work_pool_name=pool,
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
    return list(made.values())


def serve(games: Sequence[str], cron: str | None, timezone: str, limit: int) -> None:
    """Wait for the times of the games and run their turns, `limit` at once; ends by Ctrl-C."""
    made = deployments(games, cron, timezone)
    _need_server()
    from prefect import serve as prefect_serve

    prefect_serve(*made, limit=limit)


def register(games: Sequence[str], cron: str | None, timezone: str, pool: str) -> list[str]:
    """Hand the games to a work pool, whose workers run their turns; names of the deployments."""
    made = deployments(games, cron, timezone, pool)
    _need_server()
    for deployment in made:
        deployment.apply()
    return [f"{deployment.flow_name}/{deployment.name}" for deployment in made]


def _game_and_flow(place: str) -> tuple[str, Any]:
    with opened(place, next_turn=True) as root:
        if is_ghost(root):
            from flows.ghost_prefect import turn as ghost_turn

            return read_ghost_game(root).id, ghost_turn
        from flows.prefect_turn import turn

        return read_game(root).id, turn


def _schedule(cron: str | None, timezone: str) -> Any:
    from prefect.client.schemas.schedules import CronSchedule
    from prefect.schedules import Cron

    try:
        ZoneInfo(timezone)
    except (KeyError, ValueError, OSError) as error:
        raise InputError(f"--timezone: {timezone!r} is no time zone; as Europe/Berlin") from error
    if cron is None:
        return None
    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValueError as error:
        raise InputError(
            f"--cron: {cron!r} is not allowed; as '0 3 * * 1', Mondays at 3"
        ) from error
    return Cron(cron, timezone=timezone)


def _need_server() -> None:
    from prefect.settings import PREFECT_API_URL

    if not PREFECT_API_URL.value():
        raise InputError(
            "no Prefect server is set: run `prefect server start` and set "
            "PREFECT_API_URL=http://127.0.0.1:4200/api"
        )
