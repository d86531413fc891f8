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
        enter(world, "credit", "income", gain, spot.realm_id, hex_id=spot.hex_id)


def levy(world: World) -> None:
    """Our rule: what the hexes of a realm have goes to its treasury."""
    for spot in world.hexes.values():
        if spot.realm_id is not None and spot.credit > 0:
            for account, gold in (("credit", -spot.credit), ("treasury", spot.credit)):
                enter(world, account, "levy", gold, spot.realm_id, hex_id=spot.hex_id)
            world.realms[spot.realm_id]["treasury"] += spot.credit
            spot.credit = 0


def pay_upkeep(world: World, book: Book) -> None:
    """Our rule: a fifth of what the troops cost, until a unit of the realm cannot be paid."""
    bankrupt = set()
    for unit in world.in_order():
        cost = book.unit_types[unit.unit_type]["cost"]
        pay = unit.troops * cost // book.constants.upkeep_parts
        if pay == 0 or unit.captive:
            continue
        realm = world.realms[unit.realm_id]
        if unit.realm_id in bankrupt or pay > realm["treasury"]:
            bankrupt.add(unit.realm_id)
            text = f"Heer {unit.number} bekommt keinen Sold ({pay} Goldstück)."
            world.tell("F", "unpaid", text, unit.realm_id, unit_id=unit.unit_id)
            continue
        realm["treasury"] -= pay
        enter(world, "treasury", "upkeep", -pay, unit.realm_id, unit_id=unit.unit_id)


def enter(
    world: World,
    account: str,
    kind: str,
    amount: int,
    realm_id: int | None,
    *,
    hex_id: int | None = None,
    unit_id: int | None = None,
) -> None:
    """Write down a movement of gold."""
    world.ledger.append(
        {
            "account": account,
            "realm_id": realm_id,
            "kind": kind,
            "amount": amount,
            "hex_id": hex_id,
            "unit_id": unit_id,
            "building_id": None,
        }
    )
