"""The chart of a sweep: win rate over the values of a knob, and the paired change below it."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from PIL import Image

from transforms.picture.page import BLUE, ORANGE, Page, german, grouped, ticks
from transforms.picture.style import Colour, MapStyle, mix

_WIDTH, _HEAD, _PLOT, _GAP, _FOOT = 900, 118, 250, 72, 72
_LEFT, _RIGHT = 84, 868


def draw_curve(sweep: pl.DataFrame, title: str, style: MapStyle) -> Image.Image:
    """Draw the rows of one key of duel.sweep; bands are 95 % intervals.

    Above the win rate (Wilson), below its difference to the first value (paired).
    """
    page = Page.blank(_WIDTH, _HEAD + 2 * _PLOT + _GAP + _FOOT, style)
    page.text(_LEFT, 34, title, style.ink, 24, bold=True)
    told = f"je Wert {grouped(sweep['n'][0])} Kämpfe mit denselben Startzahlen; Band: 95 %"
    page.text(_LEFT, 64, told, style.muted, 15)
    _plot(page, _HEAD, sweep, ("win_rate", "low", "high"), "Siegquote in %", BLUE)
    below = _HEAD + _PLOT + _GAP
    names = ("diff_first", "diff_low", "diff_high")
    _plot(page, below, sweep, names, "Änderung gegen den ersten Wert in Prozentpunkten", ORANGE)
    page.text((_LEFT + _RIGHT) / 2, below + _PLOT + 50, sweep["key"][0], style.ink, 16, "mm")
    return page.finished()


def _plot(
    page: Page, top: float, sweep: pl.DataFrame, names: Sequence[str], title: str, colour: Colour
) -> None:
    """A line with its band over `value`, axes with round numbers."""
    style = page.style
    value, middle, low, high = (sweep[name].to_numpy() for name in ("value", *names))
    middle, low, high = 100 * middle, 100 * low, 100 * high
    bottom, ceiling = _span(low, high)
    x = _LEFT + (value - value.min()) / np.ptp(value) * (_RIGHT - _LEFT)

    def up(percent: np.ndarray | float) -> np.ndarray:
        return np.asarray(top + _PLOT - (percent - bottom) / (ceiling - bottom) * _PLOT)

    pale = mix(style.grid, style.paper, 70)
    page.text(_LEFT, top - 14, title, style.ink, 15, bold=True)
    for tick in ticks(bottom, ceiling, 6):
        y = float(up(tick))
        page.box(_LEFT, y - 0.5, _RIGHT, y + 0.5, style.ink if tick == 0 else pale)
        page.text(_LEFT - 10, y, german(tick), style.muted, 13, anchor="rm")
    band = [*zip(x, up(high), strict=True), *reversed([*zip(x, up(low), strict=True)])]
    page.area(band, mix(colour, style.paper, 70))
    page.line([*zip(x, up(middle), strict=True)], colour, 2.5)
    for place, percent in zip(x, up(middle), strict=True):
        page.dot(place, percent, 3.5, colour)
    for tick in ticks(float(value.min()), float(value.max()), 12):
        at = _LEFT + (tick - value.min()) / np.ptp(value) * (_RIGHT - _LEFT)
        page.box(at - 0.5, top + _PLOT, at + 0.5, top + _PLOT + 5, style.ink)
        page.text(at, top + _PLOT + 17, german(tick), style.muted, 13, anchor="mm")


def _span(low: np.ndarray, high: np.ndarray) -> tuple[float, float]:
    """What the vertical axis shows: everything, with a little air, at least two points."""
    air = max(1.0, 0.06 * float(high.max() - low.min()))
    return float(low.min()) - air, float(high.max()) + air
