"""What every step of a Ghost-Diplomacy turn knows besides its tables: the board and the rulings."""

from dataclasses import dataclass

from transforms.diplomacy.board import Board
from transforms.diplomacy.german import Names
from transforms.diplomacy.rulings import Rulings


@dataclass(frozen=True)
class GhostRules:
    """Board and rulings of one game."""

    board: Board
    rulings: Rulings

    @property
    def names(self) -> Names:
        """How the board's provinces and nations are called."""
        return Names(self.board.provinces, self.board.nations)

    @property
    def separate(self) -> bool:
        """Are retreats ordered in a step of their own?"""
        return self.rulings.retreats == "separate"
