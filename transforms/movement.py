"""Movement: every unit walks its path and stops at the first foreign troops (source 1, 5.1).

The rule is sequential: the units act one by one in the order (realm_id, number), and each sees
the earlier ones at their new place and the later ones at their old one. So where a unit stops
depends on earlier units only. Such a system has exactly one solution, and evaluating all units
at once, again and again, reaches it: every round makes at least the first wrong unit right.

Within this module a mover is its position in the order (`ord`), a waypoint its row in the table
of all waypoints (`leg`); a look-up is then a gather, and joins remain for hexes only.
"""

from collections import defaultdict

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import empty, shaped

# A stop that depends on another one needs a further round, and it depends on a lower realm_id: so
# there are at most as many rounds as realms, and real turns settle in 3 to 11. Should many realms
# make a chain in which every stop turns the next one over, the plain loop takes over.
ROUNDS = 40
NEVER = 2**32 - 1  # the leg of the first contact of a unit that meets nobody


def move(
    *,
    units: pl.DataFrame,
    paths: pl.DataFrame,
    alliances: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> dict[str, pl.DataFrame]:
    """Walk all paths: `units` at their new hexes and one row of `moves` per unit that had a path.

    Living, non-captive units with a waypoint move; each stops at the first waypoint on which a
    living unit of a realm neither its own nor directly allied stands at that moment. The hex it
    starts from is not checked. Whoever is aboard or captive stands nowhere; a unit aboard that
    has a path lands on it and gets in the way from its turn in the order on. Source 1, 5.1.
    `walks` has the hexes really walked when a later step needs them.
    """
    movers, legs = _marching(units, paths)
    ends = legs.select(pl.arg_where(pl.col("ord") != pl.col("ord").shift(-1, fill_value=NEVER)))
    last = ends.to_series().cast(pl.UInt32)
    known = _known_contacts(units, movers, legs, ~friendly(alliances, "realm_id", "foe"))
    met = _settle(legs, movers["realm_id"], known, last, alliances)
    moves = movers.select(
        "unit_id",
        from_hex="hex_id",
        to_hex=_places(legs["hex_id"], met, last),
        contact=met != NEVER,
    )
    needed = rules.switches.river_losses == "on"
    walks = _walked(movers, legs, met) if needed else empty("walks")
    row = movers["row"]
    moved = units.with_columns(
        units["hex_id"].clone().scatter(row, moves["to_hex"]),
        units["carrier_id"].clone().scatter(row, None),
    )
    return {"units": shaped("units", moved), "moves": shaped("moves", moves), "walks": walks}


def friendly(alliances: pl.DataFrame, realm: str, other: str) -> pl.Expr:
    """Is the realm in column `other` the one in column `realm` itself or its direct ally?"""
    pairs = alliances.select(_pair("realm_id", "ally_id")).to_series()
    return (pl.col(realm) == pl.col(other)) | _pair(realm, other).is_in(pairs.implode())


def _pair(realm: str, other: str) -> pl.Expr:
    return pl.col(realm).cast(pl.UInt32) * 65536 + pl.col(other).cast(pl.UInt32)


def _marching(units: pl.DataFrame, paths: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Movers (row in `units`, unit_id, realm_id, hex_id; row = ord) and legs (leg, ord, …)."""
    movers = (
        units.lazy()
        .with_row_index("row")
        .filter(pl.col("troops") > 0, pl.col("captor_id").is_null())
        .join(paths.lazy(), on="unit_id", how="semi")
        .sort("realm_id", "number")
        .select("row", "unit_id", "realm_id", "hex_id")
        .collect()
    )
    order = movers.lazy().with_row_index("ord").select("unit_id", "ord", "realm_id")
    legs = (
        paths.lazy()
        .join(order, on="unit_id")
        .sort(pl.col("ord").cast(pl.UInt64) * 65536 + pl.col("step"))  # one key sorts faster
        .with_row_index("leg")
        .select("leg", "ord", "realm_id", "hex_id", "step")
        .collect()
    )
    return movers, legs


def _known_contacts(
    units: pl.DataFrame, movers: pl.DataFrame, legs: pl.DataFrame, hostile: pl.Expr
) -> pl.Series:
    """First contact of each mover with whoever is still, or for good, at its old hex."""
    turns = pl.repeat(NEVER, units.height, dtype=pl.UInt32, eager=True)  # who stays moves last
    standing = (
        units.lazy()
        .with_columns(who=turns.scatter(movers["row"], _dense(movers.height)))
        .filter(pl.col("troops") > 0, pl.col("hex_id").is_not_null())
        .group_by("hex_id", foe="realm_id")
        .agg(pl.col("who").max())
    )
    hits = _contacts(legs, standing, pl.col("who") > pl.col("ord"), hostile)
    nobody = pl.repeat(NEVER, movers.height, dtype=pl.UInt32, eager=True)
    return nobody.scatter(hits["ord"], hits["leg"])


def _settle(
    legs: pl.DataFrame,
    realms: pl.Series,
    known: pl.Series,
    last: pl.Series,
    alliances: pl.DataFrame,
) -> pl.Series:
    """First contact of each mover, a leg or NEVER, now that the earlier ones move as well.

    After the first round only movers with a leg on a hex where somebody came or went are
    evaluated again.
    """
    hostile = ~friendly(alliances, "realm_id", "foe")
    hexes = legs["hex_id"]
    legs = legs.filter(legs["leg"] <= known.gather(legs["ord"]))  # nobody gets past these
    todo, again = legs, pl.repeat(True, len(realms), dtype=pl.Boolean, eager=True)
    met, places = known, _places(hexes, known, last)
    final = 0
    for _ in range(ROUNDS):
        standing = (
            pl.LazyFrame({"hex_id": places, "foe": realms, "who": _dense(len(realms))})
            .join(todo.lazy(), on="hex_id", how="semi")
            .group_by("hex_id", "foe")
            .agg(pl.col("who").min())
        )
        hits = _contacts(todo, standing, pl.col("who") < pl.col("ord"), hostile)
        met = known.clone().scatter(hits["ord"], hits["leg"]).zip_with(again, met)
        before, places = places, _places(hexes, met, last)
        changed = places != before
        first = changed.index_of(True)
        if first is None:
            return met
        final = first + 1  # so many movers stand for good
        legs = legs.slice(legs["ord"].search_sorted(final))
        touched = pl.concat([before.filter(changed), places.filter(changed)]).to_frame()
        near = legs.join(touched, on="hex_id", how="semi")["ord"]
        again = pl.repeat(False, len(realms), dtype=pl.Boolean, eager=True).scatter(near, True)
        todo = legs.filter(again.gather(legs["ord"]))
    arrived = pl.DataFrame({"hex_id": places, "realm_id": realms, "met": met}).head(final)
    return _one_by_one(legs, known, arrived, alliances)


def _one_by_one(
    legs: pl.DataFrame, known: pl.Series, arrived: pl.DataFrame, alliances: pl.DataFrame
) -> pl.Series:
    """The rule as it is told, from the first mover on that has not `arrived` for good.

    `arrived` is hex_id, realm_id, met of those before it; `legs` is what the others have to walk,
    up to their `known` contacts.
    """
    friends = {realm: {realm} for realm in legs["realm_id"].unique()}
    for realm, ally in alliances.select("realm_id", "ally_id").iter_rows():
        friends.setdefault(realm, {realm}).add(ally)
    there = defaultdict(set)
    for hex_id, realm in arrived.select("hex_id", "realm_id").iter_rows():
        there[hex_id].add(realm)
    met = pl.concat([arrived["met"], known.slice(arrived.height)]).to_list()
    walks = legs.group_by("ord", "realm_id", maintain_order=True).agg("leg", "hex_id")
    for mover, realm, walk, waypoints in walks.iter_rows():
        for leg, hex_id in zip(walk, waypoints, strict=True):
            if not there[hex_id] <= friends[realm]:
                met[mover] = leg
                break
        there[hex_id].add(realm)
    return pl.Series(met, dtype=pl.UInt32)


def _contacts(
    legs: pl.DataFrame, standing: pl.LazyFrame, when: pl.Expr, hostile: pl.Expr
) -> pl.DataFrame:
    """First leg (ord, leg) of each mover on which a foe stands: `standing` is hex_id, foe, who."""
    return (
        legs.lazy()
        .join(standing, on="hex_id")
        .filter(when, hostile)
        .group_by("ord")
        .agg(pl.col("leg").min())
        .collect()
    )


def _places(hexes: pl.Series, met: pl.Series, last: pl.Series) -> pl.Series:
    """Where each mover ends: on the leg of its first contact, without one on its last leg."""
    return hexes.gather(pl.select(pl.min_horizontal(met, last)).to_series())


def _walked(movers: pl.DataFrame, legs: pl.DataFrame, met: pl.Series) -> pl.DataFrame:
    """The table `walks`: where each mover ashore starts, and its legs up to the first contact."""
    starts = movers.drop_nulls("hex_id").select("unit_id", "hex_id", step=pl.lit(0, pl.UInt16))
    walked = legs.filter(legs["leg"] <= met.gather(legs["ord"]))
    steps = walked.select(movers["unit_id"].gather(walked["ord"]), "hex_id", "step")
    return shaped("walks", pl.concat([starts, steps]))


def _dense(count: int) -> pl.Series:
    return pl.int_range(count, dtype=pl.UInt32, eager=True)
