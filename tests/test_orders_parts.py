"""Parts that split off, as their lines are read with `decisions = evaluate`."""

import polars as pl

from tests.order_world import AB, TURN, XY, Tables, problems, texts, world
from tests.small_rules import small_rules
from transforms.orders import name_parts, read_orders
from transforms.schema import conform

RULES = small_rules(decisions="evaluate")


def read(*lines: str, realm_id: int = AB, tables: Tables | None = None) -> Tables:
    """The order tables of one realm, then the parts called by ids from 901 on."""
    given = world() if tables is None else tables
    order_texts = texts({realm_id: "\n".join(lines)})
    out = read_orders(order_texts=order_texts, **given, rules=RULES, turn=TURN)
    ids = pl.int_range(901, 901 + out["splits"].height, dtype=pl.UInt32, eager=True)
    splits = out["splits"].with_columns(new_unit_id=ids)
    orders = {name: out[name] for name in ("movements", "paths")}
    named = name_parts(splits=splits, **orders, rules=RULES, turn=TURN)
    for name, frame in named.items():
        assert conform(name, frame).equals(frame)
    return out | {"splits": splits} | named


def numbers(out: Tables) -> list[tuple[int, int, int]]:
    return out["splits"].select("line", "number", "new_unit_id").rows()


def test_a_part_has_a_line_of_its_own_wherever_it_stands() -> None:
    out = read(
        "118,600,1,207,14,16,17,a",
        "112,1800,1,207,14,15,s118,600,1,s119,1,0",
        "118,600,1,207,14,18,r",
    )
    assert out["splits"]["number"].to_list() == [118]  # 119 is captive: taken
    assert out["paths"].rows() == [(1, 1, 20715), (901, 1, 20718)]
    assert out["movements"].select("unit_id", "line", "decision").rows() == [
        (1, 2, None),
        (901, 3, "r"),
    ]
    assert [(line, reason) for line, _, _, reason, _ in problems(out)] == [
        (1, "durch Zeile 3 ersetzt"),
        (2, "Die Nummer 119 ist schon vergeben"),
    ]


def test_numbers_are_claimed_by_line_waypoint_and_number() -> None:
    out = read(
        "115,2400,2,207,14,15,s141,9,0,s140,9,0",
        "112,1800,1,207,14,s140,5,0,15,s142,5,0,s143,0,0",
        "131,1000,1,207,30,s143,7,0",
    )
    assert numbers(out) == [(1, 140, 901), (1, 141, 902), (2, 142, 903), (3, 143, 904)]
    assert [(line, reason) for line, _, _, reason, _ in problems(out)] == [
        (2, "Die Nummer 140 ist schon vergeben"),
        (2, "Für Heer 143 sind keine Truppen angegeben"),
    ]


def test_a_part_of_a_replaced_line_is_none() -> None:
    out = read("112,1800,1,207,14,s140,5,0", "112,1800,1,207,14,15", "140,5,0,207,14,16")
    assert out["splits"].is_empty()
    assert out["movements"]["unit_id"].to_list() == [1]
    assert problems(out)[-1][3] == "Heer 140 gibt es nicht"


def test_a_ship_that_splits_off_can_be_boarded() -> None:
    out = read("131,1000,1,207,30,e306", "305,10,0,207,30,s306,4,0")
    assert out["movements"].select("unit_id", "embark_on").rows() == [(4, 901), (5, None)]
    assert problems(out) == []
    assert read("131,1000,1,207,30,e112")["movements"]["embark_on"].to_list() == [None]


def test_a_foreign_ship_that_splits_off_stays_unknown() -> None:
    """XY does not see what AB splits off; it is no ally either."""
    both = texts({AB: "305,10,0,207,30,s306,4,0", XY: "101,700,0,208,20,e306@AB"})
    out = read_orders(order_texts=both, **world(), rules=RULES, turn=TURN)
    assert out["movements"]["embark_on"].to_list() == [None, None]
