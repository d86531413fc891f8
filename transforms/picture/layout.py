"""How large a hex is drawn, where it lies, and where names go."""

from dataclasses import dataclass
from math import sqrt

import polars as pl

_LARGEST_PX, _SMALLEST_PX = 120, 4
_MAP_PX = 3200
"""Widest and highest map in pixels; the legend comes beside it."""
_WIDTH_FOR_ONE = 400
"""Hex width for an extent of one hex; it falls with the root of the extent."""


@dataclass(frozen=True)
class Frame:
    """Hex size and place of a map: pixels of hex (q, r) are `at(q, r)`."""

    hex_width: int
    pitch: int
    left: int
    top: int
    size: tuple[int, int]

    def at(self, q: float, r: float) -> tuple[int, int]:
        """The centre of a hex: pointy-top, x = q + r / 2."""
        return self.left + round((q + r / 2) * self.hex_width), self.top + round(r * self.pitch)

    @property
    def scale(self) -> float:
        """Size of type and legend, grows slowly with the map."""
        return min(1.7, max(0.8, sqrt(self.size[0] * self.size[1]) / 1500))


def frame_of(fields: pl.DataFrame) -> Frame:
    """The frame that shows all `fields` (q, r), with a margin of half a hex."""
    across = 2 * fields["q"].cast(pl.Int64) + fields["r"]
    left, right = _span(across)
    top, bottom = _span(fields["r"])
    columns, rows = (right - left) / 2 + 1, (bottom - top) * 0.866 + 1.155
    extent = max(columns, rows)
    width = min(_LARGEST_PX, _WIDTH_FOR_ONE / sqrt(extent), _MAP_PX / (extent + 1))
    hex_width = max(_SMALLEST_PX, int(width) // 2 * 2)
    pitch = round(hex_width * sqrt(3) / 2)
    return Frame(
        hex_width,
        pitch,
        left=hex_width - left * hex_width // 2,
        top=hex_width - top * pitch,
        size=(
            (right - left) * hex_width // 2 + 2 * hex_width,
            (bottom - top) * pitch + 2 * hex_width,
        ),
    )


def _span(values: pl.Series) -> tuple[int, int]:
    return (0, 0) if values.is_empty() else (int(values.min()), int(values.max()))  # type: ignore[arg-type]


def nearest_to_middle(fields: pl.DataFrame, *by: str) -> pl.DataFrame:
    """Per group the hex nearest to the middle of the group.

    Exact: distances are hexes times the size of the group; ties go to the lowest hex_id.
    """
    count = pl.len().over(by)

    def off(column: str) -> pl.Expr:
        place = pl.col(column).cast(pl.Int64)
        return place * count - place.sum().over(by)

    return (
        fields.with_columns(count=count, dq=off("q"), dr=off("r"))
        .with_columns(
            distance=pl.max_horizontal(
                pl.col("dq").abs(), pl.col("dr").abs(), (pl.col("dq") + pl.col("dr")).abs()
            )
        )
        .sort(*by, "distance", "hex_id")
        .unique(by, keep="first", maintain_order=True)
        .select(*by, "hex_id", "q", "r")
    )
