"""What the dynamics leave unchanged: conserved quantities and invariant algebraic sets, decided exactly."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.balls import ball
from theory.errors import LemmascopeError
from theory.language.definedness import continuity, demands
from theory.language.functions import entry_of
from theory.language.spaces import letters
from theory.language.words import Alphabet, Word, columns_of, matrix_of, rows_of, words_up_to
from theory.linear import null_space, row_reduce
from theory.notation import latex
from theory.polynomials import Fraction, NotPolynomialError, Polynomial, Ring, primitive
from theory.regions import real_root_balls, specialised
from theory.scalars import scalar
from theory.systems import Points, decompose

if TYPE_CHECKING:
    from theory.dynamics import Flow, Map

Point = dict[sp.Symbol, sp.Expr]


@dataclass(frozen=True)
class Conservation:
    """Whether a quantity is constant along trajectories; true in a condition only when that is proved.

    ``residual`` is its change (per step or per time); when it is not zero, ``witness`` is a point that shows it.
    """

    holds: bool | None
    quantity: sp.Expr
    residual: sp.Expr
    witness: Point | None = None

    def __bool__(self) -> bool:
        return self.holds is True

    def _repr_latex_(self) -> str:
        sign = {True: "=", False: r"\neq", None: r"\overset{?}{=}"}[self.holds]
        return rf"$\displaystyle {latex(self.quantity)} \colon\; {latex(self.residual)} {sign} 0$"


@dataclass(frozen=True)
class Preservation:
    """Whether trajectories that start on a set stay on it; true in a condition only when that is proved.

    The set is where all ``relations`` vanish; ``witness`` describes points on it that leave. Undecided is also a set
    on which the dynamics may have no value: at a pole there is nothing that stays or leaves.
    """

    holds: bool | None
    relations: tuple[sp.Expr, ...]
    residuals: tuple[sp.Expr, ...]
    witness: tuple[sp.Expr, ...] | None = None

    def __bool__(self) -> bool:
        return self.holds is True

    def _repr_latex_(self) -> str:
        body = r",\; ".join(f"{latex(relation)} = 0" for relation in self.relations)
        word = {True: "preserved", False: "not preserved", None: "undecided"}[self.holds]
        return rf"$\displaystyle {body} \quad \text{{{word}}}$"


def change(dynamics: Map | Flow, quantity: sp.Expr) -> sp.Expr:
    """The change of a quantity in one step of a Map, or its time derivative along a Flow."""
    quantity = scalar(quantity, "quantity")
    known = {*dynamics.state, *dynamics.parameters, dynamics.time}
    if not quantity.free_symbols & set(dynamics.state):
        raise LemmascopeError(f"{quantity} does not contain any of the state {dynamics.state}")
    if not dynamics.discrete:
        return dynamics.derivative_along(quantity)
    after = dict(zip(dynamics.state, dynamics.update, strict=True))
    if dynamics.time in known and dynamics.time is not None:
        after[dynamics.time] = dynamics.time + 1
    return quantity.subs(after, simultaneous=True) - quantity


def conserves(dynamics: Map | Flow, quantity: sp.Expr) -> Conservation:
    """Decide whether the quantity is constant along every trajectory.

    A change of zero is not enough along a flow where the quantity may jump: Piecewise((1, x < 0), (2, True)) and
    atan(x) + atan(1/x) have the derivative 0, and other values on the other side of 0.

    >>> from theory.dynamics import gradient_flow
    >>> u, v = sp.symbols("u v", real=True)
    >>> flow = gradient_flow((u * v - 1) ** 2, (u, v))
    >>> bool(flow.conserves(u**2 - v**2)), flow.conserves(u * v).witness
    (True, {u: 1, v: 0})
    """
    if _has_letters(dynamics):
        return _conserves_words(dynamics, quantity)
    residual = change(dynamics, quantity)
    independent, ring = _with_atoms_as_unknowns(residual)
    if ring.fraction(independent).is_zero:
        return Conservation(True if dynamics.discrete or _never_jumps(quantity) else None, quantity, sp.S.Zero)
    witness = next(_nonzero_points(residual), None)
    return Conservation(False if witness is not None else None, quantity, residual, witness)


def _never_jumps(quantity: sp.Expr) -> bool:
    """Whether a quantity is continuous where it has values, and no function in it is taken of something with a pole."""
    parts = quantity.atoms(sp.Function)
    return continuity(quantity) is not None and not any(demands(part.args) for part in parts)


def _has_letters(dynamics: Map | Flow) -> bool:
    return any(isinstance(symbol, sp.MatrixSymbol) for symbol in dynamics.state)


def _conserves_words(dynamics: Map | Flow, quantity: sp.Basic) -> Conservation:
    """The same for matrices of every size: the change is zero as a sum of words, or not for all matrices."""
    if not letters(quantity) & set(dynamics.state):
        raise LemmascopeError(f"{quantity} does not contain any of the state {dynamics.state}")
    alphabet, moved = Alphabet({}), _matrix_change(dynamics, quantity)
    if not isinstance(quantity, sp.MatrixExpr):
        values = [alphabet.numbers(moved)]
        residual = moved
    else:
        found = alphabet.words(moved)
        values = [alphabet.numbers(value) for value in found.values()]
        residual = matrix_of(found, quantity.shape)
    for value in values:
        ring = Ring(tuple(sorted(value.free_symbols, key=str)))
        if not ring.fraction(value).is_zero:
            return Conservation(False, quantity, residual)
    return Conservation(
        True, quantity, sp.ZeroMatrix(*quantity.shape) if isinstance(quantity, sp.MatrixExpr) else sp.S.Zero
    )


def _matrix_change(dynamics: Map | Flow, quantity: sp.Basic) -> sp.Basic:
    if not dynamics.discrete:
        return dynamics.derivative_along(quantity)
    return quantity.xreplace(dict(zip(dynamics.state, dynamics.update, strict=True))) - quantity


def _conserved_words(dynamics: Map | Flow, max_degree: int) -> tuple[sp.MatrixExpr, ...]:
    """Conserved combinations of words, by linear algebra over the numbers before the words of their changes."""
    alphabet = Alphabet({})
    by_shape: dict[tuple[str, str], list[Word]] = {}
    for word in words_up_to(dynamics.state, max_degree):
        by_shape.setdefault((str(rows_of(word[0])), str(columns_of(word[-1]))), []).append(word)
    found: list[sp.MatrixExpr] = []
    for words in by_shape.values():
        shape = (rows_of(words[0][0]), columns_of(words[0][-1]))
        changes = [alphabet.words(_matrix_change(dynamics, matrix_of({word: sp.S.One}, shape))) for word in words]
        numbers = [{key: alphabet.numbers(value) for key, value in own.items()} for own in changes]
        symbols = set().union(*(value.free_symbols for own in numbers for value in own.values()))
        ring = Ring(tuple(sorted(symbols, key=str)))
        keys = list(dict.fromkeys(key for own in numbers for key in own))
        rows = [[ring.fraction(own.get(key, sp.S.Zero)) for own in numbers] for key in keys]
        for weights in null_space(rows or [[ring.zero] * len(words)], ring, len(words)):
            lead = next(weight for weight in weights if not weight.is_zero)
            chosen = {word: (weight / lead).expression for word, weight in zip(words, weights, strict=True)}
            found.append(matrix_of({word: value for word, value in chosen.items() if value != 0}, shape))
    return tuple(dict.fromkeys(found))


def _with_atoms_as_unknowns(expression: sp.Expr) -> tuple[sp.Expr, Ring]:
    """Read every function value as a new unknown: if that vanishes identically, so does the expression."""
    names: dict[sp.Expr, sp.Symbol] = {}

    def renamed(part: sp.Expr) -> sp.Expr:
        if part.is_Rational or part.is_Symbol:
            return part
        if part.is_Add or part.is_Mul:
            return part.func(*map(renamed, part.args))
        if part.is_Pow and part.exp.is_Integer:
            return renamed(part.base) ** part.exp
        return names.setdefault(part, sp.Dummy())

    result = renamed(expression)
    return result, Ring(tuple(result.free_symbols) or (sp.Dummy(),))


def _nonzero_points(expression: sp.Expr) -> Iterator[Point]:
    """Small points, within the assumptions on the symbols, at which balls exclude the value zero."""
    symbols = sorted(expression.free_symbols, key=lambda symbol: symbol.name)
    values = [sp.Rational(n) for n in (1, 0, 2, -1, 3, -2)]
    choices = ([v for v in values if _obeys(v, symbol)] for symbol in symbols)
    for choice in itertools.islice(itertools.product(*choices), 4000):
        point = dict(zip(symbols, choice, strict=True))
        with flint.ctx.workprec(128):
            value = ball(expression, {symbol: ball(number) for symbol, number in point.items()})
        if value is not None and value.is_finite() and not value.contains(0):
            yield point


def _obeys(value: sp.Expr, symbol: sp.Symbol) -> bool:
    names = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")
    return not any(getattr(symbol, f"is_{name}") and not getattr(value, f"is_{name}") for name in names)


def preserves(dynamics: Map | Flow, relations: Any) -> Preservation:
    """Decide whether the set where all relations (equations, or expressions meant as zero) hold is invariant.

    Membership of the residuals in the ideal of the relations proves it for all parameters, where the dynamics are
    proved to have a value on the whole set; a point of the set that leaves it refutes it. A parameter that divides
    needs an assumption such as positive=True.

    >>> from theory.dynamics import Map, gradient_descent
    >>> x, y, eta = sp.symbols("x y eta", real=True)
    >>> step = gradient_descent((x * y - 1) ** 2 / 2, (x, y), eta)
    >>> bool(step.preserves(sp.Eq(x, y))), step.preserves(sp.Eq(x, 1)).holds
    (True, False)
    >>> Map((x, y), (x / y, y)).preserves([x, y]).holds is None
    True
    """
    equations = tuple(_equations(relations))
    residuals = tuple(change(dynamics, equation) + (equation if dynamics.discrete else 0) for equation in equations)
    symbols = (*dynamics.state, *sorted(_free(equations, residuals) - set(dynamics.state), key=str))
    ring = Ring(symbols)
    numerators = [ring.expression(ring.fraction(residual).numerator) for residual in residuals]
    polynomials = [ring.expression(ring.fraction(equation).numerator) for equation in equations]
    basis = sp.groebner(polynomials, *symbols, order="grevlex", domain=sp.QQ)
    inside = all(basis.contains(numerator) for numerator in numerators)
    if inside and _has_values_on(dynamics, equations, residuals):
        return Preservation(True, equations, tuple(sp.S.Zero for _ in equations))
    witness = _leaving_points(dynamics, equations, residuals)
    return Preservation(False if witness is not None else None, equations, residuals, witness)


def _free(*groups: Iterable[sp.Expr]) -> set[sp.Symbol]:
    return set().union(*(entry.free_symbols for group in groups for entry in group))


def _equations(relations: Any) -> Iterator[sp.Expr]:
    for relation in relations if isinstance(relations, (tuple, list, set)) else (relations,):
        if isinstance(relation, sp.Eq):
            yield relation.lhs - relation.rhs
        elif isinstance(relation, sp.core.relational.Relational):
            raise LemmascopeError(f"preserves() decides equations; state {relation} as Always(...) in a Statement")
        else:
            yield scalar(relation, "relation")


def _has_values_on(dynamics: Map | Flow, equations: tuple[sp.Expr, ...], residuals: tuple[sp.Expr, ...]) -> bool:
    """Whether the dynamics, and the relations one step or an instant later, are proved to have values on the set."""
    own = _divisors(equations)
    asked = [*_divisors((*dynamics.right_side, *residuals))]
    if dynamics.discrete:
        after = dict(zip(dynamics.state, dynamics.update, strict=True))
        asked += [divisor.subs(after, simultaneous=True) for divisor in own]
    else:
        asked, own = [*asked, *own], []
    curve = _Curve(equations, own)
    parts = set().union(*(side.atoms(sp.Pow, sp.Function) for side in (*dynamics.right_side, *residuals)))
    return all(map(_is_total, parts)) and all(map(curve.excludes_zero_of, asked))


def _divisors(expressions: Iterable[sp.Expr]) -> list[sp.Expr]:
    """What the expressions divide by, however it might cancel."""
    powers = set().union(*(expression.atoms(sp.Pow) for expression in expressions))
    return sorted({part.base for part in powers if part.exp.is_Integer and part.exp.is_negative}, key=str)


def _is_total(part: sp.Expr) -> bool:
    """Whether a function or power, but for division, has a real value for every value of its symbols."""
    if isinstance(part, sp.Piecewise):
        return bool(part.args[-1].cond == sp.true)
    if isinstance(part, sp.Pow):
        base = _realised(part.base)
        return bool(part.exp.is_Integer or base.is_positive or (part.exp.is_positive and base.is_nonnegative))
    entry = entry_of(part)
    if isinstance(part, AppliedUndef) or (entry is not None and entry.is_total):
        return True
    return isinstance(part, sp.log) and bool(_realised(part.args[0]).is_positive)


def _realised(expression: sp.Expr) -> sp.Expr:
    """The expression in symbols that are known to be real: states and parameters are."""
    unknown = (symbol for symbol in expression.free_symbols if symbol.is_real is None)
    return expression.xreplace({symbol: sp.Dummy(symbol.name, real=True) for symbol in unknown})


class _Curve:
    """The real points at which equations vanish and what they divide by does not."""

    def __init__(self, equations: tuple[sp.Expr, ...], divisors: list[sp.Expr]) -> None:
        self.equations, self.divisors = equations, divisors

    def excludes_zero_of(self, expression: sp.Expr) -> bool:
        """Whether the expression is proved to be zero nowhere on the set (having no value is excluded elsewhere)."""
        if _realised(expression).is_nonzero:
            return True
        symbols = tuple(sorted(_free(self.equations, self.divisors, [expression]), key=str))
        ring = Ring((*symbols, sp.Dummy("z")))
        try:
            numerator, *divisors = [ring.fraction(part).numerator for part in (expression, *self.divisors)]
            polynomials = [ring.expression(ring.fraction(equation).numerator) for equation in self.equations]
        except NotPolynomialError:
            return False
        inverse = 1 - ring.symbols[-1] * sp.prod(ring.expression(part) for part in divisors)
        return all(
            self._excludes([*polynomials, inverse], ring.expression(factor), ring.symbols)
            for factor, _ in ring.factors(numerator)
        )

    def _excludes(self, polynomials: list[sp.Expr], factor: sp.Expr, symbols: tuple[sp.Symbol, ...]) -> bool:
        basis = sp.groebner(polynomials, *symbols, order="grevlex", domain=sp.QQ)
        on_set = basis.reduce(factor)[1]
        if any(_realised(form).is_nonzero or _has_no_real_root(form) for form in (factor, on_set)):
            return True
        if sp.groebner([*polynomials, factor], *symbols, order="grevlex", domain=sp.QQ).exprs == [1]:
            return True
        found = decompose([*self.equations, factor], symbols[:-1], ())
        parts = found.components
        return not found.unresolved and all(isinstance(part, Points) and not _is_real(part) for part in parts)


def _has_no_real_root(expression: sp.Expr) -> bool:
    """Whether a polynomial in one symbol vanishes for no value that the assumptions on the symbol allow."""
    if len(expression.free_symbols) != 1 or not expression.is_polynomial():
        return False
    (symbol,) = expression.free_symbols
    return not any(_obeys(root, symbol) for root in sp.Poly(expression, symbol).real_roots())


def _leaving_points(
    dynamics: Map | Flow, equations: tuple[sp.Expr, ...], residuals: tuple[sp.Expr, ...]
) -> tuple[sp.Expr, ...] | None:
    """Real algebraic points on the set, at small parameter values, where a residual is not zero."""
    others = sorted(_free(equations, residuals) - set(dynamics.state), key=str)
    kept = dynamics.state[: len(equations)]
    moving = (*dynamics.state[len(equations) :], *others)
    divisors = _divisors((*dynamics.right_side, *residuals, *equations))
    values = [sp.Rational(n) for n in (1, 2, 0, -1, 3)]
    choices = ([v for v in values if _obeys(v, symbol)] for symbol in moving)
    for choice in itertools.islice(itertools.product(*choices), 200):
        at = dict(zip(moving, choice, strict=True))
        if any(divisor.subs(at) == 0 for divisor in divisors):
            continue
        found = decompose([equation.subs(at) for equation in equations], kept, ())
        for part in found.components:
            if not isinstance(part, Points) or not _is_real(part):
                continue
            if not _is_away_from_poles(part, found.ring, divisors, at):
                continue
            for residual in residuals:
                if not part.vanishes(found.ring.fraction(residual.subs(at))):
                    ring, back = found.ring, {part.field.root: part.projection}
                    first = ring.as_fraction(part.field.modulus).substitute(back).numerator
                    named = (
                        ring.as_fraction(ring.generators[s]) - v.substitute(back) for s, v in part.coordinates.items()
                    )
                    shown = [ring.expression(p) for p in (first, *(n.numerator for n in named)) if not p.is_zero()]
                    return (*shown, *(symbol - value for symbol, value in at.items()))
    return None


def _is_away_from_poles(part: Points, ring: Ring, divisors: list[sp.Expr], at: Point) -> bool:
    try:
        return not any(part.vanishes(ring.fraction(divisor.subs(at))) for divisor in divisors)
    except NotPolynomialError:
        return False


def _is_real(part: Points) -> bool:
    modulus = specialised(part.field.ring, part.field.modulus, part.field.root, {})
    return bool(real_root_balls(modulus))


def conserved_quantities(dynamics: Map | Flow, max_degree: int = 2) -> tuple[sp.Expr, ...]:
    """Generators of the polynomial conserved quantities up to a degree, for generic parameters.

    Products of the ones found at lower degree are left out. The search is exhaustive: linear algebra over
    Q(parameters).

    >>> from theory.dynamics import gradient_flow, matrix
    >>> from theory.language.spaces import norm
    >>> u, v = sp.symbols("u v", real=True)
    >>> conserved_quantities(gradient_flow((u * v - 1) ** 2, (u, v)), 4)
    (u**2 - v**2,)
    >>> m, h, n = sp.symbols("m h n")
    >>> A, B, Y = matrix("A", h, n), matrix("B", m, h), matrix("Y", m, n)
    >>> conserved_quantities(gradient_flow(norm(B * A - Y) ** 2 / 2, (A, B)))
    (A*A.T - B.T*B,)
    """
    if max_degree < 1:
        raise LemmascopeError(f"max_degree={max_degree} leaves nothing to search: use 1 or more")
    if _has_letters(dynamics):
        return _conserved_words(dynamics, max_degree)
    ring = Ring((*dynamics.state, *dynamics.parameters))
    kept: list[Polynomial] = []
    for degree in range(1, max_degree + 1):
        monomials = _monomials(ring, dynamics.state, degree)
        candidates = _solutions(dynamics, ring, monomials)
        known = [
            _coordinates(ring, product, dynamics.state, monomials)
            for product in _products(ring, kept, dynamics.state, degree)
        ]
        for candidate in candidates:
            if len(row_reduce([*known, candidate])[1]) > len(row_reduce(known)[1] if known else ()):
                known.append(candidate)
                kept.append(_assembled(ring, candidate, monomials))
    return tuple(ring.expression(quantity) for quantity in kept)


def _monomials(ring: Ring, state: tuple[sp.Symbol, ...], degree: int) -> list[Polynomial]:
    found = []
    for total in range(1, degree + 1):
        for chosen in itertools.combinations_with_replacement(state, total):
            product = ring.context.constant(1)
            for symbol in chosen:
                product *= ring.generators[symbol]
            found.append(product)
    return found


def _solutions(dynamics: Map | Flow, ring: Ring, monomials: list[Polynomial]) -> list[list[Fraction]]:
    try:
        changes = [ring.fraction(change(dynamics, ring.expression(monomial))) for monomial in monomials]
    except NotPolynomialError as reason:
        raise LemmascopeError(f"the search for conserved quantities needs rational dynamics: {reason}") from reason
    common = ring.context.constant(1)
    for fraction in changes:
        common = common / common.gcd(fraction.denominator) * fraction.denominator
    columns = [_by_state(ring, f.numerator * (common / f.denominator), dynamics.state) for f in changes]
    keys = sorted(set().union(*columns))
    rows = [[column.get(key, ring.zero) for column in columns] for key in keys]
    return (
        null_space(rows, ring, len(columns)) if rows else null_space([[ring.zero] * len(columns)], ring, len(columns))
    )


def _by_state(ring: Ring, polynomial: Polynomial, state: tuple[sp.Symbol, ...]) -> dict[tuple[int, ...], Fraction]:
    """The coefficients, in the parameters, of the monomials in the state."""
    count = len(state)
    parts: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
    for powers, number in polynomial.terms():
        parts.setdefault(tuple(powers[:count]), {})[(0,) * count + tuple(powers[count:])] = number
    return {key: ring.as_fraction(ring.context.from_dict(part)) for key, part in parts.items()}


def _coordinates(
    ring: Ring, polynomial: Polynomial, state: tuple[sp.Symbol, ...], monomials: list[Polynomial]
) -> list[Fraction]:
    by_state = _by_state(ring, polynomial, state)
    return [by_state.get(tuple(monomial.monoms()[0][: len(state)]), ring.zero) for monomial in monomials]


def _products(
    ring: Ring, generators: list[Polynomial], state: tuple[sp.Symbol, ...], degree: int
) -> Iterator[Polynomial]:
    """All products of the generators whose degree in the state stays within bounds."""

    def size(polynomial: Polynomial) -> int:
        return max(sum(powers[: len(state)]) for powers in polynomial.monoms())

    def extended(start: int, product: Polynomial, used: int) -> Iterator[Polynomial]:
        for place in range(start, len(generators)):
            total = used + size(generators[place])
            if total <= degree:
                yield product * generators[place]
                yield from extended(place, product * generators[place], total)

    yield from extended(0, ring.context.constant(1), 0)


def _assembled(ring: Ring, weights: list[Fraction], monomials: list[Polynomial]) -> Polynomial:
    total = sum((w * ring.as_fraction(m) for w, m in zip(weights, monomials, strict=True)), ring.zero)
    return primitive(total.numerator)[0]
