"""The paper's entry in the library, its symbols, and the kinds of statements that its sections share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Interval, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.library import Paper
from theory.statements import Computation, Statement

paper = Paper(
    "associative_memory",
    title="Distributional associations versus in-context reasoning",
    bibtex="""@inproceedings{chen2025distributional,
  title = {Distributional Associations vs In-Context Reasoning: A Study of Feed-forward and Attention Layers},
  author = {Chen, Lei and Bruna, Joan and Bietti, Alberto},
  booktitle = {International Conference on Learning Representations},
  year = {2025},
}""",
)

N, T, ALPHA = Symbol("N"), Symbol("T"), Symbol("alpha")
"""Vocabulary size without the noise token, context length, noise level."""

TRIGGER, NOISE = "trigger", "noise"
"""The two tokens with a role of their own."""

C, E = Symbol("c"), Symbol("e")
"""The regime of every leading order: T = c N with c > 0 fixed, and e = 1/N tends to 0."""

NOISE_LEVEL = Interval.open(0, 1)
POSITIVE = Interval.open(0, oo)


def counted(
    procedure: str,
    then: Boolean,
    *,
    yields: tuple[str, ...],
    variables: Mapping[Symbol, Set] | None = None,
    given: tuple[Boolean, ...] = (),
    notes: str = "",
    **arguments: Any,
) -> Statement:
    """A statement whose symbols are counted by one of this paper's exact procedures."""
    computation = Computation(f"associative_memory.{procedure}", arguments, yields)
    return Statement(variables=variables or {}, given=given, then=then, computed=computation, notes=notes)


def experiment(
    procedure: str, then: Boolean, *, yields: tuple[str, ...], notes: str = "", **arguments: Any
) -> Statement:
    """A statement about what one of this paper's experiments measures."""
    computation = Computation(f"associative_memory.{procedure}", arguments, yields, exact=False)
    return Statement(then=then, computed=computation, notes=notes)
