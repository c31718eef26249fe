"""What a theorem rests on beyond exact arithmetic, noted where it is used while a certificate is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum

BALLS = "flint"
SOLVERS = "z3+cvc5"
COQ = "coqc"

_noted: ContextVar[dict[str, None] | None] = ContextVar("noted", default=None)


class Strength(StrEnum):
    """How strongly a decision is known, strongest first."""

    COQ = "coq"
    EXACT = "exact"
    ENCLOSED = "enclosed"
    ORACLE = "oracle"


_STEP = "step "


def step_named(tag: str) -> str:
    """How trust names a step of a proof, or another statement, that is assumed.

    >>> assumed((step_named("b.6"), "flint"))
    ['b.6']
    """
    return f"{_STEP}{tag}"


def assumed(trust: Iterable[str]) -> list[str]:
    """The tags of the steps that trust names."""
    return [name.removeprefix(_STEP) for name in trust if name.startswith(_STEP)]


def rests_on(name: str) -> None:
    """Note that the certificate being checked needs something to be believed."""
    noted = _noted.get()
    if noted is not None:
        noted[name] = None


@contextmanager
def recording() -> Iterator[dict[str, None]]:
    """What is noted inside, in the order of first use."""
    noted: dict[str, None] = {}
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def strength_of(trust: Iterable[str]) -> Strength:
    """The strength of what rests on all of these.

    >>> str(strength_of(["LaSalle"])), str(strength_of(["flint", "z3+cvc5"]))
    ('exact', 'oracle')
    """
    names = set(trust)
    if SOLVERS in names:
        return Strength.ORACLE
    if COQ in names:
        return Strength.COQ
    return Strength.ENCLOSED if BALLS in names else Strength.EXACT
