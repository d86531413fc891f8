"""What the letters of the movement lines decide (source 1, 2.1; switch `decisions`).

    withdraw   before combat: r units leave the hexes on which a battle is due
    (fight)    combat itself, only where an attack is ordered
    pursue     after it: n units follow whoever withdrew, and fight once more
    conquer    who is left alone on foreign ground takes it, p1 and p2 plunder it

The source knows the letters and no rule; these rules are ours, see docs/rules.md.
"""

from transforms.decisions.conquest import conquer
from transforms.decisions.pursuit import pursue
from transforms.decisions.withdrawal import withdraw

__all__ = ["conquer", "pursue", "withdraw"]
