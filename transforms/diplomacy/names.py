"""What a word of an order means: names, abbreviations and aliases → provinces and coasts.

An exact name goes before an alias, an alias before a name with several meanings; the unit that
is ordered, where it can stand and what it can reach narrow the choice (design: never by what
the player does not see).
"""

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import pairwise

import polars as pl

from transforms.diplomacy.board import UNIT_TYPE, Board
from transforms.diplomacy.columns import looked_up
from transforms.diplomacy.notation import folded
from transforms.schema.ghost_tables import COASTS

COAST = pl.Enum(COASTS)
EXACT, ALIAS, AMBIGUOUS = 0, 1, 2
_LIKE = 0.6  # of 1, as in transforms/errors.py
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
    best = ranked.sort("rank", "coast").unique(["word", "province"], maintain_order=True)
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
    others = own.rename({"own_type": "of_own_type", "own_coast": "of_own_coast"})
    whose = {"phase_id": "phase_id", "nation": "nation"}
    meant = lines
    for word in ("place", "of_place", "to_place"):
        meant = _meaning(meant, names, word)
    meant = looked_up(meant, own, **whose, province="place_province")
    meant = looked_up(meant, others, **whose, province="of_place_province")
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
    )
    return _with_choice(board, read.sort("row", "province", "of_province", "target"))


def nearest_places(board: Board, words: pl.Series) -> pl.DataFrame:
    """word · province: of folded words that name nothing, the one province that is nearest.

    A word without a row is like none, or like several. Only the names of the map decide.
    """
    known = name_table(board).select("word", "province").unique().sort("word", "province").rows()
    found = []
    for word in words.unique().sort():
        likeness = _likeness(word, known)
        best = max(likeness.values(), default=_LIKE)
        nearest = [province for province, like in likeness.items() if like == best > _LIKE]
        if len(nearest) == 1:
            found.append((word, nearest[0]))
    return pl.DataFrame(found, {"word": pl.String, "province": pl.String}, orient="row")


def _likeness(word: str, known: Iterable[tuple[str, str]]) -> dict[str, float]:
    """province → how like the word is to its name that is nearest, if more than `_LIKE`.

    Two neighbouring letters that were swapped count as one letter too many, not as two.
    """
    matcher = SequenceMatcher(b=word)
    likely = []  # the quick ratios do not look at the order of the letters
    for name, province in known:
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() >= _LIKE and matcher.quick_ratio() >= _LIKE:
            likely.append((name, province))
    likeness: dict[str, float] = {}
    for written in (word, *_swapped(word)) if likely else ():
        matcher.set_seq2(written)
        for name, province in likely:
            matcher.set_seq1(name)
            like = matcher.ratio() - (written != word) / (len(name) + len(word))
            likeness[province] = max(like, likeness.get(province, _LIKE))
    return likeness


def _swapped(word: str) -> Iterator[str]:
    """The word with two neighbouring letters swapped, every pair once."""
    for i, (one, other) in enumerate(pairwise(word)):
        if one != other:
            yield word[:i] + other + one + word[i + 2 :]


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
    linked = looked_up(
        named,
        board.reach.with_columns(near=pl.lit(True)),
        unit_type="mover",
        province="place_province",
        coast="own_coast",
        target="aim",
    )
    linked = looked_up(linked, _links(board), province="origin", target="to_place_province")
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
    places = ["province", "of_province", "target"]
    abbr = pl.col(places).replace_strict(
        board.provinces["province"], board.provinces["abbr"], return_dtype=pl.String
    )
    several = read.filter(pl.col("row").is_duplicated()).select("row", abbr)
    named = several.group_by("row").agg(pl.col(places).drop_nulls().unique().sort())
    choices = named.select(
        "row",
        choice=pl.coalesce(
            pl.when(pl.col(place).list.len() > 1).then(pl.col(place).list.join(" oder "))
            for place in places
        ),
    )
    return looked_up(read.unique("row", keep="first", maintain_order=True), choices, row="row")
