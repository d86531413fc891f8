"""A grid: every hero against every group of enemies, by every policy, with the same seeds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from transforms.duel import fields
from transforms.duel.model import MOST
from transforms.errors import InputError
from transforms.schema import schema_of

CHUNK = 2**16
"""Fights that a frame of a grid holds: memory does not grow with the number of seeds."""

_MOST_FIGHTS = 2**40


@dataclass(frozen=True)
class Grid:
    """What is combined with what; a policy of None means the hero's own list."""

    heroes: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]
    policies: tuple[str | None, ...] = (None,)
    seeds: int = 1000
    seed_base: int = 1

    @property
    def count(self) -> int:
        """Number of fights."""
        return len(self.heroes) * len(self.groups) * len(self.policies) * self.seeds


def parse_grid(where: str, content: Mapping[str, Any]) -> Grid:
    """A grid from its TOML file.

    Errors: anything that is not as formats say, with file, key, found, allowed.
    """
    fields.table(where, content, ("grid",), ("grid",))
    allowed = ("heroes", "groups", "policies", "seeds", "seed_base")
    where = f"{where}: [grid]"
    found = fields.table(where, content["grid"], allowed, ("heroes", "groups"))
    groups = found["groups"]
    if not isinstance(groups, dict) or not groups:
        raise fields.refuse(f"{where}, groups", groups, "a table of at least one group")
    grid = Grid(
        heroes=_several(f"{where}, heroes", found["heroes"]),
        groups={
            name: fields.identifiers(f"{where}, groups, {name}", enemies, MOST - 1)
            for name, enemies in groups.items()
        },
        policies=_several(f"{where}, policies", found["policies"])
        if "policies" in found
        else (None,),
        seeds=fields.whole(f"{where}, seeds", found.get("seeds", 1000), 1, 2**32 - 1),
        seed_base=fields.whole(f"{where}, seed_base", found.get("seed_base", 1), 1, 2**63 - 1),
    )
    for name, enemies in grid.groups.items():
        if not enemies:
            raise fields.refuse(f"{where}, groups, {name}", [], f"1..{MOST - 1} creatures")
    if grid.count > _MOST_FIGHTS:
        raise fields.refuse(where, f"{grid.count} fights", f"at most {_MOST_FIGHTS}")
    return grid


def _several(where: str, value: Any) -> tuple[str, ...]:
    names = fields.identifiers(where, value)
    if not names or len(set(names)) < len(names):
        raise InputError(f"{where}: found {value!r}; allowed: at least one id, each once")
    return names


def cells(grid: Grid) -> pl.DataFrame:
    """One row per cell in file order: hero, group, policy (null: his own), enemies."""
    rows = [
        (hero, group, policy, list(enemies))
        for hero in grid.heroes
        for group, enemies in grid.groups.items()
        for policy in grid.policies
    ]
    types = schema_of("duel.fights")
    columns = {"hero": pl.String, "group": pl.String, "policy": pl.String}
    return pl.DataFrame(rows, schema={**columns, "enemies": types["enemies"]}, orient="row")


def probe(grid: Grid) -> pl.DataFrame:
    """The first fight of every cell (duel.fights): if these can be fought, all can."""
    ids = pl.int_range(0, grid.count, grid.seeds, dtype=pl.UInt64, eager=True)
    return _fights(grid, cells(grid), ids)


def fight(grid: Grid, fight_id: int) -> pl.DataFrame:
    """One fight of the grid (duel.fights); empty when there is no such number."""
    ids = [fight_id] if fight_id < grid.count else []
    return _fights(grid, cells(grid), pl.Series(ids, dtype=pl.UInt64))


def frames(grid: Grid, size: int = CHUNK) -> Iterator[pl.DataFrame]:
    """All fights (duel.fights) in ascending fight_id, `size` at a time."""
    made = cells(grid)
    for first in range(0, grid.count, size):
        last = min(first + size, grid.count)
        yield _fights(grid, made, pl.int_range(first, last, dtype=pl.UInt64, eager=True))


def _fights(grid: Grid, made: pl.DataFrame, ids: pl.Series) -> pl.DataFrame:
    """fight_id = cell · seeds + k and seed = seed_base + k."""
    told = made[(ids // grid.seeds).cast(pl.UInt32)]
    types = schema_of("duel.fights")
    return told.select(
        ids.alias("fight_id"),
        (ids % grid.seeds + grid.seed_base).cast(pl.UInt64).alias("seed"),
        "hero",
        "enemies",
        "policy",
        pl.lit(None, types["script"]).alias("script"),
    )
