"""Winter: builds and disbands line by line until the number is reached, then civil disorder."""

import polars as pl

from transforms.diplomacy.board import UNIT_TYPE, Board
from transforms.diplomacy.columns import looked_up, matching

_NATION = ["phase_id", "nation"]
_UNIT = ["nation", "unit_type", "province", "coast"]


def checked(
    board: Board, orders: pl.DataFrame, *, units: pl.DataFrame, centres: pl.DataFrame
) -> pl.DataFrame:
    """Adds `number` (of builds or disbands), and `fault` where a line cannot be carried out.

    An impossible line does not use up the number, a waived build does; of two lines for one
    province the first one counts.
    """
    lines = orders.filter((pl.col("step") == "adjustment") & pl.col("fault").is_null())
    lines = looked_up(lines, balance(units, centres), phase_id="phase_id", nation="nation")
    lines = _on_site(board, lines.with_columns(pl.col("balance").fill_null(0)), units, centres)
    lines = lines.with_columns(fault=_fault(), number=pl.col("balance").abs())
    waived = pl.col("kind") == "waive"
    first = pl.col("row") == pl.col("row").min().over(*_NATION, "province")
    lines = _refused(lines, "twice", ~waived & ~first)
    in_turn = pl.col("row").rank("ordinal").over(_NATION)
    needed = (in_turn <= pl.col("number")) | (waived & (pl.col("number") == 0))
    lines = _refused(lines, "number_reached", ~needed)
    settled = lines.select("row", "number", winter_fault="fault", winter_type="unit_type")
    return looked_up(orders, settled, row="row").with_columns(
        fault=pl.coalesce("fault", "winter_fault"),
        unit_type=pl.coalesce("unit_type", "winter_type"),
    )


def balance(units: pl.DataFrame, centres: pl.DataFrame) -> pl.DataFrame:
    """phase_id · nation · balance: centres minus units, for everyone who has either."""
    owned = centres.filter(pl.col("nation").is_not_null()).select(*_NATION, n=pl.lit(1, pl.Int32))
    standing = units.select(*_NATION, n=pl.lit(-1, pl.Int32))
    return pl.concat([owned, standing]).group_by(_NATION).agg(balance=pl.col("n").sum())


def _on_site(
    board: Board, lines: pl.DataFrame, units: pl.DataFrame, centres: pl.DataFrame
) -> pl.DataFrame:
    """The lines with what there is in the province: home_of, site, owner, occupied, lacks_coast.

    A build inland without a letter is an army.
    """
    homes = board.provinces.select(
        "province", site="kind", home_of=pl.when("centre").then("home_of")
    )
    owners = centres.select("phase_id", "province", owner="nation")
    lines = looked_up(lines, homes, province="province")
    lines = looked_up(lines, owners, phase_id="phase_id", province="province")
    only_army = pl.when((pl.col("kind") == "build") & (pl.col("site") == "inland"))
    split = pl.col("province").is_in(board.coasts["province"].implode())
    return lines.with_columns(
        unit_type=pl.coalesce("unit_type", only_army.then(pl.lit("A", UNIT_TYPE))),
        occupied=matching(lines, units, phase_id="phase_id", province="province"),
        lacks_coast=split & ~matching(lines, board.coasts, province="province", coast="unit_coast"),
    )


def _fault() -> pl.Expr:
    builds, kind = pl.col("kind") == "build", pl.col("kind")
    fleet = builds & (pl.col("unit_type") == "F")
    faults = [
        ("no_builds", builds & (pl.col("balance") <= 0)),
        ("no_disbands", (kind == "disband") & (pl.col("balance") >= 0)),
        ("no_waive", (kind == "waive") & (pl.col("balance") < 0)),
        ("not_home", builds & pl.col("home_of").ne_missing(pl.col("nation"))),
        ("not_owned", builds & pl.col("owner").ne_missing(pl.col("nation"))),
        ("occupied", builds & pl.col("occupied")),
        ("which_type", builds & pl.col("unit_type").is_null()),
        ("no_harbour", fleet & (pl.col("site") == "inland")),
        ("which_coast_here", fleet & pl.col("lacks_coast")),
    ]
    return pl.coalesce(pl.when(holds).then(pl.lit(code)) for code, holds in faults)


def _refused(lines: pl.DataFrame, fault: str, refused: pl.Expr) -> pl.DataFrame:
    """The lines with `fault` where it holds, looking only at those that are possible so far."""
    rows = lines.filter(pl.col("fault").is_null()).filter(refused)["row"].implode()
    return lines.with_columns(
        fault=pl.when(pl.col("row").is_in(rows)).then(pl.lit(fault)).otherwise("fault")
    )


def adjust(
    board: Board,
    *,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    orders: pl.DataFrame,
) -> dict[str, pl.DataFrame]:
    """Winter of many phases: `units` afterwards and `adjustments`, from the orders that count."""
    counted = orders.filter((pl.col("status") == "counted") & (pl.col("step") == "adjustment"))
    built = counted.filter(pl.col("kind") == "build").select("phase_id", *_UNIT)
    disbanded = units.join(
        counted.filter(pl.col("kind") == "disband"), on=[*_NATION, "province"], how="semi"
    )
    left = units.join(disbanded, on=["phase_id", "province"], how="anti")
    gone = disorder(board, left, centres)
    stay = left.join(gone, on=["phase_id", "province"], how="anti")
    changes = [("built", built), ("disbanded", disbanded), ("disorder", gone)]
    return {
        "units": pl.concat([stay, built], how="diagonal"),
        "adjustments": pl.concat(
            (frame.with_columns(kind=pl.lit(kind)) for kind, frame in changes), how="diagonal"
        ),
    }


def disorder(board: Board, units: pl.DataFrame, centres: pl.DataFrame) -> pl.DataFrame:
    """The units that go unasked, with `distance` to the nearest centre of their nation.

    The farthest first, then fleets before armies, then by the English name of the province
    (rules of 2023); without a centre all go, and there is no distance.
    """
    surplus = balance(units, centres).filter(pl.col("balance") < 0)
    owned = centres.filter(pl.col("nation").is_not_null()).select(*_NATION, other="province")
    candidates = units.join(surplus, on=_NATION).join(
        board.provinces.select("province", "en"), on="province"
    )
    nearest = (
        candidates.select(*_NATION, "province")
        .join(owned, on=_NATION)
        .join(board.distances, on=["province", "other"])
        .group_by(*_NATION, "province")
        .agg(pl.col("distance").min())
    )
    in_order = candidates.join(nearest, on=[*_NATION, "province"], how="left").sort(
        *_NATION, "distance", "unit_type", "en", descending=[False, False, True, True, False]
    )
    place = pl.int_range(pl.len()).over(*_NATION)
    gone = in_order.filter(place < -pl.col("balance"))
    return gone.drop("balance", "en")
