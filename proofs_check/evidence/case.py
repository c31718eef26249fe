"""One statement and the parties that are asked about it: what each may spend, what the kernel makes of its answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from proofs_check import clock
from proofs_check.budget import PATIENCE, Budget
from proofs_check.engines import engine, missing
from proofs_check.engines.polynomial.processes import lost
from proofs_check.evidence.ledger import Ledger, key_of
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.kernel.trust import step_named
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.shares import CHECKING, LEAST, ROUND, WALL, WORK
from proofs_check.verdict import Evidence, Outcome, Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.trees import content_hash

REFEREE_VERSION = 5


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
        self,
        name: str,
        version: int,
        budget: Budget,
        answer: Callable[[], Evidence | Verdict | None],
        longer: float = 1.0,
        *,
        late_is_answer: bool = True,
    ) -> Verdict | None:
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
            with at_most(longer * (WALL * budget.seconds + 1), work=longer * (WORK * budget.seconds + 0.5)):
                found = answer()
        except OutOfTimeError:
            self.notes.append(f"the engine {name} did not stop in time; the others went on")
            if not late_is_answer:
                return None
            found = None
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
        if isinstance(found, Verdict) and found.decided:
            raise TypeError(f"{name} gave a decision; only what the kernel accepts is one")
        verdict = self.decision(name, found) if isinstance(found, Evidence) else found
        hindrance = None if verdict is not None and verdict.decided else _hindrance(name, lost[already_lost:])
        if hindrance is not None:
            self.notes.append(hindrance)
            self.is_whole = False
        elif self.ledger is not None:
            self.ledger.store(key, self.statement.id, name, verdict)
        return verdict

    def decision(self, name: str, found: Evidence) -> Verdict | None:
        """The decision that the kernel's theorem allows; None where it makes none of what seeks to decide."""
        if not found.decided:
            return Verdict(found.outcome, **found.told)
        try:
            with at_most(PATIENCE * CHECKING, work=CHECKING):
                theorem = accept(self.statement, Sense(found.outcome), found.certificate)
        except OutOfTimeError:
            self.notes.append(f"the evidence of the engine {name} took too long to check; it was dropped")
            self.is_whole = False
            return None
        if isinstance(theorem, Rejection):
            self.notes.append(f"the kernel does not accept the evidence of the engine {name} ({theorem.reason})")
            return None
        premises = map(step_named, theorem.premises if theorem.sense is Sense.HOLDS else ())
        return Verdict(Outcome(theorem.sense), theorem.strength, trust=(*premises, *theorem.trust), **found.told)

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


@dataclass
class Stage:
    """One round of questions: the engines share little more than the time of one, so that every statement ends.

    An engine that had nothing to say and hardly used its time is not asked again with more of it; one that must finish
    what it begins is asked once, with the whole budget; one whose arguments have many parts gets more time when it is
    asked again.
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
        seconds = max(LEAST * whole.seconds, min(whole.seconds, ROUND * whole.seconds - self.used))
        parts = 1.0 if self.is_first else getattr(module, "PARTS", 1.0)
        share = replace(whole, seconds=parts * seconds / getattr(module, "PROCESSES", 1))
        began = clock.now()
        answer = case.ask(name, module.VERSION, share, lambda: module.decide(case.statement, share.start()), longer)
        spent = clock.now() - began
        self.used += spent / parts
        self.was_idle = answer is None and case.is_whole and not case.recalled and spent < parts * seconds / 10
        return answer
