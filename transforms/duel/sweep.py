"""One knob turned step by step: variants of a registry, and what they do to the win rate."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl

from transforms.duel.model import ATTRIBUTES, RESISTANCE, Balance, Registry
from transforms.duel.parse import parse_balance, parse_base
from transforms.errors import InputError, unknown
from transforms.schema import shaped
from transforms.statistics import paired, wilson

MOST_VALUES = 1000
_RANGE = re.compile(r"(?P<key>[^=]+)=(?P<first>[^:]+?)\.\.(?P<last>[^:]+)(?::(?P<step>.+))?")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_KNOBS = ("dodge", "flee", "stamina_regen", "resistance_cap", "hit_clamp.low", "hit_clamp.high")
_FORM = "KEY=FIRST..LAST[:STEP], for example hero.dexterity=3..12 or balance.dodge=0.0..0.1:0.01"

VARIED = "sweep:hero"
"""Id of the creature that stands in for the hero, so that enemies of his kind stay as they are."""


@dataclass(frozen=True)
class Knob:
    """A key and the values it takes, in order."""

    key: str
    values: tuple[float, ...]


def parse_knob(text: str) -> Knob:
    """`KEY=FIRST..LAST[:STEP]`; the step is 1 (or -1) when it is not told; LAST is included.

    Errors: another form, an unknown key, a step that leads nowhere, fewer than two values.
    """
    where = f"--set {text}"
    match = _RANGE.fullmatch(text.strip())
    if not match:
        raise InputError(f"{where}: allowed: {_FORM}")
    first, last = (_decimal(where, match[end]) for end in ("first", "last"))
    step = _decimal(where, match["step"] or ("1" if last >= first else "-1"))
    if step == 0 or (last - first) * step <= 0:
        raise InputError(f"{where}: found step {step}; allowed: one that leads from FIRST to LAST")
    count = int((last - first) / step) + 1
    if not 2 <= count <= MOST_VALUES:
        raise InputError(f"{where}: found {count} value(s); allowed: 2..{MOST_VALUES}, see :STEP")
    return Knob(
        _key(where, match["key"].strip()), tuple(float(first + step * n) for n in range(count))
    )


def _decimal(where: str, text: str) -> Decimal:
    if not _NUMBER.fullmatch(text.strip()):
        raise InputError(f"{where}: found {text.strip()!r}; allowed: {_FORM}")
    return Decimal(text.strip())


def _key(where: str, key: str) -> str:
    part, _, name = key.partition(".")
    allowed = [*(f"hero.{name}" for name in ATTRIBUTES), *(f"balance.{name}" for name in _KNOBS)]
    resistance = part == "hero" and re.fullmatch(r"resistance\.[\w.-]+:[\w./-]+", name)
    if key not in allowed and not resistance:
        raise unknown(where, "key", key, [*allowed, "hero.resistance.<type>"])
    return key


def variant(registry: Registry, hero: str, key: str, value: float) -> Registry:
    """The registry with `key` set to `value` and creature VARIED as the hero.

    Errors: a value that the registry's format does not allow.
    """
    part, _, name = key.partition(".")
    where = f"--set {key}={value:g}"
    creature = registry.creatures[hero]
    if part == "hero":
        creature = replace(creature, base=_changed_base(where, creature.base, name, value))
    else:
        registry = replace(registry, balance=_changed_balance(where, registry.balance, name, value))
    return replace(registry, creatures={**registry.creatures, VARIED: replace(creature, id=VARIED)})


def _changed_base(
    where: str, base: Mapping[str, float], name: str, value: float
) -> dict[str, float]:
    given: dict[str, Any] = {name: _tidy(value)}
    if name.startswith(RESISTANCE):
        given = {"resistance": {name.removeprefix(RESISTANCE): value}}
    checked = parse_base(where, {"max_health": 1, **given})
    return {**base, name: checked[name]}


def _changed_balance(where: str, balance: Balance, name: str, value: float) -> Balance:
    if not name.startswith("hit_clamp"):
        return parse_balance(where, {name: _tidy(value)}, balance)
    low, high = balance.hit_clamp
    ends = [value, high] if name.endswith("low") else [low, value]
    return parse_balance(where, {"hit_clamp": ends}, balance)


def _tidy(value: float) -> float | int:
    """A whole number as int, as a TOML file would have it."""
    return int(value) if value.is_integer() else value


def sweep_table(knob: Knob, wins: np.ndarray) -> pl.DataFrame:
    """Table duel.sweep; `wins` (bool) has a row for each value and a column for each seed."""
    n = wins.shape[1]
    count = wins.sum(axis=1)
    low, high = wilson(count, n)
    gained, lost = (wins & ~wins[0]).sum(axis=1), (~wins & wins[0]).sum(axis=1)
    diff_low, diff_high = paired(gained, lost, n)
    diff_low[0] = diff_high[0] = 0.0  # the first value against itself is no question
    columns = {
        "value": np.array(knob.values),
        "n": np.full(len(count), n),
        "win_rate": count / n,
        "low": low,
        "high": high,
        "diff_first": (gained - lost) / n,
        "diff_low": diff_low,
        "diff_high": diff_high,
    }
    return shaped("duel.sweep", pl.DataFrame(columns).with_columns(key=pl.lit(knob.key)))


def uncertain(sweep: pl.DataFrame) -> pl.DataFrame:
    """The rows whose interval is wider than the effect, with the seeds that would settle it.

    Adds `seeds` (null where there is no effect at all): the width shrinks with the root of n.
    """
    first = pl.col("diff_low").eq(0) & pl.col("diff_high").eq(0)
    width, effect = pl.col("diff_high") - pl.col("diff_low"), pl.col("diff_first").abs()
    return sweep.filter(~first & (width > effect)).with_columns(
        seeds=pl.when(effect > 0).then((pl.col("n") * (width / effect) ** 2).ceil())
    )


def warnings_of(sweep: pl.DataFrame) -> list[str]:
    """A line for each value at which the interval is wider than the effect."""
    lines = []
    for row in uncertain(sweep).iter_rows(named=True):
        enough = f"about {row['seeds']:,.0f} seeds would tell" if row["seeds"] else "no effect seen"
        lines.append(
            f"{row['key']} = {row['value']:g}: the interval ({row['diff_low']:+.4f} to "
            f"{row['diff_high']:+.4f}) is wider than the effect ({row['diff_first']:+.4f}); "
            + enough
        )
    return lines
