"""Sentences of the catalogue as column expressions, and message rows made of them."""

from collections.abc import Mapping
from string import Formatter

import polars as pl

from transforms.catalogue import REPORT
from transforms.rules import Rules
from transforms.schema import SECTION_ORDER, shaped

_OPTIONAL = ("unit_id", "building_id", "hex_id", "amount")


def fill(template: str, **columns: pl.Expr) -> pl.Expr:
    """`template` with each `{name}` replaced by the column of that name (String).

    Not `pl.format`: in Polars 2.1 its streaming form panics on a batch with an empty chunk.
    """
    pieces = []
    for text, name, _, _ in Formatter().parse(template):
        pieces += [pl.lit(text)] if text else []
        pieces += [columns[name].cast(pl.String)] if name is not None else []
    return pl.concat_str(pieces)


def sentence(kind: str, *, n: pl.Expr | None = None, **columns: pl.Expr) -> pl.Expr:
    """The report's sentence `kind`; of a pair (singular, plural) the one that fits `n`."""
    template = REPORT[kind]
    if isinstance(template, str):
        return fill(template, **columns) if n is None else fill(template, n=n, **columns)
    if n is None:
        raise TypeError(f"the sentence {kind!r} needs its number n")
    one, many = (fill(text, n=n, **columns) for text in template)
    return pl.when(n == 1).then(one).otherwise(many)


def type_text(n: pl.Expr, rules: Rules) -> pl.Expr:
    """Name of the column `unit_type`, singular for 1, else plural."""
    types = rules.unit_types
    plural = pl.col("unit_type").replace_strict(
        types["name"], types["name_plural"], return_dtype=pl.String
    )
    return pl.when(n == 1).then(pl.col("unit_type")).otherwise(plural)


def place(hex_id: pl.Expr) -> pl.Expr:
    """`<gf>/<kf>` of a hex_id."""
    return fill("{gf}/{kf}", gf=hex_id // 100, kf=hex_id % 100)


def lines(
    frame: pl.LazyFrame,
    section: str,
    kind: str,
    text: pl.Expr,
    *,
    order: str = "number",
    group: int = 0,
    part: int = 0,
) -> pl.LazyFrame:
    """Unnumbered message rows of one kind.

    `frame` has `realm_id` and the column `order`; `unit_id`, `building_id`, `hex_id` and
    `amount` are taken along where it has them. Within a section lines stand by group, then by
    `order`, then by part.
    """
    here = frame.collect_schema().names()
    return frame.select(
        "realm_id",
        section=pl.lit(section, SECTION_ORDER),
        kind=pl.lit(kind),
        **{c: pl.col(c) if c in here else pl.lit(None) for c in _OPTIONAL},
        text=text,
        group=pl.lit(group, pl.UInt8),
        order=pl.col(order).cast(pl.UInt32),
        part=pl.lit(part, pl.UInt8),
    ).with_columns(
        pl.col("unit_id", "building_id", "hex_id").cast(pl.UInt32), pl.col("amount").cast(pl.Int64)
    )


def numbered(*parts: pl.LazyFrame) -> pl.DataFrame:
    """The table `messages` of the rows of `lines`: `seq` from 1 per realm and section."""
    rows = pl.concat(parts).sort("realm_id", "section", "group", "order", "part").collect()
    seq = pl.int_range(1, pl.len() + 1, dtype=pl.UInt32).over("realm_id", "section")
    return shaped("messages", rows.with_columns(seq=seq).drop("group", "order", "part"))


def section_rows(frame: pl.LazyFrame, section: str, kind: str, text: pl.Expr) -> pl.DataFrame:
    """The table `messages` of one kind of line, by unit number."""
    return numbered(lines(frame, section, kind, text))


def names_of(realms: pl.DataFrame, template: str) -> Mapping[int, str]:
    """realm_id → name, else code, else `template` filled with the realm_id."""
    named = realms.select(
        "realm_id",
        text=pl.coalesce("name", "code", fill(template, realm_id=pl.col("realm_id"))),
    )
    return dict(named.iter_rows())
