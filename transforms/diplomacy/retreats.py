"""Retreats: where driven out units may go, where they go, who is disbanded."""

import polars as pl

from transforms.diplomacy.board import Board
from transforms.schema.ghost_tables import OUTCOMES

_AT = ["phase_id", "province"]
_UNIT = ["nation", "unit_type", "province", "coast"]


def with_options(
    board: Board, dislodged: pl.DataFrame, units: pl.DataFrame, contested: pl.DataFrame
) -> pl.DataFrame:
    """The dislodged units with `options`: free places one step away, sorted by name.

    Closed are provinces that are occupied or empty after a standoff, and where the attacker came
    from by land. dislodged: phase_id · nation · unit_type · province · coast? · attacker_from?.
    """
    options = (
        _steps(board, dislodged, units, contested)
        .group_by(_AT)
        .agg(options=pl.concat_str("target", "target_coast", separator="/", ignore_nulls=True))
        .with_columns(pl.col("options").list.sort())
    )
    return (
        dislodged.drop("options", strict=False)
        .join(options, on=_AT, how="left", maintain_order="left")
        .with_columns(pl.col("options").fill_null([]))
    )


def _steps(
    board: Board, dislodged: pl.DataFrame, units: pl.DataFrame, contested: pl.DataFrame
) -> pl.DataFrame:
    """phase_id · province · target · target_coast?: every legal retreat."""
    closed = pl.concat(
        [frame.select("phase_id", target="province") for frame in (units, contested)]
    )
    return (
        dislodged.select("phase_id", *_UNIT, "attacker_from")
        .join(board.steps, on=["unit_type", "province", "coast"], nulls_equal=True)
        .filter(pl.col("target").ne_missing(pl.col("attacker_from")))
        .join(closed, on=["phase_id", "target"], how="anti")
        .select(*_AT, "target", "target_coast")
    )


def retreat(
    board: Board,
    *,
    dislodged: pl.DataFrame,
    units: pl.DataFrame,
    contested: pl.DataFrame,
    orders: pl.DataFrame,
) -> dict[str, pl.DataFrame]:
    """Retreats of many phases: `results`, `units` afterwards, `dislodged` with `retreated_to`.

    Of every unit's lines the first legal one is taken; without one the unit is disbanded. Units
    that choose one province are disbanded, and none of them tries its next line.
    """
    lines = _lines(orders).join(dislodged.select(*_AT, "nation"), on=[*_AT, "nation"], how="semi")
    chosen = _chosen(lines, _steps(board, dislodged, units, contested))
    told = (
        dislodged.join(chosen, on=_AT, how="left", maintain_order="left")
        .with_columns(pl.col("kind").fill_null("disband"))
        .with_columns(may_go=(pl.col("kind") == "retreat") & pl.col("legal"))
        .with_columns(
            goes=pl.col("may_go") & (pl.col("may_go").sum().over("phase_id", "target") == 1)
        )
    )
    place = pl.concat_str("target", "target_coast", separator="/", ignore_nulls=True)
    outcome = pl.when(pl.col("legal").fill_null(True)).then(
        pl.when(pl.col("goes") | (pl.col("kind") == "disband"))
        .then(pl.lit("succeeds"))
        .otherwise(pl.lit("fails"))
    )
    gone = told.filter(pl.col("goes")).with_columns(province="target", coast="target_coast")
    return {
        "results": told.select(
            *_AT,
            pl.lit("retreat").alias("step"),
            "nation",
            "unit_type",
            "coast",
            "kind",
            outcome.otherwise(pl.lit("illegal")).cast(pl.Enum(OUTCOMES)).alias("outcome"),
            pl.lit(True).alias("dislodged"),
            (pl.col("options").list.len() == 0).alias("destroyed"),
            "line",
            "text",
        ),
        "units": pl.concat(
            [units, gone.select(c for c in units.columns if c in gone.columns)], how="diagonal"
        ).sort(_AT),
        "dislodged": told.with_columns(retreated_to=pl.when(pl.col("goes")).then(place)),
    }


def _lines(orders: pl.DataFrame) -> pl.DataFrame:
    """The lines of retreat steps in order of preference; those that were rejected come last."""
    return orders.filter((pl.col("step") == "retreat") & (pl.col("status") != "replaced")).select(
        *_AT,
        "nation",
        "target",
        "target_coast",
        "line",
        "text",
        kind=pl.when(pl.col("kind") == "disband")
        .then(pl.lit("disband"))
        .otherwise(pl.lit("retreat")),
        possible=pl.col("status") == "counted",
    )


def _chosen(lines: pl.DataFrame, legal: pl.DataFrame) -> pl.DataFrame:
    """One line per unit, with `legal`: the first legal one, else the first of all."""
    judged = lines.join(
        legal.with_columns(open=pl.lit(True)),
        on=[*_AT, "target", "target_coast"],
        how="left",
        nulls_equal=True,
    ).with_columns(
        legal=pl.col("possible") & ((pl.col("kind") == "disband") | pl.col("open").fill_null(False))
    )
    in_order = judged.sort(*_AT, "legal", "line", descending=[False, False, True, False])
    return in_order.unique(_AT, keep="first", maintain_order=True).drop(
        "nation", "open", "possible"
    )
