"""Means to moments: the statement without chance that says the same, for all that draws, simulates or derives."""

from __future__ import annotations

from proofs_check.kernel.means import translation
from proofs_check.kernel.moments import NotClosedError
from theory.errors import LemmascopeError
from theory.statements import Statement


def without_noise(statement: Statement) -> Statement:
    """The statement about the moments of one with noise; any other as it is.

    >>> from sympy import Reals, Symbol
    >>> from theory import Always, Expectation, Map, Noise
    >>> x, x0, xi = Symbol("x"), Symbol("x0"), Symbol("xi")
    >>> walk = Statement(variables={x0: Reals}, noise={xi: Noise(mean=0, variance=2)}, start={x: x0},
    ...     dynamics=Map((x,), (x / 2 + xi,)), then=Always(Expectation(x**2) >= 0))
    >>> without_noise(walk).dynamics.update
    (E_x2/4 + 2,)
    """
    if not statement.noise:
        return statement
    try:
        return translation(statement).to_prove.but(id=statement.id, title=statement.title)
    except NotClosedError as error:
        raise LemmascopeError(str(error)) from error
