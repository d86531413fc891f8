"""The check report of one order file: how every line is understood, and what has no order yet.

It is made of the map, the nation's own rows and its own view; it cannot tell what is hidden.
"""

import polars as pl

from transforms.diplomacy.german import Names, listed
from transforms.diplomacy.orders_told import with_replacement
from transforms.diplomacy.phases import Phase
from transforms.diplomacy.texts import CHECK, LEFT_OPEN, NONE
from transforms.sentences import fill


def check_text(
    *,
    orders: pl.DataFrame,
    units: pl.DataFrame,
    waiting: pl.DataFrame,
    centres: pl.DataFrame,
    names: Names,
    phase: Phase,
) -> str:
    """The report of one nation; every table holds that nation's rows only.

    `waiting`: its dislodged units, before a retreat step.
    """
    line, order = pl.col("line"), pl.col("understood")
    rows = with_replacement(orders).sort("line")
    text = (
        pl.when(status="rejected")
        .then(fill(CHECK["error"], line=line, reason=pl.col("reason")))
        .when(status="replaced")
        .then(fill(CHECK["replaced"], line=line, order=order, by=pl.col("by")))
        .otherwise(fill(CHECK["understood"], line=line, order=order))
    )
    lines = rows.select(text=text)["text"].to_list()
    counted = orders.filter(status="counted", step=phase.step)
    if phase.step == "adjustment":
        left = _winter_left(counted, units, centres)
    else:
        left = _without_order(counted, waiting if phase.step == "retreat" else units, names)
    return "\n".join([*lines, CHECK["without"].format(list=left)]) + "\n"


def _without_order(counted: pl.DataFrame, units: pl.DataFrame, names: Names) -> str:
    idle = units.join(counted, on="province", how="anti")
    texts = idle.select(text=names.unit(), abbr=names.abbr()).select(listed("text", "abbr"))
    return texts.item() or NONE


def _winter_left(counted: pl.DataFrame, units: pl.DataFrame, centres: pl.DataFrame) -> str:
    """How many builds or disbands the file leaves open."""
    due = centres.height - units.height
    kinds = ("build", "waive") if due > 0 else ("disband",)
    n = abs(due) - counted.filter(pl.col("kind").is_in(kinds)).height
    one, many = LEFT_OPEN["builds" if due > 0 else "disbands"]
    return NONE if n <= 0 else one if n == 1 else many.format(n=n)
