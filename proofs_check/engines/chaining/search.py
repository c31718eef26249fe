"""What follows from temporal hypotheses, as the steps of a proof give them, by logic and by claims about numbers."""

from __future__ import annotations

from sympy.logic.boolalg import Boolean, Implies

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.chaining import NAME
from proofs_check.engines.discharge import Proving, load
from proofs_check.kernel.chaining import about, holds
from proofs_check.verdict import Evidence, Outcome
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import is_plain
from theory.trees import encode

VERSION = 2


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(_statement: Statement) -> None:
    """Load the provers of claims about numbers and about motion."""
    load()
    engine("motion")


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a statement about a trajectory from hypotheses about it.

    >>> from sympy import Implies, Interval, Symbol
    >>> from theory import Always, ConvergesTo, Map
    >>> x, x0 = Symbol("x"), Symbol("x0")
    >>> joined = Statement(
    ...     variables={x0: Interval(0, 1)}, dynamics=Map((x,), (x * (2 - x),)), start={x: x0},
    ...     given=(Always(x > 0), Implies(Always(x > 0), ConvergesTo(x, 1))), then=ConvergesTo(x, 1))
    >>> str(decide(joined, Budget.of("quick")).outcome)
    'proved'
    """
    if statement.dynamics is None or all(map(is_plain, statement.given)):
        return None
    running = budget.running
    lemmas: dict[Boolean, Evidence] = {}
    shown = Proving(running)
    if not holds(statement, shown):
        lemmas = _lemmas(statement, running)
        shown = Proving(running)
        if not lemmas or not holds(statement, shown, list(lemmas)):
            return None
    proved = [{"then": encode(lemma), "certificate": found.certificate} for lemma, found in lemmas.items()]
    certificate = {"kind": "chaining", "obligations": shown.obligations, "lemmas": proved}
    return Evidence(Outcome.PROVED, NAME, certificate=certificate, notes=("follows from what is assumed by logic",))


def _lemmas(statement: Statement, budget: Budget) -> dict[Boolean, Evidence]:
    """What motion alone shows of the parts of the conclusion and of the premises of the assumed implications."""
    wanted = [*_parts(statement.conclusion)]
    for fact in statement.given:
        wanted += _parts(fact.args[0]) if isinstance(fact, Implies) else []
    found: dict[Boolean, Evidence] = {}
    for lemma in dict.fromkeys(part for part in wanted if not is_plain(part) and part not in statement.given):
        evidence = None if budget.spent else engine("motion").decide(about(statement, lemma), budget)
        if evidence is not None and evidence.outcome is Outcome.PROVED:
            found[lemma] = evidence
    return found


def _parts(formula: Boolean) -> tuple[Boolean, ...]:
    return clauses(formula)
