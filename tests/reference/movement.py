"""Execute, phase 1: units walk, one after the other or together, then some go aboard (5.1).

A realm's units are told about in the order of the report: all moves, all parts that split off,
then all boardings.
"""

from tests.reference.book import Book
from tests.reference.dice import CROSSING, Dice
from tests.reference.records import Split, Unit, World
from transforms.catalogue import SPLIT


def move(world: World, book: Book, dice: Dice) -> dict[int, int | None]:
    """5.1: along the waypoints until foreign troops are met; unit → the hex it started from."""
    starts = {unit.unit_id: unit.hex_id for unit in world.in_order()}
    spare_parts(world)
    if book.switches.movement == "simultaneous":
        move_together(world, book, dice)
    else:
        move_one_by_one(world, book)
    return starts


def tell(world: World, book: Book, starts: dict[int, int | None]) -> None:
    """What became of the moves and the parts."""
    tell_of_moves(world)
    if book.switches.decisions == "evaluate":
        tell_of_parts(world, book, starts)
    elif book.switches.river_losses == "off":
        world.walks.clear()  # nobody asks


def move_one_by_one(world: World, book: Book) -> None:
    """In (realm_id, number), each part right behind its parent."""
    for unit in world.in_order():
        for part in walk(world, unit, book):
            walk(world, part, book)


def walk(world: World, unit: Unit, book: Book) -> list[Unit]:
    """One unit goes its way; the parts that split off it."""
    parts = split_off(world, unit, 0, book)
    way = world.paths.get(unit.unit_id)
    if not way or not unit.living or unit.captive:
        return parts
    set_out(world, unit)
    for step, waypoint in enumerate(way, start=1):
        enter(world, unit, step, waypoint)
        contact = world.foes_on(waypoint, unit.realm_id)
        parts += split_off(world, unit, step, book)
        if contact:
            world.moves[-1]["contact"] = True
            break
    return parts


def move_together(world: World, book: Book, dice: Dice) -> None:
    """Step k of all paths at once; nothing depends on the order of the units."""
    walkers: list[tuple[Unit, list[int]]] = []  # and the way that is left

    def ready(unit: Unit) -> None:
        way = world.paths.get(unit.unit_id)
        if way and unit.living and not unit.captive:
            set_out(world, unit)
            walkers.append((unit, list(way)))

    for unit in world.in_order():
        for part in split_off(world, unit, 0, book):
            ready(part)
        ready(unit)
    rolled: dict[tuple[int, int], int] = {}
    while walkers:
        going = [(unit, way.pop(0)) for unit, way in walkers]
        halts = []
        for unit, target in going:
            against = any(
                other.hex_id == target
                and goal == unit.hex_id != target
                and not world.friends(unit.realm_id, other.realm_id)
                for other, goal in going
            )
            halt = target
            if against and unit.hex_id is not None:
                pair = (min(unit.hex_id, target), max(unit.hex_id, target))
                if pair not in rolled:
                    rolled[pair] = dice.roll(CROSSING, pair[0], 0, 1, index=pair[1])
                halt = pair[rolled[pair]]
            halts.append(halt)
        entered = []
        for (unit, target), halt in zip(going, halts, strict=True):
            step = len(world.paths[unit.unit_id]) - len(remaining(walkers, unit))
            if halt == target:
                enter(world, unit, step, target)
                entered.append((unit, step))
        met = [unit for unit, _ in going if world.foes_on(unit.hex_id or 0, unit.realm_id)]
        for row in world.moves:
            row["contact"] |= any(unit.unit_id == row["unit_id"] for unit in met)
        walkers = [(unit, way) for unit, way in walkers if way and unit not in met]
        for unit, step in entered:
            for part in split_off(world, unit, step, book):
                ready(part)


def remaining(walkers: list[tuple[Unit, list[int]]], unit: Unit) -> list[int]:
    return next(way for walker, way in walkers if walker is unit)


def set_out(world: World, unit: Unit) -> None:
    """The move begins: from its hex, or from a ship (null)."""
    start = unit.hex_id
    world.walks[unit.unit_id] = [] if start is None else [(0, start)]
    row = {"unit_id": unit.unit_id, "from_hex": start, "to_hex": start, "contact": False}
    world.moves.append(row)


def enter(world: World, unit: Unit, step: int, hex_id: int) -> None:
    unit.stand_on(hex_id)
    world.walks[unit.unit_id].append((step, hex_id))
    next(row for row in world.moves if row["unit_id"] == unit.unit_id)["to_hex"] = hex_id


def spare_parts(world: World) -> None:
    """Which parts can each parent do without, one after the other?"""
    for unit in world.in_order():
        troops, leaders = unit.troops, unit.leaders
        for split in splits_of(world, unit):
            split.spared = (
                1 <= split.troops < troops and split.leaders <= leaders and not unit.captive
            )
            if split.spared:
                troops, leaders = troops - split.troops, leaders - split.leaders


def splits_of(world: World, unit: Unit) -> list[Split]:
    mine = [split for split in world.splits if split.unit_id == unit.unit_id]
    return sorted(mine, key=lambda split: (split.after_step, split.number))


def split_off(world: World, unit: Unit, step: int, book: Book) -> list[Unit]:
    """The parts that leave at this waypoint."""
    parts = []
    if book.switches.decisions == "ignore":
        return []
    for split in splits_of(world, unit):
        if split.after_step != step or not split.spared:
            continue
        unit.troops -= split.troops
        unit.leaders -= split.leaders
        part = Unit(
            unit_id=split.new_unit_id,
            realm_id=unit.realm_id,
            number=split.number,
            unit_type=unit.unit_type,
            troops=split.troops,
            leaders=split.leaders,
            merit=0,
            elite_combat=unit.elite_combat,
            elite_movement=unit.elite_movement,
            hex_id=unit.hex_id,
            carrier_id=unit.carrier_id,
            home_province_id=unit.home_province_id,
            captor_id=None,
            last_ashore=unit.last_ashore,
            ready_on=None,
            home_since=unit.home_since,
        )
        world.units[part.unit_id] = part
        parts.append(part)
        if part.hex_id is not None:
            world.walks[part.unit_id] = [(0, part.hex_id)]
    return parts


def tell_of_moves(world: World) -> None:
    """A line for every move, a second one for a contact."""
    moves = {row["unit_id"]: row for row in world.moves}
    for unit in world.in_order():
        if unit.unit_id not in moves:
            continue
        row = moves[unit.unit_id]
        place = world.hexes[row["to_hex"]].place
        if row["from_hex"] is None:
            kind, text = "landed", f"Heer {unit.number} landet auf {place}."
        elif row["from_hex"] == row["to_hex"]:
            kind, text = "stayed", f"Heer {unit.number} bleibt auf {place}."
        else:
            origin = world.hexes[row["from_hex"]].place
            kind, text = "moved", f"Heer {unit.number} zieht von {origin} nach {place}."
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)
        if row["contact"]:
            text = f"Heer {unit.number} trifft auf {place} auf fremde Truppen."
            world.tell("A", "contact", text, unit.realm_id, unit_id=unit.unit_id)


def tell_of_parts(world: World, book: Book, starts: dict[int, int | None]) -> None:
    """A line for every part that was ordered, by its number."""
    for split in sorted(world.splits, key=lambda split: split.number):
        unit = world.units[split.unit_id]
        where = starts[split.unit_id]
        if split.after_step > 0:
            where = world.paths[split.unit_id][split.after_step - 1]
        head = f"Heer {unit.number}"
        if split.new_unit_id in world.units:
            kind, reason = "split", None
            words = f"{split.troops} {book.of(split.troops, unit.unit_type)}"
            text = f"{head} spaltet Heer {split.number} ab: {words}."
        else:
            kind, reason = "kept_together", SPLIT["stopped" if split.spared else "too_few"]
            text = f"{head} kann Heer {split.number} nicht abspalten: {reason}."
        world.do(unit, kind, where, number=split.number, amount=split.troops, reason=reason)
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)


def board(world: World, book: Book, reasons: dict[str, str]) -> None:
    """After all movement, in (realm_id, number): who wants to and may goes aboard.

    `reasons` are the German words for why somebody may not.
    """
    met_somebody = {row["unit_id"] for row in world.moves if row["contact"]}
    after_movement = {unit.unit_id: unit.hex_id for unit in world.units.values()}
    for unit in world.in_order():
        if unit.unit_id not in world.wishes or not unit.living or unit.captive:
            continue
        ship = world.units.get(world.wishes[unit.unit_id])  # None: a part that never split off
        why_not = first_true(
            {
                "aboard": unit.carrier_id is not None,
                "is_ship": book.unit_types[unit.unit_type]["ship"],
                "contact": unit.unit_id in met_somebody,
                "foreign_ship": ship is not None
                and not world.friends(unit.realm_id, ship.realm_id),
                "elsewhere": ship is None or after_movement[ship.unit_id] != unit.hex_id,
                "no_ship": ship is not None and not book.unit_types[ship.unit_type]["ship"],
                "dead_ship": ship is not None and not ship.living,
                "full": ship is not None and not has_room(world, book, ship, unit),
            }
        )
        world.boardings.append(
            {
                "unit_id": unit.unit_id,
                "ship_id": world.wishes[unit.unit_id],
                "boarded": why_not is None,
                "reason": None if why_not is None else reasons[why_not],
            }
        )
        if ship is None:
            continue
        if why_not is None:
            unit.go_aboard(ship)
            kind = "boarded"
            text = f"Heer {unit.number} schifft sich auf Schiff {ship.number} ein."
        else:
            kind = "not_boarded"
            text = (
                f"Heer {unit.number} kann sich nicht auf Schiff {ship.number} einschiffen: "
                f"{reasons[why_not]}."
            )
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)


def first_true(obstacles: dict[str, bool]) -> str | None:
    """The first of the obstacles that is there."""
    return next((name for name, is_there in obstacles.items() if is_there), None)


def has_room(world: World, book: Book, ship: Unit, unit: Unit) -> bool:
    places = ship.troops * book.unit_types[ship.unit_type]["capacity"]
    used = sum(space(book, passenger) for passenger in world.aboard_of(ship))
    return used + space(book, unit) <= places


def space(book: Book, unit: Unit) -> int:
    """The places a unit takes aboard."""
    return unit.troops * book.unit_types[unit.unit_type]["troop_space"]
