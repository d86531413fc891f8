"""What a word of an order means: names, abbreviations and aliases → provinces and coasts.

An exact name goes before an alias, an alias before a name with several meanings; the unit that
is ordered, where it can stand and what it can reach narrow the choice (design: never by what
the player does not see).
"""

import polars as pl

from transforms.diplomacy.board import UNIT_TYPE, Board
from transforms.diplomacy.notation import folded
from transforms.schema.ghost_tables import COASTS

COAST = pl.Enum(COASTS)
EXACT, ALIAS, AMBIGUOUS = 0, 1, 2
_GLUED = {"NC": ["n", "nc", "nk"], "SC": ["s", "sc", "sk"]}
_GLUED |= {"EC": ["e", "o", "ec", "ek", "ok"], "WC": ["w", "wc", "wk"]}


def name_table(board: Board) -> pl.DataFrame:
    """word · province · coast? · rank: everything that a folded word may mean."""
    no_coast = pl.lit(None, COAST)
    exact = [
        board.provinces.select(folded(pl.col(column)).alias("word"), "province", coast=no_coast)
        for column in ("province", "abbr", "en", "de")
    ]
    glued = board.coasts.join(board.provinces.select("province", "abbr"), on="province").join(
        pl.DataFrame(
            [(coast, mark) for coast, marks in _GLUED.items() for mark in marks],
            schema={"coast": COAST, "mark": pl.String},
            orient="row",
        ),
        on="coast",
    )
    aliases = [
        board.aliases.select(folded(pl.col("alias")).alias("word"), "province", "coast"),
        *(
            glued.select(
                (folded(pl.col(column)) + pl.col("mark")).alias("word"), "province", "coast"
            )
            for column in ("province", "abbr")
        ),
    ]
    ambiguous = board.ambiguous.select(
        folded(pl.col("alias")).alias("word"), "province", coast=no_coast
    )
    ranked = pl.concat(
        pl.concat(tables).with_columns(rank=pl.lit(rank, pl.UInt8))
        for tables, rank in ((exact, EXACT), (aliases, ALIAS), ([ambiguous], AMBIGUOUS))
    )
    best = ranked.sort("rank").unique(["word", "province"], keep="first", maintain_order=True)
    return best.join(board.provinces.select("province", place_kind="kind"), on="province")


def resolve(board: Board, lines: pl.DataFrame, standing: pl.DataFrame) -> pl.DataFrame:
    """The lines with the places that their words mean, and with the unit that stands there.

    lines: phase_id · nation · row · the parts of notation.parse (letters and coasts as Enum);
    standing: phase_id · nation · province · unit_type · coast, the units a nation may order.
    Adds unit_type? · province? · unit_coast? · of_province? · target? · target_coast?; own_type?,
    of_own_type?, of_own_coast? where an own unit stands; other_coast?, the coast that the player
    named for the other unit; choice?, the abbreviations among which a word does not decide.
    """
    names = name_table(board)
    own = standing.rename({"unit_type": "own_type", "coast": "own_coast"})
    meant = _meaning(
        _meaning(_meaning(lines, names, "place"), names, "of_place"), names, "to_place"
    )
    meant = meant.join(
        own,
        left_on=["phase_id", "nation", "place_province"],
        right_on=["phase_id", "nation", "province"],
        how="left",
    ).join(
        own.select(
            "phase_id",
            "nation",
            of_province="province",
            of_own_type="own_type",
            of_own_coast="own_coast",
        ),
        left_on=["phase_id", "nation", "of_place_province"],
        right_on=["phase_id", "nation", "of_province"],
        how="left",
    )
    meant = _with_penalty(board, meant)
    least = meant.filter(pl.col("penalty") == pl.col("penalty").min().over("row"))
    read = least.select(
        *lines.columns,
        "own_type",
        "of_own_type",
        "of_own_coast",
        unit_type=pl.coalesce("own_type", "letter"),
        province="place_province",
        unit_coast=pl.when(pl.col("own_type").is_not_null())
        .then("own_coast")
        .otherwise(pl.coalesce("coast", "place_coast")),
        of_province="of_place_province",
        target="to_place_province",
        other_coast=pl.coalesce("of_coast", "of_place_coast"),
        target_coast=pl.coalesce("to_coast", "to_place_coast"),
    ).unique(["row", "province", "of_province", "target"], keep="first", maintain_order=True)
    return _with_choice(board, read).sort("row")


def _meaning(lines: pl.DataFrame, names: pl.DataFrame, word: str) -> pl.DataFrame:
    """Every line once for each meaning of one of its words."""
    meanings = names.rename({c: f"{word}_{c}" for c in names.columns if c != "word"})
    return lines.join(meanings, left_on=word, right_on="word", how="left")


def _with_penalty(board: Board, meant: pl.DataFrame) -> pl.DataFrame:
    """`penalty`: how badly a meaning fits; the first of the digits weighs most."""
    kind, mover = pl.col("kind"), pl.coalesce("own_type", "letter")
    carried = kind.is_in(["support", "convoy"])  # the target is another unit's
    other = pl.coalesce("of_own_type", "of_letter")
    known = pl.when(~_misfit("of_place", other)).then(other)  # a wrong letter tells nothing
    goer = pl.when(kind == "convoy").then(pl.lit("A", UNIT_TYPE)).when(carried).then(known)
    named = meant.with_columns(
        mover=mover,
        other=other,
        goer=goer.otherwise(mover),
        origin=pl.when(carried).then("of_place_province").otherwise("place_province"),
        aim=pl.coalesce("to_place_province", "of_place_province"),
    )
    steps = board.reach.with_columns(near=pl.lit(True))
    linked = named.join(
        steps,
        left_on=["mover", "place_province", "own_coast", "aim"],
        right_on=["unit_type", "province", "coast", "target"],
        how="left",
        nulls_equal=True,
    ).join(
        _links(board),
        left_on=["origin", "to_place_province"],
        right_on=["province", "target"],
        how="left",
    )
    digits = [
        ((kind != "build") & pl.col("own_type").is_null(), 2),
        (_misfit("place", pl.coalesce("letter", "own_type")), 2),
        (pl.col("place_rank").fill_null(EXACT), 3),
        (_misfit("of_place", pl.col("other")), 2),
        (pl.col("of_place_rank").fill_null(EXACT), 3),
        (_misfit("to_place", pl.col("goer")), 2),
        (pl.col("to_place_rank").fill_null(EXACT), 3),
        ((kind != "convoy") & pl.col("aim").is_not_null() & pl.col("near").is_null(), 2),
        (pl.col("to_place").is_not_null() * pl.col("link").fill_null(2), 3),
    ]
    penalty = pl.lit(0, pl.UInt32)
    for digit, size in digits:
        penalty = penalty * size + digit.cast(pl.UInt32).fill_null(0)
    return linked.with_columns(penalty=penalty)


def _links(board: Board) -> pl.DataFrame:
    """province · target · link: 0 = they border on each other, 1 = the sea connects them."""
    return (
        pl.concat(
            [
                board.neighbours.select("province", target="neighbour", link=pl.lit(0, pl.UInt8)),
                board.passages.with_columns(link=pl.lit(1, pl.UInt8)),
            ]
        )
        .group_by("province", "target")
        .agg(pl.col("link").min())
    )


def _misfit(word: str, unit_type: pl.Expr) -> pl.Expr:
    """Can a unit of this type not stand there at all?"""
    kind = pl.col(f"{word}_place_kind")
    army_at_sea = (unit_type == "A") & (kind == "sea")
    fleet_inland = (unit_type == "F") & (kind == "inland")
    return (army_at_sea | fleet_inland).fill_null(False)


def _with_choice(board: Board, read: pl.DataFrame) -> pl.DataFrame:
    """One row per line; `choice` names the meanings between which nothing decides."""
    abbr = dict(board.provinces.select("province", "abbr").iter_rows())
    found = read.group_by("row").agg(
        pl.col("province", "of_province", "target").drop_nulls().unique()
    )
    several = pl.coalesce(
        pl.when(pl.col(word).list.len() > 1).then(
            pl.col(word)
            .list.eval(pl.element().replace_strict(abbr, return_dtype=pl.String).sort())
            .list.join(" oder ")
        )
        for word in ("province", "of_province", "target")
    )
    choice = found.select("row", choice=several)
    return read.unique("row", keep="first", maintain_order=True).join(choice, on="row", how="left")
