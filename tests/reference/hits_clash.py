"""The clash of the hex game by Treffer und Verluste, unit by unit (combat_model = hits)."""

from typing import Any

from tests.reference.book import Book
from tests.reference.combat import Party as SharesParty
from tests.reference.combat import (
    coalitions,
    finished,
    region_pct,
    take_captives,
    write_fighters,
)
from tests.reference.hits import MICRO, Army, Battlefield, Combatant, fight
from tests.reference.records import Unit, World

PLACES = {"none": 0, "pal": 4, "mau": 8, "burg": 12}


def fight_all(world: World, book: Book, today: int, key: tuple[int, int]) -> dict[str, list[Any]]:
    """Every battle of a turn; the rows of battle_armies, battle_selections and the draws."""
    told: dict[str, list[Any]] = {"armies": [], "selections": [], "draws": []}
    for hex_id in sorted(world.hexes):
        units = [u for u in world.in_order() if u.hex_id == hex_id and u.living]
        parties = coalitions(world, units)
        if len(parties) >= 2:
            one_battle(world, book, today, key, hex_id, parties, told)
    return told


def one_battle(
    world: World,
    book: Book,
    today: int,
    key: tuple[int, int],
    hex_id: int,
    parties: list[SharesParty],
    told: dict[str, list[Any]],
) -> None:
    armies: list[Army] = []
    behind: dict[int, Unit] = {}  # combatant → its unit
    worth: dict[int, int] = {}  # combatant → troops it stands for
    for party in parties:
        party.troops_before = {u.unit_id: u.troops for u in party.units}
        crowd: list[Combatant] = []
        mine: list[Army] = []
        for realm_id in sorted(party.realms):
            army = Army(0, [], realm_id=realm_id)
            for unit in sorted((u for u in party.units if u.realm_id == realm_id), key=entity):
                army.id = army.id or entity(unit)
                region = region_pct(world, book, today, hex_id, unit)
                party.region_pct[unit.unit_id] = region
                kind, troops = book.unit_types[unit.unit_type], unit.troops
                while troops > 0:
                    kk = (unit.elite_combat + 1) * region * 10_000
                    c = Combatant(len(army.combatants) + 1, kk, kind["ranged"])
                    army.combatants.append(c)
                    crowd.append(c)
                    behind[id(c)], worth[id(c)] = unit, min(troops, kind["min_strength"])
                    troops -= kind["min_strength"]
            mine.append(army)
        walls = walls_of(world, book, today, hex_id, party, parties)
        order = sorted(range(len(crowd)), key=lambda i: (-crowd[i].base_kk, not crowd[i].ranged, i))
        for i in order[: PLACES[walls]]:
            crowd[i].walls = walls
        armies += mine
    for army in armies:
        side = next(p for p in parties if army.realm_id in p.realms)
        army.enemies = [a for a in armies if a.realm_id not in side.realms]
    field = Battlefield(sorted(armies, key=lambda a: a.id), key)
    fight(field)
    book_results(world, hex_id, parties, field, behind, worth)
    told["draws"] += field.draws
    for army in field.armies:
        numbers = [army.told[n] for n in ("strikes", "hits", "received")]
        told["armies"].append(
            (hex_id, army.id, 0, army.realm_id, army.told["strength"] / MICRO, *numbers)
        )
    by_id = {army.id: army for army in field.armies}
    for _, army_id, number, combatant_id, *course in field.selections:
        c = by_id[army_id].combatants[combatant_id - 1]
        who = (behind[id(c)].unit_id, combatant_id, worth[id(c)], c.kk / MICRO, c.walls)
        told["selections"].append((hex_id, army_id, 0, number, *who, *course))


def entity(unit: Unit) -> int:
    return unit.realm_id * 65536 + unit.number


def walls_of(
    world: World, book: Book, today: int, hex_id: int, party: SharesParty, all_: list[SharesParty]
) -> str:
    """The fortification of the first finished central building of anybody who fights here."""
    present = {u.realm_id for p in all_ for u in p.units}
    for building_id in sorted(world.buildings):
        building = world.buildings[building_id]
        if building.hex_id != hex_id or not building.central or not finished(building, today):
            continue
        if building.realm_id in present:
            mine = building.realm_id in {u.realm_id for u in party.units}
            return book.building_types[building.building_type]["fortification"] if mine else "none"
    return "none"


def book_results(
    world: World,
    hex_id: int,
    parties: list[SharesParty],
    field: Battlefield,
    behind: dict[int, Unit],
    worth: dict[int, int],
) -> None:
    """Losses, captives, rows of battles and battle_units."""
    for army in field.armies:
        for c in army.combatants:
            if not c.alive:
                behind[id(c)].troops -= worth[id(c)]
    rows = []
    for party in parties:
        mine = [a for a in field.armies if a.realm_id in party.realms]
        strength = sum(a.told["strength"] for a in mine)
        party.strength_pm = strength
        before = sum(party.troops_before.values())
        share = 100 * (before - sum(u.troops for u in party.units)) / before
        row = {"hex_id": hex_id, "round": 1, "party": party.name, "strength": strength / MICRO}
        row |= {"share": share, "absorbed": 0.0, "final_share": share, "building_id": None}
        rows.append(row | {"overrun": party.wiped_out})
    captors = take_captives(world, hex_id, parties)
    world.battles += rows
    for party in parties:
        write_fighters(world, hex_id, 1, party, captors)
