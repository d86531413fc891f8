"""The German log: a line an event, from the events alone."""

import polars as pl
import pytest

from flows.duel_design import registry_with
from tests.duels import fights_of
from transforms.duel.log_text import SENTENCES, log_lines, names_of, positions
from transforms.duel.model import KINDS, REASONS
from transforms.duel.run import run_fights
from transforms.errors import InputError
from transforms.schema import schema_of

CORE = registry_with([])
IDS = ["core:knight", "core:wolf", "core:wolf"]
NAMES = ["Ritter", "Wolf 1", "Wolf 2"]


def _events(*rows):
    full = [{"fight_id": 0, "seq": n, **row} for n, row in enumerate(rows)]
    return pl.DataFrame(full, schema=schema_of("duel.events"))


def _told(**event):
    _head, line = log_lines(_events({"turn": 3, **event}), NAMES, CORE)
    return line.strip()


def test_names_tell_apart_who_is_of_one_kind():
    assert names_of(CORE, IDS) == NAMES
    assert names_of(CORE, ["core:wolf", "core:wolf", "core:rat"]) == [
        "Held Wolf",
        "Wolf 1",
        "Riesenratte",
    ]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            {"kind": "initiative", "actor": 0, "amount": 12, "roll": 0.82},
            "Ritter: Initiative 12 (Wurf 0,8200).",
        ),
        ({"kind": "turn_started"}, "Der Zug beginnt."),
        ({"kind": "combat_started"}, "Der Kampf beginnt."),
        (
            {"kind": "ability_used", "actor": 0, "target": 2, "ref": "core:heavy_blow",
             "stamina": 6},
            "Ritter nutzt Wuchtschlag (Ziel: Wolf 2), Ausdauer noch 6.",
        ),
        (
            {"kind": "ability_used", "actor": 1, "target": 0, "ref": "core:flee", "stamina": 0},
            "Wolf 1 nutzt Flucht, Ausdauer noch 0.",
        ),
        (
            {"kind": "hit", "actor": 1, "target": 0, "ref": "core:attack", "p": 0.7, "roll": 0.25},
            "Wolf 1 trifft Ritter mit Angriff (Chance 0,7000, Wurf 0,2500).",
        ),
        (
            {"kind": "missed", "actor": 1, "target": 0, "ref": "core:attack", "p": 0.7,
             "roll": 0.75},
            "Wolf 1 verfehlt Ritter mit Angriff (Chance 0,7000, Wurf 0,7500).",
        ),
        (
            {"kind": "damaged", "actor": 1, "target": 0, "ref": "core:attack", "amount": 9,
             "crit": True, "roll": 0.01, "health": 37},
            "Ritter nimmt 9 Schaden (kritisch) durch Angriff von Wolf 1, Gesundheit noch 37.",
        ),
        (
            {"kind": "healed", "actor": 1, "target": 1, "ref": "core:bloodlust", "amount": 3,
             "health": 20},
            "Wolf 1 heilt 3 durch core:bloodlust von Wolf 1, Gesundheit noch 20.",
        ),
        (
            {"kind": "modifier_set", "actor": 1, "target": 1, "ref": "core:swift", "amount": 1},
            "Wolf 1 trägt core:swift für 1 Zug von Wolf 1.",
        ),
        (
            {"kind": "rejected", "actor": 0, "ref": "core:attack", "reason": "cooldown"},
            "Befehl Angriff abgelehnt: noch nicht wieder bereit.",
        ),
        ({"kind": "combat_ended", "reason": "victory"}, "Der Kampf ist zu Ende: Sieg."),
        (
            {"kind": "game_over", "actor": 2, "target": 0, "ref": "core:attack"},
            "Das Spiel ist aus: Ritter fällt im Zug 3 durch Angriff von Wolf 2.",
        ),
    ],
)  # fmt: skip
def test_sentences(event, line):
    assert _told(**event) == line


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_sentence_without_gaps(kind):
    assert kind in SENTENCES
    line = _told(kind=kind, actor=1, target=0, ref="core:attack", amount=2, reason="stamina")
    assert "None" not in line
    assert line.endswith(".")


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_words(reason):
    assert "abgelehnt: ." not in _told(kind="rejected", ref="core:attack", reason=reason)


def test_a_line_an_event_and_a_head_for_each_turn():
    fight = fights_of([{"seed": 7, "hero": IDS[0], "enemies": IDS[1:]}])
    (played,) = run_fights(fight, CORE, events=True)
    lines = list(log_lines(played.events, NAMES, CORE))
    heads = [line for line in lines if line.startswith("Zug ")]
    assert heads == [f"Zug {turn}" for turn in played.events["turn"].unique().sort()]
    assert len(lines) == len(heads) + played.events.height


def test_only_one_creature():
    fight = fights_of([{"seed": 7, "hero": IDS[0], "enemies": IDS[1:]}])
    (played,) = run_fights(fight, CORE, events=True)
    lines = [line for line in log_lines(played.events, NAMES, CORE, {2}) if line[0] == " "]
    mine = pl.col("actor").eq(2).fill_null(False) | pl.col("target").eq(2).fill_null(False)
    assert len(lines) == played.events.filter(mine).height
    assert all("Wolf 2" in line for line in lines)


def test_creatures_are_meant_by_position_id_or_name():
    assert positions([], IDS, NAMES) is None
    assert positions(["2"], IDS, NAMES) == {2}
    assert positions(["core:wolf"], IDS, NAMES) == {1, 2}
    assert positions(["Wolf 1", "0"], IDS, NAMES) == {0, 1}
    with pytest.raises(InputError, match="Wolf 3"):
        positions(["Wolf 3"], IDS, NAMES)
