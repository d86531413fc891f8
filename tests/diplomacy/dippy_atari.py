"""Order cells of a game that was refereed by hand → lines that the notation knows.

Only here: ditto marks and arrows, which point at other cells, orders over two cells, and the
referee's remarks about what came of an order.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_REMARKS = re.compile(r"</?u>|[*§$!?%‡]|&bbsp;")
_ARROWS = {"&darr;": "↓", "&uarr;": "↑", "&gt;": ">"}
_OPEN_END = re.compile(r"\bS ?(?:(?:Au|En|Fr|Ge|It|Ru|Tu)?[AF])$")  # the rest is in the next cell
_UNIT = re.compile(r"^[AF] ?[\wäöüß]+")


@dataclass(frozen=True)
class Line:
    """One order, and the cells it was printed in."""

    phase: str
    step: str
    nation: str
    text: str
    cells: tuple[str, ...]


def lines_of(game: Mapping[str, Any], part: str = "zuege") -> list[Line]:
    """All orders of the game; every cell of `part` belongs to exactly one line."""
    lines = []
    for phase in game["phases"]:
        step = "adjustment" if part == "winter" or phase["phase"].startswith("Winter") else ""
        for nation, cells in phase.get(part, {}).items():
            lines += [
                Line(phase["phase"], _step(text, step), nation, text, printed)
                for text, printed in _joined(cells)
            ]
    return lines


def _step(text: str, step: str) -> str:
    return step or ("retreat" if ">" in text else "movement")


def _joined(cells: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The orders of one nation, with everything that points elsewhere written out."""
    orders: list[tuple[str, tuple[str, ...]]] = []
    for cell in cells:
        text = _plain(cell)
        if orders and _OPEN_END.search(orders[-1][0]):
            before, printed = orders.pop()
            orders.append((f"{before} {text}", (*printed, cell)))
        else:
            orders.append((text, (cell,)))
    texts = [text for text, _ in orders]
    return [(_written_out(texts, n), printed) for n, (_, printed) in enumerate(orders)]


def _plain(cell: str) -> str:
    for entity, sign in _ARROWS.items():
        cell = cell.replace(entity, sign)
    return _REMARKS.sub("", cell).strip(" _")


def _written_out(texts: Sequence[str], n: int) -> str:
    """`A Bud S "` → the order above; `S ↓` → the unit below; `> Por` → the unit above."""
    text = texts[n]
    if text.startswith(">"):
        return f"{_unit_above(texts, n)} {text}"
    if text.endswith('"'):
        above = (t for t in reversed(texts[:n]) if not t.endswith('"') and not t.startswith(">"))
        return text.replace('"', next(above))
    if re.search(r"\bS ?[↓↑]$", text):
        other = texts[n + 1] if text.endswith("↓") else texts[n - 1]
        unit = _UNIT.match(other)
        return re.sub(r"[↓↑]", unit.group() if unit else "", text)
    return re.sub(r"[↓↑]", "", text)


def _unit_above(texts: Sequence[str], n: int) -> str:
    above = next(t for t in reversed(texts[:n]) if not t.startswith(">"))
    unit = _UNIT.match(above)
    return unit.group() if unit else above.partition(" ")[0]
