"""Sentences of the catalogue as column expressions, and message rows made of them."""

from collections.abc import Iterable, Mapping, Sequence
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
    return _filled([(pl.lit(text), name) for text, name in _pieces(template)], columns)


def sentence(kind: str, *, n: pl.Expr | None = None, **columns: pl.Expr) -> pl.Expr:
    """The report's sentence `kind`; of a pair (singular, plural) the one that fits `n`."""
    template = REPORT[kind]
    if isinstance(template, str):
        return fill(template, **columns) if n is None else fill(template, n=n, **columns)
    if n is None:
        raise TypeError(f"the sentence {kind!r} needs its number n")
    both = zip(*map(_pieces, template), strict=True)
    words = [(_one_or_many(n, one, many), name) for (one, name), (many, _) in both]
    return _filled(words, {"n": n, **columns})


def _one_or_many(n: pl.Expr, one: str, many: str) -> pl.Expr:
    """Only what differs is chosen row by row, not one of two whole texts."""
    if one == many:
        return pl.lit(one)
    return pl.when(n == 1).then(pl.lit(one)).otherwise(pl.lit(many))


def _pieces(template: str) -> list[tuple[str, str | None]]:
    """The texts of a template, each with the name of the column that follows it."""
    return [(text, name) for text, name, _, _ in Formatter().parse(template)]


def _filled(
    pieces: Iterable[tuple[pl.Expr, str | None]], columns: Mapping[str, pl.Expr]
) -> pl.Expr:
    texts = []
    for text, name in pieces:
        texts += [text] if name is None else [text, columns[name].cast(pl.String)]
    return pl.concat_str(texts)


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
        order=_packed(section, group, pl.col(order), part),
    ).with_columns(
        pl.col("unit_id", "building_id", "hex_id").cast(pl.UInt32), pl.col("amount").cast(pl.Int64)
    )


def _packed(section: str, group: int, order: pl.Expr, part: int) -> pl.Expr:
    """Where a line stands in the world's reports as one number: sorts far faster than five."""
    head = SECTION_ORDER.categories.to_list().index(section) * 16 + group
    return (
        pl.col("realm_id").cast(pl.UInt64) * 2**48
        + (head * 2**40 + part)
        + order.cast(pl.UInt64) * 2**4
    )


def numbered(*parts: pl.LazyFrame) -> pl.DataFrame:
    """The table `messages` of the rows of `lines`: `seq` from 1 per realm and section."""
    rows = pl.concat(parts).collect().sort("order")
    seq = place_in_run(pl.col("order") // 2**44) + 1
    return shaped("messages", rows.with_columns(seq=seq).drop("order"))


def place_in_run(value: pl.Expr) -> pl.Expr:
    """0, 1, 2, … along each run of equal values; far faster than a window over them."""
    row = pl.int_range(pl.len(), dtype=pl.UInt32)
    return row - pl.when(value.ne_missing(value.shift())).then(row).forward_fill()


def names_of(
    realms: pl.DataFrame, template: str, columns: Sequence[str] = ("name", "code")
) -> Mapping[int, str]:
    """realm_id → the first of `columns` that is given, else `template` with the realm_id."""
    nameless = fill(template, realm_id=pl.col("realm_id"))
    return dict(realms.select("realm_id", pl.coalesce(*columns, nameless)).iter_rows())
