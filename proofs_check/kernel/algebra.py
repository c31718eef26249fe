"""A claim read as polynomial conditions: where these contradict each other, the claim has no counterexample.

Every relation carries the condition that its terms have values. A hypothesis holds only where it has them, a conclusion
must have them wherever it is claimed. Fresh symbols stand for roots, kinks and functions; at every real point they have
values that satisfy all that is said about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import sympy as sp
from sympy import Dummy, Expr, Rational, S, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import And, Boolean, BooleanFalse, BooleanTrue, Implies, Not, Or

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.derivatives import carried_out
from proofs_check.kernel.fields import UNREADABLE, factored, normal, terms
from proofs_check.kernel.formulas import FALSE, TRUE, Formula, Sign, Term, all_of, any_of, implies, map_signs, negate
from proofs_check.kernel.formulas import signs as signs_in
from proofs_check.kernel.instances import with_instances
from proofs_check.kernel.intervals import UndefinedError
from proofs_check.kernel.point import enclosed, opened
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.language.functions import as_quotient, by_cases, hyperbolic, in_exponentials, rough, with_poles
from theory.polynomials import Polynomial, Ring
from theory.statements import Statement
from theory.temporal import is_plain

_OPERATORS = {Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}
_LARGEST_POWER = 400
_BITS = 40
_LONG = 60
_ODD = (sp.erf, sp.atan, sp.asin, sp.asinh)


class UnreadableError(LemmascopeError):
    """A claim has a part about which nothing can be said in polynomials."""


@dataclass(frozen=True)
class Conditions:
    """What a counterexample of a claim satisfies, as sign conditions on the polynomials of a ring."""

    ring: Ring
    formula: Formula
    whole: tuple[Symbol, ...] = ()
    """The symbols that stand for whole numbers; that they do is no part of the formula."""
    exact: bool = True
    """Whether the values of fresh symbols are determined: then every solution is a counterexample, whole or not."""
    origins: Mapping[Symbol, Expr] = field(default_factory=dict)
    """What the fresh symbols stand for."""
    hints: Formula = TRUE
    """What follows from the formula and helps where only products are formed: bounds of roots of numbers."""

    @property
    def everything(self) -> Formula:
        """The formula with the hints."""
        return all_of((self.formula, self.hints))


def claimed(statement: Statement) -> Claim | None:
    """The claim of a statement that is plain, or becomes so without quantifiers or by instances of its hypotheses."""
    return claim_of(statement) or without_quantifiers(statement) or with_instances(statement)


def without_quantifiers(statement: Statement) -> Claim | None:
    """The claim of a statement whose quantifiers only add variables; None when it has others.

    >>> from theory.temporal import ForAll
    >>> x, y = Symbol("x"), Symbol("y")
    >>> lemma = Statement(variables={x: S.Reals}, then=ForAll(y, sp.Interval(0, 1), Ge(x**2 + y, 0)))
    >>> without_quantifiers(lemma).hypotheses
    (0 <= y, y <= 1)
    """
    domains, hypotheses, conclusion = opened(statement)
    plain = all(is_plain(part) for part in (*hypotheses, conclusion))
    alone = statement.computed is None and not statement.speaks_of_state
    parts = tuple(part for one in hypotheses for part in sorted(clauses(one), key=str) if part is not S.true)
    return Claim(domains, parts, conclusion) if plain and alone else None


def counterexamples(claim: Claim) -> Conditions:
    """The conditions on a counterexample, in an order that does not depend on that of the hypotheses or variables.

    >>> x = Symbol("x")
    >>> counterexamples(Claim({x: S.Reals}, (), Ge(x**2, 0))).formula
    Sign(value=v0^2, op='<')
    """
    try:
        return _counterexamples(claim)
    except (TypeError, *UNREADABLE) as error:  # a comparison with what is not real, a denominator that is zero
        raise UnreadableError(str(error)) from error


def _counterexamples(claim: Claim) -> Conditions:
    reading = _Reading(claim)
    given = sorted({part for one in claim.hypotheses for part in clauses(one)}, key=str)
    hypotheses = [reading.condition(part, weak=True) for part in given]
    opposite = negate(reading.condition(claim.conclusion, weak=False))
    formula = all_of((*hypotheses, opposite, *reading.facts))
    used = set().union(*(sign.value.free_symbols for sign in signs_in(formula)))
    known = [*sorted(claim.variables, key=str), *reading.origins]
    if not used <= set(known):
        raise UnreadableError("a symbol that is no variable")
    ring = Ring(tuple(symbol for symbol in known if symbol in used))
    whole = tuple(symbol for symbol in (*claim.integers, *reading.whole) if symbol in used)
    formula, hints = (
        map_signs(part, lambda sign: polynomial_sign(ring, sign)) for part in (formula, all_of(reading.hints))
    )
    return Conditions(ring, formula, whole, reading.is_exact, reading.origins, hints)


def polynomial_sign(ring: Ring, sign: Sign) -> Formula:
    """A condition on a rational function as one on a polynomial, right wherever no denominator vanishes."""
    fraction = ring.fraction(sign.value)
    value: Polynomial = fraction.numerator
    if sign.op not in ("=", "!=") and not fraction.denominator.is_constant():
        value = value * fraction.denominator
    if value.is_zero():
        return TRUE if sign.op in ("=", ">=", "<=") else FALSE
    if value.is_constant():
        positive = value.leading_coefficient() > 0
        return TRUE if sign.op in ("!=", *((">", ">=") if positive else ("<", "<="))) else FALSE
    return Sign(value, sign.op)


class _Reading:
    """Collects fresh symbols and what holds for them while formulas are read."""

    def __init__(self, claim: Claim) -> None:
        self.facts: list[Formula] = []
        self.hints: list[Formula] = []
        self.origins: dict[Symbol, Expr] = {}
        self.whole: list[Symbol] = []
        self.is_exact = True
        self._terms: dict[Expr, Term] = {}
        self._named: dict[Expr, Symbol] = {}
        parts = [_written_out(part) for part in (*claim.hypotheses, claim.conclusion)]
        self._exponents = _units(use.args[0] for part in parts for use in part.atoms(sp.exp))
        self._angles = _units(use.args[0] for part in parts for use in part.atoms(sp.sin, sp.cos))

    # -- formulas -----------------------------------------------------------------------------------------------

    def condition(self, formula: Boolean, *, weak: bool) -> Formula:
        """When a formula holds; below a negation, and if weak, also where the terms have no values."""
        if isinstance(formula, (BooleanTrue, BooleanFalse)):
            return TRUE if formula == True else FALSE  # noqa: E712 - SymPy's true
        if isinstance(formula, Relational):
            return self._relation(formula)
        if isinstance(formula, (And, Or)):
            join = all_of if isinstance(formula, And) else any_of
            return join(self.condition(part, weak=weak) for part in formula.args)
        if isinstance(formula, Implies):
            return any_of((self._denied(formula.args[0], weak=weak), self.condition(formula.args[1], weak=weak)))
        if isinstance(formula, Not):
            return self._denied(formula.args[0], weak=weak)
        if isinstance(formula, (sp.Equivalent, sp.ITE, sp.Xor)):
            return self.condition(formula.to_nnf(simplify=False), weak=weak)
        raise UnreadableError(f"{formula.func} is no connective")

    def _denied(self, formula: Boolean, *, weak: bool) -> Formula:
        if isinstance(formula, (BooleanTrue, BooleanFalse)):
            return FALSE if formula == True else TRUE  # noqa: E712 - SymPy's true
        if isinstance(formula, Relational):
            return negate(self._relation(formula)) if weak else self._relation(formula.negated)
        if isinstance(formula, (And, Or)):
            join = any_of if isinstance(formula, And) else all_of
            return join(self._denied(part, weak=weak) for part in formula.args)
        if isinstance(formula, Implies):
            return all_of((self.condition(formula.args[0], weak=weak), self._denied(formula.args[1], weak=weak)))
        if isinstance(formula, Not):
            return self.condition(formula.args[0], weak=weak)
        return self._denied(formula.to_nnf(simplify=False), weak=weak)

    def _relation(self, relation: Relational) -> Formula:
        op = _OPERATORS.get(relation.func)
        if op is None:
            raise UnreadableError(f"{relation.func} is no relation")
        left, right = (self.term(_written_out(side)) for side in relation.args)
        hidden = [self._differentiable(part) for part in sorted(set(_differentiated(relation)), key=str)]
        return all_of((*hidden, left.defined, right.defined, Sign(left.value - right.value, op)))

    def _differentiable(self, part: Expr) -> Formula:
        """That what is differentiated has a value, with positive radicands."""
        inner = part.args[0]
        risky = inner.atoms(sp.Pow, sp.Function) - inner.atoms(AppliedUndef)
        risky -= {power for power in inner.atoms(sp.Pow) if power.exp.is_Integer and power.exp.is_positive}
        if isinstance(part, sp.Subs) and risky:
            raise UnreadableError("what is put into a derivative may have no value")
        if inner.has(*rough()):
            raise UnreadableError("the derivative of a kink")
        roots = [self.term(_written_out(power.base)) for power in inner.atoms(sp.Pow) if not power.exp.is_Integer]
        if isinstance(part, sp.Subs):
            return all_of(self.term(_written_out(value)).defined for value in part.point)
        return all_of((self.term(_written_out(inner)).defined, *(Sign(root.value, ">") for root in roots)))

    # -- terms --------------------------------------------------------------------------------------------------

    def term(self, term: Expr) -> Term:
        """A rational expression in variables and fresh symbols, and when it stands for the value of the term."""
        if term not in self._terms:
            self._terms[term] = self._read(term)
        return self._terms[term]

    def _read(self, term: Expr) -> Term:
        if term.is_Rational or term.is_Symbol:
            return Term(term)
        if term.is_Float or term in (S.NaN, S.Infinity, S.NegativeInfinity, S.ComplexInfinity, S.ImaginaryUnit):
            raise UnreadableError(f"{term} is no real number")
        if term.is_Add or term.is_Mul:
            parts = [self.term(part) for part in term.args]
            return Term(term.func(*[part.value for part in parts]), all_of(part.defined for part in parts))
        if term.is_Pow and term.exp.is_Rational:
            return self._power(term)
        if isinstance(term, sp.exp) or term is S.Exp1:
            exponent = term.exp if isinstance(term, sp.exp) else S.One
            return Term(self._exponential(exponent), self.term(exponent).defined)
        if term.is_Pow:
            return self._general_power(*term.args)
        if isinstance(term, (*by_cases(), sp.floor, sp.ceiling)):
            return self._bent(term)
        if isinstance(term, (sp.sin, sp.cos)):
            return Term(self._circle(term), self.term(term.args[0]).defined)
        if isinstance(term, (sp.Derivative, sp.Subs)):
            symbols = term.atoms(AppliedUndef) and all(
                a.is_Symbol for use in term.atoms(AppliedUndef) for a in use.args
            )
            new = self._symbol(term)
            return Term(new, TRUE if symbols else self._unknown())
        return self._function(term)

    def _general_power(self, base: Expr, exponent: Expr) -> Term:
        """exp(exponent log(base)) where the base is positive; elsewhere it may have any value or none."""
        bottom, top = self.term(base), self.term(exponent)
        positive = all_of((bottom.defined, top.defined, Sign(bottom.value, ">")))
        value = self._exponential(exponent * sp.log(base))
        if base.is_Rational and base > 0:
            return Term(value, positive)
        new = self._symbol(base**exponent)
        self.facts.append(implies(positive, Sign(new - value, "=")))
        return Term(new, any_of((positive, self._unknown())))

    def _unknown(self) -> Formula:
        """A condition that may hold or not."""
        return Sign(self._symbol(S.Zero), ">")

    def _power(self, term: Expr) -> Term:
        base, exponent = term.args
        inner = self.term(base)
        if abs(exponent.p) > _LARGEST_POWER or exponent.q > _LARGEST_POWER:
            raise UnreadableError(f"the power {exponent} is too high")
        if exponent.q == 1:
            nonzero = TRUE if exponent > 0 else Sign(inner.value, "!=")
            return Term(inner.value**exponent, all_of((inner.defined, nonzero)))
        # equal radicands have one root: wherever both have values, cancelling changes none
        radicand = normal(base) if base.count_ops() < _LONG and base.is_rational_function() else base
        key = sp.Pow(radicand, Rational(1, exponent.q), evaluate=False)
        root = self._named.get(key)
        if root is None:
            root = self._named[key] = self._symbol(key, determined=True)
            value = all_of((Sign(root, ">="), Sign(root**exponent.q - inner.value, "=")))
            self.facts.append(implies(all_of((inner.defined, Sign(inner.value, ">="))), value))
            self._enclose(base ** Rational(1, exponent.q), root, self.hints)
        needed = Sign(inner.value, ">=" if exponent > 0 else ">")
        return Term(root**exponent.p, all_of((inner.defined, needed)))

    def _symbol(self, origin: Expr, *, determined: bool = False) -> Symbol:
        self.is_exact = self.is_exact and determined
        new = Dummy(str(origin) if origin.count_ops() < 20 else "w")
        self.origins[new] = origin
        return new

    def _bent(self, term: Expr) -> Term:
        """A fresh symbol that the cases of a kink, a jump or a definition by cases determine."""
        if isinstance(term, (sp.sign, sp.Heaviside)):
            low = S.NegativeOne if isinstance(term, sp.sign) else S.Zero
            middle = S.Zero if isinstance(term, sp.sign) else term.args[1]
            u = term.args[0]
            return self.term(sp.Piecewise((1, Gt(u, 0)), (low, Lt(u, 0)), (middle, True)))
        value = self._symbol(term, determined=True)
        if isinstance(term, sp.Piecewise):
            return Term(value, self._cases(value, term))
        parts = [self.term(part) for part in term.args]
        defined = all_of(part.defined for part in parts)
        if isinstance(term, (sp.floor, sp.ceiling)):
            self.whole.append(value)
            gap = (parts[0].value - value) * (1 if isinstance(term, sp.floor) else -1)
            said = all_of((Sign(gap, ">="), Sign(gap - 1, "<")))
        else:
            values = [parts[0].value, -parts[0].value] if isinstance(term, sp.Abs) else [part.value for part in parts]
            order = "<=" if isinstance(term, sp.Min) else ">="
            among = any_of(Sign(value - part, "=") for part in values)
            said = all_of((*(Sign(value - part, order) for part in values), among))
        self.facts.append(implies(defined, said))
        return Term(value, defined)

    def _cases(self, value: Symbol, term: Expr) -> Formula:
        """When a definition by cases has a value; what that is becomes a fact."""
        skipped: Formula = TRUE
        failed: Formula = TRUE
        options, defined = [], []
        for branch, condition in term.args:
            inner, holds = self.term(branch), self.condition(condition, weak=False)
            equal = implies(inner.defined, Sign(value - inner.value, "="))
            options.append(all_of((skipped, holds, equal)))
            defined.append(all_of((failed, holds, inner.defined)))
            skipped = all_of((skipped, negate(holds)))
            failed = all_of((failed, self._denied(condition, weak=False)))
        self.facts.append(any_of((*options, skipped)))
        return any_of(defined)

    def _exponential(self, exponent: Expr) -> Expr:
        """One positive symbol for each independent part of the exponents."""
        product: Expr = S.One
        for number, part in terms(exponent):
            if isinstance(part, sp.log) and number.q == 1:
                product *= self.term(part.args[0] ** number).value
                continue
            unit = sp.ilcm(self._exponents.get(part, 1), number.q)
            key = sp.exp(part / unit, evaluate=False)
            if key not in self._named:
                new = self._named[key] = self._symbol(key)
                inner = self.term(part / unit)
                self.facts.append(Sign(new, ">"))
                above, below = Sign(new - 1 - inner.value, ">"), Sign(1 - new * (1 - inner.value), ">")
                flat = all_of((Sign(inner.value, "="), Sign(new - 1, "=")))
                self.facts.append(implies(inner.defined, any_of((flat, all_of((above, below))))))
                self._enclose(sp.exp(part / unit), new)
            product *= self._named[key] ** int(number * unit)
        return product

    def _circle(self, term: Expr) -> Expr:
        """A sine or cosine through points of the unit circle, one for each independent part of the angles."""
        whole: tuple[Expr, Expr] = S.One, S.Zero
        for number, part in terms(term.args[0]):
            unit = sp.ilcm(self._angles.get(part, 1), number.q)
            c, s = _multiple(self._point(part / unit), int(number * unit))
            whole = whole[0] * c - whole[1] * s, whole[1] * c + whole[0] * s
        return whole[0] if isinstance(term, sp.cos) else whole[1]

    def _point(self, angle: Expr) -> tuple[Expr, Expr]:
        """Cosine and sine of an angle."""
        exact = sp.cos(angle), sp.sin(angle)
        if not sp.Tuple(*exact).has(sp.sin, sp.cos):
            return self.term(exact[0]).value, self.term(exact[1]).value
        keys = sp.cos(angle, evaluate=False), sp.sin(angle, evaluate=False)
        if keys[0] not in self._named:
            c, s = (self._symbol(key) for key in keys)
            self._named |= {keys[0]: c, keys[1]: s}
            inner = self.term(angle)
            t = inner.value
            self.facts.append(Sign(c**2 + s**2 - 1, "="))
            beside = any_of((
                all_of((Sign(t, ">="), Sign(t - s, ">="), Sign(6 * s - 6 * t + t**3, ">="))),
                all_of((Sign(t, "<="), Sign(t - s, "<="), Sign(6 * s - 6 * t + t**3, "<="))),
            ))  # fmt: skip
            self.facts.append(implies(inner.defined, all_of((beside, Sign(2 * c - 2 + t**2, ">=")))))
            self._enclose(exact[0], c)
            self._enclose(exact[1], s)
        return self._named[keys[0]], self._named[keys[1]]

    def _function(self, term: Expr) -> Term:
        parts = [self.term(part) for part in term.args]
        defined = all_of(part.defined for part in parts)
        if isinstance(term, AppliedUndef):
            return self._abstract(term, parts, defined)
        if isinstance(term, sp.log) and len(parts) == 1:
            defined = all_of((defined, Sign(parts[0].value, ">")))
            return Term(self._logarithm(term, parts[0].value, defined), defined)
        known = not term.free_symbols and not term.has(AppliedUndef)
        new = self._symbol(term)
        if not isinstance(term, _ODD) and not known:
            return Term(new, self._unknown())
        if isinstance(term, _ODD):
            u = parts[0].value
            if isinstance(term, sp.asin):
                defined = all_of((defined, Sign(u - 1, "<="), Sign(u + 1, ">=")))
            said: list[Formula] = [any_of(all_of((Sign(u, op), Sign(new, op))) for op in ("<", "=", ">"))]
            if not isinstance(term, sp.asinh):
                bound = S.One if isinstance(term, sp.erf) else self.term(sp.pi).value / 2
                op = ("<=", ">=") if isinstance(term, sp.asin) else ("<", ">")
                said += [Sign(new - bound, op[0]), Sign(new + bound, op[1])]
            self.facts.append(implies(defined, all_of(said)))
        if known and not self._enclose(term, new):
            raise UnreadableError(f"{term} may have no value")
        return Term(new, defined)

    def _abstract(self, term: Expr, parts: list[Term], defined: Formula) -> Term:
        """A value of an abstract function: equal arguments have equal values."""
        new = self._symbol(term)
        for other in [known for known in self._named if isinstance(known, AppliedUndef) and known.func == term.func]:
            twins = [self.term(part) for part in other.args]
            same = [Sign(one.value - two.value, "=") for one, two in zip(parts, twins, strict=True)]
            guard = all_of((defined, *(twin.defined for twin in twins), *same))
            self.facts.append(implies(guard, Sign(new - self._named[other], "=")))
        self._named[term] = new
        return Term(new, defined)

    def _logarithm(self, term: Expr, inside: Expr, defined: Formula) -> Expr:
        if term in self._named:
            return self._named[term]
        new = self._named[term] = self._symbol(term)
        tangents = all_of((Sign(inside - 1 - new, ">"), Sign(inside * new - inside + 1, ">")))
        self.facts.append(implies(defined, any_of((all_of((Sign(inside - 1, "="), Sign(new, "="))), tangents))))
        self._enclose(term, new)
        factors = [part.as_base_exp() for part in sp.Mul.make_args(factored(term.args[0]))]
        if factors[0][0].is_negative:  # -2/(x - 1) is 2/(1 - x)
            turned = next((place for place, (_, power) in enumerate(factors) if place and power.is_odd), None)
            if turned is None:
                return new
            for place in (0, turned):
                factors[place] = (-factors[place][0], factors[place][1])
        factors = [(base, power) for base, power in factors if base != 1]
        if (len(factors) > 1 or factors[0][1] != 1) and all(power.is_Integer for _, power in factors):
            logs = [(power, self.term(sp.log(base, evaluate=False))) for base, power in factors]
            total = sp.Add(*(power * one.value for power, one in logs))
            self.facts.append(implies(all_of((defined, *(one.defined for _, one in logs))), Sign(new - total, "=")))
        return new

    def _enclose(self, number: Expr, new: Symbol, among: list[Formula] | None = None) -> bool:
        """Rational bounds of a closed term, among the facts or elsewhere; whether there are any."""
        if number.free_symbols or number.has(AppliedUndef):
            return False
        try:
            ball = enclosed(number)
        except UndefinedError:
            return False
        if not (ball.low.is_finite() and ball.high.is_finite()):
            return False
        low, high = (ball.low * (1 << _BITS)).lower().floor(), (ball.high * (1 << _BITS)).upper().ceil()
        ends = [Rational(int(end.unique_fmpz()), 1 << _BITS) for end in (low, high)]
        bounds = all_of((Sign(new - ends[0], ">="), Sign(new - ends[1], "<=")))
        (self.facts if among is None else among).append(bounds)
        return True


def _units(sums: Iterable[Expr]) -> dict[Expr, int]:
    """For each part of the sums the common denominator of its multiples."""
    found: dict[Expr, int] = {}
    for total in sums:
        for number, part in terms(total):
            found[part] = int(sp.ilcm(found.get(part, 1), number.q))
    return found


def _multiple(point: tuple[Expr, Expr], times: int) -> tuple[Expr, Expr]:
    """Cosine and sine of a multiple of an angle, from those of the angle (de Moivre, with 1 - c^2 for s^2)."""
    (c, s), n = point, abs(times)
    if n > _LARGEST_POWER:
        raise UnreadableError("too large a multiple of an angle")
    rows = [sp.binomial(n, k) * c ** (n - k) * (c**2 - 1) ** (k // 2) for k in range(n + 1)]
    return sp.Add(*rows[::2]), sp.Add(*rows[1::2]) * s * (1 if times > 0 else -1)


def _differentiated(part: sp.Basic) -> Iterator[Expr]:
    """The derivatives, those at a point with the point."""
    if isinstance(part, (sp.Derivative, sp.Subs)):
        yield part
    for inner in () if isinstance(part, sp.Subs) else part.args:
        yield from _differentiated(inner)


def _written_out(formula: sp.Basic) -> sp.Basic:
    """Derivatives carried out, ratios of circular functions and hyperbolic functions rewritten."""
    for kinds, change in (
        ((sp.Derivative, sp.Subs), carried_out),
        ((sp.Mod, sp.frac), _by_floor),
        (hyperbolic(), in_exponentials),
        (with_poles(), as_quotient),
    ):
        if formula.has(*kinds):
            formula = formula.replace(lambda part, kinds=kinds: isinstance(part, kinds), change)
    return formula


def _by_floor(part: Expr) -> Expr:
    """A remainder or a fractional part through the whole number below."""
    value, unit = (*part.args, S.One)[:2]
    return value - unit * sp.floor(value / unit)
