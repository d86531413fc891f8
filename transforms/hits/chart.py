"""The chart of a battle over many repetitions: who survives, and how the odds stand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from PIL import Image, ImageDraw

from transforms.catalogue import HITS
from transforms.hits.explain import percent
from transforms.picture.pen import font
from transforms.picture.style import Colour, MapStyle, mix

_SCALE = 2  # drawn twice as large, then halved: smooth edges
_WIDTH, _HEAD, _PANEL, _FOOT = 1160, 92, 216, 40
_LEFT, _PLOT, _RATES = 56, 640, 760  # left edge and width of the bars; left edge of the odds
_RATE_NAME, _RATE_BAR = 92, 190
_MOST_ARMIES, _MOST_BARS = 12, 80
_COLOURS: tuple[Colour, ...] = (
    (31, 92, 153), (179, 84, 30), (46, 125, 82), (122, 62, 140), (163, 40, 66), (94, 104, 38),
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
    page = _Page.blank(_WIDTH, height, style)
    title = HITS["chart"].format(battle_id=rates["battle_id"][0], n=_grouped(rates["n"][0]))
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
    return page.image.reduce(_SCALE)


@dataclass(frozen=True)
class _Page:
    """A sheet of paper in the units of the finished picture."""

    image: Image.Image
    draw: ImageDraw.ImageDraw
    style: MapStyle

    @classmethod
    def blank(cls, width: int, height: int, style: MapStyle) -> "_Page":
        image = Image.new("RGB", (width * _SCALE, height * _SCALE), style.paper)
        return cls(image, ImageDraw.Draw(image), style)

    def text(
        self, x: float, y: float, words: str, colour: Colour, size: int,
        anchor: str = "lm", bold: bool = False,
    ) -> None:  # fmt: skip
        face = font(self.style.bold if bold else self.style.regular, size * _SCALE)
        self.draw.text((x * _SCALE, y * _SCALE), words, colour, face, anchor)

    def box(self, x0: float, y0: float, x1: float, y1: float, colour: Colour) -> None:
        corners = [round(v * _SCALE) for v in (x0, y0, x1, y1)]
        if corners[2] > corners[0] and corners[3] > corners[1]:
            self.draw.rectangle([corners[0], corners[1], corners[2] - 1, corners[3] - 1], colour)


def _panel(
    page: _Page, top: int, colour: Colour, name: str, mine: pl.DataFrame, spread: dict[str, Any]
) -> None:
    """Name, figures and histogram of an army; darker bars lie between the 5 and 95 % quantiles."""
    style, before = page.style, int(mine["combatants_before"][0])
    low, median, high = (int(spread[q]) for q in ("q05", "median", "q95"))
    page.text(_LEFT, top + 16, name, colour, 20, bold=True)
    told = HITS["survivors"].format(
        median=_grouped(median), before=_grouped(before), q05=_grouped(low), q95=_grouped(high)
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
    for tick in _ticks(first, first + step * counts.size - 1):
        x = at(tick + 0.5) if step == 1 else at(tick)
        page.box(x - 0.5, base, x + 0.5, base + 6, style.ink)
        page.text(x, base + 17, _grouped(tick), style.muted, 14, anchor="mm")


def bins(survivors: np.ndarray, before: int) -> tuple[int, int, np.ndarray]:
    """(first value, values per bar, counts) of the bars: what occurs, with a little air."""
    low, high = int(survivors.min()), int(survivors.max())
    air = max(1, (high - low) // 12)
    first, last = max(0, low - air), min(before, high + air)
    step = -(-(last - first + 1) // _MOST_BARS)
    size = -(-(last - first + 1) // step)
    return first, step, np.bincount((survivors.astype(np.int64) - first) // step, minlength=size)


def _odds(page: _Page, top: int, colour: Colour, row: dict[str, Any]) -> None:
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


def _ticks(first: int, last: int) -> list[int]:
    """Up to eight round numbers from first to last."""
    step = next(
        s for power in range(20) for k in (1, 2, 5) if (last - first) / (s := k * 10**power) <= 8
    )
    return list(range(-(-first // step) * step, last + 1, step))


def _grouped(number: int) -> str:
    """A whole number as Germans write it, in groups of three."""
    return f"{number:,}".replace(",", ".")
