"""A fight between two turns as plain data and back: the same end, the same dice.

The state of the random numbers is part of the save, so loading again rolls nothing anew
(source 2, "Zufall"). Only an undecided fight can be saved.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from transforms.duel.batch import DEAD, FLED, NONE, PRESENT, Batch, blank
from transforms.duel.book import Book, compile_book, ints
from transforms.duel.enlist import enlist, line_up, muster
from transforms.duel.log import Log
from transforms.duel.model import Registry
from transforms.duel.run import play, results_table
from transforms.duel.saved import FORMAT, check_save
from transforms.errors import InputError

_GONE = {PRESENT: None, DEAD: "dead", FLED: "fled"}


class Stopped(NamedTuple):
    """What happened so far, and either how the fight ended or how it stands."""

    events: pl.DataFrame
    result: pl.DataFrame | None
    save: dict[str, Any] | None


def play_until(fight: pl.DataFrame, registry: Registry, turn: int) -> Stopped:
    """Play one fight (a row of duel.fights) through `turn`, or to its end if that comes first.

    Errors: see `check_fights`.
    """
    if fight.height != 1:
        raise InputError(f"found {fight.height} fights to stop at a turn; allowed: 1")
    book = compile_book(registry)
    batch = enlist(fight, book, Log(ints([0])))
    policy = fight["policy"][0] if "policy" in fight.columns else None
    return _go_on(batch, fight.select("fight_id", "seed"), policy, turn)


def resume_fight(
    save: Mapping[str, Any], registry: Registry, turn: int | None = None, *, force: bool = False
) -> Stopped:
    """Go on from a save through `turn`, or to the end.

    Errors: a save that `check_save` refuses; one of another registry unless `force`.
    """
    check_save(save, registry, force=force)
    batch = _loaded(save, compile_book(registry))
    ids = pl.DataFrame(
        {"fight_id": [save["fight_id"]], "seed": [save["seed"]]},
        schema={"fight_id": pl.UInt64, "seed": pl.UInt64},
    )
    return _go_on(batch, ids, save["policy"], turn)


def _go_on(b: Batch, fight: pl.DataFrame, policy: str | None, turn: int | None) -> Stopped:
    log, book = b.log, b.book
    assert log is not None
    ended = list(play(b, until=turn))
    events = log.frame(fight["fight_id"], book)
    if b.count:
        return Stopped(events, None, _saved(b, fight, policy))
    return Stopped(events, results_table(ended, fight, book), None)


def _saved(b: Batch, fight: pl.DataFrame, policy: str | None) -> dict[str, Any]:
    left = b.script[0, b.scripted[0] :]
    return {
        "format": FORMAT,
        "registry_sha256": b.book.registry.sha256,
        "fight_id": fight["fight_id"][0],
        "seed": fight["seed"][0],
        "turn": b.turn,
        "state": f"{int(b.state[0]):016x}",
        "actions": int(b.actions[0]),
        "seq": int(b.seq[0]),
        "script_left": [b.book.abilities[ability] for ability in left[left != NONE]],
        "policy": policy,
        "creatures": [_creature(b, row) for row in range(b.width)],
        "outcome": None,
    }


def _creature(b: Batch, row: int) -> dict[str, Any]:
    book, kind = b.book, b.creature[row]
    waiting = {
        name: int(b.cooldowns[row, slot])
        for name, slot in zip(book.abilities, book.slot[kind], strict=True)
        if b.cooldowns[row, slot]
    }
    worn = zip(b.modifier[row], b.modifier_source[row], b.modifier_turns[row], strict=True)
    return {
        "position": row,
        "id": book.creatures[kind],
        "health": int(b.health[row]),
        "stamina": int(b.stamina[row]),
        "initiative": int(b.initiative[row]),
        "gone": _GONE[int(b.gone[row])],
        "cooldowns": waiting,
        "modifiers": [
            {"id": book.modifiers[modifier], "source": int(source), "turns": int(turns)}
            for modifier, source, turns in worn
            if modifier
        ],
    }


def _loaded(save: Mapping[str, Any], book: Book) -> Batch:
    creatures: Sequence[Mapping[str, Any]] = save["creatures"]
    b = blank(book, 1, len(creatures), turn=save["turn"], log=Log(ints([save["seq"]])))
    policy = NONE if save["policy"] is None else book.policies[save["policy"]]
    muster(b, ints(book.creatures.index(c["id"]) for c in creatures)[None], ints([policy]))
    b.state[0] = int(save["state"], 16)
    b.actions[0], b.seq[0] = save["actions"], save["seq"]
    b.script = ints(book.abilities.index(name) for name in save["script_left"])[None]
    worn = max((len(c["modifiers"]) for c in creatures), default=0)
    b.modifier, b.modifier_source, b.modifier_turns = (
        np.zeros((len(creatures), worn), dtype=np.intp) for _ in range(3)
    )
    gone = {name: code for code, name in _GONE.items()}
    for row, creature in enumerate(creatures):
        b.health[row], b.stamina[row] = creature["health"], creature["stamina"]
        b.initiative[row], b.gone[row] = creature["initiative"], gone[creature["gone"]]
        b.removed[row] = creature["gone"] is not None
        for name, turns in creature["cooldowns"].items():
            slot = book.slot[b.creature[row], book.abilities.index(name)]
            b.cooldowns[row, slot] = turns if slot else 0
        b.load[row] = len(creature["modifiers"])
        for place, modifier in enumerate(creature["modifiers"]):
            b.modifier[row, place] = book.modifiers.index(modifier["id"])
            b.modifier_source[row, place] = modifier["source"]
            b.modifier_turns[row, place] = modifier["turns"]
    line_up(b)
    return b
