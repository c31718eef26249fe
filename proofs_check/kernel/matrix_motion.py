"""Statements about trajectories of matrices of every size, as statements about matrices without time.

The kernel states the obligations anew from the claim; a certificate holds the rule of each part and the proofs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sympy import And, Basic, Eq, Expr, Ge, Gt, Le, MatrixSymbol, Ne, S, ZeroMatrix
from sympy.logic.boolalg import Boolean
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.kinds import accepted, proves, refutes
from proofs_check.kernel.spaces import scalars, state_shape
from theory.dynamics import Flow, Map
from theory.language.classes import is_positive
from theory.language.definedness import demands
from theory.language.formulas import clauses
from theory.language.spaces import ANY_SIZE, Matrices, Norm, Space, Vectors, letters
from theory.language.words import Alphabet, derivative
from theory.polynomials import Ring
from theory.statements import Statement
from theory.temporal import After, Always, AtStart, is_plain, rename

MOST_STEPS = 12


class NotFollowedError(Exception):
    """A rule does not apply; the message says why."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether all obligations of the chosen rules are proved, or one that the claim implies is refuted."""
    if "departs" in certificate:
        place, rule, steps = certificate["departs"]
        claim = parts(statement)[range(len(parts(statement))).index(int(place))]
        goal = departure(statement, claim, str(rule), int(steps))
        return refutes(certificate["proof"]) and accepted(goal, certificate["proof"])
    goals = obligations(statement, [str(rule) for rule in certificate["rules"]])
    proofs = certificate["proofs"]
    return len(goals) == len(proofs) and all(map(proves, goals, proofs))


def parts(statement: Statement) -> tuple[Boolean, ...]:
    """The claims that are joined in the conclusion, each of which needs a rule."""
    return clauses(statement.then)


def rules_for(part: Boolean) -> tuple[str, ...]:
    """The rules that a claim may be proved by."""
    return ("monotone", "everywhere") if isinstance(part, Always) else ("unrolled",)


def obligations(statement: Statement, rules: Sequence[str]) -> list[Statement]:
    """What is left to prove of matrices without time, one rule for each part of the conclusion."""
    claims = parts(statement)
    if len(rules) != len(claims):
        raise NotFollowedError("every part of the conclusion needs one rule")
    _require_polynomial(statement)
    goals: list[Statement] = []
    for claim, rule in zip(claims, rules, strict=True):
        if (
            rule not in rules_for(claim)
            or not isinstance(claim, (Always, After, AtStart))
            or not is_plain(claim.args[-1])
        ):
            raise NotFollowedError(f"the rule {rule} does not apply to a part of the conclusion")
        goals += {"monotone": _monotone, "everywhere": _everywhere, "unrolled": _unrolled}[rule](statement, claim)
    return goals + _valued(statement)


def _valued(statement: Statement) -> list[Statement]:
    """That the numbers before the matrices of the right side and of the start have values, where that is not plain.

    Whatever is claimed of a trajectory needs that there is one. Twin: x -> x / a for every a says nothing at a = 0.
    """
    dynamics = statement.dynamics
    moves = () if dynamics is None else dynamics.right_side
    asked = [part for part in demands(scalars(*moves, *statement.start.values())) if not _is_plain(part, statement)]
    if not asked:
        return []
    if any(letters(part) for part in asked):
        raise NotFollowedError("a number before a matrix may have no value")
    numbers = {symbol: domain for symbol, domain in statement.variables.items() if not isinstance(domain, Space)}
    given = tuple(part for part in statement.given if part.free_symbols <= {*numbers, *statement.stated})
    return [Statement(variables=numbers, given=given, constants=statement.constants, then=And(*asked, evaluate=False))]


def _is_plain(condition: Boolean, statement: Statement) -> bool:
    nonzero = isinstance(condition, (Ne, Gt, Ge)) and condition.rhs == 0
    return nonzero and is_positive(condition.lhs, statement.variables)


def _monotone(statement: Statement, claim: Boolean) -> list[Statement]:
    """Always P = Q, or P <= Q, because it is so at the start and P - Q never changes, or never grows.

    Along a differentiable curve that follows a velocity polynomial in the state, the derivative of a polynomial in
    matrices and traces is given by the product rule; where it is zero for all matrices the quantity is constant on the
    interval of existence, where it is nowhere positive the quantity does not grow (mean value theorem). For a Map the
    same by induction over the steps. Twins: a start that differs; a derivative that has no sign; a claim or a velocity
    that mentions the time.
    """
    relation = claim.args[0]
    _, step = _changes(statement, relation)
    return [_at(statement, relation, statement.start), _of_all_states(statement, step)]


def _changes(statement: Statement, relation: Boolean) -> tuple[Basic, Boolean]:
    """What is zero or not positive where a relation holds, and that its change is zero or not positive."""
    if not isinstance(relation, (Eq, Le, Ge)):
        raise NotFollowedError("only equations and weak inequalities are kept")
    if any(letters(part) for part in demands(relation.args)):
        raise NotFollowedError("a side of the claim may have no value at a later time")
    relation = _in_squares(relation)
    gap = relation.rhs - relation.lhs if isinstance(relation, Ge) else relation.lhs - relation.rhs
    dynamics, relate = statement.dynamics, Eq if isinstance(relation, Eq) else Le
    if isinstance(dynamics, Flow):
        change = derivative(gap, dict(zip(dynamics.state, dynamics.velocity, strict=True)))
        none = ZeroMatrix(*gap.shape) if isinstance(gap, MatrixExpr) else S.Zero
        return gap, relate(change, none, evaluate=False)
    return gap, relate(_after(_method(statement), gap), gap, evaluate=False)


def _in_squares(relation: Boolean) -> Boolean:
    """a |X| <= b |Y| with numbers a and b that are not negative as a^2 |X|^2 <= b^2 |Y|^2, which says the same."""
    sides = [side.as_independent(Norm, as_Add=False) for side in relation.args]
    are_norms = all(isinstance(norm, Norm) and factor.is_Rational and factor >= 0 for factor, norm in sides)
    return relation.func(*(factor**2 * norm**2 for factor, norm in sides), evaluate=False) if are_norms else relation


def _method(statement: Statement) -> Map:
    if not isinstance(statement.dynamics, Map):
        raise NotFollowedError("only the steps of a Map can be written out")
    return statement.dynamics


def _everywhere(statement: Statement, claim: Boolean) -> list[Statement]:
    """Always P, because P is true of all matrices that the state could be."""
    return [_of_all_states(statement, claim.args[0])]


def _unrolled(statement: Statement, claim: Boolean) -> list[Statement]:
    """P after a given number of steps of a Map, or at the start: the state written in what the trajectory starts at."""
    steps = claim.args[0] if isinstance(claim, After) else S.Zero
    if not steps.is_Integer or steps > MOST_STEPS:
        raise NotFollowedError("a part of the conclusion is not about a small number of steps")
    now: dict[Any, Any] = dict(statement.start)
    for _ in range(int(steps)):
        moves = zip(_method(statement).state, _method(statement).update, strict=True)
        now = {symbol: moved.xreplace(now) for symbol, moved in moves}
    return [_at(statement, claim.args[-1], now)]


def departure(statement: Statement, claim: Boolean, rule: str, steps: int = 0) -> Statement:
    """A statement about matrices without time that holds wherever the claim does: if it fails, so does the claim.

    `steps`: the claim at one of its moments, the state written out. `derivative`: where P = Q always, d/dt (P - Q)
    is zero at the start; where P <= Q always and P >= Q at the start, d/dt (P - Q) is not positive there. A solution
    exists for some time, because the velocity is polynomial. Twins: P < Q at the start says nothing of the derivative;
    a trajectory that leaves its evolution domain at once has no later moments.
    """
    _require_polynomial(statement)
    if statement.dynamics is not None and statement.dynamics.restrictions:
        raise NotFollowedError("the trajectory may end by leaving the domain")
    if _valued(statement):
        raise NotFollowedError("a number before a matrix may have no value")
    if not isinstance(claim, (Always, After, AtStart)) or not is_plain(claim.args[-1]):
        raise NotFollowedError("a part of the conclusion is not followed")
    if rule == "steps":
        at = claim
        if isinstance(claim, Always):
            at = AtStart(claim.args[0]) if steps == 0 else After(steps, claim.args[0])
        (goal,) = _unrolled(statement, at)
        return goal
    relation, dynamics = claim.args[0], statement.dynamics
    if rule != "derivative" or not isinstance(claim, Always) or not isinstance(dynamics, Flow):
        raise NotFollowedError(f"the rule {rule} does not apply")
    gap, step = _changes(statement, relation)
    goal = _at(statement, step, statement.start)
    if isinstance(relation, Eq):
        return goal
    return goal.but(given=(*goal.given, rename(Ge(gap, 0, evaluate=False), dict(statement.start))))


def _after(dynamics: Map, of: Basic) -> Basic:
    return of.xreplace(dict(zip(dynamics.state, dynamics.update, strict=True)))


def _at(statement: Statement, claim: Boolean, state: Mapping[Any, Any]) -> Statement:
    return Statement(
        variables=statement.variables, given=statement.given, constants=statement.constants,
        then=rename(claim, dict(state)),
    )  # fmt: skip


def _of_all_states(statement: Statement, claim: Boolean) -> Statement:
    """The claim for every state: what is given speaks of the start and the parameters, and stays true."""
    spaces = {symbol: _space_of(*state_shape(statement, symbol)) for symbol in statement.start}
    return Statement(
        variables=dict(statement.variables) | spaces, given=statement.given, constants=statement.constants, then=claim
    )


def _space_of(rows: Expr, columns: Expr) -> Space:
    if columns == 1:
        return Vectors() if rows == ANY_SIZE else Vectors(rows)
    return Matrices(rows, columns)


def _require_polynomial(statement: Statement) -> None:
    """The right side is polynomial in the state, without the time, and the state is called like no variable."""
    dynamics = statement.dynamics
    if dynamics is None or statement.computed is not None or statement.almost_all or statement.uses:
        raise NotFollowedError("this is about no trajectory of matrices")
    if not all(isinstance(symbol, MatrixSymbol) for symbol in dynamics.state):
        raise NotFollowedError("the state has numbers in it")
    names = {symbol.name for symbol in statement.variables}
    if any(symbol.name in names for symbol in dynamics.state):
        raise NotFollowedError("a variable is called like the state")
    if dynamics.time is not None and any(
        dynamics.time in part.free_symbols for part in (statement.then, *dynamics.right_side)
    ):
        raise NotFollowedError("the time is mentioned")
    alphabet = Alphabet({})
    for move in dynamics.right_side:
        for factor in alphabet.words(move).values():
            number = alphabet.numbers(factor)
            ring = Ring(tuple(sorted(number.free_symbols, key=str)))
            below = ring.fraction(number).denominator
            if ring.symbols_in(below) & set(alphabet.names.values()):
                raise NotFollowedError("the right side divides by the state")
