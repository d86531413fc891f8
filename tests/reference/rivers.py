"""Execute, after all movement: who waded through a river (our rule, switch river_losses)."""

from itertools import pairwise

from tests.reference.book import Book, verb
from tests.reference.combat import finished
from tests.reference.dice import RIVER, Dice
from tests.reference.losses import lose
from tests.reference.records import Unit, World


def wade(world: World, book: Book, dice: Dice, today: int) -> None:
    """Every step across a river without a bridge costs some; new parts are spared."""
    bridges = bridged(world, book, today)
    parts = {split.new_unit_id for split in world.splits}
    for unit in world.in_order():
        if dry(book, unit) or unit.unit_id in parts:
            continue
        crossing = 0
        for (_, here), (_, there) in pairwise(world.walks.get(unit.unit_id, [])):
            edge = (min(here, there), max(here, there))
            if edge not in world.rivers or edge in bridges:
                continue
            most = book.constants.river_loss_max_pct
            percent = dice.roll(RIVER, unit.entity, 1, most, index=crossing)
            lost = lose(world, unit, "river", percent, crossing)
            if lost > 0:
                text = (
                    f"{lost} {book.of(lost, unit.unit_type)} "
                    f"{verb(lost, 'ertrinkt', 'ertrinken')} beim Überqueren des Flusses."
                )
                world.tell("A", "river", text, unit.realm_id, unit_id=unit.unit_id)
            crossing += 1


def dry(book: Book, unit: Unit) -> bool:
    """Does it fly, sail, know the ford, or is it immune?"""
    kind = book.unit_types[unit.unit_type]
    immune = any((who, what) == (unit.unit_type, "river") for who, what, _ in book.immune)
    return kind["flyer"] or kind["ship"] or kind["fords"] or immune


def bridged(world: World, book: Book, today: int) -> set[tuple[int, int]]:
    """The edges with a finished bridge, as pairs of hexes, the lower one first."""
    edges = set()
    for building in world.buildings.values():
        if building.direction is None or not finished(building, today):
            continue
        other = world.neighbours[building.hex_id].get(building.direction)
        if other and book.building_types[building.building_type]["bridge"]:
            edges.add((min(building.hex_id, other), max(building.hex_id, other)))
    return edges
