"""One turn of Ghost-Diplomacy with all outputs, from the start of the process to its end.

`python -m tests.benches.ghost_turn [REPEATS]`: median and best wall clock, and processor seconds.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from tests.ghost_world import hand_in, new_game

OPENING = {
    "GB": "F Lon-Nth; F Edi-Nrg; A Lpl-Yor",
    "F": "F Bre-Mat; A Par-Bur; A Mar-Spa",
    "D": "F Kie-Den; A Mun-Ruh; A Ber-Kie",
    "I": "F Nap-Ion; A Ven H; A Rom-Apu",
    "OEU": "A Vie-Gal; A Bud-Ser; F Tri-Alb",
    "OR": "F Ank-Bla; A Con-Bul; A Smy-Con",
    "R": "F Sev-Bla; A Mos-Ukr; A War-Gal; F StP(sc)-Bot",
}


def main(repeats: int) -> None:
    """Run the command again and again on a copy of the same game."""
    with tempfile.TemporaryDirectory() as scratch:
        game = new_game(Path(scratch) / "vorlage")
        hand_in(game, 1, OPENING)
        walls, busy = [], []
        for i in range(repeats):
            copy = Path(scratch) / str(i)
            shutil.copytree(game.root, copy)
            start = [sys.executable, "-c", "from flows.cli import main; main()"]
            command = [*start, "ghost", "turn", str(copy), "--direct"]
            before, started = os.times(), perf_counter()
            subprocess.run([*command, "-q"], check=True)
            walls.append(perf_counter() - started)
            after = os.times()
            used = after.children_user + after.children_system
            busy.append(used - before.children_user - before.children_system)
            assert len(list((copy / "reports" / "0001").iterdir())) == 24
    print(f"wall clock: median {statistics.median(walls):.2f} s, best {min(walls):.2f} s")
    print(f"processor:  median {statistics.median(busy):.2f} s, best {min(busy):.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
