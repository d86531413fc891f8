"""The shipped demo game: three turns in which every rule and every order mistake occurs."""

import re
from pathlib import Path

import polars as pl
import pytest

from flows import newgame, store
from flows.game import read_game
from flows.lock import locked
from flows.publish import publish
from flows.turn import TurnRunner
from transforms import schema
from transforms.catalogue import BOARDING, ORDERS

TURNS = (1, 2, 3)
# Sentences of ORDERS that are no mistakes, and mistakes that would need a huge or binary file.
NO_MISTAKE = {"number", "troops", "leaders", "gf", "kf", "cost", "aboard"}
COMPLETE = {"split_empty", "split_again", "unit_in_training"}  # under that rule set only
TOO_BIG = {"binary", "file_too_big", "too_many_lines"}
MISTAKES = sorted(
    key
    for key in ORDERS.keys() - NO_MISTAKE - COMPLETE - TOO_BIG
    if not key.startswith("understood")
)

Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """All tables of the three turns, each with the column `turn`."""
    return played(tmp_path_factory.mktemp("demo") / "beispiel")


def played(root: Path, rules: str = "") -> Tables:
    """The demo in folder `root`, its three turns evaluated with more lines of [rules]."""
    newgame.demo(root)
    with (root / "game.toml").open("a", encoding="utf-8") as file:
        file.write(rules)
    with locked(root):
        runner = TurnRunner(read_game(root))
        for number in TURNS:
            runner.load(number)
            runner.execute(number)
    turns = {number: store.read_turn(root, number) for number in (0, *TURNS)}
    names = [*schema.STATE, *(name for name in schema.TURN if name != "turn_info")]
    return {
        name: pl.concat(turns[n][name].with_columns(turn=pl.lit(n)) for n in turns)
        for name in names
    }


@pytest.mark.parametrize("number", [1, 2])
def test_reports_are_the_same_whatever_is_still_in_memory(tmp_path: Path, number: int) -> None:
    newgame.demo(tmp_path / "demo")
    game = read_game(tmp_path / "demo")
    with locked(game.root):
        runner = TurnRunner(game)
        for turn in (1, 2):
            runner.load(turn)
            runner.execute(turn)
        hot, cold = (
            {path.name: path.read_bytes() for path in publish(game.root, number, f, pictures=False)}
            for f in (runner.frames, None)
        )
    assert hot == cold
    assert "spielleiter.txt" in hot


def test_the_start_is_as_big_as_promised(tables: Tables) -> None:
    start = {name: tables[name].filter(turn=0) for name in ("hexes", "units", "realms")}
    assert {name: frame.height for name, frame in start.items()} == {
        "hexes": 9 * 48,
        "units": 60,
        "realms": 5,
    }
    assert start["units"]["captor_id"].count() == 1
    assert start["units"]["carrier_id"].count() >= 4


def test_every_environmental_loss(tables: Tables) -> None:
    lost = tables["losses"].filter(pl.col("losses") > 0)
    assert {"standing", "volcano", "steppe", "landing", "flyer"} <= set(lost["cause"])


def test_steppe_is_stayed_on_and_passed(tables: Tables) -> None:
    assert set(tables["draws"].filter(stream=3)["hi"]) == {10, 5}


def test_moves_end_in_contact_on_land_from_a_ship_and_where_they_wanted(tables: Tables) -> None:
    moves = tables["moves"]
    assert moves["contact"].any()
    assert not moves["contact"].all()
    assert moves["from_hex"].is_null().any()


def test_battles_of_two_and_three_parties_and_a_coalition(tables: Tables) -> None:
    parties = tables["battles"].group_by("turn", "hex_id", "round").len()["len"]
    assert {2, 3} <= set(parties)
    realms = tables["units"].select("turn", "unit_id", "realm_id")
    fought = tables["battle_units"].with_columns(pl.col("turn") - 1)
    coalition = (
        fought.join(realms, on=["turn", "unit_id"])
        .group_by("turn", "hex_id", "party")
        .agg(pl.col("realm_id").n_unique())
    )
    assert coalition["realm_id"].max() == 2
    assert {75, 100, 125} == set(tables["battle_units"]["region_pct"])


def test_a_castle_absorbs_and_a_party_is_overrun(tables: Tables) -> None:
    assert (tables["battles"]["absorbed"] > 0).any()
    assert tables["battles"]["overrun"].any()
    assert (tables["buildings"]["damage"] > 0).any()


def test_every_fate(tables: Tables) -> None:
    assert set(tables["fates"]["fate"]) == {"dead", "drowned", "captured", "freed"}


def test_boarding_own_and_allied_ships_and_refusals(tables: Tables) -> None:
    boardings = tables["boardings"]
    realm = tables["units"].filter(turn=0).select("unit_id", "realm_id")
    aboard = (
        boardings.filter("boarded")
        .join(realm, on="unit_id")
        .join(realm, left_on="ship_id", right_on="unit_id", suffix="_ship")
    )
    own = aboard["realm_id"] == aboard["realm_id_ship"]
    assert own.any()
    assert not own.all()
    refused = boardings.filter(~pl.col("boarded"))["reason"].drop_nulls().str.strip_chars_end(".")
    assert {BOARDING["full"], BOARDING["elsewhere"]} <= set(refused)


def test_buildings_are_announced_and_then_old(tables: Tables) -> None:
    per_building = (
        tables["messages"].filter(section="E").group_by("building_id").agg(pl.col("kind").unique())
    )
    assert (per_building["kind"].list.len() == 2).any()


def test_costs_right_approved_and_rejected(tables: Tables) -> None:
    for name in ("trainings", "constructions"):
        assert "reserved" in set(tables[name]["outcome"])
    ordered = pl.concat(
        tables[n].select("decision", "outcome", "cost", "cost_submitted")
        for n in ("trainings", "constructions")
    )
    assert set(ordered["decision"]) == {"none", "approve", "reject"}
    approved = ordered.filter(decision="approve")
    assert (approved["cost"] != approved["cost_submitted"]).all()


def test_income_is_credited_in_every_turn(tables: Tables) -> None:
    assert set(tables["ledger"].filter(kind="income")["turn"]) == set(TURNS)


def test_the_game_master_corrects_units_and_alliances(tables: Tables) -> None:
    assert set(tables["corrections"]["table"]) == {"units", "alliances"}


def test_order_files_in_every_encoding_one_missing_one_unreadable(tables: Tables) -> None:
    files = tables["order_files"].filter(pl.col("turn") > 0)
    read = files.filter(pl.col("error").is_null())
    assert set(read["encoding"].drop_nulls()) == {"UTF-8", "Windows-1252", "DOS 850"}
    assert read["file"].null_count() == 1
    assert files["error"].count() == 1
    counted = pl.sum_horizontal("accepted", "rejected", "comments", "blank")
    assert files.select((counted == pl.col("lines")).all()).item()


def test_all_kinds_of_lines_and_decisions_occur(tables: Tables) -> None:
    assert {"move", "train", "build", "comment", "blank"} <= set(tables["order_lines"]["kind"])
    decisions = set(tables["movements"]["decision"].drop_nulls())
    assert decisions == {"r", "v", "a", "n", "p1", "p2"}
    assert tables["splits"].height >= 3


@pytest.mark.parametrize("key", MISTAKES)
def test_every_mistake_is_made(tables: Tables, key: str) -> None:
    sentence = re.sub(r"\\{.*?\\}", ".*", re.escape(ORDERS[key]))
    reasons = pl.concat(
        [
            tables["rejections"]["reason"],
            tables["order_files"]["error"].drop_nulls(),
            tables["constructions"]["reason"].drop_nulls(),
        ]
    )
    assert reasons.str.contains(f"^{sentence}").any()


def test_the_demo_runs_with_the_combat_model_hits(tmp_path: Path) -> None:
    fought = played(tmp_path / "beispiel", 'combat_model = "hits"\n')
    assert fought["battles"].height > 6
    assert (fought["battles"]["absorbed"] == 0).all()
    assert fought["battle_armies"]["hits"].sum() == fought["battle_armies"]["vp_received"].sum() > 0
    assert {"parried", "dies"} <= set(fought["battle_selections"]["outcome"])
    assert {10, 12, 14} <= set(fought["draws"]["stream"])


def test_the_share_model_leaves_the_tables_of_hits_empty(tables: Tables) -> None:
    assert tables["battle_armies"].is_empty()
    assert tables["battle_selections"].is_empty()
