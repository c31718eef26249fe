"""The design card of a Map or Flow: equilibria, multipliers, where they attract, what happens at the borders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from sympy import Derivative, Eq, Expr, Interval, Lt, S, Subs, Symbol, cancel, false, oo

from proofs_check.report.arguments.passages import Passage
from proofs_check.report.confirmed_lines import Setting, confirmed
from proofs_check.report.derivation_lines import Candidate, factored, from_the_loss, moves
from proofs_check.report.derivation_page import Line, Page, in_use
from proofs_check.report.write_derivation import Written
from theory.bifurcations import Bifurcation
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.notation import latex, words
from theory.orbits import Orbit
from theory.stability import StabilityRegion
from theory.statements import Statement

_NEUTRAL = {"flip": -1}
_BY_SLOPES = {
    "flip": "the flip coefficient, which is positive where the flip is supercritical",
    "pitchfork": "the pitchfork coefficient, which is negative where the pitchfork is supercritical",
}


@dataclass(frozen=True)
class DesignCard(Written):
    """The lines about the equilibria of dynamics, each confirmed by an engine, and what exact algebra makes of them."""

    dynamics: Map | Flow
    lines: tuple[Line, ...]
    summary: tuple[Passage, ...]
    left_out: int
    needs: frozenset[str]

    def page(self) -> Page:
        """What is written."""
        count = self.left_out
        remarks = [
            f"{count} further line{' was' if count == 1 else 's were'} left out because no engine confirmed them."
        ]
        remarks = remarks if count else []
        closing = "regions and types are computed by exact algebra; the numbered lines were proved by an engine."
        kind = "Map" if isinstance(self.dynamics, Map) else "Flow"
        return Page(
            kind, "", self.dynamics.latex(), self.lines, self.summary, closing, tuple(remarks), (), "Derivation"
        )


def design_card(dynamics: Map | Flow, effort: str = "standard") -> DesignCard:
    """Equilibria, 2-cycles, multipliers, regions and borders of dynamics, as one derivation.

    >>> from sympy import symbols
    >>> from theory import gradient_descent
    >>> x, eta = symbols("x eta")
    >>> card = design_card(gradient_descent(x**2 / 2, x, eta), "quick")
    >>> [line.reason for line in card.lines][4:6]
    ['the multiplier of this fixed point', 'it attracts: the multiplier is smaller than 1 in size']
    """
    orbits = list(_orbits(dynamics))
    regions = [region for orbit in orbits for region in _region(dynamics, orbit)]
    offered = _once([*from_the_loss(dynamics), *_equilibria(dynamics, regions)])
    ends = frozenset(candidate.gives for candidate in offered if candidate.gives.startswith(_END))
    checked = [confirmed(candidate, Setting(), effort) for candidate in in_use(offered, ends)]
    lines = in_use([line for line in checked if line is not None], ends)
    summary = tuple(_summary(region) for region in regions)
    return DesignCard(dynamics, tuple(lines), summary, checked.count(None), ends)


_END = "end: "


def _once(lines: list[Candidate]) -> list[Candidate]:
    """Lines without repetitions: one that is said of several points comes after them, and uses what each used."""
    said: dict[tuple[object, ...], Candidate] = {}
    for line in lines:
        key = (line.formula, line.needs)
        earlier = said.pop(key, None)
        said[key] = line if earlier is None else replace(line, uses=tuple(dict.fromkeys((*earlier.uses, *line.uses))))
    return list(said.values())


def of_statement(statement: Statement, effort: str = "standard") -> DesignCard:
    """The design card of the dynamics of a statement, whose parameters are positive where their domains say so."""
    if statement.dynamics is None:
        raise LemmascopeError(
            f"{statement.id or 'the statement'} has no dynamics: only a Map or a Flow has a design card"
        )
    positive = Interval.open(0, oo)
    names = {
        symbol: Symbol(symbol.name, positive=True)
        for symbol in statement.dynamics.parameters
        if statement.variables.get(symbol, S.Reals).subs(statement.stated).is_subset(positive)
    }
    return design_card(statement.dynamics.rename(names), effort)


def _orbits(dynamics: Map | Flow) -> Iterator[Orbit]:
    yield from dynamics.fixed_points()
    if isinstance(dynamics, Map) and dynamics.dimension == 1:
        with suppress(LemmascopeError, NotImplementedError):
            yield from dynamics.orbits(2)


def _region(dynamics: Map | Flow, orbit: Orbit) -> Iterator[StabilityRegion]:
    """Where an orbit attracts: a set of the only parameter that its conditions have, else the conditions."""
    with suppress(LemmascopeError, NotImplementedError):
        found = dynamics.stability_region(orbit)
        if found.region is None and found.attracts is None:
            single = set().union(*(part.free_symbols for part in found.conditions))
            if len(single) == 1 and single <= set(dynamics.parameters):
                found = dynamics.stability_region(orbit, single.pop())
        yield found


def _never(region: StabilityRegion) -> bool:
    return region.region is S.EmptySet or false in region.conditions


def _equilibria(dynamics: Map | Flow, regions: list[StabilityRegion]) -> Iterator[Candidate]:
    if dynamics.dimension != 1:
        yield from _at_rest(dynamics, regions)
        return
    (x,), (rule,) = dynamics.state, dynamics.right_side
    change = rule - x if isinstance(dynamics, Map) else rule
    reason = "what one step changes, factored" if isinstance(dynamics, Map) else "the velocity, factored"
    yield Candidate(Eq(change, factored(change), evaluate=False), reason, gives="change", uses=moves(dynamics))
    for region in regions:
        if region.orbit.period == 1:
            yield from _of_a_point(dynamics, region)
    if isinstance(dynamics, Map) and any(region.orbit.period == 2 for region in regions):
        again = dynamics.two_step().update[0]
        quotient = factored(cancel((again - x) / change))
        reason = "what two steps change is divisible by what one step changes"
        divided = Eq(again - x, change * quotient, evaluate=False)
        yield Candidate(divided, reason, gives="two steps", uses=("change",))
        for region in regions:
            if region.orbit.period == 2:
                yield from _of_a_cycle(dynamics, region, again)


def _at_rest(dynamics: Map | Flow, regions: list[StabilityRegion]) -> Iterator[Candidate]:
    """In several dimensions: that the points are at rest, component by component."""
    for region in regions:
        for point in region.orbit.points or ():
            there = dict(zip(dynamics.state, point, strict=True))
            for symbol, rule in zip(dynamics.state, dynamics.right_side, strict=True):
                target = there[symbol] if isinstance(dynamics, Map) else 0
                equation = Eq(Subs(rule, tuple(there), tuple(there.values())), target, evaluate=False)
                name = f"{_END}{point} {symbol}"
                yield Candidate(
                    equation, f"at this point {symbol} rests", region.orbit.conditions, name, moves(dynamics)
                )


def _of_a_point(dynamics: Map | Flow, region: StabilityRegion) -> Iterator[Candidate]:
    (x,), (rule,), orbit = dynamics.state, dynamics.right_side, region.orbit
    is_map = isinstance(dynamics, Map)
    for (point,) in orbit.points or ():
        here, slopes = f"point {point}", f"slope at {point}"
        rest = Eq(Subs(rule, x, point), point if is_map else 0, evaluate=False)
        yield Candidate(
            rest, "a fixed point of the step" if is_map else "a point of rest", orbit.conditions, here, ("change",)
        )
        slope = cancel(rule.diff(x).subs(x, point))
        equation = Eq(Subs(Derivative(rule, x), x, point), slope, evaluate=False)
        named = "the multiplier of this fixed point" if is_map else "the slope of the velocity there"
        yield Candidate(equation, named, orbit.conditions, slopes, (here,))
        yield from _attracts(dynamics, region, slope, slopes)
        for border in region.bifurcations:
            yield from _border(dynamics, border, point, slope, slopes)


def _of_a_cycle(dynamics: Map, region: StabilityRegion, again: Expr) -> Iterator[Candidate]:
    orbit, slope = region.orbit, dynamics.multiplier(region.orbit)
    if not isinstance(slope, Expr):
        return
    name = f"multiplier on {orbit.relations}"
    on_it = tuple(Eq(relation, 0, evaluate=False) for relation in orbit.relations)
    equation = Eq(again.diff(dynamics.state[0]), slope, evaluate=False)
    yield Candidate(equation, "the multiplier on the 2-cycle", on_it, name, ("two steps",))
    yield from _attracts(dynamics, region, slope, name)


def _attracts(dynamics: Map | Flow, region: StabilityRegion, slope: Expr, slopes: str) -> Iterator[Candidate]:
    """Under the conditions of linear stability the multiplier is smaller than 1, or the slope negative."""
    if _never(region):
        return
    if dynamics.state[0] in slope.free_symbols or any(part.has(dynamics.state[0]) for part in region.conditions):
        return
    is_map = isinstance(dynamics, Map)
    reason = "it attracts: the multiplier is smaller than 1 in size" if is_map else "it attracts: the slope is negative"
    claim = Lt(slope**2, 1, evaluate=False) if is_map else Lt(slope, 0, evaluate=False)
    yield Candidate(claim, reason, tuple(region.conditions), f"{_END}{slopes} {region.orbit.points}", (slopes,))


def _border(dynamics: Map | Flow, border: Bifurcation, point: Expr, slope: Expr, slopes: str) -> Iterator[Candidate]:
    (x,), (rule,) = dynamics.state, dynamics.right_side
    name = f"{border.kind} of {point} at {border.value}"
    neutral = _NEUTRAL.get(border.kind, 1) if isinstance(dynamics, Map) else 0
    there = Eq(Subs(slope, border.parameter, border.value), neutral, evaluate=False)
    reason = f"at this border the {'multiplier' if isinstance(dynamics, Map) else 'slope'} is {neutral}"
    yield Candidate(there, reason, (), f"{_END}{name}", (slopes,))
    if border.coefficient is not None and border.kind in _BY_SLOPES and border.criticality != "degenerate":
        third = Derivative(rule, (x, 3)) / 6
        form = third + (Derivative(rule, (x, 2)) / 2) ** 2 if border.kind == "flip" else third
        at = (x, border.parameter), (point.subs(border.parameter, border.value), border.value)
        equation = Eq(Subs(form, *at), border.coefficient, evaluate=False)
        yield Candidate(equation, _BY_SLOPES[border.kind], (), f"{_END}{name} form", (f"{_END}{name}",))


def _summary(region: StabilityRegion) -> Passage:
    """Where an orbit attracts, and what happens at the borders, in one passage."""
    orbit = region.orbit._repr_latex_().strip("$").removeprefix(r"\displaystyle ")
    if region.orbit.points is not None and len(region.orbit.state) == 1 and region.orbit.period == 1:
        orbit = f"{latex(region.orbit.state[0])} = {orbit}"
    if region.region is not None:
        where = rf"{latex(region.parameter)} \in {latex(region.region)}"
    else:
        where = r" \;\wedge\; ".join(map(latex, region.conditions)) or words("always")
    borders = tuple(
        Passage(f"At a border: {f'{border.criticality} ' if border.criticality else ''}{border.kind}.",
                rf"{latex(border.parameter)} = {latex(border.value)}")
        for border in region.bifurcations
    )  # fmt: skip
    kind = "fixed point" if region.orbit.period == 1 else f"{region.orbit.period}-cycle"
    if _never(region):
        return Passage(f"This {kind} never attracts:", orbit)
    if region.attracts is not None:
        return Passage(f"This {kind} {'attracts' if region.attracts else 'does not attract'}:", orbit)
    return Passage(f"This {kind} attracts where the condition holds:", rf"{orbit}: \qquad {where}", borders)
