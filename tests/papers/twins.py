"""Twins of the statements of a paper: each is changed a little, and one of the changes must come out differently.

The first twin of a statement that is not refuted has one part of its conclusion made false: it must never be proved.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from mutations import OPPOSITE
from mutations import twins as mutants
from sympy import And, Basic, Eq, Function, Rational, false, sympify, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check import verify
from proofs_check.experiments import run as measure
from proofs_check.goals import goal_of
from proofs_check.verdict import Outcome, Verdict
from theory.library import premised, stated
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, Eventually, Scaling, negation

DEEP = os.environ.get("LEMMASCOPE_PROFILE") == "deep"
PATIENCE = 6
"""How many twins are tried before a statement counts as one that nothing changes."""

FALSE = ("one part false", "negated")
"""The twins of a true statement that are false, as long as its hypotheses can be met."""


def chosen(paper: str, *, every: int, proof_steps: int) -> list[str]:
    """The ids whose twins are judged: all of them in the deep profile, a regular sample otherwise."""
    ids = [entry.id for entry in stated(paper)]
    if DEEP:
        return ids
    claims, steps = [id_ for id_ in ids if "#" not in id_], [id_ for id_ in ids if "#" in id_]
    return claims[::every] + steps[::proof_steps]


def differs(id_: str) -> tuple[Verdict, dict[str, str]]:
    """The verdict on a statement, and the outcomes of its twins up to the first that comes out differently."""
    statement = premised(id_)
    if statement.computed is not None and not statement.computed.exact:
        measure(statement.computed.name, statement.computed.arguments)  # once, without the limits of an engine
    verdict = verify(statement, effort="quick")
    if verdict.outcome is Outcome.OPEN and verdict.engine == "enumerate" and verdict.coverage is None:
        pytest.skip(verdict.notes[0])  # nothing was computed, so that nothing can come out differently
    tried: dict[str, str] = {}
    for name, twin in _twins(statement, verdict):
        tried[name] = str(verify(twin, effort="quick").outcome)
        if tried[name] != str(verdict.outcome) or len(tried) == PATIENCE:
            break
    return verdict, tried


def assert_a_twin_differs(id_: str) -> None:
    """Some twin gets another outcome, and no twin that must be false is proved."""
    verdict, tried = differs(id_)
    if verdict.outcome is Outcome.OPEN and not set(tried.values()) & {"proved", "refuted", "vacuous"}:
        pytest.skip("undecided, and so are its twins")
    assert set(tried.values()) - {str(verdict.outcome)}, f"{id_} is {verdict.outcome}, and so are {', '.join(tried)}"
    if verdict.outcome not in (Outcome.REFUTED, Outcome.VACUOUS):
        assert "proved" not in {tried.get(name) for name in FALSE}


def has_a_twin(statement: Statement) -> bool:
    """Whether there is something to change in a statement, should it be true."""
    if relations(statement.then) or statement.then.has(Always, ConvergesTo, Scaling):
        return True
    return next(_twins(statement, Verdict(Outcome.PROVED)), None) is not None


def _twins(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, Statement]]:
    if verdict.outcome is Outcome.REFUTED:
        yield from _at_the_counterexample(statement, verdict)
    if verdict.outcome is Outcome.VACUOUS:
        yield from _without_hypotheses(statement)
    then = statement.then
    if verdict.outcome not in (Outcome.REFUTED, Outcome.VACUOUS):
        yield from _one_part_false(statement)
    elif isinstance(then, Always):
        yield "some time not", statement.but(then=Eventually(negation(then.args[0])))
    denied = Always(negation(then.args[0])) if isinstance(then, Always) else negation(then)
    if denied not in (true, false):
        yield "negated", statement.but(then=denied)
    if goal_of(statement) is not None:
        yield from mutants(statement)
    yield from _without_hypotheses(statement)


def _one_part_false(statement: Statement) -> Iterator[tuple[str, Statement]]:
    """Another number on the right of an equality, the opposite of another relation, another exponent or limit."""
    then = statement.then
    if isinstance(then, Scaling):
        yield "one part false", statement.but(then=Scaling(then.quantity, then.small, then.exponent + 1))
    elif limits := sorted(then.atoms(ConvergesTo), key=str):
        part = limits[0]
        elsewhere = ConvergesTo(part.quantity, *[[value + 1 for value in point] for point in part.points])
        yield "one part false", statement.but(then=then.xreplace({part: elsewhere}))
    elif parts := relations(then):
        part = min(parts, key=str)
        other = (
            Eq(part.lhs, _another(part.rhs), evaluate=False)
            if part.func is Eq
            else OPPOSITE[part.func](*part.args, evaluate=False)
        )
        yield "one part false", statement.but(then=then.xreplace({part: other}))


def _another(value: Basic) -> Basic:
    """Another number, or twice a matrix, which is another one unless it is zero for all that the statement is about."""
    return 2 * value if isinstance(value, MatrixExpr) else value + Rational(1, 7)


def relations(formula: Boolean) -> list[Relational]:
    """The relations that a conjunction joins; nothing for other formulas, where one part need not matter."""
    if isinstance(formula, Relational):
        return [formula]
    return [leaf for part in formula.args for leaf in relations(part)] if isinstance(formula, And) else []


def _at_the_counterexample(statement: Statement, verdict: Verdict) -> Iterator[tuple[str, Statement]]:
    """Where the counterexample lies the claim is false, so its negation is true there.

    Irrational coordinates are left free first, as the hypotheses mostly determine them from the rational ones.
    """
    named = dict(verdict.counterexample or {})
    then = statement.then
    for name in [name for name, value in named.items() if value == "u -> u"]:
        then = then.replace(Function(name), lambda u: u)
    values = {symbol: named[symbol.name] for symbol in statement.variables if symbol.name in named}
    rational = {symbol: Rational(value) for symbol, value in values.items() if _is_rational(value)}
    exact = {symbol: sympify(value) for symbol, value in values.items()}
    for name, known in (("rational", rational), ("exact", exact)):
        if known and all(value.is_algebraic for value in known.values()):
            there = tuple(Eq(symbol, value, evaluate=False) for symbol, value in known.items())
            yield (
                f"negated at the counterexample, {name}",
                statement.but(given=(*statement.given, *there), then=negation(then)),
            )


def _is_rational(text: str) -> bool:
    return text.lstrip("-").replace("/", "", 1).isdigit()


def _without_hypotheses(statement: Statement) -> Iterator[tuple[str, Statement]]:
    for place in range(len(statement.given)):
        yield f"without {place}", statement.but(given=statement.given[:place] + statement.given[place + 1 :])
