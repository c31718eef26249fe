"""Claims about a method on functions of a class after every number of steps, by induction with a potential.

The obligations are statements about finitely many points; the kernel writes them anew from the claim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Basic, Eq, Expr, Ge, Integer, Interval, Le, MatrixSymbol, Mul, Pow, S, Symbol, oo
from sympy.core.relational import GreaterThan, LessThan
from sympy.logic.boolalg import Boolean

from proofs_check.kernel import classes
from theory.dynamics import Map
from theory.language.spaces import Norm, Vectors
from theory.statements import Statement
from theory.temporal import After, Always, AtStart, ForAll, is_plain, rename
from theory.trees import decode

_FIRST = {S.Naturals: 1, S.Naturals0: 0}


class NotInductiveError(Exception):
    """A claim is not about every number of steps; the message says why."""


@dataclass(frozen=True)
class EveryStep:
    """A relation that is claimed after n steps, for every whole number n from the first on."""

    statement: Statement
    dynamics: Map
    relation: Boolean
    counter: Symbol
    first: int

    @property
    def variables(self) -> dict[Any, Any]:
        """The variables without the counter."""
        return {symbol: domain for symbol, domain in self.statement.variables.items() if symbol != self.counter}

    @property
    def given(self) -> tuple[Boolean, ...]:
        """What is given of other things than the counter: it stays true from step to step."""
        return tuple(part for part in self.statement.given if self.counter not in part.free_symbols)

    def after(self, steps: int, claim: Boolean, given: tuple[Boolean, ...] | None = None) -> Statement:
        """A claim about the method after a number of steps."""
        then = AtStart(claim) if steps == 0 else After(steps, claim)
        return Statement(
            variables=self.variables, given=self.given if given is None else given, dynamics=self.dynamics,
            start=self.statement.start, constants=self.statement.constants, then=then,
        )  # fmt: skip

    def anywhere(self, claim: Boolean, first: int, *given: Boolean) -> Statement:
        """A claim about any state and any counter from a number on, whole or not."""
        points = {symbol: Vectors() for symbol in self.dynamics.state}
        return Statement(
            variables=self.variables | points | {self.counter: Interval(first, oo)},
            given=(*self.given, *given), constants=self.statement.constants, then=claim,
        )  # fmt: skip

    def moved(self, of: Basic) -> Basic:
        """An expression at the next step."""
        clock = {} if self.dynamics.time is None else {self.dynamics.time: self.counter}
        moves = [part.xreplace(clock) for part in self.dynamics.update]
        return of.xreplace(dict(zip(self.dynamics.state, moves, strict=True)) | {self.counter: self.counter + 1})

    def instance(self, steps: int) -> Statement:
        """The claim for one number of steps."""
        if steps < self.first:
            raise NotInductiveError(f"the claim is not about {steps} steps")
        number = {self.counter: Integer(steps)}
        given = tuple(rename(part, number) for part in self.statement.given)
        return self.after(steps, rename(self.relation, number), given)


def every_step(statement: Statement) -> EveryStep:
    """The claim as one about every number of steps."""
    then, dynamics = statement.then, statement.dynamics
    if not isinstance(dynamics, Map) or not all(isinstance(symbol, MatrixSymbol) for symbol in dynamics.state):
        raise NotInductiveError("only methods on vectors are followed")
    if statement.computed is not None or statement.almost_all or statement.uses:
        raise NotInductiveError("computations, exceptions and steps are not read here")
    if any(symbol in statement.variables for symbol in dynamics.state):
        raise NotInductiveError("a variable is called like the state")
    domain, counter = None, None
    if isinstance(then, ForAll):
        counter, domain, then = then.symbol, then.domain, then.body
    elif isinstance(then, After) and isinstance(then.args[0], Symbol):
        counter, domain = then.args[0], statement.variables.get(then.args[0])
    if isinstance(then, Always) and counter is None:
        counter = dynamics.time if dynamics.time is not None else Symbol("_step")
        if counter in statement.variables or counter in statement.stated:
            raise NotInductiveError(f"{counter} counts the steps and is a variable, too")
        domain, relation = S.Naturals0, then.args[0]
    elif isinstance(then, After) and then.args[0] == counter:
        relation = then.args[1]
    else:
        raise NotInductiveError("the claim is not about every number of steps")
    if (
        domain not in _FIRST
        or not is_plain(relation)
        or counter in {end for s in statement.start.values() for end in s.free_symbols}
    ):
        raise NotInductiveError(f"{counter} does not count steps")
    if dynamics.time is not None:
        relation = rename(relation, {dynamics.time: counter})
    classes_with = [d for s, d in statement.variables.items() if s != counter and counter in d.free_symbols]
    if classes_with or any(counter in part.free_symbols and counter != dynamics.time for part in dynamics.update):
        raise NotInductiveError(f"the method or a domain depends on {counter}")
    return EveryStep(statement, dynamics, relation, counter, _FIRST[domain])


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether all obligations of a rule are shown, or the claim fails for one number of steps."""
    every = every_step(statement)
    if "steps" in certificate:
        steps, example = int(certificate["steps"]), certificate["example"]
        return "functions" in example and classes.check(every.instance(steps), example)
    if certificate["rule"] == "geometric":
        goals = geometric(every, sign=str(certificate.get("sign", "rate")))
    else:
        goals = falling(every, decode(certificate["potential"]), decode(certificate["bound"]), int(certificate["base"]))
    proofs = certificate["proofs"]
    shown = (classes.check(goal, proof) for goal, proof in zip(goals, proofs, strict=True) if "functions" not in proof)
    return len(goals) == sum(shown)


def falling(every: EveryStep, potential: Expr, bound: Expr, base: int) -> list[Statement]:
    """A potential that is at most a bound after some steps and never grows is at most that bound for ever.

    By induction: V_base <= U after `base` steps; V_{n+1} of the next state <= V_n for every state and every n >= base;
    and V_n <= U implies the claim for n >= base. The steps before the base are claimed one by one. U speaks of nothing
    that moves, V of the state and the counter. Twins: a potential that starts above the bound, that grows in one step,
    or that is too small to imply the claim; a bound that grows with the counter.
    """
    counter, fixed = every.counter, set(every.variables)
    if base < 0 or not bound.free_symbols <= fixed:
        raise NotInductiveError("the bound speaks of what moves")
    if not potential.free_symbols <= fixed | set(every.dynamics.state) | {counter}:
        raise NotInductiveError("the potential speaks of something unknown")
    at_base = potential.xreplace({counter: Integer(base)})
    small = Le(potential, bound, evaluate=False)
    first = max(base, every.first)
    own = tuple(part for part in every.statement.given if counter in part.free_symbols)
    goals = [
        every.after(base, Le(at_base, bound, evaluate=False)),
        every.anywhere(Le(every.moved(potential), potential, evaluate=False), base),
        every.anywhere(every.relation, first, small, *own),
    ]
    return goals + [every.instance(steps) for steps in range(every.first, base)]


def geometric(every: EveryStep, sign: str = "rate") -> list[Statement]:
    """q <= r^n U after n steps, because q <= U at the start, one step multiplies q by at most r, and r >= 0.

    By induction q_n <= r^n q_0, and r^n q_0 <= r^n U. Between norms the squares are compared: |u|^2 <= r^2 |v|^2 and
    r >= 0 give |u| <= r |v|. That a square is not negative needs no proof; that it has a value is asked with the step.
    Where the sign of r is not known, q >= 0 everywhere and q = U at the start do, too: for r < 0 a step from any state
    gives 0 <= r q, so that q = 0 everywhere, and U = 0. Twins: r < 0; a start with q > U, or q < U where only q has a
    sign; a q of any sign; r that depends on the counter; norms where only q has a sign, whose squares forget that of r.
    """
    quantity, rate, bound = rate_of(every)
    counter = every.counter
    moving = {*every.dynamics.state, counter}
    if (rate.free_symbols | bound.free_symbols) & moving or counter in quantity.free_symbols:
        raise NotInductiveError("the rate, the bound or the quantity depends on the counter or the state")
    squared, factor = (quantity**2, rate**2) if isinstance(quantity, Norm) else (quantity, rate)
    if sign == "quantity":
        if isinstance(quantity, Norm):
            raise NotInductiveError("a norm is compared by squares, which need the sign of the rate")
        return [
            every.after(0, Eq(quantity, bound, evaluate=False)),
            every.anywhere(Le(every.moved(quantity), rate * quantity, evaluate=False), 0),
            every.anywhere(Ge(quantity, 0, evaluate=False), 0),
        ]
    is_square = isinstance(rate, Pow) and rate.exp.is_Integer and rate.exp % 2 == 0
    return [
        every.after(0, Le(quantity, bound, evaluate=False)),
        every.anywhere(Le(every.moved(squared), factor * squared, evaluate=False), 0),
        *([] if is_square else [every.anywhere(Ge(rate, 0, evaluate=False), 0)]),
    ]


def rate_of(every: EveryStep) -> tuple[Expr, Expr, Expr]:
    """Quantity, rate and bound of a claim q <= r^n U."""
    relation = every.relation
    if isinstance(relation, LessThan):
        small, large = relation.args
    elif isinstance(relation, GreaterThan):
        large, small = relation.args
    else:
        raise NotInductiveError("the claim is no weak inequality")
    powers = [part for part in Mul.make_args(large) if every.counter in part.free_symbols]
    if not powers:
        return small, S.One, large
    if len(powers) != 1 or not isinstance(powers[0], Pow):
        raise NotInductiveError("the bound has no rate")
    times = powers[0].exp / every.counter
    if not times.is_Integer or times < 1:
        raise NotInductiveError("the exponent is no multiple of the counter")
    rest = Mul(*(part for part in Mul.make_args(large) if part != powers[0]))
    return small, powers[0].base ** times, rest
