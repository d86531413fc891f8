"""Income of the hexes (source 1, 5.4)."""

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.runner import run_steps
from tests.test_reference import PLAYED
from tests.worlds import TODAY, archipelago, frames, small_rules, small_turn
from transforms import economy
from transforms.rules import Rules
from transforms.schema import conform, empty, shaped

TURN = small_turn()  # its month is the first of the year
REALMS = conform("realms", pl.DataFrame({"realm_id": [3, 4], "treasury": [1000, 50]}))
LEVY_MONTH = small_rules(treasury="collect")
COLLECT = replace(LEVY_MONTH, calendar=LEVY_MONTH.calendar.with_columns(levy=False))


def hexes(*rows: tuple[int, int, int | None]) -> pl.DataFrame:
    """Hexes of realm 3 with these (income, credit, ravaged_until)."""
    return shaped(
        "hexes",
        pl.DataFrame(
            [
                {
                    "hex_id": 100 + n,
                    "gf": 1,
                    "kf": n,
                    "q": 0,
                    "r": n,
                    "height": "Ebene",
                    "terrain": "Flur",
                    "realm_id": 3,
                    "income": income,
                    "credit": credit,
                    "ravaged_until": ravaged_until,
                }
                for n, (income, credit, ravaged_until) in enumerate(rows, start=1)
            ],
            infer_schema_length=None,
        ),
    )


def armies(*rows: tuple[int, int, str, int]) -> pl.DataFrame:
    """Units with these (realm_id, number, unit_type, troops); number 99 is a captive."""
    columns = ["realm_id", "number", "unit_type", "troops"]
    return conform(
        "units",
        pl.DataFrame(rows, columns, orient="row")
        .with_row_index("unit_id", 1)
        .with_columns(
            last_ashore=0,
            hex_id=pl.when(pl.col("number") != 99).then(101),
            captor_id=pl.when(pl.col("number") == 99).then(7),
        ),
    )


def settled(
    hexes: pl.DataFrame, units: pl.DataFrame | None = None, rules: Rules = COLLECT
) -> dict[str, pl.DataFrame]:
    """Phase 4 with no units and outside the levy months unless said otherwise."""
    units = empty("units") if units is None else units
    return economy.settle_accounts(hexes=hexes, realms=REALMS, units=units, rules=rules, turn=TURN)


@pytest.mark.parametrize(
    ("income", "credit", "ravaged_until", "after"),
    [
        (1000, 0, None, 333),  # 1000 // 3
        (1000, 1999, None, 2332),  # below the cap of 2000: the last step may pass it
        (1000, 2000, None, 2000),
        (1000, 2332, None, 2332),
        (3, 5, None, 6),
        (2, 0, None, 0),  # 2 // 3 = 0
        (0, 0, None, 0),
        (1000, 0, TODAY, 333),  # ravaged until today: yields again
        (1000, 0, TODAY + 1, 0),
    ],
)
def test_credit(income: int, credit: int, ravaged_until: int | None, after: int) -> None:
    tables = settled(hexes((income, credit, ravaged_until)))
    assert tables["hexes"]["credit"].to_list() == [after]
    assert tables["ledger"]["amount"].to_list() == ([after - credit] if after != credit else [])


def test_ledger_names_hex_and_owner() -> None:
    before = hexes((300, 0, None), (300, 0, None)).with_columns(
        realm_id=pl.Series([3, None], dtype=pl.UInt16)
    )
    ledger = settled(before)["ledger"]
    known = ledger.select("account", "realm_id", "kind", "amount", "hex_id")
    assert sorted(known.rows(), key=lambda row: row[-1]) == [
        ("credit", 3, "income", 100, 101),
        ("credit", None, "income", 100, 102),
    ]


def test_seven_turns_reach_the_cap_and_stay() -> None:
    state, credits = hexes((1000, 0, None)), []
    for _ in range(8):
        state = settled(state)["hexes"]
        credits.append(state["credit"][0])
    assert credits == [333, 666, 999, 1332, 1665, 1998, 2331, 2331]


def test_ledger_explains_every_change_in_any_order() -> None:
    before = hexes(
        *((n * 7 % 50, n * 13 % 90, (None, TODAY + 1)[n % 5 == 0]) for n in range(1, 48))
    )
    after = settled(before)
    change = after["hexes"]["credit"] - before["credit"]
    assert after["ledger"]["amount"].sum() == change.sum()
    assert after["ledger"].height == (change != 0).sum()
    again = settled(before.sample(fraction=1, shuffle=True, seed=1))
    for name, frame in after.items():
        assert_frame_equal(frame, conform(name, frame))
        assert_frame_equal(frame, again[name])


def test_in_a_levy_month_the_credit_goes_to_the_treasury_after_the_income() -> None:
    before = hexes((300, 50, None), (300, 7, TODAY + 1), (0, 0, None), (300, 0, None))
    before = before.with_columns(realm_id=pl.Series([3, 3, 3, None], dtype=pl.UInt16))
    after = settled(before, rules=LEVY_MONTH)
    assert after["hexes"]["credit"].to_list() == [0, 0, 0, 100]
    assert after["realms"]["treasury"].to_list() == [1157, 50]
    assert after["ledger"].select("account", "realm_id", "kind", "amount", "hex_id").rows() == [
        ("treasury", 3, "levy", 7, 102),
        ("treasury", 3, "levy", 150, 101),
        ("credit", None, "income", 100, 104),
        ("credit", 3, "income", 100, 101),
        ("credit", 3, "levy", -150, 101),
        ("credit", 3, "levy", -7, 102),
    ]


def test_upkeep_is_paid_by_number_until_the_first_that_cannot_be_paid() -> None:
    units = armies(
        (3, 103, "Krieger", 1),  # 1 · 5 // 5 = 1, but 102 ended it
        (3, 102, "Reiter", 200),  # 200 · 10 // 5 = 400 of the 300 that are left
        (3, 101, "Krieger", 704),  # 704 · 5 // 5 = 704, more than the 700 of the treasury
        (3, 100, "Krieger", 700),
        (3, 99, "Krieger", 1000),  # captive
        (3, 98, "Held", 1000),  # costs nothing
        (4, 500, "Krieger", 50),
    )
    after = settled(empty("hexes"), units, LEVY_MONTH)
    assert after["realms"]["treasury"].to_list() == [300, 0]
    assert after["ledger"].select("account", "realm_id", "kind", "amount", "unit_id").rows() == [
        ("treasury", 3, "upkeep", -700, 4),
        ("treasury", 4, "upkeep", -50, 7),
    ]
    assert after["messages"].select("realm_id", "section", "unit_id", "text").rows() == [
        (3, "F", 3, "Heer 101 bekommt keinen Sold (704 Goldstück)."),
        (3, "F", 2, "Heer 102 bekommt keinen Sold (400 Goldstück)."),
        (3, "F", 1, "Heer 103 bekommt keinen Sold (1 Goldstück)."),
    ]


def test_neither_levy_nor_upkeep_without_the_switch_or_outside_the_levy_months() -> None:
    untouched = replace(LEVY_MONTH, switches=small_rules().switches)
    for rules in (COLLECT, untouched):
        after = settled(hexes((300, 50, None)), armies((3, 101, "Krieger", 100)), rules)
        assert after["hexes"]["credit"].to_list() == [150]
        assert after["realms"].equals(REALMS)
        assert after["ledger"]["kind"].to_list() == ["income"]
        assert after["messages"].is_empty()


@pytest.mark.parametrize("seed", range(3))
def test_gold_that_moves_in_a_levy_month_is_in_the_ledger(seed: int) -> None:
    rules = small_rules(treasury="collect", decisions="evaluate")
    given = frames(archipelago(seed, 40, rules))
    after = run_steps(given, PLAYED, rules, TURN)
    entries = after["ledger"]
    assert {"income", "levy", "upkeep", "plunder"} == set(entries["kind"])
    for account, table in (("treasury", "realms"), ("credit", "hexes")):
        booked = entries.filter(pl.col("account") == account)["amount"].to_list()
        before, now = (sum(tables[table][account].to_list()) for tables in (given, after))
        assert now - before == sum(booked)
    assert (after["realms"]["treasury"] >= 0).all()
    assert (after["hexes"]["credit"] >= 0).all()


def test_no_hexes() -> None:
    after = settled(empty("hexes"))
    assert after.pop("realms").equals(REALMS)
    assert all(frame.equals(empty(name)) for name, frame in after.items())
