"""A plane cut into cells: every spot belongs to the nearest seed (Voronoi), by clipping polygons.

Provinces are drawn as the union of the cells of their seeds; a seed of province "" is ground
that nobody can enter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Frame = tuple[float, float, float, float]  # left, bottom, right, top

OUTSIDE = -1  # on the other side of an edge: the frame
_Edge = tuple[Point, int]  # where it starts, which seed lies on its other side


@dataclass(frozen=True)
class Border:
    """One straight piece of a border between two provinces, `""` for ground without one."""

    province_a: str
    province_b: str
    start: Point
    end: Point

    @property
    def length(self) -> float:
        """Length in drawing units."""
        (ax, ay), (bx, by) = self.start, self.end
        return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)


@dataclass(frozen=True)
class Partition:
    """The frame cut up: per province the polygons of its cells, and every piece of border."""

    frame: Frame
    polygons: tuple[tuple[str, tuple[Point, ...]], ...]
    borders: tuple[Border, ...]

    def touching(self) -> dict[tuple[str, str], float]:
        """Length of the common border of every two provinces that have one, names in order."""
        lengths: dict[tuple[str, str], float] = {}
        for border in self.borders:
            if border.province_a and border.province_b:
                pair = (border.province_a, border.province_b)
                lengths[pair] = lengths.get(pair, 0.0) + border.length
        return lengths


def partition(seeds: Sequence[tuple[str, Point]]) -> Partition:
    """Cut the plane around the seeds (province, place) into provinces."""
    frame = frame_around([place for province, place in seeds if province])
    near = _Neighbours([place for _, place in seeds], frame)
    cells = [_cell(i, near, frame) for i in range(len(seeds))]
    polygons = tuple(
        (province, tuple(point for point, _ in cell))
        for (province, _), cell in zip(seeds, cells, strict=True)
        if cell
    )
    borders = []
    for (province, _), cell in zip(seeds, cells, strict=True):
        for k, (start, other) in enumerate(cell):
            neighbour = seeds[other][0] if other != OUTSIDE else province
            if province < neighbour:  # each piece once, none within a province
                borders.append(Border(province, neighbour, start, cell[(k + 1) % len(cell)][0]))
    return Partition(frame, polygons, tuple(borders))


def frame_around(places: Sequence[Point]) -> Frame:
    """The rectangle around all places and half the usual distance of two of them more."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    margin = max((width * height / len(places)) ** 0.5, 0.1 * max(width, height), 1.0) / 2
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


class _Neighbours:
    """The places sorted into square boxes, so that the near ones are found without all others."""

    def __init__(self, places: Sequence[Point], frame: Frame) -> None:
        self.places = places
        left, bottom, right, top = frame
        self.side = 2 * ((right - left) * (top - bottom) / len(places)) ** 0.5
        self.boxes: dict[tuple[int, int], list[int]] = {}
        for i, place in enumerate(places):
            self.boxes.setdefault(self._box(place), []).append(i)

    def rings(self, i: int) -> Iterator[tuple[float, list[int]]]:
        """The others ring by ring of boxes, each with the square of its least distance."""
        column, row = self._box(self.places[i])
        found = ring = 0
        while found < len(self.places):
            around = [
                j
                for x in range(column - ring, column + ring + 1)
                for y in range(row - ring, row + ring + 1)
                if max(abs(x - column), abs(y - row)) == ring
                for j in self.boxes.get((x, y), ())
            ]
            found += len(around)
            yield (max(ring - 1, 0) * self.side) ** 2, [j for j in around if j != i]
            ring += 1

    def _box(self, place: Point) -> tuple[int, int]:
        return int(place[0] // self.side), int(place[1] // self.side)


def _cell(i: int, near: _Neighbours, frame: Frame) -> list[_Edge]:
    """The part of the frame that is nearer to seed i than to any other one."""
    left, bottom, right, top = frame
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    cell: list[_Edge] = [(corner, OUTSIDE) for corner in corners]
    x, y = near.places[i]
    for least, others in near.rings(i):
        if not cell or least > 4 * _reach(cell, (x, y)):
            break  # from here on every bisector passes outside the cell
        for distance, j in sorted(
            ((near.places[j][0] - x) ** 2 + (near.places[j][1] - y) ** 2, j) for j in others
        ):
            if cell and distance <= 4 * _reach(cell, (x, y)):
                cell = _clipped(cell, (x, y), near.places[j], j)
    return cell


def _reach(cell: list[_Edge], place: Point) -> float:
    """Square of the distance from a place to the farthest corner."""
    x, y = place
    return max((vx - x) ** 2 + (vy - y) ** 2 for (vx, vy), _ in cell)


def _clipped(cell: list[_Edge], own: Point, other: Point, j: int) -> list[_Edge]:
    """What is left of a cell on the near side of the bisector to seed j."""
    nx, ny = other[0] - own[0], other[1] - own[1]
    mx, my = (own[0] + other[0]) / 2, (own[1] + other[1]) / 2
    sides = [(vx - mx) * nx + (vy - my) * ny for (vx, vy), _ in cell]
    if max(sides) <= 0:
        return cell
    kept: list[_Edge] = []
    for k, ((point, beyond), side) in enumerate(zip(cell, sides, strict=True)):
        following, next_side = cell[(k + 1) % len(cell)][0], sides[(k + 1) % len(cell)]
        if side <= 0:
            kept.append((point, beyond))
        if (side <= 0) != (next_side <= 0):
            share = side / (side - next_side)
            crossing = (
                point[0] + share * (following[0] - point[0]),
                point[1] + share * (following[1] - point[1]),
            )
            kept.append((crossing, j if side <= 0 else beyond))
    return kept
