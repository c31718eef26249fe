"""Checks the sign arguments of a cover: trees of boxes, and for each leaf why the formula is false there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from sympy import Add, Expr, Mul, Pow, Rational, Symbol, exp, log

from proofs_check.kernel.cover_slopes import mean_value, sloped
from proofs_check.kernel.fields import UNREADABLE, Fractions, expanded, factored
from proofs_check.kernel.formula_trees import MASKS, Atom, Node, atoms, demands, sign_of
from proofs_check.kernel.intervals import INF, Interval, UndefinedError, evaluate
from proofs_check.kernel.point import sign as number_sign
from theory.language.definedness import continuity
from theory.language.functions import as_quotient, hyperbolic, in_exponentials, with_poles
from theory.temporal import put_at_once
from theory.trees import decode

PRECISION = 96
_DEEPEST = 7
_MOST_LEAVES = 4_000_000

Side = tuple[Fraction, Fraction | None]
Sides = dict[Symbol, Side]


def signs_from(mask: Any) -> set[int]:
    """The signs that a claimed bit mask allows."""
    if not isinstance(mask, int) or not 0 < mask < 8:
        raise ValueError("a set of signs is a number from 1 to 7")
    return {sign for sign, bit in MASKS.items() if mask & bit}


@dataclass
class CoverCheck:
    """One cover: its variables, the formula it refutes, and its table of factored expressions."""

    formula: Node
    data: dict[str, Any]
    slopes: dict[tuple[Expr, Symbol], Expr] = field(default_factory=dict)
    accepted: set[tuple[Expr, int]] = field(default_factory=set)

    def holds(self, known: Sides) -> bool:
        """Whether the tree covers the whole box and every leaf is right."""
        variables = [decode(part) for part in self.data["variables"]]
        if len(set(variables)) != len(variables) or set(variables) != set(known):
            return False
        root = {
            v: _side(low, high) for v, low, high in zip(variables, self.data["low"], self.data["high"], strict=True)
        }
        if any(not _contains(root[v], known[v]) for v in variables):
            return False
        self.variables = variables
        self.unbounded = tuple(v for v in variables if root[v][1] is None)
        self.atoms = atoms(self.formula)
        self.products = {
            int(k): [(decode(tree), int(n)) for tree, n in rows] for k, rows in self.data["products"].items()
        }
        previous = ctx.prec
        ctx.prec = PRECISION
        try:
            return self._tree(root)
        finally:
            ctx.prec = previous

    def _tree(self, root: Sides) -> bool:
        rows = iter(self.data["tree"])
        waiting = [root]
        for _ in range(_MOST_LEAVES):
            if not waiting:
                return next(rows, None) is None
            box = waiting.pop()
            row = next(rows, None)
            if row is None:
                return False
            if isinstance(row, list):
                axis, at = self.variables[row[0]], Fraction(row[1])
                low, high = box[axis]
                if not (low < at and (high is None or at < high)):
                    return False
                waiting += [{**box, axis: (at, high)}, {**box, axis: (low, at)}]
            elif not self._leaf(box, self.data["reasons"][row]):
                return False
        return False

    def _leaf(self, box: Sides, reason: list[Any]) -> bool:
        claimed: dict[Atom, set[int]] = {}
        for place, mask, argument in reason:
            relation, signs = self.atoms[place], signs_from(mask)
            if not self.shows(relation.expression, box, signs, argument):
                return False
            claimed[relation] = signs
        return _falsified(self.formula, claimed)

    # sign arguments -------------------------------------------------------------------------------------------------

    def shows(self, expression: Expr, box: Sides, signs: set[int], argument: Any) -> bool:
        """Whether the argument shows that the expression has only these signs on the box."""
        if argument == "z":
            return 0 in signs and same(expression, Rational(0))
        if argument[0] == "p":
            return self._product(expression, box, signs, argument)
        return self._factor(expression, box, signs, argument)

    def _product(self, expression: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        _, number, reasons = argument
        pairs = self.products[number]
        if (expression, number) not in self.accepted:
            if len(pairs) != len(reasons) or not same(expression, Mul(*[b**n for b, n in pairs])):
                return False
            self.accepted.add((expression, number))
        total = {1}
        for (base, power), (mask, reason) in zip(pairs, reasons, strict=True):
            found = signs_from(mask)
            if not self._factor(base, box, found, reason) or power == 0 or (power < 0 and 0 in found):
                return False
            once = found if power % 2 else {s * s for s in found}
            total = {a * b for a in total for b in once}
        return total <= signs

    def _factor(self, base: Expr, box: Sides, signs: set[int], argument: Any) -> bool:
        if argument in ("b", "m"):
            return self._direct(base, box, signs, 0)
        kind = argument[0]
        if kind == "d":
            return self._dominated(base, box, signs, argument)
        if kind == "l":
            mask, reason = argument[1]
            return (
                isinstance(base, log)
                and self._defined(base, box)
                and signs_from(mask) <= signs
                and self.shows(base.args[0] - 1, box, signs_from(mask), reason)
            )
        if kind == "c":
            return smooth(base) and (self._corner(base, box, signs, argument) or self._direct(base, box, signs, 0))
        return kind == "e" and self._walk(base, box, signs, argument)

    def _corner(self, base: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        """From a box to one of its faces, edges or corners, always to where the expression is larger, or smaller."""
        _, steps, end = argument
        direction = _bound_needed(signs)
        here, slopes, strict = dict(box), self._slopes(base, box), False
        if direction is None or not (slopes or self._defined(base, box)):
            return False
        for axis, upper, *why in steps:
            x = self.variables[axis]
            rise = direction if upper else -direction
            to = here[x][1] if upper else here[x][0]
            if to is None:
                return False
            if why:
                if not self.shows(self._slope(base, x), here, {0, rise}, why[0]):
                    return False
            else:
                if not _rises(slopes, x, rise):
                    slopes = self._slopes(base, here)
                if not _rises(slopes, x, rise) and not self._direct(self._slope(base, x), here, {0, rise}, 0):
                    return False
                strict = strict or (_rises(slopes, x, rise) and 0 not in slopes[x].sign() and self._excluded(x, to))
            here[x] = (to, to)
        if end == "m" and self._bounded(base, here, signs | {0} if strict else signs, direction):
            return True
        return (0 in signs or strict) and _vanishes(base, here)

    def _slopes(self, base: Expr, box: Sides) -> dict[Symbol, Interval]:
        """The slopes of an expression, none where it or one of them may be undefined."""
        try:
            return sloped(base, {v: _interval(side) for v, side in box.items()}).slopes
        except UndefinedError:
            return {}

    def _bounded(self, base: Expr, box: Sides, signs: set[int], direction: int) -> bool:
        found = self._enclosed(base, box)
        if found is not None and found <= signs:
            return True
        sides = {v: _interval(side) for v, side in box.items()}
        try:
            return mean_value(base, sides, sloped(base, sides).slopes, direction).sign() <= signs
        except UndefinedError:
            return False

    def _at_faces(self, base: Expr, box: Sides, signs: set[int]) -> bool:
        """On the faces to which the expression falls, or rises, as far as its slopes on the box tell."""
        if signs == {-1, 1}:
            return any(self._at_faces(base, box, {sign}) for sign in signs)
        direction = _bound_needed(signs)
        here, slopes, moving = dict(box), self._slopes(base, box), True
        if not slopes or direction is None:
            return False
        while moving:
            rises = {x: rise for x in slopes for rise in (1, -1) if _rises(slopes, x, rise)}
            ends = {x: here[x][int(rise == direction)] for x, rise in rises.items() if here[x][0] != here[x][1]}
            flat = {x: (end, end) for x, end in ends.items() if end is not None}
            moving = bool(flat)
            here.update(flat)
            slopes = self._slopes(base, here) if moving else slopes
        return self._bounded(base, here, signs, direction) or (0 in signs and _vanishes(base, here))

    def _walk(self, base: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        """From a face along one variable: the value there plus the integral of the slope."""
        _, axis, upper, (face_mask, on_face), (rise_mask, on_slope) = argument
        x = self.variables[axis]
        end = box[x][1] if upper else box[x][0]
        if end is None or not smooth(base) or not self._defined(base, box):
            return False
        face, rise = signs_from(face_mask), signs_from(rise_mask)
        change = {-s for s in rise} if upper else set(rise)
        if not self._excluded(x, end):
            change.add(0)
        if any(a * b < 0 for a in face for b in change) or not {a or b for a in face for b in change} <= signs:
            return False
        start = put_at_once(base, {x: Rational(end.numerator, end.denominator)})
        flat = {**box, x: (end, end)}
        return self.shows(start, flat, face, on_face) and self.shows(self._slope(base, x), box, rise, on_slope)

    def _excluded(self, x: Symbol, end: Fraction) -> bool:
        value = Rational(end.numerator, end.denominator)
        found = [
            (part, put_at_once(part.expression, {x: value})) for part in demands(self.formula) if part.expression.has(x)
        ]
        return any(there.is_Rational and not part.allows(sign_of(there)) for part, there in found)

    def _dominated(self, base: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        _, axis, quadratic, linear, power, logs = argument
        x = self.variables[axis]
        if not box[x][0] > 1:
            return False
        scale = exp(Rational(quadratic) * x**2 + Rational(linear) * x) * x ** Rational(power) * log(x) ** int(logs)
        scaled = expanded(base * scale)
        joined = scaled.xreplace({part: exp(factored(part.args[0])) for part in scaled.atoms(exp)})
        return any((self._enclosed(part, box) or {-1, 0, 1}) <= signs for part in (scaled, joined))

    def _enclosed(self, expression: Expr, box: Sides) -> set[int] | None:
        try:
            return evaluate(expression, {v: _interval(side) for v, side in box.items()}).sign()
        except UndefinedError:
            return None

    def _defined(self, expression: Expr, box: Sides) -> bool:
        return any(self._enclosed(part, box) is not None for part in _forms(expression, self.unbounded))

    def _slope(self, expression: Expr, x: Symbol) -> Expr:
        key = (expression, x)
        if key not in self.slopes:
            self.slopes[key] = slope(expression, x)
        return self.slopes[key]

    def _direct(self, expression: Expr, box: Sides, signs: set[int], depth: int) -> bool:
        """By intervals, by mean-value forms, and by cutting the box further where that is not enough."""
        for part in _forms(expression, self.unbounded):
            found = self._enclosed(part, box)
            if found is not None and found <= signs:
                return True
        if isinstance(expression, exp) and 1 in signs and self._defined(expression, box):
            return True
        used = [v for v in self.variables if v in expression.free_symbols]
        if used and smooth(expression) and self._at_faces(expression, box, signs):
            return True
        widths = {v: high - low for v in used for low, high in (box[v],) if high is not None and high > low}
        if depth >= _DEEPEST or not widths:
            return False
        slopes = self._slopes(expression, box)
        axis = max(widths, key=lambda v: (_size(slopes[v]) if v in slopes else 1.0) * float(widths[v]))
        return all(self._direct(expression, {**box, axis: half}, signs, depth + 1) for half in _halves(box[axis]))


@cache
def smooth(expression: Expr) -> bool:
    """Whether slopes tell how an expression changes wherever it has a value: it has neither kinks nor jumps."""
    return continuity(expression) is not None and not expression.has(sp.Abs, sp.Max, sp.Min)


def _bound_needed(signs: set[int]) -> int | None:
    """1 where an upper bound tells that there are only these signs, -1 where a lower one does, None where neither."""
    return 1 if signs in ({-1}, {-1, 0}) else -1 if signs in ({1}, {0, 1}) else None


def _vanishes(expression: Expr, box: Sides) -> bool:
    """Whether an expression is 0 all over the sides of a box that are left once the others are fixed."""
    fixed = {x: Rational(low.numerator, low.denominator) for x, (low, high) in box.items() if low == high}
    return bool(fixed) and same(put_at_once(expression, fixed), Rational(0))


def _rises(slopes: dict[Symbol, Interval], x: Symbol, rise: int) -> bool:
    return x in slopes and slopes[x].sign() <= {0, rise}


def _size(slope_range: Interval) -> float:
    return max(-float(slope_range.low), float(slope_range.high))


def _halves(side: Side) -> list[Side]:
    low, high = side
    if high is None:
        raise ValueError("an unbounded side has no middle")
    middle = (low + high) / 2
    return [(low, middle), (middle, high)]


def _side(low: Any, high: Any) -> Side:
    return Fraction(low), None if high is None else Fraction(high)


def _contains(outer: Side, inner: Side) -> bool:
    if outer[0] > inner[0]:
        return False
    return outer[1] is None or (inner[1] is not None and inner[1] <= outer[1])


def _interval(side: Side) -> Interval:
    return Interval(*(INF if end is None else arb(fmpq(end.numerator, end.denominator)) for end in side))


def _falsified(formula: Node, claimed: dict[Atom, set[int]]) -> bool:
    """Whether the claimed signs make the formula false."""
    if isinstance(formula, Atom):
        return formula in claimed and not any(formula.allows(s) for s in claimed[formula])
    results = (_falsified(part, claimed) for part in formula.parts)
    return any(results) if formula.every else all(results)


def slope(expression: Expr, x: Symbol) -> Expr:
    """The derivative; that of LambertW is written without a division by its argument."""
    for inner in expression.atoms(sp.LambertW):
        if inner.has(x) and len(inner.args) == 1:
            name = sp.Dummy()
            outer = expression.xreplace({inner: name})
            inside = slope(inner.args[0], x) / (exp(inner) * (1 + inner))
            return (slope(outer, x) + sp.diff(outer, name) * inside).xreplace({name: inner})
    return sp.diff(expression, x)


def _forms(expression: Expr, unbounded: tuple[Symbol, ...]) -> Iterator[Expr]:
    """Ways to write an expression that differ in how tightly they are enclosed."""
    yield expression
    other = rewritten(expression, unbounded)
    if other != expression:
        yield other
    if expression.is_polynomial() and expression.count_ops() < 100:
        yield factored(expression)


def rewritten(expression: Expr, unbounded: tuple[Symbol, ...]) -> Expr:
    """Quotients for tan and its relatives, exponentials for powers and, where unbounded, hyperbolic functions."""
    changes: dict[Expr, Expr] = {}
    for part in expression.atoms(sp.Function, Pow):
        if isinstance(part, Pow):
            if not part.exp.is_number:
                changes[part] = exp(part.exp * log(part.base))
            elif not part.exp.is_Integer and isinstance(part.base, Add):
                changes[part] = factored(part.base) ** part.exp
        elif isinstance(part, hyperbolic()) and set(unbounded) & part.free_symbols:
            changes[part] = in_exponentials(part)
        elif isinstance(part, with_poles()):
            changes[part] = as_quotient(part)
        elif isinstance(part, log) and isinstance(part.args[0], Add):
            changes[part] = _log(part.args[0], unbounded)
    return expression.xreplace(changes)


def _log(argument: Expr, unbounded: tuple[Symbol, ...]) -> Expr:
    for x in unbounded:
        rates = [part.args[0].coeff(x) for part in argument.atoms(exp)]
        rates = [rate for rate in rates if rate.is_Rational and rate > 0]
        if rates:
            return max(rates) * x + log(expanded(argument * exp(-max(rates) * x)))
    return log(factored(argument))


@cache
def same(first: Expr, second: Expr) -> bool:
    """Whether two expressions are equal wherever both are defined, by their normal forms or as numbers."""
    try:
        equal = Fractions([first, second], sizes=False).vanishes(first - second)
    except UNREADABLE:
        equal = False
    return equal or (not (first - second).free_symbols and number_sign(first - second, {}) == 0)
