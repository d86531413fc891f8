"""The map's geometry: 48 Kleinfelder in a Großfeld, and what lies next to what.

A Kleinfeld (hex) is point-up and has the axial position (q, r): q grows to the east, r to the
south-east. A Großfeld is a cell of 48 hexes, numbered row by row from the north-west:

         1  2  3  4
        5  6  7  8  9
      10 11 …
     16 …
    23 24 …            30
     31 …           37
       38 …      43
        44 45 … 48

Which Großfeld lies next to which is data (`gf_neighbours`), never computed from its number: on a
globe a cell may have fewer than six neighbours. The positions q and r serve the drawing only.
"""

from itertools import accumulate

import polars as pl

from transforms import schema

DIRECTIONS = ("NW", "NO", "O", "SO", "SW", "W")
STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # (dq, dr) of each direction
GF_DIRECTIONS = ("N", "NO", "SO", "S", "SW", "NW")
GF_STEPS = ((4, -8), (8, -4), (4, 4), (-4, 8), (-8, 4), (-4, -4))  # shift of the cell's origin

KF_PER_GF = 48
_ROW_LENGTHS = (4, 5, 6, 7, 8, 7, 6, 5)
_ROW_STARTS = (0, -1, -2, -3, -4, -4, -4, -4)

_ROWS = tuple(enumerate(zip(_ROW_STARTS, _ROW_LENGTHS, strict=True)))
_POSITIONS = tuple((start + i, row) for row, (start, length) in _ROWS for i in range(length))
KF_OF = {position: kf for kf, position in enumerate(_POSITIONS, start=1)}

# One row per Kleinfeld: its position within its Großfeld.
LAYOUT = pl.DataFrame(
    [(kf, q, r) for (q, r), kf in KF_OF.items()],
    schema={"kf": pl.UInt8, "kf_q": pl.Int32, "kf_r": pl.Int32},
    orient="row",
)


_GF_STEPS = pl.DataFrame(
    [(direction, *step) for direction, step in enumerate(GF_STEPS)],
    schema={"direction": pl.UInt8, "dq": pl.Int32, "dr": pl.Int32},
    orient="row",
)
_NOWHERE = pl.DataFrame(schema={"gf": pl.UInt32, "oq": pl.Int32, "orow": pl.Int32})


def opposite(direction: pl.Expr) -> pl.Expr:
    """The direction seen from the other side (for hexes and for Großfelder)."""
    return (direction + 3) % 6


def edge_ends(frame: pl.LazyFrame, neighbours: pl.DataFrame) -> pl.LazyFrame:
    """`frame` (hex_id, direction) plus `hex_a` < `hex_b`, the hexes on both sides of the edge.

    Rows without a neighbour in that direction have no edge and are left out.
    """
    low, high = (f("hex_id", "neighbour_id") for f in (pl.min_horizontal, pl.max_horizontal))
    return (
        frame.join(neighbours.lazy(), on=["hex_id", "direction"])
        .with_columns(hex_a=low, hex_b=high)
        .drop("neighbour_id")
    )


def hex_id(gf: str = "gf", kf: str = "kf") -> pl.Expr:
    """The id of a hex from the columns of its Großfeld and Kleinfeld: 207/14 → 20714 (u32)."""
    return (pl.col(gf).cast(pl.UInt32) * 100 + pl.col(kf).cast(pl.UInt32)).alias("hex_id")


def _border_rule() -> pl.DataFrame:
    """One row per Kleinfeld and direction: the Kleinfeld there and in which Großfeld it lies.

    `gf_direction` is null within the same Großfeld. The cell tiles the plane without a gap, so
    each of the 48 · 6 neighbours lies in the cell itself or in exactly one of the six around it.
    """
    rows = []
    for (q, r), kf in KF_OF.items():
        for direction, (dq, dr) in enumerate(STEPS):
            for gf_direction, (oq, orow) in ((None, (0, 0)), *enumerate(GF_STEPS)):
                other = KF_OF.get((q + dq - oq, r + dr - orow))
                if other:
                    rows.append((kf, direction, gf_direction, other))
    columns = ("kf", "direction", "gf_direction", "neighbour_kf")
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.UInt8), orient="row")


BORDER_RULE = _border_rule()


def neighbour_table(*, hexes: pl.DataFrame, gf_neighbours: pl.DataFrame) -> pl.DataFrame:
    """The table `neighbours` of a map: a row for each hex and direction where a hex exists.

    In: `hexes` (gf, kf) and `gf_neighbours`. The edge of the map, a Großfeld without a neighbour
    and a hole in the map are missing rows.
    """
    across = pl.concat(
        [
            gf_neighbours.lazy().select(
                "gf", pl.col("direction").alias("gf_direction"), "neighbour_gf"
            ),
            hexes.lazy()
            .select("gf", gf_direction=pl.lit(None, pl.UInt8), neighbour_gf="gf")
            .unique(),
        ]
    )
    existing = hexes.lazy().select(hex_id().alias("neighbour_id"))
    found = (
        hexes.lazy()
        .select("gf", "kf")
        .join(BORDER_RULE.lazy(), on="kf")
        .join(across, on=["gf", "gf_direction"], nulls_equal=True)
        .select(hex_id(), "direction", neighbour_id=hex_id("neighbour_gf", "neighbour_kf"))
        .join(existing, on="neighbour_id", how="semi")
    )
    return schema.shaped("neighbours", found.collect())


def in_cells(plane: pl.DataFrame) -> pl.DataFrame:
    """Cut a plane map into Großfelder: appends `gf` (u32) and `kf` (u8) to rows with q and r.

    The cells' origins are a·(8, −4) + b·(4, 4), so a = (q − r) / 12 and b = (q + 2r) / 12 for an
    origin, and the remainders of the two name the Kleinfeld. A number is column · 100 + row, both
    from 1 and from the north-west (· 1000 on maps of more than 99 rows).
    """
    by_remainder = LAYOUT.with_columns(
        u=(pl.col("kf_q") - pl.col("kf_r")) % 12, v=(pl.col("kf_q") + 2 * pl.col("kf_r")) % 12
    )
    cells = (
        plane.with_columns(
            u=(pl.col("q") - pl.col("r")) % 12, v=(pl.col("q") + 2 * pl.col("r")) % 12
        )
        .join(by_remainder, on=["u", "v"], how="left", maintain_order="left")
        .with_columns(oq=pl.col("q") - pl.col("kf_q"), orow=pl.col("r") - pl.col("kf_r"))
        .with_columns(
            a=(pl.col("oq") - pl.col("orow")) // 12, b=(pl.col("oq") + 2 * pl.col("orow")) // 12
        )
        .with_columns(column=pl.col("a") + pl.col("b"), row=(pl.col("b") - pl.col("a")) // 2)
        .with_columns(pl.col("column", "row") - pl.col("column", "row").min() + 1)
    )
    rows = cells["row"].max() or 0
    factor = 10 ** max(2, len(str(rows)))
    gf = (pl.col("column") * factor + pl.col("row")).cast(pl.UInt32)
    return cells.select(*plane.columns, gf=gf, kf="kf")


def gf_neighbours_on_plane(hexes: pl.DataFrame) -> pl.DataFrame:
    """The table `gf_neighbours` of a plane map, from the positions of `hexes` (gf, kf, q, r)."""
    origins = _origins(hexes)
    there = origins.select("oq", "orow", neighbour_gf="gf")
    found = (
        origins.join(_GF_STEPS, how="cross")
        .with_columns(pl.col("oq") + pl.col("dq"), pl.col("orow") + pl.col("dr"))
        .join(there, on=["oq", "orow"])
        .select("gf", "direction", "neighbour_gf")
    )
    return schema.shaped("gf_neighbours", found)


def _origins(hexes: pl.DataFrame) -> pl.DataFrame:
    return (
        hexes.join(LAYOUT, on="kf")
        .select("gf", oq=pl.col("q") - pl.col("kf_q"), orow=pl.col("r") - pl.col("kf_r"))
        .unique()
        .sort("gf")
    )


def positions(*, hexes: pl.DataFrame, gf_neighbours: pl.DataFrame) -> pl.DataFrame:
    """Appends the positions q and r (i32) to `hexes` (gf, kf), for drawing.

    The map is unrolled from its lowest Großfeld outwards, one ring a round; parts without a
    connection are put side by side, west to east.
    """
    links = gf_neighbours.join(_GF_STEPS, on="direction")
    missing = hexes.select("gf").unique().sort("gf")
    parts: list[pl.DataFrame] = []
    while missing.height:
        part = _unrolled(missing.head(1), links)
        parts.append(part.join(missing, on="gf", how="semi"))
        missing = missing.join(part, on="gf", how="anti", maintain_order="left")
    placed = pl.concat(_side_by_side(parts)) if parts else _NOWHERE
    return (
        hexes.join(placed, on="gf", how="left", maintain_order="left")
        .join(LAYOUT, on="kf", how="left", maintain_order="left")
        .select(*hexes.columns, q=pl.col("oq") + pl.col("kf_q"), r=pl.col("orow") + pl.col("kf_r"))
    )


def _unrolled(start: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Origins of every Großfeld that `start` (one gf) is connected with."""
    ring = start.select("gf", oq=pl.lit(0, pl.Int32), orow=pl.lit(0, pl.Int32))
    placed = ring
    while ring.height:
        ring = (
            ring.join(links, on="gf")
            .select(
                gf="neighbour_gf",
                oq=pl.col("oq") + pl.col("dq"),
                orow=pl.col("orow") + pl.col("dr"),
            )
            .join(placed, on="gf", how="anti")
            .sort("gf", "oq", "orow")
            .unique("gf", keep="first", maintain_order=True)
        )
        placed = pl.concat([placed, ring])
    return placed


def _side_by_side(parts: list[pl.DataFrame]) -> list[pl.DataFrame]:
    """Shift each part east of the one before; east is 2q + r in half hexes."""
    east = 2 * pl.col("oq") + pl.col("orow")
    widths = [
        (part.select(east.max()).item() - part.select(east.min()).item() + 36) // 2
        for part in parts
    ]
    return [
        part.with_columns(oq=(pl.col("oq") + shift).cast(pl.Int32))
        for part, shift in zip(parts, accumulate(widths[:-1], initial=0), strict=True)
    ]
