"""What was handed in for a turn, as tables: order files, decisions and corrections by hand.

The folder orders/<turn> is only read, but for answers that are put there. A bad file of a player
is noted with its realm and stops nobody; a bad file of the game master stops load.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from flows import store
from flows.csvs import for_excel, read_cells
from flows.inbox import corrections_in, read_edits, visible
from flows.steps import CORRECTABLE
from transforms import schema
from transforms.catalogue import INTAKE
from transforms.corrections import edit_columns
from transforms.errors import InputError, unknown
from transforms.orders.decode import decode

DECISION_COLUMNS = ("code", "line", "text", "decision")
_SUFFIX = "_SPZ.TXT"


@dataclass(frozen=True)
class Intake:
    """The input of load: three tables, where decisions stand, and the digest of every file."""

    order_texts: pl.DataFrame
    gm_edits: pl.DataFrame
    decisions: pl.DataFrame
    decisions_file: Path
    digests: dict[str, str]


def read_intake(root: Path, turn: int, realms: pl.DataFrame) -> Intake:
    """Everything in orders/<turn> of the game `root`; `realms` says whose files are expected.

    Errors: a file name that means nothing here, a file of a realm that does not exist, a bad
    decisions.csv or gm/*.csv; order files themselves are never an error.
    """
    folder = store.orders_dir(root, turn)
    files = _files(folder) if folder else {}
    place = folder or root / "orders" / str(turn)
    by_realm = _order_files(folder, files, realms) if folder else {}
    rows = [
        _order_text(realm_id, by_realm.get(realm_id, []))
        for realm_id in realms.filter(pl.col("code").is_not_null())["realm_id"]
    ]
    return Intake(
        order_texts=schema.shaped(
            "order_texts", pl.DataFrame(rows, schema=schema.schema_of("order_texts"))
        ),
        gm_edits=read_edits(
            "gm_edits",
            (path for name, path in files.items() if name.startswith("gm/")),
            {name: edit_columns(name) for name in CORRECTABLE},
        ),
        decisions=_decisions(files.get("decisions.csv")),
        decisions_file=files.get("decisions.csv", place / "decisions.csv"),
        digests=intake_digests(root, turn),
    )


def intake_digests(root: Path, turn: int) -> dict[str, str]:
    """Path below orders/<turn> → SHA-256 of every file there that counts."""
    folder = store.orders_dir(root, turn)
    files = _files(folder) if folder else {}
    return {f"orders/{name}": store.file_digest(path) for name, path in sorted(files.items())}


def order_files(root: Path, turn: int, realms: pl.DataFrame) -> dict[int, list[Path]]:
    """realm_id → the order files that it has handed in for a turn; more than one are a mistake.

    Errors: a file name that means nothing here, a file of a realm that does not exist.
    """
    folder = store.orders_dir(root, turn)
    return _order_files(folder, _files(folder), realms) if folder else {}


def note_decisions(path: Path, before: pl.DataFrame, answered: pl.DataFrame) -> None:
    """Put answers into decisions.csv, behind the decisions that stood there `before`.

    They decide what a turn is made from, so they stand where its orders do: they come back when
    it is played again, and others get it other dice.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = pl.when(pl.col("line") > 0).then(pl.col("line").cast(pl.String))
    rows = [before.select(DECISION_COLUMNS), answered.with_columns(line=lines)]
    every = pl.concat([frame.select(DECISION_COLUMNS) for frame in rows])
    store.write_whole(path, for_excel(every.write_csv().encode()))


def order_text_of_files(realm_id: int, paths: Sequence[Path]) -> pl.DataFrame:
    """The table `order_texts` for the files of one realm, wherever they lie (`zugwerk check`)."""
    row = _order_text(realm_id, paths)
    return pl.DataFrame([row], schema=schema.schema_of("order_texts"))


def _order_text(realm_id: int, paths: Sequence[Path]) -> dict[str, object]:
    row: dict[str, object] = {"realm_id": realm_id, "size_bytes": 0}
    if len(paths) > 1:
        names = ", ".join(sorted(path.name for path in paths))
        return row | {"file": names, "error": INTAKE["two_files"].format(names=names)}
    for path in paths:
        data = path.read_bytes()  # an error of the disk stops load: no order is lost silently
        row |= {"file": path.name, "size_bytes": len(data), "sha256": sha256(data).hexdigest()}
        row |= dict(zip(("text", "encoding", "error"), decode(data), strict=True))
    return row


def _files(folder: Path) -> dict[str, Path]:
    """Name without regard to case (gm/… for corrections) → file; hidden and backup files left out.

    Two order files may have the same name here; `_order_files` looks at the folder itself.
    """
    files: dict[str, Path] = {}
    for path in visible(folder):
        name = path.name.lower()
        if name == "gm" and path.is_dir():
            for inner in corrections_in(path):
                files[_free(files, f"gm/{inner.name.lower()}", inner)] = inner
        elif name.endswith(_SUFFIX.lower()):
            files[path.name] = path
        elif name == "decisions.csv":
            files[_free(files, name, path)] = path
        else:
            raise unknown(
                str(folder),
                "file",
                path.name,
                ["<CODE>_SPZ.txt", "decisions.csv", "gm/<table>.csv"],
            )
    return files


def _free(files: dict[str, Path], name: str, path: Path) -> str:
    if name in files:
        raise InputError(f"{path.parent}: {files[name].name} and {path.name} are the same file")
    return name


def realm_codes(realms: pl.DataFrame) -> dict[str, int]:
    """Code in upper case → realm_id of the realms that have one."""
    named = realms.filter(pl.col("code").is_not_null())
    return {_code(c): r for c, r in named.select("code", "realm_id").iter_rows()}


def realm_of_code(code: str, realms: pl.DataFrame, where: str) -> int:
    """The realm_id of a code as somebody typed it. Errors: an unknown one, with the nearest."""
    return _realm_of(code, realm_codes(realms), where)


def _realm_of(code: str, codes: Mapping[str, int], where: str) -> int:
    if _code(code) not in codes:
        raise unknown(where, "realm", code, sorted(codes))
    return codes[_code(code)]


def _code(text: str) -> str:
    """Upper case, composed: file systems of macOS hand out umlauts in two characters."""
    return unicodedata.normalize("NFC", text).strip().upper()


def _order_files(
    folder: Path, files: dict[str, Path], realms: pl.DataFrame
) -> dict[int, list[Path]]:
    found: dict[int, list[Path]] = defaultdict(list)
    codes = realm_codes(realms)
    for path in files.values():
        if path.parent == folder and path.name.upper().endswith(_SUFFIX):
            found[_realm_of(path.name[: -len(_SUFFIX)], codes, str(path))].append(path)
    return found


def _decisions(path: Path | None) -> pl.DataFrame:
    """decisions.csv as it stands: `row, code, line, text, decision`, all but `row` text."""
    wanted = {"row": pl.UInt32, **dict.fromkeys(DECISION_COLUMNS, pl.String)}
    if path is None:
        return pl.DataFrame(schema=wanted)
    cells = read_cells(path, DECISION_COLUMNS)
    for column in DECISION_COLUMNS:
        if column not in cells.columns:
            needed = ", ".join(DECISION_COLUMNS)
            raise InputError(f"{path}: column {column!r} is missing; needed: {needed}")
    return cells.select(list(wanted))
