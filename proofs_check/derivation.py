"""From the loss to the conclusion: a chain of equations, each checked by an engine before it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from sympy import Add, Derivative, Eq, Expr, S, cancel, factor_terms, latex, together
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import PolynomialError

from proofs_check.ledger import default_folder
from proofs_check.referee import verify
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.library import premised, proof
from theory.statements import Statement
from theory.temporal import ConvergesTo, HasPeriod, is_plain

_MOST_COMPONENTS = 6
_LONGEST = 4000


@dataclass(frozen=True)
class Line:
    """One checked line: what it says, why, and the verdict that allows it to stand here."""

    formula: Boolean
    reason: str
    verdict: Verdict

    def latex(self) -> str:
        """The formula in LaTeX."""
        return latex(self.formula)


@dataclass(frozen=True)
class Derivation:
    """The checked lines that lead to a statement, and how many candidates were left out unchecked."""

    statement: Statement
    lines: tuple[Line, ...]
    conclusion: Verdict
    left_out: int


def derive(id_: str, effort: str = "standard") -> Derivation:
    """The derivation of a library statement; a line that no engine confirms is left out and counted."""
    statement = premised(id_)
    lines, left_out = checked_lines(statement, effort)
    for entry in proof(id_):
        step = premised(entry.id)
        verdict = verify(step, effort=effort, folder=default_folder())
        if verdict.outcome is Outcome.PROVED:
            lines.append(Line(step.then, f"step {entry.id.partition('#')[2]}: {entry.title}", verdict))
        else:
            left_out += 1
    return Derivation(statement, tuple(lines), verify(statement, effort=effort, folder=default_folder()), left_out)


def checked_lines(statement: Statement, effort: str) -> tuple[list[Line], int]:
    """The lines from the loss to the conclusion that an engine confirms, and how many candidates none confirms."""
    lines: list[Line] = []
    left_out = 0
    for formula, reason, extra in _candidates(statement):
        verdict = _check(formula, statement, extra, effort)
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            lines.append(Line(formula, reason, verdict))
        else:
            left_out += 1
    return lines, left_out


def _check(formula: Boolean, statement: Statement, extra: tuple[Boolean, ...], effort: str) -> Verdict | None:
    symbols = formula.free_symbols | set().union(*(part.free_symbols for part in extra))
    domains = {symbol: statement.variables.get(symbol, S.Reals) for symbol in symbols}
    known = tuple(part for part in statement.given if is_plain(part) and part.free_symbols <= set(domains))
    if len(latex(formula)) > _LONGEST:
        return None
    try:
        goal = Statement(variables=domains, given=(*known, *extra), then=formula)
        return verify(goal, effort=effort, folder=default_folder())
    except LemmascopeError:
        return None


Candidate = tuple[Boolean, str, tuple[Boolean, ...]]


def _candidates(statement: Statement) -> Iterator[Candidate]:
    dynamics = statement.dynamics
    if dynamics is not None:
        yield from _from_the_loss(dynamics)
        if isinstance(dynamics, Map) and dynamics.dimension == 1:
            yield from _cycles(dynamics, _period(statement))
        if isinstance(dynamics, Flow) and dynamics.loss is not None:
            speed = Add(*(part**2 for part in dynamics.velocity))
            yield _equation(dynamics.derivative_along(dynamics.loss), -speed), "the loss decreases along the flow", ()
    for relation in sorted(statement.then.atoms(Relational), key=str):
        if is_plain(statement.then):
            difference = relation.lhs - relation.rhs
            yield _equation(difference, _shortest(difference)), "the two sides differ by", ()


def _from_the_loss(dynamics: Map | Flow) -> Iterator[Candidate]:
    if dynamics.loss is None or dynamics.dimension > _MOST_COMPONENTS:
        return
    for symbol, moved in zip(dynamics.state, dynamics.right_side, strict=True):
        slope = dynamics.loss.diff(symbol)
        gradient = Derivative(dynamics.loss, symbol)
        yield _equation(gradient, _shortest(slope)), f"the derivative of the loss in {symbol}", ()
        if isinstance(dynamics, Flow):
            yield _equation(moved, -gradient), f"the flow moves {symbol} against its gradient", ()
        elif slope != 0:
            rate = _shortest((symbol - moved) / slope)
            yield _equation(moved, symbol - rate * gradient), f"one step moves {symbol} by the learning rate", ()


def _period(statement: Statement) -> int:
    settled = [node.period for node in statement.then.atoms(ConvergesTo)]
    settled += [int(node.args[0]) for node in statement.then.atoms(HasPeriod)]
    return max(settled, default=1)


def _cycles(step: Map, period: int) -> Iterator[Candidate]:
    (x,), (update,) = step.state, step.update
    for orbit in step.fixed_points():
        for (point,) in orbit.points or ():
            yield _equation(update.subs(x, point), point), "a fixed point of the update", orbit.conditions
    if period == 1:
        return
    again = step.iterate(period).update[0]
    yield _equation(again - x, _shortest(again - x)), f"what {period} steps change, factored", ()
    for orbit in step.orbits(period):
        multiplier = step.multiplier(orbit)
        if isinstance(multiplier, Expr):
            vanishing = tuple(Eq(relation, 0) for relation in orbit.relations)
            yield _equation(again.diff(x), multiplier), f"the multiplier on the {period}-cycle", vanishing


def _equation(left: Expr, right: Expr) -> Boolean:
    return Eq(left, right, evaluate=False)


def _shortest(expression: Expr) -> Expr:
    forms = [expression, factor_terms(expression)]
    with suppress(PolynomialError):
        forms.append(together(cancel(expression)).factor())
    return min(forms, key=lambda form: form.count_ops())
