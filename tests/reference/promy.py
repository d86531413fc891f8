"""A turn, phase by phase, in the order of the source (appendix D)."""

from tests.reference import (
    combat,
    decisions,
    economy,
    losses,
    movement,
    rivers,
    sight,
    status,
)
from tests.reference.book import Book
from tests.reference.dice import Dice
from tests.reference.records import Row, read_world, write_world
from transforms.context import Turn


def play_turn(
    tables: dict[str, list[Row]], book: Book, turn: Turn, reasons: dict[str, str]
) -> dict[str, list[Row]]:
    """The tables after a turn from those before it and the orders that were read.

    `tables` holds hexes, units, buildings, realms, alliances, neighbours, movements, paths,
    splits, rivers, sight and atlas as rows; `reasons` are the German words for who may not go
    aboard.
    """
    world = read_world(tables)
    dice = Dice(turn.dice.digest, world.draws)
    # load
    losses.standing_losses(world, book, dice)
    losses.volcano_losses(world, book, dice)
    losses.steppe_losses(world, book, dice)
    losses.landing_losses(world, book, dice, turn.today)
    # execute
    starts = movement.move(world, book, dice)
    if book.switches.river_losses == "on":
        rivers.wade(world, book, dice, turn.today)
    movement.tell(world, book, starts)
    movement.board(world, book, reasons)
    evaluate = book.switches.decisions == "evaluate"
    if evaluate:
        decisions.withdraw(world, book, dice)
    combat.fight(world, book, turn.today)
    if evaluate:
        decisions.pursue(world, book, turn.today)
        decisions.conquer(world, book, turn.today)
    combat.tell_of_losses(world, book)
    decisions.tell_of_pursuits(world)
    decisions.tell_of_conquests(world)
    status.settle(world)
    economy.accrue_income(world, book, turn.today)
    if book.switches.treasury == "collect" and book.levy[turn.today % len(book.months)]:
        economy.levy(world)
        economy.pay_upkeep(world, book)
    status.report_units(world, book)
    if book.switches.training == "realise":
        status.report_training(world, book, turn.today)
    status.dissolve(world)
    if book.switches.region == "by_army_kind":
        combat.count_years_at_home(world, turn.today)
    economy.report_buildings(world, book, turn.today)
    sight.rebuild_sight(world, book, turn.number)
    sight.tell_of_sightings(world, book)
    return write_world(world)
