"""Charts: exact substitutions that turn a hypothesis set into boxes, bounded or unbounded above.

Every chart is a sequence of steps, and every step says why no point is lost: `between` and `above` rest on bounds that
the formula itself demands, `halves` on the two signs of a real number, `set` on an equation. A step may branch.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count, permutations
from math import inf

from sympy import Add, Expr, Rational, Symbol, exp, expand, factor_terms, log, sqrt

from proofs_check.engines.cover.factoring import is_zero
from proofs_check.kernel.formula_trees import Atom, Junction, Node, atoms, conjuncts, map_atoms
from proofs_check.points.exact import sign

Step = dict[str, object]
LARGEST_END = 2**40
_MOST_TO_COMPARE = 120
_MOST_TO_CLEAR = 20


@dataclass(frozen=True)
class State:
    """A formula about variables; those in `sides` are charted: they range over an interval with binary ends."""

    variables: tuple[Symbol, ...]
    node: Node
    sides: dict[Symbol, tuple[float, float]] = field(default_factory=dict)
    inverse: dict[Symbol, Expr] = field(default_factory=dict)

    @property
    def raw(self) -> tuple[Symbol, ...]:
        """Variables that no step has charted yet."""
        return tuple(v for v in self.variables if v not in self.sides)

    def fresh(self, variable: Symbol) -> Symbol:
        """A name for what replaces a variable that no other one has, or has had."""
        names = {symbol.name for symbol in (*self.variables, *self.inverse)}
        return next(Symbol(name) for k in count(1) if (name := variable.name + "'" * k) not in names)

    def substitute(self, old: Symbol, value: Expr, new: dict[Symbol, tuple[float, float]]) -> State:
        """Replace a variable by an expression in charted or raw ones."""
        variables = tuple(v for v in self.variables if v != old and v not in new) + tuple(new)
        sides = {v: side for v, side in self.sides.items() if v != old} | new
        inverse = {v: e.subs(old, value) for v, e in self.inverse.items()}
        inverse.setdefault(old, value)
        node = self.node if value == old else map_atoms(self.node, {old: value})
        return State(variables, node, sides, inverse)

    def charted(self, variable: Symbol, side: tuple[float, float]) -> State:
        """The same variable, now known to range over a side."""
        return replace(self, sides=self.sides | {variable: side})


@dataclass(frozen=True)
class Bound:
    """A demanded bound of a variable."""

    value: Expr
    strict: bool


def bounds(state: State, variable: Symbol) -> tuple[list[Bound], list[Bound]]:
    """Lower and upper bounds of a variable that the formula demands, linear in the variable."""
    below: list[Bound] = []
    above: list[Bound] = []
    for part in conjuncts(state.node):
        if not isinstance(part, Atom) or part.relation == "!=" or not part.expression.has(variable):
            continue
        split = linear(part.expression, variable)
        if split is None:
            continue
        slope, rest = split
        bound = Bound(-rest / slope, part.relation == ">")
        if part.relation == "==" or slope > 0:
            below.append(bound)
        if part.relation == "==" or slope < 0:
            above.append(bound)
    return below, above


def linear(expression: Expr, variable: Symbol) -> tuple[Rational, Expr] | None:
    """Slope and rest of an expression a x + r, with a rational number a and r free of x.

    >>> x, y = Symbol("x"), Symbol("y")
    >>> linear(2*x - y, x)
    (2, -y)
    """
    slope, rest = Rational(0), []
    for term in Add.make_args(expression):
        coefficient, tail = term.as_coeff_Mul()
        if tail == variable and coefficient.is_Rational:
            slope += coefficient
        elif term.has(variable):
            return None
        else:
            rest.append(term)
    return (slope, Add(*rest)) if slope != 0 else None


def equation_step(state: State) -> tuple[Step, State] | None:
    """Solve an equation of the formula that is linear in a variable, and substitute."""
    for part in conjuncts(state.node):
        if not isinstance(part, Atom) or part.relation != "==":
            continue
        for variable in state.raw:
            split = linear(part.expression, variable)
            if split is not None:
                value = -split[1] / split[0]
                return {"do": "set", "variable": variable, "value": value}, state.substitute(variable, value, {})
    return None


def chart_step(state: State, variant: str) -> tuple[Step, list[State]] | None:
    """Chart one more raw variable: the step and the states it leads to; None when all are charted."""
    order = sorted(state.raw, key=lambda v: (_openness(state, v, variant), str(v)))
    if not order:
        return None
    return _chart(state, order[0], variant)


def _openness(state: State, variable: Symbol, variant: str) -> int:
    """Variables whose bounds are known come first, so that bounds in terms of them can be used."""
    low, high = _chosen(state, variable, variant)
    return (low is None) + (high is None)


def _chosen(state: State, variable: Symbol, variant: str) -> tuple[Bound | None, Bound | None]:
    below, above = bounds(state, variable)
    return _best(state, below, variant, 1), _best(state, above, variant, -1)


def _best(state: State, found: list[Bound], variant: str, direction: int) -> Bound | None:
    numbers = [bound for bound in found if not bound.value.free_symbols]
    relative = [b for b in found if b.value.free_symbols and b.value.free_symbols <= set(state.sides)]
    best: Bound | None = None
    for bound in numbers:
        if best is None:
            best = bound
            continue
        order = sign(bound.value - best.value)
        if order is not None and (order == direction or (order == 0 and bound.strict)):
            best = bound
    if relative and variant != "diagonal" and (best is None or variant == "wedge"):
        return relative[0]
    return best


def _chart(state: State, variable: Symbol, variant: str) -> tuple[Step, list[State]]:
    low, high = _chosen(state, variable, variant)
    name = state.fresh(variable)
    if low is None and high is None:
        step: Step = {"do": "halves", "variable": variable, "new": name}
        return step, [state.substitute(variable, name, {name: (0.0, inf)}),
                      state.substitute(variable, -name, {name: (0.0, inf)})]  # fmt: skip
    if low is not None and high is not None:
        return _between(state, variable, name, (low.value, high.value), variant)
    if low is not None:
        if (start := binary(low.value)) is not None:
            return {"do": "keep", "variable": variable, "low": start, "high": inf}, [
                state.charted(variable, (start, inf))
            ]
        step = {"do": "above", "variable": variable, "low": low.value, "new": name}
        return step, [state.substitute(variable, low.value + name, {name: (0.0, inf)})]
    if high is None:
        raise AssertionError
    step = {"do": "below", "variable": variable, "high": high.value, "new": name}
    return step, [state.substitute(variable, high.value - name, {name: (0.0, inf)})]


def _between(
    state: State, variable: Symbol, name: Symbol, ends: tuple[Expr, Expr], variant: str
) -> tuple[Step, list[State]]:
    low, high = ends
    width = factor_terms(high - low)
    if variant == "fold":
        step: Step = {"do": "fold", "variable": variable, "low": low, "high": high, "new": name}
        return step, [
            state.substitute(variable, low + width * name / 2, {name: (0.0, 1.0)}),
            state.substitute(variable, high - width * name / 2, {name: (0.0, 1.0)}),
        ]
    start, stop = binary(low), binary(high)
    if start is not None and stop is not None and start <= stop:
        return {"do": "keep", "variable": variable, "low": start, "high": stop}, [
            state.charted(variable, (start, stop))
        ]
    step = {"do": "between", "variable": variable, "low": low, "high": high, "new": name}
    return step, [state.substitute(variable, low + width * name, {name: (0.0, 1.0)})]


def binary(value: Expr) -> float | None:
    """A rational number as the float that is equal to it, if there is one of moderate size."""
    if not isinstance(value, Rational) or abs(value) > LARGEST_END or value.q > LARGEST_END:
        return None
    number = int(value.p) / int(value.q)
    return number if Rational(*number.as_integer_ratio()) == value else None


def reshaping_step(state: State, variant: str) -> tuple[Step, list[State]] | None:
    """An exact substitution of a charted variable t >= 0 that removes a singular end: t = s^2 or t = h exp(-s)."""
    used = [atom.expression for atom in atoms(state.node)]
    for variable, (low, high) in state.sides.items():
        name = state.fresh(variable)
        if low == 0 and variant == "roots" and any(e.has(sqrt(variable)) for e in used):
            top = high if high == inf else _square_root(high)
            if top is not None:
                step: Step = {"do": "square", "variable": variable, "new": name, "high": top}
                return step, [_rooted(state.substitute(variable, name**2, {name: (0.0, top)}), name)]
        if low == 0 and variant == "logs" and any(e.has(log) and e.has(variable) for e in used):
            step = {"do": "log", "variable": variable, "new": name}
            top_value = _exact(1.0 if high == inf else high)
            signs = (-1, 1) if high == inf else (-1,)
            return step, [_in_logs(state, variable, name, top_value, direction) for direction in signs]
    return None


def _rooted(state: State, name: Symbol) -> State:
    return replace(state, node=map_atoms(state.node, {sqrt(name**2): name}))


def _in_logs(state: State, variable: Symbol, name: Symbol, top: Expr, direction: int) -> State:
    value = top * exp(direction * name)
    changed = state.substitute(variable, value, {name: (0.0, inf)})
    return replace(changed, node=map_atoms(changed.node, {log(value): log(top) + direction * name}))


def _square_root(high: float) -> float | None:
    root = high**0.5
    return root if root * root == high and root.is_integer() else None


def split_step(state: State, variable: Symbol, at: Expr) -> tuple[Step, list[State]]:
    """Measure a charted variable from an exact inner point, upwards and downwards."""
    low, high = state.sides[variable]
    name = state.fresh(variable)
    step: Step = {"do": "split", "variable": variable, "at": at, "new": name}
    down = state.substitute(variable, at - (at - _exact(low)) * name, {name: (0.0, 1.0)})
    if high == inf:
        return step, [state.substitute(variable, at + name, {name: (0.0, inf)}), down]
    return step, [state.substitute(variable, at + (_exact(high) - at) * name, {name: (0.0, 1.0)}), down]


def diagonal_step(state: State) -> tuple[Step, State] | None:
    """Where the formula touches zero on x = y, use the difference d of the two as a variable."""
    for first in state.raw:
        for second in state.raw:
            if first != second and any(
                {first, second} <= atom.expression.free_symbols
                and linear(atom.expression, first) is None
                and atom.expression.count_ops() < _MOST_TO_COMPARE
                and is_zero(atom.expression.subs(first, second))
                for atom in atoms(state.node)
            ):
                name = state.fresh(first)
                step: Step = {"do": "diagonal", "variable": first, "other": second, "new": name}
                changed = state.substitute(first, second + name, {})
                return step, replace(changed, variables=(*changed.variables, name))
    return None


def product_step(state: State) -> tuple[Step, State] | None:
    """Where a product x y of positive variables has numerical bounds, use it as a variable in place of y."""
    found = [part for part in conjuncts(state.node) if isinstance(part, Atom)]
    positive = [v for v in state.raw if Atom(v, ">") in found]
    for other, variable in permutations(positive, 2):
        product = other * variable
        if any(part.expression.coeff(product).is_Rational and part.expression.coeff(product) != 0 for part in found):
            name = state.fresh(variable)
            step: Step = {"do": "product", "variable": variable, "other": other, "new": name}
            parts = [Atom(_cleared(p.expression.subs(variable, name / other), other), p.relation) for p in found]
            if len(found) < len(conjuncts(state.node)):
                return None
            variables = (*(v for v in state.variables if v != variable), name)
            inverse = {v: e.subs(variable, name / other) for v, e in state.inverse.items()} | {variable: name / other}
            return step, State(variables, Junction(True, tuple(parts)), state.sides, inverse)
    return None


def _cleared(expression: Expr, positive: Symbol) -> Expr:
    """A small polynomial in a positive symbol and its reciprocal, without the reciprocal."""
    if expression.count_ops() > _MOST_TO_CLEAR or not expression.is_rational_function():
        return expression
    expanded = expand(expression)
    lowest = min((_degree(term, positive) for term in Add.make_args(expanded)), default=0)
    return expand(expanded * positive**-lowest) if lowest < 0 else expression


def _degree(term: Expr, symbol: Symbol) -> int:
    """The exponent of a symbol in a product of powers."""
    _, exponent = term.as_coeff_exponent(symbol)
    return int(exponent) if exponent.is_Integer else 0


def _exact(value: float) -> Expr:
    return Rational(*value.as_integer_ratio())
