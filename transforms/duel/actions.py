"""What abilities and triggers do: damage, heal, modifier, flee (source 2, "Formeln")."""

import numpy as np

from transforms.duel.batch import DEAD, FLED, Array, Batch
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
from transforms.duel.values import clamp, maximum, rounded, value

LOWEST_RESISTANCE = -1.0
FLEE_EVEN, FLEE_CLAMP = 0.5, (0.1, 0.9)
MOST_DAMAGE = 1e12


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
    """Put a modifier on: in the place of the same one, else after all others."""
    modifier, turns = b.book.actions.modifier[action], b.book.actions.turns[action]
    same = b.modifier[target] == modifier[:, None]
    new = ~same.any(axis=1)
    if b.load[target[new]].max(initial=-1) >= b.modifier.shape[1]:
        _widen(b)
        same = b.modifier[target] == modifier[:, None]
    place = np.where(new, b.load[target], same.argmax(axis=1))
    b.load[target[new]] += 1
    b.modifier[target, place] = modifier
    b.modifier_source[target, place] = me % b.width
    b.modifier_turns[target, place] = turns
    ref = b.book.modifier_ref[modifier]
    note(b, Kind.MODIFIER_SET, fights, actor=me, target=target, ref=ref, amount=turns)


def _widen(b: Batch) -> None:
    more = np.zeros((len(b.load), max(1, b.modifier.shape[1])), dtype=np.intp)
    b.modifier = np.hstack([b.modifier, more])
    b.modifier_source = np.hstack([b.modifier_source, more])
    b.modifier_turns = np.hstack([b.modifier_turns, more])


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


def _only(columns: dict[str, Array], mask: Bools) -> dict[str, Array]:
    rows = np.flatnonzero(mask)
    return {name: column[rows] for name, column in columns.items()}
