"""Treffer und Verluste: the numbers of source 3, and every draw against the plain reference."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hits_world import KEY, RULES, Army, battles, forces_of, fought_both_ways
from transforms.dice import Stream, with_words
from transforms.dice_arrays import words
from transforms.errors import InputError
from transforms.hits.battle import Fought, fight
from transforms.hits.chances import parry_ppm, reselection_ppm
from transforms.hits.constants import MICRO, make_hits_rules
from transforms.hits.draws import draws_of
from transforms.hits.strength import Options, muster, strikes_of

BOTH = Options(ranged_bonus=True, fortification_bonus=True)
NOBODY: tuple[tuple[float, bool, str], ...] = ()


def many(n: int, kk: float = 1.0, ranged: bool = False, walls: str = "none") -> Any:
    return ((kk, ranged, walls),) * n


def duel(a: Any, b: Any, **of_a: Any) -> list[Army]:
    return [Army(1, a, (2,), **of_a), Army(2, b, (1,))]


def played(armies: list[Army], rounds: int = 1, options: Options | None = None) -> Fought:
    return fight(
        forces_of(armies), RULES, options or Options(), key=KEY, rounds=rounds,
        keep_strikes=True, keep_selections=True,
    )  # fmt: skip


# ── the table and the two examples of the source, to two decimals ──────────────────────────


def parry_pct(kk: float, vp: float, base_ppm: int) -> float:
    one = np.array([round(kk * MICRO)]), np.array([round(vp * MICRO)]), np.array([base_ppm])
    return (int(parry_ppm(*one, RULES)[0]) + 50) // 100 / 100


@pytest.mark.parametrize(
    ("kk", "percent"),
    [
        *enumerate([15, 27.75, 38.59, 47.80, 55.63, 62.29, 67.94, 72.75, 76.84, 80.31], start=1),
        (15, 91.26),
        (16, 92.57),
    ],
)
def test_the_table(kk: int, percent: float) -> None:
    assert parry_pct(kk, 99, RULES.base_ppm) == percent


def test_a_fuss_in_its_own_su_with_2_vp_left() -> None:
    assert parry_pct(2.4, 2, RULES.base_ppm) == 33.06


def test_a_lgbo_in_eb_and_mau_with_6_vp_left() -> None:
    assert RULES.bases_ppm[2] == 210_000
    assert parry_pct(4.5, 6, RULES.bases_ppm[2]) == 65.38


@pytest.mark.parametrize("kk", [60, 86, 87, 1000, 10_000])
def test_the_parry_never_reaches_100_percent(kk: int) -> None:
    ppm = parry_ppm(np.array([kk * MICRO]), np.array([MICRO]), np.array([250_000]), RULES)
    assert 999_000 < ppm[0] <= 999_999


def test_the_example_of_the_fuss_ends_at_1_or_0_vp() -> None:
    told = played([Army(1, many(20), (2,)), Army(2, many(1, 2.4), ())]).selection_log
    assert told is not None
    two = told.filter(vp_before=2 * MICRO)
    after = {"parried": MICRO, "dies": 0}
    assert [after[o] for o in two["outcome"]] == two["vp_after"].to_list()
    assert two["aw_ppm"].to_list() == [330_595] * two.height


# ── gesKK, bonuses and flight ──────────────────────────────────────────────────────────────


def ges_kk(combatants: Any, options: Options = BOTH) -> float:
    forces = forces_of([Army(1, combatants, ())])
    return float(muster(forces, RULES, options).strength[0] / MICRO)


def test_two_mil_and_two_bog_on_the_plain_are_5() -> None:
    assert ges_kk(many(2) + many(2, ranged=True)) == 5.0
    assert ges_kk(many(1) + many(2, ranged=True)) == 2.0  # one Mil dead
    assert ges_kk(many(2) + many(2, ranged=True), Options()) == 4.0


@pytest.mark.parametrize(
    ("far", "near", "percent"),
    [
        (20, 20, 150), (1049, 1000, 150), (21, 20, 125), (22, 20, 125), (23, 20, 100),
        (24, 20, 100), (26, 20, 83), (28, 20, 67), (29, 20, 50), (30, 20, 50), (1, 0, 50),
    ],
)  # fmt: skip
def test_ranged_bonus_by_fern_nah_rounded_to_tenths(far: int, near: int, percent: int) -> None:
    bonus = ges_kk(many(near) + many(far, ranged=True)) - near
    assert bonus == pytest.approx(far * percent / 100)


@pytest.mark.parametrize(("walls", "percent"), [("pal", 110), ("mau", 120), ("burg", 130)])
def test_bonus_behind_walls(walls: str, percent: int) -> None:
    assert ges_kk(many(1, walls=walls)) == percent / 100
    assert ges_kk(many(1, ranged=True, walls=walls)) == pytest.approx(1.5 * percent / 100)


def test_a_bonus_is_rounded_once() -> None:
    assert ges_kk(many(1, 0.000001, ranged=True)) == 0.000001  # half of it, rounded half up
    assert ges_kk(many(1, 0.333333, ranged=True, walls="pal")) == 0.549999  # 0.54999945


@pytest.mark.parametrize(("enemy", "flees"), [(13, True), (12, False)])
def test_10_flees_from_13_and_stays_against_12_with_n_120(enemy: int, flees: bool) -> None:
    told = played(duel(many(10), many(enemy), flee_pct=120))
    assert told.flees.tolist() == [flees, False]
    assert told.strikes.tolist() == [0 if flees else 10, enemy]
    assert played(duel(many(10), many(enemy), flee_pct=120, flees=not flees)).flees[0] != flees


def test_flight_counts_all_enemies_unrounded() -> None:
    armies = [Army(1, many(10), (2, 3), flee_pct=120)]
    armies += [Army(2, many(6), ()), Army(3, many(6) + many(1, 0.000001), ())]
    assert played(armies).flees.tolist() == [True, False, False]


@pytest.mark.parametrize(("kk", "strikes"), [(14.5, 15), (15.0, 15), (15.499999, 15), (0.4, 0)])
def test_an_army_strikes_as_often_as_its_ges_kk(kk: float, strikes: int) -> None:
    forces = forces_of([Army(1, many(1, kk), ())])
    assert strikes_of(muster(forces, RULES, Options())).tolist() == [strikes]


def test_a_given_strength_replaces_the_sum_until_nobody_lives() -> None:
    told = played(duel(many(2), many(9), strength=20.25), rounds=9)
    assert told.strength[0] == 20_250_000
    assert told.kk_before[0] == 2 * MICRO
    assert told.strikes[0] == 20 * told.rounds[0] > 20
    assert played(duel(NOBODY, many(9), strength=20.25)).strength[0] == 0


def test_fleeing_armies_are_targets_and_nobody_strikes_alone() -> None:
    told = played([Army(1, many(60), (2,)), Army(2, many(60), (1,), flees=True)])
    assert told.received[0] == 0
    assert told.received[1] == told.hits[0] > 0
    assert told.strikes.tolist() == [60, 0]


def test_strikes_into_the_air_are_counted_and_draw_nothing() -> None:
    told = played([Army(1, many(60), ()), Army(2, many(60), (3,)), Army(3, NOBODY, ())])
    assert told.strikes.tolist() == [60, 60, 0]
    assert told.strike_log is None
    assert draws_of(told, KEY).is_empty()


def test_all_strikes_fall_before_anybody_falls() -> None:
    told = played(duel(many(1, 0.5), many(10_000)))
    assert told.strikes.tolist() == [1, 10_000]
    assert told.alive.sum() >= 9_999


# ── who is selected ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("far", "near", "percent"),
    [(1, 1, 60), (10, 10, 60), (11, 10, 40), (12, 10, 20), (13, 10, 0), (20, 10, 0), (5, 0, 0)],
)
def test_reselection_of_ranged_combatants(far: int, near: int, percent: int) -> None:
    forces = forces_of([Army(1, many(near) + many(far, ranged=True), ())])
    chances = reselection_ppm(forces, RULES) / 10_000
    assert chances[:near].tolist() == [0] * near
    assert chances[near:].tolist() == [percent] * far


def test_everybody_behind_walls_is_covered() -> None:
    forces = forces_of([Army(1, many(4, walls="pal") + many(9, ranged=True, walls="burg"), ())])
    assert set(reselection_ppm(forces, RULES).tolist()) == {600_000}


# ── frequencies over 100,000 and more draws, within 4 standard errors ──────────────────────


def within(count: int, n: int, chance: float) -> bool:
    return abs(count - n * chance) <= 4 * (n * chance * (1 - chance)) ** 0.5


def test_one_strike_in_ten_hits_and_targets_are_weighted() -> None:
    weights = {2: 1.0, 3: 2.5, 4: 6.5}
    armies = [Army(1, many(1), (2, 3, 4), strength=1_000_000.0)]
    armies += [Army(i, many(1), (), strength=kk) for i, kk in weights.items()]
    told = played(armies)
    hits = int(told.hits[0])
    assert within(hits, 1_000_000, 0.1)
    assert hits > 99_000
    for place, kk in enumerate(weights.values(), start=1):
        assert within(int(told.received[place]), hits, kk / 10)


def bombarded(crowd: Any) -> pl.DataFrame:
    """The selections of a hundred such armies that share some 150,000 VP."""
    everybody = range(2, 102)
    armies = [Army(1, many(1), tuple(everybody), strength=1_500_000.0)]
    log = played(armies + [Army(i, crowd, ()) for i in everybody]).selection_log
    assert log is not None
    return log


def test_reselection_and_parry_frequencies() -> None:
    # half behind a wall (β 0.21, 60 %), half in the open; KK 3 each
    log = bombarded(many(400, 3.0, walls="mau") + many(400, 3.0))
    assert log.height > 100_000
    covered = log.filter(pl.col("cover_ppm") == 600_000)
    assert within(covered.filter(outcome="reselected").height, covered.height, 0.6)
    assert log.filter(pl.col("cover_ppm") == 0, outcome="reselected").is_empty()
    staying = log.filter((pl.col("outcome") != "reselected") & (pl.col("vp_before") >= 3 * MICRO))
    for behind, base in ((True, 0.21), (False, 0.15)):
        mine = staying.filter((pl.col("cover_ppm") > 0) == behind)
        assert within(mine.filter(outcome="parried").height, mine.height, 1 - (1 - base) ** 3)


def test_every_living_combatant_is_equally_likely() -> None:
    log = bombarded(many(50, 1000.0))  # practically nobody dies
    first = log.filter(living=50)
    counts = first.group_by((pl.col("combatant") - 1) % 50).len()
    assert counts.height == 50
    assert all(within(n, first.height, 1 / 50) for n in counts["len"])


# ── product and reference, draw by draw ────────────────────────────────────────────────────


@settings(max_examples=120)
@given(battles(), st.integers(1, 4), st.booleans(), st.booleans())
def test_every_draw_equals_the_reference(
    armies: list[Army], rounds: int, ranged: bool, walls: bool
) -> None:
    product, expected = fought_both_ways(armies, rounds, Options(ranged, walls))
    for name, values in expected.items():
        assert product[name] == values, name


@pytest.mark.parametrize("seed", range(3))
def test_larger_battles_equal_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    crowd = [
        tuple(
            (float(kk), bool(far), "none")
            for kk, far in zip(
                rng.integers(5, 90, n) / 10, rng.random(n) < rng.random(), strict=True
            )
        )
        for n in (150, 240, 80)
    ]
    armies = [Army(1, crowd[0], (2, 3)), Army(2, crowd[1], (1,)), Army(3, crowd[2], (1, 2))]
    product, expected = fought_both_ways(armies, rounds=6, options=BOTH)
    assert product == expected


@settings(max_examples=30)
@given(battles(), st.integers(1, 3))
def test_repetitions_are_independent_copies(armies: list[Army], rounds: int) -> None:
    once, forces = forces_of(armies), forces_of(armies)
    three = fight(forces.repeated(range(5, 8)), RULES, BOTH, key=KEY, rounds=rounds)
    count = once.army_id.size
    for number in range(3):
        alone = fight(
            once.repeated(range(5 + number, 6 + number)), RULES, BOTH, key=KEY, rounds=rounds
        )
        mine = slice(number * count, (number + 1) * count)
        for name in ("strikes", "hits", "received", "selections", "kk_after", "rounds"):
            assert getattr(alone, name).tolist() == getattr(three, name)[mine].tolist()


def test_100_repetitions_are_not_the_same() -> None:
    forces = forces_of(duel(many(50), many(50)))
    told = fight(forces.repeated(range(100)), RULES, Options(), key=KEY)
    assert len(set(told.hits[::2].tolist())) > 5


# ── numbers and dice ───────────────────────────────────────────────────────────────────────


@given(
    st.lists(st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 2**32 - 1)), max_size=50),
    st.sampled_from(list(Stream)),
)
def test_the_array_dice_equal_the_column_dice(pairs: list[tuple[int, int]], stream: Stream) -> None:
    frame = pl.DataFrame(pairs, schema={"e": pl.UInt64, "i": pl.UInt32}, orient="row")
    columns = with_words(frame.lazy(), stream, pl.col("e"), pl.col("i"), KEY).collect()
    entity, index = (np.array([p[k] for p in pairs], np.int64) for k in (0, 1))
    assert words(stream, entity, index, KEY).tolist() == columns["word"].to_list()


def test_the_array_dice_beyond_one_block_and_beyond_2_63() -> None:
    index = np.arange(40_000)
    entity = np.array([-1])  # 2^64 − 1
    drawn = words(Stream.HITS_PARRY, entity, index, KEY)
    frame = pl.DataFrame({"i": index}).select(pl.col("i"), e=pl.lit(2**64 - 1, pl.UInt64))
    columns = with_words(frame.lazy(), Stream.HITS_PARRY, pl.col("e"), pl.col("i"), KEY).collect()
    assert drawn.tolist() == columns["word"].to_list()


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"hit_pct": 101}, "hit_pct = 101; a whole number from 0 to 100"),
        ({"protect_pct": 100}, "protect_pct = 100; a whole number from 0 to 99"),
        ({"base_ppm": -1}, "base_ppm = -1"),
        ({"base_ppm": 0.15}, "base_ppm = 0.15"),
        ({"base_ppm": True}, "base_ppm = True"),
        ({"bas_ppm": 1}, "unknown key 'bas_ppm' (did you mean 'base_ppm'?)"),
    ],
)
def test_bad_numbers_of_the_rules(changed: dict[str, Any], complaint: str) -> None:
    from tests.small_rules import HITS

    with pytest.raises(InputError) as error:
        make_hits_rules("rules.toml, [hits]", HITS | changed)
    assert complaint in str(error.value)
