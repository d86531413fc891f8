"""Random crowded worlds, and a small rule set with sharp values to play them with.

`random_world` makes one world from any `random.Random`, so hypothesis can shrink it; `archipelago`
puts many of them side by side into one, which tests hundreds of worlds at the price of one run.
"""

from random import Random
from typing import Any

import polars as pl
from hypothesis import strategies as st

from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.rules import Rules, make_rules
from transforms.schema import RULES, TABLES, conform

Row = dict[str, Any]
World = dict[str, list[Row]]

WORLD_TABLES = (
    "hexes",
    "neighbours",
    "realms",
    "alliances",
    "units",
    "buildings",
    "movements",
    "paths",
    "sight",
    "atlas",
)
TODAY = 25
AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # NW NO O SO SW W
PLACES_PER_WORLD = 48 * 2  # two Großfelder each
REALMS_PER_WORLD = 10
TROOPS = ((1, 2, 3), (9, 10, 99), (100, 101, 199, 201), (1000, 5000, 1_000_000))

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
    "overrun_pct": 99.5,
    "income_parts": 3,
    "income_cap": 2,
    "unit_sight_radius": 1,
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
    code name   central cost  months defence sight_radius
    BRG  Burg   true    50000 4      30      2
    TRM  Turm   true    9000  1      5       3
    LAG  Lager  true    10    0      0       0
    FST  Feste  true    99000 9      200     1
    WAL  Wall   false   5000  1      50      2
"""
CALENDAR = """
    month name
    0     Nisan
    1     Siwan
    2     Elul
    3     Kislew
    4     Adar
"""


def small_rules() -> Rules:
    """The rule set of the random worlds: every danger, immunity and capacity occurs often."""
    given = {
        "unit_types": _table(UNIT_TYPES),
        "terrains": _table(TERRAINS),
        "heights": _table(HEIGHTS),
        "immunities": _table(IMMUNITIES),
        "building_types": _table(BUILDING_TYPES),
        "calendar": _table(CALENDAR),
        "number_ranges": _table("unit_type kind first last\n Krieger reich 1 999"),
        "incomes": _table("height terrain income\n Ebene Flur 1000"),
    }
    tables = {name: conform(name, given[name]) for name in RULES}
    return make_rules("small", {"switches": SWITCHES, "constants": CONSTANTS}, {}, tables)


def small_turn(number: int = 1) -> Turn:
    """A turn on `TODAY`; other numbers have other dice."""
    return Turn("welten", number, TODAY, turn_dice(bytes(range(32)), "welten", number))


def frames(world: World) -> dict[str, pl.DataFrame]:
    """The tables of a world as the product wants them."""
    return {
        name: conform(name, pl.DataFrame(world[name], _row_schema(name), orient="row"))
        for name in WORLD_TABLES
    }


def random_world(random: Random, index: int = 0) -> World:
    """A small crowded world; worlds with different `index` share no hex, realm or id."""
    world: World = {name: [] for name in WORLD_TABLES}
    _add_map(world, random, index)
    _add_realms(world, random, index)
    _add_units(world, random, index)
    _add_buildings(world, random, index)
    _add_orders(world, random)
    _add_knowledge(world, random)
    return world


def archipelago(seed: int, worlds: int) -> World:
    """Many worlds side by side, out of reach of one another."""
    random = Random(seed)
    islands = [random_world(random, index) for index in range(worlds)]
    return {name: [row for island in islands for row in island[name]] for name in WORLD_TABLES}


def worlds() -> st.SearchStrategy[World]:
    """One random world that hypothesis can shrink."""
    return st.randoms(use_true_random=False).map(random_world)


def _add_map(world: World, random: Random, index: int) -> None:
    columns, rows = random.randint(1, 5), random.randint(1, 5)
    spots = [(q, r) for q in range(columns) for r in range(rows)]
    spots = [spot for spot in spots if random.random() < 0.9] or spots
    first_gf = 1 + 2 * index
    ids = {}
    rough = random.random()
    terrains, heights = _names(TERRAINS), _names(HEIGHTS)
    realms = range(1 + REALMS_PER_WORLD * index, 4 + REALMS_PER_WORLD * index)
    for n, (q, r) in enumerate(spots):
        gf, kf = first_gf + n % 2, n + 1
        ids[q, r] = gf * 100 + kf
        dangerous = random.random() < rough
        income = random.choice([0, 1, 2, 3, 100, 1000])
        world["hexes"].append(
            {
                "hex_id": gf * 100 + kf,
                "gf": gf,
                "kf": kf,
                "q": q,
                "r": r,
                "height": random.choice(heights) if dangerous else "Ebene",
                "terrain": random.choice(terrains) if dangerous else "Flur",
                "realm_id": random.choice([None, *realms]),
                "province_id": random.choice([None, 1, 2]),
                "income": income,
                "credit": max(0, 2 * income + random.choice([-1000, -1, 0, 1, 500])),
                "ravaged_until": random.choice([None, None, TODAY - 1, TODAY, TODAY + 1]),
            }
        )
    for (q, r), hex_id in ids.items():
        for direction in range(3):
            dq, dr = AXIAL[direction]
            other = ids.get((q + dq, r + dr))
            if other is not None and random.random() < 0.9:  # else: a seam in the map
                for a, d, b in ((hex_id, direction, other), (other, direction + 3, hex_id)):
                    world["neighbours"].append({"hex_id": a, "direction": d, "neighbour_id": b})


def _add_realms(world: World, random: Random, index: int) -> None:
    first = 1 + REALMS_PER_WORLD * index
    realms = range(first, first + random.randint(1, random.choice([2, 4, 8])))
    for realm_id in realms:
        world["realms"].append(
            {
                "realm_id": realm_id,
                "code": f"R{realm_id}",
                "name": random.choice([None, f"Reich der {realm_id} Türme"]),
                "ruler": "Xanthe",
                "capital": "Thal",
                "treasury": 1000,
                "capital_hex_id": None,
            }
        )
    peace = random.choice([0.0, 0.15, 0.4, 0.9])
    for a in realms:
        for b in range(a + 1, realms.stop):
            if random.random() < peace:
                world["alliances"].append({"realm_id": a, "ally_id": b})
                world["alliances"].append({"realm_id": b, "ally_id": a})


def _add_units(world: World, random: Random, index: int) -> None:
    realms = [row["realm_id"] for row in world["realms"]]
    spots = [row["hex_id"] for row in world["hexes"]]
    types = [line.split()[0] for line in UNIT_TYPES.strip().splitlines()[1:]]
    ships = {"Schiff", "Barke", "Luftschiff"}
    empty, elsewhere = random.choice([0.0, 0.1, 0.3]), random.choice([0.0, 0.3, 0.6])
    numbers: set[tuple[int, int]] = set()
    units: list[Row] = world["units"]
    for n in range(random.randint(1, random.choice([3, 15, 40, 60]))):
        realm_id, number = random.choice(realms), random.randint(1, 999)
        if (realm_id, number) in numbers:
            continue
        numbers.add((realm_id, number))
        unit = {
            "unit_id": 1000 * index + (n * 617) % 997 + 1,  # not in the order of realm and number
            "realm_id": realm_id,
            "number": number,
            "unit_type": random.choice(types),
            "troops": 0 if random.random() < empty else random.choice(random.choice(TROOPS)),
            "leaders": random.randint(0, 2),
            "merit": random.choice([0, 0, 1, 3, 10]),
            "elite_combat": random.choice([0, 0, 1, 4]),
            "elite_movement": 0,
            "hex_id": random.choice(spots),
            "carrier_id": None,
            "home_province_id": random.choice([None, 1, 2]),
            "captor_id": None,
            "last_ashore": TODAY - random.choice([0, 1, 1, 2, 7]),
            "ready_on": random.choice([None, None, TODAY + 2]),
            "home_since": random.choice([None, TODAY - 9]),
        }
        free = [u for u in units if u["captor_id"] is None]
        carriers = [u for u in free if u["unit_type"] in ships]
        captors = [u for u in free if u["realm_id"] != realm_id]
        nested = unit["unit_type"] in ships and random.random() < 0.9
        if carriers and not nested and random.random() < elsewhere:
            unit["hex_id"], unit["carrier_id"] = None, _own(random, carriers, realm_id)["unit_id"]
        elif captors and random.random() < elsewhere / 2:
            unit["hex_id"], unit["captor_id"] = None, random.choice(captors)["unit_id"]
        units.append(unit)


def _add_buildings(world: World, random: Random, index: int) -> None:
    realms = [row["realm_id"] for row in world["realms"]]
    types = {row["code"]: row for row in _table(BUILDING_TYPES).to_dicts()}
    spots = [row["hex_id"] for row in world["hexes"]]
    crowded = [u["hex_id"] for u in world["units"] if u["hex_id"]] or spots
    for n in range(random.randint(0, len(spots))):
        code, hex_id = random.choice(list(types)), random.choice(random.choice([spots, crowded]))
        present = [u["realm_id"] for u in world["units"] if u["hex_id"] == hex_id] or realms
        world["buildings"].append(
            {
                "building_id": 100 * index + n + 1,
                "realm_id": random.choice(random.choice([present, realms])),
                "building_type": code,
                "name": random.choice([None, "Adlerhorst"]),
                "hex_id": hex_id,
                "direction": None if types[code]["central"] else random.randint(0, 5),
                "completed_on": random.choice([None, *range(TODAY - 3, TODAY + 4)]),
                "damage": random.choice([0.0, 0.0, 4.0, 4.25, 28.9, 29.0, 60.1]),
            }
        )


def _add_orders(world: World, random: Random) -> None:
    """Paths and boarding wishes of all units, also of captives, the dead and ships."""
    spots = [row["hex_id"] for row in world["hexes"]]
    units = world["units"]
    ships = [u for u in units if u["unit_type"] in ("Schiff", "Barke", "Luftschiff")]
    restless, longing = random.choice([0.2, 0.7]), random.choice([0.2, 0.9])
    for line, unit in enumerate(units, start=1):
        walks, boards = random.random() < restless, ships and random.random() < longing
        boards = boards and (unit not in ships or random.random() < 0.1)
        if not walks and not boards:
            continue
        ship = None
        if boards:
            others = [s for s in ships if s is not unit] or units
            near = [s for s in others if s["hex_id"] == unit["hex_id"]] or others
            ship = _own(random, random.choice([near, others]), unit["realm_id"])
            ship = ship if random.random() < 0.95 else random.choice(units)
        way = [random.choice(spots) for _ in range(random.randint(1, 5))] if walks else []
        if walks and ship and ship["hex_id"] and random.random() < 0.7:
            way[-1] = ship["hex_id"]
        world["movements"].append(
            {
                "realm_id": unit["realm_id"],
                "line": line,
                "unit_id": unit["unit_id"],
                "decision": random.choice([None, "r", "v", "a", "n", "p1", "p2"]),
                "embark_on": ship["unit_id"] if ship else None,
            }
        )
        for step, hex_id in enumerate(way, start=1):
            world["paths"].append({"unit_id": unit["unit_id"], "step": step, "hex_id": hex_id})


def _add_knowledge(world: World, random: Random) -> None:
    for realm in world["realms"]:
        for spot in world["hexes"]:
            key = {"realm_id": realm["realm_id"], "hex_id": spot["hex_id"]}
            if random.random() < 0.3:
                world["atlas"].append({**key, "first_seen": 0, "last_seen": 0})
                world["sight"].append(key)


def _own(random: Random, units: list[Row], realm_id: int) -> Row:
    """Any of the units, most often one of the realm's own."""
    own = [u for u in units if u["realm_id"] == realm_id]
    return random.choice(own if own and random.random() < 0.8 else units)


def _names(table: str) -> list[str]:
    return _table(table)["name"].to_list()


def _table(text: str) -> pl.DataFrame:
    """A frame of strings from a table in words, one row a line."""
    header, *rows = (line.split() for line in text.strip().splitlines())
    frame = pl.DataFrame(rows, schema=dict.fromkeys(header, pl.String), orient="row")
    flags = [c for c in header if set(frame[c]) <= {"true", "false"}]
    return frame.with_columns(pl.col(c) == "true" for c in flags)


def _row_schema(name: str) -> dict[str, Any]:
    """Types of a table's rows, keys as plain strings where the registry has an Enum."""
    columns = TABLES[name].columns()
    return {c: pl.String if isinstance(s.dtype, pl.Enum) else s.dtype for c, s in columns.items()}
