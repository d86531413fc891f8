"""Run the steps of a turn in memory, without any file: the product's own step contract."""

from collections.abc import Iterable, Mapping

import polars as pl

from flows.steps import Step
from flows.tables import call, continued, merged
from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import empty


def run_steps(
    tables: Mapping[str, pl.DataFrame], steps: Iterable[Step], rules: Rules, turn: Turn
) -> dict[str, pl.DataFrame]:
    """All tables after the steps; a table that nobody has written yet is empty."""
    after = dict(tables)
    for step in steps:
        given = {name: after.get(name, empty(name)) for name in step.reads}
        for name, frame in call(step, given, rules, turn).items():
            if name in step.appends:
                before = after.get(name, empty(name))
                frame = merged(name, [before, continued(name, before, frame)])
            after[name] = frame
    return after
