"""Lines that a derivation could contain: from the loss to the update, its equilibria and cycles, to the conclusion.

Nothing here is believed: `proofs_check.report.derivation` gives every candidate equation to the engines first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sympy import (
    Add,
    Basic,
    Derivative,
    Eq,
    Expr,
    Ge,
    MatrixSymbol,
    Subs,
    Symbol,
    cancel,
    factor,
    factor_terms,
    together,
)
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.orbits import Orbit
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, HasPeriod, is_plain

_MOST_COMPONENTS = 6
_MOST_RELATIONS = 8
_LONGEST_PERIOD = 2
_LONGEST = 400
"""Operations beyond which common factors are not looked for: nobody would read the line, and it can take minutes."""

_WORTH_SAYING = 0.8

FALL, KEPT, CONSTANT, DIFFERENCE = "the loss falls", "the region is kept", "it is constant", "the sides differ"
"""What lines say, by which others use them."""


def _move(symbol: Basic) -> str:
    return f"move of {symbol}"


def moves(dynamics: Map | Flow) -> tuple[str, ...]:
    """The names under which lines say how the state moves."""
    return tuple(_move(symbol) for symbol in dynamics.state)


def fixed_point(point: Basic) -> str:
    """The name under which a line says that a point is fixed."""
    return f"fixed point {point}"


def multiplier_of(point: Basic) -> str:
    """The name under which a line gives the multiplier of a fixed point."""
    return f"multiplier of {point}"


def cycle_of(period: int) -> str:
    """The name under which a line gives the multiplier of a cycle."""
    return f"cycle of period {period}"


def needed(statement: Statement, certificate: Mapping[str, Any] | None, *, has_argument: bool) -> frozenset[str]:
    """What the conclusion uses of the lines: how the state moves, and what its claim or its certificate speaks of.

    Where an argument is written from the certificate, it has the steps of the invariant and the difference of the
    sides itself; where there is none, these lines are how far the derivation goes.
    """
    names = set() if statement.dynamics is None else set(moves(statement.dynamics))
    limits = statement.conclusion.atoms(ConvergesTo)
    for limit in limits:
        names |= {fixed_point(point[0]) for point in limit.points if limit.period == 1 and len(point) == 1}
        names |= {cycle_of(limit.period)} if limit.period > 1 else set()
    names |= {cycle_of(int(node.args[0])) for node in statement.conclusion.atoms(HasPeriod)}
    said = set(rules_in(certificate))
    if said & _BY_MULTIPLIERS:
        names |= {multiplier_of(point[0]) for limit in limits for point in limit.points}
    if said & _BY_ENERGY:
        names.add(FALL)
    kept = statement.conclusion.atoms(Always)
    if any(isinstance(claim, Eq) for node in kept for claim in clauses(node.args[0])):
        names.add(CONSTANT)
    return frozenset(names if has_argument else names | {KEPT, DIFFERENCE})


_BY_MULTIPLIERS = frozenset({"unimodal", "repelling"})
_BY_ENERGY = frozenset({"lasalle", "descent-flow"})


def rules_in(certificate: Any) -> Iterator[str]:
    """The names of the rules in a certificate, at every depth."""
    if isinstance(certificate, Mapping):
        yield from (str(certificate[key]) for key in ("rule", "refutation") if key in certificate)
        for value in certificate.values():
            yield from rules_in(value)
    elif isinstance(certificate, (list, tuple)):
        for value in certificate:
            yield from rules_in(value)


@dataclass(frozen=True)
class Candidate:
    """An equation, the reason in words, and what it may need beyond the hypotheses of the statement.

    `gives` names what the line says, `uses` what earlier lines must have said.
    """

    formula: Boolean
    reason: str
    needs: tuple[Boolean, ...] = ()
    gives: str = ""
    uses: tuple[str, ...] = ()


def candidates(statement: Statement) -> Iterator[Candidate]:
    """The lines between the loss and the conclusion, in the order in which they are read; each only once."""
    seen: set[tuple[Boolean, tuple[Boolean, ...]]] = set()
    for line in _all(statement):
        decided = not isinstance(line.formula, Relational)
        says_something = not decided and not (isinstance(line.formula, Eq) and line.formula.lhs == line.formula.rhs)
        if says_something and (line.formula, line.needs) not in seen:
            seen.add((line.formula, line.needs))
            yield line


def _all(statement: Statement) -> Iterator[Candidate]:
    dynamics = statement.dynamics
    if dynamics is None:
        yield from _differences(statement)
        return
    if not all(isinstance(symbol, Symbol) for symbol in dynamics.state):
        return  # the argument about matrices has its own derivative
    yield from from_the_loss(dynamics)
    if isinstance(dynamics, Map) and dynamics.dimension == 1 and dynamics.time is None:
        with suppress(LemmascopeError):
            yield from _cycles(dynamics, _period(statement))
    if isinstance(dynamics, Flow) and dynamics.loss is not None:
        speed = Add(*(part**2 for part in dynamics.velocity))
        fall = dynamics.derivative_along(dynamics.loss)
        text = "along the flow the loss changes by minus the squared speed"
        yield Candidate(_equation(fall, -speed), text, gives=FALL, uses=moves(dynamics))
    yield from _invariants(statement, dynamics)


def from_the_loss(dynamics: Map | Flow) -> Iterator[Candidate]:
    """The derivatives of the loss, and that the dynamics follow them."""
    if dynamics.loss is None or dynamics.dimension > _MOST_COMPONENTS:
        return
    for symbol, moved in zip(dynamics.state, dynamics.right_side, strict=True):
        slope = dynamics.loss.diff(symbol)
        gradient = Derivative(dynamics.loss, symbol)
        slopes = f"slope of {symbol}"
        yield Candidate(_equation(gradient, _shortest(slope)), f"the derivative of the loss in {symbol}", gives=slopes)
        if isinstance(dynamics, Flow):
            reason = f"the flow moves {symbol} against its gradient"
            yield Candidate(_equation(moved, -gradient), reason, gives=_move(symbol), uses=(slopes,))
        elif slope != 0:
            rate = _shortest((symbol - moved) / slope)
            reason = f"one step moves {symbol} against its gradient, {rate} times"
            equation = _equation(moved, symbol - rate * gradient)
            yield Candidate(equation, reason, gives=_move(symbol), uses=(slopes,))


def _period(statement: Statement) -> int:
    settled = [node.period for node in statement.then.atoms(ConvergesTo)]
    settled += [int(node.args[0]) for node in statement.then.atoms(HasPeriod)]
    return max(settled, default=1)


def _cycles(step: Map, period: int) -> Iterator[Candidate]:
    (x,), (update,) = step.state, step.update
    change = "what one step changes"
    yield Candidate(_equation(update - x, factored(update - x)), f"{change}, factored", gives=change, uses=moves(step))
    for orbit in step.fixed_points():
        for (point,) in orbit.points or ():
            fixed = _equation(Subs(update, x, point), point)
            here = fixed_point(point)
            yield Candidate(fixed, "a fixed point of the step", orbit.conditions, here, (change,))
            slope = step.multiplier(orbit)
            if isinstance(slope, Expr):
                there = _equation(Subs(Derivative(update, x), x, point), slope)
                reason = "the multiplier of this fixed point"
                yield Candidate(there, reason, orbit.conditions, multiplier_of(point), (here,))
    if 1 < period <= _LONGEST_PERIOD:
        yield from _longer_cycles(step, period)


def _longer_cycles(step: Map, period: int) -> Iterator[Candidate]:
    (x,), again = step.state, step.iterate(period).update[0]
    change = f"what {period} steps change"
    equation = _equation(again - x, factored(again - x))
    yield Candidate(equation, f"{change}, factored", gives=change, uses=moves(step))
    for orbit in step.orbits(period):
        yield from _multiplier_on(step, orbit, again, change)


def _multiplier_on(step: Map, orbit: Orbit, again: Expr, change: str) -> Iterator[Candidate]:
    multiplier = step.multiplier(orbit)
    if isinstance(multiplier, Expr):
        on_it = tuple(Eq(relation, 0, evaluate=False) for relation in orbit.relations)
        slope = _equation(again.diff(step.state[0]), multiplier)
        reason = f"the multiplier on the {orbit.period}-cycle"
        yield Candidate(slope, reason, on_it, cycle_of(orbit.period), (change,))


def _invariants(statement: Statement, dynamics: Map | Flow) -> Iterator[Candidate]:
    """For `Always(...)`: a conserved quantity does not change; what bounds a region is not crossed."""
    for node in statement.conclusion.atoms(Always):
        claims = clauses(node.args[0])
        if all(isinstance(claim, Relational) for claim in claims):
            for claim in claims:
                if isinstance(claim, Eq):
                    yield from _conserved(claim, dynamics)
                elif isinstance(dynamics, Flow):
                    yield from _not_crossed(claim, claims, dynamics)
                else:
                    after = _after_one_step(claim, dynamics)
                    yield Candidate(after, "one step from there stays there", claims, KEPT, moves(dynamics))


def _conserved(claim: Eq, dynamics: Map | Flow) -> Iterator[Candidate]:
    if set(dynamics.state) & claim.rhs.free_symbols:
        return
    if isinstance(dynamics, Flow):
        parts = zip(dynamics.state, dynamics.velocity, strict=True)
        change = Add(*(Derivative(claim.lhs, symbol) * speed for symbol, speed in parts))
        reason = "how it changes along the flow, by the chain rule"
        equation = _equation(change, _shortest(dynamics.derivative_along(claim.lhs)))
    else:
        reason, equation = "one step leaves it as it is", _equation(_after_one_step(claim.lhs, dynamics), claim.lhs)
    yield Candidate(equation, reason, gives=CONSTANT, uses=moves(dynamics))


def _not_crossed(claim: Relational, claims: Sequence[Boolean], flow: Flow) -> Iterator[Candidate]:
    outwards = claim.gts - claim.lts
    rest = tuple(other for other in claims if other != claim)
    inwards = Ge(flow.derivative_along(outwards), 0, evaluate=False)
    here = (_equation(claim.gts, claim.lts), *rest)
    yield Candidate(inwards, "on this boundary the flow points inwards", here, KEPT, moves(flow))


def _after_one_step(expression: Any, step: Map) -> Any:
    return expression.subs(dict(zip(step.state, step.update, strict=True)), simultaneous=True)


def _differences(statement: Statement) -> Iterator[Candidate]:
    """For a plain conclusion: each side against the other, in the shortest form."""
    if not is_plain(statement.then) or statement.computed is not None:
        return
    parts = [part for part in clauses(statement.conclusion) if isinstance(part, Relational)]
    if any(part.has(MatrixSymbol) for part in parts):
        return  # SymPy's algebra of numbers does not know vectors and matrices; their certificates have the lines
    for relation in parts[:_MOST_RELATIONS]:
        difference = relation.lhs - relation.rhs
        short = _shortest(difference)
        if short.count_ops() <= _WORTH_SAYING * difference.count_ops():
            yield Candidate(_equation(difference, short), "the two sides differ by", gives=DIFFERENCE)


def _equation(left: Expr, right: Expr) -> Boolean:
    return Eq(left, right, evaluate=False)


def factored(expression: Expr) -> Expr:
    """An expression over a common denominator, factored where it is rational."""
    with suppress(PolynomialError):
        return factor(together(expression))
    return expression


def _shortest(expression: Expr) -> Expr:
    forms = [expression, factor_terms(expression)]
    if expression.count_ops() <= _LONGEST:
        with suppress(PolynomialError):
            forms.append(together(cancel(expression)).factor())
    return min(forms, key=lambda form: form.count_ops())
