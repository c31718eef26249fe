"""Functions known only by their class: symbols, values, gradients, minimisers, and the classes they range over.

A statement that speaks of `f.minimum` or `f.minimiser` is about the functions of the class that have a least value, and
about every point where it is attained; one that speaks of `f.line_search(x)` likewise, on a line. What a class says of
finitely many points is known to the kernel alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Add, Basic, Expr, Integer, Interval, Mul, Pow, Set, Symbol, sympify
from sympy.core.symbol import Str
from sympy.matrices.expressions.matexpr import MatrixExpr
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError
from theory.language.spaces import ANY_SIZE, Space, require_vector


class FunctionSymbol(Basic):
    """A real function on vectors of any size, known by its class alone.

    >>> from theory.language.spaces import any_vector
    >>> f, x = function("f"), any_vector("x")
    >>> f(x) - f.minimum, x - f.gradient(x)
    (-min f + f(x), -grad f(x) + x)
    """

    is_real = None

    def __new__(cls, name: str | Str) -> FunctionSymbol:
        return Basic.__new__(cls, name if isinstance(name, Str) else Str(name))

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.args[0].name)

    @property
    def free_symbols(self) -> set[Basic]:
        """Itself."""
        return {self}

    def __call__(self, point: MatrixExpr) -> ValueAt:
        return ValueAt(self, point)

    def gradient(self, point: MatrixExpr) -> GradientAt:
        """The gradient at a point."""
        return GradientAt(self, point)

    def subgradient(self, point: MatrixExpr) -> SubgradientAt:
        """One of the subgradients at a point, whichever."""
        return SubgradientAt(self, point)

    def proximal(self, point: MatrixExpr, step: Any) -> ProximalPoint:
        """Where the function plus |y - point|^2 / (2 step) is least."""
        return ProximalPoint(self, point, sympify(step))

    def line_search(self, point: MatrixExpr) -> LineSearchPoint:
        """Any point on the line through a point in the direction of its gradient where the function is least."""
        return LineSearchPoint(self, point)

    @property
    def minimum(self) -> MinimumOf:
        """The least value."""
        return MinimumOf(self)

    @property
    def minimiser(self) -> MinimiserOf:
        """Any point where the least value is attained."""
        return MinimiserOf(self)

    def _sympystr(self, _printer: Printer) -> str:
        return self.name

    def _latex(self, printer: Printer) -> str:
        return str(printer.doprint(Symbol(self.name)))


def function(name: str) -> FunctionSymbol:
    """A function of a class that the statement names.

    >>> function("f")
    f
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise LemmascopeError(f'a function needs a name, not {name!r}: f = function("f")')
    return FunctionSymbol(name)


class _OfFunction(Basic):
    """A word about a function: the function, then a point where there is one."""

    shown, printed = "{0}({1})", "{0}({1})"

    def __new__(cls, of: FunctionSymbol, *rest: Basic) -> Any:
        if not isinstance(of, FunctionSymbol):
            raise LemmascopeError(f'{of!r} is no function: create it with function("f")')
        for point in rest[:1]:
            require_vector(point, f"the function {of.name}")
        return Basic.__new__(cls, of, *rest)

    def _sympystr(self, printer: Printer) -> str:
        return self.shown.format(*map(printer.doprint, self.args))

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = self.printed.format(*map(printer.doprint, self.args))
        return text if exp is None else rf"{text}^{{{exp}}}"


class _Point(_OfFunction, MatrixExpr):
    is_commutative = False

    @property
    def shape(self) -> tuple[Expr, Expr]:
        """That of a vector."""
        return (self.args[1].shape[0] if len(self.args) > 1 else ANY_SIZE, Integer(1))


class _Number(_OfFunction, Expr):
    is_commutative = True


class ValueAt(_Number):
    """The value of a function at a point."""

    printed = r"{0}\left({1}\right)"


class MinimumOf(_Number):
    """The least value of a function."""

    shown, printed = "min {0}", r"\min {0}"


class GradientAt(_Point):
    """The gradient of a function at a point."""

    shown, printed = "grad {0}({1})", r"\nabla {0}\left({1}\right)"


class SubgradientAt(_Point):
    """A subgradient of a convex function at a point: one for each point, whichever."""

    shown, printed = "subgrad {0}({1})", r"\partial {0}\left({1}\right)"


class MinimiserOf(_Point):
    """A point where a function is least."""

    shown, printed = "argmin {0}", r"\arg\min {0}"


class ProximalPoint(_Point):
    """The point y where f(y) + |y - x|^2 / (2 step) is least."""

    shown, printed = "prox {0}({1}; {2})", r"\operatorname{{prox}}_{{{2} {0}}}\left({1}\right)"


class LineSearchPoint(_Point):
    """A point where f is least on the line through x in the direction of grad f(x)."""

    shown, printed = "search {0}({1})", r"\operatorname{{linesearch}}_{{{0}}}\left({1}\right)"


class FunctionClass(Space):
    """Which functions are meant."""

    needs: tuple[str, ...] = ()
    is_smooth = is_convex = True

    def __new__(cls, *constants: Any) -> Any:
        if len(constants) != len(cls.needs):
            wanted = ", ".join(cls.needs)
            raise LemmascopeError(f"the class {cls.__name__} needs its constants: write {cls.__name__}({wanted})")
        values = [sympify(constant) for constant in constants]
        for name, value in zip(cls.needs, values, strict=True):
            if value.is_number and not value.is_positive:
                raise LemmascopeError(f"the constant {name} = {value} of {cls.__name__} is not positive")
        if len(values) == 2 and all(value.is_number for value in values) and values[0] > values[1]:
            raise LemmascopeError(f"{cls.__name__}({values[0]}, {values[1]}) has no functions: mu is at most L")
        return Basic.__new__(cls, *values)

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of its constants."""
        return set().union(*(constant.free_symbols for constant in self.args))

    def _sympystr(self, printer: Printer) -> str:
        return f"{type(self).__name__}({', '.join(map(printer.doprint, self.args))})"

    def _latex(self, printer: Printer) -> str:
        given = ", ".join(
            (f"{printer.doprint(Symbol(name))} = " if str(value) != name else "") + printer.doprint(value)
            for name, value in zip(self.needs, self.args, strict=True)
        )
        return rf"\mathrm{{{type(self).__name__}}}" + (rf"\left({given}\right)" if given else "")


class Convex(FunctionClass):
    """Convex functions with finite values everywhere."""

    is_smooth = False


class ConvexLipschitz(FunctionClass):
    """Convex functions whose subgradients are no longer than M."""

    needs, is_smooth = ("M",), False


class SmoothConvex(FunctionClass):
    """Convex functions whose gradient has the Lipschitz constant L."""

    needs = ("L",)


class SmoothStronglyConvex(FunctionClass):
    """The same, and f - mu |x|^2 / 2 is convex."""

    needs = ("mu", "L")


class Smooth(FunctionClass):
    """Functions, convex or not, whose gradient has the Lipschitz constant L."""

    needs, is_convex = ("L",), False


class PolyakLojasiewicz(FunctionClass):
    """The same, with a least value, and |grad f|^2 >= 2 mu (f - min f)."""

    needs, is_convex = ("mu", "L"), False


def is_positive(of: Expr, domains: Mapping[Any, Set]) -> bool:
    """Whether a number is positive because its parts are.

    >>> L = Symbol("L")
    >>> is_positive(2 / L, {L: Interval.open(0, 1)}), is_positive(L - 1, {L: Interval.open(0, 1)})
    (True, False)
    """
    if of.is_number:
        return bool(of.is_positive)
    if isinstance(of, Symbol):
        domain = domains.get(of)
        if not isinstance(domain, Interval) or not domain.start.is_number:
            return False
        return bool(domain.start > 0 or (domain.start == 0 and domain.left_open))
    if isinstance(of, Pow):
        return bool(of.exp.is_Integer) and is_positive(of.base, domains)
    return isinstance(of, (Add, Mul)) and all(is_positive(part, domains) for part in of.args)


def in_class(symbol: FunctionSymbol, domain: Any) -> FunctionClass:
    """The class of a function symbol."""
    if not isinstance(domain, FunctionClass):
        raise LemmascopeError(f"{symbol.name} is a function: its domain is a class such as SmoothConvex(L)")
    return domain


def require_sense(variables: Mapping[Any, Set], parts: Iterable[Basic]) -> None:
    """Refuse gradients where there are none, and classes whose constants are not positive."""
    classes = {symbol: domain for symbol, domain in variables.items() if isinstance(symbol, FunctionSymbol)}
    for symbol, domain in classes.items():
        for name, constant in zip(domain.needs, domain.args, strict=True):
            if not is_positive(constant, variables):
                raise LemmascopeError(
                    f"the constant {name} = {constant} of the class of {symbol.name} must be positive:"
                    f" say so in variables=, {{{constant}: Interval.open(0, oo)}}"
                )
    for part in parts:
        for word in sorted(part.atoms(_OfFunction), key=str):
            _require_word(word, classes[word.args[0]], variables)


def _require_word(word: _OfFunction, domain: FunctionClass, variables: Mapping[Any, Set]) -> None:
    name, kind = word.args[0].name, type(domain).__name__
    if isinstance(word, GradientAt) and not domain.is_smooth:
        raise LemmascopeError(
            f"a function of the class {kind} need not have a gradient: write {name}.subgradient({word.args[1]})"
        )
    if isinstance(word, SubgradientAt) and domain.is_smooth:
        raise LemmascopeError(f"a function of the class {kind} has a gradient: write {name}.gradient({word.args[1]})")
    if isinstance(word, LineSearchPoint) and not domain.is_smooth:
        raise LemmascopeError(f"{word} follows a gradient: take a smooth class for {name}")
    if isinstance(word, ProximalPoint) and not domain.is_convex:
        raise LemmascopeError(f"{word} may be many points or none: take a convex class for {name}")
    if isinstance(word, ProximalPoint) and not is_positive(word.args[2], variables):
        raise LemmascopeError(f"the step {word.args[2]} of {word} must be positive: say so in variables=")


WORDS = (
    *(ValueAt, MinimumOf, GradientAt, SubgradientAt, MinimiserOf, ProximalPoint, LineSearchPoint),
    *(Convex, ConvexLipschitz, SmoothConvex, SmoothStronglyConvex, Smooth, PolyakLojasiewicz),
)
"""What the language has for functions of a class."""
