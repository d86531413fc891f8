"""The duel once more, one fight after the other, in plain Python: the independent opinion.

Nothing here knows arrays: creatures are objects, the queue is a deque, a fight is a loop. It
reads the registry's frozen entries directly and shares no arithmetic with the engine.
"""

import math
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from transforms.duel.model import Ability, Action, Check, Creature, Entry, Modifier, Registry

MASK = 2**64 - 1


class Rng:
    """xorshift64*"""

    def __init__(self, state: int) -> None:
        self.state = state

    def bits(self) -> int:
        x = self.state
        x ^= x >> 12
        x ^= (x << 25) & MASK
        x ^= x >> 27
        self.state = x
        return (x * 0x2545F4914F6CDD1D) & MASK

    def real(self) -> float:
        return (self.bits() >> 11) / 2**53


def clamp(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


def nearest_whole(x: float) -> float:
    return math.floor(x + 0.5)


@dataclass
class Worn:
    """A modifier that somebody bears."""

    effect: Modifier
    source: "Fighter"
    turns: int


@dataclass
class Fighter:
    """A creature in a fight."""

    position: int
    kind: Creature
    health: int = 0
    stamina: int = 0
    initiative: int = 0
    dead: bool = False
    fled: bool = False
    removed: bool = False
    cooldowns: dict[str, int] = field(default_factory=dict)
    worn: list[Worn] = field(default_factory=list)

    @property
    def present(self) -> bool:
        return not (self.dead or self.fled or self.removed)

    def value(self, attribute: str, against: "Fighter | None" = None) -> float:
        counting = [
            worn.effect
            for worn in self.worn
            if worn.effect.attribute == attribute
            and (
                worn.effect.versus is None
                or (against is not None and worn.effect.versus in against.kind.tags)
            )
        ]
        result = self.kind.base.get(attribute, 0.0)
        for effect in counting:
            if effect.add is not None:
                result = result + effect.add
        for effect in counting:
            if effect.mul is not None:
                result = result * effect.mul
        return result

    def max_health(self) -> int:
        return max(1, int(nearest_whole(self.value("max_health"))))

    def max_stamina(self) -> int:
        return max(0, int(nearest_whole(self.value("max_stamina"))))

    def bears(self, name: str) -> bool:
        return any(worn.effect.id == name for worn in self.worn)


@dataclass
class Happening:
    """What waits in the queue."""

    kind: str
    subject: Fighter | None
    source: Fighter | None


QUEUED = {
    "combat_started",
    "turn_started",
    "ability_used",
    "hit",
    "missed",
    "damaged",
    "healed",
    "modifier_expired",
    "creature_died",
    "fled",
    "combat_ended",
}


class Fight:
    """One fight; `run` plays it to its end, `events` is its log, `result` its row."""

    def __init__(
        self,
        registry: Registry,
        seed: int,
        hero: str,
        enemies: list[str],
        policy: str | None = None,
        script: list[str] | None = None,
    ) -> None:
        self.registry = registry
        self.rng = Rng(seed)
        self.seed = seed
        self.fighters = [
            Fighter(position, registry.creatures[name])
            for position, name in enumerate([hero, *enemies])
        ]
        self.hero, self.enemies = self.fighters[0], self.fighters[1:]
        self.hero_list = registry.policies[policy].ai if policy else self.hero.kind.ai
        self.script = deque(script or [])
        self.queue: deque[Happening] = deque()
        self.events: list[dict[str, Any]] = []
        self.turn = 0
        self.actions = 0
        self.killer: int | None = None
        self.cause: str | None = None
        self.outcome: str | None = None
        self.enter()

    # ── the course of a fight ───────────────────────────────────────────────────────────────

    def enter(self) -> None:
        for fighter in self.fighters:
            fighter.health = int(fighter.kind.base["max_health"])
            fighter.stamina = int(fighter.kind.base["max_stamina"])
        for fighter in self.fighters:
            roll = self.rng.real()
            dexterity = math.floor(fighter.kind.base["dexterity"])
            fighter.initiative = dexterity + 1 + math.floor(roll * 10)
            self.log("initiative", actor=fighter, amount=fighter.initiative, roll=roll)
        self.order = sorted(self.fighters, key=lambda f: (-f.initiative, f.position))
        self.turn = 1

    def run(self) -> dict[str, Any]:
        while self.outcome is None:
            self.play_turn()
        return self.result()

    def play_turn(self) -> None:
        command = self.next_command()
        self.happen("turn_started")
        if self.turn == 1:
            self.happen("combat_started")
        for fighter in self.fighters:
            if fighter.present:
                self.upkeep(fighter)
        self.empty_queue()
        for fighter in self.order:
            if not self.hero.present or not self.present_enemies():
                break
            if fighter.present:
                self.act(fighter, command)
                self.empty_queue()
        self.remove_and_end()
        self.turn += 1

    def remove_and_end(self) -> None:
        for enemy in self.enemies:
            if enemy.dead or enemy.fled:
                enemy.removed = True
        if not self.hero.dead:
            if self.hero.fled:
                self.outcome = "fled"
            elif not self.present_enemies():
                self.outcome = "victory"
            if self.outcome:
                self.happen("combat_ended", reason=self.outcome)
                self.empty_queue()
        if self.hero.dead:
            self.outcome = "defeat"
            killer = self.fighters[self.killer]
            self.log("game_over", actor=killer, target=self.hero, ref=self.cause)
        elif self.outcome is None and self.turn >= self.registry.limits.turns:
            self.outcome = "draw"
            self.log("turn_limit")

    def upkeep(self, fighter: Fighter) -> None:
        for worn in list(fighter.worn):
            effect = worn.effect
            if effect.tick_amount is not None:
                self.log("tick", actor=worn.source, target=fighter, ref=effect.id)
                final = self.soften(effect.tick_amount, fighter, effect.tick_type)
                self.wound(worn.source, fighter, final, effect.id)
                if fighter.dead:
                    return
            worn.turns -= 1
            if worn.turns == 0:
                fighter.worn.remove(worn)
                self.happen("modifier_expired", actor=worn.source, target=fighter, ref=effect.id)
        fighter.stamina = self.regenerated(fighter.stamina, fighter.max_stamina())
        fighter.cooldowns = {a: n - 1 for a, n in fighter.cooldowns.items() if n > 1}

    def regenerated(self, stamina: int, limit: int) -> int:
        return max(stamina, min(stamina + self.registry.balance.stamina_regen, limit))

    # ── choosing ────────────────────────────────────────────────────────────────────────────

    def next_command(self) -> str | None:
        while self.script:
            name = self.script.popleft()
            reason = self.blocked(self.registry.abilities[name])
            if reason is None:
                return name
            self.log("rejected", actor=self.hero, ref=name, reason=reason)
        return None

    def blocked(self, ability: Ability) -> str | None:
        hero, now = self.hero, self.hero.worn
        hero.worn = [worn for worn in now if worn.turns > 1]
        stamina = self.regenerated(hero.stamina, hero.max_stamina())
        hero.worn = now
        if stamina < ability.cost:
            return "stamina"
        if hero.cooldowns.get(ability.id, 0) > 1:
            return "cooldown"
        if not self.all_hold(ability.condition, {"self": hero, "target": self.aim("first")}):
            return "condition"
        return None

    def act(self, fighter: Fighter, command: str | None) -> None:
        chosen = None
        if fighter is self.hero and command is not None:
            ability = self.registry.abilities[command]
            if self.affordable(fighter, ability):
                chosen = ability, self.aim("first")
        else:
            for entry in self.hero_list if fighter is self.hero else fighter.kind.ai:
                target = self.aim(entry.target) if fighter is self.hero else self.hero
                if self.fits(fighter, entry, target):
                    chosen = self.registry.abilities[entry.ability], target
                    break
        if chosen is None:
            self.log("passed", actor=fighter)
        else:
            self.use(fighter, *chosen)

    def fits(self, fighter: Fighter, entry: Entry, target: Fighter) -> bool:
        ability = self.registry.abilities[entry.ability]
        roles = {"self": fighter, "target": target}
        return (
            self.affordable(fighter, ability)
            and self.all_hold(entry.condition, roles)
            and self.all_hold(ability.condition, roles)
        )

    def affordable(self, fighter: Fighter, ability: Ability) -> bool:
        return fighter.stamina >= ability.cost and fighter.cooldowns.get(ability.id, 0) == 0

    def present_enemies(self) -> list[Fighter]:
        return [enemy for enemy in self.enemies if enemy.present]

    def aim(self, how: str) -> Fighter:
        there = self.present_enemies()
        if how == "first":
            return there[0]
        if how == "last":
            return there[-1]
        if how == "weakest":
            return min(there, key=lambda e: e.health)
        if how == "strongest":
            return max(there, key=lambda e: e.health)
        return max(there, key=lambda e: e.value("dexterity"))

    def all_hold(self, condition: tuple[Check, ...], roles: dict[str, Fighter | None]) -> bool:
        return all(self.holds(check, roles) for check in condition)

    def holds(self, check: Check, roles: dict[str, Fighter | None]) -> bool:
        if check.check == "turn":
            return self.turn >= check.start and (self.turn - check.start) % check.every == 0
        if check.check == "enemies":
            return self.between(check, len(self.present_enemies()))
        who = roles[check.who]
        if who is None:
            return False
        if check.check == "tag":
            return (check.tag in who.kind.tags) == check.expected
        if check.check == "modifier":
            return who.bears(check.modifier) == check.expected
        if check.attribute == "health":
            return self.between(check, who.health / who.max_health())
        if check.attribute == "stamina":
            limit = who.max_stamina()
            return self.between(check, who.stamina / limit if limit else 0.0)
        return self.between(check, who.value(check.attribute))

    @staticmethod
    def between(check: Check, x: float) -> bool:
        return (check.below is None or x < check.below) and (check.above is None or x > check.above)

    # ── doing ───────────────────────────────────────────────────────────────────────────────

    def use(self, fighter: Fighter, ability: Ability, target: Fighter) -> None:
        fighter.stamina -= ability.cost
        if ability.cooldown:
            fighter.cooldowns[ability.id] = ability.cooldown
        self.actions += 1
        self.happen("ability_used", actor=fighter, target=target, ref=ability.id)
        missed = False
        for action in ability.actions:
            if action.do == "flee":
                self.flee(fighter, ability.id)
            elif action.do != "wait":
                aimed = action.who == "target"
                whom = target if aimed else fighter
                if whom.dead or (aimed and missed):
                    continue
                if action.do == "damage":
                    missed = not self.strike(fighter, whom, action, ability.id)
                else:
                    self.affect(fighter, whom, action, ability.id)

    def strike(self, a: Fighter, b: Fighter, action: Action, ref: str) -> bool:
        balance = self.registry.balance
        p = a.value("hit_chance", b) - b.value("dexterity") * balance.dodge
        p = clamp(p, *balance.hit_clamp)
        roll = self.rng.real()
        if not roll < p:
            self.happen("missed", actor=a, target=b, ref=ref, p=p, roll=roll)
            return False
        self.happen("hit", actor=a, target=b, ref=ref, p=p, roll=roll)
        roll = self.rng.real()
        crit = roll < clamp(a.value("critical_chance"), 0.0, 1.0)
        raw = action.amount + action.scale * a.value("damage", b)
        if crit:
            raw = raw * a.value("critical_factor")
        self.wound(a, b, self.soften(raw, b, action.type), ref, crit=crit, roll=roll)
        return True

    def affect(self, a: Fighter, b: Fighter, action: Action, ref: str) -> None:
        """What needs no draw: damage by a trigger, heal, modifier."""
        if action.do == "damage":
            raw = action.amount + action.scale * a.value("damage", b)
            self.wound(a, b, self.soften(raw, b, action.type), ref)
        elif action.do == "heal":
            amount = int(nearest_whole(action.amount))
            b.health = max(b.health, min(b.health + amount, b.max_health()))
            self.happen("healed", actor=a, target=b, ref=ref, amount=amount)
        else:
            self.put_on(a, b, action.modifier, action.turns)

    def put_on(self, a: Fighter, b: Fighter, effect: Modifier, turns: int) -> None:
        for worn in b.worn:
            if worn.effect.id == effect.id:
                worn.source, worn.turns = a, turns
                break
        else:
            b.worn.append(Worn(effect, a, turns))
        self.log("modifier_set", actor=a, target=b, ref=effect.id, amount=turns)

    def soften(self, raw: float, b: Fighter, damage_type: str) -> int:
        r = b.value("resistance." + damage_type)
        r = clamp(r, -1.0, self.registry.balance.resistance_cap)
        return int(min(max(1, nearest_whole(raw * (1.0 - r))), 10**12))

    def wound(self, source: Fighter, target: Fighter, final: int, ref: str, **draw: Any) -> None:
        target.health = max(0, target.health - final)
        self.happen("damaged", actor=source, target=target, ref=ref, amount=final, **draw)
        if target.health == 0:
            target.dead = True
            if target is self.hero:
                self.killer, self.cause = source.position, ref
            self.happen("creature_died", actor=source, target=target, ref=ref)

    def flee(self, a: Fighter, ref: str) -> None:
        fastest = self.aim("fastest") if a is self.hero else self.hero
        lead = a.value("dexterity") - fastest.value("dexterity")
        p = clamp(0.5 + lead * self.registry.balance.flee, 0.1, 0.9)
        roll = self.rng.real()
        if roll < p:
            a.fled = True
            self.happen("fled", actor=a, ref=ref, p=p, roll=roll)
        else:
            self.log("flee_failed", actor=a, ref=ref, p=p, roll=roll)

    # ── log, queue, triggers ────────────────────────────────────────────────────────────────

    def log(
        self, kind: str, actor: Fighter | None = None, target: Fighter | None = None, **details: Any
    ) -> None:
        self.events.append(
            {
                "seq": len(self.events),
                "turn": self.turn,
                "kind": kind,
                "actor": actor.position if actor else None,
                "target": target.position if target else None,
                "ref": None,
                "amount": None,
                "crit": None,
                "p": None,
                "roll": None,
                "health": target.health if target else None,
                "stamina": actor.stamina if actor else None,
                "reason": None,
            }
            | details
        )

    def happen(
        self, kind: str, actor: Fighter | None = None, target: Fighter | None = None, **details: Any
    ) -> None:
        self.log(kind, actor, target, **details)
        if kind in ("ability_used", "fled"):
            self.queue.append(Happening(kind, actor, None))
        else:
            self.queue.append(Happening(kind, target, actor))

    def empty_queue(self) -> None:
        worked_off = 0
        while self.queue:
            if worked_off == self.registry.limits.queue:
                self.log("queue_limit", amount=len(self.queue))
                self.queue.clear()
                break
            self.answer(self.queue.popleft())
            worked_off += 1

    def answer(self, event: Happening) -> None:
        for owner in self.fighters:
            if owner.removed:
                continue
            for name in owner.kind.triggers:
                trigger = self.registry.triggers[name]
                own_death = event.kind == "creature_died" and event.subject is owner
                if trigger.event != event.kind or (owner.dead and not own_death):
                    continue
                if trigger.on == "subject" and event.subject is not owner:
                    continue
                if trigger.on == "source" and event.source is not owner:
                    continue
                roles = {"self": owner, "subject": event.subject, "source": event.source}
                if self.all_hold(trigger.condition, roles):
                    for action in trigger.actions:
                        whom = roles[action.who]
                        if whom is not None and not whom.dead and not whom.removed:
                            self.affect(owner, whom, action, name)

    # ── the row of duel.results ─────────────────────────────────────────────────────────────

    def result(self) -> dict[str, Any]:
        lost = self.outcome == "defeat"
        return {
            "seed": self.seed,
            "outcome": self.outcome,
            "turns": self.turn - 1,
            "actions": self.actions,
            "hero_health": self.hero.health,
            "hero_stamina": self.hero.stamina,
            "enemies_dead": sum(enemy.dead for enemy in self.enemies),
            "enemies_fled": sum(enemy.fled and not enemy.dead for enemy in self.enemies),
            "enemies_left": sum(enemy.present for enemy in self.enemies),
            "killer": self.killer if lost else None,
            "cause": self.cause if lost else None,
            "state": self.rng.state,
        }
