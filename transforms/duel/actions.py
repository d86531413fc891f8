"""What abilities and triggers do: damage, heal, modifier, flee (source 2, "Formeln")."""

import numpy as np

from transforms.duel.batch import FLED, Array, Batch
from transforms.duel.book import (
    CRITICAL_CHANCE,
    CRITICAL_FACTOR,
    DAMAGE,
    DEXTERITY,
    HIT_CHANCE,
    MAX_HEALTH,
    OTHER,
    Aim,
    Bools,
    Do,
    Floats,
    Ints,
    present_kinds,
)
from transforms.duel.choice import opponent
from transforms.duel.happenings import happen, note
from transforms.duel.model import Kind
from transforms.duel.modifiers import put_on
from transforms.duel.values import clamp, maximum, rounded, value
from transforms.duel.wounds import softened, wound

FLEE_EVEN, FLEE_CLAMP = 0.5, (0.1, 0.9)


def perform(
    b: Batch, fights: Ints, roles: Ints, first: Ints, size: Ints, ref: Ints, *, by_trigger: bool
) -> None:
    """Carry out lists of actions, one action of every list at a time.

    `first` and `size` are ranges of `book.actions`, `ref` is the ability or trigger. Actions on
    nobody or on the dead are skipped; after a miss those on the target are.
    """
    missed = np.zeros(len(fights), dtype=bool)
    for number in range(size.max(initial=0)):
        going = np.flatnonzero(size > number)
        action = first[going] + number
        who = b.book.actions.who[action]
        target = roles[who, going]
        able = (target >= 0) & b.reachable(target) & ~(missed[going] & (who == OTHER))
        going, action, target = going[able], action[able], target[able]
        do = b.book.actions.do[action]
        for kind in present_kinds(do):
            pick = np.flatnonzero(do == kind)
            here = going[pick]
            scene = (b, fights[here], roles[0, here], target[pick], action[pick], ref[here])
            if kind == Do.damage and not by_trigger:
                missed[here] = _strike(*scene)
            elif kind != Do.wait:
                _SURE[Do(kind)](*scene)


def _strike(b: Batch, fights: Ints, me: Ints, target: Ints, action: Ints, ref: Ints) -> Bools:
    """Damage by an ability: draw for the hit and, on a hit, for the crit. Who missed?"""
    balance = b.book.registry.balance
    dodged = value(b, DEXTERITY, target) * balance.dodge
    p = clamp(value(b, HIT_CHANCE, me, against=target) - dodged, *balance.hit_clamp)
    roll = b.draw(fights)
    hits = roll < p
    scene = {"fights": fights, "actor": me, "target": target, "ref": ref, "p": p, "roll": roll}
    happen(b, Kind.MISSED, **_only(scene, ~hits))
    struck = _only(scene, hits)
    happen(b, Kind.HIT, **struck)
    fights, me, target, ref = (struck[name] for name in ("fights", "actor", "target", "ref"))
    action = action[hits]
    roll = b.draw(fights)
    crit = roll < clamp(value(b, CRITICAL_CHANCE, me), 0.0, 1.0)
    raw = _raw(b, me, target, action)
    raw = np.where(crit, raw * value(b, CRITICAL_FACTOR, me), raw)
    final = softened(b, raw, target, b.book.actions.resistance[action])
    wound(b, fights, me, target, final, ref, crit=crit, roll=roll)
    return ~hits


def _hurt(b: Batch, fights: Ints, me: Ints, target: Ints, action: Ints, ref: Ints) -> None:
    """Damage by a trigger: it always hits and is never critical."""
    raw = _raw(b, me, target, action)
    final = softened(b, raw, target, b.book.actions.resistance[action])
    wound(b, fights, me, target, final, ref)


def _heal(b: Batch, fights: Ints, me: Ints, target: Ints, action: Ints, ref: Ints) -> None:
    amount = rounded(b.book.actions.amount[action]).astype(np.intp)
    health = b.health[target]
    limit = maximum(b, MAX_HEALTH, target)
    b.health[target] = np.maximum(health, np.minimum(health + amount, limit))
    happen(b, Kind.HEALED, fights, actor=me, target=target, ref=ref, amount=amount)


def _modify(b: Batch, fights: Ints, me: Ints, target: Ints, action: Ints, ref: Ints) -> None:
    modifier, turns = b.book.actions.modifier[action], b.book.actions.turns[action]
    put_on(b, fights, me, target, modifier, turns)


def _flee(b: Batch, fights: Ints, me: Ints, target: Ints, action: Ints, ref: Ints) -> None:
    lead = value(b, DEXTERITY, me) - value(b, DEXTERITY, opponent(b, me, Aim.fastest))
    p = clamp(FLEE_EVEN + lead * b.book.registry.balance.flee, *FLEE_CLAMP)
    roll = b.draw(fights)
    escapes = roll < p
    b.gone[me[escapes]] = FLED
    scene = {"fights": fights, "actor": me, "ref": ref, "p": p, "roll": roll}
    happen(b, Kind.FLED, **_only(scene, escapes))
    note(b, Kind.FLEE_FAILED, **_only(scene, ~escapes))


_SURE = {Do.damage: _hurt, Do.heal: _heal, Do.modifier: _modify, Do.flee: _flee}


def _raw(b: Batch, me: Ints, target: Ints, action: Ints) -> Floats:
    amount, scale = b.book.actions.amount[action], b.book.actions.scale[action]
    return amount + scale * value(b, DAMAGE, me, against=target)


def _only(columns: dict[str, Array], mask: Bools) -> dict[str, Array]:
    rows = np.flatnonzero(mask)
    return {name: column[rows] for name, column in columns.items()}
