"""Load: the four environmental losses, on the positions before movement (source 1, 4)."""

from tests.reference.book import Book, verb
from tests.reference.dice import LANDING, STANDING, STEPPE, VOLCANO, Dice
from tests.reference.records import Unit, World


def standing_losses(world: World, book: Book, dice: Dice) -> None:
    """4.1: who stands on a dangerous hex."""
    for unit in at_risk(world):
        if unit.hex_id is None:
            continue  # aboard
        spot = world.hexes[unit.hex_id]
        if book.terrains[spot.terrain]["steppe"]:
            continue  # there 4.3 applies instead
        span = 0
        if not book.immune_to(unit.unit_type, "height", spot.height):
            span += book.heights[spot.height]["hazard"]
        if not book.immune_to(unit.unit_type, "terrain", spot.terrain):
            span += book.terrains[spot.terrain]["hazard"]
        if span == 0:
            continue
        percent = dice.roll(STANDING, unit.entity, 1, span)
        lost = lose(world, unit, "standing", percent)
        if lost > 0:
            text = (
                f"{lost} {book.of(lost, unit.unit_type)} {verb(lost, 'stirbt', 'sterben')} "
                f"durch den Aufenthalt auf {spot.height}-{spot.terrain}."
            )
            world.tell("A", "standing", text, unit.realm_id, unit_id=unit.unit_id)


def volcano_losses(world: World, book: Book, dice: Dice) -> None:
    """4.2: who stands next to volcanoes; every one of them rolls."""
    for unit in at_risk(world):
        if unit.hex_id is None:
            continue  # aboard
        percent = 0
        threatened = False
        around = world.neighbours[unit.hex_id]
        for direction in range(6):
            if direction not in around:
                continue  # edge of the map
            terrain = world.hexes[around[direction]].terrain
            hazard = book.terrains[terrain]["volcano_hazard"]
            if hazard == 0 or book.immune_to(unit.unit_type, "volcano", terrain):
                continue
            threatened = True
            roll = dice.roll(VOLCANO, unit.entity, 0, hazard - 1, index=direction)
            percent += ((roll + 1) * (100 - percent) + 50) // 100
        if not threatened:
            continue
        lost = lose(world, unit, "volcano", percent)
        if lost > 0:
            text = (
                f"{lost} {book.of(lost, unit.unit_type)} {verb(lost, 'wird', 'werden')} "
                "von Lava verschüttet."
            )
            world.tell("A", "volcano", text, unit.realm_id, unit_id=unit.unit_id)


def steppe_losses(world: World, book: Book, dice: Dice) -> None:
    """4.3: whose planned way touches the steppe, the present hex included."""
    for unit in at_risk(world):
        way = list(world.paths.get(unit.unit_id, []))
        if unit.hex_id is not None:
            way.insert(0, unit.hex_id)
        terrains = [world.hexes[hex_id].terrain for hex_id in way]
        dangerous = [
            terrain
            for terrain in terrains
            if book.terrains[terrain]["steppe"]
            and not book.immune_to(unit.unit_type, "steppe", terrain)
        ]
        if not dangerous:
            continue
        column = "steppe_stay" if len(dangerous) == len(terrains) else "steppe_pass"
        hazard = max(book.terrains[terrain][column] for terrain in dangerous)
        if hazard == 0:
            continue
        worst = next(t for t in dangerous if book.terrains[t][column] == hazard)
        percent = dice.roll(STEPPE, unit.entity, 1, hazard)
        lost = lose(world, unit, "steppe", percent)
        if lost > 0:
            text = (
                f"{lost} {book.of(lost, unit.unit_type)} {verb(lost, 'stirbt', 'sterben')} "
                f"wegen der Lebensbedingungen in der {worst}."
            )
            world.tell("A", "steppe", text, unit.realm_id, unit_id=unit.unit_id)


def landing_losses(world: World, book: Book, dice: Dice, today: int) -> None:
    """4.4: who has been aboard for too long; who is ashore is noted as such."""
    for unit in at_risk(world):
        if unit.hex_id is not None:
            unit.last_ashore = today
            continue
        if today - unit.last_ashore < book.constants.landing_months:
            continue
        if book.unit_types[unit.unit_type]["flyer"]:
            lost = lose(world, unit, "flyer", 100)
            text = (
                f"{book.of(lost, unit.unit_type)} {verb(lost, 'stürzt', 'stürzen')} "
                "erschöpft in den Tod."
            )
            world.tell("A", "flyer", text, unit.realm_id, unit_id=unit.unit_id)
            continue
        percent = dice.roll(LANDING, unit.entity, 1, book.constants.landing_loss_max_pct)
        lost = lose(world, unit, "landing", percent)
        if lost > 0:
            text = (
                f"{lost} {book.of(lost, unit.unit_type)} {verb(lost, 'stirbt', 'sterben')} "
                "an Mangelerscheinungen."
            )
            world.tell("A", "landing", text, unit.realm_id, unit_id=unit.unit_id)


def at_risk(world: World) -> list[Unit]:
    """Captives and units without troops are skipped by every check."""
    return [unit for unit in world.in_order() if unit.living and not unit.captive]


def lose(world: World, unit: Unit, cause: str, percent: int) -> int:
    """Take a percentage of a unit's troops, rounded down, and write it down, also if it is 0.

    Two dangers of a hex together may exceed 100; nobody loses more than everything.
    """
    percent = min(percent, 100)
    lost = unit.troops * percent // 100
    world.losses.append(
        {
            "unit_id": unit.unit_id,
            "cause": cause,
            "crossing": 0,
            "troops_before": unit.troops,
            "percent": percent,
            "losses": lost,
        }
    )
    unit.troops -= lost
    return lost
