"""Corrections by hand: what changes, what is written down, what is refused."""

from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.test_state_checks import Rows, sound
from tests.worlds import TODAY, small_rules, small_turn
from transforms import corrections
from transforms.errors import InputError
from transforms.schema import conform, empty, shaped

Files = dict[str, list[dict[str, str | None]]]
CORRECTABLE = ("units", "buildings", "realms", "alliances", "hexes")


def state(rows: Rows | None = None) -> dict[str, pl.DataFrame]:
    rows = rows or sound()
    return {
        name: shaped(name, pl.from_dicts(rows[name], infer_schema_length=None))
        for name in CORRECTABLE
    }


def edits(files: Files) -> pl.DataFrame:
    """The cells of files as intake reads them: every column of the header in every row."""
    cells = [
        {"table": table, "row": number, "column": column, "value": row.get(column)}
        for table, rows in files.items()
        for number, row in enumerate(rows, start=2)
        for column in dict.fromkeys(c for other in rows for c in other)
    ]
    return shaped("gm_edits", pl.DataFrame(cells, infer_schema_length=None))


def correct(files: Files, before: dict[str, pl.DataFrame] | None = None) -> dict[str, pl.DataFrame]:
    return corrections.apply(
        gm_edits=edits(files), **(before or state()), rules=small_rules(), turn=small_turn()
    )


def log(tables: dict[str, pl.DataFrame]) -> list[tuple[Any, ...]]:
    return tables["corrections"].rows()


def test_without_corrections_nothing_changes() -> None:
    before = state()
    after = corrections.apply(
        gm_edits=empty("gm_edits"), **before, rules=small_rules(), turn=small_turn()
    )
    assert after["corrections"].equals(empty("corrections"))
    assert all(after[name].equals(before[name]) for name in CORRECTABLE)


def test_only_named_columns_change_and_only_changes_are_logged() -> None:
    row = {"unit_id": "2", "troops": "12", "merit": "0", "reason": "verzählt"}
    after = correct({"units": [row]})
    assert log(after) == [("units", "2", "troops", "15", "12", "verzählt")]
    expected = state()["units"].with_columns(
        troops=pl.when(pl.col("unit_id") == 2).then(12).otherwise("troops").cast(pl.Int64)
    )
    assert_frame_equal(after["units"], expected)


def test_an_empty_cell_is_null_where_null_is_allowed_and_else_keeps_the_value() -> None:
    row = {
        "unit_id": "2",
        "hex_id": "102",
        "carrier_id": None,
        "troops": None,
        "reason": "ans Ufer",
    }
    after = correct({"units": [row]})
    assert after["units"].row(1, named=True) | {
        "hex_id": 102,
        "carrier_id": None,
        "troops": 15,
    } == (after["units"].row(1, named=True))
    assert log(after) == [
        ("units", "2", "carrier_id", "1", None, "ans Ufer"),
        ("units", "2", "hex_id", None, "102", "ans Ufer"),
    ]


def test_a_new_unit_takes_defaults() -> None:
    new = {"unit_id": "50", "realm_id": "2", "number": "7", "unit_type": "Held", "troops": "1"}
    after = correct({"units": [new | {"hex_id": "101", "reason": "Questlohn"}]})
    row = after["units"].row(-1, named=True)
    assert row["unit_id"] == 50
    assert row["last_ashore"] == TODAY
    assert row["merit"] == row["leaders"] == row["elite_combat"] == 0
    assert row["captor_id"] is row["home_province_id"] is None
    table, key, column, old, text, reason = log(after)[0]
    assert (table, key, column, old, reason) == ("units", "50", "*", None, "Questlohn")
    assert "unit_type=Held, troops=1, leaders=0" in text


@pytest.mark.parametrize("true", ["TRUE", "true", "WAHR", "ja", "1"])
def test_delete_removes_a_row(true: str) -> None:
    row = {"building_id": "1", "delete": true, "reason": "Erdbeben"}
    after = correct({"buildings": [row]})
    assert after["buildings"]["building_id"].to_list() == [2]
    assert log(after) == [
        (
            "buildings",
            "1",
            "*",
            "building_id=1, realm_id=1, building_type=TRM, hex_id=101, damage=0.0",
            None,
            "Erdbeben",
        )
    ]


def test_an_alliance_ends_and_another_begins() -> None:
    rows = [
        {"realm_id": "1", "ally_id": "2", "delete": "true", "reason": "Verrat"},
        {"realm_id": "2", "ally_id": "1", "delete": "true", "reason": "Verrat"},
        {"realm_id": "1", "ally_id": "3", "delete": "false", "reason": "Heirat"},
        {"realm_id": "3", "ally_id": "1", "delete": None, "reason": "Heirat"},
    ]
    after = correct({"alliances": rows})
    assert after["alliances"].rows() == [(1, 3), (3, 1)]
    assert log(after)[0] == ("alliances", "1/2", "*", "realm_id=1, ally_id=2", None, "Verrat")
    assert log(after)[1] == ("alliances", "1/3", "*", None, "realm_id=1, ally_id=3", "Heirat")


def test_corrections_of_several_tables_may_need_each_other() -> None:
    after = correct(
        {
            "realms": [{"realm_id": "4", "code": "NEU", "reason": "Aufstand"}],
            "hexes": [{"hex_id": "102", "realm_id": "4", "income": "300", "reason": "Aufstand"}],
            "buildings": [{"building_id": "1", "damage": "2,5", "reason": "Aufstand"}],
        }
    )
    assert after["hexes"].filter(pl.col("hex_id") == 102)["realm_id"].to_list() == [4]
    assert after["buildings"]["damage"].to_list() == [2.5, 0.0]
    assert after["realms"].height == 4
    for name, frame in after.items():
        assert_frame_equal(frame, conform(name, frame))


OK = {"unit_id": "2", "reason": "x"}
WRONG: list[tuple[str, list[dict[str, str | None]], str]] = [
    (
        "unit",
        [OK],
        "orders/1/gm: unknown table 'unit' (did you mean 'units'?); allowed: units, buildings",
    ),
    ("units", [OK | {"trops": "5"}], "unknown column 'trops' (did you mean 'troops'?); allowed: "),
    ("units", [{"unit_id": "2", "troops": "5"}], "column 'reason' is missing"),
    (
        "units",
        [{"troops": "5", "reason": "x"}],
        "column 'unit_id', or 'unit', or 'realm' and 'number', is missing",
    ),
    ("units", [OK, OK | {"unit_id": "3", "reason": None}], "row 3, column reason: is empty"),
    ("units", [OK, OK | {"unit_id": None}], "row 3, column unit_id: is empty"),
    ("units", [OK, {"unit_id": "3", "reason": "x"}, OK], "rows 2 and 4 have the same key"),
    (
        "units",
        [OK | {"troops": "viele"}],
        "row 2, column troops: 'viele'; allowed: a number, at least 0, ",
    ),
    ("units", [OK | {"troops": "-1"}], "row 2, column troops: '-1'; allowed"),
    ("units", [OK | {"troops": "1.5"}], "row 2, column troops: '1.5'; allowed"),
    ("units", [OK | {"number": "65536"}], "'65536'; allowed: a number, at least 0, at most 65535"),
    (
        "buildings",
        [{"building_id": "1", "damage": "nan", "reason": "x"}],
        "row 2, column damage: 'nan'",
    ),
    ("buildings", [{"building_id": "2", "direction": "6", "reason": "x"}], "at least 0, at most 5"),
    (
        "realms",
        [{"realm_id": "1", "name": "A\x1b", "reason": "x"}],
        r"column name: 'A\x1b'; allowed",
    ),
    (
        "buildings",
        [{"building_id": "1", "name": "\u200b", "reason": "x"}],
        r"'\u200b'; allowed: text",
    ),
    ("units", [OK | {"delete": "weg"}], "row 2, column delete: 'weg'; allowed: true, false"),
    ("units", [OK | {"unit_id": "60", "delete": "true"}], "row 2: unit_id=60 is not there"),
    ("units", [OK | {"unit_id": "60", "troops": "1"}], "row 2: a new row needs realm_id"),
    (
        "units",
        [OK | {"unit_type": "Kriger"}],
        "row 2, column unit_type: unknown unit_type 'Kriger' (did you mean",
    ),
    (
        "units",
        [OK, {"unit_id": "1", "reason": "x", "hex_id": "105"}],
        "row 3, column hex_id: unknown hex_id 105",
    ),
    (
        "hexes",
        [{"hex_id": "101", "terrain": "Flor", "reason": "x"}],
        "row 2, column terrain: unknown terrain",
    ),
    ("units", [OK | {"hex_id": "101"}], "row 2: the rule 'ashore_aboard_or_captive' is broken"),
    ("alliances", [{"realm_id": "1", "ally_id": "1", "reason": "x"}], "rule 'not_with_itself'"),
    ("hexes", [{"hex_id": "101", "delete": "true", "reason": "x"}], "row 2: the map is fixed"),
    ("units", [OK | {"unit_id": "4294967295"}], "column unit_id: '4294967295'; allowed: a number"),
    ("hexes", [{"hex_id": "101", "kf": "2", "reason": "x"}], "rule 'hex_id_is_gf_kf'"),
]


@pytest.mark.parametrize(("table", "rows", "message"), WRONG)
def test_a_bad_cell_is_refused_with_file_and_row(
    table: str, rows: list[dict[str, str | None]], message: str
) -> None:
    with pytest.raises(InputError) as refused:
        correct({table: rows})
    text = str(refused.value)
    assert message in text
    assert table == "unit" or text.startswith(f"orders/1/gm/{table}.csv: ")
    assert "\n" not in text


NAMED: list[tuple[dict[str, str | None], str]] = [
    ({"unit": "3@R2"}, "3"),
    ({"unit": "003 @ r2"}, "3"),
    ({"realm": "R2", "number": "3"}, "3"),
    ({"realm": "äöü", "number": "2"}, "2"),
    ({"realm": "a\u0308o\u0308u\u0308", "number": "2"}, "2"),  # as macOS writes it
    ({"unit_id": "3", "unit": None}, "3"),
    ({"unit_id": None, "realm": "R2", "number": "3"}, "3"),
]


@pytest.mark.parametrize(("name", "unit_id"), NAMED)
def test_a_unit_is_named_as_people_do(name: dict[str, str | None], unit_id: str) -> None:
    by_id = correct({"units": [{"unit_id": unit_id, "troops": "7", "reason": "x"}]})
    named = correct({"units": [name | {"troops": "7", "reason": "x"}]})
    for table, frame in by_id.items():
        assert_frame_equal(frame, named[table])


def test_a_named_unit_gets_another_number_realm_or_none() -> None:
    rows = [
        {"unit": "3@R2", "number": "9", "delete": None, "reason": "x"},
        {"unit": "4@R2", "number": None, "delete": "ja", "reason": "x"},
    ]
    after = correct({"units": rows})["units"]
    assert after.filter(unit_id=3)["number"].item() == 9
    assert after["unit_id"].to_list() == [1, 2, 3]


@pytest.mark.parametrize("written", ["1/02", "1/2", "1 / 2", "102"])
def test_a_hex_is_named_as_reports_name_it(written: str) -> None:
    rows: Files = {
        "units": [{"unit_id": "1", "hex_id": written, "reason": "x"}],
        "realms": [{"realm_id": "1", "capital_hex_id": written, "reason": "x"}],
        "hexes": [{"hex_id": written, "income": "77", "reason": "x"}],
    }
    after = correct(rows)
    assert after["units"].filter(unit_id=1)["hex_id"].item() == 102
    assert after["realms"].filter(realm_id=1)["capital_hex_id"].item() == 102
    assert after["hexes"].filter(income=77)["hex_id"].to_list() == [102]


@pytest.mark.parametrize("written", ["1/", "/2", "1/2/3", "1/123", "1-2", "99999999/01"])
def test_what_is_no_hex_is_refused_with_both_forms(written: str) -> None:
    with pytest.raises(InputError) as refused:
        correct({"units": [{"unit_id": "3", "hex_id": written, "reason": "x"}]})
    told = f"row 2, column hex_id: {written!r}; allowed: a number, at least 0, at most 4294967295"
    assert str(refused.value).endswith(told + ", or a hex as 207/14")


MISNAMED: list[tuple[dict[str, str | None], str]] = [
    ({"unit": "3@R9"}, "row 2, column unit: unknown realm 'R9'; allowed: ÄÖÜ"),
    ({"unit": "5@R2"}, "row 2, column unit: there is no unit 5@R2; allowed: a unit of R2"),
    ({"unit": "33@R2"}, "there is no unit 33@R2 (did you mean 3@R2?); allowed: a unit of R2"),
    ({"unit": "R2 3"}, "row 2, column unit: 'R2 3'; allowed: <number>@<CODE>, as 112@ABC"),
    ({"unit": None}, "row 2: a unit is named by unit_id, by unit (112@ABC), or by realm and"),
    ({"unit": "3@R2", "unit_id": "3"}, "row 2: a unit is named by"),
    ({"unit": "3@R2", "realm": "R2"}, "row 2: a unit is named by"),
    ({"realm": "R2"}, "row 2, column number: is empty; allowed: a number of R2"),
    ({"realm": "R2", "number": "drei"}, "row 2, column number: 'drei'; allowed: a number of R2"),
    ({"realm": "R2", "number": "7"}, "row 2, column number: there is no unit 7@R2"),
    ({"realm": "R3", "number": "3"}, "row 2, column realm: unknown realm 'R3'"),
]


@pytest.mark.parametrize(("name", "message"), MISNAMED)
def test_a_wrong_name_is_refused(name: dict[str, str | None], message: str) -> None:
    with pytest.raises(InputError) as refused:
        correct({"units": [name | {"troops": "7", "reason": "x"}]})
    assert str(refused.value).startswith("orders/1/gm/units.csv: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_one_unit_by_two_names_is_there_twice() -> None:
    rows = [
        {"unit_id": "3", "unit": None, "reason": "x"},
        {"unit_id": None, "unit": "3@R2", "reason": "x"},
    ]
    with pytest.raises(InputError, match="rows 2 and 3 have the same key"):
        correct({"units": rows})


@pytest.mark.parametrize(
    ("table", "row", "message"),
    [
        ("units", {"unit_id": "1", "delete": "true"}, "unit_id=2: unknown carrier_id 1"),
        ("units", {"unit_id": "2", "number": "1"}, "number 1 stands more than once"),
        ("realms", {"realm_id": "2", "delete": "true"}, "unknown realm_id 2"),
        ("realms", {"realm_id": "2", "code": "nul"}, "code 'nul'; allowed"),
        ("alliances", {"realm_id": "1", "ally_id": "3"}, "one-way alliance"),
    ],
)
def test_the_corrected_state_must_be_sound(table: str, row: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        correct({table: [row | {"reason": "x"}]})


def test_the_order_of_the_rows_does_not_matter() -> None:
    files: Files = {
        "units": [{"unit_id": str(n), "merit": str(n), "reason": f"Nr. {n}"} for n in (3, 1, 2)],
        "realms": [{"realm_id": "1", "treasury": "5", "reason": "x"}],
    }
    before, given = state(), edits(files)
    after = correct(files)
    again = corrections.apply(
        gm_edits=given.sample(fraction=1, shuffle=True, seed=5),
        **{n: frame.sample(fraction=1, shuffle=True, seed=6) for n, frame in before.items()},
        rules=small_rules(),
        turn=small_turn(),
    )
    for name, frame in after.items():
        assert_frame_equal(frame, again[name])
    assert [row[1] for row in log(after)] == ["1", "1", "2", "3"]
