"""Bytes of an order file → text: which encoding, or why it cannot be read."""

import unicodedata
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE

from transforms.catalogue import ORDERS

MAX_BYTES = 2**20  # 1 MiB
_DOS = bytes.fromhex("81 84 94 8E 99 9A E1")  # ü ä ö Ä Ö Ü ß in DOS 850
_WINDOWS = bytes.fromhex("FC E4 F6 C4 D6 DC DF")  # the same letters in Windows-1252
_DOS_END_OF_FILE = "\x1a"


def decode(data: bytes) -> tuple[str | None, str | None, str | None]:
    """Text, encoding and German error of an order file.

    A BOM decides; else valid UTF-8; else whichever of DOS 850 and Windows-1252 makes more umlauts.
    UTF-16 and binary files have no text. Of a file above 1 MiB the lines that fit are kept: then
    there are both a text and an error. The text is NFC, so that ü is one letter however written.
    """
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return None, "UTF-16", ORDERS["utf16"]
    error = None
    if len(data) > MAX_BYTES:
        error = ORDERS["file_too_big"].format(max=MAX_BYTES)
        data = _whole_lines(data)
    if b"\0" in data:
        return None, None, ORDERS["binary"]
    text, encoding = _text(data)
    return unicodedata.normalize("NFC", text.rstrip(_DOS_END_OF_FILE)), encoding, error


def _whole_lines(data: bytes) -> bytes:
    """The lines that lie wholly within the limit; their line end may be the first byte behind."""
    head = data[: MAX_BYTES + 1]
    return head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1]


def _text(data: bytes) -> tuple[str, str]:
    if data.startswith(BOM_UTF8):
        return data[len(BOM_UTF8) :].decode("utf-8", errors="replace"), "UTF-8"
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    if sum(map(data.count, _DOS)) > sum(map(data.count, _WINDOWS)):
        return data.decode("cp850"), "DOS 850"
    return data.decode("cp1252", errors="replace"), "Windows-1252"
