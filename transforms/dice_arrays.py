"""The dice of dice.py for NumPy arrays: for rules whose next draw depends on the last one."""

import numpy as np
from numpy.typing import NDArray

from transforms.dice import MULTIPLIERS, ROUNDS, WEYL, Stream

Ints = NDArray[np.int64]
_BLOCK = 2**14  # the working arrays of one block fit into the processor's cache
_LOW = np.uint64(2**32 - 1)
_HALF = np.uint64(32)
_M0, _M1 = (np.uint64(m) for m in MULTIPLIERS)


def words(stream: Stream, entity: Ints, index: Ints, key: tuple[int, int]) -> Ints:
    """The raw words, 0..2^32−1, of any number of draws; `entity` and `index` are broadcast.

    The entity is below 2^64 as two's complement, the index below 2^32 (docs/dice.md).
    """
    entities, indices = np.broadcast_arrays(entity, index)
    flat_entities = entities.reshape(-1).view(np.uint64)
    flat_indices = indices.reshape(-1).view(np.uint64)
    drawn = np.empty(flat_entities.size, np.uint64)
    for start in range(0, drawn.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        drawn[part] = _philox(flat_entities[part], flat_indices[part], int(stream), key)
    return drawn.view(np.int64).reshape(entities.shape)


def _philox(
    entity: NDArray[np.uint64], index: NDArray[np.uint64], stream: int, key: tuple[int, int]
) -> NDArray[np.uint64]:
    """Output word 0 of Philox4x32-10 with the counter (entity low, entity high, index, stream)."""
    c0, c1, c2 = entity & _LOW, entity >> _HALF, index.copy()
    c3 = np.full_like(c0, stream)
    p0, p1 = np.empty_like(c0), np.empty_like(c0)
    k0, k1 = key
    for _ in range(ROUNDS):
        np.multiply(c0, _M0, out=p0)
        np.multiply(c2, _M1, out=p1)
        np.right_shift(p1, _HALF, out=c0)
        np.bitwise_xor(c0, c1, out=c0)
        np.bitwise_xor(c0, np.uint64(k0), out=c0)
        np.bitwise_and(p1, _LOW, out=c1)
        np.right_shift(p0, _HALF, out=c2)
        np.bitwise_xor(c2, c3, out=c2)
        np.bitwise_xor(c2, np.uint64(k1), out=c2)
        np.bitwise_and(p0, _LOW, out=c3)
        k0, k1 = (k0 + WEYL[0]) % 2**32, (k1 + WEYL[1]) % 2**32
    return c0
