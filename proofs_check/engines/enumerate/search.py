"""Decides statements case by case: an exact procedure yields their values, or their domains have few members.

"Proved" can be believed because every case of the claim was counted in integers and rationals: the variables that
the procedure takes as arguments run through their whole finite domains, and what is left of the formula is decided
exactly or handed to the provers. A claim about more sizes than were counted is "sampled", and its coverage says which.
Measurements of numerical experiments are "sampled" or "open"; floating point never refutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice, pairwise, product
from typing import Any

from sympy import Integer, Rational, Set, Symbol, nan, sympify
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.enumerate import NAME
from proofs_check.experiments import run
from proofs_check.goals import Goal
from proofs_check.points.exact import holds
from proofs_check.verdict import Evidence, Outcome
from theory.enumerators import RESERVED, enumerate_exactly
from theory.errors import LemmascopeError
from theory.language.definedness import undefined
from theory.statements import Computation, Statement
from theory.temporal import is_plain, substitute
from theory.trees import encode

VERSION = 2
LONGER = 3.0
"""How much longer than others it may take before it is interrupted: half of a count or a measurement says nothing."""

_MOST_CASES = 400

Point = dict[Symbol, Any]


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Run the procedure that the statement names, if any, and decide its formula with the values it yields."""
    if not is_plain(statement.conclusion):
        return None
    if statement.computed is None:
        verdict = _count(statement, budget) if _has_few_cases(statement) else None
        return verdict if verdict is not None and verdict.decided else None
    return _count(statement, budget) if statement.computed.exact else _measure(statement)


def _has_few_cases(statement: Statement) -> bool:
    """Whether every variable has few values, all of them fractions, and nothing else decides."""
    domains = statement.variables.values()
    if statement.dynamics is not None or not domains or not all(domain.is_finite_set for domain in domains):
        return False
    members = [list(islice(domain, _MOST_CASES + 1)) for domain in domains]
    fractions = all(value.is_Rational for values in members for value in values)
    return fractions and math.prod(map(len, members)) <= _MOST_CASES


@dataclass
class _Progress:
    rows: list[dict[str, Any]] = field(default_factory=list)
    cases: int = 0
    complete: bool = True
    coverage: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    done: list[Point] = field(default_factory=list)

    def take(self, point: Point, found: Mapping[str, Any]) -> None:
        self.done.append(point)
        self.cases += int(found.get("cases", 1))
        self.complete = self.complete and bool(found.get("complete", True))
        for text in (found["coverage"],) if "coverage" in found else ():
            if text not in self.coverage:
                self.coverage.append(text)
        self.notes += [text for text in found.get("notes", ()) if text not in self.notes]


def _count(statement: Statement, budget: Budget) -> Evidence:
    grid = _grid(statement)
    progress = _Progress()
    for point in _points(statement, grid):
        if progress.done and budget.spent:
            progress.complete = False
            break
        found = _found(statement.computed, point)
        if "missing" in found:
            return Evidence(Outcome.OPEN, engine=NAME, notes=(str(found["missing"]),))
        progress.take(point, found)
        refuted = _take_row(statement, point, _yielded(statement.computed, found), progress, budget)
        if refuted is not None:
            return _refutation(refuted, found, progress)
    return _conclusion(statement, grid, progress)


def _found(computed: Computation | None, point: Point) -> dict[str, Any]:
    if computed is None:
        return {}
    arguments = {**computed.arguments, **{symbol.name: int(value) for symbol, value in point.items()}}
    return enumerate_exactly(computed.name, arguments)


def _computation(statement: Statement) -> Computation:
    if statement.computed is None:
        raise LemmascopeError(f"{statement.id or 'the statement'} names no procedure: give it computed=")
    return statement.computed


def _grid(statement: Statement) -> dict[Symbol, list[Any]]:
    """The variables that the procedure takes as arguments, with the values that are asked of it; without one, all."""
    if statement.computed is None:
        return {symbol: list(domain) for symbol, domain in statement.variables.items()}
    arguments = _computation(statement).arguments
    asked = {symbol: arguments[symbol.name] for symbol in statement.variables if symbol.name in arguments}
    return {
        symbol: [sympify(value) for value in (values if isinstance(values, (list, tuple)) else [values])]
        for symbol, values in asked.items()
    }


def _points(statement: Statement, grid: Mapping[Symbol, list[Any]]) -> Iterator[Point]:
    """The points of the grid that no hypothesis about them excludes."""
    about_grid = [part for part in statement.hypotheses if part.free_symbols <= set(grid)]
    for values in product(*grid.values()):
        point = dict(zip(grid, values, strict=True))
        if not any(_excludes(part, point) for part in about_grid):
            yield point


def _excludes(hypothesis: Boolean, point: Point) -> bool:
    """Whether a hypothesis is false or has no value."""
    places = undefined(hypothesis) if isinstance(hypothesis, Relational) else []
    return holds(hypothesis, point) is False or any(holds(place, point) is True for place in places)


def _yielded(computed: Computation | None, found: Mapping[str, Any]) -> Point:
    if computed is None:
        return {}
    lacking = [name for name in computed.yields if name not in found]
    if lacking:
        raise LemmascopeError(f"{computed.name} does not yield {', '.join(lacking)}: correct yields= or the procedure")
    return {Symbol(name): found[name] for name in computed.yields}


def _take_row(
    statement: Statement, point: Point, values: Point, progress: _Progress, budget: Budget
) -> dict[str, str] | None:
    """Decide the claim at one point of the grid that the hypotheses allow; a counterexample when it is false there."""
    row: dict[str, Any] = {
        "point": {symbol.name: str(value) for symbol, value in point.items()},
        "values": {symbol.name: encode(value) for symbol, value in values.items()},
    }
    progress.rows.append(row)
    shown = {symbol.name: str(value) for symbol, value in {**point, **values}.items()}
    claim, *given = (substitute(part, {**point, **values}) for part in (statement.conclusion, *statement.hypotheses))
    met = [holds(part, {}) for part in given if not part.free_symbols]
    given = [part for part in given if part.free_symbols]
    if False in met:
        return None
    if not claim.free_symbols and not given:
        truth = holds(claim, {})
        progress.complete = progress.complete and truth is not None and (truth or None not in met)
        return shown if truth is False and None not in met else None
    left = {symbol: domain.subs(point) for symbol, domain in statement.variables.items() if symbol not in point}
    verdict = _discharge(left, given, claim, budget)
    if verdict is not None:
        row["left"] = dict(verdict.certificate or {})
    if verdict is not None and verdict.outcome is Outcome.REFUTED and None not in met:
        return {**shown, **dict(verdict.counterexample or {})}
    if verdict is None or verdict.outcome is not Outcome.PROVED:
        progress.complete = False
        progress.notes.append(f"the formula that is left could not be decided at {_told(point) or 'the only case'}")
    return None


def _discharge(left: Mapping[Symbol, Set], given: list[Boolean], claim: Boolean, budget: Budget) -> Evidence | None:

    return discharge(Goal.over(left, given, claim), budget) if all(map(is_plain, given)) else None


def _refutation(shown: dict[str, str], found: Mapping[str, Any], progress: _Progress) -> Evidence:
    described = {key: str(value) for key, value in dict(found.get("counterexample") or {}).items()}
    return Evidence(
        Outcome.REFUTED,
        NAME,
        coverage=_coverage(progress),
        cases=progress.cases,
        counterexample={**shown, **described},
        certificate={"kind": NAME, "claim": "false", "rows": progress.rows[-1:]},
        notes=tuple(progress.notes),
    )


def _conclusion(statement: Statement, grid: Mapping[Symbol, list[Any]], progress: _Progress) -> Evidence:
    if not progress.done:
        return Evidence(Outcome.OPEN, engine=NAME, notes=("no case of the procedure satisfies the hypotheses",))
    whole = progress.complete and all(_covers(values, statement.variables[symbol]) for symbol, values in grid.items())
    told = {"coverage": _coverage(progress), "cases": progress.cases, "notes": tuple(progress.notes)}
    if not whole:
        return Evidence(Outcome.SAMPLED, engine=NAME, **told)  # type: ignore[arg-type]
    certificate = {"kind": NAME, "claim": "true", "rows": progress.rows}
    return Evidence(Outcome.PROVED, NAME, certificate=certificate, **told)  # type: ignore[arg-type]


def _covers(values: list[Any], domain: Set) -> bool:
    return domain.is_finite_set is True and all(point in values for point in domain)


def _coverage(progress: _Progress) -> str:
    parts = list(progress.coverage)
    symbols = list(progress.done[0])
    for symbol in symbols:
        values = sorted({point[symbol] for point in progress.done})
        parts.append(f"{symbol} = {_span(values)}")
    return ", ".join(parts) or "the whole claim"


def _span(values: list[Any]) -> str:
    consecutive = len(values) > 2 and all(b - a == 1 for a, b in pairwise(values))
    return f"{values[0]}..{values[-1]}" if consecutive else ", ".join(map(str, values))


def _told(point: Point) -> str:
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items())


def _measure(statement: Statement) -> Evidence:

    computed = _computation(statement)
    found = run(computed.name, computed.arguments)
    if "missing" in found:
        return Evidence(Outcome.OPEN, engine=NAME, notes=(str(found["missing"]),))
    values = {Symbol(name): measured(found[name]) for name in computed.yields if name in found}
    notes = tuple(map(str, found.get("notes", ())))
    told = ", ".join(f"{key} = {value:.6g}" if isinstance(value, float) else f"{key} = {value}"
                     for key, value in found.items() if key not in RESERVED)  # fmt: skip
    truth = None if nan in values.values() else holds(statement.conclusion.subs(values, simultaneous=True), {})
    coverage = str(found.get("coverage", "one run"))
    cases = int(found.get("cases", 1))
    if truth is True:
        return Evidence(
            Outcome.SAMPLED, engine=NAME, coverage=coverage, cases=cases, notes=(f"measured: {told}", *notes)
        )
    missed = f"the measurements do not support it ({told}); floating point refutes nothing"
    return Evidence(Outcome.OPEN, engine=NAME, coverage=coverage, cases=cases, notes=(missed, *notes))


def measured(value: Any) -> Any:
    """A measurement as the exact rational that the floating-point number is.

    >>> measured(0.5), measured(True), measured(float("inf"))
    (1/2, 1, nan)
    """
    if isinstance(value, (bool, int)):
        return Integer(int(value))
    number = float(value)
    return Rational(number) if math.isfinite(number) else nan
