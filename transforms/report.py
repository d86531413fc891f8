"""Text reports: message rows in, one text per realm out (source 1, section 9)."""

from collections.abc import Mapping

import polars as pl

from transforms.catalogue import OVERVIEW, REPORT
from transforms.dice import unit_entity
from transforms.rules import Rules
from transforms.schema import SECTION_ORDER
from transforms.sentences import fill, names_of, place, sentence

_SECTIONS = SECTION_ORDER.categories.to_list()
_HEAD, _OVERVIEW, _FINANCES = 0, len(_SECTIONS) + 1, len(_SECTIONS) + 2


def report_texts(
    *,
    realms: pl.DataFrame,
    messages: pl.DataFrame,
    battle_units: pl.DataFrame,
    units: pl.DataFrame,
    fallen: pl.DataFrame,
    told_battles: pl.DataFrame,
) -> pl.DataFrame:
    """One row per realm that has a name and a code: realm_id, code, text (with final newline).

    The tables are those of one turn of the history, and `battle_texts` of it; `units` and `fallen`
    together are all units of the turn. Order and wording are part of the interface, see
    docs/rules.md.
    """
    readers = realms.filter(pl.col("name").is_not_null() & pl.col("code").is_not_null()).lazy()
    told = (  # messages come sorted by key: a section is joined as it stands
        messages.lazy()
        .group_by("realm_id", "section", maintain_order=True)
        .agg(pl.col("text").str.join("\n"))
        .select(
            "realm_id",
            block=pl.col("section").to_physical().cast(pl.UInt32) + 1,
            seq=pl.lit(3, pl.UInt32),
            text="text",
        )
    )
    fought = _fighters(battle_units, units, fallen).select("realm_id", "hex_id", "round").unique()
    parts = [_frame_lines(readers), told, _overview_block(told_battles, fought)]
    return (
        pl.concat(parts, how="vertical_relaxed")
        .join(readers.select("realm_id", "code"), on="realm_id")
        .sort("realm_id", "block", "seq")
        .group_by("realm_id", "code", maintain_order=True)
        .agg(pl.col("text").str.join("\n"))
        .collect()
    )


def _frame_lines(readers: pl.LazyFrame) -> pl.LazyFrame:
    """Everything that stands in every report: head, section titles, finances."""
    ruler, capital = (
        pl.when(pl.col(c).fill_null("").str.strip_chars() == "")
        .then(pl.lit(REPORT["unknown"]))
        .otherwise(pl.col(c))
        for c in ("ruler", "capital")
    )
    realm = pl.col("name")
    fixed: list[tuple[int, int, pl.Expr]] = [
        (_HEAD, 1, sentence("greeting", ruler=ruler, realm=realm)),
        (_HEAD, 2, sentence("realm", realm=realm)),
        (_HEAD, 3, sentence("capital", capital=capital)),
        (_FINANCES, 1, pl.lit("")),
        (_FINANCES, 2, sentence("finances")),
        (_FINANCES, 3, sentence("treasury", realm=realm, treasury=pl.col("treasury"))),
        (_FINANCES, 4, pl.lit("")),  # the final newline
    ]
    for block, section in enumerate(_SECTIONS, start=1):
        fixed += [(block, 1, pl.lit("")), (block, 2, sentence(f"section_{section}"))]
    return pl.concat([_line(readers, block, seq, text) for block, seq, text in fixed])


def _line(readers: pl.LazyFrame, block: int, seq: int, text: pl.Expr) -> pl.LazyFrame:
    return readers.select(
        "realm_id",
        block=pl.lit(block, pl.UInt32),
        seq=pl.lit(seq, pl.UInt32),
        text=text,
    )


def _overview_block(told_battles: pl.DataFrame, fought: pl.LazyFrame) -> pl.LazyFrame:
    """The block `Überblick` of every realm that fought: all its battles, all their parties.

    `fought`: realm_id, hex_id, round.
    """
    body = (
        fought.join(told_battles.lazy(), on=["hex_id", "round"])
        .sort("realm_id", "hex_id", "round")
        .group_by("realm_id", maintain_order=True)
        .agg(pl.col("text").str.join("\n"))
    )
    readers = fought.select("realm_id").unique()
    return pl.concat(
        [
            _line(readers, _OVERVIEW, 1, pl.lit("")),
            _line(readers, _OVERVIEW, 2, pl.lit(OVERVIEW["title"])),
            _line(body, _OVERVIEW, 3, pl.col("text")),
        ]
    )


def battle_texts(
    *,
    realms: pl.DataFrame,
    battles: pl.DataFrame,
    battle_units: pl.DataFrame,
    units: pl.DataFrame,
    fallen: pl.DataFrame,
    rules: Rules,
) -> pl.DataFrame:
    """One row per battle, as every party and the game master read of it: hex_id, round, text.

    A title, then a line per party, then a line per captive. Damage shares and overrunning are no
    part of the combat model hits (docs/hits.md): there a line says what a party lost.
    """
    names = names_of(realms, OVERVIEW["nameless"])
    fighters = _fighters(battle_units, units, fallen)
    titles = battles.lazy().select("hex_id", "round").unique()
    title = fill(OVERVIEW["battle"], place=place(pl.col("hex_id")))
    later = fill(OVERVIEW["later_round"], round=pl.col("round"))
    lines = [
        titles.with_columns(
            part=pl.lit(0, pl.UInt64), text=title + _where(pl.col("round") > 1, later)
        ),
        _party_lines(battles, fighters, names, rules),
        _captive_lines(fighters, names),
    ]
    return (
        pl.concat(lines)
        .sort("hex_id", "round", "part")
        .group_by("hex_id", "round", maintain_order=True)
        .agg("text")
        .with_columns(pl.col("text").list.join("\n"))
        .collect()
    )


def _fighters(
    battle_units: pl.DataFrame, units: pl.DataFrame, fallen: pl.DataFrame
) -> pl.LazyFrame:
    who = pl.concat([units, fallen]).lazy().select("unit_id", "realm_id", "number")
    return battle_units.lazy().join(who, on="unit_id")


def _realm(names: Mapping[int, str]) -> pl.Expr:
    return pl.col("realm_id").replace_strict(names, return_dtype=pl.String)


def _party_lines(
    battles: pl.DataFrame, fighters: pl.LazyFrame, names: Mapping[int, str], rules: Rules
) -> pl.LazyFrame:
    by_hits = "_hits" * (rules.switches.combat_model == "hits")
    key = ["hex_id", "round", "party"]
    sides = (
        fighters.group_by(*key, "realm_id")
        .agg(pl.col("losses", "troops_before").sum())
        .sort(*key, "realm_id")
        .with_columns(realm=_realm(names))
        .group_by(key, maintain_order=True)
        .agg("realm", pl.col("losses", "troops_before").sum())
        .with_columns(pl.col("realm").list.join(", "))
    )
    told = fill(
        OVERVIEW["party" + by_hits],
        realms=pl.col("realm"),
        strength=two_decimals(pl.col("strength")),
        share=two_decimals(pl.col("share")),
        losses=pl.col("losses"),
        troops_before=pl.col("troops_before"),
    )
    absorbed = fill(OVERVIEW["absorbed"], absorbed=two_decimals(pl.col("absorbed")))
    return (
        battles.lazy()
        .join(sides, on=key)
        .select(
            "hex_id",
            "round",
            part=pl.col("party").cast(pl.UInt64) + 1,
            text=told
            + _where(pl.col("absorbed") > 0, absorbed)
            + _where(pl.col("overrun"), pl.lit(OVERVIEW["overrun" + by_hits])),
        )
    )


def _captive_lines(fighters: pl.LazyFrame, names: Mapping[int, str]) -> pl.LazyFrame:
    """After the parties: captives by (realm_id, number)."""
    after_parties = 2**32
    return fighters.filter("captured").select(
        "hex_id",
        "round",
        part=unit_entity() + after_parties,
        text=fill(OVERVIEW["captured"], number=pl.col("number"), realm=_realm(names)),
    )


def _where(condition: pl.Expr, text: pl.Expr) -> pl.Expr:
    return pl.when(condition).then(text).otherwise(pl.lit(""))


def two_decimals(value: pl.Expr) -> pl.Expr:
    """A number ≥ 0 with two decimals, half up, and a decimal comma (String)."""
    hundredths = (value * 100 + 0.5).floor().cast(pl.Int128)  # strengths pass 64 bits
    decimals = (hundredths % 100).cast(pl.String).str.zfill(2)
    return fill("{whole},{decimals}", whole=hundredths // 100, decimals=decimals)
