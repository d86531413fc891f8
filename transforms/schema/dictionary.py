"""The data dictionary: docs/data-dictionary.md, generated from the registry.

`python -m transforms.schema.dictionary` prints it; a test keeps the committed page up to date.
"""

from inspect import cleandoc

import dataframely as dy
import polars as pl

from transforms import schema

_HEAD = """\
# Data dictionary

Generated from `transforms/schema` with `python -m transforms.schema.dictionary`; do not edit.
A turn in `history/turn=NNNN/` holds every table of *State* and *Turn* as Parquet, sorted by key.
**Bold** = primary key; `?` = may be null; `=x` = default where a column is missing.
"""
_GROUPS = {
    "State: the world after a turn": schema.STATE,
    "Map: fixed for a game": schema.MAP,
    "Rules: CSV files of a rule set": schema.RULES,
    "Turn: what was ordered and what happened": schema.TURN,
    "Battles: files of `zugwerk battles`": schema.HITS,
    "Ghost-Diplomacy": schema.GHOST,
    "Duels: fights, how they ended, what happened": schema.DUEL,
}


def data_dictionary() -> str:
    """Every table with its grain, and every column with type, key and description (Markdown)."""
    parts = [_HEAD]
    for title, tables in _GROUPS.items():
        parts.append(f"## {title}\n")
        parts += [_table(name, table) for name, table in tables.items()]
    return "\n".join(parts)


def _table(name: str, table: type[dy.Schema]) -> str:
    rows = [_row(column, spec) for column, spec in table.columns().items()]
    grain = cleandoc(table.__doc__ or "")
    return (
        "\n".join(
            [
                f"### `{name}`\n",
                f"{grain}\n",
                "| column | type | meaning |",
                "| --- | --- | --- |",
                *rows,
            ]
        )
        + "\n"
    )


def _row(column: str, spec: dy.Column) -> str:
    name = f"**{column}**" if spec.primary_key else column
    default = (spec.metadata or {}).get("default")
    kind = _type(spec.dtype) + ("?" if spec.nullable else "")
    kind += f" ={default}".lower() if default is not None else ""
    return f"| {name} | {kind} | {spec.description or ''} |"


def _type(dtype: pl.DataType) -> str:
    if isinstance(dtype, pl.Enum):
        return " · ".join(dtype.categories)
    return str(dtype).lower()


if __name__ == "__main__":
    print(data_dictionary(), end="")
