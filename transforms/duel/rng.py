"""xorshift64*, one state per fight (source 2, "Zufall").

The state is part of the fight: whoever loads a saved fight gets the draws that would have come.
"""

from typing import Any

import numpy as np

States = np.ndarray[Any, np.dtype[np.uint64]]

_A, _B, _C, _LOW = (np.uint64(shift) for shift in (12, 25, 27, 11))
_MULTIPLIER = np.uint64(0x2545F4914F6CDD1D)


def advance(states: States) -> States:
    """The next state of each stream; a state is never 0."""
    states = states ^ (states >> _A)
    states ^= states << _B
    states ^= states >> _C
    return states


def outputs(states: States) -> States:
    """The 64 bits that belong to states just reached."""
    return states * _MULTIPLIER


def reals(states: States) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The reals in [0, 1) that belong to states just reached: the upper 53 bits."""
    return (outputs(states) >> _LOW) / np.float64(2**53)
