"""A large game of any size for the benches: plane map, realms side by side, one order a unit."""

import tomllib
from pathlib import Path

import numpy as np
import polars as pl

from flows import store
from flows.game import read_rules
from transforms import schema
from transforms.hexgrid import LAYOUT, gf_neighbours_on_plane, hex_id, neighbour_table
from transforms.rules import Rules

RULESET = "promy2026"
START_YEAR = 414
_PLACES = ("hex_id", "step0", "step1", "step2")
GAME = """\
[game]
id = "bench"
name = "Bench"
ruleset = "{ruleset}"
seed = "{seed}"
start = {{ year = {year}, month = 0 }}
"""


def make_game(root: Path, *, units: int, hexes: int, realms: int, seed: int = 1) -> None:
    """Write a playable game folder with an order file of every realm for turn 1.

    Each realm owns a strip of the map; its units stand in the strip and the two next to it, so
    that borders are crowded. A unit in ten stays, the others walk up to three hexes.
    """
    rules = read_rules(None, RULESET, {}, where="bench")
    rng = np.random.default_rng(seed)
    land = _map(hexes, realms, rules, rng)
    neighbours = neighbour_table(hexes=land, gf_neighbours=gf_neighbours_on_plane(land))
    armies = _units(units, realms, land, rules, rng)
    state = {
        "hexes": land,
        "units": armies,
        "buildings": _buildings(land, realms, rng),
        "realms": _realms(realms),
        "alliances": _alliances(realms),
    }
    walks = _walks(armies, neighbours, rng)
    state["atlas"] = (
        pl.concat(walks.select("realm_id", hex_id=place) for place in _PLACES)
        .unique()
        .with_columns(first_seen=0, last_seen=0)
    )
    state = {name: schema.shaped(name, frame) for name, frame in state.items()}
    root.mkdir(parents=True)
    (root / "game.toml").write_text(
        GAME.format(ruleset=RULESET, seed="5a" * 32, year=START_YEAR), encoding="utf-8"
    )
    store.write_table(root / "map" / "neighbours.parquet", schema.shaped("neighbours", neighbours))
    store.write_table(root / "map" / "rivers.parquet", schema.empty("rivers"))
    game = tomllib.loads((root / "game.toml").read_text(encoding="utf-8"))["game"]
    store.write_start(root, state, "bench", game["id"])
    _order_files(root, walks, rng)


def _map(hexes: int, realms: int, rules: Rules, rng: np.random.Generator) -> pl.DataFrame:
    cells = -(-hexes // 48)
    side = int(np.ceil(np.sqrt(cells)))
    gf = np.arange(cells)
    a, b = gf // side, gf % side
    origin = pl.DataFrame(
        {"gf": (a + 1) * 1000 + b + 1, "oq": 8 * a + 4 * b, "orow": 4 * b - 4 * a}
    )
    land = origin.join(LAYOUT, how="cross").with_columns(
        pl.col("gf").cast(pl.UInt32), pl.col("kf").cast(pl.UInt8)
    )
    n = land.height
    terrains = rules.incomes.filter(pl.col("height") != "Wasser")
    pick = rng.integers(0, terrains.height, n)
    return land.with_columns(
        hex_id(),
        q=pl.col("oq") + pl.col("kf_q"),
        r=pl.col("orow") + pl.col("kf_r"),
        height=terrains["height"].gather(pick),
        terrain=terrains["terrain"].gather(pick),
        income=terrains["income"].gather(pick),
        realm_id=(pl.int_range(0, n) * realms // n + 1).cast(pl.UInt16),
        province_id=(pl.int_range(0, n) * realms * 4 // n + 1).cast(pl.UInt32),
    ).drop("oq", "orow", "kf_q", "kf_r")


def _units(
    units: int, realms: int, land: pl.DataFrame, rules: Rules, rng: np.random.Generator
) -> pl.DataFrame:
    row = np.arange(units)
    realm = row * realms // units
    strip = land.height / realms
    place = ((realm + rng.uniform(-0.1, 1.1, units)) * strip).astype(int).clip(0, land.height - 1)
    kinds = rules.unit_types.filter(~pl.col("ship"))["name"].gather(rng.integers(0, 4, units))
    return pl.DataFrame(
        {
            "unit_id": row + 1,
            "realm_id": realm + 1,
            "number": row - np.searchsorted(realm, realm) + 101,
            "unit_type": kinds,
            "troops": rng.integers(100, 5000, units),
            "leaders": 1,
            "merit": rng.integers(0, 4, units),
            "elite_combat": rng.integers(0, 3, units),
            "hex_id": land["hex_id"].gather(place),
            "home_province_id": land["province_id"].gather(place),
            "last_ashore": START_YEAR * rules.months_per_year,
        }
    )


def _buildings(land: pl.DataFrame, realms: int, rng: np.random.Generator) -> pl.DataFrame:
    place = np.sort(rng.choice(land.height, size=min(land.height, realms * 20), replace=False))
    return pl.DataFrame(
        {
            "building_id": np.arange(len(place)) + 1,
            "realm_id": land["realm_id"].gather(place),
            "building_type": pl.Series(["BRG", "STA", "GAR", "TEM"]).gather(
                np.arange(len(place)) % 4
            ),
            "name": "Ort",
            "hex_id": land["hex_id"].gather(place),
            "completed_on": START_YEAR * 12 - 5,
            "damage": 0.0,
        }
    )


def _realms(realms: int) -> pl.DataFrame:
    code = pl.format("R{}", pl.col("realm_id"))
    return pl.DataFrame({"realm_id": np.arange(realms) + 1}).with_columns(
        code=code, name=pl.format("Reich {}", "realm_id"), ruler=code, capital=code, treasury=1000
    )


def _alliances(realms: int) -> pl.DataFrame:
    """Realms 1–2, 5–6, 9–10, … are allies."""
    first = np.arange(1, realms, 4)
    pairs = np.concatenate([np.stack([first, first + 1]), np.stack([first + 1, first])], axis=1)
    return pl.DataFrame({"realm_id": pairs[0], "ally_id": pairs[1]})


def _walks(units: pl.DataFrame, neighbours: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """A row a unit: where it stands (`hex_id`) and the hexes it walks to (`step0`, …)."""
    steps = neighbours.group_by("hex_id").agg(next_id=pl.col("neighbour_id").sort())
    walk = units.select("realm_id", "number", "troops", "leaders", "hex_id", at="hex_id")
    for step in _PLACES[1:]:
        dice = pl.Series(rng.integers(0, 2**16, walk.height))
        following = walk.select("at").join(
            steps, left_on="at", right_on="hex_id", how="left", maintain_order="left"
        )["next_id"]
        there = pl.select(following.list.get(dice % following.list.len())).to_series()
        walk = walk.with_columns(there.alias("at"), there.alias(step))
    return walk


def _order_files(root: Path, walks: pl.DataFrame, rng: np.random.Generator) -> None:
    """One line a unit, GF written at every waypoint."""
    words = [pl.col("number"), pl.col("troops"), pl.col("leaders"), *map(_place, _PLACES)]
    line = pl.concat_str([w.cast(pl.String) for w in words] + [pl.lit("a")], separator=",")
    stays = pl.Series(rng.integers(0, 10, walks.height) == 0)
    texts = (
        walks.with_columns(line=line)
        .filter(~stays)
        .group_by("realm_id")
        .agg(pl.col("line").str.join("\n"))
    )
    folder = root / "orders" / "1"
    folder.mkdir(parents=True)
    for realm_id, text in texts.iter_rows():
        (folder / f"R{realm_id}_SPZ.txt").write_text(text + "\n", encoding="utf-8")


def _place(column: str) -> pl.Expr:
    return pl.format("{},{}", pl.col(column) // 100, pl.col(column) % 100)
