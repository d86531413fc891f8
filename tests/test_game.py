"""game.toml, rule sets and the CSV files of people: everything unknown is refused by name."""

from pathlib import Path

import polars as pl
import pytest

from flows.csvs import read_cells, read_table
from flows.game import read_game, read_rules
from flows.shipped import ruleset_folder
from tests.conftest import GAME_TOML, SEED
from transforms.errors import InputError


def game_with(root: Path, old: str = "", new: str = "") -> Path:
    """A folder with a game.toml in which `old` is replaced."""
    assert old in GAME_TOML
    (root / "game.toml").write_text(GAME_TOML.replace(old, new, 1) if old else GAME_TOML)
    return root


class TestSettings:
    def test_all_of_it(self, tmp_path: Path) -> None:
        game = read_game(game_with(tmp_path))
        assert (game.id, game.name, game.seed) == ("klein", "Kleinreich", bytes.fromhex(SEED))
        assert game.policy.on_cost_mismatch == "reject"
        assert game.turn(3).today == 414 * game.rules.months_per_year + 3
        assert game.turn(3).dice.message == "klein/3"

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ('id = "klein"', 'id = "a b"', r"\[game\], id: 'a b' is not allowed"),
            ('id = "klein"', 'id = "../x"', r"id: '\.\./x' is not allowed"),
            ('id = "klein"', "id = 7", "id: 7; a text is needed"),
            ('id = "klein"\n', "", "key 'id' is missing"),
            ('"promy2026"', '"promy"', r"unknown rule set 'promy'.*allowed: complete, promy2026"),
            ("name =", "nama =", r"unknown key 'nama' \(did you mean 'name'\?\)"),
            ("month = 0", "month = 99", "month = 99; a whole number from 0 to"),
            ("month = 0", "day = 0", "start: must be"),
            ('"skip"', '"wait"', "on_missing_orders: unknown value 'wait'; allowed: skip, abort"),
            ("[policy]", "[polices]", r"unknown section 'polices' \(did you mean 'policy'"),
            ("[policy]", "[policy", "not a TOML file"),
            ("[policy]", "[rules]\nmax_elit = 3\n[policy]", "unknown rule 'max_elit'"),
            ("[policy]", "[rules]\nmax_elite = -3\n[policy]", "max_elite = -3; a whole number"),
            ("[policy]", f"[rules]\nmax_elite = {10**20}\n[policy]", "at most 1000000"),
            ("[policy]", "[rules]\noverrun_pct = nan\n[policy]", "overrun_pct = nan; a number"),
            ("[policy]", "[rules]\noverrun_pct = inf\n[policy]", "overrun_pct = inf; a number"),
            ("[policy]", "a = " + 5000 * "[", "not a TOML file"),
        ],
    )
    def test_mistakes(self, tmp_path: Path, old: str, new: str, message: str) -> None:
        with pytest.raises(InputError, match=message) as caught:
            read_game(game_with(tmp_path, old, new))
        assert "\n" not in str(caught.value) or "TOML" in message

    def test_the_seed_never_stands_in_a_message(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="64 hexadecimal digits") as caught:
            read_game(game_with(tmp_path, SEED, SEED[:-1] + "x"))
        assert "1111" not in str(caught.value)
        with pytest.raises(InputError, match="seed: a text is needed") as caught:
            read_game(game_with(tmp_path, f'"{SEED}"', SEED))
        assert "1111" not in str(caught.value)

    def test_no_game(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no game here \(there is no game.toml\)"):
            read_game(tmp_path)


class TestRules:
    def test_file_of_the_game_replaces_the_one_of_the_rule_set(self, tmp_path: Path) -> None:
        game_with(tmp_path)
        before = read_game(tmp_path)
        (tmp_path / "rules").mkdir()
        text = (ruleset_folder("promy2026", "") / "heights.csv").read_text(encoding="utf-8")
        (tmp_path / "rules" / "Heights.CSV").write_text(text + "Wolken,9,0,own\n")
        after = read_game(tmp_path)
        assert after.rules.heights.height == before.rules.heights.height + 1
        assert after.rules_digest != before.rules_digest

    def test_a_comment_does_not_change_the_digest(self, tmp_path: Path) -> None:
        before = read_game(game_with(tmp_path)).rules_digest
        (tmp_path / "rules").mkdir()
        text = (ruleset_folder("promy2026", "") / "rules.toml").read_text(encoding="utf-8")
        (tmp_path / "rules" / "rules.toml").write_text("# other words\n" + text, encoding="utf-8")
        assert read_game(tmp_path).rules_digest == before

    def test_unknown_rule_file(self, tmp_path: Path) -> None:
        game_with(tmp_path)
        (tmp_path / "rules").mkdir()
        (tmp_path / "rules" / "unit_type.csv").write_text("name\n")
        with pytest.raises(InputError, match=r"unknown rule file 'unit_type.csv' \(did you mean"):
            read_game(tmp_path)

    def test_a_rule_set_on_a_base_holds_only_what_differs(self) -> None:
        base, rules = (
            read_rules(None, name, {}, where="test") for name in ("promy2026", "complete")
        )
        assert rules.name == "complete"
        assert rules.constants == base.constants
        assert rules.unit_types.equals(base.unit_types)

    def test_unknown_base(self, tmp_path: Path) -> None:
        game_with(tmp_path)
        (tmp_path / "rules").mkdir()
        (tmp_path / "rules" / "rules.toml").write_text('base = "promy"\n')
        with pytest.raises(InputError, match=r"rules.toml, base: unknown rule set 'promy'"):
            read_game(tmp_path)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("switches = 5", r"switches must be a section: \[switches\]"),
            ("base = 'promy2026'\nswitches = [1]", "switches must be a section"),
            ("base = 5", "base must be the name of a rule set"),
            ("base = ['promy2026']", "base must be the name of a rule set"),
        ],
    )
    def test_rules_of_another_shape(self, tmp_path: Path, content: str, message: str) -> None:
        (game_with(tmp_path) / "rules").mkdir()
        (tmp_path / "rules" / "rules.toml").write_text(content)
        with pytest.raises(InputError, match=rf"rules.toml: {message}"):
            read_game(tmp_path)

    def test_rules_without_a_game(self) -> None:
        assert read_rules(None, "promy2026", {}, where="test").name == "promy2026"


class TestCsv:
    @pytest.mark.parametrize(
        "content",
        [
            b"month,name,levy\n0,Nisan,true\n1,Siwan,\n",
            "\ufeffmonth;name;levy\r\n0;Nisan;TRUE\r\n\r\n1;Siwan;\r\n".encode(),
            b" Month , Name,levy\n0, Nisan ,1\n1,Siwan,false\n",
        ],
    )
    def test_spellings(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "calendar.csv").write_bytes(content)
        table = read_table(tmp_path / "calendar.csv", "calendar")
        assert table.select("month", "name", "levy").rows() == [
            (0, "Nisan", True),
            (1, "Siwan", False),
        ]

    def test_windows_1252(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_bytes("name\nWüste\n".encode("cp1252"))
        assert read_cells(tmp_path / "x.csv")["name"].to_list() == ["Wüste"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("month,name,lewy\n", r"row 1: unknown column 'lewy' \(did you mean 'levy'\?\)"),
            ("month,name,name\n", "row 1: a column stands there twice"),
            ("", "the file is empty"),
            ("month,name\n0\n", "row 2 has 1 cells, the header has 2"),
            ("month,name\n0,A\n\nx,B\n", "row 4, column 'month': 'x' is not allowed"),
            ("month,name,levy\n0,A,perhaps\n", "row 2, column 'levy': 'perhaps'.*true or false"),
            ("month\n0\n", "column 'name' is missing"),
            ("month,name\n0,A\n0,B\n", "primary_key"),
            ('month,name\n0,"A\n', "not a CSV file"),
        ],
    )
    def test_mistakes(self, tmp_path: Path, content: str, message: str) -> None:
        (tmp_path / "calendar.csv").write_text(content)
        with pytest.raises(InputError, match=message):
            read_table(tmp_path / "calendar.csv", "calendar")

    def test_unknown_name_of_an_enum(self, tmp_path: Path) -> None:
        path = tmp_path / "number_ranges.csv"
        path.write_text("unit_type,kind,first,last\nKrieger,provins,1,9\n")
        with pytest.raises(
            InputError, match=r"row 2, column 'kind': unknown value 'provins' \(did"
        ):
            read_table(path, "number_ranges")

    def test_rows_are_numbered_as_an_editor_shows_them(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_text("a\n1\n2\n")
        assert read_cells(tmp_path / "x.csv").equals(
            pl.DataFrame({"a": ["1", "2"], "row": pl.Series([2, 3], dtype=pl.UInt32)})
        )
