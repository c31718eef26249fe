"""Follows the charts of a cover: cases, equations and substitutions, each checked to lose no point."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sympy import Add, And, Expr, Rational, Symbol, exp, factor_terms, log, sqrt
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.cover_signs import CoverCheck, same
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.formula_trees import (
    FALSE,
    Atom,
    Junction,
    Node,
    cases_of,
    conjuncts,
    demands,
    map_atoms,
    normal_form,
    unfolded,
)
from proofs_check.kernel.point import sign
from theory.temporal import put_at_once
from theory.trees import decode


def contradicts(formula: Boolean, variables: tuple[Symbol, ...], step: dict[str, Any]) -> bool:
    """Whether the argument shows that no point satisfies a plain formula."""
    if step["do"] == "unfold":
        return contradicts(unfolded(formula), variables, *step["parts"])
    if step["do"] != "kink":
        node = normal_form(formula)
        return node is not None and charted(Charted(variables, node, {}), step)
    kink = decode(step["kink"])
    if formula.has(ExprWithLimits):
        raise ValueError("a case of what is bound inside of a sum or an integral is none of the whole")
    cases = cases_of(kink)
    if cases is None:
        raise ValueError("the cases of a kink are not known")
    formulas = [And(condition, formula.xreplace({kink: value})) for condition, value in cases]
    pairs = zip(formulas, step["parts"], strict=True)
    return all(contradicts(case, variables, below) for case, below in pairs)


@dataclass(frozen=True)
class Charted:
    """A formula about variables, some of which are known to range over an interval with exact ends."""

    variables: tuple[Symbol, ...]
    formula: Node
    sides: dict[Symbol, tuple[Fraction, Fraction | None]]

    def put(self, old: Symbol, value: Expr, new: Symbol | None, side: tuple[int, int | None] | None) -> Charted:
        """Replace a variable by an expression, possibly in a new variable."""
        if new is not None and (new != Symbol(str(new)) or (new != old and new in self.variables)):
            raise ValueError("the new variable is no plain symbol, or not new")
        variables = tuple(v for v in self.variables if v != old) + ((new,) if new is not None else ())
        if not value.free_symbols <= set(variables):
            raise ValueError("the substitution uses unknown symbols")
        sides = {v: s for v, s in self.sides.items() if v != old}
        if new is not None and side is not None:
            sides[new] = (Fraction(side[0]), None if side[1] is None else Fraction(side[1]))
        return Charted(variables, map_atoms(self.formula, {old: value}), sides)

    def demands(self, difference: Expr) -> bool:
        """Whether the formula demands that an expression be nonnegative, possibly through an equation."""
        for part in demands(self.formula):
            ratio = None if part.relation == "!=" else _constant_ratio(part.expression, difference)
            if ratio is not None and (ratio > 0 or part.relation == "=="):
                return True
        return False


def _constant_ratio(one: Expr, other: Expr) -> Rational | None:
    """The rational number by which the second expression must be multiplied to give the first."""
    first, second = one.as_coefficients_dict(), other.as_coefficients_dict()
    if not second:
        return None
    term = next(iter(second))
    ratio = first.get(term, Rational(0)) / second[term]
    return ratio if ratio != 0 and same(one, ratio * other) else None


def charted(state: Charted, step: dict[str, Any]) -> bool:
    """Whether a step, with everything below it, shows that no point satisfies the formula."""
    kind = step["do"]
    if kind == "false":
        return bool(state.formula == FALSE)
    if kind == "constant":
        return not state.variables and _constant(state.formula) is False
    if kind == "or":
        return _or(state, step)
    if kind == "opposite":
        return _opposite(state, step)
    if kind == "cover":
        return set(state.sides) == set(state.variables) and CoverCheck(state.formula, step).holds(state.sides)
    following = _CHARTS[kind](state, step)
    return len(following) == len(step["parts"]) and all(map(charted, following, step["parts"]))


def _constant(formula: Node) -> bool | None:
    if isinstance(formula, Atom):
        found = sign(formula.expression, {})
        return None if found is None else formula.allows(found)
    values = list(map(_constant, formula.parts))
    decisive = not formula.every
    return decisive if decisive in values else None if None in values else not decisive


def _or(state: Charted, step: dict[str, Any]) -> bool:
    parts, place = conjuncts(state.formula), step["at"]
    either = parts[place]
    if not isinstance(either, Junction) or either.every or len(either.parts) != len(step["parts"]):
        return False
    for option, below in zip(either.parts, step["parts"], strict=True):
        chosen = (*parts[:place], *conjuncts(option), *parts[place + 1 :])
        case = replace(state, formula=Junction(True, tuple(dict.fromkeys(chosen))))
        if not charted(case, below):
            return False
    return True


def _opposite(state: Charted, step: dict[str, Any]) -> bool:
    """Whether two demands add up to something that must be positive, or not negative, and is not."""
    parts = conjuncts(state.formula)
    one, other = (parts[place] for place in step["at"])
    if not (isinstance(one, Atom) and isinstance(other, Atom) and {one.relation, other.relation} <= {">", ">="}):
        return False
    total = one.expression + other.expression
    found = sign(total, {}) if not total.free_symbols else None
    return found == -1 or (found == 0 and ">" in (one.relation, other.relation))


def _raw(state: Charted, step: dict[str, Any]) -> Symbol:
    variable = decode(step["variable"])
    if variable not in state.variables or variable in state.sides:
        raise ValueError("the variable is not free to be charted")
    return variable


def _set(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, value = _raw(state, step), decode(step["value"])
    demanded = any(
        part.relation == "==" and _constant_ratio(part.expression, variable - value) for part in demands(state.formula)
    )
    if not demanded or value.has(variable):
        raise ValueError("no equation demands the substitution")
    return [state.put(variable, value, None, None)]


def _keep(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, low, high = _raw(state, step), Fraction(step["low"]), step["high"]
    bounded = high is not None and high != float("inf")
    if not _at_least(state, variable, low) or (bounded and not _at_most(state, variable, Fraction(high))):
        raise ValueError("the formula does not demand these bounds")
    side = (low, Fraction(high) if bounded else None)
    return [replace(state, sides={**state.sides, variable: side})]


def _at_least(state: Charted, variable: Symbol, low: Fraction) -> bool:
    return _lies(state, variable, Rational(low.numerator, low.denominator), 1)


def _at_most(state: Charted, variable: Symbol, high: Fraction) -> bool:
    return _lies(state, variable, Rational(high.numerator, high.denominator), -1)


def _lies(state: Charted, variable: Symbol, end: Rational, direction: int) -> bool:
    """Whether the formula demands that a variable be above (1) or below (-1) an end, or some number beyond it."""
    if state.demands(direction * (variable - end)):
        return True
    for part in demands(state.formula):
        if part.relation != "!=" and part.expression.free_symbols == {variable}:
            rate = part.expression.coeff(variable)
            rest = part.expression - rate * variable
            if not rate.is_Rational or rate == 0 or rest.has(variable):
                continue
            points_there = rate * direction > 0 or part.relation == "=="
            if points_there and sign(direction * (-rest / rate - end), {}) in (0, 1):
                return True
    return False


def _halves(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new = _raw(state, step), decode(step["new"])
    return [state.put(variable, value, new, (0, None)) for value in (new, -new)]


def _ends(state: Charted, step: dict[str, Any], *names: str) -> tuple[Symbol, Symbol, list[Expr]]:
    variable, new = _raw(state, step), decode(step["new"])
    ends = [decode(step[name]) for name in names]
    for name, end in zip(names, ends, strict=True):
        if not end.free_symbols <= set(state.sides):
            raise ValueError("a bound depends on something not charted")
        if not state.demands(variable - end if name == "low" else end - variable):
            raise ValueError("the formula does not demand this bound")
    return variable, new, ends


def _between(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, (low, high) = _ends(state, step, "low", "high")
    return [state.put(variable, low + factor_terms(high - low) * new, new, (0, 1))]


def _fold(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, (low, high) = _ends(state, step, "low", "high")
    width = factor_terms(high - low)
    return [state.put(variable, value, new, (0, 1)) for value in (low + width * new / 2, high - width * new / 2)]


def _above(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, (low,) = _ends(state, step, "low")
    return [state.put(variable, low + new, new, (0, None))]


def _below(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, (high,) = _ends(state, step, "high")
    return [state.put(variable, high - new, new, (0, None))]


def _nonnegative(state: Charted, step: dict[str, Any]) -> tuple[Symbol, Symbol, Fraction | None]:
    variable, new = decode(step["variable"]), decode(step["new"])
    low, high = state.sides[variable]
    if low != 0:
        raise ValueError("the variable does not start at 0")
    return variable, new, high


def _square(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, high = _nonnegative(state, step)
    top = None if high is None else Fraction(step["high"])
    if high is not None and (top is None or top * top < high):
        raise ValueError("the square root is cut short")
    changed = state.put(variable, new**2, new, (0, None))
    changed.sides[new] = (Fraction(0), top)
    return [replace(changed, formula=map_atoms(changed.formula, {sqrt(new**2): new}))]


def _log(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, high = _nonnegative(state, step)
    at_zero = [
        put_at_once(part.expression, {variable: Rational(0)})
        for part in demands(state.formula)
        if part.relation == ">" and part.expression.has(variable)
    ]
    if not any(value.is_Rational and value <= 0 for value in at_zero):
        raise ValueError("0 is not excluded")
    top = Rational(1) if high is None else Rational(high.numerator, high.denominator)
    following = []
    for direction in (-1, 1) if high is None else (-1,):
        value = top * exp(direction * new)
        changed = state.put(variable, value, new, (0, None))
        formula = map_atoms(changed.formula, {log(value): log(top) + direction * new})
        following.append(replace(changed, formula=formula))
    return following


def _split(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, at = decode(step["variable"]), decode(step["new"]), decode(step["at"])
    low, high = state.sides[variable]
    bottom = Rational(low.numerator, low.denominator)
    if at.free_symbols or sign(at - bottom, {}) != 1:
        raise ValueError("the point is not inside")
    down = state.put(variable, at - (at - bottom) * new, new, (0, 1))
    if high is None:
        return [state.put(variable, at + new, new, (0, None)), down]
    top = Rational(high.numerator, high.denominator)
    if sign(top - at, {}) != 1:
        raise ValueError("the point is not inside")
    return [state.put(variable, at + (top - at) * new, new, (0, 1)), down]


def _diagonal(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, other, new = _raw(state, step), decode(step["other"]), decode(step["new"])
    return [state.put(variable, other + new, new, None)]


def _product(state: Charted, step: dict[str, Any]) -> list[Charted]:
    """y = m / x for a positive x, and small relations times a power of x."""
    variable, other, new = _raw(state, step), decode(step["other"]), decode(step["new"])
    if other == variable or Atom(other, ">") not in conjuncts(state.formula):
        raise ValueError("the other factor is not positive")
    changed = state.put(variable, new / other, new, None)
    return [replace(changed, formula=_times_powers(changed.formula, other))]


def _times_powers(formula: Node, positive: Symbol) -> Node:
    if isinstance(formula, Junction):
        return replace(formula, parts=tuple(_times_powers(part, positive) for part in formula.parts))
    if formula.expression.count_ops() > 20 or not formula.expression.is_rational_function():
        return formula
    total = expanded(formula.expression)
    exponents = [Rational(term.as_powers_dict()[positive]) for term in Add.make_args(total)]
    lowest = min(int(exponent) for exponent in exponents)
    return replace(formula, expression=expanded(total / positive**lowest)) if lowest < 0 else formula


_CHARTS = {
    "set": _set, "keep": _keep, "halves": _halves, "between": _between, "fold": _fold, "above": _above,
    "below": _below, "square": _square, "log": _log, "split": _split, "diagonal": _diagonal, "product": _product,
}  # fmt: skip
