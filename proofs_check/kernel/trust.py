"""What a theorem rests on beyond exact arithmetic, noted where it is used while a certificate is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any

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

    @classmethod
    def of(cls, certificate: Any) -> Strength:
        """What a certificate rests on: the weakest of its own kind and of all certificates inside it.

        >>> Strength.of({"kind": "induction", "obligations": [{"certificate": {"kind": "oracle"}}]})
        <Strength.ORACLE: 'oracle'>
        """
        found = cls.EXACT
        if isinstance(certificate, Mapping):
            kind = certificate.get("kind")
            found = _KINDS.get(kind, found) if isinstance(kind, str) else found
            return cls.weakest(found, *map(cls.of, certificate.values()))
        if isinstance(certificate, (list, tuple)):
            return cls.weakest(found, *map(cls.of, certificate))
        return found

    @classmethod
    def weakest(cls, *strengths: Strength) -> Strength:
        """The last of some strengths in the order of the list."""
        return max(strengths, key=list(cls).index)


_KINDS = {
    "coq": Strength.COQ,
    "cover": Strength.ENCLOSED,
    "enclosure": Strength.ENCLOSED,
    "zero": Strength.ENCLOSED,
    "oracle": Strength.ORACLE,
}
"""What certificates of a kind rest on by themselves; those of all others are exact."""


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


def attempted(shows: Callable[[], bool]) -> bool:
    """Whether an attempt succeeds; what it noted counts only then."""
    with recording() as noted:
        succeeded = shows()
    for name in noted if succeeded else ():
        rests_on(name)
    return succeeded


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
