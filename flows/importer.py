"""Import: the map and start position of another program → start tables → a game.

Erkenfara, a sister game, keeps plane offset coordinates and one word for the terrain; both become
Großfelder, heights and terrains. A row that makes no sense is reported with its file and left
out; the rest counts.
"""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from flows.csvs import read_cells
from flows.game import read_rules
from flows.newgame import Founded, new_game
from transforms import hexgrid
from transforms.errors import InputError
from transforms.rules import Rules
from transforms.start import columns_of

# What the other game's words mean here.
TERRAINS = {
    "Wasser": ("Wasser", "Flachsee"),
    "Tiefsee": ("Wasser", "Tiefsee"),
    "Tiefland": ("Tiefland", "Flur"),
    "Wald": ("Tiefland", "Wald"),
    "Wüste": ("Tiefland", "Wüste"),
    "Sumpf": ("Tiefland", "Sumpf"),
    "Hochland": ("Hochland", "Flur"),
    "Bergland": ("Bergland", "Flur"),
    "Gebirge": ("Gebirge", "Fels"),
}
PLACES = {"Burg": "BRG", "Stadt": "STA", "Festung": "FST", "Hauptstadt": "MET"}
RULESET = "promy2026"  # the one that a new game gets
_FILES = {
    "fields": ("x", "y", "terrain"),
    "realms": ("realm", "name", "colour"),
    "territory": ("realm", "x", "y"),
    "buildings": ("realm", "type", "name", "x", "y"),
    "units": ("realm", "number", "count", "leaders", "mounts", "x", "y"),
    "rivers": ("x1", "y1", "x2", "y2"),
}


@dataclass
class Defects:
    """Rows that were left out, each with its file, its row and why."""

    found: list[str] = field(default_factory=list)

    def without(self, file: str, rows: pl.DataFrame, bad: pl.Expr, why: str) -> pl.DataFrame:
        """`rows` without the bad ones, which are noted."""
        bad = bad.fill_null(False)
        self.found += [f"{file}.csv: row {row}: {why}" for row in rows.filter(bad)["row"]]
        return rows.filter(~bad)


def import_erkenfara(folder: Path, root: Path) -> tuple[Founded, list[str]]:
    """A playable game in `root` from the six CSV files in `folder`, and the defects found.

    The start tables are left in `root`/start, to look at or to change. Errors: a missing file
    or column, a folder that holds a game already.
    """
    if (root / "start").exists() or (root / "history").exists():
        raise InputError(f"{root}: holds a game already; choose an empty folder")
    rules = read_rules(None, RULESET, {}, where="import")
    start, defects = start_tables(folder, rules)
    places = root / "start"
    places.mkdir(parents=True)
    try:
        for name, table in start.items():
            table.write_csv(places / f"{name}.csv")
        return new_game(root, places), defects
    except InputError:
        shutil.rmtree(places)
        raise


def start_tables(folder: Path, rules: Rules) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The start tables of a new game, and a line for each row that was left out."""
    files = {name: _read(folder, name) for name in _FILES}
    defects = Defects()
    hexes = _hexes(files["fields"], defects)
    at_home = _AtHome(hexes, files["realms"], defects)
    territory = at_home.placed("territory", files["territory"])
    owners = territory.unique(["gf", "kf"], keep="first", maintain_order=True)
    buildings = _buildings(at_home.placed("buildings", files["buildings"]), defects)
    start = {
        "gf": _gf(hexes),
        "hexes": hexes.join(owners.select("gf", "kf", "realm"), on=["gf", "kf"], how="left"),
        "rivers": _rivers(files["rivers"], hexes, defects),
        "realms": _realms(files["realms"], buildings),
        "buildings": buildings,
        "units": _units(at_home.placed("units", files["units"]), rules, defects),
    }
    keys = {"gf": ["gf"], "hexes": ["gf", "kf"], "rivers": ["gf", "kf", "direction"]}
    tables = {
        name: table.sort(keys[name]) if name in keys else table for name, table in start.items()
    }
    return {
        name: table.select(c for c in columns_of(name) if c in table.columns)
        for name, table in tables.items()
    }, defects.found


def _read(folder: Path, name: str) -> pl.DataFrame:
    path, columns = folder / f"{name}.csv", _FILES[name]
    if not path.is_file():
        raise InputError(f"{path}: the file is missing; it needs the columns {', '.join(columns)}")
    cells = read_cells(path, columns)
    if missing := [column for column in columns if column not in cells.columns]:
        raise InputError(f"{path}: column {missing[0]!r} is missing; needed: {', '.join(columns)}")
    return cells


def _hexes(fields: pl.DataFrame, defects: Defects) -> pl.DataFrame:
    """gf, kf, q, r, height and terrain of every field."""
    rows = _with_axial("fields", fields, defects)
    strange = ~pl.col("terrain").is_in(list(TERRAINS))
    rows = defects.without(
        "fields", rows, strange, f"terrain unknown; known: {', '.join(TERRAINS)}"
    )
    twice = ~pl.struct("q", "r").is_first_distinct()
    rows = defects.without("fields", rows, twice, "this field is there already")
    heights = {word: height for word, (height, _) in TERRAINS.items()}
    terrains = {word: terrain for word, (_, terrain) in TERRAINS.items()}
    return hexgrid.in_cells(
        rows.select(
            *("q", "r"),
            height=pl.col("terrain").replace_strict(heights),
            terrain=pl.col("terrain").replace_strict(terrains),
        )
    )


def _with_axial(
    file: str, rows: pl.DataFrame, defects: Defects, x: str = "x", y: str = "y", end: str = ""
) -> pl.DataFrame:
    """Append q and r of offset coordinates: odd rows are shifted half a field to the left."""
    typed = rows.with_columns(pl.col(x, y).cast(pl.Int32, strict=False))
    lost = pl.col(x).is_null() | pl.col(y).is_null()
    typed = defects.without(file, typed, lost, "the coordinates are no whole numbers")
    q = pl.col(x) - (pl.col(y) + pl.col(y) % 2) // 2
    return typed.with_columns(q.alias(f"q{end}"), pl.col(y).alias(f"r{end}"))


@dataclass(frozen=True)
class _AtHome:
    """Finds realm and hex of rows that name a realm and a field."""

    hexes: pl.DataFrame
    realms: pl.DataFrame
    defects: Defects

    def placed(self, file: str, rows: pl.DataFrame) -> pl.DataFrame:
        """The rows with gf, kf and the realm's code in capitals; those that have none left out."""
        strange = ~pl.col("realm").is_in(self.realms["realm"].implode())
        known = self.defects.without(file, rows, strange, "there is no such realm")
        on_map = _with_axial(file, known, self.defects).join(
            self.hexes.select("q", "r", "gf", "kf"),
            on=["q", "r"],
            how="left",
            maintain_order="left",
        )
        found = self.defects.without(file, on_map, pl.col("gf").is_null(), "no field is there")
        return found.with_columns(pl.col("realm").str.to_uppercase())


def _buildings(rows: pl.DataFrame, defects: Defects) -> pl.DataFrame:
    strange = ~pl.col("type").is_in(list(PLACES))
    known = defects.without("buildings", rows, strange, f"known types: {', '.join(PLACES)}")
    return known.with_columns(building_type=pl.col("type").replace_strict(PLACES))


def _realms(realms: pl.DataFrame, buildings: pl.DataFrame) -> pl.DataFrame:
    capitals = (
        buildings.filter(building_type="MET")
        .unique("realm", keep="first", maintain_order=True)
        .select("realm", capital="name", capital_gf="gf", capital_kf="kf")
    )
    named = realms.with_columns(realm=pl.col("realm").str.to_uppercase())
    return named.join(capitals, on="realm", how="left", maintain_order="left").rename(
        {"realm": "code"}
    )


def _units(rows: pl.DataFrame, rules: Rules, defects: Defects) -> pl.DataFrame:
    """The unit type follows from the number; riders' mounts go without saying."""
    typed = rows.with_columns(pl.col("number", "count", "leaders").cast(pl.Int64, strict=False))
    in_range = typed.join_where(
        rules.number_ranges.select("unit_type", "first", "last"),
        pl.col("number") >= pl.col("first"),
        pl.col("number") <= pl.col("last"),
    ).select("row", "unit_type")
    units = typed.join(in_range, on="row", how="left", maintain_order="left")
    units = defects.without(
        "units", units, pl.col("unit_type").is_null(), "the number belongs to no unit type"
    )
    lost = pl.col("count").is_null() | pl.col("leaders").is_null()
    units = defects.without("units", units, lost, "count and leaders must be whole numbers")
    twice = ~pl.struct("realm", "number").is_first_distinct()
    return defects.without("units", units, twice, "the realm has this number already").rename(
        {"count": "troops"}
    )


def _gf(hexes: pl.DataFrame) -> pl.DataFrame:
    links = hexgrid.gf_neighbours_on_plane(hexes)
    sides = [
        links.filter(direction=direction).select("gf", pl.col("neighbour_gf").alias(side.lower()))
        for direction, side in enumerate(hexgrid.GF_DIRECTIONS)
    ]
    table = hexes.select("gf").unique()
    for side in sides:
        table = table.join(side, on="gf", how="left")
    return table


def _rivers(rows: pl.DataFrame, hexes: pl.DataFrame, defects: Defects) -> pl.DataFrame:
    """gf, kf and direction of each river edge, seen from the first of its two fields."""
    ends = _with_axial("rivers", rows, defects, "x1", "y1", "1")
    ends = _with_axial("rivers", ends, defects, "x2", "y2", "2")
    steps = pl.DataFrame(
        [(*step, name) for name, step in zip(hexgrid.DIRECTIONS, hexgrid.STEPS, strict=True)],
        schema={"dq": pl.Int32, "dr": pl.Int32, "direction": pl.String},
        orient="row",
    )
    edges = ends.with_columns(dq=pl.col("q2") - pl.col("q1"), dr=pl.col("r2") - pl.col("r1")).join(
        steps, on=["dq", "dr"], how="left", maintain_order="left"
    )
    apart = pl.col("direction").is_null()
    edges = defects.without("rivers", edges, apart, "the two fields are not neighbours")
    for end in ("1", "2"):
        fields = hexes.select(
            pl.col("q").alias(f"q{end}"),
            pl.col("r").alias(f"r{end}"),
            pl.col("gf").alias(f"gf{end}"),
            pl.col("kf").alias(f"kf{end}"),
        )
        edges = edges.join(fields, on=[f"q{end}", f"r{end}"], how="left", maintain_order="left")
        edges = defects.without(
            "rivers", edges, pl.col(f"gf{end}").is_null(), "no field is on one of its sides"
        )
    return edges.rename({"gf1": "gf", "kf1": "kf"})
