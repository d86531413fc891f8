"""The state of many fights that stand at the same turn.

An array by fight has a row for each fight; an array by creature has `width` rows for each fight,
one per position: 0 the hero, 1.. the enemies. So a creature is one number, `fight · width +
position`, called its row, and everything about it is one gather away. A position without a
creature is filled with nobody, who is removed from the start.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from transforms.duel import rng
from transforms.duel.book import Book, Bools, Floats, Ints
from transforms.duel.log import Log

Array = np.ndarray[Any, Any]

PRESENT, DEAD, FLED, ABSENT = range(4)
NONE = UNDECIDED = -1

_ITEM = np.dtype([("kind", np.int8), ("subject", np.int32), ("source", np.int32)])
_FIGHT: Mapping[str, str] = {"by": "fight"}
_CREATURE: Mapping[str, str] = {"by": "creature"}


@dataclass
class Batch:
    """Fights in lock-step. `row` is a fight's place in its chunk; ended fights are dropped."""

    book: Book
    width: int
    turn: int
    log: Log | None

    row: Ints = field(metadata=_FIGHT)
    state: rng.States = field(metadata=_FIGHT)
    actions: Ints = field(metadata=_FIGHT)
    seq: Ints = field(metadata=_FIGHT)
    outcome: Ints = field(metadata=_FIGHT)
    killer: Ints = field(metadata=_FIGHT)  # position of who killed the hero
    cause: Ints = field(metadata=_FIGHT)  # ref of what killed him
    script: Ints = field(metadata=_FIGHT)  # abilities, then NONE
    scripted: Ints = field(metadata=_FIGHT)  # how many of them are used up
    order: Ints = field(metadata=_FIGHT)  # positions by initiative
    listens: Bools = field(metadata=_FIGHT)  # by event: does anybody hear it?
    queued: Ints = field(metadata=_FIGHT)  # events of this emptying
    stored: Ints = field(metadata=_FIGHT)  # those that are heard, kept in `queue`
    queue: Array = field(metadata=_FIGHT)

    creature: Ints = field(metadata=_CREATURE)
    ai: Ints = field(metadata=_CREATURE)  # its list, for a hero maybe a policy's
    health: Ints = field(metadata=_CREATURE)
    stamina: Ints = field(metadata=_CREATURE)
    initiative: Ints = field(metadata=_CREATURE)
    gone: Ints = field(metadata=_CREATURE)  # PRESENT, DEAD, FLED, ABSENT
    removed: Bools = field(metadata=_CREATURE)
    cooldowns: Ints = field(metadata=_CREATURE)
    load: Ints = field(metadata=_CREATURE)  # how many modifiers it bears
    modifier: Ints = field(metadata=_CREATURE)  # which ones, in the order of creation; 0 is none
    modifier_source: Ints = field(metadata=_CREATURE)  # the position of who put it on
    modifier_turns: Ints = field(metadata=_CREATURE)

    @property
    def count(self) -> int:
        """How many fights still go on."""
        return len(self.row)

    @property
    def all(self) -> Ints:
        """Every fight."""
        return np.arange(self.count)

    @property
    def heroes(self) -> Ints:
        """The row of every hero."""
        return self.all * self.width

    def enemies_present(self, fights: Ints) -> Ints:
        """How many enemies neither fell nor fled, by fight."""
        first = fights * self.width
        count = np.zeros(len(fights), dtype=np.intp)
        for position in range(1, self.width):
            count += self.present(first + position)
        return count

    def present(self, rows: Ints) -> Bools:
        """Is this creature still in the fight, neither dead nor fled?"""
        return self.gone[rows] == PRESENT

    def reachable(self, rows: Ints) -> Bools:
        """Can an action concern this creature? One that fled this turn can be reached."""
        return (self.gone[rows] != DEAD) & ~self.removed[rows]

    def draw(self, fights: Ints) -> Floats:
        """The next real of each fight."""
        states = rng.advance(self.state[fights])
        self.state[fights] = states
        return rng.reals(states)

    def keep(self, stays: Bools) -> None:
        """Drop every other fight."""
        fights = np.flatnonzero(stays)
        rows = (fights[:, None] * self.width + np.arange(self.width)).ravel()
        for entry in fields(self):
            if by := entry.metadata.get("by"):
                kept = fights if by == "fight" else rows
                setattr(self, entry.name, getattr(self, entry.name).take(kept, axis=0))


def blank(book: Book, fights: int, width: int, turn: int, log: Log | None) -> Batch:
    """`fights` fights of nobody against nobody, to be filled in."""
    rows = fights * width

    def zeros(*shape: int) -> Ints:
        return np.zeros(shape, dtype=np.intp)

    return Batch(
        book=book,
        width=width,
        turn=turn,
        log=log,
        row=np.arange(fights),
        state=np.zeros(fights, dtype=np.uint64),
        actions=zeros(fights),
        seq=zeros(fights),
        outcome=zeros(fights) + UNDECIDED,
        killer=zeros(fights) + NONE,
        cause=zeros(fights) + NONE,
        script=zeros(fights, 0),
        scripted=zeros(fights),
        order=zeros(fights, width),
        listens=np.zeros((fights, book.hears.shape[1]), dtype=bool),
        queued=zeros(fights),
        stored=zeros(fights),
        queue=np.zeros((fights, 0), dtype=_ITEM),
        creature=zeros(rows),
        ai=zeros(rows),
        health=zeros(rows),
        stamina=zeros(rows),
        initiative=zeros(rows),
        gone=zeros(rows) + ABSENT,
        removed=np.ones(rows, dtype=bool),
        cooldowns=zeros(rows, book.slots),
        load=zeros(rows),
        modifier=zeros(rows, 0),
        modifier_source=zeros(rows, 0),
        modifier_turns=zeros(rows, 0),
    )
