"""A movement once more, one order after the other: guess, follow the orders, take back.

The recursive method of Kruijswijk: to resolve an order, guess that it fails and see what follows;
if the outcome hangs on the guess, guess that it succeeds; if both guesses fulfil or both refute
themselves, the orders that hang on each other are a circle, and a rule of its own breaks it.
Shares nothing with transforms/diplomacy but the tables of the map.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Place = tuple[str, str | None]


@dataclass(frozen=True)
class Unit:
    nation: str
    letter: str
    province: str
    coast: str | None = None


@dataclass(frozen=True)
class Order:
    kind: str  # hold, move, support, convoy
    target: str | None = None
    target_coast: str | None = None
    of: str | None = None
    via: bool = False


@dataclass
class GameMap:
    """steps: (letter, province, coast) → places; seas: provinces at sea; around: plain borders."""

    steps: Mapping[tuple[str, str, str | None], set[Place]]
    seas: set[str]
    around: Mapping[str, set[str]]

    def near(self, unit: Unit, province: str) -> bool:
        places = self.steps.get((unit.letter, unit.province, unit.coast), set())
        return any(place == province for place, _ in places)

    def ashore(self, province: str) -> bool:
        return province not in self.seas


@dataclass
class Referee:
    """Resolves the orders of one position; `adjacent` is the ruling adjacent_convoy.

    `broken`: armies whose convoys fail whatever happens (a paradox is settled outside: the order
    in which guesses are made would decide it).
    """

    board: GameMap
    units: Mapping[str, Unit]
    orders: Mapping[str, Order]
    adjacent: str = "via_or_own"
    fallback: bool = False
    broken: frozenset[str] = frozenset()
    paradoxes: int = 0
    _state: dict[str, str] = field(default_factory=dict)
    _result: dict[str, bool] = field(default_factory=dict)
    _hanging: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._routes: dict[tuple[str, str], list[frozenset[str]]] = {}
        self.legal = {p: self._is_legal(p) for p in self.units}
        self.fits = {p: self.legal[p] and self._has_partner(p) for p in self.units}
        self.convoyed = {p: self._goes_by_sea(p) for p in self.units}

    # ── what is possible ────────────────────────────────────────────────────────────────────

    def order(self, province: str) -> Order:
        return self.orders.get(province, Order("hold"))

    def moves(self, province: str | None) -> bool:
        return (
            province in self.units and self.legal[province] and self.order(province).kind == "move"
        )

    def routes(self, origin: str, goal: str) -> list[frozenset[str]]:
        """Every set of fleets that connects two coasts and loses that with any fleet less."""
        if (origin, goal) not in self._routes:
            found = {frozenset(path) for path in self._paths(origin, goal, [])}
            self._routes[origin, goal] = [
                route for route in found if not any(other < route for other in found)
            ]
        return self._routes[origin, goal]

    def _paths(self, here: str, goal: str, path: list[str]) -> Iterator[list[str]]:
        for sea in self.board.around[here] & self.board.seas:
            if sea in path or sea not in self.units:
                continue
            longer = [*path, sea]
            if goal in self.board.around[sea] and longer:
                yield longer
            yield from self._paths(sea, goal, longer)

    def _sails(self, unit: Unit, goal: str, without: str | None = None) -> bool:
        coastal = self.board.ashore(goal) and unit.letter == "A" and unit.province != goal
        return coastal and any(without not in r for r in self.routes(unit.province, goal))

    def _is_legal(self, province: str) -> bool:
        unit, order = self.units[province], self.order(province)
        if order.kind == "hold":
            return True
        target = order.target
        if order.kind == "move":
            assert target
            place = (target, order.target_coast)
            step = place in self.board.steps.get((unit.letter, province, unit.coast), set())
            by_land = step and (not order.via or self.fallback or unit.letter == "F")
            return by_land or self._sails(unit, target)
        other = self.units.get(order.of or "")
        if order.kind == "support":
            if not self.board.near(unit, target or order.of or ""):
                return False
            if target is None or other is None:
                return True
            return self.board.near(other, target) or self._sails(other, target, without=province)
        if other is not None and other.letter != "A":
            return False
        assert order.of
        assert target
        return (
            unit.letter == "F"
            and self.board.ashore(target)
            and order.of != target
            and any(province in route for route in self.routes(order.of, target))
        )

    def _has_partner(self, province: str) -> bool:
        order = self.order(province)
        if order.kind in ("hold", "move"):
            return True
        if order.of not in self.units:
            return False
        partner = self.order(order.of)
        if order.target is None:
            return not self.moves(order.of)
        along = self.moves(order.of) and partner.target == order.target
        named = order.target_coast if self.units[order.of].letter == "F" else None
        same_coast = named in (None, partner.target_coast)
        return along and (order.kind == "convoy" or same_coast)

    def carriers(self, province: str) -> set[str]:
        return {
            p
            for p in self.units
            if self.order(p).kind == "convoy" and self.fits[p] and self.order(p).of == province
        }

    def ordered_routes(self, province: str) -> list[frozenset[str]]:
        carriers, goal = self.carriers(province), self.order(province).target or ""
        return [route for route in self.routes(province, goal) if route <= carriers]

    def _goes_by_sea(self, province: str) -> bool:
        unit, order = self.units[province], self.order(province)
        if not self.moves(province) or unit.letter == "F":
            return False
        if (order.target, order.target_coast) not in self.board.steps.get(
            ("A", province, None), set()
        ):
            return True
        ordered = bool(self.ordered_routes(province))
        if order.via:
            return ordered or not self.fallback
        own = any(self.units[p].nation == unit.nation for p in self.carriers(province))
        return self.adjacent == "via_or_own" and own and ordered

    # ── what comes of it ────────────────────────────────────────────────────────────────────

    def resolve(self, province: str) -> bool:
        """Does the move succeed, is the support given, does the convoying fleet hold out?"""
        if self._state.get(province) == "known":
            return self._result[province]
        if self._state.get(province) == "guessed":
            if province not in self._hanging:
                self._hanging.append(province)
            return self._result[province]
        before = len(self._hanging)
        self._state[province], self._result[province] = "guessed", False
        first = self._adjudicate(province)
        if len(self._hanging) == before:
            if self._state[province] != "known":
                self._state[province], self._result[province] = "known", first
            return self._result[province]
        if self._hanging[before] != province:
            self._hanging.append(province)
            self._result[province] = first
            return first
        self._forget(before)
        self._state[province], self._result[province] = "guessed", True
        second = self._adjudicate(province)
        if first == second:
            self._forget(before)
            self._state[province], self._result[province] = "known", first
            return first
        self._break_circle(before)
        return self.resolve(province)

    def _forget(self, before: int) -> None:
        for province in self._hanging[before:]:
            self._state.pop(province, None)
        del self._hanging[before:]

    def _break_circle(self, before: int) -> None:
        circle = self._hanging[before:]
        convoys = [p for p in circle if self.order(p).kind == "convoy"]
        self.paradoxes += bool(convoys)
        self._forget(before)
        for province in convoys or circle:
            self._state[province], self._result[province] = "known", not convoys

    def _adjudicate(self, province: str) -> bool:
        kind = self.order(province).kind
        if kind == "move":
            return self._move_succeeds(province)
        if kind == "support":
            return self._support_holds(province)
        return not self._driven_out(province)

    def attackers(self, province: str) -> list[str]:
        return [p for p in self.units if self.moves(p) and self.order(p).target == province]

    def has_path(self, province: str) -> bool:
        if not self.convoyed[province] or province in self.broken:
            return not self.convoyed[province]
        return any(all(self.resolve(f) for f in r) for r in self.ordered_routes(province))

    def _driven_out(self, province: str) -> bool:
        if self.moves(province) and self.resolve(province):
            return False
        return any(self.resolve(p) for p in self.attackers(province))

    def _support_holds(self, province: str) -> bool:
        order = self.order(province)
        against = order.target or order.of
        for attacker in self.attackers(province):
            if attacker == against:
                if self.resolve(attacker):
                    return False
            elif self.units[attacker].nation != self.units[province].nation and self.has_path(
                attacker
            ):
                return False
        return True

    def supports(self, province: str, not_of: str | None = None) -> int:
        return sum(
            self.resolve(p)
            for p in self.units
            if self.order(p).kind == "support"
            and self.order(p).of == province
            and self.fits[p]
            and self.units[p].nation != not_of
        )

    def _facing(self, province: str) -> bool:
        goal = self.order(province).target
        return (
            self.moves(goal)
            and self.order(goal).target == province
            and not self.convoyed[province]
            and not self.convoyed[goal]
        )

    def _move_succeeds(self, province: str) -> bool:
        attack = self._attack(province)
        goal = self.order(province).target
        if attack == 0:
            return False
        rivals = [p for p in self.attackers(goal) if p != province]
        return attack > self._resistance(province) and all(
            attack > self._prevent(p) for p in rivals
        )

    def _attack(self, province: str) -> int:
        if not self.has_path(province):
            return 0
        goal = self.order(province).target
        if goal not in self.units:
            return 1 + self.supports(province)
        if not self._facing(province) and self.moves(goal) and self.resolve(goal):
            return 1 + self.supports(province)
        victim = self.units[goal].nation
        if victim == self.units[province].nation:
            return 0
        return 1 + self.supports(province, not_of=victim)

    def _resistance(self, province: str) -> int:
        goal = self.order(province).target
        if goal not in self.units:
            return 0
        if self._facing(province) or not self.moves(goal):
            return 1 + self.supports(goal)
        return 0 if self.resolve(goal) else 1

    def _prevent(self, province: str) -> int:
        if not self.has_path(province):
            return 0
        if self._facing(province) and self.resolve(self.order(province).target):
            return 0
        return 1 + self.supports(province)

    # ── the whole ───────────────────────────────────────────────────────────────────────────

    def arrived(self) -> set[str]:
        return {p for p in self.units if self.moves(p) and self.resolve(p)}

    def driven_out(self) -> set[str]:
        return {p for p in self.units if self._driven_out(p)}

    def given(self) -> set[str]:
        return {
            p
            for p in self.units
            if self.order(p).kind == "support" and self.fits[p] and self.resolve(p)
        }
