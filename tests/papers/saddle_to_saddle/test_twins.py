"""Every statement has a twin that comes out differently: negated, shifted, flipped, or fixed at the counterexample.

The quick profile takes one statement in fifteen, the deep profile all of them.
"""

from __future__ import annotations

import pytest
from sympy import Eq, Function, Ge, Gt, Le, Lt, Ne, Rational, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check import verify
from proofs_check.experiments import run
from proofs_check.verdict import Outcome, Verdict
from theory.library import find
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, Eventually, Scaling, negation

SHIFT = Rational(1, 7)
FLIPPED = {Lt: Ge, Le: Gt, Gt: Le, Ge: Lt, Ne: Eq}


def changed(relation: Relational) -> Relational:
    """Another number on the right of an equality, the opposite of any other relation."""
    if relation.func is Eq:
        return Eq(relation.lhs, relation.rhs + SHIFT, evaluate=False)
    return FLIPPED[relation.func](*relation.args, evaluate=False)


def twin(statement: Statement, verdict: Verdict) -> Statement:
    """One part of the conclusion made false; for a refuted path the opposite claim, for a vacuous one less given."""
    then = statement.then
    if isinstance(then, Always) and verdict.outcome is Outcome.REFUTED:
        return statement.but(then=Eventually(negation(then.args[0])))
    if isinstance(then, Scaling):
        return statement.but(then=Scaling(then.quantity, then.small, then.exponent + 1))
    if isinstance(then, ConvergesTo):
        return statement.but(then=ConvergesTo(*then.args[0], *[limit + 1 for limit in then.args[1]]))
    if isinstance(then, Always):
        return statement.but(then=Always(negation(then.args[0])))
    if verdict.outcome is Outcome.VACUOUS:
        return statement.but(given=statement.given[:-1])
    relation = min(relations(then), key=str)
    return statement.but(then=then.xreplace({relation: changed(relation)}))


def relations(formula: Boolean) -> list[Relational]:
    """The relations that a formula joins, not those inside case distinctions."""
    return [formula] if isinstance(formula, Relational) else [leaf for part in formula.args for leaf in relations(part)]


def at_counterexample(statement: Statement, verdict: Verdict) -> Statement:
    """The negated conclusion at the point that refuted the statement, which is given by its coordinates."""
    values = dict(verdict.counterexample or {})
    then = statement.then
    for name in [name for name, value in values.items() if value == "u -> u"]:
        then = then.replace(Function(name), lambda u: u)
        del values[name]
    pinned = [Eq(Symbol(name), Rational(value)) for name, value in values.items()]
    return statement.but(given=(*statement.given, *pinned), then=negation(then))


CASES = [
    pytest.param(entry.id, marks=[] if place % 15 == 0 else pytest.mark.slow)
    for place, entry in enumerate(find("saddle_to_saddle/*"))
]


@pytest.mark.parametrize("id_", CASES)
def test_the_twin_comes_out_differently(id_: str) -> None:
    (entry,) = find(id_)
    statement = entry.statement()
    if statement.computed is not None and not statement.computed.exact:
        # measured once, here; the verdicts on claim and twin look it up
        run(statement.computed.name, statement.computed.arguments)
    verdict = verify(statement, effort="standard")
    if statement.computed is not None:
        other = statement.but(then=negation(statement.then))
    elif verdict.outcome is Outcome.REFUTED and statement.dynamics is None:
        other = at_counterexample(statement, verdict)
    else:
        other = twin(statement, verdict)
    found = verify(other, effort="quick").outcome
    assert found is not verdict.outcome
    assert (found is Outcome.PROVED) <= (verdict.outcome in (Outcome.REFUTED, Outcome.VACUOUS))
