"""The one exception that means: the input is wrong, and here is what to change."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(Exception):
    """Bad input; its text is one line that says where, what was found and what is allowed."""


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The entry of `allowed` that was probably meant by `name`, or None."""
    found = get_close_matches(name, list(allowed), n=1, cutoff=0.6)
    return found[0] if found else None


def unknown(where: str, what: str, name: str, allowed: Iterable[str]) -> InputError:
    """An error for `name`, which is none of `allowed`; names the nearest one if there is one."""
    allowed = list(allowed)
    meant = nearest(name, allowed)
    hint = f" (did you mean {meant!r}?)" if meant else ""
    return InputError(f"{where}: unknown {what} {name!r}{hint}; allowed: {', '.join(allowed)}")
