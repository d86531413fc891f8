"""Treffer und Verluste: the numbers of source 3, and every draw against the plain reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hits_world import KEY, RULES, Army, battles, forces_of, fought_both_ways
from transforms.hits.battle import fight
from transforms.hits.chances import parry_ppm, reselection_ppm
from transforms.hits.constants import MICRO
from transforms.hits.strength import Options, muster

# ── source 3: the table and the two examples, to two decimals ──────────────────────────────

TABLE = {
    **{1: 15, 2: 27.75, 3: 38.59, 4: 47.80, 5: 55.63, 6: 62.29, 7: 67.94, 8: 72.75, 9: 76.84},
    **{10: 80.31, 15: 91.26, 16: 92.57},
}


def parry_pct(kk: float, vp: float, base_ppm: int) -> float:
    one = np.array([round(kk * MICRO)]), np.array([round(vp * MICRO)]), np.array([base_ppm])
    return (int(parry_ppm(*one, RULES)[0]) + 50) // 100 / 100


@pytest.mark.parametrize(("kk", "percent"), TABLE.items())
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
