"""What the checkers of temporal arguments share: the statement read anew, and obligations that replay.

Written independently of the engine: a rule of an argument is accepted when every condition that the checker derives
for it is a conjunct of an obligation whose own certificate is accepted and whose hypotheses are all allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy import Basic, Eq, Expr, Set, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, BooleanTrue

from proofs_check.kernel.fields import expanded
from proofs_check.kernel.kinds import proves
from proofs_check.kernel.point import read, truth
from theory.domains import is_discrete
from theory.dynamics import Map
from theory.language.definedness import continuous_where, defined_where, smooth_where
from theory.statements import Statement
from theory.temporal import put_at_once, substitute
from theory.trees import decode


class RejectedError(Exception):
    """The certificate does not support the claim."""


def require(condition: object, reason: str) -> None:
    """Reject the certificate unless the condition holds."""
    if not condition:
        raise RejectedError(reason)


def conjuncts(*formulas: Boolean) -> frozenset[Boolean]:
    """All conjuncts of the formulas; `true` is none."""
    found: set[Boolean] = set()
    for formula in formulas:
        found |= conjuncts(*formula.args) if isinstance(formula, And) else {formula}
    return frozenset(part for part in found if not isinstance(part, BooleanTrue))


def conditions(*expressions: Basic, smooth: bool = False, jumps: bool = False) -> frozenset[Boolean]:
    """Conditions under which expressions are real and continuous, or smooth, or may jump; rejects what is unknown."""
    where = smooth_where if smooth else defined_where if jumps else continuous_where
    found = where(expressions)
    if found is None:
        raise RejectedError(f"nothing is known of where {expressions} have values")
    return conjuncts(found)


def sides(*formulas: Boolean) -> list[Expr]:
    """Both sides of every relation in the formulas."""
    return [side for formula in formulas for leaf in formula.atoms(Relational) for side in leaf.args]


def _expanded(part: Boolean) -> Boolean:
    """A relation between polynomials with everything multiplied out on its left side; others as they are."""
    if not isinstance(part, Relational) or not (part.lhs - part.rhs).is_polynomial():
        return part
    return part.func(expanded(part.lhs - part.rhs), 0, evaluate=False)


@dataclass
class Node:
    """One rule of an argument, with its obligations still to be replayed."""

    rule: str
    facts: dict[str, Any]
    parts: list[Node]
    obligations: list[tuple[Statement | None, frozenset[Boolean], frozenset[Boolean], Mapping[str, Any]]]
    _accepted: dict[int, bool] = field(default_factory=dict)

    @classmethod
    def read(cls, data: Mapping[str, Any], integers: frozenset[Symbol]) -> Node:
        """The node that certificate data describe; only the given symbols may be whole numbers."""
        read = []
        for item in data["obligations"]:
            variables = {decode(symbol): decode(domain) for symbol, domain in item["variables"]}
            given = [decode(part) for part in item["hypotheses"]]
            conclusion = decode(item["conclusion"])
            statement = _statement(variables, given, conclusion)
            if statement is not None:
                require(integers.issuperset(statement.integers), "an obligation about whole numbers only")
                given = list(statement.hypotheses)  # what the domains say is given, too
            read.append((statement, conjuncts(*given), conjuncts(conclusion), item["certificate"]))
        facts = {key: _read(value) for key, value in data["facts"].items()}
        return cls(str(data["rule"]), facts, [cls.read(part, integers) for part in data["parts"]], read)

    def need(self, allowed: Iterable[Boolean], *conclusions: Boolean) -> None:
        """Reject unless every conjunct is allowed itself or concluded by an accepted obligation."""
        known = conjuncts(*allowed)
        if And(*known) == sp.false:
            return  # nothing is like that: one relation says the opposite of another
        turned = known | {part.reversed for part in known if isinstance(part, Relational)}
        for wanted in conjuncts(*conclusions) - turned:
            forms = {wanted, _expanded(wanted)}
            require(
                any(
                    forms & {*concluded, *map(_expanded, concluded)} and given <= known and self._replays(place)
                    for place, (_, given, concluded, _) in enumerate(self.obligations)
                ),
                f"nothing shows {wanted}",
            )

    def _replays(self, place: int) -> bool:
        if place not in self._accepted:
            statement, _, _, certificate = self.obligations[place]
            self._accepted[place] = statement is not None and proves(statement, certificate)
        return self._accepted[place]


def _statement(variables: Mapping[Symbol, Set], given: list[Boolean], conclusion: Boolean) -> Statement | None:
    if conclusion == sp.true:
        return None
    if conclusion == sp.false:  # the hypotheses contradict each other
        conclusion = sp.Lt(1, 0, evaluate=False)
    return Statement(variables=variables, given=tuple(given), then=conclusion)


def _read(value: Any) -> Any:
    if isinstance(value, Mapping):
        return decode(value)
    return [_read(part) for part in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Scene:
    """The dynamics, the start and what may be assumed, read from the statement once more."""

    discrete: bool
    state: tuple[Symbol, ...]
    rule: tuple[Expr, ...]
    start: tuple[Expr, ...]
    variables: Mapping[Symbol, Set]
    known: frozenset[Boolean]
    almost_all: tuple[Symbol, ...]
    clock: Symbol | None
    assumed: Boolean = sp.true
    """What may be taken for granted at every time that is spoken of."""
    domain: Boolean = sp.true
    """The evolution domain; it is among what is assumed, and the trajectory may end by leaving it."""

    def step(self, value: Basic) -> Basic:
        """The value one step later."""
        return put_at_once(value, dict(zip(self.state, self.rule, strict=True)))

    def at(self, point: Iterable[Expr], value: Basic) -> Basic:
        """The value with the state at a point."""
        return put_at_once(value, dict(zip(self.state, point, strict=True)))

    def begin(self, value: Basic) -> Basic:
        """The value at the start."""
        return self.at(self.start, value)

    def rate(self, value: Expr) -> Expr:
        """The derivative along a flow."""
        return sum((sp.diff(value, s) * speed for s, speed in zip(self.state, self.rule, strict=True)), sp.S.Zero)

    @property
    def integers(self) -> frozenset[Symbol]:
        """The fixed symbols that are whole numbers."""
        return frozenset(symbol for symbol, domain in self.variables.items() if is_discrete(domain))

    @property
    def at_start(self) -> frozenset[Boolean]:
        """What is known of the fixed symbols and the start."""
        return self.known | conjuncts(self.begin(self.assumed))

    def fixed(self, found: Iterable[Boolean]) -> list[Boolean]:
        """Those conditions that do not mention the state."""
        return [part for part in found if not part.free_symbols & set(self.state)]

    def moving(self, found: Iterable[Boolean]) -> list[Boolean]:
        """Those conditions that mention the state."""
        return [part for part in found if part.free_symbols & set(self.state)]

    def later(self, steps: int) -> Scene:
        """The scene from a step on."""
        scene = self
        for _ in range(steps):
            moved = tuple(scene.begin(part) for part in self.rule)
            scene = replace(scene, start=moved, known=scene.at_start)
        return scene

    def values(self, *expressions: Basic) -> frozenset[Boolean]:
        """Conditions under which expressions have values, which may jump from step to step but not along a flow."""
        return conditions(*expressions, jumps=self.discrete)

    def continuous(self, *expressions: Basic) -> bool:
        """Whether expressions are continuous at every state, for values of the fixed symbols where they are defined."""
        try:
            return not self.moving(conditions(*expressions))
        except RejectedError:
            return False

    def constant(self, *expressions: Basic) -> None:
        """Reject expressions that know anything but the fixed symbols: neither the state nor the clock is a number."""
        used = set().union(*(part.free_symbols for part in expressions))
        require(used <= set(self.variables), "not a constant")

    def sound(self, node: Node, *expressions: Expr, jumps: bool = False) -> None:
        """Reject unless start and expressions are shown to be defined as far as the fixed symbols go."""
        needed = self.values if jumps else conditions
        node.need(self.at_start, *self.fixed(needed(*self.start, *expressions)))

    def meant(self, node: Node, formula: Boolean, body: Boolean) -> None:
        """Reject unless the body says the formula and that its sides are defined."""
        inside = conjuncts(body)
        require(conjuncts(formula) <= inside, "the body is not the claim")
        require(set(self.moving(self.values(*sides(formula)))) <= inside, "the body may be undefined")
        self.sound(node, *sides(body), jumps=True)


def start_of(statement: Statement, pairs: Any) -> dict[Symbol, Expr]:
    """The point that certificate data describe; rejected unless it is a case of the statement."""
    point = read(pairs)
    require(set(point) == set(statement.variables), "not all variables have a value")
    require(all(point[symbol].is_Integer for symbol in statement.integers), "not a whole number")
    require(all(truth(part, point) is True for part in statement.hypotheses), "the hypotheses are not satisfied")
    return point


def scene_of(statement: Statement) -> tuple[Scene, Boolean]:
    """The scene of a statement and its claim."""
    dynamics = statement.dynamics
    if dynamics is None:
        raise RejectedError("no dynamics")
    values = {item.symbol: item.value for item in statement.constants}
    names = list(dynamics.state) + ([dynamics.time] if dynamics.time is not None else [])
    renamed = {name: Symbol(name.name + "_now") for name in names if name in statement.variables}
    parts = (*statement.variables, *names, *dynamics.parameters, *statement.conclusion.free_symbols, *values)
    require(not set(renamed.values()) & set(parts), "the name of a state is taken")
    discrete = isinstance(dynamics, Map)
    rule = [put_at_once(part, values).xreplace(renamed) for part in dynamics.right_side]
    start = [put_at_once(statement.start[name], values) for name in dynamics.state]
    if dynamics.time is not None:
        rule.append(renamed.get(dynamics.time, dynamics.time) + 1 if discrete else sp.Integer(1))
        start.append(sp.S.Zero)
    clock = None if dynamics.time is None else renamed.get(dynamics.time, dynamics.time)
    state = tuple(renamed.get(name, name) for name in names)
    known = And(*statement.hypotheses)
    variables = {symbol: put_at_once(domain, values) for symbol, domain in statement.variables.items()}
    domain = And(*(substitute(part, values).xreplace(renamed) for part in dynamics.restrictions))
    scene = Scene(
        discrete, state, tuple(rule), tuple(start), variables, conjuncts(known), statement.almost_all, clock,
        assumed=domain, domain=domain,
    )  # fmt: skip
    return _eliminated(scene, statement.conclusion.xreplace(renamed))


def _eliminated(scene: Scene, claim: Boolean) -> tuple[Scene, Boolean]:
    for part in And(*scene.known).args if len(scene.known) > 1 else scene.known:
        if not isinstance(part, Eq):
            continue
        for symbol, value in ((part.lhs, part.rhs), (part.rhs, part.lhs)):
            if symbol not in scene.variables or symbol in scene.almost_all or value.has(symbol):
                continue
            if is_discrete(scene.variables[symbol]):
                continue
            return _eliminated(put(scene, symbol, value), put_at_once(claim, {symbol: value}))
    return scene, claim


def put(scene: Scene, symbol: Symbol, value: Expr) -> Scene:
    """The scene with a fixed symbol replaced by a value."""
    new = {symbol: value}
    return replace(
        scene,
        rule=tuple(put_at_once(part, new) for part in scene.rule),
        start=tuple(put_at_once(part, new) for part in scene.start),
        variables={key: put_at_once(domain, new) for key, domain in scene.variables.items() if key != symbol},
        known=conjuncts(And(*(put_at_once(part, new) for part in scene.known))),
        assumed=put_at_once(scene.assumed, new),
        domain=put_at_once(scene.domain, new),
    )


def timeless(scene: Scene, claim: Boolean) -> Scene:
    """The scene without its clock when nothing depends on it."""
    if scene.clock is None:
        return scene
    keep = [place for place, symbol in enumerate(scene.state) if symbol != scene.clock]
    used = set(claim.free_symbols) | scene.assumed.free_symbols
    used |= set().union(*(scene.rule[place].free_symbols for place in keep))
    if scene.clock in used:
        return scene
    chosen = {name: tuple(getattr(scene, name)[place] for place in keep) for name in ("state", "rule", "start")}
    return replace(scene, clock=None, **chosen)  # type: ignore[arg-type]
