"""Units: a statement that is homogeneous under a rescaling of its variables may be proved with one of them set to 1.

Weights are found by linear algebra: the two sides of a relation, the terms of a sum, a state and its image must all
carry the same weight, and the argument of a function, an exponent, a whole number or a named time none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from sympy import Add, Basic, Expr, Matrix, Mul, Pow, S, Set, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.engines.motion.trajectory import Setting, joined
from theory.domains import is_discrete
from theory.temporal import After, ConvergesTo, Decreasing, HasPeriod

Weight = dict[Symbol, Expr]
_RATE = Symbol("_rate")


class _NotHomogeneousError(Exception):
    """The expression has no weight of the required form."""


@dataclass
class _Equations:
    """Linear equations between the unknown weights of the symbols."""

    rows: list[Weight] = field(default_factory=list)

    def equal(self, left: Weight | None, right: Weight | None) -> None:
        """Require equal weights; None is the weight of zero, which has every weight."""
        if left is not None and right is not None:
            self.rows.append(_sum(left, right, -1))

    def weight(self, value: Expr) -> Weight | None:
        """The weight of an expression in terms of those of its symbols, after requiring that it has one."""
        if value.is_number:
            return None if value.is_zero else {}
        if isinstance(value, Symbol):
            return {value: S.One}
        if isinstance(value, Mul):
            total: Weight = {}
            for part in value.args:
                total = _sum(total, self.weight(part) or {}, 1)
            return total
        if isinstance(value, Pow) and value.exp.is_Rational:
            return {symbol: factor * value.exp for symbol, factor in (self.weight(value.base) or {}).items()}
        parts = [self.weight(part) for part in value.args]
        for part in parts if not isinstance(value, Add) else ():
            self.equal(part, {})
        for part in parts[1:] if isinstance(value, Add) else ():
            self.equal(part, parts[0])
        return parts[0] if isinstance(value, Add) else {}


def _sum(left: Weight, right: Weight, sign: int) -> Weight:
    return {symbol: left.get(symbol, S.Zero) + sign * right.get(symbol, S.Zero) for symbol in {**left, **right}}


def normalised(setting: Setting, claim: Boolean) -> Iterator[tuple[Setting, Boolean, Symbol, Mapping[Symbol, Expr]]]:
    """The setting and claim with a positive variable set to 1, that variable, and the weights, if there are any."""
    equations = _Equations()
    try:
        _collect(equations, setting, claim)
    except _NotHomogeneousError:
        return
    symbols = sorted({*setting.variables, *setting.state, _RATE}, key=lambda symbol: symbol.name)
    matrix = Matrix([[row.get(symbol, S.Zero) for symbol in symbols] for row in equations.rows] or [[0] * len(symbols)])
    positive = {part.gts for part in setting.hypotheses if isinstance(part, Relational) and _is_positivity(part)}
    known = set().union(*(part.free_symbols for part in setting.rule)) - set(setting.start) - set(setting.almost_all)
    for vector in matrix.nullspace():
        weights = {symbol: weight for symbol, weight in zip(symbols, vector, strict=True) if weight != 0}
        for unit in (symbol for symbol in weights if symbol in positive & known):
            yield (*_with_unit(setting, claim, unit), unit, {symbol: weights[symbol] for symbol in weights})
            return


def _is_positivity(relation: Relational) -> bool:
    return relation.rel_op in ("<", ">") and relation.lts.is_zero is True and isinstance(relation.gts, Symbol)


def _with_unit(setting: Setting, claim: Boolean, unit: Symbol) -> tuple[Setting, Boolean]:
    one = {unit: S.One}
    smaller = replace(
        setting,
        rule=tuple(part.subs(one) for part in setting.rule),
        start=tuple(part.subs(one) for part in setting.start),
        variables={key: domain.subs(one) for key, domain in setting.variables.items() if key != unit},
        hypotheses=joined(*(part.subs(one) for part in setting.hypotheses)),
        assumed=setting.assumed.subs(one),
        domain=setting.domain.subs(one),
        solved=(*setting.solved, (unit, S.One)),
    )
    return smaller, claim.subs(one)


def _collect(equations: _Equations, setting: Setting, claim: Boolean) -> None:
    rate: Weight = {} if setting.discrete else {_RATE: S.One}
    if setting.discrete or claim.has(After):
        equations.rows.append({_RATE: S.One})
    equations.rows += [{symbol: S.One} for symbol, domain in setting.variables.items() if is_discrete(domain)]
    for symbol, rule, start in zip(setting.state, setting.rule, setting.start, strict=True):
        equations.equal(equations.weight(rule), _sum({symbol: S.One}, rate, 1))
        equations.equal(equations.weight(start), {symbol: S.One})
    for formula in (*setting.hypotheses, setting.assumed, claim):
        _formula(equations, formula)


def _formula(equations: _Equations, formula: Basic) -> None:
    if isinstance(formula, Relational):
        equations.equal(equations.weight(formula.lhs), equations.weight(formula.rhs))
    elif isinstance(formula, ConvergesTo):
        for point in formula.points:
            for part, value in zip(formula.quantity, point, strict=True):
                equations.equal(equations.weight(part), equations.weight(value))
    elif isinstance(formula, Decreasing):
        equations.weight(formula.args[0])
    elif isinstance(formula, (Set, Tuple)) or (isinstance(formula, After) and not formula.args[0].is_number):
        raise _NotHomogeneousError
    elif isinstance(formula, Boolean) and not isinstance(formula, HasPeriod):
        for part in formula.args:
            if isinstance(part, Boolean):
                _formula(equations, part)
            elif not (isinstance(formula, After) and part.is_number):
                raise _NotHomogeneousError
