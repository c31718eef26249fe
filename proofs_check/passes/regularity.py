"""Where an expression is defined and continuous, as conditions on its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sympy import (
    Abs,
    And,
    Basic,
    Derivative,
    Equivalent,
    Expr,
    Function,
    Ge,
    Gt,
    Heaviside,
    Implies,
    Integral,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Not,
    Or,
    Piecewise,
    Pow,
    Product,
    Subs,
    Sum,
    Symbol,
    Xor,
    cancel,
    ceiling,
    cos,
    cosh,
    cot,
    coth,
    csc,
    csch,
    exp,
    expand,
    false,
    floor,
    sec,
    sign,
    sin,
    sinh,
    tan,
    to_nnf,
    together,
    true,
)  # fmt: skip
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import ITE, Boolean

from theory.temporal import Quantifier, negation

KINKS = (Abs, Max, Min, sign, Heaviside, Piecewise)
_MOST_TO_SIMPLIFY = 60
QUOTIENTS: dict[type, Callable[[Expr], Expr]] = {
    tan: lambda u: sin(u) / cos(u),
    cot: lambda u: cos(u) / sin(u),
    sec: lambda u: 1 / cos(u),
    csc: lambda u: 1 / sin(u),
    coth: lambda u: cosh(u) / sinh(u),
    csch: lambda u: 1 / sinh(u),
}
"""Functions with poles, with their denominators in view."""
_TOTAL = (*KINKS, floor, ceiling, AppliedUndef)
_EVERYWHERE = frozenset("exp sin cos sinh cosh tanh sech atan asinh erf erfc erfi Abs Max Min".split())


def continuity(expression: Expr) -> list[Boolean] | None:
    """Conditions under which an expression is continuous, or None when some part has no such condition here.

    >>> from sympy import Symbol, log
    >>> x = Symbol("x")
    >>> sorted(map(str, continuity(log(x) / (1 - x))))
    ['Ne(1 - x, 0)', 'x > 0']
    """
    conditions: list[Boolean] = []
    for part in expression.atoms(Function, Pow):
        found = _conditions(part)
        if found is None:
            return None
        conditions += found
    return [condition for condition in conditions if condition != true]


def _conditions(part: Expr) -> list[Boolean] | None:
    argument = part.args[0]
    name = part.func.__name__
    if isinstance(part, Pow):
        return _power_condition(part)
    if name in ("log", "loggamma", "gamma"):
        return [Gt(argument, 0)]
    if name in ("tan", "sec"):
        return [Ne(cos(argument), 0)]
    if name in ("cot", "csc"):
        return [Ne(sin(argument), 0)]
    if name in ("asin", "acos"):
        return [Ge(argument, -1), Le(argument, 1)]
    if name == "acosh":
        return [Ge(argument, 1)]
    if name == "atanh":
        return [Gt(argument, -1), Lt(argument, 1)]
    if name in ("Ei", "coth", "csch"):
        return [Ne(argument, 0)]
    if name == "li":
        return [Gt(argument, 0), Ne(argument, 1)]
    if len(part.args) > 1:
        return _conditions_of_several(name, part.args)
    if name == "LambertW":
        return [Ge(argument, -exp(-1))]
    return [] if name in _EVERYWHERE else None


def _conditions_of_several(name: str, arguments: tuple[Expr, ...]) -> list[Boolean] | None:
    first, second, *ends = arguments
    if name in ("betainc", "betainc_regularized"):
        return [Gt(first, 0), Gt(second, 0), *(Ge(end, 0) for end in ends), *(Le(end, 1) for end in ends)]
    if name in ("expint", "polygamma"):
        return [Gt(second, 0)]
    if name == "lowergamma":
        return [Gt(first, 0), Ge(second, 0)]
    if name == "uppergamma":
        return [Ge(second, 0) if first.is_positive else Gt(second, 0)]
    if name == "LambertW" and second == -1:
        return [Ge(first, -exp(-1)), Lt(first, 0)]
    return [] if name in ("Max", "Min") else None


def or_undefined(formula: Boolean) -> Boolean:
    """A formula that also holds where one of its relations has no value.

    What must be shown impossible is a violation as well as a conclusion without a value. The second is said in so many
    words, because every way of showing the first may hide it: terms cancel, equations are put in, and a product has
    its sign whether or not its factors have values.

    >>> from sympy import Symbol, log
    >>> x = Symbol("x")
    >>> or_undefined(log(x) >= x)
    (x <= 0) | (log(x) >= x)
    >>> or_undefined(Piecewise((1 / x, x > 1), (x, True)) >= 2)
    (Eq(x, 0) & (x > 1)) | (Piecewise((1/x, x > 1), (x, True)) >= 2)
    """
    if isinstance(formula, Relational):
        return Or(formula, *undefined(formula))
    if formula.has(Not, Implies, Equivalent, ITE, Xor):
        formula = to_nnf(formula, simplify=False)
    return formula.func(*map(or_undefined, formula.args)) if isinstance(formula, (And, Or)) else formula


def undefined(part: Basic) -> list[Boolean]:
    """Where an expression or a condition has no value; `true` where that is not known."""
    if isinstance(part, Piecewise):
        return _undefined_pieces(part)
    if part.has(Piecewise):
        conditions = [] if isinstance(part, Boolean) else _demands_of(part)
        return [place for inner in part.args for place in undefined(inner)] + list(map(_missed, conditions))
    if part.has(Integral, Sum, Product) or any(inner.has(*_TOTAL[:-1]) for inner in part.atoms(Derivative, Subs)):
        return [true]
    return [_missed(condition) for condition in demands((part, part.doit()) if part.has(Derivative, Subs) else (part,))]


def undefined_among(formula: Basic, symbols: Iterable[Symbol]) -> list[Boolean]:
    """Where a formula or an expression has no value whatever the symbols other than these are.

    >>> from sympy import Symbol, log
    >>> x, y = Symbol("x"), Symbol("y")
    >>> undefined_among(log(x) ** 2 > 1 / y, [x])
    [x <= 0]
    """
    known = set(symbols)
    places = [place for part in formula.atoms(Relational) or {formula} for place in undefined(part)]
    return [place for place in places if place.free_symbols <= known]


def _undefined_pieces(pieces: Piecewise) -> list[Boolean]:
    found, earlier = [], list[Boolean]()
    for branch, condition in pieces.args:
        found += [And(*earlier, place) for place in undefined(condition)]
        found += [And(*earlier, condition, place) for place in undefined(branch)]
        earlier.append(negation(condition))
    return [place for place in (*found, And(*earlier)) if place != false]


def _missed(condition: Boolean) -> Boolean:
    return condition.negated if isinstance(condition, Relational) else true


def at_risk(relation: Relational) -> list[Boolean]:
    """Conditions for both sides to have values that their simplified difference, or a case of a kink, might not show.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> at_risk(x * (1 / x + exp(x)) >= 1), at_risk(1 / x >= exp(x))
    ([Ne(x, 0)], [])
    """
    demanded = demands(relation.args)
    difference = relation.lhs - relation.rhs
    if not demanded or relation.has(*KINKS) or difference.count_ops() > _MOST_TO_SIMPLIFY:
        return demanded
    divided = difference.replace(lambda part: type(part) in QUOTIENTS, lambda part: QUOTIENTS[type(part)](*part.args))
    forms = (difference, expand(difference), cancel(together(difference)), cancel(together(divided)))
    shown = set.intersection(*(set(demands((form,))) for form in forms))
    return [condition for condition in demanded if condition not in shown]


def demands(expressions: Iterable[Expr]) -> list[Boolean]:
    """Conditions under which expressions have values; `false` for a part of which that is not known."""
    found: dict[Boolean, None] = {}
    for expression in expressions:
        for part in expression.atoms(Function, Pow):
            found |= dict.fromkeys(_demands_of(part))
    return [condition for condition in found if condition != true]


def _demands_of(part: Expr) -> list[Boolean]:
    """What one function or power demands of its arguments; nothing of other expressions."""
    conditions = [] if isinstance(part, _TOTAL) or not isinstance(part, (Function, Pow)) else _conditions(part)
    return [false] if conditions is None else conditions


def put(formula: Boolean, symbol: Symbol, value: Expr) -> Boolean:
    """A formula with a value for a symbol, and with what the value and the cancelling would hide.

    >>> from sympy import Eq, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> put(Eq(y / x, 1), y, x), put(y > x, y, 1 / x)
    (Ne(x, 0), Ne(x, 0) & (1/x > x))
    """
    changed = formula.subs(symbol, value)
    hidden = demands((value,))
    for relation in formula.atoms(Relational):
        now = relation.subs(symbol, value)
        shown = demands(now.args) if isinstance(now, Relational) else []
        asked = [condition for side in relation.args for condition in _demands_at(side, symbol, value)]
        hidden += [condition for condition in asked if condition not in (true, *shown)]
    hidden = sorted(dict.fromkeys(hidden), key=str)
    bound = {part.symbol for part in formula.atoms(Quantifier)}
    if any(condition.free_symbols & bound for condition in hidden):
        return false  # what depends on a bound symbol cannot be said outside of its quantifier
    return And(changed, *hidden)


def _demands_at(expression: Expr, symbol: Symbol, value: Expr) -> list[Boolean]:
    """What the parts of an expression demand once a symbol has a value, before anything cancels."""
    found: list[Boolean] = []
    for part in expression.atoms(Function, Pow):
        if not isinstance(part, _TOTAL):
            found += _demands_of(part.func(*[inner.subs(symbol, value) for inner in part.args], evaluate=False))
    return found


def _power_condition(part: Pow) -> list[Boolean]:
    base, exponent = part.base, part.exp
    if exponent.is_Integer:
        return [] if exponent > 0 else [Ne(base, 0)]
    if exponent.is_Rational and exponent > 0:
        return [Ge(base, 0)]
    return [Gt(base, 0)]
