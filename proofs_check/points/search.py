"""Exact points of a set given by plain formulas: choose nice numbers variable by variable, solve for the last one.

Equalities are solved, not sampled: linear ones are substituted, several nonlinear ones are projected by resultants,
and the last variable of each takes the exact zeros. A point is only returned when `exact.holds` confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice

import sympy as sp
from sympy import And, Eq, Expr, Or, Rational, Set, Symbol, false, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanFalse

from proofs_check import clock
from proofs_check.points.candidate_values import candidates, small_polynomial
from proofs_check.points.exact import holds
from proofs_check.points.rationals import near
from theory.domains import is_discrete, membership
from theory.language.formulas import clauses
from theory.temporal import Exists

Point = dict[Symbol, Expr]

_BREADTHS = (1, 3, 8, 20)
_LARGEST_RESULTANT = 12
_LARGEST_EXPONENT = 2000
_EVERY = 10**3
_FEW = 8
_AT_LEAST = 40
"""So many nodes are visited even when a cold start has used up the time."""
_GRACE = 0.2
"""Seconds of computing beyond the time given that these nodes may take."""


@dataclass
class Search:
    """The search for one point of `formula` over `variables`, until the clock of searches passes `deadline`.

    >>> x, y = sp.symbols("x y")
    >>> Search({x: sp.Reals, y: sp.Reals}, sp.And(Eq(x + y, 3), Eq(x * y, 2), x > y)).find()
    {x: 2, y: 1}
    """

    variables: Mapping[Symbol, Set]
    formula: Boolean
    deadline: float = float("inf")
    hints: Sequence[Mapping[Symbol, float | Fraction]] = ()
    _tried: int = field(default=0, init=False)
    _last: float = field(default=float("inf"), init=False)
    _known: dict[tuple[Symbol, tuple[Boolean, ...]], list[Expr]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        domains = [membership(symbol, domain) for symbol, domain in self.variables.items()]
        self.variables, self.formula = opened(self.variables, And(self.formula, *domains))

    def find(self) -> Point | None:
        """The first point found, nice ones first; None when the search ends without one."""
        return next(self.points(), None)

    def points(self) -> Iterator[Point]:
        """Confirmed points; the hints are rounded first, then nice numbers are tried."""
        self._last = max(clock.now(), self.deadline) + _GRACE
        for hints in (self.hints, ()) if self.hints else ((),):
            for branch in branches(self.formula):
                if not self._late:
                    yield from self._in_branch(branch, hints)

    def _in_branch(self, branch: Boolean, hints: Sequence[Mapping[Symbol, float | Fraction]]) -> Iterator[Point]:
        solved, rest = substitute_linear(branch, list(self.variables))
        free = [symbol for symbol in self.variables if symbol not in solved]
        rest = And(rest, *projections(rest), *shadows(rest, free))
        for breadth, tolerance in zip(_BREADTHS, (0.2, 1e-2, 1e-4, 1e-9), strict=True):
            for hint in hints or ({},):
                for order in _orders(free, rest):
                    for point in self._extend(order, rest, {}, breadth, hint, tolerance):
                        whole = complete(point, solved)
                        if whole is not None and holds(self.formula, whole) is True and self._in_domains(whole):
                            yield {symbol: whole[symbol] for symbol in self.variables}
                    if self._late:
                        return
            if len(free) < 2 and not hints:
                return

    @cached_property
    def _inside_functions(self) -> set[Symbol]:
        """Variables whose huge values SymPy would try to spell out."""
        functions = {part for part in self.formula.atoms(sp.Function) if not isinstance(part, (sp.Abs, sp.Max, sp.Min))}
        exponents = {power.exp for power in self.formula.atoms(sp.Pow)}
        return set().union(*(part.free_symbols for part in functions | exponents))

    @property
    def _late(self) -> bool:
        now = clock.now()
        return now > self._last or (now > self.deadline and self._tried > _AT_LEAST)

    def _in_domains(self, point: Point) -> bool:
        return all(point[symbol].is_integer is True for symbol, domain in self.variables.items() if is_discrete(domain))

    def _extend(
        self, order: Sequence[Symbol], rest: Boolean, chosen: Point, breadth: int,
        hint: Mapping[Symbol, float | Fraction], tolerance: float,
    ) -> Iterator[Point]:  # fmt: skip
        self._tried += 1
        if isinstance(rest, BooleanFalse) or self._late:
            return
        if not order:
            yield chosen
            return
        variable, later = order[0], order[1:]
        for value in self._values(variable, rest, breadth if later else _EVERY, hint, tolerance):
            try:
                now = substituted(rest, variable, value) if later else true
            except ValueError:  # SymPy 1.14 trips over square roots of some large integers
                continue
            yield from self._extend(later, now, {**chosen, variable: value}, breadth, hint, tolerance)

    def _values(
        self, variable: Symbol, rest: Boolean, breadth: int, hint: Mapping[Symbol, float | Fraction], tolerance: float
    ) -> Iterator[Expr]:
        domain = self.variables[variable]
        alone = [part for part in clauses(rest) if part.free_symbols == {variable}]
        found = self._candidates(variable, tuple(alone))
        guess = hint.get(variable)
        if guess is not None:
            rounded = near(guess, tolerance)
            if is_discrete(domain):
                rounded = Fraction(round(guess))
            found = [Rational(rounded.numerator, rounded.denominator), *found]
            if breadth < _EVERY:
                breadth = 1 + breadth // 8
        good = self._good(variable, found, alone)
        return good if breadth >= _EVERY else iter(_spread(good, breadth))

    def _candidates(self, variable: Symbol, alone: tuple[Boolean, ...]) -> list[Expr]:
        """Values worth trying; the same relations come back in every round of the search."""
        if (variable, alone) not in self._known:
            domain = self.variables[variable]
            largest = _LARGEST_EXPONENT if variable in self._inside_functions else None
            self._known[variable, alone] = candidates(variable, domain, alone, is_discrete(domain), largest)
        return self._known[variable, alone]

    def _good(self, variable: Symbol, values: Sequence[Expr], alone: Sequence[Boolean]) -> Iterator[Expr]:
        for value in values:
            if self._late:
                return
            if all(holds(part, {variable: value}) is not False for part in alone):
                yield value


def substituted(formula: Boolean, variable: Symbol, value: Expr) -> Boolean:
    """Substitution that evaluates relations between rationals only: SymPy would try hard to decide the others."""
    if variable not in formula.free_symbols:
        return formula
    if isinstance(formula, Relational):
        try:
            left, right = (side.subs(variable, value) for side in formula.args)
        except (TypeError, ValueError):  # a branch or a maximum of what is not real
            return false
        if left.has(sp.nan, sp.zoo) or right.has(sp.nan, sp.zoo):
            return false
        return formula.func(left, right, evaluate=left.is_Rational and right.is_Rational)
    return formula.func(*[substituted(part, variable, value) for part in formula.args])


def _spread(values: Iterator[Expr], count: int) -> list[Expr]:
    """The nicest values, and when many are wanted a quarter of them evenly spaced over the others by size."""
    if count <= _FEW:
        return list(islice(values, count))
    nice = list(islice(values, (3 * count + 3) // 4))
    rest = sorted(values, key=lambda number: float(number.evalf(17)))
    if len(nice) + len(rest) <= count:
        return nice + rest
    wanted = count - len(nice)
    return nice + (rest[len(rest) // wanted // 2 :: max(1, len(rest) // wanted)] if wanted else [])


def opened(variables: Mapping[Symbol, Set], formula: Boolean) -> tuple[dict[Symbol, Set], Boolean]:
    """Existential quantifiers at the top level of a conjunction become variables."""
    known, parts = dict(variables), []
    pending = list(clauses(formula))
    while pending:
        part = pending.pop(0)
        if isinstance(part, Exists) and part.symbol not in known:
            known[part.symbol] = part.domain
            pending += clauses(And(membership(part.symbol, part.domain), part.body))
        else:
            parts.append(part)
    return known, And(*parts)


def branches(formula: Boolean, limit: int = 64) -> list[Boolean]:
    """The alternatives of a formula as conjunctions, as far as their number stays within the limit.

    >>> x = Symbol("x")
    >>> len(branches(And(Or(x > 0, x < -1), Or(x > 5, x < -5))))
    4
    """
    formula = sp.to_nnf(formula, simplify=False) if formula.has(sp.Not, sp.Implies, sp.Equivalent) else formula
    if isinstance(formula, Or):
        return [branch for part in formula.args for branch in branches(part, limit)][:limit]
    if not isinstance(formula, And):
        return [formula]
    result: list[Boolean] = [true]
    for part in formula.args:
        alternatives = branches(part, limit)
        if len(alternatives) * len(result) > limit:
            alternatives = [part]
        result = [And(left, right) for left in result for right in alternatives]
    return [branch for branch in result if branch is not false]


def substitute_linear(formula: Boolean, variables: Sequence[Symbol]) -> tuple[Point, Boolean]:
    """Variables that an equality gives in terms of the others, and the formula without them.

    >>> x, y, z = sp.symbols("x y z")
    >>> substitute_linear(And(Eq(x + y + z, 1), x > 0), [x, y, z])
    ({z: -x - y + 1}, x > 0)
    """
    solved: Point = {}
    while True:
        found = _isolated(formula, [symbol for symbol in variables if symbol not in solved])
        if found is None:
            return solved, formula
        symbol, value = found
        solved = {name: known.subs(symbol, value) for name, known in solved.items()} | {symbol: value}
        try:
            formula = formula.subs(symbol, value)
        except (TypeError, ValueError):  # a comparison with a number that is not real: nothing satisfies it
            return solved, false
        if formula.has(sp.nan, sp.zoo):
            return solved, false


def _isolated(formula: Boolean, variables: Sequence[Symbol]) -> tuple[Symbol, Expr] | None:
    """The variable with the simplest coefficient among the equalities that are linear in it."""
    best: tuple[int, Symbol, Expr] | None = None
    for part in clauses(formula):
        if not isinstance(part, Eq):
            continue
        for symbol in reversed(variables):
            polynomial = small_polynomial(sp.fraction(sp.together(part.lhs - part.rhs))[0], symbol)
            if polynomial is None or polynomial.degree() != 1:
                continue
            slope, offset = polynomial.all_coeffs()
            rank = slope.count_ops() + 5 * len(slope.free_symbols)
            if best is None or rank < best[0]:
                best = (rank, symbol, -offset / slope)
    return None if best is None else best[1:]


def projections(formula: Boolean) -> list[Boolean]:
    """Equalities that follow from pairs of polynomial equalities by eliminating a variable.

    >>> x, y = sp.symbols("x y")
    >>> projections(And(Eq(x**2 + y**2, 5), Eq(x**2 * y**2, 4)))
    [Eq((y - 2)**2*(y - 1)**2*(y + 1)**2*(y + 2)**2, 0)]
    """
    equations = [sp.fraction(sp.together(part.lhs - part.rhs))[0] for part in clauses(formula)
                 if isinstance(part, Eq)]  # fmt: skip
    derived: list[Boolean] = []
    while len(equations) > 1:
        shared = set.intersection(*(equation.free_symbols for equation in equations))
        usable = [
            symbol for symbol in sorted(shared, key=lambda s: s.name)
            if all(_degree(e, symbol) <= _LARGEST_RESULTANT for e in equations)
        ]  # fmt: skip
        if not usable:
            break
        first = equations[0]
        eliminants = [sp.factor(sp.resultant(first, other, usable[0])) for other in equations[1:]]
        equations = [value for value in eliminants if value.free_symbols]
        derived += [Eq(value, 0) for value in equations]
    return derived


def _degree(expression: Expr, symbol: Symbol) -> float:
    polynomial = small_polynomial(expression, symbol)
    return float("inf") if polynomial is None else float(polynomial.degree())


def shadows(formula: Boolean, variables: Sequence[Symbol], limit: int = 60) -> list[Boolean]:
    """Inequalities that remain when a variable between lower and upper bounds is eliminated, last variables first.

    >>> x, y = sp.symbols("x y")
    >>> shadows(And(y > x, y < 1 - x), [x, y])
    [2*x - 1 < 0]
    >>> shadows(x**2 + y**2 < 1, [x, y])
    [4*x**2 - 4 < 0]
    """
    known = [part for part in clauses(formula) if isinstance(part, (sp.Lt, sp.Le, sp.Gt, sp.Ge, Eq))]
    derived: list[Boolean] = []
    for variable in reversed(variables):
        lower: list[tuple[Expr, bool]] = []
        upper: list[tuple[Expr, bool]] = []
        new: list[Boolean] = []
        for relation in known:
            new += _solvable(relation, variable)
            polynomial = None if isinstance(relation, Eq) else small_polynomial(relation.gts - relation.lts, variable)
            if polynomial is None or polynomial.degree() != 1 or not polynomial.LC().is_Rational:
                continue
            slope, offset = polynomial.all_coeffs()
            (lower if slope > 0 else upper).append((-offset / slope, isinstance(relation, (sp.Lt, sp.Gt))))
        pairs = [(a, b, s or t) for a, s in lower for b, t in upper][: limit - len(derived)]
        new += [sp.Lt(a - b, 0) if strict else sp.Le(a - b, 0) for a, b, strict in pairs]
        derived += [relation for relation in new if relation not in (true, *known)]
        known = [relation for relation in known if variable not in relation.free_symbols]
        known += [relation for relation in new if isinstance(relation, Relational)]
    return derived


def _solvable(relation: Relational, variable: Symbol) -> list[Boolean]:
    """The condition on the others under which a quadratic relation has a solution, where that depends on them."""
    difference = relation.lhs - relation.rhs if isinstance(relation, Eq) else relation.lts - relation.gts
    polynomial = small_polynomial(difference, variable)
    if polynomial is None or polynomial.degree() != 2 or not polynomial.LC().is_Rational:
        return []
    first, second, third = polynomial.all_coeffs()
    needed = sp.expand(4 * first * third - second**2)
    if isinstance(relation, Eq):
        return [sp.Le(needed, 0)]
    strict = isinstance(relation, (sp.Lt, sp.Gt))
    return [] if first < 0 else [sp.Lt(needed, 0) if strict else sp.Le(needed, 0)]


def complete(point: Point, solved: Point) -> Point | None:
    """The point with the solved variables filled in; None where one of them has no finite value."""
    values = {symbol: value.subs(point) for symbol, value in solved.items()}
    if any(
        value.free_symbols or value.is_extended_real is False or value.is_finite is False for value in values.values()
    ):
        return None
    return {**point, **values}


def _orders(free: Sequence[Symbol], formula: Boolean) -> list[list[Symbol]]:
    """Orders of choice: what equalities determine comes last; each variable gets its turn to be solved for."""
    equal = [part for part in clauses(formula) if isinstance(part, Eq)]
    rank = {symbol: max((len(free) - len(part.free_symbols) + 1 for part in equal if symbol in part.free_symbols),
                        default=0) for symbol in free}  # fmt: skip
    first = sorted(free, key=lambda symbol: -rank[symbol] if rank[symbol] == len(free) else rank[symbol])
    rotations = [[s for s in first if s != last] + [last] for last in reversed(first)] if first else [[]]
    return rotations[:4]
