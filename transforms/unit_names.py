"""Units as people name them in a file: `112@ABC`, or the realm ABC and the number 112."""

import polars as pl

from transforms.cells import CellFile
from transforms.errors import nearest, unknown

UNIT_NAMES = ("unit", "realm")
"""Columns of units.csv in place of unit_id: `unit`, or `realm` beside `number`."""
_NAME = r"^(\d+)\s*@\s*(\S+)$"
_WAYS = "a unit is named by unit_id, by unit (112@ABC), or by realm and number: by one of these"


def with_unit_ids(
    rows: pl.DataFrame, units: pl.DataFrame, realms: pl.DataFrame, file: CellFile
) -> pl.DataFrame:
    """The rows of units.csv, cells as text, with `unit_id` in place of `UNIT_NAMES`.

    Names are those before the changes. Errors, with row and column: no name or two, a realm
    or a unit that is not there; a new unit has no name yet, it needs a unit_id.
    """
    if not set(UNIT_NAMES) & set(rows.columns):
        return rows
    lacking = [c for c in ("unit_id", *UNIT_NAMES, "number") if c not in rows.columns]
    named = rows.with_columns(pl.lit(None, pl.String).alias(c) for c in lacking).with_columns(
        ways=pl.sum_horizontal(pl.col("unit_id", *UNIT_NAMES).is_not_null()),
        of_number=pl.coalesce(
            pl.col("unit").str.extract(_NAME, 1),
            pl.when(pl.col("realm").is_not_null()).then("number"),
        ).cast(pl.Int64, strict=False),
        of_realm=pl.coalesce(pl.col("unit").str.extract(_NAME, 2), "realm")
        .str.normalize("NFC")
        .str.to_uppercase(),
    )
    known = units.join(realms.select("realm_id", of_realm="code"), on="realm_id").select(
        "of_realm",
        of_number=pl.col("number").cast(pl.Int64),
        found=pl.col("unit_id").cast(pl.String),
    )
    found = named.join(known, on=["of_realm", "of_number"], how="left", maintain_order="left")
    _refuse_unknown(found, known, realms["code"].drop_nulls().to_list(), file)
    unit_id = pl.coalesce("unit_id", "found").alias("unit_id")
    columns = [c for c in rows.columns if c not in ("unit_id", *UNIT_NAMES)]
    return found.select("row", unit_id, *(c for c in columns if c != "row"))


def _refuse_unknown(
    rows: pl.DataFrame, known: pl.DataFrame, codes: list[str], file: CellFile
) -> None:
    """The first row that does not name one unit that is there."""
    for row in rows.iter_rows(named=True):
        number, code = row["of_number"], row["of_realm"]
        column = "unit" if row["unit"] else "realm"
        if row["ways"] != 1:
            raise file.refused(row["row"], _WAYS)
        if row["unit"] and code is None:
            what = f"{row['unit']!r}; allowed: <number>@<CODE>, as 112@ABC"
            raise file.refused(row["row"], what, column)
        if code is not None and code not in codes:
            raise unknown(file.at(row["row"], column), "realm", code, codes)
        if code is not None and number is None:
            nothing = "is empty" if row["number"] is None else repr(row["number"])
            raise file.refused(row["row"], f"{nothing}; allowed: a number of {code}", "number")
        if code is not None and row["found"] is None:
            numbers = known.filter(of_realm=code)["of_number"].cast(pl.String)
            meant = nearest(str(number), numbers)
            hint = f" (did you mean {meant}@{code}?)" if meant else ""
            what = f"there is no unit {number}@{code}{hint}; allowed: a unit of {code}"
            raise file.refused(row["row"], what, column if row["unit"] else "number")
