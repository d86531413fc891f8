"""The game master's log: what it says of corrections and fates."""

import polars as pl

from tests.test_state_checks import sound
from tests.worlds import small_rules, small_turn
from transforms.gamemaster import log_text
from transforms.schema import empty, shaped

TOLD = ("turn_info", "order_files", "order_lines", "trainings", "constructions", "fates")
BATTLE_TEXTS = pl.DataFrame(schema={"text": pl.String})


def log(corrections: list[tuple[str, str, str, str | None, str | None]]) -> list[str]:
    """The lines of the log of a turn with these corrections: table, key, column, old, new."""
    columns = ["table", "key", "column", "old", "new"]
    rows = pl.DataFrame(corrections, dict.fromkeys(columns, pl.String), orient="row")
    state = {name: shaped(name, pl.from_dicts(sound()[name])) for name in ("units", "realms")}
    turn = small_turn()
    info = {
        "turn": turn.number,
        "today": turn.today,
        "game_id": "spiel",
        **dict.fromkeys(("ruleset", "dice_message", "dice_digest", "next_commitment"), "x"),
    }
    tables = {
        **{name: empty(name) for name in TOLD},
        **state,
        "fallen": shaped("fallen", state["units"].filter(number=4)),
        "units": state["units"].filter(pl.col("number") != 4),
        "turn_info": shaped("turn_info", pl.DataFrame([info])),
        "fates": shaped("fates", pl.DataFrame({"unit_id": [4], "fate": ["dead"]})),
        "corrections": shaped("corrections", rows.with_columns(reason=pl.lit("Grund"))),
    }
    return log_text(tables, BATTLE_TEXTS, small_rules()).splitlines()


def test_corrections_name_units_and_hexes_as_readers_know_them() -> None:
    told = log(
        [
            ("units", "3", "hex_id", "10136", "10137"),
            ("units", "4", "hex_id", "101", None),
            ("units", "99", "*", "unit_id=99, hex_id=101", None),
            ("realms", "1", "capital_hex_id", "101", "20701"),
            ("hexes", "20714", "income", "1", "2"),
        ]
    )
    start = told.index("Korrekturen von Hand") + 1
    assert told[start : start + 5] == [
        "hexes 207/14, income: 1 → 2 (Grund)",
        "realms 1, capital_hex_id: 1/1 → 207/1 (Grund)",
        "Heer 3 von R2, hex_id: 101/36 → 101/37 (Grund)",
        "Heer 4 von R2, hex_id: 1/1 → – (Grund)",
        "units 99, *: unit_id=99, hex_id=101 → – (Grund)",
    ]
    assert "Heer 4 von R2: vernichtet" in told
