"""A polynomial whose set a flow keeps, found by a semidefinite program of sums of squares (Prajna, Jadbabaie 2004).

Of g three things are wanted: g >= 0 at every start, g <= -1 where the claim is violated, and L g >= pace * g wherever
the state is known to be, L being the derivative along the flow and the pace given. The three are linear in g, and each
is asked for in the form  sum_k squares_k * condition_k  with the conditions of its set. The program answers in
floating point; what it suggests is rounded, and proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sympy import And, Eq, Expr, Mul, Or, Rational, S, Symbol, diff, expand
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean, to_dnf

from proofs_check.engines.barriers.fitting import BITS, short_number
from proofs_check.engines.barriers.view import View
from proofs_check.engines.polynomial.fitted_squares import Condition, coefficients, exponents_up_to, rounded
from theory.polynomials import Ring
from theory.temporal import negation

_PACES = (S.Zero, -S.One, S.One, -S.One / 4, S(2), -S(4), S.Half)
"""In units of how fast the flow moves beside the size of what it reaches."""
_MULTIPLES = (S.One, S(2), -S.One)
"""Of the cofactors of Darboux polynomials, which are paces, too."""
_MOST_CASES = 8


@dataclass(frozen=True)
class Found:
    """A polynomial and the pace with which it is compared."""

    value: Expr
    pace: Expr


@dataclass
class Program:
    """The search for a polynomial of one degree, in coordinates that are shifted and scaled to a box."""

    view: View
    degree: int
    cofactors: Sequence[Expr] = ()

    def found(self, seconds: float) -> Iterator[Found]:
        """Polynomials that seem to satisfy all conditions, with a margin; one for each pace at most."""
        plain = [factor * self._unit for factor in _PACES]
        natural = [expand(factor * part) for factor in _MULTIPLES for part in self.cofactors if not part.is_number]
        for pace in dict.fromkeys((*plain, *natural)):
            numbers = self._solved(pace, seconds)
            if numbers is not None:
                yield from (Found(self._expression(numbers, bits), pace) for bits in BITS[2::2])

    @cached_property
    def _places(self) -> dict[Symbol, Expr]:
        """Each coordinate by a scaled one of the same name."""
        low, high = self.view.box
        middles = {
            s: short_number((a + b) / 2, (b - a) / 2) for s, a, b in zip(self.view.names, low, high, strict=True)
        }
        halves = {s: short_number((b - a) / 2, (b - a) / 2) for s, a, b in zip(self.view.names, low, high, strict=True)}
        return {symbol: middles[symbol] + halves[symbol] * symbol for symbol in self.view.names}

    @cached_property
    def _begun(self) -> dict[Symbol, Expr]:
        """Each variable of the statement by a scaled one: as the coordinate that starts at it, or that it is."""
        places = {}
        for symbol in self.view.setting.variables:
            like = [s for s, value in self.view.setting.beginning.items() if value == symbol]
            like += [symbol] if symbol in self._places else []
            places[symbol] = self._places[like[0]].subs(like[0], symbol) if like else symbol
        return places

    @cached_property
    def _unit(self) -> Rational:
        low, high = self.view.box
        speed = np.max(np.abs(self.view.speed(self.view.grid)) / ((high - low) / 2)[:, None], axis=0)
        return Rational(2) ** int(np.round(np.log2(max(float(np.median(speed)), 1e-6))))

    @cached_property
    def _powers(self) -> list[tuple[int, ...]]:
        return exponents_up_to(len(self.view.names), self.degree)

    @cached_property
    def _monomials(self) -> list[Expr]:
        """In the scaled coordinates, written in the given ones."""
        slopes = {s: place.coeff(s) for s, place in self._places.items()}
        scaled = [(s - place.subs(s, 0)) / slopes[s] for s, place in self._places.items()]
        return [Mul(*(u**p for u, p in zip(scaled, powers, strict=True))) for powers in self._powers]

    def _expression(self, numbers: np.ndarray, bits: int) -> Expr:
        return expand(sum((c * m for c, m in zip(rounded(numbers, bits), self._monomials, strict=True)), S.Zero))

    def _solved(self, pace: Expr, seconds: float) -> np.ndarray | None:
        parts = [*self._starts, *self._violations, *self._followed(pace)]
        return coefficients(parts, seconds)

    @cached_property
    def _starts(self) -> list[Condition]:
        """g >= 0 at every start."""
        ring = Ring(tuple(self._begun) or (Symbol("_nothing"),))
        begun = {s: v.xreplace(self._begun) for s, v in self.view.setting.beginning.items()}
        begun |= {s: place for s, place in self._begun.items() if s in self.view.names}
        images = [ring.polynomial(expand(m.xreplace(begun))) for m in self._monomials]
        cases = _cases(And(*self.view.setting.hypotheses))
        return [Condition.over(ring, case, self._begun, images, ring.constant(0)) for case in cases]

    @cached_property
    def _ring(self) -> Ring:
        return Ring(self.view.names)

    @cached_property
    def _violations(self) -> list[Condition]:
        """g <= -1 where the claim is violated."""
        images = [-self._ring.polynomial(expand(m.xreplace(self._places))) for m in self._monomials]
        cases = _cases(And(negation(self.view.body), self._known))
        return [Condition.over(self._ring, case, self._places, images, self._ring.constant(-1)) for case in cases]

    def _followed(self, pace: Expr) -> list[Condition]:
        """L g >= pace * g wherever the state is known to be."""
        pairs = list(zip(self.view.names, self.view.velocity, strict=True))
        rates = [sum((diff(m, s) * v for s, v in pairs), S.Zero) - pace * m for m in self._monomials]
        images = [self._ring.polynomial(expand(r.xreplace(self._places))) for r in rates]
        return [
            Condition.over(self._ring, case, self._places, images, self._ring.constant(0))
            for case in _cases(self._known)
        ]

    @cached_property
    def _known(self) -> Boolean:
        """What is known of the state at every time, and of what does not move."""
        fixed = set(self.view.names[len(self.view.setting.state) :])
        still = [part for part in self.view.setting.hypotheses if part.free_symbols <= fixed]
        return And(self.view.setting.assumed, *still)


def _cases(formula: Boolean) -> list[list[Expr]]:
    """Expressions that are at least zero, of each case of a formula; an equation is two of them.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> _cases(And(x < 2, Or(Eq(y, 0), y > x)))
    [[y, -y, 2 - x], [-x + y, 2 - x]]
    """
    whole = to_dnf(formula)
    cases = whole.args if isinstance(whole, Or) else (whole,)
    found = []
    for case in cases[:_MOST_CASES]:
        if case == S.false:
            continue
        parts = sorted(case.atoms(Relational), key=lambda part: part.sort_key())
        found.append([gap for part in parts for gap in _gaps(part)])
    return found


def _gaps(part: Relational) -> list[Expr]:
    if isinstance(part, Eq):
        return [part.lhs - part.rhs, part.rhs - part.lhs]
    if isinstance(part, (Ge, Gt)):
        return [part.lhs - part.rhs]
    return [part.rhs - part.lhs] if isinstance(part, (Le, Lt)) else []
