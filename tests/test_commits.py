"""In which order a working copy goes to an object store, and what a kill in between leaves."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.commits import complete, last_turn, number_in, phases
from transforms.errors import InputError

Files = dict[str, str]  # path → content


def turn(number: int, content: str, where: str = "history/turn={:04d}") -> Files:
    """A turn folder of two tables and a step, and the manifest that says what is in it."""
    folder = where.format(number)
    names = ("units.parquet", "hexes.parquet", "steps/01-orders/units.parquet")
    return {f"{folder}/{name}": content for name in (*names, "manifest.json")}


def reports(number: int, content: str) -> Files:
    return {f"reports/{number:04d}/{name}": content for name in ("ABC.txt", "wuerfel.txt")}


def game(turns: int) -> Files:
    """An untouched game with this many evaluated turns."""
    files = {"game.toml": "", "map/rivers.parquet": "", "orders/9/ABC.txt": ""}
    for number in range(turns + 1):
        files |= turn(number, "old") | (reports(number, "old") if number else {})
    return files


def one_more(files: Files, content: str = "new") -> Files:
    number = last_turn(files) + 1
    return files | turn(number, content) | reports(number, content)


def loaded(files: Files) -> Files:
    return files | turn(last_turn(files) + 1, "new", "work/turn={:04d}")


def rolled_back(files: Files, to: int) -> Files:
    kept = {p: c for p, c in files.items() if not is_later(p, to)}
    moved = {"revisions/log.csv": "a line"}
    for number in range(to + 1, last_turn(files) + 1):
        moved |= turn(number, "old", "revisions/turn={:04d}.r1")
    return kept | moved


def is_later(path: str, to: int) -> bool:
    return path.startswith(("history/", "reports/")) and number_in(path) > to


def replayed(files: Files, first: int) -> Files:
    last, files = last_turn(files), rolled_back(files, first - 1)
    for _ in range(first, last + 1):
        files = one_more(files)
    return files


@st.composite
def works(draw: st.DrawFn) -> tuple[Files, Files]:
    """A game before and after a command."""
    turns = draw(st.integers(0, 4))
    before = game(turns)
    kinds = [one_more, loaded, lambda files: one_more(one_more(files))]
    if turns:
        first = draw(st.integers(1, turns))
        kinds += [lambda f: rolled_back(f, first - 1), lambda f: replayed(f, first)]
        kinds += [lambda f: f | reports(turns, "again")]
    return before, draw(st.sampled_from(kinds))(before)


def states(before: Files, after: Files, seed: int = 0) -> Iterator[Files]:
    """The store after every single request, those of a phase in any order."""
    store = dict(before)
    changed = {path for path, content in after.items() if before.get(path) != content}
    yield dict(store)
    for phase in phases(changed, before.keys() - after.keys(), before):
        paths = list(phase.paths)
        if not phase.in_turn:
            random.Random(seed).shuffle(paths)
        for path in paths:
            if phase.what == "delete":
                store.pop(path, None)
            else:
                assert phase.what == "put" or path not in store, f"{path} is created twice"
                store[path] = after.get(path, "")
            yield dict(store)


def visible(store: Files) -> Files:
    return complete(store)[0]


@given(works(), st.integers())
def test_after_all_requests_the_store_is_the_copy(work: tuple[Files, Files], seed: int) -> None:
    *_, last = states(*work, seed)
    assert last == work[1]


@given(works(), st.integers())
def test_every_turn_that_can_be_seen_is_whole(work: tuple[Files, Files], seed: int) -> None:
    before, after = work
    for store in states(before, after, seed):
        seen = visible(store)
        numbers = {number_in(path) for path in seen if path.startswith("history/")}
        assert numbers == set(range(last_turn(seen) + 1))
        for number in numbers:
            there = {p: c for p, c in seen.items() if p.startswith(f"history/turn={number:04d}/")}
            assert there in (turn(number, "old"), turn(number, "new"))


@given(works(), st.integers())
def test_nothing_is_lost_at_any_time(work: tuple[Files, Files], seed: int) -> None:
    """An old turn is in the history or, whole, among the revisions."""
    before, after = work
    for store in states(before, after, seed):
        seen = visible(store)
        for number in range(last_turn(before) + 1):
            places = ("history/turn={:04d}", "revisions/turn={:04d}.r1")
            assert any(turn(number, "old", place).items() <= seen.items() for place in places)


@given(works(), st.integers())
def test_a_new_turn_without_its_reports_has_a_mark(work: tuple[Files, Files], seed: int) -> None:
    """And it is the last one, so that the next `zugwerk turn` begins with its reports."""
    before, after = work
    for store in states(before, after, seed):
        last = last_turn(visible(store))
        for number in range(1, last + 1):
            if store.get(f"history/turn={number:04d}/manifest.json") == "new":
                told = reports(number, "new").items() <= store.items()
                marked = f"work/turn={number:04d}.unpublished" in store
                assert told or (marked and number == last)


@given(works(), st.integers(), st.integers(0, 60))
def test_whoever_comes_after_a_kill_ends_where_it_would_have_ended(
    work: tuple[Files, Files], seed: int, stop: int
) -> None:
    before, after = work
    *_, killed = islice(states(before, after, seed), stop + 1)
    *_, last = states(visible(killed), after, seed)
    assert last == after


@pytest.mark.parametrize("lost", [1, 2, 3])
def test_a_turn_that_has_lost_its_manifest_is_missed(lost: int) -> None:
    """It is no rest of a killed run, which has neither later turns nor reports."""
    files = game(3)
    del files[f"history/turn={lost:04d}/manifest.json"]
    with pytest.raises(InputError, match=f"history/turn=000{lost}: its manifest.json is missing"):
        complete(files)


def test_what_somebody_put_aside_is_no_turn() -> None:
    files = game(1) | turn(1, "mine", "history/turn={:04d}.bak") | turn(1, "x", "revisions/old{}")
    del files["history/turn=0001.bak/manifest.json"]
    assert complete(files) == (files, [])


def test_the_start_position_of_another_tool_needs_no_manifest() -> None:
    start = {"game.toml": "", "history/turn=0000/units.parquet": "", "orders/1/ABC.txt": ""}
    assert visible(start) == start
    half = {"history/turn=0001/units.parquet": "", "work/turn=0001/units.parquet": ""}
    assert complete(start | half) == (start, sorted(half))


def test_turns_go_by_number() -> None:
    after = turn(9999, "") | turn(10000, "")
    order = [path for phase in phases(set(after), set(), set()) for path in phase.paths]
    assert [number_in(path) for path in order if path.endswith("manifest.json")] == [9999, 10000]


def test_a_new_game_is_there_when_its_settings_are() -> None:
    """Whatever a kill has left of it, the next try finds no other file there."""
    *killed, _, last = states({}, game(3))
    assert all("game.toml" not in store for store in killed)
    assert last == game(3)
