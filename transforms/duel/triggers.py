"""The queue: first in, first out; triggers answer in position order, then in list order."""

import numpy as np

from transforms.duel.actions import perform
from transforms.duel.batch import DEAD, Batch
from transforms.duel.book import Bools, Ints, On
from transforms.duel.conditions import holds
from transforms.duel.happenings import note
from transforms.duel.model import Kind


def empty_queue(b: Batch) -> None:
    """Work off what waits, follow-up events included, up to the limit of the queue."""
    number = 0
    while len(waiting := np.flatnonzero(b.stored > number)):
        event = b.queue[waiting, number]
        kind, subject, source = (event[name].astype(np.intp) for name in event.dtype.names)
        _answer(b, waiting, kind, subject, source)
        number += 1
    dropped = b.queued - b.book.registry.limits.queue
    beyond = np.flatnonzero(dropped > 0)
    note(b, Kind.QUEUE_LIMIT, beyond, amount=dropped[beyond])
    b.queued[:] = 0
    b.stored[:] = 0


def _answer(b: Batch, fights: Ints, event: Ints, subject: Ints, source: Ints) -> None:
    """All triggers of one event in each fight."""
    for position in range(b.width):
        owner = fights * b.width + position
        hears = np.where(b.removed[owner], 0, b.book.hears[b.creature[owner], event])
        for number in range(hears.max(initial=0)):
            here = np.flatnonzero((hears > number) & _may_fire(b, event, owner, subject))
            trigger = b.book.heard[b.creature[owner[here]], event[here], number]
            roles = np.stack([owner[here], subject[here], source[here]])
            fires = _concerns(b.book.trigger_on[trigger], roles)
            condition = b.book.trigger_condition[trigger]
            fires &= holds(b, condition, fights[here], roles)
            trigger, roles, here = trigger[fires], roles[:, fires], here[fires]
            first, size = (part[trigger] for part in b.book.trigger_actions)
            ref = b.book.trigger_ref[trigger]
            perform(b, fights[here], roles, first, size, ref, by_trigger=True)


def _may_fire(b: Batch, event: Ints, owner: Ints, subject: Ints) -> Bools:
    """The dead answer only to their own death."""
    own_death = (event == Kind.CREATURE_DIED) & (subject == owner)
    return (b.gone[owner] != DEAD) | own_death


def _concerns(on: Ints, roles: Ints) -> Bools:
    owner, subject, source = roles
    return (
        (on == On.any)
        | ((on == On.subject) & (subject == owner))
        | ((on == On.source) & (source == owner))
    )
