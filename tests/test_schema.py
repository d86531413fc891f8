"""The registry refuses what does not fit, names where, and keeps its page up to date."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms import schema
from transforms.errors import InputError
from transforms.schema.dictionary import data_dictionary

UNIT = {
    "unit_id": [1],
    "realm_id": [1],
    "number": [101],
    "unit_type": ["Krieger"],
    "troops": [10],
    "hex_id": [20714],
    "last_ashore": [0],
}


def unit(**changes) -> pl.DataFrame:
    return pl.DataFrame({**UNIT, **{column: [value] for column, value in changes.items()}})


def test_missing_columns_take_defaults_or_null():
    row = schema.conform("units", unit()).row(0, named=True)
    assert (row["leaders"], row["merit"], row["carrier_id"]) == (0, 0, None)
    assert schema.conform("units", unit()).schema == schema.schema_of("units")


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (unit(troops=-1), "troops|min"),
        (unit(troops="viele"), "row 1, column 'troops': 'viele' is not allowed"),
        (unit(unit_id=2**32 - 1), "unit_id|max"),
        (unit(carrier_id=7), "ashore_aboard_or_captive"),
        (unit(hex_id=None), "ashore_aboard_or_captive"),
        (unit(number=70_000), "row 1, column 'number': 70000"),
        (unit(realm_id=None), "realm_id"),
        (unit(trops=1), "unknown column 'trops' (did you mean 'troops'?)"),
        (unit().drop("troops"), "column 'troops' is missing"),
        (pl.concat([unit(), unit(number=102)]), "primary_key"),
        (pl.concat([unit(), unit(unit_id=2)]), "number_unique_in_realm"),
    ],
)
def test_bad_rows_are_one_line_that_says_what(frame, complaint):
    with pytest.raises(InputError) as error:
        schema.conform("units", frame, "units.csv")
    assert complaint in str(error.value)
    assert str(error.value).startswith("units.csv")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("column", "value", "found"),
    [
        ("troops", [5], "has type List"),
        ("troops", {"n": 5}, "has type Struct"),
        ("troops", True, "has type Boolean"),
        ("last_ashore", date(2026, 11, 30), "has type Date"),
        ("troops", b"5", "has type Binary"),
        ("unit_type", 5, "has type Int64"),
        ("troops", 5.5, "5.5 is not allowed"),
    ],
)
def test_a_column_of_another_kind_is_never_bent_to_fit(column, value, found):
    with pytest.raises(InputError, match=rf"units.parquet: column '{column}'.* {found}.*allowed"):
        schema.conform("units", unit(**{column: value}), "units.parquet")


@pytest.mark.parametrize("troops", ["10", 10.0])
def test_a_number_in_another_type_is_cast(troops):
    assert schema.conform("units", unit(troops=troops))["troops"].to_list() == [10]


def test_enums_are_accepted_as_plain_text_and_checked():
    loss = {"unit_id": [1], "troops_before": [5], "percent": [20], "losses": [1]}
    good = pl.DataFrame({**loss, "cause": ["standing"]})
    assert schema.conform("losses", good)["cause"].to_list() == ["standing"]
    with pytest.raises(InputError, match="allowed: standing, volcano"):
        schema.conform("losses", pl.DataFrame({**loss, "cause": ["hunger"]}))


def test_rows_leave_sorted_by_key():
    two = pl.concat([unit(unit_id=9, number=102), unit()])
    assert schema.shaped("units", two)["unit_id"].to_list() == [1, 9]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([1, 2]),
            st.sampled_from([0, 3]),
            st.sampled_from(["income", "levy"]),
            st.sampled_from([None, 5, 7]),
        ),
        max_size=5,
    ),
    st.booleans(),
)
def test_in_whatever_order_rows_come_they_leave_as_a_stable_sort_leaves_them(rows, in_order):
    columns = ["realm_id", "amount", "kind", "hex_id"]
    ledger = pl.DataFrame(rows, dict.fromkeys(columns), orient="row", strict=False)
    ledger = schema.filled("ledger", ledger.with_columns(account=pl.lit("treasury")))
    by_key = ledger.sort(schema.key_of("ledger"), nulls_last=False, maintain_order=True)
    assert schema.shaped("ledger", by_key if in_order else ledger).equals(by_key)


def test_every_column_is_described():
    missing = [
        f"{name}.{column}"
        for name, table in schema.TABLES.items()
        for column, spec in table.columns().items()
        if not spec.description
    ]
    assert not missing


def test_the_data_dictionary_is_up_to_date():
    page = Path(__file__).parent.parent / "docs" / "data-dictionary.md"
    assert page.read_text(encoding="utf-8") == data_dictionary()
