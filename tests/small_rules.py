"""A small rule set with sharp values: every danger, immunity and capacity occurs often."""

from typing import Any

import polars as pl

from transforms.rules import Rules, make_rules
from transforms.schema import RULES, conform

SWITCHES = {
    "training": "reserve",
    "construction": "reserve",
    "decisions": "ignore",
    "atlas": "frozen",
    "river_losses": "off",
    "edge_sight": "off",
    "region": "flat",
    "annihilation": "share",
    "multi_party": "joint",
    "building_defence": "first",
    "landing_modifiers": "off",
    "sightings": "off",
    "movement": "sequential",
    "treasury": "untouched",
    "ring2_sight": "off",
    "combat_model": "share",
    "map_shows": "sight",
}
CONSTANTS = {
    "leader_cost": 1000,
    "max_elite": 4,
    "elite_first_factor": 3,
    "elite_further_factor": 2,
    "elite_first_months": 6,
    "elite_further_months": 3,
    "landing_months": 1,
    "landing_loss_max_pct": 10,
    "merit_base": 5,
    "foreign_pct": 75,
    "home_pct": 125,
    "province_year_pct": 10,
    "province_abroad_pct": 50,
    "overrun_pct": 99.5,
    "overrun_odds": 10,
    "income_parts": 3,
    "income_cap": 2,
    "upkeep_parts": 5,
    "river_loss_max_pct": 10,
    "unit_sight_radius": 1,
    "withdrawal_tries": 6,
    "plunder_incomes": 2,
    "ravaged_months": 8,
}
HITS = {
    "hit_pct": 10,
    "base_ppm": 150_000,
    "pal_ppm": 30_000,
    "mau_ppm": 60_000,
    "burg_ppm": 100_000,
    "diff_ppm_per_kk": 10_000,
    "protect_pct": 60,
    "protect_slope": 200,
    "pal_places": 4,
    "mau_places": 8,
    "burg_places": 12,
    "pal_bonus_pct": 10,
    "mau_bonus_pct": 20,
    "burg_bonus_pct": 30,
}
UNIT_TYPES = """
    name       name_plural  min_strength cost months flyer ship  capacity troop_space
    Krieger    Krieger      100          5    0      false false 0        1
    Reiter     Reiter       50           10   0      false false 0        2
    Held       Helden       1            0    0      false false 0        1
    Greif      Greifen      10           50   2      true  false 0        3
    Schiff     Schiffe      10           500  0      false true  20       1
    Barke      Barken       3            100  0      false true  1        1
    Luftschiff Luftschiffe  1            900  1      true  true  50       10
"""
BORNE = """
    name       hardiness months_afloat fords
    Krieger    0         1             false
    Reiter     4         1             false
    Held       0         3             true
    Greif      9         2             false
    Schiff     0         1             false
    Barke      2         2             false
    Luftschiff 0         1             false
"""
TERRAINS = """
    name       hazard volcano_hazard steppe steppe_stay steppe_pass
    Flur       0      0              false  0           0
    Moor       12     0              false  0           0
    Vulkan     60     50             false  0           0
    Schlund    40     100            false  0           0
    Asche      1      1              false  0           0
    Steppe     25     0              true   40          15
    Salzsteppe 0      3              true   10          30
    Heide      5      0              true   0           0
"""
HEIGHTS = """
    name     level hazard
    Wasser   0     50
    Ebene    1     0
    Gebirge  4     70
"""
IMMUNITIES = """
    unit_type  kind    name
    Krieger    height  Gebirge
    Reiter     steppe  Steppe
    Reiter     terrain Moor
    Held       volcano Vulkan
    Held       steppe  Salzsteppe
    Greif      height  Wasser
    Greif      height  Gebirge
    Greif      terrain Vulkan
    Schiff     height  Wasser
    Barke      height  Wasser
    Luftschiff volcano Schlund
    Luftschiff river   Fluss
"""
BUILDING_TYPES = """
    code name   central cost  months defence sight_radius capacity bridge
    BRG  Burg   true    50000 4      30      2            250      false
    TRM  Turm   true    9000  1      5       3            10       false
    LAG  Lager  true    10    0      0       0            0        false
    FST  Feste  true    99000 9      200     1            9000     false
    WAL  Wall   false   5000  1      50      2            100      false
    BRK  Brücke false   3000  1      0       0            0        true
"""
NUMBER_RANGES = """
    unit_type kind    first last
    Krieger   reich   1     999
    Reiter    provinz 1     600
"""
CALENDAR = """
    month name   levy
    0     Nisan  true
    1     Siwan  false
    2     Elul   false
    3     Kislew false
    4     Adar   false
"""


def small_rules(**changed: Any) -> Rules:
    """The small rule set: switches and constants of `promy2026` unless `changed`."""
    given = {
        "unit_types": _table(UNIT_TYPES).join(_table(BORNE), on="name"),
        "terrains": _table(TERRAINS),
        "heights": _table(HEIGHTS),
        "immunities": _table(IMMUNITIES),
        "building_types": _table(BUILDING_TYPES),
        "calendar": _table(CALENDAR),
        "number_ranges": _table(NUMBER_RANGES),
        "incomes": _table("height terrain income\n Ebene Flur 1000"),
    }
    tables = {name: conform(name, given[name]) for name in RULES}
    settings = {"switches": SWITCHES, "constants": CONSTANTS, "hits": HITS}
    return make_rules("small", settings, changed, tables)


def _table(text: str) -> pl.DataFrame:
    """A frame of strings from a table in words, one row a line."""
    header, *rows = (line.split() for line in text.strip().splitlines())
    frame = pl.DataFrame(rows, schema=dict.fromkeys(header, pl.String), orient="row")
    flags = [c for c in header if set(frame[c]) <= {"true", "false"}]
    return frame.with_columns(pl.col(c) == "true" for c in flags)
