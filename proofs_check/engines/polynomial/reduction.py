"""Equations used as rewriting rules: a power of one symbol through the rest, with the cofactors that this costs."""

from __future__ import annotations

from collections.abc import Sequence

from theory.polynomials import Polynomial, Ring

_ROUNDS = 12


class Reduction:
    """Polynomials modulo equations; `others` are the equations that are not solved for a power of a symbol.

    >>> from sympy import symbols
    >>> x, y = symbols("x y")
    >>> ring = Ring((x, y))
    >>> reduction = Reduction(ring, [(0, ring.polynomial(y - x**2))])
    >>> ring.expression(reduction.remainder(ring.polynomial(x * y)))
    x**3
    """

    def __init__(self, ring: Ring, equations: Sequence[tuple[int, Polynomial]]) -> None:
        self._ring = ring
        self._rules: list[tuple[int, int, int, Polynomial]] = []
        self._given = dict(equations)
        self._made: dict[int, dict[int, Polynomial]] = {}
        self.others: list[tuple[int, Polynomial]] = []
        waiting = [place for place, _ in equations]
        for wanted in (1, 2, 3, 4):
            for place in list(waiting):
                rest, used = self._divided(self._given[place])
                rule = None if rest.is_zero() else self._rule(rest, wanted)
                if rule is None:
                    continue
                symbol, power, lead = rule
                one = {place: ring.context.constant(1)}
                made = {k: part / lead for k, part in _plus(one, {k: -part for k, part in used.items()}).items()}
                self._made[place] = made
                self._rules.append((place, symbol, power, rest / lead))
                waiting.remove(place)
        for place in waiting:
            rest, used = self._divided(self._given[place])
            if not rest.is_zero():
                one = {place: ring.context.constant(1)}
                self._made[place] = _plus(one, {k: -part for k, part in used.items()})
                self.others.append((place, rest))

    def _rule(self, equation: Polynomial, wanted: int) -> tuple[int, int, object] | None:
        """A symbol whose highest power occurs alone, with a number before it."""
        solved = {symbol for _, symbol, _, _ in self._rules}
        for symbol, power in reversed(list(enumerate(map(int, equation.degrees())))):
            if power != wanted or symbol in solved:
                continue
            top = [(powers, number) for powers, number in equation.terms() if powers[symbol] == power]
            if len(top) == 1 and sum(top[0][0]) == power:
                return symbol, power, top[0][1]
        return None

    def remainder(self, value: Polynomial) -> Polynomial:
        """The polynomial with the powers that the rules replace gone, as far as a few rounds take it."""
        return self._divided(value)[0]

    def _divided(self, value: Polynomial) -> tuple[Polynomial, dict[int, Polynomial]]:
        """The remainder, and cofactors of the given equations for the difference."""
        used: dict[int, Polynomial] = {}
        for _ in range(_ROUNDS):
            changed = False
            for place, symbol, power, rule in self._rules:
                high = {
                    tuple(p - power * (k == symbol) for k, p in enumerate(powers)): number
                    for powers, number in value.to_dict().items()
                    if powers[symbol] >= power
                }
                if high:
                    quotient = self._ring.context.from_dict(high)
                    value = value - quotient * rule
                    changed = True
                    used = _plus(used, {k: quotient * part for k, part in self._made[place].items()})
            if not changed:
                break
        return value, used

    def cofactors(self, total: Polynomial) -> dict[int, Polynomial]:
        """Cofactors of the given equations that take a polynomial to its remainder."""
        return {place: -part for place, part in self._divided(total)[1].items()}

    def combination(self, place: int) -> dict[int, Polynomial]:
        """One of the others as a combination of the given equations."""
        return self._made[place]


def _plus(one: dict[int, Polynomial], other: dict[int, Polynomial]) -> dict[int, Polynomial]:
    total = dict(one)
    for place, part in other.items():
        total[place] = total[place] + part if place in total else part
    return total
