"""Which way a certificate points: a checker accepts a proof as well as a counterexample, and the two must not be mixed.

Arguments that rest on stored proofs of their parts ask here: a valid counterexample to a part is no proof of it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from theory.statements import Statement

Certificate = Mapping[str, Any]

_PROVERS = frozenset({"identity", "real", "sos", "cover", "series", "coq"})
"""The kinds that can show a statement about numbers."""

_REFUTES: dict[str, Callable[[Certificate], bool]] = {
    "point": lambda _: True,
    "existence": lambda _: True,
    "flow": lambda _: True,
    "zero": lambda certificate: certificate.get("claim") != "exists",
    "cover": lambda certificate: "counterexample" in certificate,
    "series": lambda certificate: "point" in certificate,
    "induction": lambda certificate: "refutation" in certificate,
    "lasso": lambda certificate: not certificate["truth"],
    "enclosure": lambda certificate: certificate["truth"] is False,
    "enumerate": lambda certificate: bool(certificate["claim"] == "false"),
}


def kind_of(certificate: Certificate | None) -> str:
    """The name of the checker that a certificate asks for.

    >>> kind_of({"kind": "cover"}), kind_of(None)
    ('cover', '')
    """
    return str((certificate or {}).get("kind", "")).replace("-", "_")


def refutes(certificate: Certificate) -> bool:
    """Whether a certificate, if its checker accepts it, shows that a statement is false.

    >>> refutes({"kind": "cover", "counterexample": {}}), refutes({"kind": "cover", "argument": ""})
    (True, False)
    """
    way = _REFUTES.get(kind_of(certificate))
    return way is not None and way(certificate)


def proves(statement: Statement, certificate: Certificate | None) -> bool:
    """Whether a stored certificate is a proof of a statement about numbers that its checker accepts."""
    kind = kind_of(certificate)
    if certificate is None or kind not in _PROVERS or refutes(certificate):
        return False
    return bool(importlib.import_module(f"proofs_check.checkers.{kind}").check(statement, certificate))
