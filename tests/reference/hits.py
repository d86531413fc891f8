"""Treffer und Verluste, one draw after the other: plain Python with exact numbers (source 3)."""

from dataclasses import dataclass, field
from math import floor
from typing import Any

from tests.reference.dice import philox

MICRO = 10**6
BASE = {"none": 150_000, "pal": 180_000, "mau": 210_000, "burg": 250_000}
WALLS = {"none": 100, "pal": 110, "mau": 120, "burg": 130}
STRIKE, TARGET, SELECTION, RESELECTION, PARRY = 10, 11, 12, 13, 14


@dataclass
class Combatant:
    id: int
    base_kk: int  # millionths
    ranged: bool = False
    walls: str = "none"
    kk: int = 0  # of this round
    alive: bool = True


@dataclass
class Army:
    id: int
    combatants: list[Combatant]
    enemies: list["Army"] = field(default_factory=list)
    flees: bool | None = None
    flee_pct: int | None = None
    strength: int | None = None  # millionths
    realm_id: int = 0
    number: int = 0  # the upper half of its entity
    told: dict[str, Any] = field(default_factory=dict)
    vp: int = 0

    @property
    def living(self) -> list[Combatant]:
        return [c for c in self.combatants if c.alive]

    @property
    def ges_kk(self) -> int:
        if not self.living:
            return 0
        if self.strength is not None:
            return self.strength
        return sum(c.kk for c in self.living)

    @property
    def in_flight(self) -> bool:
        if self.flees is not None:
            return self.flees
        if self.flee_pct is None or not self.living:
            return False
        return 100 * sum(e.ges_kk for e in self.enemies) > self.flee_pct * self.ges_kk

    @property
    def targets(self) -> list["Army"]:
        return [e for e in sorted(self.enemies, key=lambda e: e.id) if e.living]


@dataclass
class Battlefield:
    """The armies of one battle and everything that is written down about it."""

    armies: list[Army]
    key: tuple[int, int]
    ranged_bonus: bool = False
    walls_bonus: bool = False
    draws: list[tuple[int, ...]] = field(default_factory=list)
    selections: list[tuple[Any, ...]] = field(default_factory=list)
    strikes: list[tuple[Any, ...]] = field(default_factory=list)

    def word(self, stream: int, army: Army, round_: int, index: int) -> int:
        return philox((army.id, army.number + round_, index, stream), self.key)[0]

    def note(self, stream: int, army: Army, round_: int, index: int, hi: int, value: int) -> None:
        entity = army.id + (army.number + round_) * 2**32
        self.draws.append((stream, entity, index, 0, hi, value))

    def raw(self, stream: int, army: Army, round_: int, index: int) -> int:
        word = self.word(stream, army, round_, index)
        self.note(stream, army, round_, index, 2**32 - 1, word)
        return word


def fight(battle: Battlefield, rounds: int = 1) -> None:
    """The battle; each army's `told` holds its row of army_results in millionths."""
    for army in battle.armies:
        army.told = dict.fromkeys(("strikes", "hits", "received", "selections", "rounds"), 0)
    for number in range(rounds):
        call_up(battle)
        if number > 0 and not any(
            a.living and not a.in_flight and a.targets for a in battle.armies
        ):
            break
        if number == 0:
            for army in battle.armies:
                kk = sum(c.kk for c in army.living)
                army.told |= {"flees": army.in_flight, "strength": army.ges_kk, "kk_before": kk}
        strike(battle, number)
        for army in battle.armies:
            army.told["rounds"] += 1
            lose(battle, army, number)
            army.told["kk_of_living"] = [c.kk for c in army.living]
            army.told["kk_after"] = sum(army.told["kk_of_living"])
    for army in battle.armies:
        army.told["better"], army.told["victor"] = better(army), victor(army)


def call_up(battle: Battlefield) -> None:
    """The KK of this round."""
    for army in battle.armies:
        far = sum(c.ranged for c in army.living)
        near = len(army.living) - far
        for c in army.living:
            percent = 100
            if battle.ranged_bonus and c.ranged:
                percent += 50 if c.walls != "none" else bonus(far, near)
            walls = WALLS[c.walls] if battle.walls_bonus else 100
            c.kk = (c.base_kk * percent * walls * 2 + 10_000) // 20_000


def bonus(far: int, near: int) -> int:
    if near == 0:
        return -50
    tenths = (20 * far + near) // (2 * near)
    if tenths <= 10:
        return 50
    return {11: 25, 12: 0, 13: -17, 14: -33}.get(tenths, -50)


def strike(battle: Battlefield, round_: int) -> None:
    weights = {army.id: army.ges_kk for army in battle.armies}
    for army in battle.armies:
        if army.in_flight:
            continue
        strikes = (weights[army.id] + 500_000) // MICRO
        army.told["strikes"] += strikes
        for number in range(strikes if army.targets else 0):
            hit = battle.raw(STRIKE, army, round_, number) * MICRO < 100_000 * 2**32
            target = aim(battle, army, weights, round_, number) if hit else None
            battle.strikes.append((round_, army.id, number, hit, target.id if target else None))
            if target:
                army.told["hits"] += 1
                target.told["received"] += 1
                target.vp += MICRO


def aim(battle: Battlefield, army: Army, weights: dict[int, int], round_: int, number: int) -> Army:
    if len(army.targets) == 1:
        return army.targets[0]
    total = sum(weights[t.id] for t in army.targets)
    t = battle.raw(TARGET, army, round_, number) / 2**32 * total
    running = 0
    for target in army.targets:
        running += weights[target.id]
        if running > t:
            return target
    raise AssertionError("the last running sum is the total")


def lose(battle: Battlefield, army: Army, round_: int) -> None:
    far = sum(c.ranged for c in army.living)
    near = len(army.living) - far
    number = 0
    while army.vp > 0 and army.living:
        living = army.living
        rank = (battle.word(SELECTION, army, round_, number) * len(living)) >> 32
        battle.note(SELECTION, army, round_, number, len(living) - 1, rank)
        chosen, before = living[rank], army.vp
        chance = reselection(chosen, far, near)
        aw = parry(chosen.kk, army.vp, chosen.walls)
        odds = (chance, BASE[chosen.walls], diff(chosen.kk, army.vp), aw)
        if chance and battle.raw(RESELECTION, army, round_, number) * MICRO < chance * 2**32:
            outcome = "reselected"
        elif battle.raw(PARRY, army, round_, number) * MICRO < aw * 2**32:
            outcome = "parried"
            army.vp = max(0, army.vp - MICRO)
        else:
            outcome = "dies"
            army.vp = max(0, army.vp - chosen.kk)
            chosen.alive = False
        battle.selections.append(
            (round_, army.id, number, chosen.id, before / MICRO, *odds, outcome, army.vp / MICRO)
        )
        number += 1
    army.told["selections"] += number
    army.vp = 0


def reselection(c: Combatant, far: int, near: int) -> int:
    """ppm"""
    if c.walls != "none" or (c.ranged and far <= near):
        return 600_000
    if not c.ranged or near == 0:
        return 0
    return max(0, (600_000 * near - 2_000_000 * (far - near)) // near)


def diff(kk: int, vp: int) -> int:
    """ppm"""
    return (kk - vp) // 100 if kk > vp else 0


def parry(kk: int, vp: int, walls: str) -> int:
    """ppm"""
    q = min(max(MICRO - BASE[walls] - diff(kk, vp), 10_000), MICRO)
    return min(999_999, floor((1 - (q / MICRO) ** (kk / MICRO)) * MICRO + 0.5))


def better(army: Army) -> bool:
    own, after = army.told["kk_before"], army.told["kk_after"]
    theirs = sum(e.told["kk_before"] for e in army.enemies)
    left = sum(e.told["kk_after"] for e in army.enemies)
    return own > 0 and theirs > 0 and (own - after) * theirs < (theirs - left) * own


def victor(army: Army) -> bool:
    return bool(army.enemies and army.living and not any(e.living for e in army.enemies))
