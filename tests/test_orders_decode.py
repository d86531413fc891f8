"""Which encoding a file has; what is no text."""

import pytest

from transforms.orders import decode
from transforms.orders.decode import MAX_BYTES

TEXT = "rüsten,Späher\r\nbauen,Große Brücke\r\n"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "UTF-8"),
        (TEXT.encode("utf-8-sig"), "UTF-8"),
        (TEXT.encode("cp1252"), "Windows-1252"),
        (TEXT.encode("cp850"), "DOS 850"),
        (TEXT.encode("cp850") + b"\x1a", "DOS 850"),  # DOS end of file
        (TEXT.replace("ü", "u\N{COMBINING DIAERESIS}").encode(), "UTF-8"),
    ],
)
def test_umlauts_survive(data: bytes, encoding: str) -> None:
    assert decode(data) == (TEXT, encoding, None)


def test_edge_cases_of_the_encodings() -> None:
    assert decode(b"") == ("", "UTF-8", None)
    assert decode(b"112,1\n")[1] == "UTF-8"
    assert decode(b"\x81\xfc")[1] == "Windows-1252"  # a tie
    assert decode(b"\xef\xbb\xbf\xfc") == ("\N{REPLACEMENT CHARACTER}", "UTF-8", None)


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        b"112,1,1\0,207,14",
        b"PK\x03\x04\x00\x00",
    ],
)
def test_no_text(data: bytes) -> None:
    text, _, error = decode(data)
    assert text is None
    assert error is not None


def test_the_lines_that_fit_are_kept() -> None:
    line = b"; " + b"x" * 1021 + b"\n"  # 1024 bytes: 1024 lines fill the file exactly
    assert decode(line * 1024) == ((line * 1024).decode(), "UTF-8", None)
    text, encoding, error = decode(line * 1024 + b"112")
    assert (text, encoding) == ((line * 1024).decode(), "UTF-8")
    assert error is not None
    text, _, error = decode(b"x" * MAX_BYTES + b"\r\n")  # the line end itself does not count
    assert text == "x" * MAX_BYTES + "\r"
    assert error is not None


def test_a_huge_line_is_dropped() -> None:
    text, _, error = decode(b"1" * 10_000_000)
    assert text == ""
    assert error is not None


def test_the_dropped_rest_does_not_decide_the_encoding() -> None:
    assert decode(b"a\n" * 600_000 + b"\xff\0")[1] == "UTF-8"
