"""Reading order files, line by line: docs/orders.md."""

import polars as pl
import pytest

from tests.order_world import AB, RULES, TURN, XY, paths, problems, read, read_texts, texts, world
from transforms.orders import read_orders
from transforms.schema import conform, empty

ONE = "112,1800,1,207,14,20"


def status(out: dict[str, pl.DataFrame]) -> list[str]:
    return out["order_lines"]["status"].cast(pl.String).to_list()


def test_the_examples_of_the_format() -> None:
    out = read(
        "; Zug 7",
        "112,1800,1,207,14,20,27,a",
        "214,900,1,207,40,46,208,2,7,v",
        "115,2400,2,207,14,s118,600,1,20,27,r",
        "118,600,1,207,14,9,v",
        "131,1000,1,207,30,e305,v",
        "",
        "ruesten,Krieger,1000,1,k1,16000",
        "bauen,Burg,207,14,50000,Adlerhorst",
        "bauen,Wall,207,14,NO,5000",
    )
    assert status(out) == ["comment", *["accepted"] * 5, "blank", *["accepted"] * 3]
    assert out["movements"].rows() == [
        (AB, 2, 1, "a", None),
        (AB, 3, 2, "v", None),
        (AB, 4, 3, "r", None),
        (AB, 6, 4, "v", 5),
    ]
    assert paths(out) == {1: [20720, 20727], 2: [20746, 20802, 20807], 3: [20720, 20727]}
    assert out["splits"].rows() == [(AB, 4, 3, 0, 118, 600, 1, None)]
    training = out["trainings"].row(0, named=True)
    assert training["unit_type"] == "Krieger"
    assert (training["elite_combat"], training["elite_movement"]) == (1, 0)
    assert (training["cost_submitted"], training["cost"], training["months"]) == (16000, 16000, 6)
    assert (training["hex_id"], training["number"]) == (None, None)
    assert (training["decision"], training["outcome"]) == ("none", "reserved")
    built = out["constructions"].select("building_type", "hex_id", "direction", "name", "cost")
    assert built.rows() == [
        ("BRG", 20714, None, "Adlerhorst", 50000),
        ("WAL", 20714, 1, None, 5000),
    ]
    ignored = "Abspaltung 118 wird in diesem Regelwerk nicht ausgeführt"
    assert problems(out) == [(5, 1, "warning", ignored, None)]


def test_case_white_space_and_umlauts_do_not_matter() -> None:
    out = read(
        "  112 ,1800, 1\t,207,14 , 20 ,A ",
        "131,1000,1,207,30,E305@ab,P2",
        "RÜSTEN, KRIEGER ,100,0,K1B2, 6000",
        "Rüsten,krieger,100,0,-,500,207,14,150",
        "BAUEN,brg,207,14,50000,Übers Meer",
    )
    assert status(out) == ["accepted"] * 5
    assert out["movements"].rows() == [(AB, 1, 1, "a", None), (AB, 2, 4, "p2", 5)]
    assert out["trainings"]["cost"].to_list() == [6000, 500]  # 100 · 5 · 12, 100 · 5
    assert out["trainings"]["months"].to_list() == [12, 0]  # 6 + 3 · 2
    assert out["constructions"]["name"].to_list() == ["Übers Meer"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "end"])
def test_line_ends(end: str, last: str) -> None:
    text = end.join([ONE, "", "# Ende"]) + (end if last else "")
    assert status(read_texts(texts({AB: text}))) == ["accepted", "blank", "comment"]


def test_an_empty_file_has_no_line_and_a_missing_one_a_row() -> None:
    out = read_texts(texts({AB: "", XY: None}))
    assert out["order_files"].select("realm_id", "file", "lines").rows() == [
        (AB, "1.txt", 0),
        (XY, None, 0),
    ]
    assert out["order_lines"].is_empty()


class TestWaypoints:
    @pytest.mark.parametrize(
        ("items", "way"),
        [
            ("20", [20720]),
            ("048", None),  # three digits: a Großfeld without Kleinfeld
            ("48", [20748]),
            ("208,2,7", [20802, 20807]),
            ("208,2,207,07", [20802, 20707]),
            ("49", None),
            ("0", None),
            ("208", None),
            ("208,208,2", None),
            ("208,s118,1,1,2", None),
            ("s118,1,1,208,2", [20802]),
            ("20,s118,1,1", [20720]),
            ("20,,21", None),
            ("20,-3", None),
            ("20,+3", None),
            ("20,3.0", None),
            ("20,٣", None),
            ("20,99999999999999999999999", None),
            ("20,42949673,1", None),
        ],
    )
    def test_a_number_is_a_kf_or_a_gf(self, items: str, way: list[int] | None) -> None:
        out = read(f"112,1800,1,207,14,{items},v")
        assert paths(out).get(1) == way
        assert status(out) == ["rejected" if way is None else "accepted"]

    def test_a_bare_kf_lies_in_the_gf_as_written_not_as_stored(self) -> None:
        out = read("112,1800,1,208,5,6")
        assert paths(out) == {1: [20806]}
        reason = "Heer 112 steht auf 207/14, nicht auf 208/5"
        assert problems(out) == [(1, 12, "warning", reason, None)]

    def test_an_unknown_waypoint_drops_the_line_and_names_the_nearest_known_one(self) -> None:
        out = read("112,1800,1,207,14,20,208,15,v")
        assert status(out) == ["rejected"]
        reason = "Das Feld 208/15 ist nicht auf der Karte des Reichs"
        assert problems(out) == [(1, 26, "error", reason, "208/12")]

    def test_never_seen_and_not_existing_are_told_alike(self) -> None:
        lines = "112,1800,1,207,14,208,40", "112,1800,1,207,14,299,40"
        for line in lines:
            (_, column, severity, reason, hint), *rest = problems(read(line))
            assert (column, severity, hint, rest) == (23, "error", "208/12", [])
            assert reason.endswith("/40 ist nicht auf der Karte des Reichs")

    def test_without_any_map_memory_every_hex_of_the_map_is_known(self) -> None:
        blank = world() | {"sight": empty("sight"), "atlas": empty("atlas")}
        assert paths(read("112,1800,1,207,14,208,40", tables=blank)) == {1: [20840]}
        assert status(read("112,1800,1,207,14,299,40", tables=blank)) == ["rejected"]

    def test_the_map_memory_of_others_is_no_knowledge(self) -> None:
        tables = world()
        tables["sight"] = tables["sight"].filter(realm_id=XY)
        tables["atlas"] = empty("atlas")
        assert status(read(ONE, tables=tables)) == ["rejected"]

    def test_at_most_200(self) -> None:
        way = ["20", "21"] * 100
        assert len(paths(read(",".join(["112,1800,1,207,14", *way])))[1]) == 200
        out = read(",".join(["112,1800,1,207,14", *way, "22"]))
        assert [reason for *_, reason, _ in problems(out)] == ["Mehr als 200 Wegpunkte"]


class TestUnits:
    def test_an_unknown_number_gets_the_nearest_own_one(self) -> None:
        out = read("121,1,1,207,14,20", "216,1,1,207,14,20")
        assert problems(out) == [
            (1, 1, "error", "Heer 121 gibt es nicht", "112"),  # digits the wrong way round
            (2, 1, "error", "Heer 216 gibt es nicht", "214"),
        ]

    def test_foreign_and_captive_units_take_no_orders(self) -> None:
        out = read("101,700,0,208,20,1", "119,40,0,207,14,20")
        assert status(out) == ["rejected", "rejected"]
        assert problems(out)[0][3] == "Heer 101 gibt es nicht"
        assert problems(out)[1][3] == "Heer 119 ist gefangen und nimmt keine Befehle an"

    def test_a_dead_unit_exists(self) -> None:
        assert paths(read("120,0,0,207,14,20")) == {8: [20720]}

    def test_differences_from_the_state_are_warnings(self) -> None:
        out = read("112,1700,3,207,15,20")
        assert status(out) == ["accepted"]
        assert [(column, reason) for _, column, _, reason, _ in problems(out)] == [
            (5, "Heer 112 hat 1800 Truppen, nicht 1700"),
            (10, "Heer 112 hat 1 Heerführer, nicht 3"),
            (12, "Heer 112 steht auf 207/14, nicht auf 207/15"),
        ]
        assert out["order_files"]["warned"].to_list() == [1]

    def test_aboard_the_ship_s_hex_counts(self) -> None:
        assert problems(read("117,50,0,207,30,31")) == []

    def test_the_last_accepted_line_counts(self) -> None:
        out = read(ONE, "112,1800,1,207,14,21", "112,1800,1,207,14,22", "112,1800,1,207,14,299,1")
        assert status(out) == ["accepted", "accepted", "accepted", "rejected"]
        assert paths(out) == {1: [20722]}
        warnings = [problem for problem in problems(out) if problem[2] == "warning"]
        assert warnings == [(line, 1, "warning", "durch Zeile 3 ersetzt", None) for line in (1, 2)]
        assert out["movements"].rows() == [(AB, 3, 1, None, None)]

    @pytest.mark.parametrize("number", ["0", "65536", "99999999999", "11²", "112x"])
    def test_impossible_numbers(self, number: str) -> None:
        out = read(f"{number},1800,1,207,14,20")
        assert status(out) == ["rejected"]
        assert len(problems(out)) == 1


class TestSplits:
    def test_the_step_is_the_waypoint_it_happens_at(self) -> None:
        out = read("115,2400,2,207,14,s118,600,1,20,s121,1,0,27,s122,5,0,r")
        assert out["splits"].select("after_step", "number", "troops", "leaders").rows() == [
            (0, 118, 600, 1),
            (1, 121, 1, 0),
            (2, 122, 5, 0),
        ]

    @pytest.mark.parametrize(
        "items",
        ["s118", "s118,1", "s118,1,r", "s118,s119,1,1", "s0,1,1", "s70000,1,1", "s118,1,-1"],
    )
    def test_incomplete_splits(self, items: str) -> None:
        assert status(read(f"115,2400,2,207,14,{items}")) == ["rejected"]

    def test_twice_in_one_line(self) -> None:
        assert status(read("115,2400,2,207,14,s118,1,0,20,s118,1,0")) == ["rejected"]

    def test_a_number_in_use_is_a_warning_and_its_line_that_unit_s(self) -> None:
        out = read("115,2400,2,207,14,s112,1,0,20", ONE)
        assert problems(out) == [(1, 19, "warning", "Die Nummer 112 ist schon vergeben", None)]
        assert paths(out) == {1: [20720], 3: [20720]}

    def test_only_a_line_that_counts_splits(self) -> None:
        out = read("118,600,1,207,14,9", "115,2400,2,207,14,s118,600,1", "115,2400,2,207,14,20")
        assert status(out) == ["rejected", "accepted", "accepted"]
        assert out["splits"].is_empty()

    def test_the_part_may_have_its_line_first(self) -> None:
        out = read("118,600,1,207,14,9", "115,2400,2,207,14,s118,600,1")
        assert status(out) == ["accepted", "accepted"]
        assert out["movements"]["unit_id"].to_list() == [3]


class TestShips:
    def ship(
        self, board: str, alliances: pl.DataFrame | None = None
    ) -> tuple[int | None, set[str]]:
        tables = world()
        if alliances is not None:
            tables["alliances"] = alliances
        out = read(f"131,1000,1,207,30,{board}", tables=tables)
        assert status(out) == ["accepted"]
        return out["movements"]["embark_on"][0], {reason for *_, reason, _ in problems(out)}

    def test_own_ships(self) -> None:
        assert self.ship("e305") == (5, set())
        assert self.ship("e305@Ab") == (5, set())
        assert self.ship("e306") == (None, {"Schiff 306 ist nicht bekannt"})
        assert self.ship("e112") == (None, {"Schiff 112 ist nicht bekannt"})  # an army

    def test_foreign_ships_out_of_sight_are_told_like_unknown_ones(self) -> None:
        stranger = "XY ist nicht mit dem Reich verbündet"
        assert self.ship("e305@XY") == (None, {"Schiff 305 von XY ist nicht bekannt", stranger})
        assert self.ship("e309@XY") == (None, {"Schiff 309 von XY ist nicht bekannt", stranger})
        assert self.ship("e101@XY") == (None, {"Schiff 101 von XY ist nicht bekannt", stranger})
        assert self.ship("e306@XY") == (11, {stranger})  # in sight
        nobody = {"Schiff 1 von QQ ist nicht bekannt", "QQ ist nicht mit dem Reich verbündet"}
        assert self.ship("e1@qq") == (None, nobody)

    def test_ships_of_an_ally(self) -> None:
        allied = conform("alliances", pl.DataFrame({"realm_id": [AB, XY], "ally_id": [XY, AB]}))
        assert self.ship("e306@xy", allied) == (11, set())

    @pytest.mark.parametrize(
        "items", ["e305,20", "e305,e306", "e305,s118,1,1", "e", "e305@", "e-1"]
    )
    def test_once_and_only_before_the_decision(self, items: str) -> None:
        assert status(read(f"131,1000,1,207,30,{items},v")) == ["rejected"]


@pytest.mark.parametrize(
    ("line", "column", "reason", "suggestion"),
    [
        ("zieh,112", 1, "»zieh« ist weder", None),
        ("reusten,Krieger", 1, "»reusten« ist weder", "ruesten"),
        ("112 1800 1 207 14", 1, "Es fehlen Felder", None),
        ("112,1800,1,207", 1, "Es fehlen Felder", None),
        ("112,,1,207,14,20", 5, "Truppenzahl: das Feld ist leer", None),
        ("112,1.800,1,207,14,20", 5, "Truppenzahl: »1.800« ist keine Zahl", None),
        ("112,1800,1,207,14,v,20", 19, "Die Entscheidung »v« muss am Ende", None),
        ("112,1800,1,207,14,20,angrif", 22, "»angrif« ist weder Wegpunkt", "a"),
        ("112,1800,1,0,14,20", 12, "Großfeld: 0 ist zu klein", None),
        ("ruesten,Kriger,1,0,-,5", 9, "»Kriger« ist keine Einheit", "Krieger"),
        ("ruesten,Krieger,0,0,-,0", 17, "Truppenzahl: 0 ist zu klein", None),
        ("ruesten,Krieger,1,0,k5,1", 21, "Die höchste Elitestufe ist 4", None),
        ("ruesten,Krieger,1,0,x,5", 21, "»x« ist keine Elitestufe", None),
        ("ruesten,Krieger,1,0,-,5,207", 1, "Erwartet wird ruesten,Typ", None),
        ("ruesten,Krieger,1,0,-,5,299,1", 25, "Das Feld 299/1 ist nicht", "208/12"),
        ("ruesten,Krieger,1,0,-,5,207,1,70000", 31, "Heernummer: 70000 ist zu groß", None),
        ("bauen,Brug,207,14,50000", 7, "»Brug« ist kein Bauwerk", "Burg"),
        ("bauen,Burg,207,14,NO,50000", 19, "»Burg« steht in der Mitte", None),
        ("bauen,Wall,207,14,5000", 19, "»Wall« steht am Rand", None),
        ("bauen,Burg,207,14", 1, "Erwartet wird bauen,Typ", None),
        ("bauen,Burg,207,49,50000", 16, "Kleinfeld: 49 ist zu groß", None),
        ("bauen,Burg,208,48,50000", 12, "Das Feld 208/48 ist nicht", "208/12"),
        ("bauen,Burg,207,14,50000,a,b", 1, "Erwartet wird bauen,Typ", None),
        ("112,1800,1,207,14,\x1b[31m20", 1, "Die Zeile enthält unsichtbare", None),
        (ONE + ",20" * 700, 1, "Die Zeile ist länger als 2000 Zeichen", None),
        ("112" + "," * 1500, 5, "Truppenzahl: das Feld ist leer", None),
    ],
)
def test_errors(line: str, column: int, reason: str, suggestion: str | None) -> None:
    out = read(line)
    assert status(out) == ["rejected"]
    first = problems(out)[0]
    assert first[:3] == (1, column, "error")
    assert first[3].startswith(reason)
    assert first[4] == suggestion


def test_columns_count_in_the_line_as_written() -> None:
    out = read("   112, x ,1,207,14,20")
    assert problems(out)[0][1] == 9
    assert out["rejections"]["text"][0] == "   112, x ,1,207,14,20"


def test_warnings_of_training_lines() -> None:
    out = read("ruesten,Krieger,1,0,-,5,207,14,112", "ruesten,Reiter,1,0,-,9")
    assert status(out) == ["accepted", "accepted"]
    assert problems(out) == [
        (1, 32, "warning", "Die Nummer 112 ist schon vergeben", None),
        (2, 22, "warning", "Kosten 9 statt 10; der Spielleiter entscheidet", "10"),
    ]


class TestLimits:
    def test_lines_beyond_5000_are_dropped_alone(self) -> None:
        out = read(*[ONE] * 5001)
        assert out["order_files"]["lines"].to_list() == [5000]
        assert out["order_files"]["accepted"].to_list() == [5000]
        whole = out["rejections"].filter(line=0)
        assert whole["reason"].to_list() == [
            "Die Datei hat 5001 Zeilen; was nach Zeile 5000 steht, zählt nicht"
        ]

    def test_a_line_of_rubbish_does_not_fill_the_report(self) -> None:
        out = read("112,1800,1,207,14" + ",x" * 900)
        assert out["rejections"].height == 5

    def test_a_very_long_line_is_cut_where_it_is_shown(self) -> None:
        out = read("1" * 1_000_000)
        assert out["order_lines"]["text"].str.len_chars().to_list() == [2001]
        assert out["rejections"]["text"].str.len_chars().to_list() == [2001]

    def test_long_comments_are_comments(self) -> None:
        assert status(read(";" * 5000)) == ["comment"]

    def test_an_unreadable_file_has_no_lines_and_one_error(self) -> None:
        order_texts = texts({AB: None}).with_columns(
            file=pl.lit("AB_SPZ.txt"), error=pl.lit("Die Datei ist keine Textdatei")
        )
        out = read_texts(order_texts)
        assert out["rejections"].select("line", "severity", "reason").rows() == [
            (0, "error", "Die Datei ist keine Textdatei")
        ]
        assert out["order_files"]["error"].to_list() == ["Die Datei ist keine Textdatei"]


def test_no_orders_at_all() -> None:
    out = read_orders(order_texts=empty("order_texts"), **world(), rules=RULES, turn=TURN)
    assert all(frame.is_empty() for frame in out.values())
