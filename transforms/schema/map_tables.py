"""The map: fixed for a game. See docs/data-dictionary.md for the generated overview."""

import dataframely as dy
import polars as pl


class Neighbours(dy.Schema):
    """One row per hex and direction that has a neighbour; a missing row is an edge of the map."""

    hex_id = dy.UInt32(primary_key=True, description="the hex")
    direction = dy.UInt8(primary_key=True, max=5, description="0 NW, 1 NO, 2 O, 3 SO, 4 SW, 5 W")
    neighbour_id = dy.UInt32(description="the hex next to it in that direction")


class Rivers(dy.Schema):
    """One row per hex edge along which a river runs."""

    hex_a = dy.UInt32(primary_key=True, description="the lower hex_id of the two")
    hex_b = dy.UInt32(primary_key=True, description="the higher hex_id, a neighbour of hex_a")

    @dy.rule()
    def lower_hex_first(cls) -> pl.Expr:
        return pl.col("hex_a") < pl.col("hex_b")


class GfNeighbours(dy.Schema):
    """One row per Großfeld and direction that has a neighbouring Großfeld (input of new maps)."""

    gf = dy.UInt32(primary_key=True, description="number of the Großfeld")
    direction = dy.UInt8(primary_key=True, max=5, description="0 N, 1 NO, 2 SO, 3 S, 4 SW, 5 NW")
    neighbour_gf = dy.UInt32(description="number of the Großfeld there")


TABLES = {"neighbours": Neighbours, "rivers": Rivers, "gf_neighbours": GfNeighbours}
