"""Start states that contradict themselves: every kind of error is found and named."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from tests.worlds import TODAY, small_rules
from transforms.errors import InputError
from transforms.schema import shaped
from transforms.state_checks import check_state

Rows = dict[str, list[dict[str, Any]]]
RULES = small_rules()


def unit(unit_id: int, **more: Any) -> dict[str, Any]:
    row = {"realm_id": 1, "number": unit_id, "unit_type": "Krieger", "troops": 9}
    place = {} if {"carrier_id", "captor_id"} & more.keys() else {"hex_id": 101}
    return {"unit_id": unit_id, "last_ashore": TODAY} | row | place | more


def sound() -> Rows:
    """Two allied realms on two hexes; a ship with passengers, a captive, a tower and a wall."""
    hexes = [
        {"hex_id": 100 + kf, "gf": 1, "kf": kf, "q": kf, "r": 0, "height": "Ebene"}
        | {"terrain": "Flur", "realm_id": 1 if kf == 1 else None}
        for kf in (1, 2)
    ]
    return {
        "hexes": hexes,
        "realms": [
            {"realm_id": 1, "code": "ÄÖÜ", "name": "A", "capital_hex_id": 101},
            {"realm_id": 2, "code": "R2"},
            {"realm_id": 3, "code": None},
        ],
        "alliances": [{"realm_id": 1, "ally_id": 2}, {"realm_id": 2, "ally_id": 1}],
        "units": [
            unit(1, unit_type="Schiff", troops=1),
            unit(2, carrier_id=1, troops=15),
            unit(3, realm_id=2, carrier_id=1, troops=5),
            unit(4, realm_id=2, captor_id=2),
        ],
        "buildings": [
            {"building_id": 1, "realm_id": 1, "building_type": "TRM", "hex_id": 101},
            {"building_id": 2, "realm_id": 1, "building_type": "WAL", "hex_id": 101}
            | {"direction": 2},
        ],
        "neighbours": [
            {"hex_id": 101, "direction": 2, "neighbour_id": 102},
            {"hex_id": 102, "direction": 5, "neighbour_id": 101},
        ],
        "rivers": [{"hex_a": 101, "hex_b": 102}],
        "sight": [{"realm_id": 1, "hex_id": 102}],
        "atlas": [{"realm_id": 1, "hex_id": 102, "first_seen": 0, "last_seen": 0}],
    }


def check(rows: Rows) -> list[str]:
    tables = {
        name: shaped(name, pl.from_dicts(given, infer_schema_length=None))
        for name, given in rows.items()
        if given
    }
    return check_state(tables, RULES)


def test_a_sound_state_passes_with_and_without_its_map() -> None:
    assert check(sound()) == []
    assert (
        check({n: rows for n, rows in sound().items() if n not in ("neighbours", "rivers")}) == []
    )
    assert check_state({}, RULES) == []


# table, index of the row, what is changed in it, what the error says
WRONG: list[tuple[str, int, dict[str, Any], str]] = [
    ("units", 1, {"hex_id": 101}, "unit_id=2: hex_id=101, carrier_id=1, captor_id=None; allowed"),
    ("units", 0, {"hex_id": None}, "unit_id=1: hex_id=None"),
    ("units", 1, {"number": 1}, "unit_id=1: number 1 stands more than once in realm 1"),
    ("units", 1, {"carrier_id": 77}, "unit_id=2: unknown carrier_id 77"),
    ("units", 3, {"captor_id": 77}, "unit_id=4: unknown captor_id 77"),
    ("units", 0, {"hex_id": None, "captor_id": 3}, "unit_id=2: its carrier 1 is captive"),
    ("units", 0, {"unit_type": "Held"}, "unit_id=2: its carrier 1 is no ship"),
    ("units", 0, {"hex_id": None, "carrier_id": 1}, "unit_id=1: it sails in a circle"),
    ("units", 3, {"realm_id": 1}, "unit_id=4: its captor 2 is of its own realm"),
    ("units", 1, {"carrier_id": None, "captor_id": 3}, "unit_id=4: its captor 2 is captive"),
    ("units", 0, {"unit_type": "Schif"}, "unknown unit_type 'Schif' (did you mean 'Schiff'?)"),
    ("units", 0, {"realm_id": 9}, "unit_id=1: unknown realm_id 9"),
    ("units", 0, {"hex_id": 105}, "unit_id=1: unknown hex_id 105; allowed: a hex_id of hexes"),
    ("hexes", 0, {"height": "Eben"}, "hex_id=101: unknown height 'Eben'"),
    ("hexes", 0, {"terrain": "{x}"}, "hex_id=101: unknown terrain '{x}'"),
    ("hexes", 0, {"realm_id": 9}, "hex_id=101: unknown realm_id 9"),
    ("buildings", 0, {"building_type": "XYZ"}, "building_id=1: unknown building_type 'XYZ'"),
    ("buildings", 0, {"realm_id": 9}, "building_id=1: unknown realm_id 9"),
    ("buildings", 0, {"hex_id": 105}, "building_id=1: unknown hex_id 105"),
    ("buildings", 0, {"direction": 2}, "building_id=1: TRM has direction 2; allowed: none"),
    ("buildings", 1, {"direction": None}, "building_id=2: WAL has no direction"),
    ("buildings", 1, {"direction": 3}, "building_id=2: hex 101 has no neighbour in direction 3"),
    ("realms", 0, {"capital_hex_id": 105}, "realm_id=1: unknown capital_hex_id 105"),
    ("realms", 0, {"code": "alt"}, "realm_id=1: code 'alt'; allowed: 1 to 8"),
    ("realms", 0, {"code": ""}, "realm_id=1: code ''"),
    ("realms", 0, {"code": "NEUNLANGE"}, "realm_id=1: code 'NEUNLANGE'"),
    ("realms", 0, {"code": "A\n"}, "realm_id=1: code 'A\\n'"),
    ("realms", 0, {"name": "A\x1b[2J"}, r"realm_id=1: name 'A\x1b[2J'; allowed: text without"),
    ("realms", 1, {"ruler": "E\nva"}, r"realm_id=2: ruler 'E\nva'; allowed: text without"),
    ("realms", 1, {"capital": "\u202eab"}, r"realm_id=2: capital '\u202eab'; allowed"),
    ("buildings", 0, {"name": "Fels\x07"}, r"building_id=1: name 'Fels\x07'; allowed"),
    ("realms", 0, {"code": "LPT1"}, "realm_id=1: code 'LPT1' is the name of a device"),
    ("realms", 0, {"code": "R2"}, "realm_id=1: code 'R2' stands more than once"),
    ("alliances", 0, {"ally_id": 3}, "realm_id=1, ally_id=3: one-way alliance"),
    ("alliances", 0, {"ally_id": 9}, "unknown ally_id 9"),
    ("neighbours", 0, {"direction": 1}, "hex 102 does not lead back to 101"),
    ("neighbours", 0, {"neighbour_id": 105}, "unknown neighbour_id 105"),
    ("rivers", 0, {"hex_b": 103}, "101 and 103 are no neighbours"),
    ("rivers", 0, {"hex_b": 103}, "unknown hex_b 103"),
    ("sight", 0, {"hex_id": 105}, "unknown hex_id 105"),
    ("atlas", 0, {"realm_id": 9}, "unknown realm_id 9"),
]


@pytest.mark.parametrize(("table", "index", "change", "message"), WRONG)
def test_a_contradiction_is_refused(
    table: str, index: int, change: dict[str, Any], message: str
) -> None:
    rows = sound()
    rows[table][index] |= change
    with pytest.raises(InputError) as refused:
        check(rows)
    text = str(refused.value)
    assert message in text
    assert f"{table}: " in text
    assert "allowed: " in text
    assert "\n" not in text


def test_all_faults_are_told_at_once_and_counted() -> None:
    rows = sound()
    for row in rows["hexes"]:
        row["terrain"] = "Flor"
    rows["realms"][1]["code"] = "klein"
    with pytest.raises(InputError, match=r"hex_id=101: .*\(and 1 more\); realms: realm_id=2: code"):
        check(rows)


def test_a_long_circle_of_carriers_is_found_and_a_chain_is_none() -> None:
    fleet = [unit(n, unit_type="Schiff", carrier_id=n + 1) for n in range(10, 14)]
    rows = sound()
    rows["units"] += [*fleet, unit(14, unit_type="Schiff")]
    check(rows)
    rows["units"][-1] = unit(14, unit_type="Schiff", carrier_id=10)
    with pytest.raises(InputError, match="unit_id=10: it sails in a circle"):
        check(rows)


def test_names_of_a_rule_set_may_hold_braces() -> None:
    named = RULES.unit_types.with_columns(pl.col("name").replace("Schiff", "Schiff {neu}"))
    rows = sound()
    rows["units"][0] = unit(1)
    rows["units"][3] |= {"carrier_id": 3, "captor_id": None}
    tables = {name: shaped(name, pl.DataFrame(rows[name])) for name in ("units",)}
    with pytest.raises(InputError, match=r"allowed: .*Schiff \{neu\}"):
        check_state(tables, replace(RULES, unit_types=named))


def test_a_ship_over_capacity_is_a_warning() -> None:
    rows = sound()
    rows["units"][2]["troops"] = 6  # 15 + 6 places on one ship of 20
    assert check(rows) == [
        "units: unit_id=1: ship 1 of realm 1 carries 21 places, its capacity is 20"
    ]
