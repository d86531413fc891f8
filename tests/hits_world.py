"""Battles for the tests of the combat model hits: the same one as arrays and as plain objects."""

from dataclasses import dataclass
from typing import Any

import polars as pl
from hypothesis import strategies as st

from tests.reference import hits as reference
from tests.small_rules import HITS
from transforms.dice import turn_dice
from transforms.hits import battle
from transforms.hits.constants import FORTIFICATIONS, MICRO, HitsRules, make_hits_rules
from transforms.hits.draws import draws_of
from transforms.hits.forces import BY_PERCENT, FLEES, STANDS, Forces, make_forces
from transforms.hits.micro import from_micro
from transforms.hits.strength import Options

RULES: HitsRules = make_hits_rules("test", HITS)
KEY = turn_dice(bytes(range(32)), "test", 0).key


@dataclass(frozen=True)
class Army:
    """An army in a few words: its id, (kk, ranged, walls) per combatant, the ids of its enemies."""

    id: int
    combatants: tuple[tuple[float, bool, str], ...]
    enemies: tuple[int, ...]
    battle: int = 0
    flees: bool | None = None
    flee_pct: int | None = None
    strength: float | None = None


def micro(kk: float) -> int:
    return int(kk * MICRO + 0.5)


def forces_of(armies: list[Army], engagement: int = 0) -> Forces:
    """The armies as the product takes them."""
    ordered = sorted(armies, key=lambda a: (a.battle, a.id))
    rows = [
        {
            "army_id": a.id,
            "battle": a.battle,
            "engagement": engagement,
            "strength": 0 if a.strength is None else micro(a.strength),
            "flight": (FLEES if a.flees else STANDS)
            if a.flees is not None or a.flee_pct is None
            else BY_PERCENT,
            "flee_pct": a.flee_pct or 0,
        }
        for a in ordered
    ]
    place = {a.id: i for i, a in enumerate(ordered)}
    crowd = [
        (place[a.id], micro(kk), ranged, FORTIFICATIONS.index(walls))
        for a in ordered
        for kk, ranged, walls in a.combatants
    ]
    pairs = [(place[a.id], place[enemy]) for a in ordered for enemy in a.enemies]
    ids, flag = pl.Int64, pl.Boolean
    return make_forces(
        pl.DataFrame(rows),
        pl.DataFrame(
            crowd,
            schema={"army": ids, "kk": ids, "ranged": flag, "fortification": ids},
            orient="row",
        ),
        pl.DataFrame(pairs, schema={"army": ids, "enemy": ids}, orient="row"),
    )


def plain(armies: list[Army], key: tuple[int, int], options: Options) -> reference.Battlefield:
    """The armies of one battle as the reference takes them; combatants are numbered from 1."""
    made = {
        a.id: reference.Army(
            a.id,
            [
                reference.Combatant(i, micro(kk), ranged, walls)
                for i, (kk, ranged, walls) in enumerate(a.combatants, start=1)
            ],
            flees=a.flees,
            flee_pct=a.flee_pct,
            strength=None if a.strength is None else micro(a.strength),
        )
        for a in sorted(armies, key=lambda a: a.id)
    }
    for a in armies:
        made[a.id].enemies = [made[enemy] for enemy in a.enemies]
    return reference.Battlefield(
        list(made.values()), key, options.ranged_bonus, options.fortification_bonus
    )


def fought_both_ways(
    armies: list[Army], rounds: int = 1, options: Options | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What product and reference say about a set of battles, in the same words."""
    options = options or Options()
    forces = forces_of(armies)
    result = battle.fight(
        forces, RULES, options, key=KEY, rounds=rounds, keep_strikes=True, keep_selections=True
    )
    fields = plains(armies, rounds, options)
    ordered = [army for field in fields for army in field.armies]
    names = ("rounds", "flees", "strength", "strikes", "hits", "received", "selections")
    names += ("kk_before", "kk_after")
    crowd = [c for army in ordered for c in army.combatants]
    product: dict[str, Any] = {name: getattr(result, name).tolist() for name in names}
    product |= {"alive": result.alive.tolist(), "kk": result.kk[result.alive].tolist()}
    product["draws"] = draws_of(result, KEY).rows()
    product["selections_log"] = sorted(_selections(result, forces))
    expected: dict[str, Any] = {name: [army.told[name] for army in ordered] for name in names}
    expected["alive"] = [c.alive for c in crowd]
    expected["kk"] = [kk for army in ordered for kk in army.told["kk_of_living"]]
    expected["draws"] = sorted(draw for field in fields for draw in field.draws)
    expected["selections_log"] = sorted(row for field in fields for row in field.selections)
    return product, expected


def plains(armies: list[Army], rounds: int, options: Options) -> list[reference.Battlefield]:
    """The battles, fought by the reference, in order."""
    fields = []
    for number in sorted({a.battle for a in armies}):
        fields.append(plain([a for a in armies if a.battle == number], KEY, options))
        reference.fight(fields[-1], rounds)
    return fields


def _selections(result: battle.Fought, forces: Forces) -> list[tuple[Any, ...]]:
    if result.selection_log is None:
        return []
    log = result.selection_log
    log = log.with_columns(
        army_id=pl.Series(forces.army_id).gather(log["army"]),
        first=pl.Series(forces.first).gather(log["army"]),
    )
    return log.select(
        "round",
        "army_id",
        "selection",
        pl.col("combatant") - pl.col("first") + 1,
        from_micro("vp_before"),
        "cover_ppm",
        "base_ppm",
        "delta_ppm",
        "aw_ppm",
        pl.col("outcome").cast(pl.String),
        from_micro("vp_after"),
    ).rows()


KK = st.sampled_from([1.0, 2.4, 4.5, 0.5, 0.000001, 3.333333, 10.0, 12.25, 25.0, 90.0])


@st.composite
def battles(draw: Any, count: int = 3) -> list[Army]:
    """Up to `count` battles of up to five armies: one-sided enmities, walls, flight, nobody."""
    armies = []
    for number in range(draw(st.integers(1, count))):
        ids = [10 * number + i for i in range(draw(st.integers(2, 5)))]
        for army_id in ids:
            others = [i for i in ids if i != army_id]
            walls = draw(st.sampled_from(["none", "none", "pal", "mau", "burg"]))
            row = st.tuples(KK, st.booleans(), st.sampled_from(["none", walls]))
            armies.append(
                Army(
                    army_id,
                    tuple(draw(st.lists(row, max_size=14))),
                    tuple(draw(st.sets(st.sampled_from(others)))),
                    battle=number,
                    flees=draw(st.sampled_from([None, None, None, True, False])),
                    flee_pct=draw(st.sampled_from([None, None, 0, 80, 150, 2**32 - 1])),
                    strength=draw(st.sampled_from([None, None, None, 40.0, 0.2, 77.5])),
                )
            )
    return armies
