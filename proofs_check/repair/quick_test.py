"""Whether a changed statement may be true: a quick look at points of the hypothesis set, before a proof is tried.

A look can only dismiss. Exact points dismiss a plain claim; a claim about a map is followed for some steps in floating
point, where an error dismisses one that was true and costs a correction, never a wrong one.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice

import numpy as np
from sympy import And, Expr, Rational, Symbol, lambdify, true
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Boolean

from proofs_check import clock
from proofs_check.goals import domains
from proofs_check.points.exact import holds
from proofs_check.points.sampling import Sampler
from proofs_check.points.search import Point, Search
from proofs_check.repair.repairs import Repair
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Always, ConvergesTo, is_plain, negation

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

_PROBES = 24
_SAMPLE = 400
_SUSPECTS = 4
_STEPS = 400
_SLACK = 1e-9
_SMALL, _LARGE, _HUGE = 1e-2, 6.0, 1e2
_ENOUGH = 40
_EXCEPTIONAL = 0.15
_DOUBTFUL = 0.05
"""The share of orbits in floating point that may contradict a claim about a map: near an edge they are wrong."""
_LEAST = 0.05
"""The least part of the hypothesis set that another constant leaves of it."""
_DISTINCT = 5
"""The least number of values of a variable that a restriction keeps."""
_COMPARED = {Lt: np.less, Le: np.less_equal, Gt: np.greater, Ge: np.greater_equal}


class Plausibility:
    """Points of a statement's hypothesis set, and what of them a change keeps or contradicts."""

    def __init__(self, statement: Statement, point: Point, seconds: float) -> None:
        self.statement, self.point = statement, point
        self.variables = list(statement.variables)
        self.given = [part for part in statement.hypotheses if is_plain(part)]
        self.is_plain = is_plain(statement.conclusion) and len(self.given) == len(statement.hypotheses)
        search = Search(domains(statement), And(*self.given), clock.now() + seconds)
        self.probes = [point, *islice(search.points(), _PROBES)]
        self.sample = self._sample()
        self._suspects = self._violations(statement.conclusion)
        self._exact: dict[int, bool] = {}
        truths = [(probe, holds(statement.conclusion, probe) if self.is_plain else None) for probe in self.probes[1:]]
        self.wrong = [point, *(probe for probe, truth in truths if truth is False)]
        self.right = [probe for probe, truth in truths if truth is True]

    @property
    def is_exceptional(self) -> bool:
        """Whether the claim is true but for few points."""
        return int(np.sum(self._suspects & self._usual)) <= _EXCEPTIONAL * int(np.sum(self._usual))

    @property
    def moderate(self) -> Floats:
        """Points whose coordinates are neither tiny nor huge, for comparisons in floating point."""
        exact = np.array([[_float(probe[s]) for probe in self.probes] for s in self.variables])
        both = np.hstack([exact.reshape(len(self.variables), -1), self.sample])
        return both[:, _is_usual(both, _LARGE)]

    @cached_property
    def _usual(self) -> Mask:
        """The sample without the tiny and the huge numbers that are drawn as well."""
        return _is_usual(self.sample, _HUGE)

    def share(self, added: Boolean) -> float:
        """The part of the sampled hypothesis set that a further hypothesis keeps."""
        if not self.sample.shape[1]:
            return 0.0
        mask = self._mask(added)
        counted = [symbol for symbol in added.free_symbols if domains(self.statement)[symbol].is_finite_set is not True]
        values = [np.unique(self.sample[self.variables.index(symbol), mask]).size for symbol in counted]
        usual = self._usual if np.sum(self._usual) >= _ENOUGH else np.ones_like(mask)
        kept = mask[usual]
        if added.free_symbols <= set(self.statement.integers):  # small ones are drawn again and again: each counts once
            rows = [self.variables.index(symbol) for symbol in added.free_symbols]
            kept = kept[np.unique(self.sample[rows][:, usual], axis=1, return_index=True)[1]]
        return float(np.mean(kept)) if all(size >= _DISTINCT for size in values) else 0.0

    def learn(self, point: Point | None) -> None:
        """A point of the hypothesis set that contradicted a change may contradict others."""
        if point is None or not self.is_plain or holds(And(*self.given), point) is not True:
            return
        self.probes.append(point)
        if holds(self.statement.conclusion, point) is False:
            self.wrong.append(point)

    def allows(self, repair: Repair) -> bool:
        """Whether no known point contradicts the changed statement, and one satisfies its hypotheses."""
        if repair.added is not None:
            return self._allows_restriction(repair.added)
        claim = repair.statement.conclusion
        if repair.constants is not None:
            known = [part for part in repair.statement.hypotheses if is_plain(part)]
            new = And(*(part for part in known if part not in self.given))
            if new is not true and self.share(new) < _LEAST:
                return False
            return not self.is_plain or not any(holds(And(*known), p) and holds(claim, p) is False for p in self.probes)
        if not self.is_plain:
            return self._is_rare(self._violations(claim), self._usual)
        if any(holds(claim, probe) is False for probe in self.probes):
            return False
        return not self._is_confirmed(self._violations(claim), claim, {})

    def _allows_restriction(self, added: Boolean) -> bool:
        if any(holds(added, probe) is True for probe in self.wrong) or self._fails_at_an_end(added):
            return False
        mask = self._mask(added)
        inside = self._suspects & mask
        if not self.is_plain:
            return self._is_rare(inside, mask & self._usual)
        if self._is_confirmed(inside, self.statement.conclusion, self._exact):
            return False
        if any(holds(added, probe) is True for probe in self.right):
            return True
        found = Search(domains(self.statement), And(*self.given, added), clock.now() + 0.3).find()
        return found is not None

    def _fails_at_an_end(self, added: Boolean) -> bool:
        """Whether the claim is false at an end of a range, or right before an end that does not belong to it."""
        if not self.is_plain or len(self.variables) > 1:
            return False
        claim = self.statement.conclusion
        relaxed = claim.replace(Gt, Ge).replace(Lt, Le) if isinstance(claim, Relational) else true
        for part in clauses(added):
            if part.func in _COMPARED and part.rhs.is_number:
                said = claim if part.func in (Le, Ge) else relaxed
                if holds(And(*self.given, negation(said)), {part.lhs: part.rhs}) is True:
                    return True
        return False

    @staticmethod
    def _is_rare(suspects: Mask, among: Mask) -> bool:
        return int(np.sum(suspects & among)) <= _DOUBTFUL * int(np.sum(among))

    def _is_confirmed(self, suspects: Mask, claim: Boolean, known: dict[int, bool]) -> bool:
        """Whether one of a few float points that look like violations is one in exact arithmetic."""
        places = np.flatnonzero(suspects)
        for place in map(int, places[:: len(places) // _SUSPECTS + 1]):
            if place not in known:
                exact = {s: Rational(float(v)) for s, v in zip(self.variables, self.sample[:, place], strict=True)}
                known[place] = holds(And(*self.given), exact) is True and holds(claim, exact) is False
            if known[place]:
                return True
        return False

    def _sample(self) -> Floats:
        try:
            return Sampler(domains(self.statement), self.given).draw(_SAMPLE, np.random.default_rng(0))
        except LemmascopeError:
            return np.empty((len(self.variables), 0))

    def _mask(self, formula: Boolean) -> Mask:
        parts = [self._part(part) for part in clauses(formula)]
        return np.logical_and.reduce(parts)

    def _part(self, part: Boolean) -> Mask:
        if part.func in _COMPARED and part.lhs in self.variables and part.rhs.is_number:
            return np.asarray(_COMPARED[part.func](self.sample[self.variables.index(part.lhs)], float(part.rhs)))
        return _truths(part, self.variables, self.sample)

    def _violations(self, claim: Boolean) -> Mask:
        if is_plain(claim):
            return _truths(negation(claim), self.variables, self.sample)
        dynamics = self.statement.dynamics
        if not isinstance(dynamics, Map) or not self.sample.shape[1]:
            return np.zeros(self.sample.shape[1], dtype=bool)
        try:
            with np.errstate(all="ignore"):
                return self._followed(dynamics, claim)
        except (TypeError, ValueError, NameError, AttributeError, ArithmeticError, NotImplementedError):
            return np.zeros(self.sample.shape[1], dtype=bool)

    def _followed(self, dynamics: Map, claim: Boolean) -> Mask:
        """Where the orbit of a map leaves what is always so, or is not near its limit and no longer approaches it."""
        stated, state = self.statement.stated, list(dynamics.state)
        start = [self.statement.start[symbol].subs(stated) for symbol in state]
        step = lambdify([*state, *self.variables], [part.subs(stated) for part in dynamics.update], modules="numpy")
        shape = self.sample.shape[1:]
        now = [np.broadcast_to(v, shape) for v in lambdify(self.variables, start, modules="numpy")(*self.sample)]
        wrong = np.zeros(shape, dtype=bool)
        if isinstance(claim, Always) and is_plain(claim.args[0]):
            observed = lambdify([*state, *self.variables], _slackened(negation(claim.args[0])), modules="numpy")
            for _ in range(_STEPS):
                wrong |= np.broadcast_to(observed(*now, *self.sample), shape)
                now = [np.broadcast_to(v, shape) for v in step(*now, *self.sample)]
        elif isinstance(claim, ConvergesTo) and len(claim.points) == 1:
            gaps = [part - goal for part, goal in zip(claim.quantity, claim.points[0], strict=True)]
            distance = lambdify([*state, *self.variables], sum(gap**2 for gap in gaps), modules="numpy")
            halfway = np.zeros(shape)
            for count in range(_STEPS):
                halfway = distance(*now, *self.sample) if count == _STEPS // 2 else halfway
                now = [np.broadcast_to(v, shape) for v in step(*now, *self.sample)]
            last = distance(*now, *self.sample)
            wrong = ~(last < _SMALL) & ~(last < halfway)
        return wrong


def _is_usual(points: Floats, largest: float) -> Mask:
    size = np.abs(points)
    return np.asarray(np.all(((size > _SMALL) & (size < largest)) | (size == 0), axis=0))


def _slackened(violation: Boolean) -> Boolean:
    """A violation by more than rounding."""
    slack = {relation: relation for relation in violation.atoms(Relational)}
    for relation in slack:
        if relation.func in (Lt, Le, Gt, Ge):
            slack[relation] = Gt(relation.gts - relation.lts, _SLACK)
        elif not isinstance(relation, Eq):
            slack[relation] = Gt(abs(relation.lhs - relation.rhs), _SLACK)
    return violation.xreplace(slack)


def _truths(formula: Boolean, variables: list[Symbol], sample: Floats) -> Mask:
    """Where a plain formula is true in floating point; nowhere when it cannot be computed."""
    nowhere = np.zeros(sample.shape[1], dtype=bool)
    if not sample.shape[1]:
        return nowhere
    try:
        with np.errstate(all="ignore"):
            found = lambdify(variables, formula, modules=["numpy", "scipy"])(*sample)
    except (TypeError, NameError, AttributeError, ValueError, ArithmeticError, NotImplementedError, SyntaxError):
        return nowhere
    return np.broadcast_to(np.asarray(found, dtype=bool), sample.shape[1:])


def _float(value: Expr) -> float:
    try:
        return float(value)
    except (TypeError, OverflowError):
        return float("nan")
