"""Every rule once, with numbers worked out by hand (tests/scenarios/*.toml)."""

import tomllib
from pathlib import Path

import polars as pl
import pytest

from flows.steps import STEPS
from tests.runner import run_steps
from tests.scenarios.world import TURN, readable, rules_of, world_of
from transforms.report import battle_texts, report_texts
from transforms.rules import Rules

_FIGHTERS = ("battle_units", "units", "fallen")
FILES = sorted(Path(__file__).parent.glob("scenarios/**/*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path):
    scenario = tomllib.loads(path.read_text(encoding="utf-8"))
    rules = rules_of(scenario)
    start = world_of(scenario, rules)
    end = run_steps(start, STEPS, rules=rules, turn=TURN)
    expected = scenario["expect"]
    everyone = {**start, "units": pl.concat([end["units"], end["fallen"]])}
    units = {row["unit"]: row for row in readable(end["units"], everyone)}
    for name, columns in expected.get("units", {}).items():
        assert _named(units[name], columns) == columns, name
    for name in expected.get("gone", []):
        assert name not in units
    for table, rows in expected.get("rows", {}).items():
        found = readable(end[table], everyone)
        columns = rows[0] if rows else {}
        assert [_named(row, columns) for row in found] == rows, table
    for code, lines in expected.get("report", {}).items():
        told = _report(end, code, rules)
        assert [line for line in told if line in lines] == lines, "\n".join(told)
    for code, lines in expected.get("not_in_report", {}).items():
        assert not set(lines) & set(_report(end, code, rules))


def _named(row: dict, columns: dict) -> dict:
    """The named columns of a row; an empty cell is written "" (TOML knows no null)."""
    return {column: "" if row.get(column) is None else row[column] for column in columns}


def _report(tables: dict[str, pl.DataFrame], code: str, rules: Rules) -> list[str]:
    fights, names = ("realms", "battles", *_FIGHTERS), ("realms", "messages", *_FIGHTERS)
    battles = battle_texts(**{name: tables[name] for name in fights}, rules=rules)
    reports = report_texts(**{name: tables[name] for name in names}, told_battles=battles)
    return reports.filter(pl.col("code") == code)["text"].item().split("\n")
