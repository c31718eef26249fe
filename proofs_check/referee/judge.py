"""The referee: asks for a witness, lets the engines try with growing budgets, and keeps the strongest evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from sympy import And
from sympy.core.relational import Equality

from proofs_check.budget import Budget, rounds
from proofs_check.coq import confirm as coq
from proofs_check.engines import ENGINES, engine, missing, order
from proofs_check.engines.polynomial.processes import lost
from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.witness import Vacuity, find_witness
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.language.functions import unbounded_in
from theory.statements import Statement
from theory.trees import content_hash

REFEREE_VERSION = 3
_PATIENCE = 3.25
"""How much longer than its budget an engine may take on the wall before it is interrupted."""

_WORK = 1.5
"""How much more than its budget an engine may compute before it is interrupted."""

_ROUND = 1.25
"""How much time all engines together may take in one round, in budgets of one."""

_LEAST = 0.4
"""What every engine gets in a round, in budgets of one, however much the others took."""

_LONGEST_LOOK = 1.0
"""Seconds for which a witness is looked for at most."""

_SEARCH = 5
"""How many glances the search for sharp constants may take."""

_CHECKING = 120.0
"""Seconds after which the kernel is interrupted: such evidence decides nothing."""

_RANK = {Outcome.SUSPECT: 2, Outcome.SAMPLED: 1, Outcome.OPEN: 0}


@dataclass
class Case:
    """One statement on its way to a verdict: what may be used, what is remembered, what went wrong.

    It stays whole as long as nothing went wrong that might go well another time.
    """

    statement: Statement
    effort: str
    ledger: Ledger | None = None
    fresh: bool = False
    excluded: Collection[str] = ()
    watch: Callable[[str, float], None] = lambda _engine, _seconds: None
    notes: list[str] = field(default_factory=list)
    recalled: bool = False
    correct: bool = True
    is_whole: bool = True

    @cached_property
    def _content(self) -> str:
        return content_hash(self.statement)

    def ask(
        self, name: str, version: int, budget: Budget, answer: Callable[[], Verdict | None], longer: float = 1.0,
        *, late_is_answer: bool = True,
    ) -> Verdict | None:  # fmt: skip
        """The answer of one party, from the ledger when it is there; a party that fails leaves a note, not a hole."""
        if name in self.excluded:
            return None
        key = key_of(self._content, name, version, budget.effort)
        self.recalled = False
        if self.ledger is not None and not self.fresh and (known := self.ledger.recall(key)) is not None:
            self.recalled = True
            return known[0]
        self.watch(name, budget.seconds)
        already_lost = len(lost)
        try:
            with at_most(longer * (_PATIENCE * budget.seconds + 1), work=longer * (_WORK * budget.seconds + 0.5)):
                verdict = answer()
        except OutOfTimeError:
            self.notes.append(f"the engine {name} did not stop in time; the others went on")
            if not late_is_answer:
                return None
            verdict = None
        except LemmascopeError as error:
            self.notes.append(f"the engine {name} refused: {error}")
            return None
        except MemoryError:
            self.notes.append(f"the engine {name} ran out of memory; the others went on")
            self.is_whole = False
            return None
        except Exception as error:  # noqa: BLE001 - a failing engine must not take the others with it
            self.notes.append(f"the engine {name} failed ({type(error).__name__}: {error}); the others went on")
            self.is_whole = False
            return None
        if verdict is not None and verdict.decided:
            verdict = self._through_the_kernel(name, verdict)
        hindrance = None if verdict is not None and verdict.decided else _hindrance(name, lost[already_lost:])
        if hindrance is not None:
            self.notes.append(hindrance)
            self.is_whole = False
        elif self.ledger is not None:
            self.ledger.store(key, self.statement.id, name, verdict)
        return verdict

    def _through_the_kernel(self, name: str, verdict: Verdict) -> Verdict | None:
        """The decision with the strength and trust of the kernel's theorem; None where the kernel makes none of it."""
        try:
            with at_most(_CHECKING):
                theorem = accept(self.statement, Sense(verdict.outcome), verdict.certificate)
        except OutOfTimeError:
            self.notes.append(f"the evidence of the engine {name} took too long to check; it was dropped")
            self.is_whole = False
            return None
        if isinstance(theorem, Rejection):
            self.notes.append(f"the kernel does not accept the evidence of the engine {name} ({theorem.reason})")
            return None
        return verdict.but(strength=theorem.strength, trust=theorem.trust)

    def pass_over(self, name: str, version: int, budget: Budget) -> None:
        """Remember that a party had nothing to say with less time and was not asked again."""
        key = key_of(self._content, name, version, budget.effort)
        if self.ledger is not None and self.ledger.recall(key) is None:
            self.ledger.store(key, self.statement.id, name, None)


def _hindrance(name: str, killed: Sequence[str]) -> str | None:
    """Why a party that did not decide might decide another time: its solvers were killed or are not installed."""
    if killed:
        solvers = ", ".join(sorted(set(killed)))
        return f"a solver ({solvers}) did not load or was killed while the engine {name} waited; the others went on"
    absent = missing("polynomial")
    return None if absent is None else f"not every solver is installed: {absent}"


def verify(
    statement: Statement, *, effort: str = "standard", fresh: bool = False, folder: Path | None = None
) -> Verdict:
    """The verdict on a statement.

    With `folder` the answers are remembered there and a second call is immediate.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> verify(Statement(id="demo", variables={x: Interval(0, 1)}, then=x**2 <= x)).outcome
    <Outcome.PROVED: 'proved'>
    """
    with Ledger(folder) if folder is not None else nullcontext() as ledger:
        return judge(Case(statement, effort, ledger, fresh))


def judge(case: Case) -> Verdict:
    """Witness, engines, correction or sharp constants; the verdict carries what the statement is called."""
    began = time.monotonic()
    verdict = _decide(case)
    statement = case.statement
    if verdict.outcome is Outcome.PROVED and statement.uses:
        verdict = verdict.note(f"assumes what {statement.premises}")
    if statement.source.paper and _is_literal(statement):
        verdict = verdict.note("the derivation gives the printed form")
    if statement.scope is not None and statement.scope.kind == "case" and verdict.coverage is None:
        verdict = verdict.but(coverage=statement.scope.text)
    return verdict.note(*case.notes).but(
        id=statement.id,
        kind=kind_of(statement.id),
        title=statement.title,
        statement=statement.latex(),
        scope=statement.scope,
        source=statement.source.to_json(),
        seconds=time.monotonic() - began,
    )


def _is_literal(statement: Statement) -> bool:
    """Whether every claim is an equation whose two sides, one derived and one printed, came out the same.

    >>> from sympy import Eq, S, Symbol
    >>> x = Symbol("x")
    >>> _is_literal(Statement(variables={x: S.Reals}, then=Eq((x**2).diff(x), 2 * x, evaluate=False)))
    True
    """
    claims = And.make_args(statement.then)
    return all(isinstance(claim, Equality) and claim.lhs == claim.rhs for claim in claims)


def kind_of(id_: str) -> str:
    """theorem, lemma, ..., step; `statement` for an id that names no kind.

    >>> kind_of("mine/lemma-1"), kind_of("a/theorem-1#b.2"), kind_of("mine")
    ('lemma', 'step', 'statement')
    """
    if "#" in id_:
        return "step"
    kind, dash, _ = id_.rsplit("/", maxsplit=1)[-1].partition("-")
    return kind if dash else "statement"


def _decide(case: Case) -> Verdict:
    witness: Verdict | None = None
    best = Verdict(Outcome.OPEN)
    idle: set[str] = set()
    budgets = rounds(case.effort)
    for budget in budgets:
        if witness is None:
            witness = _witness(case, budget)
            if witness is not None and witness.outcome is Outcome.VACUOUS:
                return witness
        stage = Stage(budget, whole=budgets[-1], is_first=budget is budgets[0])
        for name in order(case.statement):
            if name in idle:
                case.pass_over(name, engine(name).VERSION, budget)
                continue
            answer = stage.ask(case, name)
            if answer is not None and answer.decided:
                return _finish(case, answer, witness)
            if stage.was_idle:
                idle.add(name)
            if answer is not None and _RANK[answer.outcome] >= _RANK[best.outcome]:
                best = answer.note(*best.notes)
    return _finish(case, best, witness)


def _witness(case: Case, budget: Budget) -> Verdict | None:
    budget = replace(budget, seconds=min(budget.seconds, _LONGEST_LOOK))
    return case.ask("witness", REFEREE_VERSION, budget, partial(_look_for_witness, case.statement, budget))


def _look_for_witness(statement: Statement, budget: Budget) -> Verdict | None:

    if statement.speaks_of_spaces:
        return None
    answer = find_witness(statement, budget.start())
    if answer is None:
        return None
    return answer.verdict if isinstance(answer, Vacuity) else Verdict(Outcome.OPEN, witness=answer.point)


@dataclass
class Stage:
    """One round of questions: the engines share little more than the time of one, so that every statement ends.

    An engine that had nothing to say and hardly used its time is not asked again with more of it; one that must finish
    what it begins is asked once, with the whole budget.
    """

    budget: Budget
    whole: Budget
    is_first: bool = True
    used: float = 0.0
    was_idle: bool = False

    def ask(self, case: Case, name: str) -> Verdict | None:
        """What the engine says within its share."""
        self.was_idle = False
        try:
            module = engine(name)
            if hasattr(module, "prepare"):
                module.prepare(case.statement)
        except ImportError as error:
            case.notes.append(f"the engine {name} is not installed ({error}); `lemmascope doctor` says how to get it")
            return None
        longer = getattr(module, "LONGER", 1.0)
        if longer > 1 and not self.is_first:
            return None
        whole = self.whole if longer > 1 else self.budget
        seconds = max(_LEAST * whole.seconds, min(whole.seconds, _ROUND * whole.seconds - self.used))
        share = replace(whole, seconds=seconds / getattr(module, "PROCESSES", 1))
        began = time.monotonic()
        answer = case.ask(name, module.VERSION, share, lambda: module.decide(case.statement, share.start()), longer)
        spent = time.monotonic() - began
        self.used += spent
        self.was_idle = answer is None and case.is_whole and not case.recalled and spent < seconds / 10
        return answer


def _finish(case: Case, verdict: Verdict, witness: Verdict | None) -> Verdict:
    if witness is None and verdict.outcome is Outcome.PROVED:
        witness = _witness(case, Budget.of(case.effort))
        if witness is not None and witness.outcome is Outcome.VACUOUS:
            return witness
    if witness is not None and verdict.witness is None:
        verdict = verdict.but(witness=witness.witness)
    if verdict.witness is None and verdict.outcome in (Outcome.PROVED, Outcome.SAMPLED):
        verdict = verdict.note("no point that satisfies the hypotheses was found: the statement may be vacuous")
    if verdict.outcome is Outcome.REFUTED and verdict.correction is None and case.correct and case.effort != "quick":
        verdict = verdict.but(correction=_correct(case, verdict, Budget.of(case.effort)))
    if verdict.outcome is Outcome.PROVED and case.statement.constants and case.effort != "quick":
        verdict = verdict.but(sharp=_sharpen(case))
    if verdict.outcome is Outcome.PROVED and case.effort == "deep":
        verdict = _confirm_in_coq(case, verdict)
    if not verdict.outcome.decided:
        verdict = verdict.note(*_beyond_the_provers(case.statement))
    if verdict.outcome is Outcome.OPEN:
        tried = ", ".join(name for name in ENGINES if name not in case.excluded)
        verdict = verdict.note(f"undecided within the {case.effort} budget; tried {tried}")
    return verdict


def _beyond_the_provers(statement: Statement) -> list[str]:
    """What to say about the functions of a statement that no prover can bound."""
    rules = () if statement.dynamics is None else statement.dynamics.right_side
    return [note for part in (statement.conclusion, *statement.hypotheses, *rules) for note in unbounded_in(part)]


def _confirm_in_coq(case: Case, verdict: Verdict) -> Verdict:
    """The verdict with a Coq proof where coqc finds one, in time of its own: the round that decided may be short."""
    budget = Budget.of(case.effort)
    confirmed = case.ask(
        coq.NAME, coq.VERSION, budget, lambda: coq.confirm(case.statement, verdict, budget.start()),
        late_is_answer=False,
    )  # fmt: skip
    return verdict if confirmed is None else confirmed.but(witness=verdict.witness, notes=verdict.notes)


def _sharpen(case: Case) -> Mapping[str, Any] | None:
    """The best values of the constants of a proved statement, searched for with little effort."""
    from proofs_check.repair.sharpen import sharpen

    glance = Budget.of("glance")
    whole = replace(Budget.of(case.effort), seconds=_SEARCH * glance.seconds)
    answer = case.ask(
        "sharpen",
        REFEREE_VERSION,
        whole,
        lambda: Verdict(Outcome.OPEN, sharp=sharpen(case.statement, budget=glance, decisions=_SEARCH)),
    )
    return None if answer is None else answer.sharp


def _correct(case: Case, verdict: Verdict, budget: Budget) -> str | None:
    def look() -> Verdict | None:
        text = find_correction(case.statement, verdict, budget.start())
        return None if text is None else Verdict(Outcome.OPEN, correction=text)

    from proofs_check.repair.correction import VERSION, find_correction

    answer = case.ask("correction", VERSION, budget, look)
    return None if answer is None else answer.correction
