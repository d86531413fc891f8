"""The tables that somebody wrote, checked row by row, and the forces made of them.

An `Sheet` is a table with the number of each row, so that an error can name it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from transforms.cells import PRINTABLE, UNPRINTABLE
from transforms.errors import InputError
from transforms.hits.constants import FORTIFICATIONS, MICRO, HitsRules
from transforms.hits.forces import BY_PERCENT, FLEES, STANDS, Forces, make_forces
from transforms.hits.micro import to_micro
from transforms.hits.strength import Options, muster
from transforms.schema import TABLES
from transforms.sentences import fill

INPUT = ("armies", "combatants", "enmities", "stances")
_HIGHEST_KK = 10_000
_HIGHEST_ID = 2**32 - 1
_MOST_COMBATANTS = 2**27
_ENEMY = 3


@dataclass(frozen=True)
class Sheet:
    """A table as read from `where`: the columns of the registry and `row`."""

    where: str
    rows: pl.DataFrame

    def refuse(self, *checks: tuple[pl.Expr, str, str]) -> None:
        """Raise an error for the first row that breaks the first broken check, if any is.

        A check is an expression for bad rows, the column to blame and what is allowed.
        """
        bad = self.rows.select(b.any().alias(str(i)) for i, (b, _, _) in enumerate(checks))
        for number, (broken, column, allowed) in enumerate(checks):
            if bad.row(0)[number]:
                row = self.rows.filter(broken).sort("row").row(0, named=True)
                value = "empty" if row[column] is None else repr(row[column])
                raise InputError(
                    f"{self.where}: row {row['row']}, column {column!r}: {value} is not allowed; "
                    f"allowed: {allowed}"
                )


@dataclass(frozen=True)
class Lineup:
    """What will fight.

    armies      battle_id, army_id, name (never null), enemies; in the order of `forces`
    combatants  combatant_id, line (position in `lines`); in the order of `forces`
    lines       the rows of the table of combatants, with `name`
    """

    armies: pl.DataFrame
    combatants: pl.DataFrame
    lines: pl.DataFrame
    forces: Forces
    warnings: tuple[str, ...]


def line_up(
    sheets: Mapping[str, Sheet], rules: HitsRules, options: Options, nameless: str
) -> Lineup:
    """Check the sheets of INPUT (enmities and stances may be missing) and line everybody up.

    `nameless` is the name of an army without one, with {army_id}. Errors: one line with file,
    row, value and what is allowed. Warnings: what has no effect.
    """
    armies, combatants = sheets["armies"], sheets["combatants"]
    for name, sheet in sheets.items():
        _refuse_strange_cells(name, sheet)
    _check_armies(armies)
    _check_combatants(combatants, armies, rules)
    enmities = _enmities(sheets)
    ordered = _ordered_armies(armies, nameless, enmities)
    crowd = _crowd(ordered, combatants.rows)
    forces = make_forces(ordered, crowd, _pairs(ordered, enmities))
    _check_weights(combatants.where, ordered, forces, rules, options)
    return Lineup(
        armies=ordered.select("battle_id", "army_id", "name", "enemies"),
        combatants=crowd.select("combatant_id", "line"),
        lines=combatants.rows,
        forces=forces,
        warnings=tuple(_warnings(ordered, forces, enmities)),
    )


# ── checks ──────────────────────────────────────────────────────────────────────────────────


def _refuse_strange_cells(name: str, sheet: Sheet) -> None:
    """Nothing where something is needed; a text that nobody can read."""
    specs = TABLES[f"hits.{name}"].columns().items()
    needed = [column for column, spec in specs if not spec.nullable]
    texts = [column for column, spec in specs if spec.dtype == pl.String]
    sheet.refuse(
        *((pl.col(c).is_null(), c, "a value in every row") for c in needed),
        *((pl.col(c).str.contains(UNPRINTABLE), c, PRINTABLE) for c in texts),
    )


def _check_armies(armies: Sheet) -> None:
    most = (2**53 - 1) / MICRO
    armies.refuse(
        (~pl.col("army_id").is_first_distinct(), "army_id", "every id once in the folder"),
        (
            _strange_number("strength", most),
            "strength",
            f"a number from 0.000001 to {int(most)}",
        ),
    )


def _check_combatants(combatants: Sheet, armies: Sheet, rules: HitsRules) -> None:
    ids = armies.rows["army_id"].implode()
    count, first = pl.col("count").cast(pl.Int64), pl.col("combatant_id").cast(pl.Int64)
    last = first + count - 1
    combatants.refuse(
        (~pl.col("army_id").is_in(ids), "army_id", f"an army_id of {armies.where}"),
        (_strange_number("kk", _HIGHEST_KK), "kk", f"a number from 0.000001 to {_HIGHEST_KK}"),
        (count < 1, "count", "at least 1"),
        (last > _HIGHEST_ID, "count", f"a last id of at most {_HIGHEST_ID}"),
        (
            count.cum_sum() > _MOST_COMBATANTS,
            "count",
            f"at most {_MOST_COMBATANTS} combatants in all",
        ),
    )
    in_order = Sheet(combatants.where, combatants.rows.sort("army_id", "combatant_id", "row"))
    same_army = pl.col("army_id") == pl.col("army_id").shift(1)
    taken = same_army & (last.shift(1) >= first)
    in_order.refuse((taken, "combatant_id", "every id once in an army, those of a count too"))
    walls = Sheet(combatants.where, combatants.rows.filter(pl.col("fortification") != "none"))
    together = count.cum_sum().over("army_id", "fortification", order_by="row")
    walls.refuse(
        *(
            (
                (pl.col("fortification") == kind) & (together > places),
                "fortification",
                f"at most {places} combatants of an army in it",
            )
            for kind, places in zip(FORTIFICATIONS[1:], rules.places[1:], strict=True)
        )
    )


def _strange_number(column: str, highest: float) -> pl.Expr:
    """Not a number, not finite, above `highest`, or nothing left of it in millionths."""
    value = pl.col(column)
    return ~value.is_finite() | (value < 0.5 / MICRO) | (value > highest)


def _check_weights(
    where: str, armies: pl.DataFrame, forces: Forces, rules: HitsRules, options: Options
) -> None:
    """The dice can weigh up to 2^53 millionths in a battle, and number 2^32 strikes of an army."""
    strength = muster(forces, rules, options).strength
    total = armies.select("battle_id", strength=pl.Series(strength).cast(pl.Int128)).with_columns(
        total=pl.col("strength").sum().over("battle_id")
    )
    for limit, column in (((2**32 - 1) * MICRO, "strength"), (2**53 - 1, "total")):
        for row in total.filter(pl.col(column) > limit).head(1).iter_rows(named=True):
            whose = "an army" if column == "strength" else "its armies together"
            raise InputError(
                f"{where}: battle {row['battle_id']}: gesKK of {whose} is "
                f"{row[column] // MICRO}; allowed: at most {limit // MICRO}"
            )


# ── who against whom ────────────────────────────────────────────────────────────────────────


def _enmities(sheets: Mapping[str, Sheet]) -> pl.DataFrame:
    """army_id, enemy_id of every directed enmity."""
    armies = sheets["armies"]
    if "enmities" in sheets and "stances" in sheets:
        raise InputError(
            f"{sheets['enmities'].where} and {sheets['stances'].where} are both there; "
            "allowed: one of them"
        )
    if "stances" in sheets:
        return _by_stances(armies.rows, sheets["stances"])
    if "enmities" in sheets:
        _check_enmities(sheets["enmities"], armies)
        return sheets["enmities"].rows.select("army_id", "enemy_id")
    return armies.rows.clear().select("army_id", enemy_id="army_id")


def _check_enmities(enmities: Sheet, armies: Sheet) -> None:
    ids, known = armies.rows["army_id"].implode(), f"an army_id of {armies.where}"
    enmities.refuse(
        (~pl.col("army_id").is_in(ids), "army_id", known),
        (~pl.col("enemy_id").is_in(ids), "enemy_id", known),
        (pl.col("army_id") == pl.col("enemy_id"), "enemy_id", "another army"),
        (~pl.struct("army_id", "enemy_id").is_first_distinct(), "enemy_id", "every pair once"),
    )
    of = armies.rows.select("army_id", "battle_id")
    foes = of.rename({"army_id": "enemy_id", "battle_id": "enemy_battle"})
    placed = enmities.rows.join(of, on="army_id").join(foes, on="enemy_id")
    elsewhere = pl.col("battle_id") != pl.col("enemy_battle")
    Sheet(enmities.where, placed).refuse((elsewhere, "enemy_id", "an army of the same battle"))


def _by_stances(armies: pl.DataFrame, stances: Sheet) -> pl.DataFrame:
    """Armies of one battle are enemies both ways if either of two realms says 3."""
    stances.refuse(
        (~pl.col("stance").is_in([1, 2, _ENEMY]), "stance", "1 neutral, 2 friend, 3 enemy"),
        (pl.col("realm") == pl.col("other"), "other", "another realm"),
        (~pl.struct("realm", "other").is_first_distinct(), "other", "every pair once"),
    )
    hostile = stances.rows.filter(stance=_ENEMY).select("realm", "other")
    both = pl.concat([hostile, hostile.select(realm="other", other="realm")]).unique()
    who = armies.filter(pl.col("realm").is_not_null()).select("battle_id", "army_id", "realm")
    foes = who.rename({"army_id": "enemy_id", "realm": "other"})
    return (
        who.join(both, on="realm")
        .join(foes, on=["battle_id", "other"])
        .select("army_id", "enemy_id")
    )


# ── forces ──────────────────────────────────────────────────────────────────────────────────


def _ordered_armies(armies: Sheet, nameless: str, enmities: pl.DataFrame) -> pl.DataFrame:
    flees, percent = pl.col("flees"), pl.col("flee_pct")
    hostile = enmities.group_by("army_id").agg(enemies=pl.len())
    return (
        armies.rows.sort("battle_id", "army_id")
        .join(hostile, on="army_id", how="left", maintain_order="left")
        .with_columns(
            pl.col("enemies").fill_null(0),
            pl.coalesce("name", fill(nameless, army_id=pl.col("army_id"))).alias("name"),
            battle=pl.col("battle_id").rank("dense").cast(pl.Int64) - 1,
            engagement=pl.lit(0),
            strength=pl.col("strength").fill_null(0.0).map_batches(to_micro, return_dtype=pl.Int64),
            flight=pl.when(flees)
            .then(FLEES)
            .when(flees.is_null() & percent.is_not_null())
            .then(BY_PERCENT)
            .otherwise(STANDS),
            flee_pct=percent.fill_null(0),
        )
    )


def _pairs(armies: pl.DataFrame, enmities: pl.DataFrame) -> pl.DataFrame:
    """The enmities by the positions of the armies."""
    place = armies.select("army_id", pl.int_range(pl.len(), dtype=pl.Int64).alias("army"))
    foe = place.rename({"army_id": "enemy_id", "army": "enemy"})
    return enmities.join(place, on="army_id").join(foe, on="enemy_id").select("army", "enemy")


def _crowd(armies: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """One row per combatant in the order of the forces; `line` is its row in `lines`."""
    place = armies.select("army_id", army=pl.int_range(pl.len(), dtype=pl.Int64))
    position = {name: i for i, name in enumerate(FORTIFICATIONS)}
    ordered = (
        lines.with_columns(line=pl.int_range(pl.len(), dtype=pl.Int64))
        .join(place, on="army_id")
        .sort("army", "combatant_id")
    )
    count = ordered["count"].cast(pl.Int64).to_numpy()
    row = np.repeat(np.arange(ordered.height), count)
    offset = np.arange(row.size) - np.repeat(np.cumsum(count) - count, count)
    kinds = ordered.select(
        "army",
        "combatant_id",
        "line",
        "ranged",
        pl.col("kk").map_batches(to_micro, return_dtype=pl.Int64),
        pl.col("fortification").cast(pl.String).replace_strict(position, return_dtype=pl.Int64),
    )
    return kinds[row].with_columns(combatant_id=pl.col("combatant_id").cast(pl.Int64) + offset)


def _warnings(armies: pl.DataFrame, forces: Forces, enmities: pl.DataFrame) -> list[str]:
    """What has no effect; one line each."""
    back = enmities.select(army_id="enemy_id", enemy_id="army_id")
    one_sided = enmities.join(back, on=["army_id", "enemy_id"], how="anti").sort(pl.all())
    empty = armies.filter(pl.Series(forces.living == 0))["army_id"]
    idle = armies.filter(pl.col("enemies") == 0)["army_id"]
    return [
        *(f"army {i} has no combatants" for i in empty),
        *(f"army {i} is hostile to nobody" for i in idle),
        *(f"army {a} strikes army {b}, which does not strike back" for a, b in one_sided.rows()),
    ]
