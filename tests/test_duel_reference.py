"""The engine equals the plain reference: every event, every result, every random state.

`ZUGWERK_DUELS` multiplies the number of random registries, e.g. `ZUGWERK_DUELS=50 pytest
tests/test_duel_reference.py` before a release.
"""

import json
import os
from random import Random

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.duels import assert_same, engine_run, random_fights, random_registry
from transforms.duel import run
from transforms.duel.model import KINDS, OUTCOMES
from transforms.duel.save import play_until, resume_fight
from transforms.schema import conform

EFFORT = int(os.environ.get("ZUGWERK_DUELS", "1"))
BATCHES = 100


@pytest.fixture(scope="module")
def seeded_events() -> pl.DataFrame:
    """Random registries with 30 fights each; all that happened in them."""
    happened = []
    for seed in range(BATCHES * EFFORT):
        r = Random(seed)
        registry = random_registry(r)
        events = assert_same(random_fights(r, registry, 30), registry)
        happened.append(events.group_by("kind", "reason").len())
    return pl.concat(happened)


def test_thousands_of_fights_equal_the_reference(seeded_events: pl.DataFrame) -> None:
    counts = dict(seeded_events.group_by("kind").agg(pl.col("len").sum()).iter_rows())
    assert all(counts.get(kind, 0) > 50 for kind in KINDS), counts


def test_every_reason_occurs(seeded_events: pl.DataFrame) -> None:
    assert seeded_events["reason"].drop_nulls().n_unique() == 5


@settings(
    max_examples=100 * EFFORT,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(r=st.randoms(use_true_random=False))
def test_a_random_registry(r: Random) -> None:
    registry = random_registry(r)
    assert_same(random_fights(r, registry, 2), registry)


@pytest.mark.parametrize("seed", range(8 * EFFORT))
def test_a_fight_does_not_depend_on_its_company(seed: int, monkeypatch) -> None:
    r = Random(seed)
    registry = random_registry(r)
    fights = random_fights(r, registry, 40)
    results, events = engine_run(fights, registry)
    conform("duel.results", results)
    conform("duel.events", events)
    assert set(results["outcome"]) <= set(OUTCOMES)
    monkeypatch.setattr(run, "MOST_EVENTS", 300)
    small_results, small_events = engine_run(fights, registry)
    assert results.equals(small_results)
    assert events.equals(small_events)
    without = pl.concat([played.results for played in run.run_fights(fights, registry)])
    assert without.equals(results)


@pytest.mark.parametrize("seed", range(25 * EFFORT))
def test_a_fight_resumed_after_any_turn_ends_the_same(seed: int) -> None:
    r = Random(seed)
    registry = random_registry(r)
    for fight in random_fights(r, registry, 6).iter_slices(1):
        results, events = engine_run(fight, registry)
        stopped = play_until(fight, registry, 1)
        pieces = [stopped.events]
        while stopped.save is not None:
            save = json.loads(json.dumps(stopped.save))
            stopped = resume_fight(save, registry, turn=save["turn"] + r.randint(0, 2))
            pieces.append(stopped.events)
        assert pl.concat(pieces).equals(events)
        assert stopped.result.equals(results)
