"""The claims of Appendix D about a trajectory, checked on balls: True, False, or None where balls overlap."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from theory.swing_by.instances import Instance, exact_ball
from theory.swing_by.iteration import noises

if TYPE_CHECKING:
    from flint import arb

    from theory.swing_by.iteration import State

Truth = bool | None
Check = Callable[[int, "State", "State | None"], Truth]
"""Called with the time, the state and the state before, at every time in turn."""


def at_most(left: arb, right: arb) -> Truth:
    """Whether left <= right, if the balls can tell."""
    if left <= right:
        return True
    return False if left > right else None


def all_of(parts: list[Truth]) -> Truth:
    """The conjunction."""
    if False in parts:
        return False
    return None if None in parts else True


def assertion(instance: Instance) -> Check:
    """Assertion D.1 = Lemma D.8: every off-diagonal entry stays in the initial phase."""
    edge = exact_ball(instance.boundary)
    return lambda _t, w, _before: all_of([at_most(abs(x), edge) for (i, j), x in w.items() if i != j])


def noise_bound(instance: Instance) -> Check:
    """Corollary D.1: |N_ij| <= 2 P gamma alpha d beta^2 omega^2."""
    i, noise = instance, noises(instance)
    bound = exact_ball(2 * i.P * i.gamma * i.alpha * i.dimension * (i.beta * i.omega) ** 2)
    return lambda _t, w, _before: all_of([at_most(abs(x), bound) for x in noise(w).values()])


def _exponentials(instance: Instance, sign: int) -> dict[tuple[int, int], arb]:
    """exp(eta (a_i + a_j) kappa^sign) for each entry."""
    i = instance
    rate = i.eta * i.kappa**sign
    return {
        (j, k): exact_ball(rate * (i.signals[j] + i.signals[k])).exp()
        for j in range(i.dimension)
        for k in range(j, i.dimension)
    }


def upper_growth(instance: Instance) -> Check:
    """Lemma D.1: |w_ij(t)| <= |w_ij(0)| exp(eta t (a_i + a_j) kappa)."""
    factors, bounds = _exponentials(instance, 1), {}

    def check(t: int, w: State, _before: State | None) -> Truth:
        if t == 0:
            bounds.update({key: abs(x) for key, x in w.items()})
            return True
        for key, factor in factors.items():
            bounds[key] = bounds[key] * factor
        return all_of([at_most(abs(x), bounds[key]) for key, x in w.items()])

    return check


def _last_time(instance: Instance, start: arb | None = None, signal: object = None) -> arb:
    i = instance
    room = exact_ball(i.P).log() if start is None else (exact_ball(i.boundary) / start).log()
    rate = i.gamma * i.alpha if signal is None else signal
    return room / exact_ball(2 * i.eta * rate * i.kappa)  # type: ignore[operator]


def lower_growth(instance: Instance) -> Check:
    """Lemma D.2, up to T_1: initial phase, |w_ij(t)| >= |w_ij(0)| exp(eta t (a_i + a_j) / kappa), signs kept."""
    factors, bounds, start = _exponentials(instance, -1), {}, {}
    edge, last, zero = exact_ball(instance.boundary), _last_time(instance), exact_ball(Fraction(0))

    def check(t: int, w: State, _before: State | None) -> Truth:
        if t == 0:
            start.update(w)
            bounds.update({key: abs(x) for key, x in w.items()})
            return True
        if not t <= last:
            return True
        for key, factor in factors.items():
            bounds[key] = bounds[key] * factor
        grown = [at_most(bounds[key], abs(x)) for key, x in w.items()]
        signs = [at_most(zero, x * start[key]) for key, x in w.items()]
        return all_of([*grown, *signs, *[at_most(abs(x), edge) for x in w.values()]])

    return check


def diagonal_growth(instance: Instance) -> Check:
    """Lemma D.3, up to T_1^(i): w_ii(t) <= P beta omega and w_ii(t) >= w_ii(0) exp(2 eta t a_i / kappa)."""
    factors, bounds, last = _exponentials(instance, -1), {}, {}
    edge = exact_ball(instance.boundary)
    diagonal = [(i, i) for i in range(instance.dimension)]

    def check(t: int, w: State, _before: State | None) -> Truth:
        if t == 0:
            bounds.update({key: w[key] for key in diagonal})
            last.update({key: _last_time(instance, w[key], instance.signals[key[0]]) for key in diagonal})
            return True
        for key in diagonal:
            bounds[key] = bounds[key] * factors[key]
        running = [key for key in diagonal if t <= last[key]]
        return all_of([x for key in running for x in (at_most(bounds[key], w[key]), at_most(w[key], edge))])

    return check


def later_growth(instance: Instance) -> Check:
    """Lemma D.4 with the sharpest lambda, w_ii(t + 1): each step from P beta omega up to 1 - 1/K gains enough."""
    i, edge = instance, exact_ball(instance.boundary)
    limit = exact_ball(1 - 1 / i.K)
    rates = [exact_ball(2 * i.eta * a / i.kappa) for a in i.signals]

    def check(_t: int, w: State, before: State | None) -> Truth:
        if before is None:
            return True
        parts: list[Truth] = []
        for k, rate in enumerate(rates):
            old, new = before[k, k], w[k, k]
            if old >= edge and new < limit:
                parts.append(at_most(old * (rate * (1 - new)).exp(), new))
        return all_of(parts)

    return check


def diagonal_bound(instance: Instance) -> Check:
    """Lemma D.5: 0 <= w_ii <= 1 + 2/K."""
    zero, bound = exact_ball(Fraction(0)), exact_ball(1 + 2 / instance.K)
    return lambda _t, w, _before: all_of(
        [x for i in range(instance.dimension) for x in (at_most(zero, w[i, i]), at_most(w[i, i], bound))]
    )


def diagonal_step(instance: Instance) -> Check:
    """Corollary D.2: |w_ii(t + 1) - w_ii(t)| <= 1/K."""
    bound, d = exact_ball(1 / instance.K), instance.dimension
    return lambda _t, w, before: (
        True if before is None else all_of([at_most(abs(w[i, i] - before[i, i]), bound) for i in range(d)])
    )


def stays_learned(instance: Instance) -> Check:
    """Lemma D.6: once w_ii >= 1 - 2/K, it stays so."""
    level = exact_ball(1 - 2 / instance.K)
    reached: set[int] = set()

    def check(_t: int, w: State, _before: State | None) -> Truth:
        truth = all_of([at_most(level, w[i, i]) for i in reached])
        reached.update(i for i in range(instance.dimension) if w[i, i] >= level)
        return truth

    return check


def suppressed(instance: Instance) -> Check:
    """Lemma D.7 for every t_0 at once: after w_ii > 0.8, |w_ij| never exceeds an earlier max(|w_ij|, omega)."""
    level, omega = exact_ball(Fraction(4, 5)), exact_ball(instance.omega)
    lowest: dict[tuple[int, int], arb] = {}
    pairs = [(j, i) for i in range(instance.dimension) for j in range(i)]

    def check(_t: int, w: State, _before: State | None) -> Truth:
        parts = [at_most(abs(w[pair]), lowest[pair]) for pair in lowest]
        for pair in pairs:
            strong = pair[1]
            if pair in lowest or w[strong, strong] > level:
                size = max(abs(w[pair]), omega)
                lowest[pair] = size if pair not in lowest or size < lowest[pair] else lowest[pair]
        return all_of(parts)

    return check


CHECKS: dict[str, Callable[[Instance], Check]] = {
    "lemma-d.8": assertion,
    "corollary-d.1": noise_bound,
    "lemma-d.1": upper_growth,
    "lemma-d.2": lower_growth,
    "lemma-d.3": diagonal_growth,
    "lemma-d.4": later_growth,
    "lemma-d.5": diagonal_bound,
    "corollary-d.2": diagonal_step,
    "lemma-d.6": stays_learned,
    "lemma-d.7": suppressed,
}
