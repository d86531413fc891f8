"""The columns against the same rules in plain sequential Python, on random positions."""

from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.ghost_map import read_board
from tests.diplomacy.positions import Position, full_board, game_map, position, tables_of
from tests.reference.diplomacy import Referee
from transforms import schema
from transforms.diplomacy.adjudicate import OUTPUTS, adjudicate
from transforms.diplomacy.decisions import decide
from transforms.diplomacy.field import make_field
from transforms.diplomacy.relations import relate
from transforms.diplomacy.rulings import Rulings

BOARD = read_board("standard")
PLAIN = game_map(BOARD)
RULINGS = [Rulings(), Rulings(adjacent_convoy="via_only"), Rulings(land_fallback=True)]


def by_columns(positions: list[Position], rulings: Rulings) -> list[pl.DataFrame]:
    """Per position: province · legal · convoyed · path · given · arrives · dislodged · broken."""
    tables = tables_of(positions)
    field, relations = relate(
        make_field(BOARD, rulings, units=tables["units"], orders=tables["orders"])
    )
    now = decide(field, relations)
    jammed = relations.legs.filter(now["jammed"].gather(relations.legs["fleet"]))["row"]
    known = field.hstack(now).with_columns(
        broken=pl.col("row").is_in(jammed.implode()) & ~pl.col("path")
    )
    return [known.filter(phase_id=number) for number in range(len(positions))]


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), rulings=st.sampled_from(RULINGS))
def test_columns_and_reference_agree(seed: int, rulings: Rulings) -> None:
    rnd = Random(seed)
    positions = [position(BOARD, rnd) for _ in range(60)]
    for (units, orders), found in zip(positions, by_columns(positions, rulings), strict=True):
        referee = Referee(
            PLAIN,
            units,
            orders,
            adjacent=rulings.adjacent_convoy,
            fallback=rulings.land_fallback,
            broken=frozenset(found.filter("broken")["province"]),
        )
        for name, expected in {
            "legal": {p for p in units if referee.legal[p]},
            "convoyed": {p for p in units if referee.convoyed[p]},
            "arrives": referee.arrived(),
            "dislodged": referee.driven_out(),
            "given": referee.given(),
        }.items():
            assert set(found.filter(name)["province"]) == expected, (name, units, orders)
        assert referee.paradoxes == 0  # as if the army had not been ordered to be convoyed


@pytest.mark.parametrize("seed", range(3))
def test_batch_and_single_phases_agree(seed: int) -> None:
    rnd = Random(seed)
    positions = [position(BOARD, rnd) for _ in range(12)]
    together = by_columns(positions, Rulings())
    for number, one in enumerate(positions):
        (alone,) = by_columns([one], Rulings())
        columns = ["province", "path", "given", "arrives", "dislodged", "jammed"]
        assert together[number].select(columns).equals(alone.select(columns))


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_nobody_gets_lost_and_rows_have_no_order(seed: int) -> None:
    rnd = Random(seed)
    tables = tables_of([position(BOARD, rnd) for _ in range(20)] + [full_board(BOARD, rnd)])
    none = {n: schema.empty(f"ghost.batch.{n}") for n in ("centres", "dislodged", "contested")}
    after = adjudicate(BOARD, Rulings(), **tables, **none)
    at = ["phase_id", "province"]
    whole = pl.concat([after["units"].select("phase_id"), after["dislodged"].select("phase_id")])
    assert whole.sort("phase_id").equals(tables["units"].select("phase_id"))
    assert not after["units"].select(at).is_duplicated().any()
    assert after["contested"].join(after["units"], on=at, how="semi").is_empty()
    places = after["dislodged"].select("phase_id", province="options").explode("province")
    free = places.drop_nulls().with_columns(pl.col("province").str.splitn("/", 2).struct[0])
    for closed in (after["units"], after["contested"]):
        assert free.join(closed, on=at, how="semi").is_empty()
    shuffled = {n: t.sample(fraction=1, shuffle=True, seed=seed) for n, t in tables.items()}
    again = adjudicate(BOARD, Rulings(), **shuffled, **none)
    assert all(again[name].equals(after[name]) for name in OUTPUTS)
