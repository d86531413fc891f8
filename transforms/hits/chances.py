"""The two chances of a selected combatant: that another one is selected, and that it parries."""

from math import pow as power  # the C library's, element by element: NumPy's may differ

import numpy as np

from transforms.dice_arrays import Ints
from transforms.hits.constants import MICRO, HitsRules
from transforms.hits.forces import Forces
from transforms.hits.strength import far_and_near

_LEAST_Q, _MOST_AW = 10_000, 999_999


def reselection_ppm(forces: Forces, rules: HitsRules) -> Ints:
    """Chance per combatant that a new one is selected instead of it.

    Full behind walls and for ranged combatants of an army with Fern/Nah ≤ 1; beyond that it
    falls by `protect_slope` percentage points per 1; nobody else has one (source 3).
    """
    far, near = far_and_near(forces)
    excess = np.maximum(far - near, 0)
    falling = (rules.cover_ppm * near - rules.slope_ppm * excess) // np.maximum(near, 1)
    of_army = np.where(near > 0, np.maximum(falling, 0), 0)
    return np.where(
        forces.fortification > 0,
        rules.cover_ppm,
        np.where(forces.ranged, of_army[forces.owner], 0),
    )


def diff_ppm(kk: Ints, vp: Ints, rules: HitsRules) -> Ints:
    """Diffbonus δ = `diff_ppm_per_kk` · (KK − VP) if KK > VP, else 0; KK and VP in millionths."""
    return np.maximum(kk - vp, 0) * rules.diff_ppm_per_kk // MICRO


def parry_ppm(kk: Ints, vp: Ints, base_ppm: Ints, rules: HitsRules) -> Ints:
    """Abwehrwahrscheinlichkeit AW = 1 − (1 − β − δ)^KK, never 1; in millionths (source 3)."""
    delta_ppm = diff_ppm(kk, vp, rules)
    q = np.minimum(np.maximum(MICRO - base_ppm - delta_ppm, _LEAST_Q), MICRO)
    failing = map(power, (q / MICRO).tolist(), (kk / MICRO).tolist())
    parried = 1.0 - np.fromiter(failing, np.float64, kk.size)
    return np.minimum(np.floor(parried * MICRO + 0.5).astype(np.int64), _MOST_AW)
