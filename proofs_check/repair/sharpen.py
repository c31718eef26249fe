"""The best value of a constant: the statement is proved up to it and refuted beyond it.

Exact candidates from elimination are tried first; where none fits, the gap between the proved and the refuted side is
bisected. Nothing is reported that the engines did not decide. A candidate is called exact when the statement is decided
on its other side nearer than any other critical value, on the scale of the candidate itself: no fixed distance is small
for every statement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from sympy import Expr, Ge, Gt, Le, Lt, Rational, Symbol

from proofs_check.budget import PATIENCE, Budget, rounds
from proofs_check.engines import in_turn
from proofs_check.evidence.case import Case, Stage
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.candidate_values import place
from proofs_check.points.rationals import nice_between
from proofs_check.points.witness import Vacuity, find_witness
from proofs_check.repair.eliminants import attempted, candidates, fences
from proofs_check.verdict import Outcome, Verdict, kind_of
from theory.errors import LemmascopeError
from theory.library import find
from theory.statements import Constant, Statement
from theory.temporal import Always

WIDTH = Rational(1, 10**9)
"""How far beyond the best value a refutation is shown at most, relative to values that are less than 1."""

_PRECISE = Rational(1, 10**8)
"""The widest enclosure, relative to its ends, that counts as found."""

_DECISIONS = 12
_DOUBLINGS = 12
_HALVINGS = 80
_UNDECIDED = 6
_MOST_RETURNS = 2
_SAME = Fraction(1, 2**120)
"""Approximations of real numbers that differ by less than this part are those of one number."""
_FOR_CANDIDATES = 0.4
"""The part of the time that may be spent on exact candidates."""


def sharpen(
    statement: Statement,
    constant_name: str | None = None,
    budget: Budget | None = None,
    decisions: int = _DECISIONS,
    watch: Callable[[str], None] = lambda _decided: None,
) -> dict[str, Any]:
    """For each constant its stated and best value, an enclosure, and what was decided on both sides.

    The whole search may take as long as so many decisions within the budget; `watch` is told of each.

    >>> from sympy import Interval, Symbol
    >>> x, c = Symbol("x"), Symbol("c")
    >>> claim = Statement(variables={x: Interval(0, c)}, then=x**2 <= 2, constants=(Constant(c, 1, best="largest"),))
    >>> sharpen(claim)["c"]["best"]
    'sqrt(2)'
    """
    searches = _searches(statement, constant_name, budget or Budget.of("standard"), decisions, watch)
    return {search.constant.symbol.name: search.result() for search in searches}


def _searches(
    statement: Statement, constant_name: str | None, effort: Budget, decisions: int, watch: Callable[[str], None]
) -> list[_Sharpening]:
    statement = statement if statement.constants else with_marked_bound(statement)
    chosen = [item for item in statement.constants if constant_name in (None, item.symbol.name)]
    if not chosen:
        names = ", ".join(item.symbol.name for item in statement.constants)
        has = f" {constant_name}: it has {names}" if names else " that could be sharpened"
        raise LemmascopeError(f"{statement.id or 'the statement'} has no constant{has}")
    in_turn(statement)  # loads what glances at points, before the clock starts
    whole = replace(effort, seconds=decisions * effort.seconds).start()
    return [_Sharpening(statement, item, effort, whole, watch) for item in chosen]


def with_marked_bound(statement: Statement) -> Statement:
    """A statement that compares something with a number, with that number marked as a constant called `bound`.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> with_marked_bound(Statement(variables={x: Interval(0, 1)}, then=x * (1 - x) <= 1)).constants[0].best
    'smallest'
    """
    claim = statement.then.args[0] if isinstance(statement.then, Always) else statement.then
    if not isinstance(claim, (Le, Lt, Ge, Gt)):
        return statement
    bound = Symbol("bound")
    while bound in statement.then.free_symbols | set(statement.variables):
        bound = Symbol(f"{bound.name}'")
    number = next((side for side in claim.args if side.is_Rational), None)
    if number is None:
        return statement
    sides = [bound if side is number else side for side in claim.args]
    marked = statement.then.xreplace({claim: claim.func(*sides)})
    constant = Constant(bound, number, best="smallest" if claim.gts is number else "largest")
    return statement.but(then=marked, constants=(constant,))


def sharpen_entry(
    id_: str,
    constant_name: str | None = None,
    *,
    effort: str = "standard",
    watch: Callable[[str], None] = lambda _decided: None,
) -> Verdict:
    """The verdict on a statement of the library, or one that was added to it, with its constants sharpened."""
    statement = find(id_)[0].statement()
    searches = _searches(statement, constant_name, Budget.of(effort), _DECISIONS, watch)
    found = {search.constant.symbol.name: search.result() for search in searches}
    notes = tuple(item["note"] for item in found.values() if item.get("note"))
    return searches[0].at_stated.but(
        sharp=found, notes=notes, id=statement.id, kind=kind_of(statement.id), title=statement.title,
        source={"paper": statement.source.paper, "label": statement.source.label,
                "equations": list(statement.source.equations)},
    )  # fmt: skip


@dataclass
class _Sharpening:
    """The search for one constant; `good` and `bad` are the best proved and the nearest refuted values so far."""

    statement: Statement
    constant: Constant
    effort: Budget
    whole: Budget
    watch: Callable[[str], None]
    good: Expr | None = None
    bad: Expr | None = None
    verdicts: dict[Expr, Verdict] = field(default_factory=dict)

    @property
    def at_stated(self) -> Verdict:
        """The verdict on the statement as it is."""
        return self._verdict(self.constant.value)

    @property
    def _direction(self) -> int:
        return 1 if self.constant.best == "largest" else -1

    def result(self) -> dict[str, Any]:
        self._decide(self.constant.value)
        exact = self._among(self._candidates)
        if exact is None:
            self._expand()
            exact = self._among(self._candidates)
        if exact is None:
            self._bisect()
        return self._report(exact)

    @cached_property
    def _candidates(self) -> list[Expr]:
        """Exact values from elimination; none where that takes so long that nothing would be left for a bisection."""
        share = _FOR_CANDIDATES * self.whole.seconds
        with suppress(OutOfTimeError), at_most(PATIENCE * share, work=share):
            return candidates(self.statement, self.constant.symbol)
        return []

    @cached_property
    def _critical(self) -> list[Fraction]:
        """Where the truth may change, as far as elimination and, for polynomials, projection tell."""
        share = _FOR_CANDIDATES * self.whole.seconds / 2
        found: list[Expr] = []
        with suppress(OutOfTimeError), at_most(PATIENCE * share, work=share):
            found = attempted(lambda: fences(self.statement, self.constant.symbol))
        return sorted({near for value in (*self._candidates, *found) if (near := place(value)) is not None})

    def _near(self, value: Expr, direction: int) -> Expr:
        """A number on one side of a value, nearer than every other critical one and near on the scale of the value."""
        at = _fraction(value)
        gaps = [(other - at) * direction for other in self._critical]
        sizes = [abs(other) for other in (at, *self._critical) if other != 0]
        distances = [Fraction(1), *sizes[:1], *(gap for gap in gaps if gap > abs(at) * _SAME)]
        return value + direction * WIDTH * _rational_of(min(distances))

    def _verdict(self, value: Expr) -> Verdict:
        """The verdict on the statement at one value."""
        if value not in self.verdicts:
            constants = tuple(
                replace(item, value=value) if item.symbol == self.constant.symbol else item
                for item in self.statement.constants
            )
            changed = self.statement.but(constants=constants)
            verdict = settled(changed, self.effort, self._helpful())
            self.verdicts[value] = self._unless_vacuous(changed, verdict)
            self.watch(f"{self.constant.symbol} = {value}: {self.verdicts[value].outcome}")
        return self.verdicts[value]

    def _unless_vacuous(self, changed: Statement, verdict: Verdict) -> Verdict:
        """The verdict, unless the constant is part of the hypotheses and leaves nothing that satisfies them."""
        assumed = set().union(*(part.free_symbols for part in (*changed.variables.values(), *changed.given)))
        if verdict.outcome is not Outcome.PROVED or self.constant.symbol not in assumed:
            return verdict
        witness = find_witness(changed, self.effort.share("witness"))
        if not isinstance(witness, Vacuity):
            return verdict
        return Case(changed, self.effort.effort).decision("witness", witness.evidence) or verdict

    def _decide(self, value: Expr) -> Outcome | None:
        """Decide the statement at one value and move the proved or the refuted end there.

        Where the hypotheses contradict each other nothing is stated, and so nothing is gained.
        """
        outcome = self._verdict(value).outcome
        if outcome is Outcome.PROVED and self._is_better(value, self.good):
            self.good = value
        if outcome is Outcome.REFUTED and (self.bad is None or self._is_better(self.bad, value)):
            self.bad = value
        return outcome if outcome in (Outcome.PROVED, Outcome.REFUTED) else None

    def _helpful(self) -> list[str]:
        """The engines that decided other values of this constant; they are asked first."""
        return list(dict.fromkeys(verdict.engine for verdict in self.verdicts.values() if verdict.engine is not None))

    def _is_better(self, value: Expr, other: Expr | None) -> bool:
        return other is None or bool((_fraction(value) - _fraction(other)) * self._direction > 0)

    def _inside(self, value: Expr) -> bool:
        """Whether a value lies between what is proved and what is refuted."""
        above = self.good is None or not self._is_better(self.good, value)
        return above and (self.bad is None or not self._is_better(value, self.bad))

    def _among(self, values: Sequence[Expr]) -> Expr | None:
        """The candidate that separates the proved from the refuted side, found by bisection over the candidates."""
        pending = [value for value in values if self._inside(value)]
        pending.sort(key=lambda value: _fraction(value) * self._direction)
        while pending and not self.whole.spent:
            place = self._nearest(pending)
            value = pending.pop(place)
            if self._separates(value):
                return value
            pending = [other for other in pending if self._inside(other)]
        return None

    def _nearest(self, values: Sequence[Expr]) -> int:
        """The middle candidate when both ends are known, else the one next to the stated value."""
        if self.good is not None and self.bad is not None:
            return len(values) // 2
        return 0 if self.good is not None else len(values) - 1

    def _separates(self, value: Expr) -> bool:
        """Whether the statement holds at the value (or just before it) and fails just beyond it (or at it)."""
        beyond, before = self._near(value, self._direction), self._near(value, -self._direction)
        at = self._decide(value)
        if at is Outcome.PROVED:
            return self._decide(beyond) is Outcome.REFUTED
        if at is Outcome.REFUTED:
            return self._decide(before) is Outcome.PROVED
        return self._decide(before) is Outcome.PROVED and self._decide(beyond) is Outcome.REFUTED

    def _again(self) -> Expr | None:
        """A value beyond a refuted one at which the statement is true again: larger is not always stronger.

        Looked at are candidates, and what is next to the refuted value: it may be the only one that fails.
        """
        if self.bad is None:
            return None
        beyond = [value for value in self._candidates if self._is_better(value, self.bad)]
        beyond.sort(key=lambda value: _fraction(value) * self._direction)
        for value in (self._near(self.bad, self._direction), *beyond[-_MOST_RETURNS:]):
            if not self.whole.spent and self._verdict(value).outcome is Outcome.PROVED:
                return value
        return None

    def _expand(self) -> None:
        """Steps of growing size from the stated value until both sides are known."""
        size = abs(self.constant.value) if self.constant.value != 0 else Rational(1)
        for power in range(-_DOUBLINGS // 2, _DOUBLINGS // 2):
            if (self.good is not None and self.bad is not None) or self.whole.spent:
                return
            step = size * Rational(2) ** power * self._direction
            if self.bad is None:
                self._decide(_rational(self.constant.value + step))
            if self.good is None:
                self._decide(_rational(self.constant.value - step))

    def _bisect(self) -> None:
        """Halve the gap until it is small; around values that cannot be decided, push both ends as far as they go."""
        open_ends: list[Fraction] = []
        for _ in range(_HALVINGS):
            if self.good is None or self.bad is None or self.whole.spent:
                return
            good, bad = _fraction(self.good), _fraction(self.bad)
            between = sorted(value for value in open_ends if min(good, bad) < value < max(good, bad))
            if good > bad:
                between.reverse()
            if abs(bad - good) <= max(abs(good), abs(bad)) / 10**9 or len(open_ends) > _UNDECIDED:
                return
            start, end = (good, between[0]) if between else (good, bad)
            if between and abs(bad - between[-1]) > abs(end - start):
                start, end = between[-1], bad
            low, high = min(start, end), max(start, end)
            middle = nice_between(low + (high - low) / 3, high - (high - low) / 3)
            if self._decide(Rational(middle.numerator, middle.denominator)) is None:
                open_ends.append(middle)

    def _report(self, exact: Expr | None) -> dict[str, Any]:
        found = exact is not None or self._is_precise
        best = exact if exact is not None else self.good
        report = {
            "stated": str(self.constant.value),
            "best": None if best is None else str(best),
            "exact": exact is not None,
            "enclosure": [None if end is None else str(end) for end in (self.good, self.bad)],
            "direction": self.constant.best,
            "at stated": self._side(self.constant.value),
            "below": self._side(self.good),
            "above": self._side(self.bad),
        }
        if best is not None:
            report["decimal"] = str(best.evalf(12))
        if exact is not None:
            outcome = self.verdicts[exact].outcome
            report["attained"] = outcome is not Outcome.REFUTED if outcome.decided else None
        again = self._again()
        if not found:
            report["note"] = self._gap()
        elif again is not None:
            report["note"] = f"true again for {self.constant.symbol} = {again}: not every value beyond {best} fails"
        return report

    @property
    def _is_precise(self) -> bool:
        """Whether the proved and the refuted end agree to eight digits."""
        if self.good is None or self.bad is None:
            return False
        good, bad = _fraction(self.good), _fraction(self.bad)
        return bool(abs(good - bad) < _PRECISE * max(abs(good), abs(bad)))

    def _side(self, value: Expr | None) -> dict[str, Any] | None:
        if value is None:
            return None
        verdict = self.verdicts[value]
        side: dict[str, Any] = {"value": str(value), "outcome": str(verdict.outcome), "engine": verdict.engine}
        if verdict.counterexample is not None:
            side["counterexample"] = dict(verdict.counterexample)
        if verdict.strength is not None:
            side["strength"] = str(verdict.strength)
        return side

    def _gap(self) -> str:
        name = self.constant.symbol.name
        if self.good is None and self.bad is None:
            return f"neither a proof nor a refutation was found for any value of {name} that was tried"
        if self.bad is None:
            return f"proved for {name} = {self.good}; no value beyond it was refuted"
        if self.good is None:
            return f"refuted for {name} = {self.bad}; no value before it was proved"
        return f"proved for {name} = {self.good} and refuted for {name} = {self.bad}; undecided between them"


def settled(statement: Statement, effort: Budget, helpful: Sequence[str] = ()) -> Verdict:
    """The first decisive verdict of the engines, helpful ones first, with growing budgets; else one that says open."""
    case = Case(statement, effort.effort)
    turns = in_turn(statement)
    first = turns[:1] if turns[0] == "falsify" else tuple(helpful)
    asked = [(effort, first), *((budget, turns) for budget in dict.fromkeys(rounds(effort.effort)))]
    for budget, parties in asked:
        stage = Stage(budget, whole=budget)
        for party in parties:
            verdict = stage.ask(case, party)
            if verdict is not None and verdict.decided:
                return verdict
    return Verdict(Outcome.OPEN, notes=tuple(case.notes))


def _rational(value: Expr) -> Expr:
    return _rational_of(_fraction(value))


def _rational_of(value: Fraction) -> Expr:
    return Rational(value.numerator, value.denominator)


def _fraction(value: Expr) -> Fraction:
    found = place(value)
    if found is None:
        raise LemmascopeError(f"{value} is no real number that a constant could have")
    return found
