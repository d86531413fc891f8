"""What players write, and what it is taken for; every reason tells only what its reader knows."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.ghost_batch import read_texts
from flows.ghost_map import read_board
from tests.diplomacy.datc import full, unit_rows
from transforms.diplomacy.names import name_table, nearest_places
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.rulings import Rulings

BOARD = read_board("standard")
OURS = {
    "ENGLAND": ["A LVP", "A YOR", "F NTH", "F LON", "F STP/SC", "F MAO", "F TYS", "A MUN", "F EDI"],
}
THEIRS = {"RUSSIA": ["A SIL", "F SWE"], "GERMANY": ["A BOH", "F DEN"]}


def read(
    *texts: str,
    step: str = "movement",
    units: dict[str, list[str]] | None = None,
    centres: dict[str, list[str]] | None = None,
    waiting: dict[str, list[str]] | None = None,
    nation: str = "ENGLAND",
) -> pl.DataFrame:
    """The lines of one nation as orders."""
    lines = [
        {"phase_id": 1, "line": n, "nation": nation, "text": text, "step": None}
        for n, text in enumerate(texts, start=1)
    ]
    standing = OURS | THEIRS if units is None else units
    tables = {
        "phases": pl.DataFrame([{"phase_id": 1, "step": step, "season": "autumn"}]),
        "units": pl.DataFrame(unit_rows(standing, 1), infer_schema_length=None),
        "orders": pl.DataFrame(lines),
        "centres": pl.DataFrame(
            [
                {"phase_id": 1, "province": p, "nation": n}
                for n, provinces in (centres or {"RUSSIA": ["MOS"]}).items()
                for p in provinces
            ]
        ),
    }
    if waiting:
        tables["dislodged"] = pl.DataFrame(unit_rows(waiting, 1))
    return read_texts(BOARD, Rulings(), full(tables))


def told(*texts: str, **more: object) -> list[str]:
    """Per line what it is understood as, or the reason why it is not possible."""
    orders = read(*texts, **more)  # type: ignore[arg-type]
    return [reason or text for text, reason in orders.select("understood", "reason").iter_rows()]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        # the project's own notation
        ("A Lpl-Yor", "A Lpl-Yor"),
        ("A Yor-Bel VIA", "A Yor-Bel VIA"),
        ("F Lon-Yor VIA", "F Lon-Yor"),
        ("A Mun H", "A Mun H"),
        ("A Mun S A Boh-Tyr", "A Mun S A Boh-Tyr"),
        ("F Nth C A Yor-Bel", "F Nth C A Yor-Bel"),
        ("A Mun R Tyr", "A Mun R Tyr"),
        # dashes, blanks, case, ends
        ("a lpl – yor", "A Lpl-Yor"),
        ("A  LVP -> YOR.", "A Lpl-Yor"),
        ("Lpl-Yor", "A Lpl-Yor"),
        ("A Liverpool - Yorkshire;", "A Lpl-Yor"),
        ("A Lpl → Yor", "A Lpl-Yor"),
        ("A Lpl−Yor!", "A Lpl-Yor"),
        # German
        ("Armee München nach Böhmen", "A Mun-Boh"),
        ("A Muenchen zieht nach Tirol", "A Mun-Tyr"),
        ("A Mun hält", "A Mun H"),
        ("A Mun hld", "A Mun H"),
        ("A Mar xxx", "in Mar steht keine eigene Einheit"),
        ("A Mun xxx", "A Mun H"),
        ("F Nordsee unterstützt Flotte Dänemark – Helgoländer Bucht", "F Nth S F Den-Hel"),
        ("A Mun U A Boh", "A Mun S A Boh"),
        ("Flotte Nordsee K A Yor - Nor", "F Nth C A Yor-Nwy"),
        ("A Yor - Nwy per Konvoi", "A Yor-Nwy VIA"),
        ("F St. Petersburg Südküste nach Bottnischer Meerbusen", "F StP(sc)-Bot"),
        ("A Mun Rückzug nach Tirol", "A Mun R Tyr"),
        ("A Mun > Tyr", "A Mun R Tyr"),
        ("A Mun ex", "D A Mun"),
        ("A Mun aufgelöst", "D A Mun"),
        # English
        ("F English Channel - Brest", "in Eng steht keine eigene Einheit"),
        ("F Mid-Atlantic Ocean - Spain (south coast)", "F Mat-Spa(sc)"),
        ("A Mun holds", "A Mun H"),
        ("F North Sea convoys A Yorkshire - Norway", "F Nth C A Yor-Nwy"),
        ("A Mun supports A Boh to Tyr", "A Mun S A Boh-Tyr"),
        ("A Mun S to Tyr from Boh", "A Mun S Boh-Tyr"),
        ("A Yor - Nth - Nwy", "A Yor-Nwy VIA"),
        ("A MUN R TYR", "A Mun R Tyr"),
        ("A MUN D", "D A Mun"),
        # coasts: a letter alone is one only after /, in brackets or glued
        ("F StP/sk - Bot", "F StP(sc)-Bot"),
        ("F PeS-BOT", "F StP(sc)-Bot"),
        ("F Mat - SpN", "F Mat-Spa(nc)"),
        ("F Mat - Spa/n", "F Mat-Spa(nc)"),
        ("F Mat - SpaS", "F Mat-Spa(sc)"),
        ("F Mat - Spa nc", "F Mat-Spa(nc)"),
        ("F Mat S F Gas-Spa", "F Mat S F Gas-Spa"),
        ("F Mat S Spa", "F Mat S Spa"),
        ("F Mat-Spa", "bitte die Küste von Spa nennen"),
        ("F StP/nc - Bot", "F StP(sc)-Bot"),
        ("A Lpl-Yor/nc", "A Lpl-Yor"),
        ("F StP-Bar", "F StP(sc) kann nicht nach Bar ziehen"),
        # letters: one's own are known, others' are repeated as written
        ("F Mun - Boh", "A Mun-Boh"),
        ("F Mun S F Boh - Tyr", "A Mun S F Boh-Tyr"),
        ("A Mun S Boh - Tyr", "A Mun S Boh-Tyr"),
        # names with several meanings
        ("F Tyr - Nap", "F Tys-Nap"),
        ("A Mun S F Tyr", "A Mun kann nicht nach Tys ziehen und dort nicht unterstützen"),
        ("A Mun - Tyr", "A Mun-Tyr"),
        ("F Nor - Nwy", "F Nth-Nwy"),
        ("F Edi - Nor", "mehrdeutig: Nrg oder Nth?"),
        ("A Mun - Sch", "A Mun-Sil"),
        ("A Yor S A Liv", "A Yor S A Lpl"),
        ("A Mun - Liv", "mehrdeutig: Lpl oder Lvn?"),
        # whose unit: a nation's adjective, glued or not
        ("A Mun S GeA", "A Mun S A Boh"),
        ("A Mun SRuA", "A Mun S A Sil"),
        ("A Mun S RuA Sil-Boh", "A Mun S A Sil-Boh"),
        ("F Nth S D-F in Den", "F Nth S F Den"),
        ("F StP S RuF Swe - Fin", "F StP(sc) S F Swe-Fin"),
        ("A Mun S GeF", "bitte das Gebiet der unterstützten Einheit nennen"),
        # not possible
        ("A Lpl-Iri", "A Lpl kann nicht nach Iri ziehen"),
        ("A Lpl-Lpl", "die Einheit steht schon in Lpl"),
        ("F Lon-Bel", "F Lon kann nicht nach Bel ziehen"),
        ("A Mun-Ber VIA", "von Mun nach Ber gibt es keinen Seeweg"),
        ("F Lon S F Nth-Bel", "F Lon kann nicht nach Bel ziehen und dort nicht unterstützen"),
        ("A Mun S A Mun", "eine Einheit kann sich nicht selbst helfen"),
        ("A Yor S A Mun - Lon", "A Mun kann nicht nach Lon ziehen"),
        ("F Lon C A Yor-Bel", "nur eine Flotte auf See kann Armeen befördern"),
        ("F Nth C F Lon-Bel", "nur Armeen an einer Küste können befördert werden"),
        ("F Nth C A Mun-Bel", "nur Armeen an einer Küste können befördert werden"),
        ("F Nth C A Rum-Sev", "über Nth führt kein Seeweg von A Rum nach Sev"),
        ("B A Lon", "Auf- und Abbau gibt es nur im Winter"),
        # names that no place has: as written, with the one that is nearest
        ("A Lpl - Xyz", "das Gebiet „Xyz“ gibt es nicht"),
        ("A Lpl–YorkShir", "das Gebiet „YorkShir“ gibt es nicht; gemeint Yor (Yorkshire)?"),
        ("F Nth C A Münchn->Bel", "das Gebiet „Münchn“ gibt es nicht; gemeint Mun (München)?"),
        ("F Nordse. - Bel", "das Gebiet „Nordse“ gibt es nicht; gemeint Nth (Nordsee)?"),
        ("F Lon - StPx(nc)", "das Gebiet „StPx“ gibt es nicht; gemeint StP (St. Petersburg)?"),
        ("A Lpl - Lix", "das Gebiet „Lix“ gibt es nicht"),  # Liv, Lpl, Lon: several are as near
        ("A Lpl - Yrok", "das Gebiet „Yrok“ gibt es nicht; gemeint Yor (Yorkshire)?"),
        ("Was soll das", "diesen Befehl kenne ich nicht"),
        ("F Nth-Irische Se", "diesen Befehl kenne ich nicht; gemeint Iri (Irische See)?"),
        (
            "F Tyrhenisches Mer H",
            "diesen Befehl kenne ich nicht; gemeint Tys (Tyrrhenisches Meer)?",
        ),
        ("A Mun", "diesen Befehl kenne ich nicht"),
        ("A Par - Bur", "in Par steht keine eigene Einheit"),
    ],
)
def test_one_line(text: str, understood: str) -> None:
    assert told(text) == [understood]


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("B F StP(nc)", "B F StP(nc)"),
        ("+F StN", "B F StP(nc)"),
        ("F STP/NC B", "B F StP(nc)"),
        ("Aufbau Armee Moskau", "B A Mos"),
        ("B Mos", "B A Mos"),
        ("B War", "bitte A oder F nennen"),
        ("B F StP", "bitte die Küste von StP nennen"),
        ("B F Mos", "in Mos kann keine Flotte gebaut werden"),
        ("B A Ber", "Ber ist kein VZ des eigenen Heimatlandes"),
        ("B A Sev", "das VZ Sev ist nicht in eigener Hand"),
        ("B A War", "in War steht schon eine Einheit"),
        ("D A War", "es ist nichts aufzulösen"),
        ("A Mos-Sev", "im Winter gibt es nur Auf- und Abbau"),
        ("/", "/"),
        ("waive", "/"),
    ],
)
def test_winter_line(text: str, understood: str) -> None:
    centres = {"RUSSIA": ["STP", "MOS", "WAR", "BER"], "TURKEY": ["SEV"]}
    units = {"RUSSIA": ["A WAR"]}
    if text == "B War":
        units, understood = {"RUSSIA": ["A LVN"]}, "B A War"  # inland: nothing else is possible
    found = told(text, step="adjustment", nation="RUSSIA", units=units, centres=centres)
    assert found == [understood]


def test_builds_are_taken_line_by_line() -> None:
    centres = {"RUSSIA": ["STP", "MOS", "WAR", "SEV"]}
    lines = ["B F Mos", "B A Mos", "B A Mos", "/", "B A War", "B A Sev"]
    orders = read(
        *lines, step="adjustment", nation="RUSSIA", units={"RUSSIA": ["A LVN"]}, centres=centres
    )
    assert orders.select("status", "reason").rows() == [
        ("rejected", "in Mos kann keine Flotte gebaut werden"),
        ("counted", None),
        ("rejected", "Mos wurde schon genannt"),
        ("counted", None),
        ("counted", None),
        ("rejected", "die Anzahl 3 ist schon erreicht"),
    ]


def test_the_last_possible_line_counts() -> None:
    orders = read("A Lpl-Yor", "A Lpl-Wal", "A Lpl-Iri", "F Lon H")
    assert orders["status"].to_list() == ["replaced", "counted", "rejected", "counted"]


def test_retreats_in_advance_are_preferences() -> None:
    orders = read("A Mun H", "A Mun R Tyr", "A Mun R Boh", "A Mun ex", "A Mun R Iri")
    assert orders["step"].to_list() == ["movement", *["retreat"] * 4]
    assert orders["preference"].to_list() == [None, 1, 2, 3, None]
    assert orders["status"].to_list() == ["counted"] * 4 + ["rejected"]


def test_in_a_retreat_step_a_move_is_a_retreat() -> None:
    found = told(
        "A Mun - Tyr",
        "F Nth H",
        "F Lon R Yor",
        step="retreat",
        waiting={"ENGLAND": ["A MUN"]},
    )
    assert found == [
        "A Mun R Tyr",
        "jetzt sind nur Rückzüge möglich",
        "in Lon wartet keine eigene Einheit auf den Rückzug",
    ]


def test_only_what_the_reader_sees_decides() -> None:
    """Other nations' units change neither what a line is taken for nor any reason."""
    texts = [
        "A Mun S RuA",
        "A Mun S A Sil",
        "A Yor-Nwy",
        "F Nth C A Nwy-Bel",
        "F StP S F Fin",
        "F Edi-Nor",
        "A Lpl-Bel VIA",
        "F Mat S F Gas-Spa",
    ]
    lines = pl.DataFrame(
        {"phase_id": 1, "nation": "ENGLAND", "line": range(1, 9), "text": texts, "step": None}
    )
    answers = []
    for others in ({}, THEIRS, {"RUSSIA": ["F SIL", "A NWY"], "FRANCE": ["A GAS", "F FIN"]}):
        tables = full(
            {
                "phases": pl.DataFrame([{"phase_id": 1, "step": "movement", "season": "spring"}]),
                "units": pl.DataFrame(unit_rows(OURS | others, 1), infer_schema_length=None),
                "orders": lines,
            }
        )
        seen = tables["units"].head(0).with_columns(viewer=pl.lit(None, pl.String))
        answers.append(
            read_orders(
                BOARD,
                phases=tables["phases"],
                lines=tables["orders"],
                units=tables["units"],
                dislodged=tables["dislodged"],
                centres=tables["centres"],
                seen=seen,
            )
        )
    assert answers[0].equals(answers[1])
    assert answers[0].equals(answers[2])


def test_two_swapped_letters_hide_no_name() -> None:
    """Whatever neighbours are swapped in a name of at least four letters, it is suggested."""
    names = name_table(BOARD).select("word", "province").unique().sort("word", "province")
    long = names.filter(pl.col("word").str.len_chars() >= 4, pl.col("word").is_unique())
    typos = {
        word[:i] + word[i + 1] + word[i] + word[i + 2 :]: province
        for word, province in long.iter_rows()
        for i in range(len(word) - 1)
    }
    for word in names["word"]:
        typos.pop(word, None)  # that is a name, too
    suggested = dict(nearest_places(BOARD, pl.Series(list(typos))).iter_rows())
    assert suggested == typos


@settings(max_examples=15)
@given(st.text("lmnrtyzÄÖÜßäöüLMNRTYZ", min_size=3, max_size=12))
def test_any_name_is_known_or_repeated(name: str) -> None:
    """An unknown name is repeated letter by letter; what is suggested is on the map.

    No word of the grammar can be written with these letters.
    """
    for line in (f"A {name} H", f"A Lpl–{name}", f"F Nth C A {name}->Bel"):
        head, is_strange, rest = told(line)[0].partition("das Gebiet „")
        if is_strange:
            repeated, _, rest = rest.partition("“ gibt es nicht")
            assert not head
            assert repeated in line
            abbr, _, full_name = rest.removeprefix("; gemeint ").removesuffix(")?").partition(" (")
            assert not rest or BOARD.provinces.filter(abbr=abbr, de=full_name).height == 1
