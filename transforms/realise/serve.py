"""The queue of orders, one pass in the order of the lines: who gets what is left.

Each order sees treasury, numbers and places as the earlier ones left them. In columns: a round
first drops what cannot be had any more, then grants each realm's orders up to the first that
clashes with an earlier one of the same round; that one is looked at again in the next.
"""

from dataclasses import dataclass

import polars as pl

from transforms.calendar import finished
from transforms.catalogue import ORDERS, REALISE
from transforms.context import Turn
from transforms.realise.wanted import SITE, with_site
from transforms.rules import Rules
from transforms.sentences import fill, place

_KIND = ["realm_id", "unit_type"]
_NUMBER = ["realm_id", "number"]
_RECRUIT = pl.col("unit_type").is_not_null()
_UNNUMBERED = _RECRUIT & pl.col("number").is_null()
_NEVER = 2**32 - 1
_REFUSED = pl.col("reason").is_not_null()


@dataclass(frozen=True)
class World:
    """What orders compete for, and since when: `since` is the `ord` of an order, 0 = before all.

    gold: realm_id, left. numbers, taken ones: _NUMBER,
    as far as an order may want them. sites, occupied ones: SITE.
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
        of_interest = (queue, _reich_numbers(queue, rules))
        wanted, taken = (
            pl.concat(frame.lazy().select(_NUMBER) for frame in frames)
            for frames in (of_interest, (units, parts))
        )
        since = pl.lit(0, pl.UInt32).alias("since")
        return World(
            gold=realms.select("realm_id", since, left="treasury"),
            numbers=taken.join(wanted, on=_NUMBER, how="semi")
            .unique()
            .with_columns(since)
            .collect(),
            sites=with_site(buildings.lazy(), neighbours)
            .select(SITE)
            .unique()
            .with_columns(since)
            .collect(),
            schools=schools.select("realm_id", "hex_id").unique().with_columns(since).collect(),
        )

    def after(self, granted: pl.DataFrame) -> "World":
        """The world with what these orders took and made; their `left` is what they leave."""
        new = granted.with_columns(since="ord")
        more = {
            "gold": new,
            "numbers": new.filter(_RECRUIT),
            "sites": new.filter(~_RECRUIT),
            "schools": new.filter("opens"),
        }
        known = {name: getattr(self, name) for name in more}
        return World(**{n: pl.concat([known[n], more[n].select(known[n].columns)]) for n in more})


@dataclass(frozen=True)
class Verdicts:
    """Rows of the queue: `granted` with hex_id and number as they come to be, `refused`."""

    granted: pl.DataFrame
    refused: pl.DataFrame


def serve(queue: pl.DataFrame, world: World, rules: Rules) -> Verdicts:
    """Grant or refuse every order of the queue (`wanted`), in its order."""
    queue = queue.with_row_index("ord", offset=1)
    waiting, granted = queue, [queue.clear()]
    while not waiting.is_empty():
        numbers = _since_when(_reich_numbers(waiting, rules), world)
        judged = _judged(waiting, world, numbers, waiting.filter("opens"))
        offered = _offered(judged.filter(~_REFUSED), numbers).with_columns(clash=_clash())
        clear = offered.filter(pl.col("clash").cum_sum().over("realm_id") == 0)
        granted.append(clear.select(queue.columns))
        world = world.after(clear.with_columns(left=_left_over()))
        decided = pl.concat([judged.filter(_REFUSED).select("ord"), clear.select("ord")])
        waiting = waiting.join(decided, on="ord", how="anti")
    served = pl.concat(granted)
    others = queue.join(served, on="ord", how="anti")
    numbers = _since_when(_reich_numbers(others, rules), world)
    refused = _judged(others, world, numbers, waiting)
    return Verdicts(granted=served, refused=refused.select(queue.columns))


def _judged(
    orders: pl.DataFrame, world: World, numbers: pl.DataFrame, opening: pl.DataFrame
) -> pl.DataFrame:
    """Add `reason`, the first that speaks against an order in the world as it was before it.

    Also `left`, the gold there was, and `schooled`, whether there was somewhere to train;
    `opening` are orders that may still see to that. Sorted by `ord`.
    """
    known = (
        orders.sort("ord")
        .join_asof(
            world.gold.sort("since"),
            left_on="ord",
            right_on="since",
            by="realm_id",
            check_sortedness=False,  # both are sorted as a whole, not only within a realm
        )
        .drop("since")
    )
    facts = {
        "schooled": (world.schools, ["realm_id", "hex_id"]),
        "hopeful": (opening.with_columns(since="ord"), ["realm_id", "hex_id"]),
        "taken": (world.numbers, _NUMBER),
        "occupied": (world.sites, SITE),
        "used_up": (numbers.group_by(_KIND).agg(pl.col("since").max()), _KIND),
    }
    for fact, (timeline, key) in facts.items():
        first = timeline.group_by(key).agg(pl.col("since").min())
        earlier = (pl.col("since") < pl.col("ord")).fill_null(False)
        known = known.join(first, on=key, how="left").with_columns(earlier.alias(fact))
        known = known.drop("since")
    return known.with_columns(reason=pl.coalesce("reason", *_reasons())).sort("ord")


def _reasons() -> list[pl.Expr]:
    cases = {
        "no_school": _RECRUIT & ~pl.col("schooled") & ~pl.col("hopeful"),
        "number_taken": pl.col("taken"),
        "no_number": _UNNUMBERED & pl.col("used_up"),
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
    return [pl.when(case).then(fill(sentences[why], **words)) for why, case in cases.items()]


def _reich_numbers(orders: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """realm_id, unit_type, number: who wants any number can get these, of the kind reich.

    A type without such a range has one row without a number.
    """
    ranges = rules.number_ranges.filter(pl.col("kind") == "reich")
    numbers = pl.int_ranges(pl.col("first").cast(pl.Int64), pl.col("last").cast(pl.Int64) + 1)
    return (
        orders.filter(_UNNUMBERED)
        .select(_KIND)
        .unique()
        .join(ranges.select("unit_type", number=numbers), on="unit_type", how="left")
        .explode("number")
        .with_columns(pl.col("number").cast(pl.UInt16))
    )


def _since_when(numbers: pl.DataFrame, world: World) -> pl.DataFrame:
    """Add `since` when a number is taken: 0 = ever, as where there is none; `_NEVER` = free."""
    taken = numbers.join(world.numbers, on=_NUMBER, how="left")
    there = pl.col("number").is_not_null()
    return taken.with_columns(pl.col("since").fill_null(pl.when(there).then(_NEVER).otherwise(0)))


def _offered(orders: pl.DataFrame, numbers: pl.DataFrame) -> pl.DataFrame:
    """Give those that wish no number the lowest free ones, in the order of their lines."""
    free = (
        numbers.filter(pl.col("since") == _NEVER)
        .sort(*_KIND, "number")
        .select(*_KIND, lowest="number", nth=pl.int_range(1, pl.len() + 1).over(_KIND))
    )
    return (
        orders.with_columns(nth=_UNNUMBERED.cum_sum().over(_KIND).cast(pl.Int64))
        .join(free, on=[*_KIND, "nth"], how="left", maintain_order="left")
        .with_columns(number=pl.coalesce("number", "lowest"))
    )


def _clash() -> pl.Expr:
    """Does an earlier order of this round want the same, or too much of the gold?"""
    return (
        (_RECRUIT & (~pl.col("schooled") | pl.col("number").is_null()))
        | _again(*_NUMBER)
        | _again(*SITE)
        | (_left_over() < 0)
    )


def _left_over() -> pl.Expr:
    return pl.col("left") - pl.col("cost").cum_sum().over("realm_id")


def _again(*columns: str) -> pl.Expr:
    there = pl.all_horizontal(pl.col(column).is_not_null() for column in columns)
    return there & ~pl.struct(columns).is_first_distinct()
