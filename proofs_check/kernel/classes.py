"""Statements about functions of a class at finitely many points, proved by interpolation inequalities.

What a class says of two points is the table of Taylor, Hendrickx and Glineur; only its necessity is used here. Values
and inner products of all vectors that a statement speaks of are unknown numbers, and the claim is a nonnegative
combination of what is known of them plus squares of combinations of the vectors. Counterexamples are sums of functions
of one coordinate with piecewise linear derivatives, run exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, permutations
from typing import Any

from sympy import (
    Abs,
    Add,
    And,
    Basic,
    Eq,
    Expr,
    Ge,
    Gt,
    Integer,
    Interval,
    Le,
    Lt,
    MatAdd,
    MatMul,
    MatrixSymbol,
    Mul,
    Ne,
    Not,
    Or,
    Pow,
    Rational,
    Set,
    Symbol,
    ZeroMatrix,
    nan,
    oo,
    sympify,
    true,
    zoo,
)
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.separable import Separable
from theory.domains import membership
from theory.dynamics import Map
from theory.language.classes import (
    Convex,
    ConvexLipschitz,
    FunctionClass,
    FunctionSymbol,
    GradientAt,
    LineSearchPoint,
    MinimiserOf,
    MinimumOf,
    PolyakLojasiewicz,
    ProximalPoint,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    SubgradientAt,
    ValueAt,
    is_positive,
)
from theory.language.formulas import clauses
from theory.language.spaces import Inner, Norm, Vectors
from theory.language.words import fresh_symbols
from theory.polynomials import Fraction, Ring
from theory.statements import Statement
from theory.temporal import After, AtStart
from theory.trees import decode

Number = Any
"""A rational function of the parameters."""
Vector = dict[Any, Number]
Form = dict[Any, Number]
Entry = tuple[Vector, Vector, Form]
"""A point, a (sub)gradient there, and the value."""
Goal = list[tuple[Form, bool]]
"""One of the forms is nonnegative, positive where the mark says so."""

ONE = "one"


class NotReadError(Exception):
    """Something in a statement is not said of values and inner products; the message says what."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether every goal is a nonnegative combination of what is known, or the functions are a counterexample."""
    if "functions" in certificate:
        return fails(statement, certificate)
    if "border" in certificate:
        sides = either_side(statement, decode(certificate["border"]))
        proofs = certificate["proofs"]
        return len(proofs) == 2 and not any(map(_refutes, proofs)) and all(map(check, sides, proofs))
    if "edge" in certificate:
        sides = at_the_edge(statement, certificate["edge"])
        proofs = certificate["proofs"]
        return len(proofs) == 2 and not any(map(_refutes, proofs)) and all(map(check, sides, proofs))
    if "means" in certificate:
        return not _refutes(certificate["means"]) and check(between_means(statement), certificate["means"])
    problem = Problem(statement, certificate.get("signs", ()))
    proofs = certificate["proofs"]
    if len(proofs) != len(problem.goals):
        return False
    return all(problem.shows(goal, proof) for goal, proof in zip(problem.goals, proofs, strict=True))


def _refutes(certificate: Mapping[str, Any]) -> bool:
    return "functions" in certificate


def either_side(statement: Statement, border: Expr) -> tuple[Statement, Statement]:
    """The statement where a polynomial of the parameters is at most zero, and where it is at least zero.

    It has a value everywhere and is one of the two. Twin: a quotient, which may be neither.
    """
    numbers, _ = parameters(statement)
    if not border.free_symbols <= set(numbers) or not border.is_polynomial():
        raise NotReadError("cases are told apart by a polynomial of the parameters")
    sides = (relation(border, 0, evaluate=False) for relation in (Le, Ge))
    low, high = (statement.but(given=(*statement.given, side)) for side in sides)
    return low, high


def at_the_edge(statement: Statement, name: str) -> tuple[Statement, Statement]:
    """The statement for mu < L, and for L in the place of mu, of a class of strongly convex functions.

    For mu > L the class is empty: L |x - y|^2 >= <grad f(x) - grad f(y), x - y> >= mu |x - y|^2. Where mu is put to L
    the statement is the same, if all terms keep a value. Twins: a class in which mu may be larger than L, which is not
    empty; a term such as 1/(L - mu).
    """
    domain = next((space for f, space in statement.variables.items() if str(f) == name), None)
    if not isinstance(domain, SmoothStronglyConvex) or not all(part in statement.variables for part in domain.args):
        raise NotReadError("the edge mu = L is one of a class of strongly convex functions")
    mu, most = domain.args
    if mu == most or not isinstance(statement.dynamics, Map | None) or statement.constants:
        raise NotReadError("the edge mu = L is where two parameters are equal")

    def put(part: Basic) -> Any:
        try:
            found = part.xreplace({mu: most})
        except TypeError:  # SymPy compares nothing with what has no value
            found = nan
        if found.has(nan, zoo, oo, -oo):
            raise NotReadError(f"{part} has no value where {mu} = {most}")
        return found

    moving = statement.dynamics
    if moving is not None:
        moving = Map(moving.state, tuple(map(put, moving.update)), moving.time)
    given = tuple(map(put, (*statement.given, membership(mu, statement.variables[mu]))))
    spaces = {key: space.xreplace({mu: most}) for key, space in statement.variables.items() if key != mu}
    equal = statement.but(
        variables=spaces, given=tuple(part for part in given if part != true), then=put(statement.then),
        dynamics=moving, start={key: put(value) for key, value in statement.start.items()},
    )  # fmt: skip
    return statement.but(given=(*statement.given, Lt(mu, most, evaluate=False))), equal


def between_means(statement: Statement) -> Statement:
    """The statement with c |u| |v| on the larger side of a claim put to c (t |u|^2 + |v|^2 / t) / 2, for every t > 0.

    By the inequality of the arithmetic and the geometric mean c |u| |v| is the least of these numbers or, where u or v
    is 0, their limit; so a weak claim holds iff the new one does for all t. For a norm alone the other is 1. Every
    product has a t of its own: "A(s) or B(t), for all s and t" says "A(s) for all s, or B(t) for all t". Twins: a
    strict claim, which the limit loses; norms with a factor that is not positive, or on the smaller side.
    """
    moving = () if statement.dynamics is None else (*statement.dynamics.right_side, *statement.start.values())
    parts = (statement.then, *statement.given, *moving)
    taken = {str(letter) for part in parts for letter in part.atoms(Symbol, MatrixSymbol)}
    fresh = fresh_symbols(taken | {str(letter) for letter in statement.variables})
    scales: dict[Any, Set] = {}

    def side(of: Expr, sign: int) -> Expr:
        terms = []
        for term in Add.make_args(of):
            factor, rest = term.as_independent(Norm, as_Add=False)
            norms = [part for part in Mul.make_args(rest) if isinstance(part, Norm)]
            is_product = 1 <= len(norms) <= 2 and rest == Mul(*norms)
            if is_product and is_positive(sign * factor, statement.variables):
                t = fresh(f"t_{len(scales) + 1}")
                scales[t] = Interval.open(0, oo)
                one, other = (*norms, Integer(1))[:2]
                terms.append(factor * (t * one**2 + other**2 / t) / 2)
            else:
                terms.append(term)
        return Add(*terms)

    def softened(part: Boolean) -> Boolean:
        if isinstance(part, (And, Or)):
            return part.func(*map(softened, part.args))
        if isinstance(part, (After, AtStart)):
            return part.func(*part.args[:-1], softened(part.args[-1]))
        if isinstance(part, (LessThan, GreaterThan)):
            signs = (-1, 1) if isinstance(part, LessThan) else (1, -1)
            return part.func(*map(side, part.args, signs), evaluate=False)
        return part

    then = And(*(softened(side) for part in clauses(statement.then) for side in _without_absolute(part)))
    if not scales:
        raise NotReadError("no norm stands alone on the larger side")
    return statement.but(variables={**statement.variables, **scales}, then=then)


class Reading:
    """What the words of a statement mean, step by step of its method; subclasses know the functions."""

    def __init__(self, statement: Statement) -> None:
        if statement.computed is not None or statement.almost_all or statement.uses:
            raise NotReadError("computations, exceptions and steps are not read here")
        spaces = [space for space in statement.variables.values() if isinstance(space, Vectors)]
        if len(set(spaces)) > 1:
            raise NotReadError("all vectors must be of one size")
        self.statement = statement
        self.classes: dict[FunctionSymbol, FunctionClass] = {
            f: domain for f, domain in statement.variables.items() if isinstance(f, FunctionSymbol)
        }
        self.moments: list[dict[Any, Vector]] = []
        self.now: int | None = None

    def constant(self, number: Any) -> Number:
        """A rational number."""
        raise NotImplementedError

    def parameter(self, symbol: Symbol) -> Number:
        """A variable that is a number."""
        raise NotImplementedError

    def divisor(self, of: Expr) -> Number:
        """The value of something that is never zero."""
        raise NotImplementedError

    def letter(self, symbol: MatrixSymbol) -> Vector:
        """A variable that is a vector."""
        raise NotImplementedError

    def product(self, left: Vector, right: Vector) -> Form:
        """The inner product."""
        raise NotImplementedError

    def absolute(self, of: Form) -> Form:
        """The absolute value."""
        raise NotImplementedError

    def length(self, of: Vector) -> Form:
        """The norm."""
        raise NotImplementedError

    def value(self, of: FunctionSymbol, at: Vector) -> Form:
        """The value of a function."""
        raise NotImplementedError

    def slope(self, of: FunctionSymbol, at: Vector) -> Vector:
        """Its gradient, or its chosen subgradient."""
        raise NotImplementedError

    def minimum(self, of: FunctionSymbol) -> Form:
        """Its least value."""
        raise NotImplementedError

    def minimiser(self, of: FunctionSymbol) -> Vector:
        """Where that is attained."""
        raise NotImplementedError

    def proximal(self, of: FunctionSymbol, at: Vector, step: Number) -> Vector:
        """Its proximal point."""
        raise NotImplementedError

    def search(self, of: FunctionSymbol, at: Vector) -> Vector:
        """Where it is least on the line of its gradient."""
        raise NotImplementedError

    def number(self, of: Expr) -> Number:
        """A number without functions and vectors."""
        if of.is_Rational:
            return self.constant(of)
        if isinstance(of, Symbol):
            if self.now is not None and self.statement.dynamics is not None and of == self.statement.dynamics.time:
                return self.constant(self.now)
            return self.number(self.statement.stated[of]) if of in self.statement.stated else self.parameter(of)
        if isinstance(of, Add):
            return _total(map(self.number, of.args))
        if isinstance(of, Mul):
            return _product(map(self.number, of.args))
        if isinstance(of, Pow) and of.exp.is_Integer:
            return self.number(of.base) ** int(of.exp) if of.exp >= 0 else self.divisor(of.base) ** int(of.exp)
        raise NotReadError(f"{of} is no rational function of the parameters")

    def vector(self, of: Basic) -> Vector:
        """A combination of vectors."""
        if isinstance(of, MatrixSymbol):
            moving = self.moments[self.now] if self.now is not None else {}
            return moving[of] if of in moving else self.letter(of)
        if isinstance(of, ZeroMatrix):
            return {}
        if isinstance(of, MatAdd):
            return combined((self.constant(1), self.vector(part)) for part in of.args)
        if isinstance(of, MatMul):
            *before, last = of.args
            if any(isinstance(part, MatrixExpr) for part in before):
                raise NotReadError(f"{of} has a matrix in it")
            return combined([(_product(map(self.number, before), self.constant(1)), self.vector(last))])
        if isinstance(of, (GradientAt, SubgradientAt)):
            return self.slope(of.args[0], self.vector(of.args[1]))
        if isinstance(of, MinimiserOf):
            return self.minimiser(of.args[0])
        if isinstance(of, ProximalPoint):
            return self.proximal(of.args[0], self.vector(of.args[1]), self.number(of.args[2]))
        if isinstance(of, LineSearchPoint):
            return self.search(of.args[0], self.vector(of.args[1]))
        raise NotReadError(f"{of} is no combination of vectors")

    def form(self, of: Expr) -> Form:  # noqa: PLR0912 - one branch for each word
        """A linear combination of values and inner products."""
        if isinstance(of, Inner):
            return self.product(self.vector(of.args[0]), self.vector(of.args[1]))
        if isinstance(of, Norm):
            return self.length(self.vector(of.args[0]))
        if isinstance(of, ValueAt):
            return self.value(of.args[0], self.vector(of.args[1]))
        if isinstance(of, MinimumOf):
            return self.minimum(of.args[0])
        if isinstance(of, Abs):
            return self.absolute(self.form(of.args[0]))
        if not of.has(Inner, Norm, ValueAt, MinimumOf):
            return combined([(self.number(of), {ONE: self.constant(1)})])
        if isinstance(of, Add):
            return combined((self.constant(1), self.form(part)) for part in of.args)
        if isinstance(of, Mul):
            factor, rest = self.constant(1), {ONE: self.constant(1)}
            for part in map(self.form, of.args):
                if set(part) <= {ONE}:
                    factor = factor * part.get(ONE, self.constant(0))
                elif set(rest) <= {ONE}:
                    factor, rest = factor * rest.get(ONE, self.constant(0)), part
                else:
                    raise NotReadError(f"{of} is a product of unknowns")
            return combined([(factor, rest)])
        if isinstance(of, Pow) and isinstance(of.base, Norm) and of.exp == 2:
            own = self.vector(of.base.args[0])
            return self.product(own, own)
        raise NotReadError(f"{of} is not linear in values and inner products")

    def at(self, time: int) -> None:
        """Go to a moment of the trajectory."""
        dynamics = self.statement.dynamics
        if not isinstance(dynamics, Map) or not all(isinstance(symbol, MatrixSymbol) for symbol in dynamics.state):
            raise NotReadError("only methods on vectors, step by step, are followed")
        if not self.moments:
            self.now = None
            self.moments.append({symbol: self.vector(value) for symbol, value in self.statement.start.items()})
        while len(self.moments) <= time:
            self.now = len(self.moments) - 1
            moved = {s: self.vector(part) for s, part in zip(dynamics.state, dynamics.update, strict=True)}
            self.moments.append(moved)
        self.now = time

    def timed(self, part: Boolean) -> Boolean:
        """The body of a formula about one moment, which becomes the present."""
        time = 0 if isinstance(part, AtStart) else part.args[0]
        if not sympify(time).is_Integer or part.args[-1].has(After, AtStart):
            raise NotReadError(f"{part} is not about one step")
        self.at(int(time))
        return part.args[-1]


class Problem(Reading):
    """Goals and everything known, as linear forms in unknown values and inner products."""

    def __init__(self, statement: Statement, signs: Iterable[Mapping[str, Any]] = ()) -> None:
        super().__init__(statement)
        self.shown = Shown(signs)
        numbers = [symbol for symbol in statement.variables if isinstance(symbol, Symbol)]
        self.ring = Ring(tuple(numbers))
        self.bases: list[Any] = []
        self.entries: dict[FunctionSymbol, list[Entry]] = {f: [] for f in self.classes}
        self.values: dict[Any, Form] = {}
        self.slopes: dict[Any, Vector] = {}
        self.vanishing: list[Form] = []
        for f, domain in self.classes.items():
            if isinstance(domain, PolyakLojasiewicz):
                self.minimiser(f)
        self.goals = self._goals(statement.then)
        self.now = None
        self.known: list[tuple[Form, bool]] = [({ONE: self.ring.one}, True)]
        for part in statement.given:
            self.known += self._hypotheses(part)
        self.known += [(sign, False) for form in self.vanishing for sign in (form, combined([(-self.ring.one, form)]))]
        self.known += [(form, False) for f in self.classes for form in self._of_class(f)]
        self.weaker = range(len(self.known), 0)
        """What follows from the others where mu < L, and has no pole where mu = L."""
        for f, domain in self.classes.items():
            if isinstance(domain, SmoothStronglyConvex):
                self.known += [(form, False) for form in self._as_smooth(f, SmoothConvex(domain.args[1]))]
        self.weaker = range(self.weaker.start, len(self.known))

    def shows(self, goal: Goal, proof: Mapping[str, Any]) -> bool:
        """Whether a combination of the goal's alternatives is one of what is known, plus squares."""
        weights = [self._stored(number) for number in proof["weights"]]
        multipliers = [(int(place), self._stored(number)) for place, number in proof["multipliers"]]
        squares = [(self._stored(pivot), [self._stored(n) for n in row]) for pivot, row in proof["squares"]]
        signed = [*weights, *(number for _, number in multipliers), *(pivot for pivot, _ in squares)]
        if len(weights) != len(goal) or not all(self.is_nonnegative(number) for number in signed):
            return False
        if any(not 0 <= place < len(self.known) for place, _ in multipliers):
            return False
        if any(len(row) != len(self.bases) or not all(map(self.is_defined, row)) for _, row in squares):
            return False
        chosen = [mark for (_, mark), weight in zip(goal, weights, strict=True) if not weight.is_zero]
        if not all(weight.is_zero or self.is_positive(weight) for weight in weights):
            return False
        is_strict = any(self.known[place][1] and self.is_positive(number) for place, number in multipliers)
        if not chosen or (any(chosen) and not is_strict):
            return False
        parts = [(weight, form) for weight, (form, _) in zip(weights, goal, strict=True)]
        parts += [(-number, self.known[place][0]) for place, number in multipliers]
        for pivot, row in squares:
            combination = dict(zip(self.bases, row, strict=True))
            parts.append((-pivot, self.product(combination, combination)))
        return not combined(parts)

    def is_positive(self, of: Fraction) -> bool:
        """Whether a number is positive because its parts are."""
        return not of.is_zero and self._is_sum_of_positives(of.numerator) and self._is_sum_of_positives(of.denominator)

    def is_product_of_given(self, of: Fraction, *, is_signed: bool = True) -> bool:
        """Whether a number has a value and, if signed, is not negative as a product of what is given and positive."""
        for sign in (1, -1):
            below, is_never_zero = self._divided(of.denominator * sign)
            above, _ = self._divided(of.numerator * sign)
            if below and is_never_zero and (above or not is_signed or of.is_zero):
                return True
        return False

    def _divided(self, polynomial: Any) -> tuple[bool, bool]:
        """Whether division by what is given to be nonnegative leaves something positive; whether all of it was."""
        strict = True
        for gap, is_positive_gap in self.gaps:
            quotient, rest = divmod(polynomial, gap)
            while rest.is_zero() and not polynomial.is_zero():
                polynomial, strict = quotient, strict and is_positive_gap
                quotient, rest = divmod(polynomial, gap)
        return self._is_sum_of_positives(polynomial), strict

    @cached_property
    def gaps(self) -> list[tuple[Any, bool]]:
        """What domains and hypotheses say is nonnegative, as polynomials in the parameters; marked where positive."""
        numbers, given = parameters(self.statement)
        found = []
        for part in chain(*map(clauses, (*given, *(membership(s, domain) for s, domain in numbers.items())))):
            if isinstance(part, (LessThan, StrictLessThan)):
                small, large = part.args
            elif isinstance(part, (GreaterThan, StrictGreaterThan)):
                large, small = part.args
            else:
                continue
            try:
                gap = self.number(large) - self.number(small)
            except NotReadError:
                continue
            if self._is_sum_of_positives(gap.denominator) and not gap.numerator.is_constant():
                found.append((gap.numerator, isinstance(part, (StrictLessThan, StrictGreaterThan))))
        return sorted(found, key=lambda pair: not pair[1]) + [(room.numerator, False) for room in self.rooms]

    @property
    def rooms(self) -> list[Fraction]:
        """L - mu for every class of strongly convex functions: where it is negative there are none."""
        domains = [domain for domain in self.classes.values() if isinstance(domain, SmoothStronglyConvex)]
        found = [self.number(domain.args[1]) - self.number(domain.args[0]) for domain in domains]
        return [room for room in found if self._symbols(room)]

    def is_nonnegative(self, of: Fraction) -> bool:
        """Whether a number has a value and is not negative, by its parts or by stored proofs of its signs."""
        if of.is_zero or self.is_positive(of) or self.is_product_of_given(of):
            return True
        above, below = self.ring.expression(of.numerator), of.denominator
        if self._has_sign(below, 1):
            return self._follows(Ge(above, 0, evaluate=False))
        return self._has_sign(below, -1) and self._follows(Le(above, 0, evaluate=False))

    def is_defined(self, of: Fraction) -> bool:
        """Whether the denominator of a number is never zero."""
        if self.is_product_of_given(of, is_signed=False):
            return True
        return self._has_sign(of.denominator, 1) or self._has_sign(of.denominator, -1)

    def _has_sign(self, of: Any, sign: int) -> bool:
        if self._is_sum_of_positives(of * sign):
            return True
        if of.is_constant():
            return False
        relation = Gt if sign > 0 else Lt
        return self._follows(relation(self.ring.expression(of), 0, evaluate=False))

    def _is_sum_of_positives(self, polynomial: Any) -> bool:
        used = self.ring.symbols_in(polynomial)
        positive = all(is_positive(symbol, self.statement.variables) for symbol in used)
        return positive and not polynomial.is_zero() and all(number > 0 for _, number in polynomial.terms())

    def _follows(self, condition: Boolean) -> bool:
        return self.shown.follows(condition, *parameters(self.statement))

    def constant(self, number: Any) -> Number:
        """A rational number."""
        return self.ring.as_fraction(self.ring.constant(number))

    def parameter(self, symbol: Symbol) -> Number:
        """A variable, which stays one."""
        if symbol not in self.ring.generators:
            raise NotReadError(f"{symbol} is no parameter")
        return self.ring.as_fraction(self.ring.generators[symbol])

    def divisor(self, of: Expr) -> Number:
        """What is positive, whatever the parameters are."""
        value = self.number(of)
        is_number = not self._symbols(value) and not value.is_zero
        if not is_number and not is_positive(of, self.statement.variables):
            raise NotReadError(f"{of} may be zero")
        return value

    def letter(self, symbol: MatrixSymbol) -> Vector:
        """An unknown vector."""
        if symbol not in self.statement.variables:
            raise NotReadError(f"{symbol} is no variable")
        return self._base(symbol.name)

    def product(self, left: Vector, right: Vector) -> Form:
        """The inner product, in those of the unknown vectors."""
        total: Form = {}
        place = {base: k for k, base in enumerate(self.bases)}
        for one, a in left.items():
            for other, b in right.items():
                key = tuple(sorted((place[one], place[other])))
                total[key] = total[key] + a * b if key in total else a * b
        return {key: number for key, number in total.items() if not number.is_zero}

    def absolute(self, of: Form) -> Form:
        """Only a whole side is one, and that is taken apart before."""
        raise NotReadError(f"the absolute value of {len(of)} parts stands inside of a side")

    def length(self, of: Vector) -> Form:
        """Norms are known through their squares."""
        raise NotReadError(f"the norm of {' + '.join(map(str, of))} is not squared")

    def value(self, of: FunctionSymbol, at: Vector) -> Form:
        """The unknown value at a point; every point has a gradient or a subgradient."""
        key = (of, frozenset(at.items()))
        if key not in self.values:
            place = len(self.entries[of])
            self.values[key] = {("value", of.name, place): self.ring.one}
            self.slopes[key] = self._base(("slope", of.name, place))
            self.entries[of].append((at, self.slopes[key], self.values[key]))
        return self.values[key]

    def slope(self, of: FunctionSymbol, at: Vector) -> Vector:
        """The gradient; where there are many subgradients, the chosen one may be another than the one known so far."""
        value, key = self.value(of, at), (of, frozenset(at.items()))
        if key not in self.slopes:
            self.slopes[key] = self._base(("slope", of.name, len(self.entries[of])))
            self.entries[of].append((at, self.slopes[key], value))
        return self.slopes[key]

    def minimum(self, of: FunctionSymbol) -> Form:
        """The value at the minimiser."""
        return self.value(of, self.minimiser(of))

    def minimiser(self, of: FunctionSymbol) -> Vector:
        """A point where zero is a subgradient."""
        at = self._base(("minimiser", of.name))
        return self._special(of, at, {}, ("minimum", of.name))

    def proximal(self, of: FunctionSymbol, at: Vector, step: Number) -> Vector:
        """The point p where (x - p) / step is a subgradient."""
        name = ("proximal", of.name, frozenset(at.items()), step)
        point = self._base(name)
        slope = combined([(self.ring.one / step, at), (-(self.ring.one / step), point)])
        return self._special(of, point, slope, ("value", *name))

    def search(self, of: FunctionSymbol, at: Vector) -> Vector:
        """The point y = x - t grad f(x): its gradient is orthogonal to that at x, and so to y - x (Fermat)."""
        slope = self.slope(of, at)
        name = ("search", of.name, frozenset(at.items()))
        is_new = name not in self.bases
        point = self._base(name)
        there = self.slope(of, point)
        if is_new:
            step = combined([(self.ring.one, point), (-self.ring.one, at)])
            self.vanishing += [self.product(there, slope), self.product(there, step)]
        return point

    def _special(self, of: FunctionSymbol, at: Vector, slope: Vector, name: Any) -> Vector:
        key = (of, frozenset(at.items()))
        if key not in self.values:
            self.values[key] = {name: self.ring.one}
            self.entries[of].append((at, slope, self.values[key]))
            if self.classes[of].is_smooth:
                self.slopes[key] = slope
        return at

    def _base(self, name: Any) -> Vector:
        if name not in self.bases:
            self.bases.append(name)
        return {name: self.ring.one}

    def _of_class(self, of: FunctionSymbol) -> Iterable[Form]:
        """What a class says of its functions at the points: necessary conditions, multiplied by 2 (L - mu)."""
        domain, entries, one = self.classes[of], self.entries[of], self.ring.one
        constants = [self.number(constant) for constant in domain.args]
        two = self.constant(2)
        for i, here in enumerate(entries):
            for j, there in enumerate(entries):
                if i != j:
                    yield self._between(domain, constants, here, there)
                if i != j and isinstance(domain, SmoothStronglyConvex):  # what mu = L leaves of the first
                    above, apart = self._above(here, there)
                    yield combined(
                        [*((two * n, form) for n, form in above), (-constants[0], self.product(apart, apart))]
                    )
        least = self.values.get((of, frozenset({("minimiser", of.name): one}.items())))
        for _, slope, value in entries:
            square = self.product(slope, slope)
            if isinstance(domain, ConvexLipschitz):
                yield combined([(constants[0] ** 2, {ONE: one}), (-one, square)])
            if least is not None and isinstance(domain, (Smooth, PolyakLojasiewicz)):
                yield combined([(two * constants[-1], value), (-(two * constants[-1]), least), (-one, square)])
            if least is not None and isinstance(domain, PolyakLojasiewicz):
                yield combined([(one, square), (-(two * constants[0]), value), (two * constants[0], least)])

    def _as_smooth(self, of: FunctionSymbol, wider: FunctionClass) -> Iterable[Form]:
        """What a wider class says of the function at the points."""
        for here, there in permutations(self.entries[of], 2):
            yield self._between(wider, [self.number(constant) for constant in wider.args], here, there)

    def _between(self, domain: FunctionClass, constants: list[Number], here: Entry, there: Entry) -> Form:
        """What two points know of each other: the function is above its tangents, by as much as it is smooth."""
        one, two = self.ring.one, self.constant(2)
        above, apart = self._above(here, there)
        turned = combined([(one, here[1]), (-one, there[1])])
        if isinstance(domain, (Convex, ConvexLipschitz)):
            return combined(above)
        most = constants[-1]
        if isinstance(domain, SmoothConvex):
            least = self.constant(0)
        elif isinstance(domain, (Smooth, PolyakLojasiewicz)):
            least = -most
        else:  # where mu = L the points say no more of each other than convexity does, and their distance the rest
            least = self.constant(0) if (most - constants[0]).is_zero else constants[0]
        gap = two * (most - least)
        parts = [(gap * factor, form) for factor, form in above]
        parts += [(-one, self.product(turned, turned)), (-(least * most), self.product(apart, apart))]
        return combined([*parts, (two * least, self.product(turned, apart))])

    def _above(self, here: Entry, there: Entry) -> tuple[list[tuple[Number, Form]], Vector]:
        """The parts of how far a function is above its tangent, and how far apart the points are."""
        one = self.ring.one
        apart = combined([(one, here[0]), (-one, there[0])])
        return [(one, here[2]), (-one, there[2]), (-one, self.product(there[1], apart))], apart

    def _goals(self, part: Boolean) -> list[Goal]:
        if isinstance(part, (After, AtStart)):
            goals, self.now = self._goals(self.timed(part)), None
            return goals
        if isinstance(part, And):
            return [goal for inner in part.args for goal in self._goals(inner)]
        if isinstance(part, Or):
            branches = [self._goals(inner) for inner in part.args]
            if any(len(branch) != 1 for branch in branches):
                raise NotReadError(f"{part} has alternatives of several parts")
            return [list(chain.from_iterable(branch[0] for branch in branches))]
        if isinstance(part, Eq) and not isinstance(part.lhs, MatrixExpr):
            gap = combined([(self.ring.one, self.form(part.lhs)), (-self.ring.one, self.form(part.rhs))])
            return [[(gap, False)], [(combined([(-self.ring.one, gap)]), False)]]
        return [[self._gap(side, is_goal=True)] for side in _without_absolute(part)]

    def _hypotheses(self, part: Boolean) -> list[tuple[Form, bool]]:
        """What a hypothesis says in forms; what cannot be said in them is not used."""
        if isinstance(part, And):
            return [pair for inner in part.args for pair in self._hypotheses(inner)]
        try:
            if isinstance(part, Eq) and not isinstance(part.lhs, MatrixExpr):
                one = self.ring.one
                gap = combined([(one, self.form(part.lhs)), (-one, self.form(part.rhs))])
                return [(gap, False), (combined([(-one, gap)]), False)]
            return [self._gap(side, is_goal=False) for side in _without_absolute(part)]
        except NotReadError:
            return []

    def _gap(self, part: Boolean, *, is_goal: bool) -> tuple[Form, bool]:
        """What is nonnegative where an inequality holds; between norms it is the difference of the squares.

        If 0 <= a <= b then a^2 <= b^2, and if a^2 <= b^2 and 0 <= b then a <= b: a hypothesis needs the sign of its
        smaller side, a goal that of its larger one.
        """
        if isinstance(part, (LessThan, StrictLessThan)):
            small, large = part.args
        elif isinstance(part, (GreaterThan, StrictGreaterThan)):
            large, small = part.args
        else:
            raise NotReadError(f"{part} is no inequality")
        strict = isinstance(part, (StrictLessThan, StrictGreaterThan))
        try:
            sides = self.form(large), self.form(small)
        except NotReadError:
            sides = self._squared(large, is_signed=is_goal), self._squared(small, is_signed=not is_goal)
        return combined([(self.ring.one, sides[0]), (-self.ring.one, sides[1])]), strict

    def _squared(self, side: Expr, *, is_signed: bool) -> Form:
        factors = side.args if isinstance(side, Mul) else (side,)
        norms = [part for part in factors if isinstance(part, Norm)]
        factor = Mul(*(part for part in factors if not isinstance(part, Norm)))
        sign = not is_signed or factor == 0 or is_positive(factor, self.statement.variables)
        if len(norms) > 1 or not (sign or self.is_nonnegative(self.number(factor))):
            raise NotReadError(f"{side} is no norm with a positive factor")
        own = self.vector(norms[0].args[0]) if norms else None
        return combined([(self.number(factor) ** 2, {ONE: self.ring.one} if own is None else self.product(own, own))])

    def _symbols(self, of: Fraction) -> set[Symbol]:
        return self.ring.symbols_in(of.numerator) | self.ring.symbols_in(of.denominator)

    def _stored(self, number: Any) -> Fraction:
        return self.constant(Rational(number)) if isinstance(number, str) else self.ring.fraction(decode(number))


class Trial(Reading):
    """Everything carried out for given functions, vectors and numbers."""

    def __init__(self, statement: Statement, certificate: Mapping[str, Any]) -> None:
        super().__init__(statement)
        self.functions = {f: Separable.of(certificate["functions"][f.name]) for f in self.classes}
        self.numbers = {str(name): Rational(value) for name, value in certificate["numbers"].items()}
        self.vectors = {
            str(name): [Rational(value) for value in values] for name, values in certificate["vectors"].items()
        }
        self.dimension = int(certificate["dimension"])

    def holds(self, part: Boolean) -> bool:
        """Whether a formula is true."""
        if isinstance(part, (After, AtStart)):
            truth, self.now = self.holds(self.timed(part)), None
            return truth
        if isinstance(part, (And, Or)):
            truths = [self.holds(inner) for inner in part.args]
            return all(truths) if isinstance(part, And) else any(truths)
        if isinstance(part, Not):
            return not self.holds(part.args[0])
        if not isinstance(part, Relational):
            raise NotReadError(f"{part} is no relation")
        if isinstance(part.lhs, MatrixExpr) or isinstance(part.rhs, MatrixExpr):
            left, right = self.vector(part.lhs), self.vector(part.rhs)
        else:
            left, right = self.form(part.lhs), self.form(part.rhs)
        if isinstance(part, (Eq, Ne)):
            return (left == right) is isinstance(part, Eq)
        gap = left.get(ONE, Rational(0)) - right.get(ONE, Rational(0))
        return bool(part.func(gap, 0))

    def is_allowed(self) -> bool:
        """Whether every variable is where the statement says, and every hypothesis is true."""
        for symbol, domain in self.statement.variables.items():
            if isinstance(symbol, Symbol) and not self._lies(symbol, domain):
                return False
            if isinstance(symbol, MatrixSymbol) and not self._has_size(symbol, domain):
                return False
        for f, domain in self.classes.items():
            constants = [self.number(constant) for constant in domain.args]
            if len(self.functions[f].parts) != self.dimension or not self.functions[f].is_in(domain, constants):
                return False
        return all(self.holds(part) for part in self.statement.given)

    def _has_size(self, symbol: MatrixSymbol, domain: Any) -> bool:
        sizes = {symbol.shape[0], *domain.args}
        fixed = [int(size) for size in sizes if size.is_Integer]
        named = [self.numbers[size.name] for size in sizes if size in self.statement.variables]
        return all(size == self.dimension for size in (*fixed, *named))

    def _lies(self, symbol: Symbol, domain: Any) -> bool:
        value = self.numbers[symbol.name]
        ends = {end: self.number(end) for end in domain.free_symbols & set(self.statement.variables)}
        domain = domain.xreplace(ends)
        if type(domain) is Interval:
            above = value > domain.start if domain.left_open else value >= domain.start
            return bool(above and (value < domain.end if domain.right_open else value <= domain.end))
        return domain.contains(value) == True  # noqa: E712 - SymPy's truth

    def constant(self, number: Any) -> Number:
        """A rational number."""
        return Rational(number)

    def parameter(self, symbol: Symbol) -> Number:
        """The given value."""
        return self.numbers[symbol.name]

    def divisor(self, of: Expr) -> Number:
        """What is not zero."""
        if (value := self.number(of)) == 0:
            raise NotReadError(f"{of} is zero")
        return value

    def letter(self, symbol: MatrixSymbol) -> Vector:
        """The given coordinates."""
        values = self.vectors[symbol.name]
        if len(values) != self.dimension or symbol not in self.statement.variables:
            raise NotReadError(f"{symbol} has another dimension")
        return {k: value for k, value in enumerate(values) if value != 0}

    def product(self, left: Vector, right: Vector) -> Form:
        """The inner product of coordinates."""
        total = _total((left[k] * right[k] for k in left.keys() & right.keys()), Rational(0))
        return combined([(total, {ONE: Rational(1)})])

    def absolute(self, of: Form) -> Form:
        """The absolute value of a number."""
        return combined([(abs(of.get(ONE, Rational(0))), {ONE: Rational(1)})])

    def length(self, of: Vector) -> Form:
        """The norm, where it is rational."""
        root = Pow(_total((value**2 for value in of.values()), Rational(0)), Rational(1, 2))
        if not root.is_Rational:
            raise NotReadError("a norm is not rational")
        return combined([(root, {ONE: Rational(1)})])

    def value(self, of: FunctionSymbol, at: Vector) -> Form:
        """The sum over the coordinates."""
        return combined([(self.functions[of].value(self._dense(at)), {ONE: Rational(1)})])

    def slope(self, of: FunctionSymbol, at: Vector) -> Vector:
        """The derivative by each coordinate, from the left."""
        return self._sparse(self.functions[of].slope(self._dense(at)))

    def minimum(self, of: FunctionSymbol) -> Form:
        """The least value."""
        return self.value(of, self.minimiser(of))

    def minimiser(self, of: FunctionSymbol) -> Vector:
        """The first point where it is attained."""
        found = self.functions[of].minimiser()
        if found is None:
            raise NotReadError(f"{of} has no least value")
        return self._sparse(found)

    def proximal(self, of: FunctionSymbol, at: Vector, step: Number) -> Vector:
        """Coordinate by coordinate."""
        return self._sparse(self.functions[of].proximal(self._dense(at), step))

    def search(self, of: FunctionSymbol, at: Vector) -> Vector:
        """The first least value on the way down."""
        found = self.functions[of].line_search(self._dense(at)) if self.classes[of].is_convex else None
        if found is None:
            raise NotReadError(f"{of} has no least value on the line, or several")
        return self._sparse(found)

    def _dense(self, at: Vector) -> list[Number]:
        return [at.get(k, Rational(0)) for k in range(self.dimension)]

    def _sparse(self, values: list[Number]) -> Vector:
        return {k: value for k, value in enumerate(values) if value != 0}


def _without_absolute(part: Boolean) -> tuple[Boolean, ...]:
    """|a| <= b says that a <= b and -a <= b."""
    if isinstance(part, (LessThan, StrictLessThan)) and isinstance(part.lhs, Abs):
        small, large = part.lhs.args[0], part.rhs
    elif isinstance(part, (GreaterThan, StrictGreaterThan)) and isinstance(part.rhs, Abs):
        small, large = part.rhs.args[0], part.lhs
    else:
        return (part,)
    relation = Lt if isinstance(part, (StrictLessThan, StrictGreaterThan)) else Le
    return tuple(relation(side, large, evaluate=False) for side in (small, -small))


def parameters(statement: Statement) -> tuple[dict[Symbol, Set], tuple[Boolean, ...]]:
    """The variables that are numbers, and what is given of them alone."""
    numbers = {symbol: domain for symbol, domain in statement.variables.items() if isinstance(symbol, Symbol)}
    stated = statement.stated
    given = [part for part in statement.given if part.free_symbols <= set(numbers) and not stated]
    return numbers, tuple(given)


def fails(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the functions belong to their classes, satisfy the hypotheses, and the conclusion is false of them."""
    trial = Trial(statement, certificate)
    return trial.is_allowed() and not trial.holds(statement.then)


def combined(parts: Iterable[tuple[Number, Mapping[Any, Number]]]) -> dict[Any, Number]:
    """A linear combination, without what cancels."""
    total: dict[Any, Number] = {}
    for factor, form in parts:
        for key, number in form.items():
            total[key] = total[key] + factor * number if key in total else factor * number
    return {key: number for key, number in total.items() if not number.is_zero}


def _total(numbers: Iterable[Number], start: Number = None) -> Number:
    for number in numbers:
        start = number if start is None else start + number
    return start


def _product(numbers: Iterable[Number], start: Number = None) -> Number:
    for number in numbers:
        start = number if start is None else start * number
    return start
