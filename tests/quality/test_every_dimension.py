"""Vectors and matrices of every size: true statements are proved, false ones refuted, false twins rejected."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, Eq, Integer, Interval, Ne, Rational, S, Trace, oo, symbols

from proofs_check import verify
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.spaces import translation
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import (
    LemmascopeError,
    Matrices,
    OrthogonalMatrices,
    PositiveSemidefinite,
    Statement,
    SymmetricMatrices,
    Vectors,
    identity,
    inner,
    matrix,
    norm,
    trace,
    vector,
)
from theory.trees import content_hash, decode_statement, encode_statement

x, y, z = vector("x"), vector("y"), vector("z")
d, m, n, eta, mu, L, c = symbols("d m n eta mu L c")
A, B, Q = matrix("A", d, d), matrix("B", d, d), matrix("Q", d, d)
W, V = matrix("W", m, n), matrix("V", n, m)
POSITIVE = Interval.open(0, oo)
TWO = {x: Vectors(), y: Vectors()}
THREE = TWO | {z: Vectors()}
SQUARE = {A: Matrices(d, d), B: Matrices(d, d)}
CURVED = {A: SymmetricMatrices(d, lower=mu, upper=L), x: Vectors(d), mu: POSITIVE, L: POSITIVE}


def claim(variables: dict[Any, Any], then: Any, *given: Any) -> Statement:
    return Statement(variables=variables, then=then, given=given)


TRUE = {
    "Cauchy and Schwarz, squared": claim(TWO, inner(x, y) ** 2 <= norm(x) ** 2 * norm(y) ** 2),
    "the parallelogram": claim(TWO, Eq(norm(x + y) ** 2 + norm(x - y) ** 2, 2 * norm(x) ** 2 + 2 * norm(y) ** 2)),
    "the cosine rule": claim(TWO, Eq(norm(x - y) ** 2, norm(x) ** 2 - 2 * inner(x, y) + norm(y) ** 2)),
    "three points": claim(THREE, Eq(2 * inner(x - y, x - z), norm(x - y) ** 2 + norm(x - z) ** 2 - norm(y - z) ** 2)),
    "Young": claim(TWO | {c: POSITIVE}, 2 * inner(x, y) <= c * norm(x) ** 2 + norm(y) ** 2 / c),
    "unit vectors": claim(TWO, inner(x, y) <= 1, norm(x) <= 1, norm(y) <= 1),
    "orthogonal vectors": claim(TWO, norm(x + y) ** 2 >= norm(x) ** 2, Eq(inner(x, y), 0)),
    "on a line parallel or not": claim(
        {x: Vectors(1), y: Vectors(1)}, Eq(inner(x, y) ** 2, norm(x) ** 2 * norm(y) ** 2)
    ),
    "the curvature bounds the form": claim(CURVED, inner(x, A * x) >= mu * norm(x) ** 2),
    "a step of gradient descent": claim(
        CURVED | {eta: POSITIVE}, norm(x - eta * A * x) ** 2 <= (1 - eta * mu) ** 2 * norm(x) ** 2, eta * (mu + L) <= 2
    ),
    "a short step descends": claim(
        CURVED | {eta: POSITIVE}, norm((identity(d) - eta * A) * x) <= norm(x), eta * L <= 2
    ),
    "cocoercive": claim(CURVED, norm(A * x) ** 2 <= L * inner(x, A * x)),
    "a trace turns": claim(SQUARE, Eq(trace(A * B), trace(B * A))),
    "a trace turns for rectangles": claim({W: Matrices(m, n), V: Matrices(n, m)}, Eq(trace(W * V), trace(V * W))),
    "a trace of a transpose": claim(SQUARE, Eq(trace(A.T * B), trace(B.T * A))),
    "the Frobenius norm": claim({W: Matrices(m, n)}, Eq(norm(W) ** 2, trace(W * W.T))),
    "a square of a sum": claim(SQUARE, Eq((A + B) * (A + B), A * A + A * B + B * A + B * B)),
    "a symmetric product": claim({A: SymmetricMatrices(d), B: SymmetricMatrices(d)}, Eq((A * B).T, B * A)),
    "a rotation keeps lengths": claim({Q: OrthogonalMatrices(d), x: Vectors(d)}, Eq(norm(Q * x) ** 2, norm(x) ** 2)),
    "a rotation keeps traces": claim({Q: OrthogonalMatrices(d), A: Matrices(d, d)}, Eq(trace(Q.T * A * Q), trace(A))),
    "the trace of the identity": claim({A: Matrices(d, d)}, Eq(trace(A + 2 * identity(d)), trace(A) + 2 * d)),
}
FALSE = {
    "a sum that is too short": claim(TWO, norm(x + y) ** 2 <= Rational(3, 2) * (norm(x) ** 2 + norm(y) ** 2)),
    "Cauchy and Schwarz the other way": claim(TWO, inner(x, y) ** 2 >= norm(x) ** 2 * norm(y) ** 2),
    "the sign of an inner product": claim(TWO, inner(x, y) >= 0),
    "orthogonal to one is parallel": claim(
        THREE, Eq(inner(x, y) ** 2, norm(x) ** 2 * norm(y) ** 2), Eq(inner(x, z), 0), Eq(inner(y, z), 0), norm(z) > 0
    ),
    "a step that is too long": claim(
        CURVED | {eta: POSITIVE}, norm(x - eta * A * x) <= (1 - eta * mu) * norm(x), eta * L <= 2
    ),
    "the wrong end of the spectrum": claim(CURVED, inner(x, A * x) >= L * norm(x) ** 2),
    "matrices commute": claim(SQUARE, Eq(A * B, B * A)),
    "a trace of a product is a product": claim(SQUARE, Eq(trace(A * B), trace(A) * trace(B))),
    "every matrix is symmetric": claim({A: Matrices(d, d)}, Eq(A, A.T)),
    "traces of three turn over": claim(SQUARE | {Q: Matrices(d, d)}, Eq(trace(A * B * Q), trace(A * Q * B))),
    "a trace is not negative": claim({A: SymmetricMatrices(d)}, trace(A) >= 0),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved(name: str) -> None:
    verdict = verify(TRUE[name], effort="standard")
    assert verdict.outcome == "proved", verdict.notes


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_with_a_point(name: str) -> None:
    verdict = verify(FALSE[name], effort="standard")
    assert verdict.outcome == "refuted", verdict.notes
    assert verdict.counterexample


def test_vectors_of_dimension_two_may_be_parallel_where_three_are_not() -> None:
    plane = {letter: Vectors(2) for letter in (x, y, z)}
    flat = FALSE["orthogonal to one is parallel"].but(variables=plane)
    assert verify(flat).outcome != "refuted"


TRAPPED = claim(
    {A: SymmetricMatrices(d, lower=0, upper=3), x: Vectors(d)},
    norm(A * x) ** 2 <= norm(x) ** 2,
    Eq(inner(x, A * x), norm(x) ** 2),
)


def test_the_eigenvalue_rule_is_refused_where_a_hypothesis_speaks_of_the_vectors() -> None:
    with pytest.raises(NotTranslatedError):
        translation(TRAPPED, "eigenvalue")
    assert verify(TRAPPED).outcome != "proved"


NOT_SUMS = {
    "a product of forms": inner(x, A * x) ** 2 <= norm(x) ** 2 * norm(A * x) ** 2,
    "a function of a form": inner(x, A * x) * Abs(norm(x) ** 2) >= 0,
    "a strict inequality": inner(x, A * x) > -(norm(x) ** 2),
    "a number beside a form": inner(x, A * x) >= -1,
    "norms that are not squared": norm(A * x) <= norm(x) + L * norm(x - A * x),
}


@pytest.mark.parametrize("name", NOT_SUMS)
def test_the_eigenvalue_rule_is_refused_where_the_claim_is_no_sum_over_eigenvalues(name: str) -> None:
    with pytest.raises(NotTranslatedError):
        translation(claim(CURVED, NOT_SUMS[name]), "eigenvalue")


def test_two_matrices_have_no_common_eigenvalues() -> None:
    both = {A: SymmetricMatrices(d), B: SymmetricMatrices(d), x: Vectors(d)}
    with pytest.raises(NotTranslatedError):
        translation(claim(both, Eq(inner(x, A * B * x), inner(x, B * A * x))), "eigenvalue")
    with pytest.raises(NotTranslatedError):
        translation(claim(both, Eq(inner(A * x, B * x), inner(B * x, A * x))), "coordinates")


def test_a_number_without_a_value_before_a_vector_is_not_cancelled() -> None:
    lost = claim({x: Vectors(), c: S.Reals}, Eq(norm(x / c), norm(x) / Abs(c)))
    assert verify(lost).outcome not in ("proved", "refuted")
    assert verify(lost.but(given=(Ne(c, 0),))).outcome == "proved"


MUTATIONS = [
    lambda certificate: certificate | {"route": "words"},
    lambda certificate: certificate | {"route": "size", "sizes": {"_d": 1}},
    lambda certificate: certificate | {"route": "eigenvalue"},
    lambda certificate: certificate | {"certificate": {"kind": "identity", "combinations": []}},
    lambda certificate: certificate | {"certificate": certificate},
    lambda certificate: {key: value for key, value in certificate.items() if key != "route"},
]


@pytest.mark.parametrize("place", range(len(MUTATIONS)))
def test_a_changed_certificate_is_rejected(place: int) -> None:
    statement = TRUE["on a line parallel or not"]
    certificate = verify(statement).certificate
    assert isinstance(accept(statement, Sense.HOLDS, certificate), Theorem)
    assert isinstance(accept(statement, Sense.HOLDS, MUTATIONS[place](dict(certificate))), Rejection)
    twin = statement.but(then=inner(x, y) ** 2 <= norm(x) ** 2)
    assert isinstance(accept(twin, Sense.HOLDS, certificate), Rejection)


@pytest.mark.parametrize("name", [*TRUE, *FALSE])
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = (TRUE | FALSE)[name]
    again = decode_statement(encode_statement(statement))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


BAD = {
    "needs vectors": lambda: inner(A, x),
    "is no norm of a vector": lambda: norm(Integer(2) * c),
    "needs one size": lambda: trace(W),
    "does not fit its domain": lambda: claim({A: Vectors()}, norm(A) >= 0),
    "has no space": lambda: claim({}, norm(x) >= 0),
    "its domain is a space": lambda: claim({x: S.Reals}, norm(x) >= 0),
}


SIZES = {
    "1 columns meet m rows": lambda: norm(x * W),
    "n columns meet m rows": lambda: norm(W * W),
    "as many rows as columns": lambda: Trace(W),
    "columns meet": lambda: norm(W * z),
    "have different sizes": lambda: inner(W * x, x),
    "one shape": lambda: norm(W * x + x),
}


@pytest.mark.parametrize("sentence", SIZES)
def test_sizes_that_do_not_fit_are_refused_wherever_they_stand(sentence: str) -> None:
    known = {W: Matrices(m, n), x: Vectors(n), z: Vectors(m)}
    with pytest.raises(LemmascopeError, match=sentence):
        claim(known, SIZES[sentence]() >= 0)
    with pytest.raises(LemmascopeError, match=sentence):
        claim(known, norm(x) >= 0, SIZES[sentence]() >= 0)
    assert claim(known, norm(W * x) >= 0, inner(W * x, z) >= 0)


@pytest.mark.parametrize("sentence", BAD)
def test_what_does_not_fit_is_said_in_words(sentence: str) -> None:
    with pytest.raises(LemmascopeError, match=sentence):
        BAD[sentence]()


def test_a_semidefinite_matrix_has_a_nonnegative_form() -> None:
    statement = claim({A: PositiveSemidefinite(d), x: Vectors(d)}, inner(x, A * x) >= 0)
    assert verify(statement).outcome == "proved"
