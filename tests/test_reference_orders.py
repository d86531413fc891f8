"""The product reads random order files, valid and broken ones, as the line-by-line reference does.

`ZUGWERK_WORLDS` multiplies the number of worlds, as in test_reference.py.
"""

import os
from random import Random
from typing import Any

import polars as pl
import pytest

from tests.reference.book import open_book
from tests.reference.orders import Move, Orders, Realm, read_file
from tests.small_rules import small_rules
from tests.worlds import World, frames, random_world, small_turn
from transforms.orders import read_orders
from transforms.schema import shaped

EFFORT = int(os.environ.get("ZUGWERK_WORLDS", "1"))
RULES = small_rules()
BOOK = open_book(RULES)
NOISE = ("", "0", "x", "-1", "49", "1.5", "e", "s", "a", "p3", "99999999999", "٣")
UNUSED = 2000  # from here on no unit has its number


@pytest.mark.parametrize("seed", range(25 * EFFORT))
def test_random_order_files(seed: int) -> None:
    random = Random(seed)
    world = random_world(random, rules=RULES)
    for row in world["realms"]:
        row["code"] = f"R{row['realm_id']}"
    realms = [realm_of(world, row) for row in world["realms"]]
    texts = {realm.realm_id: file_of(random, world, realm) for realm in realms}
    expected = Orders()
    for realm in realms:
        read_file(realm, texts[realm.realm_id], BOOK, expected)
    tables = read(world, texts)

    lines = tables["order_lines"]
    status = {(r["realm_id"], r["line"]): r["status"] for r in lines.to_dicts()}
    wrong = [
        (key, texts[key[0]].splitlines()[key[1] - 1], status[key], expected.status[key])
        for key in expected.status
        if status[key] != expected.status[key]
    ]
    assert not wrong, wrong[:3]
    assert status.keys() == expected.status.keys()
    assert moves_of(tables) == {
        unit_id: (realm_id, line, move.decision, ship_of(world, realm_id, move), move.waypoints)
        for unit_id, (realm_id, line, move) in expected.moves.items()
    }
    columns = ["realm_id", "line", "unit_id", "after_step", "number", "troops", "leaders"]
    assert set(tables["splits"].select(columns).rows()) == {
        (realm_id, line, unit_id, *split)
        for unit_id, (realm_id, line, move) in expected.moves.items()
        for split in move.splits
    }
    for name, rows in (
        ("trainings", expected.trainings),
        ("constructions", expected.constructions),
    ):
        found = tables[name]
        assert found.select(rows[0].keys() if rows else []).to_dicts() == rows
        assert set(found["decision"]) | set(found["outcome"]) <= {"none", "reserved"}


def realm_of(world: World, row: dict[str, Any]) -> Realm:
    """A realm knows the hexes of its memory; where nobody remembers anything, all know all."""
    realm_id, memory = row["realm_id"], world["sight"] + world["atlas"]
    known = [r["hex_id"] for r in memory if r["realm_id"] == realm_id]
    units = {u["number"]: u for u in world["units"] if u["realm_id"] == realm_id}
    everything = [r["hex_id"] for r in world["hexes"]]
    return Realm(realm_id, row["code"], units, set(known if memory else everything))


def read(world: World, texts: dict[int, str]) -> dict[str, pl.DataFrame]:
    given = frames(world)
    names = ("units", "realms", "alliances", "hexes", "sight", "atlas")
    rows = [
        {"realm_id": r, "file": f"R{r}_SPZ.txt", "size_bytes": 0, "encoding": "utf-8", "text": t}
        for r, t in texts.items()
    ]
    order_texts = shaped("order_texts", pl.DataFrame(rows))
    return read_orders(
        order_texts=order_texts, **{n: given[n] for n in names}, rules=RULES, turn=small_turn()
    )


def moves_of(tables: dict[str, pl.DataFrame]) -> dict[int, tuple[Any, ...]]:
    ways: dict[int, list[int]] = {}
    for row in tables["paths"].sort("unit_id", "step").to_dicts():
        ways.setdefault(row["unit_id"], []).append(row["hex_id"])
        assert len(ways[row["unit_id"]]) == row["step"]
    return {
        row["unit_id"]: (
            row["realm_id"],
            row["line"],
            row["decision"],
            row["embark_on"],
            ways.get(row["unit_id"], []),
        )
        for row in tables["movements"].to_dicts()
    }


def ship_of(world: World, realm_id: int, move: Move) -> int | None:
    """The unit named by `e<number>[@<own code>]`; an unknown one is left out."""
    if move.board is None:
        return None
    number, _, code = move.board.partition("@")
    if code not in ("", f"r{realm_id}"):
        return None
    for u in world["units"]:
        if (u["realm_id"], u["number"]) == (realm_id, int(number)):
            return u["unit_id"]
    return None


def file_of(random: Random, world: World, realm: Realm) -> str:
    """Lines of every kind; about every fourth one is spoilt in some way."""
    lines = []
    for _ in range(random.randint(0, 25)):
        make = random.choice([move_line, move_line, train_line, build_line])
        fields = make(random, world, realm)
        if random.random() < 0.15:
            spoil(random, fields)
        if random.random() < 0.2:
            fields = [random.choice([f" {f} ", f.upper(), f.lower()]) for f in fields]
        lines.append(",".join(fields))
        lines += random.choice([[], [], [], ["; 112,1,1,1,1"], ["# ?"], [""], ["   "]])
    return "\n".join(lines)


def spoil(random: Random, fields: list[str]) -> None:
    where = random.randrange(len(fields))
    what = random.choice(["replace", "insert", "drop"])
    if what == "drop":
        del fields[where]
    elif what == "insert":
        fields.insert(where, random.choice(NOISE))
    else:
        fields[where] = random.choice(NOISE)


def some_place(random: Random, world: World, realm: Realm) -> tuple[int, int]:
    """A hex as (gf, kf), most often a known one."""
    known = sorted(realm.known)
    spots = [row["hex_id"] for row in world["hexes"]]
    return divmod(random.choice(known if known and random.random() < 0.95 else spots), 100)


def move_line(random: Random, world: World, realm: Realm) -> list[str]:
    numbers = list(realm.units)
    number = random.choice(numbers) if numbers and random.random() < 0.95 else UNUSED
    gf, kf = some_place(random, world, realm)
    fields = [number, random.choice([0, 7, 100]), random.randint(0, 2), f"{gf:03}", kf]
    splits = iter(random.sample(range(UNUSED + 1, UNUSED + 999), 3))
    for _ in range(random.randint(0, 5)):
        if random.random() < 0.15 and (split := next(splits, None)):
            fields += [f"s{split}", random.randint(1, 50), random.randint(0, 2)]
            continue
        new_gf, kf = some_place(random, world, realm)
        if new_gf != gf or random.random() < 0.2:
            fields.append(f"{new_gf:03}")
        gf = new_gf
        fields.append(random.choice([str(kf), f"{kf:02}"]))
    if random.random() < 0.3:
        ships = [n for n, u in realm.units.items() if BOOK.unit_types[u["unit_type"]]["ship"]]
        code = random.choice(["", "", f"@{realm.code}"])
        fields.append(f"e{random.choice([*ships, UNUSED])}{code}")
    fields += random.choice([[], ["r"], ["v"], ["a"], ["n"], ["p1"], ["P2"]])
    return [str(f) for f in fields]


def train_line(random: Random, world: World, realm: Realm) -> list[str]:
    kind = random.choice(list(BOOK.unit_types.values()))
    gf, kf = some_place(random, world, realm)
    fields = [
        random.choice(["ruesten", "Rüsten", "RUESTEN"]),
        random.choice([kind["name"], kind["name_plural"]]),
        random.choice([1, 10, 1000]),
        random.randint(0, 2),
        random.choice(["-", "k1", "b2", "k1b1", "k4b4", "k5", "K2"]),
        random.choice([0, 5000, 16000]),
        *random.choice([[], [gf, kf], [gf, kf, random.randint(1, 999)]]),
    ]
    return [str(f) for f in fields]


def build_line(random: Random, world: World, realm: Realm) -> list[str]:
    kind = random.choice(list(BOOK.building_types.values()))
    gf, kf = some_place(random, world, realm)
    edge = random.choice(["NW", "no", "O", "SO", "sw", "W"])
    sided = (not kind["central"]) != (random.random() < 0.1)
    fields = [
        "bauen",
        random.choice([kind["name"], kind["code"]]),
        gf,
        kf,
        *([edge] if sided else []),
        random.choice([50000, 1, 0]),
        *random.choice([[], ["Adlerhorst"]]),
    ]
    return [str(f) for f in fields]
