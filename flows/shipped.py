"""Where the shipped data/ and sql/ are: inside an installed package or beside a checkout."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from transforms.errors import unknown

if TYPE_CHECKING:
    from transforms.picture.style import MapStyle

_FONTS = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
_HERE = Path(__file__).resolve().parent
_PLACES = (_HERE / "_shipped", _HERE.parent)


def shipped(*parts: str) -> Path:
    """The shipped folder or file, for example `shipped("data", "rulesets")`."""
    for place in _PLACES:
        if place.joinpath(*parts).exists():
            return place.joinpath(*parts)
    raise FileNotFoundError(f"not part of this installation: {'/'.join(parts)}")


def ruleset_folder(name: str, where: str) -> Path:
    """The folder of a shipped rule set; `where` says who asked for it, in case there is none."""
    folders = {p.name: p for p in shipped("data", "rulesets").iterdir() if p.is_dir()}
    if name not in folders:
        raise unknown(where, "rule set", name, sorted(folders))
    return folders[name]


def map_style() -> "MapStyle":
    """How the player maps look: data/map_style.toml and the two fonts beside it."""
    from transforms.picture.style import make_style

    settings = tomllib.loads(shipped("data", "map_style.toml").read_text(encoding="utf-8"))
    regular, bold = font_files()
    return make_style(settings, regular=regular, bold=bold)


def font_files() -> tuple[bytes, bytes]:
    """The two fonts of every picture, regular and bold."""
    regular, bold = (shipped("data", "fonts", name).read_bytes() for name in _FONTS)
    return regular, bold
