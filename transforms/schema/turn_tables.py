"""What happened in a turn: losses, moves, battles, fates, gold, messages and draws."""

import dataframely as dy

from transforms.hits.constants import FORTIFICATIONS, OUTCOMES
from transforms.schema.state_tables import Units

LOSS_CAUSES = ["standing", "volcano", "steppe", "landing", "flyer", "river", "drowned"]
DEEDS = ["split", "kept_together", "withdrew", "cornered", "pursued"]
DEEDS += ["conquered", "plundered", "ravaged"]
SECTIONS = ["A", "D", "F", "E", "B", "C"]


class TurnInfo(dy.Schema):
    """One row: the turn itself, its date and its dice."""

    turn = dy.Int32(primary_key=True, min=0, description="number of the turn")
    today = dy.Int32(description="its date: year · months_per_year + month")
    game_id = dy.String(description="id of the game")
    ruleset = dy.String(description="name of the rule set")
    dice_message = dy.String(description="what was signed: <game id>/<turn>[/r<revision>]")
    dice_digest = dy.String(description="HMAC-SHA256 of it in hex; published after the turn")
    next_commitment = dy.String(description="SHA-256 of the next turn's digest in hex")


class Losses(dy.Schema):
    """One row per unit, cause and crossing that was rolled, also for losses of 0."""

    unit_id = dy.UInt32(primary_key=True, description="who lost troops")
    cause = dy.Enum(LOSS_CAUSES, primary_key=True, description="which check")
    crossing = dy.UInt8(primary_key=True, metadata={"default": 0}, description="river crossing")
    troops_before = dy.Int64(min=0, description="head count before this check")
    percent = dy.Int32(min=0, max=100, description="percent lost")
    losses = dy.Int64(min=0, description="troops lost")


class Moves(dy.Schema):
    """One row per living, non-captive unit with a waypoint."""

    unit_id = dy.UInt32(primary_key=True, description="who moved")
    from_hex = dy.UInt32(nullable=True, description="where it started; null when it landed")
    to_hex = dy.UInt32(description="where it ended")
    contact = dy.Bool(description="stopped by foreign troops")


class Walks(dy.Schema):
    """One row per hex that a unit of `moves` really set foot on; kept if a switch asks for it."""

    unit_id = dy.UInt32(primary_key=True, description="who walked")
    step = dy.UInt16(primary_key=True, description="waypoint of its path; 0 = its start ashore")
    hex_id = dy.UInt32(description="the hex")


class Deeds(dy.Schema):
    """One row per thing that a unit did, or failed to do, because of a split or its decision."""

    unit_id = dy.UInt32(primary_key=True, description="who did it")
    deed = dy.Enum(DEEDS, primary_key=True, description="what")
    number = dy.UInt16(
        primary_key=True, metadata={"default": 0}, description="of a part that splits off, else 0"
    )
    hex_id = dy.UInt32(nullable=True, description="where it was; null = aboard")
    to_hex = dy.UInt32(nullable=True, description="where it withdrew or followed to")
    loser_id = dy.UInt16(nullable=True, description="realm whose hex was conquered")
    amount = dy.Int64(nullable=True, description="troops that split off, gold that was plundered")
    reason = dy.String(nullable=True, description="why a part did not split off, German")


class Boardings(dy.Schema):
    """One row per unit that wanted to go aboard."""

    unit_id = dy.UInt32(primary_key=True, description="who boards")
    ship_id = dy.UInt32(description="unit_id of the ship")
    boarded = dy.Bool(description="did it get aboard?")
    reason = dy.String(nullable=True, description="why not, German")


class Battles(dy.Schema):
    """One row per battle hex, round and party."""

    hex_id = dy.UInt32(primary_key=True, description="where")
    round = dy.UInt16(primary_key=True, metadata={"default": 1}, description="clash, from 1")
    party = dy.UInt16(primary_key=True, description="lowest realm_id of the coalition")
    strength = dy.Float64(description="combat strength of the party")
    share = dy.Float64(description="damage share in percent before absorption")
    absorbed = dy.Float64(description="percentage points a building absorbed")
    final_share = dy.Float64(description="damage share in percent after absorption")
    overrun = dy.Bool(description="lost everything")
    building_id = dy.UInt32(nullable=True, description="lowest building that absorbed")


class BattleUnits(dy.Schema):
    """One row per battle hex, round and unit that took part."""

    hex_id = dy.UInt32(primary_key=True, description="where")
    round = dy.UInt16(primary_key=True, metadata={"default": 1}, description="clash, from 1")
    unit_id = dy.UInt32(primary_key=True, description="who fought")
    party = dy.UInt16(description="lowest realm_id of its coalition")
    region_pct = dy.Int32(description="region factor in percent")
    troops_before = dy.Int64(description="head count before the battle")
    losses = dy.Int64(description="troops lost")
    captured = dy.Bool(description="taken captive in this battle")
    captor_id = dy.UInt32(nullable=True, description="unit_id of the captor")


class BattleArmies(dy.Schema):
    """One row per army of a battle; only with combat_model hits."""

    hex_id = dy.UInt32(primary_key=True, description="where")
    army_id = dy.UInt32(primary_key=True, description="entity of its first unit, see docs/dice.md")
    battle_no = dy.UInt8(primary_key=True, description="which battle of this army, from 0")
    realm_id = dy.UInt16(description="its realm")
    strength = dy.Float64(description="gesKK, sum of its KK")
    strikes = dy.UInt32(description="number of strikes")
    hits = dy.UInt32(description="hits it scored")
    vp_received = dy.UInt32(description="Verlustpunkte it received")


class BattleSelections(dy.Schema):
    """One row per combatant selected for a loss; only with combat_model hits.

    What the first version did not note down is null in its turns.
    """

    hex_id = dy.UInt32(primary_key=True, description="where")
    army_id = dy.UInt32(primary_key=True, description="whose loss, a row of battle_armies")
    battle_no = dy.UInt8(primary_key=True, description="which battle of this army, from 0")
    selection = dy.UInt32(primary_key=True, description="number of the selection, from 0")
    unit_id = dy.UInt32(description="unit of the combatant")
    combatant_id = dy.UInt32(description="number of the combatant in its army, from 1")
    troops = dy.Int64(nullable=True, description="troops of the unit that it stands for")
    kk = dy.Float64(nullable=True, description="its Kampfkraft")
    fortification = dy.Enum(FORTIFICATIONS, nullable=True, description="the walls it is behind")
    vp_before = dy.Float64(description="Verlustpunkte left")
    cover_ppm = dy.UInt32(nullable=True, description="ppm: another one is selected instead")
    base_ppm = dy.UInt32(nullable=True, description="β of its parry in ppm, walls included")
    delta_ppm = dy.UInt32(nullable=True, description="δ of its parry in ppm: has KK > VP")
    aw_ppm = dy.UInt32(nullable=True, description="chance in ppm that it parries")
    outcome = dy.Enum(OUTCOMES, description="what became of it")
    vp_after = dy.Float64(description="Verlustpunkte left afterwards")


class Fates(dy.Schema):
    """One row per unit that died, was captured or went free this turn."""

    unit_id = dy.UInt32(primary_key=True, description="who")
    fate = dy.Enum(["dead", "drowned", "captured", "freed"], description="what became of it")


class Fallen(Units):
    """One row per unit that was removed this turn, as it was at its end (troops 0)."""


class Ledger(dy.Schema):
    """One row per change of one account, signed, never 0; a transfer is two rows."""

    account = dy.Enum(["treasury", "credit"], description="realm's treasury or hex's credit")
    realm_id = dy.UInt16(nullable=True, description="realm; of a hex nobody owns null")
    kind = dy.Enum(
        ["income", "levy", "upkeep", "training", "construction", "plunder"], description="why"
    )
    amount = dy.Int64(description="gold, signed")
    hex_id = dy.UInt32(nullable=True, description="the hex concerned")
    unit_id = dy.UInt32(nullable=True, description="the unit concerned")
    building_id = dy.UInt32(nullable=True, description="the building concerned")


class Messages(dy.Schema):
    """One row per line of a realm's report."""

    realm_id = dy.UInt16(primary_key=True, description="who reads it")
    section = dy.Enum(SECTIONS, primary_key=True, description="section of the report, in order")
    seq = dy.UInt32(primary_key=True, min=1, description="position in the section")
    kind = dy.String(description="key of the sentence in the catalogue")
    unit_id = dy.UInt32(nullable=True, description="the unit concerned")
    building_id = dy.UInt32(nullable=True, description="the building concerned")
    hex_id = dy.UInt32(nullable=True, description="the hex concerned")
    amount = dy.Int64(nullable=True, description="troops or gold concerned")
    text = dy.String(description="the sentence, German")


class Draws(dy.Schema):
    """One row per random draw of the turn."""

    stream = dy.UInt8(primary_key=True, description="what was rolled for, see docs/dice.md")
    entity = dy.UInt64(primary_key=True, description="who: a unit is realm_id · 65536 + number")
    index = dy.UInt32(primary_key=True, description="which draw of this entity")
    lo = dy.Int64(description="lowest value possible")
    hi = dy.Int64(description="highest value possible")
    value = dy.Int64(description="the value drawn")


TABLES = {
    "turn_info": TurnInfo,
    "losses": Losses,
    "moves": Moves,
    "walks": Walks,
    "deeds": Deeds,
    "boardings": Boardings,
    "battles": Battles,
    "battle_units": BattleUnits,
    "battle_armies": BattleArmies,
    "battle_selections": BattleSelections,
    "fates": Fates,
    "fallen": Fallen,
    "ledger": Ledger,
    "messages": Messages,
    "draws": Draws,
}
