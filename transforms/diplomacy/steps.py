"""The steps of a turn around reading orders and adjudicating: one phase is a batch of one."""

import polars as pl

from transforms import schema
from transforms.diplomacy import knowledge as sight
from transforms.diplomacy.adjudicate import adjudicate
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.position import with_new_ids
from transforms.diplomacy.rules import GhostRules

_LINES = 2**16  # of one nation; the lines of all nations are counted through in one phase
_RESULTS = (
    "units",
    "centres",
    "results",
    "dislodged",
    "contested",
    "battles",
    "battle_nations",
    "adjustments",
)


def orders(
    *,
    order_files: pl.DataFrame,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    dislodged: pl.DataFrame,
    knowledge: pl.DataFrame,
    rules: GhostRules,
    turn: Phase,
) -> dict[str, pl.DataFrame]:
    """The tables `orders` and `missing` from what was handed in.

    `knowledge` is what each nation saw when it wrote its orders. Nations that have neither unit
    nor centre are not waited for.
    """
    lines = lines_of(order_files)
    waiting = dislodged if turn.step == "retreat" else dislodged.clear()
    read = read_orders(
        rules.board,
        phases=phase_row(turn, rules),
        lines=_in_phase(lines),
        units=_in_phase(units.drop("unit_id")),
        dislodged=_in_phase(waiting),
        centres=_in_phase(centres),
        seen=_in_phase(seen_by(knowledge)),
        rulings=rules.rulings,
    )
    expected = sight.living(units, centres, waiting).select(nation="viewer")
    return {
        "orders": schema.shaped("ghost.orders", read.drop("phase_id")),
        "missing": schema.shaped("ghost.missing", expected.join(lines, on="nation", how="anti")),
    }


def adjudication(
    *,
    orders: pl.DataFrame,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    dislodged: pl.DataFrame,
    contested: pl.DataFrame,
    waiting: pl.DataFrame,
    rules: GhostRules,
    turn: Phase,
) -> dict[str, pl.DataFrame]:
    """The position after the phase and everything that happened in it.

    In winter a line that was not carried out becomes a rejected one. A unit keeps its id when it
    retreats; `waiting` remembers it between two steps.
    """
    counted_through = _through_lines(orders, rules)
    after = adjudicate(
        rules.board,
        rules.rulings,
        phases=phase_row(turn, rules),
        units=_in_phase(units.drop("unit_id")),
        centres=_in_phase(centres),
        dislodged=_in_phase(dislodged if turn.step == "retreat" else dislodged.clear()),
        contested=_in_phase(contested if turn.step == "retreat" else contested.clear()),
        orders=_in_phase(counted_through),
    )
    tables = {name: _of_turn(name, after[name]) for name in _RESULTS if name != "units"}
    away = waiting.join(dislodged.select("nation", "province"), on="province")
    known = pl.concat([away, units.select(away.columns)])  # two at one place: victor and vanquished
    arrivals = _arrivals(orders, tables["results"], tables["dislodged"])
    same = _same_units(after["units"].drop("phase_id"), arrivals, known)
    tables["units"] = with_new_ids(same, units, turn)
    gone = waiting_units(tables["dislodged"], rules, turn)
    tables["waiting"] = schema.shaped(
        "ghost.waiting",
        gone.select("nation", "province").join(known, on=["nation", "province"]).drop("nation"),
    )
    tables["orders"] = _with_rejections(orders, after["rejected"], rules)
    return tables


def knowledge(
    *,
    units: pl.DataFrame,
    centres: pl.DataFrame,
    dislodged: pl.DataFrame,
    rules: GhostRules,
    turn: Phase,
) -> dict[str, pl.DataFrame]:
    """The table `knowledge` of the position after a phase."""
    known = sight.know(
        units=units,
        centres=centres,
        waiting=waiting_units(dislodged, rules, turn),
        provinces=rules.board.provinces,
        borders=rules.board.borders,
        centre_sees_itself=rules.rulings.centre_sees_itself,
    )
    return {"knowledge": schema.shaped("ghost.knowledge", known)}


def waiting_units(dislodged: pl.DataFrame, rules: GhostRules, turn: Phase) -> pl.DataFrame:
    """The dislodged units that may still retreat: between F and FR, H and HR only."""
    return dislodged if rules.separate and turn.step == "movement" else dislodged.clear()


def lines_of(order_files: pl.DataFrame) -> pl.DataFrame:
    """nation, line, text, step of every line that says something; `#` begins a comment."""
    used = order_files.filter(state="used").select("nation", "text")
    return (
        used.with_columns(pl.col("text").str.replace_all("\r\n?", "\n").str.split("\n"))
        .explode("text", empty_as_null=True)
        .with_columns(line=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over("nation"))
        .filter(~pl.col("text").str.contains(r"^\s*(#.*)?$"))
        .select("nation", "line", "text", step=pl.lit(None, pl.String))
    )


def phase_row(turn: Phase, rules: GhostRules) -> pl.DataFrame:
    """The one row of `phases`; retreats in advance belong to the movement."""
    return pl.DataFrame(
        {
            "phase_id": [0],
            "step": [turn.step],
            "season": [turn.season],
            "retreats": [turn.step == "movement" and not rules.separate],
        },
        schema={
            **schema.schema_of("ghost.batch.phases"),
            "retreats": pl.Boolean,
        },
    )


def seen_by(knowledge: pl.DataFrame) -> pl.DataFrame:
    """viewer, province, nation, unit_type of every unit in somebody's view."""
    units = knowledge.filter(pl.col("status").is_in(["own", "foreign"]))
    return units.select("viewer", "province", "nation", "unit_type")


def _arrivals(orders: pl.DataFrame, results: pl.DataFrame, dislodged: pl.DataFrame) -> pl.DataFrame:
    """nation, was, province: every unit that moved or retreated, from where to where."""
    at = ["nation", "province"]
    made = results.filter(step="movement", kind="move", outcome="succeeds")
    counted = orders.filter(status="counted", step="movement").select(*at, "target")
    moved = made.join(counted, on=at).select("nation", was="province", province="target")
    place = pl.col("retreated_to").str.split("/").list.first()
    back = dislodged.select("nation", was="province", province=place).drop_nulls()
    return pl.concat([moved, back])


def _same_units(units: pl.DataFrame, arrivals: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """`units` with the id that each had where it came from; `known`: nation, province, unit_id."""
    return (
        units.join(arrivals, on=["nation", "province"], how="left")
        .with_columns(was=pl.coalesce("was", "province"))
        .join(known.rename({"province": "was"}), on=["nation", "was"], how="left")
        .drop("was")
    )


def _in_phase(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.lit(0, pl.UInt32).alias("phase_id"), pl.all())


def _of_turn(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    columns = schema.schema_of(f"ghost.{name}")
    return schema.shaped(f"ghost.{name}", frame.select(list(columns)))


def _through_lines(orders: pl.DataFrame, rules: GhostRules) -> pl.DataFrame:
    """`orders` with line numbers that no two nations share."""
    through = rules.names.rank().cast(pl.UInt32) * _LINES + pl.col("line").cast(pl.UInt32)
    return orders.with_columns(line=through)


def _with_rejections(
    orders: pl.DataFrame, rejected: pl.DataFrame, rules: GhostRules
) -> pl.DataFrame:
    """What the adjudicator did not carry out is rejected, with its reason."""
    why = rejected.select("line", refused="reason")
    refused = pl.col("refused").is_not_null() & (pl.col("status") != "rejected")
    told = (
        _through_lines(orders, rules)
        .join(why, on="line", how="left", maintain_order="left")
        .with_columns(
            line=pl.col("line") % _LINES,
            status=pl.when(refused)
            .then(pl.lit("rejected"))
            .otherwise(pl.col("status").cast(pl.String)),
            reason=pl.coalesce("reason", "refused"),
        )
        .drop("refused")
    )
    return schema.shaped("ghost.orders", told)
