"""Every kind of certificate has its words: an induction its base and step, a family its facts, noise its moments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sympy import Eq, Interval, Mod, S, Sum, erfc, exp, log, oo, pi, sin, sqrt, symbols

from proofs_check.kernel import cover, cover_charts, variation
from proofs_check.kernel.kinds import kind_of
from proofs_check.referee.judge import verify
from proofs_check.report import keeping
from proofs_check.report.arguments import covers, signs
from proofs_check.report.arguments.writer import argument
from theory import (
    After,
    Always,
    ConvergesTo,
    Expectation,
    ForSmall,
    Map,
    Matrices,
    Noise,
    PositiveSemidefinite,
    SmoothStronglyConvex,
    Statement,
    Vectors,
    family,
    function,
    gradient_descent,
    gradient_flow,
    matrix,
    norm,
    trace,
    vector,
)
from theory.trees import encode_statement

x, y, k, n, a, eta, x0, xi, mu, L, N, d, h, m, e = symbols("x y k n a eta x0 xi mu L N d h m epsilon")
POSITIVE, R, UNIT = Interval.open(0, oo), S.Reals, Interval.open(0, 1)
u, v = family("u", n), family("v", n)
f, X, X0 = function("f"), vector("x"), vector("x0")
A, B, W, V, Y = matrix("A", h, n), matrix("B", m, h), matrix("W", h, n), matrix("V", m, h), matrix("Y", m, n)
P, Q = matrix("P", d, d), matrix("Q", d, d)


def total(summand: Any) -> Sum:
    return Sum(summand, (k, 1, n))


KINDS = {
    "monotone": ("variation", "mean value theorem",
                 Statement(variables={x: POSITIVE}, then=erfc(x) < exp(-(x**2)) / (x * sqrt(pi)))),
    "compared": ("variation", "is monotone",
                 Statement(variables={x: UNIT}, then=log(2) >= -x * log(x) - (1 - x) * log(1 - x))),
    "an equal sum": ("whole_numbers", "both sides change by the same",
                     Statement(variables={n: S.Naturals}, then=Eq(total(k), n * (n + 1) / 2))),
    "a bounded sum": ("whole_numbers", "does not shrink",
                      Statement(variables={n: S.Naturals}, then=total(1 / k**2) <= 2 - 1 / n)),
    "a step": ("whole_numbers", "follows for the next",
               Statement(variables={n: S.Naturals, x: Interval(-1, oo)}, then=(1 + x) ** n >= 1 + n * x)),
    "residues": ("whole_numbers", "residues", Statement(variables={n: S.Integers}, then=Eq(Mod(n * (n + 1), 2), 0))),
    "a family": ("families", "has that sign",
                 Statement(variables={u: R, v: R},
                           then=total(u[k] * v[k]) ** 2 <= total(u[k] ** 2) * total(v[k] ** 2))),
    "Jensen": ("families", "Jensen", Statement(variables={u: R}, then=total(u[k]) ** 4 / n**4 <= total(u[k] ** 4) / n)),
    "moments": ("means", "move without chance",
                Statement(variables={a: POSITIVE, eta: POSITIVE, x0: R}, noise={xi: Noise(mean=0, variance=1)},
                          given=(eta * a < 2,), dynamics=Map((x,), (x - eta * (a * x + xi),)), start={x: x0},
                          then=ConvergesTo(Expectation(x), 0))),
    "matrices that move": ("matrix_motion", "nothing of this changes",
                           Statement(variables={W: Matrices(h, n), V: Matrices(m, h), Y: Matrices(m, n)},
                                     dynamics=gradient_flow(norm(B * A - Y) ** 2 / 2, (A, B)), start={A: W, B: V},
                                     then=Always(Eq(B.T * B - A * A.T, V.T * V - W * W.T)))),
    "every step": ("potential", "each step multiplies",
                   Statement(variables={f: SmoothStronglyConvex(mu, L), X0: Vectors(), L: POSITIVE, mu: POSITIVE,
                                        N: S.Naturals}, given=(mu < L,), dynamics=gradient_descent(f, X, 1 / L),
                             start={X: X0},
                             then=After(N, f(X) - f.minimum <= (1 - mu / L) ** N * (f(X0) - f.minimum)))),
    "tensors": ("tensors", "sum of squares in every size",
                Statement(variables={P: PositiveSemidefinite(d), Q: PositiveSemidefinite(d)}, then=trace(P * Q) >= 0)),
    "small values": ("series", "the first term is",
                     Statement(variables={x: POSITIVE}, then=ForSmall(e, sin(e * x) < e * x))),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_an_argument(name: str) -> None:
    kind, words, statement = KINDS[name]
    verdict = verify(statement)
    assert kind_of(verdict.certificate) == kind
    rows = [part for top in argument(statement, verdict) for _, part in top.lines()]
    assert any(words in row.text for row in rows), [row.text for row in rows]
    assert not any(r"\text{True}" in row.formula or "_0" in row.formula.replace("_{0}", "") for row in rows)


def test_the_letters_of_an_induction_are_explained() -> None:
    rows = argument(KINDS["a bounded sum"][2], verify(KINDS["a bounded sum"][2]))
    assert r"S_{1} = \sum_{k=1}^{n} \frac{1}{k^{2}}" in rows[0].formula
    assert "1 \\leq 1" in rows[1].formula


def test_the_sums_of_a_family_are_explained() -> None:
    rows = argument(KINDS["a family"][2], verify(KINDS["a family"][2]))
    assert rows[0].text == "Letters for the sums:"
    assert rows[-1].formula.count(r"\sigma") >= 3


def test_a_squared_tensor_is_a_true_identity() -> None:
    """The shown sum for 2 by 2 matrices, entry by entry: tr(PQ) is half of two squares."""
    rows = argument(KINDS["tensors"][2], verify(KINDS["tensors"][2]))
    left, right = rows[-1].formula.split(" = ")
    assert left.count("root") == 4
    assert right.count(r"\frac{1}{2}") == 2


def test_every_rule_of_signs_and_covers_has_its_words() -> None:
    assert set(variation._RULES) == {"shown", *signs._SENTENCES} == {"shown", *signs._LABELS}
    assert {*cover._RULES, *cover_charts._CHARTS} <= {*covers._PASSAGES, *covers._SILENT}


def test_an_argument_without_words_costs_its_own_lines_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def speechless(*_: object) -> None:
        raise KeyError("no such rule")

    lemma = Statement(id="own", variables={x: R}, then=x**2 >= 0)
    verdict = verify(lemma, effort="quick")
    monkeypatch.setattr(keeping, "argument", speechless)
    kept = keeping.keep(verdict, tmp_path, encode_statement(lemma))
    assert kept.lines == ((keeping.SPEECHLESS, "", ""),)
    assert kept.latex
