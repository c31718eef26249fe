"""Relations that may turn out to be invariant: the claim itself, the start region, signs, bounds, conserved quantities.

Nothing here needs to be right; every candidate is proved before it is used.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Eq, Expr, Ge, Gt, Integral, Le, Lt, Poly, Rational, Symbol, cancel, diff, expand, integrate, roots
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from proofs_check.engines.motion.sampling import Sample
from proofs_check.engines.motion.trajectory import Setting, joined
from theory.conserved import conserved_quantities
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError

_LONGEST_FORMULA = 40
_LARGEST, _SMALLEST = 1e6, 1e-6
"""Sizes of states beyond which no simple number is near."""
_HIGHEST_DEGREE = 4


def start_region(setting: Setting) -> list[Boolean]:
    """The hypotheses about the start, read as relations about the current state."""
    symbols = {
        value: state
        for state, value in setting.beginning.items()
        if isinstance(value, Symbol) and list(setting.start).count(value) == 1
    }
    return [
        part.subs(symbols, simultaneous=True)
        for part in setting.hypotheses
        if isinstance(part, Relational) and part.free_symbols & set(symbols)
    ]


def signs(setting: Setting) -> list[Boolean]:
    """Each state symbol positive, nonnegative, negative, nonpositive."""
    return [relation(symbol, 0) for symbol in setting.state for relation in (Gt, Ge, Lt, Le)]


def alike(setting: Setting) -> list[Boolean]:
    """States that start at zero, or at the same or the opposite value, as balanced layers do."""
    begun = list(setting.beginning.items())
    zero = [Eq(symbol, 0) for symbol, value in begun if value == 0]
    pairs = [(one, two) for place, one in enumerate(begun) for two in begun[:place] if one[1] != 0]
    return zero + [Eq(s, sign * r) for (s, v), (r, w) in pairs for sign in (1, -1) if v == sign * w]


def beside_start(setting: Setting) -> list[Boolean]:
    """Each state symbol above or below its first value, as on a monotone trajectory."""
    return [relation(s, value) for s, value in setting.beginning.items() for relation in (Ge, Le)]


def conserved(setting: Setting) -> list[Boolean]:
    """Low-degree polynomials that keep their first value."""
    try:
        dynamics = Map(setting.state, setting.rule) if setting.discrete else Flow(setting.state, setting.rule)
        found = conserved_quantities(dynamics, 2)
    except LemmascopeError:
        return []
    return [Eq(quantity, setting.initially(quantity)) for quantity in found]


def energies(setting: Setting) -> list[Boolean]:
    """The energy keeps its first value, or is lost."""
    found = energy(setting)
    return [] if found is None else [relation(found, setting.initially(found)) for relation in (Eq, Le)]


def energy(setting: Setting) -> Expr | None:
    """The Hamiltonian of a flow of the plane without divergence; for x' = v what the force at rest gives.

    >>> from sympy import sin
    >>> x, v = Symbol("x"), Symbol("v")
    >>> energy(Setting(False, (x, v), (v, -sin(x) - v), (x, v), {}, ()))
    v**2/2 - cos(x)
    """
    moving = [symbol for symbol in setting.state if symbol != setting.clock]
    if setting.discrete or len(moving) != 2 or sum(part.count_ops() for part in setting.rule) > _LONGEST_FORMULA:
        return None
    for x, v in (moving, moving[::-1]):
        speed, force = setting.step[x], setting.step[v]
        free = expand(diff(speed, x) + diff(force, v)) == 0
        if not free and speed != v:
            continue
        part = integrate(speed, v)
        rest = expand((force if free else force.subs(v, 0)) + diff(part, x))
        found = part - integrate(rest, x)
        if not rest.has(v) and not found.has(Integral) and setting.clock not in found.free_symbols:
            return found
    return None


def spent(setting: Setting, claim: Sequence[Boolean]) -> list[Boolean]:
    """A timed quantity and what is left of its bound by the start, read as one of the current state, together.

    >>> x, t, a = Symbol("x"), Symbol("t"), Symbol("a")
    >>> spent(Setting(False, (x, t), (-x, 1), (a, 0), {}, (), clock=t), [t * x**2 <= a**2])
    [t*x**2 + x**2 <= a**2]
    """
    current = {value: state for state, value in setting.beginning.items() if isinstance(value, Symbol)}
    found = []
    for part in claim:
        if setting.clock is None or not isinstance(part, (Le, Ge, Lt, Gt)):
            continue
        less, more = (part.lhs, part.rhs) if isinstance(part, (Le, Lt)) else (part.rhs, part.lhs)
        if setting.clock in less.free_symbols and not more.free_symbols & set(setting.state):
            left = more.subs(current, simultaneous=True)
            if left != more:
                found.append(Le(less + left, more))
    return found


def beyond(setting: Setting, seen: Sequence[Sample]) -> list[Boolean]:
    """Each state symbol between simple numbers just outside of what was seen of it."""
    found = []
    for place, symbol in enumerate(setting.state):
        values = [state[place] for sample in seen for state in sample.states]
        if not values or max(map(abs, values)) > _LARGEST:
            continue
        low, high = min(values), max(values)
        unit = Fraction(2) ** (math.frexp(max(high - low, abs(high), abs(low), _SMALLEST))[1] - 4)
        room = unit / 8
        above, below = math.ceil((high + room) / unit) * unit, math.floor((low - room) / unit) * unit
        found += [Le(symbol, _rational(above))] * (above < 0 or high > 0)  # otherwise its sign says as much
        found += [Ge(symbol, _rational(below))] * (below > 0 or low < 0)
    return found


def _rational(value: Fraction) -> Rational:
    return Rational(value.numerator, value.denominator)


def bounds(setting: Setting) -> list[Boolean]:
    """Bounds of a one-dimensional map by its landmarks."""
    if len(setting.state) != 1 or not setting.discrete:
        return []
    x = setting.state[0]
    return [relation(x, mark) for mark in landmarks(setting) for relation in (Gt, Ge, Lt, Le)]


def landmarks(setting: Setting) -> list[Expr]:
    """Fixed points, their other preimages, critical points and their first two images, as short formulas."""
    x, rule = setting.state[0], setting.rule[0]
    fixed = short_roots(rule - x, x)
    critical = critical_points(setting)
    images = critical_values(setting)
    preimages = [root for point in fixed for root in short_roots(rule - point, x)]
    short = [mark for mark in (*fixed, *preimages, *critical, *images) if mark.count_ops() <= _LONGEST_FORMULA]
    return list(dict.fromkeys(short))


def critical_points(setting: Setting) -> list[Expr]:
    """Zeros of the derivative of a one-dimensional map that have a short formula."""
    return short_roots(diff(setting.rule[0], setting.state[0]), setting.state[0])


def critical_values(setting: Setting) -> list[Expr]:
    """The first two images of the critical points."""
    x, rule = setting.state[0], setting.rule[0]
    images = [cancel(expand(rule.subs(x, c))) for c in critical_points(setting)]
    return [*images, *(cancel(expand(rule.subs(x, value))) for value in images)]


def short_roots(expression: Expr, symbol: Symbol) -> list[Expr]:
    """Roots of a polynomial that have a short formula and may be real; possibly not all of them.

    >>> short_roots(Symbol("x")**2 - Symbol("a"), Symbol("x"))
    [sqrt(a), -sqrt(a)]
    """
    try:
        polynomial = Poly(expression.together().as_numer_denom()[0], symbol)
    except PolynomialError:
        return []
    found = [
        root
        for factor, _ in polynomial.factor_list()[1]
        if 0 < factor.degree() <= _HIGHEST_DEGREE
        for root in roots(factor)
        if root.is_real is not False
    ]
    return sorted((root for root in found if root.count_ops() <= _LONGEST_FORMULA), key=_order)


def _order(expression: Expr) -> tuple[int, str]:
    return int(expression.count_ops()), str(expression)


def conjuncts(formula: Boolean) -> Iterator[Boolean]:
    """The parts of a conjunction.

    >>> x = Symbol("x")
    >>> sorted(map(str, conjuncts((x > 0) & (x < 1))))
    ['x < 1', 'x > 0']
    """
    yield from joined(formula)
