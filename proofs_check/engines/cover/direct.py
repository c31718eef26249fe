"""From a conjunction about bounded variables to a search on the box that its own bounds demand, without any chart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, isinf, nextafter
from typing import Any

from flint import arb
from sympy import Expr, Rational, Symbol

from numerics import compile_ball
from proofs_check.budget import Budget
from proofs_check.engines.cover.branch import is_bound
from proofs_check.engines.cover.charts import Bound, State, bounds
from proofs_check.engines.cover.corners import Search
from proofs_check.engines.cover.probing import Cuts, small
from proofs_check.engines.cover.surfaces import Frame, Surface
from proofs_check.kernel.formula_trees import Atom, Junction, atoms, conjuncts
from proofs_check.points.exact import sign
from theory.trees import encode


@dataclass(frozen=True)
class End:
    """One end of a side: exact where it is rational, infinite where there is none."""

    value: Rational | None
    strict: bool = False


@dataclass
class Found:
    """A search on the box that is left after cutting off unbounded parts."""

    ends: list[tuple[End, End]]
    cuts: Cuts
    search: Search

    @property
    def tree(self) -> list[Any]:
        """The whole tree of cuts."""
        return [*self.cuts.before, *self.search.tree, *self.cuts.after]


def search(state: State, budget: Budget) -> Found | None:
    """The finished search on the box of the variables; None where one of them has no numerical bounds."""
    ends = [_ends(state, v) for v in state.variables]
    if any(low.value is None or not _are_apart(low, high) for low, high in ends):
        return None
    everything = atoms(state.node)
    parts = conjuncts(state.node)
    demanded = [(everything.index(part), part) for part in parts if isinstance(part, Atom)]
    cuts = Cuts(state.variables, [(_float(low, -inf), _float(high, inf)) for low, high in ends], list(small(demanded)))
    if not cuts.bound():
        return None
    frame = _frame(state.variables, ends, cuts)
    wanted = tuple(part for part in parts if not (isinstance(part, Atom) and is_bound(part)))
    if not wanted:
        return None
    node = Junction(True, wanted)
    surfaces = {atom: Surface(atom.expression, frame) for atom in atoms(node)}
    budget = replace(budget, boxes=4 * budget.boxes)
    result = Search(node, everything, surfaces, frame, budget, reasons=list(cuts.reasons))
    result.run()
    return Found(ends, cuts, result)


def _are_apart(low: End, high: End) -> bool:
    """Whether floats can name both ends: a side that is too short or too far out for that is left to the charts."""
    try:
        return high.value is None or float(low.value or 0) < float(high.value) < inf
    except OverflowError:
        return False


def _float(end: End, direction: float) -> float:
    """A float that is not inside the end."""
    if end.value is None:
        return inf
    number = float(end.value)
    return number if Rational(*number.as_integer_ratio()) == end.value else nextafter(number, direction)


def _frame(variables: tuple[Symbol, ...], ends: list[tuple[End, End]], cuts: Cuts) -> Frame:
    exact, excluded = [], set()
    for axis, ((low, high), side) in enumerate(zip(ends, cuts.sides, strict=True)):
        sides = []
        for end, direction, at in ((low, -inf, side[0]), (high, inf, side[1])):
            kept = end.value is not None and at == _float(end, direction)
            sides.append(end.value if kept and end.value is not None else _rational(at))
            if kept and end.strict:
                excluded.add((axis, float(sides[-1])))
        exact.append((sides[0], sides[1]))
    return Frame(variables, tuple(exact), frozenset(excluded))


def _ends(state: State, variable: Symbol) -> tuple[End, End]:
    """The numerical ends of a variable and whether they are attained."""
    if variable in state.sides:
        low, high = state.sides[variable]
        return End(_rational(low)), End(None if isinf(high) else _rational(high))
    below, above = bounds(state, variable)
    return _end(below, 1), _end(above, -1)


def _end(found: list[Bound], direction: int) -> End:
    numbers = [bound for bound in found if not bound.value.free_symbols and bound.value.is_finite]
    if not numbers:
        return End(None)
    best = numbers[0]
    for bound in numbers[1:]:
        order = sign(bound.value - best.value)
        if order is not None and (order == direction or (order == 0 and bound.strict)):
            best = bound
    value = outward(best.value, direction)
    return End(value, best.strict and best.value == value)


def outward(end: Expr, direction: int) -> Rational:
    """A rational number, or a binary one just below (direction 1) or above (-1) a number that is not rational."""
    if isinstance(end, Rational):
        return end
    ball: arb = compile_ball([end], [])()[0]
    number, exponent = (ball.lower() if direction > 0 else ball.upper()).man_exp()
    return Rational(int(number)) * Rational(2) ** int(exponent)


def _rational(x: float) -> Rational:
    return Rational(*x.as_integer_ratio())


def described(state: State, found: Found) -> dict[str, Any]:
    """The finished search as plain data: the bounds of each variable, then the cover."""
    ends = [(str(low.value), None if high.value is None else str(high.value)) for low, high in found.ends]
    step: dict[str, Any] = {
        "do": "cover",
        "variables": [encode(v) for v in state.variables],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "tree": found.tree,
        "reasons": found.search.reasons,
        "products": {},
    }
    for variable, (low, high) in zip(state.variables, ends, strict=True):
        if variable not in state.sides:
            step = {"do": "keep", "variable": encode(variable), "low": low, "high": high, "parts": [step]}
    return step


def candidate(state: State, found: Found) -> dict[Symbol, Expr] | None:
    """A point at which no atom of the search is false, in the variables of the state."""
    point = found.search.candidate
    return None if point is None else dict(zip(state.variables, point, strict=True))
