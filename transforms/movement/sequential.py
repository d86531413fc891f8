"""One unit after the other stops at the first foreign troops on its way (source 1, 5.1).

The units act in the order (realm_id, number), and each sees the earlier ones at their new place
and the later ones at their old one. So where a unit stops depends on earlier units only. Such a
system has exactly one solution, and evaluating all units at once, again and again, reaches it:
every round makes at least the first wrong unit right.
"""

from collections import defaultdict

import polars as pl

from transforms.movement.friends import circles, friendly
from transforms.movement.muster import NEVER, March, Outcome, dense
from transforms.schema import empty

# A stop that depends on another one needs a further round, and it depends on a lower realm_id: so
# there are at most as many rounds as realms, and real turns settle in 3 to 11. Should many realms
# make a chain in which every stop turns the next one over, the plain loop takes over.
ROUNDS = 40


def march_in_order(march: March, units: pl.DataFrame, alliances: pl.DataFrame) -> Outcome:
    """Where each mover stops; a part exists once its parent reached the place where they part.

    A unit stops at the first waypoint on which a living unit of a realm neither its own nor
    directly allied stands at that moment. The hex it starts from is not checked. Whoever is aboard
    or captive stands nowhere; a unit that lands gets in the way from its turn in the order on.
    """
    known = _known_contacts(units, march, alliances)
    met = _settle(march, known, alliances)
    stop = _stops(march, met)
    return Outcome(stop, met != NEVER, _existing(march, stop), empty("draws"))


def _known_contacts(units: pl.DataFrame, march: March, alliances: pl.DataFrame) -> pl.Series:
    """First contact of each mover with whoever is still, or for good, at its old hex."""
    turns = pl.repeat(NEVER, units.height, dtype=pl.UInt32, eager=True)  # who stays moves last
    old = march.movers.select("row", ord=dense(march.movers.height)).drop_nulls("row")
    standing = (
        units.lazy()
        .with_columns(who=turns.scatter(old["row"], old["ord"]))
        .filter(pl.col("troops") > 0, pl.col("hex_id").is_not_null())
        .group_by("hex_id", foe="realm_id")
        .agg(pl.col("who").max())
    )
    hits = _contacts(
        _checked(march, march.legs), standing, pl.col("who") > pl.col("ord"), alliances
    )
    nobody = pl.repeat(NEVER, march.movers.height, dtype=pl.UInt32, eager=True)
    return nobody.scatter(hits["ord"], hits["leg"])


def _settle(march: March, known: pl.Series, alliances: pl.DataFrame) -> pl.Series:
    """First contact of each mover, a leg or NEVER, now that the earlier ones move as well.

    After the first round only movers with a leg on a hex where somebody came or went are
    evaluated again.
    """
    realms = march.movers["realm_id"]
    legs = march.legs.filter(march.legs["leg"] <= known.gather(march.legs["ord"]))  # not past these
    todo, again = _checked(march, legs), pl.repeat(True, len(realms), dtype=pl.Boolean, eager=True)
    met, places = known, _places(march, known)
    final = 0
    for _ in range(ROUNDS):
        standing = (
            pl.LazyFrame({"hex_id": places, "foe": realms, "who": dense(len(realms))})
            .join(todo.lazy(), on="hex_id", how="semi")
            .group_by("hex_id", "foe")
            .agg(pl.col("who").min())
        )
        hits = _contacts(todo, standing, pl.col("who") < pl.col("ord"), alliances)
        met = known.clone().scatter(hits["ord"], hits["leg"]).zip_with(again, met)
        before, places = places, _places(march, met)
        changed = places.ne_missing(before)
        first = changed.index_of(True)
        if first is None:
            return met
        final = first + 1  # so many movers stand for good
        legs = legs.slice(legs["ord"].search_sorted(final))
        touched = pl.concat([before.filter(changed), places.filter(changed)]).to_frame()
        near = legs.join(touched, on="hex_id", how="semi")["ord"]
        again = pl.repeat(False, len(realms), dtype=pl.Boolean, eager=True).scatter(near, True)
        todo = _checked(march, legs.filter(again.gather(legs["ord"])))
    arrived = pl.DataFrame({"hex_id": places, "realm_id": realms, "met": met}).head(final)
    return _one_by_one(march, legs, known, arrived, alliances)


def _one_by_one(
    march: March,
    legs: pl.DataFrame,
    known: pl.Series,
    arrived: pl.DataFrame,
    alliances: pl.DataFrame,
) -> pl.Series:
    """The rule as it is told, from the first mover on that has not `arrived` for good.

    `arrived` is hex_id, realm_id, met of those before it; `legs` is what the others have to walk,
    up to their `known` contacts.
    """
    friends = circles(march.movers["realm_id"], alliances)
    there = defaultdict(set)
    for hex_id, realm in arrived.select("hex_id", "realm_id").iter_rows():
        there[hex_id].add(realm)
    met = pl.concat([arrived["met"], known.slice(arrived.height)])
    contact, stop = met.to_list(), _stops(march, met).to_list()
    births = {part: birth for part, *birth in march.births.iter_rows()}
    walks = legs.group_by("ord", "realm_id", maintain_order=True).agg("leg", "step", "hex_id")
    for mover, realm, walk, steps, waypoints in walks.iter_rows():
        parent, after, _ = births.get(mover, (mover, 0, 0))
        if stop[parent] < after:
            continue  # it never split off
        for leg, step, hex_id in zip(walk, steps, waypoints, strict=True):
            if step > 0 and not there[hex_id] <= friends[realm]:
                contact[mover] = stop[mover] = leg
                break
        there[hex_id].add(realm)
    return pl.Series(contact, dtype=pl.UInt32)


def _contacts(
    legs: pl.DataFrame, standing: pl.LazyFrame, when: pl.Expr, alliances: pl.DataFrame
) -> pl.DataFrame:
    """First leg (ord, leg) of each mover on which a foe stands: `standing` is hex_id, foe, who."""
    return (
        legs.lazy()
        .join(standing, on="hex_id")
        .filter(when, ~friendly(alliances, "realm_id", "foe"))
        .group_by("ord")
        .agg(pl.col("leg").min())
        .collect()
    )


def _checked(march: March, legs: pl.DataFrame) -> pl.DataFrame:
    """The legs on which foreign troops stop a mover: all but the first ones of parts."""
    return legs.filter(pl.col("step") > 0) if march.parted else legs


def _stops(march: March, met: pl.Series) -> pl.Series:
    """The leg on which each mover ends: that of its first contact, without one its last."""
    return pl.select(pl.min_horizontal(met, march.last)).to_series()


def _places(march: March, met: pl.Series) -> pl.Series:
    """Where each mover ends; parts that never split off are nowhere."""
    stop = _stops(march, met)
    places = march.legs["hex_id"].gather(stop)
    if march.births.is_empty():
        return places
    missing = march.births.filter(~_parted(march, stop))["ord"]
    return places.scatter(missing, None)


def _existing(march: March, stop: pl.Series) -> pl.Series:
    """Does each mover exist? Parts do once their parent reached the place where they part."""
    everyone = pl.repeat(True, len(stop), dtype=pl.Boolean, eager=True)
    return everyone.scatter(march.births["ord"], _parted(march, stop))


def _parted(march: March, stop: pl.Series) -> pl.Series:
    """Of each birth: did the parent reach the leg?"""
    return march.births["after"] <= stop.gather(march.births["parent"])
