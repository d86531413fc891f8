"""A scenario file → the tables of a small world, and what is expected of it → comparable rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from flows.game import read_rules
from transforms import schema
from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.hexgrid import neighbour_table, positions
from transforms.rules import Rules

GF = 207
TODAY = 4969  # Nisan 414 n.P. is 4968; the turn is evaluated a month later
TURN = Turn("szenario", 1, TODAY, turn_dice(bytes(32), "szenario", 1))

Scenario = Mapping[str, Any]


def hex_id(place: str) -> int:
    """`207/14` → 20714."""
    gf, kf = place.split("/")
    return int(gf) * 100 + int(kf)


def rules_of(scenario: Scenario) -> Rules:
    """Rule set promy2026 (or `ruleset`) with the switches and table rows of the scenario."""
    name = scenario.get("ruleset", "promy2026")
    rules = read_rules(None, name, scenario.get("rules", {}), where="scenario")
    changed = {}
    for table, rows in scenario.get("rule_tables", {}).items():
        key = schema.key_of(table)
        given = schema.shaped(table, pl.DataFrame(rows, infer_schema_length=None))
        kept = getattr(rules, table).join(given, on=key, how="anti")
        changed[table] = pl.concat([kept, given]).sort(key)
    return replace(rules, **changed)


def world_of(scenario: Scenario, rules: Rules) -> dict[str, pl.DataFrame]:
    """State, map and order texts of the scenario."""
    realms = [code for code in scenario["realms"] if code != "allies"]
    ids = {code: i for i, code in enumerate(realms, start=1)}
    units = _units(scenario, ids)
    rows = {
        "realms": [
            {"realm_id": ids[code], "code": code, "name": code.title()} | scenario["realms"][code]
            for code in realms
        ],
        "alliances": [
            {"realm_id": ids[a], "ally_id": ids[b]}
            for pair in scenario["realms"].get("allies", [])
            for a, b in (pair, pair[::-1])
        ],
        "units": units,
        "buildings": [
            {"building_id": i, "realm_id": ids[b["realm"]], "hex_id": hex_id(b["at"])}
            | {k: v for k, v in b.items() if k not in ("realm", "at")}
            for i, b in enumerate(scenario.get("buildings", []), start=1)
        ],
        "order_texts": [
            {
                "realm_id": ids[code],
                "file": f"{code}_SPZ.txt",
                "size_bytes": len(text.encode()),
                "encoding": "UTF-8",
                "text": text,
            }
            for code, text in scenario.get("orders", {}).items()
        ],
        "rivers": [
            {"hex_a": min(pair), "hex_b": max(pair)}
            for pair in ([hex_id(a), hex_id(b)] for a, b in scenario.get("rivers", []))
        ],
    }
    tables = {name: schema.empty(name) for name in (*schema.STATE, *schema.MAP, *schema.TURN)}
    tables |= {name: _table(name, content) for name, content in rows.items() if content}
    tables["hexes"] = _hexes(scenario.get("map", {}), ids)
    tables["neighbours"] = neighbour_table(
        hexes=tables["hexes"], gf_neighbours=tables["gf_neighbours"]
    )
    return tables


def _table(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """A conformed table; what a row leaves out takes its default."""
    specs = schema.TABLES[name].columns().items()
    defaults = {c: spec.metadata["default"] for c, spec in specs if spec.metadata}
    return schema.conform(
        name, pl.DataFrame([defaults | row for row in rows], infer_schema_length=None)
    )


def _units(scenario: Scenario, ids: Mapping[str, int]) -> list[dict[str, Any]]:
    unit_ids = {u["id"]: i for i, u in enumerate(scenario.get("units", []), start=1)}
    columns = {"type": "unit_type", "home": "home_province_id"}
    rows = []
    for unit in scenario.get("units", []):
        code, number = unit["id"].split()
        row = {
            "unit_id": unit_ids[unit["id"]],
            "realm_id": ids[code],
            "number": int(number),
            "leaders": 1,
            "last_ashore": TODAY - 1,
            "hex_id": hex_id(unit["at"]) if "at" in unit else None,
            "carrier_id": unit_ids.get(unit.get("aboard")),
            "captor_id": unit_ids.get(unit.get("captive_of")),
        }
        places = ("id", "at", "aboard", "captive_of")
        row |= {columns.get(k, k): v for k, v in unit.items() if k not in places}
        rows.append(row)
    return rows


def _hexes(given: Mapping[str, Mapping[str, Any]], ids: Mapping[str, int]) -> pl.DataFrame:
    plain = {"height": "Tiefland", "terrain": "Flur"}
    rows = []
    for kf in range(1, 49):
        special = dict(given.get(f"{GF}/{kf}", {}))
        if "realm" in special:
            special["realm_id"] = ids[special.pop("realm")]
        if "province" in special:
            special["province_id"] = special.pop("province")
        rows.append({"hex_id": GF * 100 + kf, "gf": GF, "kf": kf} | plain | special)
    ids_only = pl.DataFrame(rows, infer_schema_length=None).select(
        pl.col("gf").cast(pl.UInt32), pl.col("kf").cast(pl.UInt8)
    )
    placed = positions(hexes=ids_only, gf_neighbours=schema.empty("gf_neighbours"))
    at = {kf: {"q": q, "r": r} for kf, q, r in placed.select("kf", "q", "r").iter_rows()}
    return _table("hexes", [row | at[row["kf"]] for row in rows])


def readable(table: pl.DataFrame, world: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """Rows as a scenario writes them: `unit = "ALT 112"` for ids, `at = "207/14"` for hexes."""
    codes = dict(world["realms"].select("realm_id", "code").iter_rows())
    unit_names = {
        unit_id: f"{codes[realm_id]} {number}"
        for unit_id, realm_id, number in world["units"]
        .select("unit_id", "realm_id", "number")
        .iter_rows()
    }
    rows = []
    for row in table.iter_rows(named=True):
        shown = dict(row)
        for column, name in _UNIT_COLUMNS.items():
            if column in row:
                shown[name] = unit_names.get(row[column], row[column])
        for column, name in _HEX_COLUMNS.items():
            if row.get(column) is not None:
                shown[name] = f"{row[column] // 100}/{row[column] % 100}"
        if "entity" in row and row["stream"] <= 6:
            shown["unit"] = f"{codes[row['entity'] // 65536]} {row['entity'] % 65536}"
        if row.get("realm_id") is not None:
            shown["realm"] = codes[row["realm_id"]]
        rows.append(shown)
    return rows


_UNIT_COLUMNS = {
    "unit_id": "unit",
    "captor_id": "captor",
    "carrier_id": "aboard",
    "ship_id": "ship",
}
_HEX_COLUMNS = {"hex_id": "at", "from_hex": "from", "to_hex": "to"}
