"""From rows of duel.fights to a batch that stands before its first turn."""

import numpy as np
import polars as pl

from transforms.duel.batch import NONE, PRESENT, Batch, blank
from transforms.duel.book import DEXTERITY, MAX_HEALTH, MAX_STAMINA, Book, Ints
from transforms.duel.happenings import note
from transforms.duel.log import Log
from transforms.duel.model import Kind
from transforms.duel.roster import read_roster


def enlist(fights: pl.DataFrame, book: Book, log: Log | None, where: str = "fights") -> Batch:
    """A batch of `fights` (duel.fights) at turn 1: creatures in place, initiative rolled.

    Errors: see `check_fights`.
    """
    roster = read_roster(fights, book, where)
    count, width = roster.creatures.shape
    b = blank(book, count, width, turn=0, log=log)
    b.state = fights["seed"].to_numpy().astype(np.uint64)
    b.script = roster.script
    muster(b, roster.creatures, roster.lists)
    b.health = book.base[b.creature, MAX_HEALTH].astype(np.intp)
    b.stamina = book.base[b.creature, MAX_STAMINA].astype(np.intp)
    _roll_initiative(b)
    line_up(b)
    b.turn = 1
    return b


def muster(b: Batch, creatures: Ints, lists: Ints) -> None:
    """Put creatures (by fight and position, 0 nobody) in their places, each with its ai list.

    `lists` are the heroes' policies; NONE leaves a hero his own list.
    """
    b.creature = creatures.ravel()
    b.ai = b.creature.copy()
    b.ai[b.heroes] = np.where(lists == NONE, b.ai[b.heroes], lists)
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
