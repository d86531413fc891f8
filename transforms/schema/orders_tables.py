"""What was handed in for a turn: files, lines and the orders understood from them."""

import dataframely as dy

_LINE = "line number in the realm's order file, from 1"


class GmEdits(dy.Schema):
    """One row per cell of the game master's correction files (input of load)."""

    table = dy.String(primary_key=True, description="name of the file without .csv")
    row = dy.UInt32(primary_key=True, description="row of the file, the header is row 1")
    column = dy.String(primary_key=True, description="header of the cell")
    value = dy.String(nullable=True, description="its text; null = empty")


class OrderTexts(dy.Schema):
    """One row per realm: its order file, decoded (input of load)."""

    realm_id = dy.UInt16(primary_key=True, description="whose file")
    file = dy.String(nullable=True, description="file name; null = nothing handed in")
    size_bytes = dy.Int64(description="size of the file")
    sha256 = dy.String(nullable=True, description="digest of the file")
    encoding = dy.String(nullable=True, description="as detected")
    text = dy.String(nullable=True, description="its content; null = missing or not readable")
    error = dy.String(nullable=True, description="why it was not read, German")


class Answers(dy.Schema):
    """One row per answer to an open question of load (input of the step costs)."""

    realm_id = dy.UInt16(primary_key=True, description="whose line")
    line = dy.UInt32(primary_key=True, description=f"{_LINE}; 0 = the missing file")
    decision = dy.Enum(["approve", "reject", "skip"], description="the game master's answer")


class Corrections(dy.Schema):
    """One row per column that the game master corrected by hand (first step of load)."""

    table = dy.String(primary_key=True, description="units, buildings, realms, alliances or hexes")
    key = dy.String(primary_key=True, description="primary key of the row, parts joined by /")
    column = dy.String(primary_key=True, description="corrected column; * = whole row")
    old = dy.String(nullable=True, description="value before, as text; null = no such row")
    new = dy.String(nullable=True, description="value after, as text; null = deleted or null")
    reason = dy.String(description="why, in the game master's words")


class OrderFiles(dy.Schema):
    """One row per realm: the order file that was read, or that it is missing."""

    realm_id = dy.UInt16(primary_key=True, description="whose file")
    file = dy.String(nullable=True, description="file name; null = nothing handed in")
    size_bytes = dy.Int64(metadata={"default": 0}, description="size of the file")
    sha256 = dy.String(nullable=True, description="digest of the file")
    encoding = dy.String(nullable=True, description="as detected")
    lines = dy.UInt32(metadata={"default": 0}, description="lines read")
    accepted = dy.UInt32(metadata={"default": 0}, description="lines that count")
    rejected = dy.UInt32(metadata={"default": 0}, description="lines dropped with an error")
    comments = dy.UInt32(metadata={"default": 0}, description="comment lines")
    blank = dy.UInt32(metadata={"default": 0}, description="empty lines")
    warned = dy.UInt32(metadata={"default": 0}, description="accepted lines with a warning")
    error = dy.String(nullable=True, description="why the file as a whole was not read")


class OrderLines(dy.Schema):
    """One row per line of every order file, in the players' own words."""

    realm_id = dy.UInt16(primary_key=True, description="who handed it in")
    line = dy.UInt32(primary_key=True, description=_LINE)
    text = dy.String(description="the line, white space at its ends removed")
    kind = dy.Enum(
        ["move", "train", "build", "comment", "blank", "unknown"], description="what it is"
    )
    status = dy.Enum(["accepted", "rejected", "comment", "blank"], description="what became of it")
    understood = dy.String(nullable=True, description="the order as it was understood, German")


class Movements(dy.Schema):
    """One row per unit with an accepted movement line (the last one counts)."""

    realm_id = dy.UInt16(description="its realm")
    line = dy.UInt32(description=_LINE)
    unit_id = dy.UInt32(primary_key=True, description="who moves")
    decision = dy.Enum(["r", "v", "a", "n", "p1", "p2"], nullable=True, description="code")
    embark_on = dy.UInt32(nullable=True, description="unit_id of the ship it wants to board")


class Paths(dy.Schema):
    """One row per waypoint of an accepted movement line."""

    unit_id = dy.UInt32(primary_key=True, description="who moves")
    step = dy.UInt16(primary_key=True, min=1, description="position in the path, from 1")
    hex_id = dy.UInt32(description="the waypoint")


class Splits(dy.Schema):
    """One row per split of an accepted movement line."""

    realm_id = dy.UInt16(primary_key=True, description="its realm")
    line = dy.UInt32(primary_key=True, description=_LINE)
    unit_id = dy.UInt32(description="the parent")
    after_step = dy.UInt16(primary_key=True, description="waypoint it happens at, 0 = start")
    number = dy.UInt16(primary_key=True, description="number of the new unit")
    troops = dy.Int64(description="troops that leave")
    leaders = dy.Int32(description="leaders that leave")
    new_unit_id = dy.UInt32(nullable=True, description="id reserved for the new unit")


_DECISION = dy.Enum(["none", "approve", "reject"], description="answer to a wrong cost")
_OUTCOME = dy.Enum(
    ["reserved", "realised", "rejected", "refused"], description="what became of the order"
)


class Trainings(dy.Schema):
    """One row per training line (Rüsten) that could be read."""

    realm_id = dy.UInt16(primary_key=True, description="its realm")
    line = dy.UInt32(primary_key=True, description=_LINE)
    unit_type = dy.String(description="a name of unit_types")
    troops = dy.Int64(min=1, description="head count ordered")
    leaders = dy.Int32(min=0, description="leaders ordered")
    elite_combat = dy.UInt8(description="combat elite level")
    elite_movement = dy.UInt8(description="movement elite level")
    cost_submitted = dy.Int64(description="gold as written on the line")
    cost = dy.Int64(description="gold by the rules")
    months = dy.Int32(description="training time in months")
    hex_id = dy.UInt32(nullable=True, description="where")
    number = dy.UInt16(nullable=True, description="Heernummer")
    decision = _DECISION
    outcome = _OUTCOME
    reason = dy.String(nullable=True, description="why it was refused, German")
    unit_id = dy.UInt32(nullable=True, description="the unit made, when realised")


class Constructions(dy.Schema):
    """One row per building line (Bauen) that could be read."""

    realm_id = dy.UInt16(primary_key=True, description="its realm")
    line = dy.UInt32(primary_key=True, description=_LINE)
    building_type = dy.String(description="a code of building_types")
    hex_id = dy.UInt32(description="where")
    direction = dy.UInt8(nullable=True, max=5, description="the edge; null = central")
    name = dy.String(nullable=True, description="name of the building")
    cost_submitted = dy.Int64(description="gold as written on the line")
    cost = dy.Int64(description="gold by the rules")
    months = dy.Int32(description="building time in months")
    decision = _DECISION
    outcome = _OUTCOME
    reason = dy.String(nullable=True, description="why it was refused, German")
    building_id = dy.UInt32(nullable=True, description="the building made, when realised")


class Rejections(dy.Schema):
    """One row per problem found in an order file; errors drop the line, warnings do not."""

    realm_id = dy.UInt16(description="whose file")
    line = dy.UInt32(description=f"{_LINE}; 0 = the file as a whole")
    column = dy.UInt32(description="character position of the problem, from 1")
    severity = dy.Enum(["error", "warning"], description="does it drop the line?")
    text = dy.String(description="the line as written")
    reason = dy.String(description="what is wrong, German")
    suggestion = dy.String(nullable=True, description="nearest valid alternative")


class Checks(dy.Schema):
    """One row per line of the check report of a realm (`<CODE>_pruefung.txt`)."""

    realm_id = dy.UInt16(primary_key=True, description="whose report")
    seq = dy.UInt32(primary_key=True, min=1, description="line number")
    text = dy.String(description="the line")


TABLES = {
    "gm_edits": GmEdits,
    "order_texts": OrderTexts,
    "answers": Answers,
    "corrections": Corrections,
    "order_files": OrderFiles,
    "order_lines": OrderLines,
    "movements": Movements,
    "paths": Paths,
    "splits": Splits,
    "trainings": Trainings,
    "constructions": Constructions,
    "rejections": Rejections,
    "checks": Checks,
}
