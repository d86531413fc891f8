"""One unit's turn, told in the order of its steps, each sentence with its paragraph of the rules.

Only reads what the turn left behind; it computes no rule a second time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import polars as pl

from transforms.catalogue import EXPLAIN, GAME_MASTER, HITS
from transforms.dice import Stream
from transforms.hits.constants import MICRO
from transforms.hits.explain import behind, judged
from transforms.hits.report import decimal
from transforms.schema import empty

Tables = Mapping[str, pl.DataFrame]
Row = Mapping[str, object]

TABLES = (
    *("units", "fallen", "realms", "corrections", "order_files", "order_lines", "rejections"),
    *("movements", "splits", "trainings", "losses", "draws", "moves", "walks", "deeds"),
    *("boardings", "battles", "battle_units", "fates", "paths"),
    *("battle_armies", "battle_selections"),
)
_LOAD_DRAWS = (Stream.STANDING, Stream.VOLCANO, Stream.STEPPE, Stream.LANDING)
_SIDE_DECIMALS = ("strength", "share", "absorbed", "final_share")  # of a row of battles
_LOAD_CAUSES = ("standing", "volcano", "steppe", "landing", "flyer")


@dataclass(frozen=True)
class Event:
    """One sentence of the story: its chapter, its paragraph of the source, its German text."""

    chapter: str
    paragraph: str
    text: str


def explain(before: pl.DataFrame, tables: Tables, unit_id: int) -> list[Event]:
    """What happened to a unit in a turn, in order.

    `before` is the table `units` of the turn before, `tables` holds those of `TABLES` after the
    turn. A unit that arose in this turn has no row in `before`.
    """
    return list(_Story(before, tables, unit_id).events())


class _Story:
    def __init__(self, before: pl.DataFrame, tables: Tables, unit_id: int) -> None:
        self.unit_id = unit_id
        self.before = before.filter(unit_id=unit_id)
        self.tables = {name: tables.get(name, empty(name)) for name in TABLES}
        everyone = pl.concat([before, self.tables["units"], self.tables["fallen"]])
        names = everyone.unique("unit_id", keep="last", maintain_order=True)
        codes = self.tables["realms"].select(
            "realm_id", code=pl.coalesce("code", pl.col("realm_id").cast(pl.String))
        )
        self.codes = dict(codes.iter_rows())
        self.names = {
            unit: f"{number}@{self.codes.get(realm, realm)}"
            for unit, realm, number in names.select("unit_id", "realm_id", "number").iter_rows()
        }
        self.realm_of = names.select("unit_id", "realm_id")
        self.me = names.filter(unit_id=unit_id).row(0, named=True)
        self.entity = self.me["realm_id"] * 65536 + self.me["number"]

    def events(self) -> Iterator[Event]:
        yield from self._start()
        yield from self._corrected()
        yield from self._ordered()
        yield from self._rolled(_LOAD_DRAWS)
        yield from self._lost(_LOAD_CAUSES)
        yield from self._moved()
        yield from self._rolled((Stream.RIVER,))
        yield from self._lost(("river",))
        yield from self._boarded()
        yield from self._rolled((Stream.WITHDRAWAL,))
        yield from self._did()
        yield from self._fought()
        yield from self._lost(("drowned",))
        yield from self._ended()

    # ── chapters ────────────────────────────────────────────────────────────────────────────

    def _start(self) -> Iterator[Event]:
        for row in self.before.iter_rows(named=True):
            yield _event("start", "before", **self._standing(row))
        for row in self._of("trainings").iter_rows(named=True):
            yield _event("start", "trained", line=row["line"], months=row["months"])
        for row in self._of("splits", "new_unit_id").iter_rows(named=True):
            parent = self.names.get(row["unit_id"], row["unit_id"])
            yield _event("start", "split_off", parent=parent, line=row["line"])

    def _corrected(self) -> Iterator[Event]:
        rows = self.tables["corrections"].filter(table="units", key=str(self.unit_id))
        for row in rows.with_columns(pl.col("old", "new").fill_null("–")).iter_rows(named=True):
            yield _event("start", "correction", **row)

    def _ordered(self) -> Iterator[Event]:
        own = pl.col("realm_id") == self.me["realm_id"]
        counted = self._of("movements")["line"].to_list()
        about = pl.col("text").str.contains(rf"^\s*0*{self.me['number']}\s*,")
        lines = self.tables["order_lines"].filter(
            own & (about & (pl.col("status") != "comment") | pl.col("line").is_in(counted))
        )
        problems = self.tables["rejections"].filter(own)
        for row in lines.sort("line").iter_rows(named=True):
            kind = "line" if row["line"] in counted else f"line_{row['status']}"
            yield _event("orders", kind, **row)
            for problem in problems.filter(line=row["line"]).iter_rows(named=True):
                yield _event("orders", "problem", **problem)
        if lines.is_empty():
            yield _event("orders", "no_line")

    def _rolled(self, streams: tuple[Stream, ...]) -> Iterator[Event]:
        draws = self.tables["draws"].filter(
            pl.col("entity") == self.entity, pl.col("stream").is_in([int(s) for s in streams])
        )
        for row in draws.sort("stream", "index").iter_rows(named=True):
            stream = Stream(row["stream"]).name.lower()
            yield _event("dice", "draw", stream, what=EXPLAIN[stream][1], **row)

    def _lost(self, causes: tuple[str, ...]) -> Iterator[Event]:
        rows = self._of("losses").filter(pl.col("cause").cast(pl.String).is_in(causes))
        for row in rows.iter_rows(named=True):
            cause, left = row["cause"], row["troops_before"] - row["losses"]
            yield _event("losses", "loss", cause, what=EXPLAIN[cause][1], left=left, **row)

    def _moved(self) -> Iterator[Event]:
        planned = self._of("paths").sort("step")["hex_id"].to_list()
        for row in self._of("moves").iter_rows(named=True):
            walk = self._of("walks").sort("step")["hex_id"].to_list()
            path = " → ".join(_place(h) for h in (walk or [row["from_hex"], row["to_hex"]]))
            yield _event("movement", "planned", path=" → ".join(map(_place, planned)))
            yield _event("movement", "walked", path=path)
            yield from self._crossings([row["from_hex"], *planned])
            kind = "contact" if row["contact"] else "free"
            yield _event("movement", kind, place=_place(row["to_hex"]))

    def _crossings(self, path: list[int | None]) -> Iterator[Event]:
        """Rolls for who enters first, between the neighbours on this unit's way (stream 7)."""
        steps = [(a, b) for a, b in pairwise(path) if a and b]
        pairs = {(min(pair), max(pair)) for pair in steps}
        draws = self.tables["draws"].filter(stream=int(Stream.CROSSING))
        for row in draws.iter_rows(named=True):
            if (row["entity"], row["index"]) in pairs:
                yield _event("dice", "draw", "crossing", what=EXPLAIN["crossing"][1], **row)

    def _boarded(self) -> Iterator[Event]:
        for row in self._of("boardings").iter_rows(named=True):
            kind = "boarded" if row["boarded"] else "not_boarded"
            ship = self.names.get(row["ship_id"], row["ship_id"])
            yield _event("movement", kind, ship=ship, reason=row["reason"])

    def _did(self) -> Iterator[Event]:
        for row in self._of("deeds").iter_rows(named=True):
            places = {"place": _place(row["hex_id"]), "to": _place(row["to_hex"])}
            yield _event("deeds", row["deed"], **row, **places)

    def _fought(self) -> Iterator[Event]:
        by_hits = not self.tables["battle_armies"].is_empty()
        followed = self._of("deeds").filter(deed="pursued")["to_hex"]
        pursuits_last = pl.col("hex_id").is_in(followed.implode())
        fights = self._of("battle_units").sort(pursuits_last, "hex_id", "round")
        for row in fights.iter_rows(named=True):
            clash = {"hex_id": row["hex_id"], "round": row["round"]}
            yield _event("battle", "fight", place=_place(row["hex_id"]), round=row["round"])
            yield from (self._by_hits if by_hits else self._by_shares)(row, clash)
            if row["captured"]:
                captor = self.names.get(row["captor_id"], row["captor_id"])
                yield _event("battle", "captured_by", captor=captor)

    def _by_shares(self, me: Mapping[str, Any], clash: Mapping[str, object]) -> Iterator[Event]:
        for side in self.tables["battles"].filter(**clash).sort("party").iter_rows(named=True):
            yield self._side(side, clash, own=side["party"] == me["party"])
        yield _event("battle", "own_losses", **me, left=me["troops_before"] - me["losses"])

    def _side(self, side: Row, clash: Mapping[str, object], *, own: bool) -> Event:
        units = self.tables["battle_units"].filter(**clash, party=side["party"])
        decimals = {n: f"{side[n]:.2f}".replace(".", ",") for n in _SIDE_DECIMALS}
        return _event(
            "battle",
            "side",
            who=EXPLAIN["own_side" if own else "other_side"][1],
            units=", ".join(self.names.get(u, str(u)) for u in units["unit_id"]),
            troops=units["troops_before"].sum(),
            losses=units["losses"].sum(),
            overrun=EXPLAIN["overrun"][1] if side["overrun"] else "",
            **decimals,
        )

    def _by_hits(self, me: Mapping[str, Any], clash: Mapping[str, object]) -> Iterator[Event]:
        """A battle of the combat model hits: all strikes, then who falls, then the losses."""
        armies = self._armies(me, clash)
        for army in armies:
            yield _event("battle", "army", **army)
            yield _event("battle", "army_hits", **army)
        own = {key: armies[0][key] for key in ("hex_id", "army_id", "battle_no")}
        chosen = self.tables["battle_selections"].filter(**own)
        mine = chosen.filter(unit_id=self.unit_id)
        yield _event("battle", "selections", total=chosen.height, own=mine.height)
        yield from self._selected(mine)
        for army in armies:
            yield _event("battle", "army_losses", **army)
        left, leaders = me["troops_before"] - me["losses"], self.me["leaders"]
        yield _event("battle", "own_losses", "army_losses", **me, left=left)
        if leaders:
            yield _event("battle", "leaders_live" if left else "leaders_fall", leaders=leaders)
        if me["captured"]:
            yield _event("battle", "spared", fallen=me["troops_before"])

    def _armies(self, me: Row, clash: Mapping[str, object]) -> list[dict[str, Any]]:
        """The armies of a battle with the words for their numbers: own, allied, hostile ones."""
        fighters = self.tables["battle_units"].filter(**clash).join(self.realm_of, on="unit_id")
        beaten = self.tables["battles"].filter(**clash).filter("overrun")["party"]
        told: dict[str, list[dict[str, Any]]] = {"own": [], "allied": [], "hostile": []}
        for army in self.tables["battle_armies"].filter(hex_id=me["hex_id"]).iter_rows(named=True):
            units = fighters.filter(realm_id=army["realm_id"])
            party = units["party"][0]
            stance = "allied" if party == me["party"] else "hostile"
            if army["realm_id"] == self.me["realm_id"]:
                stance = "own"
            words = {
                "who": EXPLAIN[f"{stance}_army"][1],
                "units": ", ".join(self.names[unit] for unit in units["unit_id"]),
                "troops": units["troops_before"].sum(),
                "losses": units["losses"].sum(),
                "strength": _decimal(army["strength"]),
                "wiped_out": EXPLAIN["wiped_out"][1] if party in beaten else "",
            }
            told[stance].append(army | words)
        return [army for armies in told.values() for army in armies]

    def _selected(self, mine: pl.DataFrame) -> Iterator[Event]:
        """Every selection of a combatant of this unit, with its draws and chances."""
        entity = pl.col("army_id").cast(pl.UInt64) + pl.col("battle_no").cast(pl.UInt64) * 2**32
        drawn = mine.select("selection", entity=entity, index="selection").join(
            self.tables["draws"], on=["entity", "index"]
        )
        draws = drawn.rows_by_key("selection", named=True)
        for row in mine.drop_nulls("aw_ppm").iter_rows(named=True):
            rolls = {roll["stream"]: roll for roll in draws[row["selection"]]}
            yield _event("battle", "selected", **rolls[Stream.HITS_SELECTION])
            words = {"kk": _decimal(row["kk"]), "place": behind(row["fortification"])}
            yield _event("battle", "combatant", **row | words)
            for line in judged(row, {stream: roll["value"] for stream, roll in rolls.items()}):
                yield _event("battle", "judged", line=line)
            vp = HITS["vp"].format(
                before=_decimal(row["vp_before"]), after=_decimal(row["vp_after"])
            )
            yield _event("battle", "judged", line=vp)
        if mine["aw_ppm"].null_count():
            yield _event("battle", "not_noted")

    def _ended(self) -> Iterator[Event]:
        for row in self._of("fates").iter_rows(named=True):
            yield _event("end", "fate", fate=GAME_MASTER[row["fate"]])
        for row in self._of("units").iter_rows(named=True):
            yield _event("end", "after", **self._standing(row))
        if self._of("fallen").height:
            yield _event("end", "gone")

    # ── words ───────────────────────────────────────────────────────────────────────────────

    def _of(self, name: str, column: str = "unit_id") -> pl.DataFrame:
        return self.tables[name].filter(pl.col(column) == self.unit_id)

    def _standing(self, row: Row) -> dict[str, object]:
        """The words for troops and place of a row of `units`."""
        if row["hex_id"] is not None:
            where = EXPLAIN["ashore"][1].format(place=_place(row["hex_id"]))
        else:
            kind, bearer = (
                ("aboard", "carrier_id") if row["carrier_id"] else ("captive", "captor_id")
            )
            where = EXPLAIN[kind][1].format(unit=self.names.get(row[bearer], row[bearer]))
        return {"where": where, **{c: row[c] for c in ("unit_type", "troops", "leaders", "merit")}}


def _event(chapter: str, kind: str, rule: str | None = None, /, **words: object) -> Event:
    """The sentence `kind`; its paragraph is that of `rule` where it depends on what was rolled."""
    paragraph = EXPLAIN[rule or kind][0]
    return Event(EXPLAIN[chapter][1], paragraph, EXPLAIN[kind][1].format(**words))


def _decimal(value: float) -> str:
    return decimal(round(value * MICRO))


def _place(hex_id: object) -> str:
    return "–" if not isinstance(hex_id, int) else f"{hex_id // 100}/{hex_id % 100}"
