"""Modifiers: put on, tick, run out. A creature bears them in the order of their creation."""

import numpy as np

from transforms.duel.batch import Batch
from transforms.duel.book import Ints
from transforms.duel.happenings import happen, note
from transforms.duel.model import Kind
from transforms.duel.wounds import softened, wound


def put_on(b: Batch, fights: Ints, source: Ints, target: Ints, modifier: Ints, turns: Ints) -> None:
    """Put a modifier on each target: in the place of the same one, else behind all others."""
    same = b.modifier[target] == modifier[:, None]
    new = ~same.any(axis=1)
    if b.load[target[new]].max(initial=-1) >= b.modifier.shape[1]:
        _widen(b)
        same = b.modifier[target] == modifier[:, None]
    place = np.where(new, b.load[target], same.argmax(axis=1))
    b.load[target[new]] += 1
    b.modifier[target, place] = modifier
    b.modifier_source[target, place] = source % b.width
    b.modifier_turns[target, place] = turns
    ref = b.book.modifier_ref[modifier]
    note(b, Kind.MODIFIER_SET, fights, actor=source, target=target, ref=ref, amount=turns)


def run_down(b: Batch, rows: Ints) -> None:
    """Each modifier ticks and loses a turn, in order; nothing more does once its bearer died."""
    for place in range(b.load[rows].max(initial=0)):
        rows = rows[b.present(rows)]
        bearers = rows[b.modifier[rows, place] > 0]
        _tick(b, bearers, place)
        _count_down(b, bearers[b.present(bearers)], place)
    _close_gaps(b, rows)


def _tick(b: Batch, rows: Ints, place: int) -> None:
    rows = rows[~np.isnan(b.book.tick_amount[b.modifier[rows, place]])]
    modifier, fights, source, ref = _origin(b, rows, place)
    note(b, Kind.TICK, fights, actor=source, target=rows, ref=ref)
    final = softened(b, b.book.tick_amount[modifier], rows, b.book.tick_resistance[modifier])
    wound(b, fights, source, rows, final, ref)


def _count_down(b: Batch, rows: Ints, place: int) -> None:
    b.modifier_turns[rows, place] -= 1
    rows = rows[b.modifier_turns[rows, place] == 0]
    _, fights, source, ref = _origin(b, rows, place)
    b.modifier[rows, place] = 0
    happen(b, Kind.MODIFIER_EXPIRED, fights, actor=source, target=rows, ref=ref)


def _origin(b: Batch, rows: Ints, place: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Of the modifiers at `place`: which, in which fights, put on by whom, called what."""
    modifier, fights = b.modifier[rows, place], rows // b.width
    source = fights * b.width + b.modifier_source[rows, place]
    return modifier, fights, source, b.book.modifier_ref[modifier]


def _close_gaps(b: Batch, rows: Ints) -> None:
    """Move the modifiers that are left together, in their order."""
    gone = b.modifier[rows] == 0
    left = (~gone).sum(axis=1)
    gappy = left < b.load[rows]
    if gappy.any():
        rows, order = rows[gappy], np.argsort(gone[gappy], axis=1, kind="stable")
        b.load[rows] = left[gappy]
        for array in (b.modifier, b.modifier_source, b.modifier_turns):
            array[rows] = np.take_along_axis(array[rows], order, axis=1)


def _widen(b: Batch) -> None:
    more = np.zeros((len(b.load), max(1, b.modifier.shape[1])), dtype=np.intp)
    b.modifier = np.hstack([b.modifier, more])
    b.modifier_source = np.hstack([b.modifier_source, more])
    b.modifier_turns = np.hstack([b.modifier_turns, more])
