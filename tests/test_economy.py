"""Income of the hexes (source 1, 5.4)."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.worlds import TODAY, small_rules, small_turn
from transforms import economy
from transforms.schema import conform, empty, shaped

TURN = small_turn()


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
    tables = economy.accrue(
        hexes=hexes((income, credit, ravaged_until)), rules=small_rules(), turn=TURN
    )
    assert tables["hexes"]["credit"].to_list() == [after]
    assert tables["ledger"]["amount"].to_list() == ([after - credit] if after != credit else [])


def test_ledger_names_hex_and_owner() -> None:
    before = hexes((300, 0, None), (300, 0, None)).with_columns(
        realm_id=pl.Series([3, None], dtype=pl.UInt16)
    )
    ledger = economy.accrue(hexes=before, rules=small_rules(), turn=TURN)["ledger"]
    known = ledger.select("account", "realm_id", "kind", "amount", "hex_id")
    assert sorted(known.rows(), key=lambda row: row[-1]) == [
        ("credit", 3, "income", 100, 101),
        ("credit", None, "income", 100, 102),
    ]


def test_seven_turns_reach_the_cap_and_stay() -> None:
    state, credits = hexes((1000, 0, None)), []
    for _ in range(8):
        state = economy.accrue(hexes=state, rules=small_rules(), turn=TURN)["hexes"]
        credits.append(state["credit"][0])
    assert credits == [333, 666, 999, 1332, 1665, 1998, 2331, 2331]


def test_ledger_explains_every_change_in_any_order() -> None:
    before = hexes(
        *((n * 7 % 50, n * 13 % 90, (None, TODAY + 1)[n % 5 == 0]) for n in range(1, 48))
    )
    after = economy.accrue(hexes=before, rules=small_rules(), turn=TURN)
    change = after["hexes"]["credit"] - before["credit"]
    assert after["ledger"]["amount"].sum() == change.sum()
    assert after["ledger"].height == (change != 0).sum()
    again = economy.accrue(
        hexes=before.sample(fraction=1, shuffle=True, seed=1), rules=small_rules(), turn=TURN
    )
    for name, frame in after.items():
        assert_frame_equal(frame, conform(name, frame))
        assert_frame_equal(frame, again[name])


def test_no_hexes() -> None:
    after = economy.accrue(hexes=empty("hexes"), rules=small_rules(), turn=TURN)
    assert all(frame.equals(empty(name)) for name, frame in after.items())
