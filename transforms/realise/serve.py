"""The queue of orders, one pass in the order of the lines: who gets what is left.

Each order sees treasury, numbers and places as the earlier ones left them. In columns: a round
first refuses what cannot be had any more, then grants each realm's orders up to the first that
clashes with an earlier one of the same round; that one is looked at again in the next.
"""

from dataclasses import dataclass

import polars as pl

from transforms.calendar import finished
from transforms.catalogue import ORDERS, REALISE
from transforms.context import Turn
from transforms.realise.wanted import LINE, SITE, with_site
from transforms.rules import Rules
from transforms.sentences import fill, place

_RECRUIT = pl.col("unit_type").is_not_null()
_UNNUMBERED = _RECRUIT & pl.col("number").is_null()


@dataclass(frozen=True)
class World:
    """What orders compete for.

    gold: realm_id, left. numbers, taken ones: realm_id, number. sites, occupied ones: SITE.
    schools, finished buildings that train: realm_id, hex_id.
    """

    gold: pl.DataFrame
    numbers: pl.DataFrame
    sites: pl.DataFrame
    schools: pl.DataFrame

    @staticmethod
    def before(
        queue: pl.DataFrame,
        units: pl.DataFrame,
        splits: pl.DataFrame,
        buildings: pl.DataFrame,
        realms: pl.DataFrame,
        neighbours: pl.DataFrame,
        rules: Rules,
        turn: Turn,
    ) -> "World":
        """The world before the first order; numbers of the units that will split off are taken."""
        training = rules.building_types.lazy().filter("trains").select(building_type="code")
        standing = buildings.lazy().filter(finished(turn))
        schools = standing.join(training, on="building_type", how="semi")
        parts = splits if rules.switches.decisions == "evaluate" else splits.clear()
        taken = pl.concat(frame.lazy().select("realm_id", "number") for frame in (units, parts))
        return World(
            gold=realms.select("realm_id", left="treasury"),
            numbers=taken.join(queue.lazy(), on="realm_id", how="semi").unique().collect(),
            sites=with_site(buildings.lazy(), neighbours).select(SITE).unique().collect(),
            schools=schools.select("realm_id", "hex_id").unique().collect(),
        )

    def after(self, granted: pl.DataFrame) -> "World":
        """The world with less gold and more in it."""
        spent = granted.group_by("realm_id").agg(pl.col("cost").sum())
        left = pl.col("left") - pl.col("cost").fill_null(0)
        return World(
            gold=self.gold.join(spent, on="realm_id", how="left").select("realm_id", left=left),
            numbers=_with(self.numbers, granted.filter(_RECRUIT)),
            sites=_with(self.sites, granted.filter(~_RECRUIT)),
            schools=_with(self.schools, granted.filter("opens")),
        )


@dataclass(frozen=True)
class Verdicts:
    """Rows of the queue: `granted` with hex_id and number as they come to be, `refused`."""

    granted: pl.DataFrame
    refused: pl.DataFrame


def serve(queue: pl.DataFrame, world: World, rules: Rules) -> Verdicts:
    """Grant or refuse every order of the queue (`wanted`), in its order."""
    columns = queue.columns
    granted, refused = [queue.clear()], [queue.clear()]
    while not queue.is_empty():
        free = _free_numbers(queue, world, rules)
        judged = _judged(queue, world, free)
        refused.append(judged.filter(pl.col("reason").is_not_null()).select(columns))
        offered = _offered(judged.filter(pl.col("reason").is_null()), free)
        offered = offered.with_columns(clash=_clash())
        clear = pl.col("clash").cum_sum().over("realm_id") == 0
        granted.append(offered.filter(clear).select(columns))
        world = world.after(granted[-1])
        queue = queue.join(pl.concat([granted[-1], refused[-1]]), on=LINE, how="anti")
    return Verdicts(granted=pl.concat(granted), refused=pl.concat(refused))


def _judged(queue: pl.DataFrame, world: World, free: pl.DataFrame) -> pl.DataFrame:
    """Add `reason` to what cannot be had any more, whatever becomes of the orders before it.

    Also adds `school` and the gold `left`. Somewhere to train may still be built by an earlier
    line.
    """
    opening = queue.lazy().filter("opens").group_by("realm_id", "hex_id")
    unused = free.lazy().select("realm_id", "unit_type", unused=True).unique()
    hope = (pl.col("line") > pl.col("opened_by")).fill_null(False)
    reasons = {
        "no_school": _RECRUIT & pl.col("school").is_null() & ~hope,
        "number_taken": pl.col("taken"),
        "no_number": _UNNUMBERED & pl.col("unused").is_null(),
        "site_taken": pl.col("occupied"),
        "no_gold": pl.col("cost") > pl.col("left"),
    }
    words = {
        "place": place(pl.col("hex_id")),
        "number": pl.col("number"),
        "unit_type": pl.col("unit_type"),
        "lack": pl.col("cost") - pl.col("left"),
    }
    sentences = ORDERS | REALISE
    spoken = [pl.when(case).then(fill(sentences[why], **words)) for why, case in reasons.items()]
    return (
        queue.lazy()
        .join(world.gold.lazy(), on="realm_id", how="left")
        .join(world.schools.lazy().with_columns(school=True), on=["realm_id", "hex_id"], how="left")
        .join(opening.agg(opened_by=pl.col("line").min()), on=["realm_id", "hex_id"], how="left")
        .join(world.numbers.lazy().with_columns(taken=True), on=["realm_id", "number"], how="left")
        .join(unused, on=["realm_id", "unit_type"], how="left")
        .join(world.sites.lazy().with_columns(occupied=True), on=SITE, how="left")
        .with_columns(reason=pl.coalesce("reason", *spoken))
        .sort(LINE)
        .collect()
    )


def _offered(orders: pl.DataFrame, free: pl.DataFrame) -> pl.DataFrame:
    """Give those that wish no number the lowest free ones, in the order of their lines."""
    kind = ["realm_id", "unit_type"]
    nth = (_UNNUMBERED.cum_sum().over(kind) - 1).cast(pl.UInt32)
    return (
        orders.with_columns(nth=pl.when(_UNNUMBERED).then(nth))
        .join(free, on=[*kind, "nth"], how="left", maintain_order="left")
        .with_columns(number=pl.coalesce("number", "number_right"))
    )


def _clash() -> pl.Expr:
    """Does an earlier order of this round want the same, or all the gold?"""
    return (
        (_RECRUIT & (pl.col("school").is_null() | pl.col("number").is_null()))
        | _again("realm_id", "number")
        | _again(*SITE)
        | (pl.col("cost").cum_sum().over("realm_id") > pl.col("left"))
    )


def _again(*columns: str) -> pl.Expr:
    there = pl.all_horizontal(pl.col(column).is_not_null() for column in columns)
    return there & ~pl.struct(columns).is_first_distinct()


def _free_numbers(queue: pl.DataFrame, world: World, rules: Rules) -> pl.DataFrame:
    """realm_id, unit_type, nth (from 0), number: the free ones of the kind reich, the lowest first.

    Only for the types of which the realm still wants units without a number.
    """
    kind = ["realm_id", "unit_type"]
    ranges = rules.number_ranges.filter(pl.col("kind") == "reich")
    numbers = pl.int_ranges(pl.col("first").cast(pl.Int64), pl.col("last").cast(pl.Int64) + 1)
    return (
        queue.filter(_UNNUMBERED)
        .select(kind)
        .unique()
        .join(ranges.select("unit_type", number=numbers), on="unit_type")
        .explode("number")
        .with_columns(pl.col("number").cast(pl.UInt16))
        .join(world.numbers, on=["realm_id", "number"], how="anti")
        .sort(*kind, "number")
        .with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over(kind))
    )


def _with(known: pl.DataFrame, more: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([known, more.select(known.columns)]).unique()
