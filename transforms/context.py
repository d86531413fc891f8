"""What a step may know of the turn besides its tables and the rules."""

from dataclasses import dataclass

from transforms.dice import Dice


@dataclass(frozen=True)
class Turn:
    """One turn of one game: its number, its date (months since year 0) and its dice."""

    game_id: str
    number: int
    today: int
    dice: Dice
