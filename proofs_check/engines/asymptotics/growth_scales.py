"""Claims about a small positive symbol without roots of it and without kinks.

Roots become powers of a smaller symbol, and kinks become cases; both say exactly the same. What then has logarithms of
the symbol or exp(-1/e) is decided by its largest product (`proofs_check.kernel.gauges`).
"""

from __future__ import annotations

from sympy import (
    Abs,
    And,
    Ge,
    Le,
    Max,
    Min,
    Or,
    Symbol,
)
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.gauges import NoProductsError, in_units
from proofs_check.kernel.oscillation import oscillating
from theory.temporal import Quantifier

_MOST_CASES = 4


def plainly(body: Boolean, small: Symbol) -> Boolean:
    """The same claim about a small positive symbol without roots of it and without kinks, as far as that goes.

    >>> from sympy import sqrt
    >>> e = Symbol("e")
    >>> plainly(sqrt(e) > e, e), plainly(Abs(e - 1) > e, e)
    (e > e**2, ((e - 1 >= 0) & (e - 1 > e)) | ((e - 1 <= 0) & (1 - e > e)))
    """
    try:
        body, _ = in_units(body, small)
    except NoProductsError:
        return body
    return _by_cases(body, small)


def _by_cases(body: Boolean, small: Symbol, depth: int = 0) -> Boolean:
    """Cases of kinks, except around sines that oscillate: there both cases come again and again."""
    if body.atoms(Quantifier) or depth > _MOST_CASES:
        return body  # a case may depend on a bound symbol
    kinks = [
        part
        for part in body.atoms(Abs, Max, Min)
        if part.has(small) and not part.args[0].has(Abs, Max, Min) and not oscillating(part, small)
    ]
    if not kinks:
        return body
    kink = min(kinks, key=lambda part: (part.count_ops(), str(part)))
    if isinstance(kink, Abs):
        inside = kink.args[0]
        cases = [(Ge(inside, 0), inside), (Le(inside, 0), -inside)]
    else:
        largest = isinstance(kink, Max)
        cases = [
            (And(*[(Ge if largest else Le)(value, other) for other in kink.args if other != value]), value)
            for value in kink.args
        ]
    return Or(*[And(when, _by_cases(body.xreplace({kink: value}), small, depth + 1)) for when, value in cases])
