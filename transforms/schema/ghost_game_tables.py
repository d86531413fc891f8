"""Ghost-Diplomacy: the tables around the adjudicator — drawing, intake, the game master's hand."""

from collections.abc import Mapping

import dataframely as dy

from transforms.schema.ghost_tables import COASTS

FILE_STATES = ["used", "missing", "double", "unreadable", "late"]


class Shapes(dy.Schema):
    """One row per spot of the schematic map: what is nearest to a spot belongs to its province.

    Part 0 and spots with a coast only tell where something is drawn.
    """

    province = dy.String(primary_key=True, description="- = ground of no province")
    part = dy.UInt16(primary_key=True, description="0 = where the name and a unit are drawn")
    coast = dy.Enum(COASTS, nullable=True, description="a fleet on this coast is drawn here")
    x = dy.Float64(description="to the right, in the unit of y")
    y = dy.Float64(description="upwards")


class OrderFiles(dy.Schema):
    """One row per nation, plus one per file that came too late for an evaluated turn."""

    nation = dy.String(primary_key=True, description="whose")
    file = dy.String(primary_key=True, description="name of the file; several if double; or empty")
    state = dy.Enum(FILE_STATES, primary_key=True, description="what became of it")
    text = dy.String(nullable=True, description="content, where it counts")
    detail = dy.String(nullable=True, description="why unreadable; for which turn too late")


class Waiting(dy.Schema):
    """One row per dislodged unit whose retreat is still to be ordered: who it is."""

    province = dy.String(primary_key=True, description="from where it was driven out")
    unit_id = dy.UInt32(description="its id for ever")


class Edits(dy.Schema):
    """One row per cell that the game master wrote into gm/<table>.csv."""

    table = dy.String(primary_key=True, description="units or centres")
    row = dy.UInt32(primary_key=True, description="row of the file, the header is 1")
    column = dy.String(primary_key=True, description="column of the file")
    value = dy.String(nullable=True, description="what stands there; empty = null")


class Corrections(dy.Schema):
    """One row per value that the game master changed by hand."""

    table = dy.String(primary_key=True, description="units or centres")
    province = dy.String(primary_key=True, description="where")
    column = dy.String(primary_key=True, description="which column")
    old = dy.String(nullable=True, description="before")
    new = dy.String(nullable=True, description="after")
    reason = dy.String(nullable=True, description="the game master's reason")


MAP: Mapping[str, type[dy.Schema]] = {"ghost.shapes": Shapes}
TURN: Mapping[str, type[dy.Schema]] = {
    "ghost.order_files": OrderFiles,
    "ghost.waiting": Waiting,
    "ghost.edits": Edits,
    "ghost.corrections": Corrections,
}
TABLES: Mapping[str, type[dy.Schema]] = {**MAP, **TURN}
