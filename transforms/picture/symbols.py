"""The symbols of the map: what distinguishes terrains, heights, buildings and units without colour.

Every symbol is a function that draws with a `Pen` into -1..1 around the pen's centre.
"""

from collections.abc import Callable

from transforms.picture.pen import Colour, Pen, Point

Draw = Callable[[Pen, Colour, Colour], None]

# ── terrains: (pen, ink, light) ─────────────────────────────────────────────────────────────


def _nothing(pen: Pen, ink: Colour, light: Colour) -> None:
    pass


def _unknown(pen: Pen, ink: Colour, light: Colour) -> None:
    for y in (-0.4, 0.4):
        for x in (-0.6, 0, 0.6):
            pen.line([(x - 0.14, y + 0.14), (x + 0.14, y - 0.14)], ink, 0.1)


def _wave(pen: Pen, x: float, y: float, ink: Colour) -> None:
    for i in (-1, 0, 1):
        pen.arc(x + i * 0.4, y, 0.2, 0.18, ink, 0.11, 180, 0)


def _waves(pen: Pen, ink: Colour, light: Colour) -> None:
    _wave(pen, -0.2, -0.1, ink)
    _wave(pen, 0.25, 0.42, ink)


def _deep(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y in ((0.0, -0.5), (-0.3, 0.05), (0.3, 0.05), (0.0, 0.6)):
        pen.line(
            [(x - 0.34, y), (x - 0.17, y + 0.2), (x, y), (x + 0.17, y + 0.2), (x + 0.34, y)],
            ink,
            0.11,
        )


def _lake(pen: Pen, ink: Colour, light: Colour) -> None:
    pen.ellipse(0, 0.1, 0.95, 0.55, (150, 197, 226), ink, 0.1)
    _wave(pen, 0, 0.18, ink)


def _conifer(pen: Pen, x: float, y: float, ink: Colour) -> None:
    pen.polygon([(x - 0.3, y), (x, y - 0.62), (x + 0.3, y)], ink)
    pen.polygon([(x - 0.38, y + 0.34), (x, y - 0.26), (x + 0.38, y + 0.34)], ink)
    pen.line([(x, y + 0.34), (x, y + 0.5)], ink, 0.12)


def _conifers(pen: Pen, ink: Colour, light: Colour) -> None:
    _conifer(pen, -0.5, -0.1, ink)
    _conifer(pen, 0.5, -0.1, ink)
    _conifer(pen, 0.0, 0.4, ink)


def _palms(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y, lean in ((-0.42, -0.3, 0.12), (0.42, -0.1, -0.12)):
        pen.line([(x, y), (x + lean, y + 0.95)], ink, 0.13)
        for dx, dy in ((-0.42, 0.2), (-0.36, -0.14), (0.36, -0.14), (0.42, 0.2)):
            pen.line([(x, y), (x + dx * 0.6, y + dy - 0.16), (x + dx, y + dy)], ink, 0.12)


def _tuft(pen: Pen, x: float, y: float, ink: Colour) -> None:
    for dx, dy in ((-0.22, -0.3), (0.0, -0.46), (0.22, -0.3)):
        pen.line([(x, y), (x + dx, y + dy)], ink, 0.1)


def _grass(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y in ((-0.52, 0.1), (0.52, 0.0), (0.0, 0.62)):
        _tuft(pen, x, y, ink)


def _reeds(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y in ((-0.4, 0.0), (0.42, 0.55)):
        _tuft(pen, x, y, ink)
        pen.line([(x - 0.42, y + 0.1), (x + 0.42, y + 0.1)], ink, 0.11)
    pen.line([(0.25, -0.1), (0.8, -0.1)], ink, 0.11)
    pen.line([(-0.8, 0.62), (-0.3, 0.62)], ink, 0.11)


def _dunes(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y in ((-0.6, -0.3), (0, -0.5), (0.6, -0.3), (-0.3, 0), (0.3, 0), (0, 0.5)):
        pen.disc(x, y, 0.1, ink)
    for x in (-0.58, 0.58):
        pen.arc(x, 0.6, 0.36, 0.3, ink, 0.11)


def _snow(pen: Pen, ink: Colour, light: Colour) -> None:
    for x, y, r in ((-0.42, -0.15, 0.42), (0.48, 0.3, 0.36)):
        for dx, dy in ((1.0, 0.0), (0.5, 0.87), (0.5, -0.87)):
            pen.line([(x - dx * r, y - dy * r), (x + dx * r, y + dy * r)], ink, 0.11)


def _ice(pen: Pen, ink: Colour, light: Colour) -> None:
    for points in (
        [(-0.95, 0.6), (-0.5, -0.3), (-0.1, 0.6)],
        [(-0.25, 0.6), (0.2, -0.75), (0.55, 0.6)],
        [(0.4, 0.6), (0.7, -0.05), (0.98, 0.6)],
    ):
        pen.polygon(points, light, ink, 0.1)
        pen.line([points[1], ((points[0][0] + points[2][0]) / 2, 0.6)], ink, 0.08)


def _volcano(pen: Pen, ink: Colour, light: Colour) -> None:
    pen.polygon([(-0.95, 0.75), (-0.28, -0.2), (0.28, -0.2), (0.95, 0.75)], ink)
    pen.polygon([(-0.2, -0.2), (0.2, -0.2), (0.12, 0.28), (0.0, 0.1), (-0.1, 0.42)], light)
    for dx, dy in ((-0.32, -0.72), (0.0, -0.9), (0.32, -0.72)):
        pen.line([(dx * 0.4, -0.36), (dx, dy)], ink, 0.12)


TERRAINS: dict[str, Draw] = {
    "none": _nothing,
    "unknown": _unknown,
    "waves": _waves,
    "deep": _deep,
    "lake": _lake,
    "conifers": _conifers,
    "palms": _palms,
    "grass": _grass,
    "reeds": _reeds,
    "dunes": _dunes,
    "snow": _snow,
    "ice": _ice,
    "volcano": _volcano,
}

# ── heights ─────────────────────────────────────────────────────────────────────────────────


def height_mark(pen: Pen, level: int | None, ink: Colour, light: Colour) -> None:
    """Nothing up to level 1, one hill for 2, two hills for 3, peaks from 4 on."""
    if level is None or level < 2:
        return
    if level < 4:
        for x in (0.0,) if level == 2 else (-0.42, 0.42):
            pen.arc(x, 0.3, 0.4, 0.46, ink, 0.16)
        return
    for x, top, foot in ((-0.42, -0.2, 0.44), (0.34, -0.5, 0.6)):
        pen.polygon([(x - foot, 0.4), (x, top), (x + foot, 0.4)], ink)
        pen.polygon([(x - foot * 0.38, 0.0), (x, top), (x + 0.02, 0.08)], light)


# ── buildings on a hex: (pen, fill, edge) ───────────────────────────────────────────────────


def _battlements(left: float, right: float, top: float, foot: float, teeth: int) -> list[Point]:
    """Outline of a wall with `teeth` merlons."""
    gap = (right - left) / (2 * teeth - 1)
    points: list[Point] = [(left, foot)]
    for i in range(2 * teeth - 1):
        y = top if i % 2 == 0 else top + 0.2
        points += [(left + i * gap, y), (left + (i + 1) * gap, y)]
    return [*points, (right, foot)]


def _house(pen: Pen, fill: Colour, edge: Colour) -> None:
    roof = [(-0.65, 0.7), (-0.65, -0.05), (0.0, -0.7), (0.65, -0.05), (0.65, 0.7)]
    pen.polygon(roof, fill, edge, 0.14)


def _camp(pen: Pen, fill: Colour, edge: Colour) -> None:
    pen.polygon([(-0.8, 0.7), (0.0, -0.5), (0.8, 0.7)], fill, edge, 0.14)
    pen.line([(0, -0.5), (0, -0.95)], edge, 0.12)
    pen.polygon([(-0.2, 0.7), (0.0, 0.15), (0.2, 0.7)], edge)


def _castle(pen: Pen, fill: Colour, edge: Colour) -> None:
    pen.polygon(_battlements(-0.6, 0.6, -0.75, 0.75, 3), fill, edge, 0.14)
    pen.polygon([(-0.17, 0.75), (-0.17, 0.3), (0.17, 0.3), (0.17, 0.75)], edge)


def _fortress(pen: Pen, fill: Colour, edge: Colour) -> None:
    pen.polygon(_battlements(-0.5, 0.5, -0.2, 0.75, 3), fill, edge, 0.14)
    for x in (-0.66, 0.66):
        pen.polygon(_battlements(x - 0.32, x + 0.32, -0.85, 0.75, 2), fill, edge, 0.14)
    pen.polygon([(-0.16, 0.75), (-0.16, 0.35), (0.16, 0.35), (0.16, 0.75)], edge)


def _gable(pen: Pen, x: float, half: float, top: float, fill: Colour, edge: Colour) -> None:
    eaves = top + half
    points = [(x - half, 0.75), (x - half, eaves), (x, top), (x + half, eaves), (x + half, 0.75)]
    pen.polygon(points, fill, edge, 0.13)


def _town(pen: Pen, fill: Colour, edge: Colour) -> None:
    _gable(pen, 0.0, 0.34, -0.8, fill, edge)
    _gable(pen, -0.58, 0.36, -0.2, fill, edge)
    _gable(pen, 0.58, 0.36, -0.2, fill, edge)


def _metropolis(pen: Pen, fill: Colour, edge: Colour) -> None:
    _gable(pen, -0.3, 0.24, -0.75, fill, edge)
    _gable(pen, 0.3, 0.24, -0.75, fill, edge)
    pen.polygon(_battlements(-0.95, 0.95, 0.05, 0.8, 5), fill, edge, 0.13)
    pen.polygon([(-0.16, 0.8), (-0.16, 0.45), (0.16, 0.45), (0.16, 0.8)], edge)
    for x in (-0.3, 0.3):
        pen.line([(x, -0.75), (x, -0.98)], edge, 0.1)


def _temple(pen: Pen, fill: Colour, edge: Colour) -> None:
    pen.polygon([(-0.9, -0.2), (0.0, -0.8), (0.9, -0.2)], fill, edge, 0.13)
    pen.polygon([(-0.9, 0.8), (-0.9, 0.6), (0.9, 0.6), (0.9, 0.8)], fill, edge, 0.13)
    for x in (-0.6, 0.0, 0.6):
        pen.line([(x, -0.15), (x, 0.6)], edge, 0.2)


BUILDINGS: dict[str, Draw] = {
    "house": _house,
    "camp": _camp,
    "castle": _castle,
    "town": _town,
    "fortress": _fortress,
    "metropolis": _metropolis,
    "temple": _temple,
}

# ── buildings on an edge: (pen, direction, colour, light); the pen is that of the hex ────────

EdgeDraw = Callable[[Pen, int, Colour, Colour], None]


def _bar(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    pen.line([p(0.72, -0.26), p(0.72, 0.26)], light, 0.2)
    pen.line([p(0.72, -0.26), p(0.72, 0.26)], colour, 0.12)


def _wall(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    pen.line([p(0.76, -0.36), p(0.76, 0.36)], light, 0.2)
    pen.line([p(0.76, -0.38), p(0.76, 0.38)], colour, 0.11)
    for v in (-0.36, -0.12, 0.12, 0.36):
        pen.line([p(0.76, v), p(0.65, v)], colour, 0.1)


def _road(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    pen.line([p(-0.05, 0), p(0.87, 0)], light, 0.19)
    for v in (-0.055, 0.055):
        pen.line([p(-0.05, v), p(0.87, v)], colour, 0.045)


def _canal(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    pen.line([p(0, 0), p(0.87, 0)], colour, 0.2)
    pen.line([p(-0.03, 0), p(0.87, 0)], (140, 195, 235), 0.1)


def _bridge(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    deck = [p(0.68, -0.11), p(1.05, -0.11), p(1.05, 0.11), p(0.68, 0.11)]
    pen.polygon(deck, light)
    for side in (-1, 1):
        rail = [p(0.62, side * 0.2), p(0.7, side * 0.12), p(1.03, side * 0.12)]
        pen.line([*rail, p(1.11, side * 0.2)], colour, 0.07)


def _quay(pen: Pen, direction: int, colour: Colour, light: Colour) -> None:
    p = pen.turned(direction)
    pen.line([p(0.76, -0.34), p(0.76, 0.34)], colour, 0.1)
    for v in (-0.24, 0.0, 0.24):
        pen.line([p(0.76, v), p(0.96, v)], colour, 0.1)


EDGE_BUILDINGS: dict[str, EdgeDraw] = {
    "bar": _bar,
    "wall": _wall,
    "road": _road,
    "canal": _canal,
    "bridge": _bridge,
    "quay": _quay,
}

THROUGH = frozenset({"road", "canal"})
"""They lead from the middle of a hex across its edge to the middle of the next."""

# ── plates: the outline that carries a unit's number, in units of its half width and half height ──

PLATES: dict[str, list[Point]] = {
    "block": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "round": [
        *((-1, -0.45), (-0.8, -1), (0.8, -1), (1, -0.45)),
        *((1, 0.45), (0.8, 1), (-0.8, 1), (-1, 0.45)),
    ],
    "hull": [(-1.12, -1), (1.12, -1), (0.72, 1), (-0.72, 1)],
    "wing": [(-1.2, 0), (-0.85, -1), (0.85, -1), (1.2, 0), (0.85, 1), (-0.85, 1)],
    "tip": [(-1, -0.6), (0, -1.35), (1, -0.6), (1, 1), (-1, 1)],
}
