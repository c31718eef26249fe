"""Signs of expressions on boxes, each with the argument that shows it.

A sign is shown by a ball ("b"), by a mean-value or monotone form ("m"), by dividing by a dominant monomial on an
unbounded box ("d"), or by walking from a face of the box along one variable: the sign on the face together with the
sign of the derivative ("e"), both of which are shown in the same way. A face on which an expression vanishes
identically has the sign 0 ("z"). An argument is plain data, so that another program can check it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isinf
from typing import Any

from flint import arb
from sympy import Expr, Symbol, exp, log

from numerics import compile_ball, interval
from proofs_check.budget import Budget
from proofs_check.engines.cover import tails
from proofs_check.engines.cover.factoring import derivative, factors_of, is_zero
from proofs_check.kernel.formula_trees import MINUS, PLUS, ZERO
from theory.language.definedness import continuity

Argument = str | list[Any]
Signs = tuple[int, Argument]
ANY = MINUS | ZERO | PLUS
UNKNOWN: Signs = (ANY, "b")
LARGEST_EXACT = 64  # SymPy turns exp(n log(r)) into r**n, which must not grow out of hand
_OPPOSITE = (0, 4, 2, 6, 1, 5, 3, 7)


class TimeIsOverError(Exception):
    """The budget ended in the middle of a symbolic computation."""


@dataclass(frozen=True)
class Box:
    """Closed ends as binary floats, which are exact; the upper one may be infinite. `excluded` faces are not in it."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    excluded: frozenset[tuple[int, float]] = frozenset()

    @cached_property
    def balls(self) -> list[arb]:
        """One ball around each side; an unbounded side has none that is finite."""
        return [ball(*side) for side in zip(self.low, self.high, strict=True)]

    @cached_property
    def bounded(self) -> bool:
        """Whether all sides are finite."""
        return inf not in self.high

    def split(self, axis: int, at: float) -> tuple[Box, Box]:
        """The parts below and above a value of one variable."""
        low, high = list(self.low), list(self.high)
        low[axis] = high[axis] = at
        return Box(self.low, tuple(high), self.excluded), Box(tuple(low), self.high, self.excluded)

    def face(self, axis: int, upper: bool) -> Box:
        """The box flattened to one of its ends."""
        end = self.high[axis] if upper else self.low[axis]
        low, high = list(self.low), list(self.high)
        low[axis] = high[axis] = end
        return Box(tuple(low), tuple(high), self.excluded)


def ball(low: float, high: float) -> arb:
    """The ball around an interval with binary ends."""
    return arb(low) if low == high else arb.nan() if isinf(high) else interval(arb(low), arb(high))


def signs_of(value: arb) -> int:
    """The signs that a ball allows; an undefined ball allows all."""
    if not value.is_finite():
        return ANY
    if value > 0:
        return PLUS
    if value < 0:
        return MINUS
    if value.is_zero():
        return ZERO
    return PLUS | ZERO if value >= 0 else MINUS | ZERO if value <= 0 else ANY


def times(a: int, b: int) -> int:
    """The signs of a product."""
    result = ZERO if (a | b) & ZERO else 0
    if (a & PLUS and b & PLUS) or (a & MINUS and b & MINUS):
        result |= PLUS
    if (a & PLUS and b & MINUS) or (a & MINUS and b & PLUS):
        result |= MINUS
    return result


def plus(a: int, b: int) -> int:
    """The signs of a sum."""
    result = a & b
    result |= (a if b & ZERO else 0) | (b if a & ZERO else 0)
    return ANY if (a & PLUS and b & MINUS) or (a & MINUS and b & PLUS) else result


@dataclass(eq=False)
class Factor:
    """One irreducible piece, with its compiled value and gradient."""

    expression: Expr
    table: Table

    @cached_property
    def smooth(self) -> bool:
        """Whether derivatives may be used."""
        return continuity(self.expression) is not None

    @cached_property
    def value(self) -> Any:
        """The compiled enclosure."""
        return compile_ball([self.expression], self.table.variables)

    @cached_property
    def gradient(self) -> Any:
        """The compiled enclosure of all first derivatives."""
        return compile_ball([derivative(self.expression, v) for v in self.table.variables], self.table.variables)

    @cached_property
    def unused(self) -> tuple[int, ...]:
        """The axes on which the expression does not depend."""
        free = self.expression.free_symbols
        return tuple(axis for axis, v in enumerate(self.table.variables) if v not in free)

    def shadow(self, box: Box) -> Box:
        """The box with the sides that do not matter here shrunk to a point."""
        if not any(box.low[axis] != box.high[axis] for axis in self.unused):
            return box
        high = tuple(box.low[axis] if axis in self.unused else end for axis, end in enumerate(box.high))
        return Box(box.low, high, box.excluded)

    def on(self, box: Box) -> tuple[int, bool]:
        """Signs by plain evaluation, and whether the expression is defined on the whole box."""
        if box.bounded:
            (value,) = self.value(*box.balls)
            signs, defined = signs_of(value), value.is_finite()
        else:
            found = tails.signs(self.expression, self.table.sides(box))
            signs, defined = (ANY, False) if found is None else (found, True)
        return (PLUS, True) if defined and isinstance(self.expression, exp) else (signs, defined)


@dataclass(eq=False)
class Product:
    """An expression as a product of factors."""

    number: int
    expression: Expr
    factors: tuple[tuple[Factor, int], ...]

    @cached_property
    def single(self) -> bool:
        """Whether factoring left the expression as it was."""
        return len(self.factors) == 1 and self.factors[0][1] == 1 and self.factors[0][0].expression == self.expression


@dataclass(eq=False)
class Table:
    """All expressions of one cover, each factored, differentiated and restricted only once."""

    variables: tuple[Symbol, ...]
    anchors: tuple[set[float], ...] = ()
    unbounded: tuple[Symbol, ...] = ()
    budget: Budget | None = None
    products: list[Product] = field(default_factory=list)
    _by_expression: dict[Expr, Product] = field(default_factory=dict)
    _factors: dict[Expr, Factor] = field(default_factory=dict)
    _derived: dict[tuple[Expr, int], Product] = field(default_factory=dict)
    _faces: dict[tuple[Expr, int, float], Product] = field(default_factory=dict)

    def product(self, expression: Expr) -> Product:
        """The factored form of an expression."""
        if expression not in self._by_expression:
            if self.budget is not None and self.budget.spent:
                raise TimeIsOverError
            factors = () if is_zero(expression) else factors_of(expression, self.unbounded)
            pairs = tuple((self._factor(base), power) for base, power in factors)
            product = Product(len(self.products), expression, pairs)
            self.products.append(product)
            self._by_expression[expression] = product
        return self._by_expression[expression]

    def _factor(self, expression: Expr) -> Factor:
        return self._factors.setdefault(expression, Factor(expression, self))

    def derivative(self, factor: Factor, axis: int) -> Product:
        """The derivative of a factor along a variable."""
        key = (factor.expression, axis)
        if key not in self._derived:
            self._derived[key] = self.product(derivative(factor.expression, self.variables[axis]))
        return self._derived[key]

    def restricted(self, factor: Factor, axis: int, value: float) -> Product:
        """A factor with one variable fixed at an exact value."""
        key = (factor.expression, axis, value)
        if key not in self._faces:
            self._faces[key] = self.product(factor.expression.subs(self.variables[axis], exact_number(value)))
        return self._faces[key]

    def sides(self, box: Box) -> dict[Symbol, tuple[float, float]]:
        """The sides of a box by variable."""
        return dict(zip(self.variables, zip(box.low, box.high, strict=True), strict=True))


def exact_number(value: float) -> Expr:
    """A binary float as the rational number it is."""
    from sympy import Rational

    return Rational(*value.as_integer_ratio())


def mean_value_signs(factor: Factor, box: Box) -> int:
    """Signs from the mean-value form and from monotonicity in single variables; the factor is defined on the box."""
    slopes = factor.gradient(*box.balls)
    if not all(slope.is_finite() for slope in slopes):
        return ANY
    centre = [arb((low + high) / 2) for low, high in zip(box.low, box.high, strict=True)]
    (value,) = factor.value(*centre)
    for slope, side, middle in zip(slopes, box.balls, centre, strict=True):
        value += slope * (side - middle)
    found = signs_of(value)
    directions = [signs_of(slope) for slope in slopes]
    if found in (PLUS, MINUS) or all(direction == ANY for direction in directions):
        return found
    low_corner, high_corner = list(box.balls), list(box.balls)
    for axis, direction in enumerate(directions):
        if direction != ANY:
            ends = (arb(box.low[axis]), arb(box.high[axis]))
            low_corner[axis], high_corner[axis] = ends if direction & PLUS else ends[::-1]
    (least,), (largest,) = factor.value(*low_corner), factor.value(*high_corner)
    if least.is_finite() and largest.is_finite():
        found &= _above(signs_of(least)) & _below(signs_of(largest))
    return found or ANY


def _above(least: int) -> int:
    """Signs of what is at least something with these signs."""
    return ANY if least & MINUS else PLUS | ZERO if least & ZERO else PLUS


def _below(largest: int) -> int:
    return _OPPOSITE[_above(_OPPOSITE[largest])]


def product_signs(product: Product, found: Sequence[Signs]) -> Signs:
    """The signs of a product from those of its factors; a denominator that may vanish leaves everything open."""
    if not product.factors:
        return ZERO, "z"
    total = PLUS
    for (_, power), (signs, _) in zip(product.factors, found, strict=True):
        if power < 0 and signs & ZERO:
            return UNKNOWN
        total = times(total, signs if power % 2 else times(signs, signs) & ~MINUS)
    if product.single:
        return total, found[0][1]
    return total, ["p", product.number, [list(pair) for pair in found]]


def quick(product: Product, box: Box, *, with_slopes: bool) -> Signs:
    """Signs by balls and, if wanted, by mean-value forms."""
    return product_signs(product, [_quick_factor(factor, box, with_slopes) for factor, _ in product.factors])


def _quick_factor(factor: Factor, box: Box, with_slopes: bool) -> Signs:
    box = factor.shadow(box)
    signs, defined = factor.on(box)
    if with_slopes and signs not in (PLUS, MINUS, ZERO) and defined and box.bounded and factor.smooth:
        finer = signs & mean_value_signs(factor, box)
        if finer and finer != signs:
            return finer, "m"
    return signs, "b"


def thorough(product: Product, box: Box, depth: int, memory: dict[Any, Signs]) -> Signs:
    """Signs by all arguments, walking from faces up to a depth."""
    found = [_thorough_factor(factor, box, depth, memory) for factor, _ in product.factors]
    return product_signs(product, found)


def _thorough_factor(factor: Factor, box: Box, depth: int, memory: dict[Any, Signs]) -> Signs:
    box = factor.shadow(box)
    key = (factor.expression, box.low, box.high)
    if key in memory and (memory[key][0] != ANY or memory.get((*key, "depth"), (0, ""))[0] >= depth):
        return memory[key]
    signs, argument = _quick_factor(factor, box, True)
    if signs not in (PLUS, MINUS, ZERO) and factor.smooth:
        for more, why in _further(factor, box, depth, memory):
            if signs & more and (signs & more) != signs:
                signs, argument = signs & more, why
            if signs in (PLUS, MINUS, ZERO):
                break
    memory[key] = signs, argument
    memory[(*key, "depth")] = depth, ""
    return signs, argument


def _further(factor: Factor, box: Box, depth: int, memory: dict[Any, Signs]) -> Any:
    if not box.bounded:
        for axis, high in enumerate(box.high):
            if isinf(high):
                found = tails.dominated(factor.expression, factor.table.variables[axis], factor.table.sides(box))
                if found is not None:
                    yield found[0], ["d", axis, *found[1]]
    if depth <= 0 or not factor.on(box)[1]:
        return
    if isinstance(factor.expression, log):
        excess = factor.table.product(factor.expression.args[0] - 1)
        signs, argument = thorough(excess, box, depth - 1, memory)
        yield signs, ["l", [signs, argument]]
    free = factor.expression.free_symbols
    for axis, variable in enumerate(factor.table.variables):
        if variable not in free or box.low[axis] == box.high[axis]:
            continue
        for upper in (False, True):
            end = box.high[axis] if upper else box.low[axis]
            if isinf(end) or not (isinf(box.high[axis]) or end in factor.table.anchors[axis]):
                continue
            if abs(end) > LARGEST_EXACT and factor.expression.has(log) and factor.expression.has(exp):
                continue
            yield _from_face(factor, box, axis, upper, depth, memory)


def _from_face(factor: Factor, box: Box, axis: int, upper: bool, depth: int, memory: dict[Any, Signs]) -> Signs:
    end = box.high[axis] if upper else box.low[axis]
    face = factor.table.restricted(factor, axis, end)
    start, first = thorough(face, box.face(axis, upper), depth - 1, memory)
    if start == ANY:
        return UNKNOWN
    slope = factor.table.derivative(factor, axis)
    rise, second = thorough(slope, box, depth - 1, memory)
    if rise == ANY:
        return UNKNOWN
    change = _OPPOSITE[rise] if upper else rise
    if (axis, end) not in box.excluded:
        change |= ZERO
    return plus(start, change), ["e", axis, int(upper), [start, first], [rise, second]]
