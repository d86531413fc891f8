"""Execute, phase 1: units walk one after the other, then some go aboard (source 1, 5.1).

A realm's units are told about in the order of the report: all moves first, then all boardings.
"""

from tests.reference.book import Book
from tests.reference.records import Unit, World


def move(world: World) -> None:
    """5.1: along the waypoints until foreign troops are met, in (realm_id, number)."""
    for unit in world.in_order():
        way = world.paths.get(unit.unit_id)
        if not way or not unit.living or unit.captive:
            continue
        start = unit.hex_id  # nothing for a unit that lands
        target, contact = way[-1], False
        for waypoint in way:
            if foreign_troops_on(world, waypoint, unit.realm_id):
                target, contact = waypoint, True
                break
        unit.stand_on(target)
        world.moves.append(
            {"unit_id": unit.unit_id, "from_hex": start, "to_hex": target, "contact": contact}
        )
        place = world.hexes[target].place
        if start is None:
            kind, text = "landed", f"Heer {unit.number} landet auf {place}."
        elif start == target:
            kind, text = "stayed", f"Heer {unit.number} bleibt auf {place}."
        else:
            origin = world.hexes[start].place
            kind, text = "moved", f"Heer {unit.number} zieht von {origin} nach {place}."
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)
        if contact:
            text = f"Heer {unit.number} trifft auf {place} auf fremde Truppen."
            world.tell("A", "contact", text, unit.realm_id, unit_id=unit.unit_id)


def foreign_troops_on(world: World, hex_id: int, realm_id: int) -> bool:
    """Does a living unit of a realm that is neither this one nor an ally stand there now?"""
    return any(
        other.hex_id == hex_id and other.living and not world.friends(realm_id, other.realm_id)
        for other in world.units.values()
    )


def board(world: World, book: Book, reasons: dict[str, str]) -> None:
    """After all movement, in (realm_id, number): who wants to and may goes aboard.

    `reasons` are the German words for why somebody may not.
    """
    met_somebody = {row["unit_id"] for row in world.moves if row["contact"]}
    after_movement = {unit.unit_id: unit.hex_id for unit in world.units.values()}
    for unit in world.in_order():
        if unit.unit_id not in world.wishes or not unit.living or unit.captive:
            continue
        ship = world.units[world.wishes[unit.unit_id]]
        why_not = first_true(
            {
                "aboard": unit.carrier_id is not None,
                "is_ship": book.unit_types[unit.unit_type]["ship"],
                "contact": unit.unit_id in met_somebody,
                "foreign_ship": not world.friends(unit.realm_id, ship.realm_id),
                "elsewhere": after_movement[ship.unit_id] != unit.hex_id,  # captives are nowhere
                "no_ship": not book.unit_types[ship.unit_type]["ship"],
                "dead_ship": not ship.living,
                "full": not has_room(world, book, ship, unit),
            }
        )
        if why_not is None:
            unit.go_aboard(ship)
            kind = "boarded"
            text = f"Heer {unit.number} schifft sich auf Schiff {ship.number} ein."
        else:
            kind = "not_boarded"
            text = (
                f"Heer {unit.number} kann sich nicht auf Schiff {ship.number} einschiffen: "
                f"{reasons[why_not]}."
            )
        world.boardings.append(
            {
                "unit_id": unit.unit_id,
                "ship_id": ship.unit_id,
                "boarded": why_not is None,
                "reason": None if why_not is None else reasons[why_not],
            }
        )
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)


def first_true(obstacles: dict[str, bool]) -> str | None:
    """The first of the obstacles that is there."""
    return next((name for name, is_there in obstacles.items() if is_there), None)


def has_room(world: World, book: Book, ship: Unit, unit: Unit) -> bool:
    places = ship.troops * book.unit_types[ship.unit_type]["capacity"]
    used = sum(space(book, passenger) for passenger in world.aboard_of(ship))
    return used + space(book, unit) <= places


def space(book: Book, unit: Unit) -> int:
    """The places a unit takes aboard."""
    return unit.troops * book.unit_types[unit.unit_type]["troop_space"]
