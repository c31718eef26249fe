"""The paper's entry in the library, and the two kinds of statements it needs besides plain relations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Expr, FiniteSet, Range, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory.dynamics import Map
from theory.library import Paper
from theory.statements import Computation, Statement
from theory.temporal import Always

paper = Paper(
    "graph_expressiveness",
    title="On graph neural networks versus graph-augmented multilayer perceptrons",
    bibtex="""@inproceedings{chen2021graph,
  title = {On Graph Neural Networks versus Graph-Augmented {MLP}s},
  author = {Chen, Lei and Chen, Zhengdao and Bruna, Joan},
  booktitle = {International Conference on Learning Representations},
  year = {2021},
}""",
)


def at_least(number: int) -> Range:
    """All whole numbers from this one on.

    >>> at_least(3)
    Range(3, oo, 1)
    """
    return Range(number, oo)


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
    computation = Computation(f"graph_expressiveness.{procedure}", arguments, yields)
    return Statement(variables=variables or {}, given=given, then=then, computed=computation, notes=notes)


def listed(procedure: str, then: Boolean, *, yields: tuple[str, ...], notes: str = "", **arguments: Any) -> Statement:
    """A statement about the listed sizes and no others: every argument with a list of values is a variable."""
    sizes = {Symbol(name): FiniteSet(*values) for name, values in arguments.items() if isinstance(values, list)}
    return counted(procedure, then, yields=yields, variables=sizes, notes=notes, **arguments)


def recursion(
    rules: Mapping[Symbol, Expr],
    start: Mapping[Symbol, Expr],
    always: Boolean,
    *,
    variables: Mapping[Symbol, Set] | None = None,
    notes: str = "",
) -> Statement:
    """A statement about every step of a recursion of numbers."""
    dynamics = Map(tuple(rules), tuple(rules.values()))
    return Statement(variables=variables or {}, dynamics=dynamics, start=start, then=Always(always), notes=notes)
