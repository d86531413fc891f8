"""The chart of distributions: for each field of a grid, how long it took and what was left."""

from collections.abc import Mapping, Sequence

import polars as pl
from PIL import Image

from transforms.duel.matrix import CELL
from transforms.picture.page import BLUE, Page, german, grouped, text_width, ticks
from transforms.picture.style import MapStyle, mix

_EDGE, _HEAD, _ROW, _FOOT, _PLOT, _GAP, _FIGURES = 32, 108, 46, 52, 330, 40, 92
_MOST_ROWS, _MOST_BARS = 60, 66
_TITLES = {"turns": "Züge", "hero_health": "Gesundheit des Helden am Ende"}


def draw_spread(
    distribution: pl.DataFrame,
    quantiles: pl.DataFrame,
    names: Mapping[str, str],
    style: MapStyle,
) -> Image.Image:
    """Two small histograms a field of duel.distribution, at most 60 fields; the line is the median.

    All histograms of a measure have the same axis; each is scaled to its own highest bar.
    """
    every = distribution.select(CELL).unique(maintain_order=True)
    shown = every.head(_MOST_ROWS).rows()
    labels = [_label(hero, group, policy, names) for hero, group, policy in shown]
    left = _EDGE + 16 + max(text_width(style, label, 15) for label in labels)
    width = round(left) + len(_TITLES) * (_PLOT + _FIGURES) + _GAP + _EDGE
    page = Page.blank(width, _HEAD + _ROW * len(shown) + _FOOT, style)
    page.text(_EDGE, 34, "Verteilungen", style.ink, 26, bold=True)
    told = "Strich: Median; Zahlen: Median (5 % – 95 %)"
    if every.height > len(shown):
        told += f"; {grouped(every.height - len(shown))} weitere Felder stehen in der Tabelle"
    page.text(_EDGE, 62, told, style.muted, 15)
    for number, label in enumerate(labels):
        middle = _HEAD + number * _ROW + _ROW / 2 + 6
        page.text(left - 14, middle, label, style.ink, 15, anchor="rm")
    for place, (measure, title) in enumerate(_TITLES.items()):
        x = left + place * (_PLOT + _FIGURES + _GAP)
        page.text(x, _HEAD - 14, title, style.ink, 16, bold=True)
        mine = distribution.filter(measure=measure)
        spread = {tuple(row[:3]): row[4:] for row in quantiles.filter(measure=measure).rows()}
        _panel(page, x, shown, mine, spread)
    return page.finished()


def _label(hero: str, group: str, policy: str, names: Mapping[str, str]) -> str:
    return " · ".join(part for part in (names.get(hero, hero), policy, group) if part)


def _panel(
    page: Page,
    x: float,
    shown: Sequence[tuple[str, ...]],
    mine: pl.DataFrame,
    spread: Mapping[tuple[str, ...], tuple[int, ...]],
) -> None:
    """Histograms of one measure, one below the other over a common axis."""
    values = mine["value"].to_numpy()
    low, high = int(values.min()), int(values.max())
    step = -(-(high - low + 1) // _MOST_BARS)
    bars = -(-(high - low + 1) // step)
    scale = _PLOT / (bars * step)
    pale = mix(BLUE, page.style.paper, 45)
    heights = _heights(mine, low, step)
    for number, cell in enumerate(shown):
        base, room = _HEAD + (number + 1) * _ROW - 4, _ROW - 12
        counts = heights[cell]
        most = max(counts.values())
        for bar, count in counts.items():
            at = x + bar * step * scale
            wide = step * scale
            page.box(at + wide / 10, base - room * count / most, at + wide * 0.9, base, pale)
        page.box(x, base, x + _PLOT, base + 1, page.style.ink)
        q05, median, q95 = spread[cell]
        middle = x + (median - low + 0.5) * scale
        page.box(middle - 1, base - room - 2, middle + 1, base, page.style.ink)
        told = f"{median} ({q05} – {q95})"
        page.text(x + _PLOT + 10, base - room / 2, told, page.style.ink, 13)
    bottom = _HEAD + len(shown) * _ROW
    for tick in ticks(low, high):
        at = x + (tick - low + 0.5) * scale
        page.box(at - 0.5, bottom - 3, at + 0.5, bottom + 3, page.style.ink)
        page.text(at, bottom + 14, german(tick), page.style.muted, 13, anchor="mm")


def _heights(mine: pl.DataFrame, low: int, step: int) -> dict[tuple[str, ...], dict[int, int]]:
    """Fights by cell and bar."""
    heights: dict[tuple[str, ...], dict[int, int]] = {}
    bars = mine.group_by(*CELL, bar=(pl.col("value") - low) // step).agg(pl.col("n").sum())
    for *cell, bar, n in bars.iter_rows():
        heights.setdefault(tuple(cell), {})[bar] = n
    return heights
