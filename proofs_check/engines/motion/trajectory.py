"""A statement about a trajectory, made ready for reasoning: an autonomous system, its start, and what is known.

Inside a setting a state symbol always means the current value. Time, where the dynamics know it, is one more state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sympy import And, Eq, Expr, Integer, S, Set, Symbol, diff, true
from sympy.logic.boolalg import Boolean, BooleanTrue

from proofs_check.goals import Goal
from theory.domains import is_discrete
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.statements import Statement
from theory.temporal import put_at_once, substitute


@dataclass(frozen=True)
class Setting:
    """Dynamics `state -> rule` (the update of a Map, the velocity of a Flow) from `start` under `hypotheses`.

    `assumed` is a plain formula that may be taken for granted at every time of the trajectory; the evolution `domain`,
    by leaving which it ends, is a part of it. `solved` are the
    variables of the statement that a hypothesis expresses through the others.
    """

    discrete: bool
    state: tuple[Symbol, ...]
    rule: tuple[Expr, ...]
    start: tuple[Expr, ...]
    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    almost_all: tuple[Symbol, ...] = ()
    clock: Symbol | None = None
    assumed: Boolean = true
    domain: Boolean = true
    solved: tuple[tuple[Symbol, Expr], ...] = ()

    @cached_property
    def step(self) -> dict[Symbol, Expr]:
        """What each state symbol becomes: its next value for a Map, its velocity for a Flow."""
        return dict(zip(self.state, self.rule, strict=True))

    @cached_property
    def beginning(self) -> dict[Symbol, Expr]:
        """Each state symbol at time 0."""
        return dict(zip(self.state, self.start, strict=True))

    def next(self, value: Expr) -> Expr:
        """An expression of the state after one step of a Map."""
        return put_at_once(value, self.step)

    def initially(self, value: Expr) -> Expr:
        """An expression of the state at the start."""
        return put_at_once(value, self.beginning)

    def rate(self, value: Expr) -> Expr:
        """The time derivative of an expression of the state along a Flow."""
        return sum((diff(value, symbol) * speed for symbol, speed in self.step.items()), S.Zero)

    def at_start(self, conclusion: Boolean) -> Goal:
        """The goal that a formula about the state holds at time 0."""
        begun = joined(*self.hypotheses, self.initially(self.assumed))
        claim = self.initially(conclusion)
        near = _connected(claim.free_symbols, begun)
        known = tuple(part for part in begun if part.free_symbols <= near)
        return Goal({symbol: domain for symbol, domain in self.variables.items() if symbol in near}, known, claim)

    def anywhere(self, given: Sequence[Boolean], conclusion: Boolean) -> Goal:
        """The goal that all states in the set `given` satisfy the conclusion.

        Hypotheses about variables that only the start depends on are left out unless those variables are mentioned.
        """
        mentioned = And(*given).free_symbols | conclusion.free_symbols
        mentioned |= set().union(*(part.free_symbols for part in self.rule))
        idle = set().union(*(part.free_symbols for part in self.start)) - mentioned
        known = [part for part in self.hypotheses if not part.free_symbols & idle]
        variables = {symbol: domain for symbol, domain in self.variables.items() if symbol not in idle}
        states = dict.fromkeys(self.state, S.Reals)
        return Goal({**variables, **states}, joined(*known, *given), conclusion)

    def given(self, *more: Boolean) -> Setting:
        """The same setting under further hypotheses about the fixed symbols."""
        return replace(self, hypotheses=joined(*self.hypotheses, *more))

    def assuming(self, more: Boolean) -> Setting:
        """The same setting where a formula about the state is known to hold at every time."""
        return replace(self, assumed=And(self.assumed, more))

    def without_idle(self, claim: Boolean) -> Setting:
        """The setting without hypotheses about variables that neither the dynamics, the start nor the claim know."""
        parts = (*self.rule, *self.start, self.assumed, claim)
        used = set().union(*(part.free_symbols for part in parts)) - set(self.state)
        known = tuple(part for part in self.hypotheses if part.free_symbols <= used)
        return replace(
            self,
            variables={symbol: domain for symbol, domain in self.variables.items() if symbol in used},
            hypotheses=known,
        )

    def about(self, formula: Boolean) -> Setting:
        """The setting with those states alone on which the states of a formula depend, and what is known of them.

        What is proved in it holds in the whole setting: the other states do not act on these.

        >>> x, y = Symbol("x"), Symbol("y")
        >>> Setting(False, (x, y), (-x, x - y), (S.One, S.Zero), {}, ()).about(x > 0).state
        (x,)
        """
        kept: set[Symbol] = set()
        more = formula.free_symbols & set(self.state)
        while more:
            kept |= more
            more = set().union(*(self.step[symbol].free_symbols for symbol in more)) & set(self.state) - kept
        others = set(self.state) - kept
        places = [place for place, symbol in enumerate(self.state) if symbol in kept]
        smaller = replace(
            self,
            state=tuple(self.state[place] for place in places),
            rule=tuple(self.rule[place] for place in places),
            start=tuple(self.start[place] for place in places),
            assumed=And(*(part for part in joined(self.assumed) if not part.free_symbols & others)),
            domain=And(*(part for part in joined(self.domain) if not part.free_symbols & others)),
            clock=self.clock if self.clock in kept else None,
        )
        return smaller.without_idle(formula)

    def complete(self, point: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
        """A point together with the values of the variables that were solved for."""
        whole = dict(point)
        for symbol, value in reversed(self.solved):
            whole[symbol] = value.subs(whole)
        return whole

    def later(self, steps: int) -> Setting:
        """The same setting for the trajectory from the given step of a Map on."""
        return self if steps == 0 else self._after_a_step.later(steps - 1)

    @cached_property
    def _after_a_step(self) -> Setting:
        begun = And(*self.hypotheses, self.initially(self.assumed))
        return replace(self, start=tuple(map(self.initially, self.rule)), hypotheses=joined(begun))


def at_point(setting: Setting, point: Mapping[Symbol, Expr]) -> Setting:
    """The setting with a value for every variable, of which one start is left."""
    return replace(
        setting,
        rule=tuple(part.subs(point) for part in setting.rule),
        start=tuple(part.subs(point) for part in setting.start),
        variables={},
        hypotheses=(),
        almost_all=(),
        assumed=setting.domain.subs(point),
        domain=setting.domain.subs(point),
        solved=(),
    )


def joined(*parts: Boolean) -> tuple[Boolean, ...]:
    """The conjuncts of a conjunction, each once, in SymPy's order.

    >>> x = Symbol("x")
    >>> joined(x > 0, (x < 1) & (x > 0))
    (x > 0, x < 1)
    """
    whole = And(*parts)
    if isinstance(whole, BooleanTrue):
        return ()
    return tuple(whole.args) if isinstance(whole, And) else (whole,)


def setting_of(statement: Statement) -> tuple[Setting, Boolean] | None:
    """The setting of a statement with dynamics, and its conclusion about current states; None without dynamics.

    >>> from sympy import Interval
    >>> from theory.temporal import Always
    >>> x, a = Symbol("x"), Symbol("a")
    >>> shrink = Map((x,), (x / 2,))
    >>> found = setting_of(Statement(dynamics=shrink, start={x: a}, variables={a: Interval(0, 1)}, then=Always(x <= 1)))
    >>> found[0].beginning
    {x: a}
    """
    dynamics = statement.dynamics
    if dynamics is None or statement.computed is not None:
        return None
    stated = statement.stated
    clock = dynamics.time
    names = (*dynamics.state, *(() if clock is None else (clock,)))
    current = {name: Symbol(f"{name.name}_now") for name in names if name in statement.variables}
    taken = {symbol.name for symbol in (*statement.variables, *names)}
    if any(symbol.name in taken for symbol in current.values()):
        raise LemmascopeError(f"{statement.id or 'the statement'} uses a symbol ending in _now: rename it")
    discrete = isinstance(dynamics, Map)
    rule = [part.subs(stated).xreplace(current) for part in dynamics.right_side]
    start = [statement.start[symbol].subs(stated) for symbol in dynamics.state]
    if clock is not None:
        now = current.get(clock, clock)
        rule.append(now + 1 if discrete else Integer(1))
        start.append(S.Zero)
    domain = And(*(substitute(part, stated).xreplace(current) for part in dynamics.restrictions))
    setting = Setting(
        discrete,
        tuple(current.get(name, name) for name in names),
        tuple(rule),
        tuple(start),
        {symbol: domain.subs(stated) for symbol, domain in statement.variables.items()},
        joined(*statement.hypotheses),
        statement.almost_all,
        None if clock is None else current.get(clock, clock),
        assumed=domain,
        domain=domain,
    )
    return _without_determined(setting, statement.conclusion.xreplace(current))


def _connected(symbols: set[Symbol], hypotheses: Sequence[Boolean]) -> set[Symbol]:
    """The symbols, and those that hypotheses tie to them: what is said of others alone does not matter to them."""
    near, rest = set(symbols), [part.free_symbols for part in hypotheses]
    while more := [found for found in rest if found & near and not found <= near]:
        near |= set().union(*more)
    return near


def _without_determined(setting: Setting, claim: Boolean) -> tuple[Setting, Boolean]:
    """Variables that a hypothesis `symbol = expression` determines are replaced by that expression."""
    while (found := _determined(setting)) is not None:
        symbol, value = found
        replaced = {symbol: value}
        setting = replace(
            setting,
            rule=tuple(part.subs(replaced) for part in setting.rule),
            start=tuple(part.subs(replaced) for part in setting.start),
            variables={key: domain.subs(replaced) for key, domain in setting.variables.items() if key != symbol},
            hypotheses=joined(*(part.subs(replaced) for part in setting.hypotheses)),
            assumed=setting.assumed.subs(replaced),
            domain=setting.domain.subs(replaced),
            solved=(*setting.solved, (symbol, value)),
        )
        claim = claim.subs(replaced)
    return setting, claim


def _determined(setting: Setting) -> tuple[Symbol, Expr] | None:
    for part in setting.hypotheses:
        if isinstance(part, Eq):
            for symbol, value in (part.args, part.args[::-1]):
                free = symbol in setting.variables and symbol not in setting.almost_all
                if free and symbol not in value.free_symbols and not is_discrete(setting.variables[symbol]):
                    return symbol, value
    return None
