"""Everything says what it covers, equal formulas have equal verdicts, and a false step is named by those that use it.

No verdict is computed: the list of findings says which statements came out refuted or vacuous.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest
from sympy import Expr, Rational, S, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from test_what_a_proof_needs import FINDINGS, PAPERS

from theory.library import Entry, Paper, entry, nearest, papers, premise, proof, stated
from theory.scope import KINDS, whole
from theory.statements import Statement
from theory.temporal import Scaling
from theory.trees import content_hash

QUICK = ("simplicity_bias",)
"""The papers whose statements are derived quickly; the others are looked at in the deep profile."""
CHOSEN = [pytest.param(paper, marks=() if paper in QUICK else pytest.mark.slow) for paper in PAPERS]
UNNAMED = {
    f"edge_of_stability/theorem-3.5#{step}": false
    for step, false in {
        "b.79": "b.78", "cover-i3": "i1", "cover-i24": "i22", "cover-i31": "i30", "cover-i42": "i38, i39",
        "cover-i54": "i53", "cover-i57": "i55",
    }.items()
}  # fmt: skip
"""Steps that still leave the false step unnamed; one that names it leaves this list."""
_LEAST_DENOMINATOR = 9
"""Numbers with a smaller denominator occur everywhere: they are nobody's."""


def test_every_entry_says_what_it_covers_of_the_print() -> None:
    silent = [entry.id for paper in papers().values() for entry in paper.entries if entry.scope is None]
    assert not silent
    assert {entry.scope.kind for paper in papers().values() for entry in paper.entries if entry.scope} <= set(KINDS)


def test_an_entry_without_a_scope_is_refused() -> None:
    paper = Paper("mine", title="Mine", bibtex="")
    with pytest.raises(Exception, match="does not say what it covers"):
        paper.statement("lemma-1", "A line")


@pytest.mark.parametrize("paper", CHOSEN)
def test_equal_formulas_have_equal_verdicts(paper: str) -> None:
    assert not list(told_apart((entry.id, entry.statement()) for entry in stated(f"{paper}/*")))


def told_apart(statements: Iterable[tuple[str, Statement]]) -> Iterator[list[str]]:
    """Ids that say the same and of which the findings hold some only."""
    same = defaultdict(list)
    for id_, statement in statements:
        same[content_hash(statement)].append(id_)
    for ids in same.values():
        if 0 < sum(id_ in FINDINGS for id_ in ids) < len(ids):
            yield ids


@pytest.mark.parametrize("paper", CHOSEN)
def test_a_step_that_uses_the_number_of_a_false_step_names_it(paper: str) -> None:
    proofs = sorted({id_.partition("#")[0] for id_ in FINDINGS if id_.startswith(f"{paper}/") and "#" in id_})
    assert proofs
    expected = {id_: tags for id_, tags in UNNAMED.items() if id_.startswith(f"{paper}/")}
    assert dict(use for of in proofs for use in unnamed(proof(of), FINDINGS)) == expected


def unnamed(steps: Iterable[Entry], false: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Later steps with a number that a false step was the first to have, and that do not name it."""
    known: set[Rational] = set()
    produced: dict[Rational, str] = {}
    for step in steps:
        if not step.is_stated:
            continue
        statement, tag = step.statement(), step.id.partition("#")[2]
        used = {produced[number] for number in numbers(statement) & set(produced)} - {tag, *statement.uses}
        if used and step.id not in false and step.scope is not None and step.scope.kind != "own":
            yield step.id, ", ".join(sorted(used))
        fresh = numbers(statement) - known
        if step.id in false:
            produced |= dict.fromkeys(fresh - set(produced) - _in_its_true_form(step.id), tag)
        else:
            known |= fresh - set(produced)


def _in_its_true_form(id_: str) -> set[Rational]:
    """The numbers of the nearest true statement: what is true of them was not produced by the mistake."""
    other = nearest(id_)
    return numbers(entry(other).statement()) if other is not None else set()


def numbers(statement: Statement) -> set[Rational]:
    """The fractions in a statement that somebody must have computed."""
    formulas = (statement.then, *statement.given)
    parts = [part for formula in formulas for part in (*formula.atoms(Relational), *_quantities(formula))]
    return {number for part in parts for number in part.atoms(Rational) if number.q >= _LEAST_DENOMINATOR}


def _quantities(formula: Boolean) -> list[Expr]:
    """What the laws in a formula are about: the range in which they are looked at is nobody's number."""
    return [law.quantity for law in formula.atoms(Scaling)]


def test_the_watch_for_unnamed_numbers_sees_one() -> None:
    x, bound = Symbol("x"), Rational(1242, 1000)
    paper = Paper("mine", title="Mine", bibtex="")
    section = paper.section(steps=whole())
    section.step("lemma-1", "1", "A false line")(lambda: Statement(variables={x: S.Reals}, then=x**2 > bound))
    section.step("lemma-1", "2", "It is used")(lambda: Statement(variables={x: S.Reals}, then=x**4 > bound * x**2))
    named = lambda: Statement(variables={x: S.Reals}, then=x**4 > bound * x**2, uses=("1",))  # noqa: E731
    section.step("lemma-1", "3", "It is named")(named)
    assert list(unnamed(paper.entries, ["mine/lemma-1#1"])) == [("mine/lemma-1#2", "1")]
    statements = [(entry.id, entry.statement().but(uses=())) for entry in paper.entries]
    assert not list(told_apart(statements))
    assert list(told_apart([*statements, (FINDINGS[0], statements[0][1])])) == [["mine/lemma-1#1", FINDINGS[0]]]


def test_what_is_used_exists_and_nothing_is_used_by_itself() -> None:
    for paper in QUICK:
        uses = {entry.id: entry.statement().uses for entry in stated(f"{paper}/*")}
        reached = {id_: {premise(id_, tag) for tag in tags} for id_, tags in uses.items()}
        for id_, used in reached.items():
            seen, waiting = set[str](), list(used)
            while waiting:
                other = waiting.pop()
                assert other != id_
                waiting += [] if other in seen else reached.get(other, set())
                seen.add(other)
