"""What an attribute is worth right now (source 2, "Formeln").

Doubles, in the order of creation, one operation after the other: sums and products that are
formed in another order differ in the last digit, and probabilities are logged exactly.
"""

import numpy as np

from transforms.duel.batch import Batch
from transforms.duel.book import (
    HEALTH,
    MAX_HEALTH,
    MAX_STAMINA,
    NO_ADD,
    STAMINA,
    Floats,
    Ints,
)

_LARGEST = 1e15  # below 2^53, and more than any health or stamina can reach


def value(
    b: Batch,
    attribute: int | Ints,
    rows: Ints,
    *,
    against: Ints | None = None,
    modifier: Ints | None = None,
) -> Floats:
    """`(base + Σ add) · Π mul` of an attribute, one for all creatures or one for each.

    A modifier with `versus` counts only `against` an opponent with that tag. `modifier` stands in
    for the modifiers that the creatures have.
    """
    book = b.book
    values: Floats = book.base[b.creature[rows], attribute]
    if not b.modifier.shape[1] or (isinstance(attribute, int) and not book.modified[attribute]):
        return values
    laden = np.flatnonzero(b.load[rows])
    if not len(laden):
        return values
    worn = (b.modifier[rows] if modifier is None else modifier)[laden]
    which = attribute if isinstance(attribute, int) else attribute[laden, None]
    opponent = 0 if against is None else b.creature[against[laden], None]
    counts = book.tagged[opponent, book.versus[worn]]
    add = np.where(counts, book.add[which, worn], NO_ADD)
    mul = np.where(counts, book.mul[which, worn], 1.0)
    changed = values[laden]
    for summand in add.T:
        changed = changed + summand
    for factor in mul.T:
        changed = changed * factor
    values[laden] = changed
    return values


def clamp(values: Floats, low: float, high: float) -> Floats:
    """Values below `low` become `low`, those above `high` become `high`."""
    return np.minimum(np.maximum(values, low), high)


def rounded(values: Floats) -> Floats:
    """round(x) = floor(x + 0.5)"""
    return np.floor(values + 0.5)


def maximum(b: Batch, attribute: int, rows: Ints, modifier: Ints | None = None) -> Ints:
    """The highest health (at least 1) or stamina (at least 0), a whole number."""
    lowest = 1.0 if attribute == MAX_HEALTH else 0.0
    highest = rounded(value(b, attribute, rows, modifier=modifier))
    return clamp(highest, lowest, _LARGEST).astype(np.intp)


def rested(b: Batch, rows: Ints, modifier: Ints | None = None) -> Ints:
    """Stamina after regeneration; a lowered maximum takes nothing away."""
    stamina = b.stamina[rows]
    limit = maximum(b, MAX_STAMINA, rows, modifier)
    return np.maximum(stamina, np.minimum(stamina + b.book.registry.balance.stamina_regen, limit))


def reading(b: Batch, attribute: Ints, rows: Ints) -> Floats:
    """What a condition compares: health and stamina as fractions, the others as they are."""
    values = value(b, np.maximum(attribute, 0), rows)
    for kind, stock, of in ((HEALTH, b.health, MAX_HEALTH), (STAMINA, b.stamina, MAX_STAMINA)):
        if len(asked := np.flatnonzero(attribute == kind)):
            whole = maximum(b, of, rows[asked])
            values[asked] = np.where(whole > 0, stock[rows[asked]] / np.maximum(whole, 1), 0.0)
    return values
