"""Follows the argument of a cover step by step, with its own formulas, charts and interval arithmetic."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sympy import (
    Abs,
    And,
    Expr,
    Heaviside,
    Integer,
    Max,
    Min,
    Range,
    Rational,
    Set,
    Symbol,
    exp,
    log,
    sqrt,
)
from sympy import sign as sign_function
from sympy.core.relational import Eq, Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean, Implies, Not

from proofs_check.checkers.cover_signs import CoverCheck, same
from proofs_check.checkers.formula_trees import (
    NEVER,
    Relation,
    Tree,
    parts_that_must_hold,
    replaced,
    tree,
)
from proofs_check.exact import holds, sign
from proofs_check.regularity import continuity
from theory.domains import is_discrete, membership
from theory.statements import Statement
from theory.temporal import Exists, ForAll, is_plain, negation
from theory.trees import decode

_LARGEST = 200_000_000


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the certificate proves the statement, or its counterexample refutes it."""
    if "counterexample" in certificate:
        return _refutes(statement, certificate["counterexample"])
    argument = unpacked(certificate["argument"])
    return follow(Task(dict(statement.variables), statement.hypotheses, statement.conclusion), argument)


def unpacked(text: str) -> dict[str, Any]:
    """The argument that was packed as compressed JSON; refuses what would grow out of hand."""
    reader = zlib.decompressobj()
    data = reader.decompress(base64.b64decode(text), _LARGEST)
    if reader.unconsumed_tail:
        raise ValueError("the argument is too large")
    argument = json.loads(data)
    if not isinstance(argument, dict):
        raise TypeError("an argument is a table")
    return argument


def _refutes(statement: Statement, point: Mapping[str, Any]) -> bool:
    values = {symbol: decode(point[symbol.name]) for symbol in statement.variables if symbol.name in point}
    if any(not values[s].is_integer for s in statement.integers):
        return False
    formula = And(*statement.hypotheses, negation(statement.conclusion))
    return is_plain(formula) and formula.free_symbols <= set(values) and holds(formula, values) is True


@dataclass(frozen=True)
class Task:
    """For all variables with these hypotheses: the conclusion."""

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean

    def given(self, *more: Boolean) -> Task:
        """With further hypotheses."""
        return replace(self, hypotheses=(*self.hypotheses, *more))

    def fixed(self, symbol: Symbol, value: Expr) -> Task:
        """With one variable fixed."""
        variables = {s: d.subs(symbol, value) for s, d in self.variables.items() if s != symbol}
        hypotheses = tuple(part.subs(symbol, value) for part in self.hypotheses)
        return Task(variables, hypotheses, self.conclusion.subs(symbol, value))

    def opened(self, symbol: Symbol, domain: Set) -> Task:
        """With one more variable, or a narrower domain of a known one."""
        return replace(self, variables={**self.variables, symbol: domain}).given(membership(symbol, domain))


def follow(task: Task, step: dict[str, Any]) -> bool:
    """Whether one step of the argument, with everything below it, proves the task."""
    rule = _RULES.get(step["do"])
    return rule(task, step) if rule is not None else _plain(task, step)


def _plain(task: Task, step: dict[str, Any]) -> bool:
    formula = And(*task.hypotheses, negation(task.conclusion))
    return is_plain(formula) and _contradicts(formula, tuple(task.variables), step)


def _unpack(task: Task, step: dict[str, Any]) -> bool:
    part = task.hypotheses[step["at"]]
    if not isinstance(part, Exists) or part.symbol in task.variables:
        return False
    rest = tuple(p for place, p in enumerate(task.hypotheses) if place != step["at"])
    return follow(replace(task, hypotheses=(*rest, part.body)).opened(part.symbol, part.domain), *step["parts"])


def _keep_only(task: Task, step: dict[str, Any]) -> bool:
    kept = tuple(task.hypotheses[place] for place in step["kept"])
    return follow(replace(task, hypotheses=kept), *step["parts"])


def _each(task: Task, step: dict[str, Any]) -> bool:
    if not isinstance(task.conclusion, And):
        return False
    pairs = zip(task.conclusion.args, step["parts"], strict=True)
    return all(follow(replace(task, conclusion=part), below) for part, below in pairs)


def _assume(task: Task, step: dict[str, Any]) -> bool:
    if not isinstance(task.conclusion, Implies):
        return False
    premise, rest = task.conclusion.args
    return follow(replace(task.given(premise), conclusion=rest), *step["parts"])


def _forall(task: Task, step: dict[str, Any]) -> bool:
    claim = task.conclusion
    if not isinstance(claim, ForAll) or claim.symbol in task.variables:
        return False
    return follow(replace(task.opened(claim.symbol, claim.domain), conclusion=claim.body), *step["parts"])


def _enumerate(task: Task, step: dict[str, Any]) -> bool:
    symbol = decode(step["variable"])
    values = [Rational(text) for text in step["values"]]
    domain = task.variables[symbol]
    if not domain.is_finite_set or set(domain) != set(values):
        return False
    pairs = zip(values, step["parts"], strict=True)
    return all(follow(task.fixed(symbol, value), below) for value, below in pairs)


def _peel(task: Task, step: dict[str, Any]) -> bool:
    symbol, first, count = decode(step["variable"]), int(step["first"]), int(step["count"])
    domain = task.variables[symbol]
    if not isinstance(domain, Range) or domain.step != 1 or domain.inf != first or len(step["parts"]) != count + 1:
        return False
    *heads, tail = step["parts"]
    values = [Integer(first + k) for k in range(count)]
    started = all(follow(task.fixed(symbol, value), below) for value, below in zip(values, heads, strict=True))
    return started and follow(task.given(Ge(symbol, first + count)), tail)


def _claim(task: Task) -> Exists:
    if not isinstance(task.conclusion, Exists) or task.conclusion.symbol in task.variables:
        raise ValueError("the conclusion is no existence")
    return task.conclusion


def _witness(task: Task, step: dict[str, Any]) -> bool:
    claim, value = _claim(task), decode(step["value"])
    bound = {part.symbol for part in claim.body.atoms(Exists, ForAll)}
    if not value.free_symbols <= set(task.variables) - bound or (is_discrete(claim.domain) and not value.is_Integer):
        return False
    inside = membership(claim.symbol, claim.domain).subs(claim.symbol, value)
    shown = And(inside, claim.body.subs(claim.symbol, value))
    return follow(replace(task, conclusion=shown), *step["parts"])


def _crossing(task: Task, step: dict[str, Any]) -> bool:
    from sympy import Interval

    claim, low, high, rising = _claim(task), decode(step["low"]), decode(step["high"]), bool(step["rising"])
    x = claim.symbol
    if not (low.free_symbols | high.free_symbols) <= set(task.variables) or is_discrete(claim.domain):
        return False
    parts = claim.body.args if isinstance(claim.body, And) else (claim.body,)
    equations = [part for part in parts if isinstance(part, Eq) and part.has(x)]
    if len(equations) != 1:
        return False
    difference = equations[0].lhs - equations[0].rhs
    conditions = continuity(difference)
    if conditions is None:
        return False
    first, last = difference.subs(x, low), difference.subs(x, high)
    ends = And(Lt(first, 0), Gt(last, 0)) if rising else And(Gt(first, 0), Lt(last, 0))
    rest = And(*conditions, And(*[part for part in parts if part != equations[0]]))
    between = task.opened
    tasks = [
        replace(task, conclusion=And(ends, Lt(low, high))),
        replace(task.given(Gt(x, low), Lt(x, high)), conclusion=membership(x, claim.domain)),
        replace(task, conclusion=rest),
    ]
    domain = Interval(low, high)
    tasks[1] = replace(between(x, domain).given(), conclusion=tasks[1].conclusion).given(Gt(x, low), Lt(x, high))
    tasks[2] = replace(between(x, domain), conclusion=rest)
    return all(follow(sub, below) for sub, below in zip(tasks, step["parts"], strict=True))


def _halved(task: Task, step: dict[str, Any]) -> bool:
    from sympy import Interval

    symbol, at = decode(step["variable"]), decode(step["at"])
    domain = task.variables[symbol]
    if not isinstance(domain, Interval) or not at.is_Rational or not domain.start < at < domain.end:
        return False
    halves = [Interval(domain.start, at, domain.left_open), Interval(at, domain.end, False, domain.right_open)]
    return all(follow(task.opened(symbol, half), below) for half, below in zip(halves, step["parts"], strict=True))


_RULES = {
    "unpack": _unpack, "keep only": _keep_only, "each": _each, "assume": _assume, "forall": _forall,
    "enumerate": _enumerate, "peel": _peel, "witness": _witness, "crossing": _crossing, "halved": _halved,
}  # fmt: skip


# contradictions: formulas that no point satisfies ---------------------------------------------------------------------


def _contradicts(formula: Boolean, variables: tuple[Symbol, ...], step: dict[str, Any]) -> bool:
    if step["do"] != "kink":
        return charted(Charted(variables, tree(formula), {}), step)
    kink = decode(step["kink"])
    cases = _kink_cases(kink)
    formulas = [And(condition, formula.xreplace({kink: value})) for condition, value in cases]
    pairs = zip(formulas, step["parts"], strict=True)
    return all(_contradicts(case, variables, below) for case, below in pairs)


def _kink_cases(kink: Expr) -> list[tuple[Boolean, Expr]]:
    inside = kink.args[0]
    if isinstance(kink, Abs):
        return [(Ge(inside, 0), inside), (Lt(inside, 0), -inside)]
    if isinstance(kink, sign_function):
        return [(Gt(inside, 0), Integer(1)), (Lt(inside, 0), Integer(-1)), (Eq(inside, 0), Integer(0))]
    if isinstance(kink, Heaviside):
        return [(Gt(inside, 0), Integer(1)), (Lt(inside, 0), Integer(0)), (Eq(inside, 0), kink.args[1])]
    if isinstance(kink, (Max, Min)):
        order = Ge if isinstance(kink, Max) else Le
        return [(And(*[order(one, other) for other in kink.args if other != one]), one) for one in kink.args]
    if kink.args[-1][1] != And():
        raise ValueError("the pieces do not cover everything")
    earlier: list[Boolean] = []
    cases = []
    for value, condition in kink.args:
        cases.append((And(And(*earlier), condition), value))
        earlier.append(Not(condition))
    return cases


@dataclass(frozen=True)
class Charted:
    """A formula about variables, some of which are known to range over an interval with exact ends."""

    variables: tuple[Symbol, ...]
    formula: Tree
    sides: dict[Symbol, tuple[Fraction, Fraction | None]]

    def put(self, old: Symbol, value: Expr, new: Symbol | None, side: tuple[int, int | None] | None) -> Charted:
        """Replace a variable by an expression, possibly in a new variable."""
        if new is not None and new != old and new in self.variables:
            raise ValueError("the new variable is not new")
        variables = tuple(v for v in self.variables if v != old) + ((new,) if new is not None else ())
        if not value.free_symbols <= set(variables):
            raise ValueError("the substitution uses unknown symbols")
        sides = {v: s for v, s in self.sides.items() if v != old}
        if new is not None and side is not None:
            sides[new] = (Fraction(side[0]), None if side[1] is None else Fraction(side[1]))
        return Charted(variables, replaced(self.formula, {old: value}), sides)

    def demands(self, difference: Expr) -> bool:
        """Whether the formula demands that an expression be nonnegative, possibly through an equation."""
        for part in parts_that_must_hold(self.formula):
            if isinstance(part, Relation) and part.name != "!=":
                ratio = _constant_ratio(part.expression, difference)
                if ratio is not None and (ratio > 0 or part.name == "=="):
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
        return bool(state.formula == NEVER)
    if kind == "constant":
        return not state.variables and _constant(state.formula) is False
    if kind == "or":
        return _or(state, step)
    if kind == "cover":
        return set(state.sides) == set(state.variables) and CoverCheck(state.formula, step).holds(state.sides)
    following = _CHARTS[kind](state, step)
    return len(following) == len(step["parts"]) and all(map(charted, following, step["parts"]))


def _constant(formula: Tree) -> bool | None:
    if isinstance(formula, Relation):
        found = sign(formula.expression)
        return None if found is None else formula.allows(found)
    word, parts = formula
    values = [_constant(part) for part in parts]
    if word == "and":
        return False if False in values else None if None in values else True
    return True if True in values else None if None in values else False


def _or(state: Charted, step: dict[str, Any]) -> bool:
    parts, place = parts_that_must_hold(state.formula), step["at"]
    word, options = parts[place]
    if word != "or" or len(options) != len(step["parts"]):
        return False
    for option, below in zip(options, step["parts"], strict=True):
        chosen = (*parts[:place], *parts_that_must_hold(option), *parts[place + 1 :])
        case = replace(state, formula=("and", tuple(dict.fromkeys(chosen))))
        if not charted(case, below):
            return False
    return True


def _raw(state: Charted, step: dict[str, Any]) -> Symbol:
    variable = decode(step["variable"])
    if variable not in state.variables or variable in state.sides:
        raise ValueError("the variable is not free to be charted")
    return variable


def _set(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, value = _raw(state, step), decode(step["value"])
    demanded = any(
        isinstance(part, Relation) and part.name == "==" and _constant_ratio(part.expression, variable - value)
        for part in parts_that_must_hold(state.formula)
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
    return state.demands(variable - Rational(low.numerator, low.denominator))


def _at_most(state: Charted, variable: Symbol, high: Fraction) -> bool:
    return state.demands(Rational(high.numerator, high.denominator) - variable)


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
    from sympy import factor_terms

    variable, new, (low, high) = _ends(state, step, "low", "high")
    return [state.put(variable, low + factor_terms(high - low) * new, new, (0, 1))]


def _fold(state: Charted, step: dict[str, Any]) -> list[Charted]:
    from sympy import factor_terms

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
    return [replace(changed, formula=replaced(changed.formula, {sqrt(new**2): new}))]


def _log(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, high = _nonnegative(state, step)
    at_zero = [
        part.expression.subs(variable, 0)
        for part in parts_that_must_hold(state.formula)
        if isinstance(part, Relation) and part.name == ">" and part.expression.has(variable)
    ]
    if not any(value.is_Rational and value <= 0 for value in at_zero):
        raise ValueError("0 is not excluded")
    top = Rational(1) if high is None else Rational(high.numerator, high.denominator)
    following = []
    for direction in (-1, 1) if high is None else (-1,):
        value = top * exp(direction * new)
        changed = state.put(variable, value, new, (0, None))
        formula = replaced(changed.formula, {log(value): log(top) + direction * new})
        following.append(replace(changed, formula=formula))
    return following


def _split(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, new, at = decode(step["variable"]), decode(step["new"]), decode(step["at"])
    low, high = state.sides[variable]
    bottom = Rational(low.numerator, low.denominator)
    if at.free_symbols or sign(at - bottom) != 1:
        raise ValueError("the point is not inside")
    down = state.put(variable, at - (at - bottom) * new, new, (0, 1))
    if high is None:
        return [state.put(variable, at + new, new, (0, None)), down]
    top = Rational(high.numerator, high.denominator)
    if sign(top - at) != 1:
        raise ValueError("the point is not inside")
    return [state.put(variable, at + (top - at) * new, new, (0, 1)), down]


def _diagonal(state: Charted, step: dict[str, Any]) -> list[Charted]:
    variable, other, new = _raw(state, step), decode(step["other"]), decode(step["new"])
    return [state.put(variable, other + new, new, None)]


_CHARTS = {
    "set": _set, "keep": _keep, "halves": _halves, "between": _between, "fold": _fold, "above": _above,
    "below": _below, "square": _square, "log": _log, "split": _split, "diagonal": _diagonal,
}  # fmt: skip
