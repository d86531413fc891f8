"""The command `zugwerk`: thin; every command is a few lines around a function of flows/."""

import errno
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from flows.cli_battles import app as battles_app
from flows.cli_desk import desk_app
from flows.cli_duel import app as duel_app
from flows.cli_game import Direct, GameDir, GamePlace, Json, NewGame, Quiet, in_game
from flows.cli_ghost import ghost_app
from flows.cli_sql import sql_app
from flows.lock import GameLockedError
from flows.progress import Progress, progress_for
from transforms.errors import InputError

if TYPE_CHECKING:
    from flows.newgame import Founded
    from flows.turn import Whole

FAILED, BAD_INPUT, OPEN_QUESTIONS, LOCKED = 1, 2, 3, 4

app = typer.Typer(
    name="zugwerk",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Evaluates the turns of play-by-mail strategy games.",
    epilog="Exit codes: 0 done · 1 the program or the machine failed · 2 bad input · "
    "3 open questions (policy ask) · 4 another process works on this game.",
)
importer_app = typer.Typer(no_args_is_help=True, help="Make a game from other people's data.")
app.add_typer(importer_app, name="import")
app.add_typer(ghost_app)
app.add_typer(sql_app)
app.add_typer(duel_app, name="duel")
app.add_typer(battles_app, name="battles")
app.add_typer(desk_app)

TurnNumber = Annotated[int | None, typer.Option("--turn", min=1, help="Which turn.")]


# ── evaluating ──────────────────────────────────────────────────────────────────────────────


@app.command("turn")
def turn_command(
    game: GamePlace,
    turn: TurnNumber = None,
    until: Annotated[int | None, typer.Option(min=1, help="Go on to this turn.")] = None,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Evaluate the next turn: load, execute, publish. Goes on where a killed run stopped.

    Example: zugwerk turn mygame
    """
    progress = progress_for(quiet, json_)
    done = _evaluate(game, "turn", turn, direct, progress)
    while until is not None and done < until:
        done = _evaluate(game, "turn", None, direct, progress)
    progress.close()


@app.command()
def load(
    game: GamePlace,
    turn: TurnNumber = None,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Read the order files of the next turn and roll the environmental losses; may be repeated.

    Example: zugwerk load mygame
    """
    _part(game, "load", turn, direct, progress_for(quiet, json_))


@app.command()
def execute(
    game: GamePlace,
    turn: TurnNumber = None,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Carry out the loaded turn and put it into the history.

    Example: zugwerk execute mygame
    """
    _part(game, "execute", turn, direct, progress_for(quiet, json_))


@app.command()
def publish(
    game: GamePlace,
    turn: TurnNumber = None,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Write reports and maps of the last turn, or of --turn, from the history; may be repeated.

    Example: zugwerk publish mygame --turn 7
    """
    _part(game, "publish", turn, direct, progress_for(quiet, json_))


def _part(game: str, part: "Whole", turn: int | None, direct: bool, progress: Progress) -> None:
    _evaluate(game, part, turn, direct, progress)
    progress.close()


def _evaluate(game: str, part: "Whole", turn: int | None, direct: bool, progress: Progress) -> int:
    """One part of a turn, as a Prefect flow or directly; the number of the turn."""
    from flows.terminal import ask_at_terminal

    if direct:
        from flows.turn import run_part

        return run_part(game, part, turn, ask=ask_at_terminal, progress=progress)[1]
    from flows import prefect_settings
    from flows.game import read_game

    prefect_settings.get_ready(game, read_game, progress)
    from flows.prefect_turn import turn_flow, unwatched

    return unwatched(turn_flow(ask_at_terminal, progress), game, turn, part)


# ── making games ────────────────────────────────────────────────────────────────────────────


@app.command()
def demo(
    folder: NewGame,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Set up the shipped game and evaluate its three turns.

    Example: zugwerk demo demo
    """
    from flows import newgame, store

    progress = progress_for(quiet, json_)
    newgame.demo(folder)
    turns = newgame.demo_turns()
    while (last := store.last_turn(folder)) < turns or (
        store.unpublished_mark(folder, last).exists()
    ):
        _evaluate(str(folder), "turn", None, direct, progress)
    reports = store.reports_dir(folder, store.last_turn(folder))
    for path in sorted(reports.iterdir()):
        progress.note(str(path))
    progress.close()


@app.command()
def new(
    folder: NewGame,
    start: Annotated[
        Path | None, typer.Option(help="Folder of the start tables (default: DIR/start).")
    ] = None,
) -> None:
    """Make a game: first run = a template to edit, second run = the game from its start tables.

    Example: zugwerk new mygame
    """
    from flows import newgame

    tables = start or folder / "start"
    if not tables.is_dir() and start is None:
        for path in newgame.write_template(folder):
            print(path)
        print(f"Edit these files, then run once more: zugwerk new {folder}")
        return
    _founded(newgame.new_game(folder, tables))


@app.command("copy")
def copy_command(
    game: GamePlace,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="A folder, or a URL.")],
) -> None:
    """Copy a game with its history to a place where none is yet, from or to an object store too.

    Example: zugwerk copy mygame s3://spiele/mygame
    """
    from flows.place import copy_game

    copy_game(game, target)
    print(f"{game} is now at {target} too")


@importer_app.command()
def erkenfara(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The CSV files.")],
    game: NewGame,
) -> None:
    """A playable game from the CSV export of the Erkenfara world; defects are listed by row.

    Example: zugwerk import erkenfara downloads/erkenfara mygame
    """
    from flows.importer import import_erkenfara

    founded, defects = import_erkenfara(folder, game)
    for line in defects:
        print(line)
    _founded(founded)


def _founded(founded: "Founded") -> None:
    from flows.inbox import ready_for_orders

    for warning in founded.warnings:
        print(warning)
    print(", ".join(f"{name} {rows:,}" for name, rows in founded.rows.items()))
    print(f"Commitment of turn 1 (tell your players): {founded.commitment}")
    print(ready_for_orders(founded.game.root, 1))


# ── looking ─────────────────────────────────────────────────────────────────────────────────


@app.command()
@in_game()
def check(
    game: GameDir,
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code of the realm.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Its order file.")],
    json_: Json = False,
) -> None:
    """Show what the game would do with an order file. Mistakes in it do not change exit code 0.

    Example: zugwerk check mygame ABC ABC_SPZ.txt
    """
    from flows.check import check_file
    from flows.game import read_game

    checked = check_file(read_game(game), code, file)
    print(json.dumps(asdict(checked), ensure_ascii=False, indent=1) if json_ else checked.text)


@app.command("map")
@in_game()
def map_command(
    game: GameDir,
    code: Annotated[str | None, typer.Argument(metavar="[CODE]", help="Only this realm.")] = None,
    turn: Annotated[int | None, typer.Option(min=0, help="Which turn (default: last).")] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the files.")] = Path(),
) -> None:
    """Draw the player maps of a turn as <CODE>.png.

    Example: zugwerk map mygame ABC -o maps
    """
    from flows.maps import write_maps

    for path in write_maps(game, turn, code, output):
        print(path)


@app.command()
@in_game()
def history(game: GameDir, json_: Json = False) -> None:
    """List the evaluated turns with units, orders, battles and losses.

    Example: zugwerk history mygame
    """
    from flows.game import read_game
    from flows.overview import history as overview
    from flows.terminal import print_rows

    print_rows(overview(read_game(game)), json_)


# ── ends ────────────────────────────────────────────────────────────────────────────────────


def _refused(error: OSError) -> str:
    """What the machine did not do, and where: of a rename the place that it was for."""
    where, why = error.filename2 or error.filename or "disk", error.strerror or str(error)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        why += "; is it read-only, or open in another program?"
    return f"{where}: {why}"


def _fail(code: int, *lines: str, file: str = "") -> NoReturn:
    """End with lines on standard error, and behind them a text to copy into a file."""
    for line in lines:
        print(f"zugwerk: {' '.join(line.split())}", file=sys.stderr)
    print(file, end="", file=sys.stderr)
    raise SystemExit(code)


def main() -> None:
    """Run the command; whatever goes wrong is a line on standard error and an exit code."""
    from flows.questions import OpenQuestionsError

    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app()
    except InputError as error:
        _fail(BAD_INPUT, str(error))
    except OpenQuestionsError as error:
        told = [*error.lines(), f"answer in {error.where}, for example as below, and run again"]
        _fail(OPEN_QUESTIONS, *told, file=error.decisions())
    except GameLockedError as error:
        _fail(LOCKED, str(error))
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except FileNotFoundError as error:
        _fail(
            BAD_INPUT, f"{error.filename}: there is no such file" if error.filename else str(error)
        )
    except (IsADirectoryError, NotADirectoryError, FileExistsError) as error:
        _fail(BAD_INPUT, f"{error.filename}: {error.strerror}")
    except OSError as error:
        _fail(FAILED, _refused(error))
    except Exception as error:
        if os.environ.get("ZUGWERK_DEBUG"):
            raise
        _fail(
            FAILED, f"internal error (ZUGWERK_DEBUG=1 shows more): {type(error).__name__}: {error}"
        )
