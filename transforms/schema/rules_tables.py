"""The rule tables: CSV files of a rule set, read by flows/game.py."""

import dataframely as dy

_SOURCE = "where the value comes from; 'own' = ours"


def _hazard(text: str) -> dy.UInt8:
    return dy.UInt8(max=100, metadata={"default": 0}, description=f"{text}, 0..100 percent")


class UnitTypes(dy.Schema):
    """One row per kind of unit."""

    name = dy.String(primary_key=True, description="German singular, used in orders and texts")
    name_plural = dy.String(description="German plural")
    min_strength = dy.Int64(min=1, description="Mindeststärke: troops of one combat strength")
    cost = dy.Int64(min=0, description="gold per head")
    months = dy.Int32(min=0, description="base training time in months")
    flyer = dy.Bool(description="lost as a whole when aboard too long")
    ship = dy.Bool(description="can carry others")
    capacity = dy.Int64(min=0, metadata={"default": 0}, description="troop places of one ship")
    troop_space = dy.Int64(min=0, metadata={"default": 1}, description="places one head takes")
    speed = dy.Int32(min=0, metadata={"default": 0}, description="hexes a month (informative)")
    ranged = dy.Bool(metadata={"default": False}, description="fights from afar (model hits)")
    hardiness = dy.Int32(min=0, metadata={"default": 0}, description="points off a landing loss")
    months_afloat = dy.Int32(min=1, metadata={"default": 1}, description="months it bears aboard")
    fords = dy.Bool(metadata={"default": False}, description="crosses rivers without loss")
    source = dy.String(nullable=True, description=_SOURCE)


class NumberRanges(dy.Schema):
    """One row per range of army numbers of a unit type."""

    unit_type = dy.String(primary_key=True, description="a name of unit_types")
    kind = dy.Enum(["reich", "provinz", "erkundung"], primary_key=True, description="army kind")
    first = dy.UInt16(min=1, primary_key=True, description="first number")
    last = dy.UInt16(min=1, description="last number")
    source = dy.String(nullable=True, description=_SOURCE)


class Terrains(dy.Schema):
    """One row per Geländeart."""

    name = dy.String(primary_key=True, description="Geländeart")
    hazard = _hazard("standing loss")
    volcano_hazard = _hazard("danger for units on a neighbouring hex")
    steppe = dy.Bool(metadata={"default": False}, description="steppe losses instead of standing")
    steppe_stay = _hazard("steppe loss when the whole path lies on steppe")
    steppe_pass = _hazard("steppe loss when part of the path does")
    source = dy.String(nullable=True, description=_SOURCE)


class Heights(dy.Schema):
    """One row per Höhenstufe."""

    name = dy.String(primary_key=True, description="Höhenstufe")
    level = dy.Int32(min=0, description="0 water … 4 mountains")
    hazard = _hazard("standing loss")
    source = dy.String(nullable=True, description=_SOURCE)


class Incomes(dy.Schema):
    """One row per pair of height and terrain; used only when a map is made."""

    height = dy.String(primary_key=True, description="a name of heights")
    terrain = dy.String(primary_key=True, description="a name of terrains")
    income = dy.Int64(min=0, description="gold per income month")
    source = dy.String(nullable=True, description=_SOURCE)


class Immunities(dy.Schema):
    """One row per hazard that a unit type does not suffer from."""

    unit_type = dy.String(primary_key=True, description="a name of unit_types")
    kind = dy.Enum(
        ["height", "terrain", "volcano", "steppe", "river"],
        primary_key=True,
        description="which check; height names a height, the others a terrain",
    )
    name = dy.String(primary_key=True, description="a height or terrain; ignored for river")
    source = dy.String(nullable=True, description=_SOURCE)


class BuildingTypes(dy.Schema):
    """One row per kind of building."""

    code = dy.String(primary_key=True, description="three letters")
    name = dy.String(description="German name, used in orders and texts")
    central = dy.Bool(description="stands on the hex; false = on an edge")
    cost = dy.Int64(min=0, description="gold")
    months = dy.Int32(min=0, description="months until completion")
    defence = dy.Int64(min=0, description="Verteidigungswert in points of damage share")
    sight_radius = dy.UInt8(description="rings of hexes seen around it")
    capacity = dy.Int64(min=0, metadata={"default": 0}, description="troop places behind walls")
    trains = dy.Bool(metadata={"default": False}, description="units can be trained here")
    bridge = dy.Bool(metadata={"default": False}, description="lets units cross a river")
    fortification = dy.Enum(
        ["none", "pal", "mau", "burg"],
        metadata={"default": "none"},
        description="cover in the combat model hits",
    )
    source = dy.String(nullable=True, description=_SOURCE)


class Calendar(dy.Schema):
    """One row per month of the year."""

    month = dy.Int32(primary_key=True, min=0, description="0 is the first month")
    name = dy.String(description="its name")
    levy = dy.Bool(metadata={"default": False}, description="levy and upkeep month (Rüstmonat)")
    source = dy.String(nullable=True, description=_SOURCE)


TABLES = {
    "unit_types": UnitTypes,
    "number_ranges": NumberRanges,
    "terrains": Terrains,
    "heights": Heights,
    "incomes": Incomes,
    "immunities": Immunities,
    "building_types": BuildingTypes,
    "calendar": Calendar,
}
