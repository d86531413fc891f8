"""Who fights whom: the coalitions on a hex and the units that they lead there."""

import polars as pl

from transforms.combat.ground import region_pct, unit_factor
from transforms.context import Turn
from transforms.rules import Rules

CLASH = ["hex_id", "round"]
SIDE = [*CLASH, "party"]


def engage(
    units: pl.DataFrame, hexes: pl.DataFrame, alliances: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.DataFrame:
    """One row per living unit ashore on a hex where at least two parties stand, round 1.

    Columns: hex_id, round, party, unit_id, realm_id, number, unit_type, troops, merit,
    elite_combat, region_pct, the factor of the ground it stands on (source 1, 6.1 and 6.2), and
    `factor`, what its strength is multiplied by (`unit_factor`).
    """
    ashore = units.lazy().filter(pl.col("hex_id").is_not_null() & (pl.col("troops") > 0))
    realm = pl.col("realm_id")
    contested = ashore.group_by("hex_id").agg(one=realm.min(), another=realm.max())
    contested = contested.filter(pl.col("one") != pl.col("another"))
    present = ashore.join(contested, on="hex_id", how="semi").collect().lazy()
    parties = coalitions(present.select("hex_id", "realm_id").unique().collect(), alliances)
    region = region_pct(rules, turn)
    ground = hexes.lazy().select("hex_id", "province_id", owner_id="realm_id")
    return (
        present.join(
            parties.lazy().join(ground, on="hex_id", how="left"), on=["hex_id", "realm_id"]
        )
        .select(
            "hex_id",
            pl.lit(1, pl.UInt16).alias("round"),
            "party",
            "unit_id",
            "realm_id",
            "number",
            "unit_type",
            "troops",
            "merit",
            "elite_combat",
            region.alias("region_pct"),
            unit_factor(region, rules, turn).alias("factor"),
        )
        .collect()
    )


def coalitions(realms: pl.DataFrame, alliances: pl.DataFrame) -> pl.DataFrame:
    """The party of every realm on the hexes where at least two parties stand (source 1, 6.1).

    `realms` has one row per hex_id and realm_id present. Alliances are transitive among the
    realms on that hex; a party bears the lowest realm_id in it. Many hexes see the same set of
    realms, so each set is settled once.
    """
    sets = realms.lazy().group_by("hex_id").agg(realm_id=pl.col("realm_id").sort()).collect()
    distinct = sets.select("realm_id").unique(maintain_order=True).with_row_index("set_id")
    parties = _components(distinct.explode("realm_id"), alliances).filter(
        pl.col("party").n_unique().over("set_id") > 1
    )
    return (
        sets.lazy()
        .join(distinct.lazy(), on="realm_id")
        .select("hex_id", "set_id")
        .join(parties.lazy(), on="set_id")
        .select("hex_id", "realm_id", "party")
        .collect()
    )


def _components(members: pl.DataFrame, alliances: pl.DataFrame) -> pl.DataFrame:
    """set_id, realm_id, party: the lowest realm_id that alliances inside the set lead to."""
    nodes = members.sort("set_id", "realm_id").with_row_index("node")
    ally = nodes.select("set_id", ally_id="realm_id", ally_node="node")
    links = nodes.join(alliances, on="realm_id").join(ally, on=["set_id", "ally_id"])
    itself = nodes.select("node", ally_node="node")
    links = pl.concat([links.select("node", "ally_node"), itself])
    party = nodes["realm_id"].rename("party")
    while True:
        reached = links.lazy().select("node", party.gather(links["ally_node"]))
        lowered = reached.group_by("node").agg(pl.col("party").min()).sort("node").collect()
        if lowered["party"].equals(party):
            return nodes.select("set_id", "realm_id", party)
        party = lowered["party"]
