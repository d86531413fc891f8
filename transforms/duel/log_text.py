"""The event log as German text: one line an event, from the events alone.

Only names are looked up: of the creatures by position, of the abilities by id.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from transforms.duel.model import BUILT_IN, Registry
from transforms.errors import unknown

Event = Mapping[str, Any]

REASONS = {
    "stamina": "zu wenig Ausdauer",
    "cooldown": "noch nicht wieder bereit",
    "condition": "die Bedingung ist nicht erfüllt",
    "victory": "Sieg",
    "fled": "der Held ist geflohen",
}
OUTCOMES = {
    "victory": "Sieg",
    "fled": "Flucht",
    "defeat": "Niederlage",
    "draw": "Unentschieden",
}
SENTENCES = {
    "initiative": "{actor}: Initiative {amount}{chance}.",
    "combat_started": "Der Kampf beginnt.",
    "turn_started": "Der Zug beginnt.",
    "ability_used": "{actor} nutzt {ref}{aim}{stamina}.",
    "hit": "{actor} trifft {target} mit {ref}{chance}.",
    "missed": "{actor} verfehlt {target} mit {ref}{chance}.",
    "damaged": "{target} nimmt {amount} Schaden{critical} durch {ref}{by}{health}.",
    "healed": "{target} heilt {amount} durch {ref}{by}{health}.",
    "tick": "{target} leidet unter {ref}{by}{health}.",
    "modifier_set": "{target} trägt {ref} für {turns}{by}.",
    "modifier_expired": "{target} ist {ref} los.",
    "creature_died": "{target} stirbt durch {ref}{by}.",
    "fled": "{actor} flieht{chance}.",
    "flee_failed": "{actor} versucht zu fliehen und kommt nicht weg{chance}.",
    "passed": "{actor} setzt aus.",
    "rejected": "Befehl {ref} abgelehnt: {reason}.",
    "queue_limit": "Zu viele Folgen auf einmal: {amount} fallen weg.",
    "turn_limit": "Der letzte erlaubte Zug ist vorbei: unentschieden.",
    "combat_ended": "Der Kampf ist zu Ende: {reason}.",
    "game_over": "Das Spiel ist aus: {target} fällt im Zug {turn} durch {ref}{by}.",
}
"""A sentence for each kind; parts with a bracket or a comma of their own are in `_parts`."""


def names_of(registry: Registry, creatures: Sequence[str]) -> list[str]:
    """What the creatures of a fight are called, by position: `Wolf 1`, `Wolf 2` if there are two.

    `creatures` are ids, the hero first; a hero among his own kind is `Held <name>`.
    """
    plain = [registry.creatures[creature].name for creature in creatures]
    names = []
    for position, name in enumerate(plain):
        several = plain.count(name) > 1
        if position == 0:
            names.append(f"Held {name}" if several else name)
        else:
            names.append(f"{name} {plain[1 : position + 1].count(name)}" if several else name)
    return names


def positions(wanted: Iterable[str], ids: Sequence[str], names: Sequence[str]) -> set[int] | None:
    """Which creatures of a fight are meant: by position, id or name; None for all.

    Errors: a word that means nobody.
    """
    found: set[int] = set()
    for word in wanted:
        meant = {
            n for n, told in enumerate(zip(ids, names, strict=True))
            if word in (str(n), *told)
        }  # fmt: skip
        if not meant:
            raise unknown("--creature", "creature of this fight", word, [*names, *set(ids)])
        found |= meant
    return found or None


def log_lines(
    events: pl.DataFrame,
    names: Sequence[str],
    registry: Registry,
    only: Collection[int] | None = None,
) -> Iterator[str]:
    """The lines of one fight's duel.events: a head `Zug <n>` for each turn, a line an event.

    `only` keeps the events in which one of these positions is actor or target.
    """
    turn = None
    for event in events.iter_rows(named=True):
        if only is not None and not {event["actor"], event["target"]} & set(only):
            continue
        if event["turn"] != turn:
            turn = event["turn"]
            yield f"Zug {turn}"
        yield "  " + sentence(event, names, registry)


def sentence(event: Event, names: Sequence[str], registry: Registry) -> str:
    """What happened, as a German sentence."""
    parts = {name: make(event, names) for name, make in _PARTS.items()}
    ability = registry.abilities.get(event["ref"])
    return SENTENCES[event["kind"]].format(
        **parts,
        ref=ability.name if ability else event["ref"],
        amount=event["amount"],
        turn=event["turn"],
    )


# ── parts of a sentence; empty where the event does not tell ────────────────────────────────


def _name(position: int | None, names: Sequence[str]) -> str:
    return "niemand" if position is None else names[position]


def _aim(event: Event, names: Sequence[str]) -> str:
    told = event["target"] is not None and event["ref"] not in BUILT_IN
    return f" (Ziel: {names[event['target']]})" if told else ""


def _by(event: Event, names: Sequence[str]) -> str:
    return "" if event["actor"] is None else f" von {names[event['actor']]}"


def _chance(event: Event, names: Sequence[str]) -> str:
    if event["roll"] is None:
        return ""
    wanted = "" if event["p"] is None else f"Chance {_decimal(event['p'])}, "
    return f" ({wanted}Wurf {_decimal(event['roll'])})"


def _decimal(value: float) -> str:
    return f"{value:.4f}".replace(".", ",")


def _left(column: str, word: str) -> Callable[[Event, Sequence[str]], str]:
    return lambda event, names: "" if event[column] is None else f", {word} {event[column]}"


_PARTS: Mapping[str, Callable[[Event, Sequence[str]], str]] = {
    "actor": lambda event, names: _name(event["actor"], names),
    "target": lambda event, names: _name(event["target"], names),
    "aim": _aim,
    "by": _by,
    "chance": _chance,
    "critical": lambda event, names: " (kritisch)" if event["crit"] else "",
    "health": _left("health", "Gesundheit noch"),
    "stamina": _left("stamina", "Ausdauer noch"),
    "turns": lambda event, names: f"{event['amount']} {'Zug' if event['amount'] == 1 else 'Züge'}",
    "reason": lambda event, names: REASONS.get(event["reason"], ""),
}
