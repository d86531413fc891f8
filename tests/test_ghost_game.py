"""Whole games by files alone: a real one to its end, and one in which much goes wrong."""

import json
from collections import defaultdict
from pathlib import Path
from random import Random

import polars as pl
import pytest

from flows import store
from flows.ghost_desk import replay
from flows.ghost_game import GhostGame
from flows.ghost_publish import evaluation, gamemaster, general, national, workbooks
from flows.ghost_turn import phase_of, read_tables
from tests.conftest import SHARED
from tests.ghost_world import board, hand_in, new_game, play, rules

GAMES = SHARED / "cases" / "diplomacy_games"
CODES = dict(board().nations.select("nation", "file_code").iter_rows())
_SEASONS = {"S": 0, "F": 1, "W": 2}


def recorded(name: str) -> tuple[dict[int, dict[str, list[str]]], dict[int, tuple[set, dict]]]:
    """Turn → order lines per file, and turn → the position (units, centres) before it."""
    orders: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    before: dict[int, tuple[set, dict]] = {}
    for phase in json.loads((GAMES / f"{name}.json").read_text())["phases"]:
        title = phase["name"]
        if title == "COMPLETED":
            turn = max(orders) + 1
        else:
            turn = (int(title[1:5]) - 1901) * 3 + _SEASONS[title[0]] + 1
        if title[-1] != "R":
            units = {(n, *u.split()) for n, us in phase["units"].items() for u in us}
            before[turn] = (units, {c: n for n, cs in phase["centers"].items() for c in cs})
        for nation, lines in (phase.get("orders") or {}).items():
            orders[turn][CODES[nation]] += lines or []
    return orders, before


def position(game: GhostGame, turn: int) -> tuple[set, dict]:
    tables = read_tables(game, turn)
    units = {
        (u["nation"], u["unit_type"], "/".join(filter(None, (u["province"], u["coast"]))))
        for u in tables["units"].iter_rows(named=True)
    }
    return units, dict(tables["centres"].drop_nulls().select("province", "nation").iter_rows())


@pytest.mark.shared
@pytest.mark.skipif(not GAMES.is_dir(), reason="needs the saved games beside the project")
def test_a_real_game_to_its_end(tmp_path: Path) -> None:
    """France wins with 18 centres; every turn gives the position that the record has next."""
    orders, before = recorded("cicero_439643")
    game = new_game(tmp_path, 'adjacent_convoy = "via_only"')
    for turn in range(1, max(orders) + 1):
        files = {code: "; ".join(lines) for code, lines in orders[turn].items() if lines}
        play(game, files)
        if turn + 1 in before:
            units, held = position(game, turn)
            assert (turn, units) == (turn, before[turn + 1][0])
            if turn % 3 != 1:
                assert held == before[turn + 1][1]
    last = store.last_turn(tmp_path)
    assert "F hat 18 VZ und damit die Siegbedingung erreicht." in gamemaster(evaluation(game, last))
    assert "18" not in general(evaluation(game, last))
    assert all(not differing for _, differing in replay(game))


def random_file(random: Random, tables: dict[str, pl.DataFrame], nation: str) -> str:
    """Orders as somebody might write them: good ones, retreats in advance, and nonsense."""
    names = rules().names
    abbr = dict(board().provinces.select("province", "abbr").iter_rows())
    own = tables["units"].filter(nation=nation).with_columns(text=names.unit())
    lines = []
    for unit in own.iter_rows(named=True):
        reach = board().reach.filter(
            pl.col("coast").eq_missing(unit["coast"]),
            unit_type=unit["unit_type"],
            province=unit["province"],
        )["target"]
        goals = [abbr[p] for p in reach]
        goal, other = random.choice(goals), random.choice(goals)
        lines += random.choice(
            [
                [f"{unit['text']}-{goal}", f"{unit['text']} R {other}"],
                [f"{unit['text'].lower()} -> {goal}"],
                [f"{unit['text']} hält"],
                [f"{unit['text']} unterstützt A {goal}", f"{unit['text']} > {goal} > {other}"],
                [f"{unit['text']}-Atlantis", f"{unit['text']} – {goal}"],
                [],
            ]
        )
    centres = tables["centres"].filter(nation=nation)["province"]
    lines += [f"B A {abbr[p]}" for p in centres] + [f"D {text}" for text in own["text"][:2]]
    return "; ".join(random.sample(lines, len(lines)))


@pytest.mark.parametrize("retreats", ["in_advance", "separate"])
def test_a_game_in_which_much_goes_wrong(tmp_path: Path, retreats: str) -> None:
    random = Random(1901)
    game = new_game(tmp_path, f'retreats = "{retreats}"')
    steps = 3 if retreats == "in_advance" else 5
    for turn in range(1, 4 * steps + 1):
        tables = read_tables(game, turn - 1)
        files = {
            code: random_file(random, tables, nation)
            for nation, code in CODES.items()
            if random.random() > 0.15  # missing
        }
        if turn % 4 == 0:
            files["gb"] = files.get("GB", "A Lpl H")  # twice, perhaps
        if turn > 1 and turn % 5 == 0:
            hand_in(game, turn - 1, {"F": "A Par-Bur"})  # too late
        play(game, files)
        now = read_tables(game, turn)
        told = evaluation(game, turn)
        texts, sheets = national(told), workbooks(told)
        assert set(texts) == set(sheets) == set(told.readers["viewer"])
        assert gamemaster(told)
        assert general(told)
        check_position(now, tables)
    assert phase_of(now).title == "Winter 1904"
    assert all(not differing for _, differing in replay(game))
    assert now["units"].height != 22 or now["centres"].drop_nulls().height > 22  # it was played


def check_position(now: dict[str, pl.DataFrame], before: dict[str, pl.DataFrame]) -> None:
    """What must hold after every turn."""
    units = now["units"]
    assert not units["province"].is_duplicated().any()
    assert not units["unit_id"].is_duplicated().any()
    standing = board().steps.select("unit_type", "province", "coast").unique()
    place = ["unit_type", "province", "coast"]
    assert units.join(standing, on=place, how="anti", nulls_equal=True).is_empty()
    if phase_of(now).step == "adjustment":
        held = now["centres"].drop_nulls().group_by("nation").len("centres")
        many = units.group_by("nation").len("units").join(held, on="nation", how="left")
        assert (many["units"] <= many["centres"].fill_null(0)).all()
    if phase_of(now).season != "autumn":
        assert now["centres"].equals(before["centres"])
    twice = (
        now["units"]
        .join(before["units"], on="unit_id")
        .filter(pl.col("nation") != pl.col("nation_right"))
    )
    assert twice.is_empty()  # no id ever changes hands
