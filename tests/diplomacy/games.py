"""Recorded games, one JSON file each, as one batch of phases."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl

from tests.diplomacy.datc import Tables, full, unit_rows
from transforms.diplomacy.board import Board

SEASONS = {"S": "spring", "F": "autumn", "W": "winter"}
STEPS = {"M": "movement", "R": "retreat", "A": "adjustment"}


@dataclass(frozen=True)
class Recorded:
    """A phase as it was recorded, and the record that follows it."""

    game: str
    name: str
    phase: Mapping[str, Any]
    following: Mapping[str, Any]


def recorded(paths: Iterable[Path]) -> list[Recorded]:
    """Every phase of the games but the last one of each."""
    found = []
    for path in sorted(paths):
        phases = json.loads(path.read_text(encoding="utf-8"))["phases"]
        found += [
            Recorded(path.stem, phase["name"], phase, following)
            for phase, following in pairwise(phases)
        ]
    return found


def tables_of(board: Board, games: list[Recorded]) -> Tables:
    """The phases as a batch; retreats come without what the movement before them left behind."""
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("phases", "units", "centres", "dislodged", "orders")
    }
    centres = board.provinces.filter("centre")["province"]
    for number, record in enumerate(games):
        season, step = SEASONS[record.name[0]], STEPS[record.name[-1]]
        rows["phases"].append({"phase_id": number, "step": step, "season": season})
        rows["units"] += unit_rows(record.phase["units"], number)
        owners = {p: n for n, provinces in record.phase["centers"].items() for p in provinces}
        rows["centres"] += [
            {"phase_id": number, "province": p, "nation": owners.get(p)} for p in centres
        ]
        for nation, units in record.phase.get("dislodged", {}).items():
            rows["dislodged"] += unit_rows({nation: units}, number)
        line = 0
        for nation, orders in record.phase["orders"].items():
            for text in orders or []:
                line += 1
                order = {"phase_id": number, "line": line, "step": step}
                rows["orders"].append({**order, "nation": nation, "text": text})
    frames = {name: pl.DataFrame(r, infer_schema_length=None) for name, r in rows.items()}
    return full({name: frame for name, frame in frames.items() if frame.height})


def with_aftermath(tables: Tables, results: Tables) -> Tables:
    """The batch with attackers and contested provinces of each movement at the retreat after it."""
    after = {
        name: results[name].with_columns(pl.col("phase_id") + 1)
        for name in ("dislodged", "contested")
    }
    attackers = after["dislodged"].select("phase_id", "province", "attacker_from")
    waiting = tables["dislodged"].drop("attacker_from")
    retreats = tables["phases"].filter(step="retreat")
    return tables | {
        "dislodged": waiting.join(attackers, on=["phase_id", "province"], how="left"),
        "contested": after["contested"].join(retreats, on="phase_id", how="semi"),
    }
