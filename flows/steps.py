"""The turn on one page: which step reads and writes which tables, in order.

A step's function gets the tables of `reads` by name, plus `rules` and `turn`, and returns the
tables of `writes` (replaced whole) and `appends` (only the new rows; the runner adds them).
Order of the steps: source 1, appendix D.
"""

from flows.step import Part, Step
from transforms import corrections, costs, economy, losses, messages, rivers, sight, status
from transforms.boarding import board
from transforms.combat import CLASH_TABLES, count_home, fight
from transforms.decisions import conquer, pursue, withdraw
from transforms.movement import move
from transforms.orders import name_parts, read_orders
from transforms.realise import realise

__all__ = ["CORRECTABLE", "STEPS", "Part", "Step"]

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
    Step(
        "realise",
        "load",
        realise,
        reads=(
            "trainings",
            "constructions",
            "splits",
            "units",
            "buildings",
            "realms",
            "hexes",
            "neighbours",
            "counters",
        ),
        writes=(
            "trainings",
            "constructions",
            "splits",
            "units",
            "buildings",
            "realms",
            "counters",
        ),
        appends=("ledger", "messages"),
    ),
    Step(
        "parts",
        "load",
        name_parts,
        reads=("splits", "movements", "paths"),
        writes=("movements", "paths"),
    ),
    # ── execute ─────────────────────────────────────────────────────────────────────────────
    Step(
        "movement",
        "execute",
        move,
        reads=("units", "paths", "splits", "alliances"),
        writes=("units", "moves", "walks", "deeds"),
        appends=("draws",),
    ),
    Step(
        "river_losses",
        "execute",
        rivers.cross,
        reads=("units", "walks", "splits", "rivers", "buildings", "neighbours"),
        writes=("units",),
        appends=("losses", "draws", "messages"),
    ),
    Step(
        "boarding",
        "execute",
        board,
        reads=("units", "movements", "moves", "alliances"),
        writes=("units", "boardings"),
    ),
    Step(
        "withdrawal",
        "execute",
        withdraw,
        reads=("units", "movements", "walks", "neighbours", "alliances"),
        writes=("units",),
        appends=("deeds", "draws"),
    ),
    Step(
        "combat",
        "execute",
        fight,
        reads=("units", "hexes", "buildings", "alliances", "movements"),
        writes=("units", "buildings", *(table for table in CLASH_TABLES if table != "draws")),
        appends=("draws",),
    ),
    Step(
        "pursuit",
        "execute",
        pursue,
        reads=(
            *("units", "hexes", "buildings", "alliances", "movements", "neighbours", "deeds"),
            "battle_armies",
        ),
        writes=("units", "buildings"),
        appends=(*CLASH_TABLES, "deeds"),
    ),
    Step(
        "conquest",
        "execute",
        conquer,
        reads=("units", "hexes", "realms", "movements", "alliances"),
        writes=("hexes", "realms"),
        appends=("deeds", "ledger"),
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
    Step("home", "execute", count_home, reads=("units", "hexes"), writes=("units",)),
    Step(
        "income",
        "execute",
        economy.settle_accounts,
        reads=("hexes", "realms", "units"),
        writes=("hexes", "realms"),
        appends=("ledger", "messages"),
    ),
    Step(
        "sight",
        "execute",
        sight.rebuild,
        reads=("units", "buildings", "hexes", "neighbours", "atlas"),
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
            "deeds",
            "boardings",
            "battle_units",
            "sight",
            "trainings",
        ),
        appends=("messages",),
    ),
)
