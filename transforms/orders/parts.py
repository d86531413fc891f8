"""Parts that split off: which ones are ordered, and how lines can name them before they exist.

Their ids follow from the lines of all realms, training included, and stand at the end of load
only. Until then a part is called by its place among the splits, above all real ids.
"""

import polars as pl

from transforms.context import Turn
from transforms.orders.problems import problem
from transforms.orders.resolve import taken_numbers
from transforms.rules import Rules
from transforms.schema import key_of, shaped

PLACEHOLDER = 2**31
_UNIT = ["realm_id", "number"]


def settle_splits(
    ordered: pl.DataFrame, own: pl.DataFrame, rules: Rules
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The splits that are accepted, and the problems of the others; warnings, the line counts.

    `ordered`: splits of the lines that count (row, pos, realm_id, line, after_step, number, …). In
    this order each claims its number, which no unit and no earlier split may have. With `decisions
    = ignore` all are accepted as they stand, since nothing comes of them.
    """
    if rules.switches.decisions == "ignore":
        unnamed = ordered.with_columns(new_unit_id=pl.lit(None, pl.UInt32))
        return unnamed, taken_numbers(ordered, own)
    mine = own.select("realm_id", pl.col("number").cast(pl.Int64))
    empty_handed = ordered.filter(pl.col("troops") < 1)
    claims = ordered.filter(pl.col("troops") >= 1).sort("realm_id", "line", "after_step", "number")
    free = claims.join(mine, on=_UNIT, how="anti", maintain_order="left")
    accepted = free.unique(_UNIT, keep="first", maintain_order=True)
    taken = claims.join(accepted, on=["row", "pos"], how="anti")
    refused = [
        problem(taken, "number_taken", severity="warning"),
        problem(empty_handed, "split_empty", severity="warning"),
    ]
    named = accepted.with_row_index("new_unit_id", offset=PLACEHOLDER)
    return named, pl.concat(refused)


def told_parts(split_off: pl.DataFrame, splits: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """Warnings for the lines of parts, `split_off` (row, pos, number): a part does not split."""
    if rules.switches.decisions == "ignore":
        return problem(split_off, "split_off_ignored", severity="warning")
    again = splits.join(split_off.select("row"), on="row", how="semi")
    return problem(again, "split_again", severity="warning")


def name_parts(
    *,
    splits: pl.DataFrame,
    movements: pl.DataFrame,
    paths: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Call the parts in `movements` and `paths` by the ids reserved for them in `splits`."""
    tables = {"movements": movements, "paths": paths}
    if rules.switches.decisions == "ignore" or splits.is_empty():
        return tables
    ids = splits.sort(key_of("splits"))["new_unit_id"]
    named = {"movements": ["unit_id", "embark_on"], "paths": ["unit_id"]}
    return {
        name: shaped(name, table.with_columns(_named(table[c], ids) for c in named[name]))
        for name, table in tables.items()
    }


def _named(column: pl.Series, ids: pl.Series) -> pl.Series:
    """Placeholders replaced: the nth split is called PLACEHOLDER + n."""
    part = column >= PLACEHOLDER
    place = pl.select(pl.when(part).then(column - PLACEHOLDER)).to_series()
    return ids.gather(place).zip_with(part.fill_null(False), column).alias(column.name)
