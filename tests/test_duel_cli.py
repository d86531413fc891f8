"""The command `zugwerk duel`: what it writes, what it says, what it refuses."""

import json

import polars as pl
import pytest

from flows import cli_duel
from flows.duel_design import core, registry_with
from flows.duel_fights import read_fights
from flows.shipped import shipped
from tests.duels import registry_of
from transforms.duel import grid as grids
from transforms.duel.compare import differences
from transforms.duel.lint import findings
from transforms.duel.run import run_fights
from transforms.errors import InputError

GRID = """[grid]
heroes = ["core:knight", "core:rogue"]
policies = ["core:plain", "core:cautious"]
seeds = 30
seed_base = 5
[grid.groups]
wolf = ["core:wolf"]
rats = ["core:rat", "core:rat"]
"""
FIGHTS = (
    "fight_id;seed;hero;enemies;policy;script\n"
    "3;77;core:knight;core:orc|core:wolf;core:bulwark;\n"
    "1;5;core:rogue;core:rat;;core:stab|core:flee\n"
)


@pytest.fixture
def zugwerk(zugwerk):
    """Run `zugwerk duel`; gives exit code, lines on standard output, text on standard error."""

    def run(*words):
        code, out, err = zugwerk("duel", *words)
        return code, out.splitlines(), err

    return run


# ── the shipped data ────────────────────────────────────────────────────────────────────────


def test_the_core_is_as_large_as_promised_and_clean():
    registry = registry_with([])
    sizes = [len(getattr(registry, k)) for k in ("creatures", "abilities", "triggers", "policies")]
    assert all(size >= least for size, least in zip(sizes, (12, 17, 6, 2), strict=True))
    assert [*registry.warnings, *findings(registry)] == []
    assert not any("[balance]" in path.read_text("utf-8") for path in core().glob("*.toml"))
    assert all(creature.name != creature.id for creature in registry.creatures.values())


def test_the_template_is_a_mod_without_warnings():
    registry = registry_with([shipped("data", "duel", "template")])
    assert [*registry.warnings, *findings(registry)] == []
    assert registry.creatures["core:rat"].name == "Pestratte"


# ── validate, diff ──────────────────────────────────────────────────────────────────────────


def _mod(ai, *, stamina=0, **ability):
    hit = {"id": "a:hit", "actions": [{"do": "damage", "amount": 1, "type": "d:x"}], **ability}
    creature = {
        "id": "c:one",
        "base": {"max_health": 5, "max_stamina": stamina},
        "abilities": ["a:hit"],
        "ai": ai,
    }
    return {"abilities": [hit], "creatures": [creature]}


FIT = [{"check": "turn", "every": 2}]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (_mod([{"ability": "a:hit"}]), []),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}]), ["ai 2 (core:wait)"]),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}], cooldown=1), ["ai 2 (core:wait)"]),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}], cooldown=2), []),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}], cost=1, stamina=1), []),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}], condition=FIT), []),
        (_mod([{"ability": "a:hit"}, {"ability": "core:wait"}], cost=1), ["ai 1 (a:hit)"]),
        (
            _mod([{"ability": "a:hit", "condition": c} for c in (FIT, FIT * 2)], cooldown=3),
            ["ai 2 (a:hit)"],
        ),
        (_mod([{"ability": "core:wait"}]), ["'a:hit' unused"]),
    ],
)
def test_dead_entries_and_unused_abilities_are_found(content, found):
    lines = findings(registry_of(content))
    assert len(lines) == len(found)
    assert all(part in line for part, line in zip(found, lines, strict=True))


def test_validate_tells_warnings_and_counts(zugwerk, tmp_path):
    (tmp_path / "a.toml").write_text(
        '[[creatures]]\nid = "m:idle"\nbase = { max_health = 3 }\nai = []\n', "utf-8"
    )
    code, lines, _ = zugwerk("validate", "--mods", tmp_path)
    assert code == 0
    assert lines[0].startswith("warning: ")
    assert "m:idle" in lines[0]
    assert lines[-1].endswith("1 warning(s)")


def test_diff_names_every_field_that_differs(zugwerk):
    code, lines, _ = zugwerk("diff", "core", shipped("data", "duel", "template"))
    assert code == 0
    assert "~ creatures core:rat, name: Riesenratte → Pestratte" in lines
    assert "+ creatures mymod:bog_witch" in lines
    assert lines[-1] == f"{len(lines) - 1} difference(s)"
    assert zugwerk("diff", "core", "core")[1] == ["0 difference(s)"]


def test_diff_knows_entries_of_one_side_and_the_knobs():
    a = registry_of(_mod([{"ability": "a:hit"}]))
    b = registry_of({"abilities": _mod([])["abilities"], "balance": {"dodge": 0.5}})
    lines = [difference.line() for difference in differences(a, b)]
    assert lines == ["- creatures c:one", "~ [balance], dodge: 0.02 → 0.5"]
    assert differences(b, a)[0].line() == "+ creatures c:one"


# ── run ─────────────────────────────────────────────────────────────────────────────────────


def test_run_reads_csv_and_parquet_alike(zugwerk, tmp_path):
    (tmp_path / "fights.csv").write_bytes(FIGHTS.encode("utf-8-sig"))
    frame = pl.concat(read_fights(tmp_path / "fights.csv").frames())
    assert frame["fight_id"].to_list() == [1, 3]
    assert frame["enemies"].to_list() == [["core:rat"], ["core:orc", "core:wolf"]]
    assert frame["script"].to_list() == [["core:stab", "core:flee"], None]
    assert zugwerk("run", tmp_path / "fights.csv", "--events")[0] == 0
    results = pl.read_parquet(tmp_path / "result" / "results.parquet")
    for order in (frame, frame.reverse()):  # the second one cannot be streamed
        order.write_parquet(tmp_path / "other.parquet")
        assert zugwerk("run", tmp_path / "other.parquet", "--out", tmp_path / "o")[0] == 0
        assert pl.read_parquet(tmp_path / "o" / "results.parquet").equals(results)
    assert not (tmp_path / "o" / "events.parquet").exists()
    assert (tmp_path / "result" / "events.parquet").exists()


def test_a_grid_counts_as_the_format_says(zugwerk, tmp_path):
    (tmp_path / "g.toml").write_text(GRID, "utf-8")
    source = read_fights(tmp_path / "g.toml")
    frame = pl.concat(source.frames())
    assert frame.height == 2 * 2 * 2 * 30
    row = frame.row(
        ((1 * 2 + 0) * 2 + 1) * 30 + 7, named=True
    )  # ((hero·G + group)·P + policy)·n + k
    assert row["fight_id"] == 157
    assert row["seed"] == 12
    assert (row["hero"], row["enemies"]) == ("core:rogue", ["core:wolf"])
    assert row["policy"] == "core:cautious"
    assert source.find(157).equals(frame[157])
    assert source.find(240).is_empty()
    assert zugwerk("run", tmp_path / "g.toml", "--out", tmp_path / "o")[0] == 0
    (whole,) = run_fights(frame, registry_with([]))
    assert pl.read_parquet(tmp_path / "o" / "results.parquet").equals(whole.results)


def test_the_size_of_the_frames_of_a_grid_changes_nothing(tmp_path):
    (tmp_path / "g.toml").write_text(GRID, "utf-8")
    grid = grids.parse_grid("g", {"grid": {"heroes": ["a:a"], "groups": {"x": ["b:b"]}}})
    assert grid.count == 1000
    sizes = [pl.concat(grids.frames(grid, size)) for size in (7, 1000, 5000)]
    assert sizes[0].equals(sizes[1])
    assert sizes[1].equals(sizes[2])


# ── show, save, resume ──────────────────────────────────────────────────────────────────────


def test_show_by_file_and_by_options_is_the_same(zugwerk, tmp_path):
    (tmp_path / "fights.csv").write_text(FIGHTS, "utf-8")
    by_file = zugwerk("show", f"{tmp_path / 'fights.csv'}:3")[1]
    assert by_file == zugwerk("show", "3", "--fights", tmp_path / "fights.csv")[1]
    told = ("--hero", "core:knight", "--enemies", "core:orc|core:wolf", "--policy", "core:bulwark")
    assert by_file == zugwerk("show", *told, "--seed", 77)[1]
    assert by_file[0] == "Zug 0"


@pytest.mark.parametrize("turn", [1, 2, 4])
def test_a_saved_fight_ends_as_it_would_have(zugwerk, tmp_path, turn):
    (tmp_path / "fights.csv").write_text(FIGHTS, "utf-8")
    fight, save = f"{tmp_path / 'fights.csv'}:3", tmp_path / "save.json"
    whole = zugwerk("show", fight)[1]
    assert zugwerk("save", fight, "--turn", turn, "--out", save)[0] == 0
    assert json.loads(save.read_text("utf-8"))["turn"] == turn + 1
    rest = zugwerk("resume", save)[1]
    assert rest[0] == f"Zug {turn + 1}"
    assert whole[-len(rest) :] == rest
    again = tmp_path / "again.json"
    first = zugwerk("resume", save, "--turn", turn + 1, "--out", again)[1][:-1]
    assert first + zugwerk("resume", again)[1] == rest


def test_a_save_of_another_registry_is_refused_unless_forced(zugwerk, tmp_path):
    save = tmp_path / "save.json"
    told = ("--hero", "core:knight", "--enemies", "core:troll", "--seed", 3)
    assert zugwerk("save", *told, "--turn", 1, "--out", save)[0] == 0
    mod = ("--mods", shipped("data", "duel", "template"))
    assert zugwerk("resume", save, *mod)[0] == 2
    assert zugwerk("resume", save, *mod, "--force")[0] == 0


# ── matrix, sweep ───────────────────────────────────────────────────────────────────────────


def test_matrix_and_sweep_write_tables_and_pictures(zugwerk, tmp_path):
    (tmp_path / "g.toml").write_text(GRID, "utf-8")
    assert zugwerk("matrix", tmp_path / "g.toml", "--out", tmp_path / "m")[0] == 0
    written = {path.name for path in (tmp_path / "m").iterdir()}
    assert written == {"matrix.csv", "matrix.png", "distribution.csv", "distribution.png"}
    matrix = pl.read_csv(tmp_path / "m" / "matrix.csv")
    assert matrix.height == 8
    assert (matrix["n"] == 30).all()
    knobs = ("--set", "hero.dexterity=3..5", "--set", "balance.dodge=0.0..0.1:0.05")
    fight = ("--hero", "core:knight", "--enemies", "core:troll", "--seeds", 60)
    code, lines, _ = zugwerk("sweep", *knobs, *fight, "--out", tmp_path / "s")
    assert code == 0
    assert any(line.startswith("warning: ") and "wider than" in line for line in lines)
    sweep = pl.read_csv(tmp_path / "s" / "sweep.csv")
    assert sweep["value"].to_list() == [0.0, 0.05, 0.1, 3.0, 4.0, 5.0]
    assert (tmp_path / "s" / "sweep_hero.dexterity.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "words",
    [
        ("run", "nowhere.csv"),
        ("run", "bad.csv"),
        ("run", "zero.csv"),
        ("run", "broken.parquet"),
        ("run", "bad.toml"),
        ("run", "fights.txt"),
        ("run", "."),
        ("run", "good.csv", "--mods", "nomod"),
        ("matrix", "good.csv"),
        ("matrix", "bad.toml"),
        ("show",),
        ("show", "good.csv:2"),
        ("show", "good.csv"),
        ("show", "good.csv:3", "--creature", "Hund"),
        ("show", "--hero", "core:nobody", "--enemies", "core:rat"),
        ("show", "--hero", "core:knight"),
        ("save", "good.csv:3", "--turn", "190", "--out", "out"),
        ("resume", "good.csv"),
        ("diff", "core", "nomod"),
        ("sweep", "--set", "hero.x=1..2", "--hero", "core:knight", "--enemies", "core:rat"),
        ("sweep", "--set", "hero.damage=1..2", "--hero", "core:nobody", "--enemies", "core:rat"),
        ("sweep", "--set", "balance.dodge=0.1", "--hero", "core:knight", "--enemies", "core:rat"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2_and_nothing_written(
    zugwerk, tmp_path, monkeypatch, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.csv").write_text(FIGHTS, "utf-8")
    (tmp_path / "bad.csv").write_text(
        "fight_id,seed,hero,enemies\n1,2,core:knight,core:x\n", "utf-8"
    )
    (tmp_path / "zero.csv").write_text(
        "fight_id,seed,hero,enemies\n1,0,core:rat,core:rat\n", "utf-8"
    )
    (tmp_path / "broken.parquet").write_bytes(b"no")
    (tmp_path / "fights.txt").write_text("", "utf-8")
    (tmp_path / "bad.toml").write_text(GRID.replace('"core:wolf"', '"core:cow"'), "utf-8")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    code, lines, error = zugwerk(*words)
    assert code == 2
    assert lines == []
    assert len(error.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_both_forms_of_one_table_are_an_error(tmp_path):
    for name in ("fights.csv", "fights.parquet"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match=r"fights.csv and fights.parquet"):
        read_fights(tmp_path)


def test_every_command_has_an_example():
    for command in cli_duel.app.registered_commands:
        assert "Example: zugwerk duel" in (command.callback.__doc__ or "")
