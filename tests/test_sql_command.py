"""`zugwerk sql`, `catalog` and `chart` as a user types them: formats, refusals, the prompt."""

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import polars as pl
import pytest

from flows.analyst import prompt, statements
from flows.analyst.warehouse import open_history
from tests.conftest import digests, typed
from transforms.errors import InputError

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run the command in this process: exit code, standard output, standard error."""

    def command(*arguments: object) -> tuple[int, str, str]:
        code = typed(*arguments)
        output = capsysbinary.readouterr()
        return code, output.out.decode(), output.err.decode()

    return command


@pytest.mark.parametrize("command", ["sql", "catalog", "chart"])
def test_every_help_has_an_example(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Example: zugwerk {command} " in " ".join(out.split())


# ── results ─────────────────────────────────────────────────────────────────────────────────

QUERY = "select 1::hugeint as n, 'a,\"ß\"' as text, null as gap, ['x', 'y'] as list, 0.5 as real"


def test_a_table(run: Run, played_demo: Path) -> None:
    code, out, err = run("sql", played_demo, "select realm, hexes from strength_by_realm(3)")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["realm", "hexes"]
    assert len(out.splitlines()) == 6


def test_a_table_without_a_terminal_breaks_no_line(run: Run, played_demo: Path) -> None:
    _, out, _ = run("sql", played_demo, "from units_at(3) limit 1")
    assert len(out.splitlines()) == 2


def test_a_long_table_is_cut_and_says_so(run: Run, played_demo: Path) -> None:
    _, out, _ = run("sql", played_demo, "from range(1000)")
    assert len(out.splitlines()) == 202
    assert out.splitlines()[-1].startswith("…")


def test_csv(run: Run, played_demo: Path) -> None:
    code, out, err = run("sql", played_demo, QUERY, "--format", "csv")
    assert (code, err) == (0, "")
    assert list(csv.reader(io.StringIO(out))) == [
        ["n", "text", "gap", "list", "real"],
        ["1", 'a,"ß"', "", '["x", "y"]', "0.5"],
    ]


def test_json(run: Run, played_demo: Path) -> None:
    _, out, _ = run("sql", played_demo, QUERY, "--format", "json")
    assert json.loads(out) == [
        {"n": 1, "text": 'a,"ß"', "gap": None, "list": ["x", "y"], "real": 0.5}
    ]
    assert (
        json.loads(run("sql", played_demo, "from units where false", "--format", "json")[1]) == []
    )


def test_more_rows_than_one_batch(run: Run, played_demo: Path) -> None:
    _, out, _ = run("sql", played_demo, "from range(250_000)", "--format", "csv")
    assert len(out.splitlines()) == 250_001


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "txt"])
def test_the_ending_of_a_file_is_its_format(
    run: Run, played_demo: Path, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"out.{ending}"
    assert run("sql", played_demo, "select 7 as n", "-o", target) == (0, "", "")
    if ending == "parquet":
        assert pl.read_parquet(target)["n"].to_list() == [7]
    else:
        assert "7" in target.read_text()


def test_a_file_of_sql_and_a_name_of_the_cookbook(
    run: Run, played_demo: Path, tmp_path: Path
) -> None:
    file = tmp_path / "frage.sql"
    file.write_text("-- eins\nselect 'größe' as g;\nselect 2 as h;", encoding="utf-8-sig")
    assert run("sql", played_demo, "-f", file)[1].split() == ["g", "größe", "h", "2"]
    assert "Nordmark" in run("sql", played_demo, "-f", "growth")[1]


def test_texts_of_players_are_no_markup_and_no_control_codes(run: Run, played_demo: Path) -> None:
    _, out, _ = run("sql", played_demo, "select '[bold]x[/y] :smile:' || chr(27) || '[2J' as t")
    assert out.splitlines()[1] == "[bold]x[/y] :smile:�[2J"


# ── refusals ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["selec 1"], "Parser Error"),
        (["select x"], "Binder Error"),
        (["select 'a'::int"], "Conversion Error"),
        (["select 'a'::int", "-o", "out.csv"], "Conversion Error"),
        (["select '2024-13-45'::date", "--format", "json"], "Conversion Error"),
        (["select interval 1 day as d"], "cast it (x::varchar): d month_day_nano_interval"),
        (["select 1", "-f", "y.sql"], "exclude each other"),
        (["-f", "y.sql"], "y.sql: there is no such file"),
        (["select 1", "--format", "parquet"], "needs a file"),
        (["select 1", "-o", "out.xlsx"], "which format?"),
        (["select 1", "-o", "nix/out.csv"], "nix: there is no such folder"),
        (["-f", "grwoth"], "unknown question 'grwoth' (did you mean 'growth'?)"),
        (["select 1; select 2", "-o", "out.csv"], "first result only"),
        (["from read_csv('https://localhost:1/x.csv')"], "httpfs"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, played_demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    code, _, err = run("sql", played_demo, *arguments)
    assert code == 2
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("ending", ["csv", "json", "parquet", "txt"])
def test_rows_that_cannot_be_fetched_leave_the_file_of_before(
    run: Run, played_demo: Path, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / f"out.{ending}"
    target.write_text("before")
    first = 100 if ending == "txt" else 150_000  # a table is cut, the others come in batches
    query = f"select if(i < {first}, '0', 'a')::int as n from range(200_000) as t(i)"
    code, out, err = run("sql", played_demo, query, "-o", target)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [
        (target.name, "before")
    ]


WRITES = (
    "copy (select 1) to '{file}'",
    "COPY (pivot (select 1 as a) on a using count(*)) TO '{file}'",
    "/* select */ copy units to '{file}'",
    "-- select\ncopy (select ';') to '{file}'",
    "explain analyze copy (select 1) to '{file}'",
    "explain/**/analyze/**/copy (select 1) to '{file}'",
    "explain (analyze, format json) copy (select 1) to '{file}'",
    "explain analyze copy (pivot (select 1 as a) on a using count(*)) to '{file}'",
    "prepare p as copy (select 1) to '{file}'",
    "execute p",
    "export database '{file}'",
    "attach '{file}'",
    "attach '{file}' as x; create table x.t as select 1",
    "describe copy (select 1) to '{file}'",
    "create persistent secret (type s3)",
    "install httpfs",
    "load httpfs",
    "set threads = 1",
    "set enable_external_access = true",
    "pragma enable_profiling",
    "call pragma_version()",
    "checkpoint",
    "select 1; copy (select 1) to '{file}'",
)


@pytest.mark.parametrize("query", WRITES)
def test_no_query_writes_or_reaches_out(
    analyst: duckdb.DuckDBPyConnection, tmp_path: Path, query: str
) -> None:
    results = statements.run(analyst.cursor(), query.format(file=tmp_path / "written"))
    with pytest.raises(InputError):
        list(results)
    assert list(tmp_path.iterdir()) == []


def test_the_history_is_not_overwritten(run: Run, played_demo: Path) -> None:
    before = digests(played_demo)
    target = played_demo / "history" / "turn=0003" / "units.parquet"
    code, out, err = run("sql", played_demo, f"copy (select 1) to '{target}'")
    assert (code, out) == (2, "")
    assert "COPY is not allowed here" in err
    for game_file in (target, played_demo / "history" / "new.parquet", played_demo / "game.toml"):
        for command in (["sql", played_demo, "from units", "--format", "csv"],
                        ["catalog", played_demo], ["chart", played_demo, "gold"]):  # fmt: skip
            code, _, err = run(*command, "-o", game_file)
            assert (code, "belongs to the game" in err) == (2, True)
    assert digests(played_demo) == before


@pytest.mark.parametrize(
    "query",
    [
        "explain select '-- copy'",
        "explain analyze select 1",
        "EXPLAIN (FORMAT json) SELECT 1",
        "(select 1)",
        "pivot (select 1 as a) on a using count(*)",
        "with a as (select 1) select * from a",
        "values (1)",
        "describe units",
        "show tables",
        "summarize realms",
        "create table mine as select 1 as a; insert into mine values (2); from mine",
        "set variable x = 3; select getvariable('x')",
        "select 'copy' as \"copy\"",
    ],
)
def test_what_only_reads_is_allowed(analyst: duckdb.DuckDBPyConnection, query: str) -> None:
    assert [result.pl().width for result in statements.run(analyst.cursor(), query)]


def test_a_variable_of_python_is_out_of_reach(analyst: duckdb.DuckDBPyConnection) -> None:
    secret = pl.DataFrame({"a": [1]})
    with pytest.raises(InputError, match="secret"):
        list(statements.run(analyst, "from secret"))
    assert secret.height == 1


# ── prompt ──────────────────────────────────────────────────────────────────────────────────


def _talk(root: Path, *lines: str | type[BaseException]) -> None:
    typed = iter(lines)

    def read(_: str) -> str:
        line = next(typed, EOFError)
        if not isinstance(line, str):
            raise line
        return line

    with open_history(root) as connection:
        prompt.talk(connection, read)


def test_a_talk(played_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _talk(
        played_demo,
        "", "select 'a;", "b' as text", "  ;", ".tables", ".columns units",
        ".columns history.sight", ".cookbook", ".cookbook growth", ".help", ".nonsense",
        "select nonsense;", "half a query", KeyboardInterrupt, "select 41 + 1 as answer;", ".quit",
        "select 'too late';",
    )  # fmt: skip
    out = capsys.readouterr().out
    for part in (
        "1 game open",
        "a;",
        "strength_by_realm(turn)",
        "the unit that holds it captive",
        "who sees",
        "Who is growing?",
        "Nordmark",
        "unknown command '.nonsense'; allowed: .tables",
        'column "nonsense"',
        "42",
    ):
        assert part in out
    assert "too late" not in out
    assert "half" not in out


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("select 1;", True),
        ("select 1; ", True),
        ("select 1; -- done", True),
        ("select ';", False),
        ("select 'it''s;';", True),
        ('select ";', False),
        ("select 1 -- ;", False),
        ("/* ; */", False),
        ("/* ;", False),
        ("select $$ ; $$;", True),
        ("select $$ ;", False),
        ("select 1", False),
    ],
)
def test_where_a_query_ends(text: str, complete: bool) -> None:
    assert statements.is_complete(text) is complete


def test_queries_from_standard_input(played_demo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from flows.cli import main; main()", "sql", str(played_demo)],
        input="select 42 as n\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    assert done.stdout.split() == ["n", "42"]


# ── catalog and chart ───────────────────────────────────────────────────────────────────────


def test_catalog(run: Run, game: Path, tmp_path: Path) -> None:
    target = tmp_path / "katalog.duckdb"
    assert run("catalog", game, "-o", target) == (0, f"{target}\n", "")
    with duckdb.connect(target, read_only=True) as other:
        assert other.execute("select count(*) from units").fetchall() == [(4,)]
    assert run("catalog", tmp_path / "nothing")[0] == 2
    assert "is a folder" in run("catalog", game, "-o", tmp_path)[2]
    assert run("catalog", game, "-o", tmp_path / "no" / "folder.duckdb")[0] != 0


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, where charts are drawn unless told otherwise."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("what", ["strength", "gold", "territory", "losses"])
def test_chart(run: Run, played_demo: Path, pictures: Path, what: str) -> None:
    assert run("chart", played_demo, what) == (0, f"{what}.png\n", "")
    first = (pictures / f"{what}.png").read_bytes()
    assert first.startswith(b"\x89PNG")
    assert run("chart", played_demo, what, "-o", "again.png")[0] == 0
    assert (pictures / "again.png").read_bytes() == first


def test_a_chart_of_nothing(run: Run, played_demo: Path, pictures: Path) -> None:
    assert run("chart", played_demo, "weather")[0] == 2
    assert run("chart", pictures, "gold")[0] == 2
    assert list(pictures.iterdir()) == []
