"""Counterexamples along trajectories: ensembles in double precision, the worst of them followed, and then certified.

A negative robustness makes a candidate. Its start and parameters are rounded to simple rationals that satisfy the
hypotheses exactly, and only a violation that the enclosure engine certifies in ball arithmetic is a refutation. One
that is clear in floating point and was not certified makes the statement suspect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from sympy import And, Expr, Symbol
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean, Implies

from numerics.ensemble import EXPLANATIONS, Status
from numerics.robustness import TemporalRobustness
from proofs_check.budget import Budget
from proofs_check.engines.enclosure.search import confirm_violation
from proofs_check.engines.falsify.clarity import Sight, worst
from proofs_check.engines.falsify.runs import Runs, Simulation
from proofs_check.goals import domains
from proofs_check.points.sampling import Sampler
from proofs_check.points.search import Point, Search
from proofs_check.verdict import Evidence, Outcome
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Always, fails_in_time, is_plain, rename

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

NAME = "falsify"

_ROUNDS = {
    "glance": ((60, 1000), (600, 100)),
    "quick": ((60, 1000), (600, 100)),
    "standard": ((60, 5000), (2000, 400), (20_000, 24)),
    "deep": ((60, 50_000), (2000, 4000), (20_000, 200), (200_000, 16)),
}
"""Horizons and numbers of trajectories."""

_WATCHED = {"glance": (10_000, 64), "quick": (10_000, 64), "standard": (200_000, 64), "deep": (2_000_000, 256)}
"""Steps and trajectories for invariants alone, which need no memory."""

_INEQUALITIES = (Lt, Le, Gt, Ge)
_PATIENCE = 500
_CANDIDATES = 4
_ROUNDINGS = 24
_NICE = 40
_HAIR = 1e-11
_LOOKS = 8
"""How many candidates of a round are looked at again, to tell clear violations from noise."""
_FIRST_LOOK = 200
_ENDED = 64
"""How many trajectories that end before the horizon are judged up to their end in a round."""
_MODERATE = 3.0
"""Decades around one in which most theory lives."""


@dataclass
class _Findings:
    cases: int = 0
    longest: int = 0
    faults: dict[Status, tuple[int, str]] = field(default_factory=dict)
    short: int = 0
    """How many trajectories ended below the claim, clearly or by what may be noise."""
    clear: list[str] = field(default_factory=list)
    """Where a violation is clear, in words."""
    points: Values = field(default_factory=lambda: np.empty((0, 0)))


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Refute a statement about trajectories, or say how many were searched in vain.

    >>> from sympy import Interval
    >>> from theory.temporal import Always
    >>> x, a = Symbol("x"), Symbol("a")
    >>> doubling = Statement(dynamics=Map((x,), (2 * x,)), start={x: a}, variables={a: Interval(1, 2)},
    ...                      then=Always(x < 100))
    >>> str(decide(doubling, Budget.of("standard").start()).outcome)
    'refuted'
    """
    try:
        return _Hunt(statement, budget).run()
    except LemmascopeError as error:
        return Evidence(Outcome.OPEN, engine=NAME, notes=(f"no ensemble could be run: {error}",))


def _unshadowed(statement: Statement) -> Statement:
    """The statement under other names for the state where a variable, often its start, has the same one."""
    dynamics = statement.dynamics
    now = {s: Symbol(f"{s.name}_now") for s in (dynamics.state if dynamics else ()) if s in statement.variables}
    if dynamics is None or not now:
        return statement
    if not all(is_plain(part) for part in statement.given):
        raise LemmascopeError("a variable and a state of the same name in a hypothesis about time: rename one")
    start = {now.get(symbol, symbol): value for symbol, value in statement.start.items()}
    return statement.but(dynamics=dynamics.rename(now), start=start, then=rename(statement.then, now))


class _Hunt:
    def __init__(self, statement: Statement, budget: Budget, seed: int = 0) -> None:
        statement = _unshadowed(statement)
        self.statement, self.budget = statement, budget
        self.random = np.random.default_rng(seed)
        self.variables = domains(statement)
        plain = [part for part in statement.hypotheses if is_plain(part)]
        lasting = [part for part in statement.hypotheses if not is_plain(part)]
        self.claim: Boolean = Implies(And(*lasting), statement.conclusion) if lasting else statement.conclusion
        self.region = And(*plain)
        self.sampler = Sampler(self.variables, plain)
        self.simulation = Simulation(statement, self.sampler.names)
        state, clock = self.simulation.dynamics.state, self.simulation.dynamics.time
        self.robustness = TemporalRobustness(self.claim, state, self.sampler.names, clock)
        self.sight = Sight(statement, self.simulation, self.robustness)
        self.findings = _Findings()

    def run(self) -> Evidence | None:
        pool = self._nice_points()
        patience = 0 if fails_in_time(self.claim) else _PATIENCE
        rounds = [(horizon, count) for horizon, count in _ROUNDS[self.budget.effort] if horizon >= patience]
        refuted = self._first_look(pool, rounds[0][0])
        if refuted is not None:
            return refuted
        for horizon, count in rounds:
            if self.budget.spent and self.findings.cases:
                break
            fresh = self.sampler.draw(count, self.random, self.budget.seconds_for("falsify, first runs"))
            points = np.concatenate([pool[:, : max(_NICE, count // 4)], fresh], axis=1)
            if not points.shape[1]:
                return None
            values = self._survey(points, horizon)
            refuted = self._refute(points, values, horizon)
            if refuted is not None:
                return refuted
            pool = self._neighbours(points, values)
        return self._after_long() or (self._undecided() if self.findings.cases else None)

    def _first_look(self, nice: Values, horizon: int) -> Evidence | None:
        """The simplest points and some of moderate size: what goes wrong there is a counterexample to remember."""
        fresh = self.sampler.draw(_FIRST_LOOK, self.random, self.budget.seconds_for("falsify, first look"))
        points = np.concatenate([nice, fresh[:, _extremeness(fresh) <= _MODERATE]], axis=1)
        return self._refute(points, self._survey(points, horizon), horizon) if points.shape[1] else None

    def _nice_points(self) -> Values:
        """Exact points that read well; a violation at one of them is a counterexample as it stands."""
        search = Search(self.variables, self.region, self.budget.until("falsify, simple starts"))
        found = [[float(point[s].evalf(20)) for s in self.sampler.names] for point in islice(search.points(), _NICE)]
        return np.array(found, dtype=float).reshape(len(found), len(self.sampler.names)).T

    def _after_long(self) -> Evidence | None:
        """Invariants over many more steps than can be kept."""
        relations = [relation for part in clauses(self.claim) if isinstance(part, Always)
                     for relation in clauses(part.args[0]) if isinstance(relation, _INEQUALITIES)]  # fmt: skip
        dynamics = self.simulation.dynamics
        if self.budget.spent or not relations or not isinstance(dynamics, Map) or dynamics.time is not None:
            return None
        steps, count = _WATCHED[self.budget.effort]
        points = self.sampler.draw(count, self.random, self.budget.seconds_for("falsify, long trajectories"))
        first = self.simulation.first_violations(points, relations, steps)
        self._take_time()  # a cold start compiles for longer than it runs
        for place in np.argsort(first)[:_CANDIDATES]:
            if np.isfinite(first[place]) and not self.budget.spent:
                refuted = self._certified(points[:, place], int(1.1 * first[place]) + 10, relations)
                if refuted is not None:
                    return refuted
        self.findings.cases += points.shape[1]
        self.findings.longest = max(self.findings.longest, steps if np.any(np.isinf(first)) else 0)
        return None

    def _survey(self, points: Values, horizon: int) -> Values:
        """Robustness of each trajectory; a trajectory that ended early is judged up to its end."""
        self.findings.points = points
        runs = self.simulation.run(points, horizon)
        values = self._judged(runs.states, runs.times, points)
        for place in np.flatnonzero(runs.status > Status.STOPPED):
            self._note_fault(runs, points, int(place))
        for place in np.flatnonzero((runs.status >= Status.STOPPED) & ~(values < 0))[:_ENDED]:
            kept = max(2, int(runs.kept[place]))
            values[place] = self._judged(runs.states[:kept, :, [place]], runs.times[:kept], points[:, [place]])[0]
        self.findings.cases += points.shape[1]
        self.findings.longest = max(self.findings.longest, horizon)
        return values

    def _judged(self, states: Values, times: Values, points: Values) -> Values:
        return np.array(self.sight.judged(states, times, points)[0])

    def _refute(self, points: Values, values: Values, horizon: int) -> Evidence | None:
        clear = np.flatnonzero(values < -_HAIR)
        close = np.flatnonzero(np.abs(values) <= _HAIR)
        self.findings.short += clear.size
        moderate = clear[np.argsort(_extremeness(points[:, clear]), kind="stable")]
        others = self.random.permutation(clear)[: _CANDIDATES - 2]
        order = [*clear[:2], *moderate[:2], *clear[np.argsort(values[clear])][:1], *others]
        tried: set[int] = set()
        for place in dict.fromkeys([*order, *close[:2]]):
            if self.budget.spent:
                break
            tried.add(place)
            verdict = self._certified(points[:, place], horizon, hair=-_HAIR if values[place] < -_HAIR else 0.0)
            if verdict is not None:
                return verdict
        if self.findings.clear:
            return None
        place = self._look_again(points, list(dict.fromkeys([*moderate[: _LOOKS - 4], *order]))[:_LOOKS], horizon)
        if place is None or place in tried:
            return None
        self._take_time()
        return self._certified(points[:, place], horizon, hair=-_HAIR)

    def _take_time(self) -> None:
        """What was found when the time was nearly over gets a little more."""
        if self.budget.left < self.budget.seconds_for("falsify, last chance"):
            self.budget = self.budget.share("falsify, last chance")

    def _look_again(self, points: Values, places: Sequence[int], horizon: int) -> int | None:
        """Remember the first candidate whose violation is clear."""
        for place in places:
            violation = self.sight.clear_violation(points[:, place], horizon)
            if violation is not None:
                pairs = zip(self.sampler.names, points[:, place], strict=True)
                start = ", ".join(f"{s} = {v:.6g}" for s, v in pairs) or "the given start"
                unit = "step" if isinstance(self.simulation.dynamics, Map) else "time"
                where = f"{unit} {violation.moment:.6g}"
                self.findings.clear.append(
                    f"the trajectory from {start} violates the claim by {violation.amount:.3g} at {where}"
                )
                return place
        return None

    def _certified(
        self, candidate: Values, horizon: int, watched: Sequence[Relational] = (), hair: float = 0.0
    ) -> Evidence | None:
        """The violation at a simple exact point near the candidate, by as much as is looked for, or None."""

        hint = {symbol: float(value) for symbol, value in zip(self.sampler.names, candidate, strict=True)}
        deadline = self.budget.until("falsify, simpler start")
        search = Search(self.variables, self.region, deadline, [hint])
        for point in islice(search.points(), _ROUNDINGS):
            moment = self._violated_at(point, horizon, watched, hair)
            if moment is None:
                continue
            verdict = confirm_violation(self.statement, point, horizon, self.budget, moment)
            if verdict is not None:
                return verdict.but(engine=NAME).note(sentence(point, verdict))
            if self.budget.spent:
                return None
        return None

    def _violated_at(self, point: Point, horizon: int, watched: Sequence[Relational], hair: float) -> float | None:
        """When the trajectory from an exact point is farthest from the claim; None where it keeps it."""
        column = np.array([[float(point[symbol].evalf(20))] for symbol in self.sampler.names]).reshape(-1, 1)
        if watched:
            first = float(self.simulation.first_violations(column, watched, horizon)[0])
            return first if np.isfinite(first) else None
        runs = self.simulation.run(column, horizon)
        kept = max(2, int(runs.kept[0]))
        values = self.sight.judged(runs.states[:kept], runs.times[:kept], column)[:, 0]
        return float(runs.times[worst(values)]) if values[0] <= hair else None

    def _neighbours(self, points: Values, values: Values) -> Values:
        """Points near the trajectories of least robustness: the search goes where it is tight."""
        order = np.argsort(np.where(np.isnan(values), np.inf, values))[: max(8, values.size // 50)]
        worst = np.repeat(points[:, order], 16, axis=1)
        size = 10.0 ** self.random.uniform(-4, -0.5, worst.shape[1])
        moved = worst * (1 + size * self.random.normal(size=worst.shape))
        return moved[:, self.sampler.inside(moved)]

    def _note_fault(self, runs: Runs, points: Values, place: int) -> None:
        status = Status(runs.status[place])
        count, first = self.findings.faults.get(status, (0, ""))
        start = ", ".join(f"{s} = {v:.6g}" for s, v in zip(self.sampler.names, points[:, place], strict=True))
        where = f"{runs.unit} {runs.ended[place]:.6g}"
        self.findings.faults[status] = (count + 1, first or f"the one from {start} {EXPLANATIONS[status]} at {where}")

    def _undecided(self) -> Evidence:
        """Suspect where a violation is clear, otherwise sampled; what fell short by less is said, too."""
        found = self.findings
        unit = "steps" if isinstance(self.simulation.dynamics, Map) else "units of time"
        longest = found.longest if unit == "steps" else f"{self.simulation.duration(found.longest):g}"
        coverage = (
            f"{found.cases} trajectories of up to {longest} {unit}, starts and parameters on linear and log scales,"
            f" in double precision; {self.simulation.agreement(found.points)}"
        )
        notes = [f"{count} trajectories ended early: {text}" for count, text in found.faults.values()]
        if found.clear:
            seen = f"{found.clear[0]}, in floating point and again with more precision; it could not be certified"
            return Evidence(Outcome.SUSPECT, engine=NAME, cases=found.cases, coverage=coverage, notes=(seen, *notes))
        if found.short:
            why = "by what rounding may explain" if fails_in_time(self.claim) else "which a longer time may mend"
            notes.append(f"{found.short} trajectories fell short of the claim within the horizon, {why}")
        return Evidence(Outcome.SAMPLED, engine=NAME, cases=found.cases, coverage=coverage, notes=tuple(notes))


def _extremeness(points: Values) -> Values:
    """How many decades the most extreme entry of each point is from one; zero is not extreme."""
    with np.errstate(divide="ignore"):
        decades = np.abs(np.log10(np.abs(points)))
    return np.max(np.where(points == 0, 0.0, decades), axis=0, initial=0.0)


def sentence(point: Mapping[Symbol, Expr], verdict: Evidence) -> str:
    """What goes wrong along the trajectory, in words."""
    place = ", ".join(f"{symbol} = {value}" for symbol, value in point.items()) or "the given start"
    step = (verdict.counterexample or {}).get("step")
    when = f" at step {step}" if step is not None else ""
    return f"the trajectory from {place} violates the claim{when}"
