"""Income of the hexes (source 1, 5.4)."""

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import shaped


def accrue(*, hexes: pl.DataFrame, rules: Rules, turn: Turn) -> dict[str, pl.DataFrame]:
    """A third of its income is credited to every hex whose credit is below twice its income.

    Once a turn, so the last step may pass the cap; a ravaged hex yields nothing before
    `ravaged_until`. Out: `hexes` with the new `credit` (gold), `ledger` with one row of kind
    `income` per credit that changed. Source 1, 5.4.
    """
    income, credit = pl.col("income"), pl.col("credit")
    recovered = pl.col("ravaged_until").fill_null(turn.today) <= turn.today
    gain = income // rules.constants.income_parts
    due = recovered & (gain > 0) & (credit < rules.constants.income_cap * income)
    paid = hexes.lazy().filter(due)
    entries = paid.select(
        "hex_id",
        "realm_id",
        account=pl.lit("credit"),
        kind=pl.lit("income"),
        amount=gain,
    )
    credited = hexes.with_columns(credit=pl.when(due).then(credit + gain).otherwise(credit))
    return {"hexes": shaped("hexes", credited), "ledger": shaped("ledger", entries.collect())}
