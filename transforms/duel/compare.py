"""Two registries compared entry by entry, field by field."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from transforms.duel.model import Registry

KINDS = ("creatures", "policies", "abilities", "triggers")


class Difference(NamedTuple):
    """A field that differs; `field` is empty where the whole entry is only on one side."""

    kind: str
    id: str
    field: str
    before: Any
    after: Any

    def line(self) -> str:
        """As one line: `+` only in B, `-` only in A, else both values."""
        if not self.field:
            return f"{'+' if self.before is None else '-'} {self.kind} {self.id}"
        told = (_shown(value) for value in (self.before, self.after))
        place = f"{self.kind} {self.id}" if self.id else self.kind
        return f"~ {place}, {self.field}: " + " → ".join(told)


def differences(a: Registry, b: Registry) -> list[Difference]:
    """Everything in which registry `b` differs from `a`, by kind, id and field."""
    found: list[Difference] = []
    for kind in KINDS:
        left, right = getattr(a, kind), getattr(b, kind)
        for name in sorted({*left, *right}):
            before, after = left.get(name), right.get(name)
            if before is None or after is None:
                found.append(Difference(kind, name, "", before, after))
            else:
                found += (Difference(kind, name, *rest) for rest in _fields("", before, after))
    for section in ("balance", "limits"):
        pair = getattr(a, section), getattr(b, section)
        found += (Difference(f"[{section}]", "", *rest) for rest in _fields("", *pair))
    return found


def _fields(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """The deepest places that differ: `base.damage`, `ai 2.ability`."""
    if before == after:
        return
    dot = f"{path}." if path else ""
    if is_dataclass(before) and type(before) is type(after):
        for part in fields(before):
            yield from _fields(
                f"{dot}{part.name}", getattr(before, part.name), getattr(after, part.name)
            )
    elif isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted({*before, *after}):
            yield from _fields(f"{dot}{key}", before.get(key), after.get(key))
    elif isinstance(before, tuple) and isinstance(after, tuple) and len(before) == len(after):
        for number, pair in enumerate(zip(before, after, strict=True), start=1):
            yield from _fields(f"{path} {number}", *pair)
    else:
        yield path, before, after


def _shown(value: Any) -> str:
    """A value as short as it can be: fields of an entry that hold their default are left out."""
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if is_dataclass(value) and not isinstance(value, type):
        told = (
            f"{part.name} = {_shown(getattr(value, part.name))}"
            for part in fields(value)
            if getattr(value, part.name) != part.default
        )
        return "{ " + ", ".join(told) + " }"
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
