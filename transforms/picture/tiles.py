"""The pieces a map is put together from: hexes, edges, plates, each drawn once and then pasted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from PIL import Image, ImageDraw, ImageFont

from transforms.picture.pen import CORNERS, Pen, Point, fitted, on, sprite, text_width
from transforms.picture.style import Colour, MapStyle, mix
from transforms.picture.symbols import (
    BUILDINGS,
    EDGE_BUILDINGS,
    PLATES,
    TERRAINS,
    height_mark,
)

_WIDTH_OF_RADIUS = 2 * CORNERS[2][0]
SYMBOLS_FROM_PX = 14
"""Narrower hexes are plain colour: a symbol would only be noise."""
_BAND = 0.17
_WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Plate:
    """A unit's number, or a count of units, on its background; `short` when room is scarce."""

    text: str
    short: str
    shape: str
    own: bool
    colour: Colour


@dataclass
class Tiles:
    """Sprites of one hex size: `width` (even) and `pitch`, the distance of two rows, in pixels."""

    style: MapStyle
    width: int
    pitch: int
    _made: dict[tuple[object, ...], Image.Image] = field(default_factory=dict)

    @property
    def radius(self) -> float:
        """Outer radius of a hex in pixels."""
        return self.pitch / 1.5

    def hex(self, terrain: str, level: int | None, seen: bool, built: bool = False) -> Image.Image:
        """A hex: colour, grid line, terrain symbol and height mark, aside where `built` on."""
        return self._once(self._paint_hex, terrain, level, seen, built)

    def swatch(self, terrain: str, level: int | None) -> Image.Image:
        """A hex with a large terrain symbol, for the legend."""
        return self._once(self._paint_swatch, terrain, level)

    def sample(self, kind: str) -> Image.Image:
        """A piece of a line as the legend shows it."""
        return self._once(self._paint_sample, kind)

    def blank(self) -> Image.Image:
        """An empty hex with its grid line, the ground of symbols in the legend."""
        return self._once(self._paint_blank)

    def height(self, level: int) -> Image.Image:
        """An empty hex with the mark and the tone of a height level."""
        return self._once(self._paint_height, level)

    def shallows(self, mask: int) -> Image.Image:
        """The light strip on the water side of a coast."""
        return self._once(self._paint_shallows, mask)

    def line(self, mask: int, kind: str) -> Image.Image:
        """Lines centred on the edges of `mask`: kind `gf`, `coast` or `river`."""
        return self._once(self._paint_line, mask, kind)

    def border(self, mask: int, colour: Colour, own: bool) -> Image.Image:
        """A band inside the edges of `mask`, solid for the viewer's own realm, else broken."""
        return self._once(self._paint_border, mask, colour, own)

    def building(self, symbol: str, own: bool, size: float) -> Image.Image:
        """A central building, filled for the viewer's own."""
        return self._once(self._paint_building, symbol, own, size)

    def edge_building(self, symbol: str, direction: int, own: bool) -> Image.Image:
        """A building on an edge, drawn at its place in the hex."""
        return self._once(self._paint_edge_building, symbol, direction, own)

    def plate_px(self) -> int:
        """Size of the figures on a plate in pixels; 0 = no room, draw markers."""
        return 0 if self.width < 30 else min(20, max(9, round(self.width * 0.15)))

    def plate_size(self, plate: Plate) -> tuple[int, int]:
        """Width and height of a plate in pixels."""
        if not self.plate_px():
            side = max(4, round(self.width * 0.3))
            return side, side
        face = self._plate_font(plate)
        return text_width(plate.text, face) + round(face.size * 0.7), round(face.size * 1.25)

    def _plate_font(self, plate: Plate) -> ImageFont.FreeTypeFont:
        return fitted(plate.text, self.style.bold, self.plate_px(), round(self.width * 0.84))

    def plate(self, plate: Plate) -> Image.Image:
        """A plate: dark with light figures for own units, light with a dark rim for foreign."""
        key = ("plate", plate)
        if key not in self._made:
            self._made[key] = self._make_plate(plate)
        return self._made[key]

    # ── how they are drawn ──────────────────────────────────────────────────────────────────

    def _once(self, paint: Callable[..., None], *what: object) -> Image.Image:
        key = (paint.__name__, *what)
        if key not in self._made:
            margin = 2 * ceil(self.radius * 0.15)
            size = (self.width + margin, 2 * ceil(self.radius) + margin)
            scale_x = self.width / _WIDTH_OF_RADIUS
            self._made[key] = sprite(*size, scale_x, self.radius, lambda pen: paint(pen, *what))
        return self._made[key]

    def _paint_hex(
        self, pen: Pen, terrain: str, level: int | None, seen: bool, built: bool
    ) -> None:
        style, look = self.style, self.style.look(terrain, level)
        fill = style.shade(look.colour, level, seen)
        bleed = 1 + 0.9 / self.radius
        pen.polygon([(x * bleed, y * bleed) for x, y in CORNERS], fill)
        if self.width >= SYMBOLS_FROM_PX:
            self._paint_symbols(pen, look.symbol, level, fill, seen, built)
        grid = mix(fill, style.grid, 55 if self.width >= SYMBOLS_FROM_PX else 25)
        pen.polygon(CORNERS, None, grid, max(0.02, 0.8 / self.radius))

    def _paint_swatch(self, pen: Pen, terrain: str, level: int | None) -> None:
        look = self.style.look(terrain, level)
        fill = self.style.shade(look.colour, level)
        pen.polygon(CORNERS, fill, mix(fill, self.style.grid, 55), 0.05)
        ink, light = mix(fill, self.style.ink, 62), mix(fill, _WHITE, 75)
        TERRAINS[look.symbol](pen.at(0, 0, 0.55), ink, light)

    def _paint_sample(self, pen: Pen, kind: str) -> None:
        points = [(-0.86, 0.22), (-0.29, -0.22), (0.29, 0.22), (0.86, -0.22)]
        for colour, width in self._strokes(kind):
            pen.line(points, colour, max(width, 0.1))

    def _paint_blank(self, pen: Pen) -> None:
        pen.polygon(CORNERS, self.style.paper, mix(self.style.grid, _WHITE, 45), 0.05)

    def _paint_height(self, pen: Pen, level: int) -> None:
        fill = self.style.shade(self.style.land.colour, level)
        pen.polygon(CORNERS, fill, mix(fill, self.style.grid, 55), 0.05)
        height_mark(pen.at(0, 0, 0.45), level, mix(fill, self.style.ink, 62), mix(fill, _WHITE, 75))

    def _paint_symbols(
        self, pen: Pen, symbol: str, level: int | None, fill: Colour, seen: bool, built: bool
    ) -> None:
        ink = mix(fill, self.style.ink, 62 if seen else 44)
        light = mix(fill, _WHITE, 75)
        high = level is not None and level >= 2
        if TERRAINS[symbol] is TERRAINS["none"]:
            place = pen.at(-0.46, -0.2, 0.26) if built else pen.at(0, -0.26, 0.38)
            height_mark(place, level, ink, light)
            return
        if built:
            TERRAINS[symbol](pen.at(-0.46, -0.14, 0.24), ink, light)
            height_mark(pen.at(-0.3, -0.54, 0.17), level, ink, light)
            return
        TERRAINS[symbol](pen.at(0, -0.12 if high else -0.22, 0.35), ink, light)
        height_mark(pen.at(0, -0.66, 0.24), level, ink, light)

    def _paint_shallows(self, pen: Pen, mask: int) -> None:
        for edge in range(6):
            if on(mask, edge):
                pen.polygon(_band(mask, edge, 0.0, 0.16), self.style.shallows)

    def _paint_line(self, pen: Pen, mask: int, kind: str) -> None:
        for colour, width in self._strokes(kind):
            for edge in range(6):
                if on(mask, edge):
                    pen.line([CORNERS[edge], CORNERS[(edge + 1) % 6]], colour, width)

    def _strokes(self, kind: str) -> list[tuple[Colour, float]]:
        """Colour and width of the strokes of a line, the lowest first."""
        style, radius = self.style, self.radius
        if kind == "gf":
            return [(style.gf, max(0.045, 1.2 / radius))]
        if kind == "coast":
            return [(style.coast, max(0.06, 1.0 / radius))]
        return [(_WHITE, max(0.22, 3.0 / radius)), (style.river, max(0.13, 1.8 / radius))]

    def _paint_border(self, pen: Pen, mask: int, colour: Colour, own: bool) -> None:
        width = max(_BAND, 2.0 / self.radius)
        pieces = [(0.0, 1.0)] if own else [(0.0, 0.19), (0.37, 0.63), (0.81, 1.0)]
        for edge in range(6):
            if on(mask, edge):
                for first, last in pieces:
                    pen.polygon(_piece(_band(mask, edge, 0.0, width), first, last), colour)
                inner = _band(mask, edge, width * 0.86, width)
                pen.polygon(inner, mix(colour, _WHITE, 10 if own else 30))

    def _paint_building(self, pen: Pen, symbol: str, own: bool, size: float) -> None:
        style = self.style
        fill = mix(style.own, _WHITE, 8) if own else _WHITE
        BUILDINGS[symbol](pen.at(0, 0, size), _WHITE, _WHITE)
        edge = style.ink
        BUILDINGS[symbol](pen.at(0, 0, size * 0.92), fill, edge)

    def _paint_edge_building(self, pen: Pen, symbol: str, direction: int, own: bool) -> None:
        colour = self.style.own if own else self.style.ink
        EDGE_BUILDINGS[symbol](pen, direction, colour, _WHITE)

    def _make_plate(self, plate: Plate) -> Image.Image:
        width, height = self.plate_size(plate)
        fill, rim, figures = (
            (plate.colour, _WHITE, _WHITE) if plate.own else (_WHITE, plate.colour, plate.colour)
        )

        def paint(pen: Pen) -> None:
            outline = PLATES[plate.shape]
            pen.polygon(outline, fill, _WHITE, 6.4 / height)
            pen.polygon(outline, fill, rim, 2.8 / height)

        image = sprite(
            round(width * 1.3) + 4, round(height * 1.5) + 4, width / 2, height / 2, paint
        )
        if self.plate_px():
            middle = (image.width / 2, image.height / 2)
            ImageDraw.Draw(image).text(middle, plate.text, figures, self._plate_font(plate), "mm")
        return image


def _band(mask: int, edge: int, outer: float, inner: float) -> list[Point]:
    """The strip between two depths inside an edge, fitted to the neighbouring edges of `mask`.

    Where the band goes on around the corner it is mitred; where it ends it reaches the next edge,
    on whose other side the same band begins.
    """
    here, there = CORNERS[edge], CORNERS[(edge + 1) % 6]
    before, after = CORNERS[(edge - 1) % 6], CORNERS[(edge + 2) % 6]
    return [
        _inset(here, before, on(mask, edge - 1), outer),
        _inset(there, after, on(mask, edge + 1), outer),
        _inset(there, after, on(mask, edge + 1), inner),
        _inset(here, before, on(mask, edge - 1), inner),
    ]


def _inset(corner: Point, along: Point, mitred: bool, depth: float) -> Point:
    k = depth / CORNERS[2][0]
    target = (0.0, 0.0) if mitred else along
    return corner[0] + (target[0] - corner[0]) * k, corner[1] + (target[1] - corner[1]) * k


def _piece(band: list[Point], first: float, last: float) -> list[Point]:
    """The part of a band between two shares of its length."""

    def between(a: Point, b: Point, share: float) -> Point:
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    a, b, c, d = band
    return [between(a, b, first), between(a, b, last), between(d, c, last), between(d, c, first)]
