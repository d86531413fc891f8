"""The pieces on the board: units, hexes, buildings, and the world that holds them all."""

from dataclasses import asdict, dataclass, field
from typing import Any

Row = dict[str, Any]


@dataclass
class Hex:
    """A Kleinfeld."""

    hex_id: int
    gf: int
    kf: int
    q: int
    r: int
    height: str
    terrain: str
    realm_id: int | None
    province_id: int | None
    income: int
    credit: int
    ravaged_until: int | None

    @property
    def place(self) -> str:
        return f"{self.gf}/{self.kf}"


@dataclass
class Unit:
    """An army, fleet or flight; ashore, aboard or captive."""

    unit_id: int
    realm_id: int
    number: int
    unit_type: str
    troops: int
    leaders: int
    merit: int
    elite_combat: int
    elite_movement: int
    hex_id: int | None
    carrier_id: int | None
    home_province_id: int | None
    captor_id: int | None
    last_ashore: int
    ready_on: int | None
    home_since: int | None

    @property
    def living(self) -> bool:
        return self.troops > 0

    @property
    def captive(self) -> bool:
        return self.captor_id is not None

    @property
    def entity(self) -> int:
        """Who it is for the dice."""
        return self.realm_id * 65536 + self.number

    def stand_on(self, hex_id: int) -> None:
        self.hex_id, self.carrier_id, self.captor_id = hex_id, None, None

    def go_aboard(self, ship: "Unit") -> None:
        self.hex_id, self.carrier_id, self.captor_id = None, ship.unit_id, None

    def fall_captive_to(self, captor: "Unit") -> None:
        self.hex_id, self.carrier_id, self.captor_id = None, None, captor.unit_id


@dataclass
class Building:
    """A building; central ones have no direction."""

    building_id: int
    realm_id: int
    building_type: str
    name: str | None
    hex_id: int
    direction: int | None
    completed_on: int | None
    damage: float

    @property
    def central(self) -> bool:
        return self.direction is None


@dataclass
class World:
    """Everything a turn starts from, and the tables of what happens in it."""

    hexes: dict[int, Hex]
    units: dict[int, Unit]
    buildings: dict[int, Building]
    realm_names: dict[int, str]
    alliances: set[tuple[int, int]]
    neighbours: dict[int, dict[int, int]]  # hex → direction 0..5 → hex, missing at the edge
    paths: dict[int, list[int]]  # unit → waypoints
    wishes: dict[int, int]  # unit → ship it wants to board
    sight: set[tuple[int, int]]
    atlas: list[Row]
    losses: list[Row] = field(default_factory=list)
    draws: list[Row] = field(default_factory=list)
    moves: list[Row] = field(default_factory=list)
    boardings: list[Row] = field(default_factory=list)
    battles: list[Row] = field(default_factory=list)
    battle_units: list[Row] = field(default_factory=list)
    fates: dict[int, str] = field(default_factory=dict)
    captured_on: dict[int, int] = field(default_factory=dict)  # unit → battle hex
    fallen: list[Unit] = field(default_factory=list)
    ledger: list[Row] = field(default_factory=list)
    messages: list[Row] = field(default_factory=list)

    def in_order(self) -> list[Unit]:
        """All units by (realm_id, number): the order of everything that happens one by one."""
        return sorted(self.units.values(), key=lambda u: (u.realm_id, u.number))

    def friends(self, a: int, b: int) -> bool:
        """Is it the same realm or a direct ally?"""
        return a == b or (a, b) in self.alliances

    def ship_of(self, unit: Unit) -> Unit | None:
        """The ship a unit is aboard."""
        return None if unit.carrier_id is None else self.units[unit.carrier_id]

    def aboard_of(self, ship: Unit) -> list[Unit]:
        return [u for u in self.in_order() if u.carrier_id == ship.unit_id]

    def captives_of(self, captor: Unit) -> list[Unit]:
        return [u for u in self.in_order() if u.captor_id == captor.unit_id]

    def tell(
        self,
        section: str,
        kind: str,
        text: str,
        realm_id: int,
        *,
        unit_id: int | None = None,
        building_id: int | None = None,
    ) -> None:
        """Add a line to a section of a realm's report."""
        already = [m for m in self.messages if (m["realm_id"], m["section"]) == (realm_id, section)]
        self.messages.append(
            {
                "realm_id": realm_id,
                "section": section,
                "seq": len(already) + 1,
                "kind": kind,
                "text": text,
                "unit_id": unit_id,
                "building_id": building_id,
            }
        )


def read_world(tables: dict[str, list[Row]]) -> World:
    """The world from rows, as they stand in the tables of a game."""
    neighbours: dict[int, dict[int, int]] = {row["hex_id"]: {} for row in tables["hexes"]}
    for row in tables["neighbours"]:
        neighbours[row["hex_id"]][row["direction"]] = row["neighbour_id"]
    paths: dict[int, list[int]] = {}
    for row in sorted(tables["paths"], key=lambda row: row["step"]):
        paths.setdefault(row["unit_id"], []).append(row["hex_id"])
    return World(
        hexes={row["hex_id"]: Hex(**row) for row in tables["hexes"]},
        units={row["unit_id"]: Unit(**row) for row in tables["units"]},
        buildings={row["building_id"]: Building(**row) for row in tables["buildings"]},
        realm_names={
            row["realm_id"]: row["name"] or row["code"] or f"Reich {row['realm_id']}"
            for row in tables["realms"]
        },
        alliances={(row["realm_id"], row["ally_id"]) for row in tables["alliances"]},
        neighbours=neighbours,
        paths=paths,
        wishes={
            row["unit_id"]: row["embark_on"]
            for row in tables["movements"]
            if row["embark_on"] is not None
        },
        sight={(row["realm_id"], row["hex_id"]) for row in tables["sight"]},
        atlas=[dict(row) for row in tables["atlas"]],
    )


def write_world(world: World) -> dict[str, list[Row]]:
    """The tables after a turn, as rows, in no particular order."""
    return {
        "hexes": [asdict(h) for h in world.hexes.values()],
        "units": [asdict(u) for u in world.units.values()],
        "buildings": [asdict(b) for b in world.buildings.values()],
        "sight": [{"realm_id": realm, "hex_id": hex_id} for realm, hex_id in world.sight],
        "atlas": world.atlas,
        "losses": world.losses,
        "moves": world.moves,
        "boardings": world.boardings,
        "battles": world.battles,
        "battle_units": world.battle_units,
        "fates": [{"unit_id": unit_id, "fate": fate} for unit_id, fate in world.fates.items()],
        "fallen": [asdict(u) for u in world.fallen],
        "ledger": world.ledger,
        "messages": world.messages,
        "draws": world.draws,
    }
