"""The chart of a battle over many repetitions: who survives, and how the odds stand."""

from typing import Any

import numpy as np
import polars as pl
from PIL import Image

from transforms.catalogue import HITS
from transforms.hits.explain import percent
from transforms.picture.page import BLUE, Page, grouped, whole_ticks
from transforms.picture.style import Colour, MapStyle, mix

_WIDTH, _HEAD, _PANEL, _FOOT = 1160, 92, 216, 40
_LEFT, _PLOT, _RATES = 56, 640, 760  # left edge and width of the bars; left edge of the odds
_RATE_NAME, _RATE_BAR = 92, 190
_MOST_ARMIES, _MOST_BARS = 12, 80
_COLOURS: tuple[Colour, ...] = (
    BLUE, (179, 84, 30), (46, 125, 82), (122, 62, 140), (163, 40, 66), (94, 104, 38),
)  # fmt: skip
_EVENTS = ("better", "victor", "wiped_out")


def draw_chart(
    results: pl.DataFrame,
    distribution: pl.DataFrame,
    rates: pl.DataFrame,
    names: dict[int, str],
    style: MapStyle,
) -> Image.Image:
    """A panel per army: histogram of the survivors, band from 5 to 95 %, median, and the odds.

    The tables are the rows of one battle, `names` are by army_id.
    """
    shown = rates.head(_MOST_ARMIES)
    height = _HEAD + _PANEL * shown.height + _FOOT
    page = Page.blank(_WIDTH, height, style)
    title = HITS["chart"].format(battle_id=rates["battle_id"][0], n=grouped(rates["n"][0]))
    page.text(_LEFT, 36, title, style.ink, 26, bold=True)
    page.text(_LEFT, 64, HITS["chart_note"], style.muted, 15)
    measured = distribution.filter(measure="survivors")
    for place, row in enumerate(shown.iter_rows(named=True)):
        mine = results.filter(army_id=row["army_id"])
        spread = measured.filter(army_id=row["army_id"]).row(0, named=True)
        colour = _COLOURS[place % len(_COLOURS)]
        top = _HEAD + place * _PANEL
        _panel(page, top, colour, names[row["army_id"]], mine, spread)
        _odds(page, top, colour, row)
    if rates.height > shown.height:
        more = HITS["more"].format(n=rates.height - shown.height)
        page.text(_LEFT, height - _FOOT / 2, more, style.muted, 15)
    return page.finished()


def _panel(
    page: Page, top: int, colour: Colour, name: str, mine: pl.DataFrame, spread: dict[str, Any]
) -> None:
    """Name, figures and histogram of an army; darker bars lie between the 5 and 95 % quantiles."""
    style, before = page.style, int(mine["combatants_before"][0])
    low, median, high = (int(spread[q]) for q in ("q05", "median", "q95"))
    page.text(_LEFT, top + 16, name, colour, 20, bold=True)
    told = HITS["survivors"].format(
        median=grouped(median), before=grouped(before), q05=grouped(low), q95=grouped(high)
    )
    page.text(_LEFT + _PLOT, top + 16, told, style.ink, 15, anchor="rm")
    base, room = top + _PANEL - 44, _PANEL - 84
    first, step, counts = bins(mine["survivors"].to_numpy(), before)
    wide = _PLOT / counts.size
    pale = mix(colour, style.paper, 55)
    for i, count in enumerate(counts):
        start = first + i * step
        inside = start + step > low and start <= high
        x, gap = _LEFT + i * wide, min(1.5, wide / 8)
        tall = room * count / counts.max()
        page.box(x + gap, base - tall, x + wide - gap, base, colour if inside else pale)
    page.box(_LEFT, base, _LEFT + _PLOT, base + 1.5, style.ink)

    def at(value: float) -> float:
        return _LEFT + (value - first) / step * wide

    middle = at(median + 0.5) if step == 1 else at(median)
    page.box(middle - 1.25, base - room - 8, middle + 1.25, base, style.ink)
    last = first + step * counts.size - 1
    for tick in (t for t in whole_ticks(first, last, 8) if first <= t <= last):
        x = at(tick + 0.5) if step == 1 else at(tick)
        page.box(x - 0.5, base, x + 0.5, base + 6, style.ink)
        page.text(x, base + 17, grouped(tick), style.muted, 14, anchor="mm")


def bins(survivors: np.ndarray, before: int) -> tuple[int, int, np.ndarray]:
    """(first value, values per bar, counts) of the bars: what occurs, with a little air."""
    low, high = int(survivors.min()), int(survivors.max())
    air = max(1, (high - low) // 12)
    first, last = max(0, low - air), min(before, high + air)
    step = -(-(last - first + 1) // _MOST_BARS)
    size = -(-(last - first + 1) // step)
    return first, step, np.bincount((survivors.astype(np.int64) - first) // step, minlength=size)


def _odds(page: Page, top: int, colour: Colour, row: dict[str, Any]) -> None:
    """Bars for better, victor and wiped out, each with its 95 % interval."""
    style = page.style
    bar = _RATES + _RATE_NAME
    for i, event in enumerate(_EVENTS):
        y = top + 62 + i * 38
        rate, low, high = (row[f"{event}_{part}"] for part in ("rate", "low", "high"))
        page.text(_RATES, y, HITS[event], style.ink, 16)
        page.box(bar, y - 9, bar + _RATE_BAR, y + 9, mix(style.muted, style.paper, 86))
        page.box(bar, y - 9, bar + _RATE_BAR * rate, y + 9, colour)
        page.box(bar + _RATE_BAR * low, y - 1.5, bar + _RATE_BAR * high, y + 1.5, style.ink)
        for end in (low, high):
            page.box(
                bar + _RATE_BAR * end - 0.75, y - 5, bar + _RATE_BAR * end + 0.75, y + 5, style.ink
            )
        told = f"{percent(round(rate * 10**6))} %"
        page.text(bar + _RATE_BAR + 12, y, told, style.ink, 16)
