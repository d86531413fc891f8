"""German battle reports, one text per battle."""

from collections.abc import Iterator

import polars as pl

from transforms.catalogue import HITS
from transforms.hits.lineup import Lineup
from transforms.hits.micro import to_micro


def battle_reports(results: pl.DataFrame, lineup: Lineup) -> Iterator[tuple[int, str]]:
    """battle_id and text of every battle of the first repetition (`results`: army_results).

    Of several repetitions the text says so.
    """
    names = lineup.armies.select("army_id", "name")
    numbers = ("strength", "kk_before", "kk_after")
    told = (
        results.filter(pl.col("repeat") == 0)
        .join(names, on="army_id", maintain_order="left")
        .with_columns(pl.col(n).map_batches(to_micro, return_dtype=pl.Int64) for n in numbers)
    )
    armies: dict[int, list[dict]] = {}
    for row in told.iter_rows(named=True):
        row |= {name: decimal(row[name]) for name in numbers}
        armies.setdefault(row["battle_id"], []).append(row)
    repeats = results["repeat"].n_unique()
    for battle_id, rows in armies.items():
        lines = [HITS["title"].format(battle_id=battle_id)]
        if repeats > 1:
            lines.append(HITS["first"].format(battle_id=battle_id, n=repeats))
        lines += [HITS["army"].format(**row) for row in rows]
        lines += [HITS["flees"].format(**row) for row in rows if row["flees"]]
        lines += [HITS["lost"].format(**row) for row in rows]
        yield battle_id, "\n".join(lines) + "\n"


def decimal(millionths: int) -> str:
    """A number with a decimal comma and at most two decimals, rounded half up."""
    whole, hundredths = divmod((millionths + 5_000) // 10_000, 100)
    return f"{whole},{hundredths:02}".rstrip("0").rstrip(",") if hundredths else str(whole)
