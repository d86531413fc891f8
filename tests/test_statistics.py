"""Intervals of rates, worked by hand."""

import numpy as np
import pytest

from transforms.statistics import paired, wilson


def test_wilson_by_hand() -> None:
    low, high = wilson(np.array([0, 5, 10]), 10)
    assert low == pytest.approx([0, 0.236593, 0.722467], abs=1e-6)
    assert high == pytest.approx([0.277533, 0.763407, 1], abs=1e-6)


def test_paired_interval_by_hand() -> None:
    # (7 − 3) / 102 ± 1.96 · √(7 + 3 + 1 − 16 / 102) / 102
    low, high = paired(np.array([7, 0]), np.array([3, 0]), 100)
    half = 1.959964 * np.sqrt(11 - 16 / 102) / 102
    assert (low[0], high[0]) == pytest.approx((4 / 102 - half, 4 / 102 + half), abs=1e-6)
    assert low[1] < 0 < high[1]  # no pair changed: that is not certainty
