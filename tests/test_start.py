"""Start tables become a world; every mistake in them names file, row and column."""

import re
from pathlib import Path

import polars as pl
import pytest

from flows.game import read_rules
from transforms import start
from transforms.errors import InputError
from transforms.rules import Rules
from transforms.start import make_world

TODAY = 414 * 12


@pytest.fixture(scope="module")
def rules() -> Rules:
    return read_rules(None, "promy2026", {}, where="test")


def cells(text: str) -> pl.DataFrame:
    """A start table as it is read: text cells, empty ones null, and the row."""
    header, *lines = [line.strip().split(",") for line in text.strip().splitlines()]
    columns = {name: [line[i] or None for line in lines] for i, name in enumerate(header)}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(header, pl.String))
    return frame.with_row_index("row", 2).with_columns(pl.col("row").cast(pl.UInt32))


TABLES = {
    "gf": "gf,n,no,so,s,sw,nw\n101,,,,102,,\n102,101,,,,,",
    "hexes": "gf,kf,height,terrain,realm,province,income\n"
    "101,44,Tiefland,Flur,NOR,1,\n101,45,Tiefland,Wald,,,77\n102,1,Wasser,Flachsee,,,",
    "rivers": "gf,kf,direction\n101,45,W",
    "realms": "code,name,capital_gf,capital_kf,treasury\nnor,Nordmark,101,44,500\nSUD,Süd,,,",
    "alliances": "realm,ally\nNOR,SUD",
    "atlas": "realm,gf,kf\nSUD,101,44",
    "buildings": "realm,building_type,gf,kf,direction,completed_on,name\n"
    "NOR,BRG,101,44,,Siwan 414,Fels\nNOR,STR,101,44,o,,",
    "units": "realm,number,unit_type,troops,gf,kf,aboard,captor,months_aboard,home_province\n"
    "SUD,101,Krieger,900,101,45,,,,\nNOR,301,Schiff,10,102,1,,,,\n"
    "NOR,101,Krieger,500,,,301,,2,1\nSUD,102,Krieger,50,,,,101@nor,,",
}


def world(rules: Rules, **changed: str | None) -> start.World:
    texts = {name: text for name, text in (TABLES | changed).items() if text is not None}
    return make_world({name: cells(text) for name, text in texts.items()}, rules, TODAY)


def test_hexes_get_ids_incomes_and_positions(rules: Rules) -> None:
    hexes = world(rules).state["hexes"]
    assert hexes.select("hex_id", "realm_id", "income").rows() == [
        (10144, 1, 3000),  # Tiefland-Flur
        (10145, None, 77),  # as written
        (10201, None, 0),
    ]
    assert hexes.select("q", "r").is_unique().all()


def test_the_map_follows_from_the_großfelder(rules: Rules) -> None:
    neighbours = world(rules).map["neighbours"].rows()
    assert neighbours == [
        (10144, 2, 10145),
        (10144, 3, 10201),
        (10145, 4, 10201),
        (10145, 5, 10144),
        (10201, 0, 10144),
        (10201, 1, 10145),
    ]
    assert world(rules).map["rivers"].rows() == [(10144, 10145)]


def test_units_are_numbered_by_realm_and_refer_to_each_other(rules: Rules) -> None:
    units = world(rules).state["units"]
    assert units.select("unit_id", "realm_id", "number").rows() == [
        (1, 1, 101),
        (2, 1, 301),
        (3, 2, 101),
        (4, 2, 102),
    ]
    assert units["carrier_id"].to_list() == [2, None, None, None]
    assert units["captor_id"].to_list() == [None, None, None, 1]
    assert units["last_ashore"].to_list() == [TODAY - 2, TODAY, TODAY, TODAY]
    assert units["home_province_id"].to_list() == [1, None, None, None]


def test_the_rest_of_the_state(rules: Rules) -> None:
    state = world(rules).state
    assert state["realms"].select("code", "treasury", "capital_hex_id").rows() == [
        ("NOR", 500, 10144),
        ("SUD", 0, None),
    ]
    assert state["alliances"].rows() == [(1, 2), (2, 1)]
    assert state["atlas"].rows() == [(2, 10144, 0, 0)]
    assert state["counters"].rows() == [("unit", 5), ("building", 3)]
    buildings = state["buildings"].select("building_type", "direction", "completed_on")
    assert buildings.rows() == [("BRG", None, TODAY + 2), ("STR", 2, None)]


def test_only_map_and_realms_are_needed(rules: Rules) -> None:
    bare = world(rules, rivers=None, alliances=None, atlas=None, buildings=None, units=None).state
    assert [bare[name].height for name in ("units", "buildings", "alliances", "atlas")] == [0] * 4


def test_given_positions_are_kept(rules: Rules) -> None:
    hexes = "gf,kf,height,terrain,q,r\n101,44,Tiefland,Flur,3,-4\n101,45,Tiefland,Flur,4,-4"
    kept = world(rules, hexes=hexes, rivers=None, units=None, atlas=None, buildings=None)
    assert kept.state["hexes"].select("q", "r").rows() == [(3, -4), (4, -4)]


HEXES = TABLES["hexes"]
UNITS = TABLES["units"].partition("\n")[0]
WRONG = [
    ("gf", None, "gf.csv is missing; it needs the columns gf, n, no"),
    ("gf", "gf,n,no,so,s,sw\n101,,,,,", "gf.csv: column 'nw' is missing"),
    ("gf", "gf,n,no,so,s,sw,nw\n101,,,,102,,\n102,,,,,,", "gf.csv: row 2: 101 has 102 in the S"),
    ("gf", "gf,n,no,so,s,sw,nw\n101,,,,109,,", "gf.csv: row 2, column s: 109; allowed: a Groß"),
    ("gf", "gf,n,no,so,s,sw,nw\n101,,,,,,\n101,,,,,,", "row 3, column gf: 101; stands there twice"),
    ("gf", "gf,n,no,so,s,sw,nw\n99999999,,,,,,", "column gf: 99999999; allowed: 1 to 42949672"),
    (
        "hexes",
        "gf,kf,height,terrain\n101,49,Tiefland,Flur",
        "row 2, column kf: 49; allowed: 1 to 48",
    ),
    ("hexes", HEXES + "\n103,1,Tiefland,Flur,,,", "hexes.csv: row 5, column gf: 103; allowed"),
    ("hexes", HEXES + "\n101,1,Tifland,Flur,,,", "row 5: unknown height 'Tifland' (did you mean"),
    ("hexes", HEXES + "\n101,1,Tiefland,Flur,OST,,", "row 5: unknown realm 'OST'"),
    ("hexes", HEXES + "\n101,44,Tiefland,Flur,,,", "row 5, column kf: 44; is there twice"),
    ("hexes", HEXES + "\n101,2,Tiefland,Flur,,,viel", "column income: 'viel'; a whole number"),
    (
        "rivers",
        "gf,kf,direction\n102,1,O",
        "rivers.csv: row 2, column direction: 2; there is no hex",
    ),
    ("rivers", "gf,kf,direction\n102,1,N", "rivers.csv: row 2: unknown direction 'N'"),
    ("realms", "code,name\nNOR,a\nnor,b", "realms.csv: row 3, column code: 'NOR'; is there twice"),
    (
        "realms",
        "code,name\nNOR,a\nSUD,S\u00fcd\x1b[2J",
        r"row 3, column name: 'Süd\x1b[2J'; allowed",
    ),
    ("realms", "code,name\nN\tR,a", r"realms.csv: row 2, column code: 'N\tR'; allowed: text with"),
    ("realms", "code,name,ruler\nNOR,a,E\x00va", r"row 2, column ruler: 'E\x00va'; allowed: text"),
    ("realms", "code,name,capital\nNOR,a,\u202eab", r"column capital: '\u202eab'; allowed: text"),
    (
        "buildings",
        "realm,building_type,gf,kf,name\nNOR,BRG,101,44,Fels\x07",
        r"buildings.csv: row 2, column name: 'Fels\x07'; allowed: text without control",
    ),
    ("alliances", "realm,ally\nNOR,NOR", "alliances.csv: row 2, column ally: 'NOR'; a realm is"),
    (
        "buildings",
        "realm,building_type,gf,kf\nNOR,BURG,101,44",
        "row 2: unknown building_type 'BURG'",
    ),
    (
        "buildings",
        "realm,building_type,gf,kf\nNOR,STR,101,44",
        "column direction: is empty; an edge",
    ),
    (
        "buildings",
        "realm,building_type,gf,kf,completed_on\nNOR,BRG,101,44,Mai 414",
        "row 2, column completed_on: 'Mai 414'; a date like Nisan 414; months: Nisan, Ijjar",
    ),
    ("units", f"{UNITS}\nNOR,101,Krieger,5,101,9,,,,", "row 2, column kf: 9; there is no such hex"),
    ("units", f"{UNITS}\nNOR,101,Krieger,5,,,,,,", "column gf: is empty; a unit is on a hex or"),
    ("units", f"{UNITS}\nNOR,101,Krieger,5,101,44,7,,,", "a unit is on a hex or aboard or captive"),
    ("units", f"{UNITS}\nNOR,101,Krieger,5,,,9,,,", "column aboard: '9'; there is no such unit"),
    ("units", f"{UNITS}\nNOR,101,Krieger,-5,101,44,,,,", "column troops: '-5'; a whole number"),
    (
        "units",
        f"{UNITS}\nNOR,101,Kreiger,5,101,44,,,,",
        "unknown unit_type 'Kreiger' (did you mean",
    ),
]


@pytest.mark.parametrize(("table", "text", "message"), WRONG)
def test_mistakes_name_file_row_and_column(
    rules: Rules, table: str, text: str | None, message: str
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        world(rules, **{table: text})


def test_the_order_of_rows_does_not_matter(rules: Rules) -> None:
    forward = world(rules)
    shuffled = dict(TABLES)
    for name in ("gf", "hexes", "units"):
        header, *lines = TABLES[name].splitlines()
        shuffled[name] = "\n".join([header, *reversed(lines)])
    backward = world(rules, **shuffled)
    for name, frame in (forward.state | forward.map).items():
        assert (backward.state | backward.map)[name].equals(frame), name


def test_the_shipped_columns_are_documented() -> None:
    """Every start table of the demo uses only documented columns."""
    folder = Path(__file__).parents[1] / "data" / "games" / "beispiel" / "start"
    for path in folder.glob("*.csv"):
        header = path.read_text(encoding="utf-8").partition("\n")[0].split(",")
        assert set(header) <= set(start.columns_of(path.stem))
