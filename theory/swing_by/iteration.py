"""The discrete dynamics of Appendix D in ball arithmetic: certain bounds, whatever the scale.

`update_printed` is the map (D.2). `update_weights` is gradient descent on U for half the loss, so that both agree to
first order in the step; it differs by eta^2 H W H. Diagonal entries near 1 use a form that contracts there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from theory.swing_by.instances import Instance, exact_ball

if TYPE_CHECKING:
    from flint import arb

    State = dict[tuple[int, int], arb]


class Rates(Protocol):
    """What an update needs to know: the signals and the step."""

    @property
    def signals(self) -> tuple[Fraction, ...]:
        """a_1, ..., a_d."""

    @property
    def dimension(self) -> int:
        """d."""

    @property
    def eta(self) -> Fraction:
        """The step."""


@dataclass(frozen=True)
class Training:
    """Signals and step of a run outside Appendix D."""

    signals: tuple[Fraction, ...]
    eta: Fraction

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.signals)


BEYOND = Fraction(10**400)


def initial(instance: Instance) -> State:
    """W(0) in balls; keys are (i, j) with i <= j, from 0."""
    omega = instance.omega
    d = instance.dimension
    return {(i, j): exact_ball(instance.start[i][j] * omega) for i in range(d) for j in range(i, d)}


def noises(instance: Rates) -> Callable[[State], State]:
    """The noise terms N_ij of a state."""
    a, d = instance.signals, instance.dimension
    terms = {
        (i, j): [
            ((min(k, i), max(k, i)), (min(k, j), max(k, j)), exact_ball((a[i] + a[j] + 2 * a[k]) / 2))
            for k in range(d)
            if k not in (i, j)
        ]
        for i in range(d)
        for j in range(i, d)
    }
    nothing = exact_ball(Fraction(0))

    def noise(w: State) -> State:
        found = {}
        for key, parts in terms.items():
            total = nothing
            for left, right, weight in parts:
                total += w[left] * w[right] * weight
            found[key] = total
        return found

    return noise


def update_printed(instance: Rates) -> Callable[[State], State]:
    """One step of (D.2)."""
    a, d, eta = instance.signals, instance.dimension, instance.eta
    noise, step, one, half = noises(instance), exact_ball(eta), exact_ball(Fraction(1)), exact_ball(Fraction(1, 2))
    diagonal = [exact_ball(2 * eta * a[i]) for i in range(d)]
    cross = {
        (i, j): (exact_ball(1 + eta * (a[i] + a[j])), exact_ball(eta * (3 * a[i] + a[j]) / 2),
                 exact_ball(eta * (3 * a[j] + a[i]) / 2))
        for i in range(d) for j in range(i + 1, d)
    }  # fmt: skip

    def advance(w: State) -> State:
        disturbance = noise(w)
        moved = {}
        for i in range(d):
            here = w[i, i]
            if here > half:
                moved[i, i] = one + (here - one) * (one - diagonal[i] * here) - step * disturbance[i, i]
            else:
                moved[i, i] = here * (one + diagonal[i] * (one - here)) - step * disturbance[i, i]
        for (i, j), (grow, left, right) in cross.items():
            moved[i, j] = w[i, j] * (grow - left * w[i, i] - right * w[j, j]) - step * disturbance[i, j]
        return moved

    return advance


def update_weights(instance: Rates) -> Callable[[State], State]:
    """One step of gradient descent on U for half the loss: the printed step and eta^2 H W H."""
    a, d, eta = instance.signals, instance.dimension, instance.eta
    printed = update_printed(instance)
    mean = {(i, j): exact_ball(eta * (a[i] + a[j]) / 2) for i in range(d) for j in range(i, d)}

    def advance(w: State) -> State:
        H = [[mean[_key(i, j)] * (w[_key(i, j)] - (i == j)) for j in range(d)] for i in range(d)]
        left = [[sum(H[i][k] * w[_key(k, j)] for k in range(d)) for j in range(d)] for i in range(d)]
        moved = printed(w)
        return {key: moved[key] + sum(left[key[0]][k] * H[k][key[1]] for k in range(d)) for key in moved}

    return advance


def _key(i: int, j: int) -> tuple[int, int]:
    return (i, j) if i <= j else (j, i)


UPDATES = {"printed": update_printed, "weights": update_weights}


def trajectory(instance: Instance, dynamics: str, steps: int) -> Iterator[tuple[int, State]]:
    """The states at times 0..steps, in balls; it ends soon after an entry is beyond 10^400."""
    state = initial(instance)
    advance, beyond = UPDATES[dynamics](instance), exact_ball(BEYOND)
    yield 0, state
    for step in range(1, steps + 1):
        state = advance(state)
        yield step, state
        if step % 16 == 0 and any(abs(entry) > beyond for entry in state.values()):
            return
