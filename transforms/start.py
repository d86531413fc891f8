"""Start tables as people write them → the state of turn 0 and the map.

People name a realm by its code, a hex by Großfeld and Kleinfeld, a unit by number and code, a date
by month and year; the program needs ids. Every cell arrives as text with its row (`row`, the
header is row 1), so that an error can name file, row, column and what is allowed.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from transforms import cells, hexgrid, schema
from transforms.errors import InputError
from transforms.rules import Rules

Cells = Mapping[str, pl.DataFrame]

# The files of a start folder: columns that must be there, columns that may be.
COLUMNS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "gf": (("gf", "n", "no", "so", "s", "sw", "nw"), ()),
    "hexes": (
        ("gf", "kf", "height", "terrain"),
        ("realm", "province", "income", "credit", "q", "r"),
    ),
    "rivers": (("gf", "kf", "direction"), ()),
    "atlas": (("realm", "gf", "kf"), ()),
    "realms": (("code", "name"), ("ruler", "capital", "capital_gf", "capital_kf", "treasury")),
    "alliances": (("realm", "ally"), ()),
    "buildings": (
        ("realm", "building_type", "gf", "kf"),
        ("name", "direction", "completed_on", "damage"),
    ),
    "units": (
        ("realm", "number", "unit_type", "troops", "gf", "kf"),
        (
            *("leaders", "merit", "elite_combat", "elite_movement", "aboard", "captor"),
            *("home_province", "months_aboard", "ready_on"),
        ),
    ),
}
MAX_GF = 42_949_672  # a hex_id, gf · 100 + kf, has 32 bits
_SIDES = tuple(side.lower() for side in hexgrid.GF_DIRECTIONS)
REQUIRED = ("gf", "hexes", "realms")
_READ_BY_PLAYERS = {"realms": ("code", "name", "ruler", "capital"), "buildings": ("name",)}


def columns_of(name: str) -> tuple[str, ...]:
    """All columns that start table `name` may have, in the order in which they are documented."""
    required, optional = COLUMNS[name]
    return (*required, *optional)


@dataclass(frozen=True)
class World:
    """A world at its start: the state tables that people set, and the tables of the map."""

    state: dict[str, pl.DataFrame]
    map: dict[str, pl.DataFrame]


def make_world(start: Cells, rules: Rules, today: int) -> World:
    """State and map of turn 0, whose date is `today`, from the start tables (`COLUMNS`).

    Ids: realms and buildings in the order of their rows, units by realm and number. An empty
    income is that of the terrain. Errors: InputError with file, row, column, what is allowed.
    """
    given = {name: _complete(name, start.get(name)) for name in COLUMNS}
    realms = _realms(given["realms"])
    codes = realms.select("code", "realm_id")
    gfs = cells.numbers("gf", given["gf"], "gf", *_SIDES)
    gf_neighbours = _gf_neighbours(gfs)
    hexes = _hexes(given["hexes"], gfs["gf"], gf_neighbours, codes, rules)
    neighbours = hexgrid.neighbour_table(hexes=hexes, gf_neighbours=gf_neighbours)
    units = _units(given["units"], hexes, codes, rules, today)
    buildings = _buildings(given["buildings"], hexes, codes, rules)
    state = {
        "hexes": hexes,
        "units": units,
        "buildings": buildings,
        "realms": _with_capitals(realms, hexes),
        "alliances": _alliances(given["alliances"], codes),
        "atlas": _atlas(given["atlas"], hexes, codes),
        "counters": pl.DataFrame(
            {"name": ["unit", "building"], "next": [units.height + 1, buildings.height + 1]}
        ),
    }
    maps = {
        "neighbours": neighbours,
        "rivers": _rivers(given["rivers"], hexes, neighbours),
        "gf_neighbours": gf_neighbours,
    }
    return World(
        {name: schema.conform(name, frame, f"{name}.csv") for name, frame in state.items()},
        {name: schema.conform(name, frame, f"{name}.csv") for name, frame in maps.items()},
    )


# ── one start table each ──────────────────────────────────────────────────────────────────────


def _gf_neighbours(gfs: pl.DataFrame) -> pl.DataFrame:
    in_range = pl.col("gf").is_between(1, MAX_GF).fill_null(False)
    cells.refuse_where("gf", gfs, ~in_range, "gf", f"allowed: 1 to {MAX_GF}")
    cells.refuse_where("gf", gfs, ~pl.col("gf").is_first_distinct(), "gf", "stands there twice")
    for side in _SIDES:
        cells.known_in("gf", gfs, side, gfs["gf"], "a Großfeld of this file")
    links = gfs.unpivot(_SIDES, index=["row", "gf"], value_name="neighbour_gf").drop_nulls()
    links = links.with_columns(
        direction=pl.col("variable").replace_strict(
            {side: d for d, side in enumerate(_SIDES)}, return_dtype=pl.UInt8
        )
    )
    back = links.select(
        gf="neighbour_gf", direction=hexgrid.opposite(pl.col("direction")), neighbour_gf="gf"
    )
    alone = links.join(back, on=["gf", "direction", "neighbour_gf"], how="anti").sort("row")
    if alone.height:
        row, gf, side, other = alone.select("row", "gf", "variable", "neighbour_gf").row(0)
        raise InputError(
            f"gf.csv: row {row}: {gf} has {other} in the {side.upper()}, "
            f"but {other} does not have {gf} on the opposite side"
        )
    return schema.shaped("gf_neighbours", links.select("gf", "direction", "neighbour_gf"))


def _hexes(
    rows: pl.DataFrame,
    gfs: pl.Series,
    gf_neighbours: pl.DataFrame,
    codes: pl.DataFrame,
    rules: Rules,
) -> pl.DataFrame:
    name = "hexes"
    hexes = cells.numbers(name, rows, "gf", "kf", "province", "income", "credit")
    outside = ~pl.col("kf").is_between(1, hexgrid.KF_PER_GF).fill_null(False)
    cells.refuse_where(name, hexes, outside, "kf", "allowed: 1 to 48")
    cells.refuse_where(name, hexes, pl.col("gf").is_null(), "gf", "a Großfeld is needed")
    cells.known_in(name, hexes, "gf", gfs, "a Großfeld of gf.csv")
    cells.refuse_where(
        name, hexes, ~pl.struct("gf", "kf").is_first_distinct(), "kf", "is there twice"
    )
    cells.known_in(name, hexes, "height", rules.heights["name"])
    cells.known_in(name, hexes, "terrain", rules.terrains["name"])
    hexes = _with_realm(name, hexes, codes, optional=True)
    incomes = rules.incomes.select("height", "terrain", usual="income")
    hexes = hexes.join(incomes, on=["height", "terrain"], how="left", maintain_order="left")
    hexes = hexes.with_columns(pl.col("income").fill_null(pl.col("usual")).fill_null(0))
    hexes = hexes.cast({"gf": pl.UInt32, "kf": pl.UInt8})
    placed = _with_positions(name, hexes, gf_neighbours)
    return schema.shaped(
        name,
        placed.select(
            *(hexgrid.hex_id(), "gf", "kf", "q", "r", "height", "terrain", "realm_id"),
            *("income", pl.col("credit").fill_null(0)),
            province_id="province",
        ),
    )


def _with_positions(name: str, hexes: pl.DataFrame, gf_neighbours: pl.DataFrame) -> pl.DataFrame:
    """q and r as given, or unrolled from the Großfelder when both columns are empty."""
    given = hexes.select(pl.col("q", "r").count()).row(0)
    if given == (0, 0):
        return hexgrid.positions(hexes=hexes.drop("q", "r"), gf_neighbours=gf_neighbours)
    typed = hexes.with_columns(pl.col("q", "r").cast(pl.Int32, strict=False))
    for column in ("q", "r"):
        cells.refuse_where(
            name, typed, pl.col(column).is_null(), column, "a whole number is needed"
        )
    return typed


def _rivers(rows: pl.DataFrame, hexes: pl.DataFrame, neighbours: pl.DataFrame) -> pl.DataFrame:
    edges = cells.with_direction("rivers", _with_hex("rivers", rows, hexes))
    there = edges.join(neighbours, on=["hex_id", "direction"], how="left", maintain_order="left")
    nothing = pl.col("neighbour_id").is_null()
    cells.refuse_where("rivers", there, nothing, "direction", "there is no hex on that side")
    pair = pl.col("hex_id"), pl.col("neighbour_id")
    return there.select(hex_a=pl.min_horizontal(pair), hex_b=pl.max_horizontal(pair)).unique()


def _realms(rows: pl.DataFrame) -> pl.DataFrame:
    realms = cells.numbers("realms", rows, "capital_gf", "capital_kf", "treasury")
    realms = realms.with_columns(pl.col("code").str.to_uppercase())
    cells.refuse_where("realms", realms, pl.col("code").is_null(), "code", "a realm needs a code")
    cells.refuse_where(
        "realms", realms, ~pl.col("code").is_first_distinct(), "code", "is there twice"
    )
    return realms.with_row_index("realm_id", 1)


def _with_capitals(realms: pl.DataFrame, hexes: pl.DataFrame) -> pl.DataFrame:
    place = realms.drop("row").with_columns(
        row=realms["row"],
        gf="capital_gf",
        kf="capital_kf",
        treasury=pl.col("treasury").fill_null(0),
    )
    placed = _with_hex("realms", place, hexes, optional=True, prefix="capital_")
    return placed.select(
        "realm_id", "code", "name", "ruler", "capital", "treasury", capital_hex_id="hex_id"
    )


def _alliances(rows: pl.DataFrame, codes: pl.DataFrame) -> pl.DataFrame:
    pairs = _with_realm("alliances", rows, codes)
    pairs = _with_realm("alliances", pairs, codes, column="ally", id_name="ally_id")
    itself = pl.col("realm_id") == pl.col("ally_id")
    cells.refuse_where("alliances", pairs, itself, "ally", "a realm is not allied with itself")
    return pl.concat(
        [
            pairs.select("realm_id", "ally_id"),
            pairs.select(realm_id="ally_id", ally_id="realm_id"),
        ]
    ).unique()


def _atlas(rows: pl.DataFrame, hexes: pl.DataFrame, codes: pl.DataFrame) -> pl.DataFrame:
    """What realms know of old, beyond the sight of their start position."""
    known = _with_hex("atlas", _with_realm("atlas", rows, codes), hexes)
    turn = pl.lit(0, pl.Int32)
    return known.select("realm_id", "hex_id", first_seen=turn, last_seen=turn).unique()


def _buildings(
    rows: pl.DataFrame, hexes: pl.DataFrame, codes: pl.DataFrame, rules: Rules
) -> pl.DataFrame:
    name = "buildings"
    placed = _with_hex(name, _with_realm(name, rows, codes), hexes)
    cells.known_in(name, placed, "building_type", rules.building_types["code"])
    placed = cells.with_direction(name, cells.with_date(name, placed, "completed_on", rules))
    types = rules.building_types.select(building_type="code", central="central")
    typed = placed.join(types, on="building_type", how="left", maintain_order="left")
    wrong = pl.col("central") != pl.col("direction").is_null()
    cells.refuse_where(
        name,
        typed,
        wrong,
        "direction",
        "an edge building needs a direction, a central one has none",
    )
    damage = pl.col("damage").cast(pl.Float64, strict=False)
    lost = damage.is_null() & pl.col("damage").is_not_null()
    cells.refuse_where(name, typed, lost, "damage", "a number is needed")
    return typed.with_row_index("building_id", 1).select(
        *("building_id", "realm_id", "building_type", "name", "hex_id", "direction"),
        *("completed_on", damage.fill_null(0.0)),
    )


def _units(
    rows: pl.DataFrame, hexes: pl.DataFrame, codes: pl.DataFrame, rules: Rules, today: int
) -> pl.DataFrame:
    name = "units"
    counts = ("troops", "leaders", "merit", "elite_combat", "elite_movement", "months_aboard")
    units = cells.numbers(name, rows, "number", "gf", "kf", "home_province", *counts)
    units = _with_hex(name, _with_realm(name, units, codes), hexes, optional=True)
    cells.refuse_where(name, units, pl.col("number").is_null(), "number", "a unit needs a number")
    double = ~pl.struct("realm_id", "number").is_first_distinct()
    cells.refuse_where(name, units, double, "number", "the realm has this number twice")
    cells.known_in(name, units, "unit_type", rules.unit_types["name"])
    places = pl.sum_horizontal(pl.col("hex_id", "aboard", "captor").is_not_null().cast(pl.UInt8))
    cells.refuse_where(name, units, places != 1, "gf", "a unit is on a hex or aboard or captive")
    units = cells.with_date(name, units, "ready_on", rules)
    units = units.sort("realm_id", "number").with_row_index("unit_id", 1)
    for column, id_name in (("aboard", "carrier_id"), ("captor", "captor_id")):
        units = _with_unit(name, units, codes, column, id_name)
    return units.select(
        *("unit_id", "realm_id", "number", "unit_type", pl.col(counts[:-1]).fill_null(0)),
        *("hex_id", "carrier_id", "captor_id", "ready_on"),
        home_province_id="home_province",
        last_ashore=today - pl.col("months_aboard").fill_null(0),
    )


# ── what several tables need ──────────────────────────────────────────────────────────────────


def _complete(name: str, rows: pl.DataFrame | None) -> pl.DataFrame:
    """The table with all its columns; a missing optional one is empty."""
    required, _ = COLUMNS[name]
    if rows is None:
        if name in REQUIRED:
            raise InputError(f"{name}.csv is missing; it needs the columns {', '.join(required)}")
        return pl.DataFrame(schema={**dict.fromkeys(columns_of(name), pl.String), "row": pl.UInt32})
    for column in required:
        if column not in rows.columns:
            needed = ", ".join(required)
            raise InputError(f"{name}.csv: column {column!r} is missing; needed: {needed}")
    missing = [column for column in columns_of(name) if column not in rows.columns]
    complete = rows.with_columns(pl.lit(None, pl.String).alias(column) for column in missing)
    for column in _READ_BY_PLAYERS.get(name, ()):
        strange = pl.col(column).str.contains(cells.UNPRINTABLE)
        cells.refuse_where(name, complete, strange, column, f"allowed: {cells.PRINTABLE}")
    return complete


def _with_realm(
    name: str,
    rows: pl.DataFrame,
    codes: pl.DataFrame,
    column: str = "realm",
    id_name: str = "realm_id",
    *,
    optional: bool = False,
) -> pl.DataFrame:
    """Append the id of the realm whose code stands in `column`."""
    upper = rows.with_columns(pl.col(column).str.to_uppercase())
    if not optional:
        cells.refuse_where(name, upper, pl.col(column).is_null(), column, "a realm is needed")
    cells.known_in(name, upper, column, codes["code"])
    named = codes.select(pl.col("code").alias(column), pl.col("realm_id").alias(id_name))
    return upper.join(named, on=column, how="left", maintain_order="left")


def _with_hex(
    name: str, rows: pl.DataFrame, hexes: pl.DataFrame, *, optional: bool = False, prefix: str = ""
) -> pl.DataFrame:
    """Append `hex_id` of the columns gf and kf."""
    if rows.schema["gf"] == pl.String:
        rows = cells.numbers(name, rows, "gf", "kf")
    half = pl.col("gf").is_null() != pl.col("kf").is_null()
    empty = pl.col("gf").is_null() & pl.col("kf").is_null()
    bad = half if optional else half | empty
    cells.refuse_where(name, rows, bad, f"{prefix}kf", "Großfeld and Kleinfeld are needed")
    placed = rows.with_columns(hexgrid.hex_id())
    there = pl.col("hex_id").is_null() | pl.col("hex_id").is_in(hexes["hex_id"].implode())
    cells.refuse_where(name, placed, ~there, f"{prefix}kf", "there is no such hex in hexes.csv")
    return placed


def _with_unit(
    name: str, units: pl.DataFrame, codes: pl.DataFrame, column: str, id_name: str
) -> pl.DataFrame:
    """Append the id of the unit written as `305` (own realm) or `305@NOR` in `column`."""
    parts = units.with_columns(
        other_number=pl.col(column).str.extract(r"^(\d+)(?:@\S+)?$", 1).cast(pl.Int64),
        other=pl.coalesce(
            pl.col(column).str.extract(r"@(\S+)$", 1).str.to_uppercase(), pl.col("realm")
        ),
    )
    named = units.select(other="realm", other_number="number", other_id=pl.col("unit_id"))
    found = parts.join(named, on=["other", "other_number"], how="left", maintain_order="left")
    lost = pl.col("other_id").is_null() & pl.col(column).is_not_null()
    cells.refuse_where(name, found, lost, column, "there is no such unit; write 305 or 305@CODE")
    return found.drop("other", "other_number").rename({"other_id": id_name})
