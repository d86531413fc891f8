"""`zugwerk battles`: folders of tables in every form, what comes out, and what is refused."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image

from flows.battles import read_lineup, read_settings, run
from flows.battles_template import write_template
from tests.conftest import digests
from transforms import schema
from transforms.errors import InputError
from transforms.hits.results import Wish

SEED = "5a" * 32
SETTINGS = f'[battles]\nid = "test"\nseed = "{SEED}"\n'
ARMIES = "battle_id,army_id,name,realm,flees,flee_pct,strength\n"
ARMIES += "1,1,Nord,N,,,\n1,2,,S,,,\n2,7,Heer,N,,,\n2,8,Fähnlein,S,true,,\n"
COMBATANTS = "army_id,combatant_id,count,name,kk,ranged,fortification\n"
COMBATANTS += "1,1,20,Fuss,2.4,false,none\n1,30,4,Bogner,3.5,true,mau\n2,1,25,,3,,\n"
COMBATANTS += "7,1,9,,1.25,,\n8,1,9,,1.25,,\n"
ENMITIES = "army_id,enemy_id\n1,2\n2,1\n7,8\n8,7\n"


def folder_with(root: Path, **texts: str | bytes) -> Path:
    """A folder of battles; a text None leaves the file out."""
    root.mkdir(parents=True, exist_ok=True)
    files: dict[str, Any] = {
        "battles.toml": SETTINGS,
        "armies.csv": ARMIES,
        "combatants.csv": COMBATANTS,
        "enmities.csv": ENMITIES,
    }
    files |= {name.replace("__", "."): text for name, text in texts.items()}
    for name, text in files.items():
        if text is not None:
            (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def table(folder: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(folder / f"{name}.parquet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_with(tmp_path / "krieg")


# ── what comes out ─────────────────────────────────────────────────────────────────────────


def test_one_battle_tells_everything_but_the_dice(folder: Path) -> None:
    done = run(folder)
    assert {path.name for path in done.out.iterdir()} == {
        "army_results.parquet",
        "selections.parquet",
        "survivors.parquet",
        "battles.toml",
        "schlacht_1.txt",
        "schlacht_2.txt",
    }
    for name in ("army_results", "selections", "survivors"):
        frame = table(done.out, name)
        schema.conform(f"hits.{name}", frame)
        assert frame.schema == schema.schema_of(f"hits.{name}")
        assert frame.equals(frame.sort(schema.key_of(f"hits.{name}")))


def test_results_selections_and_survivors_agree(folder: Path) -> None:
    out = run(folder, wish=Wish(rounds=3, audit=True)).out
    results = table(out, "army_results")
    selections, survivors = table(out, "selections"), table(out, "survivors")
    assert (results["combatants_before"] == results["dead"] + results["survivors"]).all()
    dead = selections.filter(outcome="dies").group_by("army_id").len("dead").sort("army_id")
    assert dead.rows() == results.filter(pl.col("dead") > 0).select("army_id", "dead").rows()
    alive = survivors.group_by("army_id").agg(pl.len(), pl.col("kk").sum()).sort("army_id")
    assert alive["len"].to_list() == results["survivors"].to_list()
    assert alive["kk"].to_list() == pytest.approx(results["kk_after"].to_list())
    strikes = table(out, "strikes")
    hits = strikes.filter("hit").group_by("army_id").len().sort("army_id")
    assert hits.rows() == results.filter(pl.col("hits") > 0).select("army_id", "hits").rows()
    assert strikes["target_id"].null_count() == strikes.filter(~pl.col("hit")).height


def test_the_battle_report(folder: Path) -> None:
    out = run(folder).out
    row = {r["army_id"]: r for r in table(out, "army_results").to_dicts()}
    heer, small = row[7], row[8]
    lost = str(round(11.25 - 1.25 * small["dead"], 2)).replace(".", ",").removesuffix(",0")
    assert (out / "schlacht_2.txt").read_text(encoding="utf-8") == (
        "Schlacht 2\n"
        f"Heer: gesKK 11,25, 9 Einheiten, 11 Schläge, {heer['hits']} Treffer, 0 VP erhalten.\n"
        f"Fähnlein: gesKK 11,25, 9 Einheiten, 0 Schläge, 0 Treffer, {heer['hits']} VP erhalten.\n"
        "Fähnlein flieht und schlägt nicht zu.\n"
        "Heer verliert 0 von 9 Einheiten (KK 11,25 → 11,25).\n"
        f"Fähnlein verliert {small['dead']} von 9 Einheiten (KK 11,25 → {lost}).\n"
    )
    assert "\nArmee 2: gesKK 75, 25 Einheiten, 75 Schläge, " in (out / "schlacht_1.txt").read_text(
        encoding="utf-8"
    )


def test_many_repetitions(folder: Path) -> None:
    out = run(folder, wish=Wish(repeat=500, rounds=40)).out
    results = table(out, "army_results")
    assert results.height == 500 * 4
    assert not (out / "selections.parquet").exists()
    spread, rates = table(out, "distribution"), table(out, "win_rates")
    for name, frame in (("distribution", spread), ("win_rates", rates)):
        schema.conform(f"hits.{name}", frame)
    dead = sorted(results.filter(army_id=2)["dead"])
    row = spread.filter(army_id=2, measure="dead").row(0, named=True)
    assert row["mean"] == pytest.approx(sum(dead) / 500)
    assert row["sd"] == pytest.approx(pl.Series(dead).std())
    ranks = {"min": 1, "q05": 25, "q25": 125, "median": 250, "q75": 375, "q95": 475, "max": 500}
    assert {name: row[name] for name in ranks} == {n: dead[r - 1] for n, r in ranks.items()}
    assert rates["n"].to_list() == [500] * 4
    assert rates["victor"].to_list() == [
        results.filter(army_id=i)["victor"].sum() for i in (1, 2, 7, 8)
    ]
    assert (rates["better_low"] <= rates["better_rate"]).all()
    assert (rates["better_rate"] <= rates["better_high"]).all()
    with Image.open(out / "verteilung_1.png") as chart:
        assert chart.size == (1160, 92 + 2 * 216 + 40)
    # the first repetition is the battle that is fought without --repeat
    alone = table(run(folder, folder / "one", Wish(rounds=40)).out, "army_results")
    assert alone.equals(results.filter(repeat=0))


def test_the_odds_are_told_on_the_screen(folder: Path, zugwerk: Any) -> None:
    code, out, err = zugwerk("battles", folder, "--repeat", "50")
    assert (code, err) == (0, "")
    rates = table(folder / "result", "win_rates").filter(army_id=7).row(0, named=True)
    heer = next(line.split() for line in out.splitlines() if " Heer " in line)
    assert heer[:3] == ["2", "7", "Heer"]
    assert [float(x) for x in heer[3:]] == [
        pytest.approx(100 * rates[f"{e}_rate"], abs=0.05) for e in ("better", "victor", "wiped_out")
    ]


def test_who_won_and_the_losses_are_told_on_the_screen(folder: Path, zugwerk: Any) -> None:
    for rounds in (1, 60):
        out = zugwerk("battles", folder, "--rounds", rounds)[1]
        assert max(map(len, out.splitlines()[:5])) <= 80
        shown = {line.split()[1]: line.split()[2:] for line in out.splitlines()[1:5]}
        for row in table(folder / "result", "army_results").iter_rows(named=True):
            end = "victor" if row["victor"] else "better" if row["better"] else ""
            end = "wiped out" if not row["survivors"] else "flees" if row["flees"] else end
            told = " ".join(shown[str(row["army_id"])])
            kk = f"{round(row['kk_before'], 2)} {round(row['kk_after'], 2)}"
            expected = f"{row['dead']} {row['combatants_before']} {kk} {end}".strip()
            assert told.endswith(expected)
    assert shown["7"][-1] == "victor"  # Fähnlein flees, never strikes, and falls in the end
    assert shown["8"][-2:] == ["wiped", "out"]


def test_a_report_says_that_it_tells_one_of_many(folder: Path) -> None:
    line = "Der erste von 3 Durchgängen; alle zusammen zeigt verteilung_2.png."
    told = (run(folder, wish=Wish(3)).out / "schlacht_2.txt").read_text("utf-8").splitlines()
    alone = (run(folder).out / "schlacht_2.txt").read_text("utf-8").splitlines()
    assert told == [alone[0], line, *alone[1:]]


def test_the_seed_is_told_and_repeats_everything(folder: Path, zugwerk: Any) -> None:
    (folder / "battles.toml").unlink()
    code, out, err = zugwerk("battles", folder)
    assert (code, err) == (0, "")
    seed = out.split("seed ")[1][:64]
    first = digests(folder / "result")
    assert seed in (folder / "result" / "battles.toml").read_text()
    (folder / "battles.toml").write_text((folder / "result" / "battles.toml").read_text())
    code, out, _ = zugwerk("battles", folder)
    assert f"seed {seed} (given)" in out
    assert digests(folder / "result") == first


def test_a_later_run_leaves_nothing_of_an_earlier_one(folder: Path) -> None:
    out = run(folder, wish=Wish(repeat=3, audit=True)).out
    (out / "notes.txt").write_text("mine")
    run(folder)
    names = {path.name for path in out.iterdir()}
    assert "notes.txt" in names
    assert not names & {"draws.parquet", "distribution.parquet", "verteilung_1.png"}


def test_no_battle_knows_of_another(folder: Path, tmp_path: Path) -> None:
    alone = folder_with(
        tmp_path / "alone",
        armies__csv=ARMIES[: ARMIES.index("2,7")],
        combatants__csv=COMBATANTS[: COMBATANTS.index("7,1")],
        enmities__csv=ENMITIES[: ENMITIES.index("7,8")],
    )
    both = table(run(folder).out, "selections").filter(pl.col("army_id") < 7)
    assert table(run(alone).out, "selections").equals(both)


def test_row_order_does_not_matter(folder: Path, tmp_path: Path) -> None:
    def turned(text: str) -> str:
        head, *rows = text.splitlines()
        return "\n".join([head, *reversed(rows)])

    other = folder_with(
        tmp_path / "turned",
        armies__csv=turned(ARMIES),
        combatants__csv=turned(COMBATANTS),
        enmities__csv=turned(ENMITIES),
    )
    wish = Wish(repeat=5, rounds=3, audit=True)
    assert digests(run(folder, wish=wish).out) == digests(run(other, wish=wish).out)


# ── files in every form ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_files_of_a_german_excel(folder: Path, tmp_path: Path, encoding: str) -> None:
    def saved(text: str) -> bytes:
        text = text.replace(",", ";").replace(".", ",").replace("true", "WAHR")
        return text.replace("\n", "\r\n").encode(encoding)

    excel = folder_with(
        tmp_path / "excel",
        armies__csv=saved(ARMIES),
        combatants__csv=saved(COMBATANTS),
        enmities__csv=saved(ENMITIES),
    )
    assert digests(run(excel).out) == digests(run(folder).out)


def test_parquet(folder: Path, tmp_path: Path) -> None:
    names = {"armies__csv": None, "combatants__csv": None, "enmities__csv": None}
    other = folder_with(tmp_path / "parquet", **names)
    for name in ("armies", "combatants", "enmities"):
        pl.read_csv(folder / f"{name}.csv").write_parquet(other / f"{name}.parquet")
    assert digests(run(other).out) == digests(run(folder).out)


def test_stances_in_place_of_enmities(folder: Path, tmp_path: Path) -> None:
    # one side says enemy: both strike; a realm of its own is nobody's enemy
    stances = "realm,other,stance\nN,S,3\nS,N,2\nN,X,1\n"
    other = folder_with(tmp_path / "stances", enmities__csv=None, stances__csv=stances)
    assert digests(run(other).out) == digests(run(folder).out)
    friends = "realm,other,stance\nN,S,2\n"
    peace = folder_with(tmp_path / "peace", enmities__csv=None, stances__csv=friends)
    assert run(peace).warnings == tuple(f"army {i} is hostile to nobody" for i in (1, 2, 7, 8))


def test_the_template_can_be_fought_at_once(tmp_path: Path, zugwerk: Any) -> None:
    code, out, _ = zugwerk("battles", "new", tmp_path / "neu")
    assert (code, out.splitlines()[-1]) == (
        0,
        f"Edit these files, then: zugwerk battles {tmp_path}/neu",
    )
    assert zugwerk("battles", tmp_path / "neu", "--rounds", "3")[0] == 0
    report = (tmp_path / "neu" / "result" / "schlacht_1.txt").read_text(encoding="utf-8")
    assert "\nPlünderer: gesKK 69,5, 21 Einheiten" in report
    assert zugwerk("battles", "new", tmp_path / "neu")[0] == 2


def test_options_of_the_folder(folder: Path) -> None:
    (folder / "battles.toml").write_text(
        f"{SETTINGS}[hits]\nhit_pct = 0\nranged_bonus = true\nfortification_bonus = true\n"
    )
    row = table(run(folder).out, "army_results").row(0, named=True)
    # 20 · 2.4 + 4 · 3.5 · 1.5 (behind a wall) · 1.2
    assert (row["kk_before"], row["hits"]) == (73.2, 0)


# ── what is refused ────────────────────────────────────────────────────────────────────────

C, A, E = "combatants.csv: row 2, column ", "armies.csv: row 2, column ", "enmities.csv: row "
HEAD = "army_id,combatant_id,count,kk,fortification\n"
REFUSED = [
    ("combatants", HEAD + "1,1,1,0,", C + "'kk': 0.0 is not allowed; allowed: a number from"),
    ("combatants", HEAD + "1,1,1,-2,", C + "'kk': -2.0 is not allowed"),
    ("combatants", HEAD + "1,1,1,nan,", C + "'kk': nan is not allowed"),
    ("combatants", HEAD + "1,1,1,inf,", C + "'kk': inf is not allowed"),
    ("combatants", HEAD + "1,1,1,10000.1,", C + "'kk': 10000.1 is not allowed"),
    ("combatants", HEAD + "1,1,1,0.0000004,", C + "'kk': 4e-07 is not allowed"),
    ("combatants", HEAD + "1,1,1,zwei,", C + "'kk': 'zwei' is not allowed; allowed: a number"),
    ("combatants", HEAD + "1,1,1,,", C + "'kk': empty is not allowed"),
    ("combatants", HEAD + "5,1,1,1,", C + "'army_id': 5 is not allowed; allowed: an army_id of"),
    ("combatants", HEAD + "1,1,0,1,", C + "'count': 0 is not allowed; allowed: at least 1"),
    ("combatants", HEAD + "1,4294967295,2,1,", C + "'count': 2 is not allowed"),
    ("combatants", HEAD + "1,1,300000000,1,", C + "'count': 300000000 is not allowed"),
    (
        "combatants",
        HEAD + "1,1,1,1,turm",
        C + "'fortification': unknown value 'turm'; allowed: none",
    ),
    ("combatants", HEAD + "1,3,1,1,\n1,1,3,1,", "row 2, column 'combatant_id': 3 is not allowed"),
    ("combatants", HEAD + "1,1,1,1,\n1,1,1,1,", "row 3, column 'combatant_id': 1 is not allowed"),
    (
        "combatants",
        HEAD + "1,1,4,1,pal\n1,5,1,1,pal\n",
        "row 3, column 'fortification': 'pal' is not allowed; allowed: at most 4 combatants",
    ),
    ("combatants", HEAD + "1,1,13,1,burg", C + "'fortification': 'burg' is not allowed"),
    ("combatants", "army_id,combatant_id\n1,1\n", "column 'kk' is missing"),
    ("combatants", HEAD.replace("kk", "kK2") + "1,1,1,1,", "unknown column 'kk2'"),
    ("armies", "battle_id,army_id\n1,1\n2,1\n", "row 3, column 'army_id': 1 is not allowed"),
    ("armies", "battle_id,army_id,strength\n1,1,0\n", A + "'strength': 0.0 is not allowed"),
    ("armies", "battle_id,army_id,strength\n1,1,-inf\n", A + "'strength': -inf is not allowed"),
    ("armies", "battle_id,army_id,strength\n1,1,1e10\n", A + "'strength': 10000000000.0 is not"),
    ("armies", "battle_id,army_id,flees\n1,1,vielleicht\n", A + "'flees': 'vielleicht' is not"),
    ("armies", "battle_id,army_id,flee_pct\n1,1,-1\n", A + "'flee_pct': '-1' is not allowed"),
    ("armies", "battle_id,army_id,name\n1,1,N\x1b[2J\n", A + r"'name': 'N\x1b[2J' is not allowed"),
    (
        "combatants",
        "army_id,combatant_id,count,name,kk\n1,1,1,Fuss\x07,1\n",
        C + r"'name': 'Fuss\x07' is not allowed; allowed: text without control characters",
    ),
    ("armies", "battle_id,army_id\n,1\n", A + "'battle_id': empty is not allowed"),
    ("enmities", "army_id,enemy_id\n1,1\n", E + "2, column 'enemy_id': 1 is not allowed"),
    ("enmities", "army_id,enemy_id\n1,2\n1,9\n", E + "3, column 'enemy_id': 9 is not allowed"),
    ("enmities", "army_id,enemy_id\n9,2\n", E + "2, column 'army_id': 9 is not allowed"),
    ("enmities", "army_id,enemy_id\n1,2\n1,2\n", E + "3, column 'enemy_id': 2 is not allowed"),
    ("enmities", "army_id,enemy_id\n1,7\n", "7 is not allowed; allowed: an army of the same"),
    ("stances", "realm,other,stance\nN,S,3\n", "are both there; allowed: one of them"),
    ("battles", "[hits]\nhit_pct = 101\n", "hit_pct = 101; a whole number from 0 to 100"),
    ("battles", "[hits]\nprotect_pct = 100\n", "protect_pct = 100; a whole number from 0 to 99"),
    ("battles", "[hits]\nhits_pct = 1\n", "unknown key 'hits_pct' (did you mean 'hit_pct'?)"),
    ("battles", "[hits]\nranged_bonus = 1\n", "ranged_bonus = 1; allowed: true or false"),
    ("battles", '[battles]\nseed = "12"\n', "seed: '12' is not allowed; allowed: 64 hexadecimal"),
    ("battles", '[battles]\nid = "a/b"\n', "id: 'a/b' is not allowed"),
]


@pytest.mark.parametrize(("name", "text", "complaint"), REFUSED)
def test_bad_input_is_one_line_and_nothing_is_written(
    folder: Path, zugwerk: Any, name: str, text: str, complaint: str
) -> None:
    ending = "toml" if name == "battles" else "csv"
    (folder / f"{name}.{ending}").write_text(text)
    before = digests(folder)
    code, out, err = zugwerk("battles", folder)
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1
    assert digests(folder) == before


@pytest.mark.parametrize(
    ("stances", "complaint"),
    [
        ("N,N,3", "row 2, column 'other': 'N' is not allowed; allowed: another realm"),
        (
            "N,S,4",
            "row 2, column 'stance': 4 is not allowed; allowed: 1 neutral, 2 friend, 3 enemy",
        ),
        ("N,S,3\nN,S,1", "row 3, column 'other': 'S' is not allowed; allowed: every pair once"),
    ],
)
def test_bad_stances(tmp_path: Path, stances: str, complaint: str) -> None:
    text = f"realm,other,stance\n{stances}\n"
    folder = folder_with(tmp_path / "x", enmities__csv=None, stances__csv=text)
    with pytest.raises(InputError) as error:
        run(folder)
    assert complaint in str(error.value)


def test_bad_rows_of_a_parquet_file_are_named_too(folder: Path) -> None:
    (folder / "combatants.csv").unlink()
    rows = pl.DataFrame({"army_id": [1, 2], "combatant_id": [1, 1], "kk": [1.0, float("nan")]})
    rows.write_parquet(folder / "combatants.parquet")
    with pytest.raises(InputError, match=r"combatants.parquet: row 2, column 'kk': nan is not"):
        run(folder)


def test_both_forms_of_a_table_are_an_error(folder: Path) -> None:
    pl.read_csv(folder / "armies.csv").write_parquet(folder / "armies.parquet")
    with pytest.raises(InputError, match=r"armies.csv and armies.parquet are both there"):
        run(folder)


def test_too_much_kk_for_the_dice(folder: Path) -> None:
    rows = "battle_id,army_id,strength\n1,1,4000000000\n1,2,4000000000\n"
    (folder / "combatants.csv").write_text("army_id,combatant_id,kk\n1,1,1\n2,1,1\n3,1,1\n")
    (folder / "enmities.csv").unlink()
    (folder / "armies.csv").write_text(rows + "1,3,2000000000\n")
    with pytest.raises(InputError, match="battle 1: gesKK of its armies together is 10000000000"):
        run(folder)
    (folder / "armies.csv").write_text("battle_id,army_id,strength\n1,1,5e9\n1,2,1\n1,3,1\n")
    with pytest.raises(InputError, match="gesKK of an army is 5000000000; allowed: at most 42949"):
        run(folder)


@pytest.mark.parametrize(
    "arguments",
    [["--rounds", "0"], ["--rounds", "257"], ["--repeat", "0"], ["--repeat", 2**24 + 1]],
)
def test_limits_of_the_command(folder: Path, zugwerk: Any, arguments: list[object]) -> None:
    assert zugwerk("battles", folder, *arguments)[0] == 2
    assert not (folder / "result").exists()


def test_results_do_not_go_into_the_input(folder: Path) -> None:
    with pytest.raises(InputError, match="a folder of their own"):
        run(folder, folder)


# ── without effect ─────────────────────────────────────────────────────────────────────────


def test_warnings_and_an_army_of_nobody(folder: Path, zugwerk: Any) -> None:
    (folder / "armies.csv").write_text(ARMIES + "2,9,Leer,,,50,12\n")
    (folder / "enmities.csv").write_text("army_id,enemy_id\n1,2\n2,1\n7,8\n9,7\n")
    code, out, _ = zugwerk("battles", folder)
    assert code == 0
    assert out.splitlines()[:4] == [
        "warning: army 9 has no combatants",
        "warning: army 8 is hostile to nobody",
        "warning: army 7 strikes army 8, which does not strike back",
        "warning: army 9 strikes army 7, which does not strike back",
    ]
    row = table(folder / "result", "army_results").filter(army_id=9).row(0, named=True)
    key = {"repeat": 0, "battle_id": 2, "army_id": 9, "rounds": 1}
    assert row == dict.fromkeys(row, 0) | key


def test_nobody_at_all(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path / "leer",
        armies__csv="battle_id,army_id\n",
        combatants__csv="army_id,combatant_id,kk\n",
        enmities__csv=None,
    )
    for wish in (Wish(), Wish(repeat=3), Wish(audit=True, rounds=2)):
        assert set(run(folder, wish=wish).rows.values()) == {0}


# ── one selection explained ────────────────────────────────────────────────────────────────


def test_explain(folder: Path, zugwerk: Any) -> None:
    out = run(folder, wish=Wish(repeat=3, rounds=2, audit=True)).out
    selections = table(out, "selections").filter(army_id=1, repeat=2, round=1)
    draws = table(out, "draws").filter(entity=1 + 2**32 * (2 * 256 + 1), index=0)
    word = draws.filter(stream=12)["value"].item()
    options = ("--army", 1, "--repeat", 2, "--round", 1)
    code, told, _ = zugwerk("battles", "explain", folder, *options, "--selection", 0)
    first = selections.row(0, named=True)
    assert code == 0
    assert told.startswith("Schlacht 1, Nord (Armee 1): Durchgang 2, Runde 1, Auswahl 0\n")
    assert f"→ Platz {word} (ab 0): Einheit {first['combatant_id']} (" in told
    number = f"{first['vp_after']:.2f}".replace(".", ",").rstrip("0").rstrip(",")
    assert told.splitlines()[-1] == f"VP: {first['vp_before']:.0f} → {number}"
    code, _, err = zugwerk("battles", "explain", folder, *options, "--selection", 999)
    assert code == 2
    assert f"army 1 made {selections.height} selections" in err
    assert zugwerk("battles", "explain", folder, "--army", 77, "--selection", 0)[0] == 2


def test_explain_takes_the_seed_of_the_last_run(folder: Path, zugwerk: Any) -> None:
    (folder / "battles.toml").write_text('[battles]\nid = "test"\n')
    explained = ("battles", "explain", folder, "--army", 1, "--selection", 0)
    code, _, err = zugwerk(*explained)
    assert code == 2
    assert "no seed; run `zugwerk battles" in err
    run(folder)
    row = table(folder / "result", "selections").row(0, named=True)
    assert f"Einheit {row['combatant_id']}" in zugwerk(*explained)[1]


def test_help(zugwerk: Any) -> None:
    code, out, _ = zugwerk("battles", "--help")
    assert code == 0
    assert "Example: zugwerk battles grenzkrieg --repeat 10000" in " ".join(out.split())
    for name in ("new", "explain", "run"):
        _, out, _ = zugwerk("battles", name, "--help")
        assert f"Example: zugwerk battles {name} " in " ".join(out.split())


def test_a_template_names_every_file(tmp_path: Path) -> None:
    names = {path.name for path in write_template(tmp_path / "a b")}
    assert {"armies.csv", "combatants.csv", "enmities.csv", "battles.toml"} < names
    settings = read_settings(tmp_path / "a b")
    assert settings.id == "ab"
    assert read_lineup(tmp_path / "a b", settings).warnings == ()
