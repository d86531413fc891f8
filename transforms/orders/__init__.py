"""Order files: from the bytes that a player handed in to the tables of the turn.

decode (encoding) → lines (kinds, limits) → moves, training, construction (grammar, by `fields`)
→ resolve, settle (what the names mean, which lines count), parts (what splits off) → read (the
tables).
"""

from transforms.orders.decode import decode
from transforms.orders.parts import name_parts
from transforms.orders.read import read_orders

__all__ = ["decode", "name_parts", "read_orders"]
