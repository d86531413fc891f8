"""Pursuit: n units follow those that withdrew from their hex, and fight once more."""

import polars as pl

from transforms.combat import CLASH_TABLES, battle, book_damage, book_losses, engage
from transforms.context import Turn
from transforms.decisions.crowd import Crowd
from transforms.letters import lettered
from transforms.movement import friendly
from transforms.rules import Rules
from transforms.schema import empty, shaped

Tables = dict[str, pl.DataFrame]


def pursue(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    buildings: pl.DataFrame,
    alliances: pl.DataFrame,
    movements: pl.DataFrame,
    neighbours: pl.DataFrame,
    deeds: pl.DataFrame,
    battle_armies: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Let n units follow, by (realm_id, number), then fight on the hexes that they entered.

    An n unit follows when its hex is free of hostile units at that moment and an enemy withdrew
    from there to a neighbour hex; of several it follows the lowest (realm_id, number). After all
    have moved, every entered hex with two or more parties has a battle, without withdrawal or
    pursuit. It is the first one there: whoever withdrew found only friends, so nobody fought.

    Out: `units`, `buildings`, new rows of `deeds` (pursued) and of the tables of `Clash`.
    """
    nothing = {name: empty(name) for name in (*CLASH_TABLES, "deeds")}
    if rules.switches.decisions == "ignore":
        return {"units": units, "buildings": buildings, **nothing}
    followed = _followers(units, alliances, movements, neighbours, deeds)
    if followed.is_empty():
        return {"units": units, "buildings": buildings, **nothing}
    moved = units.with_columns(units["hex_id"].clone().scatter(followed["row"], followed["to_hex"]))
    entered = moved.join(followed.select(hex_id="to_hex"), on="hex_id", how="semi")
    engaged = engage(entered, hexes, alliances, rules, turn)
    fought = battle(engaged, buildings, rules, turn, battle_armies)
    return {
        "units": shaped("units", book_losses(moved, fought.units)),
        "buildings": shaped("buildings", book_damage(buildings, fought.damage)),
        **fought.tables(),
        "deeds": shaped("deeds", followed.drop("row").with_columns(deed=pl.lit("pursued"))),
    }


def _followers(
    units: pl.DataFrame,
    alliances: pl.DataFrame,
    movements: pl.DataFrame,
    neighbours: pl.DataFrame,
    deeds: pl.DataFrame,
) -> pl.DataFrame:
    """The n units that follow: row in `units`, unit_id, hex_id, to_hex."""
    who = units.lazy().select("unit_id", foe="realm_id", foe_number="number")
    fled = (
        deeds.lazy()
        .filter(pl.col("deed") == "withdrew")
        .join(who, on="unit_id")
        .join(
            neighbours.lazy(), left_on=["hex_id", "to_hex"], right_on=["hex_id", "neighbour_id"],
            how="semi",
        )
        .select("hex_id", "to_hex", "foe", "foe_number")
    )  # fmt: skip
    hunters = (
        lettered(units.with_row_index("row"), movements, "n")
        .join(fled, on="hex_id")
        .filter(~friendly(alliances, "realm_id", "foe"))
        .sort("realm_id", "number", "foe", "foe_number")
        .unique("unit_id", keep="first", maintain_order=True)
        .select("row", "unit_id", "realm_id", "hex_id", "to_hex")
        .collect()
    )
    crowd = Crowd(units, pl.concat([hunters["hex_id"], hunters["to_hex"]]), alliances)
    follows = []
    for realm, start, target in hunters.select("realm_id", "hex_id", "to_hex").iter_rows():
        follows.append(not crowd.hostile(start, realm))
        if follows[-1]:
            crowd.move(realm, start, target)
    return hunters.filter(pl.Series(follows, dtype=pl.Boolean)).drop("realm_id")
