"""The command `zugwerk battles`: what if … by Treffer und Verluste."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

_MOST_WARNINGS = 20


class _RunByDefault(TyperGroup):
    """`battles FOLDER` means `battles run FOLDER`; a folder called new is `./new`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_RunByDefault,
    no_args_is_help=True,
    subcommand_metavar="FOLDER | COMMAND [ARGS]...",
    help="Fight the battles of a folder by strikes, hits and losses (docs/hits.md).\n\n"
    "Example: zugwerk battles grenzkrieg --repeat 10000\n\n"
    "`zugwerk battles run --help` shows the options.",
)
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The tables of the battles.")]


@app.command()
def run(
    folder: Folder,
    out: Annotated[Path | None, typer.Option(help="Where to (default: FOLDER/result).")] = None,
    repeat: Annotated[
        int, typer.Option(min=1, max=2**24, help="Fight this often and tell the odds.")
    ] = 1,
    rounds: Annotated[
        int, typer.Option(min=1, max=256, help="Let survivors fight on for up to this many rounds.")
    ] = 1,
    audit: Annotated[bool, typer.Option("--audit", help="Write every strike and draw.")] = False,
) -> None:
    """Fight all battles and write the results.

    Example: zugwerk battles run grenzkrieg --repeat 10000
    """
    from flows.battles import SETTINGS
    from flows.battles import run as run_battles
    from flows.terminal import print_table
    from transforms.hits.results import Wish

    done = run_battles(folder, out, Wish(repeat, rounds, audit))
    for warning in done.warnings[:_MOST_WARNINGS]:
        print(f"warning: {warning}")
    if len(done.warnings) > _MOST_WARNINGS:
        print(f"warning: … and {len(done.warnings) - _MOST_WARNINGS} more")
    print_table(done.armies)
    print(", ".join(f"{name} {rows:,}" for name, rows in done.rows.items()))
    how = (
        f"drawn; put {done.out / SETTINGS} into {folder} to repeat it"
        if done.settings.drawn
        else "given"
    )
    print(f"seed {done.settings.seed} ({how})")
    print(done.out)


@app.command()
def new(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to put it.")]) -> None:
    """Write a folder with an example to edit, as a German Excel opens it.

    Example: zugwerk battles new grenzkrieg
    """
    from flows.battles_template import write_template

    for path in write_template(folder):
        print(path)
    print(f"Edit these files, then: zugwerk battles {folder}")


@app.command()
def explain(
    folder: Folder,
    army: Annotated[int, typer.Option(min=0, help="Whose loss: its army_id.")],
    selection: Annotated[int, typer.Option(min=0, help="Number of the selection, from 0.")],
    repeat: Annotated[int, typer.Option(min=0, help="Repetition, from 0.")] = 0,
    round_: Annotated[int, typer.Option("--round", min=0, max=255, help="Round, from 0.")] = 0,
) -> None:
    """Show draw, chance and result of one selection; the seed is that of the last run.

    Example: zugwerk battles explain grenzkrieg --army 1 --selection 0
    """
    from flows.battles import explain_selection

    print(
        explain_selection(
            folder, army=army, selection=selection, repeat=repeat, round_number=round_
        )
    )
