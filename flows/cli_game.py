"""What commands on a game share: how it is named, and the folder that they work in."""

from collections.abc import Callable
from contextlib import redirect_stdout
from functools import wraps
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.place import is_url, opened, stored_line
from transforms.errors import InputError


def new_folder(text: str) -> Path:
    """The folder of a new game. Errors: a URL."""
    if is_url(text):
        raise InputError(f"{text}: make the game in a folder, then: zugwerk copy FOLDER {text}")
    return Path(text)


_GAME = typer.Argument(metavar="GAME", help="Folder of the game, or its URL (s3://…).", parser=str)

GamePlace = Annotated[str, _GAME]
GameDir = Annotated[Path, _GAME]  # of a command that is decorated with `in_game`
NewGame = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder of the new game.", parser=new_folder)
]
TurnBefore = Annotated[int, typer.Argument(metavar="N", min=0, help="A turn.")]
TurnAfter = Annotated[int, typer.Argument(metavar="M", min=0, help="Another one.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output.")]
Direct = Annotated[bool, typer.Option("--direct", help="Run without Prefect: the same tables.")]


def in_game(*, writes: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command work in the folder of its GAME, for a URL in a working copy.

    What a command that `writes` has changed goes back to the URL when it ends without an error.
    """

    def around(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(game: str, **options: Any) -> None:
            if writes and is_url(game):
                said = StringIO()  # kept back until it is true
                with redirect_stdout(said), opened(game, writes=True) as root:
                    command(root, **options)
                print(said.getvalue() + stored_line(game, root))
            else:
                with opened(game, writes=writes) as root:
                    command(root, **options)

        return run

    return around
