"""The turn on one page: which step reads and writes which tables, in order.

A step's function gets the tables of `reads` by name, plus `rules` and `turn`, and returns the
tables of `writes` (replaced whole) and `appends` (only the new rows; the runner adds them).
Order of the steps: source 1, appendix D.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl

from transforms import corrections, costs, economy, losses, messages, sight, status
from transforms.boarding import board
from transforms.combat import fight
from transforms.movement import move
from transforms.orders import read_orders

Part = Literal["load", "execute"]


@dataclass(frozen=True)
class Step:
    """One step of a turn: a pure function and the tables it reads, replaces and appends to."""

    name: str
    part: Part
    function: Callable[..., dict[str, pl.DataFrame]]
    reads: tuple[str, ...]
    writes: tuple[str, ...] = ()
    appends: tuple[str, ...] = ()


CORRECTABLE = ("units", "buildings", "realms", "alliances", "hexes")

STEPS: tuple[Step, ...] = (
    # ── load ────────────────────────────────────────────────────────────────────────────────
    Step(
        "corrections",
        "load",
        corrections.apply,
        reads=("gm_edits", *CORRECTABLE),
        writes=("corrections", *CORRECTABLE),
    ),
    Step(
        "orders",
        "load",
        read_orders,
        reads=("order_texts", "units", "realms", "alliances", "hexes", "sight", "atlas"),
        writes=(
            "order_files",
            "order_lines",
            "movements",
            "paths",
            "splits",
            "trainings",
            "constructions",
            "rejections",
        ),
    ),
    Step(
        "costs",
        "load",
        costs.decide,
        reads=("answers", "trainings", "constructions", "order_lines", "order_files", "rejections"),
        writes=("trainings", "constructions", "order_lines", "order_files", "rejections"),
    ),
    Step(
        "checks",
        "load",
        costs.check_reports,
        reads=(
            "order_files",
            "order_lines",
            "rejections",
            "movements",
            "trainings",
            "constructions",
            "units",
            "realms",
        ),
        writes=("checks",),
    ),
    Step(
        "standing_losses",
        "load",
        losses.standing,
        reads=("units", "hexes"),
        writes=("units",),
        appends=("losses", "draws", "messages"),
    ),
    Step(
        "volcano_losses",
        "load",
        losses.volcano,
        reads=("units", "hexes", "neighbours"),
        writes=("units",),
        appends=("losses", "draws", "messages"),
    ),
    Step(
        "steppe_losses",
        "load",
        losses.steppe,
        reads=("units", "hexes", "paths"),
        writes=("units",),
        appends=("losses", "draws", "messages"),
    ),
    Step(
        "landing_losses",
        "load",
        losses.landing,
        reads=("units",),
        writes=("units",),
        appends=("losses", "draws", "messages"),
    ),
    # ── execute ─────────────────────────────────────────────────────────────────────────────
    Step(
        "movement",
        "execute",
        move,
        reads=("units", "paths", "alliances"),
        writes=("units", "moves"),
    ),
    Step(
        "boarding",
        "execute",
        board,
        reads=("units", "movements", "moves", "alliances"),
        writes=("units", "boardings"),
    ),
    Step(
        "combat",
        "execute",
        fight,
        reads=("units", "hexes", "buildings", "alliances"),
        writes=(
            "units",
            "buildings",
            "battles",
            "battle_units",
            "battle_armies",
            "battle_selections",
        ),
        appends=("draws",),
    ),
    Step(
        "status",
        "execute",
        status.settle,
        reads=("units", "battle_units"),
        writes=("units", "fates"),
        appends=("losses",),
    ),
    Step("dissolve", "execute", status.dissolve, reads=("units",), writes=("units", "fallen")),
    Step("income", "execute", economy.accrue, reads=("hexes",), writes=("hexes", "ledger")),
    Step(
        "sight",
        "execute",
        sight.rebuild,
        reads=("units", "buildings", "neighbours", "atlas"),
        writes=("sight", "atlas"),
    ),
    Step(
        "messages",
        "execute",
        messages.write,
        reads=(
            "units",
            "fallen",
            "realms",
            "buildings",
            "moves",
            "boardings",
            "battle_units",
        ),
        appends=("messages",),
    ),
)
