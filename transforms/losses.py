"""The four environmental losses, on the position before movement (source 1, 4.1 to 4.4).

Each check takes the troops that the one before has left. Captives and units at 0 troops are
passed over. Every draw is keyed by its unit, so nobody's roll depends on other units.
"""

from collections.abc import Mapping

import polars as pl

from transforms.context import Turn
from transforms.dice import DRAW_COLUMNS, Stream, unit_entity, with_rolls
from transforms.rules import Rules
from transforms.schema import shaped
from transforms.sentences import lines, numbered, sentence, type_text

Tables = dict[str, pl.DataFrame]
_WHO = ("unit_id", "realm_id", "number", "unit_type", "troops", "hex_id")
_ASHORE = pl.col("hex_id").is_not_null()
_ABOARD = pl.col("carrier_id").is_not_null()


def standing(*, units: pl.DataFrame, hexes: pl.DataFrame, rules: Rules, turn: Turn) -> Tables:
    """Standverluste: units ashore lose 1..span percent, span = hazard of height + terrain.

    A hazard the unit type is immune to counts 0; steppe terrain has its own check instead
    (source 1, 4.1). Out: `units`, new rows of `losses`, `draws`, `messages`.
    """
    heights = rules.heights.lazy().select(height="name", of_height="hazard")
    terrains = rules.terrains.lazy().select("steppe", terrain="name", of_terrain="hazard")
    exposed = (
        _living(units)
        .filter(_ASHORE)
        .join(hexes.lazy().select("hex_id", "height", "terrain"), on="hex_id")
        .join(terrains.filter("steppe"), on="terrain", how="anti")
        .join(_endangered(rules, "height", heights), on=["unit_type", "height"], how="left")
        .join(_endangered(rules, "terrain", terrains), on=["unit_type", "terrain"], how="left")
        .with_columns(span=pl.sum_horizontal(pl.col("of_height", "of_terrain").cast(pl.Int64)))
        .filter(pl.col("span") > 0)
    )
    rolled = _rolled_percent(exposed, Stream.STANDING, pl.col("span"), turn)
    return _settle(units, {"standing": rolled}, rolled, rules)


def volcano(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    neighbours: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Vulkanverluste: one roll per dangerous hex next to a unit ashore, each on what is left.

    p += ((roll + 1) · (100 − p) + 50) // 100 over the neighbours in the order of their
    direction, roll in 0..hazard−1 (source 1, 4.2). Out: `units`, new rows of `losses`, `draws`,
    `messages`.
    """
    craters = rules.terrains.filter(pl.col("volcano_hazard") > 0).lazy()
    near = (
        hexes.lazy()
        .select("terrain", neighbour_id="hex_id")
        .join(craters.select("volcano_hazard", terrain="name"), on="terrain")
        .join(neighbours.lazy(), on="neighbour_id")
        .select("hex_id", "direction", "terrain", "volcano_hazard")
        .collect()  # few rows; left lazy, the optimizer would reorder these joins badly
    )
    rolled = with_rolls(
        _living(units)
        .join(near.lazy(), on="hex_id")
        .join(_immune(rules, "volcano"), on=["unit_type", "terrain"], how="anti"),
        Stream.VOLCANO,
        entity=unit_entity(),
        index=pl.col("direction"),
        lo=0,
        hi=pl.col("volcano_hazard").cast(pl.Int64) - 1,
        dice=turn.dice,
    ).collect()
    buried = _living(units).collect().join(_built_up(rolled), on="unit_id")
    return _settle(units, {"volcano": buried}, rolled, rules)


def steppe(
    *,
    units: pl.DataFrame,
    hexes: pl.DataFrame,
    paths: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Steppeverluste: 1..hazard percent when the planned path touches steppe terrain.

    Points are the current hex, if ashore, and all waypoints. Does every point qualify, the
    highest `steppe_stay` counts, else the highest `steppe_pass` of those that do; the earliest
    point with it names the terrain (source 1, 4.3). Out: `units`, new rows of `losses`, `draws`,
    `messages`.
    """
    walkers = _living(units).select("unit_id", "unit_type", "hex_id")
    starts = walkers.filter(_ASHORE).with_columns(step=pl.lit(0, pl.UInt16))
    waypoints = (
        paths.lazy()
        .join(walkers.drop("hex_id"), on="unit_id")
        .select("unit_id", "unit_type", "hex_id", "step")
    )
    terrains = rules.terrains.lazy().filter("steppe")
    hazards = terrains.select("steppe_stay", "steppe_pass", terrain="name")
    points = (
        pl.concat([starts, waypoints])
        .join(hexes.lazy().select("hex_id", "terrain"), on="hex_id", how="left")
        .join(_endangered(rules, "steppe", hazards), on=["unit_type", "terrain"], how="left")
    )
    whole = points.group_by("unit_id").agg(whole=pl.col("steppe_stay").is_not_null().all())
    worst = (
        points.filter(pl.col("steppe_stay").is_not_null())
        .join(whole, on="unit_id")
        .with_columns(hazard=pl.when("whole").then("steppe_stay").otherwise("steppe_pass"))
        .filter(pl.col("hazard") > 0)
        .sort("unit_id", -pl.col("hazard").cast(pl.Int64), "step")
        .unique("unit_id", keep="first", maintain_order=True)
        .select("unit_id", "terrain", "hazard")
    )
    stricken = _living(units).join(worst, on="unit_id")
    rolled = _rolled_percent(stricken, Stream.STEPPE, pl.col("hazard"), turn)
    return _settle(units, {"steppe": rolled}, rolled, rules)


def landing(*, units: pl.DataFrame, rules: Rules, turn: Turn) -> Tables:
    """Landungsunterlassung: who is aboard for a month or more starves; flyers fall to the last.

    Whoever is ashore gets `last_ashore` = today instead (source 1, 4.4). With landing_modifiers
    a unit type bears its own `months_afloat`, and its `hardiness` is taken off the percentage.
    Out: `units`, new rows of `losses`, `draws`, `messages`.
    """
    constants = rules.constants
    hardiness, months = _borne_aboard(rules)
    overdue = turn.today - pl.col("last_ashore") >= months
    flyer = pl.col("unit_type").is_in(rules.unit_types.filter("flyer")["name"].to_list())
    exhausted = _living(units).filter(_ABOARD & overdue)
    hungry = exhausted.filter(~flyer & (constants.landing_loss_max_pct > 0))
    rolled = _rolled_percent(hungry, Stream.LANDING, pl.lit(constants.landing_loss_max_pct), turn)
    rolled = rolled.with_columns((pl.col("percent") - hardiness).clip(0))
    crashed = exhausted.filter(flyer).with_columns(percent=pl.lit(100, pl.Int64)).collect()
    tables = _settle(units, {"landing": rolled, "flyer": crashed}, rolled, rules)
    rested = pl.when(_ASHORE & (pl.col("troops") > 0)).then(turn.today).otherwise("last_ashore")
    tables["units"] = tables["units"].with_columns(last_ashore=rested.cast(pl.Int32))
    return tables


def _borne_aboard(rules: Rules) -> tuple[pl.Expr, pl.Expr]:
    """Percentage points that a unit type is spared and months that it bears aboard (4.4)."""
    if rules.switches.landing_modifiers == "off":
        return pl.lit(0), pl.lit(rules.constants.landing_months)
    types, own = rules.unit_types, pl.col("unit_type")
    spared, months = (
        own.replace_strict(types["name"], types[c], return_dtype=pl.Int64)
        for c in ("hardiness", "months_afloat")
    )
    return spared, months


def _living(units: pl.DataFrame) -> pl.LazyFrame:
    """Who can suffer at all: troops left and not captive."""
    return (
        units.lazy()
        .filter((pl.col("troops") > 0) & pl.col("captor_id").is_null())
        .select(*_WHO, "carrier_id", "last_ashore")
    )


def _immune(rules: Rules, kind: str) -> pl.LazyFrame:
    """(unit_type, height or terrain) of everything that check `kind` does not do to a unit type."""
    place = "height" if kind == "height" else "terrain"
    return (
        rules.immunities.lazy()
        .filter(pl.col("kind") == kind)
        .select("unit_type", pl.col("name").alias(place))
    )


def _endangered(rules: Rules, kind: str, places: pl.LazyFrame) -> pl.LazyFrame:
    """One row per unit type and row of `places` to which it is not immune in check `kind`."""
    immune = _immune(rules, kind)
    types = rules.unit_types.lazy().select(unit_type="name")
    return types.join(places, how="cross").join(
        immune, on=immune.collect_schema().names(), how="anti"
    )


def _built_up(rolled: pl.DataFrame) -> pl.DataFrame:
    """(unit_id, percent) of the volcano rolls: each raises the risk on what is left of 100."""
    throw_of = {d: f"throw_{d}" for d in range(6)}
    throws = (
        rolled.lazy()
        .with_columns(
            pl.when(pl.col("direction") == d).then("value").alias(throw)
            for d, throw in throw_of.items()
        )
        .group_by("unit_id")
        .agg(pl.col(*throw_of.values()).max())
        .with_columns(percent=pl.lit(0, pl.Int64))
        .collect()
    )
    p = pl.col("percent")
    for throw in throw_of.values():
        # eager: a lazy plan would write p out three times in every round
        raised = p + ((pl.col(throw) + 1) * (100 - p) + 50) // 100
        throws = throws.with_columns(percent=pl.coalesce(raised, p))
    return throws.select("unit_id", "percent")


def _rolled_percent(
    exposed: pl.LazyFrame, stream: Stream, highest: pl.Expr, turn: Turn
) -> pl.DataFrame:
    """`exposed` with the columns of `draws` and `percent`: one roll 1..highest per unit."""
    return (
        with_rolls(exposed, stream, entity=unit_entity(), lo=1, hi=highest, dice=turn.dice)
        .with_columns(percent="value")
        .collect()
    )


def _settle(
    units: pl.DataFrame, hurt: Mapping[str, pl.DataFrame], draws: pl.DataFrame, rules: Rules
) -> Tables:
    """Take troops × percent // 100 off every unit of `hurt` (cause → its units with `percent`).

    Two hazards of 100 add up to more than 100 percent, but nobody loses more than everything.
    A loss of 0 stands in `losses` and has no message.
    """
    percent = pl.col("percent").clip(upper_bound=100)
    suffered = {
        cause: frame.with_columns(
            percent, cause=pl.lit(cause), losses=pl.col("troops") * percent // 100
        )
        for cause, frame in hurt.items()
    }
    columns = ("unit_id", "cause", "percent", "losses")
    losses = pl.concat(
        frame.select(*columns, troops_before="troops") for frame in suffered.values()
    )
    left = pl.col("troops") - pl.col("losses").fill_null(0)
    return {
        "units": shaped(
            "units",
            units.join(losses.select("unit_id", "losses"), on="unit_id", how="left")
            .with_columns(troops=left)
            .drop("losses"),
        ),
        "losses": shaped("losses", losses),
        "draws": shaped("draws", draws.select(DRAW_COLUMNS)),
        "messages": numbered(*(_told(frame, cause, rules) for cause, frame in suffered.items())),
    }


def _told(suffered: pl.DataFrame, cause: str, rules: Rules) -> pl.LazyFrame:
    """One line per unit that lost somebody; the sentence has the name of the cause."""
    n = pl.col("losses")
    words = {"type": type_text(n, rules), "height": pl.col("height"), "terrain": pl.col("terrain")}
    mourned = suffered.lazy().filter(n > 0).with_columns(amount=n)
    return lines(mourned, "A", cause, sentence(cause, n=n, **words))
