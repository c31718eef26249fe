"""Random numbers by their moments: what a step draws anew, and the mean over everything that was drawn.

Every step draws its noise independently of the past and of the other noises; symbols of one tuple are drawn together.
Only what is said of a noise is known of it: a mean and a variance, further moments, a normal law, or finitely many
values. For a vector the variance is that of each coordinate, and coordinates are uncorrelated (isotropic).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from sympy import Basic, Eq, Expr, Float, Ge, Integer, MatrixSymbol, S, Symbol, Tuple, sympify
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError
from theory.notation import latex, words

Drawn = tuple[Basic, ...]
"""Symbols that are drawn together."""


class Expectation(Expr):
    """The mean of a quantity over all that was drawn so far.

    >>> x = Symbol("x")
    >>> Expectation(x**2) - Expectation(x) ** 2
    -E[x]**2 + E[x**2]
    """

    is_commutative = True

    def __new__(cls, of: Any) -> Expectation:
        quantity = sympify(of)
        if not isinstance(quantity, Expr) or isinstance(quantity, MatrixExpr):
            raise LemmascopeError(f"Expectation({of}) needs a number: for a vector take a norm or an inner product")
        if quantity.has(Expectation):
            raise LemmascopeError(f"Expectation({of}) takes the mean of a mean: leave the inner Expectation out")
        return Basic.__new__(cls, quantity)

    def _sympystr(self, printer: Printer) -> str:
        return f"E[{printer.doprint(self.args[0])}]"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = rf"\mathbb{{E}}\left[{printer.doprint(self.args[0])}\right]"
        return text if exp is None else rf"{text}^{{{exp}}}"


@dataclass(frozen=True)
class Noise:
    r"""What is known of a random number, or of several that are drawn together.

    >>> print(Noise(mean=0, variance=Symbol("v")).latex((Symbol("xi"),)))
    \mathbb{E}\left[\xi\right] = 0,\; \mathrm{Var}\left[\xi\right] = v
    >>> Noise(values=(-1, 1)).probabilities
    (1/2, 1/2)
    """

    mean: Any = None
    variance: Any = None
    moments: Mapping[int, Expr] = field(default_factory=dict)
    law: str = ""
    values: tuple[Basic, ...] = ()
    probabilities: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        for name in ("mean", "variance"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else _number(value, name))
        if not isinstance(self.moments, Mapping):
            raise LemmascopeError("the moments of a noise are given by their order: moments={3: 0, 4: 3 * s**4}")
        orders = {int(order): _number(value, "moment") for order, value in self.moments.items()}
        object.__setattr__(self, "moments", MappingProxyType(dict(sorted(orders.items()))))
        object.__setattr__(self, "values", tuple(map(_value, self.values)))
        chances = [_number(value, "probability") for value in self.probabilities]
        chances = chances or [Integer(1) / len(self.values)] * len(self.values)
        object.__setattr__(self, "probabilities", tuple(chances))
        self._check()

    def _check(self) -> None:
        if self.law not in ("", "normal"):
            raise LemmascopeError(f"the law {self.law!r} is not known: leave it out, or write law='normal'")
        if self.values and (self.mean is not None or self.variance is not None or self.moments or self.law):
            raise LemmascopeError("values say everything of a noise: leave mean, variance, moments and law out")
        if self.values and len(self.probabilities) != len(self.values):
            raise LemmascopeError(f"{len(self.values)} values need as many probabilities")
        if self.values and len({_width(value) for value in self.values}) > 1:
            raise LemmascopeError("values that are drawn together are tuples of one length")
        if not self.values and (self.mean is None or self.variance is None):
            raise LemmascopeError("a noise needs mean= and variance=, or values=(...): Noise(mean=0, variance=1)")
        if any(order < 3 for order in self.moments):
            raise LemmascopeError("moments= is for orders from 3 on: give the first two as mean= and variance=")
        if self.law and self.moments:
            raise LemmascopeError("a normal law has all its moments: leave moments= out")
        if self.variance is not None and self.variance.is_negative:
            raise LemmascopeError(f"the variance {self.variance} is negative: there is no such noise")
        chances = self.probabilities if all(chance.is_number for chance in self.probabilities) else ()
        if chances and (sum(chances) != 1 or any(chance.is_negative for chance in chances)):
            raise LemmascopeError("the probabilities of the values are not negative and add up to 1")

    @property
    def parts(self) -> tuple[Expr, ...]:
        """The numbers that describe it."""
        flat = [item for value in self.values for item in (value if isinstance(value, Tuple) else (value,))]
        known = [value for value in (self.mean, self.variance) if value is not None]
        return (*known, *self.moments.values(), *flat, *self.probabilities)

    @property
    def necessary(self) -> tuple[Boolean, ...]:
        """What its numbers satisfy because there is such a noise."""
        if self.values:
            unsure = [chance for chance in self.probabilities if not chance.is_number]
            total = [Eq(sum(self.probabilities, S.Zero), 1, evaluate=False)] if unsure else []
            return (*(Ge(chance, 0) for chance in unsure), *total)
        return () if self.variance.is_number else (Ge(self.variance, 0),)

    def changed(self, change: Callable[[Basic], Basic]) -> Noise:
        """The same noise with its numbers changed."""
        return replace(
            self,
            mean=None if self.mean is None else change(self.mean),
            variance=None if self.variance is None else change(self.variance),
            moments={order: change(value) for order, value in self.moments.items()},
            values=tuple(map(change, self.values)),
            probabilities=tuple(map(change, self.probabilities)),
        )

    def latex(self, drawn: Drawn) -> str:
        """What is known of the symbols that are drawn."""
        name = ", ".join(map(latex, drawn))
        name = name if len(drawn) == 1 else rf"\left({name}\right)"
        if self.values:
            chances = zip(self.values, self.probabilities, strict=True)
            rows = ", ".join(rf"{latex(value)} \,({latex(chance)})" for value, chance in chances)
            return name + words(" drawn from ") + rows
        if isinstance(drawn[0], MatrixSymbol):
            spread = rf"{latex(self.variance)} \, I"
            if self.law:
                return rf"{name} \sim \mathcal{{N}}\left(0, {spread}\right)"
            return rf"\mathbb{{E}}\left[{name}\right] = 0,\; \mathrm{{Cov}}\left[{name}\right] = {spread}"
        if self.law:
            return rf"{name} \sim \mathcal{{N}}\left({latex(self.mean)}, {latex(self.variance)}\right)"
        known = [(name, self.mean)] + [(f"{name}^{{{order}}}", value) for order, value in self.moments.items()]
        told = [rf"\mathbb{{E}}\left[{what}\right] = {latex(value)}" for what, value in known]
        told.insert(1, rf"\mathrm{{Var}}\left[{name}\right] = {latex(self.variance)}")
        return r",\; ".join(told)


def _width(value: Basic) -> int:
    return len(value) if isinstance(value, Tuple) else 1


def _value(value: Any) -> Basic:
    if isinstance(value, (tuple, list, Tuple)):
        return Tuple(*(_number(item, "value") for item in value))
    return _number(value, "value")


def _number(value: Any, role: str) -> Expr:
    number = sympify(value)
    if not isinstance(number, Expr) or isinstance(number, MatrixExpr):
        raise LemmascopeError(f"the {role} {value} of a noise is no number: for a vector give that of one coordinate")
    if number.has(Float):
        raise LemmascopeError(f"the {role} {value} of a noise is a float: write a Rational")
    return number


def resolved(noise: Any) -> Mapping[Drawn, Noise]:
    """The noises of a statement by the symbols that are drawn, each once.

    >>> a, b = Symbol("a"), Symbol("b")
    >>> list(resolved({(a, b): Noise(values=((1, 0), (0, 1)))}))
    [(a, b)]
    """
    if not isinstance(noise, Mapping):
        raise LemmascopeError("noise= says of each random symbol what is known: noise={xi: Noise(mean=0, variance=1)}")
    found: dict[Drawn, Noise] = {}
    for key, law in noise.items():
        drawn = tuple(key) if isinstance(key, (tuple, list, Tuple)) else (key,)
        told = ", ".join(map(str, drawn))
        if not drawn or not all(isinstance(symbol, (Symbol, MatrixSymbol)) for symbol in drawn):
            raise LemmascopeError(f"the noise {told} is no symbol: xi = Symbol('xi')")
        if not isinstance(law, Noise):
            raise LemmascopeError(f"the noise {told} is described by {law!r}: write Noise(mean=0, variance=1)")
        widths = {_width(value) for value in law.values} or {1}
        if widths != {len(drawn)}:
            raise LemmascopeError(
                f"{told} are drawn together: give values=((...), (...)) with {len(drawn)} numbers each"
            )
        vectors = [symbol for symbol in drawn if isinstance(symbol, MatrixSymbol)]
        if vectors and (law.values or law.mean != 0 or law.moments):
            raise LemmascopeError(f"the vector {told} is drawn with mean=0 and a variance: add its mean in the update")
        found[drawn] = law
    symbols = [symbol for drawn in found for symbol in drawn]
    if twice := {symbol for symbol in symbols if symbols.count(symbol) > 1}:
        raise LemmascopeError(f"the noise {min(map(str, twice))} is described twice: describe it once")
    return found


def require_random_sense(
    noise: Mapping[Drawn, Noise],
    state: Sequence[Basic],
    fixed: Iterable[Basic],
    update: Iterable[Basic],
    bare: Iterable[Basic],
) -> None:
    """Refuse means without noise, random numbers outside of means, and noise that something else determines.

    `fixed` are the parts that are chosen before anything is drawn, `bare` those of the conclusion at later times.
    """
    drawn = {symbol for key in noise for symbol in key}
    both = [symbol for symbol in state if symbol in drawn]
    if both:
        raise LemmascopeError(f"{both[0]} is both a state and a noise: give the noise a name of its own")
    for part in fixed:
        for symbol in sorted(part.free_symbols & drawn, key=str):
            raise LemmascopeError(f"{part} speaks of the noise {symbol}, which is drawn later: leave it out there")
        if part.has(Expectation):
            raise LemmascopeError(f"{part} is a hypothesis about a mean: say it of the variables that determine it")
    if any(part.has(Expectation) for part in update):
        raise LemmascopeError("an update uses a mean, which no trajectory knows: write it with state and noise")
    random = drawn | (set(state) if noise else set())
    for part in bare:
        if not noise and part.has(Expectation):
            raise LemmascopeError(f"{part} is a mean, but nothing is random: add noise={{xi: Noise(...)}}")
        loose = part.xreplace(dict.fromkeys(part.atoms(Expectation), S.Zero)).free_symbols & random
        for symbol in sorted(loose, key=str):
            raise LemmascopeError(f"{part} speaks of {symbol}, which is random: write Expectation({symbol})")


WORDS = (Expectation,)
"""What the language has for means."""
