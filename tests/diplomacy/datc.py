"""DATC cases as tables of a batch: what a case says, and what came of it."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from transforms import schema
from transforms.diplomacy.adjudicate import adjudicate
from transforms.diplomacy.board import Board
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.rulings import Rulings

Case = Mapping[str, Any]
Tables = dict[str, pl.DataFrame]
STEPS = {"movement": "movement", "winter": "adjustment", "retreat": "retreat"}


def unit_rows(units: Mapping[str, Iterable[str]], number: int) -> list[dict[str, Any]]:
    """`{"ENGLAND": ["F STP/NC"]}` as rows of `ghost.batch.units`."""
    rows = []
    for nation, texts in units.items():
        for text in texts:
            letter, place = text.split()
            province, _, coast = place.partition("/")
            rows.append(
                {
                    "phase_id": number,
                    "nation": nation,
                    "unit_type": letter,
                    "province": province,
                    "coast": coast or None,
                }
            )
    return rows


def tables_of(cases: Iterable[Case]) -> Tables:
    """All cases as one batch; phase_id = place in the list, line = place of the order."""
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("phases", "units", "centres", "lines")
    }
    for number, case in enumerate(cases):
        step = STEPS[case["phase"]]
        season = case.get("season", "winter" if step == "adjustment" else "spring")
        rows["phases"].append({"phase_id": number, "step": step, "season": season})
        rows["units"] += unit_rows(case["units"], number)
        for nation, provinces in case.get("centers", {}).items():
            rows["centres"] += [
                {"phase_id": number, "province": p, "nation": nation} for p in provinces
            ]
        later = case.get("retreat", {}).get("orders", [])
        for line, (order, when) in enumerate(
            [(o, step) for o in case["orders"]] + [(o, "retreat") for o in later], start=1
        ):
            rows["lines"].append(
                {
                    "phase_id": number,
                    "line": line,
                    "step": when,
                    "nation": order["power"],
                    "text": order["order"],
                }
            )
    names = {"lines": "orders"}
    return {
        key: schema.shaped(f"ghost.batch.{names.get(key, key)}", pl.DataFrame(r))
        if r
        else schema.empty(f"ghost.batch.{names.get(key, key)}")
        for key, r in rows.items()
    }


def play(board: Board, rulings: Rulings, tables: Tables) -> Tables:
    """Read the lines of a batch and adjudicate it; adds the table `orders`."""
    nothing = {name: schema.empty(f"ghost.batch.{name}") for name in ("dislodged", "contested")}
    position = nothing | {k: tables[k] for k in ("phases", "units", "centres")}
    position |= {k: tables[k] for k in ("dislodged", "contested") if k in tables}
    orders = read_orders(
        board,
        lines=tables["lines"],
        seen=seen_by_all(board, position["units"]),
        **{k: position[k] for k in ("phases", "units", "centres", "dislodged")},
    )
    return {**adjudicate(board, rulings, orders=orders, **position), "orders": orders}


def seen_by_all(board: Board, units: pl.DataFrame) -> pl.DataFrame:
    """A game master's batch: every nation sees every unit."""
    viewers = board.nations.select(viewer="nation")
    return units.join(viewers, how="cross").select(
        "phase_id", "viewer", "province", "nation", "unit_type"
    )
