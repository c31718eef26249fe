"""The referee: asks for a witness, lets the engines try with growing budgets, and keeps the strongest evidence."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sympy import And
from sympy.core.relational import Equality

from proofs_check.budget import Budget, rounds
from proofs_check.engines import engine, in_turn, order
from proofs_check.engines.falsify import examples
from proofs_check.evidence.case import REFEREE_VERSION, Case, Stage
from proofs_check.evidence.ledger import Ledger
from proofs_check.evidence.second_kernel import confirmed
from proofs_check.kernel.theorem import vacuity
from proofs_check.passes.noise import without_noise
from proofs_check.passes.sizes import at_one_size, entry_by_entry, sizes_of
from proofs_check.points.witness import Vacuity, find_witness
from proofs_check.repair.correction import VERSION as CORRECTION_VERSION
from proofs_check.repair.correction import find_correction
from proofs_check.repair.sharpen import sharpen
from proofs_check.verdict import Evidence, Outcome, Verdict, kind_of
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.language.functions import unbounded_in
from theory.statements import Statement

_SEARCH = 5
"""How many glances the search for sharp constants may take."""

_SIZE_OF_SPACES = 2
"""How large vectors and matrices are where a witness is looked for."""

_MOST_SIZES = 3
"""Of how many sizes each may be two where a witness is looked for: with more of them there are too many numbers."""

_RANK = {Outcome.SUSPECT: 2, Outcome.SAMPLED: 1, Outcome.OPEN: 0}


def verify(
    statement: Statement, *, effort: str = "standard", fresh: bool = False, folder: Path | None = None
) -> Verdict:
    """The verdict on a statement.

    With `folder` the answers are remembered there and a second call is immediate.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> verify(Statement(id="demo", variables={x: Interval(0, 1)}, then=x**2 <= x)).outcome
    <Outcome.PROVED: 'proved'>
    """
    with Ledger(folder) if folder is not None else nullcontext() as ledger:
        return judge(Case(statement, effort, ledger, fresh))


def judge(case: Case) -> Verdict:
    """Witness, engines, correction or sharp constants; the verdict carries what the statement is called."""
    began = time.monotonic()
    verdict = _decide(case)
    statement = case.statement
    if verdict.outcome is Outcome.PROVED and statement.uses:
        verdict = verdict.note(f"assumes what {statement.premises}")
    if statement.source.paper and _is_literal(statement):
        verdict = verdict.note("the derivation gives the printed form")
    if statement.scope is not None and statement.scope.kind == "case" and verdict.coverage is None:
        verdict = verdict.but(coverage=statement.scope.text)
    return verdict.note(*case.notes).but(
        id=statement.id,
        kind=kind_of(statement.id),
        title=statement.title,
        statement=statement.latex(),
        scope=statement.scope,
        source=statement.source.to_json(),
        seconds=time.monotonic() - began,
    )


def _is_literal(statement: Statement) -> bool:
    """Whether every claim is an equation whose two sides, one derived and one printed, came out the same.

    >>> from sympy import Eq, S, Symbol
    >>> x = Symbol("x")
    >>> _is_literal(Statement(variables={x: S.Reals}, then=Eq((x**2).diff(x), 2 * x, evaluate=False)))
    True
    """
    claims = clauses(statement.then)
    return all(isinstance(claim, Equality) and claim.lhs == claim.rhs for claim in claims)


def _decide(case: Case) -> Verdict:
    witness: Verdict | None = None
    if case.statement.examples and (refuted := _by_example(case)) is not None:
        return _finish(case, refuted, witness)
    best = Verdict(Outcome.OPEN)
    idle: set[str] = set()
    budgets, parties = rounds(case.effort), in_turn(case.statement)
    for budget in budgets:
        if witness is None:
            witness = _witness(case, budget)
            if witness is not None and witness.outcome is Outcome.VACUOUS:
                return witness
        stage = Stage(budget, whole=budgets[-1], is_first=budget is budgets[0])
        for name in parties:
            if name in idle:
                case.pass_over(name, engine(name).VERSION, budget)
                continue
            answer = stage.ask(case, name)
            if answer is not None and answer.decided:
                return _finish(case, answer, witness)
            if stage.was_idle:
                idle.add(name)
            if answer is not None and _RANK[answer.outcome] >= _RANK[best.outcome]:
                best = answer.note(*best.notes)
    return _finish(case, best, witness)


def _by_example(case: Case) -> Verdict | None:
    """The refutation at an example that stands with the statement, whatever the effort."""
    budget = Budget.of(case.effort)
    budget = replace(budget, seconds=budget.seconds_for("examples"))
    answer = case.ask("examples", REFEREE_VERSION, budget, lambda: examples.decide(case.statement, budget.start()))
    return answer if answer is not None and answer.decided else None


def _witness(case: Case, budget: Budget) -> Verdict | None:
    budget = replace(budget, seconds=budget.seconds_for("witness"))
    return case.ask("witness", REFEREE_VERSION, budget, partial(_look_for_witness, case.statement, budget))


def _look_for_witness(statement: Statement, budget: Budget) -> Evidence | Verdict | None:
    about = _about_numbers(statement)
    answer = None if about is None else find_witness(about, budget.start())
    if answer is None or (isinstance(answer, Vacuity) and (statement.speaks_of_families or statement.speaks_of_spaces)):
        return None
    return answer.evidence if isinstance(answer, Vacuity) else Verdict(Outcome.OPEN, witness=answer.point)


def _about_numbers(statement: Statement) -> Statement | None:
    """A statement whose hypotheses are about numbers and can be satisfied only where those of the given one can."""
    try:
        if statement.speaks_of_structures or statement.speaks_of_functions:
            return None
        if statement.speaks_of_families:
            names = sizes_of(statement)
            return at_one_size(statement, dict.fromkeys(names, 2 if len(names) <= _MOST_SIZES else 1))
        if statement.speaks_of_spaces:
            if statement.noise:
                return without_noise(statement)
            hypotheses = And(*statement.given, evaluate=False) if statement.given else statement.then
            return entry_by_entry(statement.but(dynamics=None, start={}, then=hypotheses), _SIZE_OF_SPACES)
    except LemmascopeError:
        return None
    return vacuity(statement) if statement.noise else statement


def _finish(case: Case, verdict: Verdict, witness: Verdict | None) -> Verdict:
    if witness is None and verdict.outcome is Outcome.PROVED:
        witness = _witness(case, Budget.of(case.effort))
        if witness is not None and witness.outcome is Outcome.VACUOUS:
            return witness
    if witness is not None and verdict.witness is None:
        verdict = verdict.but(witness=witness.witness)
    was_looked_for = _about_numbers(case.statement) is not None
    if verdict.witness is None and was_looked_for and verdict.outcome in (Outcome.PROVED, Outcome.SAMPLED):
        verdict = verdict.note("no point that satisfies the hypotheses was found: the statement may be vacuous")
    if verdict.outcome is Outcome.REFUTED and verdict.correction is None and case.correct and case.effort != "quick":
        verdict = verdict.but(correction=_correct(case, verdict, Budget.of(case.effort)))
    if verdict.outcome is Outcome.PROVED and case.statement.constants and case.effort != "quick":
        verdict = verdict.but(sharp=_sharpen(case))
    if verdict.outcome is Outcome.PROVED and case.effort == "deep":
        verdict = _confirm_in_coq(case, verdict)
    if not verdict.outcome.decided:
        verdict = verdict.note(*_beyond_the_provers(case.statement))
    if verdict.outcome is Outcome.OPEN:
        tried = ", ".join(name for name in order(case.statement) if name not in case.excluded)
        verdict = verdict.note(f"undecided within the {case.effort} budget; tried {tried}")
    return verdict


def _beyond_the_provers(statement: Statement) -> list[str]:
    """What to say about the functions of a statement that no prover can bound."""
    rules = () if statement.dynamics is None else statement.dynamics.right_side
    return [note for part in (statement.conclusion, *statement.hypotheses, *rules) for note in unbounded_in(part)]


def _confirm_in_coq(case: Case, verdict: Verdict) -> Verdict:
    """The verdict with a Coq proof where coqc finds one."""
    answer = confirmed(case, verdict, Budget.of(case.effort))
    return verdict if answer is None else answer.but(witness=verdict.witness, notes=verdict.notes)


def _sharpen(case: Case) -> Mapping[str, Any] | None:
    """The best values of the constants of a proved statement, searched for with little effort."""
    glance = Budget.of("glance")
    whole = replace(Budget.of(case.effort), seconds=_SEARCH * glance.seconds)
    answer = case.ask(
        "sharpen",
        REFEREE_VERSION,
        whole,
        lambda: Verdict(Outcome.OPEN, sharp=sharpen(case.statement, budget=glance, decisions=_SEARCH)),
    )
    return None if answer is None else answer.sharp


def _correct(case: Case, verdict: Verdict, budget: Budget) -> str | None:
    def look() -> Verdict | None:
        text = find_correction(case.statement, verdict, budget.start())
        return None if text is None else Verdict(Outcome.OPEN, correction=text)

    answer = case.ask("correction", CORRECTION_VERSION, budget, look)
    return None if answer is None else answer.correction
