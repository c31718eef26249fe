"""Where expressions have values: the conditions that a checker puts beside a conclusion, from a table of its own.

Kept apart from what the engines use for the same purpose. The two must ask for the same conditions, which a test
compares; where one of them forgot a condition, the stored argument would not fit the formula built here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import sympy as sp
from sympy import And, Expr, Ge, Gt, Le, Lt, Ne, Or, Symbol, false, true
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.temporal import Exists, ForAll, negation

_STEPS = (sp.floor, sp.ceiling)
BENT = (sp.Abs, sp.Max, sp.Min, sp.sign, sp.Heaviside, sp.Piecewise)
_SMOOTH = (sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh, sp.sech, sp.atan, sp.asinh, sp.erf, sp.erfc, sp.erfi)
_CONTINUOUS = (*_SMOOTH, sp.Abs, sp.Max, sp.Min)
_LARGEST = 60

_NEEDS: dict[type, Callable[..., tuple[Boolean, ...]]] = {
    sp.log: lambda u: (Gt(u, 0),),
    sp.gamma: lambda u: (Gt(u, 0),),
    sp.loggamma: lambda u: (Gt(u, 0),),
    sp.tan: lambda u: (Ne(sp.cos(u), 0),),
    sp.sec: lambda u: (Ne(sp.cos(u), 0),),
    sp.cot: lambda u: (Ne(sp.sin(u), 0),),
    sp.csc: lambda u: (Ne(sp.sin(u), 0),),
    sp.asin: lambda u: (Ge(u, -1), Le(u, 1)),
    sp.acos: lambda u: (Ge(u, -1), Le(u, 1)),
    sp.atanh: lambda u: (Gt(u, -1), Lt(u, 1)),
    sp.Ei: lambda u: (Ne(u, 0),),
    sp.coth: lambda u: (Ne(u, 0),),
    sp.csch: lambda u: (Ne(u, 0),),
    sp.acosh: lambda u: (Ge(u, 1),),
    sp.polygamma: lambda _, u: (Gt(u, 0),),
    sp.li: lambda u: (Gt(u, 0), Ne(u, 1)),
    sp.expint: lambda _, u: (Gt(u, 0),),
    sp.lowergamma: lambda s, u: (Gt(s, 0), Ge(u, 0)),
    sp.uppergamma: lambda s, u: (Ge(u, 0) if s.is_positive else Gt(u, 0),),
    sp.betainc: lambda a, b, u, v: (Gt(a, 0), Gt(b, 0), Ge(u, 0), Le(u, 1), Ge(v, 0), Le(v, 1)),
    sp.betainc_regularized: lambda a, b, u, v: (Gt(a, 0), Gt(b, 0), Ge(u, 0), Le(u, 1), Ge(v, 0), Le(v, 1)),
}


def _needs(part: Expr) -> tuple[Boolean, ...] | None:
    """What one function or power asks of its own arguments to be continuous; None where that is not known."""
    if isinstance(part, sp.Pow):
        if part.exp.is_Integer:
            return () if part.exp.is_positive else (Ne(part.base, 0),)
        rooted = part.exp.is_Rational and part.exp.is_positive
        return (Ge(part.base, 0),) if rooted else (Gt(part.base, 0),)
    if isinstance(part, sp.LambertW):
        lower = Ge(part.args[0], -sp.exp(-1))
        if len(part.args) == 1:
            return (lower,)
        return (lower, Lt(part.args[0], 0)) if part.args[1] == -1 else None
    if isinstance(part, _CONTINUOUS):
        return ()
    rule = _NEEDS.get(type(part))
    return None if rule is None else rule(*part.args)


def continuity(expression: Expr) -> list[Boolean] | None:
    """Conditions under which an expression is continuous; None where they are not known.

    >>> x = sp.Symbol("x")
    >>> continuity(sp.log(x)), continuity(sp.floor(x))
    ([x > 0], None)
    """
    asked = [_needs(part) for part in _parts(expression)]
    if None in asked:
        return None
    return [condition for some in asked for condition in some or () if condition != true]


def having_values(expressions: Iterable[Expr]) -> list[Boolean]:
    """Conditions under which expressions have values, each once; `false` where they are not known."""
    total = (*BENT, *_STEPS, AppliedUndef)
    found: list[Boolean] = []
    for expression in expressions:
        for part in _parts(expression):
            asked = () if isinstance(part, total) else _needs(part)
            found += (false,) if asked is None else asked
    return [condition for condition in dict.fromkeys(found) if condition != true]


def _parts(expression: Expr) -> Iterator[Expr]:
    yield from expression.atoms(sp.Function, sp.Pow)


def hidden(relation: Relational) -> list[Boolean]:
    """Conditions for both sides to have values that can get lost when everything is moved to one side.

    >>> x = sp.Symbol("x")
    >>> hidden(sp.Gt(1 + 1 / x, 1 / x)), hidden(sp.Gt(1 / x, sp.exp(x)))
    ([Ne(x, 0)], [])
    """
    asked = having_values(relation.args)
    if not asked or relation.has(*BENT):
        return asked
    gap = relation.lhs - relation.rhs
    if gap.count_ops() > _LARGEST:
        return asked
    ratios = (sp.tan, sp.cot, sp.sec, sp.csc, sp.coth, sp.csch)
    parted = gap.replace(lambda part: isinstance(part, ratios), _over)
    written = (gap, sp.expand(gap), sp.cancel(sp.together(gap)), sp.cancel(sp.together(parted)))
    visible = [having_values([form]) for form in written]
    return [condition for condition in asked if not all(condition in shown for shown in visible)]


def _over(part: Expr) -> Expr:
    """A ratio of circular or hyperbolic functions with its denominator in view."""
    (u,) = part.args
    above = {sp.tan: sp.sin(u), sp.cot: sp.cos(u), sp.coth: sp.cosh(u)}.get(type(part), sp.Integer(1))
    below = sp.cos(u) if isinstance(part, (sp.tan, sp.sec)) else sp.sin(u)
    return above / (sp.sinh(u) if isinstance(part, (sp.coth, sp.csch)) else below)


def put_in(formula: Boolean, symbol: Symbol, value: Expr) -> Boolean:
    """A formula about a value of a symbol, together with the conditions for values that are gone from it.

    >>> x, y = sp.symbols("x y")
    >>> put_in(sp.Eq(y * x, 1), y, 1 / x)
    Ne(x, 0)
    """
    inner = {part.symbol for part in formula.atoms(ForAll, Exists)}
    missing = list(having_values([value]))
    for old in formula.atoms(Relational):
        new = old.subs(symbol, value)
        visible = having_values(new.args) if isinstance(new, Relational) else []
        for part in (part for side in old.args for part in _parts(side)):
            if isinstance(part, (*BENT, *_STEPS, AppliedUndef)):
                continue
            asked = _needs(part.func(*[inner.subs(symbol, value) for inner in part.args], evaluate=False))
            missing += [condition for condition in ((false,) if asked is None else asked) if condition not in visible]
    missing = [condition for condition in dict.fromkeys(missing) if condition != true]
    if any(condition.free_symbols & inner for condition in missing):
        return false
    return And(formula.subs(symbol, value), *missing)


def or_without_value(formula: Boolean) -> Boolean:
    """A formula, or that one of its relations has no value.

    >>> x = sp.Symbol("x")
    >>> or_without_value(sp.Ge(sp.log(x), x))
    (x <= 0) | (log(x) >= x)
    """
    if isinstance(formula, Relational):
        return Or(formula, *without_value(formula))
    if formula.has(sp.Not, sp.Implies, sp.Equivalent, sp.ITE, sp.Xor):
        formula = sp.to_nnf(formula, simplify=False)
    if isinstance(formula, (And, Or)):
        return formula.func(*[or_without_value(part) for part in formula.args])
    return formula


def without_value(part: sp.Basic, where: Boolean = true) -> Iterator[Boolean]:
    """Places, among those where a condition holds, at which an expression or a formula has no value."""
    if isinstance(part, sp.Piecewise):
        for branch, condition in part.args:
            yield from without_value(condition, where)
            yield from without_value(branch, And(where, condition))
            where = And(where, negation(condition))
        if where != false:
            yield where
        return
    for inner in part.args if part.has(sp.Piecewise) else ():
        yield from without_value(inner, where)
    if part.has(sp.Integral, sp.Sum, sp.Product):
        yield true
        return
    derived = part.atoms(sp.Derivative, sp.Subs)
    if any(inner.has(*BENT, *_STEPS) for inner in derived):
        yield true
        return
    if not part.has(sp.Piecewise):
        asked = having_values([part, part.doit()] if derived else [part])
    else:
        partial = isinstance(part, (sp.Function, sp.Pow)) and not isinstance(part, (*BENT, *_STEPS))
        needed = _needs(part) if partial else ()
        asked = [false] if needed is None else list(needed)
    for condition in asked:
        if condition != true:
            yield And(where, condition.negated if isinstance(condition, Relational) else true)
