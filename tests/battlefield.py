"""A small world for the tests of combat and status: one line of a table is one short call."""

import tomllib
from pathlib import Path
from typing import Any

import polars as pl

from tests.reference.records import World, read_world
from transforms import schema
from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.rules import Rules, make_rules

TODAY = 100
HEX = 101
_TOML = Path(__file__).parents[1] / "data" / "rulesets" / "promy2026" / "rules.toml"
_KINDS = {
    "unit_types": [
        {"name": "Krieger", "name_plural": "Krieger", "min_strength": 1000, "ship": False},
        {"name": "Schiff", "name_plural": "Schiffe", "min_strength": 10, "ship": True},
    ],
    "building_types": [
        {"code": "BRG", "name": "Burg", "central": True, "defence": 30, "capacity": 2000},
        {"code": "FST", "name": "Festung", "central": True, "defence": 60, "capacity": 500},
        {"code": "WL", "name": "Wall", "central": False, "defence": 50, "capacity": 9},
    ],
    "calendar": [{"month": 0, "name": "Nisan"}],
}
_IRRELEVANT = {
    "unit_types": {"cost": 1, "months": 0, "flyer": False},
    "building_types": {"cost": 1, "months": 0, "sight_radius": 1, "trains": False},
    "calendar": {},
}


def rules(**overrides: Any) -> Rules:
    """Rule set promy2026 with three kinds of buildings and two kinds of units."""
    tables = {name: schema.empty(name) for name in schema.RULES}
    for name, rows in _KINDS.items():
        tables[name] = schema.shaped(name, pl.DataFrame([_IRRELEVANT[name] | row for row in rows]))
    return make_rules("test", tomllib.loads(_TOML.read_text(encoding="utf-8")), overrides, tables)


RULES = rules()
TURN = Turn("test", 1, TODAY, turn_dice(bytes(32), "test", 1))


def unit(unit_id: int, realm_id: int, troops: int, **more: Any) -> dict[str, Any]:
    """A row of `units`: Krieger on HEX unless `more` says otherwise."""
    row = {"number": unit_id, "unit_type": "Krieger", "merit": 0, "last_ashore": TODAY}
    row |= {"leaders": 0, "elite_combat": 0, "elite_movement": 0}
    if not {"carrier_id", "captor_id"} & more.keys():
        row["hex_id"] = HEX
    return {"unit_id": unit_id, "realm_id": realm_id, "troops": troops} | row | more


def table(name: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Table `name`; columns that no row mentions get their defaults."""
    if not rows:
        return schema.empty(name)
    return schema.shaped(name, pl.from_dicts(rows, infer_schema_length=None))


def units(*rows: dict[str, Any]) -> pl.DataFrame:
    return table("units", list(rows))


def hexes(realm_id: int | None = None, province_id: int | None = None, n: int = 4) -> pl.DataFrame:
    """`n` hexes from HEX on; the first has this owner and province, the others none."""
    rows = [
        {"hex_id": HEX + i, "gf": 1, "kf": i + 1, "q": 0, "r": 0, "height": "", "terrain": ""}
        for i in range(n)
    ]
    rows[0] |= {"realm_id": realm_id, "province_id": province_id}
    return table("hexes", rows)


def castle(building_id: int, realm_id: int, **more: Any) -> dict[str, Any]:
    """A row of `buildings`: a finished Burg on HEX unless `more` says otherwise."""
    row = {"building_id": building_id, "realm_id": realm_id, "building_type": "BRG"}
    return row | {"hex_id": HEX, "damage": 0.0} | more


def allied(*pairs: tuple[int, int]) -> pl.DataFrame:
    """`alliances`, both directions of each pair."""
    both = [*pairs, *((b, a) for a, b in pairs)]
    return table("alliances", [{"realm_id": a, "ally_id": b} for a, b in both])


def as_world(tables: dict[str, pl.DataFrame]) -> World:
    """The same tables for the reference."""
    rest = ("realms", "neighbours", "rivers", "paths", "movements", "splits", "sight", "atlas")
    return read_world(
        {name: [] for name in rest} | {name: frame.to_dicts() for name, frame in tables.items()}
    )
