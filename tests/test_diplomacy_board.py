"""The maps: the standard one as everybody knows it, an invented one, and broken ones."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from flows.ghost_map import read_board, read_board_from
from flows.shipped import shipped
from transforms.errors import InputError

STANDARD = read_board("standard")
MAPS = [path.name for path in shipped("data", "diplomacy").iterdir() if path.is_dir()]


def test_standard_map_has_the_known_sizes() -> None:
    provinces = STANDARD.provinces
    assert dict(provinces["kind"].value_counts().iter_rows()) == {
        "inland": 14,
        "coast": 42,
        "sea": 19,
    }
    assert STANDARD.neighbours.height == 2 * 206
    assert provinces["centre"].sum() == 34
    homes = provinces.filter(pl.col("home_of").is_not_null() & pl.col("centre"))
    assert dict(homes["home_of"].value_counts().iter_rows())["RUSSIA"] == 4
    assert homes.height == 22
    assert STANDARD.start.height == 22
    assert STANDARD.coasts.rows() == [
        ("BUL", "SC"),
        ("BUL", "EC"),
        ("SPA", "NC"),
        ("SPA", "SC"),
        ("STP", "NC"),
        ("STP", "SC"),
    ]


@pytest.mark.parametrize(
    ("letter", "place", "targets"),
    [
        ("A", ("STP", None), "FIN LVN MOS NWY"),
        ("F", ("STP", "NC"), "BAR NWY"),
        ("F", ("STP", "SC"), "BOT FIN LVN"),
        ("F", ("CON", None), "AEG ANK BLA BUL/EC BUL/SC SMY"),
        ("F", ("ROM", None), "NAP TUS TYS"),
        ("A", ("NAF", None), "TUN"),
        ("F", ("NTH", None), "BEL DEN EDI ENG HEL HOL LON NWG NWY SKA YOR"),
    ],
)
def test_steps(letter: str, place: tuple[str, str | None], targets: str) -> None:
    steps = STANDARD.steps.filter(unit_type=letter, province=place[0]).filter(
        pl.col("coast").eq_missing(place[1])
    )
    found = [p if c is None else f"{p}/{c}" for p, c in steps.select(pl.nth(3, 4)).iter_rows()]
    assert sorted(found) == targets.split()


@pytest.mark.parametrize(
    ("province", "other", "distance"),
    [("BOT", "MUN", 3), ("NTH", "MUN", 3), ("TYR", "WAR", 3), ("BAL", "WAR", 2), ("LON", "LON", 0)],
)
def test_distances(province: str, other: str, distance: int) -> None:
    row = STANDARD.distances.filter(province=province, other=other)
    assert row["distance"].to_list() == [distance]


def test_black_sea_is_a_sea_of_its_own() -> None:
    assert STANDARD.ports.filter(sea="BLA")["land"].to_list() == [
        "ANK",
        "ARM",
        "BUL",
        "CON",
        "RUM",
        "SEV",
    ]
    assert STANDARD.passages.filter(province="GRE", target="SEV").is_empty()


@pytest.mark.parametrize("name", MAPS)
def test_every_shipped_map_holds_together(name: str) -> None:
    board = read_board(name)
    assert set(board.start["nation"]) == set(board.nations["nation"])
    homes = board.provinces.filter("centre").join(board.start, on="province", how="semi")
    assert homes.height == board.start.height  # everybody starts in a centre


def test_unknown_map_names_the_others() -> None:
    with pytest.raises(InputError, match=r"--map: unknown map 'standart' \(did you mean"):
        read_board("standart")


@pytest.mark.parametrize(
    ("file", "before", "after", "message"),
    [
        ("borders.csv", "HAF,,MOO,,true,false\n", "", "MOO → HAF leads one way only"),
        ("borders.csv", "HAF,,NSE,,false,true", "HAF,,NSE,,true,true", "one way only"),
        ("provinces.csv", "Moo,inland", "Moo,sea", "HAF → MOO takes an army to sea"),
        ("provinces.csv", "Nsu,sea", "Nsu,inland", "takes a fleet inland"),
        ("borders.csv", "RIF,EC,OSE", "RIF,NC,OSE", "leads one way only"),
        ("start.csv", "SUED,F,DAM", "SUED,F,FOR", "SUED F FOR cannot stand there"),
        ("start.csv", "NORD,F,KAP", "NORD,F,RIF", "NORD F RIF cannot stand there"),
        ("start.csv", "SUED,F,DAM", "SUED,A,HAF", "does not stand there alone"),
        ("aliases.csv", "Hafenstadt,HAF", "Hafenstadt,HAV", "unknown province 'HAV'"),
        ("provinces.csv", "Brock,Bro,", "Brock,Dam,", "abbr 'Dam' stands there twice"),
        ("nations.csv", "#4a6fa5", "blue", "rule 'colour|regex'"),
    ],
)
def test_a_broken_map_is_refused(
    tmp_path: Path, file: str, before: str, after: str, message: str
) -> None:
    folder = tmp_path / "map"
    shutil.copytree(shipped("data", "diplomacy", "zwillingsinseln"), folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert before in text
    (folder / file).write_text(text.replace(before, after), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_board_from(folder)
    assert message in str(refused.value)
