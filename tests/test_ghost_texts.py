"""Every sentence of the general and the national evaluation, word for word."""

import polars as pl
import pytest

from tests.ghost_world import centres, key, knowledge, nation_of, rules, units
from transforms import schema
from transforms.diplomacy.general import general_text
from transforms.diplomacy.german import Names
from transforms.diplomacy.national import national_texts
from transforms.diplomacy.phases import Phase, first_phase, next_phase

SPRING = Phase(1, 1901, "spring", "movement")
WINTER = Phase(3, 1901, "winter", "adjustment")
RETREATS = Phase(2, 1901, "spring", "retreat")
NAMES: Names = rules().names


def fought(**by_place: tuple[str, str | None]) -> dict[str, pl.DataFrame]:
    """fought(Bla=("OR R", None)): who wanted in, and who stands there (like "R F")."""
    battles, nations = [], []
    for place, (wanting, holder) in by_place.items():
        code, _, letter = (holder or "").partition(" ")
        owner = nation_of(code) if holder else None
        battles.append({"province": key(place), "nation": owner, "unit_type": letter or None})
        nations += [{"province": key(place), "nation": nation_of(c)} for c in wanting.split()]
    empty = {n: schema.schema_of(f"ghost.{n}") for n in ("battles", "battle_nations")}
    return {
        "battles": pl.DataFrame(battles, schema=empty["battles"]),
        "battle_nations": pl.DataFrame(nations, schema=empty["battle_nations"]),
    }


def general(phase: Phase = SPRING, **by_place: tuple[str, str | None]) -> str:
    return general_text(**fought(**by_place), names=NAMES, game="Probe", phase=phase)


class TestGeneral:
    def test_the_examples_of_the_format(self) -> None:
        assert general(Bur=("GB F D", "F A"), Bla=("R OR", None)) == (
            "Probe – Allgemeine Auswertung Frühjahr 1901\n"
            "\n"
            "Kämpfe in Bla, beteiligte Nationen: OR und R\n"
            "Bla bleibt unbesetzt.\n"
            "\n"
            "Kämpfe in Bur, beteiligte Nationen: D, F und GB\n"
            "A von F besetzt Bur.\n"
        )

    def test_one_nation(self) -> None:
        assert "beteiligte Nationen: D\nF von GB besetzt Nth." in general(Nth=("D", "GB F"))

    def test_nations_stand_in_their_order(self) -> None:
        wanting = "R OEU OR I GB F D"
        expected = "beteiligte Nationen: D, F, GB, I, OR, ÖU und R\n"
        assert expected in general(Bur=(wanting, None))

    def test_the_coast_is_not_told(self) -> None:
        assert "F von F besetzt Spa." in general(Spa=("GB", "F F"))

    @pytest.mark.parametrize("phase", [SPRING, WINTER, RETREATS])
    def test_no_battles(self, phase: Phase) -> None:
        assert general(phase).endswith("\n\nKeine Kämpfe.\n")


def national(
    *,
    position: pl.DataFrame,
    held: pl.DataFrame,
    reader: str = "GB",
    out: bool = False,
    phase: Phase = SPRING,
    waiting: bool = False,
    retreat_options: bool = False,
    **tables: list[dict[str, object]],
) -> str:
    """The text of one reader; tables as lists of rows."""
    names = ("orders", "results", "dislodged", "adjustments", "missing")
    frames = {
        name: schema.shaped(
            f"ghost.{name}",
            pl.DataFrame(tables[name]) if tables.get(name) else schema.empty(f"ghost.{name}"),
        )
        for name in names
    }
    texts = national_texts(
        readers=pl.DataFrame({"viewer": [nation_of(reader)], "out": [out]}),
        knowledge=knowledge(position, held),
        centres=held,
        **frames,
        names=NAMES,
        game="Probe",
        phase=phase,
        waiting=waiting,
        retreat_options=retreat_options,
    )
    return str(texts["text"].item())


def order(line: int, understood: str, kind: str, place: str, **more: object) -> dict[str, object]:
    row = {"nation": "ENGLAND", "line": line, "text": understood, "step": "movement"}
    row |= {"kind": kind, "province": key(place), "via": False, "status": "counted"}
    return row | {"understood": understood} | more


def result(place: str, kind: str, outcome: str, **more: object) -> dict[str, object]:
    row = {"province": key(place), "step": "movement", "nation": "ENGLAND", "unit_type": "A"}
    row |= {"kind": kind, "outcome": outcome, "dislodged": False, "destroyed": False}
    return row | more


def driven_out(place: str, to: str | None, **more: object) -> dict[str, object]:
    row = {"province": key(place), "nation": "ENGLAND", "unit_type": "A"}
    return row | {"retreated_to": to, "options": ["BOH", "SPA/NC"]} | more


def told(text: str) -> str:
    """What stands after the lists."""
    return text.rpartition("\n\n")[2]


HERE = {"position": units(GB="A Mun, A Tyr"), "held": centres(GB="Mun")}


class TestNational:
    def test_the_example_of_the_format(self) -> None:
        text = national(
            position=units(GB="F Nth, F Nrg, A Yor", F="F Eng", D="F Den"),
            held=centres(GB="Edi, Lon, Lpl"),
            orders=[order(1, "A Lpl-Yor", "move", "Lpl", target="YOR")],
            results=[result("Lpl", "move", "succeeds")],
        )
        assert text == (
            "Probe – Nationale Auswertung Frühjahr 1901: GB\n"
            "\n"
            "Eigene Einheiten: F Nrg, F Nth, A Yor\n"
            "Eigene VZ: Edi, Lon, Lpl\n"
            "Fremde Einheiten: D-F in Den, F-F in Eng\n"
            "Frei sind: Bar, Bel, Cly, Edi, Hel, Hol, Iri, Lon, Lpl, Nat, Nwy, Ska, Wal\n"
            "Keine landfremde Einheit in: keine\n"
            "\n"
            "Züge:\n"
            "A Lpl-Yor: ausgeführt\n"
        )

    def test_coasts_and_half_seen_provinces(self) -> None:
        text = national(
            position=units(OEU="A Vie", R="F StP(sc), A Ukr", GB="A Fin"),
            held=centres(OEU="Vie, Bud, Tri"),
            reader="OEU",
        )
        assert "Keine landfremde Einheit in: Mun, Pie, Sil, Ukr, War\n" in text
        seen = national(position=units(GB="A Fin", R="F StP(sc)"), held=centres(GB="Lon"))
        assert "R-F in StP(sc)" in seen

    def test_orders_are_told_by_their_unit(self) -> None:
        text = national(
            **HERE,
            orders=[
                order(4, "A Ven-Tri", "move", "Ven"),
                order(3, "A Tyr S A Ven-Tri", "support", "Tyr"),
                order(2, "F Nth C A Lon-Bel", "convoy", "Nth"),
                order(1, "A Lon-Bel VIA", "move", "Lon"),
            ],
            results=[
                result("Ven", "move", "fails"),
                result("Tyr", "support", "cut"),
                result("Nth", "convoy", "disrupted", unit_type="F"),
                result("Lon", "move", "illegal"),
                result("Mun", "hold", "stands"),
            ],
        )
        assert told(text) == (
            "Züge:\n"
            "A Lon-Bel VIA: nicht ausgeführt\n"
            "A Mun H\n"
            "F Nth C A Lon-Bel\n"
            "A Tyr S A Ven-Tri\n"
            "A Ven-Tri: nicht ausgeführt\n"
        )

    @pytest.mark.parametrize(
        ("to", "expected"),
        [
            ("BOH", "A Mun: vertrieben, Rückzug nach Boh"),
            ("SPA/NC", "A Mun: vertrieben, Rückzug nach Spa(nc)"),
            (None, "A Mun: vertrieben, aufgelöst"),
        ],
    )
    def test_a_unit_that_was_driven_out(self, to: str | None, expected: str) -> None:
        text = national(
            **HERE,
            orders=[order(1, "A Mun-Ruh", "move", "Mun", target="RUH")],
            results=[result("Mun", "move", "fails", dislodged=True)],
            dislodged=[driven_out("Mun", to)],
        )
        assert told(text) == f"Züge:\n{expected}\n"

    def test_waiting_for_retreat_orders(self) -> None:
        given = {
            **HERE,
            "results": [result("Mun", "hold", "fails", dislodged=True)],
            "dislodged": [driven_out("Mun", None)],
            "waiting": True,
        }
        assert told(national(**given)) == "Züge:\nA Mun: vertrieben, Rückzug steht aus\n"
        options = told(national(**given, retreat_options=True))
        assert options == "Züge:\nA Mun: vertrieben, Rückzug möglich nach: Boh, Spa(nc)\n"

    def test_no_options_are_told_unless_wanted(self) -> None:
        rows = [driven_out("Mun", None), driven_out("Mun", None, options=[])]
        texts = {
            national(
                **HERE,
                results=[
                    result("Mun", "hold", "fails", dislodged=True, destroyed=not row["options"])
                ],
                dislodged=[row],
                waiting=True,
            )
            for row in rows
        }
        assert len(texts) == 1  # also that there is no way out

    def test_a_retreat_step_of_its_own(self) -> None:
        text = national(**HERE, phase=RETREATS, dislodged=[driven_out("Mun", "BOH")])
        assert text.startswith("Probe – Nationale Auswertung Rückzüge Frühjahr 1901: GB\n")
        assert told(text) == "Züge:\nA Mun: vertrieben, Rückzug nach Boh\n"
        assert told(national(**HERE, phase=RETREATS)) == "Züge: keine\n"

    def test_without_a_file(self) -> None:
        text = national(
            **HERE,
            results=[
                result("Mun", "hold", "stands"),
                result("Tyr", "hold", "fails", dislodged=True),
            ],
            dislodged=[driven_out("Tyr", None)],
            missing=[{"nation": "ENGLAND"}],
        )
        assert told(text) == (
            "Züge:\nKeine Züge eingegangen, alle Einheiten halten.\nA Tyr: vertrieben, aufgelöst\n"
        )

    def test_rejected_and_replaced_lines(self) -> None:
        text = national(
            **HERE,
            orders=[
                order(1, "A Mun-Ruh", "move", "Mun", status="replaced", text=" a mun-ruh "),
                order(2, "A Mun H", "hold", "Mun"),
                order(3, "", "hold", "Mun", status="rejected", text="Blub", reason="kein Befehl"),
            ],
            results=[result("Mun", "hold", "stands")],
        )
        assert told(text) == (
            "Züge:\n"
            "A Mun H\n"
            "Zeile 1: a mun-ruh – ersetzt durch Zeile 2\n"
            "Zeile 3: Blub – nicht verstanden: kein Befehl\n"
        )

    def test_winter(self) -> None:
        def adjusted(kind: str, unit: str, distance: int | None = None) -> dict[str, object]:
            letter, _, place = unit.partition(" ")
            row = {"nation": "ENGLAND", "kind": kind, "unit_type": letter}
            return row | {"province": key(place), "distance": distance}

        text = national(
            **HERE,
            phase=WINTER,
            adjustments=[
                adjusted("built", "A Mun") | {"coast": None},
                adjusted("disbanded", "F Nth"),
                adjusted("disorder", "A Pru", 3),
            ],
        )
        assert told(text) == (
            "Bilanz: 1 VZ, 3 Einheiten\n"
            "Aufgebaut: A Mun\n"
            "Aufgelöst: F Nth\n"
            "Ohne Befehl aufgelöst: A Pru (Entfernung 3)\n"
        )
        assert told(national(**HERE, phase=WINTER)) == (
            "Bilanz: 1 VZ, 2 Einheiten\n"
            "Aufgebaut: keine\n"
            "Aufgelöst: keine\n"
            "Ohne Befehl aufgelöst: keine\n"
        )

    def test_a_nation_that_is_out(self) -> None:
        text = national(position=units(F="A Par"), held=centres(F="Par"), out=True)
        assert text.splitlines()[:5] == [
            "Probe – Nationale Auswertung Frühjahr 1901: GB",
            "",
            "Eure Nation ist ausgeschieden.",
            "Eigene Einheiten: keine",
            "Eigene VZ: keine",
        ]

    def test_row_order_does_not_matter(self) -> None:
        orders = [order(1, "A Mun H", "hold", "Mun"), order(2, "A Tyr H", "hold", "Tyr")]
        results = [result("Tyr", "hold", "stands"), result("Mun", "hold", "stands")]
        one = national(**HERE, orders=orders, results=results)
        assert one == national(**HERE, orders=orders[::-1], results=results[::-1])


class TestPhases:
    def test_three_steps_a_year(self) -> None:
        phase, titles = first_phase(1901), []
        for _ in range(4):
            phase = next_phase(phase, "in_advance")
            titles.append(phase.title)
        assert titles == ["Frühjahr 1901", "Herbst 1901", "Winter 1901", "Frühjahr 1902"]

    def test_five_with_retreats_of_their_own(self) -> None:
        phase, titles = first_phase(1901), []
        for _ in range(5):
            phase = next_phase(phase, "separate")
            titles.append(phase.title)
        assert titles == [
            "Frühjahr 1901",
            "Rückzüge Frühjahr 1901",
            "Herbst 1901",
            "Rückzüge Herbst 1901",
            "Winter 1901",
        ]
