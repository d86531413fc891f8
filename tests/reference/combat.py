"""Execute, phase 2: battles, every hex by itself (source 1, 6)."""

from dataclasses import dataclass, field
from math import floor

from tests.reference.book import Book, verb
from tests.reference.records import Building, Unit, World


@dataclass
class Party:
    """A coalition in one battle."""

    realms: set[int]
    units: list[Unit]
    strength_pct: int = 0  # strength times 100: the region factors are whole percents
    share: float = 0.0
    absorbed: float = 0.0
    building_id: int | None = None
    troops_before: dict[int, int] = field(default_factory=dict)
    region_pct: dict[int, int] = field(default_factory=dict)

    @property
    def name(self) -> int:
        """A party is called by its lowest realm."""
        return min(self.realms)

    @property
    def wiped_out(self) -> bool:
        return all(not unit.living for unit in self.units)


def fight(world: World, book: Book, today: int) -> None:
    """6: a battle on every hex where parties meet (decisions: where somebody attacks)."""
    for hex_id in sorted(world.hexes):
        if book.switches.decisions == "ignore" or attacked(world, hex_id):
            fight_on(world, book, today, hex_id)


def fight_on(world: World, book: Book, today: int, hex_id: int) -> None:
    """A battle on this hex if parties meet there."""
    parties = coalitions(world, world.crowd(hex_id))
    if len(parties) >= 2:
        battle(world, book, today, hex_id, parties)


def attacked(world: World, hex_id: int) -> bool:
    """Does a unit there have a, n, p1 or p2?"""
    attacking = ("a", "n", "p1", "p2")
    return any(world.letters.get(u.unit_id) in attacking for u in world.crowd(hex_id))


def coalitions(world: World, units: list[Unit]) -> list[Party]:
    """6.1: allied realms fight together, also over several alliances of realms present."""
    waiting = sorted({unit.realm_id for unit in units})
    parties = []
    while waiting:
        realms = {waiting.pop(0)}
        while True:
            joining = {
                r for r in waiting if any((r, member) in world.alliances for member in realms)
            }
            if not joining:
                break
            realms |= joining
            waiting = [realm for realm in waiting if realm not in joining]
        parties.append(Party(realms, [u for u in units if u.realm_id in realms]))
    return parties


def battle(world: World, book: Book, today: int, hex_id: int, parties: list[Party]) -> None:
    """One battle from first strength to captives."""
    number = 1 + max((row["round"] for row in world.battles if row["hex_id"] == hex_id), default=0)
    for party in parties:
        party.troops_before = {unit.unit_id: unit.troops for unit in party.units}
        party.strength_pct = strength_pct(world, book, hex_id, party)
    total = sum(party.strength_pct for party in parties)
    for party in parties:  # 6.3
        party.share = 100.0 * (total - party.strength_pct) / total
    shares = {party.name: party.share for party in parties}
    defend(world, book, today, hex_id, parties)
    for party in parties:  # 6.5 and 6.6
        for unit in party.units:
            if overrun(book, party):
                unit.troops = 0
            else:
                unit.troops -= floor(unit.troops * party.share / 100.0)
    captors = {}
    for victim, troops, captor in captures(parties):
        victim.troops = troops
        captors[victim.unit_id] = captor.unit_id
        victim.fall_captive_to(captor)
        world.fates[victim.unit_id] = "captured"
        world.captured_on[victim.unit_id] = hex_id
    for party in parties:
        world.battles.append(
            {
                "hex_id": hex_id,
                "round": number,
                "party": party.name,
                "strength": party.strength_pct / 100.0,
                "share": shares[party.name],
                "absorbed": party.absorbed,
                "final_share": party.share,
                "overrun": overrun(book, party),
                "building_id": party.building_id,
            }
        )
        for unit in party.units:
            before = party.troops_before[unit.unit_id]
            world.battle_units.append(
                {
                    "hex_id": hex_id,
                    "round": number,
                    "unit_id": unit.unit_id,
                    "party": party.name,
                    "region_pct": party.region_pct[unit.unit_id],
                    "troops_before": before,
                    "losses": before - unit.troops,
                    "captured": unit.unit_id in captors,
                    "captor_id": captors.get(unit.unit_id),
                }
            )


def strength_pct(world: World, book: Book, hex_id: int, party: Party) -> int:
    """6.2: (merit + 5) × the sum over the units, times 100."""
    merit = sum(unit.merit for unit in party.units) + book.constants.merit_base
    sum_pct = 0
    for unit in party.units:
        min_strength = book.unit_types[unit.unit_type]["min_strength"]
        fighting = -(-unit.troops // min_strength)  # rounded up
        region = region_pct(world, book, hex_id, unit)
        party.region_pct[unit.unit_id] = region
        sum_pct += fighting * (unit.elite_combat + 1) * region
    return merit * sum_pct


def region_pct(world: World, book: Book, hex_id: int, unit: Unit) -> int:
    """6.2: foreign ground, allied ground included, is bad; the home province is good."""
    spot = world.hexes[hex_id]
    if spot.realm_id is not None and spot.realm_id != unit.realm_id:
        return book.constants.foreign_pct
    if spot.province_id is not None and spot.province_id == unit.home_province_id:
        return book.constants.home_pct
    return 100


def defend(world: World, book: Book, today: int, hex_id: int, parties: list[Party]) -> None:
    """6.4: one building of the hex takes a part of its party's damage on itself."""
    for building_id in sorted(world.buildings):
        building = world.buildings[building_id]
        if building.hex_id != hex_id or not building.central or not finished(building, today):
            continue
        for party in parties:
            if building.realm_id not in party.realms:
                continue
            defence = book.building_types[building.building_type]["defence"]
            capacity = defence - building.damage - 1
            if capacity > 0:
                party.absorbed = min(capacity, party.share)
                party.share -= party.absorbed
                building.damage += party.absorbed
                party.building_id = building_id
            return  # the first that fits, even if it is used up


def finished(building: Building, today: int) -> bool:
    """One month from now lies after the date of completion (5.4)."""
    return building.completed_on is None or today + 1 > building.completed_on


def overrun(book: Book, party: Party) -> bool:
    """6.5."""
    return party.share >= book.constants.overrun_pct


def captures(parties: list[Party]) -> list[tuple[Unit, int, Unit]]:
    """6.7: (victim, its troops, captor) of every party that was wiped out, if anybody survived.

    The victim keeps the troops it had before the battle.
    """
    survivors = [party for party in parties if not party.wiped_out]
    if not survivors:
        return []
    winner = min(survivors, key=lambda party: (-party.strength_pct, party.name))
    captor = min(winner.units, key=lambda u: (-u.troops, u.realm_id, u.number))
    taken = []
    for party in parties:
        if party.wiped_out:
            before = party.troops_before
            victim = min(party.units, key=lambda u: (before[u.unit_id], u.realm_id, u.number))
            taken.append((victim, before[victim.unit_id], captor))
    return taken


def tell_of_losses(world: World, book: Book) -> None:
    """6.6: one line for every unit and battle that it lost troops in."""
    rows = sorted(world.battle_units, key=lambda row: (row["round"], row["hex_id"]))
    for unit in world.in_order():
        for row in rows:
            count = row["losses"]
            if row["unit_id"] != unit.unit_id or count == 0:
                continue
            text = (
                f"{count} {book.of(count, unit.unit_type)} {verb(count, 'geht', 'gehen')} "
                "während einer Schlacht (siehe Überblick) verloren."
            )
            world.tell("A", "combat", text, unit.realm_id, unit_id=unit.unit_id)
