"""One unit's turn told in order; the numbers are those of the small game, worked out by hand."""

from pathlib import Path

import polars as pl
import pytest

from flows.explain import explain_unit
from flows.game import read_game
from flows.store import read_turn
from flows.turn import TurnRunner
from transforms.catalogue import EXPLAIN
from transforms.dice import Stream
from transforms.errors import InputError
from transforms.explain import TABLES, explain
from transforms.schema import shaped
from transforms.schema.turn_tables import DEEDS, LOSS_CAUSES


@pytest.fixture
def told(game: Path):
    """The sentences about a unit after turn 1 of the small game, with their paragraphs."""
    TurnRunner(read_game(game)).turn()
    return lambda name: [(e.text, e.paragraph) for e in explain_unit(read_game(game), 1, name)]


def test_order_roll_loss_way_battle_and_result_in_order(told) -> None:
    story = told("112@alt")
    assert story[:4] == [
        ("1800 Krieger, 1 Heerführer, 0 Gutpunkte, auf 207/14", ""),
        (
            "Zeile 2: 112,1800,1,207,14,20,a – verstanden: Heer 112: 207/14 → 207/20, Angriff",
            "2.1",
        ),
        ("Standverlust (Strom 1, Nummer 0): 1 aus 1 bis 5", "4.1"),
        ("Standverlust: 1 % von 1800 = 18, es bleiben 1782", "4.1"),
    ]
    assert ("Kontakt: durch fremde Truppen angehalten auf 207/20", "5.1") in story
    own, other = (text for text, _ in story if "Stärke" in text)
    assert own.startswith("eigene Seite: 112@ALT: 1782 Mann, Stärke 7,50, Schadensanteil 57,14 %")
    assert other.startswith("Gegenseite: 101@NEU, 102@NEU: 1400 Mann, Stärke 10,00")
    assert story[-1][0] == "764 Krieger, 1 Heerführer, 0 Gutpunkte, auf 207/20"


def test_a_unit_without_an_order(told) -> None:
    assert ("keine Zeile der Zugdatei nennt dieses Heer", "2.1") in told("101@NEU")


def test_lines_that_do_not_count_are_told_too(game: Path) -> None:
    path = game / "orders" / "1" / "ALT_SPZ.txt"
    path.write_text("113,900,1,207,14,20\n113,900,1,207,14,99\n113,900,1,207,14,27\n", "utf-8")
    TurnRunner(read_game(game)).turn()
    texts = [event.text for event in explain_unit(read_game(game), 1, "113@ALT")]
    assert "Zeile 2: 113,900,1,207,14,99 – abgelehnt" in texts
    assert sum("verstanden" in text for text in texts) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [("112", "<number>@<CODE>"), ("112@ALX", "unknown realm"), ("7@ALT", "no such unit")],
)
def test_what_is_refused(told, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        told(name)


def test_a_unit_that_fell_is_told_of_in_its_last_turn(played_demo: Path) -> None:
    settings = read_game(played_demo)
    with pytest.raises(InputError, match="no such unit in turn 3 or before it; it fell in turn 1"):
        explain_unit(settings, 3, "301@BER")
    assert explain_unit(settings, None, "301@BER") == explain_unit(settings, 1, "301@BER")
    assert explain_unit(settings, None, "101@NOR") == explain_unit(settings, 3, "101@NOR")


@pytest.mark.parametrize("cause", LOSS_CAUSES)
def test_every_loss_is_told(game: Path, cause: str) -> None:
    units = read_turn(game, 0, ["units"])["units"]
    row = {"unit_id": 1, "cause": cause, "troops_before": 10, "percent": 20, "losses": 2}
    texts = _texts(units, losses=pl.DataFrame([row]))
    assert any("20 % von 10 = 2, es bleiben 8" in text for text in texts)


@pytest.mark.parametrize("deed", DEEDS)
def test_every_deed_is_told(game: Path, deed: str) -> None:
    units = read_turn(game, 0, ["units"])["units"]
    quiet = len(_texts(units))
    assert len(_texts(units, deeds=pl.DataFrame([{"unit_id": 1, "deed": deed}]))) == quiet + 1


@pytest.mark.parametrize("stream", [s for s in Stream if s < Stream.CROSSING])
def test_every_draw_of_a_unit_is_told(game: Path, stream: Stream) -> None:
    units = read_turn(game, 0, ["units"])["units"]
    row = {"stream": int(stream), "entity": 65536 + 112, "index": 3, "lo": 1, "hi": 6, "value": 4}
    texts = _texts(units, draws=pl.DataFrame([row]))
    assert (
        f"{EXPLAIN[stream.name.lower()][1]} (Strom {int(stream)}, Nummer 3): 4 aus 1 bis 6" in texts
    )


def _texts(units: pl.DataFrame, **tables: pl.DataFrame) -> list[str]:
    """The story of unit 112@ALT with these rows and nothing else."""
    assert set(tables) <= set(TABLES)
    given = {name: shaped(name, table) for name, table in tables.items()}
    return [event.text for event in explain(units, given | {"units": units}, 1)]
