"""Is there anything to prove: the nicest exact point that satisfies all hypotheses, or a proof that there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sympy import And, Expr, Rational, Symbol, sympify
from sympy.core.relational import Relational

from proofs_check import clock
from proofs_check.budget import Budget
from proofs_check.engines.discharge import discharge, load
from proofs_check.goals import Goal, domains, satisfiability
from proofs_check.points.exact import holds
from proofs_check.points.search import Search, opened
from proofs_check.verdict import Evidence, Outcome
from theory.statements import Statement
from theory.temporal import is_plain

_POINTS = 24


@dataclass(frozen=True)
class Witness:
    """An exact point of the hypothesis set: name to exact number."""

    point: Mapping[str, str]


@dataclass(frozen=True)
class Vacuity:
    """The proof that nothing satisfies the hypotheses."""

    evidence: Evidence


def find_witness(statement: Statement, budget: Budget) -> Witness | Vacuity | None:
    """A point of the hypothesis set, a proof that it is empty, or None when neither is found in time.

    >>> from sympy import Interval, symbols
    >>> x, y = symbols("x y")
    >>> find_witness(Statement(variables={x: Interval(0, 1), y: Interval(0, 1)}, given=(x + y > 1,), then=x > 0),
    ...              Budget.of("standard")).point
    {'x': '1', 'y': '1'}
    """
    running = budget.running
    variables, formula = opened(domains(statement), And(*statement.hypotheses))
    if not is_plain(formula) or not formula.free_symbols <= set(variables):
        return None
    for seconds in (running.seconds_for("points, witness"), None):
        deadline = clock.now() + (running.left if seconds is None else seconds)
        point = Search(variables, formula, deadline).find()
        if point is not None:
            return Witness({symbol.name: str(point[symbol]) for symbol in statement.variables})
        answer = None if seconds is None else _proof_or_model(statement, running)
        if answer is not None or clock.now() < deadline:
            return answer
    return None


def _proof_or_model(statement: Statement, budget: Budget) -> Witness | Vacuity | None:

    goal = satisfiability(statement)
    if goal is None:
        return None
    verdict = discharge(goal, budget)
    if verdict is None:
        return None
    if verdict.outcome is Outcome.PROVED:
        said = "no point satisfies the hypotheses"
        said += f" together with what {statement.premises}" if statement.uses else ""
        return Vacuity(Evidence(Outcome.VACUOUS, verdict.engine, verdict.certificate, notes=(*verdict.notes, said)))
    return None if verdict.counterexample is None else Witness(verdict.counterexample)


def implied_hypotheses(statement: Statement, budget: Budget) -> list[str]:
    """The hypotheses that follow from the others, each as a string: they could be dropped.

    >>> from sympy import Interval, symbols
    >>> x = Symbol("x")
    >>> implied_hypotheses(Statement(variables={x: Interval(0, 1)}, given=(x < 2,), then=x**2 <= x), Budget.of("quick"))
    ['x < 2']
    """

    running = budget.running
    kept = [part for part in statement.given if is_plain(part)]
    implied: list[str] = []
    for part in sorted(kept, key=lambda one: -one.count_ops()):  # what is long is missed least
        others = [other for other in kept if other is not part]
        goal = Goal.over(domains(statement), [other.subs(statement.stated) for other in others],
                         part.subs(statement.stated))  # fmt: skip
        verdict = discharge(goal, running)
        if verdict is not None and verdict.outcome is Outcome.PROVED:
            implied.append(str(part))
            kept = others
    return implied


def parameter_ranges(statement: Statement, budget: Budget) -> dict[str, tuple[str, str]]:
    """For each variable an interval that its admissible values are proved to lie in, as exact strings.

    The bounds are powers of ten or small integers on either side, found by bisection on decades: the result says at
    which scale a statement lives, for example that it needs omega <= 1e-60.

    >>> from sympy import Interval, oo
    >>> w = Symbol("w")
    >>> tiny = Statement(variables={w: Interval.open(0, oo)}, given=(w < Rational(1, 10**60),), then=w < 1)
    >>> parameter_ranges(tiny, Budget.of("standard"))
    {'w': ('0', '1/1000000000000000000000000000000000000000000000000000000000000')}
    """
    load()
    running = budget.running
    base = satisfiability(statement)
    if base is None:
        return {}
    search = Search(base.variables, And(*base.hypotheses), running.until("points, scale of a variable"))
    points = list(islice(search.points(), _POINTS))
    found: dict[str, tuple[str, str]] = {}
    for place, symbol in enumerate(statement.variables):
        share = replace(running, seconds=running.left / (len(statement.variables) - place)).start()
        ends = [
            _bound(base, symbol, share, [point[symbol] for point in points], upper=upper) for upper in (False, True)
        ]
        found[symbol.name] = (ends[0], ends[1])
    return found


_TENS = [Rational(10) ** power for power in (-300, -120, -60, -30, -20, -12, -9, -6, -5, -4, -3, -2, -1)]
_STEPS = [sympify(0), *_TENS, Rational(1, 2), *map(sympify, (1, 2, 3, 5, 10, 100, 1000, 10**6, 10**9, 10**12))]


def _bound(base: Goal, symbol: Symbol, budget: Budget, known: Sequence[Expr], *, upper: bool) -> str:
    """The tightest bound of the scale that is proved, by bisection beyond the known values; oo when none is."""

    scale = [-value for value in reversed(_STEPS[1:])] + _STEPS
    if not upper:
        scale.reverse()

    def is_beyond(bound: Expr) -> Relational:
        return symbol <= bound if upper else symbol >= bound

    def is_proved(bound: Expr) -> bool:
        verdict = discharge(base.concluding(is_beyond(bound)), budget.share("points, one bound"))
        return verdict is not None and verdict.outcome is Outcome.PROVED

    possible = [bound for bound in scale if all(holds(is_beyond(bound), {symbol: value}) for value in known)]
    if not possible or not is_proved(possible[-1]):
        return "oo" if upper else "-oo"
    first, last = 0, len(possible) - 1
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if is_proved(possible[middle]) else (middle + 1, last)
    return str(possible[first])
