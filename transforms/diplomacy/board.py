"""The board: a map's own tables, checked against each other, and what follows from them.

Nothing about a particular map stands in code; data/diplomacy/<map>/ holds all of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from transforms.errors import InputError, unknown
from transforms.schema.ghost_tables import MAP, UNIT_TYPES

PLACE = ["province", "coast"]
UNIT_TYPE = pl.Enum(UNIT_TYPES)


@dataclass(frozen=True)
class Board:
    """The seven tables of a map (`ghost.provinces` … `ghost.start`) and its derived tables."""

    name: str
    provinces: pl.DataFrame
    borders: pl.DataFrame
    aliases: pl.DataFrame
    ambiguous: pl.DataFrame
    nations: pl.DataFrame
    nation_aliases: pl.DataFrame
    start: pl.DataFrame

    @cached_property
    def steps(self) -> pl.DataFrame:
        """unit_type · province · coast? → target · target_coast?: every single step there is."""
        named = self.borders.rename(
            {
                "province_a": "province",
                "coast_a": "coast",
                "province_b": "target",
                "coast_b": "target_coast",
            }
        )
        return pl.concat(
            named.filter(may_step).select(
                pl.lit(letter, UNIT_TYPE).alias("unit_type"), *PLACE, "target", "target_coast"
            )
            for letter, may_step in (("A", "army"), ("F", "fleet"))
        )

    @cached_property
    def reach(self) -> pl.DataFrame:
        """unit_type · province · coast? → target: the provinces one step away, on any coast."""
        return self.steps.drop("target_coast").unique(maintain_order=True)

    @cached_property
    def neighbours(self) -> pl.DataFrame:
        """province · neighbour: all borders, whoever may cross them, both directions, sorted."""
        pairs = self.borders.select(province="province_a", neighbour="province_b")
        return pairs.unique().sort("province", "neighbour")

    @cached_property
    def coasts(self) -> pl.DataFrame:
        """province · coast: the coasts of every province that has several."""
        places = self.borders.select(province="province_a", coast="coast_a")
        return places.drop_nulls().unique().sort("province", "coast")

    @cached_property
    def distances(self) -> pl.DataFrame:
        """province · other · distance (u8): fewest borders between two provinces, 0 to itself."""
        found = self.provinces.select("province", other="province", distance=pl.lit(0, pl.UInt8))
        frontier = found
        while frontier.height:
            onward = frontier.join(self.neighbours, left_on="other", right_on="province").select(
                "province", other="neighbour", distance=pl.col("distance") + 1
            )
            frontier = onward.unique().join(found, on=["province", "other"], how="anti")
            found = pl.concat([found, frontier])
        return found.sort("province", "other")

    @cached_property
    def sea_shores(self) -> pl.DataFrame:
        """sea · land: the coastal provinces around every sea."""
        return self._around_seas("coast", "land")

    @cached_property
    def sea_lanes(self) -> pl.DataFrame:
        """sea · next: the seas around every sea."""
        return self._around_seas("sea", "next")

    @cached_property
    def ports(self) -> pl.DataFrame:
        """sea · land: the coastal provinces that a chain of seas connects with every sea."""
        found = self.sea_shores
        while True:
            onward = self.sea_lanes.join(found, left_on="next", right_on="sea")
            further = pl.concat([found, onward.select("sea", "land")]).unique()
            if further.height == found.height:
                return found.sort("sea", "land")
            found = further

    @cached_property
    def passages(self) -> pl.DataFrame:
        """province · target: two coastal provinces that a chain of seas connects."""
        pairs = self.sea_shores.join(self.ports, on="sea").filter(
            pl.col("land") != pl.col("land_right")
        )
        return pairs.select(province="land", target="land_right").unique().sort(pl.all())

    def _around_seas(self, kind: str, name: str) -> pl.DataFrame:
        of_kind = self.provinces.filter(pl.col("kind") == kind).select(neighbour="province")
        seas = self.provinces.filter(pl.col("kind") == "sea").select("province")
        around = self.neighbours.join(seas, on="province", how="semi")
        return (
            around.join(of_kind, on="neighbour", how="semi")
            .rename({"province": "sea", "neighbour": name})
            .sort(pl.all())
        )


def make_board(name: str, tables: Mapping[str, pl.DataFrame], where: str) -> Board:
    """A board from the conformed tables of `ghost_tables.MAP`, names without `ghost.`.

    Errors: a name that does not exist, a border that is no border or only leads one way, a step
    that no unit can take, a name with two meanings, a unit where it cannot stand.
    """
    board = Board(name, **{key.removeprefix("ghost."): tables[key] for key in MAP})
    _check_names(board, where)
    _check_borders(board, f"{where}/borders.csv")
    _check_start(board, f"{where}/start.csv")
    return board


def _check_names(board: Board, where: str) -> None:
    provinces, nations = board.provinces["province"], board.nations["nation"]
    for table, column, allowed in (
        ("provinces", "home_of", nations),
        ("borders", "province_a", provinces),
        ("borders", "province_b", provinces),
        ("aliases", "province", provinces),
        ("ambiguous", "province", provinces),
        ("nation_aliases", "nation", nations),
        ("start", "nation", nations),
        ("start", "province", provinces),
    ):
        named = getattr(board, table)[column].drop_nulls()
        strange = named.filter(~named.is_in(allowed.to_list()))
        if len(strange):
            raise unknown(f"{where}/{table}.csv", column, strange[0], allowed)
    for table, column in (("provinces", "abbr"), ("nations", "code"), ("nations", "file_code")):
        values = getattr(board, table)[column]
        if (twice := values.filter(values.str.to_lowercase().is_duplicated())).len():
            raise InputError(f"{where}/{table}.csv: {column} {twice[0]!r} stands there twice")


def _check_borders(board: Board, where: str) -> None:
    kinds = board.provinces.select("province", "kind")
    borders = board.borders.join(
        kinds.rename({"province": "province_a", "kind": "kind_a"}), on="province_a"
    ).join(kinds.rename({"province": "province_b", "kind": "kind_b"}), on="province_b")
    reverse = board.borders.select(
        province_a="province_b",
        coast_a="coast_b",
        province_b="province_a",
        coast_b="coast_a",
        army="army",
        fleet="fleet",
    )
    one_way = board.borders.join(reverse, on=board.borders.columns, how="anti", nulls_equal=True)
    _refuse(one_way, where, "leads one way only; both directions must be listed alike")
    kind_a, kind_b = pl.col("kind_a"), pl.col("kind_b")
    coast_a, coast_b = pl.col("coast_a"), pl.col("coast_b")
    several = pl.col("province_a").is_in(board.coasts["province"].unique().to_list())
    for broken, what in (
        (pl.col("province_a") == pl.col("province_b"), "leads nowhere"),
        (pl.col("army") & ((kind_a == "sea") | (kind_b == "sea")), "takes an army to sea"),
        (pl.col("fleet") & ((kind_a == "inland") | (kind_b == "inland")), "takes a fleet inland"),
        (coast_a.is_not_null() & (kind_a != "coast"), "names a coast where there is none"),
        (pl.col("army") & (coast_a.is_not_null() | coast_b.is_not_null()), "gives armies a coast"),
        (pl.col("fleet") & several & coast_a.is_null(), "does not say on which coast"),
    ):
        _refuse(borders.filter(broken), where, what)


def _refuse(rows: pl.DataFrame, where: str, what: str) -> None:
    if rows.height:
        a, coast_a, b, coast_b = rows.row(0)[:4]
        raise InputError(f"{where}: {place_key(a, coast_a)} → {place_key(b, coast_b)} {what}")


def place_key(province: str, coast: str | None) -> str:
    """`SPA/NC`, or the bare province."""
    return f"{province}/{coast}" if coast else province


def _check_start(board: Board, where: str) -> None:
    standing = board.steps.select("unit_type", *PLACE).unique()
    lost = board.start.join(
        standing, on=["unit_type", *PLACE], how="anti", nulls_equal=True, maintain_order="left"
    )
    crowded = board.start.filter(pl.col("province").is_duplicated())
    for rows, what in ((lost, "cannot stand there"), (crowded, "does not stand there alone")):
        if rows.height:
            nation, letter, province, coast = rows.row(0)
            raise InputError(f"{where}: {nation} {letter} {place_key(province, coast)} {what}")
