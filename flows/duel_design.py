"""The designer's runs: grids become matrices, knobs become curves, as tables and pictures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
from PIL import Image

from flows.duel_fights import grid_source
from flows.duel_registry import load_registry
from flows.shipped import map_style, shipped
from transforms import schema
from transforms.duel import matrix as matrices
from transforms.duel.curve import draw_curve
from transforms.duel.grid import Grid, frames, probe
from transforms.duel.heatmap import draw_heatmap
from transforms.duel.model import Registry
from transforms.duel.roster import check_fights
from transforms.duel.run import run_fights
from transforms.duel.spread import draw_spread
from transforms.duel.sweep import VARIED, Knob, sweep_table, variant
from transforms.errors import InputError


def core() -> Path:
    """The folder of the shipped registry."""
    return shipped("data", "duel", "core")


def registry_with(mods: Iterable[Path]) -> Registry:
    """The shipped core with `mods` on top of it, in their order."""
    return load_registry([core(), *mods])


def make_matrix(grid: Grid, registry: Registry, where: str) -> dict[str, pl.DataFrame]:
    """Tables matrix and distribution of a grid, fought chunk by chunk.

    Errors: see `check_fights`.
    """
    source = grid_source(where, grid)
    for sample in source.samples():
        check_fights(sample, registry, where)
    results = (played.results for played in run_fights(source.frames(), registry))
    counts = matrices.tally(grid, results)
    return {
        "matrix": matrices.matrix(grid, counts),
        "distribution": matrices.distribution(grid, counts),
    }


def draw_matrix(
    grid: Grid, tables: Mapping[str, pl.DataFrame], registry: Registry
) -> dict[str, Image.Image]:
    """The heat map and the distributions, in the order of the grid."""
    style, names = map_style(), {name: c.name for name, c in registry.creatures.items()}
    matrix, spread = (
        matrices.in_grid_order(grid, tables[name]) for name in ("matrix", "distribution")
    )
    quantiles = matrices.quantiles(tables["distribution"])
    return {
        "matrix": draw_heatmap(matrix, names, style),
        "distribution": draw_spread(spread, quantiles, names, style),
    }


def make_sweep(grid: Grid, knobs: Iterable[Knob], registry: Registry) -> pl.DataFrame:
    """Table duel.sweep: the one fight of `grid` over the values of each knob, same seeds.

    Errors: see `check_fights`; a value that the registry's format does not allow.
    """
    check_fights(probe(grid), registry, "sweep")
    tables = [schema.empty("duel.sweep")]
    varied = replace(grid, heroes=(VARIED,))
    for knob in knobs:
        variants = [variant(registry, grid.heroes[0], knob.key, value) for value in knob.values]
        wins = np.stack([_wins(varied, changed) for changed in variants])
        tables.append(sweep_table(knob, wins))
    return schema.shaped("duel.sweep", pl.concat(tables))


def draw_sweep(sweep: pl.DataFrame, grid: Grid, registry: Registry) -> dict[str, Image.Image]:
    """One picture for each knob, named `sweep_<key>`."""
    hero = registry.creatures[grid.heroes[0]].name
    enemies = [registry.creatures[name].name for name in next(iter(grid.groups.values()))]
    title = f"{hero} gegen {', '.join(_counted(enemies))}"
    return {
        f"sweep_{rows['key'][0].replace(':', '_')}": draw_curve(rows, title, map_style())
        for rows in sweep.partition_by("key", maintain_order=True)
    }


def write_findings(
    folder: Path, tables: Mapping[str, pl.DataFrame], pictures: Mapping[str, Image.Image]
) -> Iterator[Path]:
    """Write tables as CSV and pictures as PNG; yields the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        table.write_csv(path := folder / f"{name}.csv")
        yield path
    for name, picture in pictures.items():
        picture.save(path := folder / f"{name}.png")
        yield path


def one_fight_grid(
    hero: str, enemies: Iterable[str], policy: str | None, seeds: int, seed_base: int
) -> Grid:
    """A grid of a single cell."""
    return Grid((hero,), {"enemies": tuple(enemies)}, (policy,), seeds, seed_base)


def folders_of(given: str) -> Path:
    """A folder by its path; the word `core` is the shipped registry unless there is such a folder.

    Errors: neither.
    """
    path = Path(given)
    if path.is_dir():
        return path
    if given == "core":
        return core()
    raise InputError(f"{given}: no such folder; allowed: a folder with *.toml files, or core")


def _wins(grid: Grid, registry: Registry) -> np.ndarray:
    won = [
        (played.results["outcome"] == "victory").to_numpy()
        for played in run_fights(frames(grid), registry)
    ]
    return np.concatenate(won)


def _counted(names: list[str]) -> list[str]:
    """`3 × Wolf` for three of a kind, in order of first appearance."""
    return [f"{names.count(n)} × {n}" if names.count(n) > 1 else n for n in dict.fromkeys(names)]
