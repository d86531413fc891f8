"""Execute, phase 5: what every realm sees, built from nothing (source 1, 7)."""

from tests.reference.book import Book
from tests.reference.records import World


def rebuild_sight(world: World, book: Book, turn_number: int) -> None:
    """Living units ashore and buildings see; the atlas stays as it is, or remembers it."""
    world.sight = set()
    beyond = set()
    for unit in world.units.values():
        if unit.living and unit.hex_id is not None:
            for hex_id in within(world, unit.hex_id, book.constants.unit_sight_radius):
                world.sight.add((unit.realm_id, hex_id))
            for hex_id in made_out(world, book, unit.hex_id):
                beyond.add((unit.realm_id, hex_id))
    for building in world.buildings.values():
        places = {building.hex_id}
        if not building.central:
            if book.switches.edge_sight == "off":
                continue
            across = world.neighbours[building.hex_id].get(building.direction or 0)
            places |= {across} if across else set()
        radius = book.building_types[building.building_type]["sight_radius"]
        for place in places:
            for hex_id in within(world, place, radius):
                world.sight.add((building.realm_id, hex_id))
    if book.switches.atlas == "remember":
        remember(
            world,
            world.sight | beyond if book.switches.ring2_sight == "on" else world.sight,
            turn_number,
        )


def within(world: World, start: int, rings: int) -> set[int]:
    """The hex and so many rings of neighbours around it, as far as the map goes."""
    seen = {start}
    for _ in range(rings):
        seen |= {n for hex_id in seen for n in world.neighbours[hex_id].values()}
    return seen


def made_out(world: World, book: Book, start: int) -> set[int]:
    """The hexes two steps away that no higher hex between hides."""

    def level(hex_id: int) -> int:
        return int(book.heights[world.hexes[hex_id].height]["level"])

    near = within(world, start, 1)
    found = set()
    for far in within(world, start, 2) - near:
        between = [h for h in near - {start} if far in world.neighbours[h].values()]
        if all(level(h) <= level(start) or level(h) <= level(far) for h in between):
            found.add(far)
    return found


def remember(world: World, seen: set[tuple[int, int]], turn_number: int) -> None:
    """What is seen now is seen last now, and for the first time if it was unknown."""
    known = {(row["realm_id"], row["hex_id"]): row for row in world.atlas}
    for realm_id, hex_id in seen:
        new = {"realm_id": realm_id, "hex_id": hex_id, "first_seen": turn_number}
        known.setdefault((realm_id, hex_id), new)["last_seen"] = turn_number
    world.atlas = list(known.values())


def tell_of_sightings(world: World, book: Book) -> None:
    """Every foreign army ashore and every foreign building on a hex that a realm sees."""
    if book.switches.sightings == "off":
        return
    for realm_id in world.realm_names:
        for unit in world.in_order():
            if unit.realm_id != realm_id and unit.hex_id and (realm_id, unit.hex_id) in world.sight:
                count = roughly(unit.troops)
                world.tell(
                    "B",
                    "sighted" if count < 100 else "sighted_about",
                    f"Heer {unit.number} von {world.realm_names[unit.realm_id]} – "
                    f"{'etwa ' if count >= 100 else ''}{count} {book.of(count, unit.unit_type)} "
                    f"auf {world.hexes[unit.hex_id].place}.",
                    realm_id,
                    unit_id=unit.unit_id,
                )
        for building_id, building in sorted(world.buildings.items()):
            if building.realm_id != realm_id and (realm_id, building.hex_id) in world.sight:
                world.tell(
                    "C",
                    "sighted_building",
                    f"{book.building_types[building.building_type]['name']} von "
                    f"{world.realm_names[building.realm_id]} "
                    f"auf {world.hexes[building.hex_id].place}.",
                    realm_id,
                    building_id=building_id,
                )


def roughly(troops: int) -> int:
    """Half up to two leading digits; exact below 100."""
    if troops < 100:
        return troops
    head, tail = str(troops)[:2], str(troops)[2:]
    up = 1 if tail[0] >= "5" else 0
    return (int(head) + up) * 10 ** len(tail)
