"""What is said about one function of the language: everything that any other module may want to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Any, TypeAlias

from sympy import Expr, oo
from sympy.logic.boolalg import Boolean

Ball: TypeAlias = Any  # flint.arb, which carries no types
Conditions: TypeAlias = tuple[Boolean, ...]
Turn: TypeAlias = tuple[Expr, Expr | None, Expr]
"""A place where a function turns, the period with which it does so again (None: once only), and its value there."""


class Roughness(IntEnum):
    """How a function behaves where it is defined."""

    SMOOTH = 0  # infinitely often differentiable inside its domain, continuous up to the ends that belong to it
    BENT = 1  # continuous, with kinks
    JUMPS = 2


def everywhere(*_: Expr) -> Conditions:
    """No condition at all."""
    return ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Entry:
    """One function; what is None is not known or does not exist, and then nobody may assume it."""

    function: Any
    """SymPy's class."""
    arity: tuple[int, ...] = (1,)
    """The numbers of arguments that it takes; empty for any."""
    defaults: tuple[Expr, ...] = ()
    """Last arguments that may be left out."""
    defined: Callable[..., Conditions | None] = everywhere
    """Conditions under which it has a real value."""
    exact: bool = True
    """Whether it has no value where these conditions fail; otherwise that is left open."""
    roughness: Roughness = Roughness.SMOOTH
    breaks: Callable[..., tuple[Expr, ...]] | None = None
    """Expressions that vanish wherever it has a kink or a jump."""
    steps: bool = False
    """Whether it breaks at all whole values of its argument."""
    pieces: Callable[..., tuple[tuple[Expr, Boolean], ...]] | None = None
    """The same function by cases whose conditions leave nothing out."""
    slopes: tuple[Callable[..., Expr] | None, ...] = ()
    """The derivative along each argument."""
    turns: tuple[Turn, ...] | None = None
    """Where it turns: it is monotone in its argument `along` on every interval of its domain between these places."""
    along: int = -1
    limits: tuple[Expr | None, Expr | None] = (None, None)
    """Its limits at minus and plus infinity."""
    bounds: tuple[Expr, Expr] = (-oo, oo)
    """All its values lie between these numbers."""
    whole: bool = False
    """Whether all values are whole numbers."""
    odd: bool = False
    """Whether it has the sign of its argument."""
    ball: str | Callable[..., Ball] | None = None
    """Its values on balls: the name of a method of `arb`, or a function that answers with the nan ball in doubt."""
    guarded: bool = False
    """Whether `ball` may answer with a number beyond the domain, so that the domain is to be tested first."""
    unbounded: str = ""
    """What to tell a reader where no prover can bound the function."""
    analytic: bool = False
    """Whether `ball` is a method of `acb` as well, without branch cuts."""
    exactly: Callable[..., Fraction | None] | None = None
    """Its value at fractions, where that is a fraction; None where it has none, or one too large to write down."""
    compiled: str | None = None
    """float64 source for numba; without it the value is taken from balls."""
    extended: str | None = None
    """The name of the function for numbers of any size, given by sign and logarithm."""
    mpmath: str | Callable[..., Any] | None = None
    coq: str | None = None
    latex: str | None = None
    r"""The command that LaTeX sources use for it, without the backslash; \operatorname{...} where SymPy knows none."""
    aliases: tuple[str, ...] = ()
    """Further names under which LaTeX sources call it."""
    commands: tuple[str, ...] = ()
    """The commands under which SymPy's own LaTeX grammar reads it."""
    inverse: Callable[[Expr], Expr] | None = None
    """An inverse, if only on a part of its values."""
    through: Callable[..., Expr] | None = None
    """The same function written with simpler ones."""
    next_value: Callable[[Expr, Expr], Expr] | None = None
    """Its value at u + 1 from u and its value at u, where it has both."""
    ratio: tuple[Any, Any] | None = None
    """Numerator and denominator as functions of the same argument; None for the numerator stands for 1."""
    exponential: tuple[int, Callable[[Expr], Expr]] | None = None
    """It is a rational function of exp(n u): n and that function."""
    pair: tuple[Any, Any, int] | None = None
    """Two functions s, c with s' = c and c' = sign * s, one of which this is."""
    is_circular: bool = False
    """Whether it is a function of an angle."""

    @property
    def name(self) -> str:
        """The name in statements and stored files."""
        return str(self.function.__name__)

    @property
    def is_total(self) -> bool:
        """Whether it has a value whatever its arguments are."""
        return self.defined is everywhere

    def completed(self, arguments: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """All arguments, also those left out."""
        missing = max(self.arity, default=len(arguments)) - len(arguments)
        return arguments if missing <= 0 else (*arguments, *self.defaults[-missing:])

    def as_ratio(self, argument: Expr) -> Expr:
        """The quotient of two other functions that it is."""
        above, below = self.ratio or (self.function, None)
        return (1 if above is None else above(argument)) * (1 if below is None else below(argument) ** -1)
