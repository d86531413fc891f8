"""A sheet to draw charts on, and what every chart needs: round ticks and German numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from PIL import Image, ImageDraw

from transforms.picture.pen import font
from transforms.picture.style import Colour, MapStyle

Point = tuple[float, float]

BLUE: Colour = (31, 92, 153)
ORANGE: Colour = (190, 92, 28)
_SCALE = 2  # drawn twice as large, then halved: smooth edges


@dataclass(frozen=True)
class Page:
    """A sheet of paper in the units of the finished picture."""

    image: Image.Image
    draw: ImageDraw.ImageDraw
    style: MapStyle

    @classmethod
    def blank(cls, width: int, height: int, style: MapStyle) -> "Page":
        """An empty sheet of `width` × `height` pixels."""
        image = Image.new("RGB", (width * _SCALE, height * _SCALE), style.paper)
        return cls(image, ImageDraw.Draw(image), style)

    def finished(self) -> Image.Image:
        """The picture in its final size."""
        return self.image.reduce(_SCALE)

    def text(
        self, x: float, y: float, words: str, colour: Colour, size: int,
        anchor: str = "lm", bold: bool = False,
    ) -> None:  # fmt: skip
        """One line of text at its anchor (Pillow's two letters)."""
        face = font(self.style.bold if bold else self.style.regular, size * _SCALE)
        self.draw.text((x * _SCALE, y * _SCALE), words, colour, face, anchor)

    def upright(self, x: float, y: float, words: str, colour: Colour, size: int) -> None:
        """Text that reads upwards from (x, y), centred on x."""
        face = font(self.style.regular, size * _SCALE)
        left, _, right, _ = (round(v) for v in face.getbbox(words, anchor="ls"))
        label = Image.new("L", (right - left + 2, size * _SCALE * 2), 0)
        ImageDraw.Draw(label).text((1 - left, size * _SCALE), words, 255, face, "lm")
        turned = label.rotate(90, expand=True)
        corner = (round(x * _SCALE - turned.width / 2), round(y * _SCALE - turned.height))
        self.image.paste(Image.new("RGB", turned.size, colour), corner, turned)

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        """A filled rectangle; nothing where it has no area."""
        corners = [round(v * _SCALE) for v in (x0, y0, x1, y1)]
        if corners[2] > corners[0] and corners[3] > corners[1]:
            self.draw.rectangle([corners[0], corners[1], corners[2] - 1, corners[3] - 1], colour)

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        self.draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill=colour)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        """A line through the points, with dots on them when it is wide."""
        pixels = [(x * _SCALE, y * _SCALE) for x, y in points]
        self.draw.line(pixels, fill=colour, width=round(width * _SCALE), joint="curve")

    def dot(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""
        x, y, radius = x * _SCALE, y * _SCALE, radius * _SCALE
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def text_width(style: MapStyle, words: str, size: int, bold: bool = False) -> float:
    """Width of a line of text in pixels of the finished picture."""
    return float(font(style.bold if bold else style.regular, size).getlength(words))


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Up to `most` + 1 round numbers between low and high."""
    if high <= low:
        return [low]
    power = 10.0 ** floor(log10((high - low) / most))
    step = next(s * power for s in (1, 2, 2.5, 5, 10) if (high - low) / (s * power) <= most)
    first, last = -floor(-low / step + 1e-9), floor(high / step + 1e-9)
    return [round(n * step, 12) for n in range(first, last + 1)]


def whole_ticks(low: int, high: int, most: int) -> list[int]:
    """Round whole numbers from `low` or below to `high` or above, about `most` of them."""
    span = max(1, high - low)
    power = 10 ** max(0, floor(log10(span / most)))
    step = next(f * power for f in (1, 2, 5, 10, 20) if span / (f * power) <= most)
    return [step * i for i in range(floor(low / step), ceil(high / step) + 1)]


def german(value: float, digits: int | None = None) -> str:
    """A number with decimal comma; as short as it is exact when `digits` is not told."""
    text = f"{value:.10g}" if digits is None else f"{value:.{digits}f}"
    return text.replace("-", "−").replace(".", ",")


def grouped(number: int) -> str:
    """A whole number in groups of three, as Germans write it."""
    return f"{number:,}".replace(",", ".")
