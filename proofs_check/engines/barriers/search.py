"""`Always(formula)` for polynomial flows: an invariant set that implies the formula is found, and proved to be kept.

First the signs of Darboux polynomials and of combinations of their products, which need no search for a proof; inside
of what they leave, a polynomial that a semidefinite program of sums of squares finds and that is compared with an
exponential, or one that grows wherever it vanishes, in a box if need be. Floating point only suggests them: each
condition of the rule is a plain goal that is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from sympy import And, Eq, Expr, Ge, Gt, Le, Lt, Or, S, Symbol, SympifyError, diff, sympify
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.barriers import NAME
from proofs_check.engines.barriers.boxes import faces, seems_kept, signs_of_coordinates
from proofs_check.engines.barriers.darboux import (
    Darboux,
    darboux_polynomials,
    families,
    first_integrals,
    guesses,
    space,
    visible,
)
from proofs_check.engines.barriers.fitting import Failures, candidates, combination, crossings
from proofs_check.engines.barriers.squares import Program
from proofs_check.engines.barriers.view import View
from proofs_check.engines.discharge import Proving, discharge
from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError, first_success
from proofs_check.engines.motion.barrier import Reason, by_darboux, confined, kept_by, not_crossed
from proofs_check.engines.motion.candidates import conjuncts
from proofs_check.engines.motion.formulas import follows
from proofs_check.engines.motion.inductive import Invariant
from proofs_check.engines.motion.trajectory import Setting, setting_of
from proofs_check.kernel.induction import fixed_values
from proofs_check.points.arrays import array_function
from proofs_check.verdict import Evidence, Outcome
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Always, is_plain, negation

_Pool = Callable[[View], list[Relational]]
_Cut = Callable[[View, Invariant | None], Invariant | None]

VERSION = 3
LONGER = 8.0
"""The search is made of steps that are useless until the last, and comes after engines that have used their time."""
_WHOLE = 4.0
"""How much longer than one round the search may take."""

_SHARE = 0.25
"""Of the time for one goal."""
_LOW_DEGREES, _HIGH_DEGREES = (1, 2), (3, 4)
_EVEN_DEGREES = (2, 4)

_ROOMS = (0.06, 0.5)
"""How far from what is reached the sides of boxes are, beside their width."""
_MOST_COORDINATES = 6
_REPAIRS = 8
"""How often a polynomial is looked for again beside the point at which the last one failed."""
_AROUND = 4
"""How many points around it."""
_INTEGRALS = {1: 1, 2: 4, 3: 2, 4: 2}
"""Degrees of first integrals for each number of coordinates."""
_BEYOND = (1.5, 4.0, 20.0)
"""Boxes, beside the one of the samples, in which a polynomial may also be tested."""


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove that a polynomial flow keeps a formula, or return None.

    >>> from sympy import Interval, symbols
    >>> from theory.dynamics import Flow
    >>> x, y, a, b = symbols("x y a b")
    >>> turning = Flow((x, y), (y - x**3, -x - y))
    >>> lemma = Statement(dynamics=turning, start={x: a, y: b}, variables={a: Interval(0, 1), b: Interval(0, 1)},
    ...                   then=Always(x < 3))
    >>> str(decide(lemma, Budget.of("standard")).outcome)
    'proved'
    """
    found = setting_of(statement)
    if found is None or not all(is_plain(part) for part in statement.hypotheses):
        return None
    setting, claim = found
    setting = setting.without_idle(claim)
    if not _is_suitable(setting, claim):
        return None
    seconds = _WHOLE * max(budget.seconds, Budget.of("standard").seconds)
    desk = Desk(replace(budget, seconds=seconds).start(), discharge, share=_SHARE)
    fixed, (conditions, variables) = Proving(desk.budget), fixed_values(statement)
    if not all(fixed.follows(part, variables, statement.hypotheses) for part in conditions):
        return None
    try:
        argument = _kept(setting, claim, desk)
    except (UnprovedError, LemmascopeError):
        return None
    certificate = {"kind": "induction", "argument": argument.to_json(), "obligations": fixed.obligations}
    notes = tuple(dict.fromkeys(argument.all_notes))
    return Evidence(Outcome.PROVED, NAME, certificate=certificate, notes=notes)


def _is_suitable(setting: Setting, claim: Boolean) -> bool:
    """Whether all is polynomial in the state, and the claim about all times."""
    parts = clauses(claim)
    if setting.discrete or not all(isinstance(part, Always) and is_plain(part.args[0]) for part in parts):
        return False
    relations = And(claim, setting.assumed, *setting.hypotheses).atoms(Relational)
    sides = [side for relation in relations for side in relation.args]
    symbols = (*setting.state, *setting.variables)
    return len(symbols) <= 4 * _MOST_COORDINATES and all(
        part.is_polynomial(*symbols) and not part.atoms(Symbol) - set(symbols) for part in (*setting.rule, *sides)
    )


def _kept(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    if isinstance(claim, And):
        return Argument("and", {}, parts=tuple(_kept(setting, part, desk) for part in claim.args))
    body = claim.args[0]
    parts = body.args if isinstance(body, And) else ()
    if all(setting.about(part).state == setting.about(body).state for part in parts):
        try:
            return _Search(setting.about(body), body, desk).argument()
        except UnprovedError:
            if not parts:
                raise
    found = []
    for place, part in enumerate(parts):
        share = replace(desk.budget, seconds=desk.budget.left / (len(parts) - place)).start()
        own = Desk(share, desk.discharge, share=_SHARE)
        found.append(_Search(setting.about(part), part, own).argument())
    return Argument("always-and", {}, parts=tuple(found))


@dataclass
class _Search:
    """One formula that is to be kept."""

    setting: Setting
    body: Boolean
    desk: Desk
    may_split: bool = True

    def argument(self) -> Argument:
        """Why the formula holds at all times; raises UnprovedError where no reason is found."""
        view = View(self.setting, self.body)
        if not view.starts.shape[1] or view.is_violated:
            raise UnprovedError("nothing starts, or the claim seems to be false")
        if len(view.names) > _MOST_COORDINATES:
            raise UnprovedError("too many coordinates")
        known: Invariant | None = None
        pools: list[_Pool] = [signs_of_coordinates, *(partial(faces, room=room) for room in _ROOMS)]
        cuts: list[_Cut] = [self._cuts, self._claimed, *(partial(self._bounds, pool) for pool in pools)]
        for cut in cuts:
            more = cut(view, known)
            if more is None:
                continue
            known = more
            try:
                return self._done(known)
            except UnprovedError:
                view = View(self.setting.assuming(known.formula), self._left(known))
        attempts = [
            partial(self._compared, view, known, _EVEN_DEGREES[0]),
            partial(self._barrier, view, known, _LOW_DEGREES),
            partial(self._compared, view, known, _EVEN_DEGREES[1]),
            partial(self._barrier, view, known, _HIGH_DEGREES),
        ]
        if self.may_split:
            attempts.insert(2, partial(self._cases, view))
        return first_success(attempts, self.desk)

    def _left(self, known: Invariant) -> Boolean:
        """Those parts of the formula that do not follow from what is known."""
        parts = list(conjuncts(negation(negation(self.body))))
        setting = self.setting.assuming(known.formula)
        left = [part for part in parts if not self.desk.proves(setting.anywhere((setting.assumed,), part))]
        return And(*left) if len(parts) > 1 else self.body

    def _barrier(self, view: View, known: Invariant | None, degrees: Sequence[int]) -> Argument:
        for candidate in self._barriers(view, known, degrees):
            try:
                return self._done(candidate)
            except UnprovedError:
                if self.desk.budget.spent:
                    raise
        raise UnprovedError("no barrier")

    def _compared(self, view: View, known: Invariant | None, degree: int) -> Argument:
        """A polynomial that is compared with an exponential, from a semidefinite program."""
        setting = view.setting
        program = Program(view, degree, [item.cofactor for item in self._darboux(view)])
        for found in program.found(self.desk.budget.seconds_for("barriers, one program")):
            part = Ge(found.value, 0)
            grows = setting.anywhere((setting.assumed,), Ge(setting.rate(found.value), found.pace * found.value))
            goals = (setting.at_start(part), setting.anywhere((part, setting.assumed), self.body), grows)
            if all(self.desk.proves(goal) for goal in goals):
                reason: Reason = ("comparison", found.pace, [self.desk.require("comparison", grows)])
                return self._done(kept_by(setting, {part: reason}, self.desk, known))
            if self.desk.budget.spent:
                break
        raise UnprovedError("no polynomial that compares")

    def _cases(self, view: View) -> Argument:
        """The starts on either side of a surface that no trajectory crosses, and those on it."""
        for item in self._darboux(view):
            seen = _values(item.value, view.names, view.starts)
            if np.any(seen > 0) and np.any(seen < 0):
                surface = self.setting.initially(item.value)
                cases = [Gt(surface, 0), Eq(surface, 0), Lt(surface, 0)]
                break
        else:
            raise UnprovedError("no surface cuts the starts")
        found = []
        for place, case in enumerate(cases):
            share = replace(self.desk.budget, seconds=self.desk.budget.left / (len(cases) - place)).start()
            desk = Desk(share, self.desk.discharge, share=_SHARE)
            found.append(_Search(self.setting.given(case), self.body, desk, may_split=False).argument())
        one = self.desk.require("cases", self.setting.at_start(Or(*cases)))
        return Argument("cases", {"cases": cases}, (one,), tuple(found))

    def _done(self, known: Invariant) -> Argument:
        argument = follows(self.setting, self.body, known, self.desk)
        note = f"the flow keeps {', '.join(map(str, known.parts))}"
        return replace(argument, notes=(note,))

    def _cuts(self, view: View, _: Invariant | None) -> Invariant | None:
        """The signs that Darboux polynomials and combinations of them have at the start, and keep."""
        found = self._darboux(view)
        chosen: dict[Boolean, Reason] = {}
        wanted = [(item.value, item.cofactor) for item in found]
        joined = next(self._joined(view, found), None)
        if joined is not None:
            wanted.append(joined)
        for value, cofactor in wanted:
            for part in self._signs(view, value):
                if self.desk.proves(self.setting.at_start(part)):
                    chosen[part] = by_darboux(self.setting, part, cofactor, self.desk)
                    break
        return kept_by(self.setting, chosen, self.desk, None) if chosen else None

    def _joined(self, view: View, found: Sequence[Darboux]) -> Iterator[tuple[Expr, Expr]]:
        """Combinations of Darboux polynomials with one cofactor that part starts and violations, short ones first."""
        for members, cofactor in chain(families(found), self._spaces(view, found)):
            for count in range(2, len(members) + 1):
                joined = None if self.desk.budget.spent else combination(view, members[:count])
                if joined is not None:
                    yield joined, cofactor

    def _spaces(self, view: View, found: Sequence[Darboux]) -> Iterator[tuple[list[Expr], Expr]]:
        state, velocity = self.setting.state, self.setting.rule
        degree = _INTEGRALS.get(len(view.names), 0)
        for cofactor in guesses(state, velocity, found) if degree else []:
            yield space(state, velocity, cofactor, degree), cofactor

    def _claimed(self, view: View, known: Invariant | None) -> Invariant | None:
        """Those relations of the claim that are kept by themselves."""
        parts = [part for part in conjuncts(self.body) if isinstance(part, Relational)]
        found = confined(view.setting, parts, self.desk, known)
        return found if len(found.parts) > (0 if known is None else len(known.parts)) else None

    def _bounds(self, pool: _Pool, view: View, known: Invariant | None) -> Invariant | None:
        """Bounds of single coordinates through which nothing leaves."""
        setting, sides = view.setting, pool(view)
        while True:
            kept = [part for part in sides if seems_kept(view, sides, part)]
            if len(kept) == len(sides):
                break
            sides = kept
        parts: list[Boolean] = [part for part in sides if self.desk.proves(setting.at_start(part))]
        while parts:
            goals = {part: not_crossed(setting, parts, part) for part in parts}
            shown: list[Boolean] = [part for part, goal in goals.items() if self.desk.proves(goal)]
            if len(shown) == len(parts):
                reasons: dict[Boolean, Reason] = {
                    part: ("boundary", S.Zero, [self.desk.require("boundary", goal)]) for part, goal in goals.items()
                }
                return kept_by(setting, reasons, self.desk, known)
            parts = shown
        return None

    def _darboux(self, view: View) -> list[Darboux]:
        state, velocity = self.setting.state, self.setting.rule
        end = self.desk.budget.until("barriers, Darboux")
        found = [*darboux_polynomials(state, velocity, 1, end), *darboux_polynomials(state, velocity, 2, end)]
        sides = [part.lhs - part.rhs for part in self.body.atoms(Relational)]
        found += visible(state, velocity, sides)
        degree = _INTEGRALS.get(len(view.names), 0)
        found += first_integrals(state, velocity, degree) if degree else []
        return list({item.value: item for item in found}.values())

    def _signs(self, view: View, value: Expr) -> Iterator[Relational]:
        """Relations between a polynomial and zero that hold at the starts that were seen, the strongest first."""
        seen = _values(value, view.names, view.starts)
        size = 1e-9 * (1 + np.max(np.abs(seen), initial=0.0))
        if np.all(np.abs(seen) <= size):
            yield Eq(value, 0)
        if np.all(seen >= -size):
            yield from (Gt(value, 0), Ge(value, 0))
        elif np.all(seen <= size):
            yield from (Lt(value, 0), Le(value, 0))

    def _barriers(self, view: View, known: Invariant | None, degrees: Sequence[int]) -> Iterator[Invariant]:
        tried: set[Expr] = set()
        for degree in degrees:
            failures = Failures.none(view)
            for _ in range(_REPAIRS):
                before = len(failures)
                for value in candidates(view, degree, failures):
                    if value in tried:
                        continue
                    tried.add(value)
                    wrong = crossings(view, value)
                    if wrong.shape[1]:
                        failures.left = np.concatenate([failures.left, wrong], axis=1)
                        break
                    found = self._kept(view, value, known, failures)
                    if found is not None:
                        yield found
                    if self.desk.budget.spent:
                        return
                if len(failures) == before or self.desk.budget.spent:
                    break

    def _kept(self, view: View, value: Expr, known: Invariant | None, failures: Failures) -> Invariant | None:
        """The set where a polynomial is not negative, in a box if need be; failures are noted."""
        setting = view.setting
        barrier = Ge(value, 0)
        sides = [] if self._is_plausible_everywhere(view, value) else faces(view, _ROOMS[-1])
        if view.escapes and sides:
            return None
        parts: list[Boolean] = [barrier, *sides]
        for part in parts:
            verdict = self.desk.verdict(setting.at_start(part))
            if verdict is None or verdict.outcome is not Outcome.PROVED:
                if verdict is not None:
                    failures.starts = _with(view, failures.starts, self._begun(verdict))
                return None
        verdict = self.desk.verdict(setting.anywhere((*parts, setting.assumed), self.body))
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            if verdict is not None:
                failures.forbidden = _with(view, failures.forbidden, _point(verdict))
            return None
        reasons: dict[Boolean, Reason] = {}
        for part in parts:
            goal = not_crossed(setting, parts, part)
            verdict = self.desk.verdict(goal)
            if verdict is None or verdict.outcome is not Outcome.PROVED:
                if verdict is not None and part == barrier:
                    failures.left = _with(view, failures.left, _point(verdict))
                elif verdict is not None:
                    failures.forbidden = _with(view, failures.forbidden, _point(verdict))
                return None
            reasons[part] = ("boundary", S.Zero, [self.desk.require("boundary", goal)])
        return kept_by(setting, reasons, self.desk, known)

    def _begun(self, verdict: Evidence) -> dict[str, float]:
        """The state at the start that a counterexample about the start describes."""
        point = _point(verdict)
        values = {symbol: point[symbol.name] for symbol in self.setting.variables if symbol.name in point}
        states = {
            s.name: float(v.subs(values)) for s, v in self.setting.beginning.items() if not v.free_symbols - set(values)
        }
        return point | states

    def _is_plausible_everywhere(self, view: View, value: Expr) -> bool:
        """Whether no sample outside of the box shows that the box is needed."""
        low, high = view.box
        middle, half = (low + high)[:, None] / 2, (high - low)[:, None] / 2
        moving = np.arange(len(view.names))[:, None] < len(self.setting.state)
        unit = view.random.uniform(-1, 1, (len(view.names), 600))
        points = np.concatenate([middle + np.where(moving, size, 1.0) * half * unit for size in _BEYOND], axis=1)
        points = points[:, view.allowed(points)]
        rate = sum((diff(value, s) * v for s, v in zip(view.names, view.velocity, strict=True)), S.Zero)
        values, rates = (_values(part, view.names, points) for part in (value, rate))
        slope = [_values(diff(value, s), view.names, points) for s in self.setting.state]
        close = np.abs(values) < 0.1 * np.linalg.norm(np.array(slope), axis=0) * np.max(half)
        return not np.any(close & (rates <= 0)) and not np.any((values >= 0) & view.forbidden(points))


def _values(value: Expr, names: Sequence[Symbol], points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(array_function([value], names)(points)[0])


def _point(verdict: Evidence) -> dict[str, float]:
    """A counterexample in floating point; empty where it has none."""
    try:
        return {name: float(sympify(text).evalf(20)) for name, text in (verdict.counterexample or {}).items()}
    except (TypeError, ValueError, SympifyError):
        return {}


def _with(view: View, points: NDArray[np.float64], point: Mapping[str, float]) -> NDArray[np.float64]:
    """The points with one more and some around it."""
    if not all(symbol.name in point for symbol in view.names):
        return points
    place = np.array([point[symbol.name] for symbol in view.names])[:, None]
    low, high = view.box
    around = place + 0.01 * (high - low)[:, None] * view.random.normal(size=(len(place), _AROUND))
    return np.asarray(np.concatenate([points, place, around], axis=1))
