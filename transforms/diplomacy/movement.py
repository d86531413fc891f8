"""A movement: orders of all nations at once → who went where, who was driven out, who fought."""

import polars as pl

from transforms.diplomacy.board import Board
from transforms.diplomacy.decisions import decide
from transforms.diplomacy.field import make_field
from transforms.diplomacy.relations import relate
from transforms.diplomacy.retreats import with_options
from transforms.diplomacy.rulings import Rulings
from transforms.schema.ghost_tables import OUTCOMES

_AT = ["phase_id", "province"]
_TOKEN = ["phase_id", "unit_id", "nation", "unit_type", "province", "coast"]


def move(
    board: Board, rulings: Rulings, *, units: pl.DataFrame, orders: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Movements of many phases: `results`, `units` afterwards, `dislodged` with their options,
    `contested`, `battles`, `battle_nations`; orders as read_orders gives them.
    """
    field, relations = relate(make_field(board, rulings, units=units, orders=orders))
    field = field.hstack(decide(field, relations))
    field = field.with_columns(
        entered=pl.col("row").is_in(
            field.filter(pl.col("arrives") & pl.col("occupied"))["occupant"].implode()
        )
    )
    after = _units_after(field)
    contested = _contested(field, after)
    dislodged = with_options(board, _dislodged(field), after, contested)
    return {
        "results": _results(field, dislodged),
        "units": after,
        "dislodged": dislodged,
        "contested": contested,
        **_battles(field, after),
    }


def _units_after(field: pl.DataFrame) -> pl.DataFrame:
    stayed = field.filter(~pl.col("arrives") & ~pl.col("dislodged"))
    arrived = field.filter(pl.col("arrives")).with_columns(province="target", coast="target_coast")
    return pl.concat([_tokens(stayed), _tokens(arrived)]).sort(_AT)


def _tokens(units: pl.DataFrame) -> pl.DataFrame:
    """The units as they stand on the map, with their ids where these are known."""
    return units.select(column for column in _TOKEN if column in units.columns)


def _contested(field: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Provinces that are empty after a standoff; who lost a head-to-head held nobody off."""
    beaten = pl.col("facing") & pl.col("arrives").gather(pl.col("occupant"))
    failed = field.with_columns(beaten=beaten.fill_null(False)).filter(
        pl.col("path") & ~pl.col("arrives") & ~pl.col("beaten")
    )
    return (
        failed.select("phase_id", province="target")
        .unique()
        .join(after, on=_AT, how="anti")
        .sort(*_AT)
    )


def _dislodged(field: pl.DataFrame) -> pl.DataFrame:
    """The units that were driven out; whoever came by convoy bars no way of retreat."""
    driving = field.filter(pl.col("arrives") & pl.col("occupied")).select(
        row="occupant", attacker_from=pl.when(~pl.col("convoyed")).then("province")
    )
    driven_out = field.filter(pl.col("dislodged"))
    return _tokens(driven_out).hstack(driven_out.select("row")).join(driving, on="row")


def _results(field: pl.DataFrame, dislodged: pl.DataFrame) -> pl.DataFrame:
    kind, out = pl.col("kind"), pl.col("dislodged")
    outcomes = [
        ("illegal", ~pl.col("legal")),
        ("invalid", ~pl.col("fits")),
        ("succeeds", (kind == "move") & pl.col("arrives")),
        ("fails", (kind == "move") | ((kind == "hold") & out)),
        ("stands", kind == "hold"),
        ("given", (kind == "support") & pl.col("given")),
        ("cut", kind == "support"),
        ("disrupted", out | pl.col("jammed")),
        ("available", pl.lit(True)),
    ]
    no_way_out = pl.col("options").list.len() == 0
    lost = dislodged.filter(no_way_out)["row"].implode()
    return field.select(
        "phase_id",
        "province",
        pl.lit("movement").alias("step"),
        "nation",
        "unit_type",
        "coast",
        "kind",
        pl.coalesce(
            pl.when(holds).then(pl.lit(outcome, pl.Enum(OUTCOMES))) for outcome, holds in outcomes
        ).alias("outcome"),
        "dislodged",
        pl.col("row").is_in(lost).alias("destroyed"),
        "line",
        "text",
    )


def _battles(field: pl.DataFrame, after: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Provinces where a foreign unit that stays was attacked, or that two nations wanted.

    Only moves that had a way count, and nobody is named for supporting or for holding.
    """
    occupant = pl.col("occupant")
    foreign = pl.col("occupied") & ~pl.col("own_target")
    stays = ~pl.col("arrives").gather(occupant).fill_null(False)
    attempts = field.with_columns(attack=foreign & stays).filter(pl.col("path"))
    fought = (
        attempts.group_by("phase_id", province="target")
        .agg(attack=pl.col("attack").any(), nations=pl.col("nation").unique())
        .filter(pl.col("attack") | (pl.col("nations").list.len() > 1))
    )
    holders = after.select("phase_id", "province", "nation", "unit_type")
    nations = fought.select("phase_id", "province", nation="nations").explode("nation")
    return {
        "battles": fought.select(*_AT).join(holders, on=_AT, how="left"),
        "battle_nations": nations,
    }
