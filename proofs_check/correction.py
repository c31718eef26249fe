"""For a refuted statement the nearest true one: the first small change for which a prover succeeds.

A change counts only when it keeps a substantial part of the hypothesis set and does not merely assume the conclusion.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice

import numpy as np
from sympy import And, Expr, Rational, Symbol
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.exact import holds
from proofs_check.goals import domains, goal_of
from proofs_check.repairs import Repair, coefficients, hypotheses, is_conclusion, restrictions
from proofs_check.sampling import Sampler
from proofs_check.search import Point, Search
from proofs_check.verdict import Outcome, Verdict
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import is_plain, negation
from theory.trees import decode

_KEPT = 0.05
"""The least share of the sampled hypothesis set that a restriction must keep."""

_PROBES = 24
_ATTEMPT_SECONDS = 3.0


def find_correction(statement: Statement, verdict: Verdict, budget: Budget) -> str | None:
    """What would make a refuted statement true, as a phrase; None when nothing was proved to.

    >>> from sympy import Interval, Reals
    >>> x = Symbol("x")
    >>> false = Statement(variables={x: Interval(-1, 1)}, then=x**3 >= 0)
    >>> find_correction(false, Verdict(Outcome.REFUTED, counterexample={"x": "-1"}), Budget.of("standard"))
    'true for x >= 0'
    """
    running = budget if budget.deadline < float("inf") else budget.start()
    point = _point(statement, verdict)
    if point is None:
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


class _Corrector:
    def __init__(self, statement: Statement, point: Mapping[Symbol, Expr], budget: Budget) -> None:
        self.statement, self.point, self.budget = statement, dict(point), budget
        self.given = [part for part in statement.hypotheses if is_plain(part)]
        search = Search(domains(statement), And(*self.given), time.monotonic() + budget.left / 10)
        self.probes = [self.point, *islice(search.points(), _PROBES)]
        self.sample = self._sample()

    def find(self) -> str | None:
        """The first repair that is proved."""
        plain = is_plain(self.statement.conclusion) and len(self.given) == len(self.statement.hypotheses)
        stages = [lambda: restrictions(self.statement, self.point)]
        if plain:
            stages.append(lambda: hypotheses(self.statement, self.point))
        for stage in stages:
            found = self._first(self._by_share(stage()), self.budget.left / 2)
            if found is not None:
                return found
        found = self._other_constant()
        if found is not None:
            return found
        return self._first(coefficients(self.statement), self.budget.left) if plain else None

    def _first(self, repairs: Iterator[Repair], seconds: float) -> str | None:
        deadline = time.monotonic() + seconds
        for repair in repairs:
            if self.budget.spent or time.monotonic() > deadline:
                return None
            if self._plausible(repair.statement) and self._proved(repair.statement):
                return f"true {repair.words}"
        return None

    def _by_share(self, repairs: Iterator[Repair]) -> Iterator[Repair]:
        """Restrictions that keep enough of the hypothesis set, those that keep most first."""
        kept = [(self._share(repair.added), repair) for repair in repairs
                if repair.added is not None and not is_conclusion(self.statement, repair.added)]  # fmt: skip
        kept.sort(key=lambda item: -round(item[0], 2))
        return (repair for share, repair in kept if share >= _KEPT)

    def _sample(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        try:
            sampler = Sampler(domains(self.statement), self.given)
            return sampler.draw(400, np.random.default_rng(0))
        except LemmascopeError:
            return np.empty((len(self.statement.variables), 0))

    def _share(self, added: Boolean) -> float:
        """The part of the sampled hypothesis set that a further hypothesis keeps."""
        from sympy import lambdify

        if not self.sample.shape[1]:
            return 0.0
        kept = lambdify(list(self.statement.variables), added, modules="numpy")(*self.sample)
        return float(np.mean(np.broadcast_to(kept, self.sample.shape[1])))

    def _plausible(self, changed: Statement) -> bool:
        """No probe contradicts the changed statement, and one of them satisfies its hypotheses."""
        if goal_of(changed) is None:
            return True
        inside = [probe for probe in self.probes if holds(And(*changed.hypotheses), probe) is True]
        if any(holds(changed.conclusion, probe) is False for probe in inside) or self._violated_in_sample(changed):
            return False
        return (
            bool(inside)
            or Search(domains(changed), And(*changed.hypotheses), time.monotonic() + 0.3).find() is not None
        )

    def _violated_in_sample(self, changed: Statement) -> bool:
        """Whether one of a few float points that look like violations is one in exact arithmetic."""
        from sympy import lambdify

        wrong = And(*changed.hypotheses, negation(changed.conclusion))
        if not self.sample.shape[1]:
            return False
        with np.errstate(all="ignore"):
            try:
                suspects = lambdify(list(self.statement.variables), wrong, modules=["numpy", "scipy"])(*self.sample)
            except (TypeError, NameError, AttributeError, ValueError):
                return False
        places = np.flatnonzero(np.broadcast_to(suspects, self.sample.shape[1]))
        exact = ({s: Rational(float(v)) for s, v in zip(self.statement.variables, self.sample[:, place], strict=True)}
                 for place in places[:: len(places) // 4 + 1])  # fmt: skip
        return any(holds(wrong, point) is True for point in exact)

    def _proved(self, changed: Statement) -> bool:
        from proofs_check.obligations import discharge

        attempt = replace(self.budget, seconds=min(_ATTEMPT_SECONDS, self.budget.left)).start()
        goal = goal_of(changed)
        try:
            if goal is not None:
                verdict = discharge(goal, attempt)
            else:
                from proofs_check.engines.induction import decide

                # what holds without the hypotheses about time holds with them
                stronger = changed.but(given=tuple(part for part in changed.given if is_plain(part)))
                verdict = decide(stronger, replace(attempt, seconds=min(6.0, self.budget.left)).start())
        except LemmascopeError:
            return False
        return verdict is not None and verdict.outcome is Outcome.PROVED

    def _other_constant(self) -> str | None:
        """The sharpest value of a constant, or of the number that bounds something, when it is found quickly."""
        from proofs_check.sharpen import sharpen, with_marked_bound

        marked = self.statement if self.statement.constants else with_marked_bound(self.statement)
        names = [item.symbol.name for item in marked.constants]
        for name in islice(chain(names), 2):
            if self.budget.spent:
                return None
            quick = replace(Budget.of("quick"), seconds=min(2.0, self.budget.left))
            found = sharpen(marked, name, quick)[name]
            if found["below"] is not None and found["best"] is not None:
                value = found["best"] if found.get("attained", True) else found["below"]["value"]
                return f"true with {name} = {value} instead of {found['stated']}"
        return None
