"""Vectors and matrices of every size: sums of squares of tensors, translations into numbers, small counterexamples.

"Proved" can be believed because the kernel multiplies the squares out and compares them with the claim word by word, or
translates the statement into one about numbers itself. Trajectories are followed by obligations that the kernel states.
"Refuted" has matrices of a small size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import product
from typing import Any

from sympy import MatrixSymbol

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.spaces import NAME
from proofs_check.engines.spaces.small import failing_at_small_size
from proofs_check.engines.spaces.squares import sum_of_squares
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.matrix_motion import (
    NotFollowedError,
    departure,
    obligations,
    parts,
    rules_for,
)
from proofs_check.kernel.spaces import Translated, size_symbols, translation
from proofs_check.kernel.tensors import NotReadError, Problem
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement

VERSION = 5
_PROVERS = ("identity", "polynomial", "cover")
_DECIDERS = (*_PROVERS, "falsify")
_FOLLOWERS = ("falsify", "motion", "enclosure")
_ROUTES = ("words", "eigenvalue", "products", "coordinates", "eigenvalues", "determinants")
_SMALL_SIZES = (1, 2)
_DEPARTURES = (("derivative", 0), ("steps", 0), ("steps", 1), ("steps", 2), ("steps", 3))
_SEEN = {"derivative": "the derivative at the start shows it", "steps": "seen at step {}"}
_HOW = {
    "monotone": "since the derivative along the flow, or the change in a step, is an identity or has a sign",
    "everywhere": "since it is true of all matrices",
    "unrolled": "since the steps are written out",
}
_SIZE_WORDS = {"_d": "d"}


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement about vectors and matrices, or say in how many cases nothing was found against it.

    >>> from theory.dynamics import vector
    >>> from theory.language.spaces import Vectors, inner, norm
    >>> x, y = vector("x"), vector("y")
    >>> schwarz = Statement(variables={x: Vectors(), y: Vectors()}, then=inner(x, y) <= norm(x) * norm(y))
    >>> str(decide(schwarz, Budget.of("standard")).outcome)
    'proved'
    """
    if not statement.speaks_of_spaces:
        return None
    running = budget.running
    if _is_about_matrices(statement) and (followed := _followed(statement, running)) is not None:
        return followed
    if (shown := _proved(statement, running.share("spaces, proof"))) is not None:
        return shown
    if (failing := _failing(statement, running)) is not None:
        return failing
    return _at_small_sizes(statement, running)


def _proved(statement: Statement, budget: Budget) -> Evidence | None:
    """A decision for every size, by squares or by a translation into numbers that says the same."""
    if statement.dynamics is not None:
        return None
    translated = list(_in_every_size(statement))
    share = budget.share("spaces, squares") if translated else budget
    if (shown := _shown_by_squares(statement, share)) is not None:
        return shown
    for route, about in translated:
        for name in _DECIDERS if about.is_exact else _PROVERS:
            answer = _asked(name, about, budget)
            if answer is not None and answer.decided:
                if _counts(answer, about):
                    return _lifted(statement, answer, route, {})
                break  # what is false in numbers is not proved by another engine
    with suppress(NotTranslatedError, LemmascopeError):
        about = translation(statement, "entries")
        answer = None if budget.spent else _proved(about.about_numbers, budget)
        if answer is not None and answer.outcome is Outcome.PROVED:
            return _lifted(statement, answer, "entries", {})
    return None


def _in_every_size(statement: Statement) -> Iterator[tuple[str, Translated]]:
    """The translations into numbers that speak of every size."""
    for route in _ROUTES if statement.dynamics is None else ():
        with suppress(NotTranslatedError, LemmascopeError):
            yield route, translation(statement, route)


def _at_small_sizes(statement: Statement, budget: Budget) -> Evidence | None:
    """A refutation at a small size by the engines for numbers, or how many cases they tried in vain."""
    best: Evidence | None = None
    for route, sizes, translated in _translations(statement):
        for name in _DECIDERS if statement.dynamics is None else _FOLLOWERS:
            answer = _asked(name, translated, budget)
            if answer is None:
                continue
            if answer.decided:
                if _counts(answer, translated):
                    return _lifted(statement, answer, route, sizes)
                break
            if answer.outcome is Outcome.SAMPLED and best is None:
                best = answer.but(engine=NAME, coverage=f"{answer.coverage or 'points'} ({_said(route, sizes)})")
    return best


def _asked(name: str, translated: Translated, budget: Budget) -> Evidence | None:
    """What an engine for numbers says of the translated statement."""
    if budget.spent:
        return None
    share = budget.share("spaces, in numbers")
    answer: Evidence | None = engine(name).decide(translated.about_numbers, share)
    return answer


def _shown_by_squares(statement: Statement, budget: Budget) -> Evidence | None:
    """An inequality between traces or inner products as a sum of squares of tensors."""
    for with_roots in (False, True):
        proofs = _squares(statement, budget, with_roots=with_roots)
        if proofs is not None:
            count = sum(len(block["squares"]) for proof in proofs for block in proof["blocks"])
            certificate = {"kind": "tensors", "roots": with_roots, "proofs": proofs}
            notes = (f"every size: a sum of {count} squares",)
            return Evidence(Outcome.PROVED, engine=NAME, certificate=certificate, notes=notes)
    return None


def _squares(statement: Statement, budget: Budget, *, with_roots: bool) -> list[dict[str, Any]] | None:
    try:
        problem = Problem(statement, with_roots=with_roots)
        if with_roots and not problem.roots:
            return None
        proofs = []
        for goal in problem.goals:
            proof = sum_of_squares(problem, goal, lambda: budget.left)
            if proof is None:
                return None
            proofs.append(proof)
    except (NotReadError, LemmascopeError):
        return None
    return proofs


def _failing(statement: Statement, budget: Budget) -> Evidence | None:
    """A counterexample at a small size, or a start from which a trajectory leaves what is claimed of it."""
    if statement.dynamics is None:
        return _failing_at_rest(statement, budget)
    for is_first in (True, False):
        for place, part in enumerate(parts(statement)):
            for rule, steps in _DEPARTURES:
                try:
                    goal = departure(statement, part, rule, steps)
                except (NotFollowedError, LemmascopeError):
                    continue
                answer = _failing_at_rest(goal, budget, is_first=is_first, is_rest=not is_first)
                if answer is not None:
                    certificate = {
                        "kind": "matrix_motion",
                        "departs": [place, rule, steps],
                        "proof": answer.certificate,
                    }
                    return answer.but(certificate=certificate, notes=(*answer.notes, _SEEN[rule].format(steps)))
    return None


def _failing_at_rest(
    statement: Statement, budget: Budget, *, is_first: bool = True, is_rest: bool = True
) -> Evidence | None:
    found = failing_at_small_size(statement, lambda: budget.left, is_first=is_first, is_rest=is_rest)
    if found is None:
        return None
    sizes, inner, point = found
    certificate = {"kind": "spaces", "route": "size", "sizes": sizes, "certificate": inner}
    shown = _vectors(statement, {symbol.name: str(value) for symbol, value in point.items()})
    notes = (_said("size", sizes),) if sizes else ()
    return Evidence(Outcome.REFUTED, engine=NAME, certificate=certificate, counterexample=shown, notes=notes)


def _followed(statement: Statement, budget: Budget) -> Evidence | None:
    """A claim about a trajectory of matrices, by a rule for each of its parts whose obligations are proved."""
    rules: list[str] = []
    proofs: list[Any] = []
    for part in parts(statement):
        chosen = None
        for rule in rules_for(part):
            chosen = _obligations_met(statement.but(then=part), rule, budget)
            if chosen is not None:
                rules.append(rule)
                proofs += chosen
                break
        if chosen is None:
            return None
    certificate = {"kind": "matrix_motion", "rules": rules, "proofs": proofs}
    return Evidence(Outcome.PROVED, engine=NAME, certificate=certificate, notes=(f"every size, {_HOW[rules[0]]}",))


def _obligations_met(statement: Statement, rule: str, budget: Budget) -> list[Any] | None:
    try:
        goals = obligations(statement, [rule])
    except (NotFollowedError, LemmascopeError):
        return None
    found = []
    for goal in goals:
        answer = None if budget.spent else _proved(goal, budget) if goal.speaks_of_spaces else _shown(goal, budget)
        if answer is None or answer.outcome is not Outcome.PROVED:
            return None
        found.append(answer.certificate)
    return found


def _shown(goal: Statement, budget: Budget) -> Evidence | None:
    """A decision on a statement about numbers."""
    answers = (engine(name).decide(goal, budget.share("spaces, in numbers")) for name in _DECIDERS)
    return next((answer for answer in answers if answer is not None and answer.decided), None)


def _translations(statement: Statement) -> Iterator[tuple[str, dict[str, int], Translated]]:
    sizes = size_symbols(statement)
    small = [dict(zip(sizes, chosen, strict=True)) for chosen in product(_SMALL_SIZES, repeat=len(sizes))]
    same_first = sorted(small, key=lambda chosen: len(set(chosen.values())))
    for route, about in _in_every_size(statement):
        yield route, {}, about
    for chosen in same_first:
        with suppress(NotTranslatedError, LemmascopeError):
            yield "size", chosen, translation(statement, "size", chosen)


def _counts(answer: Evidence, translated: Translated) -> bool:
    return translated.is_exact if answer.outcome is Outcome.REFUTED else translated.is_general


def _lifted(statement: Statement, answer: Evidence, route: str, sizes: Mapping[str, int]) -> Evidence:
    certificate = {"kind": "spaces", "route": route, "sizes": dict(sizes), "certificate": answer.certificate}
    shown = None if answer.counterexample is None else _vectors(statement, answer.counterexample)
    return Evidence(
        answer.outcome, engine=NAME, counterexample=shown, certificate=certificate,
        notes=(*answer.notes, f"{_said(route, sizes)}, decided by {answer.engine}"),
    )  # fmt: skip


def _said(route: str, sizes: Mapping[str, int]) -> str:
    if route == "size":
        return f"at size {', '.join(f'{_SIZE_WORDS.get(name, name)} = {size}' for name, size in sizes.items())}"
    return {
        "words": "every size, by words",
        "coordinates": "every dimension, since vectors span at most as many dimensions as there are",
        "products": "every dimension, from the inequality of Cauchy and Schwarz",
        "determinants": "every dimension, from the inequality of Cauchy and Schwarz and determinants of inner products",
        "entries": "every size, since matrices are vectors of their entries",
        "eigenvalue": "every dimension, since the claim is a sum over eigenvalues",
        "eigenvalues": "every dimension, since as many eigenvalues as forms give the same values",
    }[route]


def _vectors(statement: Statement, point: Mapping[str, str]) -> dict[str, str]:
    """A point in coordinates with the vectors and matrices written as such."""
    shown = dict(point)
    for letter in [key for key in statement.variables if isinstance(key, MatrixSymbol)]:
        entries = re.compile(rf"{re.escape(letter.name)}((_\d+)*)")
        own = {key: shown.pop(key) for key in list(shown) if entries.fullmatch(key)}
        if own:
            shown[letter.name] = _written(own)
    return shown


def _written(own: Mapping[str, str]) -> str:
    places = {key: tuple(int(part) for part in key.split("_")[1:] if part.isdigit()) for key in own}
    if all(len(place) == 2 for place in places.values()) and any(place[1] > 1 for place in places.values()):
        entries = {place: own[key] for key, place in places.items()}
        height, width = (max(place[k] for place in entries) for k in (0, 1))
        rows = [[(i, j) if (i, j) in entries else (j, i) for j in range(1, width + 1)] for i in range(1, height + 1)]
        return "[" + "; ".join(", ".join(entries[place] for place in row) for row in rows) + "]"
    values = [own[key] for key in sorted(own, key=places.__getitem__)]
    return f"({', '.join(values)})"


def _is_about_matrices(statement: Statement) -> bool:
    """Whether a trajectory of vectors or matrices of any size is meant, and no function of a class moves it."""
    dynamics = statement.dynamics
    if dynamics is None or statement.speaks_of_functions:
        return False
    return all(isinstance(symbol, MatrixSymbol) for symbol in dynamics.state)
