"""Two realms on two Großfelder, and short ways to let them hand in orders."""

from collections.abc import Mapping

import polars as pl

from tests.small_rules import small_rules
from tests.worlds import small_turn
from transforms.orders import read_orders
from transforms.schema import conform, empty

RULES, TURN = small_rules(), small_turn(number=7)
AB, XY = 1, 2
Tables = dict[str, pl.DataFrame]

# unit_id, realm_id, number, type, troops, leaders, hex, ship (unit_id), captor (unit_id)
UNITS = (
    (1, AB, 112, "Krieger", 1800, 1, 20714, None, None),
    (2, AB, 214, "Reiter", 900, 1, 20740, None, None),
    (3, AB, 115, "Krieger", 2400, 2, 20714, None, None),
    (4, AB, 131, "Krieger", 1000, 1, 20730, None, None),
    (5, AB, 305, "Schiff", 10, 0, 20730, None, None),
    (6, AB, 117, "Krieger", 50, 0, None, 5, None),
    (7, AB, 119, "Krieger", 40, 0, None, None, 9),
    (8, AB, 120, "Krieger", 0, 0, 20714, None, None),
    (9, XY, 101, "Krieger", 700, 0, 20820, None, None),
    (10, XY, 305, "Schiff", 10, 0, 20840, None, None),
    (11, XY, 306, "Schiff", 10, 0, 20801, None, None),
)


def world() -> Tables:
    """AB knows all of 207 and 208/1 to 208/12, XY all of 208; they are not allied."""
    columns = ["unit_id", "realm_id", "number", "unit_type", "troops", "leaders"]
    columns += ["hex_id", "carrier_id", "captor_id"]
    units = pl.DataFrame(UNITS, schema=columns, orient="row").with_columns(last_ashore=0)
    hexes = [
        {"hex_id": gf * 100 + kf, "gf": gf, "kf": kf, "q": 0, "r": 0, "height": "Ebene"}
        for gf in (207, 208)
        for kf in range(1, 49)
    ]
    seen = [(AB, 20800 + kf) for kf in range(1, 13)] + [(XY, 20800 + kf) for kf in range(1, 49)]
    atlas = [(AB, 20700 + kf, 0, 0) for kf in range(1, 49)]
    return {
        "units": conform("units", units),
        "realms": conform(
            "realms",
            pl.DataFrame(
                {
                    "realm_id": [AB, XY],
                    "code": ["AB", "XY"],
                    "name": ["Abland", "Xyrien"],
                    "treasury": [20_000, 0],
                }
            ),
        ),
        "alliances": empty("alliances"),
        "hexes": conform("hexes", pl.DataFrame(hexes).with_columns(terrain=pl.lit("Flur"))),
        "sight": conform("sight", pl.DataFrame(seen, ["realm_id", "hex_id"], orient="row")),
        "atlas": conform(
            "atlas",
            pl.DataFrame(atlas, ["realm_id", "hex_id", "first_seen", "last_seen"], orient="row"),
        ),
    }


def texts(files: Mapping[int, str | None]) -> pl.DataFrame:
    """The table order_texts: a text per realm, None = nothing handed in."""
    return conform(
        "order_texts",
        pl.DataFrame(
            {
                "realm_id": list(files),
                "file": [None if text is None else f"{realm}.txt" for realm, text in files.items()],
                "size_bytes": [len(text or "") for text in files.values()],
                "encoding": ["UTF-8"] * len(files),
                "text": list(files.values()),
            },
            schema_overrides={"file": pl.String, "text": pl.String},
        ),
    )


def read(*lines: str, tables: Tables | None = None, realm_id: int = AB) -> Tables:
    """The order tables of one realm that hands in `lines`; every table is checked."""
    return read_texts(texts({realm_id: "\n".join(lines)}), tables)


def read_texts(order_texts: pl.DataFrame, tables: Tables | None = None) -> Tables:
    """The order tables of `order_texts`, each checked against its schema and the line sum."""
    given = world() if tables is None else tables
    out = read_orders(order_texts=order_texts, **given, rules=RULES, turn=TURN)
    for name, frame in out.items():
        assert conform(name, frame).equals(frame)
    files = out["order_files"]
    parts = files["accepted"] + files["rejected"] + files["comments"] + files["blank"]
    assert parts.equals(files["lines"], check_names=False)
    assert files["realm_id"].equals(order_texts["realm_id"])
    return out


def problems(out: Tables) -> list[tuple[int, int, str, str, str | None]]:
    """line, column, severity, reason, suggestion of every problem."""
    columns = ["line", "column", pl.col("severity").cast(pl.String), "reason", "suggestion"]
    return out["rejections"].select(columns).rows()


def paths(out: Tables) -> dict[int, list[int]]:
    """unit_id → its waypoints."""
    return dict(out["paths"].group_by("unit_id", maintain_order=True).agg("hex_id").iter_rows())
