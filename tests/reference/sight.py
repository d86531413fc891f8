"""Execute, phase 5: what every realm sees, built from nothing (source 1, 7)."""

from tests.reference.book import Book
from tests.reference.records import World


def rebuild_sight(world: World, book: Book) -> None:
    """Living units ashore and central buildings see; the atlas stays as it is."""
    world.sight = set()
    for unit in world.units.values():
        if unit.living and unit.hex_id is not None:
            for hex_id in within(world, unit.hex_id, book.constants.unit_sight_radius):
                world.sight.add((unit.realm_id, hex_id))
    for building in world.buildings.values():
        if building.central:
            radius = book.building_types[building.building_type]["sight_radius"]
            for hex_id in within(world, building.hex_id, radius):
                world.sight.add((building.realm_id, hex_id))


def within(world: World, start: int, rings: int) -> set[int]:
    """The hex and so many rings of neighbours around it, as far as the map goes."""
    seen = {start}
    for _ in range(rings):
        seen |= {n for hex_id in seen for n in world.neighbours[hex_id].values()}
    return seen
