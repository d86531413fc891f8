"""`zugwerk ghost adjudicate`: many Diplomacy phases in one batch, tables in, tables out."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.command("adjudicate")
def adjudicate_command(
    folder: Annotated[Path, typer.Argument(metavar="IN", help="Folder of the tables.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the results.")],
    map_: Annotated[str, typer.Option("--map", help="Which map.")] = "standard",
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="A ruling: rulings.key=value.")
    ] = None,
) -> None:
    """Adjudicate many phases at once: tables as CSV or Parquet in, Parquet out.

    Example: zugwerk ghost adjudicate phases --out results --set rulings.adjacent_convoy=via_only
    """
    from flows.ghost_batch import rulings_of, run_batch
    from flows.ghost_map import read_board

    rulings = rulings_of(settings or [])
    tables = run_batch(folder, out, read_board(map_), rulings)
    for name, table in tables.items():
        print(f"{out / f'{name}.parquet'}: {table.height:,} rows")
