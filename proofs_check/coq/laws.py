"""Laws O(e^k) of rational quantities, as Coq theorems with their proofs: a constant and a reach exist.

The quantity is e^k times a quotient that is continuous at 0, so it is bounded near 0 by the prelude's lemma.
"""

from __future__ import annotations

import sympy as sp

from proofs_check.coq.language import AND, Names, NotCoqError, proposition, term, values_of
from proofs_check.coq.scripts import framed
from proofs_check.goals import Goal, domains
from proofs_check.kernel.coq import law_of
from theory.polynomials import NotPolynomialError, Ring
from theory.statements import Statement
from theory.temporal import Scaling, is_plain

_LONGEST = 400
"""Terms of a numerator above which Coq takes too long."""

_SMALL, _SIZE = "small", "size"


def law_script(statement: Statement) -> str:
    """A Coq file for a statement that is one such law; NotCoqError for all others.

    >>> from sympy import S, Symbol
    >>> from theory.temporal import Scaling
    >>> e = Symbol("e")
    >>> text = law_script(Statement(variables={e: S.Reals}, then=Scaling(e**2 / (1 + e), e, 1, "at most")))
    >>> text.splitlines()[3].partition(" /\\\\ ")[0]
    'Theorem goal : exists size reach : R, 0 < reach'
    """
    law = law_of(statement)
    if law is None:
        raise NotCoqError("of local statements only laws O(e^k) are exported")
    others = {symbol: domain for symbol, domain in domains(statement).items() if symbol != law.small}
    given = tuple(one for one in statement.hypotheses if is_plain(one) and one != sp.true and not one.has(law.small))
    names = Names(Goal(others, given, sp.true), bound={law.small: _SMALL})
    above, below = _divided(law)
    conditions = [f"({proposition(part, names)})" for part in values_of((law.quantity,))]
    known = AND.join(conditions) or "True"
    known = f"({known})" if len(conditions) > 1 else known
    quantity, rest = term(law.quantity, names), term(below, names)
    law_text = rf"{known} /\ (Rabs {quantity} <= {_SIZE} * {_SMALL} ^ {law.exponent})"
    theorem = (
        rf"exists {_SIZE} reach : R, 0 < reach /\ (forall {_SMALL} : R, 0 < {_SMALL} -> {_SMALL} < reach -> {law_text})"
    )
    theorem = "".join(f"({proposition(part, names)}) -> " for part in given) + theorem
    if others:
        theorem = f"forall ({' '.join(names)} : R), {theorem}"
    functions = [f"(fun {_SMALL} : R => {text})" for text in (known, quantity, f"{term(above, names)} / {rest}", rest)]
    return framed(theorem, ["intros.", f"ls_scaling {' '.join(functions)} {law.exponent}%nat."])


def _divided(law: Scaling) -> tuple[sp.Expr, sp.Expr]:
    """Numerator and denominator of the quantity divided by the power, the latter in factors and not 0 at 0."""
    ring = Ring((law.small, *sorted(law.quantity.free_symbols - {law.small}, key=str)))
    try:
        fraction = ring.fraction(law.quantity / law.small**law.exponent)
    except NotPolynomialError as error:
        raise NotCoqError("laws are exported for rational quantities") from error
    if len(list(fraction.numerator.terms())) > _LONGEST:
        raise NotCoqError("the quantity is too long")
    below = sp.Mul(*(ring.expression(factor) ** power for factor, power in ring.factors(fraction.denominator)))
    if below.subs(law.small, 0) == 0:
        raise NotCoqError("the quantity divided by the power has no limit at 0")
    scale = fraction.denominator.leading_coefficient() / ring.polynomial(below).leading_coefficient()
    return ring.expression(fraction.numerator) / sp.Rational(str(scale)), below
