"""Temporal formulas for all starts and parameters: induction and barriers, Lyapunov functions, interval dynamics.

A claim about the whole trajectory is reduced to plain goals about single states, each of which a prover of plain
goals settles; the rules that join them are classical theorems, named in the notes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from sympy import Tuple, true
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import Proving, discharge
from proofs_check.engines.motion import NAME
from proofs_check.engines.motion.argument import Argument, Desk, UnprovedError, first_success
from proofs_check.engines.motion.convergence import by_descent, by_multipliers, timeless
from proofs_check.engines.motion.departure import refute_affine, refute_by_departure
from proofs_check.engines.motion.formulas import prove
from proofs_check.engines.motion.one_dimensional import nearer
from proofs_check.engines.motion.opposite import refute_by_opposite
from proofs_check.engines.motion.refutation import refute
from proofs_check.engines.motion.scaling import normalised
from proofs_check.engines.motion.trajectory import Setting, setting_of
from proofs_check.kernel.after_every_number import NotEveryNumberError, at_every_moment
from proofs_check.kernel.induction import fixed_values
from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.temporal import ConvergesTo, is_plain

VERSION = 12
PARTS = 6.0
"""An argument about a trajectory has many parts, each of which takes the time of a statement about numbers."""


def missing() -> str | None:
    """Nothing beyond the core is needed."""
    return None


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove or refute a statement about a trajectory, or return None.

    >>> from sympy import Interval, Symbol
    >>> from theory.dynamics import Map
    >>> from theory.temporal import Always
    >>> x, a = Symbol("x"), Symbol("a")
    >>> halving = Map((x,), (x / 2,))
    >>> lemma = Statement(dynamics=halving, start={x: a}, variables={a: Interval(0, 1)}, then=Always(x <= 1))
    >>> str(decide(lemma, Budget.of("standard")).outcome)
    'proved'
    """
    if (about := _at_every_moment(statement)) is not None:
        return _lifted(decide(about, budget))
    found = setting_of(statement)
    if found is None or not all(is_plain(part) for part in statement.hypotheses):
        return None
    budget = budget.running
    setting, claim = found
    desk = Desk(budget, discharge)
    glance = Desk(budget.share("motion, refutation at once"), discharge)
    ways: tuple[Callable[[], Evidence | None], ...] = (
        lambda: refute(setting, claim, glance, range(2)),
        lambda: _proved(statement, setting, claim, glance, _at_once),
        lambda: _refuted_by_departure(setting, claim, budget),
        lambda: _proved(statement, setting, claim, desk),
        lambda: refute(setting, claim, desk, range(2, 5)),
        lambda: refute_by_opposite(setting, claim, budget.share("motion, opposite")),
    )
    return next((found for found in map(_in_real_numbers, ways) if found is not None), None)


def _in_real_numbers(way: Callable[[], Evidence | None]) -> Evidence | None:
    """What a way finds, unless the trajectory, or what is said of it, leaves the real numbers."""
    try:
        return way()
    except TypeError as error:
        if not any(sign in str(error) for sign in ("non-real", "NaN")):
            raise
        return None


def prove_alone(statement: Statement, budget: Budget) -> Evidence | None:
    """A proof without a look for counterexamples, for statements that are likely to be true."""
    if (about := _at_every_moment(statement)) is not None:
        return _lifted(prove_alone(about, budget))
    found = setting_of(statement)
    if found is None or not all(is_plain(part) for part in statement.hypotheses):
        return None
    return _proved(statement, *found, Desk(budget, discharge))


def _at_every_moment(statement: Statement) -> Statement | None:
    try:
        return at_every_moment(statement)
    except NotEveryNumberError:
        return None


def _lifted(answer: Evidence | None) -> Evidence | None:
    if answer is None or answer.certificate is None:
        return answer
    return answer.but(certificate={"kind": "after_every_number", "certificate": answer.certificate})


def _refuted_by_departure(setting: Setting, claim: Boolean, budget: Budget) -> Evidence | None:
    if setting.domain != true:  # what leaves the domain goes nowhere
        return None
    return refute_affine(setting, claim, _half(budget)) or refute_by_departure(setting, claim, _half(budget))


def _half(budget: Budget) -> Desk:
    """Where a proof that is probably in vain leaves time for others."""
    return Desk(budget.share("motion, departure"), discharge)


def _proved(
    statement: Statement, setting: Setting, claim: Boolean, desk: Desk, way: Callable[..., Argument] | None = None
) -> Evidence | None:
    fixed, (conditions, variables) = Proving(desk.budget), fixed_values(statement)
    if not all(fixed.follows(part, variables, statement.hypotheses) for part in conditions):
        return None
    smaller = setting.without_idle(claim)
    settings = [smaller, setting] if smaller.hypotheses != setting.hypotheses else [setting]
    try:
        argument = first_success((partial(way or _prove, chosen, claim, desk) for chosen in settings), desk)
    except UnprovedError:
        return None
    certificate = {"kind": "induction", "argument": argument.to_json(), "obligations": fixed.obligations}
    return Evidence(
        Outcome.PROVED, NAME, certificate=certificate,
        notes=tuple(dict.fromkeys(argument.all_notes)),
    )  # fmt: skip


def _at_once(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    """A limit that a criterion or a Lyapunov function decides sooner than any search for a counterexample ends."""
    if not isinstance(claim, ConvergesTo) or claim.period != 1 or setting.domain != true:
        raise UnprovedError("no criterion")
    if claim.points[0].free_symbols & set(setting.state):
        raise UnprovedError("the target moves")
    still = timeless(setting, claim)
    ways = [partial(way, still, claim, desk) for way in (by_multipliers, by_descent)]
    if still.discrete and len(still.state) == 1 and claim.quantity == Tuple(*still.state):
        ways.append(partial(nearer, still, claim.points[0][0], desk))
    return first_success(ways, desk)


def _prove(setting: Setting, claim: Boolean, desk: Desk) -> Argument:
    """Choose units first where the statement is homogeneous: fewer variables make easier obligations."""
    for smaller, scaled, unit, weights in normalised(setting, claim):
        inner = _prove(smaller, scaled, desk)
        facts = {"unit": unit, "weights": [[symbol, weight] for symbol, weight in weights.items()]}
        note = f"the statement is homogeneous, so {unit} = 1 without loss of generality"
        return Argument("units", facts, parts=(inner,), notes=(note,))
    return prove(setting, claim, desk)
