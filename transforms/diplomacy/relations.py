"""Who has to do with whom in a movement: pairs of rows of the field, found once."""

from dataclasses import dataclass

import polars as pl

from transforms.diplomacy.field import Field


@dataclass(frozen=True)
class Relations:
    """Who has to do with whom, as pairs of rows of the field.

    backing: supporter · other · foreign (counts against the nation that is attacked)
    rivals: row · rival, two moves into one province
    attacks: row · attacker, a unit and a move into its province
    cutters: row · attacker, a support and an attack that can cut it
    legs: row · route · fleet, a convoyed move and its complete routes
    """

    backing: pl.DataFrame
    rivals: pl.DataFrame
    attacks: pl.DataFrame
    cutters: pl.DataFrame
    legs: pl.DataFrame


def relate(field: Field) -> tuple[pl.DataFrame, Relations]:
    """The field with moves · supports · facing · occupied · own_target, and its relations."""
    occupant, other = pl.col("occupant"), pl.col("other")
    units = field.units.with_columns(
        moves=(pl.col("kind") == "move") & pl.col("legal"),
        supports=(pl.col("kind") == "support") & pl.col("fits"),
    )
    units = units.with_columns(
        occupied=occupant.is_not_null(),
        own_target=(pl.col("nation") == pl.col("nation").gather(occupant)).fill_null(False),
        occupant_moves=pl.col("moves").gather(occupant).fill_null(False),
        facing=(  # head-to-head: both by land, each into the other's province
            pl.col("moves")
            & ~pl.col("convoyed")
            & (pl.col("moves") & ~pl.col("convoyed")).gather(occupant)
            & (pl.col("target").gather(occupant) == pl.col("province"))
        ).fill_null(False),
    )
    victim = pl.col("nation").gather(occupant.gather(other))
    backing = units.with_columns(
        foreign=(pl.col("nation") != victim).fill_null(True) | pl.col("target").is_null()
    ).filter(pl.col("supports"))
    into = units.filter(pl.col("moves")).select(
        "phase_id", "target", "occupant", attacker="row", origin="province", whose="nation"
    )
    attacks = into.filter(pl.col("occupant").is_not_null()).rename({"occupant": "row"})
    rivals = into.select("phase_id", "target", row="attacker").join(
        into.select("phase_id", "target", rival="attacker"), on=["phase_id", "target"]
    )
    # neither the unit that the support is directed against nor an own one can cut it
    cutters = (
        units.filter(pl.col("supports"))
        .select("row", "nation", "aim")
        .join(attacks, on="row")
        .filter((pl.col("whose") != pl.col("nation")) & (pl.col("origin") != pl.col("aim")))
    )
    return units, Relations(
        backing=backing.select("other", "foreign", supporter="row"),
        rivals=rivals.filter(pl.col("row") != pl.col("rival")).select("row", "rival"),
        attacks=attacks.select("row", "attacker"),
        cutters=cutters.select("row", "attacker"),
        legs=field.legs,
    )
