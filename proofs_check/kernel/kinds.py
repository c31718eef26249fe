"""Where a certificate goes, and what it is evidence for: a counterexample never passes for a proof."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from theory.statements import Statement
from theory.temporal import AlmostEvery

_PROVERS = frozenset({
    "identity", "products", "lemma", "oracle", "cover", "series", "zero", "coq", "spaces", "tensors", "variation",
    "whole_numbers",
})  # fmt: skip
"""The kinds that can show a statement about numbers."""

_ENCLOSING = ("spaces", "families", "means", "after_every_number")
_REFUTES: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "point": lambda _: True,
    "existence": lambda _: True,
    "flow": lambda _: True,
    "zero": lambda certificate: certificate.get("claim") != "exists",
    "induction": lambda certificate: "refutation" in certificate,
    "series": lambda certificate: "point" in certificate,
    "enclosure": lambda certificate: certificate.get("truth") is False,
    "lasso": lambda certificate: not certificate.get("truth"),
    "potential": lambda certificate: "steps" in certificate,
    "matrix_motion": lambda certificate: "departs" in certificate,
    "classes": lambda certificate: "functions" in certificate,
    **dict.fromkeys(_ENCLOSING, lambda certificate: refutes(certificate.get("certificate") or {})),
    "enumerate": lambda certificate: certificate.get("claim") == "false",
    "structures": lambda certificate: certificate.get("rule") == "counterexample",
}


def kind_of(certificate: Mapping[str, Any] | None) -> str:
    """The name of the module that checks a certificate; empty where it names none."""
    kind = str(certificate.get("kind", "")).replace("-", "_") if isinstance(certificate, Mapping) else ""
    return kind if kind.isidentifier() else ""


def refutes(certificate: Mapping[str, Any]) -> bool:
    """Whether a certificate is meant as a counterexample, as its checker reads it.

    >>> refutes({"kind": "point", "point": []}), refutes({"kind": "products"})
    (True, False)
    """
    return _REFUTES.get(kind_of(certificate), lambda _: False)(certificate)


def is_for(kind: str, statement: Statement) -> bool:
    """Whether certificates of a kind can speak of a statement: what is random, indexed or a structure has one kind.

    >>> from sympy import Lt
    >>> is_for("means", Statement(then=Lt(0, 1, evaluate=False)))
    False
    """
    if statement.then.has(AlmostEvery) and kind != "induction":
        return False
    if statement.speaks_of_structures or kind == "structures":
        return statement.speaks_of_structures and kind == "structures"
    if statement.speaks_of_families and kind != "families":
        return False
    return (kind == "means") is bool(statement.noise)


def accepted(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the checker of its kind accepts a certificate, be it a proof or a counterexample."""
    if not is_for(kind_of(certificate), statement):
        return False
    checker = importlib.import_module(f"proofs_check.kernel.{kind_of(certificate)}")
    return bool(checker.check(statement, certificate))


def proves(statement: Statement, certificate: Mapping[str, Any] | None) -> bool:
    """Whether a certificate is a proof of a statement about numbers, and its checker accepts it."""
    if certificate is None or kind_of(certificate) not in _PROVERS or refutes(certificate):
        return False
    return accepted(statement, certificate)
