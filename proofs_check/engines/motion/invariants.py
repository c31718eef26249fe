"""The search for sets that a trajectory never leaves, among ever more candidates."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sympy import Ge
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.engines.motion import candidates
from proofs_check.engines.motion.argument import Desk
from proofs_check.engines.motion.barrier import confined
from proofs_check.engines.motion.inductive import Invariant, inductive
from proofs_check.engines.motion.sampling import Cloud, Sample, not_excluded, samples
from proofs_check.engines.motion.trajectory import Setting


def invariants(setting: Setting, body: Boolean | None, desk: Desk) -> Iterator[Invariant]:
    """Invariant sets from ever more candidates; the claim itself is the first."""
    claim = [part for part in candidates.conjuncts(body) if isinstance(part, Relational)] if body is not None else []
    clock = [] if setting.clock is None else [Ge(setting.clock, 0)]
    pool = [*clock, *claim]
    if claim:
        yield _largest(setting, pool, desk)
    pool += candidates.spent(setting, claim)
    pool += [*candidates.start_region(setting), *candidates.alike(setting)]
    yield _largest(setting, pool, desk)
    seen = samples(setting, seconds=desk.budget.seconds_for("motion, trajectories"))
    cloud = Cloud(setting, seen) if seen and setting.discrete else None
    beyond = partial(candidates.beyond, seen=seen)
    for more in (
        candidates.signs,
        candidates.conserved,
        candidates.energies,
        beyond,
        candidates.bounds,
        candidates.beside_start,
    ):
        fresh = [part for part in _plausible(setting, more(setting), seen) if part not in pool]
        if fresh:
            pool += fresh
            yield _largest(setting, pool, desk, cloud)


def _plausible(setting: Setting, found: list[Boolean], seen: list[Sample]) -> list[Boolean]:
    return not_excluded(setting, found, seen) if seen else []


def _largest(setting: Setting, pool: list[Boolean], desk: Desk, cloud: Cloud | None = None) -> Invariant:
    return inductive(setting, pool, desk, cloud) if setting.discrete else confined(setting, pool, desk)
