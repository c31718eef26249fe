"""Exact procedures of this paper: admissible instances run in ball arithmetic, moments and signs of Gaussian starts."""

from __future__ import annotations

from typing import Any

from theory.enumerators import enumerator
from theory.swing_by.instances import ASSUMPTIONS, admissible, bits, named
from theory.swing_by.iteration import trajectory
from theory.swing_by.lemma_checks import CHECKS

PRECISION = 160


@enumerator("swing_by.run")
def run(claim: str, instances: list[str], dynamics: str = "printed", steps: int = 80_000) -> dict[str, Any]:
    """How many of the admissible instances certainly violate a claim of Appendix D, and the first violation.

    >>> run("lemma-d.5", ["pair"], steps=50)["violations"]
    0
    """
    violations, undecided, shown = 0, 0, {}
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
