"""Ways of knowing, one package each: its `search.decide(statement, budget)` returns Evidence, or None for silence."""

from __future__ import annotations

import importlib
from types import ModuleType

from sympy import Abs, Function, Mod, Piecewise, Product, Sum, factorial, sign
from sympy.core.function import AppliedUndef

from theory.statements import Statement

ENGINES = (
    "identity",
    "polynomial",
    "cover",
    "variation",
    "whole",
    "asymptotics",
    "chaining",
    "motion",
    "enclosure",
    "enumerate",
    "spaces",
    "classes",
    "means",
    "families",
    "structures",
    "falsify",
    "barriers",
)
"""Cheapest and strongest first."""


def order(statement: Statement) -> tuple[str, ...]:
    """The engines in the order in which they are asked: slopes and balls first where there are other functions.

    >>> from sympy import Reals, Symbol, exp
    >>> x = Symbol("x")
    >>> [order(Statement(variables={x: Reals}, then=then))[1] for then in (x**2 >= 0, exp(x) > x)]
    ['polynomial', 'variation']
    """
    if statement.speaks_of_structures:
        return ("structures",)
    if statement.speaks_of_families:
        return ("families",)
    if statement.noise:
        return ("means",)
    if statement.speaks_of_functions:
        return ("classes",)
    if statement.speaks_of_spaces:
        return ("spaces",)
    if statement.then.has(Sum, Product, factorial, Mod):
        first = ("identity", "whole", "families")
        return (*first, *(name for name in ENGINES if name not in first))
    functions = statement.then.atoms(Function) - statement.then.atoms(Abs, AppliedUndef, Piecewise, sign)
    if not functions:
        return ENGINES
    others = tuple(name for name in ENGINES if name not in ("identity", "cover", "variation"))
    return ("identity", "variation", "cover", *others)


def in_turn(statement: Statement) -> tuple[str, ...]:
    """The order of asking, with the search for counterexamples first where a glance at some points shows a violation.

    >>> from sympy import Reals, Symbol, exp
    >>> x = Symbol("x")
    >>> [in_turn(Statement(variables={x: Reals}, then=then))[0] for then in (exp(x) > x, exp(x) > x + 1)]
    ['identity', 'identity']
    >>> in_turn(Statement(variables={x: Reals}, then=exp(x) > x + 2))[0]
    'falsify'
    """
    names = order(statement)
    if "falsify" not in names or missing("falsify") is not None or not engine("falsify").looks_false(statement):
        return names
    return ("falsify", *(name for name in names if name != "falsify"))


def engine(name: str) -> ModuleType:
    """The searching module of an engine: VERSION, `decide(statement, budget)`.

    Provers also have `prove(goal, budget)`; what has much to load has `prepare(statement)`, which costs no budget;
    what computes in several processes at once says PROCESSES, what proves many PARTS gets so many times as long when it
    is asked again, and what cannot be cut short says how much LONGER it may take.
    """
    return importlib.import_module(f"proofs_check.engines.{name}.search")


def card(name: str) -> ModuleType:
    """What an engine says of itself: NAME, ABOUT (why it can be believed) and RESTS_ON (the software to cite).

    >>> card("enclosure").ABOUT
    'trajectories followed with rigorous error bounds'
    """
    return importlib.import_module(f"proofs_check.engines.{name}")


def missing(name: str) -> str | None:
    """One sentence that says what to install when an engine cannot run here, else None."""
    try:
        module = engine(name)
    except ImportError as error:
        return f"the engine {name} needs {error.name}: install it with `pip install lemmascope[all]`"
    absent = getattr(module, "missing", None)
    return None if absent is None else absent()
