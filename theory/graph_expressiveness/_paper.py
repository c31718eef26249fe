"""The paper's entry in the library, and the two kinds of statements it needs besides plain relations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from sympy import And, Eq, Expr, FiniteSet, Implies, Naturals, Range, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from theory import short_forms
from theory.dynamics import Map
from theory.language.structure_words import colour
from theory.language.structures import Graphs, Nodes
from theory.library import Paper
from theory.statements import Statement
from theory.temporal import Always, ForAll

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


G, H, i, j = Symbol("G"), Symbol("H"), Symbol("i"), Symbol("j")


def two_rooted_graphs() -> dict[Symbol, Set]:
    """Two rooted graphs G[i] and H[j] of any sizes, whose nodes carry features from 1 to x."""
    n, h, x = Symbol("n"), Symbol("h"), Symbol("x")
    sizes = dict.fromkeys((n, h, x), Naturals)
    return {**sizes, G: Graphs(n, x), H: Graphs(h, x), i: Nodes(n), j: Nodes(h)}


def alike(rounds: Expr) -> Boolean:
    """Both roots have the same colour after some rounds: networks of this depth do not tell them apart."""
    return Eq(colour(G, i, rounds), colour(H, j, rounds))


def for_all(statement: Statement, *free: Symbol) -> Boolean:
    """A statement as one formula, for all values of its variables except the free ones.

    >>> for_all(Statement(variables={i: Naturals, j: Naturals}, given=(i > j,), then=i > 1), j)
    ForAll(i, Naturals, Implies(i > j, i > 1))
    """
    body: Boolean = Implies(And(*statement.given), statement.then) if statement.given else statement.conclusion
    for symbol in reversed([symbol for symbol in statement.variables if symbol not in free]):
        body = ForAll(symbol, statement.variables[symbol], body)
    return body


counted = partial(short_forms.counted, "graph_expressiveness")


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
