"""The five rules of the national evaluation: the source's examples and the rule-5 pairs."""

import polars as pl
import pytest

from tests.ghost_world import board, centres, knowledge, nation_of, units, views
from transforms.diplomacy.position import start_position

START = start_position(board())
STARTING_CENTRES = {
    "OEU": "Bud, Tri, Vie",
    "GB": "Edi, Lon, Lpl",
    "F": "Bre, Mar, Par",
    "D": "Ber, Kie, Mun",
    "I": "Nap, Rom, Ven",
    "R": "Mos, Sev, StP, War",
    "OR": "Ank, Con, Smy",
}


class TestExamplesOfTheSource:
    def test_great_britain_in_spring_1901(self) -> None:
        known = knowledge(
            units(GB="F Nth, F Nrg, A Yor", F="F Eng, A Pic, A Bre", D="F Den"),
            centres(**STARTING_CENTRES),
        )
        view = views(known, "GB")
        free = [
            "Nat",
            "Hol",
            "Bel",
            "Nwy",
            "Ska",
            "Hel",
            "Bar",
            "Iri",
            "Lon",
            "Edi",
            "Cly",
            "Wal",
            "Lpl",
        ]
        assert view == {
            **dict.fromkeys(("Nth", "Nrg", "Yor"), "own"),
            **dict.fromkeys(free, "free"),
            "Eng": "F-F",
            "Den": "D-F",
        }
        assert "Pic" not in view  # a French A Pic or A Bre stays unknown
        assert "Bre" not in view

    def test_france_sees_piedmont_from_its_centre_marseille(self) -> None:
        position = units(F="A Spa", I="A Pie")
        assert views(knowledge(position, centres(F="Mar")), "F")["Pie"] == "I-A"
        assert "Pie" not in {
            k: v
            for k, v in views(knowledge(position, centres(F="Par")), "F").items()
            if v != "no_foreign"
        }
        free = views(knowledge(units(F="A Spa"), centres(F="Mar")), "F")
        assert free["Pie"] == "free"

    def test_italy_reduced_to_tunis_sees_its_whole_boot_and_the_rim(self) -> None:
        known = knowledge(units(I="F Tun", F="A Pie, A Mar", OEU="A Ven, A Tri"), centres(I="Tun"))
        view = views(known, "I")
        assert view["Pie"] == "F-A"  # partisans
        assert view["Ven"] == "ÖU-A"
        assert {view[p] for p in ["Apu", "Nap", "Rom", "Tus"]} == {"free"}
        assert {view[p] for p in ["Adr", "Ion", "Lyo", "Tys"]} == {"free"}
        assert {view[p] for p in ["Mar", "Tri", "Tyr"]} == {"no_foreign"}  # at home there
        assert {view[p] for p in ["Naf", "Wes"]} == {"free"}

    @pytest.mark.parametrize(
        ("unit", "own", "centre", "expected"),
        [
            ("OR", "A Vie", "Vie", "OR-A"),
            ("R", "A Vie", "Vie", "no_foreign"),
            ("R", "A Gal", "Vie", "R-A"),
            ("R", "A Vie", "Rum", "R-A"),
            ("R", "A Vie", "Sev", "R-A"),
            ("R", "A Vie", "Mos", "R-A"),
            ("R", "A Vie", "War", "R-A"),
        ],
    )
    def test_austria_and_ukraine(self, unit: str, own: str, centre: str, expected: str) -> None:
        position = units(**{"OEU": own, unit: "A Ukr"})
        assert views(knowledge(position, centres(OEU=centre)), "OEU")["Ukr"] == expected


RULE_5 = [
    *(("OEU", p, n) for p, n in (("Mun", "D"), ("Sil", "D"), ("Pie", "I"))),
    *(("OEU", p, "R") for p in ("Ukr", "War")),
    *(("F", p, "D") for p in ("Mun", "Ruh")),
    ("D", "Gal", "OEU"),
    ("D", "Lvn", "R"),
    ("D", "War", "R"),
    ("I", "Mar", "F"),
    ("OR", "Sev", "R"),
]
OPEN = [("F", "Bel"), ("D", "Bel"), ("I", "Lyo"), ("R", "Bal"), ("R", "Swe")]


class TestRuleFive:
    def test_these_are_all_pairs_at_the_start(self) -> None:
        known = knowledge(START["units"].clear(), centres(**STARTING_CENTRES)).vstack(
            knowledge(START["units"], START["centres"]).clear()
        )
        from_centres = {
            (row["viewer"], row["province"]) for row in known.filter(rule=5).iter_rows(named=True)
        }
        from_all = {
            (row["viewer"], row["province"])
            for row in knowledge(START["units"], START["centres"])
            .filter(rule=5)
            .iter_rows(named=True)
        }
        listed = {(nation_of(v), _key(p)) for v, p, *_ in [*RULE_5, *OPEN]}
        assert from_centres == listed  # counted without units
        assert from_all <= listed  # units at home see further by rule 2

    @pytest.mark.parametrize(("viewer", "place", "owner"), RULE_5)
    def test_the_owner_at_home_is_not_shown_and_not_called_free(
        self, viewer: str, place: str, owner: str
    ) -> None:
        held = centres(**STARTING_CENTRES)
        empty = knowledge(units(GB="A Naf"), held)  # out of everybody's view
        at_home = knowledge(units(**{owner: f"A {place}"}), held)
        mine = pl.col("viewer") == nation_of(viewer)
        assert empty.filter(mine).equals(at_home.filter(mine))
        assert views(empty, viewer)[place] == "no_foreign"

    @pytest.mark.parametrize(("viewer", "place", "owner"), RULE_5)
    def test_a_third_nation_there_is_shown(self, viewer: str, place: str, owner: str) -> None:
        third = _third(viewer, owner)
        known = knowledge(units(**{third: f"A {place}"}), centres(**STARTING_CENTRES))
        code = "ÖU" if third == "OEU" else third
        assert views(known, viewer)[place] == f"{code}-A"

    @pytest.mark.parametrize(("viewer", "place"), OPEN)
    def test_open_ground_is_fully_known(self, viewer: str, place: str) -> None:
        kind = board().provinces.filter(abbr=place)["kind"].item()
        unit = f"{'F' if kind == 'sea' else 'A'} {place}"
        held = centres(**STARTING_CENTRES)
        assert views(knowledge(units(GB=unit), held), viewer)[place] == f"GB-{unit[0]}"
        assert views(knowledge(units(GB="A Yor"), held), viewer)[place] == "free"


class TestDetails:
    def test_a_controlled_centre_sees_itself_unless_switched_off(self) -> None:
        position, held = units(F="A Par", GB="A Bel"), centres(F="Bel")
        assert views(knowledge(position, held), "F")["Bel"] == "GB-A"
        blind = knowledge(position, held, centre_sees_itself=False)
        assert blind.filter(viewer="FRANCE", province="BEL")["rule"].item() == 5
        alone = knowledge(units(F="A Naf", GB="A Swe"), centres(F="Swe"), centre_sees_itself=False)
        assert "Swe" not in views(alone, "F")

    def test_a_nation_without_unit_and_centre_sees_nothing(self) -> None:
        known = knowledge(units(F="A Par"), centres(F="Par"))
        assert known["viewer"].unique().to_list() == ["FRANCE"]

    def test_a_dislodged_unit_that_waits_keeps_the_home_land_in_view(self) -> None:
        from transforms import schema
        from transforms.diplomacy.knowledge import know

        row = {"province": "TUN", "nation": "ITALY", "unit_type": "F", "options": []}
        waiting = schema.shaped("ghost.dislodged", pl.DataFrame([row]))
        known = know(
            units=units(F="F Tun"),
            centres=centres(F="Par"),
            waiting=waiting,
            provinces=board().provinces,
            borders=board().borders,
        )
        assert views(known, "I")["Rom"] == "free"
        assert "Tun" not in views(known, "I")

    def test_borders_count_not_what_a_unit_could_reach(self) -> None:
        known = knowledge(units(GB="A Yor", R="F StP(nc)"), centres(D="Ber"))
        assert views(known, "GB")["Nth"] == "free"  # an army sees the sea
        assert views(known, "R")["Bot"] == "free"  # and a fleet the other coast

    def test_coast_and_lowest_rule_are_told(self) -> None:
        known = knowledge(units(F="F Spa(nc)", GB="A Por"), centres(GB="Por"))
        row = known.filter(viewer="ENGLAND", province="SPA").row(0, named=True)
        assert (row["coast"], row["rule"]) == ("NC", 2)

    def test_row_order_does_not_matter(self) -> None:
        position = START["units"]
        shuffled = position.sample(fraction=1, shuffle=True, seed=7)
        assert knowledge(position, START["centres"]).equals(
            knowledge(shuffled, START["centres"].reverse())
        )


def _key(abbr: str) -> str:
    return str(board().provinces.filter(abbr=abbr)["province"].item())


def _third(viewer: str, owner: str) -> str:
    return next(code for code in ("GB", "OR", "I", "F") if code not in (viewer, owner))
