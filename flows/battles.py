"""`zugwerk battles`: a folder of tables in, a folder of results out (docs/hits.md).

Everything is read, checked and fought before the first file is written.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

import polars as pl

from flows.csvs import either_form, read_typed
from flows.game import read_toml
from flows.shipped import map_style, ruleset_folder
from flows.store import read_parquet, write_table
from transforms import schema
from transforms.catalogue import HITS
from transforms.dice import turn_dice
from transforms.errors import InputError, unknown
from transforms.hits.chart import draw_chart
from transforms.hits.constants import HitsRules, make_hits_rules
from transforms.hits.explain import explain
from transforms.hits.lineup import INPUT, Lineup, Sheet, line_up
from transforms.hits.report import battle_reports
from transforms.hits.results import Tables, Wish, play
from transforms.hits.strength import Options
from transforms.picture.drawing import png_bytes

SETTINGS = "battles.toml"
RESULT = "result"
DEFAULT_RULESET = "promy2026"
_OPTIONS = ("ranged_bonus", "fortification_bonus")
_ID, _SEED = re.compile(r"[A-Za-z0-9_-]+"), re.compile(r"[0-9a-fA-F]{64}")
_OWN_PAGES = ("schlacht_*.txt", "verteilung_*.png")


@dataclass(frozen=True)
class Settings:
    """battles.toml with everything that it left out filled in."""

    id: str
    seed: str
    drawn: bool
    rules: HitsRules
    options: Options

    @property
    def key(self) -> tuple[int, int]:
        """The key of the dice: that of turn 0 of a game with this id and seed."""
        return turn_dice(bytes.fromhex(self.seed), self.id, 0).key

    def toml(self) -> str:
        """The same settings as a file: put into the folder, it repeats the result."""
        hits = asdict(self.rules) | asdict(self.options)
        values = [f"{key} = {str(value).lower()}" for key, value in hits.items()]
        head = [f"[battles]\nid = {self.id!r}\nseed = {self.seed!r}\n\n[hits]".replace("'", '"')]
        return "\n".join([*head, *values]) + "\n"


@dataclass(frozen=True)
class Done:
    """What a run left behind."""

    out: Path
    settings: Settings
    warnings: tuple[str, ...]
    rows: Mapping[str, int]
    armies: pl.DataFrame  # what came of each; with repetitions its chances in percent


def run(folder: Path, out: Path | None = None, wish: Wish | None = None) -> Done:
    """Fight all battles of a folder and write the results. Errors: then nothing is written."""
    wish, out = wish or Wish(), out or folder / RESULT
    settings = read_settings(folder)
    if out.resolve() == folder.resolve():
        raise InputError(f"--out {out}: the results need a folder of their own")
    lineup = read_lineup(folder, settings)
    tables = play(lineup, settings.rules, settings.options, key=settings.key, wish=wish)
    _write(out, settings, tables, lineup)
    rows = {name: table.height for name, table in tables.items()}
    armies = _odds(tables["win_rates"]) if "win_rates" in tables else _ends(tables["army_results"])
    named = armies.join(lineup.armies.select("army_id", "name"), on="army_id", how="left")
    shown = named.select("battle_id", "army_id", "name", pl.exclude("battle_id", "army_id", "name"))
    return Done(out, settings, lineup.warnings, rows, shown.sort("battle_id", "army_id"))


def _odds(rates: pl.DataFrame) -> pl.DataFrame:
    """What to show of `win_rates`: three chances in percent."""
    percent = {f"{e}_pct": pl.col(f"{e}_rate") * 100 for e in ("better", "victor", "wiped_out")}
    rounded = {name: chance.round(1) for name, chance in percent.items()}
    return rates.select("battle_id", "army_id", **rounded)


def _ends(results: pl.DataFrame) -> pl.DataFrame:
    """What to show of `army_results`: losses, and how the battle ended for an army."""
    end = (
        pl.when("victor")
        .then(pl.lit("victor"))
        .when((pl.col("survivors") == 0) & (pl.col("dead") > 0))
        .then(pl.lit("wiped out"))
        .when("flees")
        .then(pl.lit("flees"))
        .when("better")
        .then(pl.lit("better"))
    )
    kk = pl.col("kk_before", "kk_after").round(2)
    of = pl.col("combatants_before").alias("of")
    return results.select("battle_id", "army_id", "dead", of, kk, end=end)


def explain_selection(
    folder: Path, *, army: int, selection: int, repeat: int = 0, round_number: int = 0
) -> str:
    """How one selection came about. Errors: the seed is not known; there is no such selection."""
    settings = read_settings(folder)
    if settings.drawn:
        settings = _settings_of_last_run(folder, settings)
    return explain(
        read_lineup(folder, settings), settings.rules, settings.options, key=settings.key,
        army_id=army, selection=selection, repeat=repeat, round_number=round_number,
    )  # fmt: skip


# ── reading ─────────────────────────────────────────────────────────────────────────────────


def read_settings(folder: Path) -> Settings:
    """battles.toml of a folder, or what counts without one; a missing seed is drawn.

    Errors: one line with the key and what is allowed.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    path = folder / SETTINGS
    given = read_toml(path) if path.is_file() else {}
    for section, content in given.items():
        if section not in ("battles", "hits") or not isinstance(content, dict):
            raise unknown(str(path), "section", section, ("battles", "hits"))
    battles, hits = dict(given.get("battles", {})), dict(given.get("hits", {}))
    for key in battles:
        if key not in ("id", "seed"):
            raise unknown(f"{path}, [battles]", "key", key, ("id", "seed"))
    where = f"{path}, [battles], "
    identity = battles.get(
        "id", re.sub(r"[^A-Za-z0-9_-]+", "-", folder.resolve().name) or "battles"
    )
    seed = battles.get("seed", token_hex(32))
    _refuse_unless(_ID, f"{where}id", identity, "letters, digits, - and _")
    _refuse_unless(_SEED, f"{where}seed", seed, "64 hexadecimal digits")
    options = {name: hits.pop(name) for name in _OPTIONS if name in hits}
    for name, value in options.items():
        if not isinstance(value, bool):
            raise InputError(f"{path}, [hits]: {name} = {value!r}; allowed: true or false")
    rules = make_hits_rules(f"{path}, [hits]", shipped_numbers() | hits)
    return Settings(identity, seed.lower(), "seed" not in battles, rules, Options(**options))


def shipped_numbers() -> dict[str, Any]:
    """The numbers of the rules where a folder says nothing: those of the shipped rule set."""
    rules = ruleset_folder(DEFAULT_RULESET, "battles") / "rules.toml"
    return dict(read_toml(rules)["hits"])


def read_lineup(folder: Path, settings: Settings) -> Lineup:
    """The tables of a folder, checked. Errors: one line with file, row, value, what is allowed."""
    sheets = {name: sheet for name in INPUT if (sheet := _read_sheet(folder, name)) is not None}
    for name in ("armies", "combatants"):
        if name not in sheets:
            raise InputError(f"{folder}: there is no {name}.csv and no {name}.parquet")
    return line_up(sheets, settings.rules, settings.options, HITS["nameless"])


def _read_sheet(folder: Path, name: str) -> Sheet | None:
    path, table = either_form(folder, name), f"hits.{name}"
    if path is None:
        return None
    typed = read_typed(path, table) if path.suffix == ".csv" else _read_parquet(path)
    filled = schema.filled(table, typed.drop("row"), where=str(path))
    specs = schema.TABLES[table].columns().items()
    defaults = {c: s.metadata["default"] for c, s in specs if s.metadata}
    rows = filled.with_columns(
        typed["row"],
        *(pl.col(c).fill_null(pl.lit(v, filled[c].dtype)) for c, v in defaults.items()),
    )
    return Sheet(str(path), rows)


def _read_parquet(path: Path) -> pl.DataFrame:
    frame = read_parquet(path)
    if "row" in frame.columns:
        raise InputError(f"{path}: unknown column 'row'")
    return frame.with_row_index("row", offset=1)


def _refuse_unless(pattern: re.Pattern[str], where: str, value: Any, allowed: str) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise InputError(f"{where}: {value!r} is not allowed; allowed: {allowed}")


def _settings_of_last_run(folder: Path, settings: Settings) -> Settings:
    """The seed that the last run drew. Errors: there was none."""
    path = folder / RESULT / SETTINGS
    if not path.is_file():
        raise InputError(
            f"{folder}: no seed; run `zugwerk battles {folder}` first, or name one in {SETTINGS}"
        )
    seed = read_toml(path)["battles"]["seed"]
    return Settings(settings.id, seed, False, settings.rules, settings.options)


# ── writing ─────────────────────────────────────────────────────────────────────────────────


def _write(out: Path, settings: Settings, tables: Tables, lineup: Lineup) -> None:
    """Put the result into `out`, in place of that of an earlier run; the settings come last."""
    out.mkdir(parents=True, exist_ok=True)
    for old in _earlier_tables(out):
        old.unlink()
    for name, table in tables.items():
        write_table(out / f"{name}.parquet", table)
    written = set()
    for name, content in _pages(tables, lineup):
        _overwrite(f"{out}/{name}", content)
        written.add(name)
    for pattern in _OWN_PAGES:
        for old in out.glob(pattern):
            if old.name not in written:
                old.unlink()
    (out / SETTINGS).write_text(settings.toml(), encoding="utf-8", newline="\n")


def _overwrite(path: str, content: bytes) -> None:
    """Write a file in place: to create or to empty ten thousand of them costs a disk seconds."""

    def as_it_is(name: str, flags: int) -> int:
        return os.open(name, flags & ~os.O_TRUNC, 0o666)

    with open(path, "wb", buffering=0, opener=as_it_is) as file:
        file.write(content)
        file.truncate()


def _pages(tables: Tables, lineup: Lineup) -> Iterator[tuple[str, bytes]]:
    """Battle reports, and with repetitions a chart per battle."""
    for battle_id, text in battle_reports(tables["army_results"], lineup):
        yield f"schlacht_{battle_id}.txt", text.encode()
    if "win_rates" not in tables:
        return
    style, names = map_style(), dict(lineup.armies.select("army_id", "name").iter_rows())
    results, spreads, rates = (
        tables[name].partition_by("battle_id", as_dict=True)
        for name in ("army_results", "distribution", "win_rates")
    )
    for key in rates:
        chart = draw_chart(results[key], spreads[key], rates[key], names, style)
        yield f"verteilung_{key[0]}.png", png_bytes(chart)


def _earlier_tables(out: Path) -> Iterator[Path]:
    """Tables and settings that an earlier run left; files of other names are not ours."""
    names = [name.removeprefix("hits.") for name in schema.HITS]
    for path in [out / SETTINGS, *(out / f"{n}.parquet" for n in names if n not in INPUT)]:
        if path.is_file():
            yield path
