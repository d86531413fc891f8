"""The heat map of a grid: a row per hero and policy, a column per group, colour = win rate."""

from collections.abc import Mapping
from typing import Any

import polars as pl
from PIL import Image

from transforms.picture.page import BLUE, ORANGE, Page, german, grouped, text_width
from transforms.picture.style import Colour, MapStyle, mix

_EDGE, _HEAD, _FOOT, _CELL, _ROW = 32, 84, 76, 84, 44
_MOST = 120
_EVEN: Colour = (244, 240, 230)


def draw_heatmap(matrix: pl.DataFrame, names: Mapping[str, str], style: MapStyle) -> Image.Image:
    """Draw duel.matrix in its order; `names` say what the heroes are called.

    Every field shows the win rate and its 95 % interval in percent. At most 120 rows and columns.
    """
    lists = matrix.select("hero", "policy").unique(maintain_order=True).head(_MOST).rows()
    groups = matrix["group"].unique(maintain_order=True).to_list()[:_MOST]
    labels = [_label(hero, policy, names) for hero, policy in lists]
    left = _EDGE + 14 + max(text_width(style, label, 16) for label in labels)
    head = _HEAD + 12 + max(text_width(style, group, 15) for group in groups)
    width = max(round(left) + _CELL * len(groups) + _EDGE, 520)
    page = Page.blank(width, round(head) + _ROW * len(lists) + _FOOT, style)
    page.text(_EDGE, 34, "Siegquoten", style.ink, 26, bold=True)
    told = f"{grouped(matrix['n'][0])} Kämpfe je Feld; klein: 95-%-Intervall nach Wilson"
    page.text(_EDGE, 64, told, style.muted, 15)
    for column, group in enumerate(groups):
        page.upright(left + (column + 0.5) * _CELL, head - 8, group, style.ink, 15)
    fields = {(r["hero"], r["policy"], r["group"]): r for r in matrix.iter_rows(named=True)}
    for number, (hero, policy) in enumerate(lists):
        y = head + number * _ROW
        page.text(left - 12, y + _ROW / 2, labels[number], style.ink, 16, anchor="rm")
        for column, group in enumerate(groups):
            if (hero, policy, group) in fields:
                _field(page, left + column * _CELL, y, fields[hero, policy, group])
    _legend(page, left, head + len(lists) * _ROW + 26)
    return page.finished()


def _label(hero: str, policy: str, names: Mapping[str, str]) -> str:
    return f"{names.get(hero, hero)} · {policy}" if policy else names.get(hero, hero)


def _field(page: Page, x: float, y: float, row: Mapping[str, Any]) -> None:
    colour = heat(row["win_rate"])
    page.box(x + 1, y + 1, x + _CELL - 1, y + _ROW - 1, colour)
    ink = page.style.paper if sum(colour) < 440 else page.style.ink
    rate = f"{german(100 * row['win_rate'], 1)} %"
    page.text(x + _CELL / 2, y + 16, rate, ink, 16, anchor="mm", bold=True)
    ends = " – ".join(german(100 * row[end], 1) for end in ("low", "high"))
    page.text(x + _CELL / 2, y + 33, ends, ink, 12, anchor="mm")


def heat(rate: float) -> Colour:
    """Orange where the hero loses, pale where it is even, blue where he wins."""
    end = BLUE if rate >= 0.5 else ORANGE
    return mix(end, _EVEN, round(100 - 200 * abs(rate - 0.5)))


def _legend(page: Page, x: float, y: float) -> None:
    wide = min(240.0, page.image.width / 2 - x - _EDGE)
    for step in range(120):
        start = x + wide * step / 120
        page.box(start, y, start + wide / 120 + 0.5, y + 14, heat(step / 119))
    for share in (0, 0.5, 1):
        label = f"{100 * share:.0f} %"
        page.text(x + wide * share, y + 26, label, page.style.muted, 13, anchor="mm")
