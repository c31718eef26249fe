"""What happens again and again, passes every bound, or comes nearer in every step is proved or refuted, and rightly.

For each rule of the kernel the best certificate that can be written by hand is refused for a false twin, in which one
hypothesis of the theorem is missing.
"""

from __future__ import annotations

import pytest
from motion_corpus import CIRCLE, line, plane
from sympy import Abs, And, Eq, Expr, Ge, Gt, Interval, Le, Lt, Piecewise, Rational, S, Symbol, exp, log, sin, tanh
from sympy.logic.boolalg import Boolean, Implies, Not
from test_motion_power import goal, proves, verdict, written

from proofs_check.engines.motion.argument import Argument
from proofs_check.engines.motion.candidates import energy, spent
from proofs_check.engines.motion.trajectory import Setting
from proofs_check.verdict import Outcome
from theory import Always, ConvergesTo, Eventually, HasPeriod, Map, Statement, Unbounded, Until

x, y, x0, y0, t, eta, r, c = (Symbol(name) for name in ("x", "y", "x0", "y0", "t", "eta", "r", "c"))
R, POSITIVE, UPPER, UNIT = S.Reals, Interval.open(0, S.Infinity), Interval(1, 2), Interval(0, 1)
SPIRAL = (x - y / 2, y + x / 2)
BALANCED = (y * (1 - x * y) - c * x, x * (1 - x * y) - c * y)

PROVED: dict[str, Statement] = {
    "doubling": line(2 * x, POSITIVE, Unbounded(x), kind=Map),
    "doubling with a change of sign, in size": line(-2 * x, UPPER, Unbounded(x**2), kind=Map),
    "descent on the logistic loss": line(x + eta / (1 + exp(x)), R, Unbounded(x), kind=Map),
    "a bilinear game": plane(SPIRAL, POSITIVE, Unbounded(x**2 + y**2), kind=Map),
    "growth": line(x, POSITIVE, Unbounded(x)),
    "until a blow-up": line(x**2, POSITIVE, Unbounded(x)),
    "ever slower": line(1 / (1 + exp(x)), R, Unbounded(x)),
    "along a saddle": plane((x, -y), POSITIVE, Unbounded(x)),
    "halving is bounded": line(x / 2, POSITIVE, Not(Unbounded(x)), kind=Map),
    "a change of sign": line(-x, POSITIVE, Always(Eventually(x > 0)), kind=Map),
    "a quarter turn": plane((-y, x), R, Always(Eventually(x >= 0)), kind=Map),
    "a sign leads to the other": line(-x, R, Always(Implies(x > 0, Eventually(x < 0))), kind=Map),
    "growth stays beyond": line(x, POSITIVE, Eventually(Always(x > 7))),
    "until a threshold": line(x, UPPER, Until(x < 5, x >= 5)),
    "a cycle comes again": line(1 - x, UNIT, Always(Eventually(x >= Rational(1, 2))), kind=Map),
    "Newton's iteration": line((x + c / x) / 2, POSITIVE, ConvergesTo(x, c ** Rational(1, 2)), kind=Map),
    "Ricker's map": line(x * exp(1 - x), POSITIVE, ConvergesTo(x, 1), kind=Map),
    "Beverton and Holt's map": line(c * x / (1 + x), POSITIVE, ConvergesTo(x, c - 1), c > 1, kind=Map),
    "descent on log cosh": line(x - 3 * tanh(x) / 2, R, ConvergesTo(x, 0), kind=Map),
    "half of the size": line(Abs(x) / 2, R, ConvergesTo(x, 0), kind=Map),
    "almost every start on a 2-cycle": line(
        Rational(16, 5) * x * (1 - x), Interval.open(0, 1), HasPeriod(2), kind=Map, almost_all=(x0,)
    ),
    "weight decay balances factors": plane(BALANCED, R, ConvergesTo(x**2 - y**2, 0)),
    "a loss falls like one by time": line(-tanh(x), R, Always(t * tanh(x) ** 2 <= x0**2)),
    "a pendulum keeps its energy": plane((y, -sin(x)), R, Always(y**2 <= 2), And(Eq(x0, 0), y0**2 <= 2)),
}

REFUTED: dict[str, Statement] = {
    "doubling from anywhere": line(2 * x, R, Unbounded(x), kind=Map),
    "halving": line(x / 2, POSITIVE, Unbounded(x), kind=Map),
    "a decay": line(-x, POSITIVE, Unbounded(x)),
    "a rotation": plane((-y, x), R, Unbounded(x**2 + y**2)),
    "doubling is bounded": line(2 * x, POSITIVE, Not(Unbounded(x)), kind=Map),
    "halving comes again": line(x / 2, POSITIVE, Always(Eventually(x > Rational(1, 100))), kind=Map),
    "a threshold that is never reached": line(-x, UPPER, Until(x >= 1, x <= 0)),
    "Ricker's map beyond its edge": line(x * exp(3 * (1 - x)), POSITIVE, ConvergesTo(x, 1), kind=Map),
}


@pytest.mark.parametrize("name", PROVED)
def test_what_comes_again_grows_or_comes_nearer_is_proved(name: str) -> None:
    found = verdict(PROVED[name])
    assert found is not None
    assert found.outcome is Outcome.PROVED


@pytest.mark.parametrize("name", REFUTED)
def test_what_does_not_is_refuted(name: str) -> None:
    found = verdict(REFUTED[name])
    assert found is not None
    assert found.outcome is Outcome.REFUTED


@pytest.mark.parametrize("name", ["doubling", "growth"])
def test_the_opposite_of_growth_is_not_proved(name: str) -> None:
    found = verdict(PROVED[name].but(then=Not(PROVED[name].conclusion)))
    assert found is None or found.outcome is not Outcome.PROVED


def test_energies_are_found_for_fields_of_the_plane() -> None:
    for field, found in (((y, x - x**3 - y), y**2 / 2 - x**2 / 2 + x**4 / 4), ((x, -y), x * y), ((x, y), None)):
        had = energy(Setting(False, (x, y), field, (x0, y0), {}, ()))
        assert had == found or (had is not None and found is not None and (had - found).expand() == 0)
    assert spent(Setting(True, (x,), (x / 2,), (x0,), {}, ()), [x <= x0]) == []


# Twins: certificates by hand, with all of their goals that can be proved.

START = (Le(1, x0), Le(x0, 2))
WHOLE = written("invariant", {"set": []}, [])
FLOWING = written("barrier", {"set": [], "reasons": []}, [])


def _unrolled(body: Boolean, steps: int, *reached: Boolean) -> Argument:
    return written("unrolled", {"body": body, "steps": steps}, [goal(START, part) for part in reached])


@pytest.mark.parametrize(("bound", "taken"), [(x0, False), (x, False), (S.One, False)])
def test_every_bound_is_a_number_of_which_nothing_is_known(bound: Expr, taken: bool) -> None:
    statement = line((x + 3) / 2, UPPER, Unbounded(x), kind=Map)
    once = _unrolled(Gt(x, bound), 1, Gt(x0, bound) | Gt((x0 + 3) / 2, bound))
    assert proves(statement, written("unbounded", {"bound": bound}, [], once)) is taken


@pytest.mark.parametrize(("bound", "taken"), [(x, False), (x0, False)])
def test_a_bound_does_not_move(bound: Expr, taken: bool) -> None:
    statement = line(2 * x, UPPER, Not(Unbounded(x)), kind=Map)
    kept = written("always", {"body": Le(x, bound)}, [goal((), Le(x, bound))] if bound == x else [], WHOLE)
    assert proves(statement, written("bounded", {"bound": bound}, [], kept)) is taken


@pytest.mark.parametrize(("name", "bound", "taken"), [(Symbol("z"), 4, False), (x0, 2, False), (x, 2, False)])
def test_a_trajectory_starts_again_from_a_state_of_which_nothing_else_is_known(
    name: Symbol, bound: int, taken: bool
) -> None:
    statement = line(2 * x, UPPER, Always(Eventually(x <= bound)), kind=Map)
    now = written("unrolled", {"body": Le(x, bound), "steps": 0}, [goal(START, Le(name, bound))])
    assert proves(statement, written("anytime", {"from": [name]}, [], WHOLE, now)) is taken
    region = Ge(x, 1)
    there = written("unrolled", {"body": region, "steps": 0}, [goal(START, Ge(x0, 1))])
    kept = written("always", {"body": Le(x, bound)}, [goal((*START, Ge(name, 1)), Le(name, bound))], WHOLE)
    statement = line(2 * x, UPPER, Eventually(Always(x <= bound)), kind=Map)
    assert proves(statement, written("reached", {"region": region, "from": [name]}, [], there, kept)) is taken


@pytest.mark.parametrize(
    ("rule", "reason", "taken"), [((S.One, S.Zero), "affine", True), ((S.One, y**2), "affine", False),
                                  ((S.One, y**2), "bounded", False), ((S.One, y**2), "linear growth", False)],
)  # fmt: skip
def test_a_rank_runs_out_only_of_a_solution_that_does_not_end(
    rule: tuple[Expr, Expr], reason: str, taken: bool
) -> None:
    statement, body = plane(rule, UPPER, Eventually(x >= 5)), Ge(x, 5)
    waiting = (Lt(x, 5),)
    goals = [goal(waiting, 5 - x >= 0), goal(waiting, Le(-1, -S.One))]
    lasting = written("lasts", {"reason": reason, "size": S(20)}, [], FLOWING)
    facts = {"body": body, "rank": 5 - x, "amount": S.One}
    assert proves(statement, written("ranking", facts, goals, FLOWING, lasting)) is taken


@pytest.mark.parametrize("amount", [x, S.Zero, -S.One])
def test_a_rank_loses_a_fixed_positive_amount(amount: Expr) -> None:
    statement, body = line(-x, UPPER, Eventually(x <= 0)), Le(x, 0)
    goals = [goal((Gt(x, 0),), x >= 0), goal((Gt(x, 0),), Le(-x, -amount)), goal((Gt(x, 0),), amount > 0)]
    lasting = written("lasts", {"reason": "affine"}, [])
    facts = {"body": body, "rank": x, "amount": amount}
    assert not proves(statement, written("ranking", facts, goals, FLOWING, lasting))


@pytest.mark.parametrize(("second", "taken"), [(Ge(x, 2), True), (Gt(x, 2), False)])
def test_along_a_flow_there_is_a_first_time_of_what_is_closed(second: Boolean, taken: bool) -> None:
    """From 1 on, x' = x is at most 2 until it is at least 2, but not until it is more."""
    statement, waiting = line(x, Interval(1, 1), Until(x <= 2, second)), Not(second)
    goals = [goal((waiting,), 2 - x >= 0), goal((Ge(x, 1), waiting), Le(-x, -S.One)), goal((waiting,), 2 - x > 0)]
    above = written("barrier", {"set": [Ge(x, 1)], "reasons": [["boundary", S.Zero]]}, [goal((Eq(x, 1),), x > 0),
                    goal((Eq(x - 1, 0),), x > 0), goal((Eq(x0, 1),), x0 >= 1), goal(START, x0 >= 1)])  # fmt: skip
    lasting = written("lasts", {"reason": "affine"}, [])
    comes = written("ranking", {"body": second, "rank": 2 - x, "amount": S.One}, goals, above, lasting)
    before = [goal((waiting,), Le(x, 2)), goal((Lt(x, 2),), Le(x, 2))]
    assert proves(statement, written("until", {"before": Le(x, 2)}, before, comes, FLOWING)) is taken


def test_what_comes_again_is_true_around_a_point_of_the_cycle() -> None:
    limit = written("affine", {"rest": [S.Zero]}, [])
    for bound, taken in ((-1, True), (0, False), (1, False)):
        statement = line(x / 2, UPPER, Always(Eventually(x < -bound)), kind=Map)
        facts = {"points": [[S.Zero]], "place": 0}
        assert proves(statement, written("limit", facts, [], limit)) is taken


JUMP = Piecewise(((x + 1) / 2, x > 1), (x / 2, True))
CORNER = Piecewise((x / 2, x > 0), (x, True))


@pytest.mark.parametrize(
    ("rule", "domain", "target", "part", "taken"),
    [
        (x / 2, UPPER, 0, Gt(x, -1), True),
        (JUMP, UPPER, 0, Gt(x, 0), False),
        (CORNER, UPPER, -1, Gt(x, 0), False),
        (-x, UPPER, 0, S.true, False),
        (x, UPPER, 0, S.true, False),
        (x / 2, UPPER, x0 - x0 + 1, Gt(x, 0), False),
    ],
)  # fmt: skip
def test_every_state_of_the_set_is_brought_nearer_to_a_point_in_it(
    rule: Expr, domain: Interval, target: Expr, part: Boolean, taken: bool
) -> None:
    statement = line(rule, domain, ConvergesTo(x, target), kind=Map)
    parts = [] if part == S.true else [part]
    inside = written("invariant", {"set": parts}, [goal(START, part.subs(x, x0)), goal((part,), part.subs(x, rule))])
    given = () if part == S.true else (part,)
    goals = [goal((*given, Lt(target, x)), found) for found in (Lt(rule, x), Gt(rule + x, 2 * target))]
    goals += [goal((*given, Lt(x, target)), found) for found in (Gt(rule, x), Lt(rule + x, 2 * target))]
    assert proves(statement, written("nearer", {"target": target}, goals, inside)) is taken


@pytest.mark.parametrize(
    ("rule", "pace", "reason", "taken"),
    [
        ((-x, -y), S(2), "affine", True),
        ((-x, y**2), S(2), "affine", False),
        ((-x, -y), 2 * x0, "affine", False),
        ((S.Zero, -y), S.Zero, "affine", False),
        ((-x, -y), x, "affine", False),
    ],
)  # fmt: skip
def test_a_distance_decays_at_a_fixed_rate_along_a_solution_that_does_not_end(
    rule: tuple[Expr, Expr], pace: Expr, reason: str, taken: bool
) -> None:
    statement = plane(rule, UPPER, ConvergesTo(x, 0))
    goals = [goal((), Le(2 * x * rule[0], -pace * x**2)), goal(START, Gt(pace, 0))]
    lasting = written("lasts", {"reason": reason}, [])
    assert proves(statement, written("decay", {"pace": pace}, goals, FLOWING, lasting)) is taken


def test_a_limit_cycle_is_not_passed_and_every_bound_is_not() -> None:
    for claim in (Unbounded(x**2 + y**2), Unbounded(log(1 + x**2))):
        found = verdict(plane(CIRCLE, Interval(-1, 1), claim))
        assert found is None or found.outcome is not Outcome.PROVED
