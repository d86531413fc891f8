"""Macros and the cookbook's twelve questions, against the stored tables of the demo."""

import re
import shutil
from pathlib import Path

import duckdb
import polars as pl
import pytest

from flows import store
from flows.analyst.prompt import cookbook
from flows.analyst.warehouse import open_history
from transforms import schema

Connection = duckdb.DuckDBPyConnection
Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def tables(played_demo: Path) -> Tables:
    """Every stored table of the turns 1 to 3 with a column `turn`; enums as text."""
    turns = {number: store.read_turn(played_demo, number) for number in (1, 2, 3)}
    return {
        name: pl.concat(turns[n][name].with_columns(turn=pl.lit(n)) for n in turns).cast(
            {pl.Enum: pl.String}
        )
        for name in (*schema.STATE, *schema.TURN)
    }


def _ask(analyst: Connection, query: str) -> pl.DataFrame:
    return analyst.sql(query).pl()


# ── macros ──────────────────────────────────────────────────────────────────────────────────


def test_units_at(analyst: Connection, tables: Tables) -> None:
    found = _ask(analyst, "select unit_id, troops from units_at(2) order by unit_id")
    stored = tables["units"].filter(turn=2).select(pl.col("unit_id").cast(pl.Int64), "troops")
    assert found.equals(stored.sort("unit_id"))


def test_macros_take_their_parameters_by_name(analyst: Connection) -> None:
    assert _ask(analyst, "from units_at(turn := 2)").height == 56


def test_the_life_of_every_unit_that_died(analyst: Connection, tables: Tables) -> None:
    assert tables["fallen"].height > 0
    for unit_id, turn in tables["fallen"].select("unit_id", "turn").iter_rows():
        life = _ask(analyst, f"from unit_life({unit_id})")
        assert life["turn"].to_list() == list(range(turn + 1))
        assert life["state"][-1] == "fallen"
        assert life["fate"][-1] in ("dead", "drowned")
        assert life["troops"][-1] == 0


def test_a_life_adds_up(analyst: Connection) -> None:
    life = _ask(analyst, "from unit_life(1)")  # 101@NOR fought twice and lost nobody otherwise
    left = life["troops"] + life["environment_losses"] + life["battle_losses"]
    assert left[1:].equals(life["troops"][:-1])
    assert life["battle_hex"].to_list() == [None, "101/47", "101/47", None]
    assert (life["from_name"][3], life["hex"][3]) == ("101/47", "101/42")


def test_who_saw(analyst: Connection, tables: Tables) -> None:
    found = _ask(analyst, "select realm, sees from who_saw(10142, 3)")
    sees = tables["sight"].filter(turn=3, hex_id=10142)["realm_id"].to_list()
    knows = tables["atlas"].filter(turn=3, hex_id=10142)["realm_id"].to_list()
    codes = dict(tables["realms"].filter(turn=3).select("realm_id", "code").iter_rows())
    assert set(found["realm"]) == {codes[r] for r in {*sees, *knows}}
    assert set(found.filter("sees")["realm"]) == {codes[r] for r in sees}


def test_treasury_flow(analyst: Connection, tables: Tables) -> None:
    flow = _ask(analyst, "from treasury_flow('NOR')")
    assert flow["turn"].to_list() == [0, 1, 2, 3]
    assert flow["treasury_after"].to_list() == [180000] * 4
    assert flow["by_hand"].to_list() == [None, 0, 0, 0]
    assert flow["hex_income"].to_list()[1:] == [34015] * 3
    assert (flow["hex_credit"].diff()[1:] == flow["hex_income"][1:]).all()
    assert _ask(analyst, "from treasury_flow('NOBODY')").is_empty()


def test_gold_that_no_rule_moved_is_by_hand(played_demo: Path, tmp_path: Path) -> None:
    root = tmp_path / "spiel"
    shutil.copytree(played_demo, root)
    folder = store.history_dir(root, 2)
    realms = pl.read_parquet(folder / "realms.parquet")
    paid = pl.when(pl.col("code") == "NOR").then(1234).otherwise(0)
    realms.with_columns(pl.col("treasury") + paid).write_parquet(folder / "realms.parquet")
    entry = {"account": "treasury", "realm_id": 1, "kind": "levy", "amount": 1000}
    ledger = pl.read_parquet(folder / "ledger.parquet")
    levy = schema.shaped("ledger", pl.DataFrame([entry]))
    pl.concat([ledger, levy]).write_parquet(folder / "ledger.parquet")
    with open_history(root) as connection:
        query = "select levy, by_hand, treasury_after from treasury_flow('NOR') where turn = 2"
        assert connection.execute(query).fetchall() == [(1000, 234, 181234)]


@pytest.mark.parametrize("steps", [0, 1, 2, 4])
def test_hexes_within_agree_with_the_distance_on_a_plane(analyst: Connection, steps: int) -> None:
    near = f"select hex_id, steps from hexes_within(20214, {steps}) order by hex_id"
    straight = f"""
        select b.hex_id, hex_distance(a.q, a.r, b.q, b.r) as steps
        from hexes as a, hexes as b
        where a.turn = 0 and b.turn = 0 and a.hex_id = 20214
            and hex_distance(a.q, a.r, b.q, b.r) <= {steps}
        order by b.hex_id
    """
    found = _ask(analyst, near)
    assert found.equals(_ask(analyst, straight))
    assert found.height == 1 + 3 * steps * (steps + 1)


def test_the_frontline(analyst: Connection, tables: Tables) -> None:
    front = _ask(analyst, "from frontline(1)")
    codes = dict(tables["realms"].filter(turn=1).select("code", "realm_id").iter_rows())
    allied = set(tables["alliances"].filter(turn=1).select("realm_id", "ally_id").iter_rows())
    near = {
        *_ask(analyst, "select hex_id, neighbour_id from map.neighbours").iter_rows(),
        *((h, h) for h in front["hex_id"]),
    }
    units = tables["units"].filter(turn=1)
    standing = set(units.drop_nulls("hex_id").select("hex_id", "realm_id").iter_rows())
    owned = set(tables["hexes"].filter(turn=1).select("hex_id", "realm_id").iter_rows())
    assert front.height > 0
    for row in front.iter_rows(named=True):
        a, b = codes[row["realm"]], codes[row["other_realm"]]
        assert a != b
        assert (a, b) not in allied
        assert (row["hex_id"], row["other_hex_id"]) in near
        assert ((row["hex_id"], a) in standing) == (row["troops"] > 0)
        assert ((row["other_hex_id"], b) in owned) == row["other_owns"]
    # where two realms fought, they still face each other on that hex, unless one is gone
    assert front.filter(pl.col("hex_id") == pl.col("other_hex_id")).height > 0


def test_strength_by_realm(analyst: Connection, tables: Tables) -> None:
    found = _ask(analyst, "select realm, units, troops, strength, hexes from strength_by_realm(3)")
    least = {"Krieger": 1000, "Reiter": 500}
    units = tables["units"].filter(pl.col("turn") == 3, pl.col("captor_id").is_null())
    nor = units.filter(realm_id=1)
    row = found.filter(realm="NOR").row(0, named=True)
    assert (row["units"], row["troops"]) == (nor.height, nor["troops"].sum())
    assert row["hexes"] == tables["hexes"].filter(turn=3, realm_id=1).height
    query = (
        "select strength from units_at(3) where unit_type = ? and troops = ? and elite_combat = ?"
    )
    for unit in nor.filter(pl.col("unit_type").is_in(list(least))).iter_rows(named=True):
        strength = -(-unit["troops"] // least[unit["unit_type"]]) * (unit["elite_combat"] + 1)
        values = [unit["unit_type"], unit["troops"], unit["elite_combat"]]
        assert (strength,) in analyst.execute(query, values).fetchall()
    total = (
        "select sum(strength)::bigint from units_at(3) where realm = 'NOR' and state <> 'captive'"
    )
    assert analyst.execute(total).fetchall() == [(row["strength"],)]


def test_dates_and_names(analyst: Connection) -> None:
    query = "select date_text(['Nisan', 'Ijjar'], 829), hex_name(20714), direction_name(5)"
    assert analyst.execute(query).fetchall() == [("Ijjar 414 n.P.", "207/14", "W")]
    assert analyst.execute("select hex_name(null), date_text(['a'], null)").fetchall() == [
        (None, None)
    ]


# ── cookbook ────────────────────────────────────────────────────────────────────────────────


def _recipe(analyst: Connection, name: str) -> pl.DataFrame:
    return analyst.sql(cookbook()[name]).pl()


def test_twelve_questions_that_say_what_a_row_is(analyst: Connection) -> None:
    assert len(cookbook()) == 12
    for name, text in cookbook().items():
        head = " ".join(line[3:] for line in text.splitlines() if line.startswith("-- "))
        assert "? One row per " in head, name
        assert len(analyst.extract_statements(text)) == 1, name
        assert _recipe(analyst, name).columns, name


def test_every_question_has_one_order_of_rows(analyst: Connection) -> None:
    for name in cookbook():
        assert _recipe(analyst, name).equals(_recipe(analyst, name)), name


def test_growth(analyst: Connection) -> None:
    found = _recipe(analyst, "growth").filter(realm="NOR").row(0, named=True)
    assert found["gold_gained"] == 3 * 34015
    assert found["strength_gained"] == found["strength"] - found["strength_at_start"] < 0


def test_bloodiest_battles(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "bloodiest_battles")
    worst = (
        tables["battle_units"]
        .group_by("turn", "hex_id")
        .agg(pl.col("losses").sum())
        .sort("losses", descending=True)
    )
    assert found["losses"].to_list() == worst["losses"].to_list()[:10]
    assert found.row(0)[1:5] == (
        2, "Siwan 414 n.P.", "101/47", "NOR 4865/13990 : BER 5126/7861",
    )  # fmt: skip


def test_deadly_ground(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "deadly_ground")
    assert found["losses"].sum() == tables["losses"]["losses"].sum()
    assert found["rolls"].sum() == tables["losses"].height
    steppe = tables["losses"].filter(cause="steppe")
    rows = found.filter(cause="steppe")  # some only pass steppe and stand elsewhere
    assert (rows["rolls"].sum(), rows["losses"].sum()) == (steppe.height, steppe["losses"].sum())


def test_fair_dice(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "fair_dice")
    draws = tables["draws"].filter(pl.col("hi") > pl.col("lo"))
    assert found["draws"].sum() == draws.height
    one = draws.filter(pl.col("stream") == 4, pl.col("entity") // 65536 == 2)
    row = found.filter(rolled_for="landing loss", realm="BER").row(0, named=True)
    mean = ((one["value"] - one["lo"] + 0.5) / (one["hi"] - one["lo"] + 1)).mean()
    assert (row["draws"], row["mean_position"]) == (one.height, pytest.approx(mean, abs=0.001))


def test_tampered_dice(analyst: Connection, played_demo: Path, tmp_path: Path) -> None:
    assert _recipe(analyst, "tampered_dice").is_empty()
    root = tmp_path / "spiel"
    shutil.copytree(played_demo, root)
    path = store.history_dir(root, 2) / "draws.parquet"
    changed = pl.when(pl.int_range(pl.len()) == 0).then(pl.col("lo")).otherwise(pl.col("value"))
    draws = pl.read_parquet(path).filter(pl.col("value") > pl.col("lo"))
    draws.with_columns(value=changed).write_parquet(path)
    with open_history(root) as connection:
        (row,) = connection.execute(cookbook()["tampered_dice"]).fetchall()
        assert (row[1], row[6], row[7]) == (2, draws["lo"][0], draws["value"][0])


def test_veterans(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "veterans")
    fights = tables["battle_units"].unique(["turn", "hex_id", "unit_id"])
    most = fights.group_by("unit_id").len().sort("len", descending=True)["len"].to_list()
    assert found["battles"].to_list() == most[:20]
    assert found.row(0, named=True)["unit"] == "101@NOR"


def test_conquests(analyst: Connection, played_demo: Path, tmp_path: Path) -> None:
    assert _recipe(analyst, "conquests").is_empty()  # nobody conquers under promy2026
    root = tmp_path / "spiel"
    shutil.copytree(played_demo, root)
    path = store.history_dir(root, 2) / "hexes.parquet"
    taken = pl.when(pl.col("hex_id") == 10101).then(2).otherwise(pl.col("realm_id"))
    hexes = pl.read_parquet(path).with_columns(realm_id=taken.cast(pl.UInt16))
    hexes.write_parquet(path)
    with open_history(root) as connection:
        found = connection.execute(cookbook()["conquests"]).fetchall()
        assert [row[1:6] for row in found] == [
            (2, "Siwan 414 n.P.", "101/1", "NOR", "BER"),
            (3, "Tammus 414 n.P.", "101/1", "BER", "NOR"),
        ]


def test_order_mistakes(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "order_mistakes")
    lines = tables["order_lines"]
    assert found["rejected"].sum() == lines.filter(status="rejected").height
    assert (
        found["lines"].sum()
        == lines.filter(pl.col("status").is_in(["accepted", "rejected"])).height
    )
    assert found["frequent_problem"].null_count() == 0


def test_missing_orders(analyst: Connection) -> None:
    found = _recipe(analyst, "missing_orders")
    assert found.select("realm", "turns", "missing", "longest_run", "last_missing").rows()[:3] == [
        ("INS", 3, 1, 1, 3),  # its file of turn 3 is UTF-16
        ("STE", 3, 1, 1, 2),
        ("BER", 3, 0, 0, None),
    ]


def test_scouting(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "scouting")
    assert found.height == 5 * 4
    units = tables["units"].filter(turn=3).drop_nulls("hex_id")
    sight = tables["sight"].filter(turn=3, realm_id=2)
    seen = units.filter(realm_id=1).join(sight, on="hex_id", how="semi")
    row = found.filter(realm="BER", other_realm="NOR").row(0, named=True)
    assert (row["units_seen"], row["troops_seen"]) == (seen.height, seen["troops"].sum())
    assert row["troops_hidden"] == units.filter(realm_id=1)["troops"].sum() - seen["troops"].sum()


def test_idle_armies(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "idle_armies")
    moved = tables["moves"].filter(pl.col("from_hex").ne_missing(pl.col("to_hex")))
    here = tables["units"].filter(turn=3).drop_nulls("hex_id")
    still = here.join(moved.filter(turn=3), on="unit_id", how="anti")
    assert set(found["unit_id"]) == set(still["unit_id"])
    never = still.join(moved, on="unit_id", how="anti")
    assert set(found.filter(idle_turns=3)["unit_id"]) == set(never["unit_id"])


def test_kill_ratio(analyst: Connection, tables: Tables) -> None:
    found = _recipe(analyst, "kill_ratio")
    assert found["lost"].sum() == tables["battle_units"]["losses"].sum()
    duel = found.filter(pl.col("realm").is_in(["NOR", "BER"]))
    assert duel.filter(realm="BER")["killed"].item() > duel.filter(realm="NOR")["killed"].item()


# ── the page docs/sql.md ────────────────────────────────────────────────────────────────────

PAGE = (Path(__file__).parents[1] / "docs" / "sql.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("query", re.findall(r"```sql\n(.+?)```", PAGE, re.DOTALL))
def test_the_examples_of_the_page_have_an_answer(analyst: Connection, query: str) -> None:
    assert _ask(analyst, query).height > 0


def test_the_page_knows_every_view_macro_and_question(analyst: Connection) -> None:
    helpers = {"who", "philox", "hex_word"}
    names = analyst.execute(
        "select view_name from duckdb_views() where not internal and schema_name = 'main' "
        "union select function_name from duckdb_functions() where not internal"
    ).fetchall()
    known = {name for (name,) in names} - helpers | set(cookbook())
    assert {name for name in known if not re.search(rf"`{name}\b", PAGE)} == set()
