"""Exact procedures of this paper: admissible instances of Appendix D and starts of figures, run in ball arithmetic."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from theory.enumerators import enumerator
from theory.swing_by.instances import ASSUMPTIONS, admissible, bits, exact_ball, named
from theory.swing_by.iteration import Training, trajectory, update_weights
from theory.swing_by.lemma_checks import CHECKS

if TYPE_CHECKING:
    from flint import arb

    from theory.swing_by.iteration import State

PRECISION = 160


@enumerator("swing_by.run")
def run(claim: str, instances: list[str], dynamics: str = "printed", steps: int = 80_000) -> dict[str, Any]:
    """How many of the admissible instances certainly violate a claim of Appendix D, and the first violation.

    >>> run("lemma-d.5", ["pair"], steps=50)["violations"]
    0
    """
    violations, undecided = 0, 0
    shown: dict[str, Any] = {}
    for name in instances:
        instance = named(name)
        satisfied = admissible(instance)
        if not all(satisfied.values()):
            failing = [key for key, value in satisfied.items() if not value]
            return {"missing": f"the instance {name} does not satisfy {', '.join(failing)}"}
        with bits(PRECISION):
            step, truth = _first_trouble(claim, name, dynamics, steps)
        undecided += truth is None
        if truth is False:
            violations += 1
            shown = shown or {"instance": name, "step": step, **instance.told(), "dynamics": dynamics}
    return {
        "violations": violations,
        "cases": len(instances),
        "complete": False,
        "counterexample": shown,
        "coverage": f"{len(instances)} admissible instances, {steps} steps in {PRECISION} bits",
        "notes": [f"{undecided} runs could not be decided"] if undecided else [],
    }


def _first_trouble(claim: str, name: str, dynamics: str, steps: int) -> tuple[int | None, bool | None]:
    instance = named(name)
    check, before, undecided = CHECKS[claim](instance), None, False
    for step, state in trajectory(instance, dynamics, steps):
        truth = check(step, state, before)
        if truth is False:
            return step, False
        undecided = undecided or truth is None
        before = state
    return None, None if undecided else True


@enumerator("swing_by.admissible")
def satisfied(instance: str) -> dict[str, Any]:
    """Which assumptions an instance satisfies: `all` is 1 when the five hold and the start is semidefinite.

    >>> satisfied("pair")["all"]
    1
    """
    found = admissible(named(instance))
    told = named(instance).told()
    return {
        "all": all(found.values()),
        **{f"holds_{key.replace('.', '_')}": found[key] for key in ASSUMPTIONS},
        "counterexample": told,
        "coverage": f"the instance {instance}: " + ", ".join(f"{key} = {value}" for key, value in told.items()),
    }


@enumerator("swing_by.certified_descents")
def certified_descents(
    weights: list[list[str]], means: list[str], deviations: list[str], step: str, steps: int
) -> dict[str, Any]:
    """Certain descents of the test loss under gradient descent on U for half the loss, from an exact U(0).

    A fall or rise counts when it certainly exceeds a hundredth of the first loss. The last loss is below `final_below`,
    in thousandths.

    >>> certified_descents([["1/10", "0"], ["0", "1/10"]], ["1", "2"], ["0", "0"], "1/50", 300)["descents"]
    1
    """
    mu = [Fraction(value) for value in means]
    training = Training(
        tuple(Fraction(s) ** 2 + m**2 / len(mu) for s, m in zip(deviations, mu, strict=True)), Fraction(step)
    )
    with bits(PRECISION):
        curve = _losses(training, [[Fraction(entry) for entry in row] for row in weights], mu, steps)
        count, places = _certain_descents(curve)
        below = ceil(float((curve[-1] * 1000).upper()))
    return {
        "descents": count,
        "final_below": Fraction(below, 1000),
        "coverage": f"{steps} steps of size {step} in {PRECISION} bits",
        "notes": [f"turning steps: {', '.join(map(str, places))}"],
    }


def _losses(training: Training, U: list[list[Fraction]], mu: list[Fraction], steps: int) -> list[arb]:
    d = training.dimension
    state: State = {
        (i, j): exact_ball(sum((x * y for x, y in zip(U[i], U[j], strict=True)), Fraction(0)))
        for i in range(d)
        for j in range(i, d)
    }
    advance, point = update_weights(training), [exact_ball(m) for m in mu]
    curve = []
    for _ in range(steps + 1):
        rest = [sum(state[min(k, p), max(k, p)] * point[p] for p in range(d)) - point[k] for k in range(d)]
        curve.append(sum(x * x for x in rest) / 2)
        state = advance(state)
    return curve


def _certain_descents(curve: list[arb]) -> tuple[int, list[int]]:
    least = curve[0] / 100
    count, falling, extreme, at, places = 0, False, curve[0], 0, []
    for step, value in enumerate(curve):
        if (value < extreme) if falling else (value > extreme):
            extreme, at = value, step
        turned = (value > extreme + least) if falling else (value < extreme - least)
        if turned:
            count += not falling
            places.append(at)
            falling, extreme, at = not falling, value, step
    return count, places[1:]
