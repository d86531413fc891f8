"""Training and construction come true at the end of load (the rule is ours, see docs/rules.md).

wanted    the reserved orders as one queue in the order (realm_id, line)
serve     each against treasury, numbers and places as the earlier ones left them
births    ids in the order of the lines; the new units and buildings
told      what was refused, to its realm
"""

import polars as pl

from transforms.context import Turn
from transforms.economy import book
from transforms.realise.births import give_ids, new_buildings, new_units, spendings
from transforms.realise.serve import Verdicts, World, serve
from transforms.realise.told import refusals
from transforms.realise.wanted import LINE, wanted
from transforms.rules import Rules
from transforms.schema import empty, shaped

Tables = dict[str, pl.DataFrame]


def realise(
    *,
    trainings: pl.DataFrame,
    constructions: pl.DataFrame,
    splits: pl.DataFrame,
    units: pl.DataFrame,
    buildings: pl.DataFrame,
    realms: pl.DataFrame,
    hexes: pl.DataFrame,
    neighbours: pl.DataFrame,
    counters: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Carry out the reserved orders, each realm's in one pass over its lines, as its gold lasts.

    What cannot be carried out is refused with a reason and stops no later line; each kind of order
    has its switch. New units, those that will split off included, and new buildings get the next
    free ids in the order of the lines. Out: the order tables with outcome and ids; `units`,
    `buildings`, `realms` (treasury in gold), `counters`; new rows of `ledger` and `messages`.
    """
    tables = {
        "trainings": trainings,
        "constructions": constructions,
        "splits": splits,
        "units": units,
        "buildings": buildings,
        "realms": realms,
        "counters": counters,
        **{name: empty(name) for name in ("ledger", "messages")},
    }
    if _nothing_to_do(rules):
        return tables
    queue = wanted(trainings, constructions, realms, hexes, neighbours, rules)
    world = World.before(queue, units, splits, buildings, realms, neighbours, rules, turn)
    verdicts = serve(queue, world, rules)
    births = give_ids(verdicts.granted, splits, units, buildings, counters, rules)
    gold = spendings(births)
    return tables | {
        "trainings": _with_outcome("trainings", trainings, births.recruits, verdicts),
        "constructions": _with_outcome("constructions", constructions, births.sites, verdicts),
        "splits": births.splits,
        "units": pl.concat([units, new_units(births, trainings, hexes, turn)]),
        "buildings": pl.concat([buildings, new_buildings(births, constructions, turn)]),
        "realms": shaped("realms", book(realms, gold)),
        "counters": births.counters,
        "ledger": gold,
        "messages": refusals(verdicts.refused, trainings, constructions, rules),
    }


def _nothing_to_do(rules: Rules) -> bool:
    switches = rules.switches
    off = (switches.training, switches.construction, switches.decisions)
    return off == ("reserve", "reserve", "ignore")


def _with_outcome(
    table: str, orders: pl.DataFrame, granted: pl.DataFrame, verdicts: Verdicts
) -> pl.DataFrame:
    """The order table with what became of every line: outcome, reason, id, place and number."""
    actual = [c for c in ("hex_id", "number", "unit_id", "building_id") if c in orders.columns]
    done = granted.select(*LINE, realised=True, **{f"actual_{c}": c for c in actual})
    refused = verdicts.refused.select(*LINE, refusal="reason")
    outcome = (
        pl.when("realised")
        .then(pl.lit("realised"))
        .when(pl.col("refusal").is_not_null())
        .then(pl.lit("refused"))
        .otherwise(pl.col("outcome").cast(pl.String))
    )
    known = orders.join(done, on=LINE, how="left").join(refused, on=LINE, how="left")
    settled = known.with_columns(
        outcome=outcome,
        reason=pl.coalesce("refusal", "reason"),
        **{c: pl.coalesce(f"actual_{c}", c) for c in actual},
    )
    return shaped(table, settled.select(orders.columns))
