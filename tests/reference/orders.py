"""Reading order lines one after the other (the format: docs/orders.md; costs: source 1, 3).

A line that is wrong raises `BadLine`; warnings are not the business of the reference.
"""

from dataclasses import dataclass, field

from tests.reference.book import Book, Row

DIRECTIONS = {"nw": 0, "no": 1, "o": 2, "so": 3, "sw": 4, "w": 5}
DECISIONS = ("r", "v", "a", "n", "p1", "p2")
HIGHEST_GF, HIGHEST_UNIT = 42_949_672, 65_535


class BadLine(Exception):
    """The line is dropped."""


@dataclass
class Move:
    """A movement line as written."""

    number: int
    waypoints: list[int] = field(default_factory=list)
    splits: list[tuple[int, int, int, int]] = field(default_factory=list)  # after step, …
    board: str | None = None
    decision: str | None = None


@dataclass
class Realm:
    """What a realm's orders may name."""

    realm_id: int
    code: str
    units: dict[int, Row]  # by number
    known: set[int]  # hexes seen now or ever


@dataclass
class Orders:
    """What was understood of all files."""

    status: dict[tuple[int, int], str] = field(default_factory=dict)  # (realm, line) → status
    moves: dict[int, tuple[int, int, Move]] = field(default_factory=dict)  # unit → realm, line
    trainings: list[Row] = field(default_factory=list)
    constructions: list[Row] = field(default_factory=list)


def read_file(realm: Realm, text: str, book: Book, orders: Orders) -> None:
    """Read one realm's file; the last good line of a unit counts."""
    split_off: set[int] = set()
    for line, words in enumerate(text.splitlines(), start=1):
        words = words.strip()
        key = (realm.realm_id, line)
        if not words or words[0] in ";#":
            orders.status[key] = "comment" if words else "blank"
            continue
        fields = [part.strip() for part in words.split(",")]
        verb = fields[0].lower()
        try:
            if verb in ("ruesten", "rüsten"):
                orders.trainings.append(training(realm, line, fields, book))
            elif verb == "bauen":
                orders.constructions.append(construction(realm, line, fields, book))
            else:
                move = parse_move([part.lower() for part in fields])
                check_move(realm, move, split_off)
                split_off |= {number for _, number, _, _ in move.splits}
                if move.number in realm.units:
                    unit_id = realm.units[move.number]["unit_id"]
                    orders.moves[unit_id] = (realm.realm_id, line, move)
            orders.status[key] = "accepted"
        except BadLine:
            orders.status[key] = "rejected"


def parse_move(fields: list[str]) -> Move:
    """number, troops, leaders, gf, kf {, item} [, board] [, decision]"""
    if len(fields) < 5:
        raise BadLine
    move = Move(whole(fields[0], 1, HIGHEST_UNIT))
    whole(fields[1])
    whole(fields[2])
    gf = whole(fields[3], 1, HIGHEST_GF)
    whole(fields[4], 1, 48)
    rest = fields[5:]
    while rest:
        if is_whole(rest[0]):
            if len(rest[0]) >= 3 or int(rest[0]) > 48:
                gf = whole(rest.pop(0), 1, HIGHEST_GF)
            if not rest:
                raise BadLine
            move.waypoints.append(100 * gf + whole(rest.pop(0), 1, 48))
        elif rest[0][:1] == "s" and is_whole(rest[0][1:]):
            if len(rest) < 3:
                raise BadLine
            number, troops, leaders = rest.pop(0)[1:], rest.pop(0), rest.pop(0)
            move.splits.append(
                (
                    len(move.waypoints),
                    whole(number, 1, HIGHEST_UNIT),
                    whole(troops),
                    whole(leaders),
                )
            )
        else:
            break
    if rest and rest[0][:1] == "e":
        number, _, _ = rest[0][1:].partition("@")
        whole(number, 1, HIGHEST_UNIT)
        move.board = rest.pop(0)[1:]
    if rest and rest[0] in DECISIONS:
        move.decision = rest.pop(0)
    if rest:
        raise BadLine
    return move


def check_move(realm: Realm, move: Move, split_off: set[int]) -> None:
    """Does the unit exist and is it free; are all waypoints known?"""
    if any(hex_id not in realm.known for hex_id in move.waypoints):
        raise BadLine
    unit = realm.units.get(move.number)
    if unit is None and move.number not in split_off:
        raise BadLine
    if unit is not None and unit["captor_id"] is not None:
        raise BadLine


def training(realm: Realm, line: int, fields: list[str], book: Book) -> Row:
    """ruesten, type, troops, leaders, elite, cost [, gf, kf [, number]]"""
    if len(fields) not in (6, 8, 9):
        raise BadLine
    kinds = [
        kind
        for kind in book.unit_types.values()
        if fields[1].lower() in (kind["name"].lower(), kind["name_plural"].lower())
    ]
    if not kinds:
        raise BadLine
    kind, troops, leaders = kinds[0], whole(fields[2], 1), whole(fields[3])
    combat, movement = elite(fields[4].lower(), book.constants.max_elite)
    level = combat + movement
    factor = [1, 3][level] if level < 2 else 3 * 2 ** (level - 1)
    return {
        "realm_id": realm.realm_id,
        "line": line,
        "unit_type": kind["name"],
        "troops": troops,
        "leaders": leaders,
        "elite_combat": combat,
        "elite_movement": movement,
        "cost_submitted": whole(fields[5]),
        "cost": troops * kind["cost"] * factor + leaders * 1000,
        "months": kind["months"] + (6 + 3 * (level - 1) if level else 0),
        "hex_id": place(realm, fields[6], fields[7]) if len(fields) >= 8 else None,
        "number": whole(fields[8], 1, HIGHEST_UNIT) if len(fields) == 9 else None,
    }


def elite(text: str, highest: int) -> tuple[int, int]:
    """`-`, `k2`, `b1` or `k2b1`: levels of combat and movement elite."""
    levels = {"k": 0, "b": 0}
    if text != "-":
        for letter in "kb":
            if text[:1] == letter:
                levels[letter] = whole(text[1:2], 0, highest)
                text = text[2:]
        if text:
            raise BadLine
    return levels["k"], levels["b"]


def construction(realm: Realm, line: int, fields: list[str], book: Book) -> Row:
    """bauen, type, gf, kf [, direction], cost [, name]"""
    if len(fields) < 5:
        raise BadLine
    kinds = [
        kind
        for kind in book.building_types.values()
        if fields[1].lower() in (kind["name"].lower(), kind["code"].lower())
    ]
    if not kinds:
        raise BadLine
    hex_id, rest = place(realm, fields[2], fields[3]), fields[4:]
    direction = DIRECTIONS[rest.pop(0).lower()] if rest[0].lower() in DIRECTIONS else None
    if kinds[0]["central"] == (direction is not None) or len(rest) not in (1, 2):
        raise BadLine
    return {
        "realm_id": realm.realm_id,
        "line": line,
        "building_type": kinds[0]["code"],
        "hex_id": hex_id,
        "direction": direction,
        "name": rest[1] or None if len(rest) == 2 else None,
        "cost_submitted": whole(rest[0]),
        "cost": kinds[0]["cost"],
        "months": kinds[0]["months"],
    }


def place(realm: Realm, gf: str, kf: str) -> int:
    hex_id = 100 * whole(gf, 1, HIGHEST_GF) + whole(kf, 1, 48)
    if hex_id not in realm.known:
        raise BadLine
    return hex_id


def is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit()


def whole(text: str, least: int = 0, most: int = 2**32 - 1) -> int:
    if not is_whole(text) or not least <= int(text) <= most:
        raise BadLine
    return int(text)
