"""Random positions with orders, made to meet: one sea or a few, and everything around it."""

from random import Random
from typing import Any

import polars as pl

from tests.reference.diplomacy import GameMap, Order, Unit
from transforms import schema
from transforms.diplomacy.board import Board
from transforms.schema.ghost_tables import Orders

Position = tuple[dict[str, Unit], dict[str, Order]]


def game_map(board: Board) -> GameMap:
    """The map as the reference wants it."""
    steps: dict[tuple[str, str, str | None], set[tuple[str, str | None]]] = {}
    for letter, province, coast, target, target_coast in board.steps.iter_rows():
        steps.setdefault((letter, province, coast), set()).add((target, target_coast))
    around: dict[str, set[str]] = {}
    for province, neighbour in board.neighbours.iter_rows():
        around.setdefault(province, set()).add(neighbour)
    seas = board.provinces.filter(pl.col("kind") == "sea")["province"]
    return GameMap(steps, set(seas), around)


def position(board: Board, rnd: Random) -> Position:
    """Units around a few connected provinces; half the time a tangle of convoys and attacks."""
    plain = game_map(board)
    kinds = dict(board.provinces.select("province", "kind").iter_rows())
    tangle = rnd.random() < 0.5
    region = [rnd.choice(sorted(plain.seas))]
    for _ in range(rnd.randint(1, 3) if tangle else rnd.randint(8, 22)):
        near = plain.around[rnd.choice(region)] & (plain.seas if tangle else set(kinds))
        region += [rnd.choice(sorted(near))] if near else []
    if tangle:
        region += sorted({p for sea in region for p in plain.around[sea]} - plain.seas)
    nations = board.nations["nation"].to_list()[: rnd.randint(2, 3)]
    units = {}
    for province in dict.fromkeys(region):
        if rnd.random() < 0.85:
            coastal = rnd.choice("AFF" if tangle else "AAF")
            letter = {"sea": "F", "inland": "A"}.get(kinds[province], coastal)
            places = [c for (x, p, c) in plain.steps if x == letter and p == province]
            coast = rnd.choice(sorted(places, key=str))
            units[province] = Unit(rnd.choice(nations), letter, province, coast)
    return units, _orders(plain, kinds, units, rnd)


def full_board(board: Board, rnd: Random) -> Position:
    """22 to 34 units of all nations anywhere on the board, as in the middle of a game."""
    plain = game_map(board)
    kinds = dict(board.provinces.select("province", "kind").iter_rows())
    nations = board.nations["nation"].to_list()
    places = sorted(plain.steps, key=str)
    units: dict[str, Unit] = {}
    for letter, province, coast in rnd.sample(places, len(places)):
        if len(units) < 28 + rnd.randint(-6, 6) and province not in units:
            units[province] = Unit(rnd.choice(nations), letter, province, coast)
    return units, _orders(plain, kinds, units, rnd)


def _orders(
    plain: GameMap, kinds: dict[str, str], units: dict[str, Unit], rnd: Random
) -> dict[str, Order]:
    coasts = sorted(p for p in units if kinds[p] == "coast")
    armies = [p for p in coasts if units[p].letter == "A"]
    orders = {
        p: Order("move", rnd.choice(coasts), via=rnd.random() < 0.3)
        for p in rnd.sample(armies, min(len(armies), rnd.randint(0, 3)))
    }
    carried = list(orders)
    goals = {order.target for order in orders.values()}
    rest = [province for province in units if province not in orders]
    for province in sorted(rest, key=goals.__contains__):  # who may be cut supports, so it is last
        unit = units[province]
        places = sorted(plain.steps[unit.letter, province, unit.coast], key=str)
        near = {place for place, _ in places}
        backed = [p for p, o in orders.items() if o.kind == "move" and o.target in near]
        held = [p for p in units if p in near]
        draw = rnd.random() * (0.65 if province in goals else 1)
        if province in plain.seas and carried and draw < 0.75:
            army = rnd.choice(carried)
            orders[province] = Order("convoy", orders[army].target, of=army)
        elif backed and draw < 0.55:
            other = rnd.choice(backed)
            named = rnd.choice([None, orders[other].target_coast])
            orders[province] = Order("support", orders[other].target, named, of=other)
        elif held and draw < 0.65:
            orders[province] = Order("support", of=rnd.choice(held))
        elif draw < 0.95:
            seas = [place for place in places if place[0] in units and place[0] in plain.seas]
            occupied = [place for place in places if place[0] in units]
            target, coast = rnd.choice(seas or occupied or places)
            orders[province] = Order("move", target, coast)
    return orders


def tables_of(positions: list[Position]) -> dict[str, pl.DataFrame]:
    """phases · units · orders of a batch, the orders as if they had been read."""
    phases, units, orders = [], [], []
    for number, (position_units, position_orders) in enumerate(positions):
        phases.append({"phase_id": number, "step": "movement", "season": "spring"})
        for province, unit in position_units.items():
            units.append(
                {
                    "phase_id": number,
                    "nation": unit.nation,
                    "unit_type": unit.letter,
                    "province": province,
                    "coast": unit.coast,
                }
            )
        for line, (province, order) in enumerate(position_orders.items(), start=1):
            orders.append(
                {
                    "phase_id": number,
                    "nation": position_units[province].nation,
                    "line": line,
                    "text": written(position_units, province, order),
                    "province": province,
                    "kind": order.kind,
                    "of_province": order.of,
                    "target": order.target,
                    "target_coast": order.target_coast,
                    "via": order.via,
                }
            )
    return {
        "phases": schema.shaped("ghost.batch.phases", pl.DataFrame(phases)),
        "units": schema.shaped("ghost.batch.units", _frame(units)),
        "orders": read(_frame(orders)),
    }


def written(units: dict[str, Unit], province: str, order: Order) -> str:
    """The order as text."""

    def place(name: str | None, coast: str | None) -> str:
        return f"{name}/{coast}" if coast else f"{name}"

    unit = units[province]
    text = f"{unit.letter} {place(province, unit.coast)}"
    goal = f" - {place(order.target, order.target_coast)}" if order.target else ""
    if order.kind == "move":
        return f"{text}{goal}{' VIA' if order.via else ''}"
    verb = {"support": "S", "convoy": "C"}[order.kind]
    return f"{text} {verb} {units[order.of or ''].letter} {order.of}{goal}"


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


def read(orders: pl.DataFrame) -> pl.DataFrame:
    """Orders as read_orders gives them, from the columns that matter."""
    given = {"status": "counted", "step": "movement", "understood": ""}
    filled = orders.with_columns(**{name: pl.lit(value) for name, value in given.items()})
    types = {"phase_id": pl.UInt32(), **schema.schema_of("ghost.orders"), "line": pl.UInt32()}
    assert set(types) == {"phase_id", *Orders.columns()}
    return filled.select(
        (pl.col(name) if name in filled.columns else pl.lit(None)).cast(dtype).alias(name)
        for name, dtype in types.items()
    )
