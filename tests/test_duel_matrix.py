"""Matrices, sweeps and their intervals, by hand and against the plain results."""

import numpy as np
import polars as pl
import pytest

from flows.duel_design import make_sweep, one_fight_grid, registry_with
from flows.shipped import map_style
from transforms.duel.grid import Grid, frames
from transforms.duel.heatmap import draw_heatmap, heat
from transforms.duel.matrix import distribution, in_grid_order, matrix, quantiles, tally
from transforms.duel.run import run_fights
from transforms.duel.sweep import VARIED, Knob, parse_knob, sweep_table, variant, warnings_of
from transforms.errors import InputError
from transforms.picture.page import german, ticks
from transforms.schema import conform

CORE = registry_with([])
GRID = Grid(
    ("core:knight", "core:mage"),
    {"troll": ("core:troll",), "rats": ("core:rat",) * 3},
    (None, "core:plain"),
    seeds=40,
)


@pytest.fixture(scope="module")
def results():
    return pl.concat([p.results for p in run_fights(frames(GRID), CORE)])


def test_the_matrix_counts_what_was_fought(results):
    table = matrix(GRID, tally(GRID, results.iter_slices(17)))
    conform("duel.matrix", table)
    assert table.height == 8
    assert (table["n"] == 40).all()
    row = table.row(by_predicate=(pl.col("hero") == "core:mage") & (pl.col("group") == "rats")
                    & (pl.col("policy") == "core:plain"), named=True)  # fmt: skip
    mine = results[7 * 40 : 8 * 40]  # ((1·2 + 1)·2 + 1): the last cell
    assert row["victory"] == (mine["outcome"] == "victory").sum()
    assert row["victory"] + row["fled"] + row["defeat"] + row["draw"] == 40
    assert row["mean_turns"] == pytest.approx(mine["turns"].mean())
    assert row["mean_hero_health"] == pytest.approx(mine["hero_health"].mean())
    assert row["low"] <= row["win_rate"] <= row["high"]


def test_distributions_hold_every_fight(results):
    counts = tally(GRID, [results])
    table = distribution(GRID, counts)
    conform("duel.distribution", table)
    assert table.group_by("measure").agg(pl.col("n").sum())["n"].to_list() == [320, 320]
    told = quantiles(table).filter(hero="core:knight", group="troll", policy="", measure="turns")
    turns = np.sort(results[:40]["turns"].to_numpy())
    assert told.row(0)[4:] == (turns[1], turns[19], turns[37])  # ranks 2, 20 and 38 of 40


def test_chunks_change_nothing(results):
    assert tally(GRID, results.iter_slices(7)).equals(tally(GRID, [results]))


def test_pictures_keep_the_order_of_the_grid(results):
    ordered = in_grid_order(GRID, matrix(GRID, tally(GRID, [results])))
    assert ordered["group"].to_list()[:3] == ["troll", "troll", "rats"]
    picture = draw_heatmap(ordered, {"core:knight": "Ritter"}, map_style())
    assert picture.size[0] > 500
    assert heat(0.0) != heat(0.5) != heat(1.0)


# ── sweeps ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "knob"),
    [
        ("hero.dexterity=3..6", Knob("hero.dexterity", (3, 4, 5, 6))),
        ("hero.dexterity=6..3", Knob("hero.dexterity", (6, 5, 4, 3))),
        ("balance.dodge=0.0..0.3:0.1", Knob("balance.dodge", (0.0, 0.1, 0.2, 0.3))),
        ("hero.damage=1..4:2", Knob("hero.damage", (1, 3))),
        (
            "hero.resistance.core:fire=-0.5..0.5:0.5",
            Knob("hero.resistance.core:fire", (-0.5, 0.0, 0.5)),
        ),
    ],
)
def test_knobs_are_read_exactly(text, knob):
    assert parse_knob(text) == knob


@pytest.mark.parametrize(
    "text",
    [
        "hero.dexterity",
        "hero.dexterity=3",
        "hero.dexterity=3..3",
        "hero.dexterity=3..9:0",
        "hero.dexterity=3..9:-1",
        "hero.dexterity=3..x",
        "hero.dexterity=nan..3",
        "hero.luck=1..2",
        "balance.luck=1..2",
        "balance.hit_clamp=0..1:0.5",
        "limits.turns=1..2",
        "hero.dexterity=0..9:0.00001",
        "balance.dodge=0.0..0.1",
    ],
)
def test_bad_knobs_are_refused(text):
    with pytest.raises(InputError):
        parse_knob(text)


def test_a_variant_changes_the_hero_and_not_his_kind():
    changed = variant(CORE, "core:wolf", "hero.dexterity", 40.0)
    assert changed.creatures[VARIED].base["dexterity"] == 40
    assert changed.creatures["core:wolf"] == CORE.creatures["core:wolf"]
    fire = variant(CORE, "core:wolf", "hero.resistance.core:fire", 0.5).creatures[VARIED]
    assert fire.base["resistance.core:fire"] == 0.5
    assert variant(CORE, "core:wolf", "balance.dodge", 0.5).balance.dodge == 0.5
    assert variant(CORE, "core:wolf", "balance.hit_clamp.low", 0.3).balance.hit_clamp == (0.3, 0.95)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hero.max_health", 0.0),
        ("hero.max_health", 2.5),
        ("balance.stamina_regen", 0.5),
        ("balance.resistance_cap", 1.0),
        ("balance.hit_clamp.low", 0.99),
    ],
)
def test_values_that_the_format_refuses(key, value):
    with pytest.raises(InputError):
        variant(CORE, "core:wolf", key, value)


def test_the_table_of_a_sweep_by_hand():
    wins = np.array([[1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 1, 1]], dtype=bool)
    table = sweep_table(Knob("hero.damage", (1.0, 2.0, 3.0)), wins)
    conform("duel.sweep", table)
    assert table["win_rate"].to_list() == [0.5, 0.5, 1.0]
    assert table["diff_first"].to_list() == [0.0, 0.0, 0.5]
    assert table.row(0)[-2:] == (0.0, 0.0)
    lines = warnings_of(table)
    assert len(lines) == 2  # 4 fights say nothing, neither of no effect nor of one half
    assert "no effect seen" in lines[0]


def test_the_first_value_is_the_registry_as_it_is():
    grid = one_fight_grid("core:knight", ["core:troll"], None, 50, 1)
    (played,) = run_fights(pl.concat(frames(grid)), CORE)
    dexterity = CORE.creatures["core:knight"].base["dexterity"]
    knob = Knob("hero.dexterity", (dexterity, 30.0))
    table = make_sweep(grid, [knob], CORE)
    assert table["win_rate"][0] == (played.results["outcome"] == "victory").mean()
    assert table["diff_first"][1] > 0


def test_ticks_are_round():
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert ticks(-0.12, 0.31, 5) == [-0.1, 0.0, 0.1, 0.2, 0.3]
    assert ticks(3, 3) == [3]
    assert german(-0.5) == "−0,5"
