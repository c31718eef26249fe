"""Checks the sign arguments of a cover: trees of boxes, and for each leaf why the formula is false there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb, ctx, fmpq
from sympy import (
    Abs,
    Add,
    Dummy,
    Expr,
    Function,
    LambertW,
    Max,
    Min,
    Mul,
    Pow,
    Rational,
    Symbol,
    diff,
    exp,
    expand,
    factor,
    fraction,
    log,
    powsimp,
    together,
)

from proofs_check.kernel.cover_slopes import mean_value, sloped
from proofs_check.kernel.formula_trees import MASKS, Atom, Node, atoms, demands, sign_of
from proofs_check.kernel.intervals import INF, Interval, UndefinedError, evaluate
from proofs_check.kernel.point import sign as number_sign
from theory.language.definedness import continuity
from theory.language.functions import as_quotient, hyperbolic, with_poles
from theory.trees import decode

PRECISION = 96
_MOST_EXPONENTS = 20
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
            return 0 in signs and same(expression, Rational(0), self.unbounded)
        if argument[0] == "p":
            return self._product(expression, box, signs, argument)
        return self._factor(expression, box, signs, argument)

    def _product(self, expression: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        _, number, reasons = argument
        pairs = self.products[number]
        if (expression, number) not in self.accepted:
            if len(pairs) != len(reasons) or not same(expression, Mul(*[b**n for b, n in pairs]), self.unbounded):
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
            walked = smooth(base) and self._corner(base, box, signs, argument)
            return walked or (smooth(base) and self._freely(base, box, signs, 0))
        return kind == "e" and self._walk(base, box, signs, argument)

    def _corner(self, base: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        """From a box to one of its faces, edges or corners, always to where the expression is larger, or smaller."""
        _, steps, end = argument
        direction = 1 if signs <= {-1, 0} else -1
        if not (signs <= {-1, 0} or signs <= {0, 1}):
            return False
        here, slopes, strict = dict(box), self._slopes(base, box), False
        if not slopes and not self._defined(base, box):
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

    def _freely(self, base: Expr, box: Sides, signs: set[int], depth: int) -> bool:
        """By slopes found here, on parts of the box if need be: its own slopes may be wider than those of the cover."""
        direction = 1 if signs <= {-1, 0} else -1
        here, slopes, moving = dict(box), self._slopes(base, box), True
        defined = bool(slopes)
        while moving:
            rises = {x: rise for x in slopes for rise in (1, -1) if _rises(slopes, x, rise)}
            ends = {x: here[x][int(rise == direction)] for x, rise in rises.items() if here[x][0] != here[x][1]}
            flat = {x: (end, end) for x, end in ends.items() if end is not None}
            moving = bool(flat)
            here.update(flat)
            slopes = self._slopes(base, here) if moving else slopes
        if defined and (self._bounded(base, here, signs, direction) or (0 in signs and _vanishes(base, here))):
            return True
        sizes = {x: _size(slopes[x]) * float(high - low) for x, (low, high) in here.items() if high and x in slopes}
        if depth >= _DEEPEST or not any(sizes.values()):
            return False
        axis = max(sizes, key=sizes.__getitem__)
        return all(self._freely(base, {**box, axis: half}, signs, depth + 1) for half in _halves(box[axis]))

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
        start = base.subs(x, Rational(end.numerator, end.denominator))
        flat = {**box, x: (end, end)}
        return self.shows(start, flat, face, on_face) and self.shows(self._slope(base, x), box, rise, on_slope)

    def _excluded(self, x: Symbol, end: Fraction) -> bool:
        value = Rational(end.numerator, end.denominator)
        found = [(part, part.expression.subs(x, value)) for part in demands(self.formula) if part.expression.has(x)]
        return any(there.is_Rational and not part.allows(sign_of(there)) for part, there in found)

    def _dominated(self, base: Expr, box: Sides, signs: set[int], argument: list[Any]) -> bool:
        _, axis, quadratic, linear, power, logs = argument
        x = self.variables[axis]
        if not box[x][0] > 1:
            return False
        scale = exp(Rational(quadratic) * x**2 + Rational(linear) * x) * x ** Rational(power) * log(x) ** int(logs)
        scaled = expand(expand(base) * scale)
        joined = powsimp(scaled, combine="exp")
        joined = joined.xreplace({part: exp(factor(part.args[0])) for part in joined.atoms(exp)})
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
        bounded = all(box[v][1] is not None for v in used)
        if bounded and used and smooth(expression) and self._by_slopes(expression, box, used, signs):
            return True
        widths = {v: high - low for v in used for low, high in (box[v],) if high is not None and high > low}
        if depth >= _DEEPEST or not widths:
            return False
        axis = max(widths, key=widths.__getitem__)
        low = box[axis][0]
        high = low + widths[axis]
        middle = (low + high) / 2
        halves = [{**box, axis: (low, middle)}, {**box, axis: (middle, high)}]
        return all(self._direct(expression, half, signs, depth + 1) for half in halves)

    def _by_slopes(self, expression: Expr, box: Sides, used: list[Symbol], signs: set[int]) -> bool:
        sides = {v: _interval(side) for v, side in box.items()}
        try:
            evaluate(expression, sides)
            slopes = {v: evaluate(self._slope(expression, v), sides) for v in used}
            centre = {v: _interval(_middle(box[v])) if v in used else sides[v] for v in sides}
            total = evaluate(expression, centre)
            for v in used:
                total = total + slopes[v] * (sides[v] - centre[v])
            if total.sign() <= signs:
                return True
            lower = {v: _end(box[v], slopes[v], 0) if v in used else sides[v] for v in sides}
            upper = {v: _end(box[v], slopes[v], 1) if v in used else sides[v] for v in sides}
            between = Interval(evaluate(expression, lower).low, evaluate(expression, upper).high)
            return between.sign() <= signs
        except UndefinedError:
            return False


@cache
def smooth(expression: Expr) -> bool:
    """Whether slopes tell how an expression changes wherever it has a value: it has neither kinks nor jumps."""
    return continuity(expression) is not None and not expression.has(Abs, Max, Min)


def _end(side: Side, slope_range: Interval, upper: int) -> Interval:
    low, high = side
    if slope_range.low >= 0:
        return _interval((high, high) if upper and high is not None else (low, low))
    if slope_range.high <= 0:
        return _interval((low, low) if upper or high is None else (high, high))
    return _interval(side)


def _vanishes(expression: Expr, box: Sides) -> bool:
    """Whether an expression is 0 all over the sides of a box that are left once the others are fixed."""
    fixed = {x: Rational(low.numerator, low.denominator) for x, (low, high) in box.items() if low == high}
    return bool(fixed) and same(expression.subs(fixed), Rational(0))


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
    low, high = side
    return Interval(_exact(low), INF if high is None else _exact(high))


def _exact(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def _middle(side: Side) -> Side:
    low, high = side
    middle = low if high is None else (low + high) / 2
    return middle, middle


def _falsified(formula: Node, claimed: dict[Atom, set[int]]) -> bool:
    """Whether the claimed signs make the formula false."""
    if isinstance(formula, Atom):
        return formula in claimed and not any(formula.allows(s) for s in claimed[formula])
    results = (_falsified(part, claimed) for part in formula.parts)
    return any(results) if formula.every else all(results)


def slope(expression: Expr, x: Symbol) -> Expr:
    """The derivative; that of LambertW is written without a division by its argument."""
    for inner in expression.atoms(LambertW):
        if inner.has(x) and len(inner.args) == 1:
            name = Dummy()
            outer = expression.xreplace({inner: name})
            inside = slope(inner.args[0], x) / (exp(inner) * (1 + inner))
            return (slope(outer, x) + diff(outer, name) * inside).xreplace({name: inner})
    return diff(expression, x)


def _forms(expression: Expr, unbounded: tuple[Symbol, ...]) -> Iterator[Expr]:
    """Ways to write an expression that differ in how tightly they are enclosed."""
    yield expression
    rewritten = rewrite(expression, unbounded)
    if rewritten != expression:
        yield rewritten
    if expression.is_polynomial() and expression.count_ops() < 100:
        yield factor(expression)


def rewrite(expression: Expr, unbounded: tuple[Symbol, ...]) -> Expr:
    """Quotients for tan and its relatives, exponentials for powers and, where unbounded, hyperbolic functions."""
    changes: dict[Expr, Expr] = {}
    for part in expression.atoms(Function, Pow):
        if isinstance(part, Pow):
            if not part.exp.is_number:
                changes[part] = exp(part.exp * log(part.base))
            elif not part.exp.is_Integer and isinstance(part.base, Add):
                changes[part] = factor(part.base) ** part.exp
        elif isinstance(part, hyperbolic()) and set(unbounded) & part.free_symbols:
            changes[part] = part.rewrite(exp)
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
            return max(rates) * x + log(expand(argument * exp(-max(rates) * x)))
    return log(factor(argument))


def same(first: Expr, second: Expr, unbounded: tuple[Symbol, ...] = ()) -> bool:
    """Whether two expressions are equal wherever both are defined, by expansion of a common numerator."""
    rewritten = rewrite(first, unbounded), rewrite(second, unbounded)
    for one, other in ((first, second), rewritten):
        difference = one - other
        if not difference.free_symbols:
            if number_sign(difference, {}) == 0:
                return True
        elif expand(difference) == 0 or expand(fraction(together(difference))[0]) == 0:
            return True
    if _cancels(rewritten[0] - rewritten[1]):
        return True
    if first.has(*hyperbolic()) or second.has(*hyperbolic()):
        return same(_in_exponentials(first), _in_exponentials(second), unbounded)
    return False


def _in_exponentials(expression: Expr) -> Expr:
    return expression.xreplace({part: part.rewrite(exp) for part in expression.atoms(*hyperbolic())})


def _cancels(difference: Expr) -> bool:
    """Whether the terms of a common numerator with equal exponents of exponentials cancel.

    >>> p, t = Symbol("p"), Symbol("t")
    >>> same(exp(t) * exp(t / (p - 1)), exp(t * p / (p - 1)))
    True
    """
    if not difference.has(exp):
        return False
    groups: list[tuple[Expr, Expr]] = []
    for term in Add.make_args(expand(fraction(together(difference))[0])):
        calls = [part for part in Mul.make_args(term) if isinstance(part, exp)]
        exponent, factor = Add(*[part.args[0] for part in calls]), term / Mul(*calls)
        for place, (other, total) in enumerate(groups):
            if expand(fraction(together(exponent - other))[0]) == 0:
                groups[place] = other, total + factor
                break
        else:
            groups.append((exponent, factor))
    return len(groups) < _MOST_EXPONENTS and all(expand(fraction(together(total))[0]) == 0 for _, total in groups)
