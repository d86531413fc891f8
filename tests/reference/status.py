"""Execute, phase 3: who drowned, who went free, what became of everybody (source 1, 5.3)."""

from tests.reference.book import Book, verb
from tests.reference.losses import lose
from tests.reference.records import Unit, World


def settle(world: World) -> None:
    """Taken ships and ships that went down take their passengers with them; captives of the lost
    go free."""
    for unit in world.in_order():
        if unit.captor_id is not None and unit.unit_id in world.captured_on:
            seize_passengers(world, unit, world.units[unit.captor_id])
    drown(world)
    set_free(world)
    for unit in world.units.values():
        if not unit.living and world.fates.get(unit.unit_id) != "drowned":
            world.fates[unit.unit_id] = "dead"


def seize_passengers(world: World, ship: Unit, captor: Unit) -> None:
    """Whoever is aboard of a captive is captured too; the captor's own people go free."""
    place = world.captured_on[ship.unit_id]
    for passenger in world.aboard_of(ship):
        if not passenger.living:
            continue
        if passenger.realm_id == captor.realm_id:
            passenger.stand_on(place)
            world.fates[passenger.unit_id] = "freed"
        else:
            passenger.fall_captive_to(captor)
            world.fates[passenger.unit_id] = "captured"
            world.captured_on[passenger.unit_id] = place
            seize_passengers(world, passenger, captor)


def drown(world: World) -> None:
    """Whatever is aboard a ship without troops is lost, until nobody else is."""
    changed = True
    while changed:
        changed = False
        for unit in world.in_order():
            ship = world.ship_of(unit)
            if ship and unit.living and not ship.living:
                lose(world, unit, "drowned", 100)
                world.fates[unit.unit_id] = "drowned"
                changed = True


def set_free(world: World) -> None:
    """Captives of a captor that died or was captured stand on the hex where it was last."""
    for captor in world.in_order():
        if captor.living and captor.unit_id not in world.captured_on:
            continue
        for prisoner in world.captives_of(captor):
            prisoner.stand_on(last_hex(world, captor))
            if prisoner.living:
                world.fates[prisoner.unit_id] = "freed"


def last_hex(world: World, captor: Unit) -> int:
    """Its own hex, that of the battle it was captured in, else that of the ship it was aboard."""
    while captor.hex_id is None or captor.unit_id in world.captured_on:
        if captor.unit_id in world.captured_on:
            return world.captured_on[captor.unit_id]
        ship = world.ship_of(captor)
        assert ship, "who is neither ashore nor captured is aboard"
        captor = ship
    return captor.hex_id


def report_units(world: World, book: Book) -> None:
    """5.3: exactly one line for every unit."""
    for unit in world.in_order():
        count, name = unit.troops, book.of(unit.troops, unit.unit_type)
        ship = world.ship_of(unit)
        if unit.captive:
            kind = "captive"
            text = (
                f"Heer {unit.number} {count} {name} "
                f"{verb(count, 'wurde', 'wurden')} gefangengenommen."
            )
        elif not unit.living:
            kind, text = "dead", f"Heer {unit.number} ist vernichtet worden."
        elif ship:
            kind, text = "position_aboard", f"Schiff {ship.number}"
            if ship.realm_id != unit.realm_id:
                kind, text = (
                    "position_aboard_ally",
                    f"{text} von {world.realm_names[ship.realm_id]}",
                )
            text = f"Heer {unit.number} – {count} {name} auf {text}."
        else:
            assert unit.hex_id is not None
            place = world.hexes[unit.hex_id].place
            kind, text = "position", f"Heer {unit.number} – {count} {name} auf {place}."
        world.tell("F", kind, text, unit.realm_id, unit_id=unit.unit_id)


def report_training(world: World, book: Book, today: int) -> None:
    """Our rule: who is not ready yet, and when it will be."""
    for unit in world.in_order():
        if unit.living and unit.hex_id is not None and unit.in_training(today):
            assert unit.ready_on is not None
            text = (
                f"Heer {unit.number} – {unit.troops} {book.of(unit.troops, unit.unit_type)} auf "
                f"{world.hexes[unit.hex_id].place} {verb(unit.troops, 'ist', 'sind')} am "
                f"{book.date(unit.ready_on)} ausgebildet."
            )
            world.tell("D", "in_training", text, unit.realm_id, unit_id=unit.unit_id)


def dissolve(world: World) -> None:
    """Units without troops leave their realm, and the orders of the turn are cleared."""
    world.fallen = [unit for unit in world.units.values() if not unit.living]
    world.units = {unit.unit_id: unit for unit in world.units.values() if unit.living}
    world.paths.clear()
    world.wishes.clear()
