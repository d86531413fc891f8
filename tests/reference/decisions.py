"""What the letters decide around the battles: withdrawal, pursuit, conquest (`decisions`)."""

from tests.reference import combat
from tests.reference.book import Book
from tests.reference.dice import WITHDRAWAL, Dice
from tests.reference.records import Unit, World


def withdraw(world: World, book: Book, dice: Dice) -> None:
    """The r units of all hexes on which a battle is due, in order, each to a free hex."""
    due = {
        hex_id
        for hex_id in world.hexes
        if combat.attacked(world, hex_id)
        and len(combat.coalitions(world, world.crowd(hex_id))) >= 2
    }
    for unit in [u for u in world.in_order() if u.hex_id in due and u.living]:
        if world.letters.get(unit.unit_id) != "r" or unit.hex_id is None:
            continue
        start = unit.hex_id
        target = way_out(world, book, dice, unit)
        here = world.hexes[start].place
        if target is None:
            kind, text = "cornered", f"Heer {unit.number} kann sich von {here} nicht zurückziehen."
        else:
            unit.stand_on(target)
            kind = "withdrew"
            there = world.hexes[target].place
            text = f"Heer {unit.number} zieht sich von {here} nach {there} zurück."
        world.do(unit, kind, start, to_hex=target)
        world.tell("A", kind, text, unit.realm_id, unit_id=unit.unit_id)


def way_out(world: World, book: Book, dice: Dice, unit: Unit) -> int | None:
    """The way it came, else what the dice say."""
    assert unit.hex_id
    walked = [h for _, h in world.walks.get(unit.unit_id, []) if h != unit.hex_id]
    if walked and not world.foes_on(walked[-1], unit.realm_id):
        return walked[-1]
    for index in range(book.constants.withdrawal_tries):
        direction = dice.roll(WITHDRAWAL, unit.entity, 0, 5, index=index)
        target = world.neighbours[unit.hex_id].get(direction)
        if target is not None and not world.foes_on(target, unit.realm_id):
            return target
    return None


def pursue(world: World, book: Book, today: int) -> None:
    """n units follow those that withdrew; then one more battle on every hex entered."""
    fled = [row for row in world.deeds if row["deed"] == "withdrew"]
    fled.sort(key=lambda row: world.units[row["unit_id"]].entity)
    entered = set()
    for unit in world.in_order():
        if world.letters.get(unit.unit_id) != "n" or unit.hex_id is None or not unit.living:
            continue
        start = unit.hex_id
        prey = [
            row["to_hex"]
            for row in fled
            if row["hex_id"] == start
            and not world.friends(unit.realm_id, world.units[row["unit_id"]].realm_id)
            and row["to_hex"] in world.neighbours[start].values()
        ]
        if not prey or world.foes_on(start, unit.realm_id):
            continue
        unit.stand_on(prey[0])
        entered.add(prey[0])
        world.do(unit, "pursued", start, to_hex=prey[0])
    for hex_id in sorted(entered):
        combat.fight_on(world, book, today, hex_id)


def conquer(world: World, book: Book, today: int) -> None:
    """Attackers that are left alone on foreign ground take it."""
    for spot in world.hexes.values():
        takers = [u for u in world.crowd(spot.hex_id) if may_take(world, book, u)]
        if not takers:
            continue
        taker = min(takers, key=lambda u: (-u.troops, u.realm_id, u.number))
        loser, spot.realm_id = spot.realm_id, taker.realm_id
        world.do(taker, "conquered", spot.hex_id, loser_id=loser)
        letter = world.letters[taker.unit_id]
        ravaged = spot.ravaged_until is not None and spot.ravaged_until > today
        if letter not in ("p1", "p2") or ravaged:
            continue
        gain = spot.credit
        kind = "plundered"
        if letter == "p2":
            kind = "ravaged"
            gain += book.constants.plunder_incomes * spot.income
            spot.ravaged_until = today + book.constants.ravaged_months
        world.do(taker, kind, spot.hex_id, loser_id=loser, amount=gain)
        pay(world, taker, "credit", loser, -spot.credit, spot.hex_id)
        pay(world, taker, "treasury", taker.realm_id, gain, spot.hex_id)
        spot.credit = 0
        world.realms[taker.realm_id]["treasury"] += gain


def may_take(world: World, book: Book, unit: Unit) -> bool:
    """Strong enough, on the attack, on the ground of a hostile realm, with no foe there."""
    owner = None if unit.hex_id is None else world.hexes[unit.hex_id].realm_id
    return (
        world.letters.get(unit.unit_id) in ("a", "n", "p1", "p2")
        and unit.troops >= book.unit_types[unit.unit_type]["min_strength"]
        and owner is not None
        and not world.friends(unit.realm_id, owner)
        and not world.foes_on(unit.hex_id or 0, unit.realm_id)
    )


def pay(
    world: World, unit: Unit, account: str, realm_id: int | None, amount: int, hex_id: int
) -> None:
    if amount:
        world.ledger.append(
            {
                "account": account,
                "realm_id": realm_id,
                "kind": "plunder",
                "amount": amount,
                "hex_id": hex_id,
                "unit_id": unit.unit_id,
                "building_id": None,
            }
        )


def tell_of_pursuits(world: World) -> None:
    """A line for every unit that followed."""
    targets = {row["unit_id"]: row for row in world.deeds if row["deed"] == "pursued"}
    for unit in world.in_order():
        if unit.unit_id in targets:
            row = targets[unit.unit_id]
            here, there = world.hexes[row["hex_id"]].place, world.hexes[row["to_hex"]].place
            text = f"Heer {unit.number} setzt dem Feind von {here} nach {there} nach."
            world.tell("A", "pursued", text, unit.realm_id, unit_id=unit.unit_id)


def tell_of_conquests(world: World) -> None:
    """To who conquered, by number; then to who lost, by hex."""
    kinds = ("conquered", "plundered", "ravaged")
    done = [row for row in world.deeds if row["deed"] in kinds]
    done.sort(key=lambda row: (world.units[row["unit_id"]].entity, row["deed"]))
    for row in done:
        unit, place = world.units[row["unit_id"]], world.hexes[row["hex_id"]].place
        text = {
            "conquered": f"Heer {unit.number} erobert {place}.",
            "plundered": f"Heer {unit.number} plündert {place} und erbeutet "
            f"{row['amount']} Goldstück.",
            "ravaged": f"Heer {unit.number} plündert {place} bis auf den Grund und erbeutet "
            f"{row['amount']} Goldstück.",
        }[row["deed"]]
        world.tell("A", row["deed"], text, unit.realm_id, unit_id=unit.unit_id)
    for row in sorted(done, key=lambda row: (row["hex_id"], row["deed"])):
        kind = "hex_lost" if row["deed"] == "conquered" else "hex_plundered"
        what = "erobert" if row["deed"] == "conquered" else "geplündert"
        place = world.hexes[row["hex_id"]].place
        text = f"Das Kleinfeld {place} ist von fremden Truppen {what} worden."
        world.tell("A", kind, text, row["loser_id"])
