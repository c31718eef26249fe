"""Certificates drive Coq proofs: products, identities and laws are accepted, and twins that are false are not."""

from __future__ import annotations

import pytest
from sympy import Abs, Eq, Interval, Ne, Rational, S, cos, expand, oo, pi, sin, sqrt, symbols

from proofs_check.budget import Budget
from proofs_check.coq import confirm, process
from proofs_check.coq.language import NotCoqError
from proofs_check.coq.laws import law_script
from proofs_check.engines.polynomial.cases import contradiction
from proofs_check.kernel import coq
from proofs_check.kernel.algebra import counterexamples
from proofs_check.kernel.claims import claim_of
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.referee.judge import verify
from proofs_check.verdict import Outcome, Strength, Verdict
from theory import Matrices, Scaling, Statement, matrix

needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")
a, b, c, e, n, x, y = symbols("a b c e n x y")
POSITIVE = Interval.open(0, oo)
LONG = Budget("deep", 90.0, 1, 1)


def lemma(then, *given, **domains):
    named = {symbol.name: symbol for symbol in (a, b, c, e, n, x, y)}
    free = dict.fromkeys((*then.free_symbols, *(s for one in given for s in one.free_symbols)), S.Reals)
    return Statement(id="test", variables=free | {named[k]: v for k, v in domains.items()}, given=given, then=then)


def by_products(statement):
    tree = contradiction(counterexamples(claim_of(statement)), 10)
    return Verdict(Outcome.PROVED, certificate={"kind": "products", "tree": tree})


PRODUCTS = [
    lemma((x + y) ** 2 >= 4 * x * y),
    lemma(x > Abs(y), y**2 + (x - 1) ** 2 < Rational(1, 2)),  # cases of a kink
    lemma(x / y + y / x >= 2, x=POSITIVE, y=POSITIVE),  # denominators, and that they do not vanish
    lemma(sqrt(x) <= (1 + x) / 2, x >= 0),  # a root, and that it has a value
    lemma((x**2 >= 0) & (x * y <= x**2 + y**2)),  # a conjunction
    lemma(a > b, a >= x, b <= n * y, x > n * y, n=S.Naturals, x=POSITIVE, y=POSITIVE),  # a whole number
]


@needs_coq
@pytest.mark.parametrize("statement", PRODUCTS, ids=lambda one: str(one.then))
@pytest.mark.sampled(2)
def test_a_tree_of_products_is_a_coq_proof(statement) -> None:
    found = confirm.confirm(statement, by_products(statement), LONG.start())
    assert found.certificate["tactic"] == "products"
    assert accept(statement, Sense.HOLDS, found.certificate).strength is Strength.COQ


@needs_coq
def test_a_tree_of_another_statement_is_refused() -> None:
    """The certificate of a true statement, put under a false one with the same conditions, makes no proof."""
    true, false = lemma(x**2 + 1 >= 2 * x), lemma(x**2 + 1 > 2 * x)
    written = confirm.export(true, by_products(true))
    for text in (written, written.replace(">=", ">")):
        assert not coq.check(false, {"kind": "coq", "script": text})
    assert confirm.confirm(false, by_products(true), LONG.start()) is None


IDENTITIES = [
    lemma(Eq((x**2 - y**2) / (x - y), x + y), Ne(x, y)),
    lemma(
        Eq(sqrt(1 + x**2) ** 4, 1 + 2 * x**2 + x**4) & Eq(1 / (1 / x + 1 / y), x * y / (x + y)), x=POSITIVE, y=POSITIVE
    ),
    lemma(Eq((sin(x) + cos(x)) ** 2, 1 + 2 * sin(x) * cos(x))),
    lemma(Eq(x**3, 8), Eq(x, 2)),
    lemma(Eq(expand((x + y) ** 3) / pi, (x + y) ** 3 / pi, evaluate=False)),
]


@needs_coq
@pytest.mark.parametrize("statement", IDENTITIES, ids=lambda one: str(one.then))
@pytest.mark.sampled(2)
def test_an_identity_is_a_coq_proof(statement) -> None:
    found = confirm.confirm(statement, verify(statement), LONG.start())
    assert isinstance(accept(statement, Sense.HOLDS, found.certificate), Theorem)


LAW = lemma(Scaling((c * e**2 - a * e**3) / (c + e), e, 2, "at most"), c > 0)


@needs_coq
def test_a_law_is_a_coq_theorem_about_a_constant_and_a_reach() -> None:
    found = confirm.confirm(LAW, Verdict(Outcome.PROVED), LONG.start())
    assert accept(LAW, Sense.HOLDS, found.certificate).strength is Strength.COQ
    for false in (
        LAW.but(then=Scaling(LAW.then.quantity, e, 3, "at most")),  # too high a power
        LAW.but(given=()),  # the denominator may vanish at 0
        LAW.but(then=Scaling(LAW.then.quantity, e, 2, "equal")),  # c may be anything but the law says less
        LAW.but(then=Scaling(LAW.then.quantity + e, e, 2, "at most")),
    ):
        assert not coq.check(false, found.certificate)


@needs_coq
def test_a_false_law_is_refused() -> None:
    for then in (Scaling(e**2 / (c + e), e, 2, "at most"), Scaling(1 / (c + e), e, 0, "at most")):
        false = lemma(then, c >= 0)  # at c = 0 the quantity is larger
        assert confirm.confirm(false, Verdict(Outcome.PROVED), LONG.start()) is None


@pytest.mark.parametrize(
    "then",
    [
        Scaling(e**2 / (c + e), e, Rational(1, 2), "at most"),
        Scaling(e**2, e, -1, "at most"),
        Scaling(sin(e), e, 1, "at most"),
        Scaling(c / e, e, 0, "at most"),
        Scaling(e, e, 1, "at least"),
    ],
)
def test_other_laws_are_not_exported(then) -> None:
    with pytest.raises(NotCoqError):
        law_script(lemma(then))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("exists size reach : R, 0 < reach", "exists size reach : R, reach < 0"),
        ("exists size reach : R, 0 < reach", "exists size reach : R, 0 < 1"),
        ("exists size reach : R, 0 < reach /\\ (forall small : R,", "forall small : R, (exists size reach : R, ("),
        ("0 < small ->", "0 < 0 ->"),
        ("small < reach ->", "small < reach -> False ->"),
        ("small < reach ->", "small < 0 ->"),
        ("<= size", "<= Rabs size"),
        ("size * small ^ 2", "size * small ^ 1"),
        ("size * small ^ 2", "size"),
        ("Rabs", "sin"),
        ("(c_0 > 0) ->", "(c_0 > 0) -> (a_1 > 0) ->"),
        ("(c_0 > 0) ->", "(c_0 > 1) ->"),
        ("<> 0)", "<> 1)"),
        ("forall (c_0 a_1", "forall (a_1 c_0"),
        ("forall (c_0 a_1 :", "forall (c_0 a_1 reach :"),
    ],
)  # fmt: skip
def test_a_theorem_that_is_not_the_law_is_rejected(old, new, monkeypatch) -> None:
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    law = Statement(id="test", variables={c: S.Reals, a: S.Reals, e: S.Reals}, given=LAW.given, then=LAW.then)
    script = law_script(law)
    assert coq.check(law, {"kind": "coq", "script": script})
    assert old in script
    assert not coq.check(law, {"kind": "coq", "script": script.replace(old, new, 1)})


@pytest.mark.parametrize(("variables", "number"), [((x,), 0), ((y, x), 1), ((a, b, x), 2)])
def test_a_number_is_not_read_as_the_variable_at_that_place(variables, number, monkeypatch) -> None:
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    false = Statement(id="test", variables=dict.fromkeys(variables, S.Reals), then=x <= number)
    script = confirm.export(false, Verdict(Outcome.PROVED))
    assert coq.check(false, {"kind": "coq", "script": script})  # coqc, which is not asked here, does not accept it
    forged = script.replace(f"x_{len(variables) - 1} <=", f"{number} <=")
    assert forged != script
    assert not coq.check(false, {"kind": "coq", "script": forged})


def test_matrices_are_not_read_as_numbers(monkeypatch) -> None:
    monkeypatch.setattr(coq, "_accepted", lambda *_: True)
    A, B = matrix("A", n, n), matrix("B", n, n)
    said = Statement(
        variables={n: S.Naturals, A: Matrices(n, n), B: Matrices(n, n)}, then=Eq(A * B, B * A, evaluate=False)
    )
    assert confirm.export(said, Verdict(Outcome.PROVED)) is None
    plain = lemma(Eq(a * b, b * a, evaluate=False))
    assert not coq.check(said, {"kind": "coq", "script": confirm.export(plain, Verdict(Outcome.PROVED))})


FORGED = [
    "ls_scaling Axiom.\nAxiom bad : False.", "assert (C : False) by admit.",
    "assert (C : False) by (ls_condition; admit).",
    "assert (C : False) by (first [ls_condition | admit]).", "assert (C : False).\n{\nAdmitted.\n}",
    "{\nAxiom bad : False.\n}", "ls_unheard_of.", "try Axiom bad.", "try ls_root (x). Axiom bad : False.",
    "assert (C : False) by ls_condition; Axiom.", "destruct C as [A | B]; admit.", "destruct (bad) as [A | B].",
    "destruct C as [A | B].\nAxiom bad : False.", "ls_root (x) | admit.", "ls_root (x); Axiom.", "repeat split; admit.",
    "repeat split; ls_equation; admit.", "Ltac ls_root := admit.", "Ltac ls_mine := idtac.\nls_mine.",
    'ls_root (ltac:("x")).', "ls_root {| x |}.", "ls_close S (* *).", "} Axiom bad : False. {", "ls_exp @bad.",
    "assert (C : forall x, x) by ls_value.", "ls_pick denied, admit.", "ls_root !x.", "first [ls_condition | admit].",
]  # fmt: skip


@pytest.mark.parametrize("body", FORGED)
def test_sentences_that_our_printer_never_writes_are_rejected(body) -> None:
    assert not coq._only_known_sentences(body)
    assert not coq._only_known_sentences(f"intros.\n{body}\nls_suppose denied.")


def test_the_prelude_has_no_axioms_and_no_notations() -> None:
    text = coq.PRELUDE.read_text(encoding="utf-8")
    for word in (
        "Axiom",
        "Parameter",
        "Admitted",
        "admit",
        "Notation",
        "Hypothesis",
        "Conjecture",
        "Unset",
        "Variable",
    ):
        assert f"{word} " not in text.replace("No axioms, no notations", "")
        assert f"{word}." not in text
