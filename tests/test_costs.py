"""Cost formulas, the game master's word on wrong costs, the check report."""

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.order_world import AB, RULES, TURN, XY, Tables, problems, read, read_texts, texts, world
from transforms import costs
from transforms.errors import InputError
from transforms.rules import Rules
from transforms.schema import conform, empty

DECIDED = ("trainings", "constructions", "order_lines", "order_files", "rejections")
REPORTED = ("order_files", "order_lines", "rejections", "movements", "trainings", "constructions")
WRONG = ("ruesten,Krieger,1000,1,k1,15000", "bauen,Burg,207,14,50000", "bauen,Wall,207,14,O,1")


def answers(*rows: tuple[int, str]) -> pl.DataFrame:
    lines, decisions = zip(*rows, strict=True)
    return conform("answers", pl.DataFrame({"realm_id": AB, "line": lines, "decision": decisions}))


def decide(out: Tables, given: pl.DataFrame) -> Tables:
    tables = {name: out[name] for name in DECIDED}
    decided = costs.decide(answers=given, **tables, rules=RULES, turn=TURN)
    for name, frame in decided.items():
        assert conform(name, frame).equals(frame)
    return out | decided


def report(out: Tables, tables: Tables | None = None, rules: Rules = RULES) -> list[str]:
    given = tables or world()
    checks = costs.check_reports(
        **{name: out[name] for name in REPORTED},
        **{name: given[name] for name in ("units", "realms")},
        rules=rules,
        turn=TURN,
    )["checks"]
    assert conform("checks", checks).equals(checks)
    return checks.filter(realm_id=AB)["text"].to_list()


@pytest.mark.parametrize(
    ("combat", "movement", "gold", "months"),
    [  # 100 troops at 10 gold, 2 leaders, base time 4 months (source 1, 3.1)
        (0, 0, 1000 * 1 + 2000, 4),
        (1, 0, 1000 * 3 + 2000, 10),
        (0, 1, 1000 * 3 + 2000, 10),
        (1, 1, 1000 * 6 + 2000, 13),
        (2, 1, 1000 * 12 + 2000, 16),
        (4, 4, 1000 * 384 + 2000, 31),
    ],
)
def test_cost_and_time_of_training(combat: int, movement: int, gold: int, months: int) -> None:
    line = pl.DataFrame(
        {
            "troops": [100],
            "leaders": [2],
            "elite_combat": [combat],
            "elite_movement": [movement],
            "unit_cost": [10],
            "unit_months": [4],
        }
    )
    constants = RULES.constants
    cost, time = costs.training_cost(constants), costs.training_months(constants)
    assert line.select(cost.alias("a"), time.alias("b")).row(0) == (gold, months)


def test_the_largest_order_does_not_overflow() -> None:
    out = read("ruesten,Reiter,2147483647,2147483647,k4b4,0")
    assert out["trainings"]["cost"].to_list() == [2147483647 * (10 * 384 + 1000)]


class TestDecide:
    def test_open_questions_are_the_wrong_costs(self) -> None:
        out = read(*WRONG)
        tables = {name: out[name] for name in DECIDED[:-1]}
        asked = costs.open_questions(*tables.values(), empty("answers"))
        assert asked.rows() == [
            (AB, 1, WRONG[0], 15000, 16000, "training"),
            (AB, 3, WRONG[2], 1, 5000, "construction"),
        ]
        rest = costs.open_questions(*tables.values(), answers((1, "reject"), (3, "skip")))
        assert rest["line"].to_list() == [3]

    def test_approved_counts_with_the_cost_by_the_rules(self) -> None:
        out = decide(read(*WRONG), answers((1, "approve"), (3, "approve")))
        assert out["trainings"].select("decision", "outcome", "cost_submitted", "cost").rows() == [
            ("approve", "reserved", 15000, 16000)
        ]
        assert out["constructions"].select("decision", "outcome", "cost").rows() == [
            ("none", "reserved", 50000),
            ("approve", "reserved", 5000),
        ]
        assert out["order_files"].select("accepted", "rejected", "warned").row(0) == (3, 0, 2)
        reason = "Kosten 15000 statt 16000; genehmigt, es gelten 16000"
        assert problems(out)[0] == (1, 27, "warning", reason, None)

    def test_rejected_drops_this_line_only(self) -> None:
        before = read(*WRONG)
        out = decide(before, answers((1, "reject"), (3, "approve")))
        assert out["trainings"].select("decision", "outcome").rows() == [("reject", "rejected")]
        assert out["order_lines"]["status"].to_list() == ["rejected", "accepted", "accepted"]
        assert out["order_files"].select("lines", "accepted", "rejected", "warned").row(0) == (
            *(3, 2, 1),
            1,
        )
        reason = "Kosten 15000 statt 16000; vom Spielleiter verworfen"
        assert problems(out)[0] == (1, 27, "error", reason, None)

    def test_nothing_wrong_changes_nothing(self) -> None:
        out = read("ruesten,Krieger,1000,1,k1,16000", "112,1700,1,207,14,20", "x")
        given = answers((1, "reject"), (0, "skip"))  # an answer to no question
        decided = decide(out, given)
        for name in DECIDED:
            assert_frame_equal(decided[name], out[name])

    @pytest.mark.parametrize("given", [empty("answers"), answers((1, "approve"), (3, "skip"))])
    def test_a_missing_answer_is_an_error(self, given: pl.DataFrame) -> None:
        with pytest.raises(InputError, match="wrong cost") as error:
            decide(read(*WRONG), given)
        assert "approve, reject" in str(error.value)


class TestReport:
    def test_a_whole_report(self) -> None:
        out = read(
            "; Zug 7",
            "112,1700,1,207,14,20,27,a",
            "121,1,1,207,14,20",
            "",
            "ruesten,Krieger,1000,1,k1,15000",
            "bauen,Wall,207,14,NO,5000,Ostwall",
        )
        assert report(out) == [
            "Prüfbericht für Abland, Zug 7",
            "Datei 1.txt: 118 Bytes, UTF-8",
            "6 Zeilen: angenommen 3 (davon mit Warnung 2), abgelehnt 1, Kommentare 1, leer 1",
            "Zeile 2: 112,1700,1,207,14,20,27,a",
            "  verstanden: Heer 112: 207/14 → 207/20 → 207/27, Angriff",
            "  Warnung in Spalte 5: Heer 112 hat 1800 Truppen, nicht 1700",
            "Zeile 3: 121,1,1,207,14,20",
            "  Fehler in Spalte 1: Heer 121 gibt es nicht; gemeint 112?",
            "Zeile 5: ruesten,Krieger,1000,1,k1,15000",
            "  verstanden: Rüsten: 1000 Krieger, Heerführer 1, Elite k1 b0, "
            "16000 Goldstück, Monate 6",
            "  Warnung in Spalte 27: Kosten 15000 statt 16000; der Spielleiter entscheidet; "
            "gemeint 16000?",
            "  Hinweis: Rüsten wird in diesem Regelwerk geprüft und vorgemerkt, "
            "aber nicht ausgeführt",
            "Zeile 6: bauen,Wall,207,14,NO,5000,Ostwall",
            "  verstanden: Bauen: Wall Ostwall auf 207/14, Richtung NO, 5000 Goldstück, Monate 1",
            "  Hinweis: Bauen wird in diesem Regelwerk geprüft und vorgemerkt, "
            "aber nicht ausgeführt",
            "Kosten: Rüsten 16000 + Bauen 5000 = 21000 Goldstück; im Reichsschatz liegen 20000",
            "Es fehlen 1000 Goldstück.",
            "Ohne Befehl: Heer 115, 117, 131, 214, 305",
        ]

    @pytest.mark.parametrize(
        ("switch", "told"), [("training", "Bauen"), ("construction", "Rüsten")]
    )
    def test_only_what_is_not_carried_out_is_said_to_be_so(self, switch: str, told: str) -> None:
        on = replace(RULES, switches=replace(RULES.switches, **{switch: "realise"}))
        out = read("ruesten,Krieger,1000,1,k1,16000", "bauen,Wall,207,14,NO,5000", "ruesten,X")
        hints = [text for text in report(out, rules=on) if "Hinweis" in text]
        assert hints == [
            f"  Hinweis: {told} wird in diesem Regelwerk geprüft und vorgemerkt, "
            "aber nicht ausgeführt"
        ]

    def test_what_was_understood_of_a_move(self) -> None:
        out = read(
            "117,50,0,207,30,31",
            "131,1000,1,207,30,e305,v",
            "115,2400,2,207,14,s118,600,1,20,p2",
        )
        told = [text for text in report(out) if text.startswith("  verstanden")]
        assert told == [
            "  verstanden: Heer 117: an Bord → 207/31",
            "  verstanden: Heer 131 bleibt: 207/30, geht auf Schiff 305, Verteidigen",
            "  verstanden: Heer 115: 207/14 → 207/20, spaltet Heer 118 ab (Truppen 600, "
            "Heerführer 1), Plündern extrem",
        ]

    def test_a_missing_file(self) -> None:
        assert report(read_texts(texts({AB: None})))[1] == "Es liegt keine Zugdatei vor."

    def test_an_unreadable_file(self) -> None:
        order_texts = texts({AB: None}).with_columns(
            file=pl.lit("AB_SPZ.txt"), error=pl.lit("Die Datei ist keine Textdatei")
        )
        assert "Fehler: Die Datei ist keine Textdatei" in report(read_texts(order_texts))

    def test_runs_of_blanks_are_quoted_as_one(self) -> None:
        told = report(read("112,1800,  1,207" + 3000 * " " + ",14"))
        assert "Zeile 1: 112,1800, 1,207 …" in told
        assert any("mehr als" in text or "länger" in text for text in told)

    def test_control_characters_do_not_reach_the_terminal(self) -> None:
        assert "Zeile 1: 112\N{REPLACEMENT CHARACTER}[2J" in report(read("112\x1b[2J"))

    def test_nothing_depends_on_what_the_realm_cannot_see(self) -> None:
        lines = (
            "112,1800,1,207,14,208,40",
            "131,1000,1,207,30,e305@XY",
            "101,1,1,208,20,1",
            "bauen,Burg,208,40,50000",
            "ruesten,Krieger,1,0,-,5,208,40,101",
        )
        seen = world()
        strangers = pl.col("realm_id") == XY
        empty_there = seen | {
            "units": seen["units"].filter(~strangers | (pl.col("hex_id") == 20801)),
            "sight": seen["sight"].filter(~strangers),
            "hexes": seen["hexes"].filter(pl.col("hex_id") <= 20812),
        }
        first, second = (report(read(*lines, tables=t), t) for t in (seen, empty_there))
        assert first == second

    def test_every_realm_has_its_own(self) -> None:
        out = read_texts(texts({AB: "112,1800,1,207,14,20", XY: "101,700,0,208,20,21"}))
        alone = report(read_texts(texts({AB: "112,1800,1,207,14,20"})))
        assert report(out) == alone
