"""Where terms have values, are continuous or smooth: a term has a value or none, and that is decided here alone.

The conditions of single functions stand in the table of functions; powers, pieces, derivatives and integrals are
treated here. A relation between terms of which one has no value is not true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import sympy as sp
from sympy import Expr, Pow, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import ITE, Boolean

from theory.language.entries import Conditions, Roughness
from theory.language.functions import as_quotient, entry_of, remember, rough, with_poles
from theory.temporal import Quantifier, negation, put_at_once

_MOST_TO_SIMPLIFY = 60


@remember
@lru_cache(maxsize=8192)
def conditions_of(part: Expr) -> Conditions | None:
    """What one function or power asks of its own arguments to have a value; None where that is not known.

    >>> from sympy import Symbol, log
    >>> conditions_of(log(Symbol("x")))
    (x > 0,)
    """
    if isinstance(part, Pow):
        return _of_power(part.base, part.exp)
    if isinstance(part, AppliedUndef):
        return ()
    if isinstance(part, sp.Piecewise):
        return () if (some := sp.Or(*[condition for _, condition in part.args])) == sp.true else (some,)
    entry = entry_of(part)
    return None if entry is None else entry.defined(*part.args)


def _of_power(base: Expr, exponent: Expr) -> Conditions:
    if exponent.is_Integer:
        return () if exponent > 0 else (sp.Ne(base, 0),)
    return (sp.Ge(base, 0),) if exponent.is_Rational and exponent > 0 else (sp.Gt(base, 0),)


# -- continuity, on all of the domain -------------------------------------------------------------------------------


def continuity(expression: Expr) -> list[Boolean] | None:
    """Conditions under which an expression is continuous, or None when some part has no such condition here.

    An undefined function has all derivatives everywhere, and they are continuous.

    >>> from sympy import Symbol, floor, log
    >>> x = Symbol("x")
    >>> sorted(map(str, continuity(log(x) / (1 - x)))), continuity(floor(x)) is None, continuity(sp.Function("f")(x))
    (['Ne(1 - x, 0)', 'x > 0'], True, [])
    """
    if not all(isinstance(part.expr, AppliedUndef) for part in expression.atoms(sp.Derivative)):
        return None
    conditions: list[Boolean] = []
    for part in expression.atoms(sp.Function, Pow) - expression.atoms(AppliedUndef):
        entry = entry_of(part)
        jumps = entry.roughness is Roughness.JUMPS if entry is not None else not isinstance(part, Pow)
        found = None if jumps else conditions_of(part)
        if found is None:
            return None
        conditions += found
    return [condition for condition in conditions if condition != sp.true]


# -- open conditions, as proofs about motion need them --------------------------------------------------------------


def smooth_where(expressions: Iterable[sp.Basic]) -> Boolean | None:
    """An open condition on which the expressions are real and infinitely often differentiable; None if unknown.

    >>> from sympy import Abs, Symbol, log
    >>> x, y = Symbol("x"), Symbol("y")
    >>> smooth_where([x**2 + log(y), 1 / x])
    (y > 0) & Ne(x, 0)
    >>> smooth_where([Abs(x)]) is None
    True
    """
    return _joined(expressions, Roughness.SMOOTH)


def continuous_where(expressions: Iterable[sp.Basic]) -> Boolean | None:
    """An open condition on which the expressions are real and continuous; None if unknown.

    >>> from sympy import Abs, Symbol
    >>> continuous_where([Abs(Symbol("x"))])
    True
    """
    return _joined(expressions, Roughness.BENT)


def defined_where(expressions: Iterable[sp.Basic]) -> Boolean | None:
    """An open condition on which the expressions have real values, which may jump; None if unknown.

    >>> from sympy import Symbol, sign
    >>> x = Symbol("x")
    >>> defined_where([sign(x) / x, sp.Piecewise((1, x > 0), (x, True))])
    Ne(x, 0)
    >>> defined_where([sp.Piecewise((1, x > 0))]) is None
    True
    """
    return _joined(expressions, Roughness.JUMPS)


def _joined(expressions: Iterable[sp.Basic], roughest: Roughness) -> Boolean | None:
    conditions: list[Boolean] = []
    for expression in expressions:
        found = _condition(expression, roughest)
        if found is None:
            return None
        conditions.append(found)
    return sp.And(*conditions)


def _condition(expression: sp.Basic, roughest: Roughness) -> Boolean | None:
    own = _open_condition(expression, roughest)
    if own is None or isinstance(expression, sp.CRootOf):
        return own
    parts = [_condition(part, roughest) for part in expression.args]
    return None if any(part is None for part in parts) else sp.And(own, *parts)


def _open_condition(expression: sp.Basic, roughest: Roughness) -> Boolean | None:
    if isinstance(expression, (Symbol, Boolean, sp.Tuple)) or expression.is_Add or expression.is_Mul:
        return sp.true
    if isinstance(expression, sp.Piecewise):
        return sp.true if roughest is Roughness.JUMPS and expression.args[-1].cond == sp.true else None
    if isinstance(expression, sp.CRootOf) or (expression.is_number and not expression.args):
        return sp.true if expression.is_real else None
    entry = entry_of(expression)
    if not isinstance(expression, Pow) and (entry is None or entry.roughness > roughest):
        return None
    found = _inside(expression)
    return None if found is None else sp.And(*found)


@remember
@lru_cache(maxsize=8192)
def _inside(part: Expr) -> Conditions | None:
    """The conditions of a function or power without the ends that belong to them.

    The ends are taken away before the arguments are put in: of Abs(x) >= 0 nothing would be left to open.
    """
    if isinstance(part, Pow):
        return _of_power(part.base, part.exp) if part.exp.is_Integer else (sp.Gt(part.base, 0),)
    names = {sp.Dummy(positive=inner.is_positive or None): inner for inner in part.args if not inner.is_number}
    taken = {inner: name for name, inner in names.items()}
    entry = entry_of(part)
    found = None if entry is None else entry.defined(*(taken.get(inner, inner) for inner in part.args))
    return None if found is None else tuple(_opened(condition).xreplace(names) for condition in found)


def _opened(condition: Boolean) -> Boolean:
    if isinstance(condition, (sp.Ge, sp.Le)):
        return (sp.Gt if isinstance(condition, sp.Ge) else sp.Lt)(*condition.args)
    return condition


# -- values, and what hides that there is none ----------------------------------------------------------------------


def demands(expressions: Iterable[Expr]) -> list[Boolean]:
    """Conditions under which expressions have values; `false` for a part of which that is not known."""
    found: dict[Boolean, None] = {}
    for expression in expressions:
        for part in expression.atoms(sp.Function, Pow):
            found |= dict.fromkeys(_demands_of(part))
    return [condition for condition in found if condition != sp.true]


def _demands_of(part: Expr) -> Conditions:
    """What one function or power demands of its arguments; nothing of other expressions."""
    conditions = conditions_of(part) if isinstance(part, (sp.Function, Pow)) else ()
    return (sp.false,) if conditions is None else conditions


def or_undefined(formula: Boolean) -> Boolean:
    """A formula that also holds where one of its relations has no value.

    What must be shown impossible is a violation as well as a conclusion without a value. The second is said in so many
    words, because every way of showing the first may hide it: terms cancel, equations are put in, and a product has
    its sign whether or not its factors have values.

    >>> from sympy import Symbol, log
    >>> x = Symbol("x")
    >>> or_undefined(log(x) >= x)
    (x <= 0) | (log(x) >= x)
    >>> or_undefined(sp.Piecewise((1 / x, x > 1), (x, True)) >= 2)
    (Eq(x, 0) & (x > 1)) | (Piecewise((1/x, x > 1), (x, True)) >= 2)
    """
    if isinstance(formula, Relational):
        return sp.Or(formula, *undefined(formula))
    if formula.has(sp.Not, sp.Implies, sp.Equivalent, ITE, sp.Xor):
        formula = sp.to_nnf(formula, simplify=False)
    return formula.func(*map(or_undefined, formula.args)) if isinstance(formula, (sp.And, sp.Or)) else formula


def undefined(part: sp.Basic) -> list[Boolean]:
    """Where an expression or a condition has no value; `true` where that is not known."""
    if isinstance(part, sp.Piecewise):
        return _undefined_pieces(part, undefined)
    if isinstance(part, (sp.Integral, sp.Sum, sp.Product)) or (
        isinstance(part, (sp.Derivative, sp.Subs)) and part.has(*rough())
    ):
        return [sp.true]
    if part.has(sp.Piecewise):
        conditions = () if isinstance(part, Boolean) else _demands_of(part)
        return [place for inner in part.args for place in undefined(inner)] + list(map(_missed, conditions))
    if part.has(sp.Integral, sp.Sum, sp.Product) or any(
        inner.has(*rough()) for inner in part.atoms(sp.Derivative, sp.Subs)
    ):
        return [sp.true]
    return [
        _missed(condition)
        for condition in demands((part, part.doit()) if part.has(sp.Derivative, sp.Subs) else (part,))
    ]


def surely_undefined(part: sp.Basic) -> list[Boolean]:
    """Where an expression or a condition certainly has no value: other places may have none, too.

    Conditions that are not known to be needed are left out: gamma has values between its poles, and a power of a
    negative number has one where the exponent is whole.

    >>> from sympy import Symbol, gamma, log
    >>> x, y = Symbol("x"), Symbol("y")
    >>> surely_undefined(log(x) + gamma(x) > x**y)
    [x <= 0]
    """
    if isinstance(part, sp.Piecewise):
        return _undefined_pieces(part, surely_undefined)
    if isinstance(part, (sp.Integral, sp.Sum, sp.Product, sp.Derivative, sp.Subs)):
        return []
    found = [place for inner in part.args for place in surely_undefined(inner)]
    entry = entry_of(part)
    is_needed = part.exp.is_Rational if isinstance(part, Pow) else entry is not None and entry.exact
    if is_needed:
        found += [_missed(condition) for condition in conditions_of(part) or () if isinstance(condition, Relational)]
        found += [sp.true for condition in conditions_of(part) or () if condition == sp.false]
    return list(dict.fromkeys(found))


def undefined_among(formula: sp.Basic, symbols: Iterable[Symbol]) -> list[Boolean]:
    """Where a formula or an expression has no value whatever the symbols other than these are.

    >>> from sympy import Symbol, log
    >>> x, y = Symbol("x"), Symbol("y")
    >>> undefined_among(log(x) ** 2 > 1 / y, [x])
    [x <= 0]
    """
    known = set(symbols)
    places = [place for part in formula.atoms(Relational) or {formula} for place in undefined(part)]
    return [place for place in places if place.free_symbols <= known]


def _undefined_pieces(pieces: sp.Piecewise, places: Callable[[sp.Basic], list[Boolean]]) -> list[Boolean]:
    found, earlier = [], list[Boolean]()
    for branch, condition in pieces.args:
        found += [sp.And(*earlier, place) for place in places(condition)]
        found += [sp.And(*earlier, condition, place) for place in places(branch)]
        earlier.append(negation(condition))
    return [place for place in (*found, sp.And(*earlier)) if place != sp.false]


def _missed(condition: Boolean) -> Boolean:
    return condition.negated if isinstance(condition, Relational) else sp.true


def at_risk(relation: Relational) -> list[Boolean]:
    """Conditions for both sides to have values that their simplified difference, or a case of a kink, might not show.

    >>> from sympy import Symbol, exp
    >>> x = Symbol("x")
    >>> at_risk(x * (1 / x + exp(x)) >= 1), at_risk(1 / x >= exp(x))
    ([Ne(x, 0)], [])
    """
    demanded = demands(relation.args)
    difference = relation.lhs - relation.rhs
    if not demanded or relation.has(*rough()) or difference.count_ops() > _MOST_TO_SIMPLIFY:
        return demanded
    divided = difference.replace(lambda part: isinstance(part, with_poles()), as_quotient)
    forms = (difference, sp.expand(difference), sp.cancel(sp.together(difference)), sp.cancel(sp.together(divided)))
    shown = set.intersection(*(set(demands((form,))) for form in forms))
    return [condition for condition in demanded if condition not in shown]


def put(formula: Boolean, symbol: Symbol, value: Expr) -> Boolean:
    """A formula with a value for a symbol, and with what the value and the cancelling would hide.

    >>> from sympy import Eq, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> put(Eq(y / x, 1), y, x), put(y > x, y, 1 / x)
    (Ne(x, 0), Ne(x, 0) & (1/x > x))
    """
    changed = put_at_once(formula, {symbol: value})
    hidden = demands((value,))
    for relation in formula.atoms(Relational):
        now = put_at_once(relation, {symbol: value})
        shown = demands(now.args) if isinstance(now, Relational) else []
        asked = [condition for side in relation.args for condition in _demands_at(side, symbol, value)]
        hidden += [condition for condition in asked if condition not in (sp.true, *shown)]
    hidden = sorted(dict.fromkeys(hidden), key=str)
    bound = {part.symbol for part in formula.atoms(Quantifier)}
    if any(condition.free_symbols & bound for condition in hidden):
        return sp.false  # what depends on a bound symbol cannot be said outside of its quantifier
    return sp.And(changed, *hidden)


def _demands_at(expression: Expr, symbol: Symbol, value: Expr) -> list[Boolean]:
    """What the parts of an expression demand once a symbol has a value, before anything cancels."""
    found: list[Boolean] = []
    for part in expression.atoms(sp.Function, Pow):
        if not isinstance(part, (AppliedUndef, sp.Piecewise)):
            found += _demands_of(
                part.func(*[put_at_once(inner, {symbol: value}) for inner in part.args], evaluate=False)
            )
    return found
