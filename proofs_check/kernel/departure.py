"""Why the trajectory from one exact start does not do what is claimed: it goes elsewhere, is kept away, or ends.

Every variable has its value already, so that the scene has none left and nothing is known but numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from math import comb
from typing import Any

import sympy as sp
from sympy import QQ, Eq, Expr, Ge, Gt, Integer, Le, Lt, Ne, Poly, Rational, S, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.matrices import DomainMatrix

from proofs_check.kernel.argument import walk
from proofs_check.kernel.convergence import cayley, hurwitz_conditions
from proofs_check.kernel.invariant import invariant
from proofs_check.kernel.point import truth
from proofs_check.kernel.scene import Node, Scene, conditions, require, sides, timeless
from proofs_check.kernel.trust import rests_on
from theory.temporal import After, Always, ConvergesTo, HasPeriod, is_plain
from theory.trees import decode

_LONGEST_RECURRENCE = 40


def check_departure(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """Whether the trajectory of a scene without variables is shown not to satisfy the claim."""
    rule = DEPARTURES[certificate["refutation"]]
    return rule(timeless(scene, claim), claim, certificate)


def _is_true(*formulas: Boolean) -> bool:
    return all(truth(formula, {}) is True for formula in formulas)


def _is_limit(scene: Scene, claim: Boolean) -> bool:
    if not isinstance(claim, ConvergesTo) or claim.period != 1 or scene.clock is not None:
        return False
    return not claim.points[0].free_symbols


def _affine_orbit(scene: Scene, claim: Boolean, _certificate: Mapping[str, Any]) -> bool:
    """x -> M x + b, or x' = M x + b, with rational numbers: whether a polynomial of the state tends to a number.

    The gap r between the two at the steps (for a flow, its derivatives at time 0) is a sequence that satisfies a linear
    recurrence of order at most the number of monomials of its degree (Carleman's lift). The rank of its Hankel matrix
    is the order of the shortest one (Kronecker). Of that one every characteristic root w appears in r, as w^n (as
    exp(w t)) times a polynomial that is not zero; so r tends to 0 only if all roots lie inside of the unit disc (left
    of the imaginary axis), for which positive Hurwitz quantities are necessary. Hypotheses: the rule is a polynomial of
    degree 1; quantity, target and start are rational; the sequence is computed exactly.
    """
    if not isinstance(claim, ConvergesTo) or not _is_limit(scene, claim):
        return False
    pairs = zip(claim.quantity, claim.points[0], strict=True)
    rests_on("Kronecker on linear recurrences")
    rests_on("Routh-Hurwitz")
    shape = scene.discrete, scene.state, scene.rule, scene.start
    return any(stays_apart(*shape, part - value) for part, value in pairs)


def stays_apart(
    discrete: bool, state: Sequence[Symbol], rule: Sequence[Expr], start: Sequence[Expr], gap: Expr
) -> bool:
    """Whether a polynomial certainly does not tend to 0 along an affine rule, all numbers being rational.

    >>> x, y = sp.symbols("x y")
    >>> stays_apart(False, (x, y), (y, -x), (S.One, S.Zero), x), stays_apart(True, (x,), (x / 2,), (S.One,), x)
    (True, False)
    """
    rules = [_rational_polynomial(part, state) for part in rule]
    first = _rational_polynomial(gap, state)
    if first is None or first.is_zero or any(part is None or part.total_degree() > 1 for part in rules):
        return False
    order = comb(len(state) + first.total_degree(), len(state))
    if order > _LONGEST_RECURRENCE or not all(part.is_Rational for part in start):
        return False
    terms = (_steps if discrete else _derivatives)(first, rules, list(start))
    coefficients = _shortest_recurrence(list(islice(terms, 2 * order)), order)
    if len(coefficients) == 1:
        return False
    if discrete:
        coefficients = cayley(coefficients)
    return any(Rational(value) <= 0 for value in hurwitz_conditions(coefficients))


def _rational_polynomial(expression: Expr, state: Sequence[Symbol]) -> Poly | None:
    if not expression.is_polynomial(*state) or expression.free_symbols - set(state):
        return None
    found = Poly(expression, *state)
    return found.set_domain(QQ) if all(value.is_Rational for value in found.coeffs()) else None


def _steps(gap: Poly, rule: list[Poly], start: list[Rational]) -> Iterator[Rational]:
    while True:
        yield gap.eval(tuple(start))
        start = [part.eval(tuple(start)) for part in rule]


def _derivatives(gap: Poly, rule: list[Poly], start: list[Rational]) -> Iterator[Rational]:
    while True:
        yield gap.eval(tuple(start))
        gap = sum((gap.diff(symbol) * speed for symbol, speed in zip(gap.gens, rule, strict=True)), gap * 0)


def _shortest_recurrence(terms: list[Rational], order: int) -> list[Expr]:
    """The characteristic polynomial, highest power first, of the shortest recurrence of a sequence."""
    hankel = DomainMatrix.from_Matrix(sp.Matrix(order, order, lambda i, j: terms[i + j])).convert_to(QQ)
    rank = hankel.rank()
    if rank == 0:
        return [S.One]
    system = sp.Matrix(rank, rank + 1, lambda i, j: terms[i + j])
    solved, pivots = DomainMatrix.from_Matrix(system).convert_to(QQ).rref()
    require(pivots == tuple(range(rank)), "no recurrence of this order")
    lower = list(solved.to_Matrix()[:rank, rank])
    for place in range(len(terms) - rank):
        left = sum((value * terms[place + k] for k, value in enumerate(lower)), S.Zero)
        require(left == terms[place + rank], "no recurrence of this order")
    return [S.One, *(-value for value in reversed(lower))]


def _elsewhere(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """A trajectory with one limit has no other.

    Hypotheses: the state is shown to converge to a point or a cycle, and the quantity, continuous at one of the points,
    has another value there than the target; or the quantity itself is shown to converge to another number.
    """
    if not isinstance(claim, ConvergesTo) or not _is_limit(scene, claim):
        return False
    target, points = claim.points[0], [tuple(map(decode, point)) for point in certificate["points"]]
    node = Node.read(certificate["argument"], frozenset())
    if certificate["of"] == "quantity":
        walk(scene, ConvergesTo(claim.quantity, *points), node)
        values = [points[0]]
        require(len(points) == 1, "one limit")
    else:
        walk(scene, ConvergesTo(Tuple(*scene.state), *points), node)
        where = conditions(*claim.quantity)
        steady = [point for point in points if _is_true(*(scene.at(point, part) for part in where))]
        values = [tuple(scene.at(point, part) for part in claim.quantity) for point in steady]
    return any(_is_true(Ne(a, b)) for value in values for a, b in zip(value, target, strict=True))


def _kept_away(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """A trajectory in a closed set does not converge to a point outside; a conserved quantity is such a set.

    Hypotheses: a relation is shown to hold at every time. Its sides are continuous at the target of the whole state,
    where its closure is false; or it says that the quantity has at least a fixed positive distance from the target.
    A solution that ends converges to nothing either.
    """
    if not isinstance(claim, ConvergesTo) or not _is_limit(scene, claim):
        return False
    relation = decode(certificate["relation"])
    require(isinstance(relation, Relational), "not a relation")
    walk(scene, Always(relation), Node.read(certificate["argument"], frozenset()))
    target = claim.points[0]
    distance = sum(((part - value) ** 2 for part, value in zip(claim.quantity, target, strict=True)), S.Zero)
    if isinstance(relation, Ge) and relation.lhs == distance:
        return relation.rhs.is_number and _is_true(Gt(relation.rhs, 0))
    require(claim.quantity == Tuple(*scene.state), "not about the whole state")
    left, right = (scene.at(target, side) for side in relation.args)
    outside: dict[type, Callable[[Expr, Expr], Boolean]] = {Ge: Lt, Gt: Lt, Le: Gt, Lt: Gt, Eq: Ne}
    require(relation.func in outside, "not a closed set")
    steady = [scene.at(target, part) for part in conditions(*relation.args)]
    return _is_true(*steady, outside[relation.func](left, right))


def _ends(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """Blow-up: v' >= c v^p with p > 1 and c > 0 where v >= v(0) > 0 ends a solution by v(0)^(1 - p) / (c (p - 1)).

    v never falls below v(0), because it rises wherever it is not below; compared with w' = c w^p it passes every bound
    by that time. What ends converges to nothing, and no moment from then on is reached. Hypotheses: the inequality on
    all of an invariant set of the trajectory where v >= v(0); field and v are smooth there; p is a whole number.
    """
    require(not scene.discrete, "steps do not end")
    node = Node.read(certificate["argument"], frozenset())
    height, pace, power = (node.facts[key] for key in ("height", "pace", "power"))
    require(isinstance(power, Integer) and power >= 2 and pace.is_number, "no such growth")
    first = scene.begin(height)
    require(_is_true(Gt(pace, 0), Gt(first, 0)), "no growth")
    inside = [*invariant(scene, node.parts[0]), scene.assumed, Ge(height, first)]
    node.need(inside, Ge(scene.rate(height), pace * height**power))
    node.need(inside, *conditions(*scene.rule, height, smooth=True))
    rests_on("comparison of differential inequalities")
    if isinstance(claim, After):
        return _is_true(Ge(claim.args[0] * pace * (power - 1) * first ** (power - 1), 1))
    return isinstance(claim, (ConvergesTo, HasPeriod))


def _escapes(scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """Divergence: a height that grows by a fixed rate wherever it is not below its first value passes every bound.

    Of a map v(F(x)) >= (1 + rate) v(x), of a flow of the line v' >= rate, where v >= v(0) > 0 on an invariant set, the
    rate being a positive number. A map has values there; a flow is smooth there, so that it ends only beyond every
    bound. Then a formula that has a value there and implies v <= bound, a number, is false at some time.
    """
    if not isinstance(claim, Always) or not is_plain(claim.args[0]):
        return False
    node = Node.read(certificate["argument"], frozenset())
    height, pace, bound = (node.facts[key] for key in ("height", "pace", "bound"))
    first, body = scene.begin(height), claim.args[0]
    require(pace.is_number and bound.is_number and _is_true(Gt(pace, 0), Gt(first, 0)), "no growth")
    inside = [*invariant(scene, node.parts[0]), scene.assumed, Ge(height, first)]
    if scene.discrete:
        node.need(inside, Ge(scene.step(height), (1 + pace) * height), *scene.values(*scene.rule))
    else:
        require(len(scene.state) == 1 and height in (scene.state[0], -scene.state[0]), "not a flow of the line")
        node.need(inside, Ge(scene.rate(height), pace), *conditions(*scene.rule, smooth=True))
    node.need(inside, *scene.values(*sides(body)))
    node.need([body], Le(height, bound))
    return True


DEPARTURES: dict[str, Callable[[Scene, Boolean, Mapping[str, Any]], bool]] = {
    "affine orbit": _affine_orbit,
    "elsewhere": _elsewhere,
    "kept away": _kept_away,
    "ends": _ends,
    "escapes": _escapes,
}
"""Rules by name."""
