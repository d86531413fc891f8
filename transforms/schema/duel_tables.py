"""Duels: the fights to be fought, how they ended, and everything that happened in them."""

import dataframely as dy

from transforms.duel.model import KINDS, OUTCOMES, REASONS


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


TABLES = {"duel.fights": Fights, "duel.results": Results, "duel.events": Events}
