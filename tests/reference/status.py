"""Execute, phase 3: who drowned, who went free, what became of everybody (source 1, 5.3)."""

from tests.reference.book import Book, verb
from tests.reference.losses import lose
from tests.reference.records import Unit, World


def settle(world: World) -> None:
    """Ships that went down take their passengers with them; captives of the lost go free."""
    drown(world)
    set_free(world)
    for unit in world.units.values():
        if not unit.living and world.fates.get(unit.unit_id) != "drowned":
            world.fates[unit.unit_id] = "dead"


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
        if captor.living and not captor.captive:
            continue
        for prisoner in world.captives_of(captor):
            prisoner.stand_on(last_hex(world, captor))
            if prisoner.living:
                world.fates[prisoner.unit_id] = "freed"


def last_hex(world: World, captor: Unit) -> int:
    """Its own hex, that of the battle it was captured in, else that of the ship it was aboard."""
    while captor.hex_id is None:
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


def dissolve(world: World) -> None:
    """Units without troops leave their realm, and the orders of the turn are cleared."""
    world.fallen = [unit for unit in world.units.values() if not unit.living]
    world.units = {unit.unit_id: unit for unit in world.units.values() if unit.living}
    world.paths.clear()
    world.wishes.clear()
