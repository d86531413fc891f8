"""Conditions: all checks must hold, comparisons are strict (source 2, "Wesen")."""

from collections.abc import Callable

import numpy as np

from transforms.duel.batch import NONE, Batch
from transforms.duel.book import Ask, Bools, Ints, present_kinds
from transforms.duel.values import reading


def holds(b: Batch, condition: Ints, fights: Ints, roles: Ints) -> Bools:
    """Does each condition hold? `roles[who]` are the creatures' rows: ME, OTHER, SOURCE."""
    sizes = b.book.conditions.size[condition]
    true = np.ones(len(fights), dtype=bool)
    asked = np.flatnonzero(sizes)
    for number in range(sizes.max(initial=0)):
        asked = asked[(sizes[asked] > number) & true[asked]]
        check = b.book.conditions.start[condition[asked]] + number
        kinds = b.book.checks.ask[check]
        for kind in present_kinds(kinds):
            pick = np.flatnonzero(kinds == kind)
            here = asked[pick]
            true[here] = _ANSWERS[Ask(kind)](b, check[pick], fights[here], roles[:, here])
    return true


def _who(b: Batch, check: Ints, roles: Ints) -> Ints:
    """The creature that a check asks about; NONE without a subject or source."""
    rows: Ints = roles[b.book.checks.who[check], np.arange(len(check))]
    return rows


def _attribute(b: Batch, check: Ints, fights: Ints, roles: Ints) -> Bools:
    rows = _who(b, check, roles)
    found = reading(b, b.book.checks.attribute[check], rows)
    return (rows != NONE) & _between(b, check, found)


def _tag(b: Batch, check: Ints, fights: Ints, roles: Ints) -> Bools:
    rows = _who(b, check, roles)
    found = b.book.tagged[b.creature[rows], b.book.checks.tag[check]]
    return (rows != NONE) & (found == b.book.checks.expected[check])


def _modifier(b: Batch, check: Ints, fights: Ints, roles: Ints) -> Bools:
    rows = _who(b, check, roles)
    found = (b.modifier[rows] == b.book.checks.modifier[check, None]).any(axis=1)
    return (rows != NONE) & (found == b.book.checks.expected[check])


def _turn(b: Batch, check: Ints, fights: Ints, roles: Ints) -> Bools:
    since = b.turn - b.book.checks.start[check]
    return (since >= 0) & (since % b.book.checks.every[check] == 0)


def _enemies(b: Batch, check: Ints, fights: Ints, roles: Ints) -> Bools:
    return _between(b, check, b.enemies_present(fights))


def _between(b: Batch, check: Ints, found: np.ndarray) -> Bools:
    return (found < b.book.checks.below[check]) & (found > b.book.checks.above[check])


_ANSWERS: dict[Ask, Callable[[Batch, Ints, Ints, Ints], Bools]] = {
    Ask.attribute: _attribute,
    Ask.tag: _tag,
    Ask.modifier: _modifier,
    Ask.turn: _turn,
    Ask.enemies: _enemies,
}
