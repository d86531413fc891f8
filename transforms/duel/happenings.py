"""Whatever happens is logged at once, and queued if it is one of the eleven events."""

from typing import Any

import numpy as np

from transforms.duel.batch import NONE, Batch
from transforms.duel.book import Ints
from transforms.duel.model import EVENTS, Kind, Reason

_OF_ACTOR = (Kind.ABILITY_USED, Kind.FLED)
"""Events whose subject is the actor; the others happen to a target, through a source."""


def happen(
    b: Batch,
    kind: Kind,
    fights: Ints,
    *,
    actor: Ints | None = None,
    target: Ints | None = None,
    ref: Ints | None = None,
    **details: Any,
) -> None:
    """`kind` happens in `fights`, once in each; `actor` and `target` are creatures' rows.

    Details: amount, crit, p, roll. Health is the target's afterwards, stamina the actor's.
    """
    if not len(fights):
        return
    if b.log is not None:
        note(b, kind, fights, actor=actor, target=target, ref=ref, **details)
    if kind < len(EVENTS):
        subject, source = (actor, None) if kind in _OF_ACTOR else (target, actor)
        _enqueue(b, kind, fights, subject, source)


def note(
    b: Batch,
    kind: Kind,
    fights: Ints,
    *,
    actor: Ints | None = None,
    target: Ints | None = None,
    reason: Reason | Ints | None = None,
    **details: Any,
) -> None:
    """Only log it."""
    if b.log is None or not len(fights):
        return
    seq = b.seq[fights]
    b.seq[fights] = seq + 1
    b.log.add(
        b.row[fights],
        seq=seq,
        turn=b.turn,
        kind=kind,
        actor=None if actor is None else actor % b.width,
        target=None if target is None else target % b.width,
        health=None if target is None else b.health[target],
        stamina=None if actor is None else b.stamina[actor],
        reason=reason,
        **details,
    )


def _enqueue(b: Batch, kind: Kind, fights: Ints, subject: Ints | None, source: Ints | None) -> None:
    """Count the event; keep it if somebody in the fight listens and the limit is not reached.

    First in, first out: an event's place in the queue is known when it enters, so those beyond
    the limit need not be kept to be dropped.
    """
    place = b.queued[fights]
    b.queued[fights] = place + 1
    listening = b.listens[fights, kind] & (place < b.book.registry.limits.queue)
    if not listening.any():
        return
    here = fights[listening]
    tail = b.stored[here]
    b.stored[here] = tail + 1
    _widen(b, int(tail.max()) + 1)
    b.queue["kind"][here, tail] = kind
    b.queue["subject"][here, tail] = NONE if subject is None else subject[listening]
    b.queue["source"][here, tail] = NONE if source is None else source[listening]


def _widen(b: Batch, needed: int) -> None:
    if needed > (width := b.queue.shape[1]):
        wider = np.zeros((b.count, max(needed, 2 * width)), dtype=b.queue.dtype)
        wider[:, :width] = b.queue
        b.queue = wider
