"""Random crowded worlds: few hexes, many units, everything that can go wrong.

`random_world` makes one world from any `random.Random`, so hypothesis can shrink it; `archipelago`
puts many of them side by side into one, which tests hundreds of worlds at the price of one run.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import polars as pl
from hypothesis import strategies as st

from tests.small_rules import small_rules
from transforms.context import Turn
from transforms.dice import turn_dice
from transforms.rules import Rules
from transforms.schema import TABLES, conform

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
REALMS_PER_WORLD = 8
TROOPS = ((1, 2, 3), (9, 10, 99), (100, 101, 199, 201), (1000, 5000, 1_000_000))


def small_turn(number: int = 1) -> Turn:
    """A turn on `TODAY`; other numbers have other dice."""
    return Turn("welten", number, TODAY, turn_dice(bytes(range(32)), "welten", number))


def frames(world: World) -> dict[str, pl.DataFrame]:
    """The tables of a world as the product wants them."""
    return {
        name: conform(name, pl.DataFrame(world[name], _row_schema(name), orient="row"))
        for name in WORLD_TABLES
    }


def random_world(random: Random, index: int = 0, rules: Rules | None = None) -> World:
    """A small crowded world; worlds with different `index` share no hex, realm or id."""
    maker = _Maker(random, index, rules or small_rules())
    maker.add_realms()
    maker.add_map()
    maker.add_units()
    maker.add_buildings()
    maker.add_orders()
    maker.add_knowledge()
    return maker.world


def archipelago(seed: int, worlds: int, rules: Rules | None = None) -> World:
    """Many worlds side by side, out of reach of one another."""
    random, rules = Random(seed), rules or small_rules()
    islands = [random_world(random, index, rules) for index in range(worlds)]
    return {name: [row for island in islands for row in island[name]] for name in WORLD_TABLES}


def worlds() -> st.SearchStrategy[World]:
    """One random world that hypothesis can shrink."""
    rules = small_rules()
    return st.randoms(use_true_random=False).map(lambda random: random_world(random, rules=rules))


@dataclass
class _Maker:
    """Makes one world; each step rolls its own mood first, so that worlds differ in kind."""

    random: Random
    index: int
    rules: Rules
    world: World = field(default_factory=lambda: {name: [] for name in WORLD_TABLES})

    def __post_init__(self) -> None:
        self.types = self.rules.unit_types.to_dicts()
        self.ship_types = [row["name"] for row in self.types if row["ship"]]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    @property
    def realms(self) -> list[int]:
        return [row["realm_id"] for row in self.world["realms"]]

    @property
    def spots(self) -> list[int]:
        return [row["hex_id"] for row in self.world["hexes"]]

    @property
    def ships(self) -> list[Row]:
        return [u for u in self.world["units"] if u["unit_type"] in self.ship_types]

    def add_realms(self) -> None:
        random = self.random
        first = 1 + REALMS_PER_WORLD * self.index
        realms = range(first, first + random.randint(2, random.choice([2, 4, REALMS_PER_WORLD])))
        for realm_id in realms:
            self.world["realms"].append(
                {
                    "realm_id": realm_id,
                    "code": random.choice([None, f"R{realm_id}"]),
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
                if self.chance(peace):
                    self.world["alliances"].append({"realm_id": a, "ally_id": b})
                    self.world["alliances"].append({"realm_id": b, "ally_id": a})

    def add_map(self) -> None:
        """Up to 5 × 5 hexes in two Großfelder, with holes and seams."""
        random = self.random
        columns, rows = random.randint(1, 5), random.randint(1, 5)
        spots = [(q, r) for q in range(columns) for r in range(rows)]
        spots = [spot for spot in spots if self.chance(0.9)] or spots
        terrains, heights = self.rules.terrains.to_dicts(), self.rules.heights.to_dicts()
        calm = next(t for t in terrains if not (t["hazard"] or t["volcano_hazard"] or t["steppe"]))
        low = next(h for h in heights if h["hazard"] == 0)
        roughness = random.random()
        for n, (q, r) in enumerate(spots):
            gf, kf = 1 + 2 * self.index + n % 2, n + 1
            rough = self.chance(roughness)
            income = random.choice([0, 1, 2, 3, 100, 1000])
            self.world["hexes"].append(
                {
                    "hex_id": gf * 100 + kf,
                    "gf": gf,
                    "kf": kf,
                    "q": q,
                    "r": r,
                    "height": (random.choice(heights) if rough else low)["name"],
                    "terrain": (random.choice(terrains) if rough else calm)["name"],
                    "realm_id": random.choice([None, *self.realms]),
                    "province_id": random.choice([None, 1, 2]),
                    "income": income,
                    "credit": max(0, 2 * income + random.choice([-1000, -1, 0, 1, 500])),
                    "ravaged_until": random.choice([None, None, TODAY - 1, TODAY, TODAY + 1]),
                }
            )
        ids = dict(zip(spots, self.spots, strict=True))
        for (q, r), hex_id in ids.items():
            for direction in range(3):
                dq, dr = AXIAL[direction]
                other = ids.get((q + dq, r + dr))
                if other is not None and self.chance(0.9):  # else: a seam in the map
                    self.join(hex_id, direction, other)
                    self.join(other, direction + 3, hex_id)

    def join(self, hex_id: int, direction: int, neighbour_id: int) -> None:
        row = {"hex_id": hex_id, "direction": direction, "neighbour_id": neighbour_id}
        self.world["neighbours"].append(row)

    def add_units(self) -> None:
        """Up to 60 units: some without troops, some aboard, some captive."""
        random, spots = self.random, self.spots
        empty, elsewhere = random.choice([0.0, 0.1, 0.3]), random.choice([0.0, 0.3, 0.6])
        numbers: set[tuple[int, int]] = set()
        for n in range(random.randint(1, random.choice([3, 15, 40, 60]))):
            realm_id, number = random.choice(self.realms), random.randint(1, 999)
            if (realm_id, number) in numbers:
                continue
            numbers.add((realm_id, number))
            unit = {
                "unit_id": 1000 * self.index + (n * 617) % 997 + 1,  # not by realm and number
                "realm_id": realm_id,
                "number": number,
                "unit_type": random.choice(self.types)["name"],
                "troops": 0 if self.chance(empty) else random.choice(random.choice(TROOPS)),
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
            if self.chance(elsewhere):
                self.send_away(unit)
            self.world["units"].append(unit)

    def send_away(self, unit: Row) -> None:
        """Aboard or into captivity; ships seldom go aboard of others."""
        free = [u for u in self.world["units"] if u["captor_id"] is None]
        carriers = [u for u in free if u["unit_type"] in self.ship_types]
        captors = [u for u in free if u["realm_id"] != unit["realm_id"]]
        is_ship = unit["unit_type"] in self.ship_types
        if carriers and self.chance(0.1 if is_ship else 0.8):
            unit["hex_id"] = None
            unit["carrier_id"] = self.mostly_own(carriers, unit["realm_id"])["unit_id"]
        elif captors and self.chance(0.5):
            unit["hex_id"] = None
            unit["captor_id"] = self.random.choice(captors)["unit_id"]

    def mostly_own(self, units: list[Row], realm_id: int) -> Row:
        """Any of the units, most often one of the realm's own."""
        own = [u for u in units if u["realm_id"] == realm_id]
        return self.random.choice(own if own and self.chance(0.8) else units)

    def add_buildings(self) -> None:
        """Central and edge ones, most where units are; of realms present there or not."""
        random, spots, units = self.random, self.spots, self.world["units"]
        crowded = [u["hex_id"] for u in units if u["hex_id"]] or spots
        kinds = self.rules.building_types.to_dicts()
        for n in range(random.randint(0, len(spots))):
            kind, hex_id = random.choice(kinds), random.choice(random.choice([spots, crowded]))
            present = [u["realm_id"] for u in units if u["hex_id"] == hex_id] or self.realms
            used_up = random.choice([-5, -2.25, -1.1, -1, 0, 3])  # at -1 there is nothing left
            self.world["buildings"].append(
                {
                    "building_id": 100 * self.index + n + 1,
                    "realm_id": random.choice(random.choice([present, self.realms])),
                    "building_type": kind["code"],
                    "name": random.choice([None, "Adlerhorst"]),
                    "hex_id": hex_id,
                    "direction": None if kind["central"] else random.randint(0, 5),
                    "completed_on": random.choice([None, *range(TODAY - 3, TODAY + 4)]),
                    "damage": random.choice([0.0, 1.75, max(0.0, kind["defence"] + used_up)]),
                }
            )

    def add_orders(self) -> None:
        """Paths and boarding wishes of any unit, also of captives, the dead and ships."""
        random = self.random
        restless, longing = random.choice([0.2, 0.7]), random.choice([0.2, 0.9])
        for line, unit in enumerate(self.world["units"], start=1):
            is_ship = unit["unit_type"] in self.ship_types
            ship = (
                self.some_ship(unit) if self.chance(longing / 10 if is_ship else longing) else None
            )
            way = []
            if self.chance(restless):
                way = [random.choice(self.spots) for _ in range(random.randint(1, 5))]
                if ship and ship["hex_id"] and self.chance(0.7):
                    way[-1] = ship["hex_id"]
            if not way and not ship:
                continue
            self.world["movements"].append(
                {
                    "realm_id": unit["realm_id"],
                    "line": line,
                    "unit_id": unit["unit_id"],
                    "decision": random.choice([None, "r", "v", "a", "n", "p1", "p2"]),
                    "embark_on": ship["unit_id"] if ship else None,
                }
            )
            for step, hex_id in enumerate(way, start=1):
                row = {"unit_id": unit["unit_id"], "step": step, "hex_id": hex_id}
                self.world["paths"].append(row)

    def some_ship(self, unit: Row) -> Row:
        """A ship to board, if possible on the same hex; now and then something that is no ship."""
        if self.chance(0.05):
            return self.random.choice(self.world["units"])
        others = [s for s in self.ships if s is not unit] or self.world["units"]
        near = [s for s in others if s["hex_id"] and s["hex_id"] == unit["hex_id"]] or others
        return self.mostly_own(self.random.choice([near, others]), unit["realm_id"])

    def add_knowledge(self) -> None:
        for realm_id in self.realms:
            for hex_id in self.spots:
                if self.chance(0.3):
                    key = {"realm_id": realm_id, "hex_id": hex_id}
                    self.world["atlas"].append({**key, "first_seen": 0, "last_seen": 0})
                    self.world["sight"].append(key)


def _row_schema(name: str) -> dict[str, Any]:
    """Types of a table's rows, keys as plain strings where the registry has an Enum."""
    columns = TABLES[name].columns()
    return {c: pl.String if isinstance(s.dtype, pl.Enum) else s.dtype for c, s in columns.items()}
