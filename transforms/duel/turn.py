"""One turn of many fights: the six steps of the source (source 2, "Rundenablauf").

A turn is the hero's action and all reactions. The queue is emptied after every action, so that
nobody strikes whom thorns killed a moment ago; the dead are removed only afterwards, so that
positions stay what they are within a turn.
"""

import numpy as np

from transforms.duel.actions import perform
from transforms.duel.batch import DEAD, FLED, NONE, PRESENT, UNDECIDED, Batch
from transforms.duel.book import Aim, Ints
from transforms.duel.choice import affordable, choose, commands, opponent
from transforms.duel.happenings import happen, note
from transforms.duel.model import Kind, Outcome, Reason
from transforms.duel.modifiers import run_down
from transforms.duel.triggers import empty_queue
from transforms.duel.values import rested


def play_turn(b: Batch) -> None:
    """Play one turn of every fight and set `outcome` of those that it decides."""
    command = commands(b)
    announce(b)  # 1
    upkeep(b)  # 2
    empty_queue(b)
    for place in range(b.width):  # 3
        act(b, place, command)
        empty_queue(b)  # 4
    remove(b)  # 5
    end(b)
    empty_queue(b)
    close(b)
    b.turn += 1  # 6


def announce(b: Batch) -> None:
    """Step 1: a turn begins, and in the first the fight."""
    happen(b, Kind.TURN_STARTED, b.all)
    if b.turn == 1:
        happen(b, Kind.COMBAT_STARTED, b.all)


def upkeep(b: Batch) -> None:
    """Step 2, position by position: modifiers tick and run out, stamina returns, cooldowns sink.

    Who dies of a tick gets nothing more.
    """
    for position in range(b.width):
        rows = b.heroes + position
        rows = rows[b.present(rows)]
        run_down(b, rows)
        rows = rows[b.present(rows)]
        b.stamina[rows] = rested(b, rows)
        b.cooldowns[rows] -= b.cooldowns[rows] > 0


def act(b: Batch, place: int, command: Ints) -> None:
    """Step 3 for one place in the order of initiative: choose, pay, do.

    Nobody acts once the hero is dead or gone or no enemy is present.
    """
    rows = b.heroes + b.order[:, place]
    goes_on = b.present(b.heroes) & (b.enemies_present(b.all) > 0)
    fights = np.flatnonzero(goes_on & b.present(rows))
    rows = rows[fights]
    ordered = (rows % b.width == 0) & (command[fights] != NONE)
    ability, target = np.full(len(rows), NONE), np.full(len(rows), NONE)
    free = np.flatnonzero(~ordered)
    ability[free], target[free] = choose(b, fights[free], rows[free])
    bound = np.flatnonzero(ordered)
    bound = bound[affordable(b, rows[bound], command[fights[bound]])]
    ability[bound], target[bound] = command[fights[bound]], opponent(b, rows[bound], Aim.first)
    passes = ability == NONE
    note(b, Kind.PASSED, fights[passes], actor=rows[passes])
    acts = ~passes
    use(b, fights[acts], rows[acts], ability[acts], target[acts])


def use(b: Batch, fights: Ints, rows: Ints, ability: Ints, target: Ints) -> None:
    """Pay for abilities and carry out their actions."""
    book = b.book
    b.stamina[rows] -= book.cost[ability]
    b.cooldowns[rows, book.slot[b.creature[rows], ability]] = book.cooldown[ability]
    b.actions[fights] += 1
    happen(b, Kind.ABILITY_USED, fights, actor=rows, target=target, ref=ability)
    first, size = (part[ability] for part in book.ability_actions)
    roles = np.stack([rows, target])
    perform(b, fights, roles, first, size, ability, by_trigger=False)


def remove(b: Batch) -> None:
    """Dead and fled enemies leave the fight; the hero never does."""
    b.removed |= b.gone != PRESENT
    b.removed[b.heroes] = False


def end(b: Batch) -> None:
    """A dead hero goes before a flight, a flight before a victory (also over fled enemies)."""
    hero = b.gone[b.heroes]
    b.outcome[b.enemies_present(b.all) == 0] = Outcome.VICTORY
    b.outcome[hero == FLED] = Outcome.FLED
    b.outcome[hero == DEAD] = Outcome.DEFEAT
    for outcome, reason in ((Outcome.VICTORY, Reason.VICTORY), (Outcome.FLED, Reason.FLED)):
        happen(b, Kind.COMBAT_ENDED, np.flatnonzero(b.outcome == outcome), reason=reason)


def close(b: Batch) -> None:
    """Game over for a dead hero, also one that the end of the fight killed; a draw at the limit."""
    b.outcome[b.gone[b.heroes] == DEAD] = Outcome.DEFEAT
    lost = np.flatnonzero(b.outcome == Outcome.DEFEAT)
    hero = b.heroes[lost]
    note(b, Kind.GAME_OVER, lost, actor=hero + b.killer[lost], target=hero, ref=b.cause[lost])
    if b.turn >= b.book.registry.limits.turns:
        tied = np.flatnonzero(b.outcome == UNDECIDED)
        b.outcome[tied] = Outcome.DRAW
        note(b, Kind.TURN_LIMIT, tied)
