"""The picture: the ground is drawn once, every scene is laid over it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw

from transforms.diplomacy.cells import Point
from transforms.diplomacy.chart import marks
from transforms.diplomacy.chart.ground import Ground, Place
from transforms.diplomacy.chart.scene import Scene
from transforms.diplomacy.chart.style import (
    DOT_GREY,
    HATCH_GREY,
    INK,
    KINDS,
    LEGEND_HEIGHT,
    NOBODY,
    PAPER,
    TITLE_HEIGHT,
    Flag,
)
from transforms.diplomacy.texts import CHART
from transforms.picture.pen import font

_SCALE = 2  # the ground is drawn twice as large, which smooths its lines
_TILE = 198  # pixels after which every pattern repeats
_UP, _DOWN = 11, 14  # pixels from a province's place to its unit and to its name


@dataclass(frozen=True)
class Paper:
    """The ground in its three looks, ready for any scene: in full view, partly, hidden."""

    ground: Ground
    flags: Mapping[str, Flag]
    regular: bytes
    bold: bytes
    full: Image.Image
    partly: Image.Image
    hidden: Image.Image
    palette: Image.Image

    @classmethod
    def of(cls, ground: Ground, flags: Mapping[str, Flag], regular: bytes, bold: bytes) -> "Paper":
        """Draw the ground of a map."""
        full = _labelled(_drawn(ground), ground, regular, bold)
        dots = ImageChops.multiply(full, _pattern(full.size, _dots))
        lines = ImageChops.multiply(full, _pattern(full.size, _hatching))
        looks = (full, dots, lines)
        return cls(ground, flags, regular, bold, *looks, _palette(looks, flags, bold))


def draw(paper: Paper, scene: Scene) -> Image.Image:
    """The picture of a scene with title and legend, in the colours of the paper's palette."""
    ground = paper.ground
    sheet = _map(paper, scene)
    size = (ground.width, TITLE_HEIGHT + ground.height + LEGEND_HEIGHT)
    image = Image.new("RGB", size, PAPER)
    image.paste(sheet, (0, TITLE_HEIGHT))
    pen = ImageDraw.Draw(image)
    pen.text((16, TITLE_HEIGHT / 2), scene.title, INK, font(paper.bold, 26), "lm")
    _legend(image, paper, scene, TITLE_HEIGHT + ground.height)
    return image.quantize(palette=paper.palette, dither=Image.Dither.NONE)


def png_bytes(image: Image.Image) -> bytes:
    """The picture as a PNG file without time stamp or other metadata."""
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()


# ── the ground ──────────────────────────────────────────────────────────────────────────────


def _drawn(ground: Ground) -> Image.Image:
    """Cells, borders and what the cells alone would tell wrongly."""
    image = Image.new("RGB", (ground.width * _SCALE, ground.height * _SCALE), NOBODY)
    pen = ImageDraw.Draw(image)
    kinds = {"": "", **{province: place.kind for province, place in ground.places.items()}}
    for province, cell in ground.cells:
        pen.polygon([_scaled(p) for p in cell], KINDS[kinds[province]])
    for a, b, start, end in ground.borders:
        shore = (kinds[a] == "sea") != (kinds[b] == "sea")
        width = 10 if (a, b) in ground.closed else 5 if shore else 3
        line = [_scaled(start), _scaled(end)]
        pen.line(line, INK, width)
        r = width / 2
        for x, y in line:
            pen.ellipse((x - r, y - r, x + r, y + r), INK)
    for a, b in ground.links:
        start, end = (_scaled(ground.places[province].at) for province in (a, b))
        for piece in marks.pieces(start, end, (6, 6), _SCALE):
            pen.line(piece, INK, 4)
    return image.reduce(_SCALE)


def _labelled(image: Image.Image, ground: Ground, regular: bytes, bold: bytes) -> Image.Image:
    """Names, coasts and supply centres, which everybody knows."""
    pen = ImageDraw.Draw(image)
    ring = marks.centre(None)
    for place in ground.places.values():
        x, y = _label_at(place)
        pen.text((x, y), place.abbr, INK, font(bold, 17), "mm", stroke_width=2,
                 stroke_fill=KINDS[place.kind])  # fmt: skip
        if place.centre:
            image.paste(ring, _centre_at(place, bold), ring)
        for coast, (cx, cy) in place.coasts.items():
            pen.text((cx, cy), coast.lower(), INK, font(regular, 15), "mm")
    return image


def _label_at(place: Place) -> Point:
    shift = (marks.CENTRE + 3) / 2 if place.centre else 0
    return place.at[0] + shift, place.at[1] + _DOWN


def _centre_at(place: Place, bold: bytes) -> tuple[int, int]:
    x, y = _label_at(place)
    left = x - font(bold, 17).getlength(place.abbr) / 2 - marks.CENTRE - 3
    return round(left), round(y - marks.CENTRE / 2)


def _palette(looks: Sequence[Image.Image], flags: Mapping[str, Flag], bold: bytes) -> Image.Image:
    """The colours of every picture on this ground: chosen before anything is laid on it."""
    width, height = (min(side, 600) for side in looks[0].size)
    sample = Image.new("RGB", (width * 3, height + 40 * len(flags)), PAPER)
    for i, look in enumerate(looks):
        left, top = (look.width - width) // 2, (look.height - height) // 2
        sample.paste(look.crop((left, top, left + width, top + height)), (i * width, 0))
    for i, flag in enumerate(flags.values()):
        for j, (letter, own) in enumerate((("A", False), ("F", False), ("A", True))):
            plate = marks.badge(letter, flag, own, bold)
            sample.paste(plate, (j * 70, height + i * 40), plate)
        disc = marks.centre(flag)
        sample.paste(disc, (220, height + i * 40), disc)
    return sample.quantize(255, Image.Quantize.FASTOCTREE)


Paint = Callable[[ImageDraw.ImageDraw, int], None]


def _pattern(size: tuple[int, int], paint: Paint) -> Image.Image:
    """A picture full of a pattern that repeats every _TILE pixels."""
    tile = Image.new("L", (_TILE, _TILE), 255)
    paint(ImageDraw.Draw(tile), _TILE)
    pattern = Image.new("L", size)
    for x in range(0, size[0], _TILE):
        for y in range(0, size[1], _TILE):
            pattern.paste(tile, (x, y))
    return pattern.convert("RGB")


def _hatching(pen: ImageDraw.ImageDraw, side: int) -> None:
    for x in range(-side, side, 11):
        pen.line([(x - 11, side + 11), (x + side + 11, -11)], HATCH_GREY, 2)


def _dots(pen: ImageDraw.ImageDraw, side: int) -> None:
    for row, y in enumerate(range(4, side, 9)):
        for x in range(4 + row % 2 * 9, side, 18):
            pen.ellipse((x - 1, y - 1, x + 1, y + 1), DOT_GREY)


def _scaled(point: Point) -> Point:
    return point[0] * _SCALE, point[1] * _SCALE


# ── a scene ─────────────────────────────────────────────────────────────────────────────────


def _map(paper: Paper, scene: Scene) -> Image.Image:
    ground = paper.ground
    image = paper.full.copy()
    for look, wanted in ((paper.hidden, None), (paper.partly, "partly")):
        mask = Image.new("1", image.size)
        pen = ImageDraw.Draw(mask)
        for province, cell in ground.cells:
            if province and scene.view.get(province) == wanted:
                pen.polygon(cell, 1)
        image.paste(look, (0, 0), mask)
    for province, nation in scene.centres.items():
        named = scene.reader is None
        _owned_centre(image, paper, ground.places[province], paper.flags[nation], named)
    if scene.arrows:
        _lay_arrows(image, ground, scene)
    for unit in scene.units:
        x, y = _unit_at(ground.places[unit.province], unit.coast)
        own = unit.nation == scene.reader
        plate = marks.badge(unit.unit_type, paper.flags[unit.nation], own, paper.bold)
        image.paste(plate, (round(x - plate.width / 2), round(y - plate.height / 2)), plate)
    return image


def _owned_centre(image: Image.Image, paper: Paper, place: Place, flag: Flag, named: bool) -> None:
    """The disc in the owner's colour; on the full map also its code, after the name."""
    disc = marks.centre(flag)
    image.paste(disc, _centre_at(place, paper.bold), disc)
    if not named:
        return
    x, y = _label_at(place)
    x += font(paper.bold, 17).getlength(place.abbr) / 2 + 3
    ImageDraw.Draw(image).text(
        (x, y), flag.code, INK, font(paper.regular, 13), "lm", stroke_width=2,
        stroke_fill=KINDS[place.kind],
    )  # fmt: skip


def _unit_at(place: Place, coast: str | None) -> Point:
    x, y = place.spot(coast)
    return x, y - (_UP if (x, y) == place.at else 22)


def _lay_arrows(image: Image.Image, ground: Ground, scene: Scene) -> None:
    layer = Image.new("RGBA", (image.width * _SCALE, image.height * _SCALE))
    pen = ImageDraw.Draw(layer)
    for order in scene.arrows:
        start, end = (
            _scaled(_unit_at(ground.places[province], coast))
            for province, coast in (order.start, order.end)
        )
        if order.through is not None:  # a support or convoy points at the middle of the move
            province, coast = order.through
            other = _scaled(_unit_at(ground.places[province], coast))
            end = ((end[0] + other[0]) / 2, (end[1] + other[1]) / 2)
        marks.arrow(pen, start, end, kind=order.kind, failed=order.failed, scale=_SCALE)
    layer = layer.reduce(_SCALE)
    image.paste(layer, (0, 0), layer)


# ── the legend ──────────────────────────────────────────────────────────────────────────────


def _legend(image: Image.Image, paper: Paper, scene: Scene, top: int) -> None:
    """First row: signs. Second row: the nations with their codes, as their armies are drawn."""
    pen = ImageDraw.Draw(image)
    face = font(paper.regular, 17)
    x = 16
    y = top + 28
    for sign, text in _signs(paper, scene):
        image.paste(sign, (x, y - sign.height // 2), sign if sign.mode == "RGBA" else None)
        x += sign.width + 8
        pen.text((x, y), text, INK, face, "lm")
        x += int(face.getlength(text)) + 26
    flags = list(paper.flags.values())
    step = (image.width - 32) / len(flags)
    for i, flag in enumerate(flags):
        plate = marks.badge("A", flag, False, paper.bold)
        left, y = round(16 + i * step), top + 74
        image.paste(plate, (left, y - plate.height // 2), plate)
        room = step - plate.width - 14
        size = 16
        while font(paper.regular, size).getlength(flag.name) > room and size > 9:
            size -= 1
        pen.text((left + plate.width + 6, y), flag.name, INK, font(paper.regular, size), "lm")


def _signs(paper: Paper, scene: Scene) -> list[tuple[Image.Image, str]]:
    """The signs that occur on this kind of picture, in a fixed order."""
    some = next(iter(paper.flags.values()))
    flag = paper.flags.get(scene.reader or "", some)
    signs = [
        (marks.badge("F", flag, scene.reader is not None, paper.bold), CHART["unit"]),
        (marks.centre(None), CHART["centre"]),
        (marks.centre(flag), CHART["own_centre" if scene.reader else "owned_centre"]),
    ]
    if scene.reader:
        signs.append((_swatch(_dots), CHART["partly"]))
    if len(scene.view) < len(paper.ground.places):
        signs.append((_swatch(_hatching), CHART["hidden"]))
    kinds = {(arrow.kind, arrow.failed) for arrow in scene.arrows}
    signs += [
        (marks.arrow_sign(kind, failed), CHART["failed" if failed else kind])
        for kind, failed in marks.ARROWS
        if (kind, failed) in kinds
    ]
    return signs


def _swatch(paint: Paint) -> Image.Image:
    swatch = Image.new("RGB", (44, 24), KINDS["coast"])
    swatch = ImageChops.multiply(swatch, _pattern(swatch.size, paint))
    ImageDraw.Draw(swatch).rectangle((0, 0, 43, 23), None, INK, 2)
    return swatch
