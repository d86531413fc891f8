"""A line chart over turns as a PNG: a line, a marker and a label at its end for every realm.

Colours are those of Okabe and Ito, which the colour-blind tell apart; markers and labels say the
same without any colour. Pure drawing: numbers in, bytes out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil

from PIL import Image, ImageDraw

from transforms.picture.page import whole_ticks
from transforms.picture.pen import Colour, font, text_width

SIZE = (1240, 640)  # pixels
_SCALE = 3  # drawn larger, then reduced: smooth lines
_PLOT = (90, 115, 800, 565)  # left, top, right, bottom
_LEGEND_X, _LEGEND_TOP, _LEGEND_STEP, _LEGEND_MOST = 905, 118, 24, 18
_INK, _MUTED, _GRID, _PAPER = (34, 34, 34), (95, 95, 95), (224, 224, 224), (255, 255, 255)
_COLOURS: tuple[Colour, ...] = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (0, 0, 0),
    (86, 180, 233),
    (230, 159, 0),
)
_Shape = Callable[[float], list[tuple[float, float]]]
_MARKERS: tuple[_Shape, ...] = (  # corners at a radius; none = a disc. Five, coprime to the colours
    lambda r: [],
    lambda r: [(-r, -r), (r, -r), (r, r), (-r, r)],
    lambda r: [(0, -1.3 * r), (1.2 * r, r), (-1.2 * r, r)],
    lambda r: [(0, -1.4 * r), (1.4 * r, 0), (0, 1.4 * r), (-1.4 * r, 0)],
    lambda r: [(-1.2 * r, -r), (1.2 * r, -r), (0, 1.3 * r)],
)


@dataclass(frozen=True)
class Line:
    """One realm: code for the label, name for the legend, (turn, value) sorted by turn."""

    code: str
    name: str
    points: Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Text:
    """The words around a chart, and the two fonts that they are written in."""

    title: str
    subtitle: str
    axis: str
    regular: bytes
    bold: bytes


def draw_chart(lines: Sequence[Line], text: Text) -> bytes:
    """The chart as PNG, the line with the highest last value first; the same input gives the same
    bytes. More realms than the legend holds are left out, the lowest first, and counted."""
    ranked = sorted(lines, key=lambda line: (-line.points[-1][1], line.code))
    shown, left_out = ranked[:_LEGEND_MOST], len(ranked[_LEGEND_MOST:])
    canvas = _Canvas(text)
    canvas.frame(shown)
    for rank, line in reversed(list(enumerate(shown))):
        canvas.line(line, rank)
    canvas.labels(shown)
    canvas.legend(shown, left_out)
    return canvas.png()


class _Canvas:
    """The picture while it is drawn, in unscaled pixels."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.image = Image.new("RGB", (SIZE[0] * _SCALE, SIZE[1] * _SCALE), _PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.turns = (0, 1)
        self.values = (0, 1)

    def frame(self, lines: Sequence[Line]) -> None:
        """Title, axes and grid for the values of all lines; fixes the scales."""
        points = [point for line in lines for point in line.points]
        turns = [turn for turn, _ in points]
        self.turns = (min(turns), max(max(turns), min(turns) + 1))
        rows = whole_ticks(min(0, *(v for _, v in points)), max(1, *(v for _, v in points)), 6)
        self.values = (rows[0], rows[-1])
        left, _, right, bottom = _PLOT
        for value in rows:
            y = self._y(value)
            self._stroke([(left, y), (right, y)], _INK if value == 0 else _GRID, 1)
            self._write((left - 10, y), f"{value:,}", 15, "rm", _MUTED)
        for turn in whole_ticks(*self.turns, 12):
            if self.turns[0] <= turn <= self.turns[1]:
                x = self._x(turn)
                self._stroke([(x, bottom), (x, bottom + 5)], _MUTED, 1)
                self._write((x, bottom + 12), str(turn), 15, "mt", _MUTED)
        self._write(((left + right) / 2, bottom + 36), "turn", 15, "mt", _MUTED)
        self._write((left - 62, 18), self.text.title, 26, "lt", _INK, bold=True)
        self._write((left - 62, 50), self.text.subtitle, 16, "lt", _MUTED)
        self._write((left - 62, 72), self.text.axis, 15, "lt", _MUTED)

    def line(self, line: Line, rank: int) -> None:
        """One realm's line, with a white edge where it crosses others; markers not too dense."""
        pixels = [(self._x(turn), self._y(value)) for turn, value in line.points]
        colour = _colour(rank)
        self._stroke(pixels, _PAPER, 5.5)
        self._stroke(pixels, colour, 2.8)
        every = max(1, ceil(len(pixels) / 14))
        for x, y in [*pixels[rank % every :: every], pixels[-1]]:
            self._marker(x, y, rank)

    def labels(self, lines: Sequence[Line]) -> None:
        """The code at the end of each line, moved apart where ends lie close together."""
        ends = sorted((self._y(line.points[-1][1]), rank) for rank, line in enumerate(lines))
        places = _apart([y for y, _ in ends], 16, _PLOT[3] + 8)
        for (y, rank), place in zip(ends, places, strict=True):
            line = lines[rank]
            x = self._x(line.points[-1][0])
            self._stroke([(x + 8, y), (x + 18, place)], _colour(rank), 1)
            self._write((x + 21, place), line.code, 14, "lm", _INK, bold=True)

    def legend(self, lines: Sequence[Line], left_out: int) -> None:
        """Marker, code and name of every line, in the order of their last values."""
        for rank, line in enumerate(lines):
            y = _LEGEND_TOP + _LEGEND_STEP * rank
            self._stroke([(_LEGEND_X, y), (_LEGEND_X + 30, y)], _colour(rank), 2.8)
            self._marker(_LEGEND_X + 15, y, rank)
            name = self._fitted(f"{line.code}  {line.name}", SIZE[0] - _LEGEND_X - 50)
            self._write((_LEGEND_X + 40, y), name, 15, "lm", _INK)
        if left_out:
            y = _LEGEND_TOP + _LEGEND_STEP * len(lines)
            self._write((_LEGEND_X, y), f"and {left_out} lower ones", 15, "lm", _MUTED)

    def png(self) -> bytes:
        """The finished picture."""
        buffer = BytesIO()
        self.image.reduce(_SCALE).save(buffer, "PNG", optimize=False, compress_level=6)
        return buffer.getvalue()

    def _x(self, turn: float) -> float:
        first, last = self.turns
        return _PLOT[0] + (_PLOT[2] - _PLOT[0]) * (turn - first) / (last - first)

    def _y(self, value: float) -> float:
        low, high = self.values
        return _PLOT[3] - (_PLOT[3] - _PLOT[1]) * (value - low) / (high - low)

    def _stroke(self, pixels: Sequence[tuple[float, float]], fill: Colour, width: float) -> None:
        scaled = [(x * _SCALE, y * _SCALE) for x, y in pixels]
        self.draw.line(scaled, fill, round(width * _SCALE), joint="curve")

    def _marker(self, x: float, y: float, rank: int) -> None:
        corners = _MARKERS[rank % len(_MARKERS)](4.6 * _SCALE)
        x, y, colour = x * _SCALE, y * _SCALE, _colour(rank)
        if corners:
            self.draw.polygon([(x + dx, y + dy) for dx, dy in corners], colour, _PAPER, _SCALE)
        else:
            r = 5.2 * _SCALE
            self.draw.ellipse((x - r, y - r, x + r, y + r), colour, _PAPER, _SCALE)

    def _write(
        self, at: tuple[float, float], text: str, size: int, anchor: str, fill: Colour,
        bold: bool = False,
    ) -> None:  # fmt: skip
        face = font(self.text.bold if bold else self.text.regular, size * _SCALE)
        self.draw.text((at[0] * _SCALE, at[1] * _SCALE), text, fill, face, anchor)

    def _fitted(self, text: str, room: int) -> str:
        face = font(self.text.regular, 15 * _SCALE)
        if text_width(text, face) <= room * _SCALE:
            return text
        while text and text_width(text + "…", face) > room * _SCALE:
            text = text[:-1]
        return text.rstrip() + "…"


def _colour(rank: int) -> Colour:
    return _COLOURS[rank % len(_COLOURS)]


def _apart(places: Sequence[float], distance: float, lowest: float) -> list[float]:
    """Sorted places moved as little down, then up, as keeps `distance` between any two."""
    moved: list[float] = []
    for place in places:
        moved.append(max(place, moved[-1] + distance) if moved else place)
    for index in range(len(moved) - 1, -1, -1):
        limit = lowest if index == len(moved) - 1 else moved[index + 1] - distance
        moved[index] = min(moved[index], limit)
    return moved
