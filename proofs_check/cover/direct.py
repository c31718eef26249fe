"""From a conjunction about bounded variables to a search on the box that its own bounds demand, without any chart."""

from __future__ import annotations

from dataclasses import replace
from math import isinf
from typing import Any

from flint import arb
from sympy import Expr, Rational, Symbol

from numerics import compile_ball
from proofs_check.budget import Budget
from proofs_check.cover.branch import is_bound
from proofs_check.cover.charts import State, bounds
from proofs_check.cover.corners import Frame, Search, Surface
from proofs_check.cover.formulas import Atom, atoms, conjuncts
from proofs_check.exact import sign
from theory.trees import encode

Ends = tuple[Rational, Rational]


def search(state: State, budget: Budget) -> Search | None:
    """The finished search on the box of the variables; None where one of them has no numerical bounds."""
    parts = conjuncts(state.node)
    if not all(isinstance(part, Atom) for part in parts):
        return None
    found = {v: _ends(state, v) for v in state.variables}
    exact = tuple(ends for ends, _ in filter(None, found.values()))
    if len(exact) < len(found) or any(low >= high for low, high in exact):
        return None
    excluded = frozenset(
        (axis, float(end))
        for axis, known in enumerate(found.values())
        if known is not None
        for end, strict in zip(known[0], known[1], strict=True)
        if strict
    )
    frame = Frame(state.variables, exact, excluded)
    places = {atom: place for place, atom in enumerate(atoms(state.node))}
    wanted = [part for part in parts if isinstance(part, Atom) and part.relation != "!=" and not is_bound(part)]
    surfaces = [(places[atom], atom, Surface(atom.expression, frame)) for atom in wanted]
    if not surfaces:
        return None
    result = Search(surfaces, frame, replace(budget, boxes=4 * budget.boxes))
    result.run()
    return result


def _ends(state: State, variable: Symbol) -> tuple[Ends, tuple[bool, bool]] | None:
    """The numerical ends of a variable, exact where they are rational, and which of them are not attained."""
    if variable in state.sides:
        low, high = state.sides[variable]
        return None if isinf(high) else ((_rational(low), _rational(high)), (False, False))
    ends, strict = [], []
    for direction, found in zip((1, -1), bounds(state, variable), strict=True):
        numbers = [bound for bound in found if not bound.value.free_symbols and bound.value.is_finite]
        if not numbers:
            return None
        best = numbers[0]
        for bound in numbers[1:]:
            order = sign(bound.value - best.value)
            if order is not None and (order == direction or (order == 0 and bound.strict)):
                best = bound
        ends.append(outward(best.value, direction))
        strict.append(best.strict and best.value == ends[-1])
    return (ends[0], ends[1]), (strict[0], strict[1])


def outward(end: Expr, direction: int) -> Rational:
    """A rational number, or a binary one just below (direction 1) or above (-1) a number that is not rational."""
    if isinstance(end, Rational):
        return end
    ball: arb = compile_ball([end], [])()[0]
    number, exponent = (ball.lower() if direction > 0 else ball.upper()).man_exp()
    return Rational(int(number)) * Rational(2) ** int(exponent)


def _rational(x: float) -> Rational:
    return Rational(*x.as_integer_ratio())


def described(state: State, found: Search) -> dict[str, Any]:
    """The finished search as plain data: the bounds of each variable, then the cover."""
    frame = found.frame
    ends = [(str(low), str(high)) for low, high in frame.exact]
    step: dict[str, Any] = {
        "do": "cover",
        "variables": [encode(v) for v in frame.variables],
        "low": [low for low, _ in ends],
        "high": [high for _, high in ends],
        "tree": found.tree,
        "reasons": found.reasons,
        "products": {},
    }
    for variable, (low, high) in zip(frame.variables, ends, strict=True):
        if variable not in state.sides:
            step = {"do": "keep", "variable": encode(variable), "low": low, "high": high, "parts": [step]}
    return step


def candidate(state: State, found: Search) -> dict[Symbol, Expr] | None:
    """A point at which no atom of the search is false, in the variables of the state."""
    return None if found.candidate is None else dict(zip(state.variables, found.candidate, strict=True))
