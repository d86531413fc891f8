"""Two positions of Ghost-Diplomacy compared cell by cell, in the words of its reports."""

from collections.abc import Sequence

import polars as pl

from transforms.diplomacy.german import Names
from transforms.state_diff import Tables, differing_cells, differing_counts

_PLACES = ("province", "attacker_from", "retreated_to")
_KEYS = {"units": "unit_id", "centres": "province", "dislodged": "province"}
_KEYS |= {"contested": "province", "waiting": "province"}
DIFFED = (*_KEYS, "knowledge")


def position_diff(before: Tables, after: Tables, names: Names) -> pl.DataFrame:
    """One row per cell that differs: table, row, column, before, after (all text).

    As `transforms.state_diff.state_diff`. A unit is called by its nation and where it stood,
    `GB F Lon`. Of `knowledge` only the number of provinces that each nation sees.
    """
    words = _Words([before["units"], after["units"]], names)
    cells = [
        differing_cells(table, [key], before[table], after[table], words)
        for table, key in _KEYS.items()
    ]
    seen = before["knowledge"], after["knowledge"]
    return pl.concat([*cells, differing_counts("knowledge", "viewer", *seen, words)])


class _Words:
    """What readers call units, provinces and nations."""

    def __init__(self, positions: Sequence[pl.DataFrame], names: Names) -> None:
        self.names = names
        first = pl.concat(positions).unique("unit_id", keep="first", maintain_order=True)
        unit = pl.concat_str(names.code(), names.unit(), separator=" ")
        self.units = first.select("unit_id", name=unit)

    def text(self, column: str, source: str | None = None) -> pl.Expr:
        value = pl.col(source or column)
        if column in _PLACES:
            return self.names.place_of_key(source or column)
        if column in ("nation", "viewer"):
            return self.names.code(value)
        if column == "unit_id":
            plain = value.cast(pl.String)
            return value.replace_strict(*self.units, default=plain, return_dtype=pl.String)
        return value.list.join(", ") if column == "options" else value.cast(pl.String)
