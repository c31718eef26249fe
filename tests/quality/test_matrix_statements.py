"""Matrices of every size, at rest and in motion: true statements are proved, false ones refuted, twins rejected."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from forgeries import changed, places, require_rejections, without_squares
from matrix_corpus import (
    ANY,
    FALSE,
    POSITIVE,
    TRUE,
    WIDE,
    Z0,
    A,
    B,
    Q,
    U,
    W,
    Z,
    c,
    claim,
    d,
    deep,
    m,
    n,
    t,
    v,
    v0,
)
from sympy import Eq, Matrix, Rational, S, Symbol

from proofs_check import verify
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.matrix_motion import NotFollowedError, departure, obligations
from proofs_check.kernel.spaces import translation
from proofs_check.kernel.tensors import NotReadError, Problem
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import Always, Flow, LemmascopeError, Matrices, Statement, Vectors, gradient_flow, matrix, norm, trace
from theory.trees import content_hash, decode_statement, encode_statement


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved_exactly(name: str) -> None:
    verdict = verify(TRUE[name])
    assert (str(verdict.outcome), str(verdict.strength), verdict.trust) == ("proved", "exact", ())


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_at_a_small_size(name: str) -> None:
    verdict = verify(FALSE[name])
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample


@cache
def proof_of(name: str) -> dict[str, Any]:
    return dict(verify((TRUE | FALSE)[name]).certificate or {})


def is_rejected(statement: Statement, sense: Sense, certificate: dict[str, Any]) -> bool:
    return isinstance(accept(statement, sense, certificate), Rejection)


SQUARES = (
    *("fourth powers of a product", "fourth powers of a sum", "norms of products", "between bounds", "an upper bound"),
    *("the trace against the norm", "a product of traces", "unit matrices", "a form below the trace", "Young"),
    *("commuting costs", "a sum of rectangles", "a norm below traces", "the trace of a square", "larger squares"),
)


def test_changed_sums_of_squares_are_rejected() -> None:
    how, tried = Random(7), 0  # noqa: S311 - not for cryptography
    for name in SQUARES:
        certificate = proof_of(name)
        assert isinstance(accept(TRUE[name], Sense.HOLDS, certificate), Theorem)
        for forged in without_squares(certificate):
            assert is_rejected(TRUE[name], Sense.HOLDS, forged), name
            tried += 1
        spots = [path for path in places(certificate, also_whole=False) if "squares" in path]
        for path in spots * 5:
            assert is_rejected(TRUE[name], Sense.HOLDS, changed(certificate, path, how)), (name, path)
            tried += 1
    assert tried >= 400


AS_ENTRIES = {"three factors": "three factors, the other way", "the triangle": "the triangle, too good"}


def test_what_is_shown_of_vectors_shows_no_twin_of_matrices() -> None:
    """Matrices as vectors of their entries: proofs only, and of no false claim, however they are changed."""
    tried = 0
    for name, twin in AS_ENTRIES.items():
        assert proof_of(name)["route"] == "entries"
        tried += require_rejections(TRUE[name], FALSE[twin], name, tries=200)
    assert tried == 400
    point = {"kind": "point", "point": []}
    assert is_rejected(FALSE["the triangle, too good"], Sense.FAILS,
                       {"kind": "spaces", "route": "entries", "sizes": {}, "certificate": point})  # fmt: skip


def test_only_what_products_have_in_common_with_vectors_is_kept() -> None:
    about = translation(TRUE["three factors"], "entries").about_numbers
    assert len([s for s in about.variables if s.name]) == 6
    assert len(about.given) == 4
    with pytest.raises(NotTranslatedError):
        translation(claim({A: Matrices(d, d)}, trace(A) <= d * norm(A)), "entries")
    with pytest.raises(NotTranslatedError):
        translation(claim({A: Matrices(d, d)}, Eq(A, A.T)), "entries")


MOVING = [name for name, statement in TRUE.items() if statement.dynamics is not None]
NOT_MOVING_SO = [name for name, statement in FALSE.items() if statement.dynamics is not None]


def test_proofs_about_trajectories_prove_no_false_claim() -> None:
    tried = 0
    for name in MOVING:
        certificate = proof_of(name)
        assert isinstance(accept(TRUE[name], Sense.HOLDS, certificate), Theorem)
        rules, proofs = certificate["rules"], certificate["proofs"]
        forms = [
            certificate,
            certificate | {"rules": ["everywhere"] * len(rules)},
            certificate | {"rules": ["monotone"], "proofs": [proofs[0], proofs[0]]},
            certificate | {"rules": ["unrolled"], "proofs": proofs[:1]},
        ]
        for twin in NOT_MOVING_SO:
            for forged in forms:
                assert is_rejected(FALSE[twin], Sense.HOLDS, forged), (name, twin)
                tried += 1
        for forged in (
            certificate | {"proofs": proofs[:-1]},
            certificate | {"rules": []},
            certificate | {"proofs": []},
        ):
            assert is_rejected(TRUE[name], Sense.HOLDS, forged), name
    for name in NOT_MOVING_SO:
        for holds in MOVING:
            assert is_rejected(TRUE[holds], Sense.FAILS, proof_of(name)), (name, holds)
            tried += 1
    assert tried >= 400


TWINS = {
    "symmetric": ("commuting costs", claim(ANY, trace(A * B * A * B) <= trace(A**2 * B**2))),
    "semidefinite": ("semidefinite matrices", FALSE["a product of symmetric matrices"]),
    "the size": ("the trace against the norm", FALSE["the trace against the norm, without the size"]),
    "a sign": ("the trace of a square", FALSE["the trace of a square, without a sign"]),
    "the bound": ("an upper bound", FALSE["an upper bound with the lower one"]),
    "a hypothesis": ("unit matrices", claim(WIDE, trace(U.T * W) <= 1, norm(U) <= 1)),
    "a positive number": ("Young", FALSE["Young without a sign"]),
    "orthogonal": ("a rotation and a trace", claim({Q: Matrices(d, d)}, trace(Q) <= d)),
    "the start": ("balancedness", FALSE["another start"]),
    "the sign of the balance": ("balancedness", FALSE["the sum is kept"]),
    "a sign of the derivative": ("the loss does not grow", FALSE["the loss does not fall"]),
    "a semidefinite velocity": ("gradient flow of a quadratic", FALSE["gradient flow of an indefinite quadratic"]),
    "a step of the map": ("a shrinking map", FALSE["a growing map"]),
}


@pytest.mark.parametrize("dropped", TWINS)
def test_without_a_hypothesis_the_proof_is_rejected_and_none_is_found(dropped: str) -> None:
    holds, twin = TWINS[dropped]
    assert is_rejected(twin, Sense.HOLDS, proof_of(holds))
    assert verify(twin).outcome != "proved"


def test_tensors_of_different_sizes_have_no_inner_product() -> None:
    """<x, y> <= (|x|^2 + |y|^2) / 2 needs one size: a square of x - y with x and y of different sizes is none."""
    a, b = matrix("a", m, 1), matrix("b", n, 1)
    apart = claim({a: Vectors(m), b: Vectors(n), U: Matrices(m, n)}, norm(a) ** 2 + norm(b) ** 2 >= 0)
    strands = [[[["a", False]], 0, 1, None]], [[[["b", False]], 0, 1, None]]
    block = {
        "weight": 0, "between": None, "squares": [["1", ["1", "-1"]]],
        "tensors": [{"strands": own, "factor": []} for own in strands],
    }  # fmt: skip
    forged = {"kind": "tensors", "roots": False, "proofs": [{"scale": [], "blocks": [block]}]}
    assert is_rejected(apart, Sense.HOLDS, forged)


BAD_TENSORS = {
    "a negative weight": lambda block: block | {"squares": [["-1", row] for _, row in block["squares"]]},
    "a weight that is not known": lambda block: block | {"weight": 99},
    "a leg twice": lambda block: block | {"tensors": [
        {"strands": [[word, 0, 0, size] for word, _, _, size in own["strands"]], "factor": own["factor"]}
        for own in block["tensors"]
    ]},
    "an unknown number": lambda block: block | {"tensors": [own | {"factor": ["z"]} for own in block["tensors"]]},
    "an unknown matrix": lambda block: block | {"tensors": [
        own | {"strands": [[[["Zz", False]], 0, 1, None]]} for own in block["tensors"]
    ]},
    "a matrix between that is not there": lambda block: block | {"between": [5, 0]},
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD_TENSORS)
def test_a_damaged_sum_of_squares_is_rejected(fault: str) -> None:
    certificate = proof_of("a square under the trace")
    (proof,) = certificate["proofs"]
    forged = certificate | {"proofs": [proof | {"blocks": [BAD_TENSORS[fault](block) for block in proof["blocks"]]}]}
    assert is_rejected(TRUE["a square under the trace"], Sense.HOLDS, forged)


def test_what_may_have_no_value_is_not_read() -> None:
    for then in (
        trace(A) / c <= trace(A) / c + norm(A) ** 2,
        norm(c ** Rational(1, 2) * A) ** 2 >= 0,
        norm(A.inverse()) ** 2 >= 0,
    ):
        with pytest.raises((NotReadError, LemmascopeError)):
            Problem(claim({A: Matrices(d, d), c: S.Reals}, then))
    assert verify(claim({A: Matrices(d, d), c: S.Reals}, norm(A / c) ** 2 >= 0)).outcome != "proved"


def test_a_velocity_that_is_no_polynomial_or_knows_the_time_is_not_followed() -> None:
    for dynamics in (
        Flow((Z,), (Z * trace(Z) ** -1,)),
        Flow((Z,), (t * Z,), t),
        Flow((Z,), (Z * Symbol("r") ** Rational(1, 2),)),
    ):
        statement = Statement(
            variables={Z0: Matrices(d, d), Symbol("r"): POSITIVE}, dynamics=dynamics, start={Z: Z0},
            then=Always(Eq(trace(Z), trace(Z0))),
        )  # fmt: skip
        with pytest.raises((NotFollowedError, LemmascopeError)):
            obligations(statement, ["monotone"])
        with pytest.raises((NotFollowedError, LemmascopeError)):
            departure(statement, statement.then, "derivative")


def test_a_strict_start_says_nothing_of_the_derivative() -> None:
    """The norm grows, but it is not yet at its bound: nothing is refuted by the derivative there."""
    grows = Statement(
        variables={v0: Vectors(d)},
        dynamics=Flow((v,), (v,)),
        start={v: v0},
        then=Always(norm(v) ** 2 <= 4 * norm(v0) ** 2 + 1),
    )
    goal = departure(grows, grows.then, "derivative")
    assert len(goal.given) == 1
    assert verify(goal).outcome != "refuted"


@pytest.mark.parametrize("name", ["balancedness", "one step", "a skew flow keeps the norm", "Young"])
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = TRUE[name]
    again = decode_statement(encode_statement(statement))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


def test_the_dynamics_are_printed() -> None:
    printed = TRUE["balancedness"].latex()
    for part in (r"\dot{X} &= Y^{T} T - Y^{T} Y X", r"\Box\left(", r"\mathbb{R}^{h \times n}", "X(0) = "):
        assert part in printed


@pytest.mark.parametrize("depth", [2, 3, 4, 5])
def test_what_deep_linear_networks_conserve_is_found(depth: int) -> None:
    moving, _, _, loss = deep(depth)
    flow = gradient_flow(loss, moving)
    kept = {a * a.T - b.T * b for a, b in pairwise(moving)}
    assert set(flow.conserved_quantities(2)) == kept
    assert all(flow.conserves(own) for own in kept)
    assert flow.conserves(moving[0] * moving[0].T).holds is False


def test_gradients_are_those_of_the_entries() -> None:
    """At size two the gradient is what SymPy derives entry by entry."""
    explicit = {own: Matrix(2, 2, lambda i, j, own=own: Symbol(f"{own.name}{i}{j}")) for own in (A, B)}
    for loss, written in (
        (trace(A * B * A) ** 2, lambda a, b: (a * b * a).trace() ** 2),
        (norm(A * B - B) ** 2, lambda a, b: ((a * b - b).T * (a * b - b)).trace()),
        (trace(A.T * A * A) * trace(B), lambda a, b: (a.T * a * a).trace() * b.trace()),
    ):
        (found,) = gradient_flow(loss, A).velocity
        entries = explicit[A]
        value = written(explicit[A], explicit[B])
        shown = found.xreplace({A: entries, B: explicit[B]}).subs(d, 2).doit()
        for i in range(2):
            for j in range(2):
                assert (shown[i, j] + value.diff(entries[i, j])).expand() == 0


BAD = {
    "mixes numbers": lambda: gradient_flow(norm(A) ** 2 * c**2, (A, c)),
    "squared norms": lambda: gradient_flow(norm(A), A),
    "no vector or matrix of its shape": lambda: Flow((A,), (U,)),
    "does not contain": lambda: gradient_flow(norm(A) ** 2, A).conserves(trace(B)),
}


@pytest.mark.parametrize("sentence", BAD)
def test_what_does_not_fit_is_said_in_words(sentence: str) -> None:
    with pytest.raises(LemmascopeError, match=sentence):
        BAD[sentence]()
