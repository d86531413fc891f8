"""Fights in, results and events out, in chunks: memory does not grow with their number."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from transforms.duel.batch import DEAD, FLED, PRESENT, UNDECIDED, Batch
from transforms.duel.book import Book, compile_book
from transforms.duel.enlist import enlist
from transforms.duel.log import Log
from transforms.duel.model import OUTCOMES, Registry
from transforms.duel.turn import play_turn

FIRST_CHUNK, MOST_ROWS, MOST_EVENTS = 2**13, 2**17, 2**21
"""Fights of the first chunk; creatures and events that may be in memory at once."""


class Played(NamedTuple):
    """A chunk: `duel.results` and, if asked for, `duel.events`."""

    results: pl.DataFrame
    events: pl.DataFrame | None


def run_fights(
    fights: pl.DataFrame | Iterable[pl.DataFrame], registry: Registry, *, events: bool = False
) -> Iterator[Played]:
    """Fight every fight (frames of duel.fights, sorted) to its end, in chunks in their order.

    Errors: a fight that `check_fights` refuses.
    """
    book, size = compile_book(registry), FIRST_CHUNK
    for frame in [fights] if isinstance(fights, pl.DataFrame) else fights:
        first, most = 0, max(1, MOST_ROWS // _width(frame))
        while first < frame.height:
            chunk = frame.slice(first, min(size, most))
            played = _run_chunk(chunk, book, events)
            if played is None:
                size = chunk.height // 2
                continue
            yield played
            first += chunk.height
            if played.events is None or played.events.height < MOST_EVENTS // 4:
                size = max(size, 2 * chunk.height)


def _width(fights: pl.DataFrame) -> int:
    most_enemies: int | None = fights.select(pl.col("enemies").list.len().max()).item()
    return 1 + (most_enemies or 0)


def _run_chunk(fights: pl.DataFrame, book: Book, events: bool) -> Played | None:
    """The fights from first to last turn; None if so many make too many events."""
    log = Log(np.zeros(fights.height, dtype=np.intp)) if events else None
    ended = []
    for decided in play(enlist(fights, book, log)):
        ended.append(decided)
        if log and log.count > MOST_EVENTS and fights.height > 1:
            return None
    results = results_table(ended, fights, book)
    return Played(results, log.frame(fights["fight_id"], book) if log else None)


def play(b: Batch, until: int | None = None) -> Iterator[pl.DataFrame]:
    """Play until every fight is decided, or through turn `until`; yield the ended ones by turn."""
    while b.count and (until is None or b.turn <= until):
        with np.errstate(over="ignore", invalid="ignore"):
            play_turn(b)
        decided = b.outcome != UNDECIDED
        yield _ended(b, np.flatnonzero(decided))
        if decided.any():
            b.keep(~decided)


def _ended(b: Batch, fights: np.ndarray) -> pl.DataFrame:
    """One row per decided fight, everything a number; `row` is its place in the chunk."""
    hero = fights * b.width
    gone = b.gone.reshape(-1, b.width)[fights, 1:]
    counts = {
        name: (gone == state).sum(axis=1)
        for name, state in (("dead", DEAD), ("fled", FLED), ("left", PRESENT))
    }
    return pl.DataFrame(
        {
            "row": b.row[fights],
            "outcome": b.outcome[fights],
            "turns": np.full(len(fights), b.turn - 1),
            "actions": b.actions[fights],
            "hero_health": b.health[hero],
            "hero_stamina": b.stamina[hero],
            **{f"enemies_{name}": count for name, count in counts.items()},
            "killer": b.killer[fights],
            "cause": b.cause[fights],
            "state": b.state[fights],
        }
    )


def results_table(ended: list[pl.DataFrame], fights: pl.DataFrame, book: Book) -> pl.DataFrame:
    """Table duel.results from the fights that ended, in the order of `fights`."""
    table = pl.concat(ended).sort("row")
    given = fights.select("fight_id", "seed")[table["row"]]
    lost = pl.col("cause") >= 0
    outcomes = pl.lit(pl.Series(OUTCOMES, dtype=pl.Enum(OUTCOMES)))
    refs = pl.lit(pl.Series(book.refs, dtype=pl.String))
    return pl.concat([given, table], how="horizontal").select(
        "fight_id",
        "seed",
        outcomes.gather(pl.col("outcome")).alias("outcome"),
        pl.col("turns", "actions").cast(pl.UInt32),
        "hero_health",
        "hero_stamina",
        pl.col("enemies_dead", "enemies_fled", "enemies_left").cast(pl.UInt8),
        pl.when(lost).then(pl.col("killer")).cast(pl.UInt8).alias("killer"),
        refs.gather(pl.when(lost).then(pl.col("cause"))).alias("cause"),
        "state",
    )
