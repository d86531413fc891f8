"""The dice: Philox4x32-10 for one counter at a time, exactly as published (Salmon et al., SC11)."""

from typing import Any

STANDING, VOLCANO, STEPPE, LANDING = 1, 2, 3, 4  # the streams
RIVER, WITHDRAWAL, CROSSING = 5, 6, 7

MASK = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Four random 32-bit words for a counter of four words and a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        product_0 = 0xD2511F53 * c0
        product_1 = 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            (product_1 >> 32) ^ c1 ^ k0,
            product_1 & MASK,
            (product_0 >> 32) ^ c3 ^ k1,
            product_0 & MASK,
        )
        k0 = (k0 + 0x9E3779B9) & MASK
        k1 = (k1 + 0xBB67AE85) & MASK
    return c0, c1, c2, c3


class Dice:
    """The dice of one turn; every roll is written down."""

    def __init__(self, digest: bytes, draws: list[dict[str, Any]]) -> None:
        self.key = (
            int.from_bytes(digest[0:4], "little"),
            int.from_bytes(digest[4:8], "little"),
        )
        self.draws = draws

    def roll(self, stream: int, entity: int, lo: int, hi: int, index: int = 0) -> int:
        """A whole number from lo to hi."""
        counter = (entity & MASK, entity >> 32, index, stream)
        word = philox(counter, self.key)[0]
        value = lo + ((word * (hi - lo + 1)) >> 32)
        self.draws.append(
            {
                "stream": stream,
                "entity": entity,
                "index": index,
                "lo": lo,
                "hi": hi,
                "value": value,
            }
        )
        return value
