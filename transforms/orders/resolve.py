"""Names on a line → ids of the world, as far as the realm may know it; what was probably meant.

A reason never tells "does not exist" from "never seen": both are the same case here.
"""

import polars as pl

from transforms.calendar import in_training
from transforms.context import Turn
from transforms.orders.problems import none, problem
from transforms.rules import Rules
from transforms.sentences import place

_MINE = ["realm_id", "number"]


def known_hexes(hexes: pl.DataFrame, sight: pl.DataFrame, atlas: pl.DataFrame) -> pl.DataFrame:
    """Keys of the hexes that orders may name: (realm_id, hex_id) of atlas and sight.

    In a world without any map memory the key is hex_id alone: everyone knows every hex.
    """
    memory = pl.concat([frame.select("realm_id", "hex_id") for frame in (sight, atlas)])
    return hexes.select("hex_id") if memory.is_empty() else memory


def unknown_places(places: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
    """Problems of `places` (row, pos, realm_id, hex_id) that the realm does not know."""
    by = ["realm_id"] if "realm_id" in known.columns else None
    key = pl.col("hex_id").cast(pl.UInt64)
    if by:  # one number for both: joins far faster than two
        key = key + pl.col("realm_id").cast(pl.UInt64) * 2**32
    named = places.drop_nulls("hex_id")
    if named.is_empty() or (unknown := named.join(known, on=key, how="anti")).is_empty():
        return none()
    nearest = unknown.sort("hex_id").join_asof(
        known.sort("hex_id").with_columns(meant="hex_id"),
        on="hex_id",
        by=by,
        strategy="nearest",
        check_sortedness=False,
    )
    return problem(
        nearest,
        "unknown_place",
        place=place(pl.col("hex_id")),
        suggestion=place(pl.col("meant")),
    )


def own_units(units: pl.DataFrame, rules: Rules, turn: Turn) -> pl.DataFrame:
    """Units as their realm addresses them: realm_id, number, what the state says, `place`.

    `place` is the hex of the unit or of its ship; captives have none. Neither they nor units in
    training, those with a date `in_training_until`, take orders.
    """
    ships = rules.unit_types.filter("ship")["name"].to_list()
    carriers = units.select(carrier_id="unit_id", carrier_hex_id="hex_id")
    return units.join(carriers, on="carrier_id", how="left").select(
        *_MINE,
        "unit_id",
        "captor_id",
        state_troops="troops",
        state_leaders="leaders",
        place=pl.coalesce("hex_id", "carrier_hex_id"),
        aboard=pl.col("carrier_id").is_not_null(),
        ship=pl.col("unit_type").is_in(ships),
        in_training_until=pl.when(in_training(rules, turn)).then("ready_on"),
    )


def nearest_numbers(strange: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """`strange` (realm_id, number, …) plus `meant`: the unit of `own` with the nearest number.

    Two neighbouring digits the wrong way round come first (121 for 112), then the distance.
    """
    own = own.join(strange, on="realm_id", how="semi")
    own = own.select("realm_id", pl.col("number").cast(pl.Int64)).unique().sort("number")
    n = pl.col("number")
    ones, tens, hundreds = (n // 10**digit % 10 for digit in range(3))
    swapped = [n + 9 * (ones - tens), n + 90 * (tens - hundreds)]
    keys = strange.select(_MINE).unique().sort("number")
    found = keys.join_asof(
        own.with_columns(nearest="number"),
        on="number",
        by="realm_id",
        strategy="nearest",
        check_sortedness=False,
    )
    for i, other in enumerate(swapped):
        hit = own.select("realm_id", number="number", **{f"swap_{i}": "number"})
        found = found.with_columns(other=other).join(
            hit, left_on=["realm_id", "other"], right_on=_MINE, how="left"
        )
    meant = found.select(*_MINE, meant=pl.coalesce("swap_0", "swap_1", "nearest"))
    return strange.join(meant, on=_MINE, how="left")


def taken_numbers(wishes: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Warnings for `wishes` (row, pos, realm_id, number) that a unit of the realm has already."""
    mine = units.join(wishes, on="realm_id", how="semi")
    mine = mine.select("realm_id", pl.col("number").cast(pl.Int64))
    return problem(wishes.join(mine, on=_MINE, how="semi"), "number_taken", severity="warning")


def find_ships(
    heads: pl.DataFrame,
    own: pl.DataFrame,
    parts: pl.DataFrame,
    *,
    realms: pl.DataFrame,
    alliances: pl.DataFrame,
    sight: pl.DataFrame,
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Ships that lines want to board (row, embark_on) and what their realm cannot know of them.

    `heads`: row, realm_id, ship_number, ship_code, ship_pos; `parts`: what splits off ships.
    Source 1, 2.1. A foreign ship out of
    sight has the same warning whether it exists or not; one of a realm that is no ally counts as
    unknown, or a boarding that fails would tell that it exists. A world without sight hides none.
    """
    codes = (
        realms.drop_nulls("code")
        .select(ship_realm="realm_id", ship_code=pl.col("code").str.to_lowercase())
        .unique("ship_code", keep="first", maintain_order=True)
    )
    fleet = own.filter("ship").select(*_MINE, "unit_id", "place")
    new_ships = parts.drop_nulls("new_unit_id").filter("ship").select(*_MINE, unit_id="new_unit_id")
    ships = pl.concat([fleet, new_ships], how="diagonal_relaxed").select(
        pl.col("number").cast(pl.Int64).alias("ship_number"),
        ship_realm="realm_id",
        embark_on="unit_id",
        ship_place="place",
    )
    seen = sight.select("realm_id", ship_place="hex_id", seen=True)
    allied = alliances.select("realm_id", ship_realm="ally_id", allied=True)
    at_home = pl.col("ship_code").is_null() | (pl.col("ship_realm") == pl.col("realm_id"))
    wishes = (
        heads.drop_nulls("ship_number")
        .select("row", "realm_id", "ship_number", "ship_code", pos="ship_pos")
        .join(codes, on="ship_code", how="left")
        .with_columns(ship_realm=pl.when(at_home).then("realm_id").otherwise("ship_realm"))
        .join(ships, on=["ship_realm", "ship_number"], how="left")
        .join(seen, on=["realm_id", "ship_place"], how="left")
        .join(allied, on=["realm_id", "ship_realm"], how="left")
        .with_columns(
            mine=(pl.col("ship_realm") == pl.col("realm_id")).fill_null(False),
            code=pl.col("ship_code").str.to_uppercase(),
            number="ship_number",
        )
    )
    seen_now = pl.col("seen").fill_null(sight.is_empty())
    known = pl.col("embark_on").is_not_null() & (pl.col("mine") | seen_now)
    strange = nearest_numbers(wishes.filter(~known, "mine"), own.filter("ship"))
    foreign = wishes.filter(~pl.col("mine"))
    embark_on = pl.when(known | pl.col("allied").is_not_null()).then("embark_on")
    return wishes.select("row", embark_on=embark_on), pl.concat(
        [
            problem(
                strange,
                "unknown_ship",
                severity="warning",
                suggestion=pl.col("meant"),
            ),
            problem(foreign.filter(~known), "unknown_foreign_ship", severity="warning"),
            problem(foreign.filter(pl.col("allied").is_null()), "not_allied", severity="warning"),
        ]
    )
