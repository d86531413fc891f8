"""What a round is fought with: KK with its bonuses, gesKK, and who flees."""

from dataclasses import dataclass

import numpy as np

from transforms.dice_arrays import Ints
from transforms.hits.constants import MICRO, HitsRules
from transforms.hits.forces import BY_PERCENT, FLEES, Flags, Forces, sums

_INSIDE_PCT = 50
_BY_TENTHS_PCT = (50, 25, 0, -17, -33, -50)  # Fern/Nah up to 1.0, 1.1, 1.2, 1.3, 1.4, from 1.5


@dataclass(frozen=True)
class Options:
    """Which of the two bonuses apply: then the KK given is the base KK."""

    ranged_bonus: bool = False
    fortification_bonus: bool = False


@dataclass(frozen=True)
class Muster:
    """KK per combatant, gesKK per army (both in millionths) and who flees."""

    kk: Ints
    strength: Ints
    flees: Flags


def muster(forces: Forces, rules: HitsRules, options: Options) -> Muster:
    """Call up everybody who lives: a new muster in every round."""
    kk = fighting_kk(forces, rules, options)
    strength = np.where(forces.strength > 0, forces.strength, sums(kk, forces.first))
    strength = np.where(forces.living > 0, strength, 0)
    return Muster(kk, strength, fleeing(forces, strength))


def fighting_kk(forces: Forces, rules: HitsRules, options: Options) -> Ints:
    """Base KK with the bonuses of ranged weapons and walls, rounded half up to a millionth once.

    Of a ranged combatant outside walls Fern/Nah of its army decides, rounded half up to tenths.
    """
    inside = forces.fortification > 0
    ranged_pct = walls_pct = np.zeros_like(forces.kk)
    if options.ranged_bonus:
        far, near = far_and_near(forces)
        tenths = (20 * far + near) // np.maximum(2 * near, 1)
        step = np.where(near == 0, len(_BY_TENTHS_PCT) - 1, tenths - 10)
        by_army = np.array(_BY_TENTHS_PCT)[np.clip(step, 0, len(_BY_TENTHS_PCT) - 1)]
        by_place = np.where(inside, _INSIDE_PCT, by_army[forces.owner])
        ranged_pct = np.where(forces.ranged, by_place, 0)
    if options.fortification_bonus:
        walls_pct = np.array(rules.bonuses_pct)[forces.fortification]
    return (forces.kk * (100 + ranged_pct) * (100 + walls_pct) + 5_000) // 10_000


def far_and_near(forces: Forces) -> tuple[Ints, Ints]:
    """F and N per army: living ranged combatants, and all others; those behind walls count too."""
    far = sums(forces.ranged.astype(np.int64), forces.first)
    return far, forces.living - far


def fleeing(forces: Forces, strength: Ints) -> Flags:
    """Who flees: 100 · gesKK of all enemies > n · own gesKK, unrounded; or who was told to."""
    enemies = sums(strength[forces.enemy], forces.enemy_first)
    # 100·E > n·S without the product n·S, which may exceed 64 bits
    least_pct = -(-100 * enemies // np.maximum(strength, 1))
    too_strong = (strength > 0) & (least_pct > forces.flee_pct)
    return (forces.flight == FLEES) | ((forces.flight == BY_PERCENT) & too_strong)


def strikes_of(muster: Muster) -> Ints:
    """An army strikes as often as its gesKK, rounded half up; one that flees does not."""
    return np.where(muster.flees, 0, (muster.strength + MICRO // 2) // MICRO)
