"""A state that contradicts itself is refused: what no schema of a single table can see.

Every check yields at most one sentence, about the first offending row and the number of others;
all sentences together are one InputError. A table that is not handed in is not checked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from transforms.cells import PRINTABLE, UNPRINTABLE, UNPRINTABLE_BUT_TAB
from transforms.errors import InputError, nearest
from transforms.rules import Rules
from transforms.schema import RULES, empty, key_of

Tables = Mapping[str, pl.DataFrame]

_CODE = "^[A-Z0-9ÄÖÜ]{1,8}$"
_DEVICES = ["CON", "PRN", "AUX", "NUL"] + [f"{d}{n}" for d in ("COM", "LPT") for n in range(10)]


@dataclass(frozen=True)
class Reference:
    """`column` of the state or map table `table` names a row of `target` by `target_column`."""

    table: str
    column: str
    target: str
    target_column: str

    def strangers(self, frame: pl.DataFrame, tables: Tables, rules: Rules) -> pl.DataFrame:
        """The rows of `frame` whose value is not null and names nothing."""
        targets = self._targets(tables, rules)
        if targets is None:
            return frame.clear()
        named = frame.filter(pl.col(self.column).is_not_null())
        return named.join(targets, left_on=self.column, right_on=self.target_column, how="anti")

    def sentence(self, value: object, tables: Tables, rules: Rules) -> str:
        """What is wrong with `value`, and what is allowed."""
        if self.target not in RULES:
            return (
                f"unknown {self.column} {value}; allowed: a {self.target_column} of {self.target}"
            )
        names = getattr(rules, self.target)[self.target_column].to_list()
        meant = nearest(str(value), names)
        hint = f" (did you mean {meant!r}?)" if meant else ""
        return f"unknown {self.column} {str(value)!r}{hint}; allowed: {', '.join(names)}"

    def _targets(self, tables: Tables, rules: Rules) -> pl.DataFrame | None:
        source = getattr(rules, self.target) if self.target in RULES else tables.get(self.target)
        return None if source is None else source.select(self.target_column)


_TARGETS = {
    "unit_type": ("unit_types", "name"),
    "building_type": ("building_types", "code"),
    "height": ("heights", "name"),
    "terrain": ("terrains", "name"),
    "realm_id": ("realms", "realm_id"),
    "ally_id": ("realms", "realm_id"),
    "carrier_id": ("units", "unit_id"),
    "captor_id": ("units", "unit_id"),
    "hex_id": ("hexes", "hex_id"),
    "capital_hex_id": ("hexes", "hex_id"),
    "neighbour_id": ("hexes", "hex_id"),
    "hex_a": ("hexes", "hex_id"),
    "hex_b": ("hexes", "hex_id"),
}
_REFERRING = ("hexes", "units", "buildings", "realms", "alliances", "sight", "atlas")
_REFERRING_MAP = ("neighbours", "rivers")
REFERENCES: tuple[Reference, ...] = tuple(
    Reference(table, column, target, target_column)
    for table in (*_REFERRING, *_REFERRING_MAP)
    for column, (target, target_column) in _TARGETS.items()
    if column in empty(table).columns and (table, column) != (target, target_column)
)


def check_state(tables: Tables, rules: Rules) -> list[str]:
    """Warnings about a start or corrected state; InputError if it contradicts itself.

    `tables` are state and map tables by name, conformed. Warned of: ships over capacity.
    """
    checks = {
        "units": _unit_faults,
        "buildings": _building_faults,
        "realms": _realm_faults,
        "alliances": _alliance_faults,
        "neighbours": _neighbour_faults,
        "rivers": _river_faults,
    }
    faults = list(_reference_faults(tables, rules))
    for name, check in checks.items():
        if name in tables:
            faults += check(tables, rules)
    if faults:
        raise InputError("; ".join(faults))
    return list(_overloaded(tables["units"], rules)) if "units" in tables else []


def _fault(table: str, offenders: pl.DataFrame, sentence: str) -> Iterator[str]:
    """`<table>: <key>: <sentence>` of the first offender; `sentence` may name its columns."""
    if offenders.is_empty():
        return
    key = key_of(table)
    first = offenders.sort(key).row(0, named=True)
    others = f" (and {offenders.height - 1} more)" if offenders.height > 1 else ""
    named = ", ".join(f"{column}={first[column]}" for column in key)
    yield f"{table}: {named}: {sentence.format(**first)}{others}"


def _reference_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    for reference in REFERENCES:
        if reference.table not in tables:
            continue
        strangers = reference.strangers(tables[reference.table], tables, rules)
        if not strangers.is_empty():
            first = strangers.sort(key_of(reference.table))[reference.column][0]
            sentence = pl.lit(reference.sentence(first, tables, rules))
            yield from _fault(
                reference.table, strangers.with_columns(sentence=sentence), "{sentence}"
            )


def _unit_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    units = tables["units"]
    places = ("hex_id", "carrier_id", "captor_id")
    known = pl.sum_horizontal(pl.col(places).is_not_null().cast(pl.UInt8))
    yield from _fault(
        "units",
        units.filter(known != 1),
        "hex_id={hex_id}, carrier_id={carrier_id}, captor_id={captor_id}; allowed: exactly one of "
        "them (ashore, aboard or captive)",
    )
    number = pl.col("realm_id").cast(pl.UInt32) * 65536 + pl.col("number")
    yield from _fault(
        "units",
        units.filter(number.is_duplicated()),
        "number {number} stands more than once in realm {realm_id}; allowed: once",
    )
    ship_types = rules.unit_types.filter("ship")["name"].to_list()
    others = units.select(
        other_id="unit_id",
        other_realm_id="realm_id",
        other_captor_id="captor_id",
        ship=pl.col("unit_type").is_in(ship_types),
    )
    captive = pl.col("other_captor_id").is_not_null()
    aboard = units.join(others, left_on="carrier_id", right_on="other_id")
    held = units.join(others, left_on="captor_id", right_on="other_id")
    faulty = {
        f"its carrier {{carrier_id}} is no ship; allowed: {_literal(', '.join(ship_types))}": (
            aboard.filter(~pl.col("ship"))
        ),
        "its carrier {carrier_id} is captive; allowed: a free ship": aboard.filter(captive),
        "it sails in a circle of carriers; allowed: a ship on a hex": _circling(units),
        "its captor {captor_id} is of its own realm; allowed: a unit of another realm": held.filter(
            pl.col("other_realm_id") == pl.col("realm_id")
        ),
        "its captor {captor_id} is captive itself; allowed: a free unit": held.filter(captive),
    }
    for sentence, offenders in faulty.items():
        yield from _fault("units", offenders, sentence)


def _literal(text: str) -> str:
    """`text` as it stands within a sentence of `_fault`."""
    return text.replace("{", "{{").replace("}", "}}")


def _circling(units: pl.DataFrame) -> pl.DataFrame:
    """Units whose carriers' carriers never end on a ship that is not aboard itself."""
    aboard = units.filter(pl.col("carrier_id").is_not_null())
    while True:
        still = aboard.join(aboard.select(carrier_id="unit_id"), on="carrier_id", how="semi")
        if still.height == aboard.height:
            return aboard
        aboard = still


def _unprintable(table: str, frame: pl.DataFrame, column: str, pattern: str) -> Iterator[str]:
    strange = frame.filter(pl.col(column).str.contains(pattern))
    yield from _fault(table, strange, f"{column} {{{column}!r}}; allowed: {PRINTABLE}")


def _building_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    types = rules.building_types.select("central", building_type="code")
    # order files name buildings, too, and a tab is a blank there
    yield from _unprintable("buildings", tables["buildings"], "name", UNPRINTABLE_BUT_TAB)
    buildings = tables["buildings"].join(types, on="building_type")
    on_edge = pl.col("direction").is_not_null()
    yield from _fault(
        "buildings",
        buildings.filter(pl.col("central") & on_edge),
        "{building_type} has direction {direction}; allowed: none, it is a central building",
    )
    yield from _fault(
        "buildings",
        buildings.filter(~pl.col("central") & ~on_edge),
        "{building_type} has no direction; allowed: 0 to 5, it stands on an edge",
    )
    if "neighbours" in tables:
        edges = tables["neighbours"].select("hex_id", "direction")
        yield from _fault(
            "buildings",
            buildings.filter(on_edge).join(edges, on=["hex_id", "direction"], how="anti"),
            "hex {hex_id} has no neighbour in direction {direction}; allowed: an edge of two hexes",
        )


def _realm_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    realms, code = tables["realms"], pl.col("code")
    for column in ("name", "ruler", "capital"):
        yield from _unprintable("realms", realms, column, UNPRINTABLE)
    yield from _fault(
        "realms",
        realms.filter(~code.str.contains(_CODE)),
        "code {code!r}; allowed: 1 to 8 of A–Z, 0–9, Ä, Ö, Ü",
    )
    yield from _fault(
        "realms",
        realms.filter(code.is_in(_DEVICES)),
        "code {code!r} is the name of a device in Windows; allowed: any other",
    )
    yield from _fault(
        "realms",
        realms.filter(code.is_not_null() & code.is_duplicated()),
        "code {code!r} stands more than once; allowed: once",
    )


def _alliance_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    alliances = tables["alliances"]
    returned = alliances.select(realm_id="ally_id", ally_id="realm_id")
    yield from _fault(
        "alliances",
        alliances.join(returned, on=["realm_id", "ally_id"], how="anti"),
        "one-way alliance; allowed: with the row realm_id={ally_id}, ally_id={realm_id} beside it",
    )


def _neighbour_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    neighbours = tables["neighbours"]
    back = neighbours.select(
        hex_id="neighbour_id", direction=(pl.col("direction") + 3) % 6, neighbour_id="hex_id"
    )
    yield from _fault(
        "neighbours",
        neighbours.join(back, on=back.columns, how="anti"),
        "hex {neighbour_id} does not lead back to {hex_id}; allowed: neighbours in opposite "
        "directions",
    )


def _river_faults(tables: Tables, rules: Rules) -> Iterator[str]:
    if "neighbours" in tables:
        edges = tables["neighbours"].select(hex_a="hex_id", hex_b="neighbour_id")
        yield from _fault(
            "rivers",
            tables["rivers"].join(edges, on=["hex_a", "hex_b"], how="anti"),
            "{hex_a} and {hex_b} are no neighbours; allowed: a river on the edge between two hexes",
        )


def _overloaded(units: pl.DataFrame, rules: Rules) -> Iterator[str]:
    """One warning per ship that carries more than it can; the game goes on with it."""
    types = rules.unit_types.lazy().select("capacity", "troop_space", unit_type="name")
    sized = units.lazy().join(types, on="unit_type")
    loads = (
        sized.filter(pl.col("carrier_id").is_not_null())
        .group_by("carrier_id")
        .agg(load=(pl.col("troops") * pl.col("troop_space")).sum())
    )
    over = (
        loads.join(sized, left_on="carrier_id", right_on="unit_id")
        .with_columns(room=pl.col("troops") * pl.col("capacity"))
        .filter(pl.col("load") > pl.col("room"))
        .select("carrier_id", "realm_id", "number", "load", "room")
        .sort("carrier_id")
    )
    for unit_id, realm_id, number, load, room in over.collect().iter_rows():
        yield (
            f"units: unit_id={unit_id}: ship {number} of realm {realm_id} carries {load} places, "
            f"its capacity is {room}"
        )
