"""Every statement has a twin that comes out differently: negated, shifted, flipped, or fixed at the counterexample.

The quick profile takes one statement in fifteen, the deep profile all of them.
"""

from __future__ import annotations

import pytest
from sympy import Eq, Ge, Gt, Le, Lt, Ne, Rational, Symbol
from sympy.core.relational import Relational

from proofs_check import verify
from proofs_check.verdict import Outcome, Verdict
from theory.library import find
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, Scaling, negation

SHIFT = Rational(1, 7)
FLIPPED = {Lt: Ge, Le: Gt, Gt: Le, Ge: Lt, Ne: Eq}


def changed(relation: Relational) -> Relational:
    """Another number on the right of an equality, the opposite of any other relation."""
    if relation.func is Eq:
        return Eq(relation.lhs, relation.rhs + SHIFT, evaluate=False)
    return FLIPPED[relation.func](*relation.args, evaluate=False)


def twin(statement: Statement) -> Statement:
    """One part of the conclusion made false."""
    then = statement.then
    if isinstance(then, Scaling):
        return statement.but(then=Scaling(then.quantity, then.small, then.exponent + 1))
    if isinstance(then, ConvergesTo):
        return statement.but(then=ConvergesTo(then.args[0], then.args[1] + 1))
    if isinstance(then, Always):
        return statement.but(then=Always(negation(then.args[0])))
    relation = min(then.atoms(Relational), key=str)
    return statement.but(then=then.xreplace({relation: changed(relation)}))


def at_counterexample(statement: Statement, verdict: Verdict) -> Statement:
    """The negated conclusion at the point that refuted the statement, which is given by its coordinates."""
    pinned = [Eq(Symbol(name), Rational(value)) for name, value in (verdict.counterexample or {}).items()]
    return statement.but(given=(*statement.given, *pinned), then=negation(statement.then))


CASES = [
    pytest.param(entry.id, marks=[] if place % 15 == 0 else pytest.mark.slow)
    for place, entry in enumerate(find("saddle_to_saddle/*"))
]


@pytest.mark.parametrize("id_", CASES)
def test_the_twin_comes_out_differently(id_: str) -> None:
    (entry,) = find(id_)
    statement = entry.statement()
    verdict = verify(statement, effort="standard")
    if statement.computed is not None:
        other = statement.but(then=negation(statement.then))
    elif verdict.outcome is Outcome.REFUTED and statement.dynamics is None:
        other = at_counterexample(statement, verdict)
    else:
        other = twin(statement)
    found = verify(other, effort="quick").outcome
    assert verdict.outcome in (Outcome.PROVED, Outcome.REFUTED, Outcome.SAMPLED, Outcome.OPEN)
    assert found is not verdict.outcome
    assert (found is Outcome.PROVED) <= (verdict.outcome is Outcome.REFUTED)
