"""Where everything is on the paper: cells, borders and places of a map, in pixels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from transforms.diplomacy.cells import Partition, Point, partition

NOBODY = "-"  # ground of no province, in the table of shapes
_SHRINK = 0.72  # a degree of longitude is that much shorter in the middle of Europe


@dataclass(frozen=True)
class Place:
    """What is drawn of a province besides its ground."""

    abbr: str
    kind: str
    centre: bool
    at: Point
    coasts: Mapping[str, Point]

    def spot(self, coast: str | None) -> Point:
        """Where a unit stands, on a coast of its own or in the middle."""
        return self.coasts.get(coast, self.at) if coast else self.at


@dataclass(frozen=True)
class Ground:
    """A map ready to be drawn; x to the right and y downwards, in pixels.

    `closed`: provinces whose cells touch though no border joins them. `links`: provinces that
    have a border but whose cells do not touch. The standard map has neither.
    """

    width: int
    height: int
    places: Mapping[str, Place]
    cells: tuple[tuple[str, tuple[Point, ...]], ...]
    borders: tuple[tuple[str, str, Point, Point], ...]
    closed: frozenset[tuple[str, str]]
    links: tuple[tuple[str, str], ...]


def make_ground(
    provinces: pl.DataFrame,
    borders: pl.DataFrame,
    shapes: pl.DataFrame | None,
    *,
    width: int,
) -> Ground:
    """Cut the map `width` pixels wide; without `shapes` every province is one cell."""
    spots = _degrees(provinces) if shapes is None else shapes
    rows = list(spots.iter_rows(named=True))
    cut = partition(_seeds(rows, whole=shapes is None))
    left, bottom, right, top = cut.frame
    scale = width / (right - left)

    def pixel(point: Point) -> Point:
        return (point[0] - left) * scale, (top - point[1]) * scale

    main = {r["province"]: pixel((r["x"], r["y"])) for r in rows if r["part"] == 0}
    coasts: dict[str, dict[str, Point]] = {}
    for row in rows:
        if row["coast"]:
            coasts.setdefault(row["province"], {})[row["coast"]] = pixel((row["x"], row["y"]))
    places = {
        r["province"]: Place(
            abbr=r["abbr"],
            kind=r["kind"],
            centre=r["centre"],
            at=main[r["province"]],
            coasts=coasts.get(r["province"], {}),
        )
        for r in provinces.iter_rows(named=True)
    }
    closed, links = _exceptions(cut, borders)
    return Ground(
        width=width,
        height=round((top - bottom) * scale),
        places=places,
        cells=tuple((province, tuple(map(pixel, cell))) for province, cell in cut.polygons),
        borders=tuple(
            (b.province_a, b.province_b, pixel(b.start), pixel(b.end)) for b in cut.borders
        ),
        closed=closed,
        links=links,
    )


def _seeds(rows: Sequence[Mapping[str, Any]], *, whole: bool) -> list[tuple[str, Point]]:
    """The spots that ground belongs to; without shapes the places of the names are all there is."""
    return [
        ("" if row["province"] == NOBODY else row["province"], (row["x"], row["y"]))
        for row in rows
        if whole or row["province"] == NOBODY or (row["part"] > 0 and not row["coast"])
    ]


def _degrees(provinces: pl.DataFrame) -> pl.DataFrame:
    return provinces.select(
        "province",
        part=pl.lit(0),
        coast=pl.lit(None, pl.String),
        x=pl.col("lon") * _SHRINK,
        y=pl.col("lat"),
    )


def _exceptions(
    cut: Partition, borders: pl.DataFrame
) -> tuple[frozenset[tuple[str, str]], tuple[tuple[str, str], ...]]:
    """Where the picture alone would say something else than the table of borders."""
    pairs = borders.select("province_a", "province_b").unique().iter_rows()
    joined = {(a, b) for a, b in pairs if a < b}
    touching = set(cut.touching())
    return frozenset(touching - joined), tuple(sorted(joined - touching))
