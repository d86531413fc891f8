"""The Excel file of a nation: two sheets of plain text cells, the same bytes for the same rows.

Nothing in it tells a file as it was sent from one that somebody has changed: no protection, no
hidden sheet, no author, a fixed date.
"""

from datetime import datetime
from io import BytesIO

import polars as pl

from transforms.diplomacy.german import Names
from transforms.diplomacy.texts import SHEET_COLUMNS, SHEETS, STATUS

_CREATED = datetime(2000, 1, 1)
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


def province_rows(knowledge: pl.DataFrame, names: Names) -> pl.DataFrame:
    """Sheet Gebiete of every viewer: viewer and six text columns, by abbreviation."""
    columns = SHEET_COLUMNS["provinces"]
    texts = (
        names.abbr(),
        names.name(),
        pl.col("status").cast(pl.String).replace(STATUS),
        names.code(),
        pl.col("unit_type").cast(pl.String),
        pl.col("coast").cast(pl.String).str.to_lowercase(),
    )
    return _texts(knowledge.select("viewer", **dict(zip(columns, texts, strict=True))), columns[0])


def own_rows(knowledge: pl.DataFrame, centres: pl.DataFrame, names: Names) -> pl.DataFrame:
    """Sheet Eigenes of every viewer: its units, then its centres, by abbreviation."""
    columns = SHEET_COLUMNS["own"]
    units = knowledge.filter(status="own").with_columns(art=pl.lit(SHEETS["unit"]))
    held = centres.drop_nulls("nation").select(
        "province", viewer="nation", art=pl.lit(SHEETS["centre"])
    )
    rows = pl.concat([units, held], how="diagonal")
    texts = (
        pl.col("art"),
        names.abbr(),
        names.name(),
        pl.col("unit_type").cast(pl.String),
        pl.col("coast").cast(pl.String).str.to_lowercase(),
    )
    named = rows.select("viewer", **dict(zip(columns, texts, strict=True)))
    return _texts(named, columns[0], columns[1])


def workbook(provinces: pl.DataFrame, own: pl.DataFrame) -> bytes:
    """The .xlsx of one nation from its rows of the two sheets, without the column viewer."""
    from xlsxwriter import Workbook  # here, since most commands never need it

    file = BytesIO()
    with Workbook(file, _OPTIONS) as book:
        book.set_properties({"created": _CREATED, "author": ""})
        for name, rows in ((SHEETS["provinces"], provinces), (SHEETS["own"], own)):
            sheet = book.add_worksheet(name)
            for number, row in enumerate([rows.columns, *rows.iter_rows()]):
                for column, text in enumerate(row):
                    if text:
                        sheet.write_string(number, column, text)
    return file.getvalue()


def _texts(rows: pl.DataFrame, *order: str) -> pl.DataFrame:
    return rows.fill_null("").sort("viewer", *order)
