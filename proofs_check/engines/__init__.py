"""Ways of knowing, one package each: its `search.decide(statement, budget)` returns a Verdict, or None for silence."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from sympy import Abs, Function, Piecewise, sign
from sympy.core.function import AppliedUndef

from theory.statements import Statement

sys.set_int_max_str_digits(0)  # exact numbers may be long, and a limit would be a crash in the middle of a proof

ENGINES = (
    "identity",
    "polynomial",
    "cover",
    "asymptotics",
    "motion",
    "enclosure",
    "enumerate",
    "spaces",
    "classes",
    "falsify",
)
"""Cheapest and strongest first."""


def order(statement: Statement) -> tuple[str, ...]:
    """The engines in the order in which they are asked: balls before polynomials where there are other functions.

    >>> from sympy import Reals, Symbol, exp
    >>> x = Symbol("x")
    >>> [order(Statement(variables={x: Reals}, then=then))[1] for then in (x**2 >= 0, exp(x) > x)]
    ['real', 'ball']
    """
    if statement.speaks_of_functions:
        return ("classes",)
    if statement.speaks_of_spaces:
        return ("spaces",)
    functions = statement.then.atoms(Function) - statement.then.atoms(Abs, AppliedUndef, Piecewise, sign)
    if not functions:
        return ENGINES
    others = tuple(name for name in ENGINES if name not in ("identity", "cover"))
    return ("identity", "cover", *others)


def engine(name: str) -> ModuleType:
    """The searching module of an engine: VERSION, `decide(statement, budget)`.

    Provers also have `prove(goal, budget)`; what has much to load has `prepare(statement)`, which costs no budget;
    what computes in several processes at once says PROCESSES, and what cannot be cut short says how much LONGER it may
    take.
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
