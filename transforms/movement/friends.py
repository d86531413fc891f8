"""Who is no foe: the realm itself and its direct allies."""

import polars as pl


def friendly(alliances: pl.DataFrame, realm: str, other: str) -> pl.Expr:
    """Is the realm in column `other` the one in column `realm` itself or its direct ally?"""
    pairs = alliances.select(_pair("realm_id", "ally_id")).to_series()
    return (pl.col(realm) == pl.col(other)) | _pair(realm, other).is_in(pairs.implode())


def circles(realms: pl.Series, alliances: pl.DataFrame) -> dict[int, set[int]]:
    """realm → itself and its direct allies, for rules that go one by one."""
    friends = {realm: {realm} for realm in realms.unique()}
    for realm, ally in alliances.select("realm_id", "ally_id").iter_rows():
        friends.setdefault(realm, {realm}).add(ally)
    return friends


def _pair(realm: str, other: str) -> pl.Expr:
    return pl.col(realm).cast(pl.UInt32) * 65536 + pl.col(other).cast(pl.UInt32)
