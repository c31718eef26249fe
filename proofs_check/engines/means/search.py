"""Means over noise: the map of the moments is derived and given to the engines for motion and for numbers.

"Proved" and "refuted" are what the kernel makes of a map of the moments that it derives itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import load
from proofs_check.engines.means import NAME
from proofs_check.kernel.means import Moments, translation
from proofs_check.kernel.moments import NotClosedError
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.statements import Statement

VERSION = 2
_FOR_NUMBERS = ("identity", "polynomial", "cover", "falsify")
_FOR_MOTION = ("motion", "enclosure", "falsify")


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(_statement: Statement) -> None:
    """Load the engines that are asked in turn."""
    load()
    for name in (*_FOR_NUMBERS, *_FOR_MOTION):
        engine(name)


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement about means; refuse one whose moments do not close.

    >>> from sympy import Interval, Reals, Symbol
    >>> from theory import ConvergesTo, Expectation, Map, Noise
    >>> x, xi, x0, a = Symbol("x"), Symbol("xi"), Symbol("x0"), Symbol("a")
    >>> sgd = Statement(
    ...     variables={x0: Reals}, noise={xi: Noise(mean=0, variance=1)}, dynamics=Map((x,), (x / 2 + xi,)),
    ...     start={x: x0}, then=ConvergesTo(Expectation(x), 0))
    >>> str(decide(sgd, Budget.of("standard")).outcome)
    'proved'
    """
    if not statement.noise:
        return None
    try:
        moments = translation(statement)
    except NotClosedError as error:
        raise LemmascopeError(str(error)) from error
    running = budget.running
    best: Evidence | None = None
    for about in dict.fromkeys((moments.to_prove, moments.to_refute)):
        if about is None:
            continue
        for ask, name in _questions(about):
            if running.spent:
                return best
            answer = ask(about, running.share(name))
            if answer is None:
                continue
            if answer.decided:
                if _counts(answer, about, moments):
                    return _lifted(answer, moments)
                break
            if answer.outcome is Outcome.SAMPLED and best is None:
                best = answer.but(engine=NAME, coverage=f"{answer.coverage or 'points'} (of the map of the moments)")
        if _same(moments):
            break
    return best


def _questions(about: Statement) -> Iterator[tuple[Callable[[Statement, Budget], Evidence | None], str]]:
    if about.dynamics is not None:
        yield engine("motion").prove_alone, "means, proof of the moments"
    for name in _FOR_NUMBERS if about.dynamics is None else _FOR_MOTION:
        yield engine(name).decide, "means, another engine"


def _counts(answer: Evidence, about: Statement, moments: Moments) -> bool:
    if answer.outcome is Outcome.REFUTED:
        return about is moments.to_refute or (about is moments.to_prove and _same(moments))
    return answer.outcome is Outcome.PROVED and about is moments.to_prove


def _same(moments: Moments) -> bool:
    return moments.to_refute is not None and moments.to_prove.given == moments.to_refute.given


def _lifted(answer: Evidence, moments: Moments) -> Evidence:
    told = ", ".join(f"E[{text}]" for text in moments.names.values())
    how = f"the moments {told} close" if told else "means of polynomials in the noise"
    return Evidence(
        answer.outcome, engine=NAME, counterexample=answer.counterexample,
        certificate={"kind": "means", "certificate": answer.certificate},
        notes=(*answer.notes, f"{how}, decided by {answer.engine}"),
    )  # fmt: skip
