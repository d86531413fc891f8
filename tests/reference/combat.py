"""Execute, phase 2: battles, every hex by itself (source 1, 6)."""

from dataclasses import dataclass, field
from itertools import combinations
from math import floor

from tests.reference.book import Book, verb
from tests.reference.records import Building, Unit, World


@dataclass
class Party:
    """A coalition in one battle; it is called by its lowest realm."""

    name: int
    realms: set[int]
    units: list[Unit]
    strength_pm: int = 0  # strength times 1000: whole percents or halves of them
    outnumbered: bool = False
    share: float = 0.0
    absorbed: float = 0.0
    building_id: int | None = None
    sheltered: set[int] = field(default_factory=set)
    troops_before: dict[int, int] = field(default_factory=dict)
    region_pct: dict[int, int] = field(default_factory=dict)

    @property
    def final_share(self) -> float:
        return self.share - self.absorbed

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
        parties.append(Party(min(realms), realms, [u for u in units if u.realm_id in realms]))
    return parties


def battle(world: World, book: Book, today: int, hex_id: int, parties: list[Party]) -> None:
    """All parties at once, or pair by pair, the strongest first (multi_party = pairwise)."""
    if book.switches.multi_party == "joint":
        clash(world, book, today, hex_id, parties)
        return
    met: set[tuple[int, int]] = set()
    while True:
        parties = [alive for party in parties if (alive := what_is_left(party, hex_id)).units]
        for party in parties:
            party.strength_pm = strength_pm(world, book, today, hex_id, party)
        pairs = [(a, b) for a, b in combinations(parties, 2) if (a.name, b.name) not in met]
        if not pairs:
            return
        one, other = min(
            pairs, key=lambda pair: (-sum(p.strength_pm for p in pair), pair[0].name, pair[1].name)
        )
        met.add((one.name, other.name))
        clash(world, book, today, hex_id, [one, other])


def what_is_left(party: Party, hex_id: int) -> Party:
    """The party with those who still stand on the hex."""
    units = [unit for unit in party.units if unit.living and unit.hex_id == hex_id]
    return Party(party.name, {unit.realm_id for unit in units}, units)


def clash(world: World, book: Book, today: int, hex_id: int, parties: list[Party]) -> None:
    """One round from first strength to captives."""
    number = 1 + max((row["round"] for row in world.battles if row["hex_id"] == hex_id), default=0)
    for party in parties:
        party.troops_before = {unit.unit_id: unit.troops for unit in party.units}
        party.strength_pm = strength_pm(world, book, today, hex_id, party)
    total = sum(party.strength_pm for party in parties)
    for party in parties:  # 6.3
        others = total - party.strength_pm
        party.share = 100.0 * others / total
        if book.switches.annihilation == "share_or_odds":
            party.outnumbered = others > book.constants.overrun_odds * party.strength_pm
    if book.switches.building_defence == "first":
        defend(world, book, today, hex_id, parties)
    else:
        for party in parties:
            take_shelter(world, book, today, hex_id, party)
    for party in parties:  # 6.5 and 6.6
        for unit in party.units:
            share = party.final_share if unit.unit_id in party.sheltered else party.share
            if overrun(book, party, share):
                unit.troops = 0
            else:
                unit.troops -= floor(unit.troops * share / 100.0)
    captors = take_captives(world, hex_id, parties)
    for party in parties:
        world.battles.append(
            {
                "hex_id": hex_id,
                "round": number,
                "party": party.name,
                "strength": party.strength_pm / 1000.0,
                "share": party.share,
                "absorbed": party.absorbed,
                "final_share": party.final_share,
                "overrun": overrun(book, party, party.final_share),
                "building_id": party.building_id,
            }
        )
        write_fighters(world, hex_id, number, party, captors)


def strength_pm(world: World, book: Book, today: int, hex_id: int, party: Party) -> int:
    """6.2: (merit + 5) × the sum over the units, times 1000; in training they count half."""
    merit = sum(unit.merit for unit in party.units) + book.constants.merit_base
    sum_pm = 0
    for unit in party.units:
        min_strength = book.unit_types[unit.unit_type]["min_strength"]
        fighting = -(-unit.troops // min_strength)  # rounded up
        region = region_pct(world, book, today, hex_id, unit)
        party.region_pct[unit.unit_id] = region
        half = book.switches.training == "realise" and unit.in_training(today)
        sum_pm += fighting * (unit.elite_combat + 1) * region * (5 if half else 10)
    return merit * sum_pm


def region_pct(world: World, book: Book, today: int, hex_id: int, unit: Unit) -> int:
    """6.2: foreign ground, allied ground included, is bad; the home province is good."""
    spot = world.hexes[hex_id]
    provincial = book.in_range(unit.unit_type, unit.number, "provinz")
    if book.switches.region == "by_army_kind" and provincial:
        if at_home(world, unit):
            since = today if unit.home_since is None else unit.home_since
            return 100 + book.constants.province_year_pct * ((today - since) // len(book.months))
        return 100 if spot.realm_id == unit.realm_id else book.constants.province_abroad_pct
    if spot.realm_id is not None and spot.realm_id != unit.realm_id:
        return book.constants.foreign_pct
    if spot.province_id is not None and spot.province_id == unit.home_province_id:
        return book.constants.home_pct
    return 100


def at_home(world: World, unit: Unit) -> bool:
    """Does it stand in its home province?"""
    province = None if unit.hex_id is None else world.hexes[unit.hex_id].province_id
    return province is not None and province == unit.home_province_id


def count_years_at_home(world: World, today: int) -> None:
    """They begin anew for whoever ends the turn elsewhere, and begin for whoever has none yet."""
    for unit in world.units.values():
        if unit.home_since is None or not at_home(world, unit):
            unit.home_since = today


def defend(world: World, book: Book, today: int, hex_id: int, parties: list[Party]) -> None:
    """6.4: one building of the hex takes a part of its party's damage on itself."""
    for building_id in sorted(world.buildings):
        building = world.buildings[building_id]
        if building.hex_id != hex_id or not building.central or not finished(building, today):
            continue
        for party in parties:
            if building.realm_id not in party.realms:
                continue
            party.sheltered = {unit.unit_id for unit in party.units}
            absorb(book, party, [building])
            return  # the first that fits, even if it is used up


def take_shelter(world: World, book: Book, today: int, hex_id: int, party: Party) -> None:
    """All buildings of the party protect whoever finds a place in them, one after the other."""
    walls = [
        building
        for _, building in sorted(world.buildings.items())
        if building.hex_id == hex_id
        and building.central
        and finished(building, today)
        and building.realm_id in party.realms
    ]
    places = sum(book.building_types[building.building_type]["capacity"] for building in walls)
    for unit in sorted(party.units, key=lambda u: (u.realm_id, u.number)):
        places -= unit.troops * book.unit_types[unit.unit_type]["troop_space"]
        if places < 0:
            break
        party.sheltered.add(unit.unit_id)
    if party.sheltered:
        absorb(book, party, walls)


def absorb(book: Book, party: Party, walls: list[Building]) -> None:
    """6.4: the buildings take what they can of the party's damage, one after the other."""
    if party.outnumbered:
        return
    capacities = [
        max(0, book.building_types[b.building_type]["defence"] - b.damage - 1) for b in walls
    ]
    party.absorbed = float(min(sum(capacities), party.share))
    before = 0.0
    for building, capacity in zip(walls, capacities, strict=True):
        taken = min(capacity, max(0.0, party.absorbed - before))
        before += capacity
        if taken > 0:
            building.damage += taken
            party.building_id = party.building_id or building.building_id


def finished(building: Building, today: int) -> bool:
    """One month from now lies after the date of completion (5.4)."""
    return building.completed_on is None or today + 1 > building.completed_on


def overrun(book: Book, party: Party, share: float) -> bool:
    """6.5."""
    return party.outnumbered or share >= book.constants.overrun_pct


def captures(parties: list[Party]) -> list[tuple[Unit, int, Unit]]:
    """6.7: (victim, its troops, captor) of every party that was wiped out, if anybody survived.

    The victim keeps the troops it had before the battle.
    """
    survivors = [party for party in parties if not party.wiped_out]
    if not survivors:
        return []
    winner = min(survivors, key=lambda party: (-party.strength_pm, party.name))
    captor = min(winner.units, key=lambda u: (-u.troops, u.realm_id, u.number))
    taken = []
    for party in parties:
        if party.wiped_out:
            before = party.troops_before
            victim = min(party.units, key=lambda u: (before[u.unit_id], u.realm_id, u.number))
            taken.append((victim, before[victim.unit_id], captor))
    return taken


def take_captives(world: World, hex_id: int, parties: list[Party]) -> dict[int, int]:
    """6.7, carried out: captive → captor."""
    captors = {}
    for victim, troops, captor in captures(parties):
        victim.troops = troops
        captors[victim.unit_id] = captor.unit_id
        victim.fall_captive_to(captor)
        world.fates[victim.unit_id] = "captured"
        world.captured_on[victim.unit_id] = hex_id
    return captors


def write_fighters(
    world: World, hex_id: int, number: int, party: Party, captors: dict[int, int]
) -> None:
    """The rows of battle_units of a party after the clash."""
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
