"""River losses: who wades through a river without a bridge (source 1, 4.5; the rule is ours)."""

import polars as pl

from transforms.calendar import finished
from transforms.context import Turn
from transforms.dice import DRAW_COLUMNS, Stream, unit_entity, with_rolls
from transforms.hexgrid import edge_ends
from transforms.rules import Rules
from transforms.schema import empty, shaped
from transforms.sentences import lines, numbered, sentence, type_text

Tables = dict[str, pl.DataFrame]
_EDGE = ["hex_a", "hex_b"]


def cross(
    *,
    units: pl.DataFrame,
    walks: pl.DataFrame,
    splits: pl.DataFrame,
    rivers: pl.DataFrame,
    buildings: pl.DataFrame,
    neighbours: pl.DataFrame,
    rules: Rules,
    turn: Turn,
) -> Tables:
    """Every step really walked across a river without a finished bridge costs 1..10 percent.

    Flyers, ships, fording and immune unit types and units split off this turn cross unharmed and
    do not roll; landing crosses nothing. Each crossing takes its part of the troops that the one
    before has left. Out: `units`, new rows of `losses`, `draws`, `messages`. Source 1, 4.5.
    """
    if rules.switches.river_losses == "off":
        return {"units": units, **{name: empty(name) for name in ("losses", "draws", "messages")}}
    walks = walks.join(splits, left_on="unit_id", right_on="new_unit_id", how="anti")
    wading = _crossings(walks, rivers, _bridged(buildings, neighbours, rules, turn))
    rolled = with_rolls(
        _endangered(units, rules).join(wading, on="unit_id"),
        Stream.RIVER,
        entity=unit_entity(),
        index=pl.int_range(pl.len()).over("unit_id", order_by="step"),
        lo=1,
        hi=rules.constants.river_loss_max_pct,
        dice=turn.dice,
    ).collect()
    drowned = _one_after_another(rolled)
    lost = drowned.group_by("unit_id").agg(pl.col("losses").sum())
    left = pl.col("troops") - pl.col("losses").fill_null(0)
    survivors = units.join(lost, on="unit_id", how="left", maintain_order="left")
    return {
        "units": shaped("units", survivors.with_columns(troops=left).drop("losses")),
        "losses": shaped(
            "losses",
            drowned.select(
                "unit_id",
                "losses",
                cause=pl.lit("river"),
                crossing="index",
                troops_before="troops",
                percent="value",
            ),
        ),
        "draws": shaped("draws", rolled.select(DRAW_COLUMNS)),
        "messages": _told(drowned, rules),
    }


def _crossings(walks: pl.DataFrame, rivers: pl.DataFrame, bridged: pl.LazyFrame) -> pl.LazyFrame:
    """unit_id, step, hex_id of every step across a river without a bridge; hex_id = behind it."""
    here, before = pl.col("hex_id"), pl.col("hex_id").shift()
    same_unit = pl.col("unit_id") == pl.col("unit_id").shift()
    return (
        walks.lazy()
        .sort("unit_id", "step")
        .select(
            "unit_id",
            "step",
            "hex_id",
            hex_a=pl.when(same_unit).then(pl.min_horizontal(here, before)),
            hex_b=pl.max_horizontal(here, before),
        )
        .join(rivers.lazy(), on=_EDGE, how="semi")
        .join(bridged, on=_EDGE, how="anti")
        .select("unit_id", "step", "hex_id")
    )


def _bridged(
    buildings: pl.DataFrame, neighbours: pl.DataFrame, rules: Rules, turn: Turn
) -> pl.LazyFrame:
    """The edges with a finished bridge of any realm, on whichever side it is stored."""
    bridges = rules.building_types.lazy().filter("bridge").select(building_type="code")
    standing = buildings.lazy().filter(finished(turn))
    return edge_ends(standing.join(bridges, on="building_type", how="semi"), neighbours)


def _endangered(units: pl.DataFrame, rules: Rules) -> pl.LazyFrame:
    immune = rules.immunities.lazy().filter(pl.col("kind") == "river").select(name="unit_type")
    waders = (
        rules.unit_types.lazy()
        .filter(~pl.any_horizontal("flyer", "ship", "fords"))
        .join(immune, on="name", how="anti")
        .select(unit_type="name")
    )
    who = ("unit_id", "realm_id", "number", "unit_type", "troops")
    return units.lazy().select(who).join(waders, on="unit_type", how="semi")


def _one_after_another(rolled: pl.DataFrame) -> pl.DataFrame:
    """`rolled` with `losses`, and `troops` as they are before each crossing of the unit."""
    left = rolled.filter(pl.col("index") == 0).select("unit_id", "troops")
    drowned = [rolled.clear().with_columns(losses="troops")]
    for _, crossing in rolled.sort("index").group_by("index", maintain_order=True):
        wet = crossing.drop("troops").join(left, on="unit_id")
        wet = wet.with_columns(losses=pl.col("troops") * pl.col("value") // 100)
        left = wet.select("unit_id", pl.col("troops") - pl.col("losses"))
        drowned.append(wet.select(drowned[0].columns))
    return pl.concat(drowned)


def _told(drowned: pl.DataFrame, rules: Rules) -> pl.DataFrame:
    """One line per crossing that cost troops, by unit number and crossing."""
    n = pl.col("losses")
    mourned = drowned.lazy().filter(n > 0)
    mourned = mourned.with_columns(
        amount=n, turn_to_tell=pl.col("number").cast(pl.Int64) * 256 + pl.col("index")
    )
    text = sentence("river", n=n, type=type_text(n, rules))
    return numbered(lines(mourned, "A", "river", text, order="turn_to_tell"))
