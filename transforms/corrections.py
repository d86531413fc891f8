"""Corrections by hand: the game master's rows replace, add or remove rows of the state.

First step of load. A row of gm/<table>.csv is about the row of the state with its primary key:
is there one, its named columns change; is there none, it is added, with defaults for the rest;
with `delete` = true it goes. An empty cell is null where the column may be null, and leaves the
value as it is where not. A row of units may name its unit as people do (unit_names.py), a hex is
written as hex_id or as 207/14.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import dataframely as dy
import polars as pl
from polars.datatypes import IntegerType

from transforms.cells import BOOLEANS, PRINTABLE, UNPRINTABLE, CorrectionFile
from transforms.context import Turn
from transforms.errors import InputError, unknown
from transforms.rules import Rules
from transforms.schema import TABLES, empty, key_of, shaped
from transforms.sentences import fill
from transforms.state_checks import REFERENCES, Tables, check_state
from transforms.unit_names import UNIT_NAMES, with_unit_ids

_OLD = "old:"  # prefix of the columns as they were
_WHOLE_ROW = "*"


def edit_columns(name: str) -> tuple[str, ...]:
    """The columns that gm/<name>.csv may have."""
    named = UNIT_NAMES if name == "units" else ()
    return (*TABLES[name].columns(), *named, "delete", "reason")


@dataclass(frozen=True)
class _Edited:
    """A table after its corrections, the rows that were set (with `row`), and the log."""

    table: pl.DataFrame
    rows: pl.DataFrame
    log: pl.DataFrame


def apply(
    *,
    gm_edits: pl.DataFrame,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    realms: pl.DataFrame,
    alliances: pl.DataFrame,
    hexes: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """The corrected state, and in `corrections` every column that changed.

    Errors, with file and row: an unknown table, column or value; no reason, no key, a key twice;
    a row to delete that is not there; a new row without a value that it needs; whatever
    `check_state` finds in the state after all corrections.
    """
    state = {
        "units": units,
        "buildings": buildings,
        "realms": realms,
        "alliances": alliances,
        "hexes": hexes,
    }
    if gm_edits.is_empty():
        return {"corrections": empty("corrections"), **state}
    for name in gm_edits["table"].unique().sort():
        if name not in state:
            raise unknown(f"orders/{turn.number}/gm", "table", name, state)
    edited = {name: _edit(name, gm_edits.filter(table=name), state, turn) for name in state}
    corrected = {name: edit.table for name, edit in edited.items()}
    for name, edit in edited.items():
        _refuse_strangers(CorrectionFile(name, turn.number), edit.rows, corrected, rules)
    check_state(corrected, rules)
    log = pl.concat(edit.log for edit in edited.values())
    return {"corrections": shaped("corrections", log), **corrected}


def _edit(name: str, cells: pl.DataFrame, state: Tables, turn: Turn) -> _Edited:
    """Merge the cells of one file into its table."""
    table = state[name]
    if cells.is_empty():
        return _Edited(table, table.clear().with_columns(row=pl.lit(0)), empty("corrections"))
    file, key = CorrectionFile(name, turn.number), key_of(name)
    wide = cells.pivot(on="column", index="row", values="value").sort("row")
    if name == "units":
        wide = with_unit_ids(wide, state["units"], state["realms"], file)
    edits = _typed(file, wide)
    before = table.select(*key, pl.exclude(key).name.prefix(_OLD), known=pl.lit(True))
    both = edits.join(before, on=key, how="left", maintain_order="left").with_columns(
        pl.col("known").fill_null(False)
    )
    nowhere = both.filter(pl.col("delete") & ~pl.col("known"))
    if not nowhere.is_empty():
        row = nowhere.sort("row").row(0, named=True)
        given = ", ".join(f"{column}={row[column]}" for column in key)
        raise file.refused(row["row"], f"{given} is not there; allowed: the key of a row")
    removed = both.filter("delete").sort("row")
    if name == "hexes" and not removed.is_empty():
        raise file.refused(removed["row"][0], "the map is fixed; allowed: to change a hex")
    merged = _merged(file, both.filter(~pl.col("delete")), edits.columns, turn)
    kept = table.join(edits.select(key), on=key, how="anti")
    rows = merged.select("row", *table.columns)
    return _Edited(
        table=shaped(name, pl.concat([kept, rows.drop("row")])),
        rows=rows,
        log=_log(name, both, merged),
    )


def _typed(file: CorrectionFile, wide: pl.DataFrame) -> pl.DataFrame:
    """One row per row of the file: `row`, `delete`, `reason` and its columns in their types."""
    specs, key = TABLES[file.table].columns(), key_of(file.table)
    for column in wide.columns[1:]:
        if column not in (allowed := edit_columns(file.table)):
            raise unknown(str(file), "column", column, allowed)
    for column in (*key, "reason"):
        if column not in wide.columns:
            or_names = ", or 'unit', or 'realm' and 'number'," * (column == "unit_id")
            raise InputError(
                f"{file}: column {column!r}{or_names} is missing; needed: {', '.join(key)}, reason"
            )
        nothing = wide.filter(pl.col(column).is_null())
        if not nothing.is_empty():
            raise file.refused(nothing["row"][0], f"is empty; allowed: any {column}", column)
    typed = [_values(file, wide, column, specs[column]) for column in specs if column in wide]
    edits = wide.select("row", "reason", _deletions(file, wide), *typed)
    twice = edits.filter(pl.struct(key).is_duplicated())
    if not twice.is_empty():
        numbers = " and ".join(map(str, twice.join(twice.head(1), on=key, how="semi")["row"]))
        raise InputError(f"{file}: rows {numbers} have the same key; allowed: one row")
    return edits


def _deletions(file: CorrectionFile, wide: pl.DataFrame) -> pl.Series:
    if "delete" not in wide.columns:
        return pl.repeat(False, wide.height, eager=True).alias("delete")
    text = wide["delete"].fill_null("false")
    for row, value in zip(wide["row"], text, strict=True):
        if value.lower() not in BOOLEANS:
            raise file.refused(row, f"{value!r}; allowed: true, false or nothing", "delete")
    return text.str.to_lowercase().replace_strict(BOOLEANS, return_dtype=pl.Boolean)


def _values(file: CorrectionFile, wide: pl.DataFrame, column: str, spec: dy.Column) -> pl.Series:
    """The cells of a column in its type. Errors: one that does not fit the type or the range."""
    text = wide[column]
    strange = wide.filter(pl.col(column).str.contains(UNPRINTABLE))
    if not strange.is_empty():
        what = f"{strange[column][0]!r}; allowed: {PRINTABLE}"
        raise file.refused(strange["row"][0], what, column)
    is_float, is_hex = spec.dtype.is_float(), column.endswith("hex_id")
    written = text.str.replace(",", ".") if is_float else _hex_digits(text) if is_hex else text
    value = written.cast(spec.dtype, strict=False)
    bad = value.is_null()
    if is_float:
        bad |= ~value.is_finite()
    lowest, highest = _range(spec)
    if lowest is not None:
        bad |= value < lowest
    if highest is not None:
        bad |= value > highest
    first = (bad & text.is_not_null()).arg_max()
    if first is not None and bad[first] and text[first] is not None:
        limits = ("" if lowest is None else f", at least {lowest}") + (
            "" if highest is None else f", at most {highest}"
        )
        limits += ", or a hex as 207/14" * is_hex
        allowed = f"{text[first]!r}; allowed: a number{limits}"
        raise file.refused(wide["row"][first], allowed, column)
    return value


def _hex_digits(text: pl.Series) -> pl.Series:
    """Großfeld/Kleinfeld, as reports name a hex, as the digits of its hex_id; other text stays."""
    padded = text.str.replace(r"^(\d+)\s*/\s*(\d)$", "${1}/0${2}")
    return padded.str.replace(r"^(\d+)\s*/\s*(\d\d)$", "${1}${2}")


def _range(spec: dy.Column) -> tuple[Any, Any]:
    """Lowest and highest value of a column, None = no limit of the registry."""
    lowest = getattr(spec, "min", None)
    if lowest is None and spec.dtype.is_unsigned_integer():
        lowest = 0
    highest = getattr(spec, "max", None)
    if highest is None and isinstance(spec.dtype, IntegerType):
        highest = pl.select(spec.dtype.max()).item()
    return lowest, highest


def _merged(
    file: CorrectionFile, both: pl.DataFrame, given: Iterable[str], turn: Turn
) -> pl.DataFrame:
    """`both` with every column of the table as it is after the correction."""
    specs, key, given = TABLES[file.table].columns(), key_of(file.table), set(given)
    columns = []
    for column, spec in specs.items():
        if column in key:
            continue
        old, default = pl.col(f"{_OLD}{column}"), _default(column, spec, turn)
        if column not in given:
            value = pl.coalesce(old, default)
        elif spec.nullable:
            value = pl.col(column)
        else:
            value = pl.coalesce(column, old, default)
        columns.append(value.cast(spec.dtype).alias(column))
    merged = both.with_columns(columns)
    for column, spec in specs.items():
        lacking = merged.filter(pl.col(column).is_null())
        if not spec.nullable and not lacking.is_empty():
            row = lacking["row"][0]
            raise file.refused(row, f"a new row needs {column}; allowed: any {column}")
    _refuse_broken_rules(file, merged)
    return merged


def _default(column: str, spec: dy.Column, turn: Turn) -> pl.Expr:
    """What a new row has where nothing is written: `last_ashore` is today, else the registry's."""
    value = turn.today if column == "last_ashore" else (spec.metadata or {}).get("default")
    return pl.lit(value, spec.dtype)


def _refuse_broken_rules(file: CorrectionFile, merged: pl.DataFrame) -> None:
    """The rules of the schema on single rows; those on whole tables are seen by `check_state`."""
    table = TABLES[file.table]
    _, failure = table.filter(merged.select(table.columns().keys()))
    if len(failure):
        rule = max(failure.counts(), key=failure.counts().__getitem__)
        row = merged.join(failure.invalid(), on=key_of(file.table), how="semi")["row"][0]
        raise file.refused(row, f"the rule {rule!r} is broken")


def _refuse_strangers(
    file: CorrectionFile, rows: pl.DataFrame, state: Tables, rules: Rules
) -> None:
    for reference in REFERENCES:
        if reference.table == file.table:
            strangers = reference.strangers(rows, state, rules).sort("row")
            if not strangers.is_empty():
                value = strangers[reference.column][0]
                sentence = reference.sentence(value, state, rules)
                raise file.refused(strangers["row"][0], sentence, reference.column)


def _log(name: str, both: pl.DataFrame, merged: pl.DataFrame) -> pl.DataFrame:
    """Rows of `corrections`: one per changed column; a row that came or went is one row."""
    key = key_of(name)
    before = {c: pl.col(c if c in key else f"{_OLD}{c}") for c in TABLES[name].columns()}
    after = {c: pl.col(c) for c in before}
    nothing = pl.lit(None, pl.String)
    known = pl.col("known")

    def entries(rows: pl.DataFrame, column: str, old: pl.Expr, new: pl.Expr) -> pl.DataFrame:
        return rows.select(
            "reason",
            table=pl.lit(name),
            key=pl.concat_str(pl.col(key).cast(pl.String), separator="/"),
            column=pl.lit(column),
            old=old.cast(pl.String),
            new=new.cast(pl.String),
        )

    gone = entries(both.filter("delete"), _WHOLE_ROW, _row_text(before), nothing)
    come = entries(merged.filter(~known), _WHOLE_ROW, nothing, _row_text(after))
    changed = (
        entries(merged.filter(known & after[c].ne_missing(before[c])), c, before[c], after[c])
        for c in before
    )
    return shaped("corrections", pl.concat([gone, come, *changed]))


def _row_text(columns: Mapping[str, pl.Expr]) -> pl.Expr:
    """`column=value, …` of all columns that are not null."""
    texts = [fill(name + "={value}", value=column) for name, column in columns.items()]
    return pl.concat_str(texts, separator=", ", ignore_nulls=True)
