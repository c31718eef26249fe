"""Branch and bound: cut a box into pieces on each of which the formula is false, each with its argument.

The result is a binary tree in preorder: a cut [axis, value] is followed by its lower and its upper part, a leaf is the
number of a reason. A reason lists, for the atoms that make the formula false, their signs and the argument for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isinf
from typing import Any

from flint import arb, ctx
from sympy import Expr, Symbol

from numerics import compile_ball
from proofs_check.budget import Budget
from proofs_check.engines.cover.charts import linear
from proofs_check.engines.cover.signs import (
    ANY,
    UNKNOWN,
    Box,
    Signs,
    Table,
    TimeIsOverError,
    exact_number,
    product_signs,
    quick,
    signs_of,
    thorough,
)
from proofs_check.kernel.formula_trees import Atom, Node, atoms, conjuncts, sign_of

PRECISION = 64
NARROWEST = 2.0**-26
FARTHEST = 2.0**16
_DEPTH_ALONE, _DEPTH_TOGETHER = 7, 5
_STUCK_BOXES = 3


@dataclass
class Cover:
    """The outcome of a search: `tree` when it succeeded, else where it got stuck or what may be a counterexample."""

    table: Table
    root: Box
    atoms: list[Atom]
    tree: list[Any] = field(default_factory=list)
    reasons: list[list[Any]] = field(default_factory=list)
    boxes: int = 0
    complete: bool = False
    stuck: list[Box] = field(default_factory=list)
    violation: list[float] | None = None


def cover(
    node: Node, sides: dict[Symbol, tuple[float, float]], anchors: dict[Symbol, set[float]], budget: Budget
) -> Cover:
    """Try to show that a formula is false on a box."""
    variables = tuple(sides)
    parts = atoms(node)
    points = tuple({end for end in (*sides[v], *anchors.get(v, ())) if not isinf(end)} for v in variables)
    table = Table(variables, points, tuple(v for v in variables if isinf(sides[v][1])), budget)
    root = Box(
        tuple(sides[v][0] for v in variables),
        tuple(sides[v][1] for v in variables),
        excluded_faces(node, variables, points),
    )
    result = Cover(table, root, parts)
    previous = ctx.prec
    ctx.prec = PRECISION
    try:
        _Search(node, parts, result, budget).run()
    except TimeIsOverError:
        result.stuck.append(root)
    finally:
        ctx.prec = previous
    return result


def excluded_faces(
    node: Node, variables: tuple[Symbol, ...], points: tuple[set[float], ...]
) -> frozenset[tuple[int, float]]:
    """Values of single variables at which some conjunct is plainly false."""
    demands = [part for part in conjuncts(node) if isinstance(part, Atom)]
    return frozenset(
        (axis, value)
        for axis, variable in enumerate(variables)
        for value in points[axis]
        if any(_plainly_false(atom, variable, exact_number(value)) for atom in demands)
    )


def _plainly_false(atom: Atom, variable: Symbol, value: Expr) -> bool:
    if not atom.expression.has(variable):
        return False
    found = atom.expression.subs(variable, value)
    return bool(found.is_Rational and not atom.allows(sign_of(found)))


@dataclass
class _Search:
    node: Node
    parts: list[Atom]
    result: Cover
    budget: Budget
    known: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table = self.result.table
        self.products = [table.product(atom.expression) for atom in self.parts]
        factors = list(dict.fromkeys(f for product in self.products for f, _ in product.factors))
        self.kernel = compile_ball([f.expression for f in factors], table.variables)
        self.places = {f: place for place, f in enumerate(factors)}
        self.numbers = {atom: place for place, atom in enumerate(self.parts)}
        self.bounds = [k for k, atom in enumerate(self.parts) if is_bound(atom)]
        self.depth = _DEPTH_ALONE if len(table.variables) == 1 else _DEPTH_TOGETHER

    def run(self) -> None:
        result = self.result
        waiting: list[Box] = [result.root]
        while waiting:
            box = waiting.pop()
            result.boxes += 1
            if result.boxes > self.budget.boxes or self.budget.spent or len(result.stuck) >= _STUCK_BOXES:
                result.stuck.append(box)
                return
            reason = self.refute(box)
            if reason is not None:
                result.tree.append(reason)
                continue
            if self.violated(box):
                return
            cut = self.cut(box)
            if cut is None:
                result.stuck.append(box)
                continue
            result.tree.append([cut[0], cut[1]])
            lower, upper = box.split(*cut)
            waiting += [upper, lower]
        result.complete = not result.stuck

    def refute(self, box: Box) -> int | None:
        """The number of a reason why the formula is false on the whole box."""
        self.signs: list[Signs] = self._by_balls(box)
        if truth(self.node, self.numbers, self.signs) is False:
            return self._reason()
        open_ones = [k for k, (signs, _) in enumerate(self.signs) if signs not in (1, 2, 4)]
        if box.bounded:
            for k in open_ones:
                signs, argument = quick(self.products[k], box, with_slopes=True)
                self.signs[k] = (signs, argument) if signs != self.signs[k][0] else self.signs[k]
            if truth(self.node, self.numbers, self.signs) is False:
                return self._reason()
        if not box.bounded or self._touches(box):
            memory: dict[Any, Signs] = {}
            for k in open_ones:
                if self.signs[k][0] not in (1, 2, 4) and not self.budget.spent:
                    signs, argument = thorough(self.products[k], box, self.depth, memory)
                    if signs != self.signs[k][0]:
                        self.signs[k] = signs, argument
                        if truth(self.node, self.numbers, self.signs) is False:
                            return self._reason()
        return None

    def _by_balls(self, box: Box) -> list[Signs]:
        if not box.bounded:
            return [quick(product, box, with_slopes=False) for product in self.products]
        return self._from_values(self.kernel(*box.balls))

    def _from_values(self, values: Sequence[arb]) -> list[Signs]:
        return [
            product_signs(product, [(signs_of(values[self.places[f]]), "b") for f, _ in product.factors])
            for product in self.products
        ]

    def _touches(self, box: Box) -> bool:
        """Whether the box has a face at an anchor where the formula, bounds aside, is not false with a margin."""
        anchors = self.result.table.anchors
        corner = []
        touching = False
        for axis, (low, high) in enumerate(zip(box.low, box.high, strict=True)):
            at = low if low in anchors[axis] else high if high in anchors[axis] else None
            touching = touching or at is not None
            corner.append(box.balls[axis] if at is None else arb(at))
        if not touching:
            return False
        found = self._from_values(self.kernel(*corner))
        signs = [one if one[0] in (1, 4) else UNKNOWN for one in found]
        for place in self.bounds:
            signs[place] = (self.parts[place].wanted, "b")
        return truth(self.node, self.numbers, signs) is not False

    def _reason(self) -> int:
        needed = sorted(reasons(self.node, self.numbers, self.signs))
        entry = [[k, *self.signs[k]] for k in needed]
        key = repr(entry)
        if key not in self.known:
            self.known[key] = len(self.result.reasons)
            self.result.reasons.append(entry)
        return self.known[key]

    def violated(self, box: Box) -> bool:
        """Whether the formula is true at the middle of the box: a candidate counterexample."""
        if self.result.boxes % 8 and box.bounded and self.result.boxes > 64:
            return False
        point = [middle(low, high) for low, high in zip(box.low, box.high, strict=True)]
        signs = self._from_values(self.kernel(*[arb(value) for value in point]))
        if truth(self.node, self.numbers, signs) is True:
            self.result.violation = point
            return True
        return False

    def cut(self, box: Box) -> tuple[int, float] | None:
        """Where to cut: at an anchor inside, far out on unbounded sides, else where the change is largest."""
        for axis, anchors in enumerate(self.result.table.anchors):
            inside = [a for a in anchors if box.low[axis] < a < box.high[axis]]
            if inside:
                return axis, min(inside)
        if not box.bounded:
            return self._cut_unbounded(box)
        widths = self._changes(box)
        axis = max(range(len(widths)), key=widths.__getitem__)
        low, high = box.low[axis], box.high[axis]
        root = self.result.root
        whole = root.high[axis] - root.low[axis]
        if high - low <= NARROWEST * min(max(abs(low), 1.0), whole if whole < inf else 1.0):
            return None
        return axis, middle(low, high)

    def _cut_unbounded(self, box: Box) -> tuple[int, float] | None:
        """Among the sides on which open factors depend, cut far-out ones and wide ones in turn."""
        axes = sorted({
            axis
            for product, (signs, _) in zip(self.products, self.signs, strict=True)
            if signs not in (1, 2, 4)
            for factor, _ in product.factors
            if factor.on(factor.shadow(box))[0] not in (1, 2, 4)
            for axis in range(len(box.low))
            if axis not in factor.unused
        })  # fmt: skip
        scores = {
            axis: 1 / (1 + max(box.low[axis], 0.0)) if isinf(box.high[axis])
            else (box.high[axis] - box.low[axis]) / max(1.0, abs(box.low[axis]))
            for axis in axes
        }  # fmt: skip
        axis = max(scores, key=scores.__getitem__, default=None)
        if axis is None or scores[axis] < 1 / FARTHEST:
            return None
        return axis, middle(box.low[axis], box.high[axis])

    def _changes(self, box: Box) -> list[float]:
        """How much the open factors change over each side."""
        widths = [high - low for low, high in zip(box.low, box.high, strict=True)]
        if len(widths) == 1:
            return widths
        totals = [1e-6 * width for width in widths]
        for product, (signs, _) in zip(self.products, self.signs, strict=True):
            if signs in (1, 2, 4):
                continue
            for factor, _ in product.factors:
                if not factor.smooth or not factor.expression.free_symbols:
                    continue
                slopes = [abs(float(slope.abs_upper())) for slope in factor.gradient(*box.balls)]
                scale = sum(s * w for s, w in zip(slopes, widths, strict=True))
                if 0 < scale < inf:
                    totals = [t + s * w / scale for t, s, w in zip(totals, slopes, widths, strict=True)]
        # a side that hardly matters is still cut once the others are much shorter
        return [t + 1e-3 * w / max(widths) for t, w in zip(totals, widths, strict=True)]


def is_bound(atom: Atom) -> bool:
    """Whether an atom only bounds one variable."""
    free = atom.expression.free_symbols
    return len(free) == 1 and linear(atom.expression, next(iter(free))) is not None


def middle(low: float, high: float) -> float:
    """A binary number inside an interval, in the middle unless the interval is unbounded."""
    return max(1.0, 2 * low) if isinf(high) else (low + high) / 2


def truth(node: Node, numbers: dict[Atom, int], signs: list[Signs]) -> bool | None:
    """The truth of a formula on a whole box, from the signs of its atoms."""
    if isinstance(node, Atom):
        found = signs[numbers[node]][0]
        if found == ANY:
            return None
        return True if not found & ~node.wanted else False if not found & node.wanted else None
    open_part = False
    for part in node.parts:
        value = truth(part, numbers, signs)
        if value is (not node.every):
            return value
        open_part = open_part or value is None
    return None if open_part else node.every


def reasons(node: Node, numbers: dict[Atom, int], signs: list[Signs]) -> set[int]:
    """Atoms whose signs alone make a false formula false."""
    if isinstance(node, Atom):
        return {numbers[node]}
    if node.every:
        false_parts = [p for p in node.parts if truth(p, numbers, signs) is False]
        return min((reasons(p, numbers, signs) for p in false_parts), key=len)
    return set().union(*(reasons(p, numbers, signs) for p in node.parts))
