"""Units, centres and arrows as small pictures."""

from functools import lru_cache
from math import atan2, cos, hypot, pi, sin

from PIL import Image, ImageDraw

from transforms.diplomacy.cells import Point
from transforms.diplomacy.chart.style import BLACK, INK, WHITE, Colour, Flag
from transforms.picture.pen import font

OVERSAMPLING = 4
BADGE = (58, 30)  # pixels
CENTRE = 16

_HULL = ((0.0, 0.08), (1.0, 0.08), (0.84, 0.92), (0.16, 0.92))  # corners in shares of a badge


@lru_cache(maxsize=64)
def badge(unit_type: str, flag: Flag, own: bool, face: bytes) -> Image.Image:
    """A unit: a block for an army, a hull for a fleet, with its letter and its nation's code.

    The letters say everything, so that a grey print loses nothing; own units have a double edge.
    """
    width, height = (side * OVERSAMPLING for side in BADGE)
    image = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(image)
    rings = [(0, BLACK), (7, WHITE), (13, flag.fill)] if own else [(0, BLACK), (7, flag.fill)]
    for inset, colour in rings:
        _body(draw, unit_type, inset, width, height, colour)
    text = f"{unit_type} {flag.code}"
    size = 17 * OVERSAMPLING
    while font(face, size).getlength(text) > width - 52:
        size -= 2
    middle = height / 2 - (4 if unit_type == "F" else 0)
    draw.text((width / 2, middle), text, flag.ink, font(face, size), "mm")
    return image.reduce(OVERSAMPLING)


def _body(
    draw: ImageDraw.ImageDraw, unit_type: str, inset: int, width: int, height: int, colour: Colour
) -> None:
    if unit_type == "A":
        box = (inset, 4 + inset, width - 1 - inset, height - 5 - inset)
        draw.rounded_rectangle(box, 22 - inset, colour)
        return
    left, right = inset * 1.7, width - 1 - inset * 1.7
    top, bottom = inset, height - 1 - inset
    corners = [(left + u * (right - left), top + v * (bottom - top)) for u, v in _HULL]
    draw.polygon(corners, colour)


@lru_cache(maxsize=32)
def centre(flag: Flag | None) -> Image.Image:
    """A supply centre: a ring around a dot; with a flag, a full disc in its colour."""
    side = CENTRE * OVERSAMPLING
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    last = side - 1
    draw.ellipse((0, 0, last, last), INK)
    draw.ellipse((6, 6, last - 6, last - 6), WHITE)
    if flag is None:
        draw.ellipse((22, 22, last - 22, last - 22), INK)
    else:
        draw.ellipse((12, 12, last - 12, last - 12), flag.fill, INK, 4)
    return image.reduce(OVERSAMPLING)


ARROWS = (("move", False), ("move", True), ("support", False), ("convoy", False))


def arrow_sign(kind: str, failed: bool) -> Image.Image:
    """An arrow as it stands in the legend."""
    size = 64, 24
    image = Image.new("RGBA", (size[0] * OVERSAMPLING, size[1] * OVERSAMPLING))
    middle = image.height / 2
    ends = ((-20.0 * OVERSAMPLING, middle), (image.width + 10.0 * OVERSAMPLING, middle))
    arrow(ImageDraw.Draw(image), *ends, kind=kind, failed=failed, scale=OVERSAMPLING)
    return image.reduce(OVERSAMPLING)


def arrow(
    draw: ImageDraw.ImageDraw, start: Point, end: Point, *, kind: str, failed: bool, scale: int
) -> None:
    """A line with a head: full for a move, dashed for a support, dotted for a convoy.

    A move that was not made has a cross on its middle.
    """
    start, end = _shortened(start, end, 20 * scale, 24 * scale)
    width = 4 * scale
    dashes = {"move": None, "support": (13, 8), "convoy": (3, 9)}[kind]
    for colour, wider in ((WHITE, 4 * scale), (INK, 0)):
        for a, b in pieces(start, end, dashes, scale):
            draw.line([a, b], colour, width + wider)
        _head(draw, start, end, colour, (15 * scale) + wider)
    if failed:
        _cross(draw, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), 9 * scale, width)


def _shortened(start: Point, end: Point, before: float, behind: float) -> tuple[Point, Point]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length <= before + behind:
        before = behind = length / 6
    dx, dy = ((end[i] - start[i]) / max(length, 1) for i in (0, 1))
    return (
        (start[0] + dx * before, start[1] + dy * before),
        (end[0] - dx * behind, end[1] - dy * behind),
    )


def pieces(
    start: Point, end: Point, dashes: tuple[int, int] | None, scale: int
) -> list[tuple[Point, Point]]:
    """The line as one piece, or cut into dashes (length, gap)."""
    if dashes is None:
        return [(start, end)]
    length = hypot(end[0] - start[0], end[1] - start[1])
    dx, dy = ((end[i] - start[i]) / max(length, 1) for i in (0, 1))
    on, off = (part * scale for part in dashes)
    pieces, at = [], 0.0
    while at < length:
        to = min(at + on, length)
        a = (start[0] + dx * at, start[1] + dy * at)
        pieces.append((a, (start[0] + dx * to, start[1] + dy * to)))
        at += on + off
    return pieces


def _head(draw: ImageDraw.ImageDraw, start: Point, end: Point, colour: Colour, size: float) -> None:
    angle = atan2(end[1] - start[1], end[0] - start[0])
    corners = [
        (end[0] + size * r * cos(angle + turn), end[1] + size * r * sin(angle + turn))
        for r, turn in ((0.7, 0.0), (1.0, pi - 0.5), (1.0, pi + 0.5))
    ]
    draw.polygon(corners, colour)


def _cross(draw: ImageDraw.ImageDraw, at: Point, size: float, width: int) -> None:
    x, y = at
    for colour, wider in ((WHITE, width), (INK, 0)):
        for sign in (1, -1):
            line = [(x - size, y - sign * size), (x + size, y + sign * size)]
            draw.line(line, colour, width + wider)
