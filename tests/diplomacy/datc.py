"""DATC cases as tables of a batch: what a case says, and what came of it."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from flows.ghost_batch import INPUTS
from transforms import schema

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
        name: [] for name in ("phases", "units", "centres", "orders")
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
            rows["orders"].append(
                {
                    "phase_id": number,
                    "line": line,
                    "step": when,
                    "nation": order["power"],
                    "text": order["order"],
                }
            )
    return full({name: pl.DataFrame(r, infer_schema_length=None) for name, r in rows.items() if r})


def full(tables: Tables) -> Tables:
    """The tables of a batch, those that are missing without rows."""
    shaped = {}
    for name in INPUTS:
        table = f"ghost.batch.{'waiting' if name == 'dislodged' else name}"
        given = name in tables
        shaped[name] = schema.shaped(table, tables[name]) if given else schema.empty(table)
    return shaped


def further_cases() -> list[Case]:
    """The cases of datc_further.toml in the form of the case file beside the project."""
    path = Path(__file__).with_name("datc_further.toml")
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    return [_case(key.replace("_", "."), entry) for key, entry in written.items()]


def _case(name: str, entry: Mapping[str, Any]) -> Case:
    phase = "winter" if "winter" in entry else "movement"
    orders = _orders(entry.get("orders", entry.get("winter", "")))
    case: dict[str, Any] = {"id": name, "phase": phase, "orders": orders}
    case["centers"] = entry.get("centers", {})
    case["disorder"] = entry.get("disorder", {})
    case["units"] = {n: list(units) for n, units in entry.get("units", {}).items()}
    if "retreats" in entry:
        case["retreat"] = {"orders": _orders(entry["retreats"])}
    for order in orders if phase == "movement" else []:
        placed = {u.split()[1].partition("/")[0] for units in case["units"].values() for u in units}
        unit = " ".join(order["order"].split()[:2])
        if unit.split()[1].partition("/")[0] not in placed:
            case["units"].setdefault(order["power"], []).append(unit)
    return case


def _orders(text: str) -> list[dict[str, Any]]:
    orders, power = [], ""
    for line in text.strip().splitlines():
        if ":" not in line:
            power = line
            continue
        order, _, words = line.rpartition(":")
        orders.append({"power": power, "order": order, "outcome": words.replace(",", "").split()})
    return orders


def outcomes(tables: Tables, number: int, case: Case) -> dict[str, list[str]]:
    """What came of every order of a case, in the words of the case file."""
    shown = {
        row["line"]: row
        for row in tables["results"].filter(phase_id=number).iter_rows(named=True)
        if row["line"] is not None
    }
    rejected = set(tables["rejected"].filter(phase_id=number)["line"])
    orders = [*case["orders"], *case.get("retreat", {}).get("orders", [])]
    found = {}
    for line, order in enumerate(orders, start=1):
        if line in shown:
            words = _words(shown[line])
        else:
            done = case["phase"] == "winter" and line not in rejected
            words = ["succeeds" if done else "illegal"]
        found[f"{line}. {order['order']}"] = words
    return found


def _words(row: Mapping[str, Any]) -> list[str]:
    words = [] if row["kind"] == "hold" and row["outcome"] == "fails" else [row["outcome"]]
    if row["step"] == "movement":
        words += ["destroyed"] * row["destroyed"]
        words += ["dislodged"] * (row["dislodged"] and not row["destroyed"])
    return words


def places(tables: Tables, number: int) -> dict[str, list[str]]:
    """The units after a phase as the case file lists them."""
    found: dict[str, list[str]] = {}
    for row in tables["units"].filter(phase_id=number).iter_rows(named=True):
        coast = f"/{row['coast']}" if row["coast"] else ""
        found.setdefault(row["nation"], []).append(f"{row['unit_type']} {row['province']}{coast}")
    return {nation: sorted(units) for nation, units in found.items()}
