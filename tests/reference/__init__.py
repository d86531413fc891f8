"""The rules of `promy2026` once more: plain Python, one unit after the other.

The independent second opinion on the column transforms, written from the rules alone. Nothing
here is fast; everything is meant to be read beside the rules. Start with `promy.play_turn`.
"""
