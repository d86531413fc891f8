"""The stand-alone battles of the combat model hits: files of `zugwerk battles` (docs/hits.md)."""

import dataframely as dy

from transforms.hits.constants import FORTIFICATIONS, OUTCOMES

_REPEAT = "repetition, from 0"
_ROUND = "round of the battle, from 0"
_ARMY = "an army"
MEASURES = ["dead", "survivors", "kk_after", "vp_received", "hits"]


def _flag(description: str) -> dy.Bool:
    return dy.Bool(description=description)


class Armies(dy.Schema):
    """One row per army; input."""

    battle_id = dy.UInt32(primary_key=True, description="its battle")
    army_id = dy.UInt32(primary_key=True, description="unique in the whole folder")
    name = dy.String(nullable=True, description="its name; without one Armee <army_id>")
    realm = dy.String(nullable=True, description="its realm, needed for stances")
    flees = dy.Bool(nullable=True, description="flees whatever the enemy's strength")
    flee_pct = dy.UInt32(nullable=True, description="flees from more than this percent of its KK")
    strength = dy.Float64(nullable=True, description="gesKK in place of the sum of its KK")


class Combatants(dy.Schema):
    """One row per combatant, or per `count` alike with ids in a row; input."""

    army_id = dy.UInt32(primary_key=True, description=_ARMY)
    combatant_id = dy.UInt32(primary_key=True, description="the first id of the row")
    count = dy.UInt32(metadata={"default": 1}, description="how many, ids ascending")
    name = dy.String(nullable=True, description="what it is called")
    kk = dy.Float64(description="Kampfkraft, above 0 and at most 10,000")
    ranged = dy.Bool(metadata={"default": False}, description="fights from afar (FE)")
    fortification = dy.Enum(
        FORTIFICATIONS, metadata={"default": "none"}, description="the walls it stands behind"
    )


class Enmities(dy.Schema):
    """One row per direction: the army strikes the enemy; input."""

    army_id = dy.UInt32(primary_key=True, description="who strikes")
    enemy_id = dy.UInt32(primary_key=True, description="an army of the same battle")


class Stances(dy.Schema):
    """One row per direction between two realms; input in place of enmities."""

    realm = dy.String(primary_key=True, description="who")
    other = dy.String(primary_key=True, description="towards whom")
    stance = dy.UInt8(description="1 neutral, 2 friend, 3 enemy")


class ArmyResults(dy.Schema):
    """One row per repetition and army."""

    repeat = dy.UInt32(primary_key=True, description=_REPEAT)
    battle_id = dy.UInt32(primary_key=True, description="its battle")
    army_id = dy.UInt32(primary_key=True, description=_ARMY)
    rounds = dy.UInt32(description="rounds that its battle was fought")
    flees = _flag("did it flee in round 0?")
    strength = dy.Float64(description="gesKK in round 0")
    strikes = dy.UInt32(description="strikes of all rounds, those into the air too")
    hits = dy.UInt32(description="hits it scored")
    vp_received = dy.UInt32(description="Verlustpunkte it received")
    combatants_before = dy.UInt32(description="combatants before the battle")
    dead = dy.UInt32(description="combatants lost")
    survivors = dy.UInt32(description="combatants left")
    kk_before = dy.Float64(description="sum of KK in round 0")
    kk_after = dy.Float64(description="sum of KK of the survivors, as in the last round fought")
    selections = dy.UInt32(description="selections, reselected ones too")
    better = _flag("lost a smaller share of its KK than all its enemies together")
    victor = _flag("survives, and none of its enemies does")


class Selections(dy.Schema):
    """One row per selection of a combatant."""

    repeat = dy.UInt32(primary_key=True, description=_REPEAT)
    round = dy.UInt32(primary_key=True, description=_ROUND)
    army_id = dy.UInt32(primary_key=True, description="whose loss")
    selection = dy.UInt32(primary_key=True, description="number of the selection, from 0")
    combatant_id = dy.UInt32(description="who was selected")
    vp_before = dy.Float64(description="Verlustpunkte left")
    outcome = dy.Enum(OUTCOMES, description="what became of it")
    vp_after = dy.Float64(description="Verlustpunkte left afterwards")


class Survivors(dy.Schema):
    """One row per combatant that lives after the battle."""

    repeat = dy.UInt32(primary_key=True, description=_REPEAT)
    army_id = dy.UInt32(primary_key=True, description=_ARMY)
    combatant_id = dy.UInt32(primary_key=True, description="who")
    kk = dy.Float64(description="its KK in the last round fought")


class Strikes(dy.Schema):
    """One row per strike of an army that had somebody to strike at."""

    repeat = dy.UInt32(primary_key=True, description=_REPEAT)
    round = dy.UInt32(primary_key=True, description=_ROUND)
    army_id = dy.UInt32(primary_key=True, description="who strikes")
    strike = dy.UInt32(primary_key=True, description="number of the strike, from 0")
    hit = _flag("is it a hit?")
    target_id = dy.UInt32(nullable=True, description="army that was hit")


class Draws(dy.Schema):
    """One row per random draw of the battles (docs/dice.md)."""

    stream = dy.UInt8(primary_key=True, description="what was rolled for: 10 to 14")
    entity = dy.UInt64(primary_key=True, description="army_id + 2^32 · (repeat · 256 + round)")
    index = dy.UInt32(primary_key=True, description="number of the strike or selection")
    lo = dy.Int64(description="lowest value possible")
    hi = dy.Int64(description="highest value possible")
    value = dy.Int64(description="the value drawn")


class Distribution(dy.Schema):
    """One row per army and measure over all repetitions; quantiles by nearest rank."""

    battle_id = dy.UInt32(primary_key=True, description="its battle")
    army_id = dy.UInt32(primary_key=True, description=_ARMY)
    measure = dy.Enum(MEASURES, primary_key=True, description="a column of army_results")
    mean = dy.Float64(description="mean")
    sd = dy.Float64(description="standard deviation (n − 1)")
    min = dy.Float64(description="lowest value")
    q05 = dy.Float64(description="5 % quantile")
    q25 = dy.Float64(description="25 % quantile")
    median = dy.Float64(description="median")
    q75 = dy.Float64(description="75 % quantile")
    q95 = dy.Float64(description="95 % quantile")
    max = dy.Float64(description="highest value")


class WinRates(dy.Schema):
    """One row per army over all repetitions; intervals are Wilson's for 95 %."""

    battle_id = dy.UInt32(primary_key=True, description="its battle")
    army_id = dy.UInt32(primary_key=True, description=_ARMY)
    n = dy.UInt32(description="repetitions")
    better = dy.UInt32(description="repetitions in which it was better")
    victor = dy.UInt32(description="repetitions in which it was victor")
    wiped_out = dy.UInt32(description="repetitions in which nobody of it survived")
    better_rate = dy.Float64(description="share of repetitions")
    better_low = dy.Float64(description="lower end of its interval")
    better_high = dy.Float64(description="upper end of its interval")
    victor_rate = dy.Float64(description="share of repetitions")
    victor_low = dy.Float64(description="lower end of its interval")
    victor_high = dy.Float64(description="upper end of its interval")
    wiped_out_rate = dy.Float64(description="share of repetitions")
    wiped_out_low = dy.Float64(description="lower end of its interval")
    wiped_out_high = dy.Float64(description="upper end of its interval")


TABLES = {
    "hits.armies": Armies,
    "hits.combatants": Combatants,
    "hits.enmities": Enmities,
    "hits.stances": Stances,
    "hits.army_results": ArmyResults,
    "hits.selections": Selections,
    "hits.survivors": Survivors,
    "hits.strikes": Strikes,
    "hits.draws": Draws,
    "hits.distribution": Distribution,
    "hits.win_rates": WinRates,
}
