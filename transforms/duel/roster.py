"""Rows of duel.fights as ordinals, and the errors of fights that cannot be fought."""

from typing import NamedTuple

import numpy as np
import polars as pl

from transforms.duel.batch import NONE
from transforms.duel.book import Book, Ints, compile_book
from transforms.duel.model import MOST, Registry
from transforms.errors import InputError, unknown


class Roster(NamedTuple):
    """Who fights: creatures by fight and position (0 nobody), the heroes' lists and scripts."""

    creatures: Ints
    lists: Ints
    script: Ints


def check_fights(fights: pl.DataFrame, registry: Registry, where: str = "fights") -> None:
    """Refuse fights (duel.fights) that cannot be fought with this registry.

    Errors: a seed of 0, an unknown creature, policy or ability, no or more than 15 enemies, a
    script or a policy with an ability that the hero does not have.
    """
    read_roster(fights, compile_book(registry), where)


def read_roster(fights: pl.DataFrame, book: Book, where: str) -> Roster:
    """The fights as ordinals of `book`; `policy` and `script` may be missing.

    Errors: see `check_fights`.
    """
    ids = fights["fight_id"]
    if (zero := ids.filter(fights["seed"] == 0)).len():
        raise InputError(f"{where}: fight {zero[0]}, seed: found 0; allowed: 1..2^64-1")
    heroes = _ordinals(ids, fights["hero"], book.creatures, "creature", where)
    enemies = _lists(fights, "enemies", book.creatures, "creature", where)
    counts = (enemies != NONE).sum(axis=1)
    for bad in np.flatnonzero((counts < 1) | (counts >= MOST)):
        raise InputError(
            f"{where}: fight {ids[int(bad)]}, enemies: found {counts[bad]}; allowed: 1..{MOST - 1}"
        )
    lists = np.full(fights.height, NONE)
    if "policy" in fights.columns and (told := fights["policy"].is_not_null()).any():
        policies = fights["policy"].filter(told)
        chosen = _ordinals(ids.filter(told), policies, list(book.policies), "policy", where)
        lists[told.to_numpy()] = chosen + len(book.creatures)
    script = np.full((fights.height, 0), NONE)
    if "script" in fights.columns:
        script = _lists(fights, "script", book.abilities, "ability", where)
    _refuse_foreign_commands(ids, book, heroes, script, where)
    _refuse_foreign_policies(book, heroes, lists, where)
    return Roster(np.column_stack([heroes, np.maximum(enemies, 0)]), lists, script)


def _lists(fights: pl.DataFrame, column: str, names: list[str], what: str, where: str) -> Ints:
    """Ordinals of a list column: a row for each fight, filled up with NONE at the end."""
    lists = fights.select("fight_id", column, length=pl.col(column).list.len().fill_null(0))
    lengths = lists["length"].to_numpy().astype(np.intp)
    flat = lists.filter(pl.col("length") > 0).explode(column)
    padded = np.full((len(lengths), lengths.max(initial=0)), NONE)
    filled = np.arange(padded.shape[1]) < lengths[:, None]
    padded[filled] = _ordinals(flat["fight_id"], flat[column], names, what, where)
    return padded


def _ordinals(ids: pl.Series, values: pl.Series, names: list[str], what: str, where: str) -> Ints:
    """The place of each value in `names`, where an empty name is nobody's."""
    found = values.replace_strict(
        pl.Series(names, dtype=pl.String),
        pl.int_range(len(names), eager=True),
        default=None,
        return_dtype=pl.Int64,
    )
    if (lost := found.is_null() | (values == "")).any():
        row = lost.arg_max() or 0
        allowed = [name for name in names if name]
        place = f"{where}: fight {ids[row]}, {values.name}"
        raise unknown(place, what, str(values[row]), allowed)
    return found.to_numpy().astype(np.intp)


def _refuse_foreign_commands(
    ids: pl.Series, book: Book, heroes: Ints, script: Ints, where: str
) -> None:
    """A hero can only be told to use what is in his `abilities`, to flee and to wait."""
    foreign = (script != NONE) & ~book.usable[heroes[:, None], script]
    for fight, place in np.argwhere(foreign):
        hero = int(heroes[fight])
        raise unknown(
            f"{where}: fight {ids[int(fight)]}, script",
            f"ability of {book.creatures[hero]!r}",
            book.abilities[script[fight, place]],
            book.abilities_of(hero),
        )


def _refuse_foreign_policies(book: Book, heroes: Ints, lists: Ints, where: str) -> None:
    names = {number: name for name, number in book.policies.items()}
    told = lists != NONE
    for pair in np.unique(heroes[told] * len(book.ai_lines.size) + lists[told]):
        hero, number = divmod(int(pair), len(book.ai_lines.size))
        for entry in book.registry.policies[names[number]].ai:
            if entry.ability not in (allowed := book.abilities_of(hero)):
                place = f"{where}: hero {book.creatures[hero]!r}, policy {names[number]!r}"
                raise unknown(place, "ability of the hero", entry.ability, allowed)
