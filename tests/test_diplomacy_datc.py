"""All 176 cases of DATC 3.2: 72 written down here, 104 read from beside the project."""

import json
from pathlib import Path

import pytest

from flows.ghost_batch import play
from flows.ghost_map import read_board
from tests.conftest import SHARED
from tests.diplomacy.datc import Case, Tables, further_cases, outcomes, places, tables_of
from transforms.diplomacy.rulings import Rulings

BESIDE = SHARED / "cases" / "datc.json"
DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "datc.md"
FURTHER = further_cases()
GIVEN: list[Case] = json.loads(BESIDE.read_text("utf-8"))["cases"] if BESIDE.exists() else []

# where we say something else than the document prints; reasons: docs/datc.md
OTHERWISE = {
    "6.B.11": {"F SPA/SC - LYO": "illegal"},
    "6.D.4": {"A BER S F KIE": "cut"},
    "6.F.21": {"F CLY S F NAO": "cut destroyed"},
    "6.F.28": {
        "F BOT C A LVN - SWE": "disrupted destroyed",
        "F NWG C A EDI - STP": "disrupted destroyed",
    },
    "6.H.15": {"F POR H": "destroyed"},
}


def played(cases: list[Case]) -> Tables:
    return play(read_board("standard"), Rulings(), tables_of(cases))


@pytest.fixture(scope="module")
def further() -> Tables:
    return played(FURTHER)


@pytest.fixture(scope="module")
def given() -> Tables:
    return played(GIVEN)


def expected(case: Case) -> dict[str, list[str]]:
    orders = [*case["orders"], *case.get("retreat", {}).get("orders", [])]
    other = OTHERWISE.get(case["id"], {})
    return {
        f"{line}. {order['order']}": sorted(
            other[order["order"]].split() if order["order"] in other else order["outcome"]
        )
        for line, order in enumerate(orders, start=1)
    }


def check(tables: Tables, number: int, case: Case) -> None:
    found = outcomes(tables, number, case)
    assert {order: sorted(words) for order, words in found.items()} == expected(case)
    gone = tables["adjustments"].filter(phase_id=number, kind="disorder")
    if "disorder" in case:
        assert dict(gone.select("province", "distance").iter_rows()) == case["disorder"]
    if "expected" in case:
        last = case.get("retreat", case)["expected"]
        assert places(tables, number) == {n: sorted(u) for n, u in last["units"].items() if u}
        fallen = [u.split()[1] for us in last.get("civil_disorder", {}).values() for u in us]
        assert sorted(gone["province"]) == sorted(place.partition("/")[0] for place in fallen)


@pytest.mark.parametrize("number", range(len(FURTHER)), ids=[c["id"] for c in FURTHER])
def test_further_case(further: Tables, number: int) -> None:
    check(further, number, FURTHER[number])


@pytest.mark.shared
@pytest.mark.skipif(not GIVEN, reason="the case file does not lie beside the project")
@pytest.mark.parametrize("number", range(len(GIVEN)), ids=[c["id"] for c in GIVEN])
def test_given_case(given: Tables, number: int) -> None:
    check(given, number, GIVEN[number])


def test_document_names_every_case_and_every_ruling() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17}
    sections |= {"I": 7, "J": 12}
    assert sum(sections.values()) == 176
    for section, count in sections.items():
        assert f"| 6.{section} | 1–{count} |" in text
    for case in OTHERWISE:
        assert f"**{case}**" in text
    ids = [case["id"] for case in [*FURTHER, *GIVEN]]
    assert len(set(ids)) == len(ids)
    if GIVEN:
        assert set(ids) == {f"6.{s}.{n}" for s, c in sections.items() for n in range(1, c + 1)}
