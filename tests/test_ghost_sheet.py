"""The Excel file of a nation: what is in it, and that nothing else is."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from tests.ghost_world import centres, knowledge, rules, units
from transforms.diplomacy.sheet import own_rows, province_rows, workbook

POSITION = units(F="F Spa(nc), A Par", D="A Bur", GB="F Mat")
HELD = centres(F="Par, Mar", D="Mun")


def book(viewer: str = "FRANCE") -> bytes:
    known = knowledge(POSITION, HELD)
    provinces = province_rows(known, rules().names).filter(viewer=viewer).drop("viewer")
    own = own_rows(known, HELD, rules().names).filter(viewer=viewer).drop("viewer")
    return workbook(provinces, own)


def rows(sheet: str) -> list[tuple[str, ...]]:
    values = load_workbook(BytesIO(book()))[sheet].values
    return [tuple(cell or "" for cell in row) for row in values]


def test_sheet_gebiete() -> None:
    header, *lines = rows("Gebiete")
    assert header == ("Gebiet", "Name", "Status", "Nation", "Typ", "Küste")
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)
    by_place = {line[0]: line for line in lines}
    assert by_place["Spa"] == ("Spa", "Spanien", "eigene Einheit", "F", "F", "nc")
    assert by_place["Mat"] == ("Mat", "Mittelatlantik", "fremde Einheit", "GB", "F", "")
    assert by_place["Gas"] == ("Gas", "Gascogne", "frei", "", "", "")
    assert by_place["Mun"][2:] == ("keine landfremde Einheit", "", "", "")
    assert "Ber" not in by_place


def test_sheet_eigenes() -> None:
    assert rows("Eigenes") == [
        ("Art", "Gebiet", "Name", "Typ", "Küste"),
        ("Einheit", "Par", "Paris", "A", ""),
        ("Einheit", "Spa", "Spanien", "F", "nc"),
        ("VZ", "Mar", "Marseille", "", ""),
        ("VZ", "Par", "Paris", "", ""),
    ]


def test_equal_rows_give_equal_bytes() -> None:
    assert book() == book()


def test_nothing_tells_a_true_file_from_a_changed_one() -> None:
    content = load_workbook(BytesIO(book()))
    assert content.sheetnames == ["Gebiete", "Eigenes"]
    assert not content.properties.creator
    assert not content.properties.lastModifiedBy
    assert content.properties.created.year == content.properties.modified.year == 2000
    for sheet in content.worksheets:
        assert sheet.sheet_state == "visible"
        assert not sheet.protection.sheet
        cells = [cell for row in sheet.iter_rows() for cell in row if cell.value is not None]
        assert {cell.data_type for cell in cells} == {"s"}
        assert not any(cell.comment for cell in cells)
    assert not content.defined_names


@pytest.mark.parametrize("part", ["vba", "calc", "external", "custom", "comment", "link"])
def test_there_are_no_further_parts(part: str) -> None:
    names = ZipFile(BytesIO(book())).namelist()
    assert not [name for name in names if part in name.lower()]


def test_text_that_looks_like_a_formula_or_address_stays_text() -> None:
    import polars as pl

    from transforms.diplomacy.texts import SHEET_COLUMNS

    texts = ["=1+1", "http://example.org", "007", "", "", ""]
    columns = dict(zip(SHEET_COLUMNS["provinces"], ([text] for text in texts), strict=True))
    content = workbook(pl.DataFrame(columns), pl.DataFrame({"Art": ["Einheit"]}))
    row = next(iter(load_workbook(BytesIO(content))["Gebiete"].iter_rows(min_row=2)))
    assert [cell.value for cell in row[:3]] == texts[:3]
    assert {cell.data_type for cell in row[:3]} == {"s"}
