"""Who does what to whom: ai lists, availability, targets, and the hero's script."""

import numpy as np

from transforms.duel.batch import NONE, PRESENT, Batch
from transforms.duel.book import DEXTERITY, Aim, Bools, Floats, Ints, present_kinds
from transforms.duel.conditions import holds
from transforms.duel.happenings import note
from transforms.duel.model import Kind, Reason
from transforms.duel.values import rested, value


def opponent(b: Batch, rows: Ints, aim: Ints | Aim) -> Ints:
    """The target of each creature: of an enemy the hero, of the hero a present enemy by `aim`.

    Ties go to the lowest position.
    """
    position = rows % b.width
    heroes = np.flatnonzero(position == 0)
    targets = rows - position
    if not len(heroes):
        return targets
    hero = rows[heroes]
    aims = np.broadcast_to(aim, rows.shape)[heroes]
    best, chosen = np.full(len(heroes), -np.inf), hero + 1
    for enemy in range(1, b.width):
        score = _score(b, hero + enemy, enemy, aims)
        better = (score > best) & (b.gone[hero + enemy] == PRESENT)
        best, chosen = np.where(better, score, best), np.where(better, hero + enemy, chosen)
    targets[heroes] = chosen
    return targets


def _score(b: Batch, enemies: Ints, position: int, aims: Ints) -> Floats:
    score = np.where(aims == Aim.first, -position, position).astype(float)
    for aim in present_kinds(aims[aims > Aim.last]):
        pick = np.flatnonzero(aims == aim)
        if aim == Aim.fastest:
            score[pick] = value(b, DEXTERITY, enemies[pick])
        else:
            sign = 1 if aim == Aim.strongest else -1
            score[pick] = sign * b.health[enemies[pick]]
    return score


def choose(b: Batch, fights: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """For each creature its ability and target: the first entry that fits and is available.

    The ability is NONE where nothing fits: the creature passes.
    """
    book = b.book
    ability, target = np.full(len(rows), NONE), np.full(len(rows), NONE)
    lines = book.ai_lines.size[b.ai[rows]]
    for number in range(lines.max(initial=0)):
        open_ = np.flatnonzero((ability == NONE) & (lines > number))
        if not len(open_):
            break
        who = rows[open_]
        entry = book.ai_lines.start[b.ai[who]] + number
        what, at = book.entries.ability[entry], opponent(b, who, book.entries.aim[entry])
        roles = np.stack([who, at])
        fits = affordable(b, who, what)
        for condition in (book.entries.condition[entry], book.ability_condition[what]):
            fits &= holds(b, condition, fights[open_], roles)
        ability[open_[fits]], target[open_[fits]] = what[fits], at[fits]
    return ability, target


def affordable(b: Batch, rows: Ints, ability: Ints) -> Bools:
    """Stamina for the cost, and not cooling down."""
    waiting = b.cooldowns[rows, b.book.slot[b.creature[rows], ability]]
    return (b.stamina[rows] >= b.book.cost[ability]) & (waiting == 0)


def commands(b: Batch) -> Ints:
    """The next command of each hero's script that is not blocked; NONE without one.

    A blocked one is rejected: it costs no turn and no draw, and the next one is asked. Stamina
    and cooldowns are those that step 2 will give, the condition sees the present state.
    """
    accepted = np.full(b.count, NONE)
    length = (b.script != NONE).sum(axis=1)
    asking = np.flatnonzero(b.scripted < length)
    while len(asking):
        command = b.script[asking, b.scripted[asking]]
        b.scripted[asking] += 1
        blocked = _blocked(b, asking, command)
        free = blocked == NONE
        accepted[asking[free]] = command[free]
        asking, command, blocked = asking[~free], command[~free], blocked[~free]
        hero = asking * b.width
        note(b, Kind.REJECTED, asking, actor=hero, ref=command, reason=blocked)
        asking = asking[b.scripted[asking] < length[asking]]
    return accepted


def _blocked(b: Batch, fights: Ints, ability: Ints) -> Ints:
    """Why a command cannot be given now: a `Reason`, or NONE."""
    hero, book = fights * b.width, b.book
    lasting = np.where(b.modifier_turns[hero] > 1, b.modifier[hero], 0)
    waiting = b.cooldowns[hero, book.slot[b.creature[hero], ability]]
    roles = np.stack([hero, opponent(b, hero, Aim.first)])
    reason = np.full(len(fights), NONE)
    reason[~holds(b, book.ability_condition[ability], fights, roles)] = Reason.CONDITION
    reason[waiting > 1] = Reason.COOLDOWN
    reason[rested(b, hero, lasting) < book.cost[ability]] = Reason.STAMINA
    return reason
