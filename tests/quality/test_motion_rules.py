"""A rule about motion needs every hypothesis of its theorem: without one of them there is a false twin, and no proof.

For each rule the best certificate that can be written by hand is made: all of its goals that can be proved are, the
others are left out. The checker takes it where the theorem applies and refuses it for the twin. The engine, which
writes its own certificates, is asked for the twins too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from sympy import (
    And,
    Eq,
    Expr,
    Ge,
    Gt,
    Heaviside,
    Implies,
    Interval,
    Le,
    Lt,
    Mul,
    Ne,
    Or,
    Piecewise,
    Rational,
    S,
    Set,
    ceiling,
    cos,
    diff,
    exp,
    floor,
    log,
    oo,
    sign,
    sqrt,
    symbols,
)
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge
from proofs_check.engines.motion.argument import Argument, Desk, Obligation, UnprovedError
from proofs_check.engines.motion.formulas import prove
from proofs_check.engines.motion.trajectory import Setting, setting_of
from proofs_check.goals import Goal
from proofs_check.kernel.induction import check
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.verdict import Evidence, Outcome
from theory import After, Always, AtStart, ConvergesTo, Decreasing, Eventually, Flow, HasPeriod, Map, Statement
from theory.temporal import Until, negation

x, y, x0, y0, K, T = symbols("x y x0 y0 K T")
HALF, QUARTER, R = Rational(1, 2), Rational(1, 4), S.Reals
UNIT = Interval(0, 1)


def one(
    rule: Expr, domain: Set, then: Boolean, *given: Boolean, kind: type[Map | Flow] = Map, **more: Any
) -> Statement:
    return Statement(
        dynamics=kind((x,), (rule,)), start={x: x0}, variables={x0: domain}, given=given, then=then, **more
    )


def flow(rule: Expr, domain: Set, then: Boolean, *given: Boolean, **more: Any) -> Statement:
    return one(rule, domain, then, *given, kind=Flow, **more)


def two(rule: tuple[Expr, Expr], domain: Set, then: Boolean, kind: type[Map | Flow] = Flow) -> Statement:
    variables = {x0: domain, y0: domain}
    return Statement(dynamics=kind((x, y), rule), start={x: x0, y: y0}, variables=variables, then=then)


@dataclass
class Written:
    """A rule with its facts, the goals that its theorem asks for, and the arguments it is built from."""

    rule: str
    facts: Mapping[str, Any]
    goals: Sequence[Goal] = ()
    parts: Sequence[Written] = field(default_factory=tuple)

    def argument(self) -> Argument:
        """The rule with all of its goals that can be proved."""
        found = [Obligation("", goal, verdict) for goal in self.goals if (verdict := proved(goal)) is not None]
        return Argument(self.rule, self.facts, tuple(found), tuple(part.argument() for part in self.parts))


def proved(goal: Goal) -> Evidence | None:
    if goal.conclusion == S.true:
        return Evidence(Outcome.PROVED, "", {"kind": "trivial"})
    if goal.conclusion == S.false:
        return None
    verdict = discharge(goal, replace(Budget.of("quick"), seconds=1.0).start())
    return verdict if verdict is not None and verdict.outcome is Outcome.PROVED else None


def setting(statement: Statement) -> Setting:
    found = setting_of(statement)
    assert found is not None
    return found[0]


def accepts(statement: Statement, written: Written) -> bool:
    return check(statement, {"kind": "induction", "argument": written.argument().to_json()})


# One function for each rule: what a certificate of it says.


def kept(s: Setting, *parts: Boolean) -> Written:
    """An invariant set of a map, kept by every step."""
    inside = (*parts, s.assumed, s.next(s.assumed))
    goals = [goal for part in parts for goal in (s.at_start(part), s.anywhere(inside, s.next(part)))]
    goals += [s.anywhere((*parts, s.assumed), Ne(base, 0)) for base in _denominators(s.rule)]
    return Written("invariant", {"set": list(parts)}, goals)


def _denominators(expressions: Sequence[Expr]) -> list[Expr]:
    return [power.base for part in expressions for power in part.atoms(type(1 / x)) if power.exp.is_negative]


def always(statement: Statement, *parts: Boolean) -> Written:
    s, body = setting(statement), statement.then.args[0]
    return Written("always", {"body": body}, [s.anywhere(parts, body)], [kept(s, *parts)])


def barrier(s: Setting, reasons: Mapping[Boolean, tuple[str, Expr]]) -> Written:
    """An invariant set of a flow, with a reason for each relation and nothing said of the closed set."""
    goals = []
    for part, (name, factor) in reasons.items():
        gap = part.rhs - part.lhs if isinstance(part, (Lt, Le)) else part.lhs - part.rhs
        rate, others = s.rate(gap), [_weak(other) for other in reasons if other != part]
        steep = sum((diff(gap, symbol) ** 2 for symbol in s.state), S.Zero)
        goals += [s.at_start(part)]
        goals += {
            "darboux": [s.anywhere((), Eq(rate, factor * gap))],
            "growth": [s.anywhere((*reasons, s.assumed), Ge(rate, factor * gap))],
            "boundary": [s.anywhere((*others, s.assumed, Eq(gap, 0)), Gt(rate, 0))],
            "tangent": [s.anywhere((Eq(gap, 0),), Ge(rate, 0)), s.anywhere((Eq(gap, 0),), Gt(steep, 0))],
        }[name]
    around = [_weak(part) for part in reasons]
    bases = _denominators([*s.rule, *(factor for _, factor in reasons.values())])
    goals += [s.anywhere((*around, s.assumed), Ne(base, 0)) for base in bases]
    goals += [s.anywhere((*around, s.assumed), Gt(part.args[0], 0)) for key in reasons for part in key.atoms(log)]
    facts = {"set": list(reasons), "reasons": [list(reason) for reason in reasons.values()]}
    return Written("barrier", facts, goals)


def _weak(relation: Boolean) -> Boolean:
    return {Gt: Ge, Lt: Le}.get(relation.func, relation.func)(*relation.args)


def stays(statement: Statement, reasons: Mapping[Boolean, tuple[str, Expr]]) -> Written:
    s, body = setting(statement), statement.then.args[0]
    return Written("always", {"body": body}, [s.anywhere((*reasons, s.assumed), body)], [barrier(s, reasons)])


def lasalle(
    statement: Statement, height: Expr, radius: Expr, *parts: Boolean, reason: str = "darboux", factor: Expr = S.Zero
) -> Written:
    """LaSalle with the level taken for granted, also where a flow may leave it."""
    s, claim = setting(statement), statement.then
    if isinstance(claim, Implies):
        inner = lasalle(statement.but(then=claim.args[1]), height, radius, *parts, claim.args[0].args[0], reason=reason)
        known = kept(s.assuming(claim.args[0].args[0]), *parts)
        return Written("implies", {"partial": []}, [], [replace(inner, parts=[known])])
    around = [_weak(part) for part in parts]
    inside = [*around, Le(height, s.initially(height))]
    moved, same = (s.next(height), height) if s.discrete else (s.rate(height), S.Zero)
    target = [Eq(part, value) for part, value in zip(claim.quantity, claim.points[0], strict=True)]
    size = sum((symbol**2 for symbol in s.state), S.Zero)
    goals = [s.anywhere(given, Le(moved, same)) for given in (around, inside)]
    goals += [s.anywhere([*inside, Eq(moved, same)], part) for part in target]
    goals += [s.anywhere(inside, Le(size, radius)), s.at_start(Le(size, radius))]
    goals += [s.anywhere(given, Ne(base, 0)) for given in (around, inside) for base in _denominators([*s.rule, height])]
    known = kept(s, *parts) if s.discrete else barrier(s, dict.fromkeys(parts, (reason, factor)))
    return Written("lasalle", {"height": height, "radius": radius}, goals, [known])


def affine(statement: Statement, *rest: Expr) -> Written:
    s, claim = setting(statement), statement.then
    at = dict(zip(s.state, rest, strict=True))
    still = [Eq(part.subs(at), value if s.discrete else 0) for part, value in zip(s.rule, rest, strict=True)]
    reached = [Eq(part.subs(at), value) for part, value in zip(claim.quantity, claim.points[0], strict=True)]
    return Written("affine", {"rest": list(rest)}, [s.at_start(part) for part in (*still, *reached)])


def monotone(statement: Statement) -> Written:
    s, target = setting(statement), statement.then.points[0][0]
    start, speed = s.start[0], s.rule[0]
    between = Or(And(Le(start, x), Le(x, target)), And(Le(target, x), Le(x, start)))
    goals = [
        s.anywhere((Le(start, x), Lt(x, target)), Gt(speed, 0)),
        s.anywhere((Le(x, start), Lt(target, x)), Lt(speed, 0)),
        s.at_start(Eq(speed.subs(x, target), 0)),
        *(s.anywhere((between,), Ne(base, 0)) for base in _denominators(s.rule)),
    ]
    return Written("scalar-flow", {"target": target}, goals)


def interval(s: Setting, low: Expr, high: Expr) -> tuple[tuple[Boolean, ...], list[Goal]]:
    rule = s.rule[0]
    inside = (Le(low, x), Le(x, high))
    goals = [s.at_start(Le(low, s.start[0])), s.at_start(Le(s.start[0], high))]
    return inside, [*goals, s.anywhere(inside, Le(low, rule)), s.anywhere(inside, Le(rule, high))]


def coppel(
    statement: Statement, low: Expr, high: Expr, factors: Sequence[Expr], others: str = "none", *avoided: Boolean
) -> Written:
    s, target, rule = setting(statement), statement.then.points[0][0], setting(statement).rule[0]
    inside, goals = interval(s, low, high)
    twice = rule.subs(x, rule)
    goals += [s.at_start(Eq(rule.subs(x, target), target)), s.at_start(Le(low, target)), s.at_start(Le(target, high))]
    goals += [s.anywhere((), Eq(twice - x, Mul(rule - x, *factors)))]
    goals += [s.anywhere((*inside, Eq(factor, 0)), Eq(rule, x)) for factor in factors]
    goals += [s.anywhere((*inside, Eq(rule, x)), Eq(x, target))]
    goals += [s.anywhere((*inside, Eq(rule, x), Ne(x, target)), Gt(diff(rule, x) ** 2, 1))]
    goals += [s.anywhere((*avoided, Eq(rule, x)), Eq(x, target))]
    facts = {"ends": [low, high], "factors": list(factors), "denominator": S.One, "others": others}
    return Written("coppel", facts, goals, [kept(s, *avoided)] if avoided else [])


def unimodal(statement: Statement, low: Expr, high: Expr, critical: Expr, landings: list[str], **more: Any) -> Written:
    s, points, rule = setting(statement), [p[0] for p in statement.then.points], setting(statement).rule[0]
    inside, goals = interval(s, low, high)
    first, second, third = (diff(rule, x, order) for order in (1, 2, 3))
    product = Mul(*(first.subs(x, point) for point in points))
    once = rule.subs(x, critical)
    goals += [s.at_start(Lt(low, critical)), s.at_start(Lt(critical, high))]
    goals += [s.anywhere((*inside, Ne(first, 0)), Lt(2 * first * third - 3 * second**2, 0))]
    goals += [s.at_start(Eq(rule.subs(x, a), b)) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    goals += [s.at_start(Lt(-1, product)), s.at_start(Lt(product, 1))]
    goals += [s.at_start(Le(a, b)) for a, b in ((low, points[0]), (points[0], high))]
    for end, other in ((low, high), (high, low)):
        steep = [Gt(first.subs(x, place) ** 2, 1) for place in (end, other)]
        fates = [*steep, Eq(rule.subs(x, end), end), Eq(rule.subs(x, end), other), Eq(rule.subs(x, other), other)]
        goals += [s.at_start(part) for part in (*fates, Eq(end, once), Eq(end, rule.subs(x, once)))]
    goals += [s.anywhere((), Eq(first - diff(first, x) * (x - critical), 0))]
    facts = {
        "ends": [low, high], "critical": critical, "multiplier": product, "landings": landings,
        "chain": [low, points[0], high], **more,
    }  # fmt: skip
    return Written("unimodal", facts, goals)


def ranking(statement: Statement, rank: Expr, amount: Expr, *parts: Boolean) -> Written:
    s, body = setting(statement), statement.then.args[0]
    inside = (*parts, negation(body))
    goals = [s.at_start(amount > 0), s.anywhere(inside, Ge(rank, 0))]
    goals += [s.anywhere(inside, Le(s.next(rank) - rank, -amount))]
    return Written("ranking", {"body": body, "rank": rank, "amount": amount}, goals, [kept(s, *parts)])


def k_induction(statement: Statement, depth: int) -> Written:
    s, body = setting(statement), statement.then.args[0]
    goals = [s.later(step).at_start(body) for step in range(depth)]
    known, moved = [], body
    for _ in range(depth):
        known.append(moved)
        moved = s.next(moved)
    return Written("k-induction", {"body": body, "depth": depth}, [*goals, s.anywhere(known, moved)], [kept(s)])


def falls(statement: Statement, *parts: Boolean) -> Written:
    s, quantity = setting(statement), statement.then.args[0]
    if s.discrete:
        less = Lt(s.next(quantity), quantity)
        return Written("descent", {"less": less}, [s.anywhere(parts, less)], [kept(s, *parts)])
    slope = s.rate(quantity).expand()
    rest = [s.anywhere((*parts, Eq(slope, 0)), Eq(speed, 0)) for speed in s.rule]
    moves = s.at_start(Or(*(Ne(s.initially(speed), 0) for speed in s.rule)))
    goals = [s.anywhere((), Eq(s.rate(quantity), slope)), s.anywhere(parts, Le(slope, 0)), *rest, moves]
    known = barrier(s, dict.fromkeys(parts, ("darboux", S.NegativeOne)))
    return Written("descent-flow", {"slope": slope, "down": Le(slope, 0)}, goals, [known])


def lasts(s: Setting, reason: str, number: Expr, reasons: Mapping[Boolean, tuple[str, Expr]]) -> Written:
    around = [_weak(part) for part in reasons]
    goals = [s.anywhere(around, Le(x**2, number)), s.anywhere(around, Le(s.rate(x**2), number * (1 + x**2)))]
    return Written("lasts", {"reason": reason, "size": number}, goals, [barrier(s, reasons)])


def after(statement: Statement, inner: Written, existence: Written | None = None) -> Written:
    s = setting(statement)
    goals = [s.at_start(Ge(statement.then.args[0], 0))]
    return Written("after-always", {}, goals, [inner, *([] if existence is None else [existence])])


def until(statement: Statement, *parts: Boolean) -> Written:
    s = setting(statement)
    first, second = statement.then.args
    waiting = s.assuming(negation(second))
    reached = [s.later(step).initially(second) for step in range(4)]
    comes = Written("unrolled", {"body": second, "steps": 3}, [s.at_start(Or(*reached))])
    goals = [waiting.anywhere((*parts, waiting.assumed), first)]
    return Written("until", {"before": first}, goals, [comes, kept(waiting, *parts)])


def in_the_limit(statement: Statement, point: Expr, within: Boolean) -> Written:
    s = setting(statement)
    converging = affine(statement.but(then=ConvergesTo(x, point)), point)
    return Written("limit", {"points": [[point]]}, [s.at_start(within.subs(x, point))], [converging])


LOGISTIC = Rational(5, 2) * x * (1 - x)
NEAR = Interval(QUARTER, Rational(3, 4))
RETURNS = [Rational(25, 4) * x**2 - Rational(35, 4) * x + Rational(7, 2)]
"""With the fixed points taken out, this is what a 2-cycle of the logistic map is a zero of."""
SETTLES = one(LOGISTIC, UNIT, ConvergesTo(x, Rational(3, 5)), almost_all=(x0,))
CREEP = x - x**2 * (x + 1) / 4
"""Falls to 0 from between 0 and 1, and stays at -1."""
DOUBLE = one(2 * x * (1 - x), NEAR, ConvergesTo(x, HALF))
DOUBLE_RETURNS = [4 * x**2 - 6 * x + 3]

TRUE: dict[str, tuple[Statement, Any]] = {}


def theorem(name: str, statement: Statement, written: Any) -> None:
    TRUE[name] = (statement, written)


theorem("an invariant set", (s := one(x / 2, UNIT, Always(x <= 1))), always(s, Le(x, 1), Ge(x, 0)))
theorem("two steps at once", (s := two((y, x), UNIT, Always(x <= 1), Map)), k_induction(s, 2))
theorem("a ranking", (s := one(x - 1, UNIT, Eventually(x <= 0))), ranking(s, x, S.One))
theorem("LaSalle for a map", (s := one(x - x**3 / 4, UNIT, ConvergesTo(x, 0))), lasalle(s, x**2, x0**2, x >= 0, x <= 1))
theorem("LaSalle for a flow", (s := flow(-x, UNIT, ConvergesTo(x**2, 0))), lasalle(s, x**2, x0**2, factor=S.Zero))
theorem("an affine map", (s := one(x / 2 + 1, UNIT, ConvergesTo(x, 2))), affine(s, S(2)))
theorem("an affine flow", (s := two((y, -x - y), UNIT, ConvergesTo((x, y), (0, 0)))), affine(s, S.Zero, S.Zero))
theorem("a scalar flow", (s := flow(1 - x, UNIT, ConvergesTo(x, 1))), monotone(s))
theorem(
    "no 2-cycle", DOUBLE, coppel(DOUBLE, S.Zero, S.One, DOUBLE_RETURNS, "avoided", x >= QUARTER, x <= HALF + QUARTER)
)
theorem("one turn", SETTLES, unimodal(SETTLES, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]))
theorem("a descent", (s := one(x / 2, Interval(1, 2), Decreasing(x**2))), falls(s, x > 0))
theorem("a descent along a flow", (s := flow(-x, Interval(1, 2), Decreasing(x**2))), falls(s, x > 0))
theorem("a factor", (s := flow(-x, Interval(1, 2), Always(x > 0))), stays(s, {x > 0: ("darboux", S.NegativeOne)}))
theorem("growth", (s := flow(x, Interval(1, 2), Always(x > 0))), stays(s, {x > 0: ("growth", S.Zero)}))
theorem("a boundary", (s := flow(HALF - x, UNIT, Always(x <= 1))), stays(s, {x <= 1: ("boundary", S.Zero)}))
theorem("a tangent", (s := flow(1 - x, UNIT, Always(x <= 1))), stays(s, {x <= 1: ("tangent", S.Zero)}))
theorem(
    "a moment that is reached",
    (s := flow(-(x**3), Interval(1, 2), After(2, Always(x > 0)))),
    after(
        s,
        stays(s.but(then=Always(x > 0)), {x > 0: ("darboux", -(x**2))}),
        lasts(setting(s), "linear growth", S.Zero, {x > 0: ("darboux", -(x**2))}),
    ),
)
theorem("until", (s := one(x + 1, UNIT, Until(x < 4, x >= 3))), until(s, x < 4))
theorem("what a limit enters", (s := one(x / 2, UNIT, Eventually(x < 1))), in_the_limit(s, S.Zero, x < 1))


@pytest.mark.parametrize("name", TRUE)
def test_the_rule_is_taken_where_its_theorem_applies(name: str) -> None:
    assert accepts(*TRUE[name])


RESTS_ON = {
    "LaSalle for a map": "LaSalle",
    "LaSalle for a flow": "LaSalle",
    "an affine map": "Jury",
    "an affine flow": "Routh-Hurwitz",
    "no 2-cycle": "Coppel",
    "one turn": "Singer-Guckenheimer",
    "growth": "Gronwall",
}


@pytest.mark.parametrize("name", RESTS_ON)
def test_what_the_rule_takes_from_the_literature_is_named(name: str) -> None:
    statement, written = TRUE[name]
    found = accept(statement, Sense.HOLDS, {"kind": "induction", "argument": written.argument().to_json()})
    assert isinstance(found, Theorem)
    assert RESTS_ON[name] in found.trust


FALSE: dict[str, tuple[Statement, Any]] = {}


def twin(name: str, statement: Statement, written: Any = None) -> None:
    FALSE[name] = (statement, written)


# Invariants of maps, k-induction, ranking.
twin("the start is outside", (s := one(x / 2, Interval(0, 2), Always(x <= 1))), always(s, Le(x, 1)))
twin("a step leads out", (s := one(2 * x, UNIT, Always(x <= 1))), always(s, Le(x, 1)))
twin("the map has no value inside", (s := one(1 / (x - 1), Interval(0, 2), Always(x**2 >= 0))), always(s, Ge(x**2, 0)))
twin("one of two first states is outside", (s := Statement(
    dynamics=Map((x, y), (y, x)), start={x: x0, y: y0}, variables={x0: UNIT, y0: Interval(0, 2)}, then=Always(x <= 1)
)), k_induction(s, 2))  # fmt: skip
twin("two states in a row say nothing", (s := two((y, x + y), UNIT, Always(x <= 1), Map)), k_induction(s, 2))
twin("no fixed loss", (s := one(x / 2, Interval(1, 2), Eventually(x <= 0))), ranking(s, x, Rational(1, 10), x >= 0))
twin("a loss that knows the state", (s := one(x / 2, Interval(1, 2), Eventually(x <= 0))), ranking(s, x, x / 2, x > 0))
twin("a loss of nothing", (s := one(x, Interval(1, 2), Eventually(x <= 0))), ranking(s, x, S.Zero))
twin("a rank without bound", (s := one(x - 1, UNIT, Eventually(x >= 2))), ranking(s, x, S.One))

# LaSalle for maps.
for _name, _open in {
    "a sign": sign(x0) >= 1, "a ceiling": ceiling(x0) >= 1, "a floor": floor(-x0) <= -1,
    "pieces": Piecewise((1, x0 > 0), (0, True)) >= 1, "a quotient": 1 / x0 >= 1, "a step": Heaviside(x0, 0) >= 1,
}.items():  # fmt: skip
    _part = _open.subs(x0, x)
    _stated = one(CREEP, Interval(-1, 1), ConvergesTo(x**2, 1), _open)
    twin(f"a set that {_name} leaves open", _stated, lasalle(_stated, x**2, x0**2, x >= -1, x <= 1, _part))
    if _name != "a quotient":
        _stated = one(CREEP, Interval(-1, 1), Implies(Always(_part), ConvergesTo(x**2, 1)))
        twin(f"a premise that {_name} leaves open", _stated, lasalle(_stated, x**2, x0**2, x >= -1, x <= 1))
twin("no bounded set", (s := one(x + 1, UNIT, ConvergesTo(x, 7))), lasalle(s, -x, x0**2, x >= 0))
twin("a bound that knows the state", (s := one(x + 1, UNIT, ConvergesTo(x, 7))), lasalle(s, -x, x**2, x >= 0))
_jump = Piecewise(((x + 1) / 2, x < 1), (3, True))
twin(
    "a map that jumps at the limit",
    (s := one(_jump, Interval(0, HALF), ConvergesTo(x, 7))),
    lasalle(s, -x, S.One, x >= 0, x < 1),
)
twin("a set that is not kept", (s := one(-x - 1, UNIT, ConvergesTo(x, 7))), lasalle(s, x, S.One, x >= 0, x <= 1))
twin("a function that rises", (s := one(1 - x, UNIT, ConvergesTo(x, HALF))), lasalle(s, x, S.One, x >= 0, x <= 1))
twin("a function that is flat elsewhere", (s := one(-x, UNIT, ConvergesTo(x, 0))), lasalle(s, x**2, x0**2))
twin(
    "a function that has a gap",
    (s := one(CREEP, Interval.Lopen(0, 1), ConvergesTo(x**2, 1))),
    lasalle(s, -1 / x, S.One, x > 0, x <= 1),
)

# LaSalle for flows: the level of the start is not kept for nothing.
_W = Interval(1, 2)
for _name, _speed, _quantity, _domain in (
    ("a square", -x, x**2, _W), ("a state", -x, x, _W), ("a cube", -x, x**3, _W), ("drift", S.One, x**2, _W),
    ("a loss", -4 * x * (x**2 - 1), (x**2 - 1) ** 2, Interval(2, 3)),
    ("growth to a limit", x * (1 - x), x**2, Interval(QUARTER, HALF)), ("a cubic", -(x**3), x**2, _W),
    ("a fraction", -x / (1 + x**2), x**2, _W),
):  # fmt: skip
    _stated = flow(_speed, _domain, ConvergesTo(_quantity, _quantity.subs(x, x0)))
    twin(
        f"{_name} does not keep its first value",
        _stated,
        lasalle(_stated, (_quantity - _quantity.subs(x, x0)) ** 2, S(16)),
    )
for _name, _pair, _quantity in (
    ("a sum", (1 - x - y, 1 - x - y), x + y), ("a state of two", (1 - x - y, 1 - x - y), x),
    ("an energy", (y, -x - y), x**2 + y**2), ("a coast", (y, -y), x),
):  # fmt: skip
    _first = _quantity.subs({x: x0, y: y0})
    _stated = two(_pair, _W, ConvergesTo(_quantity, _first))
    twin(f"{_name} does not keep its first value", _stated, lasalle(_stated, (_quantity - _first) ** 2, S(16)))
twin("a flow without bound", (s := flow(S.One, UNIT, ConvergesTo(x, 7))), lasalle(s, -x, x0**2))
twin("a flow with a bound that moves", (s := flow(S.One, UNIT, ConvergesTo(x, 7))), lasalle(s, -x, x**2))
twin("an unbounded flow that slows down", (s := flow(exp(-x), UNIT, ConvergesTo(x, 7))), lasalle(s, -x, x0**2))

# Affine systems and scalar flows.
twin("a multiplier of -1", (s := one(-x, UNIT, ConvergesTo(x, 0))), affine(s, S.Zero))
twin("a multiplier of 1", (s := one(x, UNIT, ConvergesTo(x, 0))), affine(s, S.Zero))
twin("a centre", (s := two((y, -x), UNIT, ConvergesTo((x, y), (0, 0)))), affine(s, S.Zero, S.Zero))
twin("a turn of length 1", (s := two((y, -x), UNIT, ConvergesTo((x, y), (0, 0)), Map)), affine(s, S.Zero, S.Zero))
twin("a point that moves", (s := one(x / 2 + 1, UNIT, ConvergesTo(x, 5))), affine(s, S(5)))
twin("another value at rest", (s := one(x / 2 + 1, UNIT, ConvergesTo(x**2, 2))), affine(s, S(2)))
twin(
    "pieces of one slope",
    (s := one(x / 2 + Piecewise((1, x > 0), (0, True)), Interval(-1, 1), ConvergesTo(x, 2))),
    affine(s, S(2)),
)
twin("a flow that passes its target", (s := flow(S.One, UNIT, ConvergesTo(x, 7))), monotone(s))
twin("a rest on the way", (s := flow(x * (1 - x) * (2 - x), NEAR, ConvergesTo(x, 2))), monotone(s))
twin("a flow that turns away", (s := flow(x - 1, NEAR, ConvergesTo(x, 1))), monotone(s))
twin("a pole on the way", (s := flow((2 - x) / (1 - x) ** 2, NEAR, ConvergesTo(x, 2))), monotone(s))

# Interval maps.
_RUN = Statement(dynamics=Map((x,), (x + x**2,)), start={x: S.One}, then=ConvergesTo(x, 0))
twin("ends that know the state", _RUN, coppel(_RUN, -(x**2) - 10, x**2 + x + 10, [x**2 + 2 * x + 2]))
twin(
    "an interval that is left",
    (s := one(2 * x * (1 - x), Interval(1, 2), ConvergesTo(x, HALF))),
    coppel(s, S.Zero, S(2), DOUBLE_RETURNS),
)
_three = Rational(16, 5) * x * (1 - x)
_factor = ((_three.subs(x, _three) - x) / (_three - x)).cancel()
twin(
    "a 2-cycle",
    (s := one(_three, NEAR, ConvergesTo(x, Rational(11, 16)))),
    coppel(s, S.Zero, S.One, [_factor], "avoided", x > 0, x < 1),
)
twin("another fixed point", (s := one(x**2, UNIT, ConvergesTo(x, 0))), coppel(s, S.Zero, S.One, [x**2 + x + 1]))
twin(
    "another fixed point that repels",
    (s := DOUBLE.but(variables={x0: UNIT})),
    coppel(s, S.Zero, S.One, DOUBLE_RETURNS, "exceptional"),
)
_cubic = (x**3 + x) / 2
twin("another fixed point that attracts", (s := one(_cubic, UNIT, ConvergesTo(x, 1), almost_all=(x0,))), coppel(
    s, S.Zero, S.One, [((_cubic.subs(x, _cubic) - x) / (_cubic - x)).cancel()], "exceptional"
))  # fmt: skip
twin(
    "every start that lands",
    (s := SETTLES.but(almost_all=())),
    unimodal(s, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]),
)
twin(
    "a cycle that repels",
    (s := one(4 * x * (1 - x), UNIT, ConvergesTo(x, Rational(3, 4)), almost_all=(x0,))),
    unimodal(s, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]),
)
twin(
    "a point that is no cycle",
    (s := SETTLES.but(then=ConvergesTo(x, HALF))),
    unimodal(s, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]),
)
twin(
    "starts outside of the interval",
    (s := SETTLES.but(variables={x0: Interval(0, 2)})),
    unimodal(s, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]),
)
_weak_map = x * (1 - x) / 2
twin("an end that attracts", (s := one(_weak_map, UNIT, ConvergesTo(x, -1), almost_all=(x0,))), unimodal(
    s, S.Zero, S.One, HALF, ["repelling", "lands on the other end"]
))  # fmt: skip

# Descent.
twin("a start at rest", (s := one(x / 2, UNIT, Decreasing(x**2))), falls(s, x >= 0))
twin("a flow that starts at rest", (s := flow(-x, UNIT, Decreasing(x**2))), falls(s, x >= 0))
twin("flat in motion", (s := two((S.One, S.Zero), UNIT, Decreasing(y))), falls(s))

# Barriers.
twin(
    "a gap without gradient",
    (s := flow(S.One, Interval(-1, 0), Always(x**3 <= 0))),
    stays(s, {x**3 <= 0: ("tangent", S.Zero)}),
)
twin("a surface that is crossed", (s := flow(S.One, UNIT, Always(x <= 1))), stays(s, {x <= 1: ("boundary", S.Zero)}))
twin("a factor with a pole", (s := flow(-S.One, _W, Always(x > 0))), stays(s, {x > 0: ("darboux", -1 / x)}))
twin("no growth", (s := flow(-S.One, _W, Always(x > 0))), stays(s, {x > 0: ("growth", S.Zero)}))
twin("an equation that is left", (s := flow(S.One, Interval(0, 0), Always(Eq(x, 0)))))
_LOW = Interval.Lopen(0, 1)
for _name, _other in {"a logarithm": log(x) <= 0, "a quotient": 1 / x >= 1, "a root": sqrt(x) <= 1}.items():
    _stated = flow(-S.One, _LOW, Always(And(x > 0, _other)))
    _reasons = {x > 0: ("boundary", S.Zero), _other: ("boundary", S.Zero)}
    twin(f"{_name} says nothing at its end", _stated, stays(_stated, _reasons))
twin("a logarithm along a flow that ends it", flow(-S.One, _LOW, Always(log(x) <= 0)))
twin("a logarithm along a flow that turns", flow(-cos(x), _LOW, Always(log(x) <= 0)))

# Moments: a solution that ends earlier does not reach them.
_SQUARE = {x > 0: ("darboux", x)}
_ended = flow(x**2, _W, After(2, Always(x > 0)))
twin("a moment after the end", _ended, after(_ended, stays(_ended.but(then=Always(x > 0)), _SQUARE)))
for _reason, _number in (("bounded", x**2), ("bounded", S(100)), ("linear growth", 2 * x), ("affine", S.Zero)):
    _claims = lasts(setting(_ended), _reason, _number, _SQUARE)
    twin(
        f"after the end, {_reason} by {_number}",
        _ended,
        after(_ended, stays(_ended.but(then=Always(x > 0)), _SQUARE), _claims),
    )
twin("a cubic ends", flow(x**3, _W, After(1, Always(x > 0))))
twin("falling after the end", flow(x**2, _W, After(5, Decreasing(1 / x))))
twin("a quadratic of two ends", two((x**2 + y**2, x * y), _W, After(4, Always(x > 0))))
twin("an exponential ends", flow(exp(x), UNIT, After(2, Always(x >= 0))))
twin("a shifted square ends", flow(1 + x**2, UNIT, After(4, Always(x >= 0))))
_early = Statement(
    dynamics=Map((x,), (x / 2,)),
    start={x: x0},
    variables={x0: UNIT, T: Interval(-2, -1)},
    then=After(T, Always(x <= 1)),
)
twin("a moment before the start", _early, after(_early, always(_early.but(then=Always(x <= 1)), x <= 1, x >= 0)))
twin(
    "a moment between two steps",
    (s := one(x / 2, UNIT, After(HALF, Always(x <= 1)))),
    after(s, always(s.but(then=Always(x <= 1)), x <= 1, x >= 0)),
)

# Premises without a value.
for _name, _premise in {
    "a logarithm": log(x) > 0, "a root": sqrt(x) >= 0, "a quotient": 1 / x > 0, "a power": x**x > 1,
    "a logarithm of a square": log(x**2) < 0, "a root of a difference": sqrt(x - 1) > 1,
}.items():  # fmt: skip
    _stated = one(x / 2, R, Implies(Always(_premise), ConvergesTo(x, 7)))
    twin(f"{_name} that always holds has no value", _stated)
    twin(f"{_name} at the start has no value", one(x / 2, R, Implies(AtStart(_premise), ConvergesTo(x, 7))))
    twin(f"{_name} along a flow has no value", flow(-x, R, Implies(Always(_premise), ConvergesTo(x, 7))))
_stated = one(x / 2, Interval(-2, -1), Implies(Always(log(x) > -x), Always(x >= 0)))
_used = setting(_stated).assuming(log(x) > -x)
twin(
    "a premise without a value, written by hand",
    _stated,
    Written(
        "implies",
        {"partial": []},
        [],
        [Written("always", {"body": x >= 0}, [_used.anywhere((_used.assumed,), x >= 0)], [kept(_used)])],
    ),
)

# Until, limits, periods, units.
twin("the first formula ends too early", (s := one(x + 1, UNIT, Until(x < 2, x >= 3))), until(s, x < 2))
twin("a limit on the edge", (s := one(x / 2, _W, Eventually(x <= 0))), in_the_limit(s, S.Zero, x <= 0))
twin("a limit at a jump", (s := one(x / 2, _W, Eventually(sign(x) < 1))), in_the_limit(s, S.Zero, sign(x) < 1))
twin(
    "a period of equal points",
    (s := one(x / 2, UNIT, HasPeriod(2))),
    Written("period", {"points": [[S.Zero], [S.Zero]]}, [], [affine(s.but(then=ConvergesTo(x, 0)), S.Zero)]),
)
_units = Statement(dynamics=Map((x,), (x / 2,)), start={x: K}, variables={K: Interval.open(0, oo)}, then=Always(x <= 1))
twin("a claim that has a unit", _units, Written("units", {"unit": K, "weights": [[K, S.One], [x, S.One]]}, [], [
    always(Statement(dynamics=Map((x,), (x / 2,)), start={x: S.One}, then=Always(x <= 1)), x <= 1, x >= 0)
]))  # fmt: skip


@pytest.mark.parametrize("name", [name for name, (_, written) in FALSE.items() if written is not None])
def test_the_checker_refuses_the_twin(name: str) -> None:
    assert not accepts(*FALSE[name])


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.sampled(3)
def test_the_engine_does_not_prove_the_twin(name: str) -> None:
    found = setting_of(FALSE[name][0])
    assert found is not None
    with pytest.raises(UnprovedError):
        prove(*found, Desk(replace(Budget.of("quick"), seconds=0.6).start(), discharge))
