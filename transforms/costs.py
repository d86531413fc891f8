"""What training and building cost, the game master's word on wrong costs, the check report.

Source 1, 3 with 3.1 and 3.2.
"""

import polars as pl

from transforms.calendar import in_training
from transforms.catalogue import CHECK, ORDERS
from transforms.cells import UNPRINTABLE
from transforms.context import Turn
from transforms.errors import InputError
from transforms.rules import Constants, Rules
from transforms.schema import shaped
from transforms.sentences import fill

_LINE = ["realm_id", "line"]
_WRONG = pl.col("cost_submitted") != pl.col("cost")
_QUESTION_COLUMNS = ["realm_id", "line", "text", "cost_submitted", "cost", "kind"]


# ── the formulas ────────────────────────────────────────────────────────────────────────────────


def elite_index() -> pl.Expr:
    """Combat level plus movement level (3.1)."""
    return (pl.col("elite_combat") + pl.col("elite_movement")).cast(pl.Int64)


def training_cost(constants: Constants) -> pl.Expr:
    """Gold of a training line from troops, leaders, levels and unit_cost, gold a head (3.1).

    The factor is 1 without elite, else 3 · 2^(index − 1).
    """
    index = elite_index()
    further = pl.lit(constants.elite_further_factor, pl.Int64).pow((index - 1).clip(0))
    factor = pl.when(index == 0).then(1).otherwise(constants.elite_first_factor * further)
    equipment = pl.col("troops").cast(pl.Int64) * pl.col("unit_cost") * factor
    return equipment + pl.col("leaders").cast(pl.Int64) * constants.leader_cost


def training_months(constants: Constants) -> pl.Expr:
    """Months of a training line: unit_months plus 0 without elite, else 6 + 3 · (index − 1)."""
    index = elite_index()
    further = constants.elite_further_months * (index - 1)
    return pl.col("unit_months") + pl.when(index == 0).then(0).otherwise(
        constants.elite_first_months + further
    )


# ── the game master's word ──────────────────────────────────────────────────────────────────────


def open_questions(
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    order_lines: pl.DataFrame,
    order_files: pl.DataFrame,
    answers: pl.DataFrame,
) -> pl.DataFrame:
    """Lines with a wrong cost that no answer approves or rejects.

    Out: realm_id, line, text, cost_submitted, cost, kind (training or construction).
    """
    verdicts = answers.filter(pl.col("decision") != "skip").select(_LINE)
    orders = [
        frame.filter(_WRONG, pl.col("decision") == "none").select(
            *_LINE, "cost_submitted", "cost", kind=pl.lit(kind)
        )
        for frame, kind in ((trainings, "training"), (constructions, "construction"))
    ]
    return (
        pl.concat(orders)
        .join(verdicts, on=_LINE, how="anti")
        .join(order_lines.select(*_LINE, "text"), on=_LINE)
        .join(order_files.select("realm_id"), on="realm_id", how="semi")
        .select(_QUESTION_COLUMNS)
        .sort(_LINE)
    )


def decide(
    *,
    answers: pl.DataFrame,
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    order_lines: pl.DataFrame,
    order_files: pl.DataFrame,
    rejections: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """The answers to wrong costs, carried out line by line (source 1, 3).

    approve: the order counts, with the cost by the rules. reject: this line is dropped, nothing
    else. Answers to lines without a question have no effect. Errors: a wrong cost without answer.
    """
    unanswered = open_questions(trainings, constructions, order_lines, order_files, answers)
    if unanswered.height:
        first = unanswered.row(0, named=True)
        raise InputError(
            f"{unanswered.height} wrong cost(s) without an answer, first: realm {first['realm_id']}"
            f", line {first['line']} ({first['text']}): {first['cost_submitted']} submitted, "
            f"{first['cost']} by the rules; allowed: approve, reject"
        )
    verdicts = answers.select(*_LINE, verdict=pl.col("decision").cast(pl.String))
    judged = {
        "trainings": _judged(trainings, verdicts),
        "constructions": _judged(constructions, verdicts),
    }
    costs = pl.concat(
        frame.filter(_WRONG).select(*_LINE, "decision", "cost_submitted", "cost")
        for frame in judged.values()
    ).with_columns(pl.col("decision").cast(pl.String))
    rejected = costs.filter(pl.col("decision") == "reject").select(_LINE)
    order_lines = order_lines.join(rejected.with_columns(drop=True), on=_LINE, how="left")
    order_lines = shaped(
        "order_lines",
        order_lines.with_columns(
            status=pl.when("drop").then(pl.lit("rejected")).otherwise(pl.col("status").cast(str))
        ).drop("drop"),
    )
    rejections = shaped("rejections", _with_verdicts(rejections, costs))
    return {
        **{name: shaped(name, frame) for name, frame in judged.items()},
        "order_lines": order_lines,
        "rejections": rejections,
        "order_files": counted(order_files, order_lines, rejections),
    }


def counted(
    order_files: pl.DataFrame, order_lines: pl.DataFrame, rejections: pl.DataFrame
) -> pl.DataFrame:
    """`order_files` with its counters: accepted + rejected + comments + blank = lines."""
    status = pl.col("status").cast(pl.String)
    names = {"accepted": "accepted", "rejected": "rejected", "comment": "comments"}
    warned = rejections.filter(pl.col("severity") == "warning").select(_LINE).unique()
    warned = order_lines.filter(status == "accepted").join(warned, on=_LINE, how="semi")
    counts = order_lines.group_by("realm_id").agg(
        (status == value).sum().alias(name) for value, name in {**names, "blank": "blank"}.items()
    )
    counts = counts.with_columns(
        lines=pl.sum_horizontal("accepted", "rejected", "comments", "blank")
    )
    identity = order_files.select("realm_id", "file", "size_bytes", "sha256", "encoding", "error")
    files = identity.join(counts, on="realm_id", how="left").join(
        warned.group_by("realm_id").agg(warned=pl.len()), on="realm_id", how="left"
    )
    counters = ("lines", "accepted", "rejected", "comments", "blank", "warned")
    return shaped("order_files", files.with_columns(pl.col(counters).fill_null(0)))


def _judged(orders: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Decision and outcome of the orders with a wrong cost; the others stay as they are."""
    verdict = pl.when(_WRONG).then("verdict")
    return (
        orders.join(verdicts, on=_LINE, how="left")
        .with_columns(
            decision=pl.coalesce(verdict, pl.col("decision").cast(pl.String)),
            outcome=pl.when(verdict == "reject")
            .then(pl.lit("rejected"))
            .otherwise(pl.col("outcome").cast(pl.String)),
        )
        .drop("verdict")
    )


def _with_verdicts(rejections: pl.DataFrame, costs: pl.DataFrame) -> pl.DataFrame:
    """The warnings about wrong costs, reworded to what was decided."""
    amounts = {name: pl.col(name) for name in ("cost_submitted", "cost")}
    told = costs.select(
        *_LINE,
        "decision",
        reason=fill(ORDERS["cost_differs"], **amounts),
        verdict=pl.when(pl.col("decision") == "reject")
        .then(fill(ORDERS["cost_rejected"], **amounts))
        .otherwise(fill(ORDERS["cost_approved"], **amounts)),
    )
    rejected = pl.col("decision") == "reject"
    return (
        rejections.join(told, on=[*_LINE, "reason"], how="left")
        .with_columns(
            reason=pl.coalesce("verdict", "reason"),
            suggestion=pl.when(pl.col("verdict").is_null()).then("suggestion"),
            severity=pl.when(rejected)
            .then(pl.lit("error"))
            .otherwise(pl.col("severity").cast(pl.String)),
        )
        .drop("decision", "verdict")
    )


# ── the check report ────────────────────────────────────────────────────────────────────────────


def check_reports(
    *,
    order_files: pl.DataFrame,
    order_lines: pl.DataFrame,
    rejections: pl.DataFrame,
    movements: pl.DataFrame,
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    units: pl.DataFrame,
    realms: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Table `checks`: for every realm of order_files what the game does with its file, in German.

    Head, the lines with what was understood, is wrong or has no effect, costs against treasury,
    units without orders. Only the realm's own data is looked at.
    """
    parts = [
        *_head(order_files, rejections, realms, turn),
        *_line_texts(order_lines, rejections),
        *_not_realised(trainings, constructions, rules),
        *_gold(order_files, trainings, constructions, realms),
        _idle(order_files, movements, units.filter(~in_training(rules, turn))),
    ]
    place = ["realm_id", "block", "line", "rank", "column"]
    rows = pl.concat(parts).sort(place, maintain_order=True)
    seq = pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over("realm_id")
    text = pl.col("text").str.replace_all(UNPRINTABLE, "\N{REPLACEMENT CHARACTER}")
    return {"checks": shaped("checks", rows.select("realm_id", text, seq=seq))}


def _rows(
    frame: pl.DataFrame,
    kind: str,
    block: int,
    rank: int = 0,
    *,
    indent: str = "",
    **columns: pl.Expr,
) -> pl.DataFrame:
    """One line of the report for each row of `frame`, with what it is sorted by."""
    here = frame.columns
    return frame.select(
        "realm_id",
        block=pl.lit(block),
        line=pl.col("line") if "line" in here else pl.lit(0, pl.UInt32),
        rank=pl.lit(rank),
        column=pl.col("column") if "column" in here else pl.lit(0, pl.UInt32),
        text=pl.lit(indent) + fill(CHECK[kind], **{name: pl.col(name) for name in here} | columns),
    )


def _head(
    order_files: pl.DataFrame, rejections: pl.DataFrame, realms: pl.DataFrame, turn: Turn
) -> list[pl.DataFrame]:
    names = realms.select("realm_id", realm=pl.coalesce("name", "code", pl.lit("?")))
    files = order_files.join(names, on="realm_id").with_columns(turn=pl.lit(turn.number))
    missing = files.filter(pl.col("file").is_null())
    there = files.filter(pl.col("file").is_not_null())
    encoding = pl.col("encoding").fill_null(CHECK["no_encoding"])
    whole = rejections.filter(pl.col("line") == 0)
    return [
        _rows(files, "title", 0),
        _rows(missing, "missing", 0, 1),
        _rows(there, "file", 0, 1, encoding=encoding),
        _rows(there, "counts", 0, 2),
        _rows(whole, "file_error", 0, 3).sort("text"),
    ]


def _line_texts(order_lines: pl.DataFrame, rejections: pl.DataFrame) -> list[pl.DataFrame]:
    told = order_lines.filter(pl.col("status").is_in(["accepted", "rejected"]))
    understood = told.filter(pl.col("status") == "accepted").drop_nulls("understood")
    problems = rejections.filter(pl.col("line") > 0)
    squeezed = pl.col("text").str.replace_all(" {2,}", " ")  # a long line may be all blanks
    hint = fill(CHECK["hint"], suggestion=pl.col("suggestion")).fill_null("")
    by_severity = [
        _rows(problems.filter(pl.col("severity") == kind), kind, 1, 2, indent="  ", hint=hint)
        for kind in ("error", "warning")
    ]
    return [
        _rows(told, "line", 1, 0, text=squeezed),
        _rows(understood, "understood", 1, 1, indent="  "),
        pl.concat(by_severity).sort("text"),
    ]


def _not_realised(
    trainings: pl.DataFrame, constructions: pl.DataFrame, rules: Rules
) -> list[pl.DataFrame]:
    """The hint that a line is only reserved, where the rule set carries out none of its kind."""
    switches = rules.switches
    return [
        _rows(frame.filter(pl.col("outcome") == "reserved"), kind, 1, 3, indent="  ")
        for frame, kind, switch in (
            (trainings, "training_reserved", switches.training),
            (constructions, "construction_reserved", switches.construction),
        )
        if switch == "reserve"
    ]


def _gold(
    order_files: pl.DataFrame,
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    realms: pl.DataFrame,
) -> list[pl.DataFrame]:
    sums = [
        frame.filter(pl.col("outcome") == "reserved").group_by("realm_id").agg(pl.sum("cost"))
        for frame in (trainings, constructions)
    ]
    gold = (
        order_files.select("realm_id")
        .join(realms.select("realm_id", "treasury"), on="realm_id")
        .join(sums[0].rename({"cost": "training"}), on="realm_id", how="left")
        .join(sums[1].rename({"cost": "construction"}), on="realm_id", how="left")
        .with_columns(pl.col("training", "construction").fill_null(0))
        .with_columns(total=pl.col("training") + pl.col("construction"))
    )
    lacking = gold.with_columns(lack=pl.col("total") - pl.col("treasury"))
    return [
        _rows(gold, "gold", 2),
        _rows(lacking.filter(pl.col("lack") > 0), "lack", 2, 1),
    ]


def _idle(order_files: pl.DataFrame, movements: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Living units that could move and have no order."""
    free = units.filter(pl.col("troops") > 0, pl.col("captor_id").is_null())
    idle = (
        free.join(movements, on="unit_id", how="anti")
        .join(order_files, on="realm_id", how="semi")
        .sort("realm_id", "number")
        .group_by("realm_id", maintain_order=True)
        .agg(numbers=pl.col("number").cast(pl.String).str.join(", "))
    )
    return _rows(idle, "idle", 3)
