"""Execute, phase 4: buildings and income (source 1, 5.4)."""

from tests.reference.book import Book
from tests.reference.records import World


def report_buildings(world: World, book: Book, today: int) -> None:
    """A line for every central building with a date of completion."""
    for building_id in sorted(world.buildings):
        building = world.buildings[building_id]
        if not building.central or building.completed_on is None:
            continue
        title = book.building_types[building.building_type]["name"]
        if building.name is not None:
            title += f" {building.name}"
        date = book.date(building.completed_on)
        place = world.hexes[building.hex_id].place
        if today + 1 <= building.completed_on:
            kind = "building_new"
            text = f"{title} wird vorraussichtlich am {date} auf {place} fertiggestellt."
        else:
            kind = "building_old"
            text = f"{title} erbaut am {date} auf {place}."
        world.tell("E", kind, text, building.realm_id, building_id=building_id)


def accrue_income(world: World, book: Book, today: int) -> None:
    """A third of the income goes to the credit of a hex while that is below twice the income."""
    for spot in world.hexes.values():
        ravaged = spot.ravaged_until is not None and spot.ravaged_until > today
        if ravaged or spot.credit >= book.constants.income_cap * spot.income:
            continue
        gain = spot.income // book.constants.income_parts
        if gain == 0:
            continue
        spot.credit += gain
        world.ledger.append(
            {
                "account": "credit",
                "realm_id": spot.realm_id,
                "kind": "income",
                "amount": gain,
                "hex_id": spot.hex_id,
                "unit_id": None,
                "building_id": None,
            }
        )
