"""Re-checks solver verdicts with a second translation, written straight from the formulas.

Where an expression of a hypothesis is not defined it may take any value here, which can only make it easier to satisfy;
where one of the conclusion is not, the negation holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import sympy as sp
from sympy import Expr, Rational, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Not, Or

from proofs_check.kernel.bisection import FEW_BOXES, bisected
from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.instances import with_instances
from proofs_check.kernel.intervals import UndefinedError, evaluate
from proofs_check.kernel.point import enclosed, opened
from proofs_check.kernel.solver import answers
from proofs_check.kernel.trust import SOLVERS, attempted, rests_on
from proofs_check.kernel.values import having_values, or_without_value
from theory.statements import Statement
from theory.temporal import is_plain, negation

_SECONDS = 60.0
_PATIENCE = 5.0
"""Seconds for which a second solver may contradict the first."""
_OPERATORS = {Eq: "=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:  # noqa: ARG001 - everything is asked anew
    """Whether a second translation of the statement has no counterexample either."""
    goal = claim_of(statement) or _without_quantifiers(statement) or with_instances(statement)
    return goal is not None and check_goal(goal)


def _without_quantifiers(statement: Statement) -> Claim | None:
    domains, hypotheses, conclusion = opened(statement)
    plain = all(is_plain(part) for part in (*hypotheses, conclusion))
    alone = statement.computed is None and not statement.speaks_of_state
    return Claim(domains, tuple(hypotheses), conclusion) if plain and alone else None


def check_goal(goal: Claim) -> bool:
    """Whether intervals show it, or some solver finds the second translation unsatisfiable and none a solution.

    A few intervals are quicker than the solvers, and these are quicker than many.
    """
    ways = (partial(bisected, goal, FEW_BOXES), partial(_solved, goal), partial(bisected, goal))
    return any(attempted(way) for way in ways)


def _solved(goal: Claim) -> bool:
    try:
        rounded = any(part.has(sp.floor, sp.ceiling) for part in (*goal.hypotheses, goal.conclusion))
        kinds = {False, bool(goal.integers) or rounded}
        return any(_unsatisfiable(goal, whole, cleared) for whole in kinds for cleared in (True, False))
    except ValueError:
        return False


def _unsatisfiable(goal: Claim, whole: bool, cleared: bool) -> bool:
    translation = Translation(goal, cleared)
    if cleared and not translation.has_quotients:
        return False
    said = answers(translation.script(whole), _logic(whole), _SECONDS / 3 if cleared else _SECONDS, _PATIENCE)
    rests_on(SOLVERS)
    return "unsat" in said and "sat" not in said


def _logic(whole: bool) -> str:
    return "QF_NIRA" if whole else "QF_NRA"


class Translation:
    """The negation of a goal in SMT-LIB, term by term, or with its relations cleared of quotients first."""

    def __init__(self, goal: Claim, cleared: bool = False) -> None:
        self._goal, self._cleared = goal, cleared
        self._names = {symbol: f"x{place}" for place, symbol in enumerate(goal.variables)}
        self._more: dict[Expr, str] = {}
        self._asserted: list[str] = []
        self._exponents: list[tuple[Rational, Expr]] = []

    @property
    def has_quotients(self) -> bool:
        """Whether something that varies is divided by."""
        powers = set().union(*(part.atoms(sp.Pow) for part in (*self._goal.hypotheses, self._goal.conclusion)))
        return any(power.exp.is_negative and power.base.free_symbols for power in powers)

    def script(self, whole: bool = False) -> str:
        """The whole question, with or without what it says about whole numbers."""
        opposite = or_without_value(negation(self._goal.conclusion))
        formulas = [_elementary(part) for part in (*self._goal.hypotheses, opposite)]
        formulas = _common_angles(formulas)
        self._exponents = [pair for part in formulas for use in part.atoms(sp.exp) for pair in _terms(use.args[0])]
        said = [self._formula(_cleared(part) if self._cleared else part) for part in formulas]
        said += [self._formula(part) for part in self._meant()]
        names = [*self._names.values(), *self._more.values()]
        lines = [f"(declare-const {name} Real)" for name in names]
        if whole:
            integers = [self._names[symbol] for symbol in self._goal.integers]
            integers += [name for term, name in self._more.items() if isinstance(term, (sp.floor, sp.ceiling))]
            lines += [f"(declare-const n{name} Int) (assert (= {name} (to_real n{name})))" for name in integers]
        lines += [f"(assert {part})" for part in (*self._asserted, *said)]
        return "\n".join([f"(set-logic {_logic(whole)})", *lines, "(check-sat)"])

    def _meant(self) -> list[Boolean]:
        """Where a hypothesis that is a relation holds, its roots, quotients and logarithms have values."""
        relations = [part for part in self._goal.hypotheses if isinstance(part, Relational)]
        needed = having_values(side for part in relations for side in part.args)
        return [part for part in needed if isinstance(part, Relational) and not part.has(sp.Function, sp.Piecewise)]

    def _formula(self, formula: Boolean) -> str:
        if isinstance(formula, (BooleanTrue, BooleanFalse)):
            return str(bool(formula)).lower()
        if isinstance(formula, Ne):
            return f"(not (= {self._term(formula.lhs)} {self._term(formula.rhs)}))"
        if isinstance(formula, Relational):
            return f"({_OPERATORS[formula.func]} {self._term(formula.lhs)} {self._term(formula.rhs)})"
        if isinstance(formula, (And, Or, Not)):
            head = type(formula).__name__.lower()
            return f"({head} {' '.join(self._formula(part) for part in formula.args)})"
        return self._formula(formula.to_nnf(simplify=False))

    def _term(self, term: Expr) -> str:
        if term.is_Rational:
            size = str(abs(term.p)) if term.q == 1 else f"(/ {abs(term.p)} {term.q})"
            return size if term >= 0 else f"(- {size})"
        if term in self._names:
            return self._names[term]
        if term.is_Add or term.is_Mul:
            return f"({'+' if term.is_Add else '*'} {' '.join(map(self._term, term.args))})"
        if term.is_Pow and term.exp.is_Rational:
            return self._power(term)
        if isinstance(term, sp.Abs):
            inner = self._term(term.args[0])
            return f"(ite (>= {inner} 0) {inner} (- {inner}))"
        if isinstance(term, (sp.Max, sp.Min)):
            return self._extremum(term)
        if isinstance(term, sp.Piecewise):
            return self._piecewise(term)
        if isinstance(term, sp.sign):
            inner = self._term(term.args[0])
            return f"(ite (> {inner} 0) 1 (ite (< {inner} 0) (- 1) 0))"
        if isinstance(term, sp.Heaviside):
            inner, middle = map(self._term, term.args)
            return f"(ite (> {inner} 0) 1 (ite (< {inner} 0) 0 {middle}))"
        if isinstance(term, sp.exp):
            return self._exponential(term.args[0])
        if term.is_Pow:
            self._positive(term.base)
            return self._exponential(term.exp * sp.log(term.base))
        return self._function(term)

    def _positive(self, base: Expr) -> None:
        known = _is_positive_number(base) or {sp.Gt(base, 0), sp.Lt(0, base)} & set(self._goal.hypotheses)
        if not known:
            raise ValueError(f"{base} is not among the positive terms")

    def _exponential(self, exponent: Expr) -> str:
        """One positive number per independent part of the exponent."""
        factors = ["1"]
        for number, part in _terms(exponent):
            if isinstance(part, sp.log) and number.q == 1:
                factors.append(self._term(part.args[0] ** number))
                continue
            unit = sp.ilcm(1, *(n.q for n, other in self._exponents if other == part), number.q)
            name = self._fresh(sp.exp(part / unit, evaluate=False))
            inner = self._term(part / unit)
            self._say(f"(> {name} 0)")
            self._say(f"(or (= {inner} 0) (and (> {name} (+ 1 {inner})) (< (* {name} (- 1 {inner})) 1)))")
            self._say(f"(or (not (= {inner} 0)) (= {name} 1))")
            product = f"(* 1 {' '.join([name] * abs(int(number * unit)))})"
            factors.append(product if number > 0 else self._inverse(product))
        return f"(* 1 {' '.join(factors)})"

    def _power(self, term: Expr) -> str:
        base, exponent = term.args
        if exponent.q == 1:
            product = " ".join([self._term(base)] * abs(int(exponent)))
            size = f"(* {product})" if abs(exponent) > 1 else product
            return size if exponent > 0 else self._inverse(size)
        root = self._fresh(base ** Rational(1, exponent.q))
        inner = self._term(base)
        power = " ".join([root] * int(exponent.q))
        self._say(f"(or (< {inner} 0) (and (>= {root} 0) (= (* {power}) {inner})))")
        size = f"(* {' '.join([root] * abs(int(exponent.p)))} 1)"
        return size if exponent > 0 else self._inverse(size)

    def _inverse(self, below: str) -> str:
        name = self._fresh(Symbol(f"1/{below}"))
        self._say(f"(or (= {below} 0) (= (* {name} {below}) 1))")
        return name

    def _extremum(self, term: Expr) -> str:
        op = ">=" if isinstance(term, sp.Max) else "<="
        value, *rest = map(self._term, term.args)
        for other in rest:
            value = f"(ite ({op} {value} {other}) {value} {other})"
        return value

    def _piecewise(self, term: Expr) -> str:
        value = self._fresh(sp.Symbol(f"else {term}"))
        for part, condition in reversed(term.args):
            value = f"(ite {self._formula(condition)} {self._term(part)} {value})"
        return value

    def _function(self, term: Expr) -> str:
        name = self._fresh(term)
        if isinstance(term, AppliedUndef):
            self._congruent(term, name)
        elif isinstance(term, sp.log):
            inner = self._term(term.args[0])
            tangents = f"(< {name} (- {inner} 1)) (> (* {inner} {name}) (- {inner} 1))"
            self._say(f"(or (<= {inner} 0) (= {inner} 1) (and {tangents}))")
            self._say(f"(or (not (= {inner} 1)) (= {name} 0))")
            self._split(term, name)
        elif isinstance(term, (sp.sin, sp.cos)):
            angle = term.args[0]
            s, c = self._fresh(sp.sin(angle)), self._fresh(sp.cos(angle))
            self._say(f"(= (+ (* {s} {s}) (* {c} {c})) 1)")
            inner = self._term(angle)
            square = f"(* {inner} {inner})"
            self._say(f"(and (<= (* {s} {s}) {square}) (>= (* 2 {c}) (- 2 {square})))")
            self._say(
                f"(or (< {inner} 0) (and (<= {s} {inner}) (>= (* 6 {s}) (- (* 6 {inner}) (* {inner} {square})))))"
            )
        elif isinstance(term, (sp.floor, sp.ceiling)):
            inner = self._term(term.args[0])
            if isinstance(term, sp.floor):
                self._say(f"(and (<= {name} {inner}) (< {inner} (+ {name} 1)))")
            else:
                self._say(f"(and (>= {name} {inner}) (> {inner} (- {name} 1)))")
        elif isinstance(term, (sp.erf, sp.atan, sp.asin, sp.asinh)):
            self._odd(term, name)
        elif not term.free_symbols and not term.has(AppliedUndef):
            self._enclose(term, name)
        return name

    def _odd(self, term: Expr, name: str) -> None:
        """A function with the sign of its argument, below a bound unless it grows for ever."""
        inner = self._term(term.args[0])
        said = f"(= (> {inner} 0) (> {name} 0)) (= (< {inner} 0) (< {name} 0))"
        if not isinstance(term, sp.asinh):
            bound = self._term(Rational(1) if isinstance(term, sp.erf) else sp.pi / 2)
            order = "<=" if isinstance(term, sp.asin) else "<"
            said += f" ({order} {name} {bound}) ({order} (- {name}) {bound})"
        outside = f"(> {inner} 1) (< {inner} (- 1))" if isinstance(term, sp.asin) else "false"
        self._say(f"(or {outside} (and {said}))")

    def _congruent(self, term: Expr, name: str) -> None:
        """Equal arguments have equal values."""
        for other, value in list(self._more.items()):
            if other != term and other.func == term.func and len(other.args) == len(term.args):
                pairs = zip(term.args, other.args, strict=True)
                unequal = " ".join(f"(not (= {self._term(one)} {self._term(two)}))" for one, two in pairs)
                self._say(f"(or {unequal} (= {name} {value}))")

    def _split(self, term: Expr, name: str) -> None:
        """The logarithm of a product, where all factors are positive."""
        parts = [part.as_base_exp() for part in sp.Mul.make_args(sp.factor(term.args[0]))]
        if parts[0][0].is_negative:  # -2/(x - 1) is 2/(1 - x)
            turned = next((place for place, (_, power) in enumerate(parts) if place and power.is_odd), None)
            if turned is None:
                return
            parts[0], parts[turned] = (-parts[0][0], parts[0][1]), (-parts[turned][0], parts[turned][1])
        parts = [(base, power) for base, power in parts if base != 1]
        if len(parts) > 1 or parts[0][1] != 1:
            positive = " ".join(f"(> {self._term(base)} 0)" for base, _ in parts)
            total = self._term(sp.Add(*(power * sp.log(base) for base, power in parts)))
            self._say(f"(=> (and {positive} true) (= {name} {total}))")

    def _enclose(self, term: Expr, name: str) -> None:
        try:
            value = enclosed(term)
        except UndefinedError:
            return
        if value.low.is_finite() and value.high.is_finite():
            low, high = (value.low * (1 << 40)).lower().floor(), (value.high * (1 << 40)).upper().ceil()
            ends = (Rational(int(end.unique_fmpz()), 1 << 40) for end in (low, high))
            below, above = map(self._term, ends)
            self._say(f"(and (>= {name} {below}) (<= {name} {above}))")

    def _fresh(self, key: Expr) -> str:
        return self._more.setdefault(key, f"y{len(self._more)}")

    def _say(self, assertion: str) -> None:
        if assertion not in self._asserted:
            self._asserted.append(assertion)


def _cleared(formula: Boolean) -> Boolean:
    """Every relation as one between a polynomial and zero, or some term of it without a value."""
    if not isinstance(formula, Relational):
        return formula.func(*map(_cleared, formula.args)) if formula.args else formula
    above, below = sp.fraction(sp.together(formula.lhs - formula.rhs))
    gap = sp.expand(above if isinstance(formula, (Eq, Ne)) or below == 1 else above * below)
    nowhere = [negation(part) for part in having_values(formula.args)]
    return Or(*nowhere, formula.func(gap, 0, evaluate=False))


def _elementary(formula: Boolean) -> Boolean:
    """Derivatives carried out, hyperbolic functions and tangents rewritten."""
    ratios = (sp.tan, sp.cot, sp.sec, sp.csc)
    hyperbolic = (sp.tanh, sp.sinh, sp.cosh, sp.coth, sp.sech, sp.csch)
    for kinds, change in (
        ((sp.Derivative,), lambda part: part.doit()),
        (ratios, _by_sine),
        (hyperbolic, lambda part: part.rewrite(sp.exp)),
    ):
        if formula.has(*kinds):
            formula = formula.replace(lambda part, kinds=kinds: isinstance(part, kinds), change)
    return formula


def _common_angles(formulas: list[Boolean]) -> list[Boolean]:
    """Sines and cosines of sums and multiples through those of the smallest parts."""
    uses = set().union(*(part.atoms(sp.sin, sp.cos) for part in formulas))
    units: dict[Expr, int] = {}
    for use in uses:
        for number, part in _terms(use.args[0]):
            units[part] = int(sp.ilcm(units.get(part, 1), number.q))
    small = {part: sp.Dummy() for part in units}
    values = {name: part / units[part] for part, name in small.items()}
    changes = {}
    for use in uses:
        total = sp.Add(*(number * units[part] * small[part] for number, part in _terms(use.args[0])))
        changes[use] = sp.expand_trig(use.func(total)).xreplace(values)
    return [part.xreplace(changes) for part in formulas]


def _by_sine(part: Expr) -> Expr:
    angle = part.args[0]
    s, c = sp.sin(angle), sp.cos(angle)
    return {sp.tan: s / c, sp.cot: c / s, sp.sec: 1 / c, sp.csc: 1 / s}[part.func]


def _is_positive_number(term: Expr) -> bool:
    if term.free_symbols:
        return False
    try:
        return evaluate(term, {}).sign() == {1}
    except UndefinedError:
        return False


def _terms(sum_: Expr) -> list[tuple[Rational, Expr]]:
    return [term.as_coeff_Mul(rational=True) for term in sp.Add.make_args(sp.expand(sum_)) if term != 0]
