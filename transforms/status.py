"""Status, the third phase of execute: drowned, captured, freed, dead (source 1, 5.3)."""

from collections.abc import Callable

import polars as pl

from transforms.context import Turn
from transforms.rules import Rules
from transforms.schema import schema_of, shaped

_FATE = schema_of("fates")["fate"]
_ALIVE = pl.col("troops") > 0


def settle(
    *, units: pl.DataFrame, battle_units: pl.DataFrame, rules: Rules, turn: Turn
) -> dict[str, pl.DataFrame]:
    """Follow the losses and captures of the turn to whoever depends on them (source 1, 5.3).

    1. Whoever lives aboard a ship captured this turn is captured by the same captor; those of
       the captor's own realm go ashore on the battle hex and are free.
    2. Whoever is aboard a ship without troops drowns.
    3. Captives of a captor that died or was captured this turn go free on its last hex: its own,
       else its ship's; of a captured unit the battle hex. A captor freed itself has still been
       captured, so its captives go free too.

    Drowning and captures are passed on until nothing changes (ships may lie in ships); freeing
    kills and captures nobody, so once is enough. Whoever goes ashore keeps `last_ashore`: the
    next load sets it. Returns `units`, `fates` (one row per unit with one) and the new `losses`
    (cause drowned).
    """
    taken = battle_units.filter("captured").select("unit_id", place="hex_id", taken=pl.lit(True))
    scene = (
        units.lazy()
        .join(taken.lazy(), on="unit_id", how="left", maintain_order="left")
        .with_columns(
            place=pl.coalesce("place", "hex_id"),
            taken=pl.col("taken").fill_null(False),
            freed=pl.lit(False),
            troops_before="troops",
        )
        .collect()
    )
    for rule in (_take_passengers, _locate, _drown):
        scene = _until_stable(rule, scene)
    scene = _free(scene)
    return {
        "units": shaped("units", scene.select(units.columns)),
        "fates": shaped("fates", _fates(scene)),
        "losses": shaped("losses", _drowned(scene)),
    }


def dissolve(*, units: pl.DataFrame, rules: Rules, turn: Turn) -> dict[str, pl.DataFrame]:
    """Move the units without troops from `units` to `fallen` (source 1, 5.3)."""
    return {
        "units": shaped("units", units.filter(_ALIVE)),
        "fallen": shaped("fallen", units.filter(~_ALIVE)),
    }


# The rules below work on the scene: the units and `place` (the hex where a unit was last),
# `taken` (captured this turn), `freed` (went free this turn), `troops_before` (the status phase).


def _take_passengers(scene: pl.DataFrame) -> pl.DataFrame:
    """Capture whoever is aboard a taken ship; set the captor's own realm ashore (rule 1)."""
    realms = scene.lazy().select(captor_id="unit_id", captor_realm_id="realm_id")
    ships = (
        scene.lazy()
        .filter("taken")
        .join(realms, on="captor_id")
        .select("captor_realm_id", carrier_id="unit_id", taker_id="captor_id", ship_place="place")
    )
    seized = pl.col("taker_id").is_not_null() & _ALIVE
    own = pl.col("captor_realm_id") == pl.col("realm_id")
    return (
        scene.lazy()
        .join(ships, on="carrier_id", how="left", maintain_order="left")
        .with_columns(
            hex_id=pl.when(seized & own).then("ship_place").otherwise("hex_id"),
            captor_id=pl.when(seized & ~own).then("taker_id").otherwise("captor_id"),
            carrier_id=pl.when(~seized).then("carrier_id"),
            place=pl.coalesce("place", "ship_place"),
            taken=pl.col("taken") | (seized & ~own),
            freed=pl.col("freed") | (seized & own),
        )
        .select(scene.columns)
        .collect()
    )


def _locate(scene: pl.DataFrame) -> pl.DataFrame:
    """Give whoever is aboard the place of its ship."""
    ships = scene.lazy().select(carrier_id="unit_id", ship_place="place")
    return (
        scene.lazy()
        .join(ships, on="carrier_id", how="left", maintain_order="left")
        .with_columns(place=pl.coalesce("place", "ship_place"))
        .select(scene.columns)
        .collect()
    )


def _drown(scene: pl.DataFrame) -> pl.DataFrame:
    """Let whoever is aboard a ship without troops go down with it (rule 2)."""
    sunk = scene.lazy().filter(~_ALIVE).select(carrier_id="unit_id", sunk=pl.lit(True))
    return (
        scene.lazy()
        .join(sunk, on="carrier_id", how="left", maintain_order="left")
        .with_columns(troops=pl.when(pl.col("sunk").is_null()).then("troops").otherwise(0))
        .select(scene.columns)
        .collect()
    )


def _free(scene: pl.DataFrame) -> pl.DataFrame:
    """Set the captives of dead and taken captors ashore where their captor was (rule 3)."""
    lost = (
        scene.lazy()
        .filter(~_ALIVE | pl.col("taken"))
        .select(captor_id="unit_id", captor_place="place")
    )
    goes_free = pl.col("captor_place").is_not_null()
    return (
        scene.lazy()
        .join(lost, on="captor_id", how="left", maintain_order="left")
        .with_columns(
            hex_id=pl.when(goes_free).then("captor_place").otherwise("hex_id"),
            captor_id=pl.when(~goes_free).then("captor_id"),
            freed=pl.col("freed") | goes_free,
        )
        .select(scene.columns)
        .collect()
    )


def _fates(scene: pl.DataFrame) -> pl.DataFrame:
    drowned = pl.col("troops") < pl.col("troops_before")
    fate = (
        pl.when(drowned)
        .then(pl.lit("drowned"))
        .when(~_ALIVE)
        .then(pl.lit("dead"))
        .when("freed")
        .then(pl.lit("freed"))
        .when("taken")
        .then(pl.lit("captured"))
    )
    return scene.select("unit_id", fate=fate.cast(_FATE)).drop_nulls("fate")


def _drowned(scene: pl.DataFrame) -> pl.DataFrame:
    return scene.filter(pl.col("troops") < pl.col("troops_before")).select(
        "unit_id",
        "troops_before",
        cause=pl.lit("drowned"),
        percent=100,
        losses="troops_before",
    )


def _until_stable(
    rule: Callable[[pl.DataFrame], pl.DataFrame], scene: pl.DataFrame
) -> pl.DataFrame:
    while not (after := rule(scene)).equals(scene):
        scene = after
    return scene
