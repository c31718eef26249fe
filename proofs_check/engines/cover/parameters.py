"""Terms that may be witnesses of an existence claim: solutions, bounds, best points and simple terms of the parameters.

Nothing here is believed: a term counts once the body is proved at it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

import sympy as sp
from sympy import Abs, And, Expr, I, Interval, Max, Min, Or, Pow, Set, Symbol, exp, oo, solve, sqrt
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean, Implies

from theory.language.formulas import clauses
from theory.language.functions import entry_of
from theory.temporal import Exists, ForAll

_MOST_OPERATIONS = 60
_MOST_PARAMETERS = 4
_FEW = 12
_HALF = sp.Rational(1, 2)


def solutions(equation: Eq, symbol: Symbol) -> list[Expr]:
    """Numbers that satisfy an equation: roots of factors of low degree, or what inverse functions give.

    >>> x, y = sp.symbols("x y")
    >>> solutions(Eq(y / (1 + y), x), y), solutions(Eq(1 / (1 + exp(-y)), x), y)
    ([-x/(x - 1)], [-log(-1 + 1/x)])
    """
    if equation.count_ops() > _MOST_OPERATIONS:
        return []
    found: list[Expr] = []
    numerator = sp.together(equation.lhs - equation.rhs).as_numer_denom()[0]
    polynomial = numerator.as_poly(symbol)
    if polynomial is None or any(c.has(symbol) for c in polynomial.all_coeffs()):
        for side, other in (equation.args, equation.args[::-1]):
            if not other.has(symbol):
                found += _inverted(side, other, symbol)
        return (found or _through_a_function(numerator, symbol))[:6]
    for factor, _ in sp.factor_list(numerator)[1]:
        part = factor.as_poly(symbol)
        powers = [] if part is None else [power for (power,) in part.monoms() if power]
        if powers and (part.degree() <= 2 or len(powers) == 1):
            found += [value for value in solve(part.as_expr(), symbol) if not value.has(I)]
    return found[:6]


def _through_a_function(numerator: Expr, symbol: Symbol) -> list[Expr]:
    """Roots of a quadratic polynomial in one function of the symbol, by the inverse of that function.

    >>> x, y = sp.symbols("x y")
    >>> solutions(Eq(exp(y) - exp(-y), x), y)[1]
    log(x/2 + sqrt(x**2 + 4)/2)
    """
    calls = {call for call in numerator.atoms(sp.Function) if call.has(symbol)}
    calls = {exp(symbol) if isinstance(call, exp) else call for call in calls}
    for call in sorted(calls, key=str):
        part = numerator.as_poly(call)
        if part is not None and part.degree() <= 2 and not any(c.has(symbol) for c in part.all_coeffs()):
            unknown = sp.Dummy()
            roots = solve(part.as_expr().xreplace({call: unknown, call**2: unknown**2}), unknown)
            return [found for root in roots if not root.has(I) for found in _inverted(call, root, symbol)]
    return []


def _inverted(term: Expr, value: Expr, symbol: Symbol) -> list[Expr]:
    """Values of the symbol at which a term in which it occurs once has the given value."""
    if term == symbol:
        return [value]
    inner = [part for part in term.args if part.has(symbol)]
    if len(inner) != 1:
        return []
    part = inner[0]
    if term.is_Add or term.is_Mul:
        rest = term.func(*[other for other in term.args if other != part])
        undone: Sequence[Expr] = [value - rest if term.is_Add else value / rest]
    elif isinstance(term, Pow) and part == term.base and term.exp.is_Rational:
        root = value ** (1 / term.exp)
        undone = [root, -root] if (1 / term.exp).q == 2 else [root]
    elif isinstance(term, Pow) and part == term.exp:
        undone = [sp.log(value) / sp.log(term.base)]
    else:
        undone = _undone(term, value)
    return [found for inside in undone for found in _inverted(part, inside, symbol)]


def _undone(term: Expr, value: Expr) -> Sequence[Expr]:
    """Arguments at which a function has a value, by its inverse; areas are written with logarithms."""
    if isinstance(term, Abs):
        return [value, -value]
    entry = entry_of(term)
    if entry is None or entry.inverse is None or len(term.args) != 1:
        return ()
    found = entry.inverse(value)
    return [found.rewrite(sp.log) if isinstance(found, sp.atanh) else found]


def likely_terms(claim: Exists) -> Iterator[Expr]:
    """Terms that the body itself suggests: solutions of its equations, bounds, best points."""
    yield from _of_system(claim)
    for equation in sorted(claim.body.atoms(Eq), key=str):
        if claim.symbol in equation.free_symbols:
            yield from solutions(equation, claim.symbol)
    yield from _from_bounds(claim)
    yield from _best_points(claim)


def _of_system(claim: Exists) -> Iterator[Expr]:
    """The solution of several linear equations for several promised numbers."""
    symbols, body = [claim.symbol], claim.body
    while isinstance(body, Exists):
        symbols, body = [*symbols, body.symbol], body.body
    equations = [part for part in clauses(body) if isinstance(part, Eq)]
    if len(symbols) > 1 and equations and sum(int(e.count_ops()) for e in equations) < _MOST_OPERATIONS:
        gaps = [equation.lhs - equation.rhs for equation in equations]
        if all(gap.is_polynomial(*symbols) and sp.Poly(gap, *symbols).total_degree() <= 1 for gap in gaps):
            for point in sp.linsolve(gaps, symbols):
                free = dict.fromkeys(symbols, sp.S.Zero)
                yield point[0].subs(free)


def _relations(formula: Boolean, over: dict[Symbol, Set]) -> Iterator[tuple[Relational, dict[Symbol, Set]]]:
    """The relations of a body, with the symbols over which they are claimed."""
    if isinstance(formula, Relational):
        yield formula, over
    elif isinstance(formula, (And, Or)):
        for part in formula.args:
            yield from _relations(part, over)
    elif isinstance(formula, Implies):
        yield from _relations(formula.args[1], over)
    elif isinstance(formula, ForAll):
        yield from _relations(formula.body, {**over, formula.symbol: formula.domain})


def _from_bounds(claim: Exists) -> Iterator[Expr]:
    """Bounds that relations set to the promised number, extreme over what they are claimed for, and numbers beyond."""
    lower, upper, beyond = list[Expr](), list[Expr](), list[Expr]()
    for relation, over in _relations(claim.body, {}):
        if not isinstance(relation, (Ge, Gt, Le, Lt)):
            continue
        slope = sp.expand((relation.gts - relation.lts).diff(claim.symbol))
        offset = sp.expand(relation.gts - relation.lts - slope * claim.symbol)
        if slope == 0 or slope.free_symbols & set(over):
            continue
        if slope.has(claim.symbol) or offset.has(claim.symbol):
            more = Eq(relation.gts, relation.lts + 1, evaluate=False), Eq(relation.gts, relation.lts, evaluate=False)
            beyond += [] if over else [value for equation in more for value in solutions(equation, claim.symbol)]
            continue
        values = list(_extremes(-offset / slope, over))
        for target in (lower, upper) if not slope.is_number else ((lower,) if slope > 0 else (upper,)):
            target.extend(values)
    domain = claim.domain
    if isinstance(domain, Interval):
        lower += [domain.start] if domain.start is not -oo else []
        upper += [domain.end] if domain.end is not oo else []
    yield from beyond
    yield from lower
    yield from upper
    for low in lower:
        for high in upper:
            yield (low + high) / 2
    if lower:
        yield sum((Abs(value) for value in lower), sp.Integer(1))
        yield Max(*lower) + 1
    if upper:
        yield -sum((Abs(value) for value in upper), sp.Integer(1))
        yield Min(*upper) - 1
        yield Min(*upper) / 2


def _extremes(term: Expr, over: dict[Symbol, Set]) -> Iterator[Expr]:
    """Values of a term at its stationary points and at the ends of the domains."""
    if not over:
        yield term
        return
    (symbol, domain), rest = next(iter(over.items())), dict(list(over.items())[1:])
    places = list(_stationary(term, symbol))
    places += [end for end in (domain.inf, domain.sup) if end.is_finite]
    for place in places:
        value = term.subs(symbol, place)
        if value.is_finite is not False:
            yield from _extremes(value, rest)


def _stationary(term: Expr, symbol: Symbol) -> list[Expr]:
    slope = sp.diff(term, symbol) if symbol in term.free_symbols else sp.S.Zero
    return solutions(Eq(slope, 0, evaluate=False), symbol) if slope.has(symbol) else []


def _best_points(claim: Exists) -> Iterator[Expr]:
    """Where a term that is compared with its own values elsewhere is stationary."""
    for relation, over in _relations(claim.body, {}):
        for symbol in over:
            yield from _stationary(relation.lhs - relation.rhs, symbol)


def simple_terms(parameters: Sequence[Symbol]) -> Iterator[Expr]:
    """Simple terms of one, two or all parameters."""
    few = list(parameters)[:_MOST_PARAMETERS]
    for p in few:
        yield from (p, -p, p + 1, p - 1, Abs(p) + 1, -Abs(p) - 1, Abs(p), -Abs(p), 2 * p, p / 2, 1 / p, 1 / (2 * p))
        yield from (p**2 + 1, -(p**2) - 1, p**2, sqrt(p), (p + 1) / 2, Min(1, p), Min(1, p / 4), p / 4, 2 / p)
    for p, q in combinations(few, 2):
        yield from ((p + q) / 2, p + q, p * q, Max(p, q), Min(p, q), Max(p, q) + 1, sqrt(p * q))
    for p, q in permutations(few, 2):
        yield from (p - q, p / q, p / (2 * q))
    yield from large_and_small_terms(few)


def large_and_small_terms(parameters: Sequence[Symbol]) -> Iterator[Expr]:
    """Terms that are larger than every parameter, or nearly zero, whatever the parameters are."""
    if parameters:
        total = sum((Abs(p) for p in parameters), sp.Integer(1))
        yield from (total, -total, 1 / total, exp(-total), 2 * total, total**2, -(total**2), 1 - 1 / total)


def end_terms(claim: Exists, variables: Sequence[Symbol]) -> Iterator[Expr]:
    """Terms between which an equation may change its sign: ends of the domain, terms of the parameters, numbers."""
    domain = claim.domain
    low, high = domain.inf, domain.sup
    ends = ((low, domain.left_open), (high, domain.right_open))
    yield from (end for end, is_open in ends if end.is_finite and not is_open)
    numbers = [sp.Integer(k) for k in (0, 1, -1, 2, -2, 10, -10)]
    if low.is_finite and high.is_finite:
        numbers = [low + (high - low) * sp.Rational(k, 8) for k in (4, 1, 7, 2, 6)]
    elif low.is_finite or high.is_finite:
        steps = (1, _HALF, 2, 10, sp.Rational(1, 10))
        numbers = [low + step if low.is_finite else high - step for step in steps]
    parameters = [v for v in variables if v in claim.free_symbols]
    terms = dict.fromkeys([*large_and_small_terms(parameters), *simple_terms(parameters)])
    for offset, sign in ((low, 1), (high, -1)):
        if offset.is_finite and offset != 0:
            yield from (offset + sign * term for term in large_and_small_terms(parameters))
    yield from (*list(terms)[:_FEW], *numbers, *list(terms)[_FEW:])
