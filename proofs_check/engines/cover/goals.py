"""Quantified goals over the reals: variables and hypotheses on the left, a conclusion with quantifiers on the right."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import And, Eq, Expr, FiniteSet, Ge, Integer, Integral, Product, Range, Set, Sum, Symbol, oo
from sympy.logic.boolalg import Boolean, Implies

from proofs_check.budget import Budget
from proofs_check.engines.cover.strategy import Attempt, contradiction, joined, plain_data
from proofs_check.goals import Goal
from proofs_check.points.exact import holds
from proofs_check.points.shrinking import plainer
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.domains import is_discrete, membership
from theory.errors import LemmascopeError
from theory.language.definedness import or_undefined, put
from theory.temporal import Exists, ForAll, is_plain, negation

_MOST_VALUES = 400
_PEELED = 8


@dataclass(frozen=True)
class Task:
    """For all variables that satisfy the hypotheses: the conclusion."""

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean
    integers: frozenset[Symbol] = frozenset()
    strengthened: bool = False
    """Whether the conclusion also says that something has a value: then a violation is none of the statement."""

    def assuming(self, *more: Boolean) -> Task:
        """The task with further hypotheses."""
        return replace(self, hypotheses=(*self.hypotheses, *more))

    def concluding(self, conclusion: Boolean) -> Task:
        """The task with another conclusion."""
        return replace(self, conclusion=conclusion)

    def with_variable(self, symbol: Symbol, domain: Set) -> Task:
        """The task with one more variable."""
        integers = self.integers | {symbol} if is_discrete(domain) else self.integers
        variables = {**self.variables, symbol: domain}
        return replace(self, variables=variables, integers=integers).assuming(membership(symbol, domain))

    def at(self, symbol: Symbol, value: Expr) -> Task:
        """The task with a variable fixed; a LemmascopeError where a formula has no value then."""
        rest = {s: d.subs(symbol, value) for s, d in self.variables.items() if s != symbol}
        try:
            given = tuple(h.subs(symbol, value) for h in self.hypotheses)
            conclusion = put(self.conclusion, symbol, value)
            more = self.strengthened or conclusion != self.conclusion.subs(symbol, value)
        except (TypeError, ValueError) as error:  # a comparison with a number that is not real
            raise LemmascopeError(f"a formula has no value at {symbol} = {value}") from error
        return Task(rest, given, conclusion, self.integers - {symbol}, more)


def prove_formula(
    variables: Mapping[Symbol, Set],
    hypotheses: Sequence[Boolean],
    conclusion: Boolean,
    integers: Iterable[Symbol],
    budget: Budget,
) -> Verdict | None:
    """A verdict on a goal whose conclusion may have quantifiers, or None."""
    if isinstance(conclusion, Eq) and variables:
        return None  # identities are not shown by boxes
    if any(part.has(Integral, Sum, Product) for part in hypotheses):
        return None  # a closed form may hide where they do not exist
    task = Task(dict(variables), tuple(hypotheses), conclusion, frozenset(integers))
    try:
        attempt = argue(task, budget)
    except LemmascopeError:
        return None  # some function has no enclosure, an abstract one for example
    except TypeError as error:
        if "non-real" not in str(error):
            raise
        return None
    if attempt.violation is not None:
        violation = dict(attempt.violation)
        if all(map(is_plain, (*task.hypotheses, conclusion))):
            if not _violates(task, violation):
                return None
            violation = plainer(Goal(task.variables, task.hypotheses, conclusion), violation)
        point = {symbol.name: str(value) for symbol, value in violation.items()}
        exact = plain_data({symbol.name: value for symbol, value in violation.items()})
        certificate: dict[str, Any] = {"kind": "cover", "counterexample": exact}
        return Verdict(Outcome.REFUTED, engine="cover", counterexample=point, certificate=certificate)
    if attempt.argument is None:
        return None
    certificate = {"kind": "cover", "boxes": attempt.boxes, "argument": packed(attempt.argument)}
    return Verdict(Outcome.PROVED, Strength.ENCLOSED, "cover", cases=attempt.boxes, certificate=certificate)


def _violates(task: Task, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a point is a counterexample in exact arithmetic: on the way to it a formula may have lost its value."""
    return holds(And(*task.hypotheses, negation(task.conclusion)), point) is True


def packed(argument: dict[str, Any]) -> str:
    """An argument as compressed JSON text."""
    return base64.b64encode(zlib.compress(json.dumps(argument, separators=(",", ":")).encode(), 9)).decode()


def argue(task: Task, budget: Budget) -> Attempt:
    """An argument for a task, or a point that violates it."""
    if budget.spent:
        return Attempt()
    for place, part in enumerate(task.hypotheses):
        if isinstance(part, Exists) and part.symbol not in task.variables:
            rest = (*task.hypotheses[:place], *task.hypotheses[place + 1 :])
            opened = replace(task, hypotheses=(*rest, part.body)).with_variable(part.symbol, part.domain)
            return joined({"do": "unpack", "at": place}, [argue(opened, budget)])
    kept = [place for place, part in enumerate(task.hypotheses) if is_plain(part)]
    if len(kept) < len(task.hypotheses):
        weaker = replace(task, hypotheses=tuple(task.hypotheses[place] for place in kept))
        return replace(_joined({"do": "keep only", "kept": kept}, [argue(weaker, budget)], task), violation=None)
    conclusion = task.conclusion
    if is_plain(conclusion):
        return by_integers(task, budget)
    if isinstance(conclusion, And):
        parts = [argue(task.concluding(part), budget) for part in conclusion.args]
        return _joined({"do": "each"}, parts, task)
    if isinstance(conclusion, Implies):
        return _joined({"do": "assume"}, [argue(_assumed(task), budget)], task)
    if isinstance(conclusion, ForAll) and conclusion.symbol not in task.variables:
        opened = task.with_variable(conclusion.symbol, conclusion.domain).concluding(conclusion.body)
        return joined({"do": "forall"}, [argue(opened, budget)])
    if isinstance(conclusion, Exists) and conclusion.symbol not in task.variables:
        from proofs_check.engines.cover.existence import find

        return find(task, conclusion, budget)
    return Attempt()


def _assumed(task: Task) -> Task:
    premise, rest = task.conclusion.args
    return task.assuming(premise).concluding(rest)


def _joined(step: dict[str, Any], parts: list[Attempt], task: Task) -> Attempt:
    found = joined(step, parts)
    if found.violation is None:
        return found
    return replace(found, violation={s: v for s, v in found.violation.items() if s in task.variables})


def by_integers(task: Task, budget: Budget) -> Attempt:
    """Enumerate integers over finite ranges; other integers are relaxed to reals, from some value on if need be."""
    for symbol in sorted(task.integers, key=str):
        values = finite_values(task.variables[symbol])
        if values is not None:
            step = {"do": "enumerate", "variable": symbol, "values": [str(value) for value in values]}
            parts = []
            for value in values:
                parts.append(_restored(by_integers(task.at(symbol, value), budget), symbol, value))
                if parts[-1].argument is None:
                    break
            return _joined(step, parts, task)
    attempt = by_cover(task, budget)
    if attempt.argument is not None or attempt.violation is not None or not task.integers:
        return attempt
    return _peeled(task, budget)


def _restored(attempt: Attempt, symbol: Symbol, value: Expr) -> Attempt:
    return attempt if attempt.violation is None else replace(attempt, violation={**attempt.violation, symbol: value})


def finite_values(domain: Set) -> list[Expr] | None:
    """The members of a finite set of integers that is small enough to enumerate."""
    if isinstance(domain, (FiniteSet, Range)) and domain.is_finite_set and len(domain) <= _MOST_VALUES:
        return list(domain)
    return None


def _peeled(task: Task, budget: Budget) -> Attempt:
    """The first values of an integer one by one, the rest as reals."""
    for symbol in sorted(task.integers, key=str):
        domain = task.variables[symbol]
        if not (isinstance(domain, Range) and domain.sup is oo and domain.inf.is_Integer and domain.step == 1):
            continue
        first = int(domain.inf)
        step = {"do": "peel", "variable": symbol, "first": first, "count": _PEELED}
        parts = []
        for value in map(Integer, range(first, first + _PEELED)):
            parts.append(_restored(by_integers(task.at(symbol, value), budget), symbol, value))
            if parts[-1].argument is None:
                return _joined(step, parts, task)
        parts.append(by_cover(task.assuming(Ge(symbol, first + _PEELED)), budget))
        return _joined(step, parts, task)
    return Attempt()


def by_cover(task: Task, budget: Budget) -> Attempt:
    """A plain task, by contradiction."""
    violated = And(*task.hypotheses, negation(task.conclusion))
    formula = And(*task.hypotheses, or_undefined(negation(task.conclusion)))
    attempt = contradiction(formula, tuple(task.variables), budget)
    if attempt.violation is not None and (
        task.strengthened
        or not all(attempt.violation[s].is_integer for s in task.integers)
        or (formula != violated and holds(violated, attempt.violation) is not True)
    ):
        return Attempt(boxes=attempt.boxes)
    return attempt
