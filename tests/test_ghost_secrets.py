"""Non-interference: what a nation cannot know changes no byte of what it gets.

A random position is evaluated; then everything hidden from one nation is changed — units out of
its view, units at home where it only sees strangers, other nations' centres, orders and results —
and its text, Excel file, picture and the answers to its order file must stay the same.
"""

import json
from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flows import store
from flows.ghost_desk import check
from flows.ghost_game import GhostGame
from flows.ghost_publish import (
    Evaluation,
    evaluation,
    evaluation_of,
    nation_scenes,
    national,
    paper_of,
    with_orders,
    workbooks,
)
from flows.ghost_turn import start_tables
from tests.conftest import SHARED
from tests.ghost_world import board, new_game, play, rules
from transforms import schema
from transforms.diplomacy.chart import draw, png_bytes
from transforms.diplomacy.orders import read_orders
from transforms.diplomacy.steps import _in_phase, phase_row, seen_by

GAMES = SHARED / "cases" / "diplomacy_games"
GAME = GhostGame(Path("nowhere"), "probe", "Probe", 1901, rules())
NATIONS = board().nations["nation"].to_list()
STANDING = board().steps.select("unit_type", "province", "coast").unique().sort(pl.all())
PLACES = STANDING.rows()
CENTRES = board().provinces.filter("centre")["province"].to_list()
HOME = dict(board().provinces.select("province", "home_of").iter_rows())
WORDS = ["F Nth-Nrg", "A Mun S A Ber", "A Mun S A Ber-Kie", "F Nth C A Lon-Nwy", "F Eng S F Bre",
         "A Gal S A Ukr", "S RA", "A Lon-Nwy VIA", "Blub"]  # fmt: skip
Position = dict[str, pl.DataFrame]


def unit_rows(random: Random, taken: set[str], count: int, owners: list[str]) -> list[tuple]:
    found = []
    for letter, province, coast in random.sample(PLACES, len(PLACES)):
        if len(found) < count and province not in taken:
            taken.add(province)
            found.append((len(taken), random.choice(owners), letter, province, coast))
    return found


def position_of(units: list[tuple], held: dict[str, str | None]) -> Position:
    columns = schema.schema_of("ghost.units")
    frame = pl.DataFrame(units, schema=columns, orient="row")
    numbered = frame.sort("province").with_columns(
        unit_id=pl.int_range(1, pl.len() + 1, dtype=pl.UInt32)
    )
    centres = pl.DataFrame({"province": list(held), "nation": list(held.values())},
                           schema=schema.schema_of("ghost.centres"))  # fmt: skip
    given = {
        "units": schema.shaped("ghost.units", numbered),
        "centres": schema.shaped("ghost.centres", centres),
    }
    return start_tables(GAME, given)


def random_position(random: Random) -> Position:
    units = unit_rows(random, set(), random.randint(8, 34), NATIONS)
    return position_of(units, {p: random.choice([*NATIONS, None]) for p in CENTRES})


def changed(position: Position, viewer: str, random: Random) -> Position:
    """The position with everything changed that `viewer` does not know."""
    known = position["knowledge"].filter(viewer=viewer)
    view = dict(known.select("province", "status").iter_rows())
    kept = [u for u in position["units"].iter_rows() if view.get(u[3]) in ("own", "foreign")]
    others = [n for n in NATIONS if n != viewer]
    seen = {p for p, status in view.items() if status != "no_foreign"}
    hidden = unit_rows(random, set(seen), random.randint(0, 25), others)
    at_home = [(u[0], HOME[u[3]], *u[2:]) if view.get(u[3]) == "no_foreign" else u for u in hidden]
    owners = dict(position["centres"].iter_rows())
    held = {p: n if n == viewer else random.choice([*others, None]) for p, n in owners.items()}
    return position_of(kept + at_home, held)


def with_noise(position: Position, viewer: str, random: Random) -> Position:
    """Orders and results of a spring: the viewer's always the same, the others' at random."""
    orders, results = [], []
    for _, nation, letter, province, coast in position["units"].iter_rows():
        dice = Random(province) if nation == viewer else random
        kind, outcome = dice.choice([("move", "succeeds"), ("move", "fails"), ("support", "cut")])
        results.append({"province": province, "step": "movement", "nation": nation,
                        "unit_type": letter, "coast": coast, "kind": kind, "outcome": outcome,
                        "dislodged": False, "destroyed": False})  # fmt: skip
        orders.append({"nation": nation, "line": len(orders) + 1 if nation != viewer else
                       500 + PLACES.index((letter, province, coast)), "text": "?",
                       "step": "movement", "kind": kind, "province": province,
                       "target": dice.choice(CENTRES), "via": False, "status": "counted",
                       "understood": f"{letter} {province}-{dice.choice(CENTRES)}"})  # fmt: skip
    absent = random.sample([n for n in NATIONS if n != viewer], 3)
    phase = pl.DataFrame([{"turn": 1, "year": 1901, "season": "spring", "step": "movement"}])
    return position | {
        "phase": schema.shaped("ghost.phase", phase),
        "orders": schema.shaped("ghost.orders", pl.DataFrame(orders)),
        "results": schema.shaped("ghost.results", pl.DataFrame(results)),
        "missing": schema.shaped("ghost.missing", pl.DataFrame({"nation": absent})),
    }


def told(position: Position, viewer: str) -> Evaluation:
    return evaluation_of(GAME, position, position)


def outputs(position: Position, viewer: str, *, picture: bool) -> list[object]:
    """What a nation gets."""
    about = told(position, viewer)
    scene = nation_scenes(about)[viewer]
    pictures = [scene, with_orders(scene, about)]
    if picture:
        pictures = [png_bytes(draw(paper_of(board()), scene)) for scene in pictures]
    return [national(about)[viewer], workbooks(about)[viewer], *pictures, answers(position, viewer)]


def answers(position: Position, viewer: str) -> list[tuple]:
    """How lines of the viewer are read for the turn itself, with all units on the table."""
    lines = [(i, viewer, i, text, None) for i, text in enumerate(WORDS, start=1)]
    columns = ["row", "nation", "line", "text", "step"]
    frame = pl.DataFrame(lines, schema=columns, orient="row").drop("row")
    read = read_orders(
        board(),
        phases=phase_row(told(position, viewer).phase, GAME.rules),
        lines=_in_phase(frame.with_columns(pl.col("line").cast(pl.UInt32),
                                           pl.col("step").cast(pl.String))),
        units=_in_phase(position["units"].drop("unit_id")),
        dislodged=_in_phase(position["dislodged"]),
        centres=_in_phase(position["centres"]),
        seen=_in_phase(seen_by(position["knowledge"])),
    )  # fmt: skip
    return read.sort("line").rows()


def living_viewer(position: Position, random: Random) -> str:
    return random.choice(position["knowledge"]["viewer"].unique().sort().to_list())


class TestRandomPositions:
    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 2**32))
    def test_texts_sheets_scenes_and_answers(self, seed: int) -> None:
        random = Random(seed)
        position = random_position(random)
        viewer = living_viewer(position, random)
        other = changed(position, viewer, random)
        mine = pl.col("viewer") == viewer
        assert position["knowledge"].filter(mine).equals(other["knowledge"].filter(mine))
        one = outputs(with_noise(position, viewer, random), viewer, picture=False)
        assert one == outputs(with_noise(other, viewer, random), viewer, picture=False)

    def test_pictures(self) -> None:
        random = Random(1)
        for _ in range(2):
            position = random_position(random)
            viewer = living_viewer(position, random)
            other = changed(position, viewer, random)
            one = outputs(with_noise(position, viewer, random), viewer, picture=True)
            assert one == outputs(with_noise(other, viewer, random), viewer, picture=True)

    def test_something_visible_does_change_them(self) -> None:
        position = random_position(Random(3))
        viewer = position["units"]["nation"][0]
        gone = position_of(position["units"].rows()[1:], dict(position["centres"].iter_rows()))
        assert outputs(position, viewer, picture=False) != outputs(gone, viewer, picture=False)


@pytest.mark.shared
@pytest.mark.skipif(not GAMES.is_dir(), reason="needs the saved games beside the project")
def test_real_positions() -> None:
    random = Random(5)
    phases = json.loads((GAMES / "cicero_439643.json").read_text())["phases"]
    for phase in phases[::6]:
        units, held = [], dict.fromkeys(CENTRES)
        for nation, texts in phase["units"].items():
            for text in texts:
                letter, place = text.lstrip("*").split()
                province, _, coast = place.partition("/")
                if not text.startswith("*"):
                    units.append((0, nation, letter, province, coast or None))
            held |= dict.fromkeys(phase["centers"].get(nation, []), nation)
        position = position_of(units, held)
        for viewer in position["knowledge"]["viewer"].unique().sort():
            other = changed(position, viewer, random)
            one = outputs(with_noise(position, viewer, random), viewer, picture=False)
            assert one == outputs(with_noise(other, viewer, random), viewer, picture=False)


def test_whole_turns_with_different_hidden_orders(tmp_path: Path) -> None:
    """From order files to reports: Austria and Turkey differ, and Great Britain cannot tell."""
    got = []
    for name, hidden in (
        ("a", {"OEU": "A Vie-Gal; F Tri-Alb", "OR": "A Con-Bul", "R": "A Mos-Ukr"}),
        ("b", {"OEU": "A Vie-Boh; Blub", "R": "A Mos-Sev; F Sev-Rum"}),
    ):
        game = new_game(tmp_path / name)
        play(game, {"GB": "F Edi-Nrg; F Lon S F Edi-Nth", **hidden})
        about = evaluation(game, 1)
        path = tmp_path / "GB.txt"
        path.write_text("F Nrg-Nth\nF Nrg S A Gal\nF Lon S RF\n")
        got.append([national(about)["ENGLAND"], workbooks(about)["ENGLAND"],
                    nation_scenes(about)["ENGLAND"], check(game, path)])  # fmt: skip
        assert store.turns(game.root) == [0, 1]
    assert got[0] == got[1]
