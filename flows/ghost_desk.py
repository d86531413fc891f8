"""The game master's desk: before a turn, players and parcels, looking and taking back, the end."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from flows import outbox, store
from flows.ghost_game import GhostGame
from flows.ghost_intake import GhostIntake, handed_in, order_file
from flows.ghost_publish import GENERAL, GM_TEXT, file_codes
from flows.ghost_turn import ENDED, TABLES, phase_of, play, read_tables, upcoming
from flows.revisions import replaced
from flows.rollback import REPORTS, Entry, take_back
from transforms.diplomacy import steps
from transforms.diplomacy.check import check_text
from transforms.diplomacy.knowledge import living
from transforms.diplomacy.state_diff import DIFFED, position_diff
from transforms.diplomacy.texts import DESK
from transforms.diplomacy.words import nation_of
from transforms.errors import InputError

PLAYERS = "spieler.csv"
_PLAYER_COLUMNS = ("turn", "nation", "player")
_ARCHIVE = "archiv"


# ── before a turn ───────────────────────────────────────────────────────────────────────────


def check(game: GhostGame, path: Path, nation: str | None = None) -> str:
    """The check report of an order file against the last published position; writes nothing.

    The nation is told by the file's name unless `nation` says it.
    """
    path.stat()
    return _answer(game, nation_of(game.rules.board, nation or path.stem, str(path)), path)


def _answer(game: GhostGame, nation: str, *paths: Path) -> str:
    """What the next turn makes of the files of one nation; more than one are too many.

    Only rows that this nation knows of go into the reading, so that the answer cannot tell more.
    """
    tables = read_tables(game, store.last_turn(game.root))
    phase = upcoming(game, tables)
    own = {n: tables[n].filter(nation=nation) for n in ("units", "centres", "dislodged")}
    file = order_file(nation, *paths)
    read = steps.orders(
        order_files=file,
        **own,
        knowledge=tables["knowledge"].filter(viewer=nation),
        rules=game.rules,
        turn=phase,
    )
    if (state := file["state"].item()) != "used":
        return DESK[state].format(**file.row(0, named=True)) + "\n"
    return check_text(
        orders=read["orders"],
        units=own["units"],
        waiting=own["dislodged"],
        centres=own["centres"],
        names=game.rules.names,
        phase=phase,
    )


def status(game: GhostGame) -> pl.DataFrame:
    """Who has handed in for the next turn: nation, player, files; nations that are out left out."""
    tables = read_tables(game, store.last_turn(game.root))
    phase = upcoming(game, tables)
    before = phase_of(tables)
    waiting = steps.waiting_units(tables["dislodged"], game.rules, before)
    alive = living(tables["units"], tables["centres"], waiting)["viewer"]
    files = handed_in(game.root, phase.turn, game.rules.board)
    players = current_players(game)
    rows = [
        {
            "turn": phase.turn,
            "phase": phase.title,
            "nation": code,
            "player": players.get(nation, ""),
            "files": ", ".join(path.name for path in files.get(nation, [])) or DESK["nothing"],
        }
        for nation, code in game.rules.names.ranked.select("nation", "code").iter_rows()
        if nation in alive.to_list()
    ]
    return pl.DataFrame(rows)


# ── players and parcels ─────────────────────────────────────────────────────────────────────


def current_players(game: GhostGame) -> dict[str, str]:
    """nation → who plays it now, by spieler.csv (turn, nation, player; the last row counts)."""
    path = game.root / PLAYERS
    if not path.exists():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        board = game.rules.board
        return {nation_of(board, r["nation"], str(path)): r["player"] for r in rows}
    except KeyError as error:
        raise InputError(f"{path}: column {error} is missing") from error


def hand_over(game: GhostGame, nation: str, player: str) -> outbox.Parcel:
    """Give a nation to another player: noted in spieler.csv, with a zip of all it was ever told.

    That includes what it was told of turns that were taken back.
    """
    key = nation_of(game.rules.board, nation, "nation")
    code = file_codes(game)[key]
    last = store.last_turn(game.root)
    path = game.root / PLAYERS
    fresh = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if fresh:
            writer.writerow(_PLAYER_COLUMNS)
        writer.writerow([last + 1, code, player])
    folders = {f"{n:04d}": store.reports_dir(game.root, n) for n in store.turns(game.root)}
    for turn, version, folder in replaced(game.root):
        folders[DESK["replaced"].format(turn=turn, version=version)] = folder / REPORTS
    told = {
        f"{prefix}_{name}": path
        for prefix, folder in folders.items()
        for name, path in _parcel(folder, code).items()
    }
    return outbox.pack(game.root, last, {code: told}, DESK["handover"])[0]


def pack(game: GhostGame, turn: int | None = None) -> list[outbox.Parcel]:
    """One zip per nation with the reports of a turn (default: the last) into the outbox.

    In those of the last turn also the check of the orders for the next one, of nations that have
    handed them in already. Errors: the turn is not published; a file in the folder of the next
    orders that means nothing there.
    """
    number = store.last_turn(game.root) if turn is None else turn
    folder = store.reports_dir(game.root, number)
    if not folder.is_dir():
        raise InputError(f"{folder}: turn {number} is not published")
    is_last = number == store.last_turn(game.root)
    files = handed_in(game.root, number + 1, game.rules.board) if is_last else {}
    parcels = {
        code: told | _next_check(game, number + 1, nation, code, files.get(nation, ()))
        for nation, code in file_codes(game).items()
        if len(told := _parcel(folder, code)) > 1
    }
    return outbox.pack(game.root, number, parcels)


def _next_check(
    game: GhostGame, turn: int, nation: str, code: str, files: Sequence[Path]
) -> dict[str, Path | bytes]:
    if not files:
        return {}
    return {outbox.NEXT_CHECK.format(code=code, turn=turn): _answer(game, nation, *files).encode()}


def _parcel(folder: Path, code: str) -> dict[str, Path | bytes]:
    """What one nation gets of the reports of a turn: its own three and the general evaluation."""
    names = (GENERAL, f"{code}.txt", f"{code}.xlsx", f"{code}.png")
    return {name: folder / name for name in names if (folder / name).exists()}


# ── looking back ────────────────────────────────────────────────────────────────────────────


def history(game: GhostGame) -> pl.DataFrame:
    """One row per turn: phase, units, battles, dislodged, missing files, centres per nation."""
    ranked = game.rules.names.ranked
    rows = []
    for turn in store.turns(game.root):
        tables = read_tables(game, turn)
        held = dict(tables["centres"].group_by("nation").len().iter_rows())
        rows.append(
            {
                "turn": turn,
                "phase": phase_of(tables).title,
                "units": tables["units"].height,
                "battles": tables["battles"].height,
                "dislodged": tables["dislodged"].height,
                "missing": tables["missing"].height,
                **{c: held.get(n, 0) for n, c in ranked.select("nation", "code").iter_rows()},
            }
        )
    return pl.DataFrame(rows)


def diff(game: GhostGame, before: int, after: int) -> pl.DataFrame:
    """How the position after turn `after` differs from that after turn `before`, cell by cell."""
    then, now = (read_tables(game, turn, DIFFED) for turn in (before, after))
    return position_diff(then, now, game.rules.names)


def replay(game: GhostGame) -> Iterator[tuple[int, list[str]]]:
    """Evaluate every turn again from what was handed in then; turn and the tables that differ."""
    before = read_tables(game, 0)
    for turn in store.turns(game.root)[1:]:
        stored = read_tables(game, turn)
        intake = GhostIntake(stored["order_files"], stored["edits"], {})
        again = play(game, before, intake)
        yield turn, [name for name in TABLES if not again[name].equals(stored[name])]
        before = stored


# ── taking back ─────────────────────────────────────────────────────────────────────────────


def roll_back(game: GhostGame, to: int, why: str, who: str | None = None) -> Iterator[Entry]:
    """Take back all turns after `to`: they move to revisions/ with their reports.

    spieler.csv stays as it is: who plays a nation now plays it on. Errors: as for `take_back`; the
    game has ended, so that everybody has read everything.
    """
    if (game.root / ENDED).exists():
        raise InputError(
            f"{game.root}: the game has ended and its archive is for everybody; "
            f"to go on nevertheless remove {ENDED} first"
        )
    return take_back(game.root, to, why, who)


# ── the end ─────────────────────────────────────────────────────────────────────────────────


def end(game: GhostGame, reason: str = "") -> Path:
    """End the game: no more turns, and the whole archive for everybody as one zip.

    It holds order files, history, all reports, the course of the centres, and the turns that were
    taken back. May be repeated.
    """
    last = store.last_turn(game.root)
    if store.unpublished_mark(game.root, last).exists():
        raise InputError(f"{game.root}: turn {last} is not published yet; run ghost turn first")
    mark = game.root / ENDED
    if reason or not mark.exists():
        mark.write_text(f"{reason}\n", encoding="utf-8", newline="\n")
    folder = game.root / _ARCHIVE
    folder.mkdir(exist_ok=True)
    files = dict(_everything(game.root))
    files["verlauf.csv"] = history(game).write_csv().encode()
    path = folder / f"{game.id}.zip"
    path.write_bytes(outbox.zip_bytes(files))
    return path


def _everything(root: Path) -> Iterator[tuple[str, bytes]]:
    for name in ("game.toml", PLAYERS, ENDED):
        if (root / name).exists():
            yield name, (root / name).read_bytes()
    for folder in ("orders", "history", "reports", "revisions"):
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "steps" not in path.relative_to(root).parts:
                yield path.relative_to(root).as_posix(), path.read_bytes()


def shown(game: GhostGame, turn: int, nation: str | None, gamemaster: bool) -> str:
    """A published text of a turn: the general evaluation, a nation's, or the game master's."""
    name = GM_TEXT if gamemaster else GENERAL
    if nation is not None:
        key = nation_of(game.rules.board, nation, "nation")
        name = f"{file_codes(game)[key]}.txt"
    path = store.reports_dir(game.root, turn) / name
    if not path.exists():
        raise InputError(f"{path}: there is no such report")
    return path.read_text(encoding="utf-8")
