"""Every German sentence that players and the game master read, in one place.

A section per reader's page. Placeholders are named after the columns that fill them; a pair
`(singular, plural)` is chosen by the number in the sentence.
"""

REPORT: dict[str, str | tuple[str, str]] = {}
OVERVIEW: dict[str, str] = {}
BOARDING: dict[str, str] = {}
ORDERS: dict[str, str] = {}
CHECK: dict[str, str] = {}
GAME_MASTER: dict[str, str] = {}
DICE: dict[str, str] = {}
PICTURE: dict[str, str] = {}
