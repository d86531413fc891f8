"""One line of text → its parts: which unit, what it shall do, to whom, where to.

The grammar knows no name of a map except those that are written with blanks or dashes; what a
word means is decided in names.py. German and English, long and short, in any case.
"""

import re

import polars as pl

from transforms.diplomacy.board import Board

_PARTS = [
    "letter",
    "place",
    "coast",
    "of_nation",
    "of_letter",
    "of_place",
    "of_coast",
    "to_place",
    "to_coast",
]
_FOLDED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}
_DASHES = ["-->", "->", "=>", "–", "—", "−", "‐", "‑", "→", "⇒", "➔", "➜"]
_VIA = r"\(?\b(?:via|per|mit|by)(?: (?:convoy|konvoi))?\b\)?"
_COAST_WORD = r"\b(north|nord|south|sued|east|ost|west)(?:ern)?[ -]?(?:coast|kueste)\b"
_COAST_LETTERS = {"nc": "n|nc|nk|north|nord", "sc": "s|sc|sk|south|sued"}
_COAST_LETTERS |= {"ec": "e|o|ec|ek|ok|east|ost", "wc": "w|wc|wk|west"}

# words of players → the one word of the grammar; a word that is a name on the map stays one
_WORDS = {
    "a": "armee army",
    "f": "flotte fleet",
    "h": "hold holds hld halt haelt halten xxx steht stehen stand stands bleibt",
    "s": "u sup support supports unterstuetzt unterstuetze unterstuetzung stuetzt",
    "c": "k con conv convoy convoys konvoi konvoiert konvoyiert befoerdert transportiert",
    "r": "retreat retreats rueckzug weicht",
    "b": "build builds baut baue bau aufbau neubau",
    "d": "disband disbands remove removes destroy aufgeloest aufloesen aufloesung abbau",
    "ex": "vernichtet",
    "-": "nach to move moves zieht geht",
    "from": "von aus",
    "": "in des der die das the",
}
_WAIVE = r"^(?:/|-|waive|verzicht|verzichtet|kein aufbau|keine aufbauten|nichts)$"

_UNIT = r"(?:(?P<letter>[af]) )?(?P<place>[^\s/@+>-]+)(?:/(?P<coast>\w+))?"
_OTHER = (
    r"(?:@(?P<of_nation>\w+) ?)?(?:(?P<of_letter>[af])(?: |$))?"
    r"(?:(?P<of_place>[^\s/@+>-]+)(?:/(?P<of_coast>\w+))?)?"
)
_TARGET = r"(?P<to_place>[^\s/@+>-]+)(?:/(?P<to_coast>\w+))?"
# the first form that fits decides; retreats and disbands before moves, since they look alike
_FORMS: list[tuple[str, str]] = [
    ("waive", _WAIVE),
    ("build", rf"^(?:b|\+) {_UNIT}$"),
    ("build", rf"^{_UNIT} (?:b|\+)$"),
    ("disband", rf"^(?:d|-) {_UNIT}$"),
    ("disband", rf"^{_UNIT} (?:r )?(?:d|ex)$"),
    ("retreat", rf"^{_UNIT} r (?:- )?{_TARGET}$"),
    ("hold", rf"^{_UNIT} h$"),
    ("support", rf"^{_UNIT} s {_OTHER}(?: ?- {_TARGET})?(?: h)?$"),
    ("convoy", rf"^{_UNIT} c {_OTHER} - {_TARGET}$"),
    ("move", rf"^{_UNIT} - (?:.* - )?{_TARGET}$"),
]


def folded(text: pl.Expr) -> pl.Expr:
    """The text in lower case, without umlauts, blanks and dots at the ends, double blanks."""
    return (
        text.str.to_lowercase()
        .str.replace_many(_FOLDED)
        .str.replace_all(r"\s+", " ")
        .str.strip_chars(" .,;:!")
    )


def parse(board: Board, text: pl.Series) -> pl.DataFrame:
    """The parts of every text, one row each, in order; `kind` null = no order that we know.

    Names are still words as the player wrote them, folded; coasts are `nc` … or null.
    """
    plain = pl.DataFrame({"text": text}).select(text=_plain(pl.col("text"), board))
    lines = plain.with_columns(
        text=pl.col("text").str.strip_suffix(" via"), via=pl.col("text").str.ends_with(" via")
    ).with_columns(
        form=pl.coalesce(
            pl.when(pl.col("text").str.contains(form)).then(pl.lit(n, pl.UInt8))
            for n, (_, form) in enumerate(_FORMS)
        )
    )
    return lines.select(
        kind=pl.col("form").replace_strict(
            dict(enumerate(kind for kind, _ in _FORMS)), return_dtype=pl.String
        ),
        **{part: _part(part) for part in _PARTS},
        via=pl.col("via") | (pl.col("text").str.count_matches(" - ") > 1),
    )


def _part(name: str) -> pl.Expr:
    """What stands in the named group of the form that was chosen."""
    return pl.coalesce(
        pl.when(pl.col("form") == n).then(
            pl.col("text").str.extract_groups(form).struct.field(name)
        )
        for n, (_, form) in enumerate(_FORMS)
        if f"<{name}>" in form
    )


def _plain(text: pl.Expr, board: Board) -> pl.Expr:
    """One blank between words, one word for each thing, `/nc` for coasts, `@d` for nations."""
    text = folded(text).str.replace_many(dict.fromkeys(_DASHES, "-")).str.replace_all(_VIA, " via")
    text = text.str.replace_all(_COAST_WORD, "/${1}")
    long_names = _long_names(board)
    text = text.str.replace_many(long_names, leftmost=True)
    for coast, letters in _COAST_LETTERS.items():
        marks = "|".join(letter for letter in letters.split("|") if len(letter) == 2)
        text = text.str.replace_all(rf"\s*(?:/\s*|\(\s*)+(?:{letters})\b(?:\s*\))?", f"/{coast}")
        text = text.str.replace_all(rf"(\w)\s*[ -]\s*(?:{marks})\b", f"${{1}}/{coast}")
    for word, others in _words(board).items():
        text = text.str.replace_all(rf"\b(?:{others})\b", word)
    nations = _nations(board)
    text = text.str.replace_all(rf" s({nations})([af])( |$)", " s @${1} ${2} ")
    text = text.str.replace_all(rf" ([sc]) ({nations})[ -]?([af])( |$)", " ${1} @${2} ${3} ")
    text = text.str.replace_all(r"\s*([-+])\s*", " ${1} ").str.replace_all(r"\s*>\s*", " r ")
    text = text.str.replace_all(r"\s+", " ").str.replace_all(r"- (?:- )+", "- ")
    text = text.str.replace_all(r"- (\S+) from (\S+)", "${2} - ${1}")  # to Tri from Ven
    return text.str.replace_all(r"\bfrom ", "").str.strip_chars(" ")


def _long_names(board: Board) -> dict[str, str]:
    """Names that are more than one word → key of the province; the longest ones first."""
    named = pl.concat(
        [
            board.provinces.select("province", alias=column, coast=pl.lit(None, pl.String))
            for column in ("en", "de")
        ]
        + [board.aliases.select("province", "alias", pl.col("coast").cast(pl.String))]
    )
    folding = named.select(
        name=folded(pl.col("alias")),
        key=pl.concat_str("province", "coast", separator="/", ignore_nulls=True).str.to_lowercase(),
    ).filter(pl.col("name").str.contains(r"\W"))
    longest_first = folding.sort(pl.col("name").str.len_chars(), "name", descending=True)
    return dict(longest_first.iter_rows())


def _words(board: Board) -> dict[str, str]:
    """Word of the grammar → regular expression of the words that mean it on this map."""
    taken = {
        name
        for column in ("province", "abbr", "en", "de")
        for name in board.provinces.select(folded(pl.col(column))).to_series()
    }
    meant = {
        word: "|".join(other for other in others.split() if other not in taken)
        for word, others in _WORDS.items()
    }
    return {word: others for word, others in meant.items() if others}


def nation_names(board: Board) -> pl.DataFrame:
    """word · meant: everything that names a nation, folded."""
    names = pl.concat(
        [
            board.nations.select(word=column, meant="nation")
            for column in ("nation", "code", "file_code", "de_name")
        ]
        + [board.nation_aliases.select(word="alias", meant="nation")]
    )
    return names.select(folded(pl.col("word")), "meant").unique().sort("word", "meant")


def _nations(board: Board) -> str:
    """Regular expression of everything that names a nation, the longest first."""
    words = nation_names(board)["word"].unique()
    return "|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w)))
