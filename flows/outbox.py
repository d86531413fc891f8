"""The outbox: one zip per realm or nation and turn, recorded so that nothing goes out twice.

Files lie in <game>/outbox/<turn>/; outbox/versand.csv says which were made of which content. What
was packed last is not packed again; content that changed since (reports written again after a
correction, a turn that was taken back) goes out as a new zip with a number.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from flows.store import write_whole

NEXT_CHECK = "{code}_pruefung_zug{turn}.txt"
"""Name of the check of orders for the next turn, in a parcel of the last one."""
_RECORD = "versand.csv"
_COLUMNS = ("turn", "code", "file", "sha256")
_PACKED = (".png", ".xlsx", ".zip")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal content gives equal bytes


@dataclass(frozen=True)
class Parcel:
    """One zip of the outbox; `new`: it was packed just now."""

    code: str
    path: Path
    new: bool

    def words(self) -> str:
        """The line about it: where it lies, and whether it went out already."""
        return f"{self.path}" + " (packed before)" * (not self.new)


def pack(
    root: Path, turn: int, contents: Mapping[str, Mapping[str, Path | bytes]], kind: str = ""
) -> list[Parcel]:
    """One zip for every code, unless it went out already: name in the zip → file or content.

    `kind` goes into the name of the zip, for parcels beside the usual one.
    """
    record = root / "outbox" / _RECORD
    rows = _read(record)
    parcels = []
    for code, files in contents.items():
        content = zip_bytes({name: _content(file) for name, file in files.items()})
        digest = sha256(content).hexdigest()
        stem = f"{code}{kind}"
        same = [r for r in rows if r["turn"] == str(turn) and _stem(r["file"]) == stem]
        known = same[-1] if same and same[-1]["sha256"] == digest else None
        number = f"-{len(same) + 1}" if same else ""
        name = known["file"] if known else f"{turn:04d}/{stem}{number}.zip"
        path = root / "outbox" / name
        if known is None or not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        if known is None:
            row = (str(turn), code, name, digest)
            rows.append(dict(zip(_COLUMNS, row, strict=True)))
            write_whole(record, _record_text(rows).encode())
        parcels.append(Parcel(code, path, known is None))
    return parcels


def packed(root: Path, turn: int) -> list[str]:
    """The parcels of a turn so far, in the order in which they were packed."""
    return [r["file"] for r in _read(root / "outbox" / _RECORD) if r["turn"] == str(turn)]


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """A zip of the files in the order of their names, without dates: equal files, equal bytes."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            info = ZipInfo(name, _EPOCH)
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name.endswith(_PACKED) else ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def _content(file: Path | bytes) -> bytes:
    return file if isinstance(file, bytes) else file.read_bytes()


def _stem(file: str) -> str:
    """Name of a parcel without folder, number and ending."""
    return Path(file).stem.partition("-")[0]


def _read(record: Path) -> list[dict[str, str]]:
    if not record.exists():
        return []
    return list(csv.DictReader(io.StringIO(record.read_text(encoding="utf-8"))))


def _record_text(rows: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
