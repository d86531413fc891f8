"""Colours and sizes of the schematic map, and the check that a colour can be read."""

from collections.abc import Mapping
from dataclasses import dataclass

Colour = tuple[int, int, int]

WIDTH = 1600
TITLE_HEIGHT, LEGEND_HEIGHT = 48, 104

PAPER: Colour = (253, 251, 245)
INK: Colour = (24, 28, 36)
SEA: Colour = (186, 212, 234)
COAST: Colour = (244, 238, 218)
INLAND: Colour = (238, 229, 200)
NOBODY: Colour = (168, 166, 160)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
HATCH_GREY, DOT_GREY = 166, 150  # of 255, what lines and dots leave of a colour

KINDS: Mapping[str, Colour] = {"sea": SEA, "coast": COAST, "inland": INLAND, "": NOBODY}

READABLE = 4.5  # contrast of text on a colour, as web pages need it (WCAG AA)


@dataclass(frozen=True)
class Flag:
    """How a nation is drawn: its colour, the ink that can be read on it, its code."""

    code: str
    name: str
    fill: Colour
    ink: Colour


def flag(code: str, name: str, colour: str) -> Flag:
    """A flag for #rrggbb; of black and white ink the one with more contrast."""
    fill = int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
    ink = max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))
    return Flag(code, name, fill, ink)


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio of two colours, 1 to 21; it is the one that counts in a grey print, too."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
