"""Claims about finite structures: rules for every size first, then all structures of the sizes that time allows.

"Proved" is what the kernel makes of a rule, or of a list of cases where the sizes are finitely many; "refuted" is the
smallest structure that was met, small sizes first. A claim about every size that was listed up to some size is
"sampled", and its coverage says up to which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

from sympy import Ge, Integer, S, Set, Symbol, true
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import discharge, load
from proofs_check.engines.structures import NAME
from proofs_check.goals import goal_of
from proofs_check.kernel.structure_cases import Case, UndecidedError, cases, claimed, free_numbers, how_many, size
from proofs_check.kernel.structure_recursion import as_recursion
from proofs_check.kernel.structure_rules import NotReducedError, about_numbers
from proofs_check.kernel.theorem import vacuity
from proofs_check.verdict import Evidence, Outcome
from theory.domains import is_discrete
from theory.errors import LemmascopeError
from theory.language.structure_values import Graph, shown
from theory.language.structures import Count, Mean, Probability, RandomGraphs, RandomTokens, Structures
from theory.statements import Statement
from theory.temporal import Quantifier
from theory.trees import encode

VERSION = 2
_LARGEST = 8
"""Sizes beyond it are not listed."""
_MOST = 200_000
"""Cases beyond which listing stops."""
_FIRST = 300
"""Cases after which a first look ends with its size."""

_ANY = (S.Zero, S.Half, S.One, Integer(2), Integer(-1))
"""Numbers of which one lies in most domains."""


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def prepare(_statement: Statement) -> None:
    """Load the engines that are asked in turn."""
    load()
    engine("motion")


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a claim about structures, refute it with the smallest one, or say how far it was listed.

    >>> from sympy import Eq, Sum
    >>> from theory.language.structures import Graphs, about
    >>> G, i, n = Symbol("G"), Symbol("i"), Symbol("n")
    >>> total = Sum(about("degree", G, i), (i, 1, n))
    >>> shaken = Statement(variables={n: S.Naturals, G: Graphs(n)}, then=Eq(total, 2 * about("edges", G)))
    >>> str(decide(shaken, Budget.of("standard")).outcome)
    'proved'
    """
    if not statement.speaks_of_structures:
        return None
    running = budget.running
    listing = _Listing(statement, running.share("structures, a first look"))
    first = listing.run(enough=_FIRST)
    if first is not None and first.decided:
        return first
    found = _every_size(statement, running) or _by_recursion(statement, running)
    return found.but(witness=listing.witness) if found is not None else _Listing(statement, running).run()


def _every_size(statement: Statement, budget: Budget) -> Evidence | None:
    try:
        left = about_numbers(statement)
    except (NotReducedError, LemmascopeError):
        return None
    goal = goal_of(left)
    verdict = None if goal is None else discharge(goal, budget.share("structures, every size"))
    if verdict is None or verdict.outcome is not Outcome.PROVED:
        return None
    return Evidence(
        Outcome.PROVED, NAME, certificate={"kind": NAME, "rule": "every size", "certificate": verdict.certificate},
        notes=(f"every size: what is left about numbers was decided by {verdict.engine}",),
    )  # fmt: skip


def _by_recursion(statement: Statement, budget: Budget) -> Evidence | None:
    try:
        plain = as_recursion(statement)
    except (NotReducedError, LemmascopeError):
        return None
    for more in _stronger(plain):
        if budget.spent:
            return None
        left = as_recursion(statement, more)
        verdict = engine("motion").decide(left, budget.share("structures, recursion"))
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            inside = {"more": [encode(part) for part in more], "certificate": verdict.certificate}
            told_so = "every depth: trees are a root and branches, and the recursion of their numbers never violates it"
            return Evidence(
                Outcome.PROVED, NAME, certificate={"kind": NAME, "rule": "recursion", **inside}, notes=(told_so,)
            )
    return None


def _stronger(recursion: Statement) -> Iterator[tuple[Boolean, ...]]:
    """That a power of one number stays as far ahead of another as it is at the start, or nothing more."""
    numbers = {name: value for name, value in recursion.start.items() if value.is_Rational and value > 0}
    ahead = [
        (Ge(one**power * numbers[other], numbers[one] ** power * other, evaluate=False),)
        for power in (2, 1)
        for one, other in permutations(numbers, 2)
    ]
    yield from (*ahead[:1], (), *ahead[1:])


class _Listing:
    """Every structure of the sizes in order, until one fails or the time is up."""

    def __init__(self, statement: Statement, budget: Budget) -> None:
        self.statement, self.budget = statement, budget
        self.infinite = {s: domain for s, domain in free_numbers(statement).items() if is_discrete(domain)}
        self.nothing = vacuity(statement)
        self.done: list[Mapping[Symbol, int]] = []
        self.left: list[Mapping[str, Any]] = []
        self.number = 0
        self.witness: dict[str, str] | None = None
        self.complete = all(d.complete for d in statement.variables.values() if isinstance(d, Structures))
        self.undecided = False
        """Whether some case was: then only a counterexample is looked for."""

    def run(self, enough: int = _MOST) -> Evidence | None:
        """What the list shows; `enough` cases end it where the sizes are infinitely many."""
        for sizes in _sizes(self.infinite):
            before = self.number
            try:
                if self.done and self.number + _work(self.statement, sizes) > _MOST:
                    return self._sampled(before)
                for case in cases(self.statement, sizes):
                    self.number += 1
                    claim = self._claimed(case)
                    wrong = case if claim is False else None if claim else self._false_for_a_number(case)
                    if wrong is not None:
                        return _refutation(wrong)
                    self.undecided = self.undecided or claim is None
                    if self.budget.spent:
                        return self._sampled(before)
            except (UndecidedError, LemmascopeError):
                return self._sampled(before)
            self.done.append(sizes)
            if self.infinite and self.number > enough:
                break
        return self._sampled(self.number) if self.infinite or not self.complete or self.undecided else self._whole()

    def _claimed(self, case: Case) -> bool | None:
        if self.witness is None and claimed(self.nothing, case) is not True:
            self.witness = self._completed(case)
        claim = claimed(self.statement, case)
        if not isinstance(claim, Statement):
            return claim
        return None if self.undecided else self._proved(claim)

    def _false_for_a_number(self, case: Case) -> Case | None:
        """The undecided case with a simple value for the one number that it leaves open, if that makes it false."""
        left = {symbol: domain for symbol, domain in free_numbers(self.statement).items() if symbol not in case}
        if len(left) != 1 or self.number > _FIRST:
            return None
        ((symbol, domain),) = left.items()
        values = (Fraction(int(value.p), int(value.q)) for value in _ANY if domain.contains(value) == true)
        found = ({**case, symbol: value} for value in values)
        return next((there for there in found if claimed(self.statement, there) is False), None)

    def _completed(self, case: Case) -> dict[str, str] | None:
        """A case in words, with any numbers of which no hypothesis speaks."""
        left = {symbol: domain for symbol, domain in free_numbers(self.statement).items() if symbol not in case}
        chosen = {
            symbol: next((value for value in _ANY if domain.contains(value) == true), None)
            for symbol, domain in left.items()
        }
        if None in chosen.values() or any(part.free_symbols & set(left) for part in self.statement.given):
            return None
        return told({**case, **chosen})

    def _proved(self, claim: Statement) -> bool | None:
        goal = goal_of(claim)
        verdict = None if goal is None else discharge(goal, self.budget.share("structures, what is left"))
        if verdict is None or verdict.outcome is not Outcome.PROVED or verdict.certificate is None:
            return None
        self.left.append(verdict.certificate)
        return True

    def _whole(self) -> Evidence:
        certificate = {"kind": NAME, "rule": "cases", "cases": self.number, "left": self.left}
        return Evidence(
            Outcome.VACUOUS if self.witness is None else Outcome.PROVED, NAME, certificate=certificate,
            coverage="every case, listed", cases=self.number, witness=self.witness,
        )  # fmt: skip

    def _sampled(self, number: int) -> Evidence | None:
        """What was listed of infinitely many sizes: no decision."""
        if not self.done or not self.infinite or self.undecided:
            return None
        spans = [f"{symbol} = {_span([sizes[symbol] for sizes in self.done])}" for symbol in self.infinite]
        together = " (sums in order)" if len(spans) > 1 else ""
        coverage = f"{'all' if self.complete else 'some'} structures with {', '.join(spans)}{together}"
        return Evidence(Outcome.SAMPLED, NAME, coverage=coverage, cases=number, witness=self.witness)


def _work(statement: Statement, sizes: Mapping[Symbol, int]) -> int:
    """About how many structures have to be looked at for these sizes."""
    bound = {part.over for formula in (statement.then, *statement.given) for part in formula.atoms(Mean, Probability)}
    bound |= {part.over for part in statement.then.atoms(Count) if part.body != true}
    bound |= {part.domain for part in statement.then.atoms(Quantifier) if isinstance(part.domain, Structures)}
    total = 1
    for sort in (*(d for d in statement.variables.values() if isinstance(d, Structures)), *bound):
        if sort.free_symbols <= set(sizes) and not isinstance(sort, RandomTokens):
            total *= how_many(
                sort, [size(part, dict(sizes)) for part in sort.args[: 1 if isinstance(sort, RandomGraphs) else None]]
            )
    return total


def _sizes(infinite: Mapping[Symbol, Set]) -> Iterator[dict[Symbol, int]]:
    """Choices of the numbers with infinitely many values, the smallest sum first."""
    firsts = [int(domain.inf) if domain.inf.is_Integer else 0 for domain in infinite.values()]
    for total in range(_LARGEST + 1 if firsts else 1):
        for steps in _adding_up(total, len(firsts)):
            values = [first + step for first, step in zip(firsts, steps, strict=True)]
            if all(domain.contains(value) == True for domain, value in zip(infinite.values(), values, strict=True)):  # noqa: E712
                yield dict(zip(infinite, values, strict=True))


def _adding_up(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All choices of whole numbers with this sum."""
    if parts <= 1:
        yield (total,) * parts
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _adding_up(total - first, parts - 1))


def _refutation(case: Case) -> Evidence:
    return Evidence(
        Outcome.REFUTED, NAME, counterexample=told(case),
        certificate={"kind": NAME, "rule": "counterexample", "case": {s.name: written(v) for s, v in case.items()}},
        notes=("the smallest structure, sizes in order",),
    )  # fmt: skip


def told(case: Case) -> dict[str, str]:
    """A case in words."""
    return {symbol.name: shown(value) for symbol, value in case.items()}


def written(value: Any) -> Any:
    """A value as plain data, which the kernel reads back."""
    if isinstance(value, Graph):
        return {"features": list(value.features), "edges": [list(edge) for edge in value.edges]}
    if isinstance(value, tuple):
        return [written(part) for part in value]
    return value if isinstance(value, int) else str(value)


def _span(values: list[int]) -> str:
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}..{high}"
