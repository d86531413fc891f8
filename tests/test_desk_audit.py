"""An audit notices whatever was changed afterwards, also by somebody who mends the manifest."""

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from flows import store
from flows.audit import audit, audited_turns
from flows.game import read_game
from flows.manifest import MANIFEST
from flows.turn import TurnRunner
from tests.conftest import digests
from transforms.audit import wrong_draws
from transforms.dice import DRAW_COLUMNS, Stream, turn_dice, with_rolls
from transforms.errors import InputError


@pytest.fixture
def played(game: Path) -> Path:
    """The small game after two turns."""
    for _ in range(2):
        TurnRunner(read_game(game)).turn()
    return game


def forge(game: Path, turn: int, name: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change a table of the history and everything in the manifest that would tell."""
    folder = store.history_dir(game, turn)
    frame = change(store.read_turn(game, turn, [name])[name])
    path = folder / f"{name}.parquet"
    path.unlink()
    new = store.write_table(path, frame).stored.sha256
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    manifest["tables"][name]["sha256"] = new
    (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")


def test_an_honest_game_passes(played: Path) -> None:
    before = digests(played)
    assert audited_turns(played, None) == [0, 1, 2]
    counts = [audit(read_game(played), turn) for turn in (0, 1, 2)]
    assert [c["draws"] for c in counts] == [0, 2, 0]
    assert counts[1]["commitments"] == 3
    assert counts[2]["commitments"] == 4
    assert digests(played) == before


def test_a_changed_file(played: Path) -> None:
    path = next((store.history_dir(played, 1) / "steps").glob("*movement/units.parquet"))
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content[:-9] + b"x" * 9)
    _fails(played, 1, "movement/units.parquet: the file was changed")


def test_a_file_too_many(played: Path) -> None:
    pl.DataFrame({"a": [1]}).write_parquet(store.history_dir(played, 1) / "extra.parquet")
    _fails(played, 1, "the manifest does not know this file")


def test_a_better_roll(played: Path) -> None:
    forge(played, 1, "draws", lambda draws: draws.with_columns(value=pl.lit(5, pl.Int64)))
    _fails(played, 1, r"draw stream 1 \(standing\), entity 65648, index 0: noted 5, found 1")


def test_a_forged_parent_shows_in_the_next_turn(played: Path) -> None:
    forge(played, 1, "units", lambda units: units.with_columns(troops=pl.col("troops") + 1))
    _fails(played, 2, "parent")


@pytest.mark.parametrize("column", ["dice_message", "dice_digest", "next_commitment"])
def test_other_dice(played: Path, column: str) -> None:
    forge(played, 1, "turn_info", lambda t: t.with_columns(pl.lit("klein/1/r7").alias(column)))
    _fails(played, 1, f"{column}: noted 'klein/1/r7'")


def test_an_order_file_changed_afterwards(played: Path) -> None:
    (played / "orders" / "1" / "NEU_SPZ.txt").write_text("101,1000,1,207,20,27\n")
    _fails(played, 1, "turn 1: orders/NEU_SPZ.txt")


def test_a_missing_order_file_is_no_difference(played: Path) -> None:
    (played / "orders" / "1" / "NEU_SPZ.txt").unlink()
    audit(read_game(played), 1)


def test_another_page_went_out(played: Path) -> None:
    path = store.reports_dir(played, 1) / "wuerfel.txt"
    path.write_text(path.read_text("utf-8").replace("klein/1", "klein/2"), "utf-8")
    _fails(played, 1, "wuerfel.txt")


def test_another_seed(played: Path) -> None:
    path = played / "game.toml"
    path.write_text(path.read_text("utf-8").replace("11" * 32, "12" * 32), "utf-8")
    _fails(played, 1, "turn 1: game")


def test_wrong_draws_of_every_stream() -> None:
    dice = turn_dice(bytes(32), "spiel", 3)
    right = pl.concat(
        with_rolls(
            pl.LazyFrame({"unit": [1, 2, 3]}),
            stream,
            entity=pl.col("unit"),
            lo=1,
            hi=1000,
            dice=dice,
        )
        .select(DRAW_COLUMNS)
        .collect()
        for stream in Stream
    )
    assert wrong_draws(right, dice).is_empty()
    assert wrong_draws(right.clear(), dice).is_empty()
    wrong = right.with_columns(value=pl.col("value") + (pl.col("entity") == 2))
    found = wrong_draws(wrong.sample(fraction=1.0, shuffle=True, seed=1), dice)
    assert found["stream"].to_list() == sorted(map(int, Stream))
    assert (found["rolled"] + 1 == found["value"]).all()


def _fails(game: Path, turn: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        audit(read_game(game), turn)
