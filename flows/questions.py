"""Open questions of load: wrong costs and missing files, and who answers them.

In this order: the game master's decisions.csv, the policy of game.toml, and under the policy
`ask` a terminal or the paused flow. With nobody there load ends and nothing has changed.
"""

import csv
import io
from collections.abc import Callable, Mapping

import polars as pl

from flows.game import Policy
from flows.intake import realm_of_code
from transforms import costs, schema
from transforms.errors import InputError, unknown

# realm_id, code, line (0 = missing file), text, cost_submitted, cost → one answer a row, or nobody
Ask = Callable[[pl.DataFrame], list[str] | None]

LINE_ANSWERS = ("approve", "reject", "abort")
FILE_ANSWERS = ("skip", "abort")


class OpenQuestionsError(Exception):
    """Load needs answers and nobody is there to give them; `questions` has one row each."""

    def __init__(self, questions: pl.DataFrame, where: str) -> None:
        super().__init__(where)
        self.questions = questions

    @property
    def where(self) -> str:
        """The file that answers them."""
        return str(self.args[0])

    def lines(self) -> list[str]:
        """One line per question."""
        return [sentence(row) for row in self.questions.iter_rows(named=True)]

    def decisions(self) -> str:
        """A decisions.csv that answers every question with the first answer that is allowed."""
        text = io.StringIO()
        rows = csv.writer(text, delimiter=";", lineterminator="\n")
        rows.writerow(["code", "line", "text", "decision"])
        for row in self.questions.iter_rows(named=True):
            asked = (row["line"], row["text"]) if row["line"] else ("", "")
            rows.writerow([row["code"], *asked, allowed_answers(row)[0]])
        return text.getvalue()


def nobody(questions: pl.DataFrame) -> None:
    """Nobody is there to be asked."""
    return


def sentence(question: Mapping[str, object]) -> str:
    """A question in words, with the answers that are allowed."""
    allowed = " | ".join(allowed_answers(question))
    if question["line"] == 0:
        return f"{question['code']}: no order file was handed in: {allowed}?"
    return (
        f"{question['code']}, line {question['line']}: {question['text']!r} says "
        f"{question['cost_submitted']} gold, the rules say {question['cost']}: {allowed}?"
    )


def allowed_answers(question: Mapping[str, object]) -> tuple[str, ...]:
    """What a question may be answered with."""
    return FILE_ANSWERS if question["line"] == 0 else LINE_ANSWERS


def answers(
    read: Callable[[str], pl.DataFrame],
    decisions: pl.DataFrame,
    policy: Policy,
    ask: Ask,
    where: str,
    note: Callable[[pl.DataFrame], None],
) -> pl.DataFrame:
    """The table `answers` for everything that is open after the orders were read.

    `read` hands out the tables of the turn; `note` gets what somebody has answered just now: code,
    line, text, decision. Errors: OpenQuestionsError; InputError when a row of decisions.csv fits
    nothing, or when somebody, or the policy, says abort.
    """
    realms = read("realms")
    questions = _open(read).join(realms.select("realm_id", "code"), on="realm_id")
    questions = questions.sort("realm_id", "line")
    given = _given(decisions, read("order_lines"), realms, where)
    _refuse_too_many_missing(questions.join(given, on=["realm_id", "line"], how="anti"), policy)
    by_policy = (
        pl.when(line=0)
        .then(pl.lit(policy.on_missing_orders))
        .otherwise(pl.lit(policy.on_cost_mismatch))
    )
    answered = questions.join(
        given, on=["realm_id", "line"], how="left", maintain_order="left"
    ).with_columns(pl.col("decision").fill_null(by_policy))
    asked = answered.filter(decision="ask")
    answered = _asked(answered, ask, where)
    _refuse_abort(answered)
    if asked.height:
        note(answered.join(asked, on=["realm_id", "line"], how="semi"))
    return schema.shaped("answers", answered.select("realm_id", "line", "decision"))


def _open(read: Callable[[str], pl.DataFrame]) -> pl.DataFrame:
    """One row per question: realm_id, line (0 = missing file), text, cost_submitted, cost.

    A file is missing when its realm still has units or buildings to give orders to.
    """
    names = ("trainings", "constructions", "order_lines", "order_files")
    wrong_costs = costs.open_questions(
        **{name: read(name) for name in names}, answers=schema.empty("answers")
    )
    alive = pl.concat([read(name).select("realm_id") for name in ("units", "buildings")])
    missing = (
        read("order_files")
        .filter(pl.col("file").is_null())
        .join(alive, on="realm_id", how="semi")
        .select("realm_id", pl.lit(0, pl.UInt32).alias("line"))
    )
    return pl.concat([missing, wrong_costs.drop("kind")], how="diagonal")


def _given(
    decisions: pl.DataFrame, order_lines: pl.DataFrame, realms: pl.DataFrame, where: str
) -> pl.DataFrame:
    """decisions.csv as `realm_id, line, decision`, every row checked against the line it names."""
    written = dict(
        zip(order_lines.select("realm_id", "line").iter_rows(), order_lines["text"], strict=True)
        if decisions.height
        else ()
    )
    given: dict[tuple[int, int], str] = {}
    for row in decisions.iter_rows(named=True):
        place = f"{where}: row {row['row']}"
        realm_id = realm_of_code(row["code"] or "", realms, place)
        key = (realm_id, _line_number(row["line"], place))
        allowed = allowed_answers({"line": key[1]})
        decision = (row["decision"] or "").lower()
        if decision not in allowed:
            raise unknown(place, "decision", decision, allowed)
        if key[1] and key not in written:
            raise InputError(f"{place}: {row['code']} has no line {key[1]}")
        if key[1] and written[key].strip() != row["text"]:
            raise InputError(
                f"{place}: line {key[1]} of {row['code']} reads {written[key]!r}, "
                f"the decision was made for {row['text']!r}"
            )
        if key in given:
            raise InputError(f"{place}: a second decision for line {key[1]} of {row['code']}")
        given[key] = decision
    keys = list(given)
    return pl.DataFrame(
        {
            "realm_id": [realm_id for realm_id, _ in keys],
            "line": [line for _, line in keys],
            "decision": list(given.values()),
        },
        schema={"realm_id": pl.UInt16, "line": pl.UInt32, "decision": pl.String},
    )


def _line_number(text: str | None, place: str) -> int:
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 8):
        raise InputError(f"{place}: line {text!r} is not a line number (empty = the missing file)")
    return int(text)


def _asked(questions: pl.DataFrame, ask: Ask, where: str) -> pl.DataFrame:
    """Replace every decision `ask` by somebody's answer."""
    is_open = pl.col("decision") == "ask"
    asked = questions.filter(is_open)
    if asked.is_empty():
        return questions
    said = ask(asked)
    if said is None:
        raise OpenQuestionsError(asked, where)
    asked = asked.with_columns(decision=pl.Series(said, dtype=pl.String))
    return pl.concat([questions.filter(~is_open), asked])


def _refuse_too_many_missing(undecided: pl.DataFrame, policy: Policy) -> None:
    """A skip in decisions.csv lets a realm go without orders; it is not counted here."""
    missing = undecided.filter(line=0)["code"]
    if policy.max_missing is not None and missing.len() > policy.max_missing:
        raise InputError(
            f"load stopped, nothing was written: {missing.len()} realms handed in nothing "
            f"({', '.join(missing)}), max_missing of the policy is {policy.max_missing}"
        )


def _refuse_abort(answered: pl.DataFrame) -> None:
    aborted = answered.filter(decision="abort")
    for question in aborted.head(1).iter_rows(named=True):
        more = f" (and {aborted.height - 1} more)" if aborted.height > 1 else ""
        cause = sentence(question).rpartition(":")[0]
        raise InputError(f"load stopped by the decision abort, nothing was written: {cause}{more}")
