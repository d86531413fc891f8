"""The state: one set of tables per turn, the world after that turn."""

import dataframely as dy
import polars as pl

HIGHEST_ID = 4_000_000_000
"""Of units and buildings that people hand in: room is left for those that the turns make."""

MONTH = "count of months: year · months_per_year + month"


class Hexes(dy.Schema):
    """One row per Kleinfeld (hex) of the map."""

    hex_id = dy.UInt32(primary_key=True, min=1, description="gf · 100 + kf: 207/14 is 20714")
    gf = dy.UInt32(min=1, description="Großfeld")
    kf = dy.UInt8(min=1, max=48, description="Kleinfeld within the Großfeld, 1..48")
    q = dy.Int32(description="axial column (drawing only)")
    r = dy.Int32(description="axial row (drawing only)")
    height = dy.String(description="Höhenstufe, a name of the rule table heights")
    terrain = dy.String(description="Geländeart, a name of the rule table terrains")
    realm_id = dy.UInt16(nullable=True, description="realm that owns the hex, null = nobody")
    province_id = dy.UInt32(nullable=True, description="province it belongs to")
    income = dy.Int64(min=0, metadata={"default": 0}, description="normal income in gold")
    credit = dy.Int64(min=0, metadata={"default": 0}, description="stored income in gold")
    ravaged_until = dy.Int32(nullable=True, description=f"yields nothing before this date; {MONTH}")

    @dy.rule()
    def hex_id_is_gf_kf(cls) -> pl.Expr:
        return pl.col("hex_id") == pl.col("gf") * 100 + pl.col("kf")


class Units(dy.Schema):
    """One row per army, fleet or flight. It is ashore, aboard or captive: exactly one of them."""

    unit_id = dy.UInt32(primary_key=True, max=HIGHEST_ID, description="never used again, internal")
    realm_id = dy.UInt16(description="its realm")
    number = dy.UInt16(description="Heernummer, unique within the realm")
    unit_type = dy.String(description="a name of the rule table unit_types")
    troops = dy.Int64(min=0, description="head count")
    leaders = dy.Int32(min=0, metadata={"default": 0}, description="Heerführer")
    merit = dy.Int32(min=0, metadata={"default": 0}, description="Gutpunkte")
    elite_combat = dy.UInt8(metadata={"default": 0}, description="elite levels put into combat")
    elite_movement = dy.UInt8(metadata={"default": 0}, description="elite levels put into speed")
    hex_id = dy.UInt32(nullable=True, description="where it stands; null = aboard or captive")
    carrier_id = dy.UInt32(nullable=True, description="unit_id of the ship it is aboard")
    home_province_id = dy.UInt32(nullable=True, description="province it was recruited in")
    captor_id = dy.UInt32(nullable=True, description="unit_id of the unit that holds it captive")
    last_ashore = dy.Int32(description=f"last date on firm ground; {MONTH}")
    ready_on = dy.Int32(nullable=True, description=f"date its training ends; {MONTH}")
    home_since = dy.Int32(nullable=True, description=f"in its home province since; {MONTH}")

    @dy.rule()
    def ashore_aboard_or_captive(cls) -> pl.Expr:
        return (
            pl.sum_horizontal(
                pl.col("hex_id", "carrier_id", "captor_id").is_not_null().cast(pl.UInt8)
            )
            == 1
        )

    @dy.rule()
    def number_unique_in_realm(cls) -> pl.Expr:
        return (pl.col("realm_id").cast(pl.UInt32) * 65536 + pl.col("number")).is_unique()


class Buildings(dy.Schema):
    """One row per building: central ones stand on a hex, edge ones on one of its six edges."""

    building_id = dy.UInt32(primary_key=True, max=HIGHEST_ID, description="never used again")
    realm_id = dy.UInt16(description="its owner")
    building_type = dy.String(description="a code of the rule table building_types")
    name = dy.String(nullable=True, description="its own name")
    hex_id = dy.UInt32(description="the hex it stands on")
    direction = dy.UInt8(nullable=True, max=5, description="the edge; null = central")
    completed_on = dy.Int32(nullable=True, description=f"date of completion, null = ever; {MONTH}")
    damage = dy.Float64(min=0, metadata={"default": 0.0}, description="damage still to be repaired")


class Realms(dy.Schema):
    """One row per realm."""

    realm_id = dy.UInt16(primary_key=True, min=1, description="internal number")
    code = dy.String(nullable=True, description="Kürzel, names its files")
    name = dy.String(nullable=True, description="its name; without name or code no report")
    ruler = dy.String(nullable=True, description="Herrschername")
    capital = dy.String(nullable=True, description="name of the capital")
    treasury = dy.Int64(min=0, metadata={"default": 0}, description="Reichsschatz in gold")
    capital_hex_id = dy.UInt32(nullable=True, description="where the capital stands")


class Alliances(dy.Schema):
    """One row per direction of an alliance: both directions are always there."""

    realm_id = dy.UInt16(primary_key=True, description="a realm")
    ally_id = dy.UInt16(primary_key=True, description="its ally")

    @dy.rule()
    def not_with_itself(cls) -> pl.Expr:
        return pl.col("realm_id") != pl.col("ally_id")


class Sight(dy.Schema):
    """One row per realm and hex it sees after the turn (Sichtbereich)."""

    realm_id = dy.UInt16(primary_key=True, description="who sees")
    hex_id = dy.UInt32(primary_key=True, description="what is seen")


class Atlas(dy.Schema):
    """One row per realm and hex it has ever seen (Spielerkarte)."""

    realm_id = dy.UInt16(primary_key=True, description="whose map")
    hex_id = dy.UInt32(primary_key=True, description="a hex on it")
    first_seen = dy.Int32(description="turn it was seen first")
    last_seen = dy.Int32(description="turn it was seen last")


class Counters(dy.Schema):
    """One row per kind of id that the turn gives out; ids are never used again."""

    name = dy.Enum(["unit", "building"], primary_key=True, description="unit or building")
    next = dy.UInt32(max=HIGHEST_ID + 1, description="the next free id")


TABLES = {
    "hexes": Hexes,
    "units": Units,
    "buildings": Buildings,
    "realms": Realms,
    "alliances": Alliances,
    "sight": Sight,
    "atlas": Atlas,
    "counters": Counters,
}
