"""Duels: the fights to be fought, how they ended, and everything that happened in them."""

import dataframely as dy

from transforms.duel.model import KINDS, OUTCOMES, REASONS

MEASURES = ("turns", "hero_health")
"""What the distribution of a grid is told of."""


class Fights(dy.Schema):
    """One row per fight between a hero and 1..15 enemies."""

    fight_id = dy.UInt64(primary_key=True, description="number of the fight")
    seed = dy.UInt64(min=1, description="state of its random numbers before the first draw")
    hero = dy.String(description="id of the hero's creature")
    enemies = dy.List(dy.String(), min_length=1, max_length=15, description="ids, by position")
    policy = dy.String(nullable=True, description="id of the hero's list; null: the creature's own")
    script = dy.List(
        dy.String(), nullable=True, description="abilities that the hero uses before any list"
    )


class Results(dy.Schema):
    """One row per fight: how it ended."""

    fight_id = dy.UInt64(primary_key=True, description="number of the fight")
    seed = dy.UInt64(description="the seed it was fought with")
    outcome = dy.Enum(OUTCOMES, description="for the hero; fled is no victory")
    turns = dy.UInt32(description="turns begun")
    actions = dy.UInt32(description="abilities used, of all creatures")
    hero_health = dy.Int64(min=0, description="health of the hero in the end")
    hero_stamina = dy.Int64(min=0, description="stamina of the hero in the end")
    enemies_dead = dy.UInt8(description="enemies that died")
    enemies_fled = dy.UInt8(description="enemies that fled")
    enemies_left = dy.UInt8(description="enemies still there")
    killer = dy.UInt8(nullable=True, description="position of who killed the hero")
    cause = dy.String(nullable=True, description="ability, trigger or modifier that killed him")
    state = dy.UInt64(description="state of the random numbers in the end")


class Events(dy.Schema):
    """One row per thing that happened in a fight, in the order in which it happened."""

    fight_id = dy.UInt64(primary_key=True, description="number of the fight")
    seq = dy.UInt32(primary_key=True, description="position in the log, from 0")
    turn = dy.UInt32(description="turn; 0 is before the first")
    kind = dy.Enum(KINDS, description="what happened")
    actor = dy.UInt8(nullable=True, description="position of who did it; 0 is the hero")
    target = dy.UInt8(nullable=True, description="position of whom it happened to")
    ref = dy.String(nullable=True, description="id of the ability, trigger or modifier")
    amount = dy.Int64(nullable=True, description="damage, healing, turns, initiative or dropped")
    crit = dy.Bool(nullable=True, description="was the hit critical?")
    p = dy.Float64(nullable=True, description="probability that was rolled against")
    roll = dy.Float64(nullable=True, description="the roll, in [0, 1)")
    health = dy.Int64(nullable=True, description="health of the target afterwards")
    stamina = dy.Int64(nullable=True, description="stamina of the actor afterwards")
    reason = dy.Enum(REASONS, nullable=True, description="why a command was rejected, or the end")


class Matrix(dy.Schema):
    """One row per cell of a grid: how often its hero wins, and at what price."""

    hero = dy.String(primary_key=True, description="id of the hero's creature")
    group = dy.String(primary_key=True, description="name of the group of enemies")
    policy = dy.String(primary_key=True, description="id of the hero's list; empty: his own")
    n = dy.UInt32(description="fights")
    victory = dy.UInt32(description="fights that the hero won")
    fled = dy.UInt32(description="fights that he fled from")
    defeat = dy.UInt32(description="fights in which he died")
    draw = dy.UInt32(description="fights that reached the limit of turns")
    win_rate = dy.Float64(description="victory / n")
    low = dy.Float64(description="lower end of its 95 % interval (Wilson)")
    high = dy.Float64(description="upper end")
    mean_turns = dy.Float64(description="turns begun, on average")
    mean_hero_health = dy.Float64(description="health left, on average; 0 when he died")


class Distribution(dy.Schema):
    """One row per cell of a grid, measure and value: how often it came out so."""

    hero = dy.String(primary_key=True, description="id of the hero's creature")
    group = dy.String(primary_key=True, description="name of the group of enemies")
    policy = dy.String(primary_key=True, description="id of the hero's list; empty: his own")
    measure = dy.Enum(MEASURES, primary_key=True, description="what was counted")
    value = dy.Int64(primary_key=True, description="turns begun, or health of the hero in the end")
    n = dy.UInt32(description="fights that ended with this value")


class Sweep(dy.Schema):
    """One row per value of a knob: the win rate, and the paired difference to the first value."""

    key = dy.String(primary_key=True, description="the knob: hero.<attribute> or balance.<key>")
    value = dy.Float64(primary_key=True, description="what it was set to")
    n = dy.UInt32(description="fights, with the same seeds at every value")
    win_rate = dy.Float64(description="victories / n")
    low = dy.Float64(description="lower end of its 95 % interval (Wilson)")
    high = dy.Float64(description="upper end")
    diff_first = dy.Float64(description="win rate minus that of the first value, fight by fight")
    diff_low = dy.Float64(description="lower end of its paired 95 % interval (Agresti and Min)")
    diff_high = dy.Float64(description="upper end")


TABLES = {
    "duel.fights": Fights,
    "duel.results": Results,
    "duel.events": Events,
    "duel.matrix": Matrix,
    "duel.distribution": Distribution,
    "duel.sweep": Sweep,
}
