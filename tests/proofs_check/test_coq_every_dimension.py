"""Vectors of every size, orbits and flows are Coq theorems, and what is false of them is refused."""

from __future__ import annotations

from functools import cache

import pytest
from sympy import Eq, Interval, Ne, Rational, S, exp, oo, symbols

from proofs_check.budget import Budget
from proofs_check.coq import confirm, process
from proofs_check.kernel import coq
from proofs_check.kernel.theorem import Sense, accept
from proofs_check.referee.judge import verify
from proofs_check.verdict import Outcome, Strength, Verdict
from theory import (
    Always,
    Decreasing,
    Flow,
    Map,
    Matrices,
    Statement,
    SymmetricMatrices,
    Vectors,
    inner,
    matrix,
    norm,
    vector,
)

needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")
X, Y, Z = (vector(name) for name in "XYZ")
a, c, d, n, x, y, z = symbols("a c d n x y z")
POSITIVE = Interval.open(0, oo)
TWO = {X: Vectors(), Y: Vectors()}
LONG = Budget("deep", 60.0, 1, 1)
PROVED = Verdict(Outcome.PROVED)
proof_of = cache(verify)  # many changes of one script

SCHWARZ = Statement(id="test", variables=TWO, then=inner(X, Y) ** 2 <= norm(X) ** 2 * norm(Y) ** 2)
YOUNG = Statement(id="test", variables=TWO | {c: POSITIVE}, then=2 * inner(X, Y) <= c * norm(X) ** 2 + norm(Y) ** 2 / c)
THREE = Statement(
    id="test",
    variables=TWO | {Z: Vectors()},
    then=Eq(2 * inner(X - Y, X - Z), norm(X - Y) ** 2 + norm(X - Z) ** 2 - norm(Y - Z) ** 2),
)
GIVEN = Statement(
    id="test", variables=TWO, given=(inner(X, Y) <= 0,), then=norm(X + Y) ** 2 <= norm(X) ** 2 + norm(Y) ** 2
)
HALVED = Statement(
    id="test", variables={y: S.Reals}, given=(y > 0,), dynamics=Map((x,), (x / 2,)), start={x: y}, then=Always(x > 0)
)
DIVIDED = Statement(
    id="test",
    variables={y: POSITIVE},
    dynamics=Map((x,), (x / (1 + x),)),
    start={x: y},
    then=Always((x > 0) & (x <= y)),
)
FALLING = HALVED.but(then=Decreasing(x))
PLANAR = Statement(
    id="test",
    variables={y: POSITIVE, z: POSITIVE},
    dynamics=Map((x, n), (x + n, x)),
    start={x: y, n: z},
    then=Always((x > 0) & (n > 0)),
)

DECAY = Statement(
    id="test", variables={y: POSITIVE, a: S.Reals}, dynamics=Flow((x,), (-a * x,), n), start={x: y},
    then=Always(Eq(x, y * exp(-a * n))),
)  # fmt: skip
CONSERVED = Statement(
    id="test",
    variables={y: POSITIVE, z: S.Reals},
    dynamics=Flow((x, n), (-x * n, -(x**2))),
    start={x: y, n: z},
    then=Always(Eq(x**2 - n**2, y**2 - z**2)) & Always(x > 0),
)


@needs_coq
@pytest.mark.parametrize(
    "statement",
    [SCHWARZ, YOUNG, THREE, GIVEN, HALVED, DIVIDED, FALLING, PLANAR, DECAY, CONSERVED],
    ids=lambda s: str(s.then),
)
@pytest.mark.sampled(2)
def test_what_is_proved_is_a_coq_proof(statement) -> None:
    found = confirm.confirm(statement, proof_of(statement), LONG.start())
    assert found.certificate["tactic"] in ("coordinates", "orbit")
    assert accept(statement, Sense.HOLDS, found.certificate).strength is Strength.COQ


@needs_coq
@pytest.mark.parametrize(
    ("true", "false"),
    [
        (SCHWARZ, SCHWARZ.but(then=inner(X, Y) ** 2 < norm(X) ** 2 * norm(Y) ** 2)),
        (YOUNG, YOUNG.but(variables=TWO | {c: S.Reals})),  # c may be 0, where the claim has no value
        (GIVEN, GIVEN.but(given=())),
        (HALVED, HALVED.but(given=())),
        (DIVIDED, DIVIDED.but(variables={y: S.Reals})),  # the step has no value at -1
        (FALLING, FALLING.but(given=(y >= 0,))),
        (PLANAR, PLANAR.but(dynamics=Map((x, n), (x - n, x)))),
        (DECAY, DECAY.but(then=Always(Eq(x, y * exp(a * n))))),
        (CONSERVED, CONSERVED.but(dynamics=Flow((x, n), (-x * n, x**2)))),
        (CONSERVED, CONSERVED.but(variables={y: S.Reals, z: S.Reals})),
    ],
)  # fmt: skip
@pytest.mark.sampled(2)
def test_a_false_twin_has_no_coq_proof(true, false) -> None:
    proof = proof_of(true)
    assert confirm.confirm(false, proof, LONG.start()) is None
    written = confirm.export(true, proof)
    assert not coq.check(false, {"kind": "coq", "script": written})


CHANGES = [
    (SCHWARZ, "<=", "<"),
    (SCHWARZ, "(X_v0 i)", "(Y_v1 i)"),
    (SCHWARZ, "(X_v0 i) * (Y_v1 i)", "(X_v0 i) * (X_v0 i)"),
    (SCHWARZ, "size_0) ^ 2)", "size_0) ^ 4)"),
    (SCHWARZ, "(size_0 : nat)", "(size_0 other : nat)"),
    (SCHWARZ, "(X_v0 i)", "(X_v0 O)"),
    (YOUNG, "(X_v0 Y_v1 : nat -> R)", "(Y_v1 X_v0 : nat -> R)"),
    (SCHWARZ, "i : nat =>", "X_v0 : nat =>"),
    (SCHWARZ, "sum_f_R0", "sum_f"),
    (SCHWARZ, "fun i : nat", "fun i : R"),
    (SCHWARZ, "(sqrt (sum", "(exp (sum"),
    (YOUNG, "(c_0 <> 0) /\\ ", ""),
    (YOUNG, "(c_0 <> 0)", "(c_0 <> 1)"),
    (YOUNG, "(0 < c_0) ->", "(0 < c_0) -> (c_0 < 1) ->"),
    (YOUNG, "(c_0 : R)", "(c_0 : nat)"),
    (GIVEN, "0) ->", "1) ->"),
    (HALVED, "(y_0 > 0) ->", "(y_0 > 1) ->"),
    (HALVED, "(x_s0 O = y_0) ->", "(x_s0 O = 0) ->"),
    (HALVED, "(x_s0 O = y_0) ->", "(x_s0 O = y_0) -> (x_s0 (S O) = y_0) ->"),
    (HALVED, "(x_s0 (S now))", "(x_s0 (S (S now)))"),
    (HALVED, "(1 / 2)", "(1 / 3)"),
    (HALVED, "(forall now : nat, ((x_s0 now) > 0))", "(forall now : nat, ((x_s0 O) > 0))"),
    (HALVED, "(forall now : nat, ((x_s0 now) > 0))", "((x_s0 O) > 0)"),
    (HALVED, "(forall now : nat, ((x_s0 now) > 0))", "(forall now : nat, ((x_s0 (S now)) > 0))"),
    (HALVED, "(forall now : nat, ((x_s0 now) > 0))", "(forall now : nat, ((x_s0 now) >= 0))"),
    (HALVED, "(forall now : nat, ((x_s0 now) > 0))", "(exists now : nat, ((x_s0 now) > 0))"),
    (HALVED, "(x_s0 : nat -> R)", "(x_s0 : nat -> nat)"),
    (FALLING, "(x_s0 (S now)) < (x_s0 now)", "(x_s0 (S now)) <= (x_s0 now)"),
    (DIVIDED, "<> 0) /\\ ", "<> 1) /\\ "),
    (DECAY, "0 <= now -> now < span ->", "0 <= now -> now < y_0 ->"),
    (DECAY, "0 <= now -> now < span ->", "1 <= now -> now < span ->"),
    (DECAY, "0 <= now -> now < span ->", "0 <= now -> span < now ->"),
    (DECAY, "derivable_pt_lim x_f0 now", "derivable_pt_lim x_f0 0"),
    (DECAY, "derivable_pt_lim x_f0 now", "derivable_pt_lim exp now"),
    (DECAY, "(x_f0 0 = y_0)", "(x_f0 0 = a_1)"),
    (DECAY, "(x_f0 0 = y_0)", "(x_f0 now = y_0)"),
    (DECAY, "(x_f0 : R -> R)", "(x_f0 : R)"),
    (DECAY, "y_0 a_1 span : R", "y_0 span a_1 : R"),
    (DECAY, "(- 1)", "(- 2)"),
    (CONSERVED, "((x_f0 now) > 0)", "((n_f1 now) > 0)"),
    (CONSERVED, "((x_f0 now) > 0)", "((x_f0 0) > 0)"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "old", "new"), CHANGES)
def test_another_theorem_is_not_read_as_the_statement(statement, old, new, monkeypatch) -> None:
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    script = confirm.export(statement, proof_of(statement))
    assert coq.check(statement, {"kind": "coq", "script": script})
    goal = next(line for line in script.splitlines() if line.startswith("Theorem"))
    changed = script.replace(goal, goal.replace(old, new, 1))
    assert changed != script
    assert not coq.check(statement, {"kind": "coq", "script": changed})


def test_what_is_not_written_for_coq_has_no_script() -> None:
    A, B = matrix("A", d, d), matrix("B", d, d)
    symmetric = Statement(variables={A: SymmetricMatrices(d), X: Vectors(d)}, then=inner(X, A * X) >= inner(A * X, X))
    sizes = Statement(variables={A: Matrices(d, d), B: Matrices(d, d)}, then=Eq(A + B, B + A, evaluate=False))
    flow = HALVED.but(dynamics=Flow((x,), (-x,)), then=Decreasing(x))
    given = Statement(variables={X: Vectors(2)}, then=norm(X) ** 2 >= 0)
    clock = HALVED.but(dynamics=Map((x,), (x / (1 + n),), n), given=(y > Rational(1, 2), Ne(y, 1)))
    for statement in (symmetric, sizes, flow, given, clock):
        assert confirm.export(statement, PROVED) is None
        assert confirm.obstacle(statement, PROVED)
