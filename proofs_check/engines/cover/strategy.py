"""From a formula to covers: cases, equations, charts tried one after the other, and zeros found where covers get stuck.

The outcome of success is an argument: nested plain data that names each step, down to the covers. `kernel/cover`
follows it with code of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any

from sympy import Basic, Expr, Rational, Symbol, log, pi, sqrt
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.cover import charts, direct
from proofs_check.engines.cover.branch import Cover, cover, excluded_faces
from proofs_check.engines.cover.charts import State
from proofs_check.engines.cover.formulas import count_cases, innermost_kink, with_case
from proofs_check.kernel.formula_trees import (
    FALSE,
    Atom,
    Junction,
    Node,
    atoms,
    cases_of,
    conjuncts,
    normal_form,
    unfolded,
)
from proofs_check.points.exact import holds, sign
from proofs_check.shares import SHARES
from theory.errors import LemmascopeError
from theory.trees import encode

VARIANTS = ("plain", "wedge", "fold", "logs", "roots", "diagonal")
_MOST_CASES, _FAR_TOO_MANY_CASES = 32, 500
_LARGE = 180
_MOST_HALVES = 4


@dataclass(frozen=True)
class Attempt:
    """An argument that no point satisfies the formula, or a point that does, or neither."""

    argument: dict[str, Any] | None = None
    violation: dict[Symbol, Expr] | None = None
    boxes: int = 0

    @property
    def settled(self) -> bool:
        """Whether nothing is left to do."""
        return self.argument is not None or self.violation is not None


def contradiction(formula: Boolean, variables: Iterable[Symbol], budget: Budget) -> Attempt:
    """Try to show that a plain formula is false for all real values of the variables.

    >>> from sympy import And, exp
    >>> x = Symbol("x")
    >>> contradiction(And(x > 0, exp(x) <= 1 + x), [x], Budget.of("quick")).argument is None
    False
    """
    return _Strategy(formula, tuple(variables), budget).by_kinks(formula)


def share(budget: Budget, name: str) -> Budget:
    """A part of what is left of a budget, of its boxes as well."""
    part = SHARES[name].part
    started = replace(budget, seconds=budget.left * part, boxes=max(1, int(budget.boxes * part))).start()
    return replace(
        started,
        deadline=min(started.deadline, budget.deadline),
        work_deadline=min(started.work_deadline, budget.work_deadline),
    )


@dataclass
class _Strategy:
    formula: Boolean
    variables: tuple[Symbol, ...]
    budget: Budget

    def by_kinks(self, formula: Boolean) -> Attempt:
        without = unfolded(formula)
        if without != formula:
            return joined({"do": "unfold"}, [self.by_kinks(without)])
        kink = innermost_kink(formula)
        if kink is None:
            node = normal_form(formula)
            return Attempt() if node is None else self.by_cases(State(self.variables, node))
        choices = cases_of(kink)
        if choices is None or self.budget.spent:
            return Attempt()
        parts = [self.by_kinks(with_case(formula, kink, choice)) for choice in choices]
        return joined({"do": "kink", "kink": kink}, parts)

    def by_cases(self, state: State) -> Attempt:
        if state.node == FALSE:
            return Attempt({"do": "false"})
        parts = conjuncts(state.node)
        opposed = opposite(parts)
        if opposed is not None:
            return Attempt({"do": "opposite", "at": list(opposed)})
        choices = [(place, part) for place, part in enumerate(parts) if isinstance(part, Junction)]
        cases = count_cases(state.node)
        if not choices or cases > _FAR_TOO_MANY_CASES or self.budget.spent:
            return self.by_equations(state)
        if cases > _MOST_CASES:
            together = self.by_corners(state, share(self.budget, "cover, all at once"))
            if together.settled:
                return together
        place, choice = choices[0]
        attempts = []
        for option in choice.parts:
            rest = (*parts[:place], *conjuncts(option), *parts[place + 1 :])
            attempts.append(self.by_cases(replace(state, node=Junction(True, tuple(dict.fromkeys(rest))))))
            if attempts[-1].argument is None:
                break
        return joined({"do": "or", "at": place}, attempts)

    def by_equations(self, state: State) -> Attempt:
        step = charts.equation_step(state)
        if step is None:
            found = self.by_corners(state, share(self.budget, "cover, corners"))
            if not found.settled and (product := charts.product_step(state)) is not None:
                found = joined(product[0], [self.by_corners(product[1], share(self.budget, "cover, corners"))])
            return found if found.settled or is_large(state) else self.by_charts(state)
        return joined(step[0], [self.by_cases(step[1])])

    def by_corners(self, state: State, budget: Budget) -> Attempt:
        try:
            found = direct.search(state, budget)
        except LemmascopeError:
            found = None  # some function has no slopes
        if found is None:
            return Attempt()
        boxes = found.search.boxes
        if found.search.complete:
            return Attempt(direct.described(state, found), boxes=boxes)
        point = direct.candidate(state, found)
        return Attempt(violation=None if point is None else self.confirmed(state, point), boxes=boxes)

    def by_charts(self, state: State) -> Attempt:
        boxes = 0
        for variant in VARIANTS:
            if self.budget.spent:
                break
            start, step = state, None
            if variant == "diagonal":
                found = charts.diagonal_step(state)
                if found is None:
                    continue
                step, start = found
            elif not applicable(state, variant):
                continue
            attempt = _Charting(self, variant, share(self.budget, "cover, one form")).by_variables(start)
            boxes += attempt.boxes
            attempt = attempt if step is None else joined(step, [attempt])
            if attempt.settled:
                return replace(attempt, boxes=boxes)
        return Attempt(boxes=boxes)

    def confirmed(self, state: State, point: dict[Symbol, Expr]) -> dict[Symbol, Expr] | None:
        """A point of the original variables that exactly satisfies the formula."""
        values = {v: state.inverse.get(v, v).subs(point) for v in self.variables}
        return values if holds(self.formula, values) is True else None


def opposite(parts: tuple[Node, ...]) -> tuple[int, int] | None:
    """Places of two parts that demand opposite signs of one expression.

    >>> x = Symbol("x")
    >>> opposite((Atom(x - 1, ">="), Atom(2 - x, ">="), Atom(1 - x, ">")))
    (0, 2)
    """
    placed = [(k, p) for k, p in enumerate(parts) if isinstance(p, Atom) and p.relation in (">", ">=")]
    for (k, one), (j, other) in combinations(placed, 2):
        total = one.expression + other.expression if one.expression.is_Add == other.expression.is_Add else None
        if (
            total is not None
            and total.is_Rational
            and (total < 0 or (total == 0 and ">" in (one.relation, other.relation)))
        ):
            return k, j
    return None


def is_large(state: State) -> bool:
    """Whether rewriting the formula would take longer than it is worth."""
    return sum(int(atom.expression.count_ops()) for atom in atoms(state.node)) > _LARGE


def applicable(state: State, variant: str) -> bool:
    """Whether a variant of the charts can make a difference."""
    expressions = [atom.expression for atom in atoms(state.node)]
    if variant == "logs":
        return any(e.has(log) for e in expressions)
    if variant == "roots":
        return any(e.has(sqrt(v)) for e in expressions for v in state.variables)
    if variant == "wedge":
        return any(any(b.value.free_symbols for b in side) for v in state.variables for side in charts.bounds(state, v))
    if variant == "fold":
        return len(state.variables) <= 3 and any(all(charts.bounds(state, v)) for v in state.variables)
    return True


def joined(step: dict[str, Any], parts: list[Attempt]) -> Attempt:
    """One step with the arguments for all of its parts; a violation of one part is one of the whole."""
    boxes = sum(part.boxes for part in parts)
    violation = next((part.violation for part in parts if part.violation is not None), None)
    if violation is not None or any(part.argument is None for part in parts):
        return Attempt(violation=violation, boxes=boxes)
    return Attempt(plain_data(step) | {"parts": [part.argument for part in parts]}, boxes=boxes)


def plain_data(step: dict[str, Any]) -> dict[str, Any]:
    """A step with its expressions as trees."""
    return {key: encode(value) if isinstance(value, Basic) else value for key, value in step.items()}


@dataclass
class _Charting:
    """One way of charting the variables, with splits at zeros as they are found."""

    strategy: _Strategy
    variant: str
    budget: Budget
    halves: int = 0

    def by_variables(self, state: State) -> Attempt:
        if state.node == FALSE:
            return Attempt({"do": "false"})
        following = charts.chart_step(state, self.variant)
        if following is not None:
            step, states = following
            self.halves += len(states) > 1
            if self.halves > _MOST_HALVES * 8 or self.budget.spent:
                return Attempt()
            return self._all(step, states)
        reshaped = charts.reshaping_step(state, self.variant)
        if reshaped is not None and self._allowed(*reshaped, state):
            return self._all(*reshaped)
        return self.by_cover(state, 0)

    def _allowed(self, step: charts.Step, _: list[State], state: State) -> bool:
        """t = h exp(-s) never reaches 0, which must be excluded."""
        variable = step["variable"]
        axis = state.variables.index(variable)
        points = tuple({0.0} if v == variable else set() for v in state.variables)
        return step["do"] != "log" or (axis, 0.0) in excluded_faces(state.node, state.variables, points)

    def _all(self, step: charts.Step, states: list[State], rounds: int | None = None) -> Attempt:
        attempts = []
        for following in states:
            attempts.append(self.by_variables(following) if rounds is None else self.by_cover(following, rounds))
            if attempts[-1].argument is None:
                break
        return joined(step, attempts)

    def by_cover(self, state: State, rounds: int) -> Attempt:
        if state.node == FALSE:
            return Attempt({"do": "false"})
        if not state.variables:
            return Attempt(violation=self.strategy.confirmed(state, {})) if self._true(state) else _constant(state)
        if all(high < inf for _, high in state.sides.values()):
            quickly = self.strategy.by_corners(state, share(self.budget, "cover, before a split"))
            if quickly.settled:
                return quickly
        found = cover(state.node, {v: state.sides[v] for v in state.variables}, {}, self.budget)
        if found.complete:
            return Attempt(described(found), boxes=found.boxes)
        if found.violation is not None:
            return Attempt(violation=self._point(state, found), boxes=found.boxes)
        touching = self._at_corners(state, found)
        if touching is not None:
            return Attempt(violation=touching, boxes=found.boxes)
        if rounds < 2 and not self.budget.spent:
            for variable, at in zeros_near(found, state):
                step, states = charts.split_step(state, variable, at)
                return self._all(step, states, rounds + 1)
        return Attempt(boxes=found.boxes)

    def _at_corners(self, state: State, found: Cover) -> dict[Symbol, Expr] | None:
        """Simple exact points next to stuck boxes: equality cases that a strict claim overlooks."""
        for box in found.stuck:
            sides = list(zip(box.low, box.high, strict=True))
            corners = [[Rational(*low.as_integer_ratio()) for low, _ in sides]]
            if box.bounded:
                corners += [[Rational(*high.as_integer_ratio()) for _, high in sides]]
                corners += [[simple_number(low, high) for low, high in sides]]
            for corner in corners:
                point = self.strategy.confirmed(state, dict(zip(state.variables, corner, strict=True)))
                if point is not None:
                    return point
        return None

    def _true(self, state: State) -> bool:
        return self.strategy.confirmed(state, {}) is not None

    def _point(self, state: State, found: Cover) -> dict[Symbol, Expr] | None:
        if found.violation is None:
            return None
        values = {v: Rational(*x.as_integer_ratio()) for v, x in zip(state.variables, found.violation, strict=True)}
        return self.strategy.confirmed(state, values)


def _constant(state: State) -> Attempt:
    """A formula without variables is refuted by balls of growing precision."""

    def value(node: Any) -> bool | None:
        if isinstance(node, Atom):
            found = sign(node.expression)
            return None if found is None else bool(node.wanted & {-1: 1, 0: 2, 1: 4}[found])
        parts = [value(part) for part in node.parts]
        if (not node.every) in parts:
            return not node.every
        return None if None in parts else node.every

    return Attempt({"do": "constant"}) if value(state.node) is False else Attempt()


def described(found: Cover) -> dict[str, Any]:
    """A finished cover as plain data."""
    return {
        "do": "cover",
        "variables": [encode(v) for v in found.table.variables],
        "low": list(found.root.low),
        "high": [None if high == float("inf") else high for high in found.root.high],
        "tree": found.tree,
        "reasons": found.reasons,
        "products": {
            str(product.number): [[encode(factor.expression), power] for factor, power in product.factors]
            for product in found.table.products
            if product.number in _used(found.reasons)
        },
    }


def _used(data: Any) -> set[int]:
    used: set[int] = set()
    if isinstance(data, list):
        if data[:1] == ["p"]:
            used.add(data[1])
        for part in data:
            used |= _used(part)
    return used


def zeros_near(found: Cover, state: State) -> list[tuple[Symbol, Expr]]:
    """Exact points, near where a cover got stuck, at which an open atom vanishes; inner values of single variables."""
    for box in found.stuck:
        if not box.bounded:
            continue
        guess: dict[Symbol, Expr] = {}
        for variable, low, high in zip(state.variables, box.low, box.high, strict=True):
            guess[variable] = simple_number(low, high)
        vanishing = [a for a in found.atoms if _looks_zero(a.expression.subs(guess))]
        splits = []
        for atom in vanishing:
            for axis, variable in enumerate(state.variables):
                low, high = found.root.low[axis], found.root.high[axis]
                at = guess[variable]
                if variable in atom.expression.free_symbols and low < at < high:
                    splits.append((variable, at))
        if splits:
            return splits
    return []


def simple_number(low: float, high: float) -> Expr:
    """A simple exact number in or next to an interval: a rational, a square root, a multiple of pi, a logarithm.

    >>> simple_number(0.3333333, 0.3333334), simple_number(1.41421356, 1.41421357)
    (1/3, sqrt(2))
    """
    centre = Fraction(low) / 2 + Fraction(high) / 2
    slack = max(high - low, 1e-7)
    number = float(centre)
    guesses: list[Expr] = [_simple(number), _simple(number / float(pi)) * pi]
    if number != 0:
        guesses.append(sqrt(_simple(number**2)) * (1 if number > 0 else -1))
    if abs(number) < 5:
        guesses.append(log(_simple(float(2.718281828459045**number))))
    for guess in guesses:
        if guess.is_finite and abs(float(guess) - number) <= slack:
            return guess
    return Rational(*centre.as_integer_ratio())


def _simple(number: float) -> Rational:
    near = Fraction(number).limit_denominator(24)
    return Rational(near.numerator, near.denominator)


def _looks_zero(number: Expr) -> bool:
    """A guess only: what it suggests is proved afterwards."""
    value = number.evalf(30)
    return bool(value.is_Float and abs(value) < Rational(1, 10**20)) or value == 0
