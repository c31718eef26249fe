"""For a refuted statement the nearest true one: the first small change for which a prover succeeds.

Tried are, in this order, a variable kept away from a value or in a range (the widest first), a further polynomial
hypothesis, another constant, a repaired line; for a step of a proof the repaired line comes first. A change counts
only when it keeps a substantial part of the hypothesis set and does not merely assume the conclusion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from sympy import And, Expr, Ne, Rational, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import PATIENCE, Budget
from proofs_check.engines import engine
from proofs_check.engines.discharge import discharge
from proofs_check.goals import goal_of
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.points.exact import holds
from proofs_check.points.search import Point
from proofs_check.repair.better_constants import other_constants
from proofs_check.repair.eliminants import FAILURES
from proofs_check.repair.quick_test import Plausibility
from proofs_check.repair.repairs import Repair, exclusions, hypotheses, is_conclusion, ranges, readability, touches
from proofs_check.repair.sharpen import sharpen, with_marked_bound
from proofs_check.repair.single_edits import changed_lines, other_limits, other_signs, relaxed
from proofs_check.repair.thresholds import own_zeros, thresholds
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Exists, is_plain
from theory.trees import decode

VERSION = 5
_WIDE, _NARROW = 0.25, 0.05
"""The least share of the sampled hypothesis set that a restriction keeps; a narrow one is the last thing to try."""

_TOO_LITTLE = 0.05
_POINTS = 3


def find_correction(statement: Statement, verdict: Verdict, budget: Budget) -> str | None:
    """What would make a refuted statement true, as a phrase; None when nothing was proved to.

    >>> from sympy import Interval, Reals
    >>> x = Symbol("x")
    >>> false = Statement(variables={x: Interval(-1, 1)}, then=x**3 >= 0)
    >>> find_correction(false, Verdict(Outcome.REFUTED, counterexample={"x": "-1"}), Budget.of("standard"))
    'true for x >= 0'
    """
    running = budget.running
    point = _point(statement, verdict)
    if statement.speaks_of_structures or statement.speaks_of_families or statement.noise:
        return None
    if point is None or statement.computed is not None:
        return None
    return _Corrector(statement, point, running).find()


def _point(statement: Statement, verdict: Verdict) -> Point | None:
    """The counterexample as numbers: as shown where they are rational, else exactly as the certificate has them."""
    values = verdict.counterexample or {}
    try:
        return {symbol: Rational(values[symbol.name]) for symbol in statement.variables}
    except (KeyError, TypeError, ValueError):
        pairs = (verdict.certificate or {}).get("point", ())
    stored = {decode(symbol): decode(value) for symbol, value in pairs}
    return {s: stored[s] for s in statement.variables} if stored.keys() >= set(statement.variables) else None


def _closed(added: Boolean | None) -> Boolean | None:
    """A range with its ends; None for everything else.

    >>> x = Symbol("x")
    >>> _closed((x > 0) & (x < 1)), _closed(Ne(x, 0))
    ((x >= 0) & (x <= 1), None)
    """
    parts = clauses(added) if added is not None else ()
    if not parts or not all(isinstance(part, (Lt, Gt)) for part in parts):
        return None
    return And(*((Le if isinstance(part, Lt) else Ge)(*part.args) for part in parts))


class _Corrector:
    def __init__(self, statement: Statement, point: Mapping[Symbol, Expr], budget: Budget) -> None:
        self.statement, self.point, self.budget = statement, dict(point), budget
        self.look = Plausibility(statement, self.point, budget.seconds_for("repair, first look"))
        self.tried: set[str] = set()
        self.undecided: set[Boolean] = set()

    def find(self) -> str | None:
        """The first repair that is proved."""
        for stage in self._stages():
            if self.budget.left < _TOO_LITTLE:
                return None
            found = self._first(stage, self.budget.seconds_for("repair, one stage"))
            if found is not None:
                return found
        return self._enclosed_constant()

    def _stages(self) -> list[Callable[[], Iterable[Repair]]]:
        exceptions = [self._exclusions, self._inequations, self._relaxed]
        wide = [lambda: self._ranges(_WIDE), lambda: self._hypotheses(_WIDE)]
        narrow = [lambda: self._ranges(_NARROW), lambda: self._hypotheses(_NARROW)]
        if "#" in self.statement.id:
            return [self._relaxed, self._constants, self._lines, self._exclusions, *wide, self._signs, *narrow]
        exceptional = touches(self.statement.conclusion, self.point) and self.look.is_exceptional
        if exceptional or isinstance(self.statement.conclusion, Exists):
            return [*exceptions, *wide, self._constants, self._lines, self._signs, *narrow]
        return [*wide, self._relaxed, self._constants, self._lines, self._signs, *narrow]

    def _relaxed(self) -> Iterable[Repair]:
        return relaxed(self.statement)

    def _exclusions(self) -> Iterable[Repair]:
        return self._by_share(exclusions(self.statement, self.point, self.look.wrong), _NARROW)

    def _ranges(self, least: float) -> Iterable[Repair]:
        return self._by_share(ranges(self.statement, self._marks), least)

    @cached_property
    def _marks(self) -> dict[Symbol, list[Expr]]:
        each = self.budget.seconds_for("repair, thresholds") / len(self.statement.variables)
        return {symbol: thresholds(self.statement, symbol, each) for symbol in self.statement.variables}

    def _hypotheses(self, least: float) -> Iterable[Repair]:
        return self._by_share(hypotheses(self.statement), least)

    def _inequations(self) -> Iterable[Repair]:
        return (repair for repair in self._hypotheses(_WIDE) if isinstance(repair.added, Ne))

    def _constants(self) -> Iterable[Repair]:
        return other_constants(self.statement, self.budget.seconds_for("repair, constants"))

    def _lines(self) -> Iterable[Repair]:
        if not self.look.is_plain:
            return other_limits(self.statement)
        return changed_lines(self.statement, self.look.moderate, self.look.probes[:_POINTS])

    def _signs(self) -> Iterable[Repair]:
        return other_signs(self.statement, self.look.moderate) if self.look.is_plain else ()

    def _first(self, stage: Callable[[], Iterable[Repair]], seconds: float) -> str | None:
        """The first repair of a stage that is proved within its time."""
        with suppress(OutOfTimeError, *FAILURES), at_most(PATIENCE * seconds, work=seconds):
            for repair in stage():
                if repair.words in self.tried or _closed(repair.added) in self.undecided:
                    continue
                with suppress(LemmascopeError):  # a change may leave nothing that can be stated
                    if self.look.allows(repair) and self._proved(repair):
                        return f"true {repair.words}"
        return None

    def _by_share(self, repairs: Iterable[Repair], least: float) -> Iterator[Repair]:
        """Restrictions that keep enough of the hypothesis set, those that keep most first.

        Among those that keep about the same, one that ends where the claim does comes first, then the most readable.
        """
        kept: list[tuple[float, bool, float, Repair]] = []
        for repair in repairs:
            added = repair.added
            if added is not None and holds(added, self.point) is False and not is_conclusion(self.statement, added):
                share = self.look.share(added)
                if share >= least:
                    kept.append((-round(share, 2), not self._ends_with_the_claim(added), readability(added), repair))
        return (repair for *_, repair in sorted(kept, key=lambda item: item[:3]))

    def _ends_with_the_claim(self, added: Boolean) -> bool:
        numbers = {side for part in added.atoms(Relational) for side in part.args if side.is_number}
        return numbers <= self._zeros

    @cached_property
    def _zeros(self) -> set[Expr]:
        return {zero for symbol in self.statement.variables for zero in own_zeros(self.statement, symbol)[0]}

    def _proved(self, repair: Repair) -> bool:

        self.tried.add(repair.words)
        changed = repair.statement
        goal = goal_of(changed)
        attempt = self.budget.share("repair, one proof" if goal is not None else "repair, one long proof")
        if goal is None:
            prover = engine("cover" if changed.dynamics is None else "motion")
            # what holds without the hypotheses about time holds with them
            verdict = prover.decide(changed.but(given=tuple(part for part in changed.given if is_plain(part))), attempt)
        else:
            verdict = discharge(goal, attempt) or engine("variation").prove(
                goal, self.budget.share("repair, one proof")
            )
            if verdict is None and repair.added is not None and self._is_true_at_its_ends(repair.added):
                self.undecided.add(repair.added)  # without them it would be as hard
            if verdict is not None and verdict.outcome is Outcome.REFUTED:
                self.look.learn(_point(changed, verdict))
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            return False
        return isinstance(accept(changed, Sense.HOLDS, verdict.certificate), Theorem)

    def _is_true_at_its_ends(self, added: Boolean) -> bool:
        ends = [{part.lhs: part.rhs} for part in added.atoms(Relational)]
        return all(holds(self.statement.conclusion, end) is True for end in ends)

    def _enclosed_constant(self) -> str | None:
        """A value of a constant, or of the number that bounds something, that was proved next to its best one."""

        marked = self.statement if self.statement.constants else with_marked_bound(self.statement)
        for constant in marked.constants[:2]:
            if self.budget.left < _TOO_LITTLE:
                return None
            name = constant.symbol.name
            quick = replace(Budget.of("glance"), seconds=self.budget.seconds_for("repair, sharper bound"))
            with suppress(OutOfTimeError), at_most(PATIENCE * self.budget.left, work=self.budget.left):
                found = sharpen(marked, name, quick, decisions=4)[name]
                if found["below"] is not None and found["best"] is not None:
                    value = found["best"] if found.get("attained", True) else found["below"]["value"]
                    return f"true with {name} = {value} instead of {found['stated']}"
        return None
