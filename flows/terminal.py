"""Talking on a terminal: tables of 80 columns, and questions to the game master."""

import json
import sys
from typing import IO

import polars as pl
from rich.console import Console
from rich.prompt import Prompt
from rich.table import Table

from flows.questions import allowed_answers, sentence

MAX_ROWS = 200


def print_table(frame: pl.DataFrame, width: int | None = None, file: IO[str] | None = None) -> None:
    """A frame as a plain table, numbers to the right, at most MAX_ROWS rows.

    Texts of players are shown as they are: no markup, and no control codes for the terminal.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, dtype in frame.schema.items():
        table.add_column(name, justify="right" if dtype.is_numeric() else "left")
    for row in frame.head(MAX_ROWS).iter_rows():
        table.add_row(*(_cell(value) for value in row))
    console = Console(width=width, file=file, markup=False, emoji=False, highlight=False)
    console.print(table)
    if frame.height > MAX_ROWS:
        console.print(f"… {frame.height - MAX_ROWS} more rows")


def print_rows(frame: pl.DataFrame, as_json: bool, nothing: str = "") -> None:
    """A frame as JSON for programs, or as a table for people; no rows are told as `nothing`."""
    if as_json:
        print(json.dumps(frame.to_dicts(), ensure_ascii=False, indent=1, default=str))
    elif nothing and frame.is_empty():
        print(nothing)
    else:
        print_table(frame)


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def ask_at_terminal(questions: pl.DataFrame) -> list[str] | None:
    """One answer per question, asked one by one; None when nobody sits at a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    console = Console(stderr=True)
    given = []
    for question in questions.iter_rows(named=True):
        console.print(sentence(question), markup=False)
        answer = Prompt.ask("answer", console=console, choices=list(allowed_answers(question)))
        given.append(answer)
        if answer == "abort":
            given += ["abort"] * (questions.height - len(given))
            break
    return given
