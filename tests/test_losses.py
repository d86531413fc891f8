"""Environmental losses: hand-worked cases with dice that have one side, and laws for all dice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.worlds import TODAY, archipelago, frames, small_rules, small_turn
from transforms import losses
from transforms.rules import Rules
from transforms.schema import TABLES, conform, empty, shaped

Tables = dict[str, pl.DataFrame]
TURN = small_turn()
MIDDLE, ASH, STEPPE, SALT, PEAK, MOOR = 101, 102, 103, 104, 105, 106
PLACES = {
    MIDDLE: ("Ebene", "Flur"),
    ASH: ("Ebene", "Asche"),
    STEPPE: ("Ebene", "Steppe"),
    SALT: ("Ebene", "Salzsteppe"),
    PEAK: ("Gebirge", "Asche"),
    MOOR: ("Gebirge", "Moor"),
}


def one_sided() -> Rules:
    """The small rules with hazards whose roll is known: 1 on ash, 1 on peaks, no other."""
    rules = small_rules()
    ash = pl.col("name") == "Asche"
    zero_or_one = ash.cast(pl.UInt8)
    return replace(
        rules,
        terrains=rules.terrains.with_columns(
            hazard=zero_or_one,
            volcano_hazard=zero_or_one,
            steppe_stay=pl.col("steppe").cast(pl.UInt8),
            steppe_pass=pl.col("steppe").cast(pl.UInt8),
        ),
        heights=rules.heights.with_columns(hazard=pl.lit(0, pl.UInt8)),
    )


def unit(unit_id: int, troops: int, hex_id: int | None = ASH, **more: Any) -> dict[str, Any]:
    row = {"realm_id": 1, "number": unit_id, "unit_type": "Krieger", "last_ashore": TODAY}
    return {"unit_id": unit_id, "troops": troops, "hex_id": hex_id} | row | more


def table(name: str, *rows: dict[str, Any]) -> pl.DataFrame:
    return shaped(name, pl.from_dicts(rows, infer_schema_length=None)) if rows else empty(name)


def hexes() -> pl.DataFrame:
    return table(
        "hexes",
        *(
            {"hex_id": h, "gf": 1, "kf": h - 100, "q": 0, "r": 0, "height": high, "terrain": kind}
            for h, (high, kind) in PLACES.items()
        ),
    )


def texts(tables: Tables) -> list[str]:
    return tables["messages"]["text"].to_list()


# ── standing ────────────────────────────────────────────────────────────────────────────────


def test_standing_takes_the_rolled_percent_rounded_down() -> None:
    units = table("units", unit(1, 250), unit(2, 199), unit(3, 99), unit(4, 500, MIDDLE))
    after = losses.standing(units=units, hexes=hexes(), rules=one_sided(), turn=TURN)
    assert after["units"]["troops"].to_list() == [248, 198, 99, 500]
    # the loss of 0 of unit 3 is written down and told to nobody; unit 4 is in no danger
    assert after["losses"].select("unit_id", "troops_before", "percent", "losses").rows() == [
        (1, 250, 1, 2),
        (2, 199, 1, 1),
        (3, 99, 1, 0),
    ]
    assert texts(after) == [
        "2 Krieger sterben durch den Aufenthalt auf Ebene-Asche.",
        "1 Krieger stirbt durch den Aufenthalt auf Ebene-Asche.",
    ]
    assert after["messages"].select("section", "seq", "unit_id", "hex_id", "amount").rows() == [
        ("A", 1, 1, ASH, 2),
        ("A", 2, 2, ASH, 1),
    ]


@pytest.mark.parametrize(
    ("unit_type", "hex_id", "span"),
    [
        ("Held", MOOR, 82),  # Gebirge 70 + Moor 12
        ("Krieger", MOOR, 12),  # Krieger bear mountains
        ("Reiter", MOOR, 70),  # Reiter bear the moor
        ("Greif", PEAK, 1),  # bears the height, not the ash
        ("Krieger", MIDDLE, None),  # nothing there
        ("Held", STEPPE, None),  # hazard 25, but the steppe has its own check
    ],
)
def test_span_of_height_and_terrain(unit_type: str, hex_id: int, span: int | None) -> None:
    units = table("units", unit(1, 1000, hex_id, unit_type=unit_type))
    draws = losses.standing(units=units, hexes=hexes(), rules=small_rules(), turn=TURN)["draws"]
    assert draws.select("stream", "entity", "index", "lo", "hi").rows() == (
        [] if span is None else [(1, 65537, 0, 1, span)]
    )


def test_two_hazards_of_100_take_everything_and_no_more() -> None:
    rules = one_sided()
    deadly = pl.lit(100, pl.UInt8)
    rules = replace(
        rules,
        heights=rules.heights.with_columns(hazard=deadly),
        terrains=rules.terrains.with_columns(hazard=deadly),
    )
    units = table("units", *(unit(n, 1000) for n in range(1, 60)))
    after = losses.standing(units=units, hexes=hexes(), rules=rules, turn=TURN)
    assert after["draws"]["value"].max() > 100
    assert after["losses"]["percent"].max() == 100
    assert after["units"]["troops"].min() == 0


# ── volcano ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("throws", "percent"),
    [
        ({0: 4}, 5),  # (4+1)·100 + 50 = 550, // 100
        ({0: 4, 3: 9}, 15),  # 5, then (10·95 + 50) // 100 = 10
        ({0: 9, 3: 4}, 15),  # 10, then (5·90 + 50) // 100 = 5
        ({2: 49, 5: 49}, 75),  # 50, then (50·50 + 50) // 100 = 25
        ({1: 99, 2: 0, 4: 30}, 100),  # nothing is left to add to
        (dict.fromkeys(range(6), 0), 6),  # 1 each: (1·(100−p) + 50) // 100
    ],
)
def test_throws_build_up_on_what_is_left(throws: dict[int, int], percent: int) -> None:
    rolled = pl.DataFrame(
        {"unit_id": 7, "direction": list(throws), "value": list(throws.values())},
    ).sort("value")
    assert losses._built_up(rolled).rows() == [(7, percent)]


def test_volcano_rolls_once_per_dangerous_neighbour() -> None:
    units = table(
        "units",
        unit(1, 250, MIDDLE),
        unit(2, 49, MIDDLE),
        unit(3, 1000, ASH),  # stands on the ash, not beside it
        unit(4, 1000, MIDDLE, unit_type="Held"),
    )
    neighbours = table(
        "neighbours",
        {"hex_id": MIDDLE, "direction": 1, "neighbour_id": ASH},
        {"hex_id": MIDDLE, "direction": 2, "neighbour_id": MOOR},
        {"hex_id": MIDDLE, "direction": 5, "neighbour_id": PEAK},
    )
    rules = one_sided()
    immune = pl.DataFrame({"unit_type": ["Held"], "kind": ["volcano"], "name": ["Asche"]})
    rules = replace(rules, immunities=shaped("immunities", immune))
    after = losses.volcano(
        units=units, hexes=hexes(), neighbours=neighbours, rules=rules, turn=TURN
    )
    # 1 %, then (1·99 + 50) // 100 = 1 more
    assert after["losses"].select("unit_id", "percent", "losses").rows() == [(1, 2, 5), (2, 2, 0)]
    assert after["draws"].select("stream", "entity", "index", "lo", "hi", "value").rows() == [
        (2, 65536 + number, direction, 0, 0, 0) for number in (1, 2) for direction in (1, 5)
    ]
    assert texts(after) == ["5 Krieger werden von Lava verschüttet."]


# ── steppe ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("unit_type", "start", "way", "highest", "terrain"),
    [
        ("Krieger", STEPPE, [], 40, "Steppe"),  # stays: the only point qualifies
        ("Krieger", STEPPE, [SALT], 40, "Steppe"),  # all steppe: the higher stay value
        ("Krieger", SALT, [STEPPE, SALT], 40, "Steppe"),
        ("Krieger", STEPPE, [MIDDLE], 15, "Steppe"),  # only passing
        ("Krieger", MIDDLE, [STEPPE, SALT], 30, "Salzsteppe"),  # the higher pass value
        ("Krieger", MIDDLE, [STEPPE, MIDDLE], 15, "Steppe"),  # also on the way
        ("Reiter", STEPPE, [SALT], 30, "Salzsteppe"),  # steppe all over, but immune at the start
        ("Reiter", STEPPE, [STEPPE], None, None),
        ("Krieger", MIDDLE, [ASH], None, None),
        ("Krieger", None, [STEPPE], 40, "Steppe"),  # aboard: the ship's hex is no point
        ("Krieger", None, [], None, None),
    ],
)
def test_hazard_of_a_way(
    unit_type: str, start: int | None, way: list[int], highest: int | None, terrain: str | None
) -> None:
    aboard = {"carrier_id": 9} if start is None else {}
    units = table("units", unit(1, 10_000, start, unit_type=unit_type, **aboard))
    paths = _path(1, way)
    after = losses.steppe(units=units, hexes=hexes(), paths=paths, rules=small_rules(), turn=TURN)
    assert after["draws"]["hi"].to_list() == ([] if highest is None else [highest])
    assert after["messages"]["hex_id"].to_list() == ([] if highest is None else [start])
    assert all(text.endswith(f"in der {terrain}.") for text in texts(after))


def test_the_earliest_of_equal_hazards_names_the_terrain() -> None:
    units = table("units", unit(1, 250, MIDDLE), unit(2, 100, MIDDLE))
    paths = pl.concat([_path(1, [SALT, STEPPE]), _path(2, [STEPPE, SALT])])
    after = losses.steppe(units=units, hexes=hexes(), paths=paths, rules=one_sided(), turn=TURN)
    assert texts(after) == [
        "2 Krieger sterben wegen der Lebensbedingungen in der Salzsteppe.",
        "1 Krieger stirbt wegen der Lebensbedingungen in der Steppe.",
    ]


def _path(unit_id: int, way: list[int]) -> pl.DataFrame:
    steps = ({"unit_id": unit_id, "step": n, "hex_id": h} for n, h in enumerate(way, start=1))
    return table("paths", *steps)


# ── landing ─────────────────────────────────────────────────────────────────────────────────


def test_a_month_aboard_starves_warriors_and_kills_flyers() -> None:
    month_ago = {"last_ashore": TODAY - 1, "carrier_id": 9}
    units = table(
        "units",
        unit(1, 1000, None, **month_ago),
        unit(2, 30, None, unit_type="Greif", **month_ago),
        unit(3, 1, None, unit_type="Greif", **month_ago),
        unit(4, 1000, None, carrier_id=9),  # went aboard only now
        unit(9, 10, MIDDLE, unit_type="Schiff", last_ashore=TODAY - 5),
    )
    rules = small_rules()
    rules = replace(rules, constants=replace(rules.constants, landing_loss_max_pct=1))
    after = losses.landing(units=units, rules=rules, turn=TURN)
    assert after["units"]["troops"].to_list() == [990, 0, 0, 1000, 10]
    assert after["units"]["last_ashore"].to_list() == [*[TODAY - 1] * 3, TODAY, TODAY]
    assert after["losses"].select("unit_id", "cause", "percent").rows() == [
        (1, "landing", 1),
        (2, "flyer", 100),
        (3, "flyer", 100),
    ]
    assert after["draws"]["entity"].to_list() == [65537]  # flyers have no luck to try
    assert texts(after) == [
        "10 Krieger sterben an Mangelerscheinungen.",
        "Greifen stürzen erschöpft in den Tod.",
        "Greif stürzt erschöpft in den Tod.",
    ]


def test_landing_rolls_up_to_ten_percent() -> None:
    units = table("units", unit(1, 1000, None, carrier_id=9, last_ashore=TODAY - 3))
    after = losses.landing(units=units, rules=small_rules(), turn=TURN)
    assert after["draws"].select("stream", "lo", "hi").rows() == [(4, 1, 10)]


# ── all four ────────────────────────────────────────────────────────────────────────────────

CHECKS: dict[str, tuple[Callable[..., Tables], tuple[str, ...]]] = {
    "standing": (losses.standing, ("units", "hexes")),
    "volcano": (losses.volcano, ("units", "hexes", "neighbours")),
    "steppe": (losses.steppe, ("units", "hexes", "paths")),
    "landing": (losses.landing, ("units",)),
}
every_check = pytest.mark.parametrize("name", CHECKS)


def play(name: str, tables: Tables) -> Tables:
    check, reads = CHECKS[name]
    return check(**{read: tables[read] for read in reads}, rules=small_rules(), turn=TURN)


@pytest.fixture(scope="module")
def world() -> Tables:
    return frames(archipelago(seed=4, worlds=60))


@every_check
def test_troops_before_less_losses_are_the_troops_after(name: str, world: Tables) -> None:
    after = play(name, world)
    for out, frame in after.items():
        assert_frame_equal(frame, conform(out, frame))
    before = world["units"].select("unit_id", before="troops")
    both = after["units"].join(before, on="unit_id").join(after["losses"], on="unit_id", how="left")
    assert both.height == world["units"].height
    assert both["losses"].sum() > 0
    lost = pl.col("losses").fill_null(0)
    assert both.filter(pl.col("troops") != pl.col("before") - lost).is_empty()
    hurt = both.drop_nulls("losses")
    assert hurt.filter(pl.col("before") != pl.col("troops_before")).is_empty()
    share = pl.col("troops_before") * pl.col("percent") // 100
    assert hurt.filter(pl.col("losses") != share).is_empty()
    assert after["messages"].height == hurt.filter(pl.col("losses") > 0).height


@every_check
def test_captives_and_empty_units_are_passed_over(name: str, world: Tables) -> None:
    after = play(name, world)
    out_of_reach = world["units"].filter(
        (pl.col("troops") == 0) | pl.col("captor_id").is_not_null()
    )
    assert not out_of_reach.is_empty()
    assert after["losses"].join(out_of_reach, on="unit_id", how="semi").is_empty()
    assert after["units"].join(out_of_reach, on="unit_id", how="semi").equals(out_of_reach)


@every_check
def test_another_unit_changes_nobodys_roll(name: str, world: Tables) -> None:
    alone = play(name, world | {"units": world["units"].filter(pl.col("realm_id") % 2 == 0)})
    crowd = play(name, world)
    theirs = crowd["draws"].join(alone["draws"], on=["stream", "entity", "index"], how="semi")
    assert 0 < theirs.height < crowd["draws"].height
    assert_frame_equal(theirs, alone["draws"])


@every_check
def test_the_order_of_the_rows_does_not_matter(name: str, world: Tables) -> None:
    shuffled = {n: frame.sample(fraction=1, shuffle=True, seed=7) for n, frame in world.items()}
    after, again = play(name, world), play(name, shuffled)
    for out, frame in after.items():
        assert_frame_equal(frame, again[out])


@every_check
def test_nobody_there(name: str) -> None:
    after = play(name, {table: empty(table) for table in TABLES})
    assert all(frame.equals(empty(out)) for out, frame in after.items())
