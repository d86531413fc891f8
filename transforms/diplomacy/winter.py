"""Winter: builds and disbands line by line until the number is reached, then civil disorder."""

import polars as pl

from transforms.diplomacy.board import UNIT_TYPE, Board

_NATION = ["phase_id", "nation"]
_UNIT = ["nation", "unit_type", "province", "coast"]


def checked(
    board: Board, orders: pl.DataFrame, *, units: pl.DataFrame, centres: pl.DataFrame
) -> pl.DataFrame:
    """Adds `number`, and `fault` where a line of winter cannot be carried out.

    An impossible line does not use up the number, a waived build does; of two lines for one
    province the first one counts.
    """
    inland = board.provinces.filter(pl.col("kind") == "inland")["province"].implode()
    only_armies = (pl.col("kind") == "build") & pl.col("province").is_in(inland)
    lines = (
        orders.filter((pl.col("step") == "adjustment") & pl.col("fault").is_null())
        .join(balance(units, centres), on=_NATION, how="left", maintain_order="left")
        .with_columns(
            pl.col("balance").fill_null(0),
            unit_type=pl.coalesce("unit_type", pl.when(only_armies).then(pl.lit("A", UNIT_TYPE))),
        )
        .with_columns(number=pl.col("balance").abs(), fault=None)
    )
    faults = _faults(board, _on_site(board, lines, units, centres))
    lines = lines.with_columns(fault=faults)
    lines = _while_true(
        lines, "twice", pl.col("row") == pl.col("row").min().over(*_NATION, "province")
    )
    rank = pl.col("row").rank("ordinal").over(*_NATION)
    lines = _while_true(
        lines, "number_reached", (rank <= pl.col("number")) | (pl.col("balance") == 0)
    )
    settled = lines.select("row", "number", new_fault="fault", new_type="unit_type")
    return orders.join(settled, on="row", how="left", maintain_order="left").with_columns(
        fault=pl.coalesce("fault", "new_fault"), unit_type=pl.coalesce("unit_type", "new_type")
    )


def balance(units: pl.DataFrame, centres: pl.DataFrame) -> pl.DataFrame:
    """phase_id · nation · balance: centres minus units, for everyone who has either."""
    owned = centres.filter(pl.col("nation").is_not_null()).select(*_NATION, n=pl.lit(1, pl.Int32))
    standing = units.select(*_NATION, n=pl.lit(-1, pl.Int32))
    return pl.concat([owned, standing]).group_by(_NATION).agg(balance=pl.col("n").sum())


def _on_site(
    board: Board, lines: pl.DataFrame, units: pl.DataFrame, centres: pl.DataFrame
) -> pl.DataFrame:
    """The lines with what is known of the province: home_of, place_kind, owner, occupied."""
    home = board.provinces.filter(pl.col("centre")).select("province", "home_of")
    kinds = board.provinces.select("province", site="kind")
    owners = centres.select("phase_id", "province", owner="nation")
    standing = units.select("phase_id", "province", occupied=pl.lit(True))
    coasts = board.coasts.with_columns(is_coast=pl.lit(True))
    split = board.coasts.select("province", several=pl.lit(True)).unique()
    here = {"on": ["phase_id", "province"], "how": "left", "maintain_order": "left"}
    there = {"on": "province", "how": "left", "maintain_order": "left"}
    return (
        lines.join(home, **there)
        .join(kinds, **there)
        .join(split, **there)
        .join(owners, **here)
        .join(standing, **here)
        .join(
            coasts,
            left_on=["province", "unit_coast"],
            right_on=["province", "coast"],
            how="left",
            maintain_order="left",
        )
    )


def _faults(board: Board, lines: pl.DataFrame) -> pl.Series:
    builds, disbands = pl.col("kind") == "build", pl.col("kind") == "disband"
    fleet = builds & (pl.col("unit_type") == "F")
    faults = [
        ("no_builds", builds & (pl.col("balance") <= 0)),
        ("no_disbands", disbands & (pl.col("balance") >= 0)),
        ("no_waive", (pl.col("kind") == "waive") & (pl.col("balance") < 0)),
        ("not_home", builds & pl.col("home_of").ne_missing(pl.col("nation"))),
        ("not_owned", builds & pl.col("owner").ne_missing(pl.col("nation"))),
        ("occupied", builds & pl.col("occupied").is_not_null()),
        ("which_type", builds & pl.col("unit_type").is_null()),
        ("no_harbour", fleet & (pl.col("site") == "inland")),
        (
            "which_coast_here",
            fleet & pl.col("several").is_not_null() & pl.col("is_coast").is_null(),
        ),
    ]
    first = pl.coalesce(pl.when(holds).then(pl.lit(code)) for code, holds in faults)
    return lines.select(fault=first).to_series()


def _while_true(lines: pl.DataFrame, code: str, holds: pl.Expr) -> pl.DataFrame:
    """Gives `code` to the lines without a fault for which, among themselves, `holds` is false."""
    bad = (
        lines.filter(pl.col("fault").is_null() & (pl.col("kind") != "waive"))
        if code == "twice"
        else lines.filter(pl.col("fault").is_null())
    )
    rows = bad.filter(~holds)["row"].implode()
    return lines.with_columns(
        fault=pl.when(pl.col("row").is_in(rows)).then(pl.lit(code)).otherwise("fault")
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
