"""The turn as a whole: what it is made from, what breaks it, and that nothing is ever half."""

import errno
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from flows import publish as publish_module
from flows import store
from flows.game import read_game
from flows.manifest import MANIFEST
from flows.progress import Progress
from flows.questions import OpenQuestionsError, nobody
from flows.replay import replay, roll_back
from flows.rerun import rerun
from flows.revisions import stored_turn
from flows.steps import STEPS
from flows.tables import Frames
from flows.turn import TurnRunner
from tests.conftest import ORDERS, WRONG_COST, FileSystem, KilledError, digests, write_orders
from transforms import schema
from transforms.errors import InputError


def runner(root: Path) -> TurnRunner:
    """A runner without Prefect."""
    return TurnRunner(read_game(root))


def policy(root: Path, **values: str) -> None:
    """Change policies in game.toml."""
    path = root / "game.toml"
    text = path.read_text().partition("[policy]")[0]
    lines = "".join(f'{key} = "{value}"\n' for key, value in values.items())
    path.write_text(f"{text}[policy]\n{lines}")


@pytest.fixture
def plain_publish(monkeypatch: pytest.MonkeyPatch) -> None:
    """Publishing is one small file: these tests are about everything before it."""

    def publish(root: Path, turn: int, frames: Frames) -> list[Path]:
        folder = store.reports_dir(root, turn)
        folder.mkdir(parents=True, exist_ok=True)
        lines = store.read_turn(root, turn, ["messages"])["messages"]["text"]
        (folder / "alle.txt").write_text("\n".join(lines), encoding="utf-8")
        return [folder / "alle.txt"]

    monkeypatch.setattr(publish_module, "publish", publish)


pytestmark = pytest.mark.usefixtures("plain_publish")


class TestParts:
    def test_turn_is_load_execute_publish(self, game: Path, tmp_path: Path) -> None:
        shutil.copytree(game, tmp_path / "parts")
        assert runner(game).turn() == 1
        for part in ("load", "execute", "publish"):
            runner(tmp_path / "parts").run_part(part)  # a process of its own each
        assert digests(game) == digests(tmp_path / "parts")
        assert not list((game / "work").iterdir())
        assert not (game / ".staging").exists()

    def test_history_is_complete(self, game: Path) -> None:
        runner(game).turn()
        folder = store.history_dir(game, 1)
        names = {path.stem for path in folder.glob("*.parquet")}
        assert names == {*schema.STATE, *schema.TURN}
        assert [p.name for p in sorted((folder / "steps").iterdir())] == [
            f"{n:02d}-{step.name}" for n, step in enumerate(STEPS, start=1)
        ]

    def test_something_happens(self, game: Path) -> None:
        runner(game).turn()
        tables = store.read_turn(game, 1)
        assert tables["battles"].height == 2
        assert tables["losses"].height == 2
        assert tables["moves"].height == 3
        keys = tables["messages"].select("realm_id", "section", "seq")
        assert keys.equals(keys.sort("realm_id", "section", "seq"))
        assert keys.is_unique().all()

    def test_ten_turns_in_a_row(self, game: Path) -> None:
        evaluated = [runner(game).turn() for _ in range(10)]
        assert evaluated == list(range(1, 11))
        assert store.turns(game) == list(range(11))

    def test_load_again_applies_losses_once(self, game: Path) -> None:
        runner(game).load(1)
        first = digests(game / "work")
        runner(game).load(1)
        assert digests(game / "work") == first

    @pytest.mark.parametrize("part", ["load", "execute"])
    def test_only_the_next_turn(self, game: Path, part: str) -> None:
        with pytest.raises(InputError, match="the next turn is 1, not 3"):
            runner(game).run_part(part, 3)

    def test_execute_without_load(self, game: Path) -> None:
        with pytest.raises(InputError, match="turn 1 is not loaded; run `zugwerk load` first"):
            runner(game).execute(1)

    def test_a_turn_that_is_done(self, game: Path) -> None:
        runner(game).turn()
        with pytest.raises(InputError, match="turn 1 is done"):
            runner(game).turn(1)

    def test_publish_is_due_after_execute(self, game: Path) -> None:
        runner(game).load(1)
        runner(game).execute(1)
        assert runner(game).turn() == 1
        assert runner(game).turn() == 2

    def test_publish_of_a_loaded_turn(self, game: Path) -> None:
        runner(game).load(1)
        with pytest.raises(InputError, match="turn 1 is not in the history"):
            runner(game).publish(1)
        assert store.work_dir(game, 1).is_dir()

    def test_missing_reports_do_not_make_a_turn_due(self, game: Path) -> None:
        runner(game).turn()
        shutil.rmtree(game / "reports")
        assert runner(game).turn() == 2


def _gm(root: Path, text: str) -> None:
    folder = root / "orders" / "1" / "gm"
    folder.mkdir(exist_ok=True)
    (folder / "units.csv").write_text(text)


def _river(root: Path) -> None:
    store.map_path(root, "rivers").unlink()
    row = pl.DataFrame({"hex_a": [20701], "hex_b": [20702]}, schema=schema.schema_of("rivers"))
    store.write_table(store.map_path(root, "rivers"), row)


CHANGES: dict[str, Callable[[Path], object]] = {
    "orders/ALT_SPZ.txt": lambda g: write_orders(g, 1, {"ALT": ""}),
    "orders/decisions.csv": lambda g: (g / "orders/1/decisions.csv").write_text(
        "code,line,text,decision\n"
    ),
    "orders/gm/units.csv": lambda g: _gm(g, "unit_id,troops,reason\n1,1700,x\n"),
    "rules": lambda g: (g / "game.toml").write_text(
        (g / "game.toml").read_text() + "[rules]\noverrun_pct = 90.5\n"
    ),
    "policy": lambda g: policy(g, on_cost_mismatch="approve"),
    "game": lambda g: (g / "game.toml").write_text(
        (g / "game.toml").read_text().replace("11111", "22222", 1)
    ),
    "map/rivers.parquet": lambda g: _river(g),
}


class TestDigests:
    """Between load and execute nothing may change; `turn` then loads again by itself."""

    @pytest.mark.parametrize(("name", "change"), CHANGES.items())
    def test_change_after_load(
        self, game: Path, name: str, change: Callable[[Path], object]
    ) -> None:
        runner(game).load(1)
        change(game)
        with pytest.raises(InputError, match=rf"{name}.* changed since turn 1 was loaded"):
            runner(game).execute(1)
        assert runner(game).turn() == 1

    def test_parent_changed(self, game: Path) -> None:
        runner(game).load(1)
        manifest = store.history_dir(game, 0) / MANIFEST
        manifest.write_text(manifest.read_text() + "\n")
        with pytest.raises(InputError, match="parent changed"):
            runner(game).execute(1)

    def test_damaged_work_folder(self, game: Path) -> None:
        runner(game).load(1)
        path = store.work_dir(game, 1) / "units.parquet"
        path.write_bytes(path.read_bytes()[:-9])
        with pytest.raises(InputError, match=r"units.parquet: the file was changed or damaged"):
            runner(game).execute(1)
        assert store.turns(game) == [0]

    @pytest.mark.parametrize("name", ["units", "counters"])
    def test_damaged_history(self, game: Path, name: str) -> None:
        path = store.history_dir(game, 0) / f"{name}.parquet"
        path.write_bytes(path.read_bytes()[:-9])
        before = digests(game)
        with pytest.raises(InputError, match=rf"{name}.parquet: the file was changed or damaged"):
            runner(game).load(1)
        assert digests(game) == before


class TestIntake:
    def error_of(self, root: Path, code: str) -> str | None:
        """What is said about the order file of a realm after load."""
        runner(root).load(1)
        path = store.work_dir(root, 1) / "order_files.parquet"
        realm = {"ALT": 1, "NEU": 2}[code]
        return pl.read_parquet(path).filter(realm_id=realm)["error"].item()

    def test_names_without_regard_to_case(self, game: Path) -> None:
        folder = game / "orders" / "1"
        (folder / "ALT_SPZ.txt").rename(folder / "alt_Spz.TXT")
        assert self.error_of(game, "ALT") is None

    def test_two_files_of_a_realm_are_its_own_problem(self, game: Path) -> None:
        write_orders(game, 1, {"alt": "x"})
        assert "mehrere Zugdateien" in (self.error_of(game, "ALT") or "")

    @pytest.mark.parametrize("data", [b"\xff\xfe1\x00", bytes(range(256)) * 40])
    def test_garbage_stops_nobody(self, game: Path, data: bytes) -> None:
        (game / "orders" / "1" / "ALT_SPZ.txt").write_bytes(data)
        assert self.error_of(game, "ALT") is not None

    def test_ten_megabytes_in_a_line(self, game: Path) -> None:
        (game / "orders" / "1" / "ALT_SPZ.txt").write_bytes(b"1" * 10_000_000)
        assert self.error_of(game, "ALT") is not None

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("ALD_SPZ.txt", r"unknown realm 'ALD' \(did you mean 'ALT'\?\); allowed: ALT, NEU"),
            ("..ALT_SPZ.txt", None),  # a hidden file
            ("ALT_SPZ.doc", r"unknown file 'ALT_SPZ.doc'"),
            ("decision.csv", r"unknown file 'decision.csv' \(did you mean 'decisions.csv'"),
            ("ALT_SPZ.txt~", None),
        ],
    )
    def test_strange_files(self, game: Path, name: str, message: str | None) -> None:
        (game / "orders" / "1" / name).write_text("x")
        if message is None:
            runner(game).load(1)
        else:
            with pytest.raises(InputError, match=message):
                runner(game).load(1)

    def test_file_that_the_disk_does_not_give_stops_load(
        self, game: Path, file_system: FileSystem
    ) -> None:
        for moment in range(1, 60, 3):
            file_system.count = 0
            broken = OSError(errno.EIO, "Input/output error")
            file_system.failing = lambda count, k=moment, e=broken: e if count == k else None
            with suppress(OSError):
                runner(game).load(1)
                file_system.failing = lambda count: None
                path = store.work_dir(game, 1) / "order_files.parquet"
                assert pl.read_parquet(path)["error"].null_count() == 2, moment

    def test_corrections(self, game: Path) -> None:
        _gm(game, "unit_id;troops;reason\n1;1700;Rechenfehler\n")
        runner(game).load(1)
        path = store.work_dir(game, 1) / "corrections.parquet"
        assert pl.read_parquet(path).select("column", "old", "new").rows() == [
            ("troops", "1800", "1700")
        ]

    def test_corrections_of_an_unknown_table(self, game: Path) -> None:
        (game / "orders" / "1" / "gm").mkdir()
        (game / "orders" / "1" / "gm" / "unit.csv").write_text("unit_id\n")
        with pytest.raises(InputError, match=r"unknown correction file 'unit.csv' \(did you mean"):
            runner(game).load(1)


class TestQuestions:
    @pytest.fixture
    def asking(self, game: Path) -> Path:
        """NEU hands in nothing, line 2 of ALT has a wrong cost, and both are to be asked."""
        policy(game, on_missing_orders="ask", on_cost_mismatch="ask")
        (game / "orders" / "1" / "NEU_SPZ.txt").unlink()
        write_orders(game, 1, {"ALT": "; Zug 1\n" + WRONG_COST})
        return game

    def decide(self, root: Path, rows: str) -> None:
        """Write decisions.csv."""
        header = "code;line;text;decision\n"
        (root / "orders" / "1" / "decisions.csv").write_text(header + rows, encoding="utf-8")

    def decisions(self, root: Path) -> list[str]:
        """What became of the training lines."""
        path = store.work_dir(root, 1) / "trainings.parquet"
        return pl.read_parquet(path)["decision"].cast(pl.String).to_list()

    def test_nobody_there(self, asking: Path) -> None:
        before = digests(asking)
        with pytest.raises(OpenQuestionsError) as caught:
            runner(asking).load(1)
        alt, neu = caught.value.lines()
        assert alt.startswith("ALT, line 2: 'ruesten,Krieger")
        assert "says 7 gold" in alt
        assert neu == "NEU: no order file was handed in: skip | abort?"
        assert digests(asking) == before

    def test_decisions_file(self, asking: Path) -> None:
        self.decide(asking, f"alt;2;{WRONG_COST.strip()};approve\nNEU;;;skip\n")
        runner(asking).load(1)
        assert self.decisions(asking) == ["approve"]

    def test_somebody_answers(self, asking: Path) -> None:
        asked: list[str] = []

        def ask(questions: pl.DataFrame) -> list[str]:
            asked.extend(questions["code"])
            return ["reject", "skip"]

        TurnRunner(read_game(asking), ask=ask).load(1)
        assert asked == ["ALT", "NEU"]
        assert self.decisions(asking) == ["reject"]
        written = (asking / "orders" / "1" / "decisions.csv").read_text("utf-8-sig")
        assert written == (
            f"code;line;text;decision\nALT;2;{WRONG_COST.strip()};reject\nNEU;;;skip\n"
        )

    def test_answers_stand_behind_the_decisions_that_were_there(self, asking: Path) -> None:
        self.decide(asking, "NEU;;;skip\n")
        (asking / "orders" / "1" / "decisions.csv").rename(
            asking / "orders" / "1" / "Decisions.CSV"
        )
        TurnRunner(read_game(asking), ask=lambda questions: ["approve"]).load(1)
        assert self.decisions(asking) == ["approve"]
        (path,) = (asking / "orders" / "1").glob("[Dd]*")
        rows = path.read_text("utf-8-sig").splitlines()
        assert rows == [
            "code;line;text;decision",
            "NEU;;;skip",
            f"ALT;2;{WRONG_COST.strip()};approve",
        ]

    @pytest.mark.parametrize(("again", "dice"), [("reject", "klein/1"), ("approve", "klein/1/r2")])
    def test_other_answers_get_other_dice(self, asking: Path, again: str, dice: str) -> None:
        """As other orders do, since the dice of the turn that was taken back are public."""

        def said(answer: str) -> Callable[[pl.DataFrame], list[str]]:
            return lambda questions: [answer, "skip"]

        game = read_game(asking)
        TurnRunner(game, ask=said("reject")).turn()
        list(roll_back(game, 0, "x"))
        (asking / "orders" / "1" / "decisions.csv").unlink()
        TurnRunner(game, ask=said(again)).turn()
        assert stored_turn(game, 1).dice.message == dice

    def test_played_again_the_answers_are_those_that_were_given(self, asking: Path) -> None:
        game = read_game(asking)
        TurnRunner(game, ask=lambda questions: ["reject", "skip"]).turn()
        before = digests(asking / "history")
        list(replay(game, 1, "x", None, nobody, Progress()))
        assert digests(asking / "history") == before

    @pytest.mark.parametrize("value", ["approve", "reject"])
    def test_policy(self, asking: Path, value: str) -> None:
        policy(asking, on_missing_orders="skip", on_cost_mismatch=value)
        runner(asking).load(1)
        assert self.decisions(asking) == [value]

    @pytest.mark.parametrize(
        ("key", "said"), [("on_missing_orders", "NEU: no order file"), ("on_cost_mismatch", "ALT")]
    )
    def test_abort_leaves_nothing_behind(self, asking: Path, key: str, said: str) -> None:
        policy(asking, **{key: "abort"})
        before = digests(asking)
        with pytest.raises(InputError, match=f"load stopped by the decision abort.*{said}"):
            runner(asking).load(1)
        assert digests(asking) == before

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ("ALT;2;ruesten,alles;approve\n", "row 2: line 2 of ALT reads 'ruesten,K"),
            ("ALT;9;x;approve\n", "row 2: ALT has no line 9"),
            ("ALT;x;x;approve\n", "row 2: line 'x' is not a line number"),
            ("ALT;2;x;maybe\n", "row 2: unknown decision 'maybe'; allowed: approve, reject, abort"),
            ("NEU;;;approve\n", "unknown decision 'approve'; allowed: skip, abort"),
            ("NEO;;;skip\n", r"row 2: unknown realm 'NEO' \(did you mean 'NEU'"),
            ("NEU;;;skip\nNEU;;;skip\n", "row 3: a second decision"),
            ("NEU;;;skip;\n", "row 2 has 5 cells"),
        ],
    )
    def test_mistakes_in_the_decisions_file(self, asking: Path, rows: str, message: str) -> None:
        self.decide(asking, rows)
        with pytest.raises(InputError, match=message):
            runner(asking).load(1)


class TestForeignStart:
    def test_start_without_manifest(self, game: Path, tmp_path: Path) -> None:
        shutil.copytree(game, tmp_path / "own")
        (store.history_dir(game, 0) / MANIFEST).unlink()
        before = digests(store.history_dir(game, 0))
        foreign = runner(game)
        foreign.turn()
        assert any("commitment of turn 1" in note for note in foreign.progress.notes)
        assert digests(store.history_dir(game, 0)) == before
        runner(tmp_path / "own").turn()
        here, there = store.read_turn(game, 1), store.read_turn(tmp_path / "own", 1)
        assert all(here[name].equals(there[name]) for name in here)
        assert runner(game).turn() == 2

    def test_start_that_contradicts_itself(self, game: Path) -> None:
        folder = store.history_dir(game, 0)
        (folder / MANIFEST).unlink()
        units = pl.read_parquet(folder / "units.parquet").with_columns(unit_type=pl.lit("Ritter"))
        units.write_parquet(folder / "units.parquet")
        with pytest.raises(InputError, match="Ritter"):
            runner(game).load(1)


class TestRerun:
    def test_every_step_gives_what_it_gave(self, game: Path) -> None:
        runner(game).turn()
        runner(game).turn()
        for number in (1, 2):
            for step in STEPS:
                again = rerun(read_game(game), number, step.name)
                assert again.differences() == {}, step.name

    def test_first_step_after_a_foreign_start(self, game: Path) -> None:
        (store.history_dir(game, 0) / MANIFEST).unlink()
        runner(game).turn()
        assert rerun(read_game(game), 1, "corrections").differences() == {}

    def test_changed_input_shows(self, game: Path) -> None:
        runner(game).turn()
        empty = {"paths": lambda table: table.clear()}
        changed = rerun(read_game(game), 1, "movement", empty).differences()
        assert changed["moves"]["side"].to_list() == ["then"] * 3
        assert changed["units"]["side"].to_list()[:2] == ["then", "now"]

    def test_unknown_step(self, game: Path) -> None:
        with pytest.raises(InputError, match=r"unknown step 'move' \(did you mean 'movement'"):
            rerun(read_game(game), 1, "move")


class TestKilled:
    """The process ends at any moment; the same command again gives the same turn."""

    @pytest.fixture
    def moments(
        self, game: Path, tmp_path: Path, file_system: FileSystem
    ) -> tuple[dict[str, str], Callable[[int], Path], range]:
        """What should come out, a copy of the game for each moment, and all moments to try."""
        shutil.copytree(game, tmp_path / "whole")
        file_system.count = 0
        runner(tmp_path / "whole").turn()
        total = file_system.count

        def copy(moment: int) -> Path:
            file_system.failing = lambda count: None
            shutil.copytree(game, tmp_path / f"m{moment}")
            file_system.count = 0
            return tmp_path / f"m{moment}"

        return digests(tmp_path / "whole"), copy, range(1, total, max(1, total // 9))

    def test_kill_then_again(self, moments: tuple, file_system: FileSystem) -> None:
        expected, copy, tried = moments
        for moment in tried:
            root = copy(moment)
            file_system.failing = lambda count, k=moment: KilledError() if count >= k else None
            with pytest.raises(KilledError):
                runner(root).turn()
            file_system.failing = lambda count: None
            if runner(root).open_turn() == 1:
                assert runner(root).turn() == 1
            assert digests(root) == expected, moment
            shutil.rmtree(root)

    def test_full_disk(self, moments: tuple, file_system: FileSystem) -> None:
        expected, copy, tried = moments
        for moment in tried:
            root = copy(moment)
            full = OSError(errno.ENOSPC, "No space left on device")
            file_system.failing = lambda count, k=moment, e=full: e if count == k else None
            try:
                runner(root).turn()
            except OSError:
                file_system.failing = lambda count: None
                assert not (root / ".staging").exists()
                assert runner(root).open_turn() == 1
                runner(root).turn()
            assert digests(root) == expected, moment
            shutil.rmtree(root)


def test_repeated_turn_is_byte_identical(game: Path, tmp_path: Path) -> None:
    shutil.copytree(game, tmp_path / "again")
    runner(game).turn()
    write_orders(tmp_path / "again", 1, dict(reversed(ORDERS.items())))
    runner(tmp_path / "again").turn()
    assert digests(game) == digests(tmp_path / "again")
