"""The game master's desk: commands that look into a turn, take it back and send it out."""

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from flows.cli_game import GameDir, Json, TurnAfter, TurnBefore, in_game
from transforms.errors import InputError

desk_app = typer.Typer()

Turn = Annotated[int, typer.Option("--turn", min=1, help="Which turn.")]


# ── looking into a turn ─────────────────────────────────────────────────────────────────────


@desk_app.command()
@in_game()
def rerun(
    game: GameDir,
    turn: Turn,
    step: Annotated[str, typer.Option("--step", help="Which step, by its name.")],
    diff: Annotated[bool, typer.Option("--diff", help="Show the rows that differ.")] = False,
    edit: Annotated[
        list[Path] | None,
        typer.Option(help="<table>.csv: rows of an input table, by key, with other values."),
    ] = None,
    replace: Annotated[
        list[Path] | None,
        typer.Option(help="<table>.csv or .parquet in place of a whole input table."),
    ] = None,
    json_: Json = False,
) -> None:
    """Compute one step of an evaluated turn again from its stored inputs; writes nothing.

    Example: zugwerk rerun mygame --turn 7 --step movement --diff --edit units.csv
    """
    from flows import store
    from flows.edits import edited_by, replaced_by, table_of
    from flows.game import read_game
    from flows.rerun import Edit
    from flows.rerun import rerun as run_again
    from flows.terminal import print_table

    settings = read_game(game)
    realms = store.read_turn(game, turn, ["realms"])["realms"]
    edits: dict[str, Edit] = {}
    for path in [*(replace or ()), *(edit or ())]:
        if table_of(path) in edits:
            raise InputError(f"{path}: a second file for the table {table_of(path)}")
        whole = path in (replace or ())
        edits[table_of(path)] = (
            partial(replaced_by, path) if whole else partial(edited_by, path, realms=realms)
        )
    again = run_again(settings, turn, step, edits)
    differences = again.differences()
    facts = {
        name: {
            "rows": table.height,
            "differences": differences[name].height if name in differences else 0,
        }
        for name, table in again.now.items()
    }
    if json_:
        rows = {name: table.to_dicts() for name, table in differences.items()} if diff else {}
        print(json.dumps({"tables": facts, "rows": rows}, ensure_ascii=False, indent=1))
        return
    widest = max(map(len, facts))
    for name, counts in facts.items():
        print(f"{name:<{widest}}{counts['rows']:>13,} rows{counts['differences']:>12,} differences")
        if diff and name in differences:
            print_table(differences[name])


@desk_app.command()
@in_game()
def explain(
    game: GameDir,
    unit: Annotated[str, typer.Option("--unit", help="<number>@<CODE>.")],
    turn: Annotated[
        int | None, typer.Option(min=1, help="Which turn (default: the unit's last).")
    ] = None,
    json_: Json = False,
) -> None:
    """Tell one unit's turn in order: orders, draws, contact, battle, result, with paragraphs.

    Example: zugwerk explain mygame --turn 7 --unit 112@ABC
    """
    from flows.explain import explain_unit
    from flows.game import read_game

    events = explain_unit(read_game(game), turn, unit)
    if json_:
        print(json.dumps([asdict(event) for event in events], ensure_ascii=False, indent=1))
        return
    chapter = ""
    for event in events:
        if event.chapter != chapter:
            print(chapter := event.chapter)
        print(f"  {event.text}" + f" [{event.paragraph}]" * bool(event.paragraph))


@desk_app.command()
@in_game()
def audit(
    game: GameDir,
    turn: Annotated[int | None, typer.Option(min=0, help="Which turn (default: all).")] = None,
) -> None:
    """Check every digest, commitment and draw of a turn; ends with the first difference.

    Example: zugwerk audit mygame --turn 7
    """
    from flows.audit import audit as audit_turn
    from flows.audit import audited_turns
    from flows.game import read_game

    settings = read_game(game)
    for number in audited_turns(game, turn):
        counts = audit_turn(settings, number)
        print(f"turn {number}: " + ", ".join(f"{name} {n:,}" for name, n in counts.items()))


@desk_app.command()
@in_game()
def diff(
    game: GameDir,
    before: TurnBefore,
    after: TurnAfter,
    table: Annotated[str | None, typer.Option(help="Only this table of the state.")] = None,
    json_: Json = False,
) -> None:
    """Show how the state after turn M differs from that after turn N, cell by cell.

    Example: zugwerk diff mygame 6 7 --table units
    """
    from flows import store
    from flows.game import read_game
    from flows.terminal import print_rows
    from transforms.errors import unknown
    from transforms.schema import STATE
    from transforms.state_diff import state_diff

    if table is not None and table not in STATE:
        raise unknown("diff", "table", table, STATE)
    read_game(game)
    states = [store.read_turn(game, turn, STATE) for turn in (before, after)]
    found = state_diff(*states)
    print_rows(found if table is None else found.filter(table=table), json_, "no differences")


# ── taking turns back ───────────────────────────────────────────────────────────────────────

Why = Annotated[str, typer.Option("--why", help="The reason, for the log.")]
Who = Annotated[str | None, typer.Option("--who", help="For the log (default: the user).")]


@desk_app.command()
@in_game(writes=True)
def rollback(
    game: GameDir,
    to: Annotated[int, typer.Option("--to", min=0, help="The last turn that stays.")],
    why: Why,
    who: Who = None,
) -> None:
    """Take back all turns after --to: they move to revisions/ with their reports.

    Example: zugwerk rollback mygame --to 6 --why "wrong map handed in"
    """
    from flows.game import read_game
    from flows.inbox import ready_for_orders
    from flows.lock import locked
    from flows.replay import roll_back

    settings = read_game(game)
    with locked(game):
        for move in roll_back(settings, to, why, who):
            print(move.words())
        print(ready_for_orders(game, to + 1))


@desk_app.command()
@in_game(writes=True)
def replay(
    game: GameDir,
    first: Annotated[int, typer.Option("--from", min=1, help="The first turn to play again.")],
    why: Why,
    who: Who = None,
) -> None:
    """Take turns back and evaluate them again; other orders get new dice, equal ones the same.

    Example: zugwerk replay mygame --from 7 --why "late order file of ABC"
    """
    from flows.game import read_game
    from flows.lock import locked
    from flows.progress import TerminalProgress
    from flows.replay import replay as replay_turns
    from flows.terminal import ask_at_terminal

    settings = read_game(game)
    with locked(game):
        for line in replay_turns(settings, first, why, who, ask_at_terminal, TerminalProgress()):
            print(line)


# ── sending out ─────────────────────────────────────────────────────────────────────────────


@desk_app.command()
@in_game(writes=True)
def pack(
    game: GameDir,
    turn: Annotated[int | None, typer.Option(min=1, help="Which turn (default: last).")] = None,
) -> None:
    """One zip per realm into outbox/: report, map, checks, draws, own data; none goes twice.

    Example: zugwerk pack mygame --turn 7
    """
    from flows.game import read_game
    from flows.lock import locked
    from flows.parcels import pack_turn

    settings = read_game(game)
    with locked(game):
        parcels = pack_turn(settings, turn)
    for parcel in parcels:
        print(parcel.words())


# ── on schedule ─────────────────────────────────────────────────────────────────────────────


@desk_app.command()
def serve(
    games: Annotated[list[str], typer.Argument(metavar="GAME…", help="Folders or URLs of games.")],
    cron: Annotated[
        str | None, typer.Option(help="When; without it a run is started by hand.")
    ] = None,
    timezone: Annotated[str, typer.Option(help="Of --cron.")] = "Europe/Berlin",
    limit: Annotated[int, typer.Option(min=1, help="How many games at once.")] = 1,
    pool: Annotated[
        str | None, typer.Option(help="Hand the games to the workers of this work pool and end.")
    ] = None,
) -> None:
    """Evaluate games at fixed times, hex games and Ghost-Diplomacy, with a Prefect server.

    Example: zugwerk serve mygame partie --cron "0 3 * * 1"
    """
    from flows import serving

    if pool is None:
        serving.serve(games, cron, timezone, limit)
        return
    for name in serving.register(games, cron, timezone, pool):
        print(f"{name} is on the pool {pool}; a worker: prefect worker start --pool {pool}")
