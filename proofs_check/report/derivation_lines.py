"""Lines that a derivation could contain: from the loss to the update, its equilibria and cycles, to the conclusion.

Nothing here is believed: `proofs_check.report.derivation` gives every candidate equation to the engines first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sympy import Add, And, Derivative, Eq, Expr, Ge, Subs, cancel, factor, factor_terms, together
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.orbits import Orbit
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, HasPeriod, is_plain

_MOST_COMPONENTS = 6
_MOST_RELATIONS = 8
_LONGEST_PERIOD = 2
_LONGEST = 400
"""Operations beyond which common factors are not looked for: nobody would read the line, and it can take minutes."""

_WORTH_SAYING = 0.8


@dataclass(frozen=True)
class Candidate:
    """An equation, the reason in words, and what it may need beyond the hypotheses of the statement."""

    formula: Boolean
    reason: str
    needs: tuple[Boolean, ...] = ()


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
    yield from _from_the_loss(dynamics)
    if isinstance(dynamics, Map) and dynamics.dimension == 1 and dynamics.time is None:
        with suppress(LemmascopeError):
            yield from _cycles(dynamics, _period(statement))
    if isinstance(dynamics, Flow) and dynamics.loss is not None:
        speed = Add(*(part**2 for part in dynamics.velocity))
        fall = dynamics.derivative_along(dynamics.loss)
        yield Candidate(_equation(fall, -speed), "along the flow the loss changes by minus the squared speed")
    yield from _invariants(statement, dynamics)


def _from_the_loss(dynamics: Map | Flow) -> Iterator[Candidate]:
    if dynamics.loss is None or dynamics.dimension > _MOST_COMPONENTS:
        return
    for symbol, moved in zip(dynamics.state, dynamics.right_side, strict=True):
        slope = dynamics.loss.diff(symbol)
        gradient = Derivative(dynamics.loss, symbol)
        yield Candidate(_equation(gradient, _shortest(slope)), f"the derivative of the loss in {symbol}")
        if isinstance(dynamics, Flow):
            yield Candidate(_equation(moved, -gradient), f"the flow moves {symbol} against its gradient")
        elif slope != 0:
            rate = _shortest((symbol - moved) / slope)
            reason = f"one step moves {symbol} against its gradient, {rate} times"
            yield Candidate(_equation(moved, symbol - rate * gradient), reason)


def _period(statement: Statement) -> int:
    settled = [node.period for node in statement.then.atoms(ConvergesTo)]
    settled += [int(node.args[0]) for node in statement.then.atoms(HasPeriod)]
    return max(settled, default=1)


def _cycles(step: Map, period: int) -> Iterator[Candidate]:
    (x,), (update,) = step.state, step.update
    yield Candidate(_equation(update - x, _factored(update - x)), "what one step changes, factored")
    for orbit in step.fixed_points():
        for (point,) in orbit.points or ():
            fixed = _equation(Subs(update, x, point), point)
            yield Candidate(fixed, "a fixed point of the step", orbit.conditions)
            slope = step.multiplier(orbit)
            if isinstance(slope, Expr):
                there = _equation(Subs(Derivative(update, x), x, point), slope)
                yield Candidate(there, "the multiplier of this fixed point", orbit.conditions)
    if 1 < period <= _LONGEST_PERIOD:
        yield from _longer_cycles(step, period)


def _longer_cycles(step: Map, period: int) -> Iterator[Candidate]:
    (x,), again = step.state, step.iterate(period).update[0]
    yield Candidate(_equation(again - x, _factored(again - x)), f"what {period} steps change, factored")
    for orbit in step.orbits(period):
        yield from _multiplier_on(step, orbit, again)


def _multiplier_on(step: Map, orbit: Orbit, again: Expr) -> Iterator[Candidate]:
    multiplier = step.multiplier(orbit)
    if isinstance(multiplier, Expr):
        on_it = tuple(Eq(relation, 0, evaluate=False) for relation in orbit.relations)
        slope = _equation(again.diff(step.state[0]), multiplier)
        yield Candidate(slope, f"the multiplier on the {orbit.period}-cycle", on_it)


def _invariants(statement: Statement, dynamics: Map | Flow) -> Iterator[Candidate]:
    """For `Always(...)`: a conserved quantity does not change; what bounds a region is not crossed."""
    for node in statement.conclusion.atoms(Always):
        claims = And.make_args(node.args[0])
        if all(isinstance(claim, Relational) for claim in claims):
            for claim in claims:
                if isinstance(claim, Eq):
                    yield from _conserved(claim, dynamics)
                elif isinstance(dynamics, Flow):
                    yield from _not_crossed(claim, claims, dynamics)
                else:
                    yield Candidate(_after_one_step(claim, dynamics), "one step from there stays there", claims)


def _conserved(claim: Eq, dynamics: Map | Flow) -> Iterator[Candidate]:
    if set(dynamics.state) & claim.rhs.free_symbols:
        return
    if isinstance(dynamics, Flow):
        change = dynamics.derivative_along(claim.lhs)
        yield Candidate(_equation(change, _shortest(change)), f"how {claim.lhs} changes along the flow")
    else:
        yield Candidate(_equation(_after_one_step(claim.lhs, dynamics), claim.lhs), "one step leaves it as it is")


def _not_crossed(claim: Relational, claims: Sequence[Boolean], flow: Flow) -> Iterator[Candidate]:
    outwards = claim.gts - claim.lts
    rest = tuple(other for other in claims if other != claim)
    inwards = Ge(flow.derivative_along(outwards), 0, evaluate=False)
    yield Candidate(inwards, "on this boundary the flow points inwards", (_equation(claim.gts, claim.lts), *rest))


def _after_one_step(expression: Any, step: Map) -> Any:
    return expression.subs(dict(zip(step.state, step.update, strict=True)), simultaneous=True)


def _differences(statement: Statement) -> Iterator[Candidate]:
    """For a plain conclusion: each side against the other, in the shortest form."""
    if not is_plain(statement.then) or statement.computed is not None:
        return
    parts = [part for part in And.make_args(statement.conclusion) if isinstance(part, Relational)]
    for relation in parts[:_MOST_RELATIONS]:
        difference = relation.lhs - relation.rhs
        short = _shortest(difference)
        if short.count_ops() <= _WORTH_SAYING * difference.count_ops():
            yield Candidate(_equation(difference, short), "the two sides differ by")


def _equation(left: Expr, right: Expr) -> Boolean:
    return Eq(left, right, evaluate=False)


def _factored(expression: Expr) -> Expr:
    with suppress(PolynomialError):
        return factor(together(expression))
    return expression


def _shortest(expression: Expr) -> Expr:
    forms = [expression, factor_terms(expression)]
    if expression.count_ops() <= _LONGEST:
        with suppress(PolynomialError):
            forms.append(together(cancel(expression)).factor())
    return min(forms, key=lambda form: form.count_ops())
