"""Provinces and nations as the game master writes them: key, abbreviation or name, any case."""

import unicodedata
from collections.abc import Iterable

import polars as pl

from transforms.diplomacy.board import Board
from transforms.errors import unknown


def province_of(board: Board, text: str, where: str) -> str:
    """The key of a province. Errors: a name that does not exist, with the nearest one."""
    words = _words(board.provinces, "province", ("province", "abbr", "de", "en"))
    words = dict(_pairs(board.aliases, "alias", "province")) | words
    return _found(words, text, where, "province", board.provinces["abbr"].to_list())


def nation_of(board: Board, text: str, where: str) -> str:
    """The key of a nation. Errors: a name that does not exist, with the nearest one."""
    columns = ("nation", "code", "file_code", "de_name")
    words = _words(board.nations, "nation", columns)
    words = dict(_pairs(board.nation_aliases, "alias", "nation")) | words
    return _found(words, text, where, "nation", board.nations["file_code"].to_list())


def _found(words: dict[str, str], text: str, where: str, what: str, allowed: Iterable[str]) -> str:
    if (found := words.get(_folded(text))) is None:
        raise unknown(where, what, text, allowed)
    return found


def _words(table: pl.DataFrame, key: str, columns: tuple[str, ...]) -> dict[str, str]:
    """Every word of the columns → key; an earlier column goes before a later one."""
    words: dict[str, str] = {}
    for column in reversed(columns):
        words |= dict(_pairs(table, column, key))
    return words


def _pairs(table: pl.DataFrame, word: str, key: str) -> Iterable[tuple[str, str]]:
    return ((_folded(text), value) for text, value in zip(table[word], table[key], strict=True))


def _folded(text: str) -> str:
    """Composed, since file systems of macOS hand out umlauts in two characters."""
    return unicodedata.normalize("NFC", text).strip().casefold()
