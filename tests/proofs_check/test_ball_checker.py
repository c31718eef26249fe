"""A cover proves only its own statement: damaged or borrowed certificates are rejected."""

import copy
import json

import pytest
from sympy import Implies, Interval, Rational, Symbol, exp, oo, sin

from proofs_check.budget import Budget
from proofs_check.engines.cover import search as ball
from proofs_check.engines.cover.goals import packed
from proofs_check.evidence.replay import check
from proofs_check.kernel.cover import unpacked
from theory.statements import Statement

x, y = Symbol("x"), Symbol("y")
PREMISED = Statement(
    variables={x: Interval(0, 1), y: Interval(0, 1)},
    given=(Implies((x >= 0) & (y >= 0) & (sin(x) >= y**2), exp(x) <= 2 + y),),
    then=exp(x) * (1 + y) > Rational(9, 10) * sin(x),
)
"""An implication whose premises come first, wherever SymPy would sort them."""
LEMMA = Statement(variables={x: Interval(0, 2), y: Interval(0, 2)}, then=sin(x) * exp(-y) < Rational(11, 10))
TANGENT = Statement(variables={x: Interval.open(0, oo)}, then=exp(x) > 1 + x)


def certificate_of(statement):
    return json.loads(json.dumps(ball.decide(statement, Budget.of("quick")).certificate))


def accepted(statement, certificate):
    return check(statement, certificate)[0] == "accepted"


def covers(argument):
    if argument["do"] == "cover":
        yield argument
    for part in argument.get("parts", ()):
        yield from covers(part)


def damaged(certificate, change):
    argument = copy.deepcopy(unpacked(certificate["argument"]))
    change(next(covers(argument)))
    return {**certificate, "argument": packed(argument)}


def test_the_intact_certificate_is_accepted():
    for statement in (LEMMA, TANGENT, PREMISED):
        assert accepted(statement, certificate_of(statement))


def test_a_sharper_statement_is_not_covered_by_the_certificate():
    certificate = certificate_of(LEMMA)
    assert not accepted(LEMMA.but(then=sin(x) * exp(-y) < Rational(99, 100)), certificate)
    assert not accepted(TANGENT.but(then=exp(x) > 1 + x + x**2), certificate_of(TANGENT))
    assert not accepted(TANGENT.but(variables={x: Interval(0, oo)}), certificate_of(TANGENT))


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.update(tree=c["tree"][:-1]),
        lambda c: c.update(high=[1.0] * len(c["high"])),
        lambda c: c.update(reasons=[[] for _ in c["reasons"]]),
        lambda c: c.update(tree=[[0, 5.0], 0, 0]),
        lambda c: c.update(tree=[0, 0]),
    ],
    ids=["leaf removed", "box shrunk", "no reasons", "cut outside", "leaf too many"],
)
@pytest.mark.parametrize("statement", [LEMMA, TANGENT], ids=["bounded", "unbounded"])
def test_damage_is_noticed(statement, change):
    assert not accepted(statement, damaged(certificate_of(statement), change))


def test_wrong_signs_are_noticed():
    def flip(data):
        data["reasons"] = [[[k, {1: 4, 4: 1}.get(mask, 2), why] for k, mask, why in rows] for rows in data["reasons"]]

    assert not accepted(TANGENT, damaged(certificate_of(TANGENT), flip))


def test_a_false_statement_cannot_borrow_a_point():
    refuted = Statement(variables={x: Interval(0, 1)}, then=sin(x) < x)
    certificate = certificate_of(refuted)
    assert accepted(refuted, certificate)
    assert not accepted(refuted.but(then=sin(x) <= x), certificate)
