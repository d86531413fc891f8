"""What is streamed to disk is what was fought, in order, and appears only when it is complete."""

from random import Random

import polars as pl
import pytest

from flows.duel_store import write_played
from tests.duels import engine_run, random_fights, random_registry
from transforms.duel import run
from transforms.errors import InputError
from transforms.schema import conform


def test_chunks_are_streamed_in_order(tmp_path, monkeypatch):
    r = Random(11)
    registry = random_registry(r)
    fights = random_fights(r, registry, 50)
    results, events = engine_run(fights, registry)
    monkeypatch.setattr(run, "MOST_EVENTS", 300)
    frames = fights.iter_slices(20)  # an iterator of frames, so that no more is in memory
    counts = write_played(run.run_fights(frames, registry, events=True), tmp_path, events=True)
    assert pl.read_parquet(tmp_path / "results.parquet").equals(results)
    assert pl.read_parquet(tmp_path / "events.parquet").equals(events)
    conform("duel.results", pl.read_parquet(tmp_path / "results.parquet"))
    assert dict(counts.iter_rows()) == dict(results["outcome"].value_counts().iter_rows())


def test_a_failed_run_leaves_nothing(tmp_path):
    r = Random(11)
    registry = random_registry(r)
    fights = random_fights(r, registry, 5).with_columns(hero=pl.lit("c:nobody"))
    with pytest.raises(InputError):
        write_played(run.run_fights(fights, registry), tmp_path / "out", events=False)
    assert list((tmp_path / "out").iterdir()) == []


def test_no_fights_give_an_empty_table(tmp_path):
    registry = random_registry(Random(1))
    none = random_fights(Random(1), registry, 1).clear()
    write_played(run.run_fights(none, registry), tmp_path, events=False)
    assert pl.read_parquet(tmp_path / "results.parquet").height == 0
