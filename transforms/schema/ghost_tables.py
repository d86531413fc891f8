"""Ghost-Diplomacy: the map's own tables, the tables of a turn, and their batch form (phase_id)."""

from collections.abc import Mapping

import dataframely as dy
import polars as pl

UNIT_TYPES = ["A", "F"]
COASTS = ["NC", "SC", "EC", "WC"]
PROVINCE_KINDS = ["inland", "coast", "sea"]
SEASONS = ["spring", "autumn", "winter"]
STEPS = ["movement", "retreat", "adjustment"]
ORDER_KINDS = ["hold", "move", "support", "convoy", "retreat", "build", "disband", "waive"]
STATUSES = ["counted", "replaced", "rejected"]
OUTCOMES = [
    "succeeds",
    "fails",
    "given",
    "cut",
    "available",
    "disrupted",
    "stands",
    "illegal",
    "invalid",
]
ADJUSTMENTS = ["built", "disbanded", "disorder"]
VIEWS = ["own", "foreign", "free", "no_foreign"]


# ── the map: data/diplomacy/<map>/*.csv ─────────────────────────────────────────────────────


class Provinces(dy.Schema):
    """One row per province."""

    province = dy.String(primary_key=True, regex=r"^[A-Z0-9]+$", description="its key, like NTH")
    en = dy.String(description="English name; civil disorder goes by its alphabet")
    de = dy.String(description="German name")
    abbr = dy.String(description="what players read and write, like Nth")
    kind = dy.Enum(PROVINCE_KINDS, description="inland: no fleets; sea: no armies")
    centre = dy.Bool(metadata={"default": False}, description="is it a supply centre?")
    home_of = dy.String(nullable=True, description="nation whose home land it belongs to")
    lon = dy.Float64(description="centre point for drawing, degrees east")
    lat = dy.Float64(description="centre point for drawing, degrees north")


class Borders(dy.Schema):
    """One row per step from a place to the next, both directions."""

    province_a = dy.String(description="from")
    coast_a = dy.Enum(COASTS, nullable=True, description="a fleet's coast there")
    province_b = dy.String(description="to")
    coast_b = dy.Enum(COASTS, nullable=True, description="the coast a fleet reaches")
    army = dy.Bool(description="armies may take the step")
    fleet = dy.Bool(description="fleets may take the step")

    @dy.rule()
    def no_step_twice(cls) -> pl.Expr:
        return pl.struct("province_a", "coast_a", "province_b", "coast_b").is_unique()


class Aliases(dy.Schema):
    """One row per further name that means one province, or one coast of it."""

    alias = dy.String(primary_key=True, description="how players write it, any case")
    province = dy.String(description="which province")
    coast = dy.Enum(COASTS, nullable=True, description="which coast, where the name tells")


class Ambiguous(dy.Schema):
    """One row per name and province that it may mean."""

    alias = dy.String(primary_key=True, description="how players write it, any case")
    province = dy.String(primary_key=True, description="one of the provinces")


class Nations(dy.Schema):
    """One row per nation; players read them in the order of their codes."""

    nation = dy.String(primary_key=True, regex=r"^[A-Z0-9]+$", description="its key, like ENGLAND")
    code = dy.String(description="what players read, like GB")
    file_code = dy.String(regex=r"^[A-Z0-9]+$", description="name of its files, like OEU")
    de_name = dy.String(description="German name")
    colour = dy.String(regex=r"^#[0-9a-f]{6}$", description="on the map picture")


class NationAliases(dy.Schema):
    """One row per further name of a nation."""

    alias = dy.String(primary_key=True, description="how players write it, any case")
    nation = dy.String(description="which nation")


class Start(dy.Schema):
    """One row per unit at the start of a game."""

    nation = dy.String(primary_key=True, description="whose")
    unit_type = dy.Enum(UNIT_TYPES, description="A army, F fleet")
    province = dy.String(primary_key=True, description="where")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast")


# ── a turn ──────────────────────────────────────────────────────────────────────────────────


class Phase(dy.Schema):
    """One row: which turn this is."""

    turn = dy.UInt32(primary_key=True, description="number of the turn, 0 = start")
    year = dy.Int32(description="year of the game")
    season = dy.Enum(SEASONS, description="spring, autumn or winter")
    step = dy.Enum(STEPS, description="what was played")


class Units(dy.Schema):
    """One row per unit on the map; a dislodged unit that waits stands in `dislodged` only."""

    unit_id = dy.UInt32(description="for ever, never reused")
    nation = dy.String(description="whose")
    unit_type = dy.Enum(UNIT_TYPES, description="A army, F fleet")
    province = dy.String(primary_key=True, description="where")
    coast = dy.Enum(COASTS, nullable=True, description="a fleet's coast where there are several")


class Centres(dy.Schema):
    """One row per supply centre."""

    province = dy.String(primary_key=True, description="which province")
    nation = dy.String(nullable=True, description="who controls it; null = nobody")


class Orders(dy.Schema):
    """One row per line of an order file, as it was understood."""

    nation = dy.String(primary_key=True, description="who wrote it")
    line = dy.UInt16(primary_key=True, description="number of the line in the file, from 1")
    text = dy.String(description="the line as it was written")
    step = dy.Enum(STEPS, description="the step it is meant for")
    unit_type = dy.Enum(UNIT_TYPES, nullable=True, description="type of the ordered unit")
    province = dy.String(nullable=True, description="where the ordered unit stands")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast")
    kind = dy.Enum(ORDER_KINDS, nullable=True, description="what is ordered")
    of_type = dy.Enum(UNIT_TYPES, nullable=True, description="letter of the other unit, as written")
    of_province = dy.String(nullable=True, description="where the supported or convoyed unit is")
    target = dy.String(nullable=True, description="where the move, the retreat goes")
    target_coast = dy.Enum(COASTS, nullable=True, description="on which coast")
    via = dy.Bool(metadata={"default": False}, description="expressly by convoy")
    preference = dy.UInt8(nullable=True, description="retreats: 1 = first choice of that unit")
    status = dy.Enum(STATUSES, description="counted, replaced by a later line, or rejected")
    understood = dy.String(description="the order in the project's notation; empty if unreadable")
    reason = dy.String(nullable=True, description="why rejected; tells nothing hidden")


class Results(dy.Schema):
    """One row per unit and movement, and per dislodged unit and retreat."""

    province = dy.String(primary_key=True, description="where the unit stood")
    step = dy.Enum(STEPS, primary_key=True, description="movement or retreat")
    nation = dy.String(description="whose")
    unit_type = dy.Enum(UNIT_TYPES, description="A army, F fleet")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast it stood")
    kind = dy.Enum(ORDER_KINDS, description="what was ordered; no order = hold, disband")
    outcome = dy.Enum(OUTCOMES, description="what came of it")
    dislodged = dy.Bool(description="driven out by the movement")
    destroyed = dy.Bool(description="driven out and nowhere to go")


class Dislodged(dy.Schema):
    """One row per unit that was driven out."""

    province = dy.String(primary_key=True, description="from where")
    nation = dy.String(description="whose")
    unit_type = dy.Enum(UNIT_TYPES, description="A army, F fleet")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast it stood")
    attacker_from = dy.String(nullable=True, description="barred; null = came by convoy")
    retreated_to = dy.String(nullable=True, description="TUN or SPA/NC; null = disbanded")
    options = dy.List(dy.String(), description="legal retreats after the movement, by name")


class Contested(dy.Schema):
    """One row per province that is empty after a standoff: closed for retreats."""

    province = dy.String(primary_key=True, description="which province")


class Battles(dy.Schema):
    """One row per province that was fought for."""

    province = dy.String(primary_key=True, description="where")
    nation = dy.String(nullable=True, description="who stands there in the end; null = nobody")
    unit_type = dy.Enum(UNIT_TYPES, nullable=True, description="with what")


class BattleNations(dy.Schema):
    """One row per battle and nation that wanted in."""

    province = dy.String(primary_key=True, description="where")
    nation = dy.String(primary_key=True, description="who")


class Knowledge(dy.Schema):
    """One row per nation and province in its view; no row = not in view."""

    viewer = dy.String(primary_key=True, description="who sees")
    province = dy.String(primary_key=True, description="what")
    status = dy.Enum(VIEWS, description="what stands there")
    nation = dy.String(nullable=True, description="whose unit")
    unit_type = dy.Enum(UNIT_TYPES, nullable=True, description="A army, F fleet")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast")
    rule = dy.UInt8(min=1, max=5, description="lowest of the five rules that shows the row")


class Missing(dy.Schema):
    """One row per nation without a usable order file."""

    nation = dy.String(primary_key=True, description="who")


class Adjustments(dy.Schema):
    """One row per unit that winter brought or took."""

    nation = dy.String(primary_key=True, description="whose")
    kind = dy.Enum(ADJUSTMENTS, primary_key=True, description="built, disbanded or disorder")
    unit_type = dy.Enum(UNIT_TYPES, description="A army, F fleet")
    province = dy.String(primary_key=True, description="where")
    coast = dy.Enum(COASTS, nullable=True, description="on which coast")
    distance = dy.UInt8(nullable=True, description="disorder: provinces to the nearest own centre")


# ── many phases at once: `zugwerk ghost adjudicate` ─────────────────────────────────────────


class BatchPhases(dy.Schema):
    """One row per phase of a batch."""

    phase_id = dy.UInt32(primary_key=True, description="number of the phase")
    step = dy.Enum(STEPS, description="movement, retreat or adjustment")
    season = dy.Enum(SEASONS, description="control of centres changes in autumn")


class BatchOrders(dy.Schema):
    """One row per order text of a batch."""

    phase_id = dy.UInt32(primary_key=True, description="number of the phase")
    line = dy.UInt32(primary_key=True, description="number of the line in the phase")
    step = dy.Enum(STEPS, nullable=True, description="null = as the notation tells")
    nation = dy.String(description="who wrote it")
    text = dy.String(description="the order in any notation")


class BatchRejected(dy.Schema):
    """One row per order text that was not understood or, in winter, not carried out."""

    phase_id = dy.UInt32(primary_key=True, description="number of the phase")
    line = dy.UInt32(primary_key=True, description="number of the line in the phase")
    text = dy.String(description="the order as it was written")
    reason = dy.String(description="why, German")


def _batch(
    table: type[dy.Schema], *, without: tuple[str, ...] = (), **further: dy.Column
) -> type[dy.Schema]:
    """The table with phase_id before every key."""
    columns = {name: spec for name, spec in table.columns().items() if name not in without}
    phase_id = dy.UInt32(primary_key=True, description="number of the phase")
    members = {"__doc__": table.__doc__, "phase_id": phase_id, **columns, **further}
    return type(f"Batch{table.__name__}", (dy.Schema,), members)


MAP: Mapping[str, type[dy.Schema]] = {
    "ghost.provinces": Provinces,
    "ghost.borders": Borders,
    "ghost.aliases": Aliases,
    "ghost.ambiguous": Ambiguous,
    "ghost.nations": Nations,
    "ghost.nation_aliases": NationAliases,
    "ghost.start": Start,
}
TURN: Mapping[str, type[dy.Schema]] = {
    "ghost.phase": Phase,
    "ghost.units": Units,
    "ghost.centres": Centres,
    "ghost.orders": Orders,
    "ghost.results": Results,
    "ghost.dislodged": Dislodged,
    "ghost.contested": Contested,
    "ghost.battles": Battles,
    "ghost.battle_nations": BattleNations,
    "ghost.adjustments": Adjustments,
    "ghost.knowledge": Knowledge,
    "ghost.missing": Missing,
}
BATCH: Mapping[str, type[dy.Schema]] = {
    "ghost.batch.phases": BatchPhases,
    "ghost.batch.units": _batch(Units, without=("unit_id",)),
    "ghost.batch.centres": _batch(Centres),
    "ghost.batch.orders": BatchOrders,
    "ghost.batch.results": _batch(
        Results,
        line=dy.UInt32(nullable=True, description="line of the order"),
        text=dy.String(nullable=True, description="the order as it was written"),
    ),
    "ghost.batch.dislodged": _batch(Dislodged),
    "ghost.batch.waiting": _batch(Dislodged, without=("retreated_to", "options")),
    "ghost.batch.contested": _batch(Contested),
    "ghost.batch.battles": _batch(Battles),
    "ghost.batch.battle_nations": _batch(BattleNations),
    "ghost.batch.rejected": BatchRejected,
    "ghost.batch.adjustments": _batch(Adjustments),
}
TABLES: Mapping[str, type[dy.Schema]] = {**MAP, **TURN, **BATCH}
