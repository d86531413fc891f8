"""Drawing small pictures in unit coordinates: 1 is the outer radius of a hex, y points south.

A `Pen` draws four times as large as wanted; `sprite` scales down, which smooths every edge.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Point = tuple[float, float]

OVERSAMPLING = 4
CORNERS: tuple[Point, ...] = tuple(
    (cos((60 * k - 150) * pi / 180), sin((60 * k - 150) * pi / 180)) for k in range(6)
)
"""Corners of a pointy-top hex; the edge in direction d runs from corner d to corner d + 1."""


def on(mask: int, direction: int) -> bool:
    """Is the edge in `direction` (taken modulo 6) in the set `mask`?"""
    return bool(mask >> direction % 6 & 1)


@dataclass(frozen=True)
class Pen:
    """Draws around a centre; `scale_x` and `scale_y` are pixels per unit."""

    draw: ImageDraw.ImageDraw
    x: float
    y: float
    scale_x: float
    scale_y: float

    def at(self, dx: float, dy: float, size: float) -> "Pen":
        """A pen around another point whose unit is `size` of this one's."""
        x, y = self._pixel((dx, dy))
        return Pen(self.draw, x, y, self.scale_x * size, self.scale_y * size)

    def turned(self, direction: int) -> Callable[[float, float], Point]:
        """Coordinates for what was designed for the edge in the east, turned to `direction`."""
        a = (direction - 2) * pi / 3
        return lambda u, v: (u * cos(a) - v * sin(a), u * sin(a) + v * cos(a))

    def polygon(
        self, points: Iterable[Point], fill: Colour | None, edge: Colour | None = None,
        width: float = 0.1,
    ) -> None:  # fmt: skip
        """A filled area, with an outline when `edge` is given."""
        pixels = [self._pixel(p) for p in points]
        if fill is not None:
            self.draw.polygon(pixels, fill=fill)
        if edge is not None:
            self._stroke([*pixels, pixels[0]], edge, width)

    def line(self, points: Iterable[Point], fill: Colour, width: float = 0.1) -> None:
        """A line with round ends and joints."""
        self._stroke([self._pixel(p) for p in points], fill, width)

    def disc(
        self, x: float, y: float, radius: float, fill: Colour, edge: Colour | None = None,
        width: float = 0.1,
    ) -> None:  # fmt: skip
        """A filled circle, with an outline when `edge` is given."""
        self.ellipse(x, y, radius, radius, fill, edge, width)

    def ellipse(
        self, x: float, y: float, a: float, b: float, fill: Colour, edge: Colour | None = None,
        width: float = 0.1,
    ) -> None:  # fmt: skip
        """A filled ellipse, with an outline when `edge` is given."""
        cx, cy = self._pixel((x, y))
        half_x, half_y = a * self.scale_x, b * self.scale_y
        box = (cx - half_x, cy - half_y, cx + half_x, cy + half_y)
        self.draw.ellipse(box, fill, edge, self._width(width) if edge is not None else 0)

    def arc(
        self, x: float, y: float, a: float, b: float, fill: Colour, width: float = 0.1,
        first: float = 180, last: float = 360,
    ) -> None:  # fmt: skip
        """A part of an ellipse, in degrees clockwise from the east; the upper half by default."""
        steps = 16
        angles = [(first + (last - first) * i / steps) * pi / 180 for i in range(steps + 1)]
        self.line([(x + a * cos(t), y + b * sin(t)) for t in angles], fill, width)

    def _pixel(self, point: Point) -> Point:
        return self.x + point[0] * self.scale_x, self.y + point[1] * self.scale_y

    def _width(self, width: float) -> int:
        return max(1, round(width * self.scale_y))

    def _stroke(self, pixels: list[Point], fill: Colour, width: float) -> None:
        pixel_width = self._width(width)
        self.draw.line(pixels, fill, pixel_width, joint="curve")
        r = pixel_width / 2
        for x, y in pixels:
            self.draw.ellipse((x - r, y - r, x + r, y + r), fill)


def sprite(
    width: int, height: int, scale_x: float, scale_y: float, paint: Callable[[Pen], None]
) -> Image.Image:
    """A small RGBA picture of `width` × `height` pixels that `paint` draws around its centre."""
    k = OVERSAMPLING
    image = Image.new("RGBA", (width * k, height * k))
    paint(Pen(ImageDraw.Draw(image), width * k / 2, height * k / 2, scale_x * k, scale_y * k))
    return image.reduce(k)


@lru_cache(maxsize=256)
def font(data: bytes, size: int) -> ImageFont.FreeTypeFont:
    """A TrueType font in `size` pixels, laid out the same way on every machine."""
    return ImageFont.truetype(BytesIO(data), size, layout_engine=ImageFont.Layout.BASIC)


def text_width(text: str, face: ImageFont.FreeTypeFont) -> int:
    """Width of a line of text in pixels."""
    return int(face.getlength(text)) + 1


def fitted(text: str, data: bytes, size: int, room: int) -> ImageFont.FreeTypeFont:
    """A font of at most `size` pixels in which the text fits into `room`, but never below 8."""
    needed = max(1, text_width(text, font(data, size)))
    return font(data, min(size, max(8, size * room // needed)))


def text_sprite(
    text: str,
    face: ImageFont.FreeTypeFont,
    fill: Colour,
    halo: Colour | None = None,
    opacity_pct: int = 100,
) -> Image.Image:
    """A line of text as a small RGBA picture, on a halo that keeps it readable."""
    stroke = max(1, round(face.size / 9)) if halo is not None else 0
    width, height = text_width(text, face) + 2 * stroke + 2, int(face.size * 1.3) + 2 * stroke
    image = Image.new("RGBA", (width, height), (*(halo or fill), 0))
    ImageDraw.Draw(image).text(
        (width / 2, height / 2), text, fill, face, "mm", stroke_width=stroke, stroke_fill=halo
    )
    if opacity_pct < 100:
        image.putalpha(image.getchannel("A").point(lambda a: a * opacity_pct // 100))
    return image
