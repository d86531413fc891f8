"""Conquest and plunder: what attackers take that are left alone on foreign ground."""

import polars as pl

from transforms.context import Turn
from transforms.letters import ATTACKING, ashore, lettered
from transforms.movement import friendly
from transforms.rules import Rules
from transforms.schema import empty, shaped

Tables = dict[str, pl.DataFrame]
_PLUNDER = {"p1": "plundered", "p2": "ravaged"}  # letter → deed


def conquer(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    realms: pl.DataFrame,
    movements: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Give each hex to the attacker that holds it after all battles; p1 and p2 plunder it too.

    A unit conquers with a, n, p1 or p2 and at least the minimum strength of its type, on a hex of
    a realm neither its own nor directly allied, without a living hostile unit; of several the one
    with the most troops, then by (realm_id, number). Hexes of nobody are not conquered, buildings
    keep their realm. Plunder needs a conquest and a hex that is not ravaged yet: p1 takes the
    hex's credit into the treasury, p2 also `plunder_incomes` incomes, and the hex yields nothing
    for `ravaged_months` from today on.

    Out: `hexes`, `realms`, new rows of `deeds` (conquered, plundered, ravaged) and `ledger`.
    """
    if rules.switches.decisions == "ignore":
        nothing = {"deeds": empty("deeds"), "ledger": empty("ledger")}
        return {"hexes": hexes, "realms": realms, **nothing}
    taken = _conquests(units, hexes, movements, alliances, rules, turn)
    return {
        "hexes": shaped("hexes", _taken_over(hexes, taken, rules, turn)),
        "realms": shaped("realms", _enriched(realms, taken)),
        "deeds": shaped("deeds", _deeds(taken)),
        "ledger": shaped("ledger", _entries(taken)),
    }


def _conquests(
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    movements: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> pl.DataFrame:
    """One row per conquest: hex_id, unit_id, realm_id, loser_id, plunder (its deed), credit, gain.

    `plunder` is null without plunder; then `credit` (what the hex loses) and `gain` are 0.
    """
    hostile = ~friendly(alliances, "realm_id", "foe")
    types = rules.unit_types.lazy().select("min_strength", unit_type="name")
    owned = hexes.lazy().select("hex_id", "income", "credit", "ravaged_until", foe="realm_id")
    attackers = (
        lettered(units, movements, *ATTACKING)
        .join(types, on="unit_type")
        .filter(pl.col("troops") >= pl.col("min_strength"))
        .join(owned, on="hex_id")
        .filter(hostile)  # of nobody: neither hostile nor not
        .collect()
        .lazy()
    )
    others = ashore(units).select("hex_id", foe="realm_id").unique()
    opposed = (
        attackers.select("hex_id", "realm_id").unique().join(others, on="hex_id").filter(hostile)
    )
    spared = pl.col("ravaged_until").fill_null(turn.today) > turn.today
    plunder = pl.col("decision").cast(pl.String).replace_strict(_PLUNDER, default=None)
    created = pl.when(pl.col("plunder") == "ravaged").then(pl.col("income")).otherwise(0)
    return (
        attackers.join(opposed, on=["hex_id", "realm_id"], how="anti")
        .sort(-pl.col("troops"), "realm_id", "number")
        .unique("hex_id", keep="first", maintain_order=True)
        .with_columns(plunder=pl.when(~spared).then(plunder))
        .with_columns(credit=pl.when(pl.col("plunder").is_not_null()).then("credit").otherwise(0))
        .select(
            "hex_id",
            "unit_id",
            "realm_id",
            "plunder",
            "credit",
            loser_id="foe",
            gain=pl.col("credit") + created * rules.constants.plunder_incomes,
        )
        .collect()
    )


def _taken_over(hexes: pl.DataFrame, taken: pl.DataFrame, rules: Rules, turn: Turn) -> pl.DataFrame:
    ravaged = pl.when(pl.col("plunder") == "ravaged").then(
        turn.today + rules.constants.ravaged_months
    )
    news = taken.lazy().select("hex_id", "plunder", winner_id="realm_id", stolen="credit")
    return (
        hexes.lazy()
        .join(news, on="hex_id", how="left")
        .with_columns(
            realm_id=pl.coalesce("winner_id", "realm_id"),
            credit=pl.col("credit") - pl.col("stolen").fill_null(0),
            ravaged_until=pl.coalesce(ravaged, "ravaged_until"),
        )
        .select(hexes.columns)
        .collect()
    )


def _enriched(realms: pl.DataFrame, taken: pl.DataFrame) -> pl.DataFrame:
    gains = taken.group_by("realm_id").agg(pl.col("gain").sum())
    return (
        realms.join(gains, on="realm_id", how="left")
        .with_columns(treasury=pl.col("treasury") + pl.col("gain").fill_null(0))
        .drop("gain")
    )


def _deeds(taken: pl.DataFrame) -> pl.DataFrame:
    conquered = taken.select("unit_id", "hex_id", "loser_id", deed=pl.lit("conquered"))
    plundered = taken.drop_nulls("plunder").select(
        "unit_id", "hex_id", "loser_id", deed="plunder", amount="gain"
    )
    return pl.concat([conquered, plundered], how="diagonal")


def _entries(taken: pl.DataFrame) -> pl.DataFrame:
    """What the hex loses, booked with the realm that lost it, and what the treasury gets."""
    booked = {
        "credit": taken.with_columns(realm_id="loser_id", amount=-pl.col("credit")),
        "treasury": taken.with_columns(amount="gain"),
    }
    return pl.concat(
        rows.filter(pl.col("amount") != 0).select(
            "realm_id",
            "amount",
            "hex_id",
            "unit_id",
            account=pl.lit(account),
            kind=pl.lit("plunder"),
        )
        for account, rows in booked.items()
    )
