"""How a map looks: colours, symbols and fonts, from a parsed data/map_style.toml."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transforms.errors import InputError, unknown
from transforms.picture.symbols import BUILDINGS, EDGE_BUILDINGS, PLATES, TERRAINS

Colour = tuple[int, int, int]

_PAGE = ("paper", "ink", "muted", "halo")
_LINES = ("grid", "gf", "coast", "shallows", "river")
_SECTIONS = (*("page", "lines", "realms", "heights", "terrains", "fallback", "units", "buildings"),)


@dataclass(frozen=True)
class Look:
    """Colour and symbol of a terrain."""

    colour: Colour
    symbol: str


@dataclass(frozen=True)
class MapStyle:
    """Everything about the looks of a map that is not geometry."""

    paper: Colour
    ink: Colour
    muted: Colour
    halo: Colour
    grid: Colour
    gf: Colour
    coast: Colour
    shallows: Colour
    river: Colour
    own: Colour
    foreign: tuple[Colour, ...]
    tone: Colour
    tone_pct: tuple[int, ...]
    faded_pct: int
    terrains: Mapping[str, Look]
    water: Look
    land: Look
    unit: str
    building: str
    edge_building: str
    units: Mapping[str, str]
    buildings: Mapping[str, str]
    regular: bytes
    bold: bytes

    def look(self, terrain: str, level: int | None) -> Look:
        """Colour (before `shade`) and symbol of a terrain; unknown ones are neutral."""
        return self.terrains.get(terrain) or (self.water if level == 0 else self.land)

    def shade(self, colour: Colour, level: int | None, seen: bool = True) -> Colour:
        """A terrain colour on a height level (darker the higher), paler where not seen."""
        share = self.tone_pct[min(level or 0, len(self.tone_pct) - 1)]
        toned = mix(colour, self.tone, share)
        return toned if seen else mix(toned, self.paper, self.faded_pct)

    def realm(self, realm_id: int, own: bool) -> Colour:
        """The colour of a realm's borders and units."""
        return self.own if own else self.foreign[realm_id % len(self.foreign)]

    def plate(self, unit_type: str, ship: bool, flyer: bool) -> str:
        """Shape of the plate that carries a unit's number."""
        by_kind = "hull" if ship else "wing" if flyer else self.unit
        return self.units.get(unit_type, by_kind)

    def building_symbol(self, code: str, central: bool) -> str:
        """Symbol of a building type."""
        return self.buildings.get(code, self.building if central else self.edge_building)


def mix(colour: Colour, other: Colour, percent: int) -> Colour:
    """`colour` with `percent` of `other` in it."""
    a, b, c = (
        (x * (100 - percent) + y * percent) // 100 for x, y in zip(colour, other, strict=True)
    )
    return a, b, c


def make_style(settings: Mapping[str, Any], *, regular: bytes, bold: bytes) -> MapStyle:
    """Style from a parsed map_style.toml and two TrueType fonts.

    Errors: InputError for a missing or unknown key, a colour that is none, an unknown symbol.
    """
    for section in settings:
        if section not in _SECTIONS:
            raise unknown("map_style.toml", "section", section, _SECTIONS)
    try:
        fallback, heights, realms = settings["fallback"], settings["heights"], settings["realms"]
        return MapStyle(
            **{key: _colour(f"page.{key}", settings["page"][key]) for key in _PAGE},
            **{key: _colour(f"lines.{key}", settings["lines"][key]) for key in _LINES},
            own=_colour("realms.own", realms["own"]),
            foreign=tuple(_colour("realms.foreign", c) for c in realms["foreign"]),
            tone=_colour("heights.tone", heights["tone"]),
            tone_pct=tuple(heights["tone_pct"]),
            faded_pct=heights["faded_pct"],
            terrains={n: _look(f"terrains.{n}", t) for n, t in settings["terrains"].items()},
            water=_look("fallback.water", fallback["water"]),
            land=_look("fallback.land", fallback["land"]),
            unit=_one_of("fallback.unit", fallback["unit"], PLATES),
            building=_one_of("fallback.building", fallback["building"], BUILDINGS),
            edge_building=_one_of(
                "fallback.edge_building", fallback["edge_building"], EDGE_BUILDINGS
            ),
            units={n: _one_of(f"units.{n}", s, PLATES) for n, s in settings["units"].items()},
            buildings={
                n: _one_of(f"buildings.{n}", s, {**BUILDINGS, **EDGE_BUILDINGS})
                for n, s in settings["buildings"].items()
            },
            regular=regular,
            bold=bold,
        )
    except KeyError as missing:
        raise InputError(f"map_style.toml: key {missing} is missing") from None


def _look(where: str, given: Mapping[str, Any]) -> Look:
    symbol = _one_of(f"{where}.symbol", given["symbol"], TERRAINS)
    return Look(_colour(f"{where}.colour", given["colour"]), symbol)


def _one_of(where: str, name: str, allowed: Mapping[str, Any]) -> str:
    if name not in allowed:
        raise unknown(f"map_style.toml, {where}", "symbol", name, allowed)
    return name


def _colour(where: str, text: str) -> Colour:
    if not re.fullmatch("#[0-9a-fA-F]{6}", str(text)):
        raise InputError(f"map_style.toml, {where}: {text!r} is no colour; allowed: #rrggbb")
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
