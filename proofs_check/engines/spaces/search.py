"""Vectors and matrices of every size: each translation into numbers that applies is given to the engines for numbers.

"Proved" and "refuted" are what the kernel makes of a translation that it carries out itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from sympy import MatrixSymbol

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.spaces import NAME
from proofs_check.kernel.spaces import NotTranslatedError, Translated, size_symbols, translation
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement

VERSION = 1
_DECIDERS = ("identity", "polynomial", "cover", "falsify")
_ROUTES = ("words", "coordinates", "eigenvalue")
_SMALL_SIZES = (1, 2)
_SIZE_WORDS = {"_d": "d"}


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Verdict | None:
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
    running = budget if budget.deadline < float("inf") else budget.start()
    best: Verdict | None = None
    for route, sizes, translated in _translations(statement):
        for name in _DECIDERS:
            if running.spent:
                return best
            share = replace(running, seconds=max(running.left / 3, 0.2)).start()
            answer = engine(name).decide(translated.about_numbers, share)
            if answer is None or (answer.decided and not _counts(answer, translated)):
                continue
            if answer.decided:
                return _lifted(statement, answer, route, sizes)
            if answer.outcome is Outcome.SAMPLED and best is None:
                best = answer.but(engine=NAME, coverage=f"{answer.coverage or 'points'} ({_said(route, sizes)})")
    return best


def _translations(statement: Statement) -> Iterator[tuple[str, dict[str, int], Translated]]:
    sizes = size_symbols(statement)
    small = [dict(zip(sizes, chosen, strict=True)) for chosen in product(_SMALL_SIZES, repeat=len(sizes))]
    for route, chosen in [*((route, {}) for route in _ROUTES), *(("size", chosen) for chosen in small)]:
        try:
            yield route, chosen, translation(statement, route, chosen)
        except (NotTranslatedError, LemmascopeError):
            continue


def _counts(answer: Verdict, translated: Translated) -> bool:
    return translated.is_exact if answer.outcome is Outcome.REFUTED else translated.is_general


def _lifted(statement: Statement, answer: Verdict, route: str, sizes: Mapping[str, int]) -> Verdict:
    certificate = {"kind": "spaces", "route": route, "sizes": dict(sizes), "certificate": answer.certificate}
    shown = None if answer.counterexample is None else _vectors(statement, answer.counterexample)
    return Verdict(
        answer.outcome, engine=NAME, counterexample=shown, certificate=certificate,
        notes=(*answer.notes, f"{_said(route, sizes)}, decided by {answer.engine}"),
    )  # fmt: skip


def _said(route: str, sizes: Mapping[str, int]) -> str:
    if route == "size":
        return f"at size {', '.join(f'{_SIZE_WORDS.get(name, name)} = {size}' for name, size in sizes.items())}"
    return {
        "words": "every size, by words",
        "coordinates": "every dimension, since vectors span at most as many dimensions as there are",
        "eigenvalue": "every dimension, since the claim is a sum over eigenvalues",
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
        rows: dict[int, list[str]] = {}
        for key in sorted(own, key=places.__getitem__):
            rows.setdefault(places[key][0], []).append(own[key])
        return "[" + "; ".join(", ".join(row) for row in rows.values()) + "]"
    values = [own[key] for key in sorted(own, key=places.__getitem__)]
    return f"({', '.join(values)})"
