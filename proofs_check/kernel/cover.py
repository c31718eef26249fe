"""Follows the argument of a cover step by step: quantifiers, cases and witnesses here, charts and signs below."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sympy import And, Expr, Integer, Interval, Range, Rational, S, Set, Symbol, false
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean, Implies

from proofs_check.kernel.cover_charts import contradicts
from proofs_check.kernel.kinds import proves
from theory.domains import is_discrete, membership
from theory.language.definedness import continuity, demands, or_undefined, put
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Exists, ForAll, is_plain, negation, put_at_once
from theory.trees import decode

_LARGEST = 200_000_000


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the argument of the certificate proves the statement."""
    if statement.speaks_of_state:
        return False
    argument = unpacked(certificate["argument"])
    return follow(Task(dict(statement.variables), statement.hypotheses, statement.conclusion), argument)


def unpacked(text: str) -> dict[str, Any]:
    """The argument that was packed as compressed JSON; refuses what would grow out of hand."""
    reader = zlib.decompressobj()
    data = reader.decompress(base64.b64decode(text), _LARGEST)
    if reader.unconsumed_tail:
        raise ValueError("the argument is too large")
    argument = json.loads(data)
    if not isinstance(argument, dict):
        raise TypeError("an argument is a table")
    return argument


@dataclass(frozen=True)
class Task:
    """For all variables with these hypotheses: the conclusion."""

    variables: Mapping[Symbol, Set]
    hypotheses: tuple[Boolean, ...]
    conclusion: Boolean

    def given(self, *more: Boolean) -> Task:
        """With further hypotheses."""
        return replace(self, hypotheses=(*self.hypotheses, *more))

    def fixed(self, symbol: Symbol, value: Expr) -> Task:
        """With one variable fixed."""
        variables = {s: put_at_once(d, {symbol: value}) for s, d in self.variables.items() if s != symbol}
        hypotheses = tuple(put_at_once(part, {symbol: value}) for part in self.hypotheses)
        return Task(variables, hypotheses, put(self.conclusion, symbol, value))

    def opened(self, symbol: Symbol, domain: Set) -> Task:
        """With one more variable, or a narrower domain of a known one."""
        return replace(self, variables={**self.variables, symbol: domain}).given(membership(symbol, domain))


def follow(task: Task, step: dict[str, Any]) -> bool:
    """Whether one step of the argument, with everything below it, proves the task."""
    rule = _RULES.get(step["do"])
    return rule(task, step) if rule is not None else _plain(task, step)


def _plain(task: Task, step: dict[str, Any]) -> bool:
    formula = And(*task.hypotheses, or_undefined(negation(task.conclusion)))
    return is_plain(formula) and contradicts(formula, tuple(task.variables), step)


def _shown(task: Task, step: dict[str, Any]) -> bool:
    """A plain task by a proof of another kind, which may do without some of the hypotheses."""
    given = tuple(task.hypotheses[place] for place in step["kept"])
    if not is_plain(task.conclusion):
        return False
    return proves(Statement(variables=dict(task.variables), given=given, then=task.conclusion), step["certificate"])


def _apart(task: Task, step: dict[str, Any]) -> bool:
    """What lies above a number everywhere, or below it everywhere, differs from it."""
    if not isinstance(task.conclusion, Ne):
        return False
    relation = Gt if step["above"] else Lt
    return follow(replace(task, conclusion=relation(*task.conclusion.args, evaluate=False)), *step["parts"])


def _unpack(task: Task, step: dict[str, Any]) -> bool:
    part = task.hypotheses[step["at"]]
    if not isinstance(part, Exists) or part.symbol in task.variables:
        return False
    rest = tuple(p for place, p in enumerate(task.hypotheses) if place != step["at"])
    return follow(replace(task, hypotheses=(*rest, part.body)).opened(part.symbol, part.domain), *step["parts"])


def _keep_only(task: Task, step: dict[str, Any]) -> bool:
    kept = tuple(task.hypotheses[place] for place in step["kept"])
    return follow(replace(task, hypotheses=kept), *step["parts"])


def _each(task: Task, step: dict[str, Any]) -> bool:
    if not isinstance(task.conclusion, And):
        return False
    pairs = zip(task.conclusion.args, step["parts"], strict=True)
    return all(follow(replace(task, conclusion=part), below) for part, below in pairs)


def _assume(task: Task, step: dict[str, Any]) -> bool:
    """From a premise without a value nothing follows: that it has one is a second claim where it is not plain."""
    if not isinstance(task.conclusion, Implies):
        return False
    premise, rest = task.conclusion.args
    tasks = [replace(task.given(premise), conclusion=rest)]
    if valued := values_of(premise):
        tasks.append(replace(task, conclusion=And(*valued)))
    return all(follow(sub, below) for sub, below in zip(tasks, step["parts"], strict=True))


def values_of(premise: Boolean) -> list[Boolean]:
    """Conditions under which a premise has a value; `false` where they would speak of a bound symbol.

    >>> from sympy import log
    >>> x = Symbol("x")
    >>> values_of(log(x) > 0), values_of(x > 0)
    ([x > 0], [])
    """
    wanted = demands(side for leaf in premise.atoms(Relational) for side in leaf.args)
    return wanted if is_plain(premise) or not wanted else [false]


def _forall(task: Task, step: dict[str, Any]) -> bool:
    claim = task.conclusion
    if not isinstance(claim, ForAll) or claim.symbol in task.variables:
        return False
    return follow(replace(task.opened(claim.symbol, claim.domain), conclusion=claim.body), *step["parts"])


def _enumerate(task: Task, step: dict[str, Any]) -> bool:
    symbol = decode(step["variable"])
    values = [Rational(text) for text in step["values"]]
    domain = task.variables[symbol]
    if not domain.is_finite_set or set(domain) != set(values):
        return False
    pairs = zip(values, step["parts"], strict=True)
    return all(follow(task.fixed(symbol, value), below) for value, below in pairs)


def _peel(task: Task, step: dict[str, Any]) -> bool:
    symbol, first, count = decode(step["variable"]), int(step["first"]), int(step["count"])
    domain = task.variables[symbol]
    if not isinstance(domain, Range) or domain.step != 1 or domain.inf != first or len(step["parts"]) != count + 1:
        return False
    *heads, tail = step["parts"]
    values = [Integer(first + k) for k in range(count)]
    started = all(follow(task.fixed(symbol, value), below) for value, below in zip(values, heads, strict=True))
    return started and follow(task.given(Ge(symbol, first + count)), tail)


def _claim(task: Task) -> Exists:
    if not isinstance(task.conclusion, Exists) or task.conclusion.symbol in task.variables:
        raise ValueError("the conclusion is no existence")
    return task.conclusion


def _witness(task: Task, step: dict[str, Any]) -> bool:
    claim, value = _claim(task), decode(step["value"])
    bound = {part.symbol for part in claim.body.atoms(Exists, ForAll)}
    if not value.free_symbols <= set(task.variables) - bound or (is_discrete(claim.domain) and not value.is_Integer):
        return False
    inside = put_at_once(membership(claim.symbol, claim.domain), {claim.symbol: value})
    shown = And(inside, put(claim.body, claim.symbol, value))
    return follow(replace(task, conclusion=shown), *step["parts"])


def _crossing(task: Task, step: dict[str, Any]) -> bool:
    claim, low, high, rising = _claim(task), decode(step["low"]), decode(step["high"]), bool(step["rising"])
    x = claim.symbol
    if not (low.free_symbols | high.free_symbols) <= set(task.variables) or is_discrete(claim.domain):
        return False
    parts = clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and part.has(x)]
    if len(equations) != 1:
        return False
    difference = equations[0].lhs - equations[0].rhs
    sides = [continuity(side) for side in equations[0].args]
    if None in sides:
        return False
    conditions = [condition for some in sides for condition in some or ()]
    first, last = (put_at_once(difference, {x: end}) for end in (low, high))
    ends = And(Lt(first, 0), Gt(last, 0)) if rising else And(Gt(first, 0), Lt(last, 0))
    rest = And(*conditions, And(*[part for part in parts if part != equations[0]]))
    inside = task.opened(x, Interval(low, high))
    tasks = [
        replace(task, conclusion=And(ends, Lt(low, high))),
        replace(inside.given(Gt(x, low), Lt(x, high)), conclusion=membership(x, claim.domain)),
        replace(inside, conclusion=rest),
    ]
    return all(follow(sub, below) for sub, below in zip(tasks, step["parts"], strict=True))


def _intermediate(task: Task, step: dict[str, Any]) -> bool:
    """The intermediate value theorem (Rudin, Principles of Mathematical Analysis, 4.23), with ends that may move.

    For every point of the task, low <= high are two members of an interval D, f and g are continuous on [low, high],
    f(low) <= g(low) and f(high) >= g(high) (or both the other way round), and whatever else the body demands holds at
    every x of [low, high] with f(x) = g(x). Then some x of D satisfies the body.
    """
    claim, low, high = _claim(task), decode(step["low"]), decode(step["high"])
    x = claim.symbol
    if not (low.free_symbols | high.free_symbols) <= set(task.variables) or not is_plain(claim.body):
        return False
    if not (isinstance(claim.domain, Interval) or claim.domain == S.Reals):
        return False
    parts = clauses(claim.body)
    equations = [part for part in parts if isinstance(part, Eq) and part.has(x)]
    sides = [continuity(side) for equation in equations for side in equation.args]
    if len(equations) != 1 or None in sides:
        return False
    first, last = (Le, Ge) if step["rising"] else (Ge, Le)
    inside = membership(x, claim.domain)
    ends = (first(*equations[0].args, evaluate=False), low), (last(*equations[0].args, evaluate=False), high)
    shown = [put(And(inside, relation), x, end) for relation, end in ends]
    meanwhile = replace(task, variables={**task.variables, x: S.Reals}).given(Ge(x, low), Le(x, high))
    tasks = [
        replace(task, conclusion=And(*shown, Le(low, high))),
        replace(meanwhile, conclusion=And(*[condition for some in sides for condition in some or ()])),
        replace(meanwhile.given(equations[0]), conclusion=And(*[part for part in parts if part != equations[0]])),
    ]
    return all(follow(sub, below) for sub, below in zip(tasks, step["parts"], strict=True))


def _halved(task: Task, step: dict[str, Any]) -> bool:
    symbol, at = decode(step["variable"]), decode(step["at"])
    domain = task.variables[symbol]
    if not isinstance(domain, Interval) or not at.is_Rational or not domain.start < at < domain.end:
        return False
    halves = [Interval(domain.start, at, domain.left_open), Interval(at, domain.end, False, domain.right_open)]
    return all(follow(task.opened(symbol, half), below) for half, below in zip(halves, step["parts"], strict=True))


_RULES = {
    "unpack": _unpack, "keep only": _keep_only, "each": _each, "assume": _assume, "forall": _forall,
    "enumerate": _enumerate, "peel": _peel, "witness": _witness, "crossing": _crossing, "halved": _halved,
    "shown": _shown, "apart": _apart, "intermediate": _intermediate,
}  # fmt: skip
