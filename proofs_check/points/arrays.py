"""Formulas over arrays of points without a compiler: NumPy, one operation after the other.

Compiling a kernel takes longer than a few thousand points are worth. Where a formula has no finite value the result is
nan, as in a compiled kernel; nothing is believed of either before exact arithmetic confirms it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy import Expr, Rational, Symbol
from sympy.core.relational import Relational

from numerics.robustness import Compiled
from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

_LARGEST = 2**53
_MOST_SHARED = 4000


class Interpreted(Compiled):
    """What `Compiled` is, at once instead of after a compilation, and slower for each point.

    >>> x = Symbol("x")
    >>> margins = Interpreted((sp.And(x > 0, sp.log(x) < 1),), (x,))
    >>> margins.robustness(margins.formulas[0], np.array([[1.0, -2.0]])).tolist()
    [1.0, nan]
    """

    def __post_init__(self) -> None:
        relations = sorted({atom for formula in self.formulas for atom in formula.atoms(Relational)}, key=str)
        sides = [side for relation in relations for side in relation.args]
        outputs = [*sides, *self.quantities] or [sp.S.Zero]
        object.__setattr__(self, "relations", tuple(relations))
        object.__setattr__(self, "_kernel", array_function(outputs, self.arguments))


def array_function(outputs: Sequence[Expr], arguments: Sequence[Symbol]) -> Callable[[Values], Values]:
    """A function from points (arguments, points) to values (outputs, points).

    >>> x, y = sp.symbols("x y")
    >>> array_function([sp.Max(x, 0) / y, Rational(1, 10**40)], [x, y])(np.array([[-1.0, 4.0], [1.0, 0.0]])).tolist()
    [[0.0, nan], [1e-40, 1e-40]]
    """
    written = [_rounded(output.doit()) for output in outputs]
    shared = sum(int(output.count_ops()) for output in written) <= _MOST_SHARED
    try:
        function = sp.lambdify([arguments], written, modules=[_OWN, "numpy", "scipy"], cse=shared)
    except (TypeError, ValueError, KeyError, SyntaxError, NotImplementedError, RecursionError) as error:
        raise LemmascopeError(f"the formula cannot be evaluated on arrays: {error}") from error

    def evaluate(points: Values) -> Values:
        values = np.empty((len(written), points.shape[1]))
        with np.errstate(all="ignore"):
            try:
                found = function(points)
            except (TypeError, NameError, AttributeError, ValueError, OverflowError, ZeroDivisionError) as error:
                raise LemmascopeError(f"the formula cannot be evaluated on arrays: {error}") from error
            for place, value in enumerate(found):
                values[place] = _real(value)
        return values

    return evaluate


def _rounded(expression: Expr) -> Expr:
    """Numbers that NumPy would keep as Python's integers become floats."""
    large = [n for n in expression.atoms(Rational) if max(abs(n.p), n.q) > _LARGEST]
    return expression.xreplace({number: sp.Float(number, 17) for number in large}) if large else expression


def _real(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype.kind == "c":
        array = np.where(array.imag == 0, array.real, np.nan)
    array = array.astype(float)
    return np.where(np.isfinite(array), array, np.nan)


def _branches(conditions: Sequence[Any], values: Sequence[Any], default: Any = np.nan) -> Any:
    result = default
    for condition, value in zip(reversed(conditions), reversed(values), strict=True):
        result = np.where(condition, value, result)
    return result


_OWN = {
    "amax": lambda parts, axis=0: reduce(np.maximum, parts),  # noqa: ARG005 - NumPy's signature
    "amin": lambda parts, axis=0: reduce(np.minimum, parts),  # noqa: ARG005
    "select": _branches,
}
