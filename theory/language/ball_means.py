"""Means over a point drawn uniformly from the unit ball of R^d, for every d: smoothed rectifiers are such means.

The point is a family z[1], ..., z[d] that the mean binds. What is averaged has a value everywhere and is bounded on the
ball, so that the mean exists whatever the other numbers are.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Add, Basic, Expr, Max, Min, Mul, Pow, Sum, Symbol, sign, sympify
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError
from theory.language.families import Entry, Family

_BOUNDED = (Add, Mul, Max, Min, Abs, sign, Sum, Entry, Symbol)


class BallMean(Expr):
    """The mean of a number over the uniform law on the unit ball.

    >>> from theory.language.families import family
    >>> d, k = Symbol("d"), Symbol("k")
    >>> v, z = family("v", d), family("z", d)
    >>> rectified = BallMean(Max(Sum(v[k] * z[k], (k, 1, d)), 0), z)
    >>> rectified, rectified.free_symbols == {v, d}
    (E_z[Max(0, Sum(v[k]*z[k], (k, 1, d)))], True)
    """

    is_commutative = True

    def __new__(cls, of: Any, drawn: Family) -> BallMean:
        quantity = sympify(of)
        if not isinstance(drawn, Family) or len(drawn.sizes) != 1:
            raise LemmascopeError(f'{drawn} is no point of a ball: z = family("z", d) has one index')
        if not isinstance(quantity, Expr) or quantity.has(BallMean):
            raise LemmascopeError(f"the mean of {of} over {drawn.name} needs a number without other means")
        if not is_bounded(quantity):
            raise LemmascopeError(
                f"the mean of {of} over {drawn.name}: only sums, products, Max, Min, Abs and sign are known to have one"
            )
        return Basic.__new__(cls, quantity, drawn)

    @property
    def number(self) -> Expr:
        """What is averaged."""
        return self.args[0]

    @property
    def drawn(self) -> Family:
        """The point of the ball, which the mean binds."""
        return self.args[1]

    @property
    def free_symbols(self) -> set[Basic]:
        """Those of what is averaged, without the point."""
        return self.number.free_symbols - {self.drawn}

    def _sympystr(self, printer: Printer) -> str:
        return f"E_{self.drawn.name}[{printer.doprint(self.number)}]"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        size = printer.doprint(self.drawn.sizes[0])
        place = rf"{self.drawn.name} \in \mathbb{{D}}^{{{size}}}"
        text = rf"\mathbb{{E}}_{{{place}}}\left[{printer.doprint(self.number)}\right]"
        return text if exp is None else rf"{text}^{{{exp}}}"


def is_bounded(of: Basic) -> bool:
    """Whether an expression has a value everywhere and is bounded, and measurable, on bounded sets.

    >>> x = Symbol("x")
    >>> is_bounded(sign(x) * Max(x, 0) ** 2), is_bounded(1 / x)
    (True, False)
    """
    if isinstance(of, Pow):
        return bool(of.exp.is_Integer and of.exp.is_positive) and is_bounded(of.base)
    if isinstance(of, Sum):
        return is_bounded(of.function)
    if isinstance(of, (Entry, Symbol)) or of.is_Number:
        return not of.is_infinite
    return isinstance(of, _BOUNDED) and all(map(is_bounded, of.args))


WORDS = (BallMean,)
"""What the language has for means over a ball."""
