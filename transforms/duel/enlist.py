"""From rows of duel.fights to a batch that stands before its first turn."""

import numpy as np
import polars as pl

from transforms.duel.batch import NONE, PRESENT, Batch, blank
from transforms.duel.book import DEXTERITY, MAX_HEALTH, MAX_STAMINA, Book, Bools, Ints, compile_book
from transforms.duel.happenings import note
from transforms.duel.log import Log
from transforms.duel.model import BUILT_IN, MOST, Kind, Registry
from transforms.errors import InputError, unknown


def check_fights(fights: pl.DataFrame, registry: Registry, where: str = "fights") -> None:
    """Refuse fights that cannot be fought with this registry.

    Errors: a seed of 0, an unknown creature, policy or ability, no or more than 15 enemies, a
    script or a policy with an ability that the hero does not have.
    """
    _encode(fights, compile_book(registry), where)


def enlist(fights: pl.DataFrame, book: Book, log: Log | None, where: str = "fights") -> Batch:
    """A batch of `fights` (duel.fights) at turn 1: creatures in place, initiative rolled.

    Errors: see `check_fights`.
    """
    creatures, policies, script = _encode(fights, book, where)
    b = blank(book, len(creatures), creatures.shape[1], turn=0, log=log)
    b.state = fights["seed"].to_numpy().astype(np.uint64)
    b.script = script
    muster(b, creatures, policies)
    b.health = book.base[b.creature, MAX_HEALTH].astype(np.intp)
    b.stamina = book.base[b.creature, MAX_STAMINA].astype(np.intp)
    _roll_initiative(b)
    line_up(b)
    b.turn = 1
    return b


def muster(b: Batch, creatures: Ints, policies: Ints) -> None:
    """Put creatures (by fight and position, 0 nobody) in their places, with their ai lists."""
    b.creature = creatures.ravel()
    b.ai = b.book.ai[b.creature]
    b.ai[b.heroes] = np.where(policies == NONE, b.ai[b.heroes], policies)
    there = b.creature > 0
    b.gone[there] = PRESENT
    b.removed = ~there
    b.listens = np.any(b.book.hears[creatures] > 0, axis=1)


def _roll_initiative(b: Batch) -> None:
    """floor(dexterity) + 1 + floor(real · 10): the hero first, then the enemies."""
    dexterity = np.floor(b.book.base[b.creature, DEXTERITY]).astype(np.intp)
    for position in range(b.width):
        rows = b.heroes + position
        fights = np.flatnonzero(b.present(rows))
        rows, roll = rows[fights], b.draw(fights)
        b.initiative[rows] = dexterity[rows] + 1 + np.floor(roll * 10).astype(np.intp)
        note(b, Kind.INITIATIVE, fights, actor=rows, amount=b.initiative[rows], roll=roll)


def line_up(b: Batch) -> None:
    """The order of action: highest initiative first; ties go to the lower position, the hero's."""
    initiative = b.initiative.reshape(-1, b.width)
    b.order = np.argsort(-initiative, axis=1, kind="stable")


def _encode(fights: pl.DataFrame, book: Book, where: str) -> tuple[Ints, Ints, Ints]:
    """Creatures by fight and position, policies (lists) by fight, scripts by fight."""
    if (zero := fights.filter(pl.col("seed") == 0)).height:
        raise InputError(f"{where}: fight {zero['fight_id'][0]}, seed: found 0; allowed: 1..2^64-1")
    heroes = _ordinals(fights, "hero", book.creatures[1:], "creature", where) + 1
    enemies = _lists(fights, "enemies", book.creatures[1:], "creature", where) + 1
    counts = (enemies > 0).sum(axis=1)
    if len(bad := np.flatnonzero((counts < 1) | (counts >= MOST))):
        raise InputError(
            f"{where}: fight {fights['fight_id'][int(bad[0])]}, enemies: found {counts[bad[0]]}; "
            f"allowed: 1..{MOST - 1}"
        )
    policies = _ordinals(fights, "policy", list(book.policies), "policy", where)
    policies = np.where(policies == NONE, NONE, policies + len(book.creatures))
    script = _lists(fights, "script", book.abilities, "ability", where)
    _refuse_foreign_abilities(fights, book, heroes, policies, script, where)
    return np.column_stack([heroes, enemies]), policies, script


def _ordinals(fights: pl.DataFrame, column: str, names: list[str], what: str, where: str) -> Ints:
    """The place of each value of `column` in `names`; NONE for null."""
    if column not in fights.columns:
        return np.full(fights.height, NONE)
    return _found(fights["fight_id"], fights[column], names, f"{where}: ", column, what)


def _lists(fights: pl.DataFrame, column: str, names: list[str], what: str, where: str) -> Ints:
    """The same for a list column: a row for each fight, filled up with NONE at the end."""
    if column not in fights.columns:
        return np.full((fights.height, 0), NONE)
    lists = fights.select("fight_id", column, length=pl.col(column).list.len().fill_null(0))
    lengths = lists["length"].to_numpy().astype(np.intp)
    flat = lists.filter(pl.col("length") > 0).explode(column)
    found = _found(flat["fight_id"], flat[column], names, f"{where}: ", column, what)
    filled = np.arange(lengths.max(initial=0)) < lengths[:, None]
    padded = np.full(filled.shape, NONE)
    padded[filled] = found
    return padded


def _found(
    fight_ids: pl.Series, values: pl.Series, names: list[str], where: str, column: str, what: str
) -> Ints:
    values = values.cast(pl.String)
    found = values.replace_strict(names, np.arange(len(names)), default=None, return_dtype=pl.Int64)
    lost = found.is_null() if column != "policy" else found.is_null() & values.is_not_null()
    if lost.any():
        row = lost.arg_max() or 0
        raise unknown(f"{where}fight {fight_ids[row]}, {column}", what, str(values[row]), names)
    return found.fill_null(NONE).to_numpy().astype(np.intp)


def _refuse_foreign_abilities(
    fights: pl.DataFrame, book: Book, heroes: Ints, policies: Ints, script: Ints, where: str
) -> None:
    """A hero can only be told to use what is in his `abilities`, to flee and to wait."""
    own = np.zeros((len(book.creatures), len(book.abilities)), dtype=bool)
    own[:, [book.abilities.index(ability) for ability in BUILT_IN]] = True
    for row, creature in enumerate(book.registry.creatures.values(), start=1):
        own[row, [book.abilities.index(ability) for ability in creature.abilities]] = True
    for fight, place in np.argwhere((script != NONE) & ~own[heroes[:, None], script])[:1]:
        hero = int(heroes[fight])
        raise unknown(
            f"{where}: fight {fights['fight_id'][int(fight)]}, script",
            f"ability of {book.creatures[hero]!r}",
            book.abilities[script[fight, place]],
            [name for name, has in zip(book.abilities, own[hero], strict=True) if has],
        )
    names = dict(zip(book.policies.values(), book.policies, strict=True))
    lists = len(book.creatures) + len(names)
    told = policies != NONE
    for pair in np.unique(heroes[told] * lists + policies[told]):
        hero, policy = divmod(int(pair), lists)
        _refuse_foreign_policy(book, hero, names[policy], own[hero], where)


def _refuse_foreign_policy(book: Book, hero: int, name: str, own: Bools, where: str) -> None:
    for entry in book.registry.policies[name].ai:
        if not own[book.abilities.index(entry.ability)]:
            raise unknown(
                f"{where}: hero {book.creatures[hero]!r}, policy {name!r}",
                "ability of the hero",
                entry.ability,
                [ability for ability, has in zip(book.abilities, own, strict=True) if has],
            )
