"""Radicals, kinks and functions replaced by fresh symbols, for the search for combinations of equations.

Every relation keeps its condition of being defined: denominators that do not vanish, radicands that are not negative.
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import (
    ITE,
    Add,
    Derivative,
    Dummy,
    Expr,
    Float,
    GoldenRatio,
    Mul,
    Pow,
    Rational,
    S,
    Subs,
    Symbol,
    Xor,
    nan,
    oo,
    zoo,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies, Not, Or

from proofs_check.kernel.formulas import FALSE, TRUE, Formula, Sign, Term, all_of, any_of, negate
from proofs_check.passes.derivatives import evaluated_derivative, hides_a_domain, roots_of
from proofs_check.passes.elementary import Elementary
from proofs_check.passes.kinks import rewrite_kink
from proofs_check.passes.linear_parts import canonical
from theory.errors import LemmascopeError

OPERATORS = {Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}
_LARGEST_ROOT = 24
_LARGEST_POWER = 400


class UnsupportedError(LemmascopeError):
    """A formula has a part that cannot be turned into polynomial constraints."""


class Elimination:
    """Collects fresh symbols, and the equations between them with the condition under which each holds.

    >>> from sympy import sqrt
    >>> x = Symbol("x")
    >>> elimination = Elimination()
    >>> elimination.truth(sqrt(x) < 1) == all_of([Sign(x, ">="), Sign(elimination.fresh[0] - 1, "<")])
    True
    """

    def __init__(self, formulas: Iterable[Boolean] = ()) -> None:
        self.fresh: list[Symbol] = []
        self.equations: list[tuple[Expr, Formula]] = []
        self.origin: dict[Symbol, Expr] = {}
        self._terms: dict[Expr, Term] = {}
        self._roots: dict[tuple[Expr, int], Symbol] = {}
        self._elementary = Elementary(self)
        for formula in formulas:
            self._elementary.scan(formula)

    def symbol(self, origin: Expr) -> Symbol:
        """A fresh symbol that stands for an expression."""
        new = Dummy(f"w{len(self.fresh)}")
        self.fresh.append(new)
        self.origin[new] = origin
        return new

    # -- formulas -----------------------------------------------------------------------------------------------

    def truth(self, formula: Boolean) -> Formula:
        """The condition that a plain formula is defined and true."""
        return self._kleene(formula, wanted=True)

    def falsity(self, formula: Boolean) -> Formula:
        """The condition that a plain formula is defined and false."""
        return self._kleene(formula, wanted=False)

    def _kleene(self, formula: Boolean, *, wanted: bool) -> Formula:
        if isinstance(formula, (BooleanTrue, BooleanFalse)):
            return TRUE if bool(formula) is wanted else FALSE
        if isinstance(formula, Relational):
            defined, condition = self._relation(formula)
            return all_of((defined, condition if wanted else negate(condition)))
        parts = formula.args
        if isinstance(formula, Not):
            return self._kleene(parts[0], wanted=not wanted)
        if isinstance(formula, (And, Or)):
            join = all_of if isinstance(formula, And) is wanted else any_of
            return join(self._kleene(part, wanted=wanted) for part in parts)
        if isinstance(formula, Implies):
            return self._kleene(Or(Not(parts[0]), parts[1]), wanted=wanted)
        if isinstance(formula, Equivalent):
            same = any_of(all_of(self._kleene(part, wanted=side) for part in parts) for side in (True, False))
            if wanted:
                return same
            return any_of(
                all_of((self.truth(one), self.falsity(other))) for one in parts for other in parts if one != other
            )
        if isinstance(formula, (ITE, Xor)):
            return self._kleene(formula.to_nnf(simplify=False), wanted=wanted)
        raise UnsupportedError(f"{formula.func.__name__} is not a relation or a connective")

    def _relation(self, relation: Relational) -> tuple[Formula, Formula]:
        op = OPERATORS.get(relation.func)
        if op is None:
            raise UnsupportedError(f"{relation} is not an equation or an inequality")
        left, right = relation.args
        one, other = self.term(left), self.term(right)
        return all_of((one.defined, other.defined)), Sign(one.value - other.value, op)

    # -- expressions --------------------------------------------------------------------------------------------

    def term(self, expression: Expr) -> Term:
        """The expression as a rational expression in plain and fresh symbols."""
        known = self._terms.get(expression)
        if known is None:
            known = self._terms[expression] = self._rewrite(expression)
        return known

    def _rewrite(self, expression: Expr) -> Term:
        if expression.is_Rational or expression.is_Symbol:
            return Term(expression)
        if expression in (nan, zoo, oo, -oo, S.ImaginaryUnit) or isinstance(expression, Float):
            raise UnsupportedError(f"{expression} is not an exact real expression")
        if isinstance(expression, (Add, Mul)):
            parts = [self.term(part) for part in expression.args]
            value = expression.func(*[part.value for part in parts])
            return Term(value, all_of(part.defined for part in parts))
        if isinstance(expression, Pow):
            return self._power(expression)
        if expression is GoldenRatio:
            return self.term((1 + 5 ** Rational(1, 2)) / 2)
        if isinstance(expression, AppliedUndef):
            return self._abstract(expression)
        if isinstance(expression, (Derivative, Subs)):
            return self._derivative(expression)
        try:
            known = rewrite_kink(self, expression) or self._elementary.rewrite(expression)
        except TypeError as error:  # a comparison with a number that is not real
            raise UnsupportedError(f"{expression} has no real value") from error
        return known if known is not None else self.unknown(expression)

    def unknown(self, expression: Expr, defined: Formula | None = None) -> Term:
        """A symbol about which nothing is known; where it is defined is open too, unless that is given."""
        value = self.symbol(expression)
        return Term(value, Sign(self.symbol(expression), ">") if defined is None else defined)

    def _abstract(self, expression: AppliedUndef) -> Term:
        """A value of an abstract function, which is defined everywhere: equal arguments give equal values."""
        parts = [self.term(part) for part in expression.args]
        defined = all_of(part.defined for part in parts)
        known = expression.func(*[canonical(part) for part in expression.args])
        if known in self._terms:
            return Term(self._terms[known].value, defined)
        value = self.unknown(known, defined)
        self._terms[known] = value
        return value

    def _derivative(self, expression: Expr) -> Term:
        evaluated = evaluated_derivative(expression)
        if evaluated is None or (isinstance(expression, Subs) and hides_a_domain(expression)):
            return self.unknown(expression)
        if isinstance(expression, Subs):
            return self.term(evaluated)
        inner = self.term(expression.args[0])
        radicands = [self.term(base) for base in roots_of(expression.args[0])]
        inside = all_of(Sign(radicand.value, ">") for radicand in radicands)
        result = self.term(evaluated)
        return Term(result.value, all_of((inner.defined, inside, result.defined)))

    def _power(self, expression: Pow) -> Term:
        base, exponent = expression.args
        if not exponent.is_Rational:
            return self._elementary.power(base, exponent)
        inner = self.term(base)
        if exponent.is_Integer and abs(exponent) > _LARGEST_POWER:
            raise UnsupportedError(f"the power {exponent} is too high for exact algebra")
        if exponent.is_Integer:
            nonzero = TRUE if exponent > 0 else Sign(inner.value, "!=")
            return Term(Pow(inner.value, exponent), all_of((inner.defined, nonzero)))
        if exponent.q > _LARGEST_ROOT:
            return self.unknown(expression)
        root = self._root(base, int(exponent.q), inner)
        radicand = Sign(inner.value, ">=" if exponent > 0 else ">")
        return Term(root**exponent.p, all_of((inner.defined, radicand)))

    def _root(self, base: Expr, degree: int, inner: Term) -> Expr:
        if (base, degree) in self._roots:
            return self._roots[base, degree]
        root = self.symbol(Pow(base, Rational(1, degree)))
        defined = all_of((inner.defined, Sign(inner.value, ">=")))
        self.equations.append((root**degree - inner.value, defined))
        self._roots[base, degree] = root
        return root
