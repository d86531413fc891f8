"""Title, legend, north arrow and scale around a map."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl
from PIL import Image, ImageDraw

from transforms.atlas import MapView
from transforms.catalogue import PICTURE
from transforms.picture.layout import Frame
from transforms.picture.pen import Pen, font, sprite, text_width
from transforms.picture.style import MapStyle
from transforms.picture.tiles import Plate, Tiles
from transforms.rules import Rules


@dataclass(frozen=True)
class Entry:
    """One line of the legend; without a piece it is a heading."""

    text: str
    piece: Image.Image | None = None


def compose(
    picture: Image.Image, view: MapView, rules: Rules, *, style: MapStyle, frame: Frame,
    subtitle: str,
) -> Image.Image:  # fmt: skip
    """The map with its title above it and its legend on the right, in as many columns as needed."""
    scale = frame.scale
    margin = round(24 * scale)
    head = round(104 * scale)
    titles = [
        (_name(view), font(style.bold, round(40 * scale)), style.ink),
        (subtitle, font(style.regular, round(21 * scale)), style.muted),
    ]
    face, bold = font(style.regular, round(18 * scale)), font(style.bold, round(19 * scale))
    height = max(picture.height, round(640 * scale))
    entries = list(_entries(view, rules, style, scale))
    icon = max([e.piece.width for e in entries if e.piece is not None], default=0) + margin // 3
    room = height - round(110 * scale)
    line = int(min(37 * scale, max(31 * scale, room / len(entries))))
    columns = _columns(entries, room // line)
    widths = [
        max(text_width(e.text, bold if e.piece is None else face) for e in column) + icon + margin
        for column in columns
    ]
    map_width = max(picture.width, *(text_width(text, used) for text, used, _ in titles))
    size = (margin * 2 + map_width + sum(widths), head + height + margin)
    page = Image.new("RGB", size, style.paper)
    draw = ImageDraw.Draw(page)
    draw.text((margin, round(26 * scale)), titles[0][0], style.ink, titles[0][1])
    draw.text((margin, round(74 * scale)), titles[1][0], style.muted, titles[1][1])
    page.paste(picture, (margin + (map_width - picture.width) // 2, head))
    x = margin * 2 + map_width
    for column, width in zip(columns, widths, strict=True):
        y = head + line // 2
        for entry in column:
            if entry.piece is None:
                draw.text((x, y), entry.text, style.ink, bold, "lm")
            else:
                corner = (
                    x + (icon - margin // 3 - entry.piece.width) // 2,
                    y - entry.piece.height // 2,
                )
                page.paste(entry.piece, corner, entry.piece)
                draw.text((x + icon, y), entry.text, style.ink, face, "lm")
            y += line
        x += width
    _scale_bar(page, style, frame, (margin * 2 + map_width, head + height - line))
    return page


def _name(view: MapView) -> str:
    name = view.name or PICTURE["nameless"].format(realm=view.realm_id)
    return f"{name} ({view.code})" if view.code else name


def _columns(entries: list[Entry], rows: int) -> list[list[Entry]]:
    """Entries cut into columns of at most `rows`; a heading never stands last in a column."""
    columns: list[list[Entry]] = [[]]
    for i, entry in enumerate(entries):
        lonely = entry.piece is None and len(columns[-1]) + min(3, len(entries) - i) > rows
        if columns[-1] and (len(columns[-1]) >= rows or lonely):
            columns.append([])
        columns[-1].append(entry)
    return columns


def _entries(view: MapView, rules: Rules, style: MapStyle, scale: float) -> Iterator[Entry]:
    """Only what can be found on this map."""
    tiles = Tiles(style, round(34 * scale) // 2 * 2, round(29.5 * scale))
    fields = view.fields
    if fields.is_empty():
        yield Entry(PICTURE["empty"])
        return
    yield Entry(PICTURE["terrains"])
    lowest = dict(fields.group_by("terrain").agg(pl.col("level").min()).iter_rows())
    for terrain in [t for t in style.terrains if t in lowest] + sorted(
        {*lowest} - {*style.terrains}
    ):
        level = lowest[terrain]
        yield Entry(terrain, tiles.swatch(terrain, None if level is None else min(level, 1)))
    yield Entry(PICTURE["heights"])
    heights = fields.select("height", "level").unique().drop_nulls().sort("level", "height")
    for height, level in heights.iter_rows():
        if level > 0:
            yield Entry(height, tiles.height(level))
    if not fields["seen"].all():
        sample = fields.sort("hex_id").row(0, named=True)
        yield Entry(PICTURE["faded"], tiles.hex(sample["terrain"], sample["level"], False))
    yield from _line_entries(view, style, tiles)
    yield from _building_entries(view, rules, style, tiles)
    yield from _unit_entries(view, rules, style, scale)


def _line_entries(view: MapView, style: MapStyle, tiles: Tiles) -> Iterator[Entry]:
    fields = view.fields
    yield Entry(PICTURE["lines"])
    if (fields["coasts"] > 0).any():
        yield Entry(PICTURE["coast"], tiles.sample("coast"))
    if (fields["rivers"] > 0).any():
        yield Entry(PICTURE["river"], tiles.sample("river"))
    yield Entry(PICTURE["gf"], tiles.sample("gf"))
    borders = fields.filter(pl.col("borders") > 0).select("owner_id").unique().sort("owner_id")
    for own, key in ((True, "own_border"), (False, "foreign_border")):
        owners = borders.filter((pl.col("owner_id") == view.realm_id) == own)
        if len(owners):
            colour = style.realm(owners["owner_id"][0], own)
            band = tiles.border(0b111111, colour, own)
            yield Entry(PICTURE[key], Image.alpha_composite(tiles.blank(), band))


def _building_entries(
    view: MapView, rules: Rules, style: MapStyle, tiles: Tiles
) -> Iterator[Entry]:
    """One line per type; its symbol as the realm's own if it has one of them in sight."""
    present = view.buildings.group_by("building_type").agg(
        pl.col("own").any(), central=pl.col("direction").is_null().any()
    )
    if present.is_empty():
        return
    yield Entry(PICTURE["buildings"])
    types = rules.building_types.select("code", "name")
    rows = types.join(present, left_on="code", right_on="building_type", maintain_order="left")
    for code, name, own, central in rows.iter_rows():
        symbol = style.building_symbol(code, central)
        piece = (
            tiles.building(symbol, own, 0.75) if central else tiles.edge_building(symbol, 2, own)
        )
        yield Entry(name, Image.alpha_composite(tiles.blank(), piece))


def _unit_entries(view: MapView, rules: Rules, style: MapStyle, scale: float) -> Iterator[Entry]:
    """One line per type of the realm's own units, then what foreign plates and counts mean."""
    if view.units.is_empty():
        return
    tiles = Tiles(style, round(80 * scale) // 2 * 2, round(69 * scale))
    yield Entry(PICTURE["units"])
    mine = view.units.group_by("unit_type").agg(pl.col("number").min(), pl.col("own").any())
    types = rules.unit_types.select("name", "ship", "flyer")
    rows = types.join(mine, left_on="name", right_on="unit_type", maintain_order="left")
    for name, ship, flyer, number, own in rows.iter_rows():
        colour = style.own if own else style.ink
        plate = Plate(str(number), "", style.plate(name, ship, flyer), own, colour)
        yield Entry(name, tiles.plate(plate))
    if not view.units["own"].all():
        plate = Plate(PICTURE["foreign_plate"], "", style.unit, False, style.foreign[0])
        yield Entry(PICTURE["foreign_unit"], tiles.plate(plate))


def _scale_bar(page: Image.Image, style: MapStyle, frame: Frame, foot: tuple[int, int]) -> None:
    """North arrow and a bar of a few hexes, drawn upwards from `foot`."""
    scale, (x, y) = frame.scale, foot
    count = next((n for n in (1, 2, 5, 10, 20, 50) if n * frame.hex_width >= 90 * scale), 100)
    length, tick = count * frame.hex_width, round(6 * scale)
    draw = ImageDraw.Draw(page)
    face = font(style.regular, round(18 * scale))
    width = max(2, round(2.5 * scale))
    arrow = sprite(round(34 * scale), round(60 * scale), 17 * scale, 17 * scale, _north(style))
    page.paste(arrow, (x, y - arrow.height // 2 - tick), arrow)
    draw.text((x + arrow.width // 2, y - arrow.height // 2 - tick), PICTURE["north"], style.ink,
              font(style.bold, round(17 * scale)), "mb")  # fmt: skip
    left = x + arrow.width + round(20 * scale)
    draw.line([(left, y), (left + length, y)], style.ink, width)
    for i in range(count + 1):
        at = left + i * frame.hex_width
        reach = tick if i in (0, count) else tick // 2
        draw.line([(at, y - reach), (at, y + (reach if i in (0, count) else 0))], style.ink, width)
    text = PICTURE["scale_one" if count == 1 else "scale"].format(count=count)
    draw.text((left, y - tick - 4), text, style.ink, face, "lb")


def _north(style: MapStyle) -> Callable[[Pen], None]:
    def paint(pen: Pen) -> None:
        pen.polygon([(0, -1.6), (0.62, 1.4), (0, 0.85)], style.ink)
        pen.polygon([(0, -1.6), (-0.62, 1.4), (0, 0.85)], None, style.ink, 0.12)

    return paint
