"""Five hexes in a row for the tests of the map: sea, home, hill, far and one that ALT never saw."""

from itertools import pairwise

import polars as pl

from transforms.atlas import MapView, map_view
from transforms.rules import Rules
from transforms.schema import shaped

ALT, NEU, ROT = 1, 2, 3
AT = {"sea": 20701, "home": 20702, "hill": 20703, "far": 20704, "hidden": 20810}
_KIND = {
    "sea": ("Wasser", "Flachsee", None),
    "home": ("Tiefland", "Wald", ALT),
    "hill": ("Hochland", "Flur", NEU),
    "far": ("Bergland", "Sumpf", ROT),
    "hidden": ("Tiefland", "Steppe", ROT),
}


def world() -> dict[str, pl.DataFrame]:
    """The tables that a view is made from."""
    order = list(AT.values())
    hexes = [
        {
            "hex_id": AT[name], "gf": AT[name] // 100, "kf": AT[name] % 100, "q": q, "r": 0,
            "height": height, "terrain": terrain, "realm_id": realm,
        }
        for q, (name, (height, terrain, realm)) in enumerate(_KIND.items())
    ]  # fmt: skip
    pairs = list(pairwise(order))
    neighbours = [{"hex_id": a, "direction": 2, "neighbour_id": b} for a, b in pairs]
    neighbours += [{"hex_id": b, "direction": 5, "neighbour_id": a} for a, b in pairs]
    units = [
        (1, ALT, 101, "Krieger", "home"),
        (2, ALT, 102, "Krieger", "far"),
        (3, NEU, 201, "Reiter", "home"),
        (4, ROT, 301, "Schiff", "far"),
        (5, ROT, 101, "Krieger", "hidden"),
    ]
    buildings = [
        (1, ALT, "BRG", "home", None),
        (2, NEU, "WL", "hill", 2),
        (3, ALT, "GAR", "far", None),
        (4, ROT, "MET", "hidden", None),
        (5, ROT, "TEM", "far", None),
    ]
    known = {ALT: ("sea", "home", "hill", "far"), NEU: ("home", "hill")}
    seen = {ALT: ("sea", "home", "hill"), NEU: ("hill",), ROT: ("far", "hidden")}
    tables = {
        "hexes": pl.DataFrame(hexes, infer_schema_length=None),
        "neighbours": pl.DataFrame(neighbours),
        "rivers": pl.DataFrame(
            {"hex_a": [AT["home"], AT["far"]], "hex_b": [AT["hill"], AT["hidden"]]}
        ),
        "units": pl.DataFrame(
            [(i, r, n, t, 1000, AT[at], 0) for i, r, n, t, at in units],
            ["unit_id", "realm_id", "number", "unit_type", "troops", "hex_id", "last_ashore"],
            orient="row",
        ),
        "buildings": pl.DataFrame(
            [(i, r, t, AT[at], d) for i, r, t, at, d in buildings],
            ["building_id", "realm_id", "building_type", "hex_id", "direction"],
            orient="row",
        ),
        "realms": pl.DataFrame(
            {
                "realm_id": [ALT, NEU, ROT],
                "code": ["ALT", "NEU", "ROT"],
                "name": ["Älteres Reich", "Neuland", "Rotland"],
            }
        ),
        "atlas": _rows(known).with_columns(first_seen=0, last_seen=0),
        "sight": _rows(seen),
    }
    return {name: shaped(name, table) for name, table in tables.items()}


def view(rules: Rules, realm_id: int = ALT, **changes: pl.DataFrame) -> MapView:
    """The map of a realm in `world`, with some tables replaced."""
    return map_view(realm_id, **{**world(), **changes}, rules=rules, turn_number=3)


def _rows(hexes: dict[int, tuple[str, ...]]) -> pl.DataFrame:
    rows = [(realm, AT[name]) for realm, names in hexes.items() for name in names]
    return pl.DataFrame(rows, ["realm_id", "hex_id"], orient="row")
