"""Slopes lead to true signs on boxes in several variables: proofs are accepted, near misses and tampering are not."""

import json
import random

import pytest
from flint import arb, ctx, fmpq
from sympy import (
    Abs,
    And,
    E,
    Ei,
    Expr,
    Implies,
    Interval,
    LambertW,
    Max,
    Min,
    Rational,
    Symbol,
    acos,
    asin,
    asinh,
    atan,
    cos,
    cosh,
    erf,
    exp,
    log,
    oo,
    pi,
    sech,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from numerics.ball_gradient import compile_ball_gradient
from proofs_check.budget import Budget
from proofs_check.engines.cover import search as ball
from proofs_check.engines.cover.charts import State
from proofs_check.engines.cover.direct import search
from proofs_check.engines.cover.goals import packed
from proofs_check.kernel import cover, kinds
from proofs_check.kernel.formula_trees import normal_form, unfolded
from proofs_check.verdict import Outcome
from theory.statements import Statement

x, y, z, w = (Symbol(name) for name in "xyzw")
UNIT, HALF_OPEN = Interval(0, 1), Interval.Lopen(0, 1)
TENTHS = Interval(Rational(1, 10), Rational(7, 10))
BUDGET = Budget("test", 20, 100, 20_000)

TRUE = {
    "four variables": (
        {x: UNIT, y: UNIT, z: TENTHS, w: TENTHS},
        (),
        x * y * z + exp(-w) * z - x * w <= Rational(13, 10),
    ),
    "corner with ends that are not binary": (
        {x: TENTHS, y: TENTHS},
        (),
        x * exp(y) <= Rational(7, 10) * exp(Rational(7, 10)),
    ),
    "zero on a whole edge": ({x: UNIT, y: UNIT, z: UNIT}, (), x * y + z * x**2 >= 0),
    "slope that vanishes on a face": ({x: UNIT, y: TENTHS}, (), 1 - cos(x) * exp(-(x**2) * y) >= 0),
    "zero inside a side": ({x: Interval(Rational(-1, 3), Rational(1, 7)), y: TENTHS}, (), cosh(x * y) + x**2 >= 1),
    "corner that is not attained": ({x: HALF_OPEN, y: HALF_OPEN}, (), x + sin(y) > 0),
    "irrational end": ({x: Interval(0, pi / 2), y: TENTHS}, (), sin(x) * y <= Rational(7, 10)),
    "hypothesis that cuts": ({x: UNIT, y: UNIT}, (x + y <= 1,), x * exp(y) <= 1),
    "absolute value": ({x: UNIT, y: UNIT}, (), Abs(sin(x) - y) <= 1),
    "maximum": ({x: UNIT, y: UNIT}, (), Max(x, y) + 1 >= Min(x, y)),
    "repeated hypothesis": ({x: UNIT, y: UNIT}, (), Implies(sin(x) * y <= x, And(sin(x) * y <= x, x + y <= 2))),
    "zero where a product is 1": (
        {x: Interval.open(0, oo), y: Interval.open(0, oo)},
        (x * y > 1, x * y <= Rational(3, 2), y - x >= Rational(1, 4), y - x <= Rational(1, 2)),
        exp(1 - x * y) * (1 + (x - y) ** 2 * (x * y - 1)) < 1,
    ),
    "unbounded": (
        {x: Interval.open(0, oo), y: Interval.open(0, oo)},
        (x * y <= 2, y - x >= Rational(1, 3), y - x <= Rational(2, 3)),
        x * exp(-y) < 1,
    ),
}

FALSE = {
    "shifted past the best constant": (
        {x: TENTHS, y: TENTHS}, (), x * exp(y) <= Rational(7, 10) * exp(Rational(7, 10)) - Rational(1, 10**12)
    ),
    "strict at an attained corner": ({x: UNIT, y: UNIT}, (), x + sin(y) > 0),
    "strict on an edge": ({x: UNIT, y: UNIT, z: UNIT}, (), x * y + z * x**2 > 0),
    "flipped": ({x: UNIT, y: TENTHS}, (), 1 - cos(x) * exp(-(x**2) * y) <= 0),
    "without the hypothesis that cuts": ({x: UNIT, y: UNIT}, (), x * exp(y) <= 1),
    "end that is attained": ({x: UNIT, y: TENTHS}, (), cosh(x * y) > 1),
    "changed sign": ({x: Interval(Rational(-1, 3), Rational(1, 7)), y: TENTHS}, (), cosh(x * y) - x**2 >= 1),
    "narrow peak": ({x: UNIT, y: UNIT}, (), exp(-9999 * ((x - Rational(1, 3)) ** 2 + (y - Rational(1, 7)) ** 2)) < 1),
    "absolute value past its bound": ({x: UNIT, y: UNIT}, (), Abs(sin(x) - y) < 1),
    "product that may be below 1": (
        {x: Interval.open(0, oo), y: Interval.open(0, oo)},
        (x * y <= Rational(3, 2), y - x >= Rational(1, 4), y - x <= Rational(1, 2)),
        exp(1 - x * y) * (1 + (x - y) ** 2 * (x * y - 1)) < 1,
    ),
    "product that may be 1": (
        {x: Interval.open(0, oo), y: Interval.open(0, oo)},
        (x * y >= 1, x * y <= Rational(3, 2), y - x >= Rational(1, 4), y - x <= Rational(1, 2)),
        exp(1 - x * y) * (1 + (x - y) ** 2 * (x * y - 1)) < 1,
    ),
    "unbounded without its bound": (
        {x: Interval.open(0, oo), y: Interval.open(0, oo)}, (y - x >= Rational(1, 3),), x * y <= 100
    ),
    "implication with a weaker premise": ({x: UNIT, y: UNIT}, (), Implies(sin(x) * y <= x, sin(x) * y < x)),
}  # fmt: skip


def stated(case):
    variables, given, claim = case
    return Statement(variables=variables, given=given, then=claim)


@pytest.mark.parametrize("case", TRUE.values(), ids=TRUE)
def test_true_statements_are_proved_and_the_proof_is_accepted(case):
    statement = stated(case)
    verdict = ball.decide(statement, BUDGET)
    assert verdict is not None
    assert verdict.outcome is Outcome.PROVED
    assert kinds.accepted(statement, json.loads(json.dumps(verdict.certificate)))


@pytest.mark.parametrize("case", FALSE.values(), ids=FALSE)
def test_near_misses_are_not_proved(case):
    statement = stated(case)
    verdict = ball.decide(statement, Budget("test", 3, 100, 5_000))
    assert verdict is None or verdict.outcome is Outcome.REFUTED
    if verdict is not None:
        assert kinds.accepted(statement, verdict.certificate)


def accepted(statement, certificate):
    """What a replay says: a certificate that does not even fit raises."""
    try:
        return cover.check(statement, certificate)
    except (ValueError, KeyError, IndexError, TypeError):
        return False


@pytest.mark.parametrize("name", ["corner with ends that are not binary", "zero on a whole edge", "four variables"])
def test_a_proof_does_not_fit_a_false_twin(name):
    variables, given, claim = TRUE[name]
    certificate = ball.decide(stated(TRUE[name]), BUDGET).certificate
    stricter = claim.func(
        claim.lhs, claim.rhs - Rational(1, 4) if claim.gts == claim.rhs else claim.rhs + Rational(1, 4)
    )
    wider = {symbol: Interval(-1, 2) for symbol in variables}
    assert not accepted(Statement(variables=variables, given=given, then=stricter), certificate)
    assert not accepted(Statement(variables=wider, given=given, then=claim), certificate)


@pytest.mark.parametrize(
    "name", ["slope that vanishes on a face", "corner that is not attained", "unbounded", "zero where a product is 1"]
)
def test_a_tampered_proof_is_rejected(name):
    statement = stated(TRUE[name])
    certificate = ball.decide(statement, BUDGET).certificate
    argument = cover.unpacked(certificate["argument"])
    found = _covers(argument)
    assert found
    for step in found:
        if isinstance(step["tree"][0], list):
            kept, step["tree"] = step["tree"], step["tree"][:-1]
            assert not accepted(statement, {"kind": "cover", "argument": packed(argument)})
            step["tree"] = kept
        for reason in step["reasons"]:
            place, signs, walk = reason[0]
            if walk[0] == "c" and walk[1]:
                reason[0] = [place, signs, ["c", [[axis, 1 - up, *why] for axis, up, *why in walk[1]], "z"]]
                twisted = {"kind": "cover", "argument": packed(argument)}
                assert not accepted(_weakest(statement), twisted)
                reason[0] = [place, signs, walk]


def _weakest(statement):
    """The twin whose conclusion is never true, so that only the sign arguments could save the certificate."""
    claim = statement.then
    far = claim.func(claim.lhs, claim.rhs + 100) if claim.gts == claim.lhs else claim.func(claim.lhs, claim.rhs - 100)
    return statement.but(then=far)


def _covers(step):
    if isinstance(step, list):
        return [found for part in step for found in _covers(part)]
    if not isinstance(step, dict):
        return []
    here = [step] if step.get("do") == "cover" else []
    return here + _covers(step.get("parts", []))


FORMULAS: list[Expr] = [
    x**3 * y - x / y,
    sqrt(x + y) * log(x) / (1 + y**2),
    exp(-x * y) * sin(x) * cos(y),
    tan(x / 3) + atan(x * y) - asinh(y),
    sinh(x) * cosh(y) - tanh(x * y) * sech(y),
    asin(x / 3) - acos(y / 4),
    erf(x) * Ei(y),
    LambertW(x * y),
    x**y + (x + 1) ** Rational(5, 3),
]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
def test_slopes_are_those_of_sympy_and_hold_on_boxes(formula):
    kernel = compile_ball_gradient(formula, [x, y])
    second = compile_ball_gradient(formula, [x, y], along=0)
    exact = [formula, formula.diff(x), formula.diff(y), formula.diff(x, x), formula.diff(x, y)]
    generator = random.Random(0)  # noqa: S311
    previous, ctx.prec = ctx.prec, 128
    try:
        for _ in range(4):
            at = {v: Rational(generator.randint(30, 200), 100) for v in (x, y)}
            balls = [arb(fmpq(int(q.p), int(q.q))) for q in at.values()]
            wanted = [arb(str(part.subs(at).evalf(40)), 1e-30) for part in exact]
            for point in (balls, [arb(one.mid(), 0.05) for one in balls]):
                found = (*kernel(*point), *second(*point)[1:])
                assert all(not one.is_finite() or one.overlaps(other) for one, other in zip(found, wanted, strict=True))
            assert all(one.is_finite() and one.rad() < 1e-20 for one in kernel(*balls))
    finally:
        ctx.prec = previous


def test_a_hopeless_search_is_given_up_early():
    claim = (x - y) ** 2 + (sin(z) - sin(w)) ** 2 > Rational(1, 10**7)
    state = State((x, y, z, w), normal_form(unfolded(~claim)), dict.fromkeys((x, y, z, w), (0.0, 1.0)))
    shifted = State(state.variables, normal_form(~(claim & (x * E > -1))), state.sides)
    for one in (state, shifted):
        budget = Budget("test", 4, 100, 10**7).start()
        found = search(one, budget)
        assert found is not None
        assert not found.search.complete
        assert found.search.candidate is not None or budget.left > 1


def test_the_interval_table_is_recomputed():
    """One row as printed is refuted by a point, its true image is proved, and both are accepted."""
    from theory.edge_of_stability import paper

    rows = {entry.id.split("#")[-1]: entry for entry in paper.entries if entry.id.endswith(("#i48", "#i48.corrected"))}
    printed, corrected = rows["i48"].statement(), rows["i48.corrected"].statement()
    refuted, proved = ball.decide(printed, BUDGET), ball.decide(corrected, BUDGET)
    assert refuted.outcome is Outcome.REFUTED
    assert kinds.accepted(printed, refuted.certificate)
    assert proved.outcome is Outcome.PROVED
    assert kinds.accepted(corrected, proved.certificate)
    assert proved.cases < 1000
