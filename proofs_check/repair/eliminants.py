"""Where a constant of a statement can stop working: exact candidate values, by elimination.

A plain statement changes from true to false where its conclusion touches equality at a critical point of the
hypothesis set: on some of its boundaries, and stationary along them. Eliminating the variables leaves an equation for
the constant. A claim of convergence changes where the multiplier of its target is 1 or -1. Candidates are only
guesses; whoever uses one proves both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import combinations, product

import sympy as sp
from sympy import And, Expr, Matrix, Mul, Rational, Symbol
from sympy.core.relational import Relational
from sympy.polys.polyerrors import BasePolynomialError

from proofs_check.budget import PATIENCE
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.candidate_values import place, small_polynomial, zeros
from proofs_check.repair.critical_values import at_once, critical_values
from theory.domains import membership
from theory.dynamics import Map
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import ConvergesTo

_MOST_SYSTEMS = 60
_MOST_VARIABLES = 3
_MOST_PROJECTED = 12
_LARGEST_DEGREE = 24
_LONGEST = 120
"""Operations of the equations with roots or other functions that are worth bringing to one denominator."""
_DIGITS = 40
FAILURES = (BasePolynomialError, ArithmeticError, NotImplementedError, ValueError, TypeError, AttributeError, KeyError)
"""How SymPy's algebra ends where it cannot go on."""
_LOOK = 0.5
"""Seconds for one look at limits and stationary values, which SymPy may be lost in."""


def candidates(statement: Statement, constant: Symbol) -> list[Expr]:
    """Exact values at which the statement may stop being true, in increasing order.

    >>> from sympy import Interval
    >>> from theory.statements import Constant
    >>> x, c = Symbol("x"), Symbol("c")
    >>> claim = Statement(variables={x: Interval(0, c)}, then=x**2 <= 2, constants=(Constant(c, 1, best="largest"),))
    >>> candidates(claim, c)
    [-sqrt(2), sqrt(2)]
    """
    if statement.speaks_of_spaces:
        return []
    others = {symbol: value for symbol, value in statement.stated.items() if symbol != constant}
    found: list[Expr] = []
    for equation in _equations(at_once(statement), constant, others):
        if equation.free_symbols == {constant}:
            found += attempted(partial(_zeros, equation, constant))
    found += attempted(lambda: multiplier_candidates(statement, constant, others))
    found += attempted(lambda: _guesses(statement, constant, others))
    for look in critical_values(statement, constant):
        with suppress(OutOfTimeError), at_most(2 * PATIENCE * _LOOK, work=_LOOK):
            found += attempted(look)
    places = {value: place(value) for value in found if value.is_number}
    distinct = {near: value for value, near in places.items() if near is not None}
    return [distinct[key] for key in sorted(distinct)]


def fences(statement: Statement, constant: Symbol) -> list[Expr]:
    """All values of the constant at which a plain polynomial statement can change its truth, by projection.

    Between two neighbours no polynomial of the statement, its hypotheses and domains loses degree, gets a double zero
    or meets another one as a function of the variables. Nothing for statements with other functions or many variables.

    >>> from sympy import Interval
    >>> from theory.statements import Constant
    >>> x, c = Symbol("x"), Symbol("c")
    >>> bound = Constant(c, 1, best="smallest")
    >>> fences(Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= c, constants=(bound,)), c)
    [0, 1/4]
    """
    others = {symbol: value for symbol, value in statement.stated.items() if symbol != constant}
    domains = [membership(symbol, domain) for symbol, domain in statement.variables.items()]
    parts = [part.subs(others) for part in (*domains, *statement.given, statement.then)]
    relations = {relation for part in parts for relation in part.atoms(Relational)}
    if statement.dynamics is not None or len(statement.variables) > _MOST_VARIABLES:
        return []
    symbols = (*statement.variables, constant)
    gaps = [sp.fraction(sp.together(relation.lhs - relation.rhs)) for relation in relations]
    kept = {factor for gap in gaps for side in gap for factor in _irreducible(side, symbols)}
    for symbol in statement.variables:
        kept = _projected(kept, symbol, symbols)
    found = [value for factor in sorted(kept, key=str) for value in zeros(factor, constant)[0]]
    return sorted(dict.fromkeys(found), key=lambda value: place(value) or 0)


def _irreducible(expression: Expr, symbols: Sequence[Symbol]) -> list[Expr]:
    factors = sp.factor_list(expression, *symbols)[1]
    return [factor for factor, _ in factors if factor.free_symbols & set(symbols)]


def _projected(polynomials: set[Expr], symbol: Symbol, symbols: Sequence[Symbol]) -> set[Expr]:
    """Coefficients, discriminants and resultants of polynomials as polynomials of one symbol."""
    about = sorted((part for part in polynomials if symbol in part.free_symbols), key=str)
    if len(about) > _MOST_PROJECTED:
        raise NotImplementedError("too many polynomials")
    found = [coefficient for part in about for coefficient in sp.Poly(part, symbol).all_coeffs()]
    found += [sp.discriminant(part, symbol) for part in about if sp.Poly(part, symbol).degree() > 1]
    found += [sp.resultant(one, other, symbol) for one, other in combinations(about, 2)]
    factors = {factor for part in found if part != 0 for factor in _irreducible(part, symbols)}
    return factors | {part for part in polynomials if symbol not in part.free_symbols}


def attempted(look: Callable[[], Iterable[Expr]]) -> list[Expr]:
    """What a look for guesses finds, nothing where SymPy's algebra fails: a guess less, never a verdict less.

    >>> attempted(lambda: [sp.Poly(sp.sqrt(Symbol("x")) + 1 / Symbol("x"), Symbol("x")).LC()])
    []
    """
    try:
        return list(look())
    except FAILURES:
        return []


def _zeros(equation: Expr, constant: Symbol) -> list[Expr]:
    return zeros(equation, constant)[0]


def _equations(statement: Statement, constant: Symbol, others: dict[Symbol, Expr]) -> Iterator[Expr]:
    """Equations for the constant alone, one for each conclusion and set of active hypotheses."""
    domains = [membership(symbol, domain) for symbol, domain in statement.variables.items()]
    known = [part.subs(others) for part in clauses(And(*domains, *statement.given))]
    boundaries = [part.lhs - part.rhs for part in known if isinstance(part, Relational)]
    conclusions = [relation.lhs - relation.rhs for relation in statement.then.subs(others).atoms(Relational)]
    yield from (value for value in (*boundaries, *conclusions))
    variables = list(statement.variables)
    systems = 0
    for count in range(min(len(variables), _MOST_VARIABLES) + 1):
        for active in combinations(boundaries, count):
            for margin in conclusions:
                systems += 1
                if systems > _MOST_SYSTEMS:
                    return
                system = [margin, *active]
                yield from attempted(partial(_eliminated, system, variables, constant))


def _eliminated(equations: Sequence[Expr], variables: Sequence[Symbol], constant: Symbol) -> Iterator[Expr]:
    """What remains for the constant when the variables are eliminated from the critical equations."""
    present = [symbol for symbol in variables if any(symbol in equation.free_symbols for equation in equations)]
    free = len(present) - (len(equations) - 1)
    others = [equation for equation in equations if not equation.is_rational_function(*present)]
    if others and (free > 0 or sum(equation.count_ops() for equation in others) > _LONGEST):
        return
    system = [sp.fraction(sp.together(equation))[0] for equation in equations]
    if free > 0:
        if len(present) > _MOST_VARIABLES:
            return
        rows = Matrix([[sp.diff(equation, symbol) for symbol in present] for equation in system])
        minors = combinations(range(len(present)), len(equations))
        system += [sp.fraction(sp.together(rows[:, list(columns)].det()))[0] for columns in minors]
    for factors in (_about, _beside):
        found = _chain(system, present, partial(factors, constant=constant))
        telling = [equation for equation in found if equation.free_symbols == {constant}]
        yield from telling
        polynomials = [small_polynomial(equation, constant) for equation in telling]
        if any(polynomial is None or not polynomial.is_monomial for polynomial in polynomials):
            return


def _chain(system: list[Expr], variables: Sequence[Symbol], factors: Callable[[Expr], Expr]) -> list[Expr]:
    """The system with the variables eliminated one after the other; nothing where that takes too large polynomials."""
    for symbol in variables:
        reduced = _without(system, symbol, factors)
        if reduced is None:
            return []
        system = reduced
    return system


def _without(system: list[Expr], symbol: Symbol, factors: Callable[[Expr], Expr]) -> list[Expr] | None:
    """The system with one variable eliminated: by substitution where an equation is linear in it, else resultants."""
    containing = [equation for equation in system if symbol in equation.free_symbols]
    rest = [equation for equation in system if symbol not in equation.free_symbols]
    if not containing:
        return rest
    for equation in containing:
        polynomial = small_polynomial(equation, symbol)
        if polynomial is not None and polynomial.degree() == 1 and not polynomial.LC().free_symbols:
            slope, offset = polynomial.all_coeffs()
            replaced = [other.subs(symbol, -offset / slope) for other in containing if other is not equation]
            return rest + [factors(sp.fraction(sp.together(value))[0]) for value in replaced]
    polynomials = [small_polynomial(equation, symbol) for equation in containing]
    if any(polynomial is None or polynomial.degree() > _LARGEST_DEGREE for polynomial in polynomials):
        return None
    first, *others = sorted(containing, key=lambda equation: small_polynomial(equation, symbol).degree())  # type: ignore[union-attr]
    return rest + [factors(sp.resultant(first, other, symbol)) for other in others]


def _beside(eliminant: Expr, constant: Symbol) -> Expr:
    """The factors that are no power of the constant: where those that tell of it only say that it is 0.

    >>> c, x = Symbol("c"), Symbol("x")
    >>> _beside(c * (2 * x - 1), c), _about(c * (2 * x - 1), c)
    (2*x - 1, c)
    """
    if not eliminant.is_polynomial():
        return eliminant
    factors = [factor for factor, _ in sp.factor_list(eliminant)[1] if factor != constant]
    return Mul(*factors) if factors else eliminant


def _about(eliminant: Expr, constant: Symbol) -> Expr:
    """The factors that tell something about the constant; the others belong to degenerate points."""
    if not eliminant.is_polynomial():
        return eliminant
    factors = [factor for factor, _ in sp.factor_list(eliminant)[1] if constant in factor.free_symbols]
    return Mul(*factors) if factors else eliminant


def _bounded(statement: Statement, constant: Symbol) -> list[Symbol]:
    """The variables whose domain ends at the constant."""
    return [symbol for symbol, domain in statement.variables.items() if constant in domain.free_symbols]


def _guesses(statement: Statement, constant: Symbol, others: dict[Symbol, Expr]) -> list[Expr]:
    """Zeros of the conclusions at the end of a variable's range, the other variables set to 1."""
    found: list[Expr] = []
    for symbol in _bounded(statement, constant):
        for relation in statement.then.subs(others).atoms(Relational):
            if symbol in relation.free_symbols and not statement.then.has(ConvergesTo):
                found += _crossings(relation.lhs - relation.rhs, symbol)
    return found


def multiplier_candidates(statement: Statement, constant: Symbol, others: dict[Symbol, Expr]) -> list[Expr]:
    """Values of a bounded variable, or of a bound in a hypothesis, where the target's multiplier is 1 or -1.

    >>> from sympy import Interval
    >>> from theory.statements import Constant
    >>> x, a, r, c = (Symbol(name) for name in "xarc")
    >>> claim = Statement(dynamics=Map((x,), (r * x * (1 - x),)), start={x: a},
    ...     variables={a: Interval.open(0, 1), r: Interval.open(1, c)}, then=ConvergesTo(x, 1 - 1 / r),
    ...     constants=(Constant(c, 2, best="largest"),))
    >>> multiplier_candidates(claim, c, {})
    [1, 3]
    """
    dynamics = statement.dynamics
    if not isinstance(dynamics, Map) or len(dynamics.state) != 1:
        return []
    bounded = _bounded(statement, constant)
    (x,) = dynamics.state
    slope = sp.diff(dynamics.update[0].subs(others), x)
    found: list[Expr] = []
    for claim in statement.then.atoms(ConvergesTo):
        if claim.quantity != sp.Tuple(x):
            continue
        multiplier = Mul(*[slope.subs(x, point[0].subs(others)) for point in claim.points])
        for symbol in bounded or [constant]:
            found += [*_crossings(multiplier - 1, symbol), *_crossings(multiplier + 1, symbol)]
        limits = [part for part in statement.given if isinstance(part, Relational) and part.has(constant)]
        for limit, edge in product(limits, (-1, 1)):
            system = [multiplier - edge, (limit.lhs - limit.rhs).subs(others)]
            left = _chain(system, list(statement.variables), partial(_about, constant=constant))
            found += [zero for rest in left if rest.free_symbols == {constant} for zero in _zeros(rest, constant)]
    return sorted(set(found), key=lambda value: float(value.evalf(20)))


def _crossings(expression: Expr, symbol: Symbol) -> list[Expr]:
    """Algebraic numbers at which an expression vanishes, the other symbols set to 1: guessed from 40 digits."""
    single = expression.subs(dict.fromkeys(expression.free_symbols - {symbol}, 1))
    exact, searched = zeros(single, symbol)
    guessed = (recognised(single, symbol, near) for near in searched)
    return [*exact, *(value for value in guessed if value is not None)]


def recognised(expression: Expr, symbol: Symbol, near: float) -> Expr | None:
    """The algebraic number of small degree and height to which a zero near the value agrees in 40 digits.

    >>> x = Symbol("x")
    >>> recognised(sp.sqrt(x**2 + 2 * x - 3) - 1, x, 1.236)
    -1 + sqrt(5)
    """
    import mpmath

    function = sp.lambdify(symbol, expression, modules="mpmath")
    with mpmath.workdps(_DIGITS + 10):
        try:
            root = mpmath.findroot(function, near)
        except (ValueError, ZeroDivisionError, TypeError):
            return None
        if abs(mpmath.im(root)) > mpmath.mpf(10) ** -_DIGITS or abs(mpmath.re(root) - near) > 1e-3 * (1 + abs(near)):
            return None
        real = mpmath.re(root)
        for degree in (1, 2, 3, 4):
            coefficients = mpmath.findpoly(real, degree, maxcoeff=2000, tol=mpmath.mpf(10) ** (-_DIGITS + 5))
            if coefficients:
                polynomial = sum(int(number) * symbol**power for power, number in enumerate(reversed(coefficients)))
                roots = zeros(polynomial, symbol)[0]
                return min(roots, key=lambda value: abs(value.evalf(30) - Rational(str(real))), default=None)
    return None
