"""A real client of a real protocol: games in a bucket on an S3 server of this machine."""

import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from flows.objects import created, reached
from tests.conftest import digests, typed


def test_an_object_is_created_only_once(s3: str) -> None:
    fs, base = reached(s3)
    assert created(fs, f"{base}/a", b"mine")
    assert not created(fs, f"{base}/a", b"theirs")
    assert fs.cat_file(f"{base}/a") == b"mine"


def test_turns_and_questions(
    s3: str, game: Path, tmp_path: Path, zugwerk: Callable[..., tuple[int, str, str]]
) -> None:
    url = f"{s3}/klein"
    assert zugwerk("copy", game, url)[0] == 0
    for place in (game, url):
        assert zugwerk("turn", place, "--direct", "-q", "--until", "2")[0] == 0
    query = ("select turn, sum(troops) as n from units group by turn order by turn", "--format")
    assert zugwerk("sql", url, *query, "csv") == zugwerk("sql", game, *query, "csv")
    assert zugwerk("history", url) == zugwerk("history", game)
    assert zugwerk("copy", url, tmp_path / "back")[0] == 0
    assert digests(tmp_path / "back") == digests(game)


def test_folders_that_a_console_makes(
    s3: str, game: Path, zugwerk: Callable[..., tuple[int, str, str]]
) -> None:
    """Empty objects with the names of folders."""
    url = f"{s3}/klein"
    zugwerk("copy", game, url)
    fs, _ = reached(s3)
    for name in ("", "orders/", "orders/2/", "history/", "work/", "reports/0007/", ".lease/"):
        fs.call_s3("put_object", Bucket="spiele", Key=f"klein/{name}", Body=b"")
    assert zugwerk("turn", url, "--direct", "-q", "--until", "2") == (0, "", "")
    assert zugwerk("history", url)[0] == 0
    assert zugwerk("sql", url, "from units")[0] == 0


def test_polars_reads_the_history_by_itself(s3: str, game: Path) -> None:
    """The layout is that of the folder, so a plain scan needs nothing of zugwerk."""
    typed("copy", game, f"{s3}/klein")
    typed("turn", f"{s3}/klein", "--direct", "-q")
    options = {"aws_endpoint_url": os.environ["AWS_ENDPOINT_URL"], "aws_allow_http": "true"}
    files = "history/turn=*/units.parquet"
    remote = pl.scan_parquet(f"{s3}/klein/{files}", storage_options=options, hive_partitioning=True)
    assert remote.select("turn").unique().collect()["turn"].sort().to_list() == [0, 1]


@pytest.mark.parametrize("url", ["s3://nobody/klein", "s3://spiele/klein"])
def test_no_game_there(s3: str, url: str, zugwerk: Callable[..., tuple[int, str, str]]) -> None:
    code, _, err = zugwerk("turn", url, "--direct")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(f"zugwerk: {url}: ")
