"""The duel simulator: many fights advance in lock-step, one turn after the other.

Read turn.py first; it is the six steps of the source. See docs/duel.md for the modules.
"""
