"""Typed reading of parsed TOML: every refusal names place, key, what was found, what is allowed."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from transforms.errors import InputError, unknown

LARGEST = 1_000_000
_ID = re.compile(r"[A-Za-z0-9_.-]+:[A-Za-z0-9_./-]+")


def refuse(where: str, found: Any, allowed: str) -> InputError:
    """The error for a value that may not stand at `where`."""
    return InputError(f"{where}: found {found!r}; allowed: {allowed}")


def table(
    where: str, value: Any, allowed: Iterable[str], needed: Iterable[str] = ()
) -> Mapping[str, Any]:
    """`value` as a table that has only `allowed` keys and all `needed` ones."""
    allowed = list(allowed)
    if not isinstance(value, dict):
        raise refuse(where, value, f"a table with {', '.join(allowed)}")
    for key in value:
        if key not in allowed:
            raise unknown(where, "key", key, allowed)
    for key in needed:
        if key not in value:
            raise InputError(f"{where}: key {key!r} is missing; allowed: {', '.join(allowed)}")
    return value


def items(where: str, value: Any, most: int | None = None) -> list[Any]:
    """`value` as an array of at most `most` entries."""
    if not isinstance(value, list):
        raise refuse(where, value, "an array")
    if most is not None and len(value) > most:
        raise refuse(where, f"{len(value)} entries", f"at most {most}")
    return value


def text(where: str, value: Any) -> str:
    """`value` as a text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise refuse(where, value, "a text")
    return value


def identifier(where: str, value: Any) -> str:
    """`value` as an id, `namespace:name`."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise refuse(where, value, "an id 'namespace:name' of letters, digits and _ . -")
    return value


def identifiers(where: str, value: Any, most: int | None = None) -> tuple[str, ...]:
    """`value` as an array of ids."""
    return tuple(identifier(where, entry) for entry in items(where, value, most))


def one_of(where: str, value: Any, allowed: Iterable[str], what: str = "value") -> str:
    """`value` as one of `allowed`."""
    allowed = list(allowed)
    if value not in allowed:
        raise unknown(where, what, str(value), allowed)
    return str(value)


def boolean(where: str, value: Any) -> bool:
    """`value` as true or false."""
    if not isinstance(value, bool):
        raise refuse(where, value, "true or false")
    return value


def whole(where: str, value: Any, low: int = 0, high: int = LARGEST) -> int:
    """`value` as a whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise refuse(where, value, f"a whole number from {low} to {high}")
    return value


def number(where: str, value: Any, low: float = -LARGEST, high: float = LARGEST) -> float:
    """`value` as a finite number from `low` to `high`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise refuse(where, value, f"a number from {low:g} to {high:g}")
    return float(value)
