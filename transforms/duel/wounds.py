"""Damage that arrives: resistance, health, death (source 2, "Formeln")."""

import numpy as np

from transforms.duel.batch import DEAD, Batch
from transforms.duel.book import Bools, Floats, Ints
from transforms.duel.happenings import happen
from transforms.duel.model import Kind
from transforms.duel.values import clamp, rounded, value

LOWEST_RESISTANCE = -1.0
MOST_DAMAGE = 1e12


def softened(b: Batch, raw: Floats, target: Ints, resistance: Ints) -> Ints:
    """Raw damage after the target's resistance: a whole number, at least 1."""
    cap = b.book.registry.balance.resistance_cap
    r = clamp(value(b, resistance, target), LOWEST_RESISTANCE, cap)
    return clamp(rounded(raw * (1.0 - r)), 1.0, MOST_DAMAGE).astype(np.intp)


def wound(
    b: Batch,
    fights: Ints,
    source: Ints,
    target: Ints,
    final: Ints,
    ref: Ints,
    *,
    crit: Bools | None = None,
    roll: Floats | None = None,
) -> None:
    """Take `final` health away; whoever has none left is dead, also one who just fled."""
    health = np.maximum(b.health[target] - final, 0)
    b.health[target] = health
    happen(
        b,
        Kind.DAMAGED,
        fights,
        actor=source,
        target=target,
        ref=ref,
        amount=final,
        crit=crit,
        roll=roll,
    )
    dies = health == 0
    if not dies.any():
        return
    fights, source, target, ref = fights[dies], source[dies], target[dies], ref[dies]
    b.gone[target] = DEAD
    hero = target % b.width == 0
    b.killer[fights[hero]] = source[hero] % b.width
    b.cause[fights[hero]] = ref[hero]
    happen(b, Kind.CREATURE_DIED, fights, actor=source, target=target, ref=ref)
