"""How certain a rate is: 95 % intervals of a rate, and of a difference of paired rates."""

import numpy as np
from numpy.typing import NDArray

_Z = 1.959963984540054  # 97.5 % quantile of the normal distribution

Counts = NDArray[np.int64]
Interval = tuple[NDArray[np.float64], NDArray[np.float64]]


def wilson(count: Counts, n: int | Counts) -> Interval:
    """Wilson's 95 % interval of a rate: `count` of `n`."""
    rate, z2 = count / n, _Z * _Z / n
    middle = (rate + z2 / 2) / (1 + z2)
    half = _Z * np.sqrt(rate * (1 - rate) / n + z2 / (4 * n)) / (1 + z2)
    low = np.where(count == 0, 0.0, np.maximum(middle - half, 0.0))
    return low, np.where(count == n, 1.0, np.minimum(middle + half, 1.0))


def paired(gained: Counts, lost: Counts, n: int) -> Interval:
    """95 % interval of the change of a rate over `n` pairs (Agresti and Min 2005).

    `gained` pairs failed before and succeed now, `lost` ones the other way round. Half a pair is
    added to each of the four cells, so the interval has a width even when no pair changed.
    """
    change, size = gained - lost, n + 2
    half = _Z * np.sqrt(gained + lost + 1 - change * change / size) / size
    middle = change / size
    return np.maximum(middle - half, -1.0), np.minimum(middle + half, 1.0)
