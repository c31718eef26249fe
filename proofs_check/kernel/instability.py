"""Re-checks counterexamples to claims about trajectories: the point is exact, and so is the reason why it is one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy import Basic, Expr, Symbol, Tuple
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne
from sympy.logic.boolalg import Boolean, Or

from proofs_check.kernel.argument import walk
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.convergence import cayley, hurwitz_conditions
from proofs_check.kernel.departure import DEPARTURES, check_departure
from proofs_check.kernel.point import has_value_at, truth
from proofs_check.kernel.scene import Node, RejectedError, Scene, conditions, conjuncts, put, require, sides, start_of
from proofs_check.kernel.trust import rests_on
from theory.language.definedness import demands
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import (
    After,
    Always,
    ConvergesTo,
    Decreasing,
    Eventually,
    HasPeriod,
    is_plain,
    opposite_of,
    put_at_once,
)


def check_refutation(statement: Statement, scene: Scene, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
    """Whether the point of the certificate lies in the hypothesis set and violates some conjunct of the claim."""
    point = start_of(statement, certificate["point"])
    if scene.domain != sp.true:
        lasting = ("step 0", "opposite", "at rest", "equilibrium")
        require(certificate["refutation"] in lasting, "the trajectory may end by leaving the domain")
    if certificate["refutation"] == "opposite":
        require(not scene.almost_all, "one start may be an exception")
        return any(_is_opposite_shown(scene, part, point, certificate["argument"]) for part in clauses(claim))
    trial = _Trial(scene, point, str(certificate["refutation"]), Shown(certificate.get("obligations", ())))
    if certificate["refutation"] in DEPARTURES:
        return any(trial.departs(part, certificate) for part in clauses(claim))
    return any(trial.violates(part) for part in clauses(claim))


def _is_opposite_shown(scene: Scene, claim: Boolean, point: Mapping[Symbol, Expr], argument: Mapping[str, Any]) -> bool:
    """Whether an argument shows the opposite of the claim for the trajectory from the point."""
    opposite = None if is_plain(claim) else opposite_of(claim)
    if opposite is None or not _has_values(scene, claim, point):
        return False
    try:
        walk(_at(scene, point), put_at_once(opposite, point), Node.read(argument, frozenset()))
    except RejectedError:
        return False
    return True


def _has_values(scene: Scene, claim: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    """Whether what does not depend on the state has a value at the point, before it is put in and anything cancels."""
    found = scene.fixed(demands([claim, *scene.rule, *scene.start]))
    return all(true_at(part, point) for part in found)


def _at(scene: Scene, point: Mapping[Symbol, Expr]) -> Scene:
    """The scene with a value for every variable."""
    for symbol in scene.variables:
        scene = put(scene, symbol, point[symbol])
    return replace(scene, known=frozenset())


def true_at(formula: Boolean, point: Mapping[Symbol, Expr]) -> bool:
    """Whether a plain formula is certainly true at an exact point."""
    return truth(formula, point) is True


def is_analytic(rule: Iterable[Expr], state: Sequence[Symbol], shown: Shown | None = None) -> bool:
    """Whether formulas without other symbols are shown to be real analytic on the whole space, pole or edge nowhere.

    >>> x = Symbol("x")
    >>> is_analytic([x - sp.tanh(x)], [x]), is_analytic([1 / x], [x]), is_analytic([sp.Abs(x)], [x])
    (True, False, False)
    """
    whole = Tuple(*rule)
    try:
        wanted = conditions(*whole, smooth=True)
    except RejectedError:
        return False
    proofs, space = shown or Shown(()), dict.fromkeys(state, sp.S.Reals)
    return whole.free_symbols <= set(state) and all(proofs.follows(part, space, ()) for part in wanted)


def has_unstable_direction(matrix: sp.Matrix, *, discrete: bool) -> Boolean:
    """A formula that puts an eigenvalue of a matrix right of the imaginary axis, or outside of the unit circle.

    Positive Hurwitz quantities are necessary for the opposite, strictly; so that none of them is negative is necessary
    for it, by continuity (the matrix minus a small multiple of the identity, or times a number below 1).

    >>> a = Symbol("a")
    >>> has_unstable_direction(sp.Matrix([[a]]), discrete=False), has_unstable_direction(sp.eye(2), discrete=True)
    (-a < 0, False)
    """
    coefficients = matrix.charpoly().all_coeffs()
    found = hurwitz_conditions(cayley(coefficients) if discrete else coefficients)
    return Or(*(Lt(value, 0) for value in found), evaluate=False)


class _Trial:
    """One exact point held against one claim, for the reason that the certificate gives."""

    def __init__(self, scene: Scene, point: Mapping[Symbol, Expr], reason: str, shown: Shown) -> None:
        self.scene, self.point, self.reason, self.shown = scene, dict(point), reason, shown

    def true(self, *formulas: Basic) -> bool:
        return all(true_at(formula, self.point) for formula in formulas)

    def false(self, formula: Boolean) -> bool:
        return truth(formula, self.point) is False

    def defined(self, steps: int) -> bool:
        """Whether the rule has values so far; of a flow, whether it is Lipschitz at the start, which it then keeps."""
        where = conditions(*self.scene.rule)
        return all(self.true(*(self.scene.later(k).begin(part) for part in where)) for k in range(steps))

    def valued(self, part: Basic, step: int) -> bool:
        """Whether a formula or a quantity has a value at a step, before the state is put in and anything cancels."""
        states = [put_at_once(part, self.point) for part in self.scene.later(step).start]
        return has_value_at(part, {**self.point, **dict(zip(self.scene.state, states, strict=True))})

    def departs(self, claim: Boolean, certificate: Mapping[str, Any]) -> bool:
        """Whether the trajectory from the point goes elsewhere, is kept away from the target, or ends.

        Where exceptional starts are allowed: those of an affine rule from which a polynomial converges to a number are
        the zeros of polynomials in the start, hence a null set when the point is none of them and lies in an open set.
        """
        scene = self.scene
        if scene.almost_all:
            generic = not Tuple(*scene.rule, claim).free_symbols.intersection(scene.almost_all)
            generic = generic and all(part.is_polynomial(*scene.almost_all) for part in scene.start)
            if not (generic and self.reason == "affine orbit" and self._open()):
                return False
        if not _has_values(scene, claim, self.point):
            return False
        try:
            return check_departure(_at(scene, self.point), put_at_once(claim, self.point), certificate)
        except RejectedError:
            return False

    def violates(self, claim: Boolean) -> bool:
        if self.scene.almost_all:
            excepted = Tuple(*self.scene.rule, claim).free_symbols.intersection(self.scene.almost_all)
            generic = self.reason in ("not a cycle", "repelling", "unstable direction") and not excepted
            return generic and self._open() and self._limit_fails(claim)
        if self.reason.startswith("step ") and self.reason[5:].isdigit():
            return self._false_at(claim, int(self.reason[5:]))
        if self.reason in ("at rest", "rising"):
            return self._not_falling(claim)
        if self.reason in ("equilibrium", "2-cycle"):
            return self._stuck(claim)
        return self._limit_fails(claim)

    def _false_at(self, claim: Boolean, step: int) -> bool:
        later = self.scene.later(step)
        if is_plain(claim):
            return step == 0 and self.valued(claim, 0) and self.false(self.scene.begin(claim))
        if not self.scene.discrete and step > 0:
            return False
        if isinstance(claim, Decreasing):
            quantity = claim.args[0]
            return (
                self.scene.discrete
                and self.defined(step + 1)
                and self.valued(quantity, step)
                and self.valued(quantity, step + 1)
                and self.true(Ge(later.begin(self.scene.step(quantity)), later.begin(quantity)))
            )
        if isinstance(claim, After) and not (self.scene.discrete and claim.args[0] == step):
            return False
        body = claim.args[-1]
        return (
            isinstance(claim, (Always, After))
            and is_plain(body)
            and self.defined(step)
            and self.valued(body, step)
            and self.false(later.begin(body))
        )

    def _not_falling(self, claim: Boolean) -> bool:
        if not isinstance(claim, Decreasing) or self.scene.discrete or not self.valued(claim.args[0], 0):
            return False
        if not self.defined(1):
            return False
        if self.reason == "at rest":
            return self.true(*(Eq(self.scene.begin(part), 0) for part in self.scene.rule))
        smooth = map(self.scene.begin, conditions(claim.args[0], smooth=True))
        return self.true(*smooth, Gt(self.scene.begin(self.scene.rate(claim.args[0])), 0))

    def _stuck(self, claim: Boolean) -> bool:
        """The trajectory lands on an equilibrium, or starts on a 2-cycle, and the claim is false there."""
        scene = self.scene
        for step in range(3 if scene.discrete else 1):
            here = scene.later(step).start
            moved = [scene.at(here, part) for part in scene.rule]
            still = [Eq(a, b if scene.discrete else 0) for a, b in zip(moved, here, strict=True)]
            if self.defined(step + 1) and self.true(*still):
                return self._false_at_rest(claim, step)
        twice = scene.later(2).start
        back = [Eq(a, b) for a, b in zip(twice, scene.start, strict=True)]
        if not (scene.discrete and self.defined(2) and self.true(*back)):
            return False
        once = scene.later(1)
        if isinstance(claim, ConvergesTo) and self.valued(claim, 0) and self.valued(claim, 1):
            apart = Or(*(Ne(once.begin(part), scene.begin(part)) for part in claim.quantity))
            return claim.period == 1 and self.true(apart)
        apart = Or(*(Ne(a, b) for a, b in zip(once.start, scene.start, strict=True)))
        return isinstance(claim, HasPeriod) and claim.args[0] != 2 and self.true(apart)

    def _false_at_rest(self, claim: Boolean, step: int) -> bool:
        later = self.scene.later(step)
        if not all(self.valued(claim, k) for k in range(step + 1)):
            return False
        if isinstance(claim, ConvergesTo):
            gaps = [Ne(later.begin(q), v) for point in claim.points for q, v in zip(claim.quantity, point, strict=True)]
            return any(self.true(gap) for gap in gaps)
        if isinstance(claim, Eventually) and is_plain(claim.args[0]):
            return all(self.false(self.scene.later(k).begin(claim.args[0])) for k in range(step + 1))
        return isinstance(claim, HasPeriod) and claim.args[0] != 1

    def _limit_fails(self, claim: Boolean) -> bool:
        """The target is no cycle of a continuous rule; or it repels, and only what lands on it converges to it.

        Of a flow that is smooth nothing lands. Of a map that is analytic on the line and not constant, as its slope at
        the target says, countably many starts land: the preimages of a point are isolated.
        """
        scene = self.scene
        if not isinstance(claim, ConvergesTo) or claim.quantity != Tuple(*scene.state) or claim.period > 2:
            return False
        images = [[scene.at(point, part) for part in scene.rule] for point in claim.points]
        if self.reason == "not a cycle":
            defined = [scene.at(point, part) for point in claim.points for part in conditions(*scene.rule)]
            turned = [*claim.points[1:], claim.points[0]] if scene.discrete else [[0] * len(scene.state)] * claim.period
            gaps = [Ne(a, b) for image, point in zip(images, turned, strict=True)
                    for a, b in zip(image, point, strict=True)]  # fmt: skip
            return self.true(*defined) and any(self.true(gap) for gap in gaps)
        if self.reason == "unstable direction":
            return self._unstable_direction(scene, claim)
        if len(scene.state) != 1:
            return False
        x, rule = scene.state[0], scene.rule[0]
        slopes = [put_at_once(sp.diff(rule, x), {x: point[0]}) for point in claim.points]
        if self.reason == "unstable":
            smooth = not conditions(rule, smooth=True)
            apart = self.true(Ne(scene.start[0], claim.points[0][0]))
            return not scene.discrete and smooth and apart and self.true(Eq(images[0][0], 0), Gt(slopes[0], 0))
        if self.reason != "repelling" or not scene.discrete:
            return False
        if not self.true(*scene.fixed(conditions(rule, smooth=True))):
            return False
        if not is_analytic([put_at_once(rule, self.point)], [x], self.shown):
            return False
        turned = [*claim.points[1:], claim.points[0]]
        cycle = [Eq(image[0], point[0]) for image, point in zip(images, turned, strict=True)]
        start = scene.start[0]
        free = isinstance(start, Symbol) and start not in Tuple(rule, *claim.points).free_symbols
        return free and self._open() and self.true(*cycle, Gt(sp.Mul(*slopes) ** 2, 1))

    def _unstable_direction(self, scene: Scene, claim: ConvergesTo) -> bool:
        """Only a null set of starts converges to a rest point with an unstable direction.

        Starts that never leave a small ball around it lie on a disc of lower dimension (the centre-stable manifold
        theorem: Shub, Global Stability of Dynamical Systems, III.7); those that converge come into the ball and stay.
        The times of a flow are diffeomorphisms; the preimages of null sets under a map are null where its determinant
        is not zero, which is almost everywhere if it is analytic and invertible somewhere. Hypotheses: the rule is
        analytic on the whole space; it keeps the target, where its derivative has an eigenvalue outside of the unit
        circle (right of the imaginary axis) and that of a map is invertible; every coordinate starts at a variable of
        its own that neither rule nor target know, and all starts near the point belong to the statement.
        """
        rests_on("centre-stable manifold")
        free = [start for start in scene.start if isinstance(start, Symbol) and start in scene.variables]
        apart = len(set(free)) == len(scene.state) and not set(free) & Tuple(*scene.rule, *claim.points).free_symbols
        if not apart or claim.period != 1 or scene.clock is not None or not self._open():
            return False
        rule = sp.Matrix([put_at_once(part, self.point) for part in scene.rule])
        defined = self.true(*scene.fixed(conditions(*scene.rule, smooth=True)))
        if not defined or not is_analytic(rule, scene.state, self.shown):
            return False
        rest = dict(zip(scene.state, (put_at_once(part, self.point) for part in claim.points[0]), strict=True))
        slopes = rule.jacobian(sp.Matrix(scene.state)).applyfunc(lambda slope: put_at_once(slope, rest))
        still = [
            Eq(put_at_once(part, rest), rest[s] if scene.discrete else 0)
            for s, part in zip(scene.state, rule, strict=True)
        ]
        invertible = [Ne(slopes.det(method="berkowitz"), 0)] if scene.discrete else []
        return self.true(*still, *invertible, has_unstable_direction(slopes, discrete=scene.discrete))

    def _open(self) -> bool:
        """Whether all starts near the point, the rest being fixed, satisfy the hypotheses."""
        free = {part for part in self.scene.start if isinstance(part, Symbol)} | set(self.scene.almost_all)
        about = [part for part in conjuncts(*self.scene.known) if part.free_symbols & free]
        return not self.scene.integers & free and all(
            isinstance(part, (Lt, Le, Gt, Ge, Ne)) and self.true(*conditions(*sides(part)), Ne(part.lhs, part.rhs))
            for part in about
        )
