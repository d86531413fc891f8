"""A finished turn on one page of Markdown, for the user interface of a Prefect server."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

import polars as pl

from flows import store
from flows.game import Game
from flows.ghost_game import GhostGame
from flows.ghost_turn import phase_of, read_tables
from flows.progress import StepDone
from transforms.calendar import date_text

_TABLES = ("order_files", "order_lines", "losses", "battle_units", "fates")


def turn_summary(game: Game, number: int, steps: Iterable[StepDone]) -> str:
    """Orders read and rejected, missing files, losses, battles, the dead; seconds per step."""
    tables = store.read_turn(game.root, number, _TABLES)
    lines = tables["order_lines"].filter(~pl.col("kind").is_in(["comment", "blank"]))
    missing = tables["order_files"].filter(pl.col("file").is_null())
    facts = {
        "orders read": lines.height,
        "orders rejected": lines.filter(status="rejected").height,
        "realms without a file": missing.height,
        "losses (environment)": tables["losses"]["losses"].sum(),
        "losses (battle)": tables["battle_units"]["losses"].sum(),
        "battles": tables["battle_units"]["hex_id"].n_unique(),
        "units dead": tables["fates"].filter(pl.col("fate").is_in(["dead", "drowned"])).height,
    }
    date = date_text(game.turn(number).today, game.rules)
    return _page(f"{game.name}: turn {number}, {date}", facts, steps)


def ghost_summary(game: GhostGame, number: int, steps: Iterable[StepDone]) -> str:
    """Orders read and rejected, missing files, units that were dislodged, battles; seconds."""
    names = ("phase", "order_files", "orders", "dislodged", "battles", "units")
    tables = read_tables(game, number, names)
    facts = {
        "orders read": tables["orders"].height,
        "orders rejected": tables["orders"].filter(status="rejected").height,
        "nations without a file": tables["order_files"].filter(state="missing").height,
        "units dislodged": tables["dislodged"].height,
        "battles": tables["battles"].height,
        "units": tables["units"].height,
    }
    return _page(f"{game.name}: turn {number}, {phase_of(tables).title}", facts, steps)


def _page(title: str, facts: Mapping[str, float | Decimal], steps: Iterable[StepDone]) -> str:
    return "\n".join(
        [
            f"# {title}\n",
            *_table(("what", "count"), [(name, f"{count:,}") for name, count in facts.items()]),
            "",
            *_table(
                ("step", "rows", "seconds"),
                [
                    (f"{s.part} {s.name}".strip(), f"{sum(s.rows.values()):,}", f"{s.seconds:.2f}")
                    for s in steps
                ],
            ),
        ]
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    aligned = ["---", *["---:"] * (len(head) - 1)]
    return [f"| {' | '.join(cells)} |" for cells in [head, aligned, *rows]]
