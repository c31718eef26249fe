"""The only place where theorems are made: a certificate is accepted for a claim about a statement, or it is not."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sympy import Lt

from proofs_check.kernel.kinds import is_for, kind_of, refutes
from proofs_check.kernel.trust import Strength, recording, strength_of
from theory.statements import Statement


class Sense(StrEnum):
    """What is claimed about a statement."""

    HOLDS = "proved"
    FAILS = "refuted"
    VACUOUS = "vacuous"


@dataclass(frozen=True)
class Theorem:
    """A statement holds, fails, or has contradictory hypotheses; made by `accept` alone.

    `premises` are the steps of a proof that it assumes, `trust` what else must be believed.
    """

    statement: Statement
    sense: Sense
    certificate: Mapping[str, Any]
    premises: tuple[str, ...]
    trust: tuple[str, ...]

    @property
    def strength(self) -> Strength:
        """How strongly it is known, from what it rests on."""
        return strength_of(self.trust)


@dataclass(frozen=True)
class Rejection:
    """Why a certificate shows nothing."""

    reason: str


def accept(statement: Statement, sense: Sense, certificate: Mapping[str, Any] | None) -> Theorem | Rejection:
    """The theorem that the certificate proves, or why there is none.

    >>> from sympy import Interval, Symbol
    >>> from theory.trees import encode
    >>> x = Symbol("x")
    >>> bold = Statement(variables={x: Interval(0, 1)}, then=x**2 > x)
    >>> half = {"kind": "point", "point": [[encode(x), encode(x / x / 2)]]}
    >>> accept(bold, Sense.FAILS, half).strength
    <Strength.EXACT: 'exact'>
    >>> accept(bold, Sense.HOLDS, half).reason
    'a counterexample is no proof'
    """
    if certificate is None:
        return Rejection("there is no certificate")
    kind = kind_of(certificate)
    if not kind:
        return Rejection("the certificate does not name its kind")
    if refutes(certificate) is not (sense is Sense.FAILS):
        return Rejection("a proof is no counterexample" if sense is Sense.FAILS else "a counterexample is no proof")
    claim = vacuity(statement) if sense is Sense.VACUOUS else statement
    if not is_for(kind, claim):
        return Rejection(f"certificates of the kind {kind} do not speak of such statements")
    with recording() as noted:
        try:
            checker = importlib.import_module(f"proofs_check.kernel.{kind}")
            accepted = bool(checker.check(claim, certificate))
        except (ModuleNotFoundError, AttributeError):
            return Rejection(f"no certificate is of the kind {kind}")
        except Exception as error:  # noqa: BLE001 - whatever a damaged certificate makes a library do, it proves nothing
            return Rejection(f"the certificate is damaged ({error})")
    if not accepted:
        return Rejection(f"rejected by {kind}")
    return Theorem(statement, sense, dict(certificate), statement.uses, tuple(noted))


def vacuity(statement: Statement) -> Statement:
    """The claim that the hypotheses contradict each other, with what a start in its domain and a noise say."""
    given = (*statement.given, *statement.begins, *(part for law in statement.noise.values() for part in law.necessary))
    return statement.but(given=given, dynamics=None, start={}, noise={}, computed=None, then=Lt(1, 0, evaluate=False))
