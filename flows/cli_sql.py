"""The commands `zugwerk sql`, `catalog` and `chart`: questions to the history."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from flows.analyst import Chart, Format
from flows.cli_game import GamePlace
from transforms.errors import InputError, unknown

sql_app = typer.Typer()

History = Annotated[
    str, typer.Argument(metavar="GAME", help="Folder or URL of a game, or of several games.")
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="File to write.")]


@sql_app.command()
def sql(
    game: History,
    query: Annotated[str | None, typer.Argument(metavar="[QUERY]", help="SQL.")] = None,
    file: Annotated[
        str | None, typer.Option("--file", "-f", help="A file with SQL, or a name of the cookbook.")
    ] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="Default: by the ending of -o, else table.")
    ] = None,
    output: Output = None,
) -> None:
    """Ask the history, all turns at once, in SQL; without a query at a prompt. Only reads.

    Example: zugwerk sql mygame "from strength_by_realm(7)"
    """
    from flows.analyst.output import write_result
    from flows.analyst.prompt import talk
    from flows.analyst.statements import run
    from flows.analyst.warehouse import open_history

    text = _query(query, file)
    connection = open_history(game)
    if text is None:
        talk(connection)
        return
    for number, result in enumerate(run(connection, text)):
        if output is not None and number > 0:
            raise InputError(f"{output}: holds the first result only; ask one question at a time")
        write_result(result, form, output)


@sql_app.command()
def catalog(
    game: History,
    output: Output = None,
    relative: Annotated[
        bool, typer.Option("--relative", help="Paths from the folder of the file: may move.")
    ] = False,
) -> None:
    """Write catalog.duckdb, which opens the history's views in other tools; copies no data.

    Example: zugwerk catalog mygame && duckdb mygame/catalog.duckdb
    """
    from flows.analyst.warehouse import write_catalog

    print(write_catalog(game, output, relative=relative))


@sql_app.command()
def chart(
    game: GamePlace,
    what: Annotated[
        Chart,
        typer.Argument(metavar="WHAT", help="What to draw."),
    ],
    output: Output = None,
) -> None:
    """Draw strength, gold, territory or losses of the realms over all turns as a PNG.

    Example: zugwerk chart mygame strength -o strength.png
    """
    from flows.analyst.charts import write_chart

    print(write_chart(game, what, output or Path(f"{what}.png")))


def _query(query: str | None, file: str | None) -> str | None:
    """The SQL from the argument, a file, the cookbook or standard input; None = ask at a prompt."""
    from flows.analyst.prompt import cookbook

    if query is not None and file is not None:
        raise InputError("a query and --file exclude each other")
    if file is not None:
        path = Path(file)
        if not path.is_file() and file in cookbook():
            return cookbook()[file]
        if not path.exists() and file == path.stem:  # a bare word, so no path was meant
            raise unknown("--file", "question", file, cookbook())
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{path}: is no UTF-8 text") from error
    if query is None and not sys.stdin.isatty():
        return sys.stdin.read()
    return query
