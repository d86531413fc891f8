"""One call for a batch of phases: orders and positions in, results and positions out."""

import polars as pl

from transforms.diplomacy import winter
from transforms.diplomacy.board import Board
from transforms.diplomacy.movement import move
from transforms.diplomacy.retreats import retreat, with_options
from transforms.diplomacy.rulings import Rulings
from transforms.schema import schema_of
from transforms.schema.ghost_tables import BATCH

Tables = dict[str, pl.DataFrame]
OUTPUTS = [
    "results",
    "units",
    "centres",
    "dislodged",
    "contested",
    "battles",
    "battle_nations",
    "rejected",
    "adjustments",
]


def adjudicate(
    board: Board,
    rulings: Rulings,
    *,
    phases: pl.DataFrame,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    dislodged: pl.DataFrame,
    contested: pl.DataFrame,
    orders: pl.DataFrame,
) -> Tables:
    """The tables `OUTPUTS` as `ghost.batch.*`, all phases at once, sorted by key.

    phases: `ghost.batch.phases`, optional `retreats` (bool): a movement plays the retreats too;
    by default it does if the phase has orders of step retreat. units: `ghost.batch.units`,
    optional `unit_id`, which is carried along and null for new units. orders: of read_orders.
    """
    phases = _with_retreats(phases, orders)
    moving = phases.filter(pl.col("step") == "movement")
    both, waiting = moving.filter("retreats"), phases.filter(pl.col("step") == "retreat")
    winters = phases.filter(pl.col("step") == "adjustment")

    moved = move(board, rulings, units=_of(units, moving), orders=_of(orders, moving))
    retreating = pl.concat([both, waiting])
    went = retreat(
        board,
        dislodged=_stack(
            _of(moved["dislodged"], both),
            with_options(board, _of(dislodged, waiting), units, contested),
        ),
        units=_stack(_of(moved["units"], both), _of(units, waiting)),
        contested=_stack(_of(moved["contested"], both), _of(contested, waiting)),
        orders=_of(orders, retreating),
    )
    adjusted = winter.adjust(
        board,
        units=_of(units, winters),
        centres=_of(centres, winters),
        orders=_of(orders, winters),
    )
    stay = moving.filter(~pl.col("retreats"))
    after = _stack(_of(moved["units"], stay), went["units"], adjusted["units"])
    driven_out = _stack(_of(moved["dislodged"], stay), went["dislodged"])
    results = _stack(moved["results"], went["results"])
    return _shaped(
        {
            "results": results,
            "units": after,
            "centres": _centres(board, phases, centres, after, driven_out),
            "dislodged": driven_out,
            "contested": _stack(moved["contested"], _of(contested, waiting)),
            "battles": moved["battles"],
            "battle_nations": moved["battle_nations"],
            "rejected": _rejected(board, orders, results),
            "adjustments": adjusted["adjustments"],
        },
        with_ids="unit_id" in units.columns,
    )


def _with_retreats(phases: pl.DataFrame, orders: pl.DataFrame) -> pl.DataFrame:
    if "retreats" in phases.columns:
        return phases
    given = orders.filter(pl.col("step") == "retreat")["phase_id"].implode()
    return phases.with_columns(retreats=pl.col("phase_id").is_in(given))


def _of(table: pl.DataFrame, phases: pl.DataFrame) -> pl.DataFrame:
    return table.join(phases, on="phase_id", how="semi", maintain_order="left")


def _stack(*tables: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(tables, how="diagonal_relaxed")


def _centres(
    board: Board,
    phases: pl.DataFrame,
    centres: pl.DataFrame,
    units: pl.DataFrame,
    dislodged: pl.DataFrame,
) -> pl.DataFrame:
    """In autumn, once no dislodged unit waits, a centre belongs to whoever stands in it."""
    waits = (pl.col("step") == "movement") & ~pl.col("retreats")
    waiting = phases.filter(waits).join(dislodged, on="phase_id", how="semi")
    changing = (
        phases.filter((pl.col("season") == "autumn") & (pl.col("step") != "adjustment"))
        .join(waiting, on="phase_id", how="anti")
        .join(centres, on="phase_id", how="semi")
    )
    everywhere = changing.select("phase_id").join(
        board.provinces.filter("centre").select("province"), how="cross"
    )
    at = ["phase_id", "province"]
    changed = (
        everywhere.join(centres, on=at, how="left")
        .join(units.select(*at, holder="nation"), on=at, how="left")
        .select(*at, nation=pl.coalesce("holder", "nation"))
    )
    return pl.concat(
        [centres.join(changing, on="phase_id", how="anti").select(*at, "nation"), changed]
    )


def _rejected(board: Board, orders: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """Lines that were not understood or lack a coast; impossible ones stand in the results."""
    split = board.coasts["province"].unique().to_list()
    lacks_coast = (
        pl.col("target").is_in(split)
        & (pl.col("unit_type") == "F")
        & pl.col("target_coast").is_null()
    ).fill_null(False)
    shown = results.filter(pl.col("line").is_not_null()).select("phase_id", "line")
    rejected = orders.filter(pl.col("status") == "rejected")
    unreadable = pl.col("kind").is_null() | lacks_coast
    return pl.concat(
        [
            rejected.filter(unreadable),
            rejected.filter(~unreadable).join(shown, on=["phase_id", "line"], how="anti"),
        ]
    )


def _shaped(tables: Tables, *, with_ids: bool) -> Tables:
    """The tables with exactly their columns and types, sorted by key."""
    shaped = {}
    for name in OUTPUTS:
        wanted = schema_of(f"ghost.batch.{name}")
        if name == "units" and with_ids:
            wanted = {"phase_id": wanted["phase_id"], "unit_id": pl.UInt32(), **wanted}
        frame = tables[name]
        columns = [
            (pl.col(c) if c in frame.columns else pl.lit(None)).cast(dtype).alias(c)
            for c, dtype in wanted.items()
        ]
        key = BATCH[f"ghost.batch.{name}"].primary_key()
        shaped[name] = frame.select(columns).sort(key)
    return shaped
