"""Functions of a class: an exact combination of interpolation inequalities, or an explicit function that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from sympy import Expr, Integer, Lt

from proofs_check.budget import Budget
from proofs_check.engines.classes import NAME
from proofs_check.engines.classes.combination import combination
from proofs_check.engines.classes.examples import counterexample, described, equalities, example
from proofs_check.engines.classes.fitting import borders, fitted, signs
from proofs_check.engines.classes.potentials import decide_every_step
from proofs_check.engines.classes.scaling import at_one, restored, units
from proofs_check.kernel.classes import Goal, NotReadError, Problem, at_the_edge, between_means, either_side
from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.trees import encode

VERSION = 4
_FEW = 60
_SPLITS = 2
"""How often the parameters are split into cases."""


def missing() -> str | None:
    """What is not installed, in one sentence."""
    try:
        import clarabel  # noqa: F401 - only whether it is there
    except ImportError:
        return "install clarabel (`pip install lemmascope[sos]`): proofs about function classes need it"
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a statement about functions of a class at finitely many points, or give a function that refutes it.

    >>> from theory import SmoothConvex, Vectors, function, norm, vector
    >>> f, x = function("f"), vector("x")
    >>> known = {f: SmoothConvex(1), x: Vectors()}
    >>> flat = Statement(variables=known, then=norm(f.gradient(x)) ** 2 <= 2 * (f(x) - f.minimum))
    >>> str(decide(flat, Budget.of("standard")).outcome)
    'proved'
    """
    if not statement.speaks_of_functions:
        return None
    running = budget.running
    everywhere = decide_every_step(statement, running, certificate_of)
    if everywhere is not None:
        return everywhere
    try:
        _read(statement)
    except NotReadError as error:
        trial = counterexample(statement, running)
        if trial is not None:
            return Evidence(Outcome.REFUTED, engine=NAME, certificate=trial, counterexample=described(trial))
        return Evidence(Outcome.OPEN, engine=NAME, notes=(f"not a statement about finitely many points: {error}",))
    absent, seen = missing(), example(statement, running)
    trial = counterexample(statement, running, _FEW)
    if trial is None and absent is None and (certificate := certificate_of(statement, running)) is not None:
        return Evidence(
            Outcome.PROVED, engine=NAME, certificate=certificate, notes=(_said(certificate),),
            witness=None if seen is None else described(seen),
        )  # fmt: skip
    trial = trial or counterexample(statement, running)
    if trial is not None:
        return Evidence(Outcome.REFUTED, engine=NAME, certificate=trial, counterexample=described(trial))
    return Evidence(Outcome.OPEN, engine=NAME, notes=() if absent is None else (absent,))


def certificate_of(statement: Statement, budget: Budget) -> dict[str, Any] | None:
    """A proof that the kernel accepts, of a statement about finitely many points."""
    try:
        problem = _read(statement)
    except NotReadError:
        return None
    found = _certificate(problem, budget, _SPLITS)
    return found if found is None or problem.statement is statement else {"kind": "classes", "means": found}


def _read(statement: Statement) -> Problem:
    """The statement in values and inner products, or one about every t that says the same."""
    try:
        return Problem(statement)
    except NotReadError as error:
        try:
            return Problem(between_means(statement))
        except NotReadError:
            raise error from None


def _certificate(problem: Problem, budget: Budget, splits: int) -> dict[str, Any] | None:
    found: list[dict[str, Any]] = []
    tried: list[dict[str, Any]] = []
    shown: dict[str, dict[str, Any]] = {}
    for goal in problem.goals:
        for proof in _proofs(problem, goal, lambda: budget.left):
            tried.append(proof)
            own = signs(problem, [proof], budget)
            known = Problem(problem.statement, own) if own else problem
            if known.shows(goal, _stored(proof)):
                found.append(proof)
                shown |= {str(sign["condition"]): sign for sign in own}
                break
        else:
            break
    if len(found) == len(problem.goals):
        certificate: dict[str, Any] = {"kind": "classes", "proofs": list(map(_stored, found))}
        return certificate | ({"signs": list(shown.values())} if shown else {})
    if (apart := _at_the_edge(problem, budget, splits)) is not None or not tried:
        return apart
    return _by_cases(problem.statement, budget, borders(problem, tried), splits) if splits else None


def _at_the_edge(problem: Problem, budget: Budget, splits: int) -> dict[str, Any] | None:
    """Proofs for mu < L and for mu = L, where inequalities of the class have a pole."""
    for f, domain in problem.classes.items():
        if not problem.rooms or Lt(*domain.args[:2]) in problem.statement.given:
            continue
        with suppress(NotReadError):
            sides = at_the_edge(problem.statement, f.name)
            proofs = []
            for side in sides:
                proof = None if budget.spent else _certificate(Problem(side), budget, splits)
                if proof is None:
                    break
                proofs.append(proof)
            else:
                return {"kind": "classes", "edge": f.name, "proofs": proofs}
    return None


def _by_cases(statement: Statement, budget: Budget, borders: Iterable[Expr], splits: int) -> dict[str, Any] | None:
    """A proof on each side of a border: what is used of a class may differ with the step."""
    for border in borders:
        proofs = []
        for side in either_side(statement, border):
            proof = None if budget.spent else _certificate(Problem(side), budget, splits - 1)
            if proof is None:
                break
            proofs.append(proof)
        else:
            return {"kind": "classes", "border": encode(border), "proofs": proofs}
    return None


def _proofs(problem: Problem, goal: Goal, left: Callable[[], float]) -> Iterator[dict[str, Any]]:
    """Proofs of one goal; with parameters, the signs of their multipliers are not known yet."""
    if ({}, False) in goal:
        yield {"weights": [Integer(pair == ({}, False)) for pair in goal], "multipliers": [], "squares": []}
        return
    forms = [form for form, _ in (*goal, *problem.known)]
    scale = units(problem, [form for form in forms if form])
    if scale.rest:
        yield from fitted(scale, forms, left) if len(goal) == 1 else ()
        return
    question = at_one(forms, len(problem.bases), len(goal))
    exact = combination(question, left, lambda: equalities(problem, question, left))
    plain = None if exact is None else restored(scale, forms, len(goal), exact)
    if plain is not None:
        yield plain


def _stored(proof: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "weights": [_number(number) for number in proof["weights"]],
        "multipliers": [[place, _number(number)] for place, number in proof["multipliers"]],
        "squares": [[_number(pivot), [_number(number) for number in row]] for pivot, row in proof["squares"]],
    }


def _number(number: Expr) -> Any:
    return str(number) if number.is_Rational else encode(number)


def _said(certificate: Mapping[str, Any]) -> str:
    plain = _plain_proofs(certificate)
    used, squares = (sum(len(proof[key]) for proof in plain) for key in ("multipliers", "squares"))
    return f"every dimension: {used} inequalities of the class and the hypotheses, {squares} squares"


def _plain_proofs(certificate: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "means" in certificate:
        return _plain_proofs(certificate["means"])
    if not {"border", "edge"} & set(certificate):
        return list(certificate["proofs"])
    return [proof for part in certificate["proofs"] for proof in _plain_proofs(part)]
