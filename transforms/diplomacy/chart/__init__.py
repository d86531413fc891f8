"""The schematic map as a picture: a `Scene` in, a PNG out, the same bytes for the same scene.

A scene holds only what its reader may know; nothing below it ever sees the position.
"""

from transforms.diplomacy.chart.drawing import Paper, draw, png_bytes
from transforms.diplomacy.chart.ground import Ground, make_ground
from transforms.diplomacy.chart.scene import Scene, arrows_of, full_scene, scenes

__all__ = [
    "Ground",
    "Paper",
    "Scene",
    "arrows_of",
    "draw",
    "full_scene",
    "make_ground",
    "png_bytes",
    "scenes",
]
