"""Every number of steps: a rate from one step, or a potential that the claim itself suggests, proved to fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sympy import (
    Expr,
    Integer,
    MatrixSymbol,
    Mul,
    Poly,
    Rational,
    Symbol,
    ZeroMatrix,
    cancel,
    numer,
    solve,
    together,
)
from sympy.core.relational import GreaterThan, LessThan
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.budget import Budget
from proofs_check.engines.classes import NAME
from proofs_check.engines.classes.examples import counterexample, described, worst_case
from proofs_check.kernel.potential import EveryStep, NotInductiveError, every_step, falling, geometric
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.language.classes import GradientAt
from theory.language.words import Alphabet, NotWordsError
from theory.statements import Statement
from theory.trees import encode

_EARLY, _TRIED = (1, 2), (3, 2, 1, 5, 0)
_FEW, _SHARE = 12, 0.75
Fails = Callable[[Statement], dict[str, Any] | None]
Prove = Callable[[Statement, Budget], dict[str, Any] | None]


def decide_every_step(statement: Statement, budget: Budget, prove: Prove) -> Evidence | None:
    """A verdict on a claim about every number of steps; None where the claim is of another kind or stays open."""
    try:
        every = every_step(statement)
    except NotInductiveError:
        return None
    early = _refuted(every, budget, _EARLY, lambda goal: counterexample(goal, budget, _FEW))
    if early is not None:
        return early
    proved = _proved(every, replace(budget, seconds=budget.left * _SHARE).start(), prove)
    return proved or _refuted(every, budget, _TRIED, lambda goal: worst_case(goal, budget))


def _refuted(every: EveryStep, budget: Budget, numbers: Sequence[int], fails: Fails) -> Evidence | None:
    for steps in numbers:
        if steps < every.first or budget.spent:
            continue
        try:
            found = fails(every.instance(steps))
        except LemmascopeError:
            continue
        if found is not None:
            certificate = {"kind": "potential", "steps": steps, "example": found}
            shown = described(found) | {every.counter.name: str(steps)}
            return Evidence(Outcome.REFUTED, engine=NAME, certificate=certificate, counterexample=shown)
    return None


def _proved(every: EveryStep, budget: Budget, prove: Prove) -> Evidence | None:
    for sign in ("rate", "quantity"):
        try:
            proofs = _shown(geometric(every, sign), budget, prove)
        except (NotInductiveError, LemmascopeError):
            continue
        if proofs is None:
            continue
        certificate: dict[str, Any] = {"kind": "potential", "rule": "geometric", "sign": sign, "proofs": proofs}
        return Evidence(
            Outcome.PROVED, engine=NAME, certificate=certificate, notes=("every step: one step has the rate",)
        )
    for potential, bound, base in _candidates(every):
        if budget.spent:
            return None
        try:
            proofs = _shown(falling(every, potential, bound, base), budget, prove)
        except (NotInductiveError, LemmascopeError):
            continue
        if proofs is not None:
            certificate = {
                "kind": "potential", "rule": "falling", "base": base, "potential": encode(potential),
                "bound": encode(bound), "proofs": proofs,
            }  # fmt: skip
            return Evidence(
                Outcome.PROVED, engine=NAME, certificate=certificate, notes=(f"every step: {potential} never grows",)
            )
    return None


def _shown(goals: list[Statement], budget: Budget, prove: Prove) -> list[dict[str, Any]] | None:
    found = []
    for goal in goals:
        proof = None if budget.spent else prove(goal, budget)
        if proof is None:
            return None
        found.append(proof)
    return found


def _candidates(every: EveryStep) -> Iterator[tuple[Expr, Expr, int]]:
    """a(n) q + U of the state, for a claim a(n) q <= U of the start; of a state that momentum does not push."""
    relation, counter = every.relation, every.counter
    if not isinstance(relation, (LessThan, GreaterThan)):
        return
    small, large = relation.args if isinstance(relation, LessThan) else relation.args[::-1]
    rate = Mul(*(part for part in Mul.make_args(large) if counter in part.free_symbols))
    bound = Mul(*(part for part in Mul.make_args(large) if counter not in part.free_symbols))
    if counter in small.free_symbols or counter in bound.free_symbols:
        return
    weight = cancel(1 / rate)
    for place in _places(every):
        starts = {value: place for value in every.statement.start.values() if isinstance(value, MatrixSymbol)}
        distance = bound.xreplace(starts)
        for share in (Rational(1), Rational(1, 2)):
            for base in (0, 1):
                yield weight * small + share * distance, bound, base


def _places(every: EveryStep) -> Iterator[MatrixExpr]:
    """What stands for the start: the state, or the combination of it and its past that momentum does not move."""
    now, *before = every.dynamics.state
    if not before:
        yield now
        return
    clock = {} if every.dynamics.time is None else {every.dynamics.time: every.counter}
    update = every.dynamics.update[0].xreplace(clock)
    still = {part: ZeroMatrix(*part.shape) for part in update.atoms(GradientAt)}
    try:
        words = Alphabet({}).words(update.xreplace(still))
    except NotWordsError:
        return
    push = -words.get(((before[0], False),), Integer(0))
    a, b, n = Symbol("_a"), Symbol("_b"), every.counter
    wanted = numer(together(a + b * n - (1 + a + b * (n + 1)) * push))
    for values in solve(Poly(wanted, n).all_coeffs(), [a, b], dict=True):
        ahead = (a + b * n).xreplace({a: values.get(a, Integer(0)), b: values.get(b, Integer(0))})
        yield now + ahead * (now - before[0])
