"""One unit's turn in a game with the combat model hits; the numbers are those of the scenarios."""

import re
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from flows.steps import STEPS
from tests.runner import run_steps
from tests.scenarios.world import TURN, rules_of, world_of
from tests.small_rules import small_rules
from tests.test_reference import PLAYED
from tests.worlds import archipelago, frames, small_turn
from transforms.catalogue import EXPLAIN
from transforms.explain import Event, explain

Tables = dict[str, pl.DataFrame]
SCENARIOS = Path(__file__).parent / "scenarios"
FIGHT = """
[rules]
combat_model = "hits"
decisions = "evaluate"
training = "realise"
[realms]
ALT = {}
NEU = {}
"""


def played(text: str) -> tuple[Tables, Tables]:
    """The tables of a scenario before its turn and after it."""
    scenario = tomllib.loads(text)
    rules = rules_of(scenario)
    start = world_of(scenario, rules)
    return start, run_steps(start, STEPS, rules=rules, turn=TURN)


def story(turn: tuple[Tables, Tables], unit_id: int) -> list[tuple[str, str]]:
    """What is told of the battles of a unit, with the paragraphs."""
    events = explain(turn[0]["units"], turn[1], unit_id)
    return [(e.text, e.paragraph) for e in events if e.chapter == EXPLAIN["battle"][1]]


def fought(name: str) -> tuple[Tables, Tables]:
    return played((SCENARIOS / f"{name}.toml").read_text(encoding="utf-8"))


def unit(name: str, troops: int, at: str, **more: Any) -> str:
    words = "".join(f"{key} = {value!r}\n" for key, value in more.items())
    return f'[[units]]\nid = "{name}"\ntype = "Krieger"\ntroops = {troops}\nat = "{at}"\n{words}'


def test_a_battle_from_the_strikes_to_the_losses() -> None:
    # worked out roll by roll in the scenario; 1 000 + 1 000 + 500 troops are three of KK 2
    assert story(fought("hits_1_strikes_and_losses"), 2) == [
        ("auf 207/14, Runde 1", "6"),
        ("eigene Armee: 101@NEU: 2500 Mann, gesKK 6, Schläge 6", "Quelle 3, 1"),
        ("  Treffer 1, erhaltene VP 2", "Quelle 3, 2"),
        ("feindliche Armee: 101@ALT: 20000 Mann, gesKK 20, Schläge 20", "Quelle 3, 1"),
        ("  Treffer 2, erhaltene VP 1", "Quelle 3, 2"),
        ("Auswahlen der eigenen Armee: 2, davon dieses Heer: 2", "Quelle 3, 3"),
        ("Auswahl (Strom 12, Nummer 0): Platz 1 aus 0 bis 2", "Quelle 3, 3"),
        ("  Einheit 2: 1000 Mann, KK 2", ""),
        ("  Neuauswahl: keine Deckung, also keine", ""),
        ("  Abwehr: β 15 %, δ 0 %, AW 27,75 %, Wort 202565985 = 4,72 % → abgewehrt", ""),
        ("  VP: 2 → 1", ""),
        ("Auswahl (Strom 12, Nummer 1): Platz 2 aus 0 bis 2", "Quelle 3, 3"),
        ("  Einheit 3: 500 Mann, KK 2", ""),
        ("  Neuauswahl: keine Deckung, also keine", ""),
        ("  Abwehr: β 15 %, δ 1 %, AW 29,44 %, Wort 2146075600 = 49,97 % → sie stirbt", ""),
        ("  VP: 1 → 0", ""),
        ("eigene Armee: Verluste 500 von 2500 Mann", "Quelle 3, 3"),
        ("feindliche Armee: Verluste 1000 von 20000 Mann", "Quelle 3, 3"),
        ("dieses Heer: 2500 Mann, Gelände 100 %, Verluste 500, es bleiben 2000", "Quelle 3, 3"),
        ("Heerführer leben alle (1); sie fallen nur mit dem Heer", "5.3"),
    ]


def test_who_is_wiped_out_is_spared_as_a_captive_or_falls_with_its_leaders() -> None:
    turn = fought("hits_2_wiped_out_and_captured")
    assert story(turn, 2)[-5:] == [
        ("feindliche Armee: Verluste 1000 von 100000 Mann", "Quelle 3, 3"),
        ("dieses Heer: 300 Mann, Gelände 75 %, Verluste 0, es bleiben 300", "Quelle 3, 3"),
        ("Heerführer leben alle (1); sie fallen nur mit dem Heer", "5.3"),
        ("als Gefangene bleiben die 300 Mann dieses Heers am Leben", "6.7"),
        ("gefangengenommen von 101@ALT", "6.7"),
    ]
    fallen = story(turn, 3)
    assert fallen[-2:] == [
        ("dieses Heer: 2000 Mann, Gelände 75 %, Verluste 2000, es bleiben 0", "Quelle 3, 3"),
        ("Heerführer fallen mit dem Heer (1)", "5.3"),
    ]
    assert ("eigene Armee: Verluste 2000 von 2300 Mann, vernichtet", "Quelle 3, 3") in fallen
    assert ("  VP: 9 → 8,25", "") in fallen


def test_walls_protect_twice() -> None:
    # five of KK 2 in the castle, selected six times and spared each time; β is 0.15 + 0.10
    turn = fought("hits_3_castle")
    texts = [text for text, _ in story(turn, 2)]
    assert "Auswahlen der eigenen Armee: 19, davon dieses Heer: 6" in texts
    assert sum("KK 2, in der Burg" in text for text in texts) == 6
    assert sum("Neuauswahl: Chance 60 %" in text and "verschont" in text for text in texts) == 6
    others = [text for text, _ in story(turn, 1)]
    assert sum("Abwehr: β 25 %" in text for text in others) == 4
    assert sum("Abwehr: β 15 %" in text for text in others) == 3  # 8, 9 and 10 stand outside
    assert sum("in der Burg" in text for text in others) == 10


def test_a_unit_in_training_fights_with_half_its_kk() -> None:
    crowd = [unit("ALT 112", 9000, "207/14", ready_on=4970), unit("NEU 101", 90_000, "207/14")]
    turn = played(FIGHT + "".join(crowd) + '[orders]\nNEU = "101,90000,1,207,14,a"\n')
    told = story(turn, 1)
    assert ("eigene Armee: 112@ALT: 9000 Mann, gesKK 4,5, Schläge 5", "Quelle 3, 1") in told
    selected = [text for text, _ in told if text.startswith("  Einheit")]
    assert selected
    assert all(text.endswith("KK 0,5") for text in selected)


def test_contact_without_an_attack_is_no_battle() -> None:
    crowd = unit("ALT 101", 9000, "207/13") + unit("NEU 101", 9000, "207/20")
    turn = played(FIGHT + crowd + '[orders]\nALT = "101,9000,1,207,13,20,v"\n')
    told = [event.text for event in explain(turn[0]["units"], turn[1], 1)]
    assert "Kontakt: durch fremde Truppen angehalten auf 207/20" in told
    assert not story(turn, 1)


HUNT = (
    unit("ALT 101", 90_000, "207/27")
    + unit("NEU 101", 9000, "207/13")
    + unit("NEU 102", 100, "207/20")
    + '[orders]\nALT = "101,90000,1,207,27,20,n"\nNEU = "101,9000,1,207,13,20,r"\n'
)


@pytest.mark.parametrize(("model", "troops"), [("hits", "90000"), ("share", "200000")])
def test_a_hunter_fights_twice_and_is_told_so_in_this_order(model: str, troops: str) -> None:
    text = FIGHT.replace('combat_model = "hits"', f'combat_model = "{model}"')
    turn = played(text + HUNT.replace("90000", troops))
    # NEU 101 goes back to 207/13, the lower hex; NEU 102 is wiped out before it is followed there
    assert [text for text, paragraph in story(turn, 1) if paragraph == "6"] == [
        "auf 207/20, Runde 1",
        "auf 207/13, Runde 1",
    ]


def test_a_hunter_rolls_other_dice_the_second_time() -> None:
    turn = played(FIGHT + HUNT)
    told = story(turn, 1)
    own = [text for text, _ in told if text.startswith("eigene Armee: 101@ALT")]
    assert own == ["eigene Armee: 101@ALT: 90000 Mann, gesKK 90, Schläge 90"] * 2
    hits = turn[1]["battle_armies"].filter(realm_id=1).sort("battle_no")
    assert hits["hex_id"].to_list() == [20720, 20713]
    strikes = turn[1]["draws"].filter(stream=10, entity=65536 + 101 + 2**32)
    assert strikes.height == 90
    hunted = [text for text, _ in story(turn, 2) if text.startswith("  Abwehr")]
    assert len(hunted) == turn[1]["battle_selections"].filter(unit_id=2).height > 0


def test_an_ally_is_told_apart_from_the_own_army() -> None:
    crowd = "".join(unit(f"{code} 101", 5000, "207/14") for code in ("ALT", "NEU", "MIT"))
    head = '[rules]\ncombat_model = "hits"\n[realms]\nALT = {}\nNEU = {}\nMIT = {}\n'
    turn = played(head + 'allies = [["ALT", "MIT"]]\n' + crowd)
    who = [text.split(":")[0] for text, _ in story(turn, 3) if "gesKK" in text]
    assert who == ["eigene Armee", "verbündete Armee", "feindliche Armee"]


def test_a_turn_of_the_first_version_is_told_without_chances() -> None:
    start, end = fought("hits_1_strikes_and_losses")
    lost = ("troops", "kk", "fortification", "cover_ppm", "base_ppm", "delta_ppm", "aw_ppm")
    old = end["battle_selections"].with_columns(pl.lit(None).alias(name) for name in lost)
    texts = [text for text, _ in story((start, end | {"battle_selections": old}), 2)]
    assert EXPLAIN["not_noted"][1] in texts
    assert not any(text.startswith("Auswahl (") for text in texts)


# ── for any world ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(4))
def test_what_is_told_adds_up_to_the_tables(seed: int) -> None:
    rules = small_rules(combat_model="hits", decisions=("ignore", "evaluate")[seed % 2])
    start = frames(archipelago(seed, 5, rules))
    end = run_steps(start, PLAYED, rules, small_turn(seed + 1))
    assert end["battle_units"].height > 3
    for (unit_id,), rows in end["battle_units"].partition_by("unit_id", as_dict=True).items():
        events = explain(start["units"], end, int(unit_id))
        told = [e for e in events if e.chapter == EXPLAIN["battle"][1]]
        gone = end["losses"].filter(unit_id=unit_id)
        sums = [gone["troops_before"].sum(), gone["losses"].sum()]
        assert _sums(events, r" % von (\d+) = (\d+), es bleiben") == sums
        lost = [(r["troops_before"], r["losses"]) for r in rows.iter_rows(named=True)]
        assert sorted(_own(told)) == sorted(lost)
        spared = rows.filter("captured")["troops_before"].sum()
        assert _fallen(told) == rows["losses"].sum() + spared
        here = end["battle_armies"].join(rows, on="hex_id", how="semi")
        assert _sums(told, r"Treffer (\d+), erhaltene VP (\d+)") == [
            here["hits"].sum(),
            here["vp_received"].sum(),
        ]
        others = end["battle_units"].join(rows, on="hex_id", how="semi")
        assert _sums(told, r"Armee: Verluste (\d+) von (\d+) Mann") == [
            others["losses"].sum(),
            others["troops_before"].sum(),
        ]


def _own(told: list[Event]) -> list[tuple[int, int]]:
    """Troops before and losses of the unit, battle by battle."""
    pattern = r"dieses Heer: (\d+) Mann, Gelände \d+ %, Verluste (\d+)"
    found = [re.match(pattern, event.text) for event in told]
    return [(int(match[1]), int(match[2])) for match in found if match]


def _fallen(told: list[Event]) -> int:
    """The troops of the combatants that die."""
    total = troops = 0
    for event in told:
        if match := re.match(r"  Einheit \d+: (\d+) Mann", event.text):
            troops = int(match[1])
        if event.text.endswith("→ sie stirbt"):
            total += troops
    return total


def _sums(told: list[Event], pattern: str) -> list[int]:
    found = [match for event in told if (match := re.search(pattern, event.text))]
    return [sum(int(match[i]) for match in found) for i in (1, 2)]
