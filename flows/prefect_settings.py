"""How the command sets Prefect up: offline, quiet, its database in the user's cache folder."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from flows.lock import locked
from flows.place import is_url, opened
from flows.progress import Progress

_QUIET = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_ENABLED": "false",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
    "PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED": "false",
    "PREFECT_SERVER_UI_ENABLED": "false",
    "PREFECT_SERVER_EVENTS_STREAM_OUT_ENABLED": "false",
    # twenty seconds are too few for a slow machine that makes the database for the first time
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "300",
}


def get_ready(place: str, read: Callable[[Path], object], progress: Progress) -> None:
    """Set Prefect up for a turn of a game that `read` reads.

    Errors, of a folder before Prefect starts: no game there, it is locked, those of `read`. A URL
    is not asked twice; the run says so.
    """
    if not is_url(place):
        with opened(place) as root, locked(root):
            read(root)
    if "prefect" not in sys.modules:
        progress.note("Starting Prefect, this takes a while; --direct does without …")
    set_up()


def set_up() -> None:
    """Put the settings into the environment; whatever the user has set there counts.

    One PREFECT_HOME for all games: making its database costs ten seconds, and inside the game
    folder it would travel along with every copy of the game. Call this before Prefect is imported.
    """
    for key, value in _QUIET.items():
        os.environ.setdefault(key, value)
    home = Path(os.environ.setdefault("PREFECT_HOME", str(cache_folder() / "prefect")))
    home.mkdir(parents=True, exist_ok=True)


def cache_folder() -> Path:
    """The user's cache folder of this program; the folder for temporary files if there is none."""
    try:
        home = Path.home()
    except RuntimeError:
        return Path(tempfile.gettempdir()) / "zugwerk"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "zugwerk"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "zugwerk"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "zugwerk"
