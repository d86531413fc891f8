"""The map itself: layer over layer, pasted together from prepared pieces."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import sqrt
from typing import Any

import polars as pl
from PIL import Image

from transforms.atlas import MapView
from transforms.catalogue import PICTURE
from transforms.hexgrid import STEPS
from transforms.picture.layout import Frame, frame_of, nearest_to_middle
from transforms.picture.legend import compose
from transforms.picture.pen import fitted, font, text_sprite
from transforms.picture.plates import arrange
from transforms.picture.style import MapStyle, mix
from transforms.picture.symbols import THROUGH
from transforms.picture.tiles import Plate, Tiles
from transforms.rules import Rules

_ALL_KF_FROM_PX, _SOME_KF_FROM_PX = 40, 26
_SOME_KF = frozenset({1, 4, 23, 26, 30, 44, 48})

Row = dict[str, Any]


def draw_map(view: MapView, rules: Rules, *, style: MapStyle, title: str, date: str) -> Image.Image:
    """The map of a realm with title and legend (source 1, 8); hexes not in `view` stay blank.

    `title` names the game, `date` the game's date. The size of a hex follows from the extent of
    the map: large for 50 hexes, at 5,000 still with its GF and some KF numbers.
    """
    frame = frame_of(view.fields)
    tiles = Tiles(style, frame.hex_width, frame.pitch)
    kinds = {n: (s, f) for n, s, f in rules.unit_types.select("name", "ship", "flyer").iter_rows()}
    sheet = Sheet(Image.new("RGB", frame.size, style.paper), frame, tiles, view, kinds)
    sheet.draw_hexes()
    sheet.draw_edges()
    sheet.draw_edge_buildings()
    sheet.draw_gf_numbers()
    sheet.draw_kf_numbers()
    sheet.draw_buildings()
    sheet.draw_units()
    sheet.draw_realm_codes()
    subtitle = PICTURE["subtitle"].format(title=title, turn=view.turn_number, date=date)
    return compose(sheet.image, view, rules, style=style, frame=frame, subtitle=subtitle)


def png_bytes(image: Image.Image) -> bytes:
    """The picture as a PNG file without time stamp or other metadata."""
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


@dataclass(frozen=True)
class Sheet:
    """The paper a map is pasted together on, and what is to be shown on it."""

    image: Image.Image
    frame: Frame
    tiles: Tiles
    view: MapView
    kinds: Mapping[str, tuple[bool, bool]]
    """Unit type → (ship, flyer)."""

    def draw_hexes(self) -> None:
        """Terrain and height of every known hex."""
        built = self._built()
        for row in self._fields():
            piece = self.tiles.hex(
                row["terrain"], row["level"], row["seen"], row["hex_id"] in built
            )
            self._put(piece, row["x"], row["y"])

    def draw_edges(self) -> None:
        """Shallows, Großfeld lines, realm borders, coasts and rivers, one layer after the other."""
        tiles, fields = self.tiles, self._fields()
        for row in fields:
            if row["coasts"] and row["level"] == 0:
                self._put(tiles.shallows(row["coasts"]), row["x"], row["y"])
        for row in fields:
            if row["gf_edges"]:
                self._put(tiles.line(row["gf_edges"], "gf"), row["x"], row["y"])
        for row in fields:
            if row["borders"]:
                own = row["owner_id"] == self.view.realm_id
                colour = tiles.style.realm(row["owner_id"], own)
                self._put(tiles.border(row["borders"], colour, own), row["x"], row["y"])
        for column, kind in (("coasts", "coast"), ("rivers", "river")):
            for row in fields:
                if row[column]:
                    self._put(tiles.line(row[column], kind), row["x"], row["y"])

    def draw_edge_buildings(self) -> None:
        """Walls, roads, bridges and canals, in their hex; some lead on to the next, if known."""
        fields = self.view.fields.select("hex_id", "q", "r").iter_rows()
        axial = {hex_id: (q, r) for hex_id, q, r in fields}
        known = set(axial.values())
        for row in self.view.buildings.filter(pl.col("direction").is_not_null()).to_dicts():
            symbol = self.tiles.style.building_symbol(row["building_type"], central=False)
            (q, r), direction = axial[row["hex_id"]], row["direction"]
            piece = self.tiles.edge_building(symbol, direction, row["own"])
            self._put(piece, *self.frame.at(q, r))
            dq, dr = STEPS[direction]
            beyond = (q + dq, r + dr)
            if symbol in THROUGH and beyond in known:
                piece = self.tiles.edge_building(symbol, (direction + 3) % 6, row["own"])
                self._put(piece, *self.frame.at(*beyond))

    def draw_gf_numbers(self) -> None:
        """The number of every Großfeld, pale, on a hex in the middle of what is known of it."""
        style, width = self.tiles.style, self.frame.hex_width
        for row in self._labels().iter_rows(named=True):
            share = min(1.3, max(0.42, sqrt(row["count"]) * 0.19)) if row["inside"] else 0.42
            size = min(84, max(10, round(width * share)))
            room = width * (2 if row["inside"] else 0.8)
            face = fitted(str(row["gf"]), style.bold, size, round(room))
            piece = text_sprite(str(row["gf"]), face, style.ink, style.halo, opacity_pct=48)
            self._put(piece, *self.frame.at(row["q"], row["r"]))

    def draw_kf_numbers(self) -> None:
        """The number of every Kleinfeld at its foot; only some of them on small hexes."""
        style, width = self.tiles.style, self.frame.hex_width
        if width < _SOME_KF_FROM_PX:
            return
        face = font(style.regular, max(9, round(width * 0.155)))
        ink = mix(style.ink, style.paper, 18)
        pieces = {kf: text_sprite(str(kf), face, ink) for kf in range(1, 49)}
        drop = round(self.tiles.radius * 0.66)
        for row in self._fields():
            if width >= _ALL_KF_FROM_PX or row["kf"] in _SOME_KF:
                self._put(pieces[row["kf"]], row["x"], row["y"] + drop)

    def draw_buildings(self) -> None:
        """Central buildings, to the right of the terrain symbol; two or more share the room."""
        on_hex: dict[int, list[Row]] = defaultdict(list)
        for row in self._placed(self.view.buildings):
            if row["direction"] is None:
                on_hex[row["hex_id"]].append(row)
        width, radius = self.frame.hex_width, self.tiles.radius
        for rows in on_hex.values():
            size = 0.36 if len(rows) == 1 else 0.24
            for i, row in enumerate(rows[:3]):
                symbol = self.tiles.style.building_symbol(row["building_type"], central=True)
                piece = self.tiles.building(symbol, row["own"], size)
                shift = (i - (min(3, len(rows)) - 1) / 2) * 0.27
                self._put(piece, row["x"] + (0.13 + shift) * width, row["y"] - radius * 0.38)

    def draw_units(self) -> None:
        """The plates of the units, below the building if there is one."""
        own: dict[int, list[Plate]] = defaultdict(list)
        foreign: dict[int, list[Plate]] = defaultdict(list)
        for row in self.view.units.iter_rows(named=True):
            (own if row["own"] else foreign)[row["hex_id"]].append(self._plate(row))
        built, places = self._built(), self._places()
        radius, width = self.tiles.radius, self.frame.hex_width
        for hex_id in sorted({*own, *foreign}):
            height = radius * (0.72 if hex_id in built else 1.2)
            room = (round(width * 0.94), round(height))
            x, y = places[hex_id]
            top = y + radius * 0.56 - room[1]
            for plate, dx, dy in arrange(own[hex_id], foreign[hex_id], self.tiles.plate_size, room):
                self._put(self.tiles.plate(plate), x + dx, top + dy)

    def draw_realm_codes(self) -> None:
        """The code of a realm once in every Großfeld it owns something of, on a free hex if any."""
        style, width = self.tiles.style, self.frame.hex_width
        keys = ("owner_id", "owner_code", "gf")
        owned = self.view.fields.filter(pl.col("owner_code").is_not_null())
        free = owned.join(self.view.units, on="hex_id", how="anti").join(
            self._labels(), on="hex_id", how="anti"
        )
        full = owned.join(free, on=keys, how="anti")
        for frame, share, drop in ((free, 0.3, 0.16), (full, 0.2, -0.66)):
            for row in nearest_to_middle(frame, *keys).iter_rows(named=True):
                x, y = self.frame.at(row["q"], row["r"])
                colour = style.realm(row["owner_id"], row["owner_id"] == self.view.realm_id)
                size = max(9, round(width * share))
                face = fitted(row["owner_code"], style.bold, size, max(24, round(width * 0.9)))
                piece = text_sprite(row["owner_code"], face, colour, style.halo)
                self._put(piece, x, y + self.tiles.radius * drop)

    # ── helpers ─────────────────────────────────────────────────────────────────────────────

    def _labels(self) -> pl.DataFrame:
        """Where the numbers of the Großfelder go; where possible their large figures hide nothing.

        That is: on a hex without units and buildings, `inside` known hexes, so that no figure
        lies on one that must stay blank.
        """
        fields = self.view.fields
        known = set(fields.select("q", "r").iter_rows())
        inside = [
            all((q + dq, r + dr) in known for dq, dr in STEPS)
            for q, r in fields.select("q", "r").iter_rows()
        ]
        taken = pl.concat([self.view.units["hex_id"], self.view.buildings["hex_id"]]).unique()
        ranked = fields.with_columns(
            inside=pl.Series(inside, dtype=pl.Boolean),
            free=~pl.col("hex_id").is_in(taken.to_list()),
        ).with_columns(rank=pl.col("inside").cast(pl.Int8) * 2 + pl.col("free").cast(pl.Int8))
        best = ranked.filter(pl.col("rank") == pl.col("rank").max().over("gf"))
        sizes = fields.group_by("gf").agg(count=pl.len())
        return (
            nearest_to_middle(best, "gf")
            .join(sizes, on="gf")
            .join(ranked.select("hex_id", "inside"), on="hex_id")
            .sort("gf")
        )

    def _put(self, piece: Image.Image, x: float, y: float) -> None:
        """Paste a piece with its centre at a pixel."""
        corner = (round(x) - piece.width // 2, round(y) - piece.height // 2)
        self.image.paste(piece, corner, piece)

    def _fields(self) -> list[Row]:
        return self._placed(self.view.fields)

    def _places(self) -> dict[int, tuple[int, int]]:
        columns = self.view.fields.select("hex_id", "q", "r").iter_rows()
        return {hex_id: self.frame.at(q, r) for hex_id, q, r in columns}

    def _placed(self, frame: pl.DataFrame) -> list[Row]:
        """The rows of a table with the pixel `x`, `y` of their hex."""
        places = self._places()
        rows = frame.to_dicts()
        for row in rows:
            row["x"], row["y"] = places[row["hex_id"]]
        return rows

    def _built(self) -> set[int]:
        central = self.view.buildings.filter(pl.col("direction").is_null())
        return set(central["hex_id"])

    def _plate(self, row: Row) -> Plate:
        style = self.tiles.style
        code, number, own = row["code"] or "?", str(row["number"]), row["own"]
        shape = style.plate(row["unit_type"], *self.kinds.get(row["unit_type"], (False, False)))
        text, short = (number, number) if own else (f"{code} {number}", code)
        return Plate(text, short, shape, own, style.realm(row["owner_id"], own))
