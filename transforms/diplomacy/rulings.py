"""The rulings of a Diplomacy game: every point on which groups differ, one switch each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

from transforms.errors import InputError, unknown


@dataclass(frozen=True)
class Rulings:
    """The section [rulings] of game.toml; the defaults are what the documentation describes."""

    retreats: Literal["in_advance", "separate"] = "in_advance"
    retreat_options: bool = False
    adjacent_convoy: Literal["via_or_own", "via_only"] = "via_or_own"
    land_fallback: bool = False
    centre_sees_itself: bool = True
    victory_centres: int = 18


def make_rulings(given: Mapping[str, Any], where: str) -> Rulings:
    """The rulings that `given` names, defaults for the others.

    Errors: a ruling that does not exist, a value that it does not allow.
    """
    hints = get_type_hints(Rulings)
    for key, value in given.items():
        if key not in hints:
            raise unknown(where, "ruling", key, hints)
        allowed = get_args(hints[key])
        if allowed and value not in allowed:
            raise unknown(f"{where}, {key}", "value", str(value), allowed)
        if not allowed and type(value) is not hints[key]:
            raise InputError(f"{where}: {key} = {value!r}; needed: {hints[key].__name__}")
    return Rulings(**given)
