"""The map of a realm as a picture: a `MapView` in, a PNG out, the same bytes for the same map."""

from transforms.picture.drawing import draw_map, png_bytes
from transforms.picture.style import MapStyle, make_style

__all__ = ["MapStyle", "draw_map", "make_style", "png_bytes"]
