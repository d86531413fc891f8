"""Retreats, winter, centres, battles and the batch around them, on positions worked out by hand."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from flows import store
from flows.ghost_batch import play, read_batch, read_texts, rulings_of, run_batch
from flows.ghost_map import read_board
from tests.diplomacy.datc import Tables, full, places, unit_rows
from transforms.diplomacy.adjudicate import OUTPUTS, adjudicate
from transforms.diplomacy.rulings import Rulings
from transforms.errors import InputError

BOARD = read_board("standard")
INVENTED = read_board("zwillingsinseln")
Lines = dict[str, list[str]]


def phase(
    orders: Lines,
    *,
    units: Lines | None = None,
    step: str = "movement",
    season: str = "spring",
    centres: Lines | None = None,
    retreats: Lines | None = None,
    number: int = 1,
) -> Tables:
    """One phase as a batch; without `units` everybody stands where the orders say."""
    if units is None:
        units = {n: [" ".join(text.split()[:2]) for text in texts] for n, texts in orders.items()}
    later = retreats or {}
    lines = [(n, "", t) for n, texts in orders.items() for t in texts]
    lines += [(n, "retreat", t) for n, texts in later.items() for t in texts]
    rows: dict[str, list[dict[str, Any]]] = {
        "phases": [{"phase_id": number, "step": step, "season": season}],
        "units": unit_rows(units, number),
        "centres": [
            {"phase_id": number, "province": p, "nation": n or None}
            for n, provinces in (centres or {}).items()
            for p in provinces
        ],
        "orders": [
            {"phase_id": number, "line": line, "nation": n, "text": text, "step": when or None}
            for line, (n, when, text) in enumerate(lines, start=1)
        ],
    }
    frames = {name: pl.DataFrame(r, infer_schema_length=None) for name, r in rows.items() if r}
    return full(frames)


def done(tables: Tables, rulings: Rulings = Rulings()) -> Tables:
    return play(BOARD, rulings, tables)


def battles(tables: Tables) -> dict[str, tuple[str, str | None]]:
    """province → (who wanted in, who stands there in the end)."""
    nations = tables["battle_nations"].group_by("province").agg(pl.col("nation").sort())
    wanted = {p: " ".join(n) for p, n in nations.iter_rows()}
    holders = tables["battles"].select("province", "nation", "unit_type").iter_rows()
    return {p: (wanted[p], f"{u} {n}" if n else None) for p, n, u in holders}


# ── battles (source 4; the words of it: docs/ghost.md) ──────────────────────────────────────


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        ({"TURKEY": ["F ANK - BLA"], "RUSSIA": ["F SEV - BLA"]}, {"BLA": ("RUSSIA TURKEY", None)}),
        (  # the winner stands there
            {"TURKEY": ["F ANK - BLA", "F CON S F ANK - BLA"], "RUSSIA": ["F SEV - BLA"]},
            {"BLA": ("RUSSIA TURKEY", "F TURKEY")},
        ),
        ({"TURKEY": ["A CON - BUL", "A SMY - CON", "A ANK - CON"]}, {}),  # a self-bounce
        ({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR H"]}, {"BUR": ("GERMANY", "A FRANCE")}),
        ({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR - PAR"]}, {}),  # it leaves, nobody else
        (  # it leaves, but two want in; who only cut nobody's way is named once
            {
                "GERMANY": ["A MUN - BUR", "A RUH - BUR"],
                "FRANCE": ["A BUR - PAR"],
                "ITALY": ["A MAR - BUR"],
            },
            {"BUR": ("GERMANY ITALY", None)},
        ),
        ({"GERMANY": ["A MUN - BER", "A BER H"]}, {}),  # an attack on an own unit
        (  # … which is named when the battle exists for another reason
            {"GERMANY": ["A MUN - BER", "A BER H"], "RUSSIA": ["A PRU - BER"]},
            {"BER": ("GERMANY RUSSIA", "A GERMANY")},
        ),
        (  # both are attacks on a unit that has to stay
            {"AUSTRIA": ["A TRI - VEN"], "ITALY": ["A VEN - TRI"]},
            {"TRI": ("ITALY", "A AUSTRIA"), "VEN": ("AUSTRIA", "A ITALY")},
        ),
        (  # a supporter and a defender are not named; the dislodged unit's own attack is
            {
                "AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"],
                "ITALY": ["A VEN - TRI"],
            },
            {"VEN": ("AUSTRIA", "A AUSTRIA")},
        ),
        ({"ENGLAND": ["A LON - BEL"], "FRANCE": ["A BEL H"]}, {}),  # no convoy
        (  # a broken convoy wants nothing; the attack on its fleet is a battle
            {
                "ENGLAND": ["A LON - BEL", "F ENG C A LON - BEL"],
                "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG", "A BEL H"],
            },
            {"ENG": ("FRANCE", "F FRANCE")},
        ),
        ({"ENGLAND": ["A LVP - IRI"], "FRANCE": ["F IRI H"]}, {}),  # impossible
        (  # a ring is no battle
            {"TURKEY": ["F ANK - CON", "A CON - SMY"], "RUSSIA": ["A SMY - ANK"]},
            {},
        ),
    ],
)
def test_battles(orders: Lines, expected: dict[str, tuple[str, str | None]]) -> None:
    assert battles(done(phase(orders))) == expected


# ── retreats ────────────────────────────────────────────────────────────────────────────────

BEATEN = {
    "AUSTRIA": ["A BUD S A TRI - VIE", "A TRI - VIE"],
    "GERMANY": ["A MUN - BOH", "A SIL - BOH"],
    "ITALY": ["A VIE H"],
}


def test_a_dislodged_unit_waits_with_its_options() -> None:
    after = done(phase(BEATEN))
    row = after["dislodged"].row(0, named=True)
    assert (row["province"], row["attacker_from"], row["retreated_to"]) == ("VIE", "TRI", None)
    assert row["options"] == ["GAL", "TYR"]  # BOH is contested, BUD and TRI are closed
    assert after["contested"]["province"].to_list() == ["BOH"]
    assert "ITALY" not in places(after, 1)


def test_the_first_legal_preference_is_taken() -> None:
    lines = {"ITALY": ["A VIE R BOH", "A VIE R GAL", "A VIE R TYR"]}
    after = done(phase(BEATEN, retreats=lines))
    assert places(after, 1)["ITALY"] == ["A GAL"]
    retreat = after["results"].filter(step="retreat").row(0, named=True)
    assert (retreat["kind"], retreat["outcome"], retreat["text"]) == (
        "retreat",
        "succeeds",
        "A VIE R GAL",
    )
    assert after["dislodged"]["retreated_to"].to_list() == ["GAL"]


def test_an_earlier_ex_ends_the_list() -> None:
    after = done(phase(BEATEN, retreats={"ITALY": ["A VIE ex", "A VIE R GAL"]}))
    assert "ITALY" not in places(after, 1)


def test_units_that_choose_one_place_are_disbanded_and_try_nothing_else() -> None:
    orders = BEATEN | {
        "GERMANY": ["A MUN S A SIL - BOH", "A SIL - BOH"],
        "ITALY": ["A VIE H", "A BOH H"],
    }
    lines = {"ITALY": ["A BOH R TYR", "A VIE R TYR", "A VIE R GAL"]}
    after = done(phase(orders, retreats=lines))
    assert "ITALY" not in places(after, 1)
    assert after["results"].filter(step="retreat")["outcome"].to_list() == ["fails", "fails"]


def test_a_fleet_retreats_to_a_coast() -> None:
    orders = {"FRANCE": ["F GAS - MAO", "F NAO S F GAS - MAO"], "ENGLAND": ["F MAO H"]}
    after = done(phase(orders, retreats={"ENGLAND": ["F MAO R SpS"]}))
    assert after["dislodged"]["options"][0].to_list() == sorted(
        ["BRE", "ENG", "IRI", "NAF", "POR", "SPA/NC", "SPA/SC", "WES"]
    )
    assert places(after, 1)["ENGLAND"] == ["F SPA/SC"]


def test_retreats_of_a_step_of_their_own() -> None:
    """`separate`: what the movement left behind goes into the next phase."""
    first = done(phase(BEATEN, season="autumn", centres={"AUSTRIA": ["VIE"], "ITALY": ["ROM"]}))
    owners = dict(first["centres"].select("province", "nation").iter_rows())
    assert owners == {"VIE": "AUSTRIA", "ROM": "ITALY"}  # nothing changes while a unit waits
    second = phase({"ITALY": ["A VIE - TYR"]}, units={}, step="retreat", season="autumn")
    second |= {name: first[name] for name in ("units", "centres", "contested")}
    second["dislodged"] = first["dislodged"].drop("retreated_to", "options")
    after = done(second)
    assert places(after, 1)["ITALY"] == ["A TYR"]
    assert after["results"]["step"].to_list() == ["retreat"]
    assert after["battles"].is_empty()
    assert after["centres"].height == 34  # now it does, for all of them
    assert after["centres"].filter(province="BUD")["nation"].to_list() == ["AUSTRIA"]


# ── centres and winter ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("season", "owner"), [("spring", "FRANCE"), ("autumn", "GERMANY")])
def test_control_changes_in_autumn_only(season: str, owner: str) -> None:
    tables = phase({"GERMANY": ["A BUR - PAR"]}, season=season, centres={"FRANCE": ["PAR", "BRE"]})
    owners = dict(done(tables)["centres"].select("province", "nation").iter_rows())
    assert owners["PAR"] == owner
    assert owners["BRE"] == "FRANCE"


def winter(orders: Lines, units: Lines, centres: Lines) -> Tables:
    return done(phase(orders, units=units, step="adjustment", season="winter", centres=centres))


def test_builds_and_what_is_left_open() -> None:
    after = winter(
        {"FRANCE": ["B F BRE", "B A PAR"]}, {"FRANCE": ["A SPA"]}, {"FRANCE": ["BRE", "PAR", "SPA"]}
    )
    assert places(after, 1)["FRANCE"] == ["A PAR", "A SPA", "F BRE"]
    waived = winter({"FRANCE": ["/", "B A PAR"]}, {"FRANCE": ["A SPA"]}, {"FRANCE": ["PAR", "SPA"]})
    assert places(waived, 1)["FRANCE"] == ["A SPA"]
    assert waived["rejected"]["reason"].to_list() == ["die Anzahl 1 ist schon erreicht"]


def test_disbands_match_by_province_and_disorder_takes_the_rest() -> None:
    after = winter(
        {"RUSSIA": ["D F StP(nc)", "D A Mos"]},
        {"RUSSIA": ["F STP/SC", "A LVN", "A UKR", "F SKA"]},
        {"RUSSIA": ["MOS"]},
    )
    assert after["adjustments"].select("kind", "province", "distance").rows() == [
        ("disbanded", "STP", None),
        ("disorder", "LVN", 1),  # as far away as UKR, but first in the alphabet
        ("disorder", "SKA", 3),
    ]


def test_without_a_centre_all_units_go() -> None:
    after = winter({}, {"ITALY": ["A TUN", "F ION"]}, {"FRANCE": ["PAR"]})
    assert after["units"].is_empty()
    assert after["adjustments"].select("province", "distance").rows() == [
        ("ION", None),
        ("TUN", None),
    ]


def test_fleets_go_before_armies_at_the_same_distance() -> None:
    after = winter({}, {"GERMANY": ["A BEL", "F SKA", "A MUN"]}, {"GERMANY": ["KIE", "BER"]})
    assert after["adjustments"]["province"].to_list() == ["SKA"]


# ── rulings ─────────────────────────────────────────────────────────────────────────────────


def test_land_fallback() -> None:
    """Without an ordered route the army walks; a route that is broken is no reason to."""
    unordered = {"FRANCE": ["A BEL - HOL VIA"], "ENGLAND": ["F NTH H"]}
    broken = {
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG", "A PIC - BEL VIA"],
        "ENGLAND": ["F ENG C A PIC - BEL"],
    }
    for orders, expected in ((unordered, ("invalid", "succeeds")), (broken, ("fails", "fails"))):
        for fallback, outcome in zip((False, True), expected, strict=True):
            after = done(phase(orders), Rulings(land_fallback=fallback))
            army = after["results"].filter(unit_type="A")
            assert army["outcome"].to_list() == [outcome]


def test_adjacent_convoy_without_via() -> None:
    swap = {"ENGLAND": ["A NWY - SWE", "F SKA C A NWY - SWE"], "RUSSIA": ["A SWE - NWY"]}
    for ruling, outcome in (("via_or_own", "succeeds"), ("via_only", "fails")):
        after = done(phase(swap), Rulings(adjacent_convoy=ruling))  # type: ignore[arg-type]
        assert set(after["results"].filter(kind="move")["outcome"]) == {outcome}


def test_an_own_fleet_without_a_complete_route_is_no_convoy() -> None:
    """The army goes by land: there is no route that it could have been meant to take."""
    orders = {
        "ENGLAND": ["A LVP - EDI", "F ENG C A LVP - EDI"],
        "FRANCE": ["F IRI H", "F NTH H"],
    }
    after = done(phase(orders))
    assert after["results"].filter(unit_type="A")["outcome"].to_list() == ["succeeds"]


def test_settings_of_the_command() -> None:
    assert rulings_of(
        ["rulings.land_fallback=true", "rulings.adjacent_convoy=via_only"]
    ) == Rulings(land_fallback=True, adjacent_convoy="via_only")
    for wrong in ("land_fallback=true", "rulings.land=1", "rulings.land_fallback=7", "rulings.x"):
        with pytest.raises(InputError):
            rulings_of([wrong])


# ── an invented map ─────────────────────────────────────────────────────────────────────────


def test_nothing_is_hard_wired_to_the_standard_map() -> None:
    orders = {
        "NORD": ["A HAF - BRO", "F Wmr C A HAF - BRO", "F OSE - Riff/ec"],
        "SUED": ["F SSE - WSE", "A BRO - DAM"],
    }
    after = play(
        INVENTED,
        Rulings(),
        phase(
            orders,
            units={
                "NORD": ["A HAF", "F WSE", "F OSE"],
                "SUED": ["F SSE", "A BRO"],
            },
        ),
    )
    assert places(after, 1) == {
        "NORD": ["A BRO", "F RIF/EC", "F WSE"],
        "SUED": ["A DAM", "F SSE"],
    }
    assert battles(after) == {"WSE": ("SUED", "F NORD")}
    missing = play(
        INVENTED,
        Rulings(),
        phase({"NORD": ["F WSE - Rif", "F Meer - Kap"]}, units={"NORD": ["F WSE", "F OSE"]}),
    )
    assert places(missing, 1) == {"NORD": ["F KAP", "F RIF/WC"]}


# ── the batch ───────────────────────────────────────────────────────────────────────────────


def test_order_of_rows_and_company_change_nothing() -> None:
    alone = done(phase(BEATEN, retreats={"ITALY": ["A VIE R GAL"]}))
    company = [
        phase(BEATEN, retreats={"ITALY": ["A VIE R GAL"]}),
        phase({"TURKEY": ["F ANK - BLA"], "RUSSIA": ["F SEV - BLA"]}, number=7),
        phase(
            {"FRANCE": ["B A PAR"]},
            units={},
            step="adjustment",
            centres={"FRANCE": ["PAR"]},
            number=3,
        ),
    ]
    together = {
        name: pl.concat([tables[name] for tables in company]).sample(
            fraction=1, shuffle=True, seed=5
        )
        for name in company[0]
    }
    found = done(together)
    for name in OUTPUTS:
        assert found[name].filter(phase_id=1).equals(alone[name])
    assert found["units"].equals(done(together)["units"])


def test_nothing_at_all() -> None:
    tables = phase({"FRANCE": []}, units={})
    assert all(table.is_empty() for table in done(tables).values())


def test_unit_ids_are_carried_along() -> None:
    tables = phase(BEATEN, retreats={"ITALY": ["A VIE R GAL"]}, season="autumn")
    numbered = tables["units"].with_row_index("unit_id", offset=100)
    orders = read_texts(BOARD, Rulings(), tables)
    position = {k: tables[k] for k in ("phases", "centres", "dislodged", "contested")}
    after = adjudicate(BOARD, Rulings(), units=numbered, orders=orders, **position)["units"]
    before = dict(numbered.select("province", "unit_id").iter_rows())
    now = dict(after.select("province", "unit_id").iter_rows())
    assert now["VIE"] == before["TRI"]
    assert now["MUN"] == before["MUN"]
    assert now["GAL"] == before["VIE"]


def test_folder_in_folder_out(tmp_path: Path) -> None:
    tables = phase(BEATEN, retreats={"ITALY": ["A VIE R GAL"]})
    for name in ("phases", "orders"):
        tables[name].write_csv(tmp_path / f"{name}.csv", separator=";")
    tables["units"].write_parquet(tmp_path / "units.parquet")
    out = tmp_path / "out"
    for _ in range(2):  # a second run replaces the results
        written = run_batch(tmp_path, out, BOARD, Rulings())
    for name in OUTPUTS:
        stored = store.read_foreign(out / f"{name}.parquet", f"ghost.batch.{name}")
        assert stored.equals(written[name])
    assert written["units"].equals(done(tables)["units"])


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("phases.csv", "phase_id,step,season\n", "phases is missing or empty"),
        ("einheiten.csv", "a\n1\n", "unknown table 'einheiten'"),
        (
            "units.csv",
            "phase_id,nation,unit_type,province,coast\n1,ITALIEN,A,ROM,\n",
            "unknown nation",
        ),
        (
            "units.csv",
            "phase_id,nation,unit_type,province,coast\n2,ITALY,A,ROM,\n",
            "unknown phase_id",
        ),
        (
            "units.csv",
            "phase_id,nation,unit_type,province,coast\n1,ITALY,F,SPA,\n",
            "F SPA: no unit",
        ),
        (
            "units.csv",
            "phase_id,nation,unit_type,province,coast\n1,ITALY,A,ION,\n",
            "A ION: no unit",
        ),
        ("units.csv", "phase_id,nation,unit_type,province,coast\n1,ITALY,X,ROM,\n", "'X'"),
        ("orders.csv", "phase_id,line,step,nation,text,x\n", "unknown column 'x'"),
    ],
)
def test_a_broken_batch_is_refused(tmp_path: Path, file: str, text: str, message: str) -> None:
    (tmp_path / "phases.csv").write_text("phase_id,step,season\n1,movement,spring\n")
    (tmp_path / file).write_text(text)
    with pytest.raises(InputError) as refused:
        read_batch(tmp_path, BOARD)
    assert message in str(refused.value)
