"""The command `zugwerk ghost`: Ghost-Diplomacy from the order files to the evaluations."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.cli_desk import Who, Why
from flows.cli_game import (
    Direct,
    GameDir,
    GamePlace,
    Json,
    NewGame,
    Quiet,
    TurnAfter,
    TurnBefore,
    in_game,
)
from flows.cli_ghost_adjudicate import adjudicate_command
from flows.lock import locked
from flows.place import opened
from flows.progress import progress_for
from transforms.errors import InputError, unknown

ghost_app = typer.Typer(
    name="ghost",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Ghost-Diplomacy: adjudicates a phase, tells every nation what it may know.",
)

ghost_app.command("adjudicate")(adjudicate_command)

Turn = Annotated[int | None, typer.Option("--turn", min=0, help="Which turn (default: last).")]


@ghost_app.command()
def new(
    folder: NewGame,
    name: Annotated[str | None, typer.Option(help="Name of the game (default: DIR).")] = None,
    map_name: Annotated[str, typer.Option("--map", help="A shipped map.")] = "standard",
    year: Annotated[int, typer.Option(min=1, max=9999, help="First year.")] = 1901,
) -> None:
    """Make a game: settings, start position and its evaluations. A game.toml that is there counts.

    Example: zugwerk ghost new partie --name "Partie 7"
    """
    from flows import store
    from flows.ghost_game import read_ghost_game, write_settings
    from flows.ghost_turn import GhostRunner
    from flows.inbox import ready_for_orders

    if len(store.turns(folder)) > 1:
        raise InputError(f"{folder}: the game has begun already")
    fresh = not (folder / "game.toml").exists()
    if fresh:
        write_settings(folder, name, map_name, year)
    try:
        with locked(folder):
            game = read_ghost_game(folder)
            paths = GhostRunner(game).begin()
    except InputError:
        if fresh:
            (folder / "game.toml").unlink()
        raise
    print(f"{len(paths)} files in {paths[0].parent}")
    print(ready_for_orders(folder, 1))


@ghost_app.command()
@in_game()
def check(
    game: GameDir,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An order file.")],
    nation: Annotated[
        str | None, typer.Option(help="Whose it is (default: by the file's name).")
    ] = None,
) -> None:
    """Show how an order file is understood; tells nothing that its nation does not know.

    Example: zugwerk ghost check partie GB.txt
    """
    from flows.ghost_desk import check as check_file
    from flows.ghost_game import read_ghost_game

    print(check_file(read_ghost_game(game), file, nation), end="")


@ghost_app.command()
def turn(
    game: GamePlace,
    number: Annotated[int | None, typer.Option("--turn", min=1, help="Which turn.")] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Write nothing into the game; show the result.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="With --preview: folder for all its reports.")
    ] = None,
    direct: Direct = False,
    quiet: Quiet = False,
    json_: Json = False,
) -> None:
    """Evaluate the next turn and write its reports. Goes on where a killed run stopped.

    Example: zugwerk ghost turn partie
    """
    if preview:
        with opened(game, next_turn=True) as root:
            _preview(root, out)
        return
    if out is not None:
        raise InputError("--out is for --preview; the reports of a turn lie in the game")
    progress = progress_for(quiet, json_)
    if direct:
        from flows.ghost_turn import run_turn

        run_turn(game, number, progress)
    else:
        from flows import prefect_settings
        from flows.ghost_game import read_ghost_game

        prefect_settings.get_ready(game, read_ghost_game, progress)
        from flows.ghost_prefect import ghost_flow
        from flows.prefect_turn import unwatched

        unwatched(ghost_flow(progress), game, number)
    progress.close()


def _preview(root: Path, out: Path | None) -> None:
    """The game master's page of the turn that would come, and all reports into `out`."""
    from flows import store
    from flows.ghost_game import read_ghost_game
    from flows.ghost_intake import read_ghost_intake
    from flows.ghost_publish import evaluation_of, gamemaster, general, report_files
    from flows.ghost_turn import play, read_tables

    game = read_ghost_game(root)
    last = store.last_turn(root)
    before = read_tables(game, last)
    intake = read_ghost_intake(root, last + 1, game.rules.board)
    told = evaluation_of(game, play(game, before, intake), before)
    print(general(told), gamemaster(told), sep="\n", end="")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for name, content in report_files(told):
            (out / name).write_bytes(content)


@ghost_app.command()
@in_game()
def status(game: GameDir, json_: Json = False) -> None:
    """List who has handed in orders for the next turn.

    Example: zugwerk ghost status partie
    """
    from flows.ghost_desk import status as desk_status
    from flows.ghost_game import read_ghost_game
    from flows.terminal import print_rows

    print_rows(desk_status(read_ghost_game(game)), json_)


@ghost_app.command()
@in_game()
def show(
    game: GameDir,
    nation: Annotated[
        str | None, typer.Argument(metavar="[NATION]", help="Whose evaluation.")
    ] = None,
    number: Turn = None,
    gamemaster: Annotated[bool, typer.Option("--gm", help="The game master's page.")] = False,
    picture: Annotated[Path | None, typer.Option(help="Draw the map into this .png.")] = None,
    orders: Annotated[
        bool, typer.Option("--orders", help="With --picture: the nation's own orders on it.")
    ] = False,
) -> None:
    """Show the general evaluation of a turn, or a nation's, or the game master's page.

    Example: zugwerk ghost show partie GB --picture gb.png --orders
    """
    from flows import store
    from flows.ghost_desk import shown
    from flows.ghost_game import read_ghost_game

    settings = read_ghost_game(game)
    at = store.last_turn(game) if number is None else number
    text = shown(settings, at, nation, gamemaster)
    if picture is None:
        print(text, end="")
        return
    from flows.ghost_publish import one_picture

    picture.write_bytes(one_picture(settings, at, nation, gamemaster, orders))
    print(picture)


@ghost_app.command()
@in_game()
def history(game: GameDir, json_: Json = False) -> None:
    """List the evaluated turns: units, battles, missing files, centres of every nation.

    Example: zugwerk ghost history partie
    """
    from flows.ghost_desk import history as desk_history
    from flows.ghost_game import read_ghost_game
    from flows.terminal import print_rows

    print_rows(desk_history(read_ghost_game(game)), json_)


@ghost_app.command()
@in_game(writes=True)
def publish(game: GameDir, number: Turn = None) -> None:
    """Write the reports of a turn again, from the history.

    Example: zugwerk ghost publish partie --turn 3
    """
    from flows import store
    from flows.ghost_game import read_ghost_game
    from flows.ghost_turn import GhostRunner

    settings = read_ghost_game(game)
    with locked(game):
        at = store.last_turn(game) if number is None else number
        paths = GhostRunner(settings).publish(at)
    print(f"{len(paths)} files in {paths[0].parent}")


@ghost_app.command()
@in_game(writes=True)
def pack(game: GameDir, number: Turn = None) -> None:
    """Put one zip per nation into the outbox; what went out already is not packed again.

    Example: zugwerk ghost pack partie
    """
    from flows.ghost_desk import pack as desk_pack
    from flows.ghost_game import read_ghost_game

    settings = read_ghost_game(game)
    with locked(game):
        for parcel in desk_pack(settings, number):
            print(parcel.words())


@ghost_app.command()
@in_game(writes=True)
def handover(
    game: GameDir,
    nation: Annotated[str, typer.Argument(metavar="NATION", help="Which nation.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="Who plays it from now on.")],
) -> None:
    """Give a nation to a substitute: noted, with a zip of everything it was told so far.

    Example: zugwerk ghost handover partie GB "Erika Muster"
    """
    from flows.ghost_desk import hand_over
    from flows.ghost_game import read_ghost_game

    settings = read_ghost_game(game)
    with locked(game):
        print(hand_over(settings, nation, player).path)


@ghost_app.command()
@in_game()
def diff(
    game: GameDir,
    before: TurnBefore,
    after: TurnAfter,
    table: Annotated[str | None, typer.Option(help="Only this table of the position.")] = None,
    json_: Json = False,
) -> None:
    """Show how the position after turn M differs from that after turn N, cell by cell.

    Example: zugwerk ghost diff partie 3 4 --table units
    """
    from flows.ghost_desk import diff as differences
    from flows.ghost_game import read_ghost_game
    from flows.terminal import print_rows
    from transforms.diplomacy.state_diff import DIFFED

    if table is not None and table not in DIFFED:
        raise unknown("diff", "table", table, DIFFED)
    found = differences(read_ghost_game(game), before, after)
    print_rows(found if table is None else found.filter(table=table), json_, "no differences")


@ghost_app.command()
@in_game(writes=True)
def rollback(
    game: GameDir,
    to: Annotated[int, typer.Option("--to", min=0, help="The last turn that stays.")],
    why: Why,
    who: Who = None,
) -> None:
    """Take back all turns after --to: they move to revisions/ with their reports.

    Example: zugwerk ghost rollback partie --to 3 --why "order file of GB read as that of D"
    """
    from flows.ghost_desk import roll_back
    from flows.ghost_game import read_ghost_game
    from flows.inbox import ready_for_orders

    settings = read_ghost_game(game)
    with locked(game):
        for move in roll_back(settings, to, why, who):
            print(move.words())
        print(ready_for_orders(game, to + 1))


@ghost_app.command()
@in_game()
def replay(game: GameDir) -> None:
    """Evaluate all turns again from what was handed in; exit code 1 if a table differs.

    Example: zugwerk ghost replay partie
    """
    from flows.ghost_desk import replay as again
    from flows.ghost_game import read_ghost_game

    different = False
    for number, tables in again(read_ghost_game(game)):
        print(f"{number:>4} {'same' if not tables else 'differs: ' + ', '.join(tables)}")
        different |= bool(tables)
    raise SystemExit(int(different))


@ghost_app.command()
@in_game(writes=True)
def end(
    game: GameDir,
    reason: Annotated[str, typer.Option(help="Why, for the archive.")] = "",
) -> None:
    """End the game and publish its whole archive; no turn follows.

    Example: zugwerk ghost end partie --reason "Sieg Frankreichs"
    """
    from flows.ghost_desk import end as desk_end
    from flows.ghost_game import read_ghost_game

    settings = read_ghost_game(game)
    with locked(game):
        print(desk_end(settings, reason))


@ghost_app.command()
def sandbox(
    file: Annotated[Path, typer.Argument(metavar="FILE.xlsx", help="Your Excel file.")],
    plan: Annotated[Path, typer.Argument(metavar="PLAN.txt", help="Orders, a line each.")],
    map_name: Annotated[str, typer.Option("--map", help="A shipped map.")] = "standard",
    season: Annotated[Literal["spring", "autumn"], typer.Option(help="Which season.")] = "spring",
    picture: Annotated[Path | None, typer.Option(help="Draw the result into this .png.")] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A ruling: rulings.key=value.")
    ] = None,
) -> None:
    """Try orders for all units on the position of an Excel file, true or forged.

    Example: zugwerk ghost sandbox GB.xlsx plan.txt --picture plan.png
    """
    from flows.csvs import decode_csv
    from flows.ghost_batch import rulings_of
    from flows.ghost_sandbox import plan as played

    orders = decode_csv(plan.read_bytes())
    rulings = rulings_of(settings or [])
    result = played(file, orders, map_name=map_name, season=season, rulings=rulings)
    print(result.text, end="")
    if picture is not None:
        from flows.ghost_publish import plan_picture

        picture.write_bytes(plan_picture(result))


@ghost_app.command()
@in_game()
def sql(
    game: GameDir,
    statement: Annotated[str, typer.Argument(metavar="SQL", help="A select statement.")],
    json_: Json = False,
) -> None:
    """Ask the history: views phases, units, centres, orders, battles, knowledge.

    Example: zugwerk ghost sql partie "select turn, count(*) from units group by turn"
    """
    from flows.ghost_game import read_ghost_game
    from flows.ghost_sql import query
    from flows.terminal import print_rows

    read_ghost_game(game)
    print_rows(query(game, statement), json_)
