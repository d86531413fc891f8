"""The benches still run: on tiny worlds, without a look at the clock."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "bench",
    [
        ("turn", "--sizes", "1k"),
        ("orders", "3", "20"),
        ("movement", "1000"),
        ("combat", "1000"),
    ],
    ids=lambda bench: bench[0],
)
def test_a_bench_runs(bench: tuple[str, ...]):
    name, *arguments = bench
    command = [sys.executable, "-m", f"tests.benches.{name}", *arguments]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
